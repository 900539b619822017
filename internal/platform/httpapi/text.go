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

// errText rejects text that isn't UTF-8 or contains NUL, before an operation reads it.
// PostgreSQL can't store NUL.
var errText = errors.New("text contains invalid characters")

// jsonFormat reads and writes JSON as huma does, but rejects such text.
var jsonFormat = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errText
	}
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	// huma first reads a body into any to validate it.
	if read, ok := v.(*any); ok && !isStorable(*read) {
		return errText
	}
	return nil
}}

// isStorable reports whether all strings of a JSON value can be stored.
func isStorable(v any) bool {
	switch v := v.(type) {
	case string:
		return text.IsStorable(v)
	case []any:
		for _, item := range v {
			if !isStorable(item) {
				return false
			}
		}
	case map[string]any:
		for name, item := range v {
			if !text.IsStorable(name) || !isStorable(item) {
				return false
			}
		}
	}
	return true
}

// checkURL rejects a URL with such text, or with control characters in its path.
func checkURL(u url.URL) *problem.Error {
	refuse := func(field string) *problem.Error {
		e := problem.WithMessage(problem.Invalid, "The request isn't valid: "+errText.Error()+".")
		e.Fields = []problem.Field{{Path: field, Code: "INVALID", Message: errText.Error()}}
		return e
	}
	if !text.IsStorable(u.Path) || strings.ContainsFunc(u.Path, unicode.IsControl) {
		return refuse("path")
	}
	for name, values := range u.Query() {
		for _, value := range values {
			if !text.IsStorable(name) || !text.IsStorable(value) {
				return refuse("query")
			}
		}
	}
	return nil
}
