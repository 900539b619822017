// Package deposits compares what the bank shows with the remittances of an office. Nothing is
// stored.
package deposits

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Ages returns how current the remittances are.
type Ages interface {
	// AsOf returns a timestamp, ISO 8601 in UTC. It's empty if no file was imported.
	AsOf(ctx context.Context) (string, error)
}

// Service matches deposits with remittances.
type Service struct {
	db          *db.DB
	remittances *remittances.Service
	ages        Ages
	audit       *audit.Log
	now         func() time.Time
	searches    *ratelimit.Limiter
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Remittances *remittances.Service
	Ages        Ages
}

// NewService creates the service. A user can match that many lists per hour.
func NewService(d Deps, perHour int) *Service {
	platform.Require(d)
	return &Service{db: d.DB, remittances: d.Remittances, ages: d.Ages, audit: d.Audit, now: d.LocalTime,
		searches: ratelimit.Hourly(perHour)}
}

// maxWindow is how many remittances the window can have, because they are compared in memory.
const maxWindow = 300_000

// How many remittances without a deposit the screen lists, and the file.
const (
	listedOnScreen = 2_000
	listedInFile   = 20_000
)

// matchDeposits is the operation in the audit log.
const matchDeposits = "matchDeposits"

// Line is a deposit and its result.
type Line struct {
	Deposit
	Match
	Difference int64 // deposit minus remittances, for Short and Over
	Found      []remittances.Listed
}

// Unmatched is a remittance without a deposit.
type Unmatched struct {
	remittances.Listed
	Answer Answer
}

// Sum is a number of remittances and their amount in cents.
type Sum struct {
	Count  int
	Amount int64
}

// Result is the result of a list.
type Result struct {
	Lines  []Line
	Rest   []Unmatched    // the first ones
	Sums   map[Answer]Sum // of all remittances without a deposit
	Window Window
}

// Match compares the deposits of a table with the remittances of the actor's TINs. It audits the
// result first, and lists up to a number of remittances without a deposit.
func (s *Service) Match(ctx context.Context, a access.Actor, t Table, listed int) (Result, error) {
	if err := t.check(); err != nil {
		return Result{}, err
	}
	deposits := t.read()
	r := Result{Window: newWindow(deposits, date.Of(s.now())), Lines: make([]Line, len(deposits))}
	scope, err := s.remittances.Scope(ctx, a)
	if err != nil {
		return r, err
	}
	if err := s.db.Read(ctx, func(tx *sql.Tx) error { return r.compare(ctx, tx, a, scope, deposits, listed) }); err != nil {
		return r, err
	}
	return r, s.audit.RecordNow(ctx, r.entry(scope))
}

// compare reads the window's remittances and compares them.
func (r *Result) compare(
	ctx context.Context, tx *sql.Tx, a access.Actor, scope access.Scope, deposits []Deposit, listed int,
) error {
	paid, err := remittances.ListPaid(ctx, tx, scope, r.Window.From, r.Window.To, maxWindow)
	if err != nil {
		return err
	}
	if len(paid) > maxWindow {
		const many = "These days have more than 300,000 remittances. Match fewer days at a time."
		return validate.RefuseField(many, fieldRows, many)
	}
	toMatch, err := readRemittances(ctx, tx, paid, deposits)
	if err != nil {
		return err
	}
	matches, rest := match(deposits, toMatch, r.Window)
	var ids []remittances.ID
	for _, m := range matches {
		for _, i := range m.Remittances {
			ids = append(ids, paid[i].ID)
		}
	}
	rest = r.addUp(toMatch, rest, listed)
	for _, i := range rest {
		ids = append(ids, paid[i].ID)
	}
	rows, err := remittances.LoadListed(ctx, tx, a.Acting().GroupID, ids)
	for _, i := range rest {
		r.Rest = append(r.Rest, Unmatched{rows[paid[i].ID], answerWithout(toMatch[i])})
	}
	for i, m := range matches {
		l := Line{Deposit: deposits[i], Match: m}
		for _, n := range m.Remittances {
			l.Found = append(l.Found, rows[paid[n].ID])
			l.Difference -= toMatch[n].Amount
		}
		if m.Answer == Short || m.Answer == Over {
			l.Difference += *l.Amount
		} else {
			l.Difference = 0
		}
		r.Lines[i] = l
	}
	return err
}

// addUp sums up the remittances without a deposit, and returns the first ones to list: those that
// should have one, possible duplicates, and those without money.
func (r *Result) addUp(all []Remittance, rest []int, listed int) []int {
	r.Sums = map[Answer]Sum{}
	var first [3][]int
	for _, i := range rest {
		kind := answerWithout(all[i])
		sum := r.Sums[kind]
		r.Sums[kind] = Sum{sum.Count + 1, sum.Amount + all[i].Amount}
		if rank := slices.Index(withoutDeposit, kind); len(first[rank]) < listed {
			first[rank] = append(first[rank], i)
		}
	}
	shown := slices.Concat(first[:]...)
	return shown[:min(len(shown), listed)]
}

// withoutDeposit are the answers of remittances, in the order of the list.
var withoutDeposit = []Answer{NoDeposit, Possible, NoPayment}

// readRemittances prepares remittances for the comparison. It reads the whole amount of a shared
// check only if a deposit has its number.
func readRemittances(ctx context.Context, tx *sql.Tx, paid []remittances.Paid, deposits []Deposit) ([]Remittance, error) {
	named := map[string]bool{}
	for _, d := range deposits {
		named[traceKey(d.Trace)] = true
	}
	list := make([]Remittance, len(paid))
	var shared []remittances.ID
	for i, p := range paid {
		list[i] = Remittance{ID: p.Remittance, Key: traceKey(p.TraceNumber), Payer: p.Payer, On: p.PaidOn, Amount: p.Amount,
			Shared:   p.Payees > 1,
			Doubtful: p.Duplicate == facts.PossibleDuplicate}
		if list[i].Shared && named[list[i].Key] {
			shared = append(shared, p.ID)
		}
	}
	whole, err := remittances.LoadSharedAmounts(ctx, tx, shared)
	for i, p := range paid {
		if amount, known := whole[p.ID]; known {
			list[i].Whole = &amount
		}
	}
	return list, err
}

// answerWithout returns the answer of a remittance without a deposit.
func answerWithout(r Remittance) Answer {
	switch {
	case r.Doubtful:
		return Possible
	case r.Amount <= 0:
		return NoPayment
	}
	return NoDeposit
}

// entry returns the audit entry. It can be found by the TINs.
func (r *Result) entry(scope access.Scope) audit.Entry {
	e := audit.Entry{Operation: matchDeposits, Subject: strings.Join(scope.TINs(), " "), About: slices.Clone(scope.TINs()), Result: "ok",
		Detail: text.FormatCount(len(r.Lines), "deposit", "deposits") +
			fmt.Sprintf(", remittances of %s to %s", r.Window.From, r.Window.To)}
	for _, l := range r.Lines {
		for _, f := range l.Found {
			e.Answered = append(e.Answered, f.TraceNumber)
		}
	}
	for _, u := range r.Rest {
		e.Answered = append(e.Answered, u.TraceNumber)
	}
	return e
}
