package mail

import (
	"embed"
	"errors"
	htmltemplate "html/template"
	"net/url"
	"strings"
	"text/template"
	"unicode/utf8"
)

// Letter is what a mail says, without its layout.
type Letter struct {
	Subject    string
	Greeting   string
	Paragraphs []string
	Facts      []Fact
	Button     *Link
	Closing    []string
	Footer     []Link // small, at the end: how to have no more of these
}

// Fact is something to copy, such as a user name.
type Fact struct{ Label, Value string }

// Link is where the reader goes on.
type Link struct{ Text, URL string }

// Layout is what all mails of the portal share.
type Layout struct {
	BrandName, OrganizationName string
	SupportEmail, SupportPhone  string
	PublicURL                   string
}

//go:embed letter.txt letter.html
var letters embed.FS

var (
	textLetter = template.Must(template.New("letter.txt").Funcs(template.FuncMap{
		"wrap": wrap, "aligned": aligned,
	}).ParseFS(letters, "letter.txt"))
	htmlLetter = htmltemplate.Must(htmltemplate.ParseFS(letters, "letter.html"))
)

// Write lays a letter out for one recipient.
func (l Layout) Write(to string, letter Letter) (Message, error) {
	if letter.Button != nil {
		if u, err := url.Parse(letter.Button.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return Message{}, errors.New("mail: the button leads to no address that starts with http:// or https://")
		}
	}
	shown := struct {
		Layout
		Letter
	}{l, letter}
	var text, html strings.Builder
	if err := textLetter.Execute(&text, shown); err != nil {
		return Message{}, err
	}
	if err := htmlLetter.Execute(&html, shown); err != nil {
		return Message{}, err
	}
	return Message{To: to, Subject: letter.Subject, Text: text.String(), HTML: html.String()}, nil
}

// wrap breaks a paragraph into lines of at most 72 characters; a longer word
// stays whole.
func wrap(paragraph string) string {
	var b strings.Builder
	width := 0
	for _, word := range strings.Fields(paragraph) {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
		case width+1+n > 72:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}

// aligned writes facts below each other, their values in one column.
func aligned(facts []Fact) string {
	widest := 0
	for _, f := range facts {
		widest = max(widest, utf8.RuneCountInString(f.Label))
	}
	var lines []string
	for _, f := range facts {
		gap := strings.Repeat(" ", widest-utf8.RuneCountInString(f.Label)+2)
		lines = append(lines, "  "+f.Label+":"+gap+strings.Join(strings.Fields(f.Value), " "))
	}
	return strings.Join(lines, "\n")
}
