package spreadsheet

import (
	"slices"
	"strings"

	"wcpp/internal/platform/text"
)

// Meaning is what a column of an uploaded table means, such as a check number. Its zero value is a
// column that isn't used.
type Meaning interface{ ~string }

// Headings maps headings, folded by HeadingKey, to meanings.
type Headings[M Meaning] map[string]M

// NewHeadings returns the headings of each meaning.
func NewHeadings[M Meaning](words map[M][]string) Headings[M] {
	all := Headings[M]{}
	for meaning, list := range words {
		for _, word := range list {
			all[word] = meaning
		}
	}
	return all
}

// Recognized is a column of an uploaded table and its meaning.
type Recognized[M Meaning] struct {
	Index int    // from 0
	Name  string // from its header; empty if there's none
	Kind  M
}

// SampleRows is how many rows are used to recognize columns, MaxHeaders how many of them can be
// headers.
const (
	SampleRows = 20
	MaxHeaders = 2
)

// Recognize returns the meanings of a table's columns from the words in its header, and the number
// of header lines. Each meaning is given once.
func (h Headings[M]) Recognize(rows [][]string) (columns []Recognized[M], headers int) {
	rows = rows[:min(len(rows), SampleRows)]
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	headers = h.count(rows)
	columns = make([]Recognized[M], width)
	used := map[M]bool{}
	for i := range columns {
		columns[i] = Recognized[M]{Index: i, Name: HeaderText(rows[:headers], i)}
		if kind := h.find(rows[:headers], i); !used[kind] {
			columns[i].Kind, used[kind] = kind, kind != ""
		}
	}
	return columns, headers
}

// count counts the header lines at the top, including a title above them.
func (h Headings[M]) count(rows [][]string) int {
	if len(rows) >= MaxHeaders && !hasValues(rows[1]) && h.countKnown(rows[1]) > 1 {
		return MaxHeaders // regardless of the title
	}
	headers := 0
	for i, r := range rows[:min(len(rows), MaxHeaders)] {
		if hasValues(r) {
			break
		}
		if h.countKnown(r) > 0 {
			headers = i + 1
		}
	}
	if headers > 0 || len(rows) < 2 || hasValues(rows[0]) || IsBlank(rows[0]) || !hasValues(rows[1]) {
		return headers
	}
	return 1 // unknown words above values
}

// countKnown counts the cells that are known headings.
func (h Headings[M]) countKnown(row []string) (n int) {
	for _, cell := range row {
		if h[HeadingKey(cell)] != "" {
			n++
		}
	}
	return n
}

// find returns the meaning in the header lines, from both lines combined or from the lower one.
func (h Headings[M]) find(headers [][]string, column int) M {
	if kind := h[HeadingKey(HeaderText(headers, column))]; kind != "" {
		return kind
	}
	for i := len(headers) - 1; i >= 0; i-- {
		if kind := h[HeadingKey(CellAt(headers[i], column))]; kind != "" {
			return kind
		}
	}
	return ""
}

// hasValues reports whether a line has values, such as dates or numbers, and isn't a header.
func hasValues(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool {
		cell = Text(cell)
		return Date(cell) != "" || len(text.Digits(cell)) >= 3
	})
}

// HeaderText returns the column's text in the header lines.
func HeaderText(headers [][]string, column int) string {
	var parts []string
	for _, h := range headers {
		if name := text.Clean(CellAt(h, column)); name != "" {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " ")
}

// ColumnValues returns the values of a column that aren't empty.
func ColumnValues(rows [][]string, column int) []string {
	var values []string
	for _, r := range rows {
		if v := Text(CellAt(r, column)); v != "" {
			values = append(values, v)
		}
	}
	return values
}

// CellAt returns a cell of a row, which is empty if the row is shorter.
func CellAt(row []string, column int) string {
	if column < len(row) {
		return row[column]
	}
	return ""
}
