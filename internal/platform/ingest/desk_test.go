package ingest_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/paging"
)

const twoGroups = "group_id,name,kind\n1001,North,provider\nx,West,provider\n"

func silent(context.Context, *sql.Tx, ingest.Arrival) error { return nil }

// newDesk returns a watched folder with jobs that the test runs, and an importer that stores its
// files.
func newDesk(t *testing.T, s *tableStore) (dir string, im *ingest.Importer, w *ingest.Watch, queue *queuedFiles) {
	t.Helper()
	dir, queue, im = t.TempDir(), &queuedFiles{}, s.importer()
	folder, err := blob.Open(t.Context(), "", dir)
	require.NoError(t, err)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	im.StoreFiles(files, 10)
	im.UseSources(func(_ context.Context, kind, name string) (int64, error) {
		if kind == "csv-groups" && strings.HasPrefix(name, "groups-north") {
			return 1, nil
		}
		return 0, nil
	})
	return dir, im, ingest.NewWatch(s.db, queue, im, folder, ingest.Settings{}, slog.New(slog.DiscardHandler)), queue
}

// came lists the received files, oldest first.
func came(t *testing.T, im *ingest.Importer) []ingest.Arrival {
	t.Helper()
	list, count, err := im.Arrivals(t.Context(), ingest.ArrivalFilter{Since: time.Unix(0, 0)}, paging.Table{PageSize: 100})
	if err != nil || count != len(list) {
		t.Fatal(count, list, err)
	}
	slices.SortFunc(list, func(a, b ingest.Arrival) int { return int(a.ID - b.ID) })
	return list
}

func bring(t *testing.T, w *ingest.Watch, name, content string, checkOnly bool) ingest.Arrival {
	t.Helper()
	f, err := w.Upload(t.Context(), ingest.Upload{Name: name, By: "casey", CheckOnly: checkOnly}, strings.NewReader(content), silent)
	require.NoError(t, err)
	return f
}

// A file uploaded at the desk is checked, imported, and imported again. The list shows its
// result.
func TestDesk(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, s := t.Context(), newTableStore(t, d)
		require.NoError(t, dbtest.Err(db.Exec(ctx, d.Writer, `INSERT INTO feed_sources (name, name_key, kind, pattern,
			expected_cron, grace_minutes, owner_mail, expected_from)
			VALUES ('North', 'north', 'csv-groups', '', '', 0, '', $1)`, db.At(time.Now()))))
		dir, im, w, queue := newDesk(t, s)

		checked := bring(t, w, "groups-north.csv", twoGroups, true)
		if _, err := w.Upload(ctx, ingest.Upload{Name: "groups-north.csv", CheckOnly: true}, strings.NewReader(twoGroups),
			silent); !errors.Is(err, ingest.ErrUnderWay) {
			t.Errorf("a second one at once: %v", err)
		}
		importAll(t, w, queue)
		f, err := im.FileByID(ctx, checked.ID)
		if err != nil || f.Status != ingest.Checked || f.Records != 2 || f.Rejected != 1 || f.SourceID != 1 || f.StartedBy != "casey" ||
			f.Via != ingest.Desk || f.EndedAt.IsZero() {
			t.Errorf("%v %+v", err, f)
		}
		if found, err := im.ListProblems(ctx, f.ID); err != nil || len(found) != 1 || found[0].Line != 3 ||
			strings.Contains(found[0].Reason, "West") {
			t.Errorf("%v %+v", err, found)
		}
		if left := listed(t, filepath.Join(dir, "checking")); len(left) != 0 || len(s.rows(t)) != 0 {
			t.Errorf("a check left %v and %v", left, s.rows(t))
		}

		taken := bring(t, w, "groups-north.csv", twoGroups, false)
		importAll(t, w, queue)
		if f, err = im.FileByID(ctx, taken.ID); err != nil || f.Status != ingest.Done || f.Imported != 1 || f.Rejected != 1 ||
			f.Bytes != int64(len(twoGroups)) {
			t.Errorf("%v %+v", err, f)
		}
		var before ingest.AlreadyImported
		if _, err := w.Upload(ctx, ingest.Upload{Name: "groups-2.csv"}, strings.NewReader(twoGroups), silent); !errors.As(err, &before) ||
			before.At.IsZero() {
			t.Errorf("the same again: %v", err)
		}
		require.NoError(t, dbtest.Err(w.Reimport(ctx, f, "casey", silent)))
		assert.ErrorIs(t, dbtest.Err(w.Reimport(ctx, f, "casey", silent)), ingest.ErrUnderWay)
		importAll(t, w, queue)

		refused := bring(t, w, "groups-bad.csv", "group_id,nothing\n1,2\n", false)
		importAll(t, w, queue)
		if f, err = im.FileByID(ctx, refused.ID); err != nil || f.Status != ingest.Refused || f.Refused == "" {
			t.Errorf("%v %+v", err, f)
		}
		require.NoError(t, dbtest.Err(w.Reimport(ctx, f, "casey", silent)))
		importAll(t, w, queue)
		if _, err := w.Reimport(ctx, ingest.Arrival{SHA256: "01234567", Name: "lost.csv", Kind: "csv-groups", Status: ingest.Done}, "",
			silent); !errors.Is(err, ingest.ErrGone) {
			t.Errorf("one that is kept no more: %v", err)
		}

		// Files from the folder or a command are in the list, too, once for each time.
		come(t, dir, "groups-north-2.csv", "group_id,name,kind\n1002,South,provider\n")
		come(t, dir, "letter.pdf", "%PDF")
		importAll(t, w, queue)
		path := filepath.Join(t.TempDir(), "groups.csv")
		require.NoError(t, os.WriteFile(path, []byte(twoGroups), 0o600))
		require.NoError(t, dbtest.Err(im.Import(ctx, "groups", path, ingest.Options{})))
		var got []string
		for _, f := range came(t, im) {
			got = append(got, string(f.Via)+" "+f.Name+" "+string(f.Status))
		}
		want := []string{
			"DESK groups-north.csv CHECKED", "DESK groups-north.csv DONE", "DESK groups-north.csv DONE", "DESK groups-bad.csv REFUSED",
			"DESK groups-bad.csv REFUSED",
			"FOLDER groups-north-2.csv DONE", "FOLDER letter.pdf REFUSED", "COMMAND groups.csv SAME",
		}
		slices.Sort(got[5:7])
		assert.Equal(t, want, got)
		if at, err := im.LastOfSource(ctx, d.Reader, 1); err != nil || at.IsZero() {
			t.Errorf("%v %v", at, err)
		}
	})
}

func TestDeskRefuses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dir, im, w, _ := newDesk(t, newTableStore(t, d))
		for name, content := range map[string]string{
			"letter.pdf": "x", "claims.zip": "PK", "groups.csv": "", "../groups.csv": twoGroups, ".groups.csv": twoGroups,
			"groups.csv.part": twoGroups,
			"":                twoGroups, strings.Repeat("g", 130) + ".edi": "x", `a\groups.csv`: twoGroups,
		} {
			var unwanted ingest.RefusedError
			if _, err := w.Upload(t.Context(), ingest.Upload{Name: name}, strings.NewReader(content), silent); !errors.As(err, &unwanted) {
				t.Errorf("%q: %v", name, err)
			}
		}
		if left := slices.Concat(listed(t, filepath.Join(dir, "taking")), listed(t, filepath.Join(dir, ".unfinished"))); len(left) != 0 ||
			len(came(t, im)) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// breaking fails after some bytes, as a lost connection does.
type breaking struct {
	io.Reader
	left int
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.Reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// An interrupted upload leaves nothing, wherever it stops.
func TestDeskUploadBreaksOff(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		dir, im, w, queue := newDesk(t, s)
		for n := range len(twoGroups) {
			if _, err := w.Upload(t.Context(), ingest.Upload{Name: "groups.csv"}, &breaking{strings.NewReader(twoGroups), n},
				silent); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("after %d bytes: %v", n, err)
			}
		}
		importAll(t, w, queue)
		if left := slices.Concat(listed(t, filepath.Join(dir, "taking")), listed(t, filepath.Join(dir, ".unfinished"))); len(left) != 0 ||
			len(came(t, im)) != 0 || len(s.rows(t)) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// meanwhile runs a function after a file is stored.
type meanwhile struct {
	blob.Store
	then func()
}

func (m *meanwhile) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	err := m.Store.Put(ctx, key, write)
	if then := m.then; then != nil && err == nil {
		m.then = nil
		then()
	}
	return err
}

// A scan or another upload can import the content before an upload records its file. Then the upload
// is refused, and no record waits for a job.
func TestContentImportedDuringItsUpload(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		folder, err := blob.Open(t.Context(), "", t.TempDir())
		require.NoError(t, err)
		im, queue, store := s.importer(), &queuedFiles{}, &meanwhile{Store: folder}
		w := ingest.NewWatch(d, queue, im, store, ingest.Settings{}, slog.New(slog.DiscardHandler))
		other := strings.ReplaceAll(twoGroups, "1001", "1002")
		for content, then := range map[string]func(){
			twoGroups: func() { importAll(t, w, queue) },
			other:     func() { bring(t, w, "groups-2.csv", other, false) },
		} {
			store.then = then
			_, err := w.Upload(t.Context(), ingest.Upload{Name: "groups.csv"}, strings.NewReader(content), silent)
			if imported := (ingest.AlreadyImported{}); !errors.As(err, &imported) && !errors.Is(err, ingest.ErrUnderWay) {
				t.Errorf("the upload: %v", err)
			}
			importAll(t, w, queue)
		}
		contents := map[string]bool{}
		for _, f := range came(t, im) {
			contents[f.SHA256] = true
			assert.Falsef(t, f.EndedAt.IsZero(), "%s is %s", f.Name, f.Status)
		}
		assert.Len(t, contents, 2)
	})
}

// An import that stops and resumes counts as one file. Its record is deleted after the retention
// time.
func TestArrivalOfAStoppedRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		_, im, w, queue := newDesk(t, s)
		f := bring(t, w, "groups.csv", twoGroups, false)
		for range 3 {
			ctx, stop := context.WithCancel(t.Context())
			s.after = func(int) error { stop(); return context.Canceled }
			require.NoError(t, w.Scan(t.Context()))
			for _, file := range queue.empty() {
				require.ErrorIs(t, w.Import(ctx, file), context.Canceled)
			}
			stop()
		}
		if list := came(t, im); len(list) != 1 || list[0].Status != ingest.Running || list[0].ID != f.ID {
			t.Errorf("%+v", list)
		}
		s.after = func(int) error { return errStopped }
		require.NoError(t, w.Scan(t.Context()))
		for _, file := range queue.empty() {
			require.ErrorIs(t, w.Import(t.Context(), file), errStopped)
		}
		if list := came(t, im); len(list) != 1 || list[0].Status != ingest.Failed {
			t.Errorf("%+v", list)
		}
		s.after = nil
		importAll(t, w, queue)
		list := came(t, im)
		if len(list) != 1 || list[0].Status != ingest.Done || list[0].Imported != 1 || list[0].Via != ingest.Desk {
			t.Errorf("%+v", list)
		}
		assert.False(t, list[0].Stopped(list[0].BeganAt.Add(time.Hour)), "a file that was taken counts as stopped")
		im.SetRetention(2555, 400)
		if err := im.Cleanup(t.Context()); err != nil || len(came(t, im)) != 1 {
			t.Errorf("%v", err)
		}
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE feed_files
			SET began_at = $1`, db.At(list[0].BeganAt.AddDate(0, 0, -401)))))
		if err := im.Cleanup(t.Context()); err != nil || len(came(t, im)) != 0 {
			t.Errorf("%v", err)
		}
	})
}
