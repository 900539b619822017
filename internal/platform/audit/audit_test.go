package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
		l := New(d, time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				for j := range 100 {
					l.Later(context.Background(), Entry{Actor: fmt.Sprint(i), Operation: "read", Subject: fmt.Sprint(j), Result: "ok"})
				}
			})
		}
		wait.Wait()
		l.Close()
		if n := count(t, d); n != 2000 {
			t.Errorf("%d of 2000 entries", n)
		}
	})
}

// A change and its entry happen together or not at all.
func TestRecordGoesWithItsChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(d, time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
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
