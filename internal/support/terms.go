package support

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/settings"
)

//go:embed terms.html
var termsPage string

var termsTemplate = template.Must(template.New("terms").Parse(termsPage))

// TermsPath is where the browser finds the portal's own terms.
const TermsPath = "/terms"

// Terms serves plain terms of use, so that nobody agrees to what cannot be
// read, where the operator names no page of their own.
func Terms(brand settings.Brand) (module.Module, error) {
	if brand.TermsURL != "" {
		return module.Module{}, nil
	}
	var page bytes.Buffer
	if err := termsTemplate.Execute(&page, brand); err != nil {
		return module.Module{}, err
	}
	return module.Module{Routes: func(mux *http.ServeMux) {
		mux.Handle("GET "+TermsPath, httpapi.Route(TermsPath, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Cache-Control", "no-cache")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page.Bytes()) // the browser went away; nobody is left to tell
		})))
	}}, nil
}
