package db

import (
	"context"
	"database/sql"
)

// Guard refuses a transaction that must not be kept.
type Guard func(ctx context.Context, tx *sql.Tx) error

type guardKey struct{}

// Guarded is a context whose write transactions, and single statements that write, ask the
// guard last: what it refuses is rolled back. So a check that was made before a
// transaction is made once more in it.
func Guarded(ctx context.Context, g Guard) context.Context {
	return context.WithValue(ctx, guardKey{}, g)
}

// Unguarded is the context without its guard, for what ends the very thing that the guard
// asks for.
func Unguarded(ctx context.Context) context.Context { return Guarded(ctx, nil) }

func guardOf(ctx context.Context) Guard {
	g, _ := ctx.Value(guardKey{}).(Guard)
	return g
}
