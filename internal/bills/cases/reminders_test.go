package cases

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Leads get one email a day while a letter is legally due in two days or overdue.
func TestRemindLeads(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.users = o.addStaff(t)
		o.law.active = true
		remind := func(at time.Time, want string) {
			t.Helper()
			o.now = at
			require.NoError(t, o.RemindLeads(t.Context()))
			assert.Equalf(t, want, o.post(t), "on %v", at)
		}
		began := o.now                                  // Monday, 11/23, 10:42
		c := o.ask(t, three, complaint("1", ours+"/a")) // to acknowledge by 11/30
		day := func(days, hour int) time.Time {
			return time.Date(began.Year(), began.Month(), began.Day()+days, hour, 0, 0, 0, o.Service.now().Location())
		}
		remind(day(4, 12), "")
		remind(day(5, 6), "")
		remind(day(5, 7), "leader legal")
		remind(day(5, 23), "")
		identitytest.Lock(t, d.Writer, leader.Person.ID)
		remind(day(6, 8), "leader legal")
		remind(day(9, 8), "leader legal")
		if _, err := o.ReadOwn(t.Context(), three, c.Number); err != nil { // which acknowledges it
			t.Fatal(err)
		}
		remind(day(10, 8), "")
		remind(day(28, 8), "leader legal")
		// An email that isn't sent yet isn't sent to someone who lost the role.
		o.now = day(29, 8)
		require.NoError(t, o.RemindLeads(t.Context()))
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET staff_role = $1`, access.NoRole)))
		assert.Empty(t, o.post(t))
	})
}
