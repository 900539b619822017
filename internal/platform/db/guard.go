package db

import (
	"context"
	"database/sql"
)

// Guard returns an error if a transaction must not be committed.
type Guard func(ctx context.Context, tx *sql.Tx) error

type guardKey struct{}

// WithGuard returns a context that checks the guard at the end of each write. This covers write
// transactions and single statements that write. A refused write is rolled back. So a check
// before the transaction is repeated in it.
func WithGuard(ctx context.Context, g Guard) context.Context {
	return context.WithValue(ctx, guardKey{}, g)
}

// WithoutGuard returns the context without its guard, for code that ends the condition that the
// guard checks.
func WithoutGuard(ctx context.Context) context.Context { return WithGuard(ctx, nil) }

func getGuard(ctx context.Context) Guard {
	g, _ := ctx.Value(guardKey{}).(Guard)
	return g
}
