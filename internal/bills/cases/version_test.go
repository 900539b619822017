package cases

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// An open page asks for the version, which doesn't mark the answer as read or write to the audit log.
func TestGetVersion(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c := o.ask(t, three, question("k", theirs+"/c"))
		require.NoError(t, dbtest.Err(o.AnswerCase(t.Context(), isad, Seen{c.Number, c.Version}, written("Because."))))
		countAudited := func() (n int) {
			require.NoError(t, db.Get(t.Context(), d.Reader, &n, `SELECT count(*) FROM audit_log`))
			return n
		}
		before := countAudited()
		if version, err := o.GetVersion(t.Context(), three, c.Number); err != nil || version != 2 {
			t.Errorf("version %d, %v", version, err)
		}
		var audited *access.OutOfReach
		if _, err := o.GetVersion(t.Context(), four, c.Number); !problem.Is(err, problem.NotFound) || errors.As(err, &audited) {
			t.Errorf("a user without the TIN: %v", err)
		}
		if n := countAudited(); n != before {
			t.Errorf("%d entries in the audit log", n-before)
		}
		if list, _, err := o.ListOwn(t.Context(), three, TabReply, false, ""); err != nil || len(list) != 1 || !list[0].Unread {
			t.Errorf("%+v, %v", list, err)
		}
	})
}
