// Package pdfdoc draws the portal's PDF documents: Letter paper, one hand for all
// of them.
package pdfdoc

import (
	"bytes"
	"fmt"

	"codeberg.org/go-pdf/fpdf"
)

// Money writes cents as 1,234.56.
func Money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s%s.%02d", sign, whole, cents%100)
}

// Page draws the portal's documents: Letter paper, one hand for all of them.
type Page struct {
	*fpdf.Fpdf
	tr func(string) string
}

// In millimetres: the paper, and the width inside of its margins.
const (
	pageWidth = 215.9
	margin    = 15.0
	Inner     = pageWidth - 2*margin
)

// New begins a document, with its title and whose it is on each page; the reference
// stands at the foot.
func New(title, brand, reference string) Page {
	f := fpdf.New("P", "mm", "Letter", "")
	p := Page{f, f.UnicodeTranslatorFromDescriptor("")}
	f.SetTitle(title+" "+reference, true)
	f.SetMargins(margin, margin, margin)
	f.SetAutoPageBreak(true, 20)
	f.AliasNbPages("")
	f.SetHeaderFunc(func() {
		f.SetFillColor(8, 61, 85)
		f.Rect(0, 0, pageWidth, 22, "F")
		f.SetTextColor(255, 255, 255)
		f.SetXY(margin, 6)
		f.CellFormat(Inner/2, 10, p.in("B", 15, title), "", 0, "L", false, 0, "")
		f.CellFormat(Inner/2, 10, p.in("", 10, brand), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
		f.SetXY(margin, 28)
	})
	f.SetFooterFunc(func() {
		f.SetXY(margin, -15)
		f.SetTextColor(63, 75, 90)
		f.CellFormat(Inner/2, 8, p.in("", 8, reference), "", 0, "L", false, 0, "")
		f.CellFormat(Inner/2, 8, p.in("", 8, fmt.Sprintf("Page %d of {nb}", f.PageNo())), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
	})
	f.AddPage()
	return p
}

// Facts writes labelled values in two columns; empty ones are left out.
func (p Page) Facts(pairs ...[2]string) {
	column, top, bottom := 0, p.GetY(), p.GetY()
	for _, pair := range pairs {
		if pair[1] == "" {
			continue
		}
		p.SetXY(margin+float64(column)*Inner/2, top)
		p.SetTextColor(63, 75, 90)
		p.CellFormat(Inner/2, 4, p.in("", 8, pair[0]), "", 2, "L", false, 0, "")
		p.SetTextColor(22, 32, 44)
		for _, line := range p.wrap(p.in("", 10, pair[1]), Inner/2-4) {
			p.CellFormat(Inner/2-4, 5, line, "", 2, "L", false, 0, "")
		}
		bottom = max(bottom, p.GetY()+2)
		column++
		if column == 2 {
			column, top = 0, bottom
		}
	}
	p.SetXY(margin, bottom+2)
}

// Heading begins a part.
func (p Page) Heading(s string) {
	p.Ln(2)
	p.CellFormat(Inner, 7, p.in("B", 11, s), "", 1, "L", false, 0, "")
}

// Sentence writes a paragraph.
func (p Page) Sentence(s string) {
	p.MultiCell(Inner, 6, p.in("", 11, s), "", "L", false)
	p.Ln(2)
}

// Note writes a paragraph in small letters.
func (p Page) Note(s string) {
	p.SetTextColor(63, 75, 90)
	p.MultiCell(Inner, 4, p.in("", 8, s), "", "L", false)
	p.SetTextColor(22, 32, 44)
}

// Column is one column of a table. All of a table's make Inner.
type Column struct {
	title string
	width float64 // millimetres
	right bool
}

// Left is a column of texts.
func Left(title string, width float64) Column { return Column{title, width, false} }

// Right is a column of amounts.
func Right(title string, width float64) Column { return Column{title, width, true} }

// Head begins a table.
func (p Page) Head(columns []Column) {
	p.SetFillColor(232, 238, 242)
	for _, c := range columns {
		p.CellFormat(c.width, 7, p.in("B", 8, c.title), "B", 0, align(c), true, 0, "")
	}
	p.Ln(-1)
}

func align(c Column) string {
	if c.right {
		return "R"
	}
	return "L"
}

// In a table: the height of a row, how much each further line of a cell adds, and where the page is full.
const (
	rowHeight  = 6.5
	lineHeight = 4
	fullAt     = 257
)

// Row writes a row of a table, whose head stands on each page again.
func (p Page) Row(columns []Column, bold bool, cells ...string) {
	style := ""
	if bold {
		style = "B"
	}
	lines, most := make([][]string, len(columns)), 1
	for i, c := range columns {
		lines[i] = p.wrap(p.in(style, 9, cells[i]), c.width)
		most = max(most, len(lines[i]))
	}
	height := rowHeight + lineHeight*float64(most-1)
	if p.GetY()+height > fullAt {
		p.AddPage()
		p.Head(columns)
	}
	x, top := margin, p.GetY()
	for i, c := range columns {
		p.in(style, 9, cells[i])
		for n, line := range lines[i] {
			p.SetXY(x, top+lineHeight*float64(n))
			p.CellFormat(c.width, rowHeight, line, "", 0, align(c), false, 0, "")
		}
		x += c.width
	}
	p.Line(margin, top+height, x, top+height)
	p.SetXY(margin, top+height)
}

// Bytes is the document as PDF.
func (p Page) Bytes() ([]byte, error) {
	var b bytes.Buffer
	err := p.Output(&b)
	return b.Bytes(), err
}
