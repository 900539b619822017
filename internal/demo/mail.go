package demo

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/pages"
)

// Mailbox shows the demo's emails in the browser, because demo users don't have real mailboxes.
// The demo stores its emails as files.
type Mailbox struct{ dir string }

// NewMailbox shows the emails in a directory.
func NewMailbox(dir string) *Mailbox { return &Mailbox{dir} }

//go:embed mail.css
var mailFiles embed.FS

// Mount adds its pages under /demo/mail.
func (m *Mailbox) Mount(mux *http.ServeMux) {
	mux.Handle("GET /demo/mail", httpapi.Route("/demo/mail", http.HandlerFunc(m.list)))
	mux.Handle("GET /demo/mail/{name}", httpapi.Route("/demo/mail/{name}", http.HandlerFunc(m.show)))
	mux.Handle("GET /demo/mail.css", httpapi.Route("/demo/mail.css", http.StripPrefix("/demo/", http.FileServerFS(mailFiles))))
}

// maxListed is the maximum number of emails in the list.
const maxListed = 100

type listedMail struct {
	mail.Received
	Name  string
	Parts []textPart
}

// textPart is a segment of an email's text, with its URL if it is a link.
type textPart struct{ Text, Link string }

type mailView struct {
	List  []listedMail
	More  int // older emails
	Shown *listedMail
}

func (m *Mailbox) list(w http.ResponseWriter, _ *http.Request) {
	entries, err := os.ReadDir(m.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "couldn't read the emails", http.StatusInternalServerError)
		return
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !mail.IsFile(e.Name()) })
	slices.Reverse(entries) // names sort by time
	view := mailView{More: max(0, len(entries)-maxListed)}
	for _, e := range entries[:len(entries)-view.More] {
		read, err := m.read(e.Name())
		if err != nil {
			read.Subject = "(unreadable)"
		}
		view.List = append(view.List, read)
	}
	render(w, view)
}

func (m *Mailbox) show(w http.ResponseWriter, r *http.Request) {
	read, err := m.read(r.PathValue("name"))
	if errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, "couldn't read the email", http.StatusInternalServerError)
		return
	}
	read.Parts = splitLinks(read.Text)
	render(w, mailView{Shown: &read})
}

func (m *Mailbox) read(name string) (listedMail, error) {
	read := listedMail{Name: name}
	if !mail.IsFile(name) {
		return read, fs.ErrNotExist
	}
	f, err := os.OpenInRoot(m.dir, name)
	if err != nil {
		return read, err
	}
	defer f.Close()
	read.Received, err = mail.Read(f)
	return read, err
}

func render(w http.ResponseWriter, view mailView) {
	if err := pages.Write(w, http.StatusOK, view.page()); err != nil {
		http.Error(w, "couldn't create the page", http.StatusInternalServerError)
	}
}

func (v mailView) page() g.Node {
	title, shown := "Demo mailbox", v.list
	if v.Shown != nil {
		title, shown = v.Shown.Subject+" · "+title, v.Shown.page
	}
	return pages.Document(title, h.Link(h.Rel("stylesheet"), h.Href("/demo/mail.css")), pages.Header("Demo mailbox"), h.Main(
		shown(),
		h.P(h.A(h.Href("/wcpp/login"), g.Text("Back to the portal"))),
	))
}

func (v mailView) list() g.Node {
	return g.Group{
		h.H1(g.Text("Mails")),
		h.P(g.Text("Emails from the demo appear here and never leave this computer. They arrive after a few seconds. "),
			h.A(h.Href("/demo/mail"), g.Text("Refresh")), g.Text(" to see new emails.")),
		g.If(len(v.List) == 0, h.P(h.Class("empty"), g.Text("No emails yet. Reset a password or request an account to get one."))),
		g.If(len(v.List) > 0, h.Ul(g.Map(v.List, func(m listedMail) g.Node {
			return h.Li(
				h.A(h.Href("/demo/mail/"+url.PathEscape(m.Name)), g.Text(m.Subject)),
				g.Iff(m.To != "", func() g.Node {
					return g.Group{g.Text(" "), h.Span(h.Class("to"), g.Text(m.To)), g.Text(" "), m.sent()}
				}),
			)
		}))),
		g.If(v.More > 0, h.P(g.Text("Older emails not listed: "+strconv.Itoa(v.More)))),
	}
}

func (m *listedMail) page() g.Node {
	return g.Group{
		h.Nav(h.A(h.Href("/demo/mail"), g.Text("All emails"))),
		h.Article(
			h.H1(g.Text(m.Subject)),
			h.Dl(h.Dt(g.Text("From")), h.Dd(g.Text(m.From)), h.Dt(g.Text("To")), h.Dd(g.Text(m.To)), h.Dt(g.Text("Sent")), h.Dd(m.sent())),
			h.Div(h.Class("text"), g.Map(m.Parts, func(p textPart) g.Node {
				if p.Link == "" {
					return g.Text(p.Text)
				}
				return h.A(h.Href(p.Link), g.Text(p.Text))
			})),
		),
	}
}

func (m *listedMail) sent() g.Node {
	at := m.Date.UTC()
	return h.Time(h.DateTime(at.Format("2006-01-02T15:04:05Z")), g.Text(at.Format("Jan 2, 2006, 15:04:05")+" UTC"))
}

var webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)

// splitLinks splits a text at its links. A period at the end of a sentence isn't part of a link.
func splitLinks(text string) []textPart {
	var parts []textPart
	at := 0
	for _, found := range webAddress.FindAllStringIndex(text, -1) {
		link := strings.TrimRight(text[found[0]:found[1]], ".,;:!?)'")
		parts = append(parts, textPart{Text: text[at:found[0]]}, textPart{Text: link, Link: link})
		at = found[0] + len(link)
	}
	return append(parts, textPart{Text: text[at:]})
}
