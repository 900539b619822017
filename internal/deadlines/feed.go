package deadlines

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
)

// Feeds returns the rule tables that can be imported. All rows become drafts.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{ingest.UniqueRows(ingest.Table("jurisdiction_rules", fileColumns, checkRow, s.importRows), "rule",
		func(r *Rule) place {
			return r.place()
		})}
}

var fileColumns = []ingest.Column[Rule]{
	ingest.Required("state", ingest.OneOf(func(r *Rule) *string { return &r.State }, identifiers.States...)),
	ingest.Required("line_of_business", ingest.OneOf(func(r *Rule) *string { return &r.Line }, Lines...)),
	ingest.Required("kind", ingest.OneOf(func(r *Rule) *string { return &r.Kind }, Kinds...)),
	ingest.Required("basis", ingest.OneOf(func(r *Rule) *string { return &r.Basis }, Bases...)),
	ingest.Required("amount", ingest.Number(func(r *Rule) *int { return &r.Amount })),
	ingest.Required("unit", ingest.OneOf(func(r *Rule) *string { return &r.Unit }, Units...)),
	ingest.Optional("next_workday", ingest.Flag(func(r *Rule) *bool { return &r.NextWorkday })),
	ingest.Optional("condition", ingest.OneOf(func(r *Rule) *string { return &r.Condition }, Conditions...)),
	ingest.Optional("rate_bp", ingest.Number(func(r *Rule) *int { return &r.RateBP })),
	ingest.Required("citation", ingest.Text(func(r *Rule) *string { return &r.Citation }, MaxCitation)),
	ingest.Required("url", ingest.Text(func(r *Rule) *string { return &r.URL }, MaxURL)),
	ingest.Required("text", ingest.Text(func(r *Rule) *string { return &r.Text }, MaxText)),
	ingest.Required("effective", ingest.Date(func(r *Rule) *date.Date { return &r.Effective })),
	ingest.Optional("ended", ingest.Date(func(r *Rule) *date.Date { return &r.Ended })),
}

// place is the key of a rule in a table.
type place struct {
	overlapKey
	effective date.Date
}

func (r Rule) place() place { return place{r.overlapKey(), r.Effective} }

// checkRow rejects the same errors as the service desk screen.
func checkRow(r *Rule) error {
	r.Status = Draft
	var e *problem.Error
	if err := r.clean().check(); errors.As(err, &e) {
		return errors.New(e.Fields[0].Path + ": " + e.Fields[0].Message)
	}
	*r = r.clean()
	return nil
}

// byFeed is the author of rule changes that come from a file.
const byFeed = "feed"

// importRows stores rows as drafts. A file can't change an active rule.
func (s *Service) importRows(ctx context.Context, tx *sql.Tx, rows []Rule) ([]ingest.Outcome, error) {
	if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil {
		return nil, err
	}
	return ingest.Each(func(ctx context.Context, tx *sql.Tx, r Rule) (ingest.Outcome, error) {
		all, err := s.listAll(ctx, tx)
		if err != nil {
			return ingest.Unchanged, err
		}
		var old Rule
		for _, o := range all {
			if o.place() == r.place() {
				old = o
			}
		}
		r.ID, r.Status = cmp.Or(old.ID, rand.Text()), Draft
		switch {
		case old.ID != "" && r.terms() == old.terms():
			return ingest.Unchanged, nil
		case old.Status == Active:
			return ingest.Rejected("the rule is active and can only be changed in the service desk"), nil
		}
		if o, overlaps := r.findOverlap(all); overlaps {
			return ingest.Rejected("effective: " + formatOverlap(o)), nil
		}
		_, err = s.replaceRule(ctx, tx, byFeed, old, &r)
		if old.ID != "" {
			return ingest.Updated, err
		}
		return ingest.Imported, err
	})(ctx, tx, rows)
}

// terms returns the rule without the fields that only the network sets.
func (r Rule) terms() Rule {
	return Rule{
		State: r.State, Line: r.Line, Kind: r.Kind, Basis: r.Basis, Amount: r.Amount, Unit: r.Unit, NextWorkday: r.NextWorkday,
		Condition: r.Condition,
		RateBP:    r.RateBP, Citation: r.Citation, URL: r.URL, Text: r.Text, Effective: r.Effective, Ended: r.Ended,
	}
}
