package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each type of output arrives as declared: status, headers and body.
func TestResponses(t *testing.T) {
	mux := http.NewServeMux()
	api := New(mux, Deps{Guard: lettingIn{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"})
	op := func(id string) Operation {
		return Operation{ID: id, Method: http.MethodGet, Path: "/" + id, Access: Public, Effect: Read}
	}
	type item struct {
		Name string `json:"name"`
	}
	type withHeaders struct {
		Status    int
		ETag      string         `header:"ETag"`
		Limited   string         `header:"X-Limited-To"`
		SetCookie []*http.Cookie `header:"Set-Cookie"`
		Body      []item
	}
	Register(api, op("json"), func(context.Context, *struct{}) (*struct{ Body item }, error) {
		return &struct{ Body item }{item{"Ada"}}, nil
	})
	Register(api, op("none"), func(context.Context, *struct{}) (*struct{}, error) { return &struct{}{}, nil })
	Register(api, op("null"), func(context.Context, *struct{}) (*struct{ Body *item }, error) {
		return &struct{ Body *item }{}, nil
	})
	Register(api, op("headers"), func(context.Context, *struct{}) (*withHeaders, error) {
		return &withHeaders{Status: http.StatusCreated, ETag: `"1"`, Body: []item{{"Ada"}},
			SetCookie: []*http.Cookie{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}}, nil
	})
	Register(api, op("unchanged"), func(context.Context, *struct{}) (*withHeaders, error) {
		return &withHeaders{Status: http.StatusNotModified, ETag: `"1"`}, nil
	})
	Register(api, op("bytes"), func(context.Context, *struct{}) (*struct {
		ContentType string `header:"Content-Type"`
		Body        []byte
	}, error) {
		return &struct {
			ContentType string `header:"Content-Type"`
			Body        []byte
		}{"application/pdf", []byte("%PDF")}, nil
	})
	Register(api, op("nothing"), func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })

	for path, want := range map[string]string{
		"json":      `200 map[Content-Type:[application/json]] {"name":"Ada"}`,
		"none":      `204 map[] `,
		"null":      `200 map[Content-Type:[application/json]] null`,
		"headers":   `201 map[Content-Type:[application/json] Etag:["1"] Set-Cookie:[a=1 b=2]] [{"name":"Ada"}]`,
		"unchanged": `304 map[Content-Type:[application/json] Etag:["1"]] `,
		"bytes":     `200 map[Content-Type:[application/pdf]] %PDF`,
		"nothing":   `204 map[] `,
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/"+path, nil))
		w.Header().Del("Cache-Control")
		assert.Equal(t, want, fmt.Sprintf("%d %v %s", w.Code, w.Header(), strings.TrimSpace(w.Body.String())), path)
	}
}

// An output field that would be lost stops the program when it starts.
func TestResponseWithUnknownField(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an output with an unknown field was registered")
		}
	}()
	api := New(http.NewServeMux(), Deps{Guard: lettingIn{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"})
	Register(api, Operation{ID: "odd", Method: http.MethodGet, Path: "/odd", Access: Public, Effect: Read},
		func(context.Context, *struct{}) (*struct{ Extra string }, error) { return nil, nil })
}
