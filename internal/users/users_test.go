package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
)

func newService(t *testing.T, d *db.DB, rules Rules) (*Service, *time.Time) {
	t.Helper()
	now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	log := audit.New(d, time.Now, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	t.Cleanup(log.Close)
	if rules.Failures == 0 {
		rules.Failures, rules.LockFor = 5, 30*time.Minute
	}
	mails := mail.NewOutbox(d, noJobs{}, mail.Layout{}, nil, time.Now, slog.Default())
	return NewService(d, log, mails, nil, func() time.Time { return now }, rules), &now
}

// noJobs keeps mails in the outbox, where tests look for them.
type noJobs struct{}

func (noJobs) Insert(context.Context, *sql.Tx, river.JobArgs) error { return nil }

func activate(t *testing.T, s *Service, u User) {
	t.Helper()
	hash, err := passwords.Hash(t.Context(), "Quiet-Lake-7")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.db.Tx(t.Context(), func(tx *sql.Tx) error { return s.Activate(t.Context(), tx, u, hash, "test") }); err != nil {
		t.Fatal(err)
	}
}

func user(change func(*User)) User {
	u := User{FirstName: "Zoë", LastName: "O'Brien-Núñez", Email: "zoe@example.com", TypeCd: access.PRAD, StatusCd: New}
	if change != nil {
		change(&u)
	}
	return u
}

// The states and every change between them, as the rules have them.
func TestTransitions(t *testing.T) {
	all := []Status{New, Draft, Active, Inactive, Locked, Deactivated, Terminated}
	allowed := map[string]bool{}
	for _, s := range strings.Fields(`DRAFT>NEW NEW>ACTIV ACTIV>INACT ACTIV>LOCK ACTIV>DISABL INACT>ACTIV LOCK>ACTIV DISABL>ACTIV LOCK>INACT DISABL>INACT
		DRAFT>TERM NEW>TERM ACTIV>TERM INACT>TERM LOCK>TERM DISABL>TERM`) {
		allowed[s] = true
	}
	for _, from := range all {
		if from.Name() == "" {
			t.Errorf("%s has no name", from)
		}
		for _, to := range all {
			if got := from.May(to); got != allowed[string(from)+">"+string(to)] {
				t.Errorf("%s to %s: %v", from, to, got)
			}
		}
	}
}

func TestAddAssignsNamesAndGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Rules{})
		var names []string
		for i := range 3 {
			u, err := s.Add(t.Context(), user(func(u *User) { u.Email = fmt.Sprintf("zoe%d@example.com", i) }), "test")
			if err != nil {
				t.Fatal(err)
			}
			if u.GroupID == 0 {
				t.Error("a provider administrator without a group")
			}
			names = append(names, u.UserName)
		}
		if fmt.Sprint(names) != "[zobriennunez zobriennunez2 zobriennunez3]" {
			t.Errorf("names %v", names)
		}
		long, err := s.Add(t.Context(), user(func(u *User) { u.LastName, u.Email = "Wolfeschlegelsteinhausen", "w@example.com" }), "test")
		if err != nil || long.UserName != "zwolfeschlegel" {
			t.Errorf("%q, %v", long.UserName, err)
		}
		internal, err := s.Add(t.Context(), user(func(u *User) { u.TypeCd, u.Email = access.ISAD, "i@example.com" }), "test")
		if err != nil || internal.GroupID != 0 {
			t.Errorf("internal staff in group %d, %v", internal.GroupID, err)
		}
		if _, err := s.Add(t.Context(), user(func(u *User) { u.Email = "ZOE1@example.com" }), "test"); !problem.Is(err, problem.Conflict) {
			t.Errorf("an e-mail in use: %v", err)
		}
		if _, err := db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'TERM' WHERE email = 'zoe1@example.com'`); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(t.Context(), user(func(u *User) { u.Email = "ZOE1@example.com" }), "test"); err != nil {
			t.Errorf("the e-mail of a terminated account: %v", err)
		}
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
		if !slices.Equal(paths, []string{"first_name", "last_name", "email", "type", "status", "user_name"}) {
			t.Errorf("wrong fields %v", paths)
		}
	})
}

// Accounts made at the same time never share a name, an e-mail or a group.
func TestAddAtTheSameTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Rules{})
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
		if made != 1 {
			t.Errorf("%d accounts with one e-mail", made)
		}
	})
}

func TestTidy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, now := newService(t, d, Rules{Failures: 5, LockFor: 30 * time.Minute, DisableIn: 90 * 24 * time.Hour})
		for _, name := range []string{"locked", "kept", "unused"} {
			u, err := s.Add(t.Context(), user(func(u *User) { u.UserName, u.Email = name, name+"@example.com" }), "test")
			if err != nil {
				t.Fatal(err)
			}
			activate(t, s, u)
		}
		for range 5 {
			if _, err := s.SignIn(t.Context(), "locked", "wrong"); err == nil {
				t.Error("a wrong password signs in")
			}
		}
		if _, err := db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'LOCK' WHERE user_name = 'kept'`); err != nil {
			t.Fatal(err)
		}
		states := func() string {
			var list []string
			if err := db.Select(t.Context(), d.Writer, &list, `SELECT status_cd FROM users ORDER BY user_name`); err != nil {
				t.Fatal(err)
			}
			return strings.Join(list, " ")
		}
		tidy := func() {
			t.Helper()
			for range 2 { // safe to repeat
				if err := s.Tidy(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		tidy()
		if got := states(); got != "LOCK LOCK ACTIV" {
			t.Errorf("during the lock: %s", got)
		}
		*now = now.Add(31 * time.Minute)
		tidy()
		if got := states(); got != "LOCK ACTIV ACTIV" {
			t.Errorf("after the lock; one without an end stays: %s", got)
		}
		*now = now.Add(60 * 24 * time.Hour)
		if _, err := s.SignIn(t.Context(), "LOCKED ", "Quiet-Lake-7"); err != nil {
			t.Errorf("after the lock: %v", err)
		}
		*now = now.Add(40 * 24 * time.Hour)
		tidy()
		if got := states(); got != "LOCK ACTIV DISABL" {
			t.Errorf("after 100 days: %s", got)
		}
	})
}

func TestIdentityIsBoundToItsSubject(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Rules{})
		for _, name := range []string{"ada", "bea"} {
			u, err := s.Add(t.Context(), user(func(u *User) { u.UserName, u.Email = name, name+"@example.com" }), "test")
			if err != nil {
				t.Fatal(err)
			}
			activate(t, s, u)
		}
		for _, c := range []struct{ subject, name, want string }{
			{"s1", "ADA", "ada"},  // bound at the first time
			{"s1", "bea", "ada"},  // the subject decides from then on
			{"s2", "ada", ""},     // another subject with a bound name
			{"s3", "nobody", ""},  // nobody here
			{"s2", "bea@x.y", ""}, // never by e-mail
			{"s2", "bea", "bea"},
		} {
			u, err := s.SignInIdentity(t.Context(), Identity{Issuer: "https://id.example", Subject: c.subject, UserName: c.name})
			if u.UserName != c.want || (err != nil) != (c.want == "") || err != nil && problem.From(err).Code != "INACTIVE_CREDENTIALS" {
				t.Errorf("subject %s named %s: %q, %v", c.subject, c.name, u.UserName, err)
			}
		}
		if u, err := s.SignInIdentity(t.Context(), Identity{Issuer: "https://other.example", Subject: "s1", UserName: "ada"}); err == nil {
			t.Errorf("the same subject of another issuer is %s", u.UserName)
		}
	})
}

func TestFeed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Rules{})
		take := func(u User) (o intake.Outcome) {
			t.Helper()
			if err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) { o, err = s.TakeUser(t.Context(), tx, u); return err }); err != nil {
				t.Fatal(err)
			}
			return o
		}
		group := func(g Group) (o intake.Outcome) {
			t.Helper()
			if err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) { o, err = s.TakeGroup(t.Context(), tx, g); return err }); err != nil {
				t.Fatal(err)
			}
			return o
		}
		for want, g := range map[string]Group{"taken": {ID: 1001, Name: "North", Kind: "PROVIDER"}} {
			if o := group(g); o.String() != want {
				t.Errorf("%+v", o)
			}
		}
		if o := group(Group{1001, " North ", "PROVIDER"}); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		if o := group(Group{1001, "South", "PROVIDER"}); o.String() != "updated" {
			t.Errorf("%+v", o)
		}
		row := user(func(u *User) { u.UserName, u.GroupID, u.StatusCd = "zoe", 1001, Active })
		if o := take(row); o.String() != "taken" {
			t.Errorf("%+v", o)
		}
		if err := s.SetMissingPasswords(t.Context(), "Quiet-Lake-7"); err != nil {
			t.Fatal(err)
		}
		if o := take(row); o.String() != "unchanged" {
			t.Errorf("%+v", o)
		}
		row.StatusCd, row.JobTitle = Terminated, "Clerk"
		if o := take(row); o.String() != "updated" {
			t.Errorf("%+v", o)
		}
		if u, err := s.SignIn(t.Context(), "zoe", "Quiet-Lake-7"); err != nil || u.StatusCd != Active || u.JobTitle != "Clerk" {
			t.Errorf("a feed changed the state or the password: %+v, %v", u, err)
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

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"id":      func() error { _, err := byID(t.Context(), q, 1); return err },
			"name":    func() error { _, err := byNameKey(t.Context(), q, "x"); return err },
			"subject": func() error { _, err := bySubject(t.Context(), q, "x", "y"); return err },
			"e-mail":  func() error { _, err := byEmailKey(t.Context(), q, "x"); return err },
		} {
			if err := find(); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("by %s: %v", name, err)
			}
		}
		// A part of an address is the one search without an index; its answer is bounded.
		for name, find := range map[string]func() ([]User, error){
			"group of an administrator": func() ([]User, error) { return usersOfGroup(t.Context(), q, 1, 10) },
			"beginning of a name":       func() ([]User, error) { return usersByNamePrefix(t.Context(), q, "abc", access.PRUS, 10) },
			"address":                   func() ([]User, error) { return usersByEmail(t.Context(), q, "a@b.c", "", 10) },
			"TIN":                       func() ([]User, error) { return usersHolding(t.Context(), q, []int64{1, 2}, []int64{3}, "", 10) },
			"group":                     func() ([]User, error) { return usersInGroup(t.Context(), q, 1, access.PRUS, 10) },
			"ids":                       func() ([]User, error) { return usersByIDs(t.Context(), q, []int64{1, 2}, "", 10) },
			"names":                     func() ([]User, error) { return usersByNames(t.Context(), q, []string{"a", "b"}, "", 10) },
			"status":                    func() ([]User, error) { return usersByStatus(t.Context(), q, Active, "", 10) },
		} {
			if list, err := find(); err != nil || len(list) != 0 {
				t.Errorf("by %s: %d, %v", name, len(list), err)
			}
		}
		for name, find := range map[string]func() ([]FoundGroup, error){
			"ids":                 func() ([]FoundGroup, error) { return groupsByIDs(t.Context(), q, []int64{1, 2}) },
			"beginning of a name": func() ([]FoundGroup, error) { return groupsByUserName(t.Context(), q, "abc", 10) },
			"address":             func() ([]FoundGroup, error) { return groupsByEmail(t.Context(), q, "a@b.c", 10) },
		} {
			if list, err := find(); err != nil || len(list) != 0 {
				t.Errorf("groups by %s: %d, %v", name, len(list), err)
			}
		}
	})
}
