package feeds

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/problem"
)

func TestPlans(t *testing.T) {
	const few = "200 sources at most"
	dbtest.CheckPlans(t, dbtest.Scans{"sources": few, "countSources": few}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		id, err := addSource(ctx, tx, Source{Name: "x", ExpectedFrom: db.At(time.Now())})
		if err = errors.Join(err, dbtest.Err(sources(ctx, tx)), dbtest.Err(countSources(ctx, tx)), dbtest.Err(sourceByID(ctx, tx, id)),
			dbtest.Err(lockSource(ctx, tx, d.Dialect, id)),
			saveSource(ctx, tx, Source{ID: id, Name: "y", ExpectedFrom: db.At(time.Now())}),
			dbtest.Err(markAlerted(ctx, tx, id, db.At(time.Now()))), deleteSource(ctx, tx, id),
			daySums.Insert(ctx, tx, daySum{"2026-03-02", ingest.Measured{Kind: "x12", Measure: "LINES"}}),
			noteDay(ctx, tx, "2026-03-02", db.At(time.Now()), true),
			dbtest.Err(lastComplete(ctx, tx, "2026-01-01")), dbtest.Err(isComplete(ctx, tx, "2026-03-02")),
			dbtest.Err(lastSummed(ctx, tx, "2026-01-01")),
			dbtest.Err(sumsSince(ctx, tx, "2026-03-01", Filter{"x12", 7})),
			forgetSums(ctx, tx, "2026-03-02"), dbtest.Err(deleteSumsBefore(ctx, tx, "2026-03-02")),
			dbtest.Err(deleteDaysBefore(ctx, tx, "2026-03-02"))); err != nil {
			t.Error(err)
		}
	})
}

func TestMappings(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Source]()
		want.ID = 1
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return dbtest.Err(addSource(t.Context(), tx, want)) }))
		mappingtest.CheckRow(t, d, "feed_sources")
		if x, err := sourceByID(t.Context(), d.Reader, 1); err != nil || x != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, x, want)
		}
	})
	assert.Nil(t, mappingtest.ListEmpty(mappingtest.Filled[FeedSourceEdit]().source(7), "ExpectedFrom", "AlertedFor"))
	assert.Nil(t, mappingtest.ListEmpty(toFeedSource(mappingtest.Filled[Listed]())))
	assert.Nil(t, mappingtest.ListEmpty(toFeedMeasure(mappingtest.Filled[Measure]())))
	assert.Nil(t, mappingtest.ListEmpty(toFeedFileShare(mappingtest.Filled[ingest.FileMeasured]())))
	s := &Service{now: time.Now}
	assert.Nil(t, mappingtest.ListEmpty(s.toFeedFile(mappingtest.Filled[ingest.Arrival]()), "Stopped", "Problems"))
}

// posted collects sent emails.
type posted struct {
	sync.Mutex
	list []mail.Message
}

func (p *posted) Send(_ context.Context, m mail.Message) error {
	p.Lock()
	defer p.Unlock()
	p.list = append(p.list, m)
	return nil
}

func newService(t *testing.T, kit platform.Kit, importer *ingest.Importer) *Service {
	t.Helper()
	kit.Zone, kit.PublicURL = eastern(t), "https://portal.example"
	return NewService(Deps{Kit: kit, Importer: importer}, Settings{FeedQualityDays: 400})
}

// at returns a service with an adjustable clock.
func at(t *testing.T, d *db.DB, now *time.Time, box *posted) (*Service, *mail.Sender) {
	t.Helper()
	runner, err := jobs.New(d, "test", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	clock := func() time.Time { return *now }
	log := audit.New(audit.Deps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(log.Close)
	out := mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: runner, Clock: clock}, mail.Settings{})
	im := ingest.New(ingest.Deps{DB: d, Clock: clock, FindSource: NewSourceFinder(d)}, ingest.Settings{}, ingest.Table[struct{}]("groups",
		nil, nil, nil))
	s := newService(t, platform.Kit{DB: d, Audit: log, Clock: clock, Mail: out}, im)
	sender := mail.NewSender(mail.SenderDeps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler), Transport: box,
		Layout: mail.Layout{BrandName: "Portal", PublicURL: "https://portal.example"}}, s.Emails()...)
	sender.Module().Jobs(runner)
	return s, sender
}

// sent delivers the queued emails and returns them.
func sent(t *testing.T, d *db.DB, out *mail.Sender, box *posted) []mail.Message {
	t.Helper()
	runner, err := jobs.New(d, "test", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	out.Module().Jobs(runner)
	require.NoError(t, runner.Start(context.WithoutCancel(t.Context())))
	defer runner.Stop(context.Background()) //nolint:errcheck // the test is over
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var waiting int
		require.NoError(t, db.Get(t.Context(), d.Reader, &waiting, `SELECT count(*) FROM mails WHERE status = 'waiting'`))
		if waiting == 0 {
			break
		}
	}
	box.Lock()
	defer box.Unlock()
	return box.list
}

// A source's owner gets one email per missing file, also when the clocks change, when the job
// runs twice, and when two instances run it concurrently.
func TestLateIsToldOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, zone, box := t.Context(), eastern(t), &posted{}
		now := time.Date(2026, 3, 7, 12, 0, 0, 0, zone)
		s, out := at(t, d, &now, box)
		l, err := s.Add(ctx, Source{Name: "North", Kind: "csv-groups", Expected: "30 2 * * *", GraceMinutes: 30,
			OwnerMail: "owner@example.com"})
		if err != nil || l.Light != OnTime {
			t.Fatal(l, err)
		}
		require.NoError(t, dbtest.Err(s.Add(ctx, Source{Name: "Unowned", Kind: "csv-groups", Pattern: "u*", Expected: "30 2 * * *"})))
		other, _ := at(t, d, &now, box)
		mails := 0
		for _, step := range []struct {
			day, hour, minute, mails int
		}{
			{8, 3, 59, 0}, // 2:30 doesn't exist on this day and becomes 3:30
			{8, 4, 0, 1}, {8, 23, 0, 1}, {9, 2, 59, 1}, {9, 3, 0, 2},
		} {
			now = time.Date(2026, 3, step.day, step.hour, step.minute, 0, 0, zone)
			var wait sync.WaitGroup
			for _, service := range []*Service{s, other, s, other} {
				wait.Go(func() {
					assert.NoError(t, service.AlertLate(ctx))
				})
			}
			wait.Wait()
			if err := db.Get(ctx, d.Reader, &mails, `SELECT count(*) FROM mails`); err != nil || mails != step.mails {
				t.Errorf("on the %d at %d:%02d: %d mails, %v", step.day, step.hour, step.minute, mails, err)
			}
		}
		registry := prometheus.NewRegistry()
		registry.MustRegister(s)
		if found, err := registry.Gather(); err != nil || len(found) != 1 || len(found[0].GetMetric()) != 2 ||
			found[0].GetMetric()[0].GetGauge().GetValue() != 1 {
			t.Errorf("%v %v", found, err)
		}
		if b, err := s.CountOverdue(ctx); err != nil || b.Count != 2 || !b.Since.Equal(time.Date(2026, 3, 9, 2, 30, 0, 0, zone)) {
			t.Errorf("%+v, %v", b, err)
		}
		list := sent(t, d, out, box)
		if len(list) != 2 || list[0].To != "owner@example.com" || !strings.Contains(list[0].Text, "03/09/2026 at 2:30 AM EDT") ||
			!strings.Contains(list[0].Text, "/wcpp/desk/feeds") {
			t.Errorf("%+v", list)
		}
		// No email is sent for a file that has arrived in the meantime.
		now = time.Date(2026, 3, 10, 3, 0, 0, 0, zone)
		require.NoError(t, s.AlertLate(ctx))
		require.NoError(t, dbtest.Err(db.Exec(ctx, d.Writer, `INSERT INTO feed_files (source_id, kind, file_name, file_name_key, sha256,
			via, started_by, check_only, again, status, phase, bytes, total, records, taken, updated, unchanged,
			rejected, warnings, more_problems, refused, began_at, touched_at)
			VALUES (1, 'csv-groups', 'a', 'a', 'x', 'FOLDER', '', false, false, 'DONE', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, '', $1,
				$1)`, db.At(now))))
		assert.Len(t, sent(t, d, out, box), 2)
		if listed, err := s.Sources(ctx); err != nil || listed[0].Light != OnTime || listed[1].Light != Never ||
			!listed[0].LastAt.Equal(now) {
			t.Errorf("%+v %v", listed, err)
		}
		require.NoError(t, s.Delete(ctx, 1))
		if err := s.Delete(ctx, 1); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		if f, _, err := s.File(ctx, 1); err != nil || f.SourceID != 0 {
			t.Errorf("%+v %v", f, err)
		}
	})
}

func TestSourcesAreChecked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Now()
		s, _ := at(t, d, &now, &posted{})
		good := Source{Name: "North", Kind: "csv-groups", Pattern: "North-*.csv", Expected: "0 6 * * 1-5", GraceMinutes: 5,
			OwnerMail: "owner@example.com"}
		for field, spoil := range map[string]func(*Source){
			"name": func(x *Source) {
				x.Name = " "
			}, "kind": func(x *Source) { x.Kind = "groups" }, "pattern": func(x *Source) { x.Pattern = "[" },
			"expected": func(x *Source) { x.Expected = "0 6 31 2 *" }, "graceMinutes": func(x *Source) { x.GraceMinutes = -1 },
			"ownerMail": func(x *Source) { x.OwnerMail = "owner" },
		} {
			bad := good
			spoil(&bad)
			_, err := s.Add(ctx, bad)
			if e := problem.From(err); e.Kind != problem.Invalid || len(e.Fields) != 1 || e.Fields[0].Path != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		first, err := s.Add(ctx, good)
		require.NoError(t, err)
		good.Name = "NORTH"
		if _, err := s.Add(ctx, good); problem.From(err).Kind != problem.Invalid {
			t.Errorf("the same name: %v", err)
		}
		good.Name, good.Pattern = "All", ""
		second, err := s.Add(ctx, good)
		require.NoError(t, err)
		for name, want := range map[string]int64{"north-1.CSV": first.ID, "groups.csv": second.ID} {
			if id, err := findSource(ctx, d.Reader, "csv-groups", name); err != nil || id != want {
				t.Errorf("%s: %d %v", name, id, err)
			}
		}
		if id, err := findSource(ctx, d.Reader, "x12", "north-1.csv"); err != nil || id != 0 {
			t.Errorf("another kind: %d %v", id, err)
		}
		good.ID = 99
		if _, err := s.Save(ctx, good, ""); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
	})
}

// Problems are grouped, and no cell value is repeated that a spreadsheet would execute.
func TestProblemsAlike(t *testing.T) {
	list := []ingest.Problem{
		{Severity: "warning", Segment: 3, Loop: "2300", Element: "CLM02", Reason: "is not the sum"},
		{Severity: "error", Line: 7, Element: "tin", Reason: "has nine digits"},
		{Severity: "error", Line: 9, Element: "npi", Reason: "has nine digits"},
	}
	groups := groupProblems(list)
	if len(groups) != 2 || groups[0] != (FeedProblemsAlike{"error", "has nine digits", "", 2, "line 7, tin"}) ||
		groups[1].First != "segment 3, loop 2300, CLM02" {
		t.Errorf("%+v", groups)
	}
	var out bytes.Buffer
	if err := writePlaces(&out, list); err != nil || !strings.Contains(out.String(), "error,,9,,npi,has nine digits") {
		t.Errorf("%q %v", out.String(), err)
	}
	over := &limitedReader{strings.NewReader("12345"), 4}
	assert.ErrorIs(t, dbtest.Err(io.ReadAll(over)), tooLarge)
}
