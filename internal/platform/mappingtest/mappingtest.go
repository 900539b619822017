// Package mappingtest helps tests check that a mapping copies every field. It fills all fields
// of a value and lists the fields that arrive empty.
package mappingtest

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Filled returns a T with a distinct value in every exported field, at any depth. Lists have one
// element.
func Filled[T any]() T { return filledFrom[T](0) }

// Other returns a T like Filled with different values, except for true.
func Other[T any]() T { return filledFrom[T](1000) }

func filledFrom[T any](n int) T {
	var v T
	f := filler{n}
	f.fill(reflect.ValueOf(&v).Elem())
	return v
}

type filler struct{ n int }

var epoch = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case date.Date:
		v.Set(reflect.ValueOf(date.Of(epoch.AddDate(0, 0, f.n))))
		return
	case db.Instant:
		v.Set(reflect.ValueOf(db.At(epoch.Add(time.Duration(f.n) * time.Hour))))
		return
	case time.Time:
		v.Set(reflect.ValueOf(epoch.Add(time.Duration(f.n) * time.Hour)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("Text%d", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	case reflect.Float64:
		v.SetFloat(float64(f.n) + 0.25)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	default:
		panic("filltest cannot fill a " + v.Type().String())
	}
}

// ListEmpty lists the empty exported fields of a struct, at any depth, except the given ones.
// Lines.Charge is a field of an element of the list Lines.
func ListEmpty(v any, but ...string) []string {
	var empty []string
	visitFields(reflect.ValueOf(v), "", func(field string) {
		if !slices.ContainsFunc(but, func(b string) bool { return field == b || strings.HasPrefix(field, b+".") }) {
			empty = append(empty, field)
		}
	})
	return empty
}

func visitFields(v reflect.Value, path string, found func(string)) {
	switch {
	case v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0:
		found(strings.TrimPrefix(path, "."))
	case v.Kind() == reflect.Pointer:
		visitFields(v.Elem(), path, found)
	case v.Kind() == reflect.Slice:
		visitFields(v.Index(0), path, found)
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[db.Instant]() && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			name := "." + field.Name
			if field.Anonymous {
				name = ""
			}
			visitFields(v.Field(i), path+name, found)
		}
	}
}

// CheckRow checks the only row of a table. Every column except the given ones must have a value, and
// a column x_key must be the key of its column x.
func CheckRow(t testing.TB, d *db.DB, table string, but ...string) {
	t.Helper()
	rows, err := d.Writer.QueryContext(t.Context(), "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	stored := map[string]string{}
	for ; rows.Next(); count++ {
		targets := make([]any, len(columns))
		for i := range targets {
			targets[i] = new(sql.NullString)
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		for i, name := range columns {
			stored[name] = targets[i].(*sql.NullString).String
		}
	}
	if err := rows.Err(); err != nil || count != 1 {
		t.Fatalf("%s: %d rows, %v", table, count, err)
	}
	for name, value := range stored {
		if slices.Contains([]string{"", "0", "false", "{}"}, value) && !slices.Contains(but, name) {
			t.Errorf("%s.%s arrived empty", table, name)
		}
		if base, has := stored[strings.TrimSuffix(name, "_key")]; has && strings.HasSuffix(name, "_key") && value != text.Key(base) {
			t.Errorf("%s.%s is %q, not the key of %q", table, name, value, base)
		}
	}
}

// CheckColumns checks that a table has exactly the named columns.
func CheckColumns(t testing.TB, d *db.DB, table string, named []string) {
	t.Helper()
	rows, err := d.Writer.QueryContext(t.Context(), "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err = errors.Join(err, rows.Err()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(columns)
	if named = slices.Sorted(slices.Values(named)); !slices.Equal(columns, named) {
		t.Errorf("%s: described %v\nhas %v", table, named, columns)
	}
}
