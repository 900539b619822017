package clients

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mappingtest"
)

// takeTwice imports a row, then a changed row with the same key, and each of them again.
func takeTwice[T any](
	t *testing.T, d *db.DB, take func(context.Context, *sql.Tx, T) (ingest.Outcome, error), rows [2]T, changed ingest.Outcome,
	stored func(T),
) {
	t.Helper()
	for _, c := range []struct {
		row  T
		want ingest.Outcome
	}{{rows[0], ingest.Imported}, {rows[0], ingest.Unchanged}, {rows[1], changed}, {rows[1], ingest.Unchanged}} {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if got, err := take(t.Context(), tx, c.row); err != nil || got != c.want {
				t.Errorf("%T: %s, not %s: %v", c.row, got, c.want, err)
			}
			return nil
		}))
		stored(c.row)
	}
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		product := mappingtest.Filled[Product]()
		product.LineOfBusiness = WorkersComp
		renamed := product
		renamed.Name = "Renamed"
		takeTwice(t, d, ImportProduct, [2]Product{product, renamed}, ingest.Imported, func(Product) {
			mappingtest.CheckRow(t, d, "products")
		})

		part, later := mappingtest.Filled[Participation](), mappingtest.Other[Participation]()
		part.LineOfBusiness, part.ProductCode = product.LineOfBusiness, product.Code
		later.ProviderID, later.FTIN, later.State, later.LineOfBusiness, later.ProductCode = part.ProviderID, part.FTIN, part.State,
			part.LineOfBusiness, part.ProductCode
		later.EffectiveDate = part.EffectiveDate // a different date would make it a different period
		if later.EndDate <= part.EndDate {
			later.EndDate = part.EndDate.AddDays(1)
		}
		takeTwice(t, d, ImportParticipation, [2]Participation{part, later}, ingest.Imported, func(want Participation) {
			mappingtest.CheckRow(t, d, "provider_products")
			takes, err := takesPart(t.Context(), d.Writer, Lookup{want.LineOfBusiness, want.ProviderID, want.State, want.ProductCode,
				want.FTIN, want.EndDate})
			early, errEarly := takesPart(t.Context(), d.Writer, Lookup{want.LineOfBusiness, want.ProviderID, want.State, want.ProductCode,
				want.FTIN, want.EffectiveDate.AddDays(-1)})
			late, errLate := takesPart(t.Context(), d.Writer, Lookup{want.LineOfBusiness, want.ProviderID, want.State, want.ProductCode,
				want.FTIN, want.EndDate.AddDays(1)})
			if !takes || early || late || err != nil || errEarly != nil || errLate != nil {
				t.Errorf("takes part %v, before %v, after %v", takes, early, late)
			}
		})
		if list, err := listProducts(t.Context(), d.Writer, Lookup{LOB: later.LineOfBusiness, ProviderID: later.ProviderID,
			State: later.State, FTIN: later.FTIN, Today: later.EndDate}); err != nil || len(list) != 1 || list[0] != renamed {
			t.Errorf("%+v, %v", list, err)
		}

		client, moved := mappingtest.Filled[Client](), mappingtest.Other[Client]()
		client.LineOfBusiness, client.ProductCode, client.State = part.LineOfBusiness, part.ProductCode, part.State
		moved.ClientID, moved.LineOfBusiness, moved.ProductCode, moved.State = client.ClientID, client.LineOfBusiness, client.ProductCode,
			client.State
		takeTwice(t, d, ImportClient, [2]Client{client, moved}, ingest.Updated, func(want Client) {
			mappingtest.CheckRow(t, d, "clients")
			list, err := listClients(t.Context(), d.Writer, Lookup{LOB: want.LineOfBusiness, State: want.State, Product: want.ProductCode,
				Today: part.EndDate}, 10)
			if err != nil || len(list) != 1 || list[0] != want {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
			}
		})

		exclusion := mappingtest.Filled[Exclusion]()
		exclusion.ClientID = client.ClientID
		takeTwice(t, d, ImportExclusion, [2]Exclusion{exclusion, exclusion}, ingest.Unchanged, func(x Exclusion) {
			mappingtest.CheckRow(t, d, "client_exclusions")
			if list, err := listClients(t.Context(), d.Writer, Lookup{client.LineOfBusiness, x.ProviderID, client.State, client.ProductCode,
				x.FTIN, x.EndDate}, 10); err != nil || len(list) != 0 {
				t.Errorf("%+v, %v", list, err)
			}
		})
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toRows([]Client{mappingtest.Filled[Client]()})[0]))
}
