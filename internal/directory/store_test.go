package directory

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		for name, err := range map[string]error{
			"a record":          dbtest.Err(getRecord(ctx, tx, "7")),
			"a provider":        dbtest.Err(providerByID(ctx, tx, "7")),
			"a provider by NPI": dbtest.Err(idByNPI(ctx, tx, "1234567893")),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(listProviders(ctx, tx, "123456789", Lookup{Type: "P", LastName: "ho"}, 10)),
			dbtest.Err(requestPage(ctx, tx, d.Dialect)),
			dbtest.Err(listTINs(ctx, tx, "7")), dbtest.Err(listAllTINs(ctx, tx, "7")),
			dbtest.Err(officeNames(ctx, tx, []string{"123456789", "987654321"})),
			dbtest.Err((*Service)(nil).ListTINsByNPI(ctx, tx, "1234567893")),
			dbtest.Err(providerIDs(ctx, tx, "123456789", "")),
			dbtest.Err(providerIDs(ctx, tx, "123456789", "700")),
			dbtest.Err(listSpecialties(ctx, tx, "7", newPart(1))),
			dbtest.Err(listOffices(ctx, tx, "7", newPart(1))),
			dbtest.Err(listDetails(ctx, tx, "7")), dbtest.Err(listDetails(ctx, tx, "7", "x", "y")),
			dbtest.Err(listLicenses(ctx, tx, "7", newPart(1))),
			dbtest.Err(nextID(ctx, tx)),
			saveProvider(ctx, tx, Provider{ProviderID: "7", ProviderType: "P"}),
			addRegistered(ctx, tx, Provider{ProviderID: "8", ProviderType: "P"}),
			dbtest.Err(registeredIDs(ctx, tx, "7", "1234567893")),
			endRegistered(ctx, tx, "7"), moveProvider(ctx, tx, "8", "7"), putFormerID(ctx, tx, "8", "7"),
			dbtest.Err(currentID(ctx, tx, "8")), deleteFormerID(ctx, tx, "8"),
			dbtest.Err(storeSpecialty(ctx, tx, "7", Specialty{"x", 1})),
			storeRegisteredSpecialty(ctx, tx, "7", "y", "z", 1),
			dbtest.Err(registeredSpecialties(ctx, tx, "7")),
			removeSpecialty(ctx, tx, "7", "y"),
			storeRegisteredLicense(ctx, tx, "7", License{LicenseNumber: "x"}),
			dbtest.Err(registeredLicenses(ctx, tx, "7")),
			removeLicense(ctx, tx, "7", License{LicenseNumber: "x"}),
			dbtest.Err(deactivate(ctx, tx, "1234567893", "2026-01-02")),
			reactivate(ctx, tx, "1234567893"),
			dbtest.Err(storeOffice(ctx, tx, "7", Office{OfficeID: "x"})),
			dbtest.Err(storeLicense(ctx, tx, "7", License{LicenseNumber: "x"})),
			dbtest.Err(storeDetails(ctx, tx, "7", ProviderDetails{})),
			putListing(ctx, tx, listing{ProviderID: "7", FTIN: "123456789", OfficeID: "x"}, 1),
			dbtest.Err(storeTIN(ctx, tx, "7", "123456789")), dbtest.Err(storeFileTIN(ctx, tx, "7", "123456789")),
			dbtest.Err(formerListings(ctx, tx, 1, 2, 10)),
			dbtest.Err(ignoreRemote(otherListings(ctx, tx, listing{ProviderID: "7"}))),
			deleteListing(ctx, tx, listing{ProviderID: "7"}),
			deleteOffice(ctx, tx, "7", "x"),
			deleteTIN(ctx, tx, "7", "123456789"),
			dbtest.Err(putTaxonomy(ctx, tx, Taxonomy{"x", "y"})),
		))
	})
}

func ignoreRemote(office, _ bool, err error) (bool, error) { return office, err }

// requestPage requests a page with every table feature.
func requestPage(ctx context.Context, tx *sql.Tx, d db.Dialect) (int, error) {
	_, count, err := providerPage(ctx, tx, d, "123456789", paging.Table{
		PageSize: 10, Sort: &paging.Sort{ID: "type"}, Filters: map[string]string{"name": "ho", "type": "phys", "provider": "(7"},
	})
	return count, err
}
