package demo

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"strings"
	"time"
)

// ContentKey is the portal's key for the demo's content host.
const ContentKey = "demo-content-key"

// URLs of documents: as in the resource list, and where they really are.
const (
	AssetPath   = "/assets/provider"
	ContentPath = "/documents"
)

//go:embed content
var contentFiles embed.FS

// NewContent serves a fake content host and live chat on a separate origin. It has the pages
// that the portal frames, the provider resources and the chat widget. Only the portal's origins
// can frame its pages, and only the portal can download documents.
func NewContent(portal []string, font []byte) http.Handler {
	mux := http.NewServeMux()
	policy := "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors " + strings.Join(portal, " ")
	page := func(file string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			http.ServeFileFS(w, r, contentFiles, "content/"+file)
		}
	}
	mux.HandleFunc("GET /home", page("home.html"))
	mux.HandleFunc("GET /login", page("login.html"))
	mux.HandleFunc("GET /widget", page("widget.html"))
	for _, file := range []string{"content.css", "frame.js", "widget.js"} {
		mux.HandleFunc("GET /"+file, page(file))
	}
	mux.HandleFunc("GET /public-sans.woff2", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "public-sans.woff2", time.Time{}, bytes.NewReader(font))
	})
	mux.HandleFunc("GET /provider-resources.json", allowPortal(listResources))
	mux.HandleFunc("GET "+ContentPath+"/{category}/{file}", allowPortal(serveResource))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	})
}

func allowPortal(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+ContentKey {
			http.Error(w, "only the portal can request documents", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

type resourceEntry struct {
	Properties resourceProperties `json:"properties"`
	Links      []resourceLink     `json:"links"`
}

type resourceProperties struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	WalkmeID string `json:"walkmeId"`
}

type resourceLink struct {
	Href string `json:"href"`
}

func listResources(w http.ResponseWriter, _ *http.Request) {
	list := make([]resourceEntry, len(resources))
	for i, d := range resources {
		list[i] = resourceEntry{
			resourceProperties{d.name, d.category, "provider-resource-" + strings.TrimSuffix(d.file, path.Ext(d.file))},
			[]resourceLink{{AssetPath + "/" + d.folder() + "/" + d.file}},
		}
	}
	answer(w, list)
}

func serveResource(w http.ResponseWriter, r *http.Request) {
	for _, d := range resources {
		if d.folder() != r.PathValue("category") || d.file != r.PathValue("file") {
			continue
		}
		// Some systems' MIME tables treat every WebM file as audio.
		w.Header().Set("Content-Type", "video/webm")
		content, err := contentFiles.ReadFile("content/" + d.file)
		if err != nil { // not a video: generated text
			w.Header().Set("Content-Type", "application/pdf")
			content, err = d.pdf()
		}
		if err != nil {
			http.Error(w, "couldn't create the document", http.StatusInternalServerError)
			return
		}
		http.ServeContent(w, r, d.file, d.published(), bytes.NewReader(content))
		return
	}
	http.NotFound(w, r)
}
