package db

import (
	"database/sql/driver"
	"reflect"
	"slices"

	"github.com/georgysavva/scany/v2/dbscan"
)

// Fields returns a column for each exported field of T, in order, with those of embedded structs. A column has the field's name in
// snake case or its db tag, and fields with the tag "-" have none. keys are the columns of the
// primary key. A nil pointer is NULL.
func Fields[T any](keys ...string) []Column[T] {
	var columns []Column[T]
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name := f.Tag.Get("db")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		if name == "" {
			name = dbscan.SnakeCaseMapper(f.Name)
		}
		of := func(row *T) reflect.Value { return reflect.ValueOf(row).Elem().FieldByIndex(f.Index) }
		columns = append(columns, Column[T]{
			name: name, field: f.Name, key: slices.Contains(keys, name),
			value:  func(row *T) (any, error) { return driver.DefaultParameterConverter.ConvertValue(of(row).Interface()) },
			target: func(row *T) any { return of(row).Addr().Interface() },
		})
	}
	return columns
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
