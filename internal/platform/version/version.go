// Package version keeps the save of one person from undoing that of another: a form
// reads a version with what it edits and sends it back, and a save that comes with an
// earlier one is refused with what has changed.
package version

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"wcpp/internal/platform/problem"
)

// CodeStale is what a save is refused with that would undo a change its form has not read.
const CodeStale = "STALE"

const sayStale = "Someone else saved changes while you were editing. Use theirs, or apply yours."

// Field is one value that a form edits, by the name that problems use.
type Field struct{ Name, Value string }

// Fields are all values that a form edits, always in the same order.
type Fields []Field

func (f Fields) value(name string) string {
	if i := slices.IndexFunc(f, func(x Field) bool { return x.Name == name }); i >= 0 {
		return f[i].Value
	}
	return ""
}

// FieldsOf lists the values of what an operation takes, as JSON has them: texts without
// quotes, an empty text where one is absent. Fields that are left out aren't edited.
func FieldsOf[T any](edit T, leftOut ...string) (Fields, error) {
	text, err := json.Marshal(edit)
	values := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(text, &values)
	}
	if err != nil {
		return nil, err
	}
	var f Fields
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || slices.Contains(leftOut, name) {
			continue
		}
		var text string
		if json.Unmarshal(values[name], &text) != nil {
			text = string(values[name])
		}
		f = append(f, Field{name, text})
	}
	return f, nil
}

// Of returns the version of these values: a digest, so no row needs a column for it.
func Of(f Fields) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%q", f))
	return base64.RawURLEncoding.EncodeToString(digest[:16])
}

// Check refuses to store mine in place of theirs where the version that was read is not
// that of theirs. It passes without a version, and where both are the same. Theirs must be
// read under the lock of the transaction that stores mine.
func Check(read string, theirs, mine Fields) error {
	return CheckAs(read, Of(theirs), theirs, mine)
}

// CheckAs is Check for what has a version of its own.
func CheckAs(read, current string, theirs, mine Fields) error {
	if read == "" || read == current {
		return nil
	}
	e := problem.Say(problem.Conflict, sayStale)
	e.Code, e.Version = CodeStale, current
	for _, f := range theirs {
		if f.Value != mine.value(f.Name) {
			e.Fields = append(e.Fields, problem.Field{Path: f.Name, Code: "CHANGED", Message: "Someone else saved another value.", Value: &f.Value})
		}
	}
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}
