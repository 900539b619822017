package users

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/text"
)

// filled returns an account with a value in every field. Its group is created when it is stored.
func filled() User {
	u := mappingtest.Filled[User]()
	u.TypeCd, u.StatusCd, u.StaffRole, u.AffiliationCd = access.ISAD, Active, access.Lead, "OTHER"
	return u
}

// No mapping between the API and the account loses a field.
func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"details": mappingtest.ListEmpty(ToDetails(filled())),
		"person":  mappingtest.ListEmpty(filled().Person()),
		"profile": mappingtest.ListEmpty(mappingtest.Filled[ProfileUpdate]().profile()),
		"backfill": mappingtest.ListEmpty(mappingtest.Filled[Backfill]().profile(), "ID", "FirstName", "MiddleName", "LastName", "Email",
			"Phone", "EmployeeID"),
	} {
		assert.Nilf(t, lost, "%s loses", name)
	}
	d := ToDetails(filled())
	if d.InternalStaffFlag != true || *d.GrpInfoID != filled().GroupID || d.TypeDesc != "Internal System Admin" ||
		d.StatusDesc != "Active" {
		t.Errorf("%+v", d)
	}
}

// Everything stored about an account can be read back, however it was stored.
func TestRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d)
		first := filled()
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			group, err := s.MakeGroup(t.Context(), tx, first, "test")
			if err != nil {
				return err
			}
			first, err = s.Insert(t.Context(), tx, first, group, "test")
			return err
		})
		require.NoError(t, err)
		grant, group := access.System("test").User(first.ID), access.System("test").Group(first.GroupID)
		read := func() User {
			t.Helper()
			u, err := byID(t.Context(), d.Writer, first.ID)
			require.NoError(t, err)
			return u
		}
		// A new account hasn't signed in, and has no SSO identity.
		notYet := []string{"LastLoginAt", "SSOIssuer", "SSOSubject", "SSOBoundAt"}
		assert.Nil(t, mappingtest.ListEmpty(read(), notYet...))
		want := first
		want.LastLoginAt, want.SSOIssuer, want.SSOSubject, want.SSOBoundAt = db.Instant{}, "", "", db.Instant{}
		if got := read(); got != want {
			t.Errorf("stored\n%+v, read\n%+v", want, got)
		}
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := bindSubject(t.Context(), tx, grant, "issuer", "subject", first.CreatedAt); err != nil {
				return err
			}
			// Users of an inactive group can't sign in.
			if noted, err := noteSignIn(t.Context(), tx, grant, first.CreatedAt); err != nil || noted != 0 {
				t.Errorf("noted %d, %v", noted, err)
			}
			if err := setGroupStatus(t.Context(), tx, group, GroupActive); err != nil {
				return err
			}
			_, err := noteSignIn(t.Context(), tx, grant, first.CreatedAt)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if lost := mappingtest.ListEmpty(read(), "LockedUntil", "GroupEnded"); lost != nil { // sign-in clears these
			t.Errorf("an account that signed in loses %v", lost)
		}
		for name, c := range map[string]struct {
			store func(*sql.Tx, User) error
			kept  func(stored, old User) User // fields that the statement doesn't change
		}{
			"a changed profile": {
				func(tx *sql.Tx, u User) error { return updateProfile(t.Context(), tx, grant, u, u.CreatedAt) },
				func(u, old User) User {
					u.TypeCd, u.StatusCd, u.Draft, u.ManagerID = old.TypeCd, old.StatusCd, old.Draft, old.ManagerID
					u.GroupEnded = old.GroupEnded
					return u
				},
			},
			"a feed": {
				func(tx *sql.Tx, u User) error { return updateFromFeed(t.Context(), tx, grant, u, group, u.CreatedAt) },
				func(u, old User) User {
					u.StatusCd, u.Draft, u.ManagerID = old.StatusCd, old.Draft, old.ManagerID
					return u
				},
			},
			"a draft": {
				func(tx *sql.Tx, u User) error { return updateDraft(t.Context(), tx, grant, u, group, u.CreatedAt) },
				func(u, _ User) User { return u },
			},
		} {
			old := read()
			next := filled()
			for _, field := range []*string{
				&next.FirstName, &next.MiddleName, &next.LastName, &next.Email, &next.Phone, &next.EmployeeID,
				&next.AffiliationCd, &next.AffiliationDesc, &next.JobTitle, &next.CompanyName, &next.CompanyURL, &next.Draft,
			} {
				*field += name
			}
			next.TypeCd, next.StatusCd = access.PRAD, Inactive
			next.ManagerID++
			next.ID, next.UserName, next.GroupID, next.PasswordHash, next.LockedUntil = old.ID, old.UserName, old.GroupID, old.PasswordHash,
				old.LockedUntil
			next.LastLoginAt, next.CreatedAt, next.SSOIssuer, next.SSOSubject, next.SSOBoundAt = old.LastLoginAt, old.CreatedAt,
				old.SSOIssuer, old.SSOSubject, old.SSOBoundAt
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return c.store(tx, next) }))
			if got, want := read(), c.kept(next, old); got != want {
				t.Errorf("%s: stored\n%+v, read\n%+v", name, want, got)
			}
			var keys struct{ FirstNameKey, LastNameKey, EmailKey string }
			require.NoError(t, db.Get(t.Context(), d.Writer, &keys, `SELECT first_name_key, last_name_key, email_key FROM users
				WHERE id = $1`, first.ID))
			if keys.FirstNameKey != text.Key(next.FirstName) || keys.LastNameKey != text.Key(next.LastName) ||
				keys.EmailKey != text.Key(next.Email) {
				t.Errorf("%s: keys %+v", name, keys)
			}
		}
	})
}

// The audit log names each profile field that changed.
func TestChangedNamesEachDetail(t *testing.T) {
	full := filled()
	for i, set := range []func(*User){
		func(u *User) {
			u.FirstName = ""
		}, func(u *User) { u.MiddleName = "" }, func(u *User) { u.LastName = "" }, func(u *User) { u.Email = "" },
		func(u *User) { u.Phone = "" }, func(u *User) { u.EmployeeID = "" }, func(u *User) { u.AffiliationCd = "" },
		func(u *User) { u.AffiliationDesc = "" }, func(u *User) { u.JobTitle = "" }, func(u *User) { u.CompanyName = "" },
		func(u *User) { u.CompanyURL = "" },
	} {
		next := full
		set(&next)
		assert.Len(t, listChanges(full, next), 1, i)
	}
}
