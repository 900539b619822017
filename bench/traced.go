package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"wcpp/internal/platform/db"
)

// traced is a database that records a service's queries.
type traced struct {
	db      *db.DB
	tracing bool
	asked   []asked
}

type asked struct {
	query string
	args  []any
}

func (t *traced) open(ctx context.Context, address string) (err error) {
	t.db, err = db.OpenTraced(ctx, address, func(_ context.Context, query string, args []any) {
		if t.tracing {
			t.asked = append(t.asked, asked{query, args})
		}
	})
	return err
}

// alone reruns the recorded queries: the reads, then the writes in a transaction.
func (t *traced) alone(ctx context.Context) error {
	writes := func(a asked) bool {
		return strings.Contains(a.query, "INSERT INTO") || strings.Contains(a.query, "audit_open")
	}
	run := func(writing bool) func(*sql.Tx) error {
		return func(tx *sql.Tx) error {
			for _, a := range t.asked {
				if writes(a) != writing {
					continue
				}
				if strings.Contains(a.query, "SET LOCAL") { // several statements in one
					if err := t.db.ForceIndexScans(ctx, tx); err != nil {
						return err
					}
					continue
				}
				if _, err := readAll(ctx, tx, a.query, a.args); err != nil {
					return fmt.Errorf("%w: %s", err, a.query)
				}
			}
			return nil
		}
	}
	if err := t.db.Read(ctx, run(false)); err != nil {
		return err
	}
	return t.db.Tx(ctx, run(true))
}
