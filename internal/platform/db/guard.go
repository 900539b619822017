package db

import (
	"context"
	"database/sql"
)

// Guard returns an error if a transaction must not be committed.
type Guard func(ctx context.Context, tx *sql.Tx) error

type guardKey struct{}

// Guarded returns a context that checks the guard at the end of each write. This covers write
// transactions and single statements that write. A refused write is rolled back. So a check
// before the transaction is repeated in it.
func Guarded(ctx context.Context, g Guard) context.Context {
	return context.WithValue(ctx, guardKey{}, g)
}

// Unguarded returns the context without its guard, for code that ends the condition that the
// guard checks.
func Unguarded(ctx context.Context) context.Context { return Guarded(ctx, nil) }

func guardOf(ctx context.Context) Guard {
	g, _ := ctx.Value(guardKey{}).(Guard)
	return g
}
