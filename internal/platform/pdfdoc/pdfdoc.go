// Package pdfdoc renders the portal's PDF documents on Letter paper, in one style.
package pdfdoc

import (
	"bytes"
	"fmt"

	"codeberg.org/go-pdf/fpdf"
)

// Money formats cents as 1,234.56.
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

// Page is a document on Letter paper, in the portal's style.
type Page struct {
	*fpdf.Fpdf
	tr func(string) string
}

// In millimeters: the paper, and the width inside its margins.
const (
	pageWidth = 215.9
	margin    = 15.0
	Inner     = pageWidth - 2*margin
)

// pageCount becomes the number of pages. It has a control character, so no text contains it.
const pageCount = "\x02{nb}"

// New starts a document. Each page has the title and the brand, with the reference in the
// footer.
func New(title, brand, reference string) Page {
	f := fpdf.New("P", "mm", "Letter", "")
	p := Page{f, f.UnicodeTranslatorFromDescriptor("")}
	f.SetTitle(title+" "+reference, true)
	f.SetMargins(margin, margin, margin)
	f.SetAutoPageBreak(true, 20)
	f.AliasNbPages(pageCount)
	f.SetHeaderFunc(func() {
		f.SetFillColor(8, 61, 85)
		f.Rect(0, 0, pageWidth, 22, "F")
		f.SetTextColor(255, 255, 255)
		f.SetXY(margin, 6)
		f.CellFormat(Inner/2, 10, p.selectFont("B", 15, title), "", 0, "L", false, 0, "")
		f.CellFormat(Inner/2, 10, p.selectFont("", 10, brand), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
		f.SetXY(margin, 28)
	})
	f.SetFooterFunc(func() {
		f.SetXY(margin, -15)
		f.SetTextColor(63, 75, 90)
		f.CellFormat(Inner/2, 8, p.selectFont("", 8, reference), "", 0, "L", false, 0, "")
		f.SetFont(builtIn, "", 8)
		f.CellFormat(Inner/2, 8, fmt.Sprintf("Page %d of "+pageCount, f.PageNo()), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
	})
	f.AddPage()
	return p
}

// Facts writes labeled values in two columns and omits empty ones.
func (p Page) Facts(pairs ...[2]string) {
	column, top, bottom := 0, p.GetY(), p.GetY()
	for _, pair := range pairs {
		if pair[1] == "" {
			continue
		}
		p.SetXY(margin+float64(column)*Inner/2, top)
		p.SetTextColor(63, 75, 90)
		p.CellFormat(Inner/2, 4, p.selectFont("", 8, pair[0]), "", 2, "L", false, 0, "")
		p.SetTextColor(22, 32, 44)
		for _, line := range p.wrap(p.selectFont("", 10, pair[1]), Inner/2-4) {
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

// Heading starts a section.
func (p Page) Heading(s string) {
	p.Ln(2)
	p.CellFormat(Inner, 7, p.selectFont("B", 11, s), "", 1, "L", false, 0, "")
}

// Sentence writes a paragraph.
func (p Page) Sentence(s string) {
	p.MultiCell(Inner, 6, p.selectFont("", 11, s), "", "L", false)
	p.Ln(2)
}

// Note writes a paragraph in small type.
func (p Page) Note(s string) {
	p.SetTextColor(63, 75, 90)
	p.MultiCell(Inner, 4, p.selectFont("", 8, s), "", "L", false)
	p.SetTextColor(22, 32, 44)
}

// Column is one column of a table. The widths of all columns must add up to Inner.
type Column struct {
	title string
	width float64 // millimeters
	right bool
}

// Left returns a text column.
func Left(title string, width float64) Column { return Column{title, width, false} }

// Right returns an amount column.
func Right(title string, width float64) Column { return Column{title, width, true} }

// Head starts a table, on a page with room for a row. Long titles wrap, and short ones are at the
// bottom.
func (p Page) Head(columns []Column) {
	lines, most := make([][]string, len(columns)), 1
	for i, c := range columns {
		lines[i] = p.wrap(p.selectFont("B", 8, c.title), c.width)
		most = max(most, len(lines[i]))
	}
	height := headHeight + lineHeight*float64(most-1)
	if p.GetY()+height+rowHeight > fullAt {
		p.AddPage()
	}
	x, top := margin, p.GetY()
	p.SetFillColor(232, 238, 242)
	p.Rect(x, top, Inner, height, "F")
	for i, c := range columns {
		p.selectFont("B", 8, c.title)
		p.writeLines(x, top+lineHeight*float64(most-len(lines[i])), headHeight, c, lines[i])
		x += c.width
	}
	p.Line(margin, top+height, x, top+height)
	p.SetXY(margin, top+height)
}

// writeLines writes the lines of a cell whose first line has the given height.
func (p Page) writeLines(x, y, height float64, c Column, lines []string) {
	for n, line := range lines {
		p.SetXY(x, y+lineHeight*float64(n))
		p.CellFormat(c.width, height, line, "", 0, align(c), false, 0, "")
	}
}

func align(c Column) string {
	if c.right {
		return "R"
	}
	return "L"
}

// In a table: the height of the header and of a row, the height of each further line in a cell, and the end of the
// page.
const (
	headHeight = 7.0
	rowHeight  = 6.5
	lineHeight = 4
	fullAt     = 257
)

// Row writes a table row. On a new page, it repeats the header.
func (p Page) Row(columns []Column, bold bool, cells ...string) {
	style := ""
	if bold {
		style = "B"
	}
	lines, most := make([][]string, len(columns)), 1
	for i, c := range columns {
		lines[i] = p.wrap(p.selectFont(style, 9, cells[i]), c.width)
		most = max(most, len(lines[i]))
	}
	height := rowHeight + lineHeight*float64(most-1)
	if p.GetY()+height > fullAt {
		p.AddPage()
		p.Head(columns)
	}
	x, top := margin, p.GetY()
	for i, c := range columns {
		p.selectFont(style, 9, cells[i])
		p.writeLines(x, top, rowHeight, c, lines[i])
		x += c.width
	}
	p.Line(margin, top+height, x, top+height)
	p.SetXY(margin, top+height)
}

// Bytes returns the document as PDF.
func (p Page) Bytes() ([]byte, error) {
	var b bytes.Buffer
	err := p.Output(&b)
	return b.Bytes(), err
}
