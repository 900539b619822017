package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sessions"
	"wcpp/web"
)

// page is the application's single page, generated for each request. It lists the screen's files
// and the session's permissions, so that the browser loads everything in one step.
type page struct {
	// The built page up to the end of its head element, and the rest. Empty if the application
	// isn't built.
	before, after string
	files         screenFiles
	outline       func(ctx context.Context, token string) *sessions.Outline
}

// screenFiles has the files from routes.json, which the build writes. They're for the signed-in
// layout and for each screen by its lowercase path.
type screenFiles struct {
	Shell     []string            `json:"shell"`
	SignedIn  map[string][]string `json:"signedIn"`
	SignedOut map[string][]string `json:"signedOut"`
}

// outlineWithin is the time limit for the database. After it, the page is sent without session
// data.
const outlineWithin = time.Second

// renderHead returns nodes for the end of the page's head element. Content in a script of that type
// is data. This JSON encoding escapes markup, so nothing can end the element.
func renderHead(files []string, outline *sessions.Outline) (g.Node, error) {
	nodes := g.Map(files, func(name string) g.Node {
		rel := "modulepreload"
		if path.Ext(name) == ".css" {
			rel = "stylesheet"
		}
		return h.Link(h.Rel(rel), g.Attr("crossorigin"), h.Href("/wcpp/"+name))
	})
	if outline == nil {
		return nodes, nil
	}
	written, err := json.Marshal(outline)
	return append(nodes,
		h.Link(h.Rel("preload"), h.Href("/api/session"), h.As("fetch"), h.CrossOrigin("anonymous")),
		h.Script(h.Type("application/json"), h.ID("outline"), g.Raw(string(written)))), err
}

func newPage(files fs.FS, outline func(context.Context, string) *sessions.Outline) (*page, error) {
	p := &page{outline: outline}
	built, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	var whole bool
	if p.before, p.after, whole = strings.Cut(string(built), "</head>"); !whole {
		return nil, errors.New("the built page has no <head>")
	}
	listed, err := web.ReadFile(files, "routes.json")
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(listed, &p.files)
}

// filesFor returns the distinct files of a screen, depending on whether the user is signed in. It
// matches paths as the router does: in any case, with or without a trailing slash, and with an
// optional ID at the end.
func (s screenFiles) filesFor(requested string, signedIn bool) []string {
	address := strings.ToLower(strings.TrimPrefix(path.Clean(requested), "/wcpp"))
	if address == "" {
		address = "/"
	}
	screens, lists := maps.Clone(s.SignedOut), [][]string(nil)
	if signedIn {
		maps.Copy(screens, s.SignedIn)
		lists = append(lists, s.Shell)
	}
	own, ok := screens[address]
	if !ok {
		own = screens[path.Join(path.Dir(address), "$id")]
	}
	seen := map[string]bool{}
	var all []string
	for _, list := range append(lists, own) {
		for _, name := range list {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.before == "" {
		http.Error(w, "This build doesn't include the web app. Run `make build`.", http.StatusNotFound)
		return
	}
	var outline *sessions.Outline
	// Someone returning from sign-in gets a different session than the current cookie's.
	signingIn := r.URL.Query().Has("code")
	if held, err := r.Cookie(httpapi.SessionCookie); err == nil && !signingIn {
		ctx, cancel := context.WithTimeout(r.Context(), outlineWithin)
		defer cancel()
		outline = p.outline(ctx, held.Value)
	}
	head, err := renderHead(p.files.filesFor(r.URL.Path, outline != nil || signingIn), outline)
	var made bytes.Buffer
	made.WriteString(p.before)
	if err == nil {
		err = head.Render(&made)
	}
	if err != nil {
		http.Error(w, "Something went wrong on our side. Please try again.", http.StatusInternalServerError)
		return
	}
	made.WriteString("</head>" + p.after)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Cookie")
	h.Set("Content-Length", strconv.Itoa(made.Len()))
	if r.Method != http.MethodHead {
		_, _ = w.Write(made.Bytes()) // the browser disconnected
	}
}
