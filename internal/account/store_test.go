package account

import (
	"database/sql"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

// answering returns a grant to decide an account request.
func answering(t *testing.T, id int64) access.RequestGrant {
	t.Helper()
	g, err := access.Actor{Person: access.Person{UserName: "test", Type: access.ISAD}}.Reach().AnswerRequest(id)
	require.NoError(t, err)
	return g
}

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{"submitted": "what waits is counted, up to a bound"}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		for name, err := range map[string]error{
			"a link":            dbtest.Err(linkByID(ctx, tx, 1)),
			"a last link":       dbtest.Err(lastLink(ctx, tx, 1, purposeReset)),
			"a link by token":   dbtest.Err(linkByToken(ctx, tx, []byte("x"))),
			"a request":         dbtest.Err(requestByID(ctx, tx, 1)),
			"a request to lock": dbtest.Err(lockRequest(ctx, tx, d.Dialect, 1)),
			"an open request":   dbtest.Err(lockOpenRequest(ctx, tx, d.Dialect, "x")),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
			setLinkIdentity(ctx, tx, 1, "x", "y"),
			mintLink(ctx, tx, 1, []byte("x"), []byte("y"), now),
			dbtest.Err(useLink(ctx, tx, 1, now)),
			dbtest.Err(endLinks(ctx, tx, 1, 0, []string{purposeReset}, now)),
			dbtest.Err(endLinks(ctx, tx, 0, 1, []string{purposeRequest}, now)),
			dbtest.Err(submittedRequests(ctx, tx)),
			dbtest.Err(submitted(ctx, tx)),
			dbtest.Err(ignoreCount(submittedPage(ctx, tx, d.Dialect, paging.Table{PageSize: 10, Sort: &paging.Sort{ID: "name"},
				Filters: map[string]string{"email": "a"}}))),
			submitRequest(ctx, tx, Request{ID: 1}),
			dbtest.Err(closeRequest(ctx, tx, answering(t, 1), 1, now)),
			dbtest.Err(declineRequest(ctx, tx, answering(t, 1), "", now)),
			dbtest.Err(deleteOldLinks(ctx, tx, now)),
			dbtest.Err(deleteAbandoned(ctx, tx, now)),
			dbtest.Err(deleteClosed(ctx, tx, now)),
		))
	})
}

func ignoreCount(list []Request, _ int, err error) ([]Request, error) { return list, err }

// Each address has only one row, whichever request comes first.
func TestOneOpenRequestPerAddress(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		var first, second Request
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			for _, into := range []*Request{&first, &second} {
				if err := insertRequest(t.Context(), tx, "Zoe@example.com", "zoe@example.com", "", now); err != nil {
					return err
				}
				var err error
				if *into, err = lockOpenRequest(t.Context(), tx, d.Dialect, "zoe@example.com"); err != nil {
					return err
				}
			}
			first.SubmittedAt = now
			return submitRequest(t.Context(), tx, first)
		})
		require.NoError(t, err)
		require.Equal(t, second.ID, first.ID)
	})
}

// Old data is deleted, but never a request under review.
func TestTidy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		old, now := db.At(time.Now().AddDate(0, 0, -100)), db.At(time.Now())
		count := func(table string) (n int) {
			require.NoError(t, db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM `+table))
			return n
		}
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			for _, r := range []struct {
				email string
				at    db.Instant
			}{{"old@example.com", old}, {"sent@example.com", old}, {"new@example.com", now}} {
				if err := insertRequest(t.Context(), tx, r.email, r.email, "", r.at); err != nil {
					return err
				}
				found, err := lockOpenRequest(t.Context(), tx, d.Dialect, r.email)
				if err != nil {
					return err
				}
				l := link{Purpose: purposeRequest, RequestID: found.ID, CreatedBy: "test"}
				if _, err := insertLink(t.Context(), tx, l, r.at); err != nil {
					return err
				}
				if found.SubmittedAt = r.at; r.email == "sent@example.com" {
					if err := submitRequest(t.Context(), tx, found); err != nil {
						return err
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
		for range 2 { // safe to repeat
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				before := db.At(now.AddDate(0, 0, -90))
				return errors.Join(dbtest.Err(deleteOldLinks(t.Context(), tx, before)),
					dbtest.Err(deleteAbandoned(t.Context(), tx, before)))
			}))
		}
		if links, requests := count("account_links"), count("account_requests"); links != 1 || requests != 2 {
			t.Errorf("%d links, %d requests", links, requests)
		}
	})
}

func TestAuthenticationCode(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z0-9]{5}(-[A-Z0-9]{5}){3}$`)
	known := map[string]bool{}
	for range 1000 {
		code := newAuthenticationCode()
		if !form.MatchString(code) || !isCode(code) || known[code] {
			t.Fatalf("%q", code)
		}
		known[code] = true
	}
	for _, wrong := range []string{"", "ABCDE-ABCDE-ABCDE", "ABCDE-ABCDE-ABCDE-ABCDÉ", "abcde-abcde-abcde-abcde",
		"ABCDE-ABCDE-ABCDE-ABCDE-"} {
		assert.Falsef(t, isCode(wrong), "%q is taken for a code", wrong)
	}
}
