package mfa

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

const somebody = `
	INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
		status_cd, created_at, created_by, updated_at, updated_by)
	VALUES (7, 'zoe', 'zoe', '', '', '', '', 'z', 'z', 'PRUS', 'ACTIV', $1, '', $1, '')`

// A factor can be read back unchanged, and two apps without credential IDs don't conflict.
func TestRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, somebody, now)))
		stored := mappingtest.Filled[Factor]()
		stored.Kind = App
		app := Factor{Kind: App, Name: "Phone", Sealed: "secret", CreatedAt: now}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			for _, f := range []Factor{stored, app, app} {
				if _, err := insertFactor(t.Context(), tx, access.System("test").User(7), f); err != nil {
					return err
				}
			}
			return nil
		}))
		list, err := listFactors(t.Context(), d.Reader, 7)
		require.NoError(t, err)
		require.Len(t, list, 3)
		assert.Nil(t, mappingtest.ListEmpty(list[0]))
	})
}

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now, g := t.Context(), db.At(time.Now()), access.System("test").User(7)
		require.NoError(t, dbtest.Err(tx.ExecContext(ctx, somebody, now)))
		for _, err := range []error{
			dbtest.Err(insertFactor(ctx, tx, g, Factor{Kind: Passkey, CredentialID: []byte("x"), CreatedAt: now})),
			insertCodes(ctx, tx, g, [][]byte{[]byte("x")}),
			dbtest.Err(listFactors(ctx, tx, 7)), dbtest.Err(getOwner(ctx, tx, []byte("x"))), dbtest.Err(hasFactor(ctx, tx, 7)),
			dbtest.Err(listHolders(ctx, tx, []int64{7, 8})),
			dbtest.Err(takeStep(ctx, tx, 1, 1, now)), dbtest.Err(useAdded(ctx, tx, 7, 1, now)), notePasskey(ctx, tx, 1, "x", now),
			dbtest.Err(countCodes(ctx, tx, 7)),
			dbtest.Err(takeCode(ctx, tx, 7, []byte("x"))), deleteCodes(ctx, tx, g), deleteFactor(ctx, tx, g, 1),
			dbtest.Err(deleteFactors(ctx, tx, g)),
		} {
			assert.NoError(t, err)
		}
	})
}
