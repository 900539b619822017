package remittances

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

func TestMarkStates(t *testing.T) {
	on := Content{Amount: 18000, Paid: 18000, Bills: 1}
	for name, test := range map[string]struct {
		now  Content
		want string
	}{
		"the same":                 {on, IsPosted},
		"another bill":             {Content{26000, 26000, 0, 2, 0}, IsPartly},
		"another bill, not paid":   {Content{18000, 18000, 0, 2, 0}, IsPartly},
		"another bill, less money": {Content{16000, 16000, 0, 2, 0}, IsStale},
		"a reversal":               {Content{8000, 8000, 0, 2, 1}, IsStale},
		"another amount":           {Content{19000, 19000, 0, 1, 0}, IsStale},
		"adjusted":                 {Content{17000, 18000, 1000, 1, 0}, IsStale},
		"other announced amount":   {Content{18500, 18000, 0, 1, 0}, IsStale},
		"fewer bills":              {Content{}, IsStale},
	} {
		assert.Equal(t, test.want, (Mark{On: on}).State(test.now), name)
	}
}

// The posted status covers what was posted. Later payments aren't posted.
func TestLaterPaymentsAreNotPosted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		*p.clock = time.Date(2026, 7, 20, 12, 0, 0, 0, time.UTC)
		part := func(number int, account, charge, amount string) {
			t.Helper()
			p.take(t, account+".edi", makeFile(number, paying(amount, "4001",
				slices.Concat(payee(ours), paid(account, "1", charge, amount))...)))
		}
		unposted := func() (states []string) {
			t.Helper()
			found, count, err := p.Search(t.Context(), jane, Criteria{NotPosted: true}, paging.Table{PageSize: 10})
			if err != nil || count != len(found) {
				t.Fatal(count, found, err)
			}
			for _, r := range found {
				state := "not posted"
				if m := r.mark(); m != nil {
					state = m.State(r.content())
				}
				states = append(states, state)
			}
			return states
		}
		want := func(when string, states ...string) {
			t.Helper()
			assert.Equal(t, states, unposted(), when)
		}
		post := func(seen ...string) string {
			t.Helper()
			statuses, err := p.Post(t.Context(), jane, []string{p.sealed(t, p.all(t)[0])}, seen, true)
			require.NoError(t, err)
			return statuses[0].State
		}
		part(1, "A1", "200", "180")
		want("at first", "not posted")
		rows, _, err := p.Search(t.Context(), jane, Criteria{}, paging.Table{PageSize: 10})
		require.NoError(t, err)
		content := rows[0].content()
		post()
		want("once posted")
		part(2, "A2", "100", "80")
		want("when more came", "partly")
		page, err := p.Page(t.Context(), jane, p.sealed(t, p.all(t)[0]))
		if err != nil || page.posted.State != IsPartly || page.posted.Mark.On != content {
			t.Errorf("%+v %v", page.posted, err)
		}
		// A user with an older version of the page open posts what that shows.
		assert.Equal(t, IsPartly, post(content.text()))
		assert.Equal(t, IsPosted, post())
		want("posted again")
		if _, err := p.Post(t.Context(), jane, []string{p.sealed(t, p.all(t)[0])}, []string{"x"}, true); !problem.Is(err, problem.Invalid) {
			t.Error(err)
		}
		var told []string
		if err := db.Select(t.Context(), d.Reader, &told, `SELECT detail FROM audit_log WHERE operation = 'remittance-post'
			ORDER BY id`); err != nil ||
			!slices.Equal(told, []string{"180.00, 1 bill", "260.00, 2 bills"}) {
			t.Errorf("%q %v", told, err)
		}
	})
}
