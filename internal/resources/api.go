package resources

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
)

type openInput struct {
	Path            string `path:"path" maxLength:"1000" doc:"Document path on the content host"`
	Range           string `header:"Range" maxLength:"200"`
	IfRange         string `header:"If-Range" maxLength:"500"`
	IfNoneMatch     string `header:"If-None-Match" maxLength:"500"`
	IfModifiedSince string `header:"If-Modified-Since" maxLength:"100"`

	hidden bool // the path contains an escaped separator
}

func (in *openInput) Resolve(hc huma.Context) []error {
	address := hc.URL()
	raw := strings.ToLower(address.EscapedPath())
	in.hidden = strings.Contains(raw, "%2f") || strings.Contains(raw, "%5c")
	return nil
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register}
}

// Register adds the resource endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "resource", Method: http.MethodGet, Path: "/resources/{path...}",
		Summary:     "Get a document or video from the network's content host",
		Description: "Supports ranges. PDFs, images, video, audio, office documents and JSON keep their type; other files are downloads.",
		Access:      "resources.read", Effect: httpapi.Read, Cookie: true,
	}, func(ctx context.Context, in *openInput) (*huma.StreamResponse, error) {
		if in.hidden {
			return nil, problem.New(problem.NotFound)
		}
		r, err := s.Open(ctx, in.Path, RequestHeaders{in.Range, in.IfRange, in.IfNoneMatch, in.IfModifiedSince})
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.send(hc, r) }}, nil
	})
}

// The portal's origin serves what the content host sends, so it can load only itself and run no
// scripts.
const policy = "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

// getPolicy adds a sandbox, except for PDF, video and audio: browsers' built-in viewers don't
// work in one.
func getPolicy(kind string) string {
	if family, _, _ := strings.Cut(kind, "/"); kind == "application/pdf" || family == "video" || family == "audio" {
		return policy
	}
	return "sandbox; " + policy
}

func (s *Service) send(hc huma.Context, r *Resource) {
	defer r.Close()
	w := httpapi.NewSlowWriter(hc)
	h := w.Header()
	for name, values := range r.Header {
		h[name] = values
	}
	if r.Status == http.StatusNotModified {
		// A 304 response replaces the cached headers, and the cached ones already have the right
		// policy.
		h.Del("Content-Security-Policy")
	} else {
		h.Set("Content-Security-Policy", getPolicy(r.Header.Get("Content-Type")))
	}
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	// Only the user's browser can cache it, and each use requires the session.
	h.Set("Cache-Control", "private, no-cache")
	w.WriteHeader(r.Status)
	_, err := io.Copy(w, r)
	httpapi.Abort(err)
}
