package users_test

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

var (
	jane   = access.Person{ID: 3, UserName: "jane", Type: access.PRUS, GroupID: 7}
	boss   = access.Person{ID: 4, UserName: "boss", Type: access.PRAD, GroupID: 7}
	gone   = access.Person{ID: 5, UserName: "gone", Type: access.PRAD, GroupID: 7}
	other  = access.Person{ID: 6, UserName: "other", Type: access.PRAD, GroupID: 8}
	roster = access.Person{ID: 8, UserName: "roster", Type: access.ROUS, GroupID: 9}
	staff  = access.Person{ID: 9, UserName: "staff", Type: access.ISAD}
)

func addPeople(t *testing.T, d *db.DB) *users.Service {
	t.Helper()
	for _, p := range []access.Person{jane, boss, gone, other, roster, staff} {
		identitytest.Add(t, d.Writer, p, "A "+p.UserName)
	}
	identitytest.SetStatus(t, d.Writer, gone.ID, users.Terminated)
	return identitytest.NewUsers(d)
}

// Only members of a group see a name. Terminated users keep theirs.
func TestNames(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := addPeople(t, d)
		for _, c := range []struct {
			name  string
			group int64
			want  string
		}{{"JANE", 7, "A jane"}, {"gone", 7, "A gone"}, {"jane", 8, ""}, {"jane", 0, ""}, {"staff", 0, ""}, {"nobody", 7, ""}} {
			if got, err := s.GetColleagueName(t.Context(), c.name, c.group); err != nil || got != c.want {
				t.Errorf("%s for group %d: %q, %v", c.name, c.group, got, err)
			}
		}
		if got, err := s.GetName(t.Context(), gone.ID); err != nil || got != "A gone" {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := s.GetName(t.Context(), 99); !problem.Is(err, problem.NotFound) {
			t.Errorf("an unknown user: %v", err)
		}
	})
}

// Terminated accounts, accounts of inactive groups and unknown ones aren't active, and get no emails.
func TestActive(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := addPeople(t, d)
		identitytest.SetGroupStatus(t, d.Writer, other.GroupID, users.GroupInactive)
		for name, want := range map[string]string{"Jane": "jane@example.com", "gone": "", "other": "", "nobody": ""} {
			u, err := s.FindActive(t.Context(), name)
			if u.Email != want || (want == "") != problem.Is(err, problem.NotFound) {
				t.Errorf("%s is %q, %v", name, u.Email, err)
			}
			assert.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				to, err := s.FindMailbox(t.Context(), tx, name)
				if to != want {
					t.Errorf("emails for %s are sent to %q", name, to)
				}
				return err
			}))
		}
		for group, want := range map[int64]bool{7: true, 8: false, 99: false} {
			if active, err := s.IsGroupActive(t.Context(), group); err != nil || active != want {
				t.Errorf("group %d is active: %v, %v", group, active, err)
			}
		}
		assert.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			for group, want := range map[int64]string{7: "[boss@example.com]", 8: "[]"} {
				if list, err := s.ListAdminEmails(t.Context(), tx, group); err != nil || fmt.Sprint(list) != want {
					t.Errorf("administrators of group %d: %v, %v", group, list, err)
				}
			}
			return nil
		}))
		if list, err := s.ListColleagues(t.Context(), 7); err != nil || len(list) != 2 || list[0].ID != boss.ID || list[1].ID != jane.ID {
			t.Errorf("%v, %v", list, err)
		}
		// Failed attempts by anyone lock signing in, but the user continues to work. An imported lock
		// ends the sessions.
		identitytest.Lock(t, d.Writer, jane.ID)
		identitytest.SetStatus(t, d.Writer, boss.ID, users.Locked)
		if list, err := s.ListColleagues(t.Context(), 7); err != nil || len(list) != 1 || list[0].ID != jane.ID {
			t.Errorf("with locks: %v, %v", list, err)
		}
	})
}

// A job acts only for users who still have the permission. A lock for failed sign-ins doesn't stop it.
func TestActFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := addPeople(t, d)
		identitytest.SetStatus(t, d.Writer, boss.ID, users.Locked)
		identitytest.SetGroupStatus(t, d.Writer, other.GroupID, users.GroupInactive)
		for _, p := range []access.Person{jane, boss} {
			if _, a, err := s.ActFor(t.Context(), p.ID, "work.bills"); err != nil || a.Person != p || a.IsMirroring() {
				t.Errorf("%s: %+v, %v", p.UserName, a, err)
			}
		}
		for _, p := range []access.Person{gone, other, roster, {ID: 99}} {
			if _, _, err := s.ActFor(t.Context(), p.ID, "work.bills"); !problem.Is(err, problem.Forbidden) {
				t.Errorf("%s: %v", p.UserName, err)
			}
		}
	})
}
