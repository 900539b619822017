package mail

import (
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Content is the content of an email, without its layout.
type Content struct {
	Subject    string
	Greeting   string
	Paragraphs []string
	Facts      []Fact
	Button     *Link
	Closing    []string
	Footer     []Link // small, at the end: how to unsubscribe
}

// Fact is a value to copy, such as a username.
type Fact struct{ Label, Value string }

// Link is a next step for the reader.
type Link struct{ Text, URL string }

// Layout is the common layout of the portal's emails.
type Layout struct {
	BrandName, OrganizationName string
	SupportEmail, SupportPhone  string
	PublicURL                   string
}

// Render formats a letter for one recipient.
func (l Layout) Render(to string, content Content) (Message, error) {
	if content.Button != nil {
		if u, err := url.Parse(content.Button.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return Message{}, errors.New("mail: button address must start with http:// or https://")
		}
	}
	var html strings.Builder
	if err := l.html(content).Render(&html); err != nil {
		return Message{}, err
	}
	return Message{To: to, Subject: content.Subject, Text: l.text(content), HTML: html.String()}, nil
}

func (l Layout) sender() string {
	if l.OrganizationName == "" || l.OrganizationName == l.BrandName {
		return l.BrandName
	}
	return l.BrandName + ", " + l.OrganizationName
}

const automatic = "This is an automated message."

func (l Layout) text(content Content) string {
	var b strings.Builder
	part := func(text string) {
		if text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	link := func(to Link) { part(to.Text + ":\n" + to.URL) }
	part(wrapText(content.Greeting))
	for _, p := range content.Paragraphs {
		part(wrapText(p))
	}
	part(alignFacts(content.Facts))
	if content.Button != nil {
		link(*content.Button)
	}
	for _, p := range content.Closing {
		part(wrapText(p))
	}
	for _, to := range content.Footer {
		link(to)
	}
	b.WriteString("-- \n" + l.sender() + "\n") // email programs fold the signature at this space
	for _, line := range []struct {
		label, value string
	}{{"", l.PublicURL}, {"Support phone: ", l.SupportPhone}, {"Support email: ", l.SupportEmail}} {
		if line.value != "" {
			b.WriteString(line.label + line.value + "\n")
		}
	}
	b.WriteString(automatic + "\n")
	return b.String()
}

// wrapText breaks a paragraph into lines of up to 72 characters. It doesn't split longer words.
func wrapText(paragraph string) string {
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

// alignFacts writes one fact per line, with the values in one column.
func alignFacts(facts []Fact) string {
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
