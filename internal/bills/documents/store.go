package documents

import (
	"context"
	"errors"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

func pricingSheetByKey(ctx context.Context, q db.Queryer, scope access.Scope, key string) (record.Bill, error) {
	for _, ftin := range scope.TINs() {
		b, err := record.GetByKey(ctx, q, scope, ftin, key)
		if err == nil && b.PricingSheet {
			return b, nil
		}
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return b, err
		}
	}
	return record.Bill{}, db.ErrNotFound
}
