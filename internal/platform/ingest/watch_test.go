package ingest_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
)

// watched returns watches of one folder and database, each with its own job runner.
func watched(t *testing.T, d *db.DB, s *tableStore, instances int) (dir string, watches []*ingest.Watch) {
	t.Helper()
	dir = t.TempDir()
	for range instances {
		folder, err := blob.Open(t.Context(), "", dir)
		require.NoError(t, err)
		runner, err := jobs.New(d, "test", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		w := ingest.NewWatch(d, runner, s.importer(), folder, ingest.Settings{}, slog.New(slog.DiscardHandler))
		w.SettleAtOnce()
		jobs.WorkPrepared(runner, w.Work)
		require.NoError(t, runner.Start(context.WithoutCancel(t.Context())))
		t.Cleanup(func() { _ = runner.Stop(context.Background()) })
		watches = append(watches, w)
	}
	return dir, watches
}

func come(t *testing.T, dir, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
}

func listed(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() {
			list = append(list, e.Name())
		}
	}
	slices.Sort(list)
	return list
}

// Two instances watch one folder. Each file is imported once and moved to the right folder with
// its report.
func TestWatchTakesEachFileOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		dir, watches := watched(t, d, s, 2)
		come(t, dir, "groups-a.csv", "group_id,name,kind\n1001,North,provider\n1002,South,provider\n")
		come(t, dir, "groups-b.csv", "group_id,name,kind\n1003,East,provider\nx,West,provider\n")
		come(t, dir, "groups-bad.csv", "group_id,nothing\n1,2\n")
		come(t, dir, "groups-cut.rows2.csv", "group_id,name,kind\n1004,Cut,provider\n")
		come(t, dir, "letter.pdf", "%PDF")
		come(t, dir, "claims.csv.part", "half")
		come(t, dir, ".hidden.csv", "half")
		var wait sync.WaitGroup
		for range 5 {
			for _, w := range watches {
				wait.Go(func() {
					assert.NoError(t, w.Scan(t.Context()))
				})
			}
		}
		wait.Wait()
		for deadline := time.Now().Add(30 * time.Second); len(listed(t, dir))+len(listed(t, filepath.Join(dir, "taking"))) >
			2; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("left: %v", listed(t, dir))
			}
		}
		if strings.HasPrefix(listed(t, filepath.Join(dir, "rejected"))[0], "-") {
			t.Error("a file whose name tells no kind is kept without its content's digits: the next one of its name would take its place")
		}
		assert.Equal(t, []string{".hidden.csv", "claims.csv.part"}, listed(t, dir))
		assert.Len(t, s.rows(t), 3)
		done, rejected := listed(t, filepath.Join(dir, "done")), listed(t, filepath.Join(dir, "rejected"))
		if len(done) != 4 || len(rejected) != 6 || !strings.HasSuffix(done[0], "-groups-a.csv") &&
			!strings.HasSuffix(done[2], "-groups-a.csv") {
			t.Fatalf("%v %v", done, rejected)
		}
		for _, name := range append(done, rejected...) {
			if !strings.HasSuffix(name, ".report.json") {
				continue
			}
			folder := "done"
			if slices.Contains(rejected, name) {
				folder = "rejected"
			}
			j, err := os.ReadFile(filepath.Join(dir, folder, name))
			var r ingest.Report
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(j, &r))
			switch {
			case strings.Contains(name, "groups-a."):
				if r.Imported != 2 || r.AlreadyImported {
					t.Errorf("%+v", r)
				}
			case strings.Contains(name, "groups-b."):
				if r.Imported != 1 || r.Rejected != 1 || len(r.Problems) != 1 {
					t.Errorf("%+v", r)
				}
			default:
				assert.NotNil(t, r.Refused, r)
			}
		}
		// The data has a date.
		if list, err := s.importer().Intakes(t.Context()); err != nil || len(list) != 1 || list[0].Data != "groups" {
			t.Errorf("%+v %v", list, err)
		}
		// A test file is imported if the settings allow it.
		for name, settings := range map[string]ingest.Settings{"rejected": {}, "imported": {FeedTakeTest: true}} {
			own, queue := t.TempDir(), &queuedFiles{}
			folder, err := blob.Open(t.Context(), "", own)
			require.NoError(t, err)
			claims := 1
			if settings.FeedTakeTest {
				claims = 2 // not the same file as in the other case
			}
			come(t, own, "test.edi", strings.Replace(manyClaims(claims), "*0*P*:", "*0*T*:", 1))
			var said bytes.Buffer
			importAll(t, ingest.NewWatch(d, queue, s.importer(), folder, settings, slog.New(slog.NewTextHandler(&said, nil))), queue)
			if done := listed(t, filepath.Join(own, "done")); (len(done) > 0) != settings.FeedTakeTest {
				t.Errorf("a test that is to be %s: %v", name, done)
			}
			if log := said.String(); strings.Count(log, "msg=") != 1 || !strings.Contains(log, `msg="file `+name+`"`) ||
				(name == "rejected") != strings.Contains(log, "WCPP_FEED_TAKE_TEST") {
				t.Errorf("a test that is to be %s: %s", name, log)
			}
		}
	})
}

// A file that was claimed before a kill is imported as soon as the program starts again, and a
// file that is still being written has time to get complete.
func TestClaimedFilesContinueAtStart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		dir := t.TempDir()
		folder, err := blob.Open(t.Context(), "", dir)
		require.NoError(t, err)
		queue := &queuedFiles{}
		w := ingest.NewWatch(d, queue, s.importer(), folder, ingest.Settings{}, slog.New(slog.DiscardHandler))
		require.NoError(t, os.Mkdir(filepath.Join(dir, "taking"), 0o700))
		come(t, filepath.Join(dir, "taking"), "AAAA-groups.csv", "group_id,name,kind\n1001,North,provider\n")
		come(t, dir, "groups-2.csv", "group_id,name,kind\n1002,South,provider\n")
		w.Module().Run(t.Context())
		started := map[string]bool{}
		for _, f := range queue.empty() {
			started[f.Key] = !f.From.After(time.Now())
		}
		if len(started) != 2 || !started["taking/AAAA-groups.csv"] || started["groups-2.csv"] {
			t.Errorf("%v", started)
		}
	})
}

// After a stop at any step, the next attempt recovers: the file is imported once, and its first
// report remains.
func TestWatchGoesOnAfterAStop(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		dir := t.TempDir()
		folder, err := blob.Open(t.Context(), "", dir)
		require.NoError(t, err)
		store := &stopping{Store: folder}
		queue := &queuedFiles{}
		w := ingest.NewWatch(d, queue, s.importer(), store, ingest.Settings{}, slog.New(slog.DiscardHandler))
		const content = "group_id,name,kind\n1001,North,provider\n"
		come(t, dir, "groups.csv", content)
		attempts := 0
		for ; len(listed(t, dir))+len(listed(t, filepath.Join(dir, "taking"))) > 0; attempts++ {
			require.LessOrEqual(t, attempts, 10, "it never ends")
			require.NoError(t, w.Scan(t.Context()))
			for _, f := range queue.empty() {
				_ = w.Import(t.Context(), f) // it stops in between and is retried
			}
			store.next()
		}
		assert.GreaterOrEqualf(t, attempts, 3, "stopped %d times only", attempts-1)
		done := listed(t, filepath.Join(dir, "done"))
		require.Len(t, done, 2)
		require.Len(t, s.rows(t), 1)
		j, err := os.ReadFile(filepath.Join(dir, "done", done[1]))
		var r ingest.Report
		if err != nil || json.Unmarshal(j, &r) != nil || r.Imported != 1 {
			t.Errorf("%s %v", j, err)
		}
		// A file that grew in the meantime is left for the next scan.
		come(t, dir, "groups.csv", content+"1002,South,provider\n")
		if err := w.Import(t.Context(), ingest.FileArgs{Key: "groups.csv", Size: int64(len(content))}); err != nil ||
			len(listed(t, dir)) != 1 || len(s.rows(t)) != 1 {
			t.Errorf("%v %v", err, s.rows(t))
		}
	})
}

var errStopped = errors.New("stopped")

// stopping fails at the first change of the folder. After next, it fails at the second, and so
// on.
type stopping struct {
	blob.Store
	allowed, done int
}

func (s *stopping) next() { s.allowed, s.done = s.allowed+1, 0 }

func (s *stopping) step() error {
	if s.done >= s.allowed {
		return errStopped
	}
	s.done++
	return nil
}

func (s *stopping) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if err := s.step(); err != nil {
		return err
	}
	return s.Store.Put(ctx, key, write)
}

func (s *stopping) Move(ctx context.Context, from, to string) error {
	if err := s.step(); err != nil {
		return err
	}
	return s.Store.Move(ctx, from, to)
}

// queuedFiles is a queue whose jobs the test runs itself.
type queuedFiles struct{ files []ingest.FileArgs }

func (k *queuedFiles) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	if f := args.(ingest.FileArgs); !slices.ContainsFunc(k.files, func(have ingest.FileArgs) bool { return have.Key == f.Key }) {
		k.files = append(k.files, f)
	}
	return nil
}

func (k *queuedFiles) empty() []ingest.FileArgs {
	files := k.files
	k.files = nil
	return files
}

// importAll scans and imports until no file is waiting.
func importAll(t *testing.T, w *ingest.Watch, queue *queuedFiles) {
	t.Helper()
	for range 10 {
		require.NoError(t, w.Scan(t.Context()))
		files := queue.empty()
		if len(files) == 0 {
			return
		}
		for _, f := range files {
			require.NoError(t, w.Import(t.Context(), f))
		}
	}
	t.Fatal("it never ends")
}

// Senders needn't wait until the last file is imported. A new file with the same name, and later
// writes to the same file, are imported, too.
func TestWatchLosesNothingThatComesWhileItTakes(t *testing.T) {
	const head = "group_id,name,kind\n"
	for name, meanwhile := range map[string]func(t *testing.T, dir string, open *os.File){
		"another file": func(t *testing.T, dir string, _ *os.File) {
			if err := os.Remove(filepath.Join(dir, "groups.csv")); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			come(t, dir, "groups.csv", head+"1002,South,provider\n")
		},
		"another file, renamed over it": func(t *testing.T, dir string, _ *os.File) {
			come(t, dir, ".next", head+"1002,South,provider\n")
			require.NoError(t, os.Rename(filepath.Join(dir, ".next"), filepath.Join(dir, "groups.csv")))
		},
		"more of the file": func(t *testing.T, _ string, open *os.File) {
			require.NoError(t, dbtest.Err(open.WriteString("1002,South,provider\n")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := newTableStore(t, d)
				dir := t.TempDir()
				folder, err := blob.Open(t.Context(), "", dir)
				require.NoError(t, err)
				open, err := os.Create(filepath.Join(dir, "groups.csv"))
				require.NoError(t, err)
				defer open.Close()
				require.NoError(t, dbtest.Err(open.WriteString(head+"1001,North,provider\n")))
				queue := &queuedFiles{}
				w := ingest.NewWatch(d, queue, s.importer(), folder, ingest.Settings{}, slog.New(slog.DiscardHandler))
				s.after = func(batch int) error {
					if batch == 1 {
						meanwhile(t, dir, open)
					}
					return nil
				}
				importAll(t, w, queue)
				assert.Len(t, s.rows(t), 2)
				assert.Empty(t, slices.Concat(listed(t, dir), listed(t, filepath.Join(dir, "taking"))))
			})
		})
	}
}

// Imported or rejected files stay in the folder for the set number of days after the import.
// Waiting files aren't deleted.
func TestOldFilesLeaveTheFolder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dir, watches := watched(t, d, newTableStore(t, d), 1)
		w := watches[0]
		// The importer's clock is at 3/4/2026.
		taken := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC).AddDate(0, 0, -11)
		for name, at := range map[string]time.Time{
			"done/a-old.edi": taken, "done/a-old.edi.report.json": taken, "rejected/b-old.csv": taken,
			"rejected/b-old.csv.report.json": taken,
			// sent long ago, but imported later
			"done/c-new.edi": taken, "done/c-new.edi.report.json": taken.AddDate(0, 0, 5),
			"waits.part": taken, "done/d-gone.edi.report.json": taken, // its file was deleted before a stop
		} {
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
			require.NoError(t, os.Chtimes(path, at, at))
		}
		if err := w.RemoveOld(t.Context()); err != nil || len(listed(t, filepath.Join(dir, "done"))) != 5 {
			t.Errorf("without a setting: %v %v", listed(t, filepath.Join(dir, "done")), err)
		}
		w.KeepFor(10)
		for range 2 { // safe to repeat
			require.NoError(t, w.RemoveOld(t.Context()))
		}
		assert.Equal(t, []string{"c-new.edi", "c-new.edi.report.json"}, listed(t, filepath.Join(dir, "done")))
		assert.Empty(t, listed(t, filepath.Join(dir, "rejected")))
		assert.Equal(t, []string{"waits.part"}, listed(t, dir))
	})
}
