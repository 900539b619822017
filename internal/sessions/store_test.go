package sessions

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

// A session can be read back complete, with the person and the mirrored user.
func TestRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		exec := func(query string, args ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, query, args...)))
		}
		exec(`INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
			VALUES (7, 'North', 'north', 'PROVIDER', $1, 'test')`, now)
		for _, name := range []string{"ada", "zoe"} {
			exec(`
				INSERT INTO users (user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
					type_cd, staff_role, status_cd, group_id, created_at, created_by, updated_at, updated_by)
				VALUES ($2, $2, 'A', 'B', 'a', 'b', $2, $2, 'PRAD', 'LEAD', 'ACTIV', 7, $1, '', $1, '')`, now, name)
		}
		var ids []int64
		require.NoError(t, db.Select(t.Context(), d.Writer, &ids, `SELECT id FROM users ORDER BY user_name`))
		hash := hashToken("token")
		require.NoError(t, insertSession(t.Context(), d.Writer, hash, Proof{UserID: ids[0], IDToken: "identity", SID: "provider's session",
			At: now.Time}, "Firefox on Linux", now))
		require.NoError(t, setProved(t.Context(), d.Writer, hash, now))
		exec(`INSERT INTO visits (id, group_id, user_id, mirrored_user_id, started_at) VALUES (5, 7, $1, $2, $3)`, ids[0], ids[1], now)
		require.NoError(t, dbtest.Err(setMirrored(t.Context(), d.Writer, hash, ids[1], 5, now)))
		found, err := byHash(t.Context(), d.Writer, hash)
		require.NoError(t, err)
		assert.Nil(t, mappingtest.ListEmpty(found, "MirrorEndedID", "MirrorTimeOver"))
		assert.Equalf(t, int64(0), found.MirrorEndedID, "ended before it has: %+v", found)
		if found.UserName != "ada" || found.MirroredUserName != "zoe" {
			t.Errorf("%+v", found)
		}
		var ended []endedMirror
		if err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			ended, err = endMirrors(t.Context(), tx, ids[1])
			return err
		}); err != nil || len(ended) != 1 || ended[0] != (endedMirror{"ada", "zoe", 5}) {
			t.Errorf("ended %v, %v", ended, err)
		}
		if found, err := byHash(t.Context(), d.Writer, hash); err != nil || found.MirroredID != 0 || found.MirrorEndedID != ids[1] {
			t.Errorf("%+v, %v", found, err)
		}
		var was deleted
		if err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			was, err = deleteSession(t.Context(), tx, hash)
			return err
		}); err != nil || was.IDToken != "identity" || was.VisitID != 5 {
			t.Errorf("%+v, %v", was, err)
		}
	})
}

// A salt stays the same until its user has been inactive for long, and is then deleted.
func TestSalts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		start := time.Now()
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `
			INSERT INTO users (user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
				status_cd, created_at, created_by, updated_at, updated_by)
			VALUES ('ada', 'ada', 'A', 'B', 'a', 'b', 'a@b.example', 'a@b.example', 'ISAD', 'ACTIV', $1, '', $1,
				'')`, db.At(start))))
		var id int64
		require.NoError(t, db.Get(t.Context(), d.Writer, &id, `SELECT id FROM users`))
		for _, test := range []struct {
			after time.Duration
			fresh string
			want  string
		}{{0, "first", "first"}, {time.Hour, "second", "first"}, {3 * time.Hour, "third", "third"}} {
			now := start.Add(test.after)
			salt, err := getOrCreateSalt(t.Context(), d.Writer, id, []byte(test.fresh), db.At(now), db.At(now.Add(-time.Hour)))
			if err != nil || string(salt) != test.want {
				t.Errorf("after %s: %q, %v", test.after, salt, err)
			}
		}
		for _, old := range []struct {
			before time.Duration
			left   int
		}{{3 * time.Hour, 1}, {4 * time.Hour, 0}} {
			require.NoError(t, deleteOldSalts(t.Context(), d.Writer, db.At(start.Add(old.before))))
			var left int
			if err := db.Get(t.Context(), d.Writer, &left, `SELECT count(*) FROM form_keys`); err != nil || left != old.left {
				t.Errorf("of before %s: %d left, %v", old.before, left, err)
			}
		}
	})
}

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"deleteOver":     "once a minute: it looks for the oldest of two kinds, and few are kept",
		"deleteOldSalts": "once a minute: a row for each user of the last hours",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, hash, now := t.Context(), []byte("x"), db.At(time.Now())
		_, none := byHash(ctx, tx, hash)
		_, noneScoped := scopedByHash(ctx, tx, withTINs(func(string, string, string) string { return "''" }), hash)
		_, noneLocked := lockSession(ctx, tx, d.Dialect, hash)
		if !errors.Is(noneLocked, db.ErrNotFound) || !errors.Is(none, db.ErrNotFound) || !errors.Is(noneScoped, db.ErrNotFound) {
			t.Error(none, noneScoped)
		}
		_, err := setMirrored(ctx, tx, hash, 1, 1, now)
		proved := setProved(ctx, tx, hash, now)
		_, deleted := deleteSession(ctx, tx, hash)
		assert.NoError(t, errors.Join(err, proved, deleted, touch(ctx, tx, hash, now), dbtest.Err(deleteOutside(ctx, tx, "s", 0)),
			dbtest.Err(deleteOutside(ctx, tx, "", 1)), dbtest.Err(deleteByUser(ctx, tx, access.System("test").User(1))),
			dbtest.Err(endMirrors(ctx, tx, 1)), dbtest.Err(endMirror(ctx, tx, hash)),
			dbtest.Err(deleteOthers(ctx, tx, access.System("test").User(1), hash)), dbtest.Err(deleteOver(ctx, tx, now, now)),
			dbtest.Err(listOpen(ctx, tx, 1, now, now)), dbtest.Err(listPeople(ctx, tx, 7, now, now)),
			dbtest.Err(deleteOne(ctx, tx, access.System("test").User(1), hash))))
		require.NoError(t, dbtest.Err(tx.ExecContext(ctx, `
			INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
				type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES (1, 'ada', 'ada', 'A', 'B', 'a', 'b', 'a@b.example', 'a@b.example', 'ISAD', 'ACTIV', $1, '', $1, '')`, now)))
		_, given := getOrCreateSalt(ctx, tx, 1, hash, now, now)
		assert.NoError(t, errors.Join(given, prolongSalt(ctx, tx, 1, now, now), deleteSalt(ctx, tx, 1), deleteOldSalts(ctx, tx, now)))
	})
}
