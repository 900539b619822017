// Package ingest imports external X12 and CSV files into the domains that own the records. A
// domain registers each kind of record as a Feed. A whole file is checked first and then stored
// in batches. Each batch is a transaction that also stores the position in the file. So an
// interrupted import can resume, and other writers never wait long.
package ingest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/x12"
)

// Feed is one kind of record that a domain imports. It can be a table, a transaction of X12
// files, or a file with its own format. Table, Transaction, and File return feeds.
type Feed struct {
	form form
	name string // of the table or file; the transaction's code
	data string // name of the data with an age from these files; empty: none

	measures []string // quality measures of its import function

	what       string                                // description of a transaction or file for users
	columns    []string                              // of a table
	guides     []string                              // prefixes of a transaction's implementation guides
	pattern    string                                // of file names
	archive    bool                                  // binary file with random access
	decode     func(r io.Reader, s Sink) error       // for a table or file
	set        func(set *x12.Set, s Sink) SetDecoder // for a transaction
	importRows ImportFunc[any]
	ready      func(context.Context) error // before an import stores rows; can be nil
	finish     func(context.Context) error // after an import stored all rows; can be nil
}

type form int

const (
	table form = iota
	transaction
	file
)

// ImportFunc stores rows in the given transaction and returns one outcome for each, in order. Storing
// the same row again must change nothing.
type ImportFunc[T any] func(ctx context.Context, tx *sql.Tx, rows []T) ([]Outcome, error)

// StoreFirst is the error of an ImportFunc whose rows need files in storage. The transaction is rolled back, so that
// it doesn't wait for storage. Then Do runs, and the rows are imported again.
type StoreFirst struct{ Do func(context.Context) error }

func (*StoreFirst) Error() string { return "files must be stored first" }

// Outcome is the result of one row.
type Outcome struct {
	result result
	reason string
}

type result int

const (
	_ result = iota
	imported
	updated
	unchanged
	rejected
)

// Outcomes of stored rows.
var (
	Imported  = Outcome{result: imported}
	Updated   = Outcome{result: updated}
	Unchanged = Outcome{result: unchanged}
)

// Rejected refuses a row. The reason is used in reports and must not contain a patient's data.
func Rejected(reason string) Outcome { return Outcome{rejected, reason} }

// Reason returns why a row was rejected; empty if it wasn't.
func (o Outcome) Reason() string { return o.reason }

func (o Outcome) String() string {
	return [...]string{"none", "taken", "updated", "unchanged", "rejected"}[o.result]
}

// Stored returns the outcome of an INSERT or UPDATE of a row from the number of affected rows.
func Stored(n int64, err error) (Outcome, error) {
	if n > 0 {
		return Imported, err
	}
	return Unchanged, err
}

// Each converts a function for single rows to an import function.
func Each[T any](take func(ctx context.Context, tx *sql.Tx, row T) (Outcome, error)) ImportFunc[T] {
	return func(ctx context.Context, tx *sql.Tx, rows []T) ([]Outcome, error) {
		outcomes := make([]Outcome, len(rows))
		for i, row := range rows {
			var err error
			if outcomes[i], err = take(ctx, tx, row); err != nil {
				return nil, err
			}
		}
		return outcomes, nil
	}
}

// Table returns a feed of CSV tables. The name is used on the command line and as the prefix of
// file names. check, if set, validates a whole row and fills derived fields.
func Table[T any](name string, columns []Column[T], check func(*T) error, take ImportFunc[T]) Feed {
	f := Feed{form: table, name: name, importRows: toAny(take)}
	for _, c := range columns {
		f.columns = append(f.columns, c.Name)
	}
	f.decode = func(r io.Reader, s Sink) error { return decodeTable(r, s, columns, check) }
	return f
}

// UniqueRows rejects rows with the same key as an earlier row of the file. what names the rows.
func UniqueRows[T any, K comparable](f Feed, what string, key func(*T) K) Feed {
	decode := f.decode
	f.decode = func(r io.Reader, s Sink) error {
		lines, out := map[K]int64{}, s.Record
		s.Record = func(rec Record) error {
			if row, whole := rec.Row.(*T); whole {
				k := key(row)
				if line, twice := lines[k]; twice {
					rec.Row = nil
					rec.Add(Problem{Severity: SeverityError, Line: rec.At.Line,
						Reason: fmt.Sprintf("is the same %s as on line %d", what, line)})
				} else {
					lines[k] = rec.At.Line
				}
			}
			return out(rec)
		}
		return decode(r, s)
	}
	return f
}

// Transaction returns a feed of X12 transaction sets with a code (837). guides are prefixes of
// implementation guides (005010X222). what describes the sets to users. The decoder passes *T to
// the sink.
func Transaction[T any](code, what string, guides []string, decoder func(set *x12.Set, s Sink) SetDecoder, take ImportFunc[T]) Feed {
	return Feed{form: transaction, name: code, what: what, guides: guides, set: decoder, importRows: toAny(take)}
}

// File returns a feed of files with their own format and names that match the pattern
// (path.Match, in lowercase). what describes the files to users. decode passes *T to the sink.
func File[T any](name, pattern, what string, decode func(r io.Reader, s Sink) error, take ImportFunc[T]) Feed {
	return Feed{form: file, name: name, pattern: pattern, what: what, decode: decode, importRows: toAny(take)}
}

// AsOf names the data with an age from the feed's files. Screens show it.
func (f Feed) AsOf(data string) Feed {
	f.data = data
	return f
}

// WithMeasures names the quality measures of the feed (Measure), in display order.
func (f Feed) WithMeasures(measures ...string) Feed {
	f.measures = measures
	return f
}

// BeforeImport sets a function that runs before an import stores rows of the feed.
func (f Feed) BeforeImport(ready func(context.Context) error) Feed {
	f.ready = ready
	return f
}

// AfterImport sets a function that runs after an import stored all rows of a file, and before it counts
// as complete.
func (f Feed) AfterImport(finish func(context.Context) error) Feed {
	f.finish = finish
	return f
}

// WithImporter returns the feed with another import function, which receives each row as a T.
// Tests use it to read files.
func (f Feed) WithImporter(take ImportFunc[any]) Feed {
	f.importRows, f.ready, f.finish = take, nil, nil
	return f
}

// Name returns the name of the table or file, or the code of the transaction.
func (f Feed) Name() string { return f.name }

// Columns returns the column names of a table; nil for other feeds.
func (f Feed) Columns() []string { return f.columns }

// run returns the kind of the feed's runs in the database.
func (f Feed) run() string {
	switch f.form {
	case table:
		return "csv-" + f.name
	case transaction:
		return x12Files
	default:
		return f.name
	}
}

// toAny converts an import function for T to one for any.
func toAny[T any](take ImportFunc[T]) ImportFunc[any] {
	return func(ctx context.Context, tx *sql.Tx, rows []any) ([]Outcome, error) {
		list := make([]T, len(rows))
		for i, row := range rows {
			list[i] = *row.(*T)
		}
		return take(ctx, tx, list)
	}
}

// Record is one record of a file.
type Record struct {
	Row      any     // pointer to the feed's row; nil if the record lacks a required value
	At       Problem // start of the record
	Problems []Problem
	Weight   int // approximate size, in rows

	feed *Feed
}

// Add adds a problem of the record, up to the maximum for a report.
func (r *Record) Add(p Problem) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	}
}

// Rejected reports whether a problem rejects the record.
func (r *Record) Rejected() bool {
	for _, p := range r.Problems {
		if p.Severity == SeverityError {
			return true
		}
	}
	return false
}

// Sink receives the output of a decoder.
type Sink struct {
	Record      func(Record) error
	Note        func(Problem) // a problem outside of records
	NotImported func(Problem) // a transaction set of an unsupported kind, or without usable content
	Unknown     func(Problem) // a segment that doesn't belong to its transaction set

	// SingleByte says that each character of the text is one byte of the file. Positions of
	// transaction sets are counted in bytes.
	SingleByte bool
	// RefuseTest refuses test files (ISA15).
	RefuseTest bool
	// Day is the import date for checks of future dates. Without it, there is no check.
	Day date.Date
	// KeepRejected also passes rows that lack a required value, to show them with their problems.
	KeepRejected bool
	// Checking means that rows aren't stored, so decoders can skip work that only storing needs.
	Checking bool

	lastWritten, lastService date.Date // latest allowed
}

// ErrTooLate means that a service date is too far in the future.
var ErrTooLate = errors.New("is more than 1 year in the future")

// ServiceDate returns ErrTooLate for a service date more than a year ahead. No one agrees on
// later services.
func (s Sink) ServiceDate(d date.Date) error {
	if s.lastService != "" && d > s.lastService {
		return ErrTooLate
	}
	return nil
}

// WrittenDate returns x12.ErrFuture for a date when a file was written that is after its import.
func (s Sink) WrittenDate(d date.Date) error {
	if s.lastWritten != "" && d > s.lastWritten {
		return x12.ErrFuture
	}
	return nil
}

// forFeed returns a sink that marks records as the feed's.
func (s Sink) forFeed(f *Feed) Sink {
	out := s.Record
	s.Record = func(r Record) error {
		r.feed = f
		return out(r)
	}
	return s
}

// Decode reads a whole file: a table, a file with its own format, or the given transactions. An
// error other than a read error means that the whole file is refused.
func Decode(r io.Reader, s Sink, feeds ...Feed) error {
	s.lastWritten = s.Day.AddDays(1) // the time zone furthest ahead
	s.lastService = s.Day.AddDays(366)
	if len(feeds) == 1 && feeds[0].form != transaction {
		return feeds[0].decode(r, s.forFeed(&feeds[0]))
	}
	return decodeX12(r, s, feeds)
}

// importBatch passes rows to their feeds and returns the outcomes in file order.
func importBatch(ctx context.Context, tx *sql.Tx, feeds []Feed, records []Record) ([]Outcome, error) {
	outcomes := make([]Outcome, len(records))
	for i := range feeds {
		var rows []any
		var places []int
		for place, r := range records {
			if r.feed == &feeds[i] {
				rows, places = append(rows, r.Row), append(places, place)
			}
		}
		if len(rows) == 0 {
			continue
		}
		answers, err := feeds[i].importRows(ctx, tx, rows)
		if err == nil && len(answers) != len(rows) {
			err = fmt.Errorf("%d outcomes for %d rows of type %T", len(answers), len(rows), rows[0])
		}
		if err != nil {
			return nil, err
		}
		for n, place := range places {
			outcomes[place] = answers[n]
		}
	}
	return outcomes, nil
}
