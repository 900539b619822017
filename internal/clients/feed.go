package clients

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/db"
)

// What becomes of a row of a feed.
const (
	taken     = "taken"
	unchanged = "unchanged"
	updated   = "updated"
	rejected  = "rejected"
)

// OpenEnd and OpenStart stand for dates that a feed leaves open.
const (
	OpenStart = "1900-01-01"
	OpenEnd   = "9999-12-31"
)

func changed(n int64, err error) (string, string, error) {
	if n > 0 {
		return taken, "", err
	}
	return unchanged, "", err
}

// TakeProduct stores a product of a line of business.
func TakeProduct(ctx context.Context, tx *sql.Tx, p Product) (kind, reason string, err error) {
	return changed(storeProduct(ctx, tx, p))
}

// TakeClient stores a client in one product and state; the product must be
// there.
func TakeClient(ctx context.Context, tx *sql.Tx, c Client) (kind, reason string, err error) {
	old, err := clientByKey(ctx, tx, c)
	switch {
	case err == nil && old == c:
		return unchanged, "", nil
	case err == nil:
		return updated, "", storeClient(ctx, tx, c)
	case !errors.Is(err, db.ErrNotFound):
		return "", "", err
	}
	if has, err := hasProduct(ctx, tx, c.LineOfBusiness, c.ProductCode); err != nil || !has {
		return rejected, "there is no such product: import the products first", err
	}
	return taken, "", storeClient(ctx, tx, c)
}

// TakeParticipation stores that a provider takes part in a product.
func TakeParticipation(ctx context.Context, tx *sql.Tx, p Participation) (kind, reason string, err error) {
	if has, err := hasProduct(ctx, tx, p.LineOfBusiness, p.ProductCode); err != nil || !has {
		return rejected, "there is no such product: import the products first", err
	}
	if p.EffectiveDate == "" {
		p.EffectiveDate = OpenStart
	}
	if p.EndDate == "" {
		p.EndDate = OpenEnd
	}
	return changed(storeParticipation(ctx, tx, p))
}

// TakeExclusion stores that a client leaves a provider out.
func TakeExclusion(ctx context.Context, tx *sql.Tx, x Exclusion) (kind, reason string, err error) {
	return changed(storeExclusion(ctx, tx, x))
}
