package ingest

import (
	"context"
	"testing"
	"time"

	"wcpp/internal/platform/blob"
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
		if got := im.kindOfName(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
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
		if got := nextWeight(c.weight, 5000, c.took); got != c.want {
			t.Errorf("%d in %s: got %d, want %d", c.weight, c.took, got, c.want)
		}
	}
}
