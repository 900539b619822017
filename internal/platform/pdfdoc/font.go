package pdfdoc

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the font
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// Every PDF reader has Helvetica, but only with the characters of Windows-1252. For other
// characters, documents embed a subset of DejaVu.
const (
	builtIn  = "Helvetica"
	embedded = "DejaVu"
)

// scripts are the scripts that the embedded font renders correctly: letter by letter, left to
// right.
var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Common,
	unicode.Inherited}

// compressedFont is DejaVu Sans Condensed 2.37 (dejavu-fonts.github.io, license in DejaVu.LICENSE).
//
//go:embed DejaVuSansCondensed.ttf.gz
var compressedFont []byte

// font returns the embedded font, as TrueType.
var font = sync.OnceValue(func() []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressedFont))
	if err != nil {
		panic(err)
	}
	ttf, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return ttf
})

var glyphs = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(font()) })

// selectFont selects the font for a text and returns the text in the font's encoding.
func (p Page) selectFont(style string, size float64, s string) string {
	s = plainSpaces.Replace(norm.NFC.String(s))
	if !strings.ContainsFunc(s, isBeyondWindows1252) {
		p.SetFont(builtIn, style, size)
		return p.tr(s)
	}
	p.AddUTF8FontFromBytes(embedded, "", bytes.Clone(font())) // does nothing the second time
	p.SetFont(embedded, "", size)
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Named(lines[i])
	}
	return strings.Join(lines, "\n")
}

// plainSpaces replaces the white space that neither font has.
var plainSpaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ")

// isBeyondWindows1252 reports whether the built-in font can't show a character. That includes control
// characters other than the line feed.
func isBeyondWindows1252(r rune) bool {
	_, ok := charmap.Windows1252.EncodeRune(r)
	return !ok || unicode.IsControl(r) && r != '\n'
}

// Named replaces characters that the embedded font can't render with their code points, so that
// readers can identify them.
func Named(s string) string {
	f, err := glyphs()
	var buffer sfnt.Buffer
	var b strings.Builder
	for _, r := range s {
		if err == nil && r <= 0xFFFF && unicode.In(r, scripts...) && !unicode.Is(unicode.Bidi_Control, r) {
			if glyph, err := f.GlyphIndex(&buffer, r); err == nil && glyph != 0 {
				b.WriteRune(r)
				continue
			}
		}
		fmt.Fprintf(&b, "[U+%04X]", r)
	}
	return b.String()
}

// wrap breaks a text (from in) into lines that fit into its cell, without cutting it.
func (p Page) wrap(s string, width float64) []string {
	var lines []string
	if !strings.EqualFold(p.GetFontFamily(), embedded) {
		for _, line := range p.SplitLines([]byte(s), width) {
			lines = append(lines, string(line))
		}
		return lines
	}
	room := width - 2*p.GetCellMargin()
	for paragraph := range strings.SplitSeq(s, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if longer := strings.TrimLeft(line+" "+word, " "); p.GetStringWidth(longer) <= room {
				line = longer
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			line = ""
			for _, r := range word { // a word that doesn't fit on one line is split
				if line != "" && p.GetStringWidth(line+string(r)) > room {
					lines, line = append(lines, line), ""
				}
				line += string(r)
			}
		}
		lines = append(lines, line)
	}
	return lines
}
