package pdfdoc

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// shown returns the text pieces of a document, in either font.
func shown(t *testing.T, pdf []byte) []string {
	t.Helper()
	var pieces []string
	for _, stream := range bytes.Split(pdf, []byte("\nstream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			continue // a character map
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		for _, piece := range regexp.MustCompile(`(?s)\(((?:[^()\\]|\\.)*)\) ?Tj`).FindAllSubmatch(content, -1) {
			text := regexp.MustCompile(`(?s)\\(.)`).ReplaceAllStringFunc(string(piece[1]), func(escaped string) string {
				if escaped == `\r` {
					return "\r"
				}
				return escaped[1:]
			})
			if len(text) > 1 && len(text)%2 == 0 && strings.IndexByte(text, 0) >= 0 || strings.Contains(text, "\x01") {
				var wide []uint16
				for i := 0; i+1 < len(text); i += 2 {
					wide = append(wide, uint16(text[i])<<8|uint16(text[i+1]))
				}
				text = string(utf16.Decode(wide))
			}
			pieces = append(pieces, text)
		}
	}
	return pieces
}

func TestNamesOfAllScripts(t *testing.T) {
	for name, want := range map[string]string{
		"José Muñoz":      "Jos\xe9 Mu\xf1oz",
		"Jose\u0301":      "Jos\xe9", // composed
		"ŁUKASZ ŻÓŁĆ":     "ŁUKASZ ŻÓŁĆ",
		"Erdős Ödön":      "Erdős Ödön",
		"Nguyễn Thị Hằng": "Nguyễn Thị Hằng",
		"Παπαδόπουλος Γιώργος": "Παπαδόπουλος Γιώργος",
		"Щербакова Юлия":       "Щербакова Юлия",
		"山田 太郎":                "[U+5C71][U+7530] [U+592A][U+90CE]",
		"\u05dc\u05d5\u05d9":   "[U+05DC][U+05D5][U+05D9]",
		"Ada \U0001F600":       "Ada [U+1F600]",
	} {
		p := New("Bill", "Network", "7000001080")
		p.Facts([2]string{"Claimant", name}, [2]string{"Payer", "Steady Mutual"})
		p.Row([]Column{Left("Claimant", Inner)}, true, name)
		pdf, err := p.Bytes()
		require.NoError(t, err)
		texts := shown(t, pdf)
		n := 0
		for _, piece := range texts {
			if piece == want {
				n++
			}
		}
		if n != 2 || !slices.Contains(texts, "Steady Mutual") || !slices.Contains(texts, "7000001080") {
			t.Errorf("%s is %q, want %q twice", name, texts, want)
		}
		assert.NotEqualf(t, strings.HasPrefix(name, "Jos"), bytes.Contains(pdf, []byte("/ToUnicode")), "%s: a font is embedded", name)
		assert.LessOrEqualf(t, len(pdf), 100_000, "%s: %d bytes", name, len(pdf))
	}
}

// A cell shows the whole name, on as many lines as needed.
func TestWrappedNames(t *testing.T) {
	p := New("Bill", "Network", "1")
	name := strings.Repeat("Ł", 60) + " Żółć Żółć Żółć Żółć"
	lines := p.wrap(p.selectFont("", 9, name), 40)
	assert.GreaterOrEqual(t, len(lines), 3)
	assert.Equal(t, strings.ReplaceAll(name, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
	for _, l := range lines {
		if p.GetStringWidth(l) > 40 {
			t.Errorf("%q is %v wide", l, p.GetStringWidth(l))
		}
	}
}

// A title that doesn't fit into its column wraps, so that it doesn't cover the next one.
func TestWrappedTitles(t *testing.T) {
	p := New("Bill", "Network", "1")
	p.Head([]Column{Left("Bill", Inner-46), Right("Paid", 23), Right("Patient Responsibility", 23)})
	if y := p.GetY(); y != 28+headHeight+lineHeight {
		t.Errorf("the head ends at %v", y)
	}
	pdf, err := p.Bytes()
	require.NoError(t, err)
	texts := shown(t, pdf)
	for _, want := range []string{"Paid", "Patient", "Responsibility"} {
		assert.Contains(t, texts, want)
	}
}

func TestHeadWithoutRoomForRow(t *testing.T) {
	p := New("Bill", "Network", "1")
	p.SetY(fullAt - headHeight)
	p.Head([]Column{Left("Bill", Inner)})
	assert.Equal(t, 2, p.PageNo())
}

// Texts keep their lines in either font. Characters that readers can't see are named, so that a text
// reads the same on paper, in a search and as a copy.
func TestTextsOfSeveralLines(t *testing.T) {
	for text, want := range map[string][]string{
		"See line 2.\r\n\r\nPaid in full.": {"See line 2.", "", "Paid in full."},
		"See → 2.\r\n\r\nPaid in full.":    {"See → 2.", "", "Paid in full."},
		"Line\tone":                        {"Line one"},
		"Line\t→":                          {"Line →"},
		"Pay\x01 {nb}":                     {"Pay[U+0001] {nb}"},
		"Żółć {nb}":                        {"Żółć {nb}"},
		"Pay \u202e00,1$ \u200fŁ":          {"Pay [U+202E]00,1$ [U+200F]Ł"},
	} {
		p := New("Letter", "Network", "1")
		p.Facts([2]string{"To", text})
		p.Sentence(text)
		p.Note(text)
		p.Row([]Column{Left("Text", Inner)}, true, text)
		pdf, err := p.Bytes()
		require.NoError(t, err)
		texts := shown(t, pdf)
		for _, line := range want {
			n := 0
			for _, piece := range texts {
				if piece == line {
					n++
				}
			}
			if line != "" && n != 4 {
				t.Errorf("%q has %q %d times: %q", text, line, n, texts)
			}
		}
		assert.Contains(t, texts, "Page 1 of 1", text)
	}
}

// A text neither ends a document's objects nor adds one, and is complete, however long its words are.
func TestHostileTexts(t *testing.T) {
	spaces := regexp.MustCompile(`\s`)
	for name, text := range map[string]string{
		"syntax": "\\) Tj ET\nendstream\nendobj\n99 0 obj <</S /JavaScript /JS (app.alert\\(1\\))>> endobj\n%%EOF\n",
		"open":   strings.Repeat("(", 999) + strings.Repeat("\\", 1001),
		"word":   strings.Repeat("x", 1000),
		"emoji":  strings.Repeat("\U0001F600", 100),
		"marks":  "e" + strings.Repeat("\u0301", 2000),
	} {
		for font, text := range map[string]string{builtIn: text, embedded: text + "Ł"} {
			p := New("Letter", "Network", "1")
			p.Facts([2]string{"To", text})
			p.Sentence(text)
			p.Row([]Column{Left("Text", Inner)}, true, text)
			pdf, err := p.Bytes()
			require.NoError(t, err)
			objects := len(regexp.MustCompile(`(?m)^\d+ 0 obj`).FindAll(pdf, -1))
			if bytes.Contains(pdf, []byte("/JS")) || bytes.Count(pdf, []byte("%%EOF")) != 1 ||
				!bytes.Contains(pdf, fmt.Appendf(nil, "\n/Size %d\n", objects+1)) {
				t.Errorf("%s in %s adds to the %d objects", name, font, objects)
			}
			want := Named(norm.NFC.String(spaces.ReplaceAllString(text, "")))
			if n := strings.Count(spaces.ReplaceAllString(strings.Join(shown(t, pdf), ""), ""), want); n != 3 {
				t.Errorf("%s in %s is complete %d times", name, font, n)
			}
		}
	}
}
