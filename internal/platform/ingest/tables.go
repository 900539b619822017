package ingest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"wcpp/internal/platform/csvio"
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
	isHeader := func(fields []string, first bool) bool {
		known := 0
		for _, f := range fields {
			if indexOf(columns, f) >= 0 {
				known++
			}
		}
		return known > 1 || known == 1 && first
	}
	return ReadRows(r, isHeader, func(line int64, header []string) (err error) {
		if line > 1 && out.Note != nil {
			out.Note(Problem{Severity: SeverityWarning, Line: line, Reason: "this line has the column names; lines above it weren't read"})
		}
		used, err = arrange(columns, line, header)
		return err
	}, func(line int64, fields []string) error {
		return out.Record(readRow(out, line, fields, used, check))
	})
}

// mostTitles is how many lines may stand above the one that names the columns.
const mostTitles = 10

// ReadRows reads a CSV text: the row that names the columns, which isHeader recognises, goes
// to begin, each one below to row, with the line on which it begins. Where none of the first
// rows is recognised the first one goes to begin, which refuses it. Rows with nothing in them
// are passed over. The fields are good until the next row is read.
func ReadRows(r io.Reader, isHeader func(fields []string, first bool) bool, begin, row func(line int64, fields []string) error) error {
	text := csvio.New(r)
	line := int64(1)
	next := func() ([]string, error) {
		for {
			fields, err := text.Read()
			if err != nil {
				return nil, err
			}
			// A quoted field may hold line ends.
			first, _ := text.FieldPos(0)
			line = int64(first)
			if !csvio.Blank(fields) {
				return fields, nil
			}
		}
	}
	var title []string
	titleLine := line
	for n := 0; ; n++ {
		fields, err := next()
		if err != nil && !errors.Is(err, io.EOF) {
			return rowError(line, err)
		}
		if err == nil && isHeader(fields, n == 0) {
			if err := begin(line, fields); err != nil {
				return err
			}
			break
		}
		switch {
		case err != nil && n == 0:
			return Refusef(1, "", "the file is empty; the first line must have the column names")
		case n == 0:
			title, titleLine = slices.Clone(fields), line
		case err != nil || n == mostTitles:
			return begin(titleLine, title)
		}
	}
	for {
		fields, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rowError(line+1, err)
		}
		if err := row(line, fields); err != nil {
			return err
		}
	}
}

// indexOf finds a column by its name in a file: case, spaces and hyphens do not count.
func indexOf[T any](columns []Column[T], name string) int {
	name = nameOf(name)
	return slices.IndexFunc(columns, func(c Column[T]) bool { return name != "" && c.Name == name })
}

func nameOf(header string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '_' }), "_")
}

// arrange puts the columns in the order of the file's header. Those without a name stay
// without one.
func arrange[T any](columns []Column[T], line int64, header []string) ([]Column[T], error) {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	var used []Column[T]
	for _, h := range header {
		name, i := nameOf(h), indexOf(columns, h)
		switch {
		case name == "":
			used = append(used, Column[T]{})
			continue
		case i < 0:
			// The header of a file of another kind may be a line of data: only a
			// name that looks like one is repeated.
			if len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
				name = fmt.Sprintf("%d", len(used)+1)
			}
			return nil, Refusef(line, name, "unknown column; use these columns: %s", strings.Join(names, ", "))
		case slices.ContainsFunc(used, func(c Column[T]) bool { return c.Name == name }):
			return nil, Refusef(line, name, "this column appears twice")
		}
		used = append(used, columns[i])
	}
	for _, c := range columns {
		if c.Required && !slices.ContainsFunc(used, func(u Column[T]) bool { return u.Name == c.Name }) {
			return nil, Refusef(line, c.Name, "this column is missing")
		}
	}
	for len(used) > 0 && used[len(used)-1].Name == "" {
		used = used[:len(used)-1]
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
	if len(fields) > len(columns) && csvio.Blank(fields[len(columns):]) {
		fields = fields[:len(columns)]
	}
	if len(fields) != len(columns) {
		fault("", fmt.Errorf("the row has %d fields, but the header has %d", len(fields), len(columns)))
		return rec
	}
	for i, c := range columns {
		value := Clean(fields[i])
		if c.Set == nil {
			if value != "" {
				fault("", fmt.Errorf("field %d has a value but no column name", i+1))
			}
			continue
		}
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
	case errors.Is(err, csvio.ErrRowTooLong):
		return Refusef(line, "", "the row is longer than %d bytes; check for a missing quote", csvio.MaxRow)
	}
	return err
}
