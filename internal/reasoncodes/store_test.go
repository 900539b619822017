package reasoncodes

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"all":       "all texts are the answer, some thousands",
		"countRuns": "two rows at most",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		run, err := beginCount(ctx, tx, "2026-01-01", db.At(time.Now()))
		errs := []error{
			err, put(ctx, tx, Reason{List: "CARC", Code: "Q1", Status: Active, UpdatedAt: db.At(time.Now())}), dbtest.Err(all(ctx, tx)),
			dbtest.Err(among(ctx, tx, [][]any{{"CARC", "Q1"}})), dbtest.Err(countRuns(ctx, tx)),
			dbtest.Err(moveCount(ctx, tx, run, "1")), addCount(ctx, tx, run.ID, Code{"CARC", "Q1"}, count{1, "2026-01-02"}),
			endCount(ctx, tx, run.ID, db.At(time.Now())), dbtest.Err(listCounts(ctx, tx, run.ID)), deleteCounts(ctx, tx, run.ID),
		}
		assert.NoError(t, errors.Join(errs...))
	})
}

func TestRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Reason]()
		want.List, want.Status = "CARC", Ended
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return put(t.Context(), tx, want) }))
		mappingtest.CheckRow(t, d, "reason_codes")
		if list, err := all(t.Context(), d.Reader); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toDeskCode(mappingtest.Filled[Listed]())))
	assert.Nil(t, mappingtest.ListEmpty(mappingtest.Filled[Wording]().reason("CARC", "Q1"), "UpdatedAt", "UpdatedBy"))
	assert.Nil(t, mappingtest.ListEmpty(mappingtest.Filled[Reason]().wording()))
}

// paid is a fake with a few payments per TIN, in TIN order.
type paid struct {
	tins      []string
	broken    string // the TIN at which the database fails
	asked     []string
	meanwhile func()
}

func (p *paid) NextTIN(_ context.Context, after string) (string, error) {
	for _, tin := range p.tins {
		if tin > after {
			return tin, nil
		}
	}
	return "", nil
}

var errBroken = errors.New("broken")

// EachSince returns, for each TIN, perStep payments of one bill and one of another.
func (p *paid) EachSince(_ context.Context, tin string, since date.Date, each func(string, date.Date, []Code)) error {
	p.asked = append(p.asked, tin)
	if tin == p.broken {
		return errBroken
	}
	if p.meanwhile != nil {
		p.meanwhile()
	}
	for range perStep {
		each("A", since.AddDays(1), []Code{{"CARC", "Q1"}, {"CARC", "Q1"}, {"RARC", "QX9"}})
	}
	each("B", since.AddDays(2), []Code{{"CARC", "Q1"}})
	return nil
}

func served(t *testing.T, d *db.DB, p Payments, now func() time.Time) *Service {
	t.Helper()
	log := audit.New(audit.Deps{DB: d, Clock: now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(log.Close)
	catalog, err := NewCatalog()
	require.NoError(t, err)
	return NewService(Deps{Kit: platform.Kit{DB: d, Audit: log, Clock: now, Zone: time.UTC}, Catalog: catalog, Payments: p})
}

func TestCount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		payments := &paid{tins: []string{"111111111", "222222222", "333333333"}, broken: "333333333"}
		s := served(t, d, payments, func() time.Time { return now })
		shown := func() string {
			counts, err := s.loadCounts(ctx)
			require.NoError(t, err)
			list := map[string]string{}
			for _, c := range counts.List {
				list[c.Code] = fmt.Sprint(c.Bills, " ", c.LastSeen)
			}
			return fmt.Sprint(counts.Since, list)
		}

		require.ErrorIs(t, s.CountWhenDue(ctx), errBroken)
		assert.Equal(t, "map[]", shown())
		// The next run continues after the last saved TIN.
		payments.broken, payments.asked = "", nil
		require.NoError(t, s.CountWhenDue(ctx))
		const first = "2025-12-02map[Q1:6 2025-12-04 QX9:3 2025-12-03]"
		if got := shown(); got != first || fmt.Sprint(payments.asked) != "[333333333]" {
			t.Errorf("%s, asked for %v", got, payments.asked)
		}

		// It doesn't run again that day, or before the next night.
		payments.tins, payments.asked = payments.tins[:1], nil
		for _, at := range []time.Time{now.Add(8 * time.Hour), time.Date(2026, 3, 3, 0, 59, 0, 0, time.UTC)} {
			if now = at; errors.Join(s.CountWhenDue(ctx)) != nil || len(payments.asked) > 0 {
				t.Errorf("counted at %s", at)
			}
		}
		now = time.Date(2026, 3, 3, 1, 0, 0, 0, time.UTC)
		require.NoError(t, s.CountWhenDue(ctx))
		assert.Equal(t, "2025-12-03map[Q1:2 2025-12-05 QX9:1 2025-12-04]", shown())
		var runs int
		if err := db.Get(ctx, d.Reader, &runs, `SELECT count(*) FROM reason_count_runs`); err != nil || runs != 1 {
			t.Errorf("%d runs are kept: %v", runs, err)
		}

		// Two concurrent runs count each TIN once.
		now = time.Date(2026, 3, 4, 1, 0, 0, 0, time.UTC)
		payments.meanwhile = func() {
			payments.meanwhile = nil
			assert.NoError(t, s.CountWhenDue(ctx))
		}
		require.NoError(t, s.CountWhenDue(ctx))
		assert.Equal(t, "2025-12-04map[Q1:2 2025-12-06 QX9:1 2025-12-05]", shown())
	})
}

// A page explains a code with the jurisdiction's text, filled in from the network's and the portal's own.
func TestExplain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		s := served(t, d, &paid{}, time.Now)
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			return put(ctx, tx, Reason{List: "CARC", Code: "197", Advice: "Call us.", Status: Active, UpdatedAt: db.At(time.Now())},
				Reason{List: "CARC", Code: "197", Jurisdiction: "TX", Title: "Texas wants approval.", Status: Active,
					UpdatedAt: db.At(time.Now())})
		})
		require.NoError(t, err)
		for _, c := range []struct{ code, state, title, advice string }{
			{"197", "TX", "Texas wants approval.", "Call us."}, {"197", "OH", "Required approval or notice is missing.", "Call us."},
			{"197", "", "Required approval or notice is missing.", "Call us."}, {"QX9", "TX", "", ""},
		} {
			if r, err := s.Explain(ctx, "CARC", c.code, c.state); err != nil || r.Title != c.title || r.Advice != c.advice {
				t.Errorf("%s %s: %v %+v", c.code, c.state, err, r)
			}
		}
	})
}
