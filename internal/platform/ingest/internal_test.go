package ingest

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestKindOfName(t *testing.T) {
	named := func(name string) Feed { return Table(name, GroupFields, nil, nil) }
	im := New(Deps{}, Settings{}, named("claims"), named("providers"), named("provider_tins"), named("bills"), named("roster_sources"),
		named("roster_source_groups"),
		Transaction[Group]("837", "", nil, nil, nil), Transaction[Group]("835", "", nil, nil, nil),
		File[Group]("nppes", "npidata*.csv", "the registry", nil, nil))
	for name, want := range map[string]string{
		"bills-2026-11.edi": "x12", "A.X12": "x12", "today.835": "x12", "npidata_pfile_20260101.csv": "nppes", "claims.csv": "claims",
		"Claims-2026-11.csv": "claims", "provider_tins_7.csv": "", "provider_tins-7.csv": "provider_tins",
		"providers20261121.csv":    "providers",
		"roster_source_groups.csv": "roster_source_groups", "billing.csv": "", "bills.pdf": "", "notes.csv": "", "": "",
	} {
		assert.Equal(t, want, im.kindOfName(name), name)
	}
}

// The message lists the registered names.
func TestNamesOfFiles(t *testing.T) {
	im := New(Deps{}, Settings{}, Transaction[Group]("837", "", nil, nil, nil), Transaction[Group]("835", "", nil, nil, nil),
		File[Group]("nppes", "npidata*.csv", "the registry", nil, nil))
	if got, want := im.explainNames(),
		"*.edi, *.x12, *.837 and *.835 for X12, npidata*.csv for the registry, or start the name with the table's kind, such as "+
			"claims-2026-11.csv"; got != want {
		t.Errorf("got %q", got)
	}
}

// StoreFiles stores imported files for some days.
func (im *Importer) StoreFiles(files blob.Store, days int) { im.files, im.keepDays = files, days }

// SetRetention sets the retention of runs and file records.
func (im *Importer) SetRetention(runs, reports int) { im.runDays, im.reportDays = runs, reports }

// newSourceImporter returns an importer with one source, which keeps reports for 90 days.
func newSourceImporter(t *testing.T, d *db.DB, now *time.Time) *Importer {
	t.Helper()
	require.NoError(t, db.Run(t.Context(), d.Writer, `INSERT INTO feed_sources (name, name_key, kind, pattern,
		expected_cron, grace_minutes, owner_mail, expected_from) VALUES ('a', 'a', '837', '*', '', 0, '', $1)`, db.At(*now)))
	return New(Deps{DB: d, Clock: func() time.Time { return *now }}, Settings{FeedReportKeepDays: 90})
}

// The last file of a source stays, so that a quarterly source isn't late after 90 days.
func TestLastFileOfASourceStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		im := newSourceImporter(t, d, &now)
		for _, f := range []Arrival{
			{SourceID: 1, SHA256: "earlier", Status: Done},
			{SourceID: 1, SHA256: "last", Status: Done},
			{SourceID: 1, SHA256: "last", Status: Done, Again: true},
			{SourceID: 1, SHA256: "checked", Status: Checked, CheckOnly: true},
			{SourceID: 1, SHA256: "refused", Status: Refused},
			{SHA256: "unknown", Status: Done},
		} {
			now = now.Add(time.Hour)
			f.Kind, f.Via, f.BeganAt, f.TouchedAt = "837", Command, db.At(now), db.At(now)
			require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(addFile(ctx, tx, f)) }))
		}
		last, err := im.LastOfSource(ctx, d.Reader, 1)
		if err != nil || last.IsZero() {
			t.Fatal(last, err)
		}
		now = now.AddDate(0, 0, 91)
		for range 2 {
			require.NoError(t, im.Cleanup(ctx))
		}
		list, _, err := im.Arrivals(ctx, ArrivalFilter{Since: now.AddDate(-1, 0, 0)}, paging.Table{PageSize: 10})
		if err != nil || len(list) != 1 || list[0].SHA256 != "last" || list[0].Again {
			t.Errorf("%+v, %v", list, err)
		}
		if after, err := im.LastOfSource(ctx, d.Reader, 1); err != nil || !after.Equal(last.Time) {
			t.Errorf("%v, %v", after, err)
		}
	})
}

// The first file of a content stays until its re-imports are deleted. Otherwise, they would count as new files.
func TestReimportedFileStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		im := newSourceImporter(t, d, &now)
		for _, f := range []Arrival{
			{SHA256: "first", Status: Done}, {SHA256: "last", Status: Done}, {SHA256: "first", Status: Done, Again: true},
		} {
			f.SourceID, f.Kind, f.Via, f.BeganAt, f.TouchedAt = 1, "837", Command, db.At(now), db.At(now)
			require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(addFile(ctx, tx, f)) }))
			now = now.AddDate(0, 0, 30)
		}
		last, err := im.LastOfSource(ctx, d.Reader, 1)
		require.NoError(t, err)
		for _, left := range []int{3, 1} { // after 91 and 181 days
			now = now.AddDate(0, 0, 1)
			for range 2 {
				require.NoError(t, im.Cleanup(ctx))
			}
			after, err := im.LastOfSource(ctx, d.Reader, 1)
			require.NoError(t, err)
			assert.Equal(t, last, after)
			_, count, err := im.Arrivals(ctx, ArrivalFilter{Since: now.AddDate(-1, 0, 0)}, paging.Table{PageSize: 10})
			require.NoError(t, err)
			assert.Equal(t, left, count)
			now = now.AddDate(0, 0, 89)
		}
	})
}

// UseSources sets the lookup of a file's source.
func (im *Importer) UseSources(find func(ctx context.Context, kind, name string) (int64, error)) {
	im.sourceOf = find
}

// SettleAtOnce imports files as soon as they arrive.
func (w *Watch) SettleAtOnce() { w.settle = 0 }

// KeepFor sets how many days files stay in the folder after the import.
func (w *Watch) KeepFor(days int) { w.keepDays = days }

// On a database with one writer, batches shrink until others wait for batchTime at most.
func TestNextWeight(t *testing.T) {
	for _, c := range []struct {
		weight int
		took   time.Duration
		want   int
	}{
		{2000, 25 * time.Millisecond, 4000},
		{2000, 10 * time.Millisecond, 5000},
		{2000, 400 * time.Millisecond, 250},
		{60, 30 * time.Second, minWeight},
		{1, 0, 5000},
	} {
		assert.Equalf(t, c.want, nextWeight(c.weight, 5000, c.took), "%d in %s", c.weight, c.took)
	}
}
