// Package deepcopy stands in for the module of this name, which excelize copies rows and
// columns with. That one also copies by methods that it looks up by name: the linker then
// keeps every exported method of every type of the program, and the program is three
// times as large.
package deepcopy

import (
	"fmt"
	"reflect"
)

// Copy copies src to what dst points to, so that they share nothing that can be changed.
// Both are of one type, or src points to it.
func Copy(dst, src any) error {
	to, from := reflect.ValueOf(dst), reflect.ValueOf(src)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return fmt.Errorf("deepcopy: %T is no pointer to copy to", dst)
	}
	to = to.Elem()
	if from.Kind() == reflect.Pointer && from.Type() != to.Type() {
		from = from.Elem()
	}
	if !from.IsValid() || from.Type() != to.Type() {
		return fmt.Errorf("deepcopy: %T cannot be copied to %T", src, dst)
	}
	to.Set(from)
	part(to)
	return nil
}

// part makes a value's own what it shares with the one that it was set from.
func part(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		own := reflect.New(v.Elem().Type())
		own.Elem().Set(v.Elem())
		part(own.Elem())
		if v.Kind() == reflect.Interface {
			own = own.Elem()
		}
		v.Set(own)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				part(field)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			part(v.Index(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		for i := range own.Len() {
			part(own.Index(i))
		}
		v.Set(own)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			copied := reflect.New(value.Type()).Elem()
			copied.Set(value)
			part(copied)
			own.SetMapIndex(key, copied)
		}
		v.Set(own)
	}
}
