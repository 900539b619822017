package cases

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

var (
	reader = access.Actor{Person: access.Person{ID: 10, UserName: "reader", Type: access.IRAD}}
	clerk  = access.Actor{Person: access.Person{ID: 11, UserName: "clerk2", Type: access.IRAD, Role: access.Cases}}
	leader = access.Actor{Person: access.Person{ID: 12, UserName: "leader", Type: access.IRAD, Role: access.Lead}}
)

// addStaff adds read-only administrators without a role and with each role, and returns the service
// of their accounts.
func (o *desk) addStaff(t *testing.T) *users.Service {
	t.Helper()
	for _, a := range []access.Actor{reader, clerk, leader} {
		identitytest.Add(t, o.db.Writer, a.Person, fmt.Sprintf("User %d", a.Person.ID))
	}
	none := identitytest.None{}
	kit := platform.Kit{DB: o.db, Audit: o.audit, Clock: o.Service.now}
	return users.NewService(users.Deps{Kit: kit, Links: none, Assignments: none, Cases: NewOwners(kit), TINs: none, Sessions: none},
		access.Settings{Workspace: "on"})
}

func (o *desk) mustAssign(t *testing.T, c Case, to access.Actor) Case {
	t.Helper()
	c, err := o.Assign(t.Context(), Seen{Number: c.Number}, to.Person.ID)
	require.NoError(t, err)
	return c
}

func (o *desk) get(t *testing.T, c Case) Case {
	t.Helper()
	c, err := getCase(t.Context(), o.db.Writer, c.Number, "")
	require.NoError(t, err)
	return c
}

// Only people who can answer cases own them.
func TestOwnersCanAnswer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.addStaff(t)
		c := o.ask(t, three, question("k", ours+"/a"))
		for _, to := range []access.Actor{isad, clerk, leader} {
			assigned, err := o.AssignTo(t.Context(), isad, Seen{Number: c.Number}, to.Person.UserName)
			if err != nil || assigned.Owner != to.Person.ID {
				t.Errorf("to %s: %+v, %v", to.Person.UserName, assigned, err)
			}
		}
		identitytest.SetStatus(t, d.Writer, clerk.Person.ID, users.Deactivated)
		for _, name := range []string{"reader", "user3", "head", "clerk2", "nobody"} {
			if _, err := o.AssignTo(t.Context(), isad, Seen{Number: c.Number}, name); !problem.Is(err, problem.Conflict) {
				t.Errorf("to %s: %v", name, err)
			}
		}
		if got := o.get(t, c); got.Owner != leader.Person.ID {
			t.Errorf("%+v", got)
		}
		var details []string
		if err := db.Select(t.Context(), d.Reader, &details, `SELECT detail FROM audit_log WHERE operation = 'case-assign'
			ORDER BY id`); err != nil ||
			fmt.Sprint(details) != "[to clerk to clerk2 to leader]" {
			t.Errorf("%v, %v", details, err)
		}
		answer := written("By contract.")
		if _, err := o.AnswerCase(t.Context(), reader, Seen{Number: c.Number}, answer); !problem.Is(err, problem.Forbidden) {
			t.Errorf("an answer without a role: %v", err)
		}
		assert.NoError(t, dbtest.Err(o.AnswerCase(t.Context(), leader, Seen{Number: c.Number}, answer)))
	})
}

// A lock after wrong passwords doesn't stop signed-in staff. A lock of an import does.
func TestLockedStaffAnswer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		accounts := o.addStaff(t)
		c := o.mustAssign(t, o.ask(t, three, question("k", ours+"/a")), clerk)
		identitytest.Lock(t, d.Writer, clerk.Person.ID)
		answered, err := o.AnswerCase(t.Context(), clerk, Seen{Number: c.Number}, written("By contract."))
		require.NoError(t, err)
		reopened, err := o.Reply(t.Context(), three, answered.Number, written("Why?"))
		if err != nil || reopened.Owner != clerk.Person.ID {
			t.Errorf("%+v, %v", reopened, err)
		}
		assert.NoError(t, dbtest.Err(o.AssignTo(t.Context(), isad, Seen{Number: c.Number}, clerk.Person.UserName)))
		assert.Equal(t, "clerk2 assigned", o.post(t))
		isStaff := func(u users.User) bool { return u.ID == clerk.Person.ID }
		if list, err := accounts.ListStaff(t.Context()); err != nil || !slices.ContainsFunc(list, isStaff) {
			t.Errorf("%+v, %v", list, err)
		}
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET locked_until = NULL`)))
		if _, err := o.AskOffice(t.Context(), clerk, Seen{Number: c.Number}, written("Which line?")); !problem.Is(err, problem.Forbidden) {
			t.Errorf("locked by an import: %v", err)
		}
	})
}

// A clerk assigns their own question to a lead, who gets an email. The email isn't sent to the person
// who assigns, or to someone without an open question by then.
func TestAssigneesGetEmails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.addStaff(t)
		c := o.ask(t, three, question("k", ours+"/a"))
		_, err := o.AssignTo(t.Context(), clerk, Seen{Number: c.Number}, leader.Person.UserName)
		assert.Truef(t, problem.Is(err, problem.Forbidden), "a clerk assigns another's question: %v", err)
		c = o.mustAssign(t, c, clerk)
		for _, who := range []struct {
			from, to access.Actor
			want     string
		}{{clerk, leader, "leader assigned"}, {leader, leader, ""}, {leader, clerk, "clerk2 assigned"}} {
			require.NoError(t, dbtest.Err(o.AssignTo(t.Context(), who.from, Seen{Number: c.Number}, who.to.Person.UserName)))
			assert.Equalf(t, who.want, o.post(t), "%s to %s", who.from.Person.UserName, who.to.Person.UserName)
		}
		require.NoError(t, dbtest.Err(o.AssignTo(t.Context(), isad, Seen{Number: c.Number}, leader.Person.UserName)))
		require.NoError(t, dbtest.Err(o.Release(t.Context(), isad, Seen{Number: c.Number})))
		assert.Empty(t, o.post(t))
	})
}

// Who loses the role, gets another type or is terminated has no open questions afterward. Each one
// becomes unassigned in the same transaction, with an audit entry.
func TestFormerStaffHaveNoCases(t *testing.T) {
	grant := access.System("test").User(clerk.Person.ID)
	for name, change := range map[string]func(ctx context.Context, tx *sql.Tx, s *users.Service) error{
		"no role": func(ctx context.Context, tx *sql.Tx, s *users.Service) error {
			return s.SetStaffRole(ctx, tx, grant, access.NoRole)
		},
		"terminated": func(ctx context.Context, tx *sql.Tx, s *users.Service) error {
			return s.Terminate(ctx, tx, grant, 0)
		},
		"another type": func(ctx context.Context, tx *sql.Tx, s *users.Service) error {
			_, err := s.ImportUser(ctx, tx, users.User{UserName: "clerk2", FirstName: "User", LastName: "11", Email: "clerk2@example.com",
				TypeCd: access.PRUS, StatusCd: users.Active, GroupID: 7})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				newDesk(t, d).checkFormerOwner(t, func(tx *sql.Tx, s *users.Service) error { return change(t.Context(), tx, s) })
			})
		})
	}
}

func (o *desk) checkFormerOwner(t *testing.T, change func(tx *sql.Tx, s *users.Service) error) {
	t.Helper()
	accounts := o.addStaff(t)
	open := o.mustAssign(t, o.ask(t, three, question("open", ours+"/a")), clerk)
	waiting, err := o.AskOffice(t.Context(), clerk, Seen{Number: o.ask(t, three, question("waiting")).Number}, written("Which line?"))
	require.NoError(t, err)
	answered, err := o.AnswerCase(t.Context(), clerk, Seen{Number: o.ask(t, three, question("answered")).Number},
		written("By contract."))
	require.NoError(t, err)
	others := o.mustAssign(t, o.ask(t, three, question("other")), isad)
	require.NoError(t, o.db.Tx(t.Context(), func(tx *sql.Tx) error { return change(tx, accounts) }))
	for _, c := range []Case{open, waiting} {
		if got := o.get(t, c); got.Owner != 0 || got.Version != c.Version+1 || got.State != c.State {
			t.Errorf("%+v, was %+v", got, c)
		}
	}
	if o.get(t, others) != others || o.get(t, answered) != answered {
		t.Error("other cases changed")
	}
	if reopened, err := o.Reply(t.Context(), three, answered.Number, written("Why?")); err != nil || reopened.Owner != 0 {
		t.Errorf("reopened: %+v, %v", reopened, err)
	}
	var about []string
	if err := db.Select(t.Context(), o.db.Reader, &about, `SELECT subject FROM audit_log WHERE operation = 'case-unassign'
		ORDER BY id`); err != nil || len(about) != 3 || !slices.Contains(about, "case "+open.Number) {
		t.Errorf("%v, %v", about, err)
	}
	if u, err := accounts.ByID(t.Context(), clerk.Person.ID); err != nil || u.StaffRole != access.NoRole {
		t.Errorf("%+v, %v", u, err)
	}
}

// An assignment and the end of a role in any order leave the case unassigned.
func TestNobodyGetsACaseAfterTheRole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		accounts := o.addStaff(t)
		grant := access.System("test").User(clerk.Person.ID)
		for i := range 8 {
			identitytest.SetStaffRole(t, d.Writer, clerk.Person.ID, access.Cases)
			c := o.ask(t, three, question(fmt.Sprint(i), ours+"/a"))
			var both sync.WaitGroup
			both.Go(func() {
				var err error
				if i%2 == 0 {
					_, err = o.Assign(t.Context(), Seen{c.Number, c.Version}, clerk.Person.ID)
				} else {
					_, err = o.AskOffice(t.Context(), clerk, Seen{c.Number, c.Version}, written("Which line?"))
				}
				if err != nil && !problem.Is(err, problem.Conflict) && !problem.Is(err, problem.Forbidden) {
					t.Error(err)
				}
			})
			both.Go(func() {
				assert.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
					if _, err := accounts.LockUser(t.Context(), tx, clerk.Person.ID); err != nil {
						return err
					}
					return accounts.SetStaffRole(t.Context(), tx, grant, access.NoRole)
				}))
			})
			both.Wait()
			if got := o.get(t, c); got.Owner != 0 {
				t.Errorf("%+v", got)
			}
		}
	})
}

// Of two leads who assign a question at the same time, the second one sees that it changed.
func TestTwoLeadsAssign(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.addStaff(t)
		c := o.ask(t, three, question("k", ours+"/a"))
		results := make([]error, 2)
		owners := []access.Actor{clerk, leader}
		var both sync.WaitGroup
		for i := range results {
			both.Go(func() {
				_, results[i] = o.AssignTo(t.Context(), isad, Seen{c.Number, c.Version}, owners[i].Person.UserName)
			})
		}
		both.Wait()
		won := slices.Index(results, nil)
		if won < 0 || !problem.Is(results[1-won], problem.Conflict) || problem.From(results[1-won]).Message != Stale {
			t.Fatalf("%v", results)
		}
		if got := o.get(t, c); got.Owner != owners[won].Person.ID || got.Version != c.Version+1 {
			t.Errorf("%+v", got)
		}
	})
}
