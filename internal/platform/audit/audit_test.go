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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func count(t *testing.T, d *db.DB) int {
	t.Helper()
	var n int
	require.NoError(t, db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM audit_log`))
	return n
}

func TestEveryEntryIsWritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(Deps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				for j := range 100 {
					assert.NoError(t, l.RecordNow(t.Context(), Entry{Actor: fmt.Sprint(i), Operation: "read", Subject: fmt.Sprint(j),
						Result: "ok"}))
				}
			})
		}
		wait.Wait()
		defer l.Close()
		assert.Equal(t, 2000, count(t, d))
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
		require.NoError(t, l.storeAll(batch))
		assert.Equal(t, len(batch), count(t, d))
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
				assert.ErrorIs(t, l.RecordNow(t.Context(), Entry{Actor: actor, Operation: "read", Result: "ok"}), want, actor)
			})
		}
		wait.Wait()
		assert.Equal(t, 40, count(t, d))
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
			require.ErrorIs(t, err, end)
		}
		assert.Equal(t, 1, count(t, d))
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
			require.NoError(t, l.RecordNow(t.Context(), e))
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
		require.NoError(t, err)
		defer l.Close()
		var got []struct{ Operation, Actor, ActingFor string }
		require.NoError(t, db.Select(t.Context(), d.Writer, &got, `SELECT operation, actor, acting_for FROM audit_log ORDER BY id`))
		want := "[{before sign-in  } {read ada zoe} {named feed bea} {change ada zoe}]"
		assert.Equal(t, want, fmt.Sprint(got), got)
	})
}
