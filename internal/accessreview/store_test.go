package accessreview

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		for _, statement := range []string{
			`INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (7, 'x', 'x', 'PROVIDER', $1, 'x')`,
			`INSERT INTO users (id, group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email,
				email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			 VALUES (3, 7, 'ada', 'ada', 'Ada', 'Brook', 'ada', 'brook', 'a', 'a', 'PRUS', 'ACTIV', $1, 'x', $1, 'x')`,
		} {
			require.NoError(t, dbtest.Err(tx.ExecContext(ctx, statement, now)))
		}
		require.NoError(t, open(ctx, tx, 7, "2026-03-31", now))
		r, err := openReview(ctx, tx, 7)
		require.NoError(t, err)
		page := paging.Table{PageSize: 10}
		_, _, counted := counts(ctx, tx, r)
		_, _, paged := peoplePage(ctx, tx, d.Dialect, r, page)
		_, _, behind := behindPage(ctx, tx, d.Dialect, "2026-04-02", page)
		assert.NoError(t, dbtest.Err(lastCounted(ctx, tx, "2026-01-01")))
		if _, err := keep(ctx, tx, 7, Person{ID: 3, KeptAt: now, KeptBy: "ada"}); err != nil && !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		assert.NoError(t, errors.Join(counted, paged, behind,
			dbtest.Err(groupsToAsk(ctx, tx, "2026-03-31", 0, 5)),
			addPeople(ctx, tx, r.ID), postpone(ctx, tx, "2026-03-01", "2026-03-31"),
			dbtest.Err(openReviews(ctx, tx, Review{DueOn: "2026-01-01"}, 5)),
			dbtest.Err(listReviews(ctx, tx, 7, 5)),
			dbtest.Err(lockOpen(ctx, tx, d.Dialect, 7)), dbtest.Err(lockReview(ctx, tx, d.Dialect, r.ID)),
			dbtest.Err(reviewByID(ctx, tx, r.ID)),
			dbtest.Err(listPeople(ctx, tx, r)), dbtest.Err(getPerson(ctx, tx, r, 3)),
			dbtest.Err(answer(ctx, tx, r.ID, Person{ID: 3, KeptAt: now, KeptBy: "ada"})),
			dbtest.Err(remind(ctx, tx, r.ID, 1)), dbtest.Err(listUnconfirmed(ctx, tx, r, now)),
			writeDown(ctx, tx, r.ID, Person{ID: 3}), dbtest.Err(listWritten(ctx, tx, r.ID)), finish(ctx, tx, r.ID, now, "ada"),
			dbtest.Err(isCounted(ctx, tx, "2026-03-01")), dbtest.Err(markCounted(ctx, tx, "2026-03-01")),
			dbtest.Err(openedBy(ctx, tx, []string{"open-page", "open-eor"}, now, now)),
			addOpened(ctx, tx, "ada", "2026-03-01", 2), dbtest.Err(deleteOpened(ctx, tx, "2026-03-01")),
			dbtest.Err(deleteCounted(ctx, tx, "2026-03-01")),
			dbtest.Err(finishedBefore(ctx, tx, db.At(time.Now()))), dbtest.Err(removeItems(ctx, tx, 7)),
			dbtest.Err(removeReview(ctx, tx, 7)),
		))
	})
}

// lateKeeper runs a change after the job listed the accounts to end. It records those that still end.
type lateKeeper struct {
	d      *db.DB
	change string
	ended  []int64
}

func (k *lateKeeper) EndUnreviewed(ctx context.Context, userID int64, isDue func(tx *sql.Tx) (bool, error)) error {
	if _, err := db.Exec(ctx, k.d.Writer, k.change); err != nil {
		return err
	}
	return k.d.Tx(ctx, func(tx *sql.Tx) error {
		due, err := isDue(tx)
		if due {
			k.ended = append(k.ended, userID)
		}
		return err
	})
}

// A user who was confirmed, or whose review was finished, while the job runs keeps access.
func TestLateConfirmation(t *testing.T) {
	for name, test := range map[string]struct {
		change string
		want   int
	}{
		"unconfirmed": {`UPDATE access_reviews SET reminded = 2`, 1},
		"kept":        {`UPDATE access_review_items SET kept_at = '2026-04-09T10:00:00.000000Z', kept_by = 'head'`, 0},
		"finished":    {`UPDATE access_reviews SET finished_at = '2026-04-09T10:00:00.000000Z', finished_by = 'head'`, 0},
		"moved":       {`UPDATE users SET group_id = 8`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				ctx, now := t.Context(), time.Date(2026, 4, 9, 12, 0, 0, 0, time.UTC)
				for id := int64(7); id <= 8; id++ {
					p := access.Person{ID: id, UserName: fmt.Sprint("user", id), Type: access.PRUS, GroupID: id}
					identitytest.Add(t, d.Writer, p, "User X")
				}
				require.NoError(t, dbtest.Err(db.Exec(ctx, d.Writer, `UPDATE users SET created_at = $1`, db.At(now.AddDate(0, -1, 0)))))
				keeper := &lateKeeper{d: d, change: test.change}
				s := &Service{db: d, administration: keeper, now: func() time.Time { return now }, settings: Settings{ReviewEndDays: 5}}
				require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error { return open(ctx, tx, 7, "2026-03-31", db.At(now)) }))
				r, err := openReview(ctx, d.Writer, 7)
				require.NoError(t, err)
				require.NoError(t, s.updateReview(ctx, r, r.DueOn))
				if err := s.updateReview(ctx, r, s.today()); err != nil || len(keeper.ended) != test.want {
					t.Errorf("ended %v, %v", keeper.ended, err)
				}
			})
		})
	}
}

// A review is due on the last day of a quarter and runs for at least two weeks.
func TestQuarters(t *testing.T) {
	for _, c := range []struct{ today, end, due date.Date }{
		{"2026-01-01", "2026-03-31", "2026-03-31"}, {"2026-03-17", "2026-03-31", "2026-03-31"}, {"2026-03-18", "2026-03-31", "2026-06-30"},
		{"2026-03-31", "2026-03-31", "2026-06-30"}, {"2026-04-01", "2026-06-30", "2026-06-30"}, {"2026-09-30", "2026-09-30", "2026-12-31"},
		{"2026-10-01", "2026-12-31", "2026-12-31"}, {"2026-12-18", "2026-12-31", "2027-03-31"}, {"2026-12-31", "2026-12-31", "2027-03-31"},
		{"2028-02-29", "2028-03-31", "2028-03-31"},
	} {
		if end, due := quarterEnd(c.today), getDueDate(c.today); end != c.end || due != c.due {
			t.Errorf("%s: ends %s, due %s", c.today, end, due)
		}
	}
}

func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"review": mappingtest.ListEmpty(toAccessReview(mappingtest.Filled[Review]())),
		"person": mappingtest.ListEmpty(toReviewedPerson(mappingtest.Filled[Person]())),
	} {
		assert.Nilf(t, lost, "a %s loses", name)
	}
}
