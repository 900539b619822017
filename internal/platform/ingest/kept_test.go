package ingest_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

func openFiles(t *testing.T) blob.Store {
	t.Helper()
	files, err := blob.Open(t.Context(), "", filepath.Join(t.TempDir(), "files"))
	require.NoError(t, err)
	return files
}

func keptText(t *testing.T, im *ingest.Importer, sha256 string) string {
	t.Helper()
	f, err := im.OpenStored(t.Context(), sha256)
	if errors.Is(err, blob.ErrNotFound) {
		return ""
	}
	require.NoError(t, err)
	defer f.Close()
	content, err := io.ReadAll(f)
	require.NoError(t, err)
	return string(content)
}

// Imported files are stored unchanged for the set number of days since their last import.
func TestTakenFilesAreKept(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		im := ingest.New(ingest.Deps{DB: d, Clock: func() time.Time { return now }}, ingest.Settings{},
			(*ledger.Ledger)(nil).Feeds()[0].WithImporter(s.bills()), (*ledger.Ledger)(nil).Feeds()[1].WithImporter(s.payments()))
		files := openFiles(t)
		im.StoreFiles(files, 10)
		text := strings.Replace(manyClaims(25), "MAPLE", "MA\xd1PLE", 1) // Windows-1252
		path := write(t, "claims.edi", text)
		take := func(opts ingest.Options) string {
			t.Helper()
			report, err := im.Import(t.Context(), "x12", path, opts)
			if err != nil || report.Refused != nil {
				t.Fatalf("%v %+v", err, report)
			}
			return report.SHA256
		}
		sha256 := take(ingest.Options{})
		after := func(days int, want string) {
			t.Helper()
			now = now.AddDate(0, 0, days)
			require.NoError(t, im.Cleanup(t.Context()))
			if got := keptText(t, im, sha256); got != want {
				t.Errorf("after %d days: %d bytes of %d", days, len(got), len(want))
			}
		}
		after(0, text)
		after(9, text)
		take(ingest.Options{Again: true})
		after(9, text)
		after(2, "")
		take(ingest.Options{Again: true})
		after(1, text)
		im.StoreFiles(files, 200_000) // more than a duration can have
		after(1, text)

		refused := write(t, "refused.edi", "ISA*00")
		report, err := im.Import(t.Context(), "x12", refused, ingest.Options{})
		if err != nil || report.Refused == nil || keptText(t, im, report.SHA256) != "" {
			t.Errorf("%v %+v", err, report)
		}
		im.StoreFiles(openFiles(t), 0)
		report, err = im.Import(t.Context(), "x12", write(t, "other.edi", manyClaims(3)), ingest.Options{})
		if err != nil || report.Imported == 0 || keptText(t, im, report.SHA256) != "" {
			t.Errorf("not to be kept: %v %+v", err, report)
		}
	})
}

// full is storage without free space.
type full struct{ blob.Store }

func (full) Put(context.Context, string, func(io.Writer) error) error {
	return os.ErrPermission
}

// A file that can't be stored isn't imported, so that every row's file exists.
func TestNothingIsTakenOfWhatCannotBeKept(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		im, path := s.importer(), write(t, "claims.edi", manyClaims(3))
		im.StoreFiles(full{openFiles(t)}, 10)
		if _, err := im.Import(t.Context(), "x12", path, ingest.Options{}); !errors.Is(err, os.ErrPermission) || len(s.rows(t)) != 0 {
			t.Errorf("%v, %d rows", err, len(s.rows(t)))
		}
		im.StoreFiles(openFiles(t), 10)
		report, err := im.Import(t.Context(), "x12", path, ingest.Options{})
		if err != nil || report.Imported == 0 || keptText(t, im, report.SHA256) == "" {
			t.Errorf("%v %+v", err, report)
		}
	})
}
