package signin

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		require.NoError(t, dbtest.Err(tx.ExecContext(ctx, `
			INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
				type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES (7, 'zoe', 'zoe', '', '', '', '', 'z', 'z', 'PRUS', 'ACTIV', $1, '', $1, '')`, now)))
		assert.ErrorIs(t, dbtest.Err(lastSource(ctx, tx, "nobody")), db.ErrNotFound)
		assert.ErrorIs(t, dbtest.Err(noticeByID(ctx, tx, 1)), db.ErrNotFound)
		assert.NoError(t, errors.Join(
			dbtest.Err(lockAttempts(ctx, tx, d.Dialect, "zoe")),
			saveAttempts(ctx, tx, "zoe", attempts{Failures: 1, LastFailedAt: now, DayBegan: now}),
			dbtest.Err(lockSource(ctx, tx, "zoe", "192.0.2.1")),
			saveSource(ctx, tx, "zoe", "192.0.2.1", fromSource{Failures: 1, LastFailedAt: now}),
			forgetSource(ctx, tx, "zoe", "192.0.2.1"),
			deleteAttempts(ctx, tx, "zoe"),
			dbtest.Err(deleteSources(ctx, tx, now)), dbtest.Err(deleteNames(ctx, tx, now, 100)),
			dbtest.Err(isKnownDevice(ctx, tx, "zoe", []byte("device"))),
			dbtest.Err(hasDevices(ctx, tx, 7)),
			dbtest.Err(saveDevice(ctx, tx, 7, []byte("device"), now)),
			dbtest.Err(saveDevice(ctx, tx, 7, []byte("device"), now)),
			dbtest.Err(insertNotice(ctx, tx, notice{UserID: 7, Kind: noticeDevice, At: now})),
			dbtest.Err(noticedSince(ctx, tx, 7, noticeDevice, now)),
			dbtest.Err(deleteOldNotices(ctx, tx, now)),
			forgetDevices(ctx, tx, access.System("test").User(7)),
			dbtest.Err(forgetOldDevices(ctx, tx, now)),
		))
	})
}

// Between looking for a name's row and adding it, another attempt can add it. A reset that deletes
// that row must wait. Only PostgreSQL runs them at the same time.
func TestLockAttemptsDuringReset(t *testing.T) {
	ctx, url := t.Context(), dbtest.MigratedURL(t, "postgres")
	other, err := db.Open(ctx, url)
	require.NoError(t, err)
	defer other.Close()
	added := false
	d, err := db.OpenTraced(ctx, url, func(_ context.Context, query string, _ []any) {
		switch query = strings.TrimSpace(query); {
		case strings.HasPrefix(query, "INSERT INTO sign_in_attempts"):
			added = true
			assert.NoError(t, other.Tx(ctx, func(tx *sql.Tx) error {
				_, err := lockAttempts(ctx, tx, other.Dialect, "zoe")
				return err
			}))
		case added && strings.HasPrefix(query, "SELECT failures"):
			_ = other.Tx(ctx, func(tx *sql.Tx) error { // it can't wait for the caller
				if _, err := tx.ExecContext(ctx, `SET LOCAL lock_timeout = 100`); err != nil {
					return err
				}
				return deleteAttempts(ctx, tx, "zoe")
			})
		}
	})
	require.NoError(t, err)
	defer d.Close()
	if err := d.Tx(ctx, func(tx *sql.Tx) error {
		_, err := lockAttempts(ctx, tx, d.Dialect, "zoe")
		return err
	}); err != nil || !added {
		t.Errorf("%v, added: %v", err, added)
	}
}
