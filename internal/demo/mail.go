package demo

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
)

// Mailbox shows in the browser the mails that the demo keeps as files: nobody
// in the demo has a mailbox.
type Mailbox struct{ dir string }

// NewMailbox shows the mails of a directory.
func NewMailbox(dir string) *Mailbox { return &Mailbox{dir} }

//go:embed mail.html mail.css
var mailFiles embed.FS

var mailPage = template.Must(template.ParseFS(mailFiles, "mail.html"))

// Mount adds its pages under /demo/mail.
func (m *Mailbox) Mount(mux *http.ServeMux) {
	mux.Handle("GET /demo/mail", httpapi.Route("/demo/mail", http.HandlerFunc(m.list)))
	mux.Handle("GET /demo/mail/{name}", httpapi.Route("/demo/mail/{name}", http.HandlerFunc(m.show)))
	mux.Handle("GET /demo/mail.css", httpapi.Route("/demo/mail.css", http.StripPrefix("/demo/", http.FileServerFS(mailFiles))))
}

// mostListed is how many mails the list shows.
const mostListed = 100

type listedMail struct {
	mail.Received
	Name  string
	Parts []textPart
}

// textPart is a piece of a mail's text, and where it leads if it is a link.
type textPart struct{ Text, Link string }

type mailView struct {
	List  []listedMail
	More  int // older mails
	Shown *listedMail
}

func (m *Mailbox) list(w http.ResponseWriter, _ *http.Request) {
	entries, err := os.ReadDir(m.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "the mails cannot be read", http.StatusInternalServerError)
		return
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !mail.IsFile(e.Name()) })
	slices.Reverse(entries) // names sort by time
	view := mailView{More: max(0, len(entries)-mostListed)}
	for _, e := range entries[:len(entries)-view.More] {
		read, err := m.read(e.Name())
		if err != nil {
			read.Subject = "(cannot be read)"
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
		http.Error(w, "the mail cannot be read", http.StatusInternalServerError)
		return
	}
	read.Parts = linked(read.Text)
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
	var b bytes.Buffer
	if err := mailPage.Execute(&b, view); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the browser went away; nobody is left to tell
}

var webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)

// linked cuts a text where its links begin and end. A sentence's full stop is
// no part of a link.
func linked(text string) []textPart {
	var parts []textPart
	at := 0
	for _, found := range webAddress.FindAllStringIndex(text, -1) {
		link := strings.TrimRight(text[found[0]:found[1]], ".,;:!?)'")
		parts = append(parts, textPart{Text: text[at:found[0]]}, textPart{Text: link, Link: link})
		at = found[0] + len(link)
	}
	return append(parts, textPart{Text: text[at:]})
}
