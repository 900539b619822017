package httpapi

import "github.com/danielgtaylor/huma/v2"

// Enum returns the schema of a string type that has only these values. doc explains them.
func Enum[T ~string](doc string, values ...T) *huma.Schema {
	s := &huma.Schema{Type: "string", Description: doc}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
