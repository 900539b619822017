package signin

import (
	"context"
	"database/sql"
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
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/passwords/passwordstest"
	"wcpp/internal/platform/problem"
)

func newService(t *testing.T, d *db.DB, settings Settings) (*Service, *time.Time) {
	t.Helper()
	now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	log := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr,
		&slog.HandlerOptions{Level: slog.LevelError}))})
	t.Cleanup(log.Close)
	clock := func() time.Time { return now }
	mails := mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: noJobs{}, Clock: time.Now}, mail.Settings{})
	kit := platform.Kit{DB: d, Audit: log, Mail: mails, Clock: clock, Zone: time.UTC, PublicURL: "https://portal.example"}
	offer := func(context.Context, int64, string, string) error { return nil }
	none := identitytest.None{}
	accounts := users.NewService(users.Deps{Kit: kit, Links: none, Assignments: none, Cases: none, TINs: none, Sessions: none},
		access.Settings{})
	return NewService(Deps{Kit: kit, Accounts: accounts, Offer: offer, Factors: noFactors{}}, settings), &now
}

// noFactors requires no second factor.
type noFactors struct{}

func (noFactors) IsRequired(context.Context, db.Queryer, int64, access.Type) (bool, error) {
	return false, nil
}
func (noFactors) Has(context.Context, db.Queryer, int64, int64) (bool, error) { return false, nil }

// noJobs leaves emails in the outbox.
type noJobs struct{}

func (noJobs) Insert(context.Context, *sql.Tx, river.JobArgs) error { return nil }

// addActive creates an account with a password.
func addActive(t *testing.T, s *Service, name string) {
	t.Helper()
	u, err := s.accounts.Add(t.Context(), users.User{
		UserName: name, FirstName: "Zoë", LastName: "O'Brien", Email: name + "@example.com", TypeCd: access.PRAD, StatusCd: users.New,
	}, "test")
	require.NoError(t, err)
	hash := passwordstest.Hash("Quiet-Lake-7")
	require.NoError(t, s.db.Tx(t.Context(), func(tx *sql.Tx) error {
		return s.Activate(t.Context(), tx, access.System("test").User(u.ID), hash)
	}))
}

func TestTidy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, now := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100,
			DisableAfterDays: 90})
		for _, name := range []string{"locked", "kept", "unused"} {
			addActive(t, s, name)
		}
		for range 5 {
			assert.Error(t, dbtest.Err(s.SignIn(t.Context(), "locked", "wrong")), "a wrong password signs in")
		}
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'LOCK' WHERE user_name = 'kept'`)))
		states := func() string {
			var list []string
			require.NoError(t, db.Select(t.Context(), d.Writer, &list, `SELECT status_cd FROM users ORDER BY user_name`))
			return strings.Join(list, " ")
		}
		tidy := func() {
			t.Helper()
			for range 2 { // safe to repeat
				require.NoError(t, s.Cleanup(t.Context()))
			}
		}
		tidy()
		assert.Equal(t, "LOCK LOCK ACTIV", states())
		*now = now.Add(31 * time.Minute)
		tidy()
		assert.Equal(t, "LOCK ACTIV ACTIV", states())
		*now = now.Add(60 * 24 * time.Hour)
		assert.NoError(t, dbtest.Err(s.SignIn(t.Context(), "LOCKED ", "Quiet-Lake-7")))
		*now = now.Add(40 * 24 * time.Hour)
		tidy()
		assert.Equal(t, "LOCK ACTIV DISABL", states())
		addActive(t, s, "recent")
		s.settings.DisableAfterDays = 200_000 // more than a duration can have
		tidy()
		assert.Equal(t, "LOCK ACTIV ACTIV DISABL", states())
	})
}

func TestIdentityIsBoundToItsSubject(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100})
		for _, name := range []string{"ada", "bea"} {
			addActive(t, s, name)
		}
		for _, c := range []struct{ subject, name, want string }{
			{"s1", "ADA", "ada"},  // bound on first sign-in
			{"s1", "bea", "ada"},  // then the subject decides
			{"s2", "ada", ""},     // another subject with a bound name
			{"s3", "nobody", ""},  // no such account
			{"s2", "bea@x.y", ""}, // never by email
			{"s2", "bea", "bea"},
		} {
			u, err := s.SignInIdentity(t.Context(), Identity{Issuer: "https://id.example", Subject: c.subject, UserName: c.name,
				Asserted: true})
			if u.UserName != c.want || (err != nil) != (c.want == "") || err != nil && problem.From(err).Code != "INACTIVE_CREDENTIALS" {
				t.Errorf("subject %s named %s: %q, %v", c.subject, c.name, u.UserName, err)
			}
		}
		if u, err := s.SignInIdentity(t.Context(), Identity{Issuer: "https://other.example", Subject: "s1", UserName: "ada",
			Asserted: true}); err == nil {
			t.Errorf("the same subject of another issuer is %s", u.UserName)
		}
	})
}

// The claim binds only active accounts. If it can't bind, the owner of an active account gets a
// link by email, and the response is the same for every name.
func TestFirstSignInOfAnIdentity(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100})
		for _, name := range []string{"ada", "bea", "cy"} {
			addActive(t, s, name)
		}
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'INACT' WHERE user_name = 'bea'`)))
		come := func(subject, name string, asserted bool) (string, string) {
			u, err := s.SignInIdentity(t.Context(), Identity{Issuer: "https://id.example", Subject: subject, UserName: name,
				Asserted: asserted})
			if err == nil {
				return u.UserName, ""
			}
			return "", problem.From(err).Code
		}
		bound := func() (n int) {
			require.NoError(t, db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM users WHERE sso_subject <> ''
				AND sso_bound_at IS NOT NULL`))
			return n
		}
		if _, code := come("s2", "bea", true); code != "USER_ACCT_INACTIVE" || bound() != 0 {
			t.Errorf("an inactive account: %s, %d bound", code, bound())
		}
		if name, code := come("s3", "cy", true); name != "cy" || bound() != 1 {
			t.Errorf("an active account: %q %s, %d bound", name, code, bound())
		}
		var offered []int64
		s.offer = func(_ context.Context, userID int64, issuer, subject string) error {
			assert.Equal(t, "https://id.example", issuer)
			assert.Equal(t, "s1", subject)
			offered = append(offered, userID)
			return nil
		}
		ada, err := users.FindByName(t.Context(), d.Writer, "ada")
		require.NoError(t, err)
		for _, name := range []string{"ada", "bea", "cy", "nobody", ""} { // active, inactive, bound to another, none
			if _, code := come("s1", name, false); code != "SSO_LINK_MAILED" {
				t.Errorf("%q: %s", name, code)
			}
		}
		if fmt.Sprint(offered) != fmt.Sprint([]int64{ada.ID, 0, 0, 0, 0}) || bound() != 1 {
			t.Errorf("offered %v, %d bound", offered, bound())
		}
		if name, code := come("s3", "somebody.else", false); name != "cy" {
			t.Errorf("one who is bound: %q %s", name, code)
		}

		// A person whose bound account has ended gets that message, whether or not the typed
		// name exists. Binding another account replaces the ended one.
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'TERM' WHERE user_name = 'cy'`)))
		s.offer = func(_ context.Context, userID int64, _, _ string) error {
			offered = append(offered, userID)
			return nil
		}
		offered = nil
		for _, name := range []string{"ada", "bea", "cy", "nobody"} {
			if _, code := come("s3", name, false); code != "USER_ACCT_TERMINATED" {
				t.Errorf("bound to an account that has ended, named %q: %s", name, code)
			}
		}
		assert.Equalf(t, fmt.Sprint([]int64{ada.ID, 0, 0, 0}), fmt.Sprint(offered), "offered %v", offered)
		for _, name := range []string{"cy", "nobody"} {
			if _, code := come("s3", name, true); code != "USER_ACCT_TERMINATED" {
				t.Errorf("asserted to be %q: %s", name, code)
			}
		}
		if name, code := come("s3", "ada", true); name != "ada" || bound() != 1 {
			t.Errorf("asserted to have another account: %q %s, %d bound", name, code, bound())
		}
	})
}

// A device row refers to its user. Two concurrent sign-ins used to deadlock, because each held
// that reference and then locked the user.
func TestSignInsAtOnceWaitForEachOtherInTurn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Settings{SignInMails: "on"})
		addActive(t, s, "zoe")
		u, err := users.FindByName(t.Context(), d.Writer, "zoe")
		require.NoError(t, err)
		require.NoError(t, s.RememberDevice(t.Context(), u.ID, "first"))
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				assert.NoError(t, s.RememberDevice(t.Context(), u.ID, fmt.Sprint("another ", i)))
			})
		}
		all.Wait()
		if d.Dialect.Name != "postgres" {
			return
		}
		time.Sleep(1500 * time.Millisecond) // counters become visible within a second
		var deadlocks int
		if err := db.Get(t.Context(), d.Writer, &deadlocks, `SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database
			WHERE datname = current_database()`); err != nil || deadlocks > 0 {
			t.Errorf("%d deadlocks, %v", deadlocks, err)
		}
	})
}

// requiredFactors requires a second factor.
type requiredFactors struct{ noFactors }

func (requiredFactors) IsRequired(context.Context, db.Queryer, int64, access.Type) (bool, error) {
	return true, nil
}

// A right password that reaches the limit, because its second step is missing, locks the account as a
// wrong one does.
func TestRightPasswordReachesTheLimit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100, SignInMails: "on"})
		s.factors = requiredFactors{}
		addActive(t, s, "ada")
		for range 4 {
			if _, err := s.SignIn(t.Context(), "ada", "wrong"); problem.From(err).Code != codeInvalid {
				t.Error(err)
			}
		}
		if _, err := s.SignIn(t.Context(), "ada", "Quiet-Lake-7"); problem.From(err).Code != "USER_ACCT_LOCKED:30" {
			t.Error(err)
		}
		checkLocks(t, d, "ada", 1)
	})
}

// A lock is audited and emailed even if another source's lock lasts longer, which stays.
func TestLockDuringALongerLock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, now := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100, SignInMails: "on"})
		addActive(t, s, "ada")
		later := db.At(now.Add(time.Hour))
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET status_cd = 'LOCK', locked_until = $1`, later)))
		for range 5 {
			assert.Error(t, dbtest.Err(s.SignIn(t.Context(), "ada", "wrong")), "a wrong password signs in")
		}
		checkLocks(t, d, "ada", 1)
		if u, err := users.FindByName(t.Context(), d.Writer, "ada"); err != nil || !u.LockedUntil.Equal(later.Time) {
			t.Errorf("%v, %v", u.LockedUntil, err)
		}
	})
}

// checkLocks checks the audit entries and emails about locks of an account.
func checkLocks(t *testing.T, d *db.DB, name string, want int) {
	t.Helper()
	var entries, mails, locked int
	for query, n := range map[string]*int{
		`SELECT count(*) FROM audit_log WHERE operation = 'account-locked' AND subject = $1`: &entries,
		`SELECT count(*) FROM mails WHERE to_address = $1 || '@example.com'`:                 &mails,
		`SELECT count(*) FROM users WHERE user_name = $1 AND status_cd = 'LOCK'`:             &locked,
	} {
		require.NoError(t, db.Get(t.Context(), d.Writer, n, query, name))
	}
	if entries != want || mails != want || locked != min(want, 1) {
		t.Errorf("%d audit entries, %d emails, %d locked", entries, mails, locked)
	}
}

// Spaces at the ends of a password don't count, as when it is set.
func TestSpacesAroundAPassword(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := newService(t, d, Settings{LockFailures: 5, LockMinutes: 30, LockDayFailures: 20, LockRowFailures: 100})
		addActive(t, s, "ada")
		assert.NoError(t, dbtest.Err(s.SignIn(t.Context(), "ada", " Quiet-Lake-7\t")))
		assert.NoError(t, s.ProvePassword(t.Context(), "ada", "Quiet-Lake-7 "))
		if _, err := s.SignIn(t.Context(), "ada", "Quiet -Lake-7"); problem.From(err).Code != codeInvalid {
			t.Error(err)
		}
	})
}
