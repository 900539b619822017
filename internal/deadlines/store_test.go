package deadlines

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/filltest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, dbtest.Scans{
		"stored":      "all rules are the answer, some dozens",
		"allHolidays": "all holidays are the answer, some dozens",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		errs := []error{
			putRule(ctx, tx, ruleOf("a")), dbtest.Err(stored(ctx, tx)), dbtest.Err(allHolidays(ctx, tx)),
			putHoliday(ctx, tx, Holiday{"TX", "2026-03-02", "Independence Day"}), dbtest.Err(removeHoliday(ctx, tx, "TX", "2026-03-02")),
			dbtest.Err(versionOf(ctx, tx)), dbtest.Err(sharedVersion(ctx, tx, d.Dialect)), nextVersion(ctx, tx),
			dbtest.Err(runOf(ctx, tx)), dbtest.Err(move(ctx, tx, run{}, run{Running: 1})),
		}
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
	})
}

// ruleOf is a rule in order.
func ruleOf(id string) Rule {
	return Rule{
		ID: id, State: "OH", Line: WorkersCompensation, Kind: PayerPay, Basis: OfReceipt, Amount: 30, Unit: Days, Citation: "O.A.C. 1", URL: "https://codes.ohio.gov/1",
		Text: "A bill is paid in 30 days.", Status: Draft, Effective: "2020-01-01", UpdatedAt: db.At(time.Now()),
	}
}

func TestRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := filltest.Filled[Rule]()
		want.Line, want.Kind, want.Basis, want.Unit, want.Condition, want.Status = Auto, Interest, OfCase, Months, Contract, Active
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error { return putRule(t.Context(), tx, want) }); err != nil {
			t.Fatal(err)
		}
		filltest.Row(t, d, "jurisdiction_rules")
		if list, err := stored(t.Context(), d.Reader); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	if empty := filltest.Empty(wireRule(filltest.Filled[Rule]())); empty != nil {
		t.Errorf("%v", empty)
	}
	if empty := filltest.Empty(filltest.Filled[RuleEdit]().rule("x"), "ReviewedOn", "UpdatedAt", "UpdatedBy"); empty != nil {
		t.Errorf("%v", empty)
	}
	if empty := filltest.Empty(filltest.Filled[Rule]().terms(), "ID", "Status", "ReviewedBy", "ReviewedOn", "Version", "UpdatedAt", "UpdatedBy"); empty != nil {
		t.Errorf("%v", empty)
	}
	card := filltest.Filled[Card]()
	card.Bill.State = "TX"
	if empty := filltest.Empty(wireCard(card)); empty != nil {
		t.Errorf("%v", empty)
	}
}

// The portal's drafts are rules that the desk would take, each known by itself; none
// counts.
func TestDrafts(t *testing.T) {
	own, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[place]string{}
	states := map[holding]bool{}
	for id, r := range own {
		if err := r.check(); err != nil || r != r.clean() || r.Status != Draft {
			t.Errorf("%s: %v, %s", id, err, r.Status)
		}
		if other, twice := seen[r.place()]; twice {
			t.Errorf("%s is the same rule as %s", id, other)
		}
		seen[r.place()], states[holding{r.State, r.Line}] = id, true
	}
	for _, k := range []holding{{"CA", "WC"}, {"TX", "WC"}, {"FL", "WC"}, {"NY", "WC"}, {"NY", "AUTO"}, {"IL", "WC"}, {"GA", "WC"}} {
		if !states[k] {
			t.Errorf("no draft of %v", k)
		}
	}
}

// ledgerOf stands for open bills of TINs, counted one by one.
type ledgerOf struct {
	bills     []Place
	counted   map[Place]int
	broken    Place // at which it fails
	meanwhile func(Place)
}

var errBroken = errors.New("broken")

func (l *ledgerOf) Redue(_ context.Context, after Place, limit int) (Place, error) {
	var reached Place
	n := 0
	for _, p := range l.bills {
		if n < limit && (after == Place{} || p.TIN > after.TIN || p.TIN == after.TIN && p.Bill > after.Bill) {
			if p == l.broken {
				return Place{}, errBroken
			}
			n++
			reached = p
			l.counted[p]++
			if l.meanwhile != nil {
				l.meanwhile(p)
			}
			break // one at a time
		}
	}
	return reached, nil
}
