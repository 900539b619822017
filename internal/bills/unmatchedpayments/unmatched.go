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
	"math"
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

// Listed is a bill in the list, with its page and the bills that its payment may belong to.
type Listed struct {
	facts.Bill
	Page       string
	Candidates []Candidate
	More       bool // there are other candidates
}

// Candidate is a bill that a payment may belong to.
type Candidate struct {
	facts.Bill
	Page        string
	Differences []matching.Difference
}

// CanMatch reports whether the payment can be matched to the bill.
func (c Candidate) CanMatch() bool { return len(c.Differences) <= 1 }

const (
	placePurpose    = "place in unmatched money"
	unplacedPurpose = "payment without a tax ID"
)

// place is a position in the list: the last payment without a TIN and the last bill known only
// from a payment.
type place struct {
	Unplaced  store.UnplacedPlace
	Unmatched store.Unmatched
}

const (
	// pageSize is the number of items per page.
	pageSize = 25
	// searchDays is how many days before and after a payment's service bills are searched.
	searchDays = 7
	// maxDiffer is in how many fields a candidate can differ from the payment.
	maxDiffer = 3
	// maxListed limits the candidates that the list shows for a payment.
	maxListed = 3
	// maxShown limits the candidates shown for one requested payment.
	maxShown = 20
	// maxJoins limits the listed joins.
	maxJoins = 200
)

// List returns a page of the queue with candidates, after auditing them. It contains payments to
// payees known by NPI that no bill proves, and bills known only from payments, largest first.
// Payments of $0.00 are a list of their own. It also returns the sealed position of the last
// item, or empty at the end. The position stays valid if that payment gets a bill.
func (s *Service) List(ctx context.Context, after string, isZero bool) (list []Listed, next string, err error) {
	at := place{store.UnplacedPlace{Paid: math.MaxInt64}, store.Unmatched{Paid: math.MaxInt64}}
	if after != "" && s.sealer.Open(placePurpose, after, &at) != nil {
		return nil, "", validate.RefuseField("Couldn't load the list.", "after", "Reload the list.")
	}
	unplaced, err := ledger.ListUnplaced(ctx, s.db.Reader, at.Unplaced, isZero, pageSize+1)
	if err != nil {
		return nil, "", err
	}
	found, err := store.ListUnmatched(ctx, s.db.Reader, at.Unmatched, isZero, pageSize+1)
	if err != nil {
		return nil, "", err
	}
	more := len(unplaced)+len(found) > pageSize
	var shownUnplaced []facts.UnplacedPayment
	var shown []facts.Bill
	for len(list) < pageSize && len(unplaced)+len(found) > 0 {
		var l Listed
		if len(found) == 0 || len(unplaced) > 0 && *unplaced[0].Made.PaidAmount >= getPaid(found[0]) {
			u := unplaced[0]
			unplaced, shownUnplaced = unplaced[1:], append(shownUnplaced, u)
			at.Unplaced = store.UnplacedPlace{Paid: *u.Made.PaidAmount, Unplaced: u.Unplaced}
			l, err = s.listUnplaced(ctx, u)
		} else {
			b := found[0]
			found, shown = found[1:], append(shown, b)
			at.Unmatched = store.Unmatched{Paid: getPaid(b), FTIN: b.FTIN, Bill: b.Key()}
			l, err = s.listUnmatched(ctx, b)
		}
		if err != nil {
			return nil, "", err
		}
		l.More = len(l.Candidates) > maxListed
		l.Candidates = l.Candidates[:min(maxListed, len(l.Candidates))]
		for _, c := range l.Candidates {
			shown = append(shown, c.Bill)
		}
		list = append(list, l)
	}
	if err := s.auditUnplaced(ctx, "unmatched-list", shownUnplaced); err != nil {
		return nil, "", err
	}
	if err := s.auditShown(ctx, "unmatched-list", shown); err != nil || !more {
		return list, "", err
	}
	next, err = s.sealer.Seal(placePurpose, at)
	return list, next, err
}

// getPaid returns what a bill was paid, 0 for nothing.
func getPaid(b facts.Bill) int64 {
	if b.PaidAmount == nil {
		return 0
	}
	return *b.PaidAmount
}

// listUnplaced returns a payment without a TIN with all its candidates.
func (s *Service) listUnplaced(ctx context.Context, u facts.UnplacedPayment) (Listed, error) {
	id, err := s.sealer.Seal(unplacedPurpose, u.Unplaced)
	if err != nil {
		return Listed{}, err
	}
	found, err := ledger.FindUnplacedCandidates(ctx, s.db.Reader, u, searchDays)
	if err != nil {
		return Listed{}, err
	}
	list, err := s.compare(u.Made, found)
	return Listed{Bill: u.Made, Page: id, Candidates: list}, err
}

// listUnmatched returns a bill known only from its payment with all its candidates. If only reversals
// wait for their payments, it shows their amount.
func (s *Service) listUnmatched(ctx context.Context, made facts.Bill) (Listed, error) {
	if made.TakeBackOpen && getPaid(made) == 0 {
		waiting, err := store.SumWaiting(ctx, s.db.Reader, made)
		if err != nil {
			return Listed{}, err
		}
		made.PaidAmount = &waiting
	}
	page, err := s.records.PageID(made.FTIN, made.Key())
	if err != nil {
		return Listed{}, err
	}
	found, err := store.FindCandidates(ctx, s.db.Reader, made, searchDays)
	if err != nil {
		return Listed{}, err
	}
	list, err := s.compare(made, found)
	return Listed{Bill: made, Page: page, Candidates: list}, err
}

// compare returns the bills that are similar enough to the payment's, fewest differences first.
func (s *Service) compare(made facts.Bill, found []facts.Bill) (list []Candidate, err error) {
	for _, sent := range found {
		differ := matching.FindDifferences(made, sent)
		if len(differ) > maxDiffer {
			continue
		}
		page, err := s.records.PageID(sent.FTIN, sent.Key())
		if err != nil {
			return nil, err
		}
		list = append(list, Candidate{sent, page, differ})
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(len(a.Differences), len(b.Differences)) })
	return list, nil
}

// Sum returns the number and amount of the payments in the queue.
func (s *Service) Sum(ctx context.Context) (store.UnmatchedSums, error) {
	unplaced, err := store.SumUnplaced(ctx, s.db.Reader)
	if err != nil {
		return unplaced, err
	}
	sums, err := store.SumUnmatched(ctx, s.db.Reader)
	return store.UnmatchedSums{
		Payments: sums.Payments + unplaced.Payments, Paid: sums.Paid + unplaced.Paid, Zero: sums.Zero + unplaced.Zero,
	}, err
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

// auditShown audits which bills are shown, with an entry for each TIN.
func (s *Service) auditShown(ctx context.Context, operation audit.Operation, shown []facts.Bill) error {
	byTIN := map[string][]string{}
	var tins []string
	for _, b := range shown {
		if byTIN[b.FTIN] == nil {
			tins = append(tins, b.FTIN)
		}
		if !slices.Contains(byTIN[b.FTIN], b.BillControlNumber) {
			byTIN[b.FTIN] = append(byTIN[b.FTIN], b.BillControlNumber)
		}
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
func (s *Service) Candidates(ctx context.Context, id string) (Listed, error) {
	l, err := s.findListed(ctx, id)
	if err != nil {
		return l, err
	}
	l.Page, l.Candidates = id, l.Candidates[:min(maxShown, len(l.Candidates))]
	var shown []facts.Bill
	for _, c := range l.Candidates {
		shown = append(shown, c.Bill)
	}
	if l.FTIN != "" {
		shown = append(shown, l.Bill)
	}
	return l, s.auditShown(ctx, "unmatched-candidates", shown)
}

// findListed reads the payment of an id in the list, and audits one without a TIN.
func (s *Service) findListed(ctx context.Context, id string) (Listed, error) {
	u, is := s.openUnplaced(id)
	if !is {
		made, err := s.findMadeBill(ctx, id)
		if err != nil {
			return Listed{}, err
		}
		return s.listUnmatched(ctx, made)
	}
	payment, err := ledger.FindUnplaced(ctx, s.db.Reader, u)
	if err != nil {
		return Listed{}, explainRefusal(err)
	}
	if err := s.auditUnplaced(ctx, "unmatched-candidates", []facts.UnplacedPayment{payment}); err != nil {
		return Listed{}, err
	}
	return s.listUnplaced(ctx, payment)
}

// Match matches a payment to a bill with at most one difference. It returns the decision, which
// can be undone.
func (s *Service) Match(ctx context.Context, a access.Actor, made, to string) (j facts.Join, err error) {
	other, sent, knownToo := s.records.OpenPageID(to)
	if u, is := s.openUnplaced(made); is && knownToo {
		err = s.change(ctx, other, "payment-join", func(tx *sql.Tx) ([]string, string, error) {
			j, err = s.ledger.JoinUnplaced(ctx, tx, u, other, sent, a.Person.UserName)
			return []string{sent}, "payment to NPI " + u.NPI + ", differs in " + cmp.Or(j.Difference, "nothing"), err
		})
		return j, err
	}
	tin, from, known := s.records.OpenPageID(made)
	if !known || !knownToo || tin != other {
		return j, problem.New(problem.NotFound)
	}
	err = s.change(ctx, tin, "payment-join", func(tx *sql.Tx) ([]string, string, error) {
		j, err = s.ledger.Join(ctx, tx, tin, from, sent, a.Person.UserName)
		return []string{from, sent}, "differs in " + cmp.Or(j.Difference, "nothing"), err
	})
	return j, err
}

// Dismiss dismisses a payment without a bill. It returns the decision, which can be undone.
func (s *Service) Dismiss(ctx context.Context, a access.Actor, made string) (j facts.Join, err error) {
	if u, is := s.openUnplaced(made); is {
		err = s.change(ctx, "", "payment-leave", func(tx *sql.Tx) ([]string, string, error) {
			j, err = s.ledger.DismissUnplaced(ctx, tx, u, a.Person.UserName)
			return nil, "payment to NPI " + u.NPI, err
		})
		return j, err
	}
	tin, key, known := s.records.OpenPageID(made)
	if !known {
		return j, problem.New(problem.NotFound)
	}
	err = s.change(ctx, tin, "payment-leave", func(tx *sql.Tx) ([]string, string, error) {
		j, err = s.ledger.Dismiss(ctx, tx, tin, key, a.Person.UserName)
		return []string{key}, "", err
	})
	return j, err
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
