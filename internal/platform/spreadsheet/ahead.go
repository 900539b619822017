package spreadsheet

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// Row is a row that was read ahead.
type Row struct {
	Cells  []string
	Number int // in the file
	days   []string
}

// Ahead is a table with access to its first rows before they are read in order.
type Ahead struct {
	Rows
	First []Row // nonblank rows
	next  int
	err   error // why there are no more
}

// ReadAhead reads up to most nonblank rows. If reading ends early, Next returns the error after
// these rows.
func ReadAhead(rows Rows, most int) *Ahead {
	a := &Ahead{Rows: rows}
	for len(a.First) < most {
		cells, number, err := rows.Next()
		if err != nil {
			a.err = err
			break
		}
		if IsBlank(cells) {
			continue
		}
		days := make([]string, len(cells))
		for i := range cells {
			days[i] = strings.Clone(rows.Days(i))
		}
		cells = slices.Clone(cells)
		for i, c := range cells {
			cells[i] = strings.Clone(c)
		}
		a.First = append(a.First, Row{cells, number, days})
	}
	return a
}

// Next returns the next row, first from those that were read ahead.
func (a *Ahead) Next() ([]string, int, error) {
	if a.next < len(a.First) {
		a.next++
		row := a.First[a.next-1]
		return slices.Clone(row.Cells), row.Number, nil
	}
	if a.next++; a.err != nil {
		return nil, 0, a.err
	}
	return a.Rows.Next()
}

// Days returns a cell of the row from Next, with the table's own day count.
func (a *Ahead) Days(cell int) string {
	if a.next <= len(a.First) {
		return a.First[a.next-1].days[cell]
	}
	return a.Rows.Days(cell)
}

// Err returns the error that ended reading the first rows, except for the end of the table.
func (a *Ahead) Err() error {
	if errors.Is(a.err, io.EOF) {
		return nil
	}
	return a.err
}
