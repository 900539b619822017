package documents

import (
	"archive/zip"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// storeOutside checks that SQLite's only writer is free while a file is stored.
type storeOutside struct {
	blob.Store
	t    *testing.T
	d    *db.DB
	keys []string
}

func (s *storeOutside) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	free, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var one int
	assert.NoError(s.t, db.Get(free, s.d.Writer, &one, `SELECT 1`))
	s.keys = append(s.keys, key)
	return s.Store.Put(ctx, key, write)
}

// No transaction waits for storage. Only accepted documents are stored.
func TestPapersAreStoredOutsideOfTheTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		kit := billtest.NewKit(t, d, time.Now, time.Local)
		files := &storeOutside{kit.Files, t, d, nil}
		kit.Files = files
		s := newServiceWith(kit, nil)
		billtest.TakeBills(t, d, billtest.MakeBill(nil))
		path := filepath.Join(t.TempDir(), "documents.zip")
		out, err := os.Create(path) //nolint:gosec // in the test's own folder
		require.NoError(t, err)
		z := zip.NewWriter(out)
		for i, name := range []string{"a", "b", "manifest.csv"} {
			w, err := z.Create(name)
			require.NoError(t, err)
			if name == "manifest.csv" {
				_, err = io.WriteString(w, "tin,bill_control_number,kind,file\n"+
					billtest.Ours+",BCN-1,image,a\n"+billtest.Ours+",BCN-9,image,b\n")
			} else {
				err = png.Encode(w, image.NewGray(image.Rect(0, 0, 1, 1+i)))
			}
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		require.NoError(t, out.Close())
		importer := ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, s.Feeds()...)
		report, err := importer.Import(t.Context(), "documents", path, ingest.Options{})
		if err != nil || report.Imported != 1 || report.Rejected != 1 || len(files.keys) != 1 {
			t.Fatalf("%v %+v, stored %v", err, report, files.keys)
		}
		var sum string
		require.NoError(t, db.Get(t.Context(), d.Reader, &sum, `SELECT sha256 FROM bill_documents`))
		if content, err := s.files.Open(t.Context(), paperKey(sum)); err != nil || content.Close() != nil {
			t.Error(err)
		}
	})
}
