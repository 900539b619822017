package httpapi

import (
	"fmt"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// responseHeader is a field of an output struct that is sent as a header.
type responseHeader struct {
	index int
	name  string
}

// responseType describes an operation's output struct: a Body, a Status and fields with a header
// tag, each optional. huma.Register would take it as a type parameter, and the compiler would copy
// huma.Register for each output type, which is an eighth of the program.
type responseType struct {
	status, body int // field indexes, or -1
	headers      []responseHeader
}

// describeResponse reads an output type and adds it to the operation's documentation, as huma does.
func (a *API) describeResponse(h *huma.Operation, t reflect.Type) responseType {
	r := responseType{status: -1, body: -1}
	registry := a.huma.OpenAPI().Components.Schemas
	documented := &huma.Response{}
	for i := range t.NumField() {
		switch f := t.Field(i); f.Name {
		case "Status":
			r.status = i
		case "Body":
			r.body = i
			if f.Type.Kind() != reflect.Func {
				schema := huma.SchemaFromField(registry, f, hintName(t, "Body", h.OperationID+"Response"))
				documented.Content = map[string]*huma.MediaType{"application/json": {Schema: schema}}
			}
		default:
			name := f.Tag.Get("header")
			if name == "" {
				panic(fmt.Sprintf("field %s of the output of %s is neither body, status nor header", f.Name, h.OperationID))
			}
			r.headers = append(r.headers, responseHeader{i, name})
			if f.Type.Kind() == reflect.Slice {
				f.Type = reflect.TypeFor[string]()
			}
			if documented.Headers == nil {
				documented.Headers = map[string]*huma.Param{}
			}
			documented.Headers[name] = &huma.Header{Schema: huma.SchemaFromField(registry, f, name)}
		}
	}
	h.DefaultStatus = http.StatusOK
	if r.body < 0 {
		h.DefaultStatus = http.StatusNoContent
	}
	documented.Description = http.StatusText(h.DefaultStatus)
	h.Responses = map[string]*huma.Response{strconv.Itoa(h.DefaultStatus): documented}
	return r
}

// hintName returns a schema's name in the API document if its type has none.
func hintName(parent reflect.Type, field, other string) string {
	if parent.Name() != "" {
		return parent.Name() + field
	}
	return other
}

// respond returns what writes an operation's output: a pointer to its struct, or nil for none.
func (a *API) respond(r responseType, out reflect.Value) *huma.StreamResponse {
	if out.IsNil() {
		return nil
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) { a.send(hc, r, out.Elem()) }}
}

// send writes an operation's output.
func (a *API) send(hc huma.Context, r responseType, out reflect.Value) {
	for _, h := range r.headers {
		switch f := out.Field(h.index); {
		case f.Kind() == reflect.Slice:
			for i := range f.Len() {
				hc.AppendHeader(h.name, fmt.Sprint(f.Index(i).Interface()))
			}
		case !f.IsZero():
			hc.SetHeader(h.name, fmt.Sprint(f.Interface()))
		}
	}
	status := hc.Operation().DefaultStatus
	if r.status >= 0 {
		status = int(out.Field(r.status).Int())
	}
	if r.body < 0 {
		hc.SetStatus(status)
		return
	}
	switch body := out.Field(r.body).Interface().(type) {
	case func(huma.Context):
		body(hc)
	case []byte:
		hc.SetStatus(status)
		_, _ = hc.BodyWriter().Write(body)
	default:
		a.sendJSON(hc, status, body)
	}
}

// sendJSON writes a JSON body. It panics if the body can't be encoded, and the server then logs it.
func (a *API) sendJSON(hc huma.Context, status int, body any) {
	hc.SetHeader("Content-Type", "application/json")
	body, err := a.huma.Transform(hc, strconv.Itoa(status), body)
	if err != nil {
		panic(err)
	}
	hc.SetStatus(status)
	if status == http.StatusNoContent || status == http.StatusNotModified {
		return
	}
	if err := a.huma.Marshal(hc.BodyWriter(), "application/json", body); err != nil && hc.Context().Err() == nil {
		panic(fmt.Errorf("error encoding the response of %s: %w", hc.Operation().OperationID, err))
	}
}
