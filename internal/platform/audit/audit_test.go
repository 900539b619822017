package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func count(t *testing.T, d *db.DB) int {
	t.Helper()
	var n int
	if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM audit_log`); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEveryEntryIsWritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				for j := range 100 {
					if err := l.RecordNow(t.Context(), Entry{Actor: fmt.Sprint(i), Operation: "read", Subject: fmt.Sprint(j),
						Result: "ok"}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		defer l.Close()
		if n := count(t, d); n != 2000 {
			t.Errorf("%d of 2000 entries", n)
		}
	})
}

// More entries than fit into one statement are stored together.
func TestMoreThanOneStatement(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		defer l.Close()
		batch := make([]queuedEntry, 2*ofStatement+1)
		for i := range batch {
			batch[i].Entry = l.fill(t.Context(), Entry{Operation: "read", Subject: fmt.Sprint(i), Result: "ok"})
		}
		if err := l.storeAll(batch); err != nil {
			t.Fatal(err)
		}
		if n := count(t, d); n != len(batch) {
			t.Errorf("%d of %d entries", n, len(batch))
		}
	})
}

// Only the writer of a failed entry gets its error.
func TestOneEntryFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		broken := errors.New("broken")
		people := func(_ context.Context, _ db.Queryer, names []string) ([]int64, error) {
			if slices.Contains(names, "bad") {
				return nil, broken
			}
			return nil, nil
		}
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), People: people})
		defer l.Close()
		var wait sync.WaitGroup
		for i := range 60 {
			wait.Go(func() {
				actor, want := "good", error(nil)
				if i%3 == 0 {
					actor, want = "bad", broken
				}
				if err := l.RecordNow(t.Context(), Entry{Actor: actor, Operation: "read", Result: "ok"}); !errors.Is(err, want) {
					t.Errorf("%s: %v", actor, err)
				}
			})
		}
		wait.Wait()
		if n := count(t, d); n != 40 {
			t.Errorf("%d of 40 entries", n)
		}
	})
}

// A change and its entry are stored together or not at all.
func TestRecordGoesWithItsChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		defer l.Close()
		broken := errors.New("broken")
		for _, end := range []error{broken, nil} {
			err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				if err := l.Record(t.Context(), tx, Entry{Actor: "a", Operation: "change", Result: "ok"}); err != nil {
					return err
				}
				return end
			})
			if !errors.Is(err, end) {
				t.Fatal(err)
			}
		}
		if n := count(t, d); n != 1 {
			t.Errorf("%d entries of one change that held", n)
		}
	})
}

// An index finds the operations on a user, newest first.
func TestAbout(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		l := New(Deps{DB: d, Clock: func() time.Time { now = now.Add(time.Second); return now },
			Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		defer l.Close()
		for _, e := range []Entry{
			{Actor: "a", Operation: "edit", Subject: "zoe", Result: "ok"}, {Actor: "b", Operation: "edit", Subject: "zoe", Result: "ok"},
			{Actor: "c", Operation: "read", Subject: "zoe", Result: "ok"}, {Actor: "d", Operation: "edit", Subject: "ann", Result: "ok"},
			{Actor: "e", Operation: "end", Subject: "zoe", Result: "refused"},
		} {
			if err := l.RecordNow(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		list, err := l.ListAbout(t.Context(), "zoe", []string{"edit", "end"}, 2)
		if err != nil || len(list) != 2 || list[0].Actor != "e" || list[0].Result != "refused" || list[1].Actor != "b" {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// Every entry names the actor from the context, unless it names another.
func TestActorOfTheContext(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		ctx := WithActor(t.Context(), "ada", "zoe")
		err := errors.Join(
			l.RecordNow(t.Context(), Entry{Operation: "before sign-in", Result: "ok"}),
			l.RecordNow(ctx, Entry{Operation: "read", Result: "ok"}),
			l.RecordNow(ctx, Entry{Actor: "feed", ActingFor: "bea", Operation: "named", Result: "ok"}),
			d.Tx(ctx, func(tx *sql.Tx) error { return l.Record(ctx, tx, Entry{Operation: "change", Result: "ok"}) }),
		)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var got []struct{ Operation, Actor, ActingFor string }
		if err := db.Select(t.Context(), d.Writer, &got, `SELECT operation, actor, acting_for FROM audit_log ORDER BY id`); err != nil {
			t.Fatal(err)
		}
		want := "[{before sign-in  } {read ada zoe} {named feed bea} {change ada zoe}]"
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	})
}
