package feeds

import (
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
)

// Kinds are the kinds of CSV files, in the order in which they build on each
// other.
var Kinds = []string{
	"groups", "users", "tins", "providers", "claims", "bills", "products", "clients", "participations", "exclusions",
	"rate_codes", "allowances", "roster_sources", "roster_source_groups", "group_sources",
	"taxonomies", "provider_tins", "provider_details", "specialties", "offices", "office_details", "licenses",
}

// ImportCSV imports a table of one of the Kinds; its columns stand in
// docs/feeds.md. Report and error are as those of ImportX12.
func (im *Importer) ImportCSV(ctx context.Context, kind, path string, opts Options) (Report, error) {
	switch kind {
	case "bills":
		return importTable(ctx, im, kind, path, opts, billColumns, checkBill, im.takers.Bills)
	case "claims":
		return importTable(ctx, im, kind, path, opts, claimColumns, nil, im.takers.Claims)
	case "groups":
		return importTable(ctx, im, kind, path, opts, groupColumns, nil, im.takers.Groups)
	case "users":
		return importTable(ctx, im, kind, path, opts, userColumns, checkUser, im.takers.Users)
	case "tins":
		return importTable(ctx, im, kind, path, opts, tinColumns, nil, im.takers.TINs)
	case "providers":
		return importTable(ctx, im, kind, path, opts, providerColumns, checkProvider, im.takers.Providers)
	case "products":
		return importTable(ctx, im, kind, path, opts, productColumns, nil, im.takers.Products)
	case "clients":
		return importTable(ctx, im, kind, path, opts, clientColumns, nil, im.takers.Clients)
	case "participations":
		return importTable(ctx, im, kind, path, opts, participationColumns, checkParticipation, im.takers.Participations)
	case "taxonomies":
		return importTable(ctx, im, kind, path, opts, taxonomyColumns, nil, im.takers.Taxonomies)
	case "provider_tins":
		return importTable(ctx, im, kind, path, opts, providerTINColumns, checkPart, im.takers.ProviderTINs)
	case "provider_details":
		return importTable(ctx, im, kind, path, opts, providerDetailColumns, checkPart, im.takers.Details)
	case "specialties":
		return importTable(ctx, im, kind, path, opts, specialtyColumns, checkPart, im.takers.Specialties)
	case "offices":
		return importTable(ctx, im, kind, path, opts, officeColumns, checkPart, im.takers.Offices)
	case "office_details":
		return importTable(ctx, im, kind, path, opts, officeDetailColumns, checkPart, im.takers.OfficeDetails)
	case "licenses":
		return importTable(ctx, im, kind, path, opts, licenseColumns, checkPart, im.takers.Licenses)
	case "rate_codes":
		return importTable(ctx, im, kind, path, opts, rateCodeColumns, nil, im.takers.RateCodes)
	case "allowances":
		return importTable(ctx, im, kind, path, opts, allowanceColumns, nil, im.takers.Allowances)
	case "roster_sources":
		return importTable(ctx, im, kind, path, opts, rosterSourceColumns, nil, im.takers.RosterSources)
	case "roster_source_groups":
		return importTable(ctx, im, kind, path, opts, rosterSourceGroupColumns, checkSourceGroup, im.takers.RosterSourceGroups)
	case "group_sources":
		return importTable(ctx, im, kind, path, opts, groupSourceColumns, nil, im.takers.GroupSources)
	case "exclusions":
		return importTable(ctx, im, kind, path, opts, exclusionColumns, nil, im.takers.Exclusions)
	}
	return Report{}, fmt.Errorf("%q is not a kind of table: %s", kind, strings.Join(Kinds, ", "))
}

// column is one column of a table and how its text is read.
type column[T any] struct {
	name     string
	required bool // the column must be there and no field of it empty
	set      func(row *T, value string) error
}

func importTable[T any](ctx context.Context, im *Importer, kind, path string, opts Options,
	columns []column[T], check func(*T) error, taker Taker[T]) (Report, error) {
	decode := func(r io.Reader, out sink) error { return decodeTable(r, out, columns, check) }
	takeRows := func(ctx context.Context, tx *sql.Tx, records []record) ([]Outcome, error) {
		rows := make([]T, len(records))
		for i, r := range records {
			rows[i] = *r.row.(*T)
		}
		return take(ctx, tx, taker, rows)
	}
	return im.run(ctx, "csv-"+kind, path, opts, decode, takeRows)
}

// tableError tells why a table as a whole cannot be read.
type tableError struct{ problem Problem }

func (e *tableError) Error() string { return e.problem.String() }

func tableErrorf(line int64, column, format string, args ...any) error {
	return &tableError{Problem{Severity: SeverityError, Line: line, Element: column, Reason: fmt.Sprintf(format, args...)}}
}

func decodeTable[T any](r io.Reader, out sink, columns []column[T], check func(*T) error) error {
	table := csvrows.New(r)
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return tableErrorf(1, "", "the file is empty: its first line must name the columns")
	}
	if err != nil {
		return rowError(1, err)
	}
	used, err := arrange(columns, header)
	if err != nil {
		return err
	}
	for line := int64(2); ; line++ {
		fields, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rowError(line, err)
		}
		// A quoted field may hold line ends.
		first, _ := table.FieldPos(0)
		line = int64(first)
		if err := out.record(readRow(line, fields, used, check)); err != nil {
			return err
		}
	}
}

// arrange puts the columns in the order of the file's header.
func arrange[T any](columns []column[T], header []string) ([]column[T], error) {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	var used []column[T]
	for _, h := range header {
		name := strings.ToLower(strings.TrimSpace(h))
		i := slices.Index(names, name)
		if i < 0 {
			// The header of a file of another kind may be a line of data: only a
			// name that looks like one is repeated.
			if len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_ ") != "" || name == "" {
				name = fmt.Sprintf("%d", len(used)+1)
			}
			return nil, tableErrorf(1, name, "this column is not known; the columns are %s", strings.Join(names, ", "))
		}
		if slices.ContainsFunc(used, func(c column[T]) bool { return c.name == name }) {
			return nil, tableErrorf(1, name, "this column appears twice")
		}
		used = append(used, columns[i])
	}
	for _, c := range columns {
		if c.required && !slices.ContainsFunc(used, func(u column[T]) bool { return u.name == c.name }) {
			return nil, tableErrorf(1, c.name, "this column is missing")
		}
	}
	return used, nil
}

func readRow[T any](line int64, fields []string, columns []column[T], check func(*T) error) record {
	rec := record{at: Problem{Severity: SeverityError, Line: line}, weight: 1}
	fault := func(column string, err error) {
		p := Problem{Severity: SeverityError, Line: line, Element: column, Reason: err.Error()}
		var mild warning
		if errors.As(err, &mild) {
			p.Severity = SeverityWarning
		}
		rec.problems = append(rec.problems, p)
	}
	row := new(T)
	if len(fields) != len(columns) {
		fault("", fmt.Errorf("the row has %d fields, the header %d", len(fields), len(columns)))
		return rec
	}
	for i, c := range columns {
		value := clean(fields[i])
		switch {
		case !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }):
			fault(c.name, errors.New("is not plain UTF-8 text"))
		case value == "" && c.required:
			fault(c.name, errors.New("is empty"))
		case value != "":
			if err := c.set(row, value); err != nil {
				fault(c.name, err)
			}
		}
	}
	if check != nil && !rec.rejected() {
		if err := check(row); err != nil {
			fault("", err)
		}
	}
	if !rec.rejected() {
		rec.row = row
	}
	return rec
}

// rowError tells where the table breaks the rules of CSV.
func rowError(line int64, err error) error {
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		return tableErrorf(int64(parse.Line), "", "%s at character %d", parse.Err, parse.Column)
	case errors.Is(err, csvrows.ErrRowTooLong):
		return tableErrorf(line, "", "the row is longer than %d bytes: a quote may be left open", csvrows.MaxRow)
	}
	return err
}

// The setters of columns.

func textField[T any](field func(*T) *string, longest int) func(*T, string) error {
	return func(row *T, value string) error {
		if utf8.RuneCountInString(value) > longest {
			return fmt.Errorf("has more than %d characters", longest)
		}
		*field(row) = value
		return nil
	}
}

func dateField[T any](field func(*T) *date.Date) func(*T, string) error {
	return func(row *T, value string) (err error) {
		if *field(row), err = date.Parse(value); err != nil {
			return errors.New("is not a date: write YYYY-MM-DD")
		}
		return nil
	}
}

func moneyField[T any](field func(*T) *int64) func(*T, string) error {
	return func(row *T, value string) (err error) {
		*field(row), err = cents(value)
		return err
	}
}

func optionalMoneyField[T any](field func(*T) **int64) func(*T, string) error {
	return func(row *T, value string) error {
		amount, err := cents(value)
		*field(row) = &amount
		return err
	}
}

func numberField[T any](field func(*T) *int64) func(*T, string) error {
	return func(row *T, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 || n > 99999999999 {
			return errors.New("is not a number from 1 to 99999999999")
		}
		*field(row) = n
		return nil
	}
}

func boolField[T any](field func(*T) *bool) func(*T, string) error {
	return func(row *T, value string) error {
		switch strings.ToUpper(value) {
		case "Y":
			*field(row) = true
		case "N":
			*field(row) = false
		default:
			return errors.New("is neither Y nor N")
		}
		return nil
	}
}

func tinField[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		tin, ok := ftin(value)
		if !ok {
			return errors.New("is not a tax ID of nine digits")
		}
		*field(row) = tin
		return nil
	}
}

// warning is a fault that does not keep the row out.
type warning string

func (w warning) Error() string { return string(w) }

func npiField[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		if len(value) > 80 {
			return errors.New("has more than 80 characters")
		}
		*field(row) = value
		if !identifiers.ValidNPI(value) {
			return warning("the NPI fails its check digit")
		}
		return nil
	}
}

// oneOf takes a code of a closed list, in any case.
func oneOf[T any](field func(*T) *string, codes ...string) func(*T, string) error {
	return func(row *T, value string) error {
		code := strings.ToUpper(value)
		if !slices.Contains(codes, code) {
			return fmt.Errorf("is none of %s", strings.Join(codes, ", "))
		}
		*field(row) = code
		return nil
	}
}

func phoneField[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		number := strings.NewReplacer("(", "", ")", "", "-", "", " ", "", ".", "").Replace(value)
		if len(number) < 10 || len(number) > 15 || !digits(number) {
			return errors.New("is not a phone number of 10 to 15 digits")
		}
		*field(row) = number
		return nil
	}
}
