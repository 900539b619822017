package account

import (
	"database/sql"
	"errors"
	"regexp"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"link by id":       func() error { _, err := linkByID(t.Context(), q, 1); return err },
			"link by token":    func() error { _, err := linkByToken(t.Context(), q, []byte("x")); return err },
			"request by id":    func() error { _, err := requestByID(t.Context(), q, 1); return err },
			"requests waiting": func() error { _, err := submittedRequests(t.Context(), q); return err },
		} {
			if err := find(); err != nil && !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// One row per address, whoever comes first.
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
		if err != nil || first.ID != second.ID {
			t.Fatalf("%d and %d: %v", first.ID, second.ID, err)
		}
	})
}

// What is long over is forgotten; a request under review never.
func TestTidy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		old, now := db.At(time.Now().AddDate(0, 0, -100)), db.At(time.Now())
		count := func(table string) (n int) {
			if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM `+table); err != nil {
				t.Fatal(err)
			}
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
				if _, err := insertLink(t.Context(), tx, purposeRequest, 0, found.ID, r.at, "test"); err != nil {
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
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // safe to repeat
			if err := deleteOld(t.Context(), d, db.At(now.AddDate(0, 0, -90))); err != nil {
				t.Fatal(err)
			}
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
		code := authenticationCode()
		if !form.MatchString(code) || !isCode(code) || known[code] {
			t.Fatalf("%q", code)
		}
		known[code] = true
	}
	for _, wrong := range []string{"", "ABCDE-ABCDE-ABCDE", "ABCDE-ABCDE-ABCDE-ABCDÉ", "abcde-abcde-abcde-abcde", "ABCDE-ABCDE-ABCDE-ABCDE-"} {
		if isCode(wrong) {
			t.Errorf("%q is taken for a code", wrong)
		}
	}
}
