package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// counted is a row of count.
type counted struct{ N int64 }

// count is a statement of so many rows.
const count = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT i FROM n`

// counting reads them, and calls at with each before it is read.
func counting(at func(row *counted)) *db.Table[counted] {
	return db.NewTable("n", db.Col("i", func(r *counted) *int64 { at(r); return &r.N }))
}

// endsSoon fails unless what is asked by ask ends within moments of its context.
func endsSoon(t *testing.T, ask func(ctx context.Context, end context.CancelFunc) error) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	started := time.Now()
	go func() { ended <- ask(ctx, end) }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("it ended after %s with %v", time.Since(started), err)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("it went on without its context, and ended with %v", <-ended)
	}
}

func TestStatementsEndWithTheirContext(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		endless := `SELECT pg_sleep(20)::text`
		if d.Dialect.Name == "sqlite" {
			endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT '' || count(*) FROM n`
		}
		soon := func(end context.CancelFunc) { time.AfterFunc(50*time.Millisecond, end) }
		for name, ask := range map[string]func(ctx context.Context, end context.CancelFunc) error{
			"a query that runs": func(ctx context.Context, end context.CancelFunc) error {
				soon(end)
				var text string
				return db.Get(ctx, d.Reader, &text, endless)
			},
			"one in a transaction": func(ctx context.Context, end context.CancelFunc) error {
				return d.Read(ctx, func(tx *sql.Tx) error {
					soon(end)
					var text string
					return db.Get(ctx, tx, &text, endless)
				})
			},
			"a statement that runs": func(ctx context.Context, end context.CancelFunc) error {
				soon(end)
				_, err := db.Exec(ctx, d.Writer, endless)
				return err
			},
			"rows that are read": func(ctx context.Context, end context.CancelFunc) error {
				n := 0
				_, err := counting(func(*counted) {
					if n++; n == 3 {
						end()
					}
				}).Query(ctx, d.Reader, count)
				return err
			},
		} {
			t.Run(name, func(t *testing.T) { endsSoon(t, ask) })
		}
		t.Run("waiting for a connection", func(t *testing.T) {
			d.Limit(1)
			held := make(chan struct{})
			release := make(chan struct{})
			done := make(chan error, 1)
			go func() {
				done <- d.Tx(t.Context(), func(*sql.Tx) error { close(held); <-release; return nil })
			}()
			<-held
			endsSoon(t, func(ctx context.Context, end context.CancelFunc) error {
				soon(end)
				_, err := counting(func(*counted) {}).Query(ctx, d.Writer, count)
				return err
			})
			close(release)
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	})
}

// A statement costs no goroutine that waits for the end of its context.
func TestStatementsBeginNoGoroutine(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		n := 0
		_, err := counting(func(*counted) {
			if n++; n != 2 {
				return
			}
			var stacks bytes.Buffer
			if err := pprof.Lookup("goroutine").WriteTo(&stacks, 2); err != nil {
				t.Error(err)
			}
			if strings.Contains(stacks.String(), "initContextClose") {
				t.Error("database/sql waits for the context, too")
			}
		}).Query(ctx, d.Reader, `SELECT 1 AS i UNION ALL SELECT 2`)
		if err != nil || n != 2 {
			t.Error(n, err)
		}
	})
}
