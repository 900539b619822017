package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// dueAfter sets due dates some days after the service.
type dueAfter struct{ days int }

func (d *dueAfter) Rules(context.Context, *sql.Tx) (func(facts.Bill, date.Date) date.Date, error) {
	days := d.days
	return func(b facts.Bill, _ date.Date) date.Date {
		if b.BeginServiceDate == "" || b.OpenState == billstate.Settled {
			return ""
		}
		return b.BeginServiceDate.AddDays(days)
	}, nil
}

func TestDueDatesAreRecalculated(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dues := &dueAfter{10}
		l := New(Deps{Kit: platform.Kit{DB: d, Clock: time.Now}, DueDates: dues}, Settings{})
		take := func(rows ...facts.Submission) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := l.ImportSubmissions(t.Context(), tx, rows)
				return err
			}))
		}
		var rows []facts.Submission
		for i := range 23 {
			s := sent("1", 100, account(fmt.Sprintf("A%02d", i))).(facts.Submission)
			s.Reported.FTIN = []string{"111111111", "222222222"}[i%2]
			s.Reported.BeginServiceDate = date.New(2026, 1, 1+i/4)
			if i < 3 {
				s.Reported.BeginServiceDate = ""
			}
			s.Identify()
			rows = append(rows, s)
		}
		take(rows...)
		wrong := func(days int) (n int) {
			t.Helper()
			list, err := store.Bills.Select(t.Context(), d.Writer, "")
			require.NoError(t, err)
			require.Equal(t, len(rows), len(list))
			for _, b := range list {
				want := date.Date("")
				if b.BeginServiceDate != "" {
					want = b.BeginServiceDate.AddDays(days)
				}
				if b.NextDue != want {
					n++
				}
			}
			return n
		}
		assert.Equal(t, 0, wrong(10))
		dues.days = 31
		var reached store.OpenPlace
		parts := 0
		for {
			next, err := l.UpdateDueDates(t.Context(), reached, 4)
			require.NoError(t, err)
			if next == (store.OpenPlace{}) {
				break
			}
			reached = next
			if parts++; parts > 20 {
				t.Fatalf("it comes to no end: %+v", reached)
			}
		}
		var recounts []int
		if err := db.Select(t.Context(), d.Writer, &recounts, `SELECT recounts FROM due_recounts
			ORDER BY ftin`); err != nil || len(recounts) != 2 || recounts[0] < 2 {
			t.Errorf("counted anew %v, %v", recounts, err)
		}
		if n := wrong(31); n != 0 || parts < len(rows)/4 {
			t.Errorf("%d bills are not counted anew, in %d parts", n, parts)
		}
	})
}

// Bills derived by the previous version stay as they are until they're derived again, without
// notifications.
func TestBillsAreDerivedAgainWithNewRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, time.Now)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := l.ImportSubmissions(t.Context(), tx, []facts.Submission{sent("1", 100,
				account("A1")).(facts.Submission)}); err != nil {
				return err
			}
			last := denied("K2", "29").(facts.Payment)
			last.Detail.Remarks = []facts.Remark{{List: facts.PharmacyCodes, Code: "70"}, {List: facts.RemarkCodes, Code: "70"}}
			_, err := l.ImportRemitted(t.Context(), tx, remitted(denied("K1", "16").(facts.Payment), last))
			return err
		}))
		changes := func() (n int) {
			t.Helper()
			require.NoError(t, db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM bill_changes`))
			return n
		}
		before := changes()
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE bills SET reasons = 'CO-16 CO-29', rules = 2`)))
		require.NoError(t, l.MigrateOldBills(t.Context(), nil))
		list, err := store.Bills.Select(t.Context(), d.Writer, fmt.Sprint("WHERE rules = ", derive.Rules))
		if err != nil || len(list) != 1 || list[0].Reasons != "70 CO-29 RX-70" {
			t.Errorf("concluded anew: %+v, %v", list, err)
		}
		assert.Equal(t, before, changes())
	})
}

// A payment that was replaced explains nothing. The payments that explain a bill are those with
// its reason codes.
func TestReasonsAreThoseOfWhatCounts(t *testing.T) {
	coded := func(code string) option {
		return func(_ *facts.Submission, p *facts.Payment) {
			if p != nil {
				p.Reasons = code
			}
		}
	}
	denied := func(_ *facts.Submission, p *facts.Payment) {
		if p != nil {
			p.ClaimStatus, p.Paid = "4", 0
		}
	}
	for name, c := range map[string]struct {
		payments []any
		want     string
	}{
		"paid in two parts": {[]any{paid(30, "K1", coded("CO-45 N1")), paid(20, "K2", coded("CO-45 CO-97"))}, "CO-45 CO-97 N1"},
		"denied, then paid": {[]any{paid(0, "K1", denied, coded("CO-29")), paid(20, "K2", coded("CO-45"))}, "CO-45"},
		"denied":            {[]any{paid(0, "K1", denied, coded("CO-29"))}, "CO-29"},
		"paid, taken back":  {[]any{paid(30, "K1", coded("CO-45")), paid(-30, "K2", coded("CO-129"))}, "CO-129"},
		"nothing known":     {nil, ""},
		"paid, no reason":   {[]any{paid(30, "K1")}, ""},
		"back, and paid new": {[]any{paid(30, "K1", coded("CO-45")), paid(-30, "K2", coded("CO-129")), paid(40, "K3", coded("CO-97"))},
			"CO-97"},
		"denied anew": {[]any{paid(0, "K1", denied, coded("CO-16")), paid(0, "K2", denied, coded("CO-29"))}, "CO-29"},
		"denied in parts": {[]any{paid(0, "K1", denied, coded("CO-16"), icn("I1")), paid(0, "K1", denied, coded("CO-29"), icn("I2"))},
			"CO-16 CO-29"},
		"both parts back": {[]any{paid(30, "K1", coded("CO-45")), paid(20, "K1", coded("CO-45")), paid(-30, "K2", coded("CO-129")),
			paid(-20, "K3", coded("CO-18"))}, "CO-129 CO-18"},
		"a denial back": {[]any{paid(0, "K1", denied, coded("CO-16")), paid(0, "K2", status("22"), coded("CO-129"))}, "CO-129"},
		"a denial back, denied anew": {[]any{paid(0, "K1", denied, coded("CO-16")), paid(0, "K2", status("22"), coded("CO-16")),
			paid(0, "K2", denied, coded("CO-197"))}, "CO-197"},
		"back, and paid the same": {[]any{paid(30, "K1", coded("CO-45 PR-1")), paid(-30, "K2", coded("CO-45 PR-1")),
			paid(30, "K2", coded("CO-45 CO-97"))}, "CO-45 CO-97"},
		"paid and denied, both back": {[]any{paid(30, "K1", coded("CO-45")), paid(-30, "K2", coded("CO-129")),
			paid(0, "K3", denied, coded("CO-16")), paid(0, "K4", status("22"), coded("CO-18"))}, "CO-129 CO-18"},
		"a part back":      {[]any{paid(30, "K1", coded("CO-45")), paid(-10, "K2", coded("CO-129"))}, "CO-45"},
		"a take-back only": {[]any{paid(-30, "K2", coded("CO-129"))}, "CO-129"},
	} {
		s := sent("1", 100).(facts.Submission)
		f := matching.BillGroup{Submissions: []*facts.Submission{&s}}
		for _, p := range c.payments {
			payment := p.(facts.Payment)
			f.Payments = append(f.Payments, &payment)
		}
		list := deriveBills(f)
		if len(list) != 1 || list[0].Bill.Reasons != c.want {
			t.Errorf("%s: %d bills, reasons %q, want %q", name, len(list), list[0].Bill.Reasons, c.want)
		}
		assert.Equalf(t, c.want, listReasons(explainBills(f)[0]), "%s: what explains it has the codes", name)
	}
}

// A reversal is open while it waits, and if it reversed part of the payments in force.
func TestOpenReversalsHideTheDifference(t *testing.T) {
	for name, c := range map[string]struct {
		payments []any
		open     bool
		want     int64 // dollars; 0 means none
	}{
		"paid":                              {[]any{paid(60, "K1")}, false, 30},
		"a part back":                       {[]any{paid(60, "K1"), paid(-20, "K2")}, true, 0},
		"waits":                             {[]any{paid(-80, "K2"), paid(60, "K2")}, true, 0},
		"waits, then paid the same":         {[]any{paid(-60, "K2"), paid(60, "K3")}, true, 0},
		"waits, paid the same by its check": {[]any{paid(-60, "K2"), paid(60, "K2")}, true, 0},
		"all back":                          {[]any{paid(60, "K1"), paid(-60, "K2")}, false, 0},
		"more back than paid":               {[]any{paid(60, "K1"), paid(-100, "K2")}, true, 0},
		"more back than paid, then paid":    {[]any{paid(60, "K1"), paid(-100, "K2"), paid(80, "K3")}, true, 0},
		"back, and paid again":              {[]any{paid(60, "K1"), paid(-60, "K2"), paid(70, "K2")}, false, 20},
		"two back, and paid again":          {[]any{paid(60, "K1"), paid(20, "K2"), paid(-80, "K3"), paid(70, "K3")}, false, 20},
		"two back, and paid again by another check": {[]any{paid(60, "K1"), paid(20, "K2"), paid(-80, "K3"),
			paid(70, "K4", paidOn("K3"))}, false, 20},
		"back, then denied": {[]any{paid(60, "K1"), paid(-60, "K2"), denied("K3", "50")}, false, 90},
		"denied, one waits": {[]any{denied("K1", "50"), paid(-60, "K2")}, true, 0},
	} {
		s := sent("1", 100, priced(90)).(facts.Submission)
		f := matching.BillGroup{Submissions: []*facts.Submission{&s}}
		for _, p := range c.payments {
			payment := p.(facts.Payment)
			f.Payments = append(f.Payments, &payment)
		}
		b := deriveBills(f)[0].Bill
		if d := b.Difference(); b.TakeBackOpen != c.open || d != nil != (c.want != 0) || d != nil && *d != c.want*100 {
			t.Errorf("%s: open %v, difference %v of %+v", name, b.TakeBackOpen, d, b)
		}
	}
}
