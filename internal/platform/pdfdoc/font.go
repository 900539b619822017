package pdfdoc

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/go-fonts/dejavu/dejavusanscondensed"
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

var glyphs = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(dejavusanscondensed.TTF) })

// selectFont selects the font for a text and returns the text in the font's encoding.
func (p Page) selectFont(style string, size float64, s string) string {
	s = norm.NFC.String(s)
	if !strings.ContainsFunc(s, isBeyondWindows1252) {
		p.SetFont(builtIn, style, size)
		return p.tr(s)
	}
	p.AddUTF8FontFromBytes(embedded, "", bytes.Clone(dejavusanscondensed.TTF)) // does nothing the second time
	p.SetFont(embedded, "", size)
	return Named(s)
}

func isBeyondWindows1252(r rune) bool {
	_, ok := charmap.Windows1252.EncodeRune(r)
	return !ok
}

// Named replaces characters that the embedded font can't render with their code points, so that
// readers can identify them.
func Named(s string) string {
	font, err := glyphs()
	var buffer sfnt.Buffer
	var b strings.Builder
	for _, r := range s {
		if err == nil && r <= 0xFFFF && unicode.In(r, scripts...) {
			if glyph, err := font.GlyphIndex(&buffer, r); err == nil && glyph != 0 {
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
	line := ""
	for _, word := range strings.Fields(s) {
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
	return append(lines, line)
}
