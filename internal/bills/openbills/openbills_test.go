package openbills

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

const today = date.Date("2026-05-04")

// office is a service for users with all of these TINs, except user 4, who only has ours.
type office struct {
	*Service
	db     *db.DB
	now    time.Time
	queued []string
}

func (o *office) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	o.queued = append(o.queued, args.(ExportArgs).ID)
	return nil
}

type pages struct{}

func (pages) PageID(ftin, key string) (string, error) { return ftin + "/" + key, nil }

func (pages) OpenPageID(id string) (ftin, key string, ok bool) { return strings.Cut(id, "/") }

var (
	three = access.Actor{Person: access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}}
	four  = access.Actor{Person: access.Person{ID: 4, UserName: "user4", Type: access.PRUS, GroupID: 7}}
	five  = access.Actor{Person: access.Person{ID: 5, UserName: "user5", Type: access.PRUS, GroupID: 8}}
	six   = access.Actor{Person: access.Person{ID: 6, UserName: "user6", Type: access.PRUS, GroupID: 9}}
	// lead administers the group of three and four.
	lead = access.Actor{Person: access.Person{ID: 10, UserName: "user10", Type: access.PRAD, GroupID: 7}}
	// The staff member clerk mirrors user 3.
	clerk = access.Actor{Person: access.Person{ID: 9, UserName: "clerk", Type: access.ISAD}, Mirrored: &three.Person}
)

func newOffice(t *testing.T, d *db.DB) *office {
	t.Helper()
	people(t, d.Writer)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	o := &office{db: d, now: today.Time().Add(9 * time.Hour)}
	sealer := seal.New(make([]byte, 32))
	entries := audit.New(audit.Deps{DB: d, Clock: func() time.Time { return o.now }, Log: log, Sealer: sealer})
	t.Cleanup(entries.Close)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	now := func() time.Time { return o.now }
	kit := platform.Kit{DB: d, Audit: entries, Clock: now, Zone: time.UTC, Jobs: o, Files: files, Limits: ratelimit.NewShared(d, now),
		Sealer: sealer}
	o.Service = NewService(Deps{Kit: kit, Scopes: tins.NewScopes(d), Users: identitytest.NewUsers(d), Pages: pages{}}, fileexport.Quota{})
	return o
}

func (o *office) add(t *testing.T, bills ...facts.Bill) {
	t.Helper()
	require.NoError(t, store.Bills.Insert(t.Context(), o.db.Writer, bills...))
}

// change adds a change to a bill.
func (o *office) change(t *testing.T, ftin, key string) {
	t.Helper()
	require.NoError(t, dbtest.Err(o.db.Writer.ExecContext(t.Context(), `
		INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet)
			VALUES ($1, $2, 'PAID', '0', $3, false)`, ftin, key, db.At(o.now))))
}

func bill(ftin, number string, state billstate.State, on date.Date) facts.Bill {
	return facts.Bill{FTIN: ftin, BillControlNumber: number, OpenState: state, BeginServiceDate: on, BillType: "P", BillStatus: "1",
		Source: facts.SourceBill, Fact: "f", BillCharges: 10000}
}

func (o *office) list(t *testing.T, a access.Actor, f Filter) string {
	t.Helper()
	return strings.Join(listNumbers(o.all(t, a, f, 50)), " ")
}

func listNumbers(list []Listed) (numbers []string) {
	for _, l := range list {
		numbers = append(numbers, l.BillControlNumber)
	}
	return numbers
}

// all reads the list page by page.
func (o *office) all(t *testing.T, a access.Actor, f Filter, limit int) []Listed {
	t.Helper()
	var list []Listed
	var after Place
	for range 1000 {
		part, next, err := o.Page(t.Context(), a, f, after, 0, limit)
		require.NoError(t, err)
		if list = append(list, part...); next == nil {
			return list
		}
		require.Len(t, part, limit)
		after = *next
	}
	t.Fatal("the list has no end")
	return nil
}

func (o *office) set(t *testing.T, a access.Actor, c Change, list ...Listed) []Outcome {
	t.Helper()
	targets := make([]Target, len(list))
	for i, l := range list {
		targets[i] = Target{l.Page, l.Work.Version, l.Changed}
	}
	out, err := o.Set(t.Context(), a, targets, c)
	require.NoError(t, err)
	return out
}

func ref[T any](v T) *T { return &v }

func TestListsBillsThatNeedFollowUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		because := func(b facts.Bill, reasons string, due date.Date) facts.Bill {
			b.Reasons, b.NextDue = reasons, due
			return b
		}
		by := func(b facts.Bill, last, first string) facts.Bill {
			b.PhysicianLastName, b.PhysicianFirstName = last, first
			return b
		}
		from := func(b facts.Bill, payer string) facts.Bill {
			b.PayerName = payer
			return b
		}
		o.add(t,
			because(bill(ours, "N2", billstate.Received, "2026-04-02"), "", today.AddDays(7)),
			because(by(bill(theirs, "P1", billstate.Priced, "2026-04-01"), "O'BRIEN", "Pat"), "", today),
			because(from(bill(ours, "D1", billstate.Denied, "2026-03-01"), "CORPORACIÓN 5% S.A."), "CO-45", today.AddDays(-1)),
			bill(ours, "U1", billstate.PaymentOnly, ""), bill(ours, "F1", billstate.Settled, "2026-01-01"),
			bill(ours, "V1", billstate.Void, "2026-01-01"),
			bill(ours, "X1", billstate.RepricedOnly, "2026-01-01"), bill(theirs, "R1", billstate.Reversed, "2026-02-01"),
			because(by(bill(theirs, "S1", billstate.Short, "2026-04-01"), "ORTÍZ", "José"), "CO-45 N130 PR-1 RX-70", today.AddDays(8)),
			bill("333333333", "N9", billstate.Received, "2026-01-01"))
		for _, c := range []struct {
			who  access.Actor
			f    Filter
			want string
		}{
			{three, Filter{}, "R1 D1 P1 S1 N2 U1"},
			{four, Filter{}, "D1 N2 U1"},
			{five, Filter{}, "R1 P1 S1"},
			{clerk, Filter{}, "R1 D1 P1 S1 N2 U1"},
			{three, Filter{States: []string{billstate.NameDenied}}, "D1 U1"},
			{three, Filter{States: []string{billstate.NameShort, billstate.NamePriced}}, "P1 S1"},
			{three, Filter{TINs: []string{ours}}, "D1 N2 U1"},
			{three, Filter{TINs: []string{"333333333"}}, ""},
			{three, Filter{From: "2026-04-01", To: "2026-04-01"}, "P1 S1"},
			{three, Filter{AmountFrom: ref[int64](10001)}, ""},
			{three, Filter{Marked: MarkedDone}, ""},
			{three, Filter{Due: DuePassed}, "D1"},
			{three, Filter{Due: DueWeek}, "P1 N2"},
			{three, Filter{Due: DueSoon}, "P1 S1 N2"},
			{three, Filter{Reason: "co-45"}, "D1 S1"},
			{three, Filter{Reason: "45"}, "D1 S1"},
			{three, Filter{Reason: "4"}, ""},
			{three, Filter{Reason: "N130"}, "S1"},
			{three, Filter{Reason: "PR-45"}, ""},
			{three, Filter{Reason: "rx-70"}, "S1"},
			{three, Filter{Reason: "70"}, ""}, // another list of codes
			{three, Filter{Provider: "ortiz, jose"}, "S1"},
			{three, Filter{Provider: "Ort\u00edz Jo"}, "S1"},
			{three, Filter{Provider: "obrien"}, "P1"},
			{three, Filter{Provider: "O’Brien 50%"}, ""},
			{three, Filter{Payer: "CORPORACIÓN 5% S.A."}, "D1"},
			{three, Filter{Payer: "racion 5%"}, "D1"},
			{three, Filter{Payer: "% s"}, "D1"},
			{three, Filter{Payer: "corporation"}, ""},
		} {
			if got := o.list(t, c.who, c.f); got != c.want {
				t.Errorf("%s %+v: got %q, want %q", c.who.Acting().UserName, c.f, got, c.want)
			}
		}
	})
}

// A note is stored with the change that it belongs to, or not at all.
func TestChangesCarryANote(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", billstate.Priced, "2026-04-01"))
		stale := o.all(t, three, Filter{}, 50)[0]
		out := o.set(t, three, Change{FollowUpOn: ref(today), Note: " Called the payer. "}, stale)
		if out[0].Outcome != Saved || out[0].Work.Notes != 1 || out[0].Work.FollowUpOn != today {
			t.Errorf("%+v", out)
		}
		if out := o.set(t, three, Change{FollowUpOn: ref(today), Note: "Again"}, stale); out[0].Outcome != Stale {
			t.Errorf("%+v", out)
		}
		target := []Target{{Page: stale.Page, Version: 1}}
		long := Change{Marked: ref(MarkedDone), Note: strings.Repeat("x", MaxNote+1)}
		if _, err := o.Set(t.Context(), three, target, long); !problem.Is(err, problem.Invalid) {
			t.Errorf("a long note: %v", err)
		}
		if _, err := o.Set(t.Context(), three, target, Change{Note: "Only a note"}); !problem.Is(err, problem.Invalid) {
			t.Errorf("without a change: %v", err)
		}
		notes, err := o.Notes(t.Context(), three, stale.Page)
		if err != nil || len(notes) != 1 || notes[0].Body != "Called the payer." {
			t.Errorf("%+v, %v", notes, err)
		}
		var recorded int
		err = db.Get(t.Context(), d.Reader, &recorded, `SELECT count(*) FROM audit_log WHERE operation = 'bill-note-add'`)
		assert.NoError(t, err)
		assert.Equal(t, 1, recorded)
	})
}

func TestRejectsInvalidFilters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for _, f := range []Filter{
			{States: []string{"paid"}}, {TINs: []string{"1"}}, {Marked: "x"}, {From: "2026-02-01", To: "2026-01-01"},
			{AmountFrom: ref[int64](2), AmountTo: ref[int64](1)}, {Payer: strings.Repeat("x", 129)}, {Due: "x"}, {Order: "x"},
			{Reason: "CO 45"},
			{Reason: "%"},
		} {
			if _, _, err := o.Page(t.Context(), three, f, Place{}, 0, 1); !problem.Is(err, problem.Invalid) {
				t.Errorf("%+v: %v", f, err)
			}
			if _, err := o.Summary(t.Context(), three, f); !problem.Is(err, problem.Invalid) {
				t.Errorf("the sum of %+v: %v", f, err)
			}
		}
		assert.NoError(t, dbtest.Err(o.Summary(t.Context(), three, Filter{Payer: strings.Repeat("x", 128)})))
		if _, err := o.Summary(t.Context(), three, Filter{Assigned: "user5"}); !problem.Is(err, problem.NotFound) {
			t.Errorf("assigned to another group's: %v", err)
		}
	})
}

func picker(random *rand.Rand) func(list ...string) string {
	return func(list ...string) string { return list[random.IntN(len(list))] }
}

// fill creates bills of all kinds with some work, one day old.
func (o *office) fill(t *testing.T, random *rand.Rand) {
	t.Helper()
	pick := picker(random)
	var made []facts.Bill
	for i := range 400 {
		b := bill(pick(ours, theirs), fmt.Sprintf("B%03d", i), billstate.State(pick("N", "P", "D", "S", "R", "U", "F", "V", "X")),
			today.AddDays(-random.IntN(120)))
		b.PaidDate = today.AddDays(-random.IntN(60))
		b.PayerName, b.PhysicianLastName = pick("Beacon Road", "Harbor", "harbor", "", "100% Mutual"), pick("Ort\u00edz", "Lee")
		b.BillCharges = int64(random.IntN(5)) * 2500
		if random.IntN(2) == 0 {
			b.RecommendedAllowance = ref(b.BillCharges / 2)
		}
		if random.IntN(3) == 0 {
			b.PaidAmount = ref(b.BillCharges / 4)
		}
		if random.IntN(20) == 0 {
			b.BeginServiceDate = ""
		}
		if random.IntN(2) == 0 {
			b.NextDue = today.AddDays(random.IntN(20) - 10)
		}
		b.Reasons = pick("", "CO-45", "CO-29 N130")
		b.BillStatus, b.TakeBackOpen = pick("0", "3", "4"), random.IntN(4) == 0
		made = append(made, b)
	}
	o.add(t, made...)
	all := o.all(t, three, Filter{}, 50)
	for i := range 120 {
		c := Change{FollowUpOn: ref(today.AddDays(random.IntN(3)))}
		switch i % 4 {
		case 0:
			c.AssignTo = ref("user3")
		case 1:
			c.Marked = ref(MarkedDone)
		case 2:
			c.Marked, c.Until = ref(Snoozed), today.AddDays(1+random.IntN(3))
		}
		o.set(t, three, c, all[i])
	}
	for range 15 {
		b := made[random.IntN(len(made))]
		o.change(t, b.FTIN, b.Key())
	}
	require.NoError(t, o.AddNote(t.Context(), three, all[0].Page, "x"))
	for i := range 90 { // of the bills with work
		id, b := int64(i+1), all[i].Bill
		on := today.AddDays(-random.IntN(40))
		for _, statement := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO payer_calls (id, author_id, request_key, at, called_on, payer, person, outcome, reference, body)
				VALUES ($1, 3, $2, $3, $4, 'x', '', $5, '', '')`, []any{id, fmt.Sprint(i), db.At(o.now), on, pick("denied", "other")}},
			{`INSERT INTO payer_call_bills (call_id, group_id, ftin, bill_control_number_key) VALUES ($1, 7, $2, $3)`,
				[]any{id, b.FTIN, b.Key()}},
		} {
			require.NoError(t, dbtest.Err(o.db.Writer.ExecContext(t.Context(), statement.query, statement.args...)))
		}
	}
	o.now = o.now.AddDate(0, 0, 1)
}

func randomFilter(random *rand.Rand) Filter {
	pick := picker(random)
	f := Filter{Marked: pick(MarkedOpen, MarkedOpen, MarkedDone, Snoozed), Assigned: pick("", "", "user3", "user4"),
		Unassigned: random.IntN(5) == 0, FollowUps: random.IntN(4) == 0, Noted: random.IntN(9) == 0}
	for _, s := range billstate.Filters() {
		if random.IntN(3) == 0 {
			f.States = append(f.States, s)
		}
	}
	f.Payer, f.Provider = pick("", "", "harbor", "0% M"), pick("", "", "lee")
	if random.IntN(3) == 0 {
		f.From, f.To = today.AddDays(-90), today.AddDays(-random.IntN(60))
	}
	if random.IntN(3) == 0 {
		f.AmountFrom, f.AmountTo = ref[int64](2500), ref[int64](7500)
	}
	if random.IntN(4) == 0 {
		f.TINs = []string{ours}
	}
	if random.IntN(4) == 0 {
		f.AgeFrom, f.AgeTo = ref(random.IntN(40)), ref(40+random.IntN(60))
	}
	if random.IntN(4) == 0 {
		f.ShortFrom = ref(int64(random.IntN(3)) * 2500)
	}
	f.Due, f.Reason = pick("", "", DuePassed, DueWeek), pick("", "", "29", "co-45")
	f.Answered, f.Mine, f.Order = pick("", "", "", "thisMonth", "lastMonth", "last7", "last30"), random.IntN(9) == 0, pick(Orders...)
	f.CallOutcome = CallOutcome(pick("", "", "", "denied"))
	f.Called = pick("", "", "", "", CalledNever, CalledLast7, CalledLast30, NotCalled14)
	return f
}

// List, filter, totals and file show the same difference, and treat bills known only from
// payments the same.
func TestListMatchesPage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		short := func(number string, change func(*facts.Bill)) facts.Bill {
			b := bill(ours, number, billstate.Short, "2026-03-01")
			b.RecommendedAllowance, b.PaidAmount = ref[int64](8000), ref[int64](5000)
			change(&b)
			return b
		}
		unpaid := func(number, status string) facts.Bill {
			b := bill(ours, number, billstate.PaymentOnly, "2026-03-02")
			b.BillStatus, b.PaidAmount = status, ref[int64](0)
			return b
		}
		o.add(t,
			short("S1", func(*facts.Bill) {}), short("S2", func(b *facts.Bill) { b.TakeBackOpen = true }),
			short("S3", func(b *facts.Bill) { b.OpenState, b.PaidAmount = billstate.Reversed, ref[int64](0) }),
			unpaid("U1", facts.StatusDenied), unpaid("U2", facts.StatusPaidCorrected), unpaid("U3", facts.StatusPaid))
		var got []string
		for _, l := range o.all(t, three, Filter{}, 50) {
			b := toOpenBill(l, today)
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", b.BillControlNumber, billstate.Label(b.State),
				formatDollars(b.Difference))))
		}
		if want := "S1 Paid below allowance 30.00, S2 Paid below allowance, S3 Payment reversed, U1 Denied, U2 Payment reversed, U3 " +
			"Paid $0"; strings.Join(got, ", ") != want {
			t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
		}
		for want, f := range map[string]Filter{
			"S1": {ShortFrom: ref[int64](1)}, "S1 S2": {States: []string{billstate.NameShort}},
			"U1 U3": {States: []string{billstate.NameDenied}},
			"S3 U2": {States: []string{billstate.NameReversed}},
		} {
			assert.Equal(t, want, o.list(t, three, f), f)
		}
		sum, err := o.Summary(t.Context(), three, Filter{})
		if err != nil || sum.All.Short != 3000 || sum.States[billstate.NameShort] != (Sum{2, 20000, 16000, 10000, 3000}) ||
			sum.States[billstate.NameReversed].Bills !=
				2 || sum.States[billstate.NameDenied].Bills != 2 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
}

// compareListed compares bills in an order as the rules describe it.
func compareListed(order string, a, b Listed) int {
	keys := func(l Listed) (value string, known bool) {
		switch order {
		case DueFirst, DueLast:
			return string(l.NextDue), l.NextDue != ""
		case LowestCharge, HighestCharge:
			return fmt.Sprintf("%012d", l.BillCharges), true
		case Payers, PayersReverse:
			return strings.ToLower(l.PayerName), l.PayerName != ""
		default:
			return string(l.BeginServiceDate), l.BeginServiceDate != ""
		}
	}
	x, hasX := keys(a)
	y, hasY := keys(b)
	if hasX != hasY {
		return map[bool]int{true: -1, false: 1}[hasX]
	}
	by := cmp.Or(cmp.Compare(x, y), cmp.Compare(a.BeginServiceDate, b.BeginServiceDate), cmp.Compare(a.FTIN, b.FTIN),
		cmp.Compare(a.Key(), b.Key()))
	if slices.Contains([]string{NewestFirst, DueLast, HighestCharge, PayersReverse}, order) {
		return -by
	}
	return by
}

// A position continues only the order that it's from.
func TestPlacesAreOfOneOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", billstate.Priced, "2026-04-01"), bill(ours, "B", billstate.Priced, "2026-04-02"))
		_, next, err := o.Page(t.Context(), three, Filter{Order: DueFirst}, Place{}, 0, 1)
		require.NoError(t, err)
		require.NotNil(t, next)
		for _, order := range Orders {
			_, _, err := o.Page(t.Context(), three, Filter{Order: order}, *next, 0, 1)
			assert.NotEqualf(t, order == DueFirst, problem.Is(err, problem.Invalid), "%s: %v", order, err)
		}
	})
}

// The totals equal the list for any filter, and pages follow each other without gaps.
func TestSumsAreThoseOfTheList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		random := rand.New(rand.NewPCG(1, 2))
		o.fill(t, random)
		for range 200 {
			f := randomFilter(random)
			list := o.all(t, three, f, 7)
			if !slices.IsSortedFunc(list, func(a, b Listed) int { return compareListed(f.Order, a, b) }) {
				t.Fatalf("%+v: out of order", f)
			}
			skip := random.IntN(10)
			part, _, err := o.Page(t.Context(), three, f, Place{}, skip, 3)
			require.NoError(t, err)
			if want := list[min(skip, len(list)):min(skip+3, len(list))]; fmt.Sprint(listNumbers(part)) != fmt.Sprint(listNumbers(want)) {
				t.Errorf("%+v after %d: %v, want %v", f, skip, listNumbers(part), listNumbers(want))
			}
			sum, err := o.Summary(t.Context(), three, f)
			require.NoError(t, err)
			want := Summary{States: map[string]Sum{}, Ages: map[string]Ages{}}
			for _, l := range list {
				sum := tally{Bills: 1, Charges: l.BillCharges}
				if l.RecommendedAllowance != nil {
					sum.Allowed = *l.RecommendedAllowance
				}
				if l.PaidAmount != nil {
					sum.Paid = *l.PaidAmount
				}
				if d := l.Difference(); d != nil {
					sum.Short = *d
				}
				add := func(s *Sum) { s.add(sum) }
				state := want.States[l.DisplayState().Filter()]
				add(&state)
				want.States[l.DisplayState().Filter()] = state
				add(&want.All)
				if today, isPayers := date.Of(o.now), l.DisplayState().NextToAct() == billstate.Payer; l.NextDue != "" {
					if l.NextDue < today && isPayers {
						add(&want.PayerLate)
					}
					if l.NextDue >= today && l.NextDue <= today.AddDays(14) && !isPayers {
						add(&want.OfficeDue)
					}
				}
				if l.BeginServiceDate == "" {
					add(&want.Undated)
				} else {
					age := int(date.Of(o.now).Time().Sub(l.BeginServiceDate.Time()).Hours() / 24)
					at := min(3, max(0, (age-1)/30))
					add(&want.AllAges[at])
					ages := want.Ages[l.DisplayState().Filter()]
					add(&ages[at])
					want.Ages[l.DisplayState().Filter()] = ages
				}
				if w := l.Work; w.FollowUpOn != "" && w.FollowUpOn <= date.Of(o.now) && (w.AssignedTo == 0 || w.AssignedTo == 3) {
					want.FollowUps.Bills++
					want.FollowUps.Charges += l.BillCharges
				}
			}
			assert.Equalf(t, fmt.Sprint(want), fmt.Sprint(sum), "%+v\ngot  %+v\nwant %+v", f, sum, want)
		}
	})
}

func TestWorkIsTheGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "A", "P", "2026-04-01"), bill(theirs, "B", "P", "2026-04-02"), bill(ours, "C", "P", "2026-04-03"))
		list := o.all(t, three, Filter{}, 50)
		if out := o.set(t, three, Change{AssignTo: ref("USER3"), FollowUpOn: ref(today)}, list[0], list[2]); out[0].Outcome != Saved ||
			out[0].Assignee.FullName() != "User 3" || out[1].Outcome != Saved {
			t.Errorf("assigned: %+v", out)
		}
		o.set(t, three, Change{Marked: ref(MarkedDone)}, list[1])
		for _, c := range []struct {
			who  access.Actor
			f    Filter
			want string
		}{
			{three, Filter{}, "A C"}, {three, Filter{Assigned: "user3"}, "A C"}, {three, Filter{FollowUps: true}, "A C"},
			{three, Filter{Marked: MarkedDone}, "B"},
			{four, Filter{Assigned: "user3"}, "C"}, {four, Filter{FollowUps: true}, ""},
			{five, Filter{}, "A B"}, {five, Filter{Marked: MarkedDone}, ""}, {clerk, Filter{}, "A B C"},
		} {
			if got := o.list(t, c.who, c.f); got != c.want {
				t.Errorf("%s %+v: got %q, want %q", cmp.Or(c.who.Person.UserName), c.f, got, c.want)
			}
		}
		// The bill changed, so it's on the list again until it's marked as done again.
		o.change(t, theirs, "b")
		assert.Equal(t, "A B C", o.list(t, three, Filter{}))
		listed := o.all(t, three, Filter{}, 50)
		o.change(t, theirs, "b")
		o.set(t, three, Change{Marked: ref(MarkedDone)}, listed[1])
		assert.Equal(t, "A B C", o.list(t, three, Filter{}))
		o.set(t, three, Change{Marked: ref(MarkedDone)}, o.all(t, three, Filter{}, 50)[1])
		assert.Equal(t, "A C", o.list(t, three, Filter{}))
		// A snoozed bill is hidden until its day.
		o.set(t, three, Change{Marked: ref(Snoozed), Until: today.AddDays(1)}, o.all(t, three, Filter{}, 50)[0])
		assert.Equal(t, "C|A", o.list(t, three, Filter{})+"|"+o.list(t, three, Filter{Marked: Snoozed}))
		o.now = o.now.AddDate(0, 0, 1)
		assert.Equal(t, "A C|", o.list(t, three, Filter{})+"|"+o.list(t, three, Filter{Marked: Snoozed}))
	})
}

func TestConcurrentChangesOfABill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(theirs, "B", "P", "2026-04-02"))
		list := o.all(t, three, Filter{}, 50)
		o.set(t, four, Change{AssignTo: ref("user4")}, list[0])
		out := o.set(t, three, Change{AssignTo: ref("user3")}, list...)
		if out[0].Outcome != Stale || out[0].Assignee == nil || out[0].Assignee.FullName() != "User 4" || out[1].Outcome != Saved {
			t.Errorf("%+v", out)
		}
		// User 4 doesn't have the other TIN.
		out = o.set(t, three, Change{AssignTo: ref("user4")}, o.all(t, three, Filter{}, 50)[1])
		if out[0].Outcome != Unseen || out[0].Work.Version != 1 || out[0].Assignee == nil || out[0].Assignee.UserName != "user3" {
			t.Errorf("assigned to one who does not see it: %+v", out)
		}
		if out := o.set(t, four, Change{Marked: ref(MarkedDone)}, list[1]); out[0].Outcome != Gone {
			t.Errorf("out of scope: %+v", out)
		}
		for name, call := range map[string]func() error{
			"another group's": func() error {
				return dbtest.Err(o.Set(t.Context(), three, []Target{{Page: list[0].Page}}, Change{AssignTo: ref("user5")}))
			},
		} {
			if err := call(); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, c := range map[string]Change{
			"nothing": {}, "a day before": {FollowUpOn: ref(today.AddDays(-1))}, "parked until today": {Marked: ref(Snoozed), Until: today},
			"x": {Marked: ref("x")},
		} {
			if _, err := o.Set(t.Context(), three, []Target{{Page: list[0].Page}}, c); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, n := range []int{0, 501} {
			if _, err := o.Set(t.Context(), three, make([]Target, n), Change{Marked: ref(MarkedDone)}); !problem.Is(err, problem.Invalid) {
				t.Errorf("%d bills: %v", n, err)
			}
		}
	})
}

// An assignee who can't sign in keeps the bills and is named.
func TestInactiveAssignee(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(ours, "B", "P", "2026-04-02"))
		o.keep(t, three, "Theirs", true, OpenBillFilter{Assigned: "user4"})
		o.set(t, three, Change{AssignTo: ref("user4")}, o.all(t, three, Filter{}, 50)[0])
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE users SET status_cd = 'INACT' WHERE id = 4`)))
		listed := o.all(t, three, Filter{}, 50)[0]
		w, assignee, _, err := o.Work(t.Context(), three, listed.Page)
		require.NoError(t, err)
		out := o.set(t, three, Change{FollowUpOn: ref(today)}, listed)[0]
		for name, got := range map[string]OpenBillWork{
			"list": toOpenBillWork(listed.Work, listed.Assignee), "page": toOpenBillWork(w, assignee),
			"change": toOpenBillWork(out.Work, out.Assignee),
		} {
			if p := got.AssignedTo; p == nil || *p != (OpenBillPerson{"user4", "User 4 (inactive)"}) {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if counted, err := o.Counts(t.Context(), three); err != nil || len(counted) != 1 || counted[0].Bills != 1 {
			t.Errorf("%+v, %v", counted, err)
		}
	})
}

// No bill is assigned to a user who loses its TIN at the same time.
func TestAssigneeLosesTheTIN(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", "P", "2026-04-01"))
		list := o.all(t, lead, Filter{}, 50)
		wait := dbtest.Interleave(t, d, func(ctx context.Context, tx *sql.Tx) {
			assert.NoError(t, dbtest.Err(o.users.LockGroup(ctx, tx, 7)))
			identitytest.SetTINs(t, tx, four.Person, theirs)
		})
		if out := o.set(t, lead, Change{AssignTo: ref("user4")}, list...); out[0].Outcome != Unseen || out[0].Work != (Work{}) {
			t.Errorf("%+v", out)
		}
		wait()
		var stored int
		if err := db.Get(t.Context(), d.Reader, &stored, `SELECT count(*) FROM bill_work`); err != nil || stored != 0 {
			t.Errorf("a refused assignment counts as work: %d, %v", stored, err)
		}
	})
}

func TestRepeatedNotes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "B", "P", "2026-04-02"))
		ctx, page := t.Context(), theirs+"/b"
		want := func(count int) {
			t.Helper()
			list, err := o.Notes(ctx, three, page)
			assert.NoError(t, err)
			assert.Len(t, list, count)
			if got := o.all(t, three, Filter{Noted: true}, 5); len(got) != 1 || got[0].Work.Notes != count {
				t.Errorf("%+v, want %d notes", got, count)
			}
		}
		for _, body := range []string{"called", "called", " called ", "called again"} {
			require.NoError(t, o.AddNote(ctx, three, page, body))
		}
		want(2)
		o.now = o.now.Add(61 * time.Second)
		require.NoError(t, o.AddNote(ctx, three, page, "called"))
		want(3)
		for _, on := range []date.Date{today, today.AddDays(1)} { // changes of the work
			o.set(t, three, Change{FollowUpOn: ref(on), Note: "called"}, o.all(t, three, Filter{}, 5)...)
		}
		want(3)
		o.set(t, three, Change{FollowUpOn: ref(today), Note: "called back"}, o.all(t, three, Filter{}, 5)...)
		want(4)
	})
}

func TestNotes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "B", "P", "2026-04-02"))
		ctx, page := t.Context(), theirs+"/b"
		require.NoError(t, errors.Join(o.AddNote(ctx, three, page, "called the payer"), o.AddNote(ctx, five, page, "ours alone")))
		read := func(a access.Actor) []AuthoredNote {
			t.Helper()
			list, err := o.Notes(ctx, a, page)
			require.NoError(t, err)
			return list
		}
		mine := read(three)
		if len(mine) != 1 || mine[0].Body != "called the payer" || !mine[0].Mine || !mine[0].Fresh ||
			mine[0].Author.FullName() != "User 3" {
			t.Fatalf("%+v", mine)
		}
		assert.Empty(t, read(clerk))
		if err := dbtest.Err(o.Notes(ctx, four, page)); !problem.Is(err, problem.NotFound) {
			t.Errorf("out of scope: %v", err)
		}
		require.NoError(t, o.EditNote(ctx, three, page, mine[0].ID, "called the payer twice"))
		if got := read(three)[0]; got.Body != "called the payer twice" || got.EditedAt.IsZero() {
			t.Errorf("edited: %+v", got)
		}
		if err := o.EditNote(ctx, five, page, mine[0].ID, "x"); !problem.Is(err, problem.NotFound) {
			t.Errorf("another group's note: %v", err)
		}
		o.now = o.now.Add(61 * time.Minute)
		if err := o.EditNote(ctx, three, page, mine[0].ID, "x"); !problem.Is(err, problem.Conflict) {
			t.Errorf("after an hour: %v", err)
		}
		if got := o.all(t, three, Filter{Noted: true}, 5); len(got) != 1 || got[0].Work.Notes != 1 {
			t.Errorf("with a note: %+v", got)
		}
		for range 2 {
			require.NoError(t, o.DeleteNote(ctx, three, page, mine[0].ID))
		}
		if got := read(three)[0]; got.StruckAt.IsZero() || got.Fresh {
			t.Errorf("struck: %+v", got)
		}
		assert.Empty(t, o.list(t, three, Filter{Noted: true}))
		for _, body := range []string{"", "  ", strings.Repeat("x", MaxNote+1)} {
			if err := o.AddNote(ctx, three, page, body); !problem.Is(err, problem.Invalid) {
				t.Errorf("%.5q: %v", body, err)
			}
		}
	})
}

// A change by a group is audited in the same transaction.
func TestChangesAreAudited(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "B", "P", "2026-04-02"))
		o.set(t, three, Change{AssignTo: ref("user3")}, o.all(t, three, Filter{}, 50)...)
		require.NoError(t, o.AddNote(t.Context(), three, theirs+"/b", "secret words"))
		if list, err := o.Notes(t.Context(), three, theirs+"/b"); err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		var entries []struct {
			Operation, Subject, Detail string
		}
		require.NoError(t, d.Read(t.Context(), func(tx *sql.Tx) error {
			return db.Select(t.Context(), tx, &entries, `SELECT operation, subject, detail FROM audit_log WHERE operation <> 'openBills'
				ORDER BY operation`)
		}))
		if got := fmt.Sprint(entries); got != "[{bill-note-add "+theirs+" B } {bill-notes-read "+theirs+" B } {bill-work "+theirs+
			" B assigned to user3}]" {
			t.Error(got)
		}
	})
}
