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
)

// page is the application's one page, made for each request: it names the files
// of the screen at its address, and carries what the session may do, so that the
// browser fetches all in one step.
type page struct {
	// The built page up to the end of its head, and the rest; empty: the application is
	// not built.
	before, after string
	files         screenFiles
	outline       func(ctx context.Context, token string) *sessions.Outline
}

// screenFiles are those of routes.json, which the build writes: of what stands
// around every signed-in screen, and of each screen by its address in lower case.
type screenFiles struct {
	Shell     []string            `json:"shell"`
	SignedIn  map[string][]string `json:"signedIn"`
	SignedOut map[string][]string `json:"signedOut"`
}

// outlineWithin is how long the page waits for the database; it comes without
// what it does not know.
const outlineWithin = time.Second

// inHead stands at the end of the built page's head. What a script of that type holds is
// data: as JSON is written here, no markup can end it.
func inHead(files []string, outline *sessions.Outline) (g.Node, error) {
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
	listed, err := fs.ReadFile(files, "routes.json")
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(listed, &p.files)
}

// of lists a screen's files for who is signed in or not, each once. The path is
// as the router takes it: in any case, with a slash at the end or without, and its
// last part may be an id.
func (s screenFiles) of(requested string, signedIn bool) []string {
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
	// Who comes back from signing in gets another session than the one that is held.
	signingIn := r.URL.Query().Has("code")
	if held, err := r.Cookie(httpapi.SessionCookie); err == nil && !signingIn {
		ctx, cancel := context.WithTimeout(r.Context(), outlineWithin)
		defer cancel()
		outline = p.outline(ctx, held.Value)
	}
	head, err := inHead(p.files.of(r.URL.Path, outline != nil || signingIn), outline)
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
		_, _ = w.Write(made.Bytes()) // the browser went away; nobody is left to tell
	}
}
