package remittances

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// A payer's figures are of the office's own bills and of 90 days.
func TestPayers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", makeFile(1,
			paying("260", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"))...),
			paying("90", "4002", slices.Concat(payee(ours), paid("A2", "1", "100", "90"))...),
			paying("0", "4004", slices.Concat(payee(ours), paid("A4", "4", "200", "0"))...),
			paying("70", "4003", slices.Concat(payee("222222222"), paid("A3", "1", "100", "70"))...)))
		execute := func(statement string, args ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), statement, args...)))
		}
		execute(`UPDATE bills SET received_on = '2026-06-11' WHERE ftin = '111111111'`)
		execute(`UPDATE bills SET recommended_allowance = 30000, open_state = 'S' WHERE patient_control_number = 'A1'`)
		now := *p.clock
		price := func(account string, written string) {
			t.Helper()
			execute(`INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet)
				SELECT ftin, bill_control_number_key, 'PRICED', '1', $1, false FROM bills WHERE patient_control_number = $2`,
				db.At(now), account)

			b, err := store.Bills.Get(t.Context(), d.Reader, "WHERE patient_control_number = $1", account)
			require.NoError(t, err)
			allowance := int64(30000)
			s := facts.Submission{Source: facts.FromClaim, Kind: "P", Written: written, Reported: b}
			s.Reported.RecommendedAllowance = &allowance
			s.Fact = b.Fact
			require.NoError(t, store.Submissions.Insert(t.Context(), d.Writer, s))
		}
		price("A1", "202606150900")
		price("A2", "202606200900")
		price("A4", "202604200900") // before these days
		price("A3", "202606160900")
		figures := func() string {
			t.Helper()
			list, err := p.Payers(t.Context(), jane)
			require.NoError(t, err)
			return fmt.Sprint(list)
		}
		if got, want := figures(), "[{BEACON ROAD INSURANCE {2 4} {2 30} 3 {1 20000} 2 {1 4000}}]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		other, err := p.Payers(t.Context(), zoe)
		if err != nil || fmt.Sprint(other) != figures() {
			t.Errorf("another group with the TIN: %v, %v", other, err)
		}
		identitytest.SetTINs(t, d.Writer, zoe.Person, "222222222")
		other, err = p.Payers(t.Context(), zoe)
		if err != nil || len(other) != 1 || other[0].Answered != 1 || other[0].ToPrice.Bills > 1 {
			t.Errorf("with another TIN: %v, %v", other, err)
		}
		identitytest.SetTINs(t, d.Writer, zoe.Person)
		if other, err := p.Payers(t.Context(), zoe); err != nil || len(other) != 0 {
			t.Errorf("without a TIN: %v, %v", other, err)
		}
		*p.clock = now.AddDate(0, 0, 60)
		assert.Equal(t, "[]", figures())
	})
}
