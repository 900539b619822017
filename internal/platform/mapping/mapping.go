// Package mapping copies fields between types by their names.
package mapping

import (
	"reflect"
	"slices"

	"wcpp/internal/platform/money"
)

// Mapping copies the fields that To and From both have.
type Mapping[To, From any] struct {
	fields []field
}

type field struct {
	name     string
	to, from []int
	copy     func(to, from reflect.Value)
}

// New returns the mapping of all fields with equal names but the given ones. Amounts change from
// cents to dollars if To has them as decimal numbers. It panics if other types differ.
func New[To, From any](but ...string) Mapping[To, From] {
	var m Mapping[To, From]
	from := reflect.TypeFor[From]()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[To]()) {
		source, has := from.FieldByName(f.Name)
		if !has || !f.IsExported() || slices.Contains(but, f.Name) {
			continue
		}
		m.fields = append(m.fields, field{f.Name, f.Index, source.Index, newCopy(f, source.Type)})
	}
	return m
}

func newCopy(to reflect.StructField, from reflect.Type) func(to, from reflect.Value) {
	switch {
	case from == to.Type:
		return reflect.Value.Set
	case to.Type == reflect.TypeFor[*float64]() && from == reflect.TypeFor[int64]():
		return func(to, from reflect.Value) {
			cents := from.Int()
			to.Set(reflect.ValueOf(money.OrNone(&cents)))
		}
	case to.Type == reflect.TypeFor[*float64]() && from == reflect.TypeFor[*int64]():
		return func(to, from reflect.Value) { to.Set(reflect.ValueOf(money.OrNone(from.Interface().(*int64)))) }
	}
	panic("can't copy a " + from.String() + " to " + to.Name)
}

// Fields returns the names of the copied fields.
func (m Mapping[To, From]) Fields() []string {
	names := make([]string, len(m.fields))
	for i, f := range m.fields {
		names[i] = f.name
	}
	return names
}

// Copy copies the fields.
func (m Mapping[To, From]) Copy(to *To, from *From) {
	t, f := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, field := range m.fields {
		field.copy(t.FieldByIndex(field.to), f.FieldByIndex(field.from))
	}
}
