package httpapi

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// errText refuses a text that is not UTF-8 or holds NUL, which PostgreSQL keeps
// nowhere, before any operation reads it.
var errText = errors.New("text contains invalid characters")

// jsonFormat reads and writes JSON as Huma does, without such texts.
var jsonFormat = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errText
	}
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	// What is validated is read into any value first.
	if read, ok := v.(*any); ok && !storable(*read) {
		return errText
	}
	return nil
}}

// storable tells whether all texts of a JSON value can be kept.
func storable(v any) bool {
	switch v := v.(type) {
	case string:
		return text.Storable(v)
	case []any:
		for _, item := range v {
			if !storable(item) {
				return false
			}
		}
	case map[string]any:
		for name, item := range v {
			if !text.Storable(name) || !storable(item) {
				return false
			}
		}
	}
	return true
}

// unstorable refuses an address whose path or query has such a text, or a path with
// control characters.
func unstorable(u url.URL) *problem.Error {
	refuse := func(field string) *problem.Error {
		e := problem.Say(problem.Invalid, "The request isn't valid: "+errText.Error()+".")
		e.Fields = []problem.Field{{Path: field, Code: "INVALID", Message: errText.Error()}}
		return e
	}
	if !text.Storable(u.Path) || strings.ContainsFunc(u.Path, unicode.IsControl) {
		return refuse("path")
	}
	for name, values := range u.Query() {
		for _, value := range values {
			if !text.Storable(name) || !text.Storable(value) {
				return refuse("query")
			}
		}
	}
	return nil
}
