package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestChangesOfABill(t *testing.T) {
	hundred, ninety := int64(10000), int64(9000)
	made := facts.Bill{Source: facts.SourcePayment, BillStatus: facts.StatusPaid, OpenState: billstate.Settled, PaidAmount: &ninety}
	received := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusReceived}
	priced := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPriced, RecommendedAllowance: &hundred}
	repriced := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPriced, RecommendedAllowance: &ninety}
	refused := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusReceived, RepricingMethod: "00"}
	paid := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: &ninety, OpenState: billstate.Settled}
	short := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: &ninety, RecommendedAllowance: &hundred,
		OpenState: billstate.Short}
	more := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: &hundred, RecommendedAllowance: &hundred,
		OpenState: billstate.Settled}
	less := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: new(int64), OpenState: billstate.Settled}
	lessShort := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: new(int64), RecommendedAllowance: &hundred,
		OpenState: billstate.Short}
	shared := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaid, PaidAmount: &ninety, RecommendedAllowance: &hundred,
		OpenState: billstate.Settled}
	cut := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaidCorrected, PaidAmount: &ninety, RecommendedAllowance: &hundred,
		OpenState: billstate.Short}
	reversed := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusPaidCorrected, PaidAmount: new(int64)}
	denied := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusDenied, PaidAmount: new(int64)}
	void := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusVoid}
	replaced := facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusVoid, ReplacedBy: "n2"}
	for name, test := range map[string]struct {
		old  *facts.Bill
		now  facts.Bill
		want string
	}{
		"received":                       {nil, received, "[RECEIVED]"},
		"received and priced":            {nil, priced, "[RECEIVED PRICED]"},
		"priced":                         {&received, priced, "[PRICED]"},
		"not priced":                     {&received, refused, "[NOT_PRICED]"},
		"no longer priced":               {&priced, received, "[NOT_PRICED]"},
		"priced anew":                    {&priced, repriced, "[REPRICED]"},
		"paid":                           {&received, paid, "[PAID]"},
		"paid short":                     {&priced, short, "[PAID_SHORT]"},
		"paid the rest":                  {&short, more, "[PAID]"},
		"paid less":                      {&paid, less, "[PAID]"},
		"paid below the allowance":       {&more, short, "[PAID_SHORT]"},
		"paid even less":                 {&short, lessShort, "[PAID_SHORT]"},
		"the patient owes less":          {&shared, short, "[PAID_SHORT]"},
		"the patient owes more":          {&short, shared, "[]"},
		"priced above the payment":       {&paid, short, "[PRICED]"},
		"taken back in part":             {&more, cut, "[REVERSED]"},
		"taken back":                     {&paid, reversed, "[REVERSED]"},
		"denied":                         {&received, denied, "[DENIED]"},
		"void":                           {&received, void, "[VOIDED]"},
		"replaced":                       {&received, replaced, "[REPLACED]"},
		"known from its payment":         {nil, made, "[PAID]"},
		"its submission came":            {&made, paid, "[RECEIVED]"},
		"what was told of it was undone": {&paid, received, "[RECEIVED]"},
		"nothing":                        {&paid, paid, "[]"},
		"no longer void":                 {&void, received, "[RECEIVED]"},
		"no longer void, and paid as before": {&facts.Bill{Source: facts.SourceBill, BillStatus: facts.StatusVoid, PaidAmount: &ninety},
			paid, "[PAID]"},
	} {
		assert.Equal(t, test.want, fmt.Sprint(derive.DiffBills(test.old, test.now)), name)
	}
}

// Changes are announced up to 45 days after they happened, counted in the business's time zone.
func TestQuietAfterBusinessDays(t *testing.T) {
	zone := time.FixedZone("EDT", -4*60*60)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, want := range []bool{false, true} {
			evening := time.Date(2026, 4, 15+i, 21, 0, 0, 0, zone)
			l := New(Deps{Kit: platform.Kit{DB: d, Clock: evening.UTC, Zone: zone}}, Settings{})
			p := paid(80, "K1", account(fmt.Sprint("A", i)), icn(fmt.Sprint("I", i))).(facts.Payment) // of March 1
			var quiet bool
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := l.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &p}})
				return errors.Join(err, db.Get(t.Context(), tx, &quiet, `SELECT quiet FROM bill_changes ORDER BY id DESC LIMIT 1`))
			}))
			assert.Equalf(t, want, quiet, "%s: quiet", evening)
		}
	})
}

// A reader that remembers the last id gets every change exactly once, while concurrent workers
// derive bills.
func TestChangesAreNeverSkipped(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, time.Now)
		const workers, each = 4, 40
		var writing sync.WaitGroup
		ctx := context.WithoutCancel(t.Context())
		for w := range workers {
			writing.Go(func() {
				for i := range each {
					s := sent("1", int64(100+i), account(fmt.Sprint("W", w, "-", i)), own(fmt.Sprint("N", w, "-", i))).(facts.Submission)
					s.Reported.FTIN = fmt.Sprint("11111111", w)
					assert.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
						_, err := l.ImportSubmissions(ctx, tx, []facts.Submission{s})
						return err
					}))
				}
			})
		}
		done := make(chan struct{})
		go func() { writing.Wait(); close(done) }()
		scope := access.NewScope([]string{"111111110", "111111111", "111111112", "111111113"})
		seen := map[int64]bool{}
		last, over := int64(0), false
		for {
			found, err := l.ChangesAfter(ctx, scope, last, 7)
			require.NoError(t, err)
			for _, c := range found {
				require.False(t, seen[c.ID])
				require.Greater(t, c.ID, last)
				seen[c.ID], last = true, c.ID
			}
			if over && len(found) == 0 {
				break
			}
			select {
			case <-done:
				over = true
			default:
			}
		}
		assert.Len(t, seen, workers*each)
		if foreign, err := l.ChangesAfter(ctx, access.NewScope(nil), 0, 7); err != nil || len(foreign) != 0 {
			t.Errorf("out of scope: %v, %v", foreign, err)
		}
	})
}

func TestOldChangesAreForgotten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		l := New(Deps{Kit: platform.Kit{DB: d, Clock: func() time.Time { return now }}}, Settings{ChangeKeepDays: 400})
		for i := range 2 {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := l.ImportSubmissions(t.Context(), tx, []facts.Submission{sent("1", 100,
					account(fmt.Sprint("A", i))).(facts.Submission)})
				return err
			}))
			now = now.Add(300 * 24 * time.Hour)
		}
		require.NoError(t, l.Cleanup(t.Context()))
		left, err := l.ChangesAfter(t.Context(), access.NewScope([]string{"111111111"}), 0, 10)
		if err != nil || len(left) != 1 || left[0].Bill != "a1" {
			t.Errorf("%+v, %v", left, err)
		}
	})
}
