package intake_test

import (
	"context"
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

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/jobs"
)

// watched are watches of one folder and database, with a runner of jobs each.
func watched(t *testing.T, d *db.DB, s *shelf, instances int) (dir string, watches []*intake.Watch) {
	t.Helper()
	dir = t.TempDir()
	for range instances {
		folder, err := blob.Open(t.Context(), "", dir)
		if err != nil {
			t.Fatal(err)
		}
		runner, err := jobs.New(d, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		w := intake.NewWatch(d, runner, s.importer(), folder, intake.Settings{}, slog.New(slog.DiscardHandler))
		w.SettleAtOnce()
		jobs.Work(runner, w.Work)
		if err := runner.Start(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = runner.Stop(context.Background()) })
		watches = append(watches, w)
	}
	return dir, watches
}

func come(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
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

// Two instances watch one folder: each file is taken once, and stands where it
// belongs with its report.
func TestWatchTakesEachFileOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		dir, watches := watched(t, d, s, 2)
		come(t, dir, "groups-a.csv", "group_id,name,kind\n1001,North,provider\n1002,South,provider\n")
		come(t, dir, "groups-b.csv", "group_id,name,kind\n1003,East,provider\nx,West,provider\n")
		come(t, dir, "groups-bad.csv", "group_id,nothing\n1,2\n")
		come(t, dir, "letter.pdf", "%PDF")
		come(t, dir, "claims.csv.part", "half")
		come(t, dir, ".hidden.csv", "half")
		var wait sync.WaitGroup
		for range 5 {
			for _, w := range watches {
				wait.Go(func() {
					if err := w.Scan(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wait.Wait()
		for deadline := time.Now().Add(30 * time.Second); len(listed(t, dir)) > 2; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("left: %v", listed(t, dir))
			}
		}
		if left := listed(t, dir); !slices.Equal(left, []string{".hidden.csv", "claims.csv.part"}) {
			t.Errorf("left: %v", left)
		}
		if rows := s.rows(t); len(rows) != 3 {
			t.Errorf("%v", rows)
		}
		done, rejected := listed(t, filepath.Join(dir, "done")), listed(t, filepath.Join(dir, "rejected"))
		if len(done) != 4 || len(rejected) != 4 || !strings.HasSuffix(done[0], "-groups-a.csv") && !strings.HasSuffix(done[2], "-groups-a.csv") {
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
			var r intake.Report
			if err != nil || json.Unmarshal(j, &r) != nil {
				t.Fatal(err)
			}
			switch {
			case strings.Contains(name, "groups-a."):
				if r.Taken != 2 || r.AlreadyTaken {
					t.Errorf("%+v", r)
				}
			case strings.Contains(name, "groups-b."):
				if r.Taken != 1 || r.Rejected != 1 || len(r.Problems) != 1 {
					t.Errorf("%+v", r)
				}
			default:
				if r.Refused == nil {
					t.Errorf("%+v", r)
				}
			}
		}
		// As of when the data is.
		if list, err := s.importer().Intakes(t.Context()); err != nil || len(list) != 1 || list[0].Data != "groups" {
			t.Errorf("%+v %v", list, err)
		}
	})
}

// A stop at any step is made good by the next try: the file is taken once, and
// its first report stays.
func TestWatchGoesOnAfterAStop(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		dir := t.TempDir()
		folder, err := blob.Open(t.Context(), "", dir)
		if err != nil {
			t.Fatal(err)
		}
		store := &stopping{Store: folder}
		w := intake.NewWatch(d, nil, s.importer(), store, intake.Settings{}, slog.New(slog.DiscardHandler))
		const content = "group_id,name,kind\n1001,North,provider\n"
		come(t, dir, "groups.csv", content)
		attempts := 0
		for ; len(listed(t, dir)) > 0; attempts++ {
			if attempts > 10 {
				t.Fatal("it never ends")
			}
			_ = w.Take(t.Context(), intake.FileArgs{Key: "groups.csv", Size: int64(len(content))}) // stops in between, and is tried again
			store.next()
		}
		if attempts < 3 {
			t.Errorf("stopped %d times only", attempts-1)
		}
		done := listed(t, filepath.Join(dir, "done"))
		if len(done) != 2 || len(s.rows(t)) != 1 {
			t.Fatalf("%v %v", done, s.rows(t))
		}
		j, err := os.ReadFile(filepath.Join(dir, "done", done[1]))
		var r intake.Report
		if err != nil || json.Unmarshal(j, &r) != nil || r.Taken != 1 {
			t.Errorf("%s %v", j, err)
		}
		// What grew meanwhile is left for the next look.
		come(t, dir, "groups.csv", content+"1002,South,provider\n")
		if err := w.Take(t.Context(), intake.FileArgs{Key: "groups.csv", Size: int64(len(content))}); err != nil || len(listed(t, dir)) != 1 || len(s.rows(t)) != 1 {
			t.Errorf("%v %v", err, s.rows(t))
		}
	})
}

var errStopped = errors.New("stopped")

// stopping fails at the first change of the folder, after a next at the
// second, and so on.
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

func (s *stopping) Delete(ctx context.Context, key string) error {
	if err := s.step(); err != nil {
		return err
	}
	return s.Store.Delete(ctx, key)
}
