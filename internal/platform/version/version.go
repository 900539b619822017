// Package version prevents one user's save from undoing another's. A form reads a version with
// its data and sends it back. A save with an older version is refused, with a list of changes.
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

// CodeStale is the code of a refused save that would undo a newer change.
const CodeStale = "STALE"

const sayStale = "Someone else saved changes while you were editing. Use theirs, or apply yours."

// Field is one value of a form, with the field name of problems.
type Field struct{ Name, Value string }

// Fields are all values of a form, always in the same order.
type Fields []Field

func (f Fields) value(name string) string {
	if i := slices.IndexFunc(f, func(x Field) bool { return x.Name == name }); i >= 0 {
		return f[i].Value
	}
	return ""
}

// ListFields lists the values of an operation's input as in JSON. Strings have no quotes, and
// missing values are empty. Fields in leftOut aren't edited.
func ListFields[T any](edit T, leftOut ...string) (Fields, error) {
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

// Hash returns the version of the values. It is a hash, so rows don't need a version column.
func Hash(f Fields) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%q", f))
	return base64.RawURLEncoding.EncodeToString(digest[:16])
}

// Check returns an error if the read version isn't the version of theirs, the stored values. It
// allows an empty version, and equal values. Read theirs under the lock of the transaction that
// stores mine.
func Check(read string, theirs, mine Fields) error {
	return CheckAs(read, Hash(theirs), theirs, mine)
}

// CheckAs is Check for data with its own version.
func CheckAs(read, current string, theirs, mine Fields) error {
	if read == "" || read == current {
		return nil
	}
	e := problem.WithMessage(problem.Conflict, sayStale)
	e.Code, e.Version = CodeStale, current
	for _, f := range theirs {
		if f.Value != mine.value(f.Name) {
			e.Fields = append(e.Fields, problem.Field{Path: f.Name, Code: "CHANGED", Message: "Someone else saved another value.",
				Value: &f.Value})
		}
	}
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}
