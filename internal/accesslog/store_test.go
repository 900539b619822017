package accesslog

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
	"wcpp/internal/platform/paging"
)

// given creates a group with a staff member (1), an administrator (2) and a user (3).
func given(t *testing.T, q db.Queryer, now db.Instant) {
	t.Helper()
	require.NoError(t, dbtest.Err(db.Exec(t.Context(), q, `INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
		VALUES (7, 'x', 'x', 'PROVIDER', $1, 'x')`, now)))
	for id, u := range [][2]string{{"isa", "ISAD"}, {"pia", "PRAD"}, {"ada", "PRUS"}} {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), q, `
			INSERT INTO users (id, group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email,
				email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES ($2, CASE $4 WHEN 'ISAD' THEN NULL ELSE 7 END, $3, $3, 'A', 'B', 'a', 'b', $3, $3, $4, 'ACTIV', $1, 'x', $1,
				'x')`, now, id+1, u[0], u[1])))
	}
}

var ada = access.Person{ID: 3, UserName: "ada", Type: access.PRUS, GroupID: 7}

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now, page := t.Context(), db.At(time.Now()), paging.Table{PageSize: 10}
		given(t, tx, now)
		id, err := begin(ctx, tx, 1, ada, Session{Reason: "call", Override: true, StartedAt: now})
		_, _, own := sessionPage(ctx, tx, d.Dialect, 7, now, page)
		_, _, all := sessionPage(ctx, tx, d.Dialect, 0, now, page)
		looked := span{"by isa", "isa", "ada", []string{"open-page", "open-eor"}, now, now}
		_, _, opened := openedPage(ctx, tx, d.Dialect, looked, page)
		asked := Request{WhoID: 1, GroupID: 7, State: Asked, AskedAt: now}
		request, add := addRequest(ctx, tx, asked, 3)
		_, _, requests := requestPage(ctx, tx, d.Dialect, 7, now, page)
		assert.NoError(t, errors.Join(add, requests, dbtest.Err(newestRequest(ctx, tx, 1, 7)), dbtest.Err(requestByID(ctx, tx, request)),
			dbtest.Err(countAsked(ctx, tx, 1, now)),
			dbtest.Err(overridePending(ctx, tx, asked, 1)), dbtest.Err(answer(ctx, tx, request, 7, now, Request{State: Approved})),
			expire(ctx, tx, 1, 7, now),
			cancelPending(ctx, tx, 7, now, now), dbtest.Err(getEmail(ctx, tx, 1))))
		assert.NoError(t, errors.Join(err, own, all, opened, dbtest.Err(sessionByID(ctx, tx, id)), dbtest.Err(countOpened(ctx, tx, looked)),
			dbtest.Err(getSettings(ctx, tx, 7)), dbtest.Err(putSettings(ctx, tx, 7, defaultSettings())),
			dbtest.Err(countVisitors(ctx, tx, 7, now, now)), dbtest.Err(listAdmins(ctx, tx, 7)),
			end(ctx, tx, id, now), dbtest.Err(deleteSessions(ctx, tx, now)), dbtest.Err(deleteRequests(ctx, tx, now))))
	})
}

func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"visit":   mappingtest.ListEmpty(toNetworkVisit(mappingtest.Filled[Summary]())),
		"request": mappingtest.ListEmpty(toVisitRequest(mappingtest.Filled[Request]())),
	} {
		assert.Nilf(t, lost, "a %s loses", name)
	}
}
