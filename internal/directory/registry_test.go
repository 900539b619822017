package directory

import (
	"database/sql"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// Registry files that are imported at the same time don't overwrite each other's new providers,
// and an NPI that is new in both gets one provider.
func TestRegistryFilesTakeTurns(t *testing.T) {
	const first, both, second = "1234567893", "1245319599", "1003000126"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importAll := inTurn(NewService(d, nil), ingest.Each(importRegistered))
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
		require.NoError(t, <-other)
		var npis []string
		require.NoError(t, db.Select(t.Context(), d.Reader, &npis, `SELECT npi FROM providers ORDER BY provider_id`))
		assert.Equal(t, []string{first, both, second}, npis)
	})
}

// A TIN that a roster added and a file names stays when the roster's listing ends.
func TestFilesKeepTINsOfRosters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			row := ProviderRow{FTIN: "111111111"}
			row.Provider = Provider{ProviderID: "7", ProviderType: "P", NPI: "1234567893", LastName: "Hand"}
			for _, ftin := range []string{"222222222", "333333333"} {
				l := listing{SourceGroupID: 1, ProviderID: "7", FTIN: ftin, OfficeID: ftin, BroughtTIN: true}
				err := dbtest.Err(s.ImportProvider(t.Context(), tx, row))
				if err = errors.Join(err, dbtest.Err(storeTIN(t.Context(), tx, "7", ftin)), putListing(t.Context(), tx, l, 1)); err != nil {
					return err
				}
			}
			row.FTIN = "222222222"
			err := dbtest.Err(s.ImportProvider(t.Context(), tx, row))
			return errors.Join(err, dbtest.Err(s.EndListings(t.Context(), tx, 1, 2, 10)))
		}))
		if list, err := s.ListTINs(t.Context(), "7"); err != nil || !slices.Equal(list, []string{"111111111", "222222222"}) {
			t.Errorf("%v, %v", list, err)
		}
		all := []string{"111111111", "222222222", "333333333"}
		if list, err := s.ListAllTINs(t.Context(), "7"); err != nil || !slices.Equal(list, all) {
			t.Errorf("with former ones: %v, %v", list, err)
		}
	})
}

// A table gives a provider of the registry the network's id, whichever comes first.
func TestTablesGiveRegisteredProvidersTheirIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		person := Provider{ProviderType: "P", NPI: "1234567893", LastName: "Hand", FirstName: "Lee"}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			registry := Registered{Provider: person, Degrees: "MD", Specialties: []RegisteredSpecialty{{"207X00000X", true}}}
			row := ProviderRow{Provider: person, FTIN: "111111111"}
			row.ProviderID = "7"
			clinic := Office{OfficeID: "1", Name: "Clinic", IsPrimary: true, AcceptsWC: new(true)}
			if err := errors.Join(
				dbtest.Err(importRegistered(t.Context(), tx, registry)),
				dbtest.Err(s.ImportListing(t.Context(), tx, 1, 1, Listing{NPI: person.NPI, FTIN: "222222222", Office: "Pier"})),
			); err != nil {
				return err
			}
			return errors.Join(
				dbtest.Err(s.ImportProvider(t.Context(), tx, row)),
				dbtest.Err(storeOffice(t.Context(), tx, "7", clinic)),
				dbtest.Err(importRegistered(t.Context(), tx, registry)),
			)
		}))
		var ids []string
		err := db.Select(t.Context(), d.Reader, &ids, `SELECT provider_id FROM providers`)
		require.NoError(t, err)
		require.Equal(t, []string{"7"}, ids)
		if r, err := getRecord(t.Context(), d.Reader, "7"); err != nil || r.Degrees != "MD" {
			t.Errorf("%+v, %v", r, err)
		}
		if tins, err := listTINs(t.Context(), d.Reader, "7"); err != nil || !slices.Equal(tins, []string{"111111111", "222222222"}) {
			t.Errorf("%v, %v", tins, err)
		}
		offices, err := listOffices(t.Context(), d.Reader, "7", every)
		var flags []string
		for _, o := range offices {
			flags = append(flags, o.Name+" "+formatFlag(o.IsPrimary)+formatAccepts(o.AcceptsWC))
		}
		if want := []string{"Clinic YY", "Pier N", "Practice location N"}; err != nil || !slices.Equal(flags, want) {
			t.Errorf("%q, want %q, %v", flags, want, err)
		}
	})
}

// A degree and gender from a table stay if the registry has none.
func TestRegistryKeepsDetailsThatItLacks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		row := Registered{Provider: Provider{ProviderType: "P", NPI: "1234567893", LastName: "Hand"}}
		var record Record
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
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
		}))
		assert.Equal(t, "MD, FACS", record.Degrees)
		assert.Equal(t, "M", record.Gender)
	})
}

// A registry file that is imported again changes nothing, also if an office states a flag.
func TestRegistryFileAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		row := Registered{Provider: Provider{ProviderType: "P", NPI: "1234567893", LastName: "Hand"}}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			err := errors.Join(
				dbtest.Err(importRegistered(t.Context(), tx, row)),
				dbtest.Err(storeOffice(t.Context(), tx, firstRegistered, Office{OfficeID: "1", AcceptsWC: new(true)})),
			)
			if o, err := importRegistered(t.Context(), tx, row); err != nil || o != ingest.Unchanged {
				t.Errorf("again: %v, %v", o, err)
			}
			row.Phone = "5550100000"
			if o, err := importRegistered(t.Context(), tx, row); err != nil || o != ingest.Updated {
				t.Errorf("with a phone: %v, %v", o, err)
			}
			return err
		}))
	})
}

// When a table's provider takes over a registry provider, TINs that a file names for either one stay after their
// listings end. Others don't.
func TestReplacedProvidersKeepTINsOfFiles(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			ctx := t.Context()
			err := errors.Join(saveProvider(ctx, tx, Provider{ProviderID: "7", ProviderType: "P"}),
				addRegistered(ctx, tx, Provider{ProviderID: firstRegistered, ProviderType: "P"}))
			for _, l := range []struct {
				listing
				uploadID int64
			}{
				{listing{1, firstRegistered, "111111111", "1", true}, 1},  // a file names the TIN for 7
				{listing{2, "7", "222222222", "2", true}, 1},              // a file names the TIN for the registry provider
				{listing{1, firstRegistered, "333333333", "3", true}, 1},  // two rosters, no file
				{listing{2, "7", "333333333", "3", true}, 1},              //
				{listing{3, firstRegistered, "444444444", "4", false}, 3}, // a newer roster of the same provider group
				{listing{3, "7", "444444444", "4", true}, 2},              //
			} {
				err = errors.Join(err, putListing(ctx, tx, l.listing, l.uploadID))
				for _, id := range []string{firstRegistered, "7"} {
					err = errors.Join(err, dbtest.Err(storeTIN(ctx, tx, id, l.FTIN)))
				}
			}
			return errors.Join(err, s.replaceRegistered(ctx, tx, firstRegistered, "7"),
				dbtest.Err(s.EndListings(ctx, tx, 1, 2, 10)), dbtest.Err(s.EndListings(ctx, tx, 2, 2, 10)),
				dbtest.Err(s.EndListings(ctx, tx, 3, 3, 10)))
		}); err != nil {
			t.Fatal(err)
		}
		tins, err := s.ListTINs(t.Context(), "7")
		if want := []string{"111111111", "222222222", "444444444"}; err != nil || !slices.Equal(tins, want) {
			t.Errorf("%v, want %v, %v", tins, want, err)
		}
		var uploads []int64
		if err := db.Select(t.Context(), d.Reader, &uploads, `SELECT upload_id FROM provider_listings`); err != nil ||
			!slices.Equal(uploads, []int64{3}) {
			t.Errorf("listings of uploads %v, %v", uploads, err)
		}
	})
}

// The registry doesn't use an ID again that a table replaced, and the ID still proves none of the TINs that the
// directory showed with it.
func TestReplacedIDsStayReserved(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		first := Registered{Provider: Provider{ProviderType: "P", NPI: "1234567893", LastName: "Hand"}}
		second := Registered{Provider: Provider{ProviderType: "P", NPI: "1245319599", LastName: "Nunez"}}
		row := ProviderRow{Provider: first.Provider, FTIN: "111111111"}
		row.ProviderID = "7"
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			err := errors.Join(
				dbtest.Err(importRegistered(t.Context(), tx, first)),
				dbtest.Err(storeTIN(t.Context(), tx, firstRegistered, "222222222")),
				dbtest.Err(storeTIN(t.Context(), tx, firstRegistered, "333333333")),
				deleteTIN(t.Context(), tx, firstRegistered, "333333333"),
				dbtest.Err(s.ImportProvider(t.Context(), tx, row)),
				dbtest.Err(importRegistered(t.Context(), tx, second)),
			)
			if err != nil {
				return err
			}
			if id, err := idByNPI(t.Context(), tx, second.NPI); err != nil || id != "10000001" {
				t.Errorf("the next provider has ID %s, %v", id, err)
			}
			// A table uses the second one's ID for a third provider.
			third := ProviderRow{Provider: Provider{ProviderID: "10000001", ProviderType: "P", LastName: "Ito"}, FTIN: "555555555"}
			return errors.Join(
				dbtest.Err(storeTIN(t.Context(), tx, "10000001", "444444444")),
				dbtest.Err(s.ImportProvider(t.Context(), tx, third)),
			)
		}); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string][]string{
			firstRegistered: {"222222222", "333333333"}, "7": {"111111111", "222222222"}, "10000001": {"444444444", "555555555"},
			"10000002": {"444444444"},
		} {
			if list, err := s.ListAllTINs(t.Context(), id); err != nil || !slices.Equal(list, want) {
				t.Errorf("%s: %v, want %v, %v", id, list, want, err)
			}
		}
	})
}

// A table's provider has the table's id, also if the registry used it before. The result doesn't depend on the
// order of the files and their rows.
func TestTablesTakeIDsOfTheRegistry(t *testing.T) {
	const person, taker = "1234567893", "1245319599"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d, nil)
		row := func(id, npi, ftin string) func(tx *sql.Tx) error {
			return func(tx *sql.Tx) error {
				p := Provider{ProviderID: id, ProviderType: "P", NPI: npi, LastName: "Hand"}
				o, err := s.ImportProvider(t.Context(), tx, ProviderRow{p, ftin})
				assert.Empty(t, o.Reason(), id)
				return err
			}
		}
		registry := func(tx *sql.Tx) error {
			r := Registered{Provider: Provider{ProviderType: "P", NPI: person, LastName: "Hand"}, Degrees: "MD"}
			return dbtest.Err(importRegistered(t.Context(), tx, r))
		}
		steps := []func(*sql.Tx) error{registry, row(firstRegistered, taker, "111111111"), row("10000001", person, "222222222")}
		for _, order := range [][]int{{0, 1}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				for _, n := range order {
					if err := steps[n](tx); err != nil {
						return err
					}
				}
				var got []string
				if err := db.Select(t.Context(), tx, &got, `SELECT provider_id || ' ' || npi || ' ' || degrees FROM providers
					ORDER BY provider_id`); err != nil {
					return err
				}
				assert.Equal(t, []string{firstRegistered + " " + taker + " ", "10000001 " + person + " MD"}, got, order)
				if id, err := currentID(t.Context(), tx, firstRegistered); err != nil || id != firstRegistered {
					t.Errorf("%v: files that name %s mean %s, %v", order, firstRegistered, id, err)
				}
				return errRollback
			}); !errors.Is(err, errRollback) {
				t.Fatal(err)
			}
		}
	})
}

var errRollback = errors.New("rollback")
