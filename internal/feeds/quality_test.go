package feeds

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
)

// brought is a row that is good or bad.
type brought struct{ good bool }

// takeBrought measures rows.
func takeBrought(ctx context.Context, _ *sql.Tx, rows []brought) ([]ingest.Outcome, error) {
	outcomes := make([]ingest.Outcome, len(rows))
	for i, r := range rows {
		outcomes[i] = ingest.Imported
		good := int64(0)
		if r.good {
			good = 1
		}
		ingest.Measure(ctx, "LINES", 1, good)
	}
	return outcomes, nil
}

// measuring returns a service with measured files and an adjustable clock.
func measuring(t *testing.T, d *db.DB, now *time.Time) *Service {
	t.Helper()
	runner, err := jobs.New(d, "test", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	clock := func() time.Time { return now.In(eastern(t)) }
	log := audit.New(audit.Deps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(log.Close)
	out := mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: runner, Clock: clock}, mail.Settings{})
	columns := []ingest.Column[brought]{ingest.Required("good", ingest.Flag(func(b *brought) *bool { return &b.good }))}
	feed := func(name string) ingest.Feed {
		return ingest.Table(name, columns, nil, takeBrought).WithMeasures("LINES")
	}
	im := ingest.New(ingest.Deps{DB: d, Clock: clock, FindSource: NewSourceFinder(d)}, ingest.Settings{}, feed("bills"), feed("claims"))
	return newService(t, platform.Kit{DB: d, Audit: log, Clock: clock, Mail: out}, im)
}

var files int

// bring imports a file with a number of good rows.
func (s *Service) bring(t *testing.T, kind string, good, counted int) {
	t.Helper()
	files++
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.csv", kind, files))
	text := "good\n" + strings.Repeat("Y\n", good) + strings.Repeat("N\n", counted-good)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	report, err := s.importer.Import(t.Context(), kind, path, ingest.Options{Again: true})
	if err != nil || report.Imported != int64(counted) {
		t.Fatal(err, report)
	}
}

// stored returns the stored totals: day, kind, good of counted.
func (s *Service) stored(t *testing.T) string {
	t.Helper()
	list, err := daySums.Select(t.Context(), s.db.Reader, "ORDER BY day, kind, source_id")
	require.NoError(t, err)
	var lines []string
	for _, x := range list {
		lines = append(lines, fmt.Sprintf("%s %s %d: %d/%d", x.Day, x.Kind, x.SourceID, x.Good, x.Counted))
	}
	return strings.Join(lines, ", ")
}

func (s *Service) sums(t *testing.T, want string) {
	t.Helper()
	require.NoError(t, s.SumDays(t.Context()))
	assert.Equal(t, want, s.stored(t))
}

// Days use the business time zone, also when the clocks change. The current day is included,
// final days don't change, and missed days are made up for. The result doesn't depend on how
// often or by how many instances the job runs.
func TestDaysAreSummed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 10, 31, 15, 0, 0, 0, time.UTC)
		s := measuring(t, d, &now)
		s.sums(t, "") // no files at all
		s.bring(t, "bills", 3, 4)
		s.sums(t, "2026-10-31 csv-bills 0: 3/4")
		now = time.Date(2026, 11, 1, 3, 59, 0, 0, time.UTC) // a minute before midnight
		s.bring(t, "bills", 2, 2)
		s.bring(t, "claims", 0, 1)
		now = time.Date(2026, 11, 2, 4, 30, 0, 0, time.UTC) // still on a 25-hour day
		s.bring(t, "bills", 1, 1)
		const first = "2026-10-31 csv-bills 0: 5/6, 2026-10-31 csv-claims 0: 0/1"
		s.sums(t, first+", 2026-11-01 csv-bills 0: 1/1")

		now = time.Date(2026, 11, 6, 17, 0, 0, 0, time.UTC) // the program was down
		s.bring(t, "bills", 7, 9)
		var together sync.WaitGroup
		for range 4 {
			together.Go(func() {
				assert.NoError(t, measuring(t, d, &now).SumDays(t.Context()))
			})
		}
		together.Wait()
		s.sums(t, first+", 2026-11-01 csv-bills 0: 1/1, 2026-11-06 csv-bills 0: 7/9")
		var complete []string
		if err := db.Select(t.Context(), d.Reader, &complete, `SELECT day || '' FROM feed_quality_days WHERE complete
			ORDER BY day`); err != nil || len(complete) != 6 {
			t.Error(err, complete)
		}
	})
}

// A day's totals become final an hour after midnight, when everything that began on the day is
// committed.
func TestADayIsSummedForGoodWhenItIsOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		s := measuring(t, d, &now)
		s.bring(t, "bills", 1, 1)
		now = time.Date(2026, 3, 3, 5, 30, 0, 0, time.UTC) // half past midnight
		s.sums(t, "2026-03-02 csv-bills 0: 1/1")
		late := now
		now = time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		s.bring(t, "bills", 1, 2)
		now = late
		s.sums(t, "2026-03-02 csv-bills 0: 2/3")
		now = now.Add(time.Hour)
		s.sums(t, "2026-03-02 csv-bills 0: 2/3")
		if last, err := lastComplete(t.Context(), d.Reader, "2026-03-01"); err != nil || last != "2026-03-02" {
			t.Error(err, last)
		}
	})
}

func TestQualityIsAnswered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 1, 5, 15, 0, 0, 0, time.UTC)
		s := measuring(t, d, &now)
		id := int64(0)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			id, err = addSource(t.Context(), tx, Source{Name: "Claims", Kind: "csv-claims", ExpectedFrom: db.At(now)})
			return err
		}))
		for day := range 100 { // the first ten are too old to show
			now = time.Date(2026, 1, 5+day, 15, 0, 0, 0, time.UTC)
			switch {
			case day == 99:
				s.bring(t, "bills", 60, 100)
				s.bring(t, "bills", 1, 4)
				s.bring(t, "claims", 10, 10)
			case day%2 == 0:
				s.bring(t, "bills", 9, 10)
			}
			require.NoError(t, s.SumDays(t.Context()))
		}
		today := date.Of(now)
		ask := func(of Filter) Measure {
			list, at, err := s.Quality(t.Context(), of)
			if err != nil || len(list) != 1 || at != db.At(now) {
				t.Fatal(err, list, at)
			}
			return list[0]
		}
		m := ask(Filter{})
		if m.What != "LINES" || len(m.Days) != 46 || m.Last != (QualityDay{today, Share{114, 71}}) || m.Before != (Share{450, 405}) ||
			m.Week != (Share{144, 98}) || m.All != (Share{564, 476}) || m.Verdict != Worse {
			t.Errorf("%+v", m)
		}
		if m := ask(Filter{Kind: "csv-bills"}); m.Last != (QualityDay{today, Share{104, 61}}) || m.Verdict != Worse {
			t.Errorf("%+v", m)
		}
		if m := ask(Filter{SourceID: id}); m.Last != (QualityDay{today, Share{10, 10}}) || m.Verdict != Unknown || m.Before != (Share{}) {
			t.Errorf("%+v", m)
		}
		if m := ask(Filter{SourceID: id + 1}); m.Last != (QualityDay{}) || m.Days != nil || m.Verdict != Unknown {
			t.Errorf("%+v", m)
		}

		worst, n, err := s.ListWorst(t.Context(), "LINES", today, Filter{})
		if err != nil || n != 3 || worst[0].Good != 1 || worst[1].Good != 60 || worst[2].Kind != "csv-claims" || worst[2].SourceID != id {
			t.Error(err, n, worst)
		}
		if worst, n, err := s.ListWorst(t.Context(), "LINES", today, Filter{Kind: "csv-bills"}); err != nil || n != 2 || len(worst) != 2 {
			t.Error(err, n, worst)
		}
		for _, wrong := range [][2]string{{"NPI", string(today)}, {"LINES", ""}} {
			if _, _, err := s.ListWorst(t.Context(), wrong[0], date.Date(wrong[1]), Filter{}); err == nil {
				t.Error(wrong)
			}
		}

		var table bytes.Buffer
		list, _, err := s.Quality(t.Context(), Filter{})
		require.NoError(t, writeDays(&table, list))
		lines := strings.Split(strings.TrimSpace(table.String()), "\n")
		if err != nil || len(lines) != 47 || strings.TrimSpace(lines[0]) != "day,measure,counted,good,percent" ||
			strings.TrimSpace(lines[46]) != "2026-04-14,LINES,114,71,62.3" {
			t.Error(err, len(lines), lines[len(lines)-1])
		}
	})
}

// Totals past the retention period are deleted and not calculated again.
func TestDaysAreForgotten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 1, 5, 15, 0, 0, 0, time.UTC)
		s := measuring(t, d, &now)
		s.settings.FeedQualityDays = 90
		for range 2 {
			s.bring(t, "bills", 1, 2)
			s.sums(t, fmt.Sprintf("%s csv-bills 0: 1/2", date.Of(now)))
			now = now.AddDate(0, 0, 91)
			for range 2 {
				require.NoError(t, s.Cleanup(t.Context()))
			}
			s.sums(t, "")
		}
		var left int
		if err := db.Get(t.Context(), d.Reader, &left, `SELECT (SELECT count(*) FROM feed_measures) + (SELECT count(*)
			FROM feed_quality_days WHERE day < '2026-04-06')`); err != nil || left != 0 {
			t.Error(err, left)
		}
	})
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		day, before Share
		want        Verdict
	}{
		{Share{100, 90}, Share{}, Unknown},
		{Share{}, Share{100, 90}, Unknown},
		{Share{1000, 900}, Share{1000, 900}, Alike},
		{Share{1000, 850}, Share{10000, 9000}, Worse},
		{Share{1000, 950}, Share{10000, 9000}, Better},
		{Share{10, 8}, Share{10000, 9000}, Alike},               // one of ten is chance
		{Share{3, 2}, Share{1000, 1000}, Worse},                 // none was missing before
		{Share{1000000, 899000}, Share{1000000, 900000}, Alike}, // significant but small
		{Share{100, 99}, Share{100, 100}, Worse},                // one point is enough
		{Share{101, 100}, Share{100, 100}, Alike},
		{Share{5, 0}, Share{5, 0}, Alike},
		{Share{5, 5}, Share{5, 0}, Better},
	} {
		assert.Equalf(t, c.want, judge(c.day, c.before), "%v after %v", c.day, c.before)
	}
}
