package directory

import (
	"database/sql"
	"errors"
	"slices"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Registry files that are imported at the same time don't overwrite each other's new providers,
// and an NPI that is new in both gets one provider.
func TestRegistryFilesTakeTurns(t *testing.T) {
	const first, both, second = "1234567893", "1245319599", "1003000126"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importAll := NewService(d, nil).importRegistry
		store := func(tx *sql.Tx, npis ...string) error {
			rows := make([]Registered, len(npis))
			for i, npi := range npis {
				rows[i].Provider = Provider{ProviderType: "P", NPI: npi, LastName: "Hand"}
			}
			return dbtest.Err(importAll(t.Context(), tx, rows))
		}
		other := make(chan error, 1)
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := store(tx, first, both); err != nil {
				return err
			}
			go func() {
				other <- d.Tx(t.Context(), func(tx *sql.Tx) error { return store(tx, second, both) })
			}()
			if d.Dialect.Name == "postgres" { // SQLite has one writer
				dbtest.AwaitWaiting(t, d)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := <-other; err != nil {
			t.Fatal(err)
		}
		var npis []string
		if err := db.Select(t.Context(), d.Reader, &npis, `SELECT npi FROM providers ORDER BY provider_id`); err != nil {
			t.Fatal(err)
		}
		if want := []string{first, both, second}; !slices.Equal(npis, want) {
			t.Errorf("%v, want %v", npis, want)
		}
	})
}

// A TIN that a roster added and a file names stays when the roster's listing ends.
func TestFilesKeepTINsOfRosters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			row := ProviderRow{FTIN: "111111111"}
			row.Provider = Provider{ProviderID: "7", ProviderType: "P", NPI: "1234567893", LastName: "Hand"}
			for _, ftin := range []string{"222222222", "333333333"} {
				l := listing{SourceGroupID: 1, ProviderID: "7", FTIN: ftin, OfficeID: ftin, BroughtTIN: true}
				err := dbtest.Err(ImportProvider(t.Context(), tx, row))
				if err = errors.Join(err, dbtest.Err(storeTIN(t.Context(), tx, "7", ftin)), putListing(t.Context(), tx, l, 1)); err != nil {
					return err
				}
			}
			row.FTIN = "222222222"
			err := dbtest.Err(ImportProvider(t.Context(), tx, row))
			return errors.Join(err, dbtest.Err(s.EndListings(t.Context(), tx, 1, 2, 10)))
		}); err != nil {
			t.Fatal(err)
		}
		if list, err := s.ListTINs(t.Context(), "7"); err != nil || !slices.Equal(list, []string{"111111111", "222222222"}) {
			t.Errorf("%v, %v", list, err)
		}
	})
}

// A degree and gender from a table stay if the registry has none.
func TestRegistryKeepsDetailsThatItLacks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		row := Registered{Provider: Provider{ProviderType: "P", NPI: "1234567893", LastName: "Hand"}}
		var record Record
		if err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			if _, err := importRegistered(t.Context(), tx, row); err != nil {
				return err
			}
			id, err := idByNPI(t.Context(), tx, row.NPI)
			if err != nil {
				return err
			}
			if _, err := storeDetails(t.Context(), tx, id, ProviderDetails{Degrees: "MD, FACS", Gender: "F"}); err != nil {
				return err
			}
			row.Gender = "M"
			if _, err := importRegistered(t.Context(), tx, row); err != nil {
				return err
			}
			record, err = getRecord(t.Context(), tx, id)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if record.Degrees != "MD, FACS" || record.Gender != "M" {
			t.Errorf("degrees %q, gender %q", record.Degrees, record.Gender)
		}
	})
}
