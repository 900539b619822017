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

// Ahead is a table whose first rows are known before they are read one after the other.
type Ahead struct {
	Rows
	First []Row // those that are not blank
	next  int
	err   error // why there are no more of them
}

// ReadAhead reads up to so many rows that are not blank. What ends the reading before is
// answered by Next behind them.
func ReadAhead(rows Rows, most int) *Ahead {
	a := &Ahead{Rows: rows}
	for len(a.First) < most {
		cells, number, err := rows.Next()
		if err != nil {
			a.err = err
			break
		}
		if Blank(cells) {
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

// Next answers the next row, one of the first or one behind them.
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

// Days is a cell of the row that Next answered, as the table itself counts days.
func (a *Ahead) Days(cell int) string {
	if a.next <= len(a.First) {
		return a.First[a.next-1].days[cell]
	}
	return a.Rows.Days(cell)
}

// Broken is what ended the reading of the first rows, but for the end of the table.
func (a *Ahead) Broken() error {
	if errors.Is(a.err, io.EOF) {
		return nil
	}
	return a.err
}
