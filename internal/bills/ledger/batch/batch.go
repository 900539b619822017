// Package batch derives bills and checks again for the facts that one transaction adds, changes or
// decides on, together with all facts related to them.
package batch

import (
	"context"
	"database/sql"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
)

// crowdedAt is how many facts one link can have. A value shared by more isn't a bill's number.
const crowdedAt = 500

// The locks that TINs share, and other locks after them.
const (
	lockSpace = 7723502
	stripes   = 4096

	carryOverLock = stripes
	changesLock   = stripes + 1
)

// lockStripes returns the locks of TINs. A bill group never spans TINs, so only the transaction
// with the TIN's lock derives it.
func lockStripes(tins []string) []int {
	list := make([]int, len(tins))
	for i, tin := range tins {
		h := fnv.New32a()
		h.Write([]byte(tin))
		list[i] = int(h.Sum32() % stripes)
	}
	return list
}

// LockTINs locks TINs and payee NPIs until the transaction ends.
func LockTINs(ctx context.Context, d *db.DB, tx *sql.Tx, tins []string) error {
	return d.Lock(ctx, tx, lockSpace, lockStripes(tins)...)
}

// LockMigration lets only one transaction at a time migrate old bills.
func LockMigration(ctx context.Context, d *db.DB, tx *sql.Tx) error {
	return d.Lock(ctx, tx, lockSpace, carryOverLock)
}

// Needs are what batches need.
type Needs struct {
	DB        *db.DB
	Now       func() time.Time
	Zone      *time.Location // of the business
	Directory Directory
	DueDates  DueDates
	Keyed     []Keyed
}

// transaction is what the batches of one transaction share.
type transaction struct {
	Needs
	Tx      *sql.Tx
	At      db.Instant
	Run     ingest.Run
	crowded map[facts.LinkRef]bool
	joins   joins
}

// Batch is one batch: its facts, all related facts, and the bills derived from them before.
type Batch struct {
	*transaction
	rewrite  bool // bills are written even if they haven't changed
	readOnly bool
	loaded   loadedFacts
	arrived  arrivals
	search   linkSearch
	untied   untiedPayments
	former   formerBills
	checks   comparedChecks
}

// loadedFacts are the facts of a batch and all related facts.
type loadedFacts struct {
	submissions map[facts.FactRef]*facts.Submission
	payments    map[facts.FactRef][]*facts.Payment // by occurrence
}

// arrivals are what is new about the facts of a batch.
type arrivals struct {
	fresh     map[facts.FactRef]bool
	freshPaid map[*facts.Payment]bool
	matched   int64 // fresh payments with a bill
	whole     map[*facts.Payment]bool
	rewritten map[facts.FactRef]bool // reported again, and their stored data changes
	touched   map[facts.FactRef]bool // their stored data changes: fresh, reported again or gone
}

// linkSearch is which links were followed.
type linkSearch struct {
	expanded map[facts.FactRef]bool
	asked    map[facts.LinkRef]bool
	holders  map[facts.LinkRef]map[string]bool // of fresh facts
}

// untiedPayments are payments without a strong match; see DerivedBill.Untied.
type untiedPayments struct {
	refs   map[facts.FactRef]bool
	sought map[facts.FactRef]bool // already searched by truncated account number
}

// formerBills are bills of facts that no longer exist, or that a join took over.
type formerBills struct {
	left   map[facts.BillRef]bool
	asked  map[facts.BillRef]bool       // their facts are loaded
	madeAt map[facts.FactRef]db.Instant // when bills that are made of payments again were first seen
}

// comparedChecks are checks with the same number.
type comparedChecks struct {
	relations map[facts.CheckRef]checkRelation    // results, shared by the batches of a transaction
	stored    map[facts.CheckRef]facts.Remittance // the checks with the batch's numbers, as stored before
}

// Begin locks the TINs and payee NPIs of a batch.
func Begin(ctx context.Context, n Needs, tx *sql.Tx, tins map[string]bool) (*Batch, error) {
	delete(tins, "")
	list := slices.Sorted(maps.Keys(tins))
	if err := LockTINs(ctx, n.DB, tx, list); err != nil {
		return nil, err
	}
	if err := n.DB.ForceIndexScans(ctx, tx); err != nil {
		return nil, err
	}
	t, err := newTransaction(ctx, n, tx, list)
	if err != nil {
		return nil, err
	}
	t.At, t.Run = db.At(n.Now()), ingest.CurrentRun(ctx)
	return t.newBatch(map[facts.CheckRef]checkRelation{}), nil
}

// newTransaction reads what applies to all facts of TINs.
func newTransaction(ctx context.Context, n Needs, tx *sql.Tx, tins []string) (*transaction, error) {
	crowded, err := store.LoadCrowded(ctx, tx, tins)
	if err != nil {
		return nil, err
	}
	joined, err := store.LoadJoins(ctx, tx, tins)
	return &transaction{Needs: n, Tx: tx, crowded: crowded, joins: newJoins(joined)}, err
}

func (t *transaction) newBatch(relations map[facts.CheckRef]checkRelation) *Batch {
	return &Batch{
		transaction: t,
		loaded:      loadedFacts{map[facts.FactRef]*facts.Submission{}, map[facts.FactRef][]*facts.Payment{}},
		arrived: arrivals{fresh: map[facts.FactRef]bool{}, freshPaid: map[*facts.Payment]bool{}, whole: map[*facts.Payment]bool{},
			rewritten: map[facts.FactRef]bool{}, touched: map[facts.FactRef]bool{}},
		search: linkSearch{map[facts.FactRef]bool{}, map[facts.LinkRef]bool{}, map[facts.LinkRef]map[string]bool{}},
		untied: untiedPayments{sought: map[facts.FactRef]bool{}},
		former: formerBills{left: map[facts.BillRef]bool{}, asked: map[facts.BillRef]bool{}},
		checks: comparedChecks{relations: relations},
	}
}

// newSibling returns work on other facts of the TINs that the batch has locked.
func (w *Batch) newSibling() *Batch {
	sibling := w.newBatch(w.checks.relations)
	sibling.readOnly = w.readOnly
	return sibling
}

// has reports whether a fact is loaded.
func (l loadedFacts) has(k facts.FactRef) bool {
	return l.submissions[k] != nil || l.payments[k] != nil
}

// hold notes the links of a fresh fact, which aren't stored yet.
func (s linkSearch) hold(k facts.FactRef, links []string) {
	for _, t := range links {
		l := facts.LinkRef{FTIN: k.FTIN, Link: t}
		if s.holders[l] == nil {
			s.holders[l] = map[string]bool{}
		}
		s.holders[l][k.Fact] = true
	}
}

// reset forgets the payments, before their bills are derived again.
func (u *untiedPayments) reset() { u.refs = map[facts.FactRef]bool{} }

// add notes payments of a TIN.
func (u *untiedPayments) add(tin string, ids []facts.FactID) {
	for _, id := range ids {
		u.refs[facts.FactRef{FTIN: tin, Fact: id.Fact}] = true
	}
}

// Directory returns the TINs under which providers work, by NPI.
type Directory interface {
	ListTINsByNPI(ctx context.Context, q db.Queryer, npi string) ([]string, error)
}

// DueDates calculates when something is due for a bill.
type DueDates interface {
	// Rules returns the calculation, from a bill and the day on which its payer received it, if known.
	// Changes to it wait for the end of the transaction.
	Rules(ctx context.Context, tx *sql.Tx) (func(b facts.Bill, payerReceived date.Date) date.Date, error)
}

func (l loadedFacts) payment(tin string, id facts.FactID) *facts.Payment {
	list := l.payments[facts.FactRef{FTIN: tin, Fact: id.Fact}]
	return list[slices.IndexFunc(list, func(p *facts.Payment) bool { return p.Occurrence == id.Occurrence })]
}

// CountPaid returns the number of new payments of the batch, and how many of them have a bill.
func (w *Batch) CountPaid() (paid, matched int64) {
	return int64(len(w.arrived.freshPaid)), w.arrived.matched
}
