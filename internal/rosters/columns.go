package rosters

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// FileColumn maps a column of a file to a template column.
type FileColumn struct {
	Index  int      // from 0
	Name   string   // its heading; empty if none
	Kind   string   // the template column; empty: ignored
	Sample []string `json:"-"` // from the first rows, to help people choose
}

// Layout is the header row of a file and the mapping of its columns.
type Layout struct {
	Header     int          // row number from 1; 0: no header row
	Columns    []FileColumn // those with a heading or a value; nil in a selection: by their headings
	Chosen     bool         // selected by a person
	Candidates []int        `json:"-"` // rows that could be the header
}

// choice returns the layout if a person selected it, or nil.
func (l Layout) choice() *Layout {
	if !l.Chosen {
		return nil
	}
	return &l
}

// maxTitles is the maximum number of rows above the header, and maxSample the number of sample
// rows below it.
const (
	maxTitles = 10
	maxSample = 3
)

// readAhead reads the rows needed to detect a file's columns.
func readAhead(rows spreadsheet.Rows) *spreadsheet.Ahead {
	return spreadsheet.ReadAhead(rows, maxTitles+1+maxSample)
}

// arrangement is the layout of a file and the data for reading its rows.
type arrangement struct {
	Layout
	header  []string
	kinds   []int // template column by cell; -1: ignored
	ignored []string
	missing []string
}

// arrange determines a file's columns from its first rows: as a person selected them, or by
// their headings.
func arrange(first []spreadsheet.Row, chosen *Layout, partial bool) (arrangement, error) {
	var a arrangement
	for _, r := range first[:min(len(first), maxTitles+1)] {
		a.Candidates = append(a.Candidates, r.Number)
	}
	at := findHeader(first)
	if chosen != nil {
		a.Chosen = true
		at = slices.IndexFunc(first, func(r spreadsheet.Row) bool { return r.Number == chosen.Header })
	}
	if at >= 0 {
		a.header, a.Header = first[at].Cells, first[at].Number
	}
	if len(a.header) > maxColumns {
		return a, spreadsheet.NewUnreadable("The file has more than %d columns.", maxColumns)
	}
	below := first[at+1:]
	a.kinds = slices.Repeat([]int{-1}, min(countColumns(a.header, below), maxColumns))
	var err error
	if chosen != nil && chosen.Columns != nil {
		a.readAs(chosen.Columns)
	} else {
		err = a.readByHeadings()
	}
	a.list(below[:min(len(below), maxSample)])
	a.missing = listMissing(a.kinds, partial)
	return a, err
}

// findHeader returns the header row. It is the first row with names of several template columns,
// or the first row of all if it has one such name. If neither exists, it returns the first row
// with several cells, or -1 if that row contains data.
func findHeader(first []spreadsheet.Row) int {
	first = first[:min(len(first), maxTitles+1)]
	if at := slices.IndexFunc(first, func(r spreadsheet.Row) bool { return countKnown(r.Cells) > 1 && !hasValues(r.Cells) }); at >= 0 {
		return at
	}
	if countKnown(first[0].Cells) == 1 && !hasValues(first[0].Cells) {
		return 0
	}
	at := max(0, slices.IndexFunc(first, func(r spreadsheet.Row) bool { return countFilled(r.Cells) > 1 }))
	if hasValues(first[at].Cells) {
		return -1
	}
	return at
}

// countKnown counts the cells that are template headings.
func countKnown(cells []string) (n int) {
	for _, c := range cells {
		if _, known := byHeader[spreadsheet.HeadingKey(c)]; known {
			n++
		}
	}
	return n
}

func countFilled(cells []string) (n int) {
	for _, c := range cells {
		if spreadsheet.Text(c) != "" {
			n++
		}
	}
	return n
}

// hasValues distinguishes data from headings. It reports whether the row contains an NPI, a
// TIN or a phone number.
func hasValues(cells []string) bool {
	return slices.ContainsFunc(cells, func(c string) bool {
		c = strings.ReplaceAll(spreadsheet.Text(c), "-", "")
		return len(c) >= 9 && len(text.Digits(c)) == len(c)
	})
}

// countColumns returns the number of columns in a header and some rows below it.
func countColumns(header []string, below []spreadsheet.Row) int {
	width := len(header)
	for _, r := range below {
		width = max(width, filledWidth(r.Cells))
	}
	return width
}

// filledWidth returns the width of a row without trailing empty cells.
func filledWidth(cells []string) int {
	for n := len(cells); n > 0; n-- {
		if spreadsheet.Text(cells[n-1]) != "" {
			return n
		}
	}
	return 0
}

func (a *arrangement) readAs(columns []FileColumn) {
	for _, c := range columns {
		for len(a.kinds) <= c.Index {
			a.kinds = append(a.kinds, -1)
		}
		if kind, known := byName[c.Kind]; known {
			a.kinds[c.Index] = kind
		}
	}
}

// readByHeadings assigns each template column to the first heading that names it. A second match
// is an error.
func (a *arrangement) readByHeadings() (err error) {
	for i, h := range a.header {
		kind, known := byHeader[spreadsheet.HeadingKey(h)]
		switch {
		case !known:
		case !slices.Contains(a.kinds, kind):
			a.kinds[i] = kind
		case err == nil:
			err = spreadsheet.NewUnreadable("The column %s appears twice.", Template[kind].Name)
		}
	}
	return err
}

// list lists the columns with sample values.
func (a *arrangement) list(rows []spreadsheet.Row) {
	for i, kind := range a.kinds {
		c := FileColumn{Index: i, Name: shorten(text.Clean(getCell(a.header, i)))}
		if kind >= 0 {
			c.Kind = Template[kind].Name
		} else if c.Name != "" {
			a.ignored = append(a.ignored, c.Name)
		}
		for _, r := range rows {
			if v := spreadsheet.Text(getCell(r.Cells, i)); v != "" {
				c.Sample = append(c.Sample, shorten(v))
			}
		}
		if c.Name != "" || c.Kind != "" || len(c.Sample) > 0 {
			a.Columns = append(a.Columns, c)
		}
	}
}

// listMissing returns the required template columns that the file lacks.
func listMissing(kinds []int, partial bool) (missing []string) {
	has := func(name string) bool { return slices.Contains(kinds, byName[name]) }
	for _, c := range Template {
		if (c.required == always || c.required == toList || c.required == partialOnly && partial) && !has(c.Name) {
			missing = append(missing, c.Name)
		}
	}
	if !has(colOrganization) && (!has(colLastName) || !has(colFirstName)) {
		missing = append(missing, colLastName+" and "+colFirstName+", or "+colOrganization)
	}
	return missing
}

// headings returns the header of the corrected copy. With it alone, the copy is read the same
// way as the file.
func (a *arrangement) headings() []string {
	names := make([]string, len(a.kinds))
	copy(names, a.header)
	for i, kind := range a.kinds {
		says, known := byHeader[spreadsheet.HeadingKey(names[i])]
		switch {
		case kind >= 0 && (!known || says != kind):
			names[i] = Template[kind].Name
		case kind < 0 && known:
			names[i] += " (not read)"
		}
	}
	return names
}

// noticeUnread adds a column without a heading that turns out to contain a value.
func (l *Layout) noticeUnread(index int) {
	at, listed := slices.BinarySearchFunc(l.Columns, index, func(c FileColumn, index int) int { return cmp.Compare(c.Index, index) })
	if !listed && index < maxColumns {
		l.Columns = slices.Insert(l.Columns, at, FileColumn{Index: index})
	}
}

func getCell(cells []string, i int) string {
	if i < len(cells) {
		return cells[i]
	}
	return ""
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
