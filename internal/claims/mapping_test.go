package claims

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mappingtest"
)

func TestRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first, second := mappingtest.Filled[Claim](), mappingtest.Other[Claim]()
		second.ClaimNumber, second.PayerID = first.ClaimNumber, first.PayerID
		for _, c := range []struct {
			claim Claim
			want  ingest.Outcome
		}{{first, ingest.Imported}, {first, ingest.Unchanged}, {second, ingest.Updated}, {second, ingest.Unchanged}} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				if got, err := ImportClaim(t.Context(), tx, c.claim); err != nil || got != c.want {
					t.Errorf("%s, not %s: %v", got, c.want, err)
				}
				return nil
			}))
			mappingtest.CheckRow(t, d, "claims")
			x := c.claim
			found, err := byClaimant(t.Context(), d.Writer,
				Search{FirstName: x.ClaimantFirstName, LastName: x.ClaimantLastName, BirthDate: x.ClaimantBirthDate,
					DateOfInjury: x.DateOfInjury}, 10)
			if err != nil || len(found) != 1 || found[0] != x {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, found, x)
			}
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toClaimResult(mappingtest.Filled[Claim]())))
	p := mappingtest.Filled[ClaimSearchPayload]()
	p.WildCardFstName = "Y"
	assert.Nil(t, mappingtest.ListEmpty(p.search()))
}
