// Package unmatchedpayments is where staff resolve payments without a bill. Either no file
// brought the bill, or it brought the bill under another name. These bills are known only from
// payments.
package unmatchedpayments

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/validate"
)

// Service lists payments without a bill, and matches them to bills.
type Service struct {
	db      *db.DB
	ledger  *ledger.Ledger
	records *record.Service
	scopes  *tins.Scopes
	sealer  *seal.Sealer
	audit   *audit.Log
	zone    *time.Location
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Ledger  *ledger.Ledger
	Records *record.Service
	Scopes  *tins.Scopes
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, ledger: d.Ledger, records: d.Records, scopes: d.Scopes, sealer: d.Sealer, audit: d.Audit, zone: d.Zone}
}

// Listed is a bill in the list, with its page.
type Listed struct {
	facts.Bill
	Page string
}

// Candidate is a bill that a payment may belong to.
type Candidate struct {
	Listed
	Differences []matching.Difference
}

// CanMatch reports whether the payment can be matched to the bill.
func (c Candidate) CanMatch() bool { return len(c.Differences) <= 1 }

const (
	placePurpose    = "place in unmatched money"
	unplacedPurpose = "payment without a tax ID"
)

// place is a position in the list. Payments without a TIN come first, then bills known only from
// payments.
type place struct {
	Unplaced  *facts.Unplaced `json:",omitempty"`
	Unmatched store.Unmatched
}

const (
	// pageSize is the number of items per page.
	pageSize = 25
	// searchDays is how many days before and after a payment's service bills are searched.
	searchDays = 7
	// maxDiffer is in how many fields a candidate can differ from the payment.
	maxDiffer = 3
	// maxShown limits the candidates shown for a payment.
	maxShown = 20
	// maxJoins limits the listed joins.
	maxJoins = 200
)

// List returns a page of the queue, after auditing it. First come payments to payees known by
// NPI that no bill proves, by payee. Then come bills known only from payments, by TIN and oldest
// service first. It also returns the sealed position of the last item, or empty at the end. The
// position stays valid if that payment gets a bill.
func (s *Service) List(ctx context.Context, after string) (list []Listed, next string, err error) {
	var at place
	if after == "" {
		at.Unplaced = &facts.Unplaced{}
	} else if s.sealer.Open(placePurpose, after, &at) != nil {
		return nil, "", validate.RefuseField("Couldn't load the list.", "after", "Reload the list.")
	}
	var unplaced []facts.UnplacedPayment
	if at.Unplaced != nil {
		if unplaced, err = ledger.ListUnplaced(ctx, s.db.Reader, *at.Unplaced, pageSize+1); err != nil {
			return nil, "", err
		}
	}
	var found []facts.Bill
	if room := pageSize + 1 - len(unplaced); room > 0 {
		if found, err = ledger.ListUnmatched(ctx, s.db.Reader, at.Unmatched, room); err != nil {
			return nil, "", err
		}
	}
	more := len(unplaced)+len(found) > pageSize
	unplaced = unplaced[:min(pageSize, len(unplaced))]
	found = found[:min(pageSize-len(unplaced), len(found))]
	if err := s.auditUnplaced(ctx, "unmatched-list", unplaced); err != nil {
		return nil, "", err
	}
	if err := s.auditShown(ctx, "unmatched-list", found); err != nil {
		return nil, "", err
	}
	if list, err = s.toListedAll(unplaced, found); err != nil || !more {
		return list, "", err
	}
	last := place{}
	if n := len(found); n > 0 {
		last.Unmatched = store.Unmatched{FTIN: found[n-1].FTIN, Since: found[n-1].BeginServiceDate, Bill: found[n-1].Key()}
	} else {
		last.Unplaced = &unplaced[len(unplaced)-1].Unplaced
	}
	next, err = s.sealer.Seal(placePurpose, last)
	return list, next, err
}

func (s *Service) toListedAll(unplaced []facts.UnplacedPayment, found []facts.Bill) ([]Listed, error) {
	list := make([]Listed, len(unplaced))
	for i, u := range unplaced {
		id, err := s.sealer.Seal(unplacedPurpose, u.Unplaced)
		if err != nil {
			return nil, err
		}
		list[i] = Listed{u.Made, id}
	}
	bills, err := s.toListed(found)
	return append(list, bills...), err
}

// openUnplaced returns the payment without a TIN that a list id identifies.
func (s *Service) openUnplaced(id string) (u facts.Unplaced, is bool) {
	return u, s.sealer.Open(unplacedPurpose, id, &u) == nil
}

// auditUnplaced audits that payments without a TIN are shown, with an entry for each payee.
func (s *Service) auditUnplaced(ctx context.Context, operation audit.Operation, shown []facts.UnplacedPayment) error {
	byNPI := map[string][]string{}
	for _, u := range shown {
		byNPI[u.NPI] = append(byNPI[u.NPI], u.Made.BillControlNumber)
	}
	for _, npi := range slices.Sorted(maps.Keys(byNPI)) {
		if err := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Subject: "NPI " + npi, Answered: byNPI[npi],
			Result: "ok"}); err !=
			nil {
			return err
		}
	}
	return nil
}

func (s *Service) toListed(found []facts.Bill) ([]Listed, error) {
	list := make([]Listed, len(found))
	for i, b := range found {
		page, err := s.records.PageID(b.FTIN, b.Key())
		if err != nil {
			return nil, err
		}
		list[i] = Listed{b, page}
	}
	return list, nil
}

// auditShown audits which bills are shown, with an entry for each TIN.
func (s *Service) auditShown(ctx context.Context, operation audit.Operation, shown []facts.Bill) error {
	byTIN := map[string][]string{}
	var tins []string
	for _, b := range shown {
		if byTIN[b.FTIN] == nil {
			tins = append(tins, b.FTIN)
		}
		byTIN[b.FTIN] = append(byTIN[b.FTIN], b.BillControlNumber)
	}
	for _, tin := range tins {
		groups, err := s.scopes.FindGroups(ctx, tin)
		if err != nil {
			return err
		}
		if err := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Subject: tin, About: []string{tin}, Answered: byTIN[tin],
			Groups: groups, Result: "ok"}); err != nil {
			return err
		}
	}
	return nil
}

// findMadeBill returns the bill of a page if it's known only from its payment. If it no longer
// exists, the payment has another bill.
func (s *Service) findMadeBill(ctx context.Context, page string) (facts.Bill, error) {
	ftin, key, known := s.records.OpenPageID(page)
	if !known {
		return facts.Bill{}, problem.New(problem.NotFound)
	}
	list, err := store.SelectByNumbers(ctx, s.db.Reader, ftin, []string{key})
	if err == nil && (len(list) == 0 || list[0].Source != facts.SourcePayment) {
		err = explainRefusal(batch.ErrNotUnmatched)
	}
	if err != nil {
		return facts.Bill{}, err
	}
	return list[0], nil
}

// Candidates returns a payment's bill and the bills that the payment may belong to, fewest
// differences first. It audits them first.
func (s *Service) Candidates(ctx context.Context, page string) (made Listed, list []Candidate, err error) {
	b, found, err := s.candidates(ctx, page)
	if err != nil {
		return made, nil, err
	}
	for _, sent := range found {
		if differ := matching.FindDifferences(b, sent); len(differ) <= maxDiffer {
			list = append(list, Candidate{Listed{Bill: sent}, differ})
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(len(a.Differences), len(b.Differences)) })
	list = list[:min(maxShown, len(list))]
	var shown []facts.Bill
	for _, c := range list {
		shown = append(shown, c.Bill)
	}
	if b.FTIN != "" {
		shown = append(shown, b)
	}
	if err := s.auditShown(ctx, "unmatched-candidates", shown); err != nil {
		return made, nil, err
	}
	all, err := s.toListed(shown)
	if err != nil {
		return made, nil, err
	}
	for i := range list {
		list[i].Listed = all[i]
	}
	return Listed{b, page}, list, nil
}

// candidates reads the payment's bill and the bills that the payment may belong to.
func (s *Service) candidates(ctx context.Context, id string) (made facts.Bill, found []facts.Bill, err error) {
	if u, is := s.openUnplaced(id); is {
		payment, err := ledger.FindUnplaced(ctx, s.db.Reader, u)
		if err != nil {
			return made, nil, explainRefusal(err)
		}
		if err := s.auditUnplaced(ctx, "unmatched-candidates", []facts.UnplacedPayment{payment}); err != nil {
			return made, nil, err
		}
		found, err = ledger.FindUnplacedCandidates(ctx, s.db.Reader, payment, searchDays)
		return payment.Made, found, err
	}
	if made, err = s.findMadeBill(ctx, id); err != nil {
		return made, nil, err
	}
	found, err = store.FindCandidates(ctx, s.db.Reader, made, searchDays)
	return made, found, err
}

// Match matches a payment to a bill with at most one difference.
func (s *Service) Match(ctx context.Context, a access.Actor, made, to string) error {
	other, sent, knownToo := s.records.OpenPageID(to)
	if u, is := s.openUnplaced(made); is && knownToo {
		return s.change(ctx, other, "payment-join", func(tx *sql.Tx) ([]string, string, error) {
			j, err := s.ledger.JoinUnplaced(ctx, tx, u, other, sent, a.Person.UserName)
			return []string{sent}, "payment to NPI " + u.NPI + ", differs in " + cmp.Or(j.Difference, "nothing"), err
		})
	}
	tin, from, known := s.records.OpenPageID(made)
	if !known || !knownToo || tin != other {
		return problem.New(problem.NotFound)
	}
	return s.change(ctx, tin, "payment-join", func(tx *sql.Tx) ([]string, string, error) {
		j, err := s.ledger.Join(ctx, tx, tin, from, sent, a.Person.UserName)
		return []string{from, sent}, "differs in " + cmp.Or(j.Difference, "nothing"), err
	})
}

// Dismiss dismisses a payment without a bill.
func (s *Service) Dismiss(ctx context.Context, a access.Actor, made string) error {
	if u, is := s.openUnplaced(made); is {
		return s.change(ctx, "", "payment-leave", func(tx *sql.Tx) ([]string, string, error) {
			_, err := s.ledger.DismissUnplaced(ctx, tx, u, a.Person.UserName)
			return nil, "payment to NPI " + u.NPI, err
		})
	}
	tin, key, known := s.records.OpenPageID(made)
	if !known {
		return problem.New(problem.NotFound)
	}
	return s.change(ctx, tin, "payment-leave", func(tx *sql.Tx) ([]string, string, error) {
		_, err := s.ledger.Dismiss(ctx, tx, tin, key, a.Person.UserName)
		return []string{key}, "", err
	})
}

// Undo undoes the decision about a payment, identified by its fact.
func (s *Service) Undo(ctx context.Context, a access.Actor, ftin, payment string) error {
	if err := s.change(ctx, ftin, "payment-undo", func(tx *sql.Tx) ([]string, string, error) {
		j, err := s.ledger.Undo(ctx, tx, ftin, payment, a.Person.UserName)
		return nil, fmt.Sprintf("by %s on %s", j.By, date.Of(j.At.In(s.zone)).US()), err
	}); err != nil {
		return err
	}
	return s.ledger.PlacePayees(ctx)
}

// change changes bills of a TIN and audits the change in one transaction.
func (s *Service) change(
	ctx context.Context, ftin string, operation audit.Operation, do func(tx *sql.Tx) (bills []string, detail string, err error),
) error {
	var groups []int64
	var about []string
	if ftin != "" {
		var err error
		if groups, err = s.scopes.FindGroups(ctx, ftin); err != nil {
			return err
		}
		about = []string{ftin}
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		keys, detail, err := do(tx)
		if err != nil {
			return explainRefusal(err)
		}
		about, subject := slices.Clone(about), ftin
		for _, key := range keys {
			subject = ftin + " " + key
			about = append(about, subject)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: subject, About: about, Groups: groups, Result: "ok",
			Detail: detail})
	})
}

// explainRefusal returns the message for a change that failed.
func explainRefusal(err error) error {
	switch {
	case errors.Is(err, db.ErrNotFound):
		return problem.New(problem.NotFound)
	case errors.Is(err, batch.ErrNoJoin):
		return problem.WithMessage(problem.Conflict, "This was already undone. Reload the list.")
	case errors.Is(err, batch.ErrNotUnmatched):
		return problem.WithMessage(problem.Conflict,
			"This payment already has a bill. Someone matched it, or the bill arrived in a file. Reload the list.")
	case errors.Is(err, batch.ErrNotSent):
		return problem.WithMessage(problem.Conflict, "The other bill is also known only from a payment. Match to a submitted bill.")
	case errors.Is(err, batch.ErrDiffersMore):
		return problem.WithMessage(problem.Conflict,
			"They differ in more than one value, so they can't be matched. Ask the sender for a corrected file.")
	case errors.Is(err, batch.ErrAlreadyDecided):
		return problem.WithMessage(problem.Conflict, "Someone else already matched or dismissed this payment. Reload the list.")
	}
	return err
}

// Joins lists the last decisions, newest first.
func (s *Service) Joins(ctx context.Context) (list []ledger.JoinSummary, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		list, err = ledger.ListJoins(ctx, tx, maxJoins)
		return err
	})
	return list, err
}
