package clients

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		assert.ErrorIs(t, dbtest.Err(clientByKey(ctx, tx, Client{ClientID: "1"})), db.ErrNotFound)
		assert.NoError(t, errors.Join(
			dbtest.Err(listStates(ctx, tx, "7", "2026-01-01")),
			dbtest.Err(listProducts(ctx, tx, Lookup{LOB: "WC", ProviderID: "7", State: "OH", FTIN: "1", Today: "2026-01-01"})),
			dbtest.Err(takesPart(ctx, tx, Lookup{"WC", "7", "OH", "PPO", "1", "2026-01-01"})),
			dbtest.Err(listClients(ctx, tx, Lookup{"WC", "7", "OH", "PPO", "1", "2026-01-01"}, 10)),
			dbtest.Err(storeExclusion(ctx, tx, Exclusion{ClientID: "1", ProviderID: "7", EffectiveDate: "2026-01-01",
				EndDate: "2026-12-31"})),
			dbtest.Err(listProviderClients(ctx, tx, "7", "1", "2026-01-01", 10)),
			dbtest.Err(listByPayor(ctx, tx, "P1", "OH", 10)), dbtest.Err(listByName(ctx, tx, "Acme", "OH", 10)),
			dbtest.Err(hasProduct(ctx, tx, "WC", "PPO")),
			dbtest.Err(storeProduct(ctx, tx, Product{LineOfBusiness: "WC", Code: "PPO"})),
			storeClient(ctx, tx, Client{ClientID: "1"}),
			MoveProvider(ctx, tx, "8", "7"),
			dbtest.Err(storeParticipation(ctx, tx, Participation{ProviderID: "7", EffectiveDate: "2026-01-01", EndDate: "2026-12-31"})),
		))
	})
}
