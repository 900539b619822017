// Package unmatched lets the staff look after money whose bill no file brought, or
// brought under another name: bills that are known from payments only.
package unmatched

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
)

// Holders tell which groups have a TIN: their administrators read in their access
// history who looked.
type Holders interface {
	GroupsWith(ctx context.Context, ftin string) ([]int64, error)
}

// Service lists payments without a bill, and joins them to bills.
type Service struct {
	db      *db.DB
	ledger  *ledger.Ledger
	bills   *bills.Service
	holders Holders
	sealer  *seal.Sealer
	audit   *audit.Log
	zone    *time.Location
}

// NewService makes the service; the zone is where the business is.
func NewService(d *db.DB, l *ledger.Ledger, b *bills.Service, holders Holders, sealer *seal.Sealer, log *audit.Log, zone *time.Location) *Service {
	return &Service{db: d, ledger: l, bills: b, holders: holders, sealer: sealer, audit: log, zone: zone}
}

// Listed is a bill of which some is shown, and its page.
type Listed struct {
	ledger.Bill
	Page string
}

// Candidate is a bill that a payment could be meant for.
type Candidate struct {
	Listed
	Differences []ledger.Difference
}

// Joinable tells whether the payment may be joined to it.
func (c Candidate) Joinable() bool { return len(c.Differences) <= 1 }

const placePurpose = "place in unmatched money"

const (
	// pageSize is how many are listed at a time.
	pageSize = 25
	// days before and after the service of a payment in which bills are looked for.
	days = 7
	// mostDiffer is in how much a bill may differ that is shown beside a payment.
	mostDiffer = 3
	// mostShown bounds the bills that are shown beside a payment.
	mostShown = 20
	// mostJoins bounds the joins that are listed.
	mostJoins = 200
)

// List answers some of the bills that are known from payments only, TIN by TIN, the
// oldest service first, and the sealed place of the last of them, after which the next are,
// also where its payment has a bill by then; empty at the end. That they are shown is
// written down first.
func (s *Service) List(ctx context.Context, after string) (list []Listed, next string, err error) {
	var place ledger.Unmatched
	if after != "" && s.sealer.Open(placePurpose, after, &place) != nil {
		return nil, "", check.RefuseField("The list cannot be shown like this.", "after", "Load the list again.")
	}
	found, err := ledger.UnmatchedAfter(ctx, s.db.Reader, place, pageSize+1)
	if err != nil {
		return nil, "", err
	}
	shown := found[:min(pageSize, len(found))]
	if err := s.saw(ctx, "unmatched-list", shown); err != nil {
		return nil, "", err
	}
	if list, err = s.listed(shown); err == nil && len(found) > pageSize {
		last := shown[pageSize-1]
		next, err = s.sealer.Seal(placePurpose, ledger.Unmatched{FTIN: last.FTIN, Since: last.BeginServiceDate, Bill: last.Key()})
	}
	return list, next, err
}

func (s *Service) listed(found []ledger.Bill) ([]Listed, error) {
	list := make([]Listed, len(found))
	for i, b := range found {
		page, err := s.bills.PageID(b.FTIN, b.Key())
		if err != nil {
			return nil, err
		}
		list[i] = Listed{b, page}
	}
	return list, nil
}

// saw writes down whose bills are shown, an entry for each TIN.
func (s *Service) saw(ctx context.Context, operation string, shown []ledger.Bill) error {
	byTIN := map[string][]string{}
	var tins []string
	for _, b := range shown {
		if byTIN[b.FTIN] == nil {
			tins = append(tins, b.FTIN)
		}
		byTIN[b.FTIN] = append(byTIN[b.FTIN], b.BillControlNumber)
	}
	for _, tin := range tins {
		groups, err := s.holders.GroupsWith(ctx, tin)
		if err != nil {
			return err
		}
		if err := s.audit.Now(ctx, audit.Entry{Operation: operation, Subject: tin, About: []string{tin}, Answered: byTIN[tin], Groups: groups, Result: "ok"}); err != nil {
			return err
		}
	}
	return nil
}

// made is the bill that a page names and that is known from its payment; where there is
// none any more the payment has another.
func (s *Service) made(ctx context.Context, page string) (ledger.Bill, error) {
	ftin, key, known := s.bills.Named(page)
	if !known {
		return ledger.Bill{}, problem.New(problem.NotFound)
	}
	list, err := ledger.Named(ctx, s.db.Reader, ftin, []string{key})
	if err == nil && (len(list) == 0 || list[0].Source != ledger.SourcePayment) {
		err = refused(ledger.ErrNotUnmatched)
	}
	if err != nil {
		return ledger.Bill{}, err
	}
	return list[0], nil
}

// Candidates answers what a payment tells, and the bills that it could be meant for:
// those first that differ least. That they are shown is written down first.
func (s *Service) Candidates(ctx context.Context, page string) (made Listed, list []Candidate, err error) {
	b, err := s.made(ctx, page)
	if err != nil {
		return made, nil, err
	}
	found, err := ledger.CandidatesOf(ctx, s.db.Reader, b, days)
	if err != nil {
		return made, nil, err
	}
	for _, sent := range found {
		if differ := ledger.Differences(b, sent); len(differ) <= mostDiffer {
			list = append(list, Candidate{Listed{Bill: sent}, differ})
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(len(a.Differences), len(b.Differences)) })
	list = list[:min(mostShown, len(list))]
	shown := []ledger.Bill{b}
	for _, c := range list {
		shown = append(shown, c.Bill)
	}
	if err := s.saw(ctx, "unmatched-candidates", shown); err != nil {
		return made, nil, err
	}
	all, err := s.listed(shown)
	if err != nil {
		return made, nil, err
	}
	for i := range list {
		list[i].Listed = all[i+1]
	}
	return all[0], list, nil
}

// Join has a payment belong to a bill from which it differs in one thing at most.
func (s *Service) Join(ctx context.Context, a access.Actor, made, to string) error {
	tin, from, known := s.bills.Named(made)
	other, sent, knownToo := s.bills.Named(to)
	if !known || !knownToo || tin != other {
		return problem.New(problem.NotFound)
	}
	return s.change(ctx, tin, "payment-join", func(tx *sql.Tx) ([]string, string, error) {
		j, err := s.ledger.Join(ctx, tx, tin, from, sent, a.Person.UserName)
		return []string{from, sent}, "differs in " + cmp.Or(j.Difference, "nothing"), err
	})
}

// Leave has a payment without a bill listed no more.
func (s *Service) Leave(ctx context.Context, a access.Actor, made string) error {
	tin, key, known := s.bills.Named(made)
	if !known {
		return problem.New(problem.NotFound)
	}
	return s.change(ctx, tin, "payment-leave", func(tx *sql.Tx) ([]string, string, error) {
		_, err := s.ledger.Leave(ctx, tx, tin, key, a.Person.UserName)
		return []string{key}, "", err
	})
}

// Undo takes back what was said of a payment, by its fact.
func (s *Service) Undo(ctx context.Context, a access.Actor, ftin, payment string) error {
	return s.change(ctx, ftin, "payment-undo", func(tx *sql.Tx) ([]string, string, error) {
		j, err := s.ledger.Undo(ctx, tx, ftin, payment, a.Person.UserName)
		return nil, fmt.Sprintf("said by %s on %s", j.By, date.Of(j.At.In(s.zone)).US()), err
	})
}

// change does something about bills of a TIN and writes it down, both or neither.
func (s *Service) change(ctx context.Context, ftin, operation string, do func(tx *sql.Tx) (bills []string, detail string, err error)) error {
	groups, err := s.holders.GroupsWith(ctx, ftin)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		keys, detail, err := do(tx)
		if err != nil {
			return refused(err)
		}
		about := []string{ftin}
		for _, key := range keys {
			about = append(about, ftin+" "+key)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: about[len(about)-1], About: about, Groups: groups, Result: "ok", Detail: detail})
	})
}

// refused tells people why something is not done.
func refused(err error) error {
	switch {
	case errors.Is(err, db.ErrNotFound):
		return problem.New(problem.NotFound)
	case errors.Is(err, ledger.ErrNoJoin):
		return problem.Say(problem.Conflict, "That was taken back already.")
	case errors.Is(err, ledger.ErrNotUnmatched):
		return problem.Say(problem.Conflict, "This payment has its bill by now: somebody joined it, or a file brought the bill. Two bills that were sent cannot be joined.")
	case errors.Is(err, ledger.ErrNotSent):
		return problem.Say(problem.Conflict, "The other one is known from its payment only, too. Join to a bill that was sent.")
	case errors.Is(err, ledger.ErrDiffersMore):
		return problem.Say(problem.Conflict, "The two differ in more than one thing, and are not joined. Ask the sender for the right file.")
	case errors.Is(err, ledger.ErrSaid):
		return problem.Say(problem.Conflict, "Somebody has said already what becomes of this payment. Read the list again.")
	}
	return err
}

// Joins lists what was said last, the newest first.
func (s *Service) Joins(ctx context.Context) (list []ledger.Said, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		list, err = ledger.JoinsSaid(ctx, tx, mostJoins)
		return err
	})
	return list, err
}
