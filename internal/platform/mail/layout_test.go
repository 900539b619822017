package mail

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var layout = Layout{
	BrandName: "Harborline Network", OrganizationName: "Harborline & Sons", SupportEmail: "support@portal.example",
	SupportPhone: "800-555-0100", PublicURL: "https://portal.example",
}

const longLink = "https://portal.example/wcpp/registration?token=0123456789abcdef0123456789abcdef0123456789abcdef&expire=1770000000000"

func content() Content {
	return Content{
		Subject:  "Your account",
		Greeting: `Dear Zoë "Z" O'Brien <script>alert(1)</script>,`,
		Paragraphs: []string{
			"An account was made for you at the provider portal of the network, and one step is left before you can sign in.",
			"Keep\nthis mail.",
		},
		Facts:   []Fact{{"User name", "zobrien"}, {"Authentication code", "ABCDE-FGHIJ-KLMNO-PQRST"}},
		Button:  &Link{"Finish registration", longLink},
		Closing: []string{"The link works for 7 days."},
	}
}

func write(t *testing.T, l Content) Message {
	t.Helper()
	m, err := layout.Render("zoe@office.example", l)
	require.NoError(t, err)
	return m
}

func contains(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		assert.Contains(t, text, w)
	}
}

func TestTextLetter(t *testing.T) {
	m := write(t, content())
	assert.Equal(t, "zoe@office.example", m.To)
	assert.Equal(t, "Your account", m.Subject)
	contains(t, m.Text, `Dear Zoë "Z" O'Brien <script>alert(1)</script>,`, "\nKeep this mail.\n",
		"  User name:            zobrien\n  Authentication code:  ABCDE-FGHIJ-KLMNO-PQRST\n",
		"Finish registration:\n"+longLink+"\n", "The link works for 7 days.\n\n-- \nHarborline Network, Harborline & Sons\n",
		"800-555-0100", "support@portal.example")
	for line := range strings.Lines(m.Text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 72 && !strings.HasPrefix(line, longLink) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestHTMLLetter(t *testing.T) {
	html := write(t, content()).HTML
	contains(t, html, "&lt;script&gt;alert(1)", "Zoë &#34;Z&#34; O&#39;Brien", "Harborline &amp; Sons",
		`href="`+strings.ReplaceAll(longLink, "&", "&amp;")+`"`, ">"+strings.ReplaceAll(longLink, "&", "&amp;")+"</a>",
		">Authentication code<", ">ABCDE-FGHIJ-KLMNO-PQRST<", `href="mailto:support@portal.example"`, "prefers-color-scheme: dark")
	assert.NotContains(t, html, "<script", "a name became a script")
	// The preview text comes before all visible text.
	if first := strings.Index(html, "An account was made"); first > strings.Index(html, "Dear") {
		t.Error("the first paragraph is not the preview")
	}
}

func TestShortLetter(t *testing.T) {
	same := layout
	same.OrganizationName, same.SupportPhone = same.BrandName, ""
	unnamed := same
	unnamed.OrganizationName = ""
	if m, err := unnamed.Render("zoe@office.example", Content{Subject: "Hello", Paragraphs: []string{"Welcome."}}); err != nil ||
		!strings.Contains(m.Text, "\nHarborline Network\nhttps") {
		t.Error("without an organisation:", m.Text, err)
	}
	m, err := same.Render("zoe@office.example", Content{Subject: "Hello", Paragraphs: []string{"Welcome."}})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(m.Text, "Welcome.\n\n-- \nHarborline Network\nhttps://portal.example\n"))
	assert.NotContains(t, m.Text, "telephone")
	assert.NotContains(t, m.HTML, "button doesn't work")
	assert.NotContains(t, m.HTML, "telephone")
}

func TestButtonLeadsToTheWeb(t *testing.T) {
	for _, address := range []string{"", "javascript:alert(1)", "/wcpp/login", "mailto:a@b.example", "https://", "%"} {
		l := content()
		l.Button.URL = address
		if _, err := layout.Render("zoe@office.example", l); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
}

func TestWrap(t *testing.T) {
	word := strings.Repeat("ä", 35)
	for _, c := range []struct{ given, want string }{
		{"", ""},
		{" a \n\t b ", "a b"},
		{word + " " + word + "ä", word + " " + word + "ä"}, // 72
		{word + " " + word + "ää", word + "\n" + word + "ää"},
		{"a " + word + word + word, "a\n" + word + word + word},
		{word + word + word + " a b", word + word + word + "\na b"},
	} {
		assert.Equal(t, c.want, wrapText(c.given), c.given)
	}
}
