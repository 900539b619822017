package intake

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/date"
)

// Column is one column of a table and how its text is read.
type Column[T any] struct {
	Name     string
	Required bool // the column must be there and no field of it empty
	Set      func(row *T, value string) error
}

// Required is a column that must be there and have a value in every row.
func Required[T any](name string, set func(row *T, value string) error) Column[T] {
	return Column[T]{name, true, set}
}

// Optional is a column that may be missing, and empty in any row.
func Optional[T any](name string, set func(row *T, value string) error) Column[T] {
	return Column[T]{name, false, set}
}

// tableError tells why a table as a whole cannot be read.
type tableError struct{ problem Problem }

func (e *tableError) Error() string { return e.problem.String() }

// Refusef refuses a table as a whole, for a reason that stands on the line and in
// the column.
func Refusef(line int64, column, format string, args ...any) error {
	return &tableError{Problem{Severity: SeverityError, Line: line, Element: column, Reason: fmt.Sprintf(format, args...)}}
}

func decodeTable[T any](r io.Reader, out Sink, columns []Column[T], check func(*T) error) error {
	var used []Column[T]
	return ReadRows(r, func(header []string) (err error) {
		used, err = arrange(columns, header)
		return err
	}, func(line int64, fields []string) error {
		return out.Record(readRow(out, line, fields, used, check))
	})
}

// ReadRows reads a CSV text: the header goes to begin, each row with the line on
// which it begins to row. The fields are good until the next row is read.
func ReadRows(r io.Reader, begin func(header []string) error, row func(line int64, fields []string) error) error {
	text := csvrows.New(r)
	header, err := text.Read()
	if errors.Is(err, io.EOF) {
		return Refusef(1, "", "the file is empty: its first line must name the columns")
	}
	if err != nil {
		return rowError(1, err)
	}
	if err := begin(header); err != nil {
		return err
	}
	for line := int64(2); ; line++ {
		fields, err := text.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rowError(line, err)
		}
		// A quoted field may hold line ends.
		first, _ := text.FieldPos(0)
		line = int64(first)
		if err := row(line, fields); err != nil {
			return err
		}
	}
}

// arrange puts the columns in the order of the file's header.
func arrange[T any](columns []Column[T], header []string) ([]Column[T], error) {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	var used []Column[T]
	for _, h := range header {
		name := strings.ToLower(strings.TrimSpace(h))
		i := slices.Index(names, name)
		if i < 0 {
			// The header of a file of another kind may be a line of data: only a
			// name that looks like one is repeated.
			if len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_ ") != "" || name == "" {
				name = fmt.Sprintf("%d", len(used)+1)
			}
			return nil, Refusef(1, name, "this column is not known; the columns are %s", strings.Join(names, ", "))
		}
		if slices.ContainsFunc(used, func(c Column[T]) bool { return c.Name == name }) {
			return nil, Refusef(1, name, "this column appears twice")
		}
		used = append(used, columns[i])
	}
	for _, c := range columns {
		if c.Required && !slices.ContainsFunc(used, func(u Column[T]) bool { return u.Name == c.Name }) {
			return nil, Refusef(1, c.Name, "this column is missing")
		}
	}
	return used, nil
}

// serviced are rows that tell dates of services.
type serviced interface{ ServiceDates() []date.Date }

func readRow[T any](s Sink, line int64, fields []string, columns []Column[T], check func(*T) error) Record {
	rec := Record{At: Problem{Severity: SeverityError, Line: line}, Weight: 1}
	fault := func(column string, err error) {
		p := Problem{Severity: SeverityError, Line: line, Element: column, Reason: err.Error()}
		var mild warning
		if errors.As(err, &mild) {
			p.Severity = SeverityWarning
		}
		rec.Problems = append(rec.Problems, p)
	}
	row := new(T)
	if len(fields) != len(columns) {
		fault("", fmt.Errorf("the row has %d fields, the header %d", len(fields), len(columns)))
		return rec
	}
	for i, c := range columns {
		value := Clean(fields[i])
		switch err := Whole(value); {
		case err != nil:
			fault(c.Name, err)
		case value == "" && c.Required:
			fault(c.Name, errors.New("is empty"))
		case value != "":
			if err := c.Set(row, value); err != nil {
				fault(c.Name, err)
			}
		}
	}
	if check != nil && !rec.Rejected() {
		if err := check(row); err != nil {
			fault("", err)
		}
	}
	if dated, is := any(row).(serviced); is && !rec.Rejected() {
		for _, day := range dated.ServiceDates() {
			if err := s.ServiceDate(day); err != nil {
				fault("", fmt.Errorf("a service date %w", err))
			}
		}
	}
	if !rec.Rejected() {
		rec.Row = row
	}
	return rec
}

// rowError tells where the table breaks the rules of CSV.
func rowError(line int64, err error) error {
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		return Refusef(int64(parse.Line), "", "%s at character %d", parse.Err, parse.Column)
	case errors.Is(err, csvrows.ErrRowTooLong):
		return Refusef(line, "", "the row is longer than %d bytes: a quote may be left open", csvrows.MaxRow)
	}
	return err
}
