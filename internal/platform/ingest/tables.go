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

// Column is one column of a table, with the function that reads it.
type Column[T any] struct {
	Name     string
	Required bool // the column must exist and have a value in each row
	Set      func(row *T, value string) error
}

// Required returns a column that must exist and have a value in each row.
func Required[T any](name string, set func(row *T, value string) error) Column[T] {
	return Column[T]{name, true, set}
}

// Optional returns a column that can be missing or empty.
func Optional[T any](name string, set func(row *T, value string) error) Column[T] {
	return Column[T]{name, false, set}
}

// tableError is the reason for refusing a whole table.
type tableError struct{ problem Problem }

func (e *tableError) Error() string { return e.problem.String() }

// Refusef refuses a whole table because of a problem in a line and column.
func Refusef(line int64, column, format string, args ...any) error {
	return &tableError{Problem{Severity: SeverityError, Line: line, Element: column, Reason: fmt.Sprintf(format, args...)}}
}

func decodeTable[T any](r io.Reader, out Sink, columns []Column[T], check func(*T) error) error {
	// The compiler copies this function for each table, so the rest works without the row's type.
	t := rowType{columns: make([]column, len(columns)), new: func() any { return new(T) }, check: func(any) error { return nil }}
	for i, c := range columns {
		t.columns[i] = column{c.Name, c.Required, func(row any, value string) error { return c.Set(row.(*T), value) }}
	}
	if check != nil {
		t.check = func(row any) error { return check(row.(*T)) }
	}
	return t.decode(r, out)
}

// rowType describes the columns and rows of a table. Rows are pointers to a struct.
type rowType struct {
	columns []column
	new     func() any
	check   func(row any) error
}

// column is a Column of any row type. Set is nil for columns without a title.
type column struct {
	Name     string
	Required bool
	Set      func(row any, value string) error
}

func (t rowType) decode(r io.Reader, out Sink) error {
	var used []column
	isHeader := func(fields []string, first bool) bool {
		known := 0
		for _, f := range fields {
			if t.find(f) >= 0 {
				known++
			}
		}
		return known > 1 || known == 1 && first
	}
	return ReadRows(r, isHeader, func(line int64, header []string) (err error) {
		if line > 1 && out.Note != nil {
			out.Note(Problem{Severity: SeverityWarning, Line: line, Reason: "this line has the column names; lines above it weren't read"})
		}
		used, err = t.arrange(line, header)
		return err
	}, func(line int64, fields []string) error {
		return out.Record(t.readRow(out, line, fields, used))
	})
}

// mostTitles is the maximum number of lines above the header.
const mostTitles = 10

// ReadRows reads CSV. It passes the header row, which isHeader recognizes, to begin, and each
// later row to row, with its first line number. If isHeader recognizes none of the first rows,
// it passes the first one to begin, which rejects it. Empty rows are skipped. The fields are
// valid until the next row.
func ReadRows(r io.Reader, isHeader func(fields []string, first bool) bool, begin, row func(line int64, fields []string) error) error {
	text := csvio.NewReader(r)
	line := int64(1)
	next := func() ([]string, error) {
		for {
			fields, err := text.Read()
			if err != nil {
				return nil, err
			}
			// A quoted field can contain line breaks.
			first, _ := text.FieldPos(0)
			line = int64(first)
			if !csvio.IsBlank(fields) {
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

// find finds a column by name, ignoring case, spaces, and hyphens.
func (t rowType) find(name string) int {
	name = foldColumnName(name)
	return slices.IndexFunc(t.columns, func(c column) bool { return name != "" && c.Name == name })
}

func foldColumnName(header string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}), "_")
}

// arrange returns the columns in the order of the file's header. Columns without a
// title stay unnamed.
func (t rowType) arrange(line int64, header []string) ([]column, error) {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.Name
	}
	var used []column
	for _, h := range header {
		name, i := foldColumnName(h), t.find(h)
		switch {
		case name == "":
			used = append(used, column{})
			continue
		case i < 0:
			// The header of another kind of file can be a data line. The message repeats it only
			// if it looks like a column name.
			if len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
				name = fmt.Sprintf("%d", len(used)+1)
			}
			return nil, Refusef(line, name, "unknown column; use these columns: %s", strings.Join(names, ", "))
		case slices.ContainsFunc(used, func(c column) bool { return c.Name == name }):
			return nil, Refusef(line, name, "this column appears twice")
		}
		used = append(used, t.columns[i])
	}
	for _, c := range t.columns {
		if c.Required && !slices.ContainsFunc(used, func(u column) bool { return u.Name == c.Name }) {
			return nil, Refusef(line, c.Name, "this column is missing")
		}
	}
	for len(used) > 0 && used[len(used)-1].Name == "" {
		used = used[:len(used)-1]
	}
	return used, nil
}

// serviced is a row with service dates.
type serviced interface{ ServiceDates() []date.Date }

func (t rowType) readRow(s Sink, line int64, fields []string, columns []column) Record {
	rec := Record{At: Problem{Severity: SeverityError, Line: line}, Weight: 1}
	fault := func(column string, err error) {
		p := Problem{Severity: SeverityError, Line: line, Element: column, Reason: err.Error()}
		var mild warning
		if errors.As(err, &mild) {
			p.Severity = SeverityWarning
		}
		rec.Problems = append(rec.Problems, p)
	}
	row := t.new()
	if len(fields) > len(columns) && csvio.IsBlank(fields[len(columns):]) {
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
		switch err := CheckCell(value); {
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
	if !rec.Rejected() {
		if err := t.check(row); err != nil {
			fault("", err)
		}
	}
	if dated, is := row.(serviced); is && !rec.Rejected() {
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

// rowError returns where the table isn't valid CSV.
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
