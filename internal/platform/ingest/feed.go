// Package ingest takes files from outside, X12 and CSV, into the areas that own
// their records. An area registers what it takes as a Feed. A file is checked
// whole first; then it is taken in batches, each in a transaction together with
// the place reached, so that an interrupted run can be taken up again and other
// writers never wait long.
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

// Feed is one kind of record that an area takes: a table, a transaction of X12
// files, or a file of a form of its own. Table, Transaction and File make one.
type Feed struct {
	form form
	name string // of the table or file; the transaction's code
	data string // whose age its files tell; empty: nobody's

	measures []string // what its taker measures

	what    string                                // a transaction or file is, for people
	columns []string                              // of a table
	guides  []string                              // of a transaction: how its implementation guides' names begin
	pattern string                                // of a file's name
	archive bool                                  // a file that is read from anywhere, and is no text
	decode  func(r io.Reader, s Sink) error       // of a table or file
	set     func(set *x12.Set, s Sink) SetDecoder // of a transaction
	take    Taker[any]
	ready   func(context.Context) error // before a run takes rows; may be nil
	finish  func(context.Context) error // once it took all; may be nil
}

type form int

const (
	table form = iota
	transaction
	file
)

// Taker stores rows inside the transaction given and answers one outcome for
// each, in order. Taking the same row again must change nothing.
type Taker[T any] func(ctx context.Context, tx *sql.Tx, rows []T) ([]Outcome, error)

// Outcome is what became of one row.
type Outcome struct {
	result result
	reason string
}

type result int

const (
	_ result = iota
	taken
	updated
	unchanged
	rejected
)

// The outcomes of rows that are on file now.
var (
	Taken     = Outcome{result: taken}
	Updated   = Outcome{result: updated}
	Unchanged = Outcome{result: unchanged}
)

// Rejected keeps a row out. The reason goes into reports and must not repeat a
// patient's values.
func Rejected(reason string) Outcome { return Outcome{rejected, reason} }

// Reason tells why a row was kept out; empty when it was not.
func (o Outcome) Reason() string { return o.reason }

func (o Outcome) String() string {
	return [...]string{"none", "taken", "updated", "unchanged", "rejected"}[o.result]
}

// Stored is the outcome of a statement that inserts a row or changes one, by
// how many rows it touched.
func Stored(n int64, err error) (Outcome, error) {
	if n > 0 {
		return Taken, err
	}
	return Unchanged, err
}

// Each makes a taker of rows out of one that takes a single row.
func Each[T any](take func(ctx context.Context, tx *sql.Tx, row T) (Outcome, error)) Taker[T] {
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

// Table is a feed of CSV tables. The name stands on the command line and begins
// the names of files. Check, where it is given, looks at a row as a whole and
// fills what follows from its other columns.
func Table[T any](name string, columns []Column[T], check func(*T) error, take Taker[T]) Feed {
	f := Feed{form: table, name: name, take: typed(take)}
	for _, c := range columns {
		f.columns = append(f.columns, c.Name)
	}
	f.decode = func(r io.Reader, s Sink) error { return decodeTable(r, s, columns, check) }
	return f
}

// Once refuses the rows of a table whose key an earlier row of the file has; what
// names the rows.
func Once[T any, K comparable](f Feed, what string, key func(*T) K) Feed {
	decode := f.decode
	f.decode = func(r io.Reader, s Sink) error {
		lines, out := map[K]int64{}, s.Record
		s.Record = func(rec Record) error {
			if row, whole := rec.Row.(*T); whole {
				k := key(row)
				if line, twice := lines[k]; twice {
					rec.Row = nil
					rec.Add(Problem{Severity: SeverityError, Line: rec.At.Line, Reason: fmt.Sprintf("is the same %s as on line %d", what, line)})
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

// Transaction is a feed of the transaction sets of a code (837) under the
// implementation guides whose names begin so (005010X222); what tells people
// which these are. The decoder of a set hands *T to the sink.
func Transaction[T any](code, what string, guides []string, decoder func(set *x12.Set, s Sink) SetDecoder, take Taker[T]) Feed {
	return Feed{form: transaction, name: code, what: what, guides: guides, set: decoder, take: typed(take)}
}

// File is a feed of files of a form of their own, whose names match the pattern
// (path.Match, in small letters); what tells people what they are. Decode hands
// *T to the sink.
func File[T any](name, pattern, what string, decode func(r io.Reader, s Sink) error, take Taker[T]) Feed {
	return Feed{form: file, name: name, pattern: pattern, what: what, decode: decode, take: typed(take)}
}

// AsOf names the data whose age the feed's files tell: screens show it.
func (f Feed) AsOf(data string) Feed {
	f.data = data
	return f
}

// Measuring names what the feed's taker counts of the quality of rows (Measure), in the
// order in which it is shown.
func (f Feed) Measuring(measures ...string) Feed {
	f.measures = measures
	return f
}

// After has something done before any run takes rows of the feed.
func (f Feed) After(ready func(context.Context) error) Feed {
	f.ready = ready
	return f
}

// Then has something done whenever a run took all rows of a file, before the run
// counts as done.
func (f Feed) Then(finish func(context.Context) error) Feed {
	f.finish = finish
	return f
}

// HandedTo is the feed with another taker, which gets each row as a T: for
// tests of what files hold.
func (f Feed) HandedTo(take Taker[any]) Feed {
	f.take, f.ready, f.finish = take, nil, nil
	return f
}

// Name is that of the table or file, or the code of the transaction.
func (f Feed) Name() string { return f.name }

// Columns names the columns of a table; none for other feeds.
func (f Feed) Columns() []string { return f.columns }

// run is the kind under which runs of the feed's files are kept.
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

// typed makes a taker of any rows out of one of T.
func typed[T any](take Taker[T]) Taker[any] {
	return func(ctx context.Context, tx *sql.Tx, rows []any) ([]Outcome, error) {
		list := make([]T, len(rows))
		for i, row := range rows {
			list[i] = *row.(*T)
		}
		return take(ctx, tx, list)
	}
}

// Record is one record of a file as read.
type Record struct {
	Row      any     // points to what the feed takes; nil when the record lacks something it needs
	At       Problem // where it begins
	Problems []Problem
	Weight   int // roughly how much it holds, in rows

	feed *Feed
}

// Add notes a problem of the record, as far as a report has room.
func (r *Record) Add(p Problem) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	}
}

// Rejected tells whether a problem keeps the record out.
func (r *Record) Rejected() bool {
	for _, p := range r.Problems {
		if p.Severity == SeverityError {
			return true
		}
	}
	return false
}

// Sink takes what a decoder reads.
type Sink struct {
	Record   func(Record) error
	Note     func(Problem) // a finding that belongs to no record
	NotTaken func(Problem) // a transaction set of a kind that is not read, or of which nothing could be
	Unknown  func(Problem) // a segment that its transaction set does not have

	// SingleByte tells that each character of the text is one byte of the file, by
	// which the places of transaction sets are counted.
	SingleByte bool
	// RefuseTest refuses files that say they are a test (ISA15).
	RefuseTest bool
	// Day is that of the run, by which dates to come are judged; none judges none.
	Day date.Date
	// Checking: nothing that is read is stored, and what only that needs may be left out.
	Checking bool

	lastService date.Date // that anyone agrees on
}

// ErrTooLate tells that a date cannot be that of a service.
var ErrTooLate = errors.New("is more than 1 year in the future")

// ServiceDate refuses a date that cannot be that of a service, with ErrTooLate:
// a year ahead is the most that anyone agrees on.
func (s Sink) ServiceDate(d date.Date) error {
	if s.lastService != "" && d > s.lastService {
		return ErrTooLate
	}
	return nil
}

// of marks the records as the feed's.
func (s Sink) of(f *Feed) Sink {
	out := s.Record
	s.Record = func(r Record) error {
		r.feed = f
		return out(r)
	}
	return s
}

// Decode reads a file of a table, of a form of its own, or of the transactions
// given, to its end. An error that is no failure to read tells that the file
// as a whole is refused.
func Decode(r io.Reader, s Sink, feeds ...Feed) error {
	s.lastService = s.Day.AddDays(366)
	if len(feeds) == 1 && feeds[0].form != transaction {
		return feeds[0].decode(r, s.of(&feeds[0]))
	}
	return decodeX12(r, s, feeds)
}

// takeBatch hands each feed its rows and puts the outcomes back in the order of
// the file.
func takeBatch(ctx context.Context, tx *sql.Tx, feeds []Feed, records []Record) ([]Outcome, error) {
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
		answers, err := feeds[i].take(ctx, tx, rows)
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
