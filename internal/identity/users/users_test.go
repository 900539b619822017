package users

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
)

func newService(t *testing.T, d *db.DB) *Service {
	t.Helper()
	now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	log := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr,
		&slog.HandlerOptions{Level: slog.LevelError}))})
	t.Cleanup(log.Close)
	mails := mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: noJobs{}, Clock: time.Now}, mail.Settings{})
	kit := platform.Kit{DB: d, Audit: log, Mail: mails, Clock: func() time.Time { return now }}
	return NewService(Deps{Kit: kit, Links: none{}, Assignments: none{}, Cases: none{}, TINs: none{}, Sessions: none{}},
		access.Settings{Workspace: "on"})
}

// none stands for links, assignments, questions, TINs and sessions that don't exist.
type none struct{}

func (none) InvalidateLinks(context.Context, *sql.Tx, access.UserGrant) error { return nil }

func (none) RemoveLostAssignments(context.Context, *sql.Tx, int64, int64, string) error { return nil }

func (none) ReleaseCases(context.Context, *sql.Tx, access.UserGrant) error { return nil }

func (none) RemoveTINs(context.Context, *sql.Tx, access.UserGrant) error { return nil }

func (none) EndAll(context.Context, *sql.Tx, access.UserGrant) error { return nil }

func (none) EndMirrors(context.Context, *sql.Tx, access.UserGrant, string) error { return nil }

// noJobs leaves emails in the outbox, where tests read them.
type noJobs struct{}

func (noJobs) Insert(context.Context, *sql.Tx, river.JobArgs) error { return nil }

func user(change func(*User)) User {
	u := User{FirstName: "Zoë", LastName: "O'Brien-Núñez", Email: "zoe@example.com", TypeCd: access.PRAD, StatusCd: New}
	if change != nil {
		change(&u)
	}
	return u
}

// Lists the statuses and every change that the rules allow.
func TestTransitions(t *testing.T) {
	all := []Status{New, Draft, Active, Inactive, Locked, Deactivated, Terminated}
	allowed := map[string]bool{}
	for _, s := range strings.Fields(
		`DRAFT>NEW NEW>ACTIV ACTIV>INACT ACTIV>LOCK ACTIV>DISABL INACT>ACTIV LOCK>ACTIV DISABL>ACTIV LOCK>INACT DISABL>INACT
		DRAFT>TERM NEW>TERM ACTIV>TERM INACT>TERM LOCK>TERM DISABL>TERM`) {
		allowed[s] = true
	}
	for _, from := range all {
		assert.NotEmptyf(t, from.Name(), "%s has no name", from)
		for _, to := range all {
			assert.Equalf(t, allowed[string(from)+">"+string(to)], from.CanChangeTo(to), "%s to %s", from, to)
		}
	}
}

func TestAddAssignsNamesAndGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d)
		var names []string
		for i := range 3 {
			u, err := s.Add(t.Context(), user(func(u *User) { u.Email = fmt.Sprintf("zoe%d@example.com", i) }), "test")
			require.NoError(t, err)
			assert.NotEqual(t, int64(0), u.GroupID, "a provider administrator without a group")
			names = append(names, u.UserName)
		}
		assert.Equalf(t, "[zobriennunez zobriennunez2 zobriennunez3]", fmt.Sprint(names), "names %v", names)
		long, err := s.Add(t.Context(), user(func(u *User) { u.LastName, u.Email = "Wolfeschlegelsteinhausen", "w@example.com" }), "test")
		assert.NoError(t, err)
		assert.Equal(t, "zwolfeschlegel", long.UserName)
		internal, err := s.Add(t.Context(), user(func(u *User) { u.TypeCd, u.Email = access.ISAD, "i@example.com" }), "test")
		assert.NoError(t, err)
		assert.Equal(t, int64(0), internal.GroupID)
		if _, err := s.Add(t.Context(), user(func(u *User) { u.Email = "ZOE1@example.com" }), "test"); !problem.Is(err, problem.Conflict) {
			t.Errorf("an e-mail in use: %v", err)
		}
		if _, err := db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'TERM' WHERE email = 'zoe1@example.com'`); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, dbtest.Err(s.Add(t.Context(), user(func(u *User) { u.Email = "ZOE1@example.com" }), "test")))
		for typ, group := range map[access.Type]int64{access.PRUS: 77, access.ROUS: long.GroupID, access.IRAD: long.GroupID} {
			_, err := s.Add(t.Context(), user(func(u *User) { u.TypeCd, u.GroupID, u.Email = typ, group, "g@example.com" }), "test")
			if !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), fmt.Sprint(group)) {
				t.Errorf("%s in group %d: %v", typ, group, err)
			}
		}
		_, err = s.Add(t.Context(), User{UserName: "checkAuth", StatusCd: "X", TypeCd: "Y", Email: "no"}, "test")
		var paths []string
		for _, f := range problem.From(err).Fields {
			paths = append(paths, f.Path)
		}
		assert.Equal(t, []string{"first_name", "last_name", "email", "type", "status", "user_name"}, paths)
	})
}

// Accounts created at the same time never share a username, an email or a group.
func TestAddAtTheSameTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d)
		var wait sync.WaitGroup
		errs := make(chan error, 8)
		for range 8 {
			wait.Go(func() {
				_, err := s.Add(context.Background(), user(nil), "test")
				errs <- err
			})
		}
		wait.Wait()
		close(errs)
		made := 0
		for err := range errs {
			if err == nil {
				made++
			} else if !problem.Is(err, problem.Conflict) {
				t.Errorf("refused with %v", err)
			}
		}
		assert.Equal(t, 1, made)
	})
}

// An import waits for a concurrent change of the group, and doesn't undo it.
func TestImportWaitsForGroup(t *testing.T) {
	for name, given := range map[string]User{
		"existing account": user(func(u *User) { u.UserName, u.GroupID, u.StatusCd, u.JobTitle = "zoe", 1001, Active, "Clerk" }),
		"by email":         user(func(u *User) { u.GroupID, u.StatusCd, u.JobTitle = 1001, Active, "Clerk" }),
		"without a group":  user(func(u *User) { u.UserName, u.StatusCd, u.JobTitle = "zoe", Active, "Clerk" }),
		"new account":      user(func(u *User) { u.UserName, u.GroupID, u.StatusCd, u.Email = "new", 1001, Active, "new@example.com" }),
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := newService(t, d)
				take := func(u User) {
					t.Helper()
					require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return dbtest.Err(s.ImportUser(t.Context(), tx, u)) }))
				}
				north := Group{ID: 1001, Name: "North", Kind: ProviderGroup}
				require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return dbtest.Err(s.ImportGroup(t.Context(), tx, north)) }))
				take(user(func(u *User) { u.UserName, u.GroupID, u.StatusCd = "zoe", 1001, Active }))
				wait := dbtest.Interleave(t, d, func(ctx context.Context, tx *sql.Tx) {
					assert.NoError(t, dbtest.Err(s.LockGroup(ctx, tx, 1001)))
					assert.NoError(t, s.SetGroupStatus(ctx, tx, access.System("isad").Group(1001), GroupInactive))
				})
				take(given)
				wait()
				u, err := s.ByName(t.Context(), cmp.Or(given.UserName, "zoe"))
				require.NoError(t, err)
				assert.Equal(t, given.JobTitle, u.JobTitle)
				assert.False(t, u.CanSignIn(), "an account of an inactive group can sign in")
			})
		})
	}
}

// An import waits for a concurrent new name of the group, and doesn't undo it.
func TestImportKeepsNewName(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d)
		take := func(name string) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				return dbtest.Err(s.ImportGroup(t.Context(), tx, Group{ID: 1001, Name: name, Kind: ProviderGroup}))
			}))
		}
		take("North")
		wait := dbtest.Interleave(t, d, func(ctx context.Context, tx *sql.Tx) {
			assert.NoError(t, dbtest.Err(s.LockGroup(ctx, tx, 1001)))
			assert.NoError(t, s.NameGroup(ctx, tx, access.System("isad").Group(1001), "Lake Side"))
		})
		take("South")
		wait()
		g, err := groupByID(t.Context(), d.Writer, 1001)
		require.NoError(t, err)
		assert.Equal(t, "Lake Side", g.Name)
	})
}

func TestFeed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d)
		take := func(u User) (o ingest.Outcome) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) { o, err = s.ImportUser(t.Context(), tx, u); return err }))
			return o
		}
		group := func(g Group) (o ingest.Outcome) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) { o, err = s.ImportGroup(t.Context(), tx, g); return err }))
			return o
		}
		for want, g := range map[string]Group{"taken": {ID: 1001, Name: "North", Kind: "PROVIDER"}} {
			if o := group(g); o.String() != want {
				t.Errorf("%+v", o)
			}
		}
		if o := group(Group{ID: 1001, Name: " North ", Kind: "PROVIDER"}); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		if o := group(Group{ID: 1001, Name: "South", Kind: "PROVIDER"}); o.String() != "updated" {
			t.Errorf("%+v", o)
		}
		// A name or status that network staff set for the group stays.
		byHand := access.System("isad").Group(1001)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(s.NameGroup(t.Context(), tx, byHand, "Lake Side"), s.SetGroupStatus(t.Context(), tx, byHand, GroupInactive))
		}))
		if o := group(Group{ID: 1001, Name: "South", Kind: "PROVIDER"}); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		if o := group(Group{ID: 1001, Name: "South", Kind: "ROSTER"}); o.String() != "updated" {
			t.Errorf("%+v", o)
		}
		if g, err := groupByID(t.Context(), d.Writer, 1001); err != nil ||
			g != (Group{ID: 1001, Name: "Lake Side", Kind: "ROSTER", StatusCd: GroupInactive, NamedBy: "isad"}) {
			t.Errorf("%+v, %v", g, err)
		}
		closed := user(func(u *User) { u.UserName, u.Email, u.GroupID, u.StatusCd = "late", "late@example.com", 1001, Active })
		if o := take(closed); o.String() != "taken" {
			t.Errorf("%+v", o)
		}
		if u, err := s.ByName(t.Context(), "late"); err != nil || u.CanSignIn() {
			t.Errorf("of an inactive group: %+v, %v", u, err)
		}
		_, err := s.Add(t.Context(), user(func(u *User) { u.TypeCd, u.GroupID, u.Email = access.ROUS, 1001, "g@example.com" }), "test")
		assert.Truef(t, problem.Is(err, problem.Conflict), "added to an inactive group: %v", err)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return s.SetGroupStatus(t.Context(), tx, byHand, GroupActive) }))
		if u, err := s.ByName(t.Context(), "late"); err != nil || !u.CanSignIn() {
			t.Errorf("of a group that is active again: %+v, %v", u, err)
		}
		row := user(func(u *User) { u.UserName, u.GroupID, u.StatusCd = "zoe", 1001, Active })
		if o := take(row); o.String() != "taken" {
			t.Errorf("%+v", o)
		}
		require.NoError(t, s.SetMissingPasswords(t.Context(), "Quiet-Lake-7"))
		if o := take(row); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		row.StatusCd, row.JobTitle = Terminated, "Clerk"
		if o := take(row); o.String() != "updated" {
			t.Errorf("%+v", o)
		}
		u, err := s.ByName(t.Context(), "zoe")
		if right, _ := passwords.Verify(t.Context(), u.PasswordHash, "Quiet-Lake-7"); err != nil || !right || u.StatusCd != Active ||
			u.JobTitle != "Clerk" {
			t.Errorf("a feed changed the state or the password: %+v, %v", u, err)
		}
		// The same row again, for an account with a manager and a linked sign-in.
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := db.Exec(t.Context(), tx, `UPDATE users SET manager_id = $1 WHERE id = $1`, u.ID)
			return errors.Join(err, s.BindSubject(t.Context(), tx, byFeed.User(u.ID), "https://id.example", "s1"))
		}))
		if o := take(row); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		for name, u := range map[string]User{
			"no such group":        user(func(u *User) { u.UserName, u.Email, u.GroupID = "a", "a@example.com", 77 }),
			"e-mail of another":    user(func(u *User) { u.UserName, u.StatusCd = "b", Active }),
			"without a first name": user(func(u *User) { u.FirstName = " " }),
		} {
			if o := take(u); o.String() != "rejected" || o.Reason() == "" || strings.Contains(o.Reason(), "zoe@") {
				t.Errorf("%s: %+v", name, o)
			}
		}
	})
}

// A file accepts exactly the addresses that a form accepts.
func TestFeedTakesTheAddressesOfForms(t *testing.T) {
	for address, ok := range map[string]bool{
		"zoe@example.com": true, "zoe.@example.com": true, "ann..lee@example.com": true,
		"zoe": false, "zoe@example": false, "zoe@[10.0.0.1]": false, "zoe@example..com": false, "zoe@exa,mple.com": false,
		strings.Repeat("a", 110) + "@example.com": false,
	} {
		var u User
		if err := setEmail(&u, address); (err == nil) != ok || err == nil && u.Email != address {
			t.Errorf("%q: %v, %+v", address, err, u.Email)
		}
	}
}

// Usernames spell out all letters of a name, and User Search can find them.
func TestUserNamesSpellLettersOut(t *testing.T) {
	for _, c := range []struct{ first, last, want string }{
		{"Zoë", "O'Brien-Núñez", "zobriennunez"},
		{"Björn", "Groß", "bgross"},
		{"Nora", "Østergård-O’Brien", "nostergardobrien"},
		{"Łucja", "ŁUKASIEWICZ", "llukasiewicz"},
		{"Þóra", "Ægisdóttir", "taegisdottir"},
		{"A", "B", "ab"},
		{"Mei Lin", "王", "meilin"},
		{"Lý", "王", "user"},
		{"美玲", "Wang", "wang"},
		{"美玲", "王", "user"},
		{"C", "heckAuth", "user"},
	} {
		assert.Equalf(t, c.want, nameBase(c.first, c.last), "%s %s", c.first, c.last)
	}
}
