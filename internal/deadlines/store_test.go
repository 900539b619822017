package deadlines

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"stored":      "all rules are the answer, some dozens",
		"allHolidays": "all holidays are the answer, some dozens",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		errs := []error{
			putRule(ctx, tx, newRule("a")), dbtest.Err(stored(ctx, tx)), dbtest.Err(allHolidays(ctx, tx)),
			putHoliday(ctx, tx, StateHoliday{"TX", "2026-03-02", "Independence Day"}),
			dbtest.Err(removeHoliday(ctx, tx, "TX", "2026-03-02")),
			dbtest.Err(getVersion(ctx, tx)), dbtest.Err(sharedVersion(ctx, tx, d.Dialect)), nextVersion(ctx, tx),
			dbtest.Err(getRun(ctx, tx)), dbtest.Err(move(ctx, tx, run{}, run{Running: 1})),
		}
		assert.NoError(t, errors.Join(errs...))
	})
}

// newRule returns a valid rule.
func newRule(id string) Rule {
	return Rule{
		ID: id, State: "OH", Line: WorkersCompensation, Kind: PayerPay, Basis: BasisReceived, Amount: 30, Unit: Days, Citation: "O.A.C. 1",
		URL:  "https://codes.ohio.gov/1",
		Text: "A bill is paid in 30 days.", Status: Draft, Effective: "2020-01-01", UpdatedAt: db.At(time.Now()),
	}
}

func TestRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Rule]()
		want.Line, want.Kind, want.Basis, want.Unit, want.Condition, want.Status = Auto, Interest, BasisCaseSent, Months, Contract, Active
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return putRule(t.Context(), tx, want) }))
		mappingtest.CheckRow(t, d, "jurisdiction_rules")
		if list, err := stored(t.Context(), d.Reader); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(wireRule(mappingtest.Filled[Rule]())))
	assert.Nil(t, mappingtest.ListEmpty(mappingtest.Filled[RuleEdit]().rule("x"), "ReviewedOn", "UpdatedAt", "UpdatedBy"))
	if empty := mappingtest.ListEmpty(mappingtest.Filled[Rule]().terms(), "ID", "Status", "ReviewedBy", "ReviewedOn", "Version",
		"UpdatedAt",
		"UpdatedBy"); empty != nil {
		t.Errorf("%v", empty)
	}
	card := mappingtest.Filled[Card]()
	card.Bill.State = "TX"
	assert.Nil(t, mappingtest.ListEmpty(wireCard(card)))
}

// The built-in drafts pass the service desk checks and have unique keys. None is in effect.
func TestDrafts(t *testing.T) {
	own, err := readDrafts()
	require.NoError(t, err)
	ruleAt := map[place]string{}
	states := map[lawKey]bool{}
	for id, r := range own {
		if err := r.check(); err != nil || r != r.clean() || r.Status != Draft {
			t.Errorf("%s: %v, %s", id, err, r.Status)
		}
		if other, twice := ruleAt[r.place()]; twice {
			t.Errorf("%s is the same rule as %s", id, other)
		}
		ruleAt[r.place()], states[lawKey{r.State, r.Line}] = id, true
	}
	for _, k := range []lawKey{{"CA", "WC"}, {"TX", "WC"}, {"FL", "WC"}, {"NY", "WC"}, {"NY", "AUTO"}, {"IL", "WC"}, {"GA", "WC"}} {
		assert.Truef(t, states[k], "no draft of %v", k)
	}
}

// fakeLedger is a fake ledger with open bills by TIN, processed one at a time.
type fakeLedger struct {
	bills     []Place
	counted   map[Place]int
	broken    Place // where it fails
	meanwhile func(Place)
}

var errBroken = errors.New("broken")

func (l *fakeLedger) UpdateDueDates(_ context.Context, after Place, _ int) (Place, error) {
	for _, p := range l.bills {
		if after != (Place{}) && p.TIN <= after.TIN && (p.TIN < after.TIN || p.Bill <= after.Bill) {
			continue
		}
		if p == l.broken {
			return Place{}, errBroken
		}
		l.counted[p]++
		if l.meanwhile != nil {
			l.meanwhile(p)
		}
		return p, nil
	}
	return Place{}, nil
}

// noBills has no bill.
type noBills struct{ Bills }

func newService(d *db.DB, l Ledger, log *audit.Log) (*Service, error) {
	return NewService(Deps{Kit: platform.Kit{DB: d, Audit: log, Clock: time.Now, Zone: time.Local}, Rules: NewRules(d), Bills: noBills{},
		Ledger: l})
}

func countAll(t *testing.T, d *db.DB, l *fakeLedger) error {
	t.Helper()
	s, err := newService(d, l, nil)
	require.NoError(t, err)
	return s.Recalculate(t.Context())
}

// A failed run resumes where it stopped. A run restarts if the law changes. A finished run does
// nothing more.
func TestCount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		places := []Place{{"1", "2026-01-01", "a"}, {"1", "2026-01-01", "b"}, {"2", "", "a"}, {"2", "2026-01-02", "c"},
			{"3", "2026-01-01", "a"}}
		l := &fakeLedger{bills: places, counted: map[Place]int{}}
		change := func() {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return nextVersion(t.Context(), tx) }))
		}
		wanted := func(when string, each int) {
			t.Helper()
			for _, p := range places {
				assert.Equalf(t, each, l.counted[p], "%s: %v was counted %d times", when, p, l.counted[p])
			}
		}
		require.NoError(t, countAll(t, d, l))
		wanted("nothing changed", 0)

		change()
		l.broken = places[3]
		assert.ErrorIs(t, countAll(t, d, l), errBroken)
		if r, err := getRun(t.Context(), d.Reader); err != nil || r != (run{Running: 1, Place: places[2]}) {
			t.Errorf("stopped at %+v, %v", r, err)
		}
		l.broken = Place{}
		assert.NoError(t, countAll(t, d, l))
		wanted("after it went on", 1)
		assert.NoError(t, countAll(t, d, l))
		wanted("when it is done", 1)
		if r, err := getRun(t.Context(), d.Reader); err != nil || r != (run{Done: 1, Running: 1}) {
			t.Errorf("%+v, %v", r, err)
		}

		// A change during the run: bills that followed the old law are recalculated.
		change()
		l.counted = map[Place]int{}
		l.meanwhile = func(p Place) {
			if p == places[2] {
				l.meanwhile = nil
				change()
			}
		}
		assert.NoError(t, countAll(t, d, l))
		if r, err := getRun(t.Context(), d.Reader); err != nil || r != (run{Done: 3, Running: 3}) {
			t.Errorf("%+v, %v", r, err)
		}
		for i, p := range places {
			if want := map[bool]int{true: 2, false: 1}[i <= 2]; l.counted[p] != want {
				t.Errorf("a change in the midst: %v was counted %d times", p, l.counted[p])
			}
		}
	})
}

// A transaction that uses the law blocks changes until it commits. The next reader sees a
// committed change.
func TestLawIsShared(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, err := newService(d, &fakeLedger{}, nil)
		require.NoError(t, err)
		active := newRule("a")
		active.Status, active.ReviewedBy = Active, "counsel"
		facts := Facts{State: "OH", StateGiven: true, Line: WorkersCompensation, Received: "2026-01-01", ReceivedSure: true}
		changed := make(chan error, 1)
		var committed atomic.Bool
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			law, err := s.active.SharedLaw(t.Context(), tx)
			if err != nil {
				return err
			}
			if due := law.Next(facts, ForPayer); due != "" {
				t.Errorf("before any rule: %s", due)
			}
			go func() {
				changed <- d.Tx(context.Background(), func(tx *sql.Tx) error {
					if err := nextVersion(context.Background(), tx); err != nil {
						return err
					}
					if !committed.Load() {
						t.Error("the law changed under who goes by it")
					}
					return putRule(context.Background(), tx, active)
				})
			}()
			select {
			case err := <-changed:
				t.Errorf("the change did not wait: %v", err)
			case <-time.After(200 * time.Millisecond):
			}
			committed.Store(true)
			return nil
		}))
		require.NoError(t, <-changed)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			law, err := s.active.SharedLaw(t.Context(), tx)
			if err == nil && law.Next(facts, ForPayer) != "2026-01-31" {
				t.Errorf("after the change: %s", law.Next(facts, ForPayer))
			}
			return err
		}))
	})
}

// An addition that is repeated because its response was lost adds no second draft.
func TestRepeatedAdditionAddsOneDraft(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		defer log.Close()
		s, err := newService(d, &fakeLedger{}, log)
		require.NoError(t, err)
		var ann, ben access.Actor
		ann.Person.UserName, ben.Person.UserName = "ann", "ben"
		add := func(a access.Actor, r Rule) Rule {
			t.Helper()
			added, err := s.Add(t.Context(), a, r)
			require.NoError(t, err)
			return added
		}
		rule, other := newRule(""), newRule("")
		other.Amount = 31
		first := add(ann, rule)
		rule.Text += " "
		if again := add(ann, rule); again != first {
			t.Errorf("%+v and not %+v", again, first)
		}
		add(ann, other)
		add(ben, rule)
		if list, err := stored(t.Context(), d.Reader); err != nil || len(list) != 3 {
			t.Errorf("%d rules, %v", len(list), err)
		}
	})
}

// Rows become drafts. Importing them again changes nothing, and active rules stay as they are.
func TestFeed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		defer log.Close()
		s, err := newService(d, &fakeLedger{}, log)
		require.NoError(t, err)
		row := newRule("").terms()
		take := func(rows ...Rule) (outcomes []ingest.Outcome) {
			t.Helper()
			for i := range rows {
				require.NoError(t, checkRow(&rows[i]))
			}
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				outcomes, err = s.importRows(t.Context(), tx, rows)
				return err
			}))
			return outcomes
		}
		shippedRow := s.own["TX-WC-ANSWER"].terms()
		other := row
		other.Amount = 31
		for i, tt := range []struct {
			row  Rule
			want ingest.Outcome
		}{{row, ingest.Imported}, {row, ingest.Unchanged}, {other, ingest.Updated}, {shippedRow, ingest.Unchanged}} {
			assert.Equal(t, tt.want, take(tt.row)[0], i)
		}
		list, err := stored(t.Context(), d.Reader)
		if err != nil || len(list) != 1 || list[0].terms() != other || list[0].Status != Draft || list[0].UpdatedBy != byFeed ||
			list[0].Version != 2 {
			t.Fatalf("%v %+v", err, list)
		}
		active := list[0]
		active.Status, active.ReviewedBy = Active, "counsel"
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return putRule(t.Context(), tx, active) }))
		later := row
		later.Effective = "2021-01-01"
		for i, tt := range []struct {
			row  Rule
			want string
		}{
			{other, ingest.Unchanged.Reason()}, {row, "the rule is active and can only be changed in the service desk"},
			{later, "effective: An active rule already covers this from 01/01/2020. End that rule first, or start later"},
		} {
			assert.Equal(t, tt.want, take(tt.row)[0].Reason(), i)
		}
		for _, wrong := range []func(*Rule){
			func(r *Rule) { r.URL = "http://a.example" }, func(r *Rule) { r.Ended = "2019-01-01" }, func(r *Rule) { r.RateBP = 5 },
		} {
			r := row
			wrong(&r)
			assert.Errorf(t, checkRow(&r), "taken: %+v", r)
		}
	})
}
