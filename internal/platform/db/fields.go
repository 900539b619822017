package db

import (
	"cmp"
	"database/sql/driver"
	"reflect"
	"slices"
	"strings"

	"github.com/georgysavva/scany/v2/dbscan"
)

// Fields returns a column for each exported field of T, in order, with those of embedded structs.
// A column has the field's name in snake case, or the one of its db tag. An option follows a comma:
// "null" stores NULL for the number 0, and "json" stores the field as JSON. Fields with the tag "-"
// have no column. keys are the columns of the primary key. A nil pointer is NULL.
func Fields[T any](keys ...string) []Column[T] {
	var columns []Column[T]
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, option, _ := strings.Cut(f.Tag.Get("db"), ",")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		c := newColumn[T](f.Index, option)
		c.name, c.field = cmp.Or(name, dbscan.SnakeCaseMapper(f.Name)), f.Name
		c.key = slices.Contains(keys, c.name)
		columns = append(columns, c)
	}
	return columns
}

// newColumn returns the column of the field at an index, without its names.
func newColumn[T any](index []int, option string) Column[T] {
	field := func(row *T) reflect.Value { return reflect.ValueOf(row).Elem().FieldByIndex(index) }
	switch option {
	case "":
		return Column[T]{
			value: func(row *T) (any, error) {
				return driver.DefaultParameterConverter.ConvertValue(field(row).Interface())
			},
			target: func(row *T) any { return field(row).Addr().Interface() },
		}
	case "null":
		return NullIfZero("", func(row *T) *int64 { return field(row).Addr().Interface().(*int64) })
	case "json":
		return JSON("", func(row *T) *any { v := field(row).Addr().Interface(); return &v })
	}
	panic("unknown option of a db tag: " + option)
}

// WithFields returns the table with only the columns of these fields and the named columns.
func (t *Table[T]) WithFields(fields []string, names ...string) *Table[T] {
	for _, c := range t.columns {
		if slices.Contains(fields, c.field) && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return t.Only(names...)
}
