package settings

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Field is one setting, flag, or command argument, from a struct field and its tags. The tags
// are:
//
//   - name: of the flag; by default derived from the field name
//   - env: environment variable
//   - default, placeholder, help, required
//   - enum: allowed values
//   - xor: only one of the fields with the same word can be set
//   - arg: a positional argument
//
// It implements the flag value of spf13/pflag.
type Field struct {
	Name, Env, Default, Placeholder, Help, Exclusive string

	Enum                      []string
	Required, Argument, Given bool // Given: by flag, variable, or file

	value reflect.Value
}

// ListFields lists the fields of a struct and its nested structs, and sets their defaults. It
// panics on an invalid tag, so that no command starts.
func ListFields(pointer any) []*Field {
	var fields []*Field
	var addFields func(reflect.Value)
	addFields = func(v reflect.Value) {
		for i := range v.NumField() {
			own := v.Type().Field(i)
			_, documented := own.Tag.Lookup("help")
			switch {
			case documented:
				fields = append(fields, newField(own, v.Field(i)))
			case own.Type.Kind() == reflect.Struct:
				addFields(v.Field(i))
			}
		}
	}
	addFields(reflect.ValueOf(pointer).Elem())
	return fields
}

func newField(own reflect.StructField, value reflect.Value) *Field {
	tag := own.Tag.Get
	has := func(name string) bool { _, is := own.Tag.Lookup(name); return is }
	f := &Field{
		Name: tag("name"), Env: tag("env"), Default: tag("default"), Placeholder: tag("placeholder"), Exclusive: tag("xor"),
		Required: has("required"), Argument: has("arg"), value: value,
	}
	if f.Name == "" {
		f.Name = flagName(own.Name)
	}
	if known, is := value.Interface().(interface{ Choices() []string }); is {
		f.Enum = known.Choices()
	} else if enum := tag("enum"); enum != "" {
		f.Enum = strings.Split(enum, ",")
	}
	f.Help = strings.ReplaceAll(tag("help"), "${enum}", strings.Join(f.Enum, ", "))
	if f.Default != "" {
		if err := f.add(f.Default); err != nil {
			panic(fmt.Sprintf("default of %s: %v", f.Name, err))
		}
	}
	return f
}

// flagName splits a field's name into words. LogLevel becomes log-level, TLSCertFile tls-cert-file.
func flagName(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		isWord := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if isWord {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Set replaces the default with a value. Further values are added to a list or map.
func (f *Field) Set(text string) error {
	if !f.Given {
		f.value.SetZero()
	}
	f.Given = true
	return f.add(text)
}

// String is empty because the help contains the default.
func (f *Field) String() string { return "" }

// Type returns the value placeholder for the help.
func (f *Field) Type() string {
	switch kind := f.value.Kind(); {
	case f.Placeholder != "" && f.IsList():
		return f.Placeholder + ",..."
	case f.Placeholder != "":
		return f.Placeholder
	case f.IsBool():
		return "bool"
	case f.value.Type() == reflect.TypeFor[time.Duration]():
		return "DURATION"
	case kind == reflect.Int || kind == reflect.Int64:
		return "N"
	}
	return "TEXT"
}

// IsBool reports whether the flag works without a value.
func (f *Field) IsBool() bool { return f.value.Kind() == reflect.Bool }

// IsList reports whether the field accepts several values.
func (f *Field) IsList() bool { return f.value.Kind() == reflect.Slice }

// Resolve sets a field that has no flag from its variable, or else from the file.
func (f *Field) Resolve(file map[string]string) error {
	if f.Given || f.Env == "" {
		return nil
	}
	if text := os.Getenv(f.Env); text != "" {
		if err := f.Set(text); err != nil {
			return fmt.Errorf("%s %w, got %q", f.Env, err, text)
		}
		return nil
	}
	if text := file[f.Name]; text != "" {
		if err := f.Set(text); err != nil {
			return fmt.Errorf("settings file: %s %w, got %q", f.Name, err, text)
		}
	}
	return nil
}

// add sets a value, or adds to a list or map.
func (f *Field) add(text string) error {
	switch v := f.value; v.Kind() {
	case reflect.Slice:
		if f.Argument { // a file name can have commas
			v.Set(reflect.Append(v, reflect.ValueOf(text)))
			return nil
		}
		for item := range strings.SplitSeq(text, ",") {
			item = strings.TrimSpace(item)
			if err := f.checkKnown(item); err != nil {
				return err
			}
			v.Set(reflect.Append(v, reflect.ValueOf(item)))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for item := range strings.SplitSeq(text, ",") {
			name, value, is := strings.Cut(item, "=")
			if !is {
				return fmt.Errorf("must be %s", f.Placeholder)
			}
			key := reflect.New(v.Type().Key()).Elem()
			if err := scan(key, strings.TrimSpace(name)); err != nil {
				return err
			}
			v.SetMapIndex(key, reflect.ValueOf(strings.TrimSpace(value)))
		}
	default:
		if err := f.checkKnown(text); err != nil {
			return err
		}
		return scan(v, text)
	}
	return nil
}

func (f *Field) checkKnown(text string) error {
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, text) {
		return fmt.Errorf("must be one of %s", strings.Join(f.Enum, ", "))
	}
	return nil
}

func scan(v reflect.Value, text string) error {
	if v.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			return errors.New("must be a duration such as 90s or 1h30m")
		}
		v.SetInt(int64(d))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		is, err := strconv.ParseBool(text)
		if err != nil && (text == "yes" || text == "no") { // YAML spellings
			is, err = text == "yes", nil
		}
		if err != nil {
			return errors.New("must be true or false")
		}
		v.SetBool(is)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return errors.New("must be a whole number")
		}
		v.SetInt(n)
	default:
		panic("settings: unsupported field type " + v.Type().String())
	}
	return nil
}
