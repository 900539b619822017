package health

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/upstream"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"outcomes": "there is one of each system",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		assert.NoError(t, errors.Join(
			noteOutcome(ctx, tx, upstream.Outcome{System: "mail", OKAt: time.Now()}),
			dbtest.Err(outcomes(ctx, tx)),
		))
	})
}

// The latest success and the latest failure are stored, in whatever order the instances report
// them.
func TestOutcomesOfInstances(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		at := func(minute int) time.Time {
			if minute == 0 {
				return time.Time{}
			}
			return time.Date(2026, 3, 2, 15, minute, 0, 0, time.UTC)
		}
		reports := []upstream.Outcome{
			{System: "mail", OKAt: at(2)}, {System: "mail", FailedAt: at(5), Failure: "later"},
			{System: "mail", OKAt: at(7), FailedAt: at(3), Failure: "before"}, {System: "mail", OKAt: at(1)},
		}
		for turn := range reports {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `DELETE FROM system_outcomes`)))
			for n := range reports {
				require.NoError(t, noteOutcome(t.Context(), d.Writer, reports[(turn+n)%len(reports)]))
			}
			found, err := outcomes(t.Context(), d.Reader)
			if o := found["mail"]; err != nil || !o.OKAt.Equal(at(7)) || !o.FailedAt.Equal(at(5)) || o.Failure != "later" {
				t.Errorf("turn %d: %+v, %v", turn, o, err)
			}
		}
	})
}
