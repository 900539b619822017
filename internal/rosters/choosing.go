package rosters

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

// fieldColumns is the form field for the selected columns of a file.
const fieldColumns = "columns"

// fileChoice is a person's selection of the columns of a file.
type fileChoice struct {
	File      int            `json:"file"`      // index among the form's files, from 0
	HeaderRow *int           `json:"headerRow"` // nil: detect it
	Columns   []RosterColumn `json:"columns"`   // nil: by their headings
}

func refuseChoice(format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	return validate.RefuseField(message, fieldColumns, message)
}

// choose applies the selected columns to the files, or rejects a selection that doesn't fit.
func (r *LocalFiles) choose(choices []fileChoice) error {
	for _, c := range choices {
		if c.File < 0 || c.File >= len(r.Files) {
			return refuseChoice("Select columns of a file you're sending.")
		}
		f := r.Files[c.File]
		switch {
		case f.chosen != nil:
			return refuseChoice("Select the columns of %s once.", f.Name)
		case f.Format == spreadsheet.Other:
			return refuseChoice("%s isn't checked. Select columns of CSV, TXT and XLSX files only.", f.Name)
		}
		if err := c.checkColumns(); err != nil {
			return err
		}
		if err := f.choose(c); err != nil {
			return err
		}
	}
	return nil
}

// checkColumns checks that each template column and each file column is used once.
func (c fileChoice) checkColumns() error {
	indexes, kinds := map[int]bool{}, map[string]bool{}
	for _, column := range c.Columns {
		if column.Index < 0 || column.Index >= maxColumns {
			return refuseChoice("Select a column between 0 and %d.", maxColumns-1)
		}
		if indexes[column.Index] {
			return refuseChoice("Map column %d only once.", column.Index+1)
		}
		indexes[column.Index] = true
		if column.Kind == "" {
			continue
		}
		if _, known := byName[column.Kind]; !known {
			return refuseChoice("The template doesn't have a column %s.", shorten(column.Kind))
		}
		if kinds[column.Kind] {
			return refuseChoice("Use %s for one column only.", column.Kind)
		}
		kinds[column.Kind] = true
	}
	return nil
}

// choose applies the columns if the file has that many. If the file is unreadable, its check
// reports why.
func (f *File) choose(c fileChoice) error {
	rows, err := spreadsheet.Open(f.Path, f.Format, "roster")
	if err == nil {
		defer rows.Close() //nolint:errcheck // only read
		f.chosen, err = c.layout(rows)
	}
	var cannot *spreadsheet.Unreadable
	if errors.As(err, &cannot) {
		return nil
	}
	return err
}

func (c fileChoice) layout(rows spreadsheet.Rows) (*Layout, error) {
	ahead := readAhead(rows)
	if len(ahead.First) == 0 {
		return nil, ahead.Err()
	}
	l := &Layout{Chosen: true}
	at := findHeader(ahead.First)
	if c.HeaderRow != nil {
		at = slices.IndexFunc(ahead.First, func(r spreadsheet.Row) bool { return r.Number == *c.HeaderRow })
		if *c.HeaderRow != 0 && (at < 0 || at > maxTitles) {
			return nil, refuseChoice("Row %d can't be the header row. Select one of the first %d rows with text.", *c.HeaderRow,
				maxTitles+1)
		}
	}
	if at >= 0 {
		l.Header = ahead.First[at].Number
	}
	if c.Columns == nil {
		return l, nil
	}
	l.Columns = []FileColumn{}
	last := -1
	for _, column := range c.Columns {
		l.Columns = append(l.Columns, FileColumn{Index: column.Index, Kind: column.Kind})
		last = max(last, column.Index)
	}
	for {
		cells, number, err := ahead.Next()
		if errors.Is(err, io.EOF) {
			return nil, refuseChoice("The file doesn't have a column %d.", last+1)
		}
		if err != nil {
			return nil, err
		}
		if width := filledWidth(cells); width > last || number == l.Header && len(cells) > last {
			return l, nil
		}
	}
}

// encode serializes a selection. The result is empty without one.
func (l *Layout) encode() (string, error) {
	if l == nil {
		return "", nil
	}
	j, err := json.Marshal(l)
	return string(j), err
}

func decodeLayout(kept string) (*Layout, error) {
	if kept == "" {
		return nil, nil
	}
	l := &Layout{}
	return l, json.Unmarshal([]byte(kept), l)
}
