package remittances

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// The weeks begin on Mondays, and a payer's days are the median of its bills.
func TestTrends(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", makeFile(1,
			paying("260", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"))...),
			paying("90", "4002", slices.Concat(payee(ours), paid("A2", "1", "100", "90"))...),
			paying("70", "4003", slices.Concat(payee("222222222"), paid("A3", "1", "100", "70"))...)))
		execute := func(statement string) {
			t.Helper()
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), statement)))
		}
		execute(`UPDATE bills SET received_on = '2026-06-11' WHERE ftin = '111111111'`)
		trends, err := p.Trends(t.Context(), jane)
		require.NoError(t, err)
		if n := len(trends.Weeks); n != 13 || trends.Weeks[0].Begins != "2026-05-25" || trends.Weeks[12].Begins != "2026-08-17" {
			t.Errorf("%d weeks: %+v", n, trends.Weeks)
		}
		for _, w := range trends.Weeks {
			want := int64(0)
			if w.Begins == "2026-07-06" {
				want = 35000
			}
			assert.Equalf(t, want, w.Paid, "week of %s", w.Begins)
		}
		assert.Equal(t, "[{BEACON ROAD INSURANCE 2 30}]", fmt.Sprint(trends.Payers))
		identitytest.SetTINs(t, d.Writer, zoe.Person)
		other, err := p.Trends(t.Context(), zoe)
		if err != nil || len(other.Payers) != 0 || other.Weeks[6].Paid != 0 {
			t.Errorf("without a TIN: %+v, %v", other, err)
		}
	})
}

// A payment that also came with another check adds to its week once.
func TestTrendsCountRepeatedChecksOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		a, b, zero := paid("A1", "1", "300", "200"), paid("B1", "1", "100", "50"), paid("C1", "1", "100", "0")
		p.take(t, "1.edi", makeFile(1, paying("200", "6001", append(payee(ours), a...)...),
			paying("200", "6002", append(payee(ours), a...)...), paying("200", "6003", append(payee(ours), a...)...),
			paying("200", "6004", append(payee(ours), a...)...)))
		p.take(t, "2.edi", makeFile(2, fromClearinghouse("6001", a), fromClearinghouse("6002", a, b), fromClearinghouse("6003", a, zero),
			fromClearinghouse("6004", a, b)))
		p.decideSame(t, "6004")
		states := map[string]int{}
		for _, r := range p.all(t) {
			if r.DuplicateOf != "" {
				states[r.TraceNumber+" "+string(r.Duplicate)]++
			}
		}
		assert.Equal(t, "map[6001 SAME:1 6002 POSSIBLE:1 6003 SAME:1 6004 :1]", fmt.Sprint(states))
		trends, err := p.Trends(t.Context(), jane)
		require.NoError(t, err)
		if w := trends.Weeks[6]; w.Begins != "2026-07-06" || w.Paid != 85000 {
			t.Errorf("%+v", w)
		}
	})
}

// Provider-level adjustments of a check that came again with another claim count once too.
func TestTrendsCountRepeatedAdjustmentsOnce(t *testing.T) {
	a, plb := paid("A1", "1", "300", "200"), []string{"PLB*1234567893*20261231*L6*50"}
	for name, test := range map[string]struct {
		more   []string
		amount string
		state  facts.DuplicateState
		want   int64
	}{
		"of $0":            {paid("C1", "1", "100", "0"), "150", facts.SameCheck, 15000},
		"paid and decided": {paid("B1", "1", "100", "50"), "200", facts.Counted, 20000},
	} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			p := newPortal(t, d, ours)
			p.take(t, "1.edi", makeFile(1, paying("150", "6001", slices.Concat(payee(ours), a, plb)...)))
			again := fromClearinghouse("6001", a, test.more, plb)
			p.take(t, "2.edi", makeFile(2, strings.Replace(again, "BPR*I*200*", "BPR*I*"+test.amount+"*", 1)))
			if test.state == facts.Counted {
				p.decideSame(t, "6001")
			}
			for _, r := range p.all(t) {
				if r.DuplicateOf != "" && r.Duplicate != test.state {
					t.Errorf("%s: %+v", name, r)
				}
			}
			trends, err := p.Trends(t.Context(), jane)
			require.NoError(t, err)
			if w := trends.Weeks[6]; w.Begins != "2026-07-06" || w.Paid != test.want {
				t.Errorf("%s: %+v", name, w)
			}
		})
	}
}

// decideSame decides that a possible duplicate of a check number is the same check. Its further payments count.
func (p *portal) decideSame(t *testing.T, number string) {
	t.Helper()
	l := billtest.NewLedger(p.db, func() time.Time { return *p.clock })
	for _, r := range p.all(t) {
		if r.TraceNumber != number || r.Duplicate != facts.PossibleDuplicate {
			continue
		}
		require.NoError(t, p.db.Tx(t.Context(), func(tx *sql.Tx) error {
			_, _, err := l.Decide(t.Context(), tx, r.FTIN, r.Remittance, true, "isad")
			return err
		}))
	}
}

func TestPayersAreRankedByBills(t *testing.T) {
	day := func(n int) date.Date { return date.Date("2026-01-01").AddDays(n) }
	list := rankPayers([]wait{
		{"A", day(0), day(10), 1}, {"A", day(0), day(30), 1}, {"A", day(0), day(40), 1},
		{"B", day(5), day(25), 5}, {"B", day(0), day(90), 1},
	})
	assert.Equal(t, "[{B 6 20} {A 3 30}]", fmt.Sprint(list))
}
