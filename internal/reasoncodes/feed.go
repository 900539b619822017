package reasoncodes

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/validate"
)

// Feeds returns the tables of the network's texts. An empty cell leaves the stored text.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{ingest.UniqueRows(ingest.Table("reason_codes", fileColumns, checkRow, s.importRows), "code", func(r *Reason) key {
		return r.key()
	})}
}

var fileColumns = []ingest.Column[Reason]{
	ingest.Required("list", ingest.OneOf(func(r *Reason) *string { return &r.List }, Lists...)),
	ingest.Required("code", setCode),
	ingest.Optional("jurisdiction", ingest.OneOf(func(r *Reason) *string { return &r.Jurisdiction }, identifiers.States...)),
	ingest.Optional("title", setText(func(r *Reason) *string { return &r.Title }, MaxTitle)),
	ingest.Optional("plain", setText(func(r *Reason) *string { return &r.Plain }, MaxText)),
	ingest.Optional("advice", setText(func(r *Reason) *string { return &r.Advice }, MaxText)),
	ingest.Optional("official", setText(func(r *Reason) *string { return &r.Official }, MaxOfficial)),
	ingest.Optional("status", ingest.OneOf(func(r *Reason) *string { return &r.Status }, Active, Ended)),
	ingest.Optional("effective", ingest.Date(func(r *Reason) *date.Date { return &r.Effective })),
	ingest.Optional("ended", ingest.Date(func(r *Reason) *date.Date { return &r.Ended })),
}

var setLength = ingest.Text(func(r *Reason) *string { return &r.Code }, MaxCode)

func setCode(r *Reason, value string) error {
	if err := setLength(r, strings.ToUpper(value)); err != nil {
		return err
	}
	if !codeForm.MatchString(r.Code) {
		return errors.New("must have only letters and digits")
	}
	return nil
}

// setText sets a text. It accepts the escaping that Export adds to texts that look like
// formulas.
func setText(field func(*Reason) *string, most int) func(*Reason, string) error {
	set := ingest.Text(field, most)
	return func(r *Reason, value string) error {
		if plain, marked := strings.CutPrefix(value, "'"); marked && strings.ContainsRune("=+-@", rune((plain + " ")[0])) {
			value = plain
		}
		return set(r, value)
	}
}

func checkRow(r *Reason) error {
	if r.Ended != "" && r.Ended < r.Effective {
		return errors.New("ended is before effective")
	}
	return nil
}

// byFeed is the author of text changes that come from a file.
const byFeed = "feed"

func (s *Service) importRows(ctx context.Context, tx *sql.Tx, rows []Reason) ([]ingest.Outcome, error) {
	return s.importRowsBy(ctx, tx, byFeed, rows)
}

// importRowsBy stores the texts of rows that differ from the current ones.
func (s *Service) importRowsBy(ctx context.Context, tx *sql.Tx, by string, rows []Reason) ([]ingest.Outcome, error) {
	t, err := s.texts(ctx, tx)
	if err != nil {
		return nil, err
	}
	return ingest.Each(func(ctx context.Context, tx *sql.Tx, r Reason) (ingest.Outcome, error) {
		old, known := t.stored[r.key()]
		if !known {
			old.Status = Active
		}
		below := t.fallback(r.key())
		next := r.withFallback(old).withoutFallback(below)
		next.Status, next.Effective, next.Ended = cmp.Or(r.Status, old.Status), cmp.Or(r.Effective, old.Effective),
			cmp.Or(r.Ended, old.Ended)
		switch {
		case !next.withFallback(below).IsExplained():
			return ingest.Rejected("title and official are empty, and the code doesn't have a text yet"), nil
		case next.Ended != "" && next.Ended < next.Effective:
			return ingest.Rejected("ended is before the stored effective date"), nil
		}
		changed, err := t.change(ctx, tx, by, next)
		switch {
		case !changed:
			return ingest.Unchanged, err
		case known:
			return ingest.Updated, err
		}
		return ingest.Imported, err
	})(ctx, tx, rows)
}

// Imported is the result of importing a table.
type Imported struct {
	Rows, Imported, Updated, Unchanged, Rejected int
	Problems                                     []ingest.Problem // by line
}

// Import imports a table of texts the way the feed does, in one transaction. Rows with errors
// are skipped and reported. A table that can't be read is rejected as a whole, with an error on
// the field csv.
func (s *Service) Import(ctx context.Context, a access.Actor, table string) (Imported, error) {
	var read Imported
	var rows []Reason
	var places []ingest.Problem
	if err := ingest.Decode(strings.NewReader(table), ingest.Sink{Record: func(r ingest.Record) error {
		read.Rows++
		read.Problems = append(read.Problems, r.Problems...)
		if row, whole := r.Row.(*Reason); whole {
			rows, places = append(rows, *row), append(places, r.At)
		}
		return nil
	}}, s.Feeds()...); err != nil {
		return Imported{}, validate.RefuseField("Couldn't import the file because it can't be read.", "csv",
			strings.TrimPrefix(err.Error(), "error: "))
	}
	var done Imported
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		outcomes, err := s.importRowsBy(ctx, tx, a.Person.UserName, rows)
		done = read
		done.Problems, done.Rejected = slices.Clone(read.Problems), read.Rows-len(rows)
		for i, o := range outcomes {
			switch o {
			case ingest.Imported:
				done.Imported++
			case ingest.Updated:
				done.Updated++
			case ingest.Unchanged:
				done.Unchanged++
			default:
				done.Rejected++
				p := places[i]
				p.Reason = o.Reason()
				done.Problems = append(done.Problems, p)
			}
		}
		return err
	})
	slices.SortStableFunc(done.Problems, func(a, b ingest.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return done, err
}

// Export writes all explanations as a table that Import accepts.
func (s *Service) Export(ctx context.Context, out io.Writer) error {
	reasons, err := s.ListAll(ctx, "")
	if err != nil {
		return err
	}
	rows := csvio.NewCopy(out)
	head := make([]string, len(fileColumns))
	for i, c := range fileColumns {
		head[i] = c.Name
	}
	if err := rows.Write(head); err != nil {
		return err
	}
	for _, r := range reasons {
		if err := rows.Write([]string{
			r.List, r.Code, r.Jurisdiction, r.Title, r.Plain, r.Advice, r.Official, r.Status, string(r.Effective), string(r.Ended),
		}); err != nil {
			return err
		}
	}
	return rows.Flush()
}
