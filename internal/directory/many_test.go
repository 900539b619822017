package directory

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/paging"
)

// imported imports offices of one provider and returns the number of rows by outcome.
func imported(t *testing.T, d *db.DB, n int) map[string]int {
	t.Helper()
	outcomes := map[string]int{}
	require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
		for i := range n {
			got, err := importPart(t.Context(), tx, "7", "", func(id string) (int64, error) {
				return storeOffice(t.Context(), tx, id, Office{OfficeID: fmt.Sprintf("%04d", i), Name: fmt.Sprintf("Office %04d", i)})
			})
			if err != nil {
				return err
			}
			word := "unchanged"
			if got == ingest.Imported {
				word = "taken"
			}
			outcomes[word]++
		}
		return nil
	}))
	return outcomes
}

// A provider can have any number of locations. Each row has its own outcome, and paging reaches
// all of them.
func TestManyLocations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := saveProvider(t.Context(), tx, Provider{ProviderID: "7", ProviderType: "P"}); err != nil {
				return err
			}
			return dbtest.Err(storeTIN(t.Context(), tx, "7", "111111111"))
		}))
		if got := imported(t, d, 1200); got["taken"] != 1200 {
			t.Errorf("%v of 1200", got)
		}
		if got := imported(t, d, 1201); got["taken"] != 1 || got["unchanged"] != 1200 {
			t.Errorf("%v of 1201 with 1 new", got)
		}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(storeDetail(t.Context(), tx, "7", Detail{OfficeID: "1200", Kind: "SERVICE", Description: "X-ray"}))
		}))
		s := NewService(d, nil)
		staff := access.Actor{Person: access.Person{ID: 1, Type: access.ISAD}}
		seen := map[string]bool{}
		var sizes []int
		for page := 0; ; page++ {
			list, err := s.Offices(t.Context(), staff, "7", page)
			require.NoError(t, err)
			for _, o := range list {
				seen[o.OfficeID] = true
				assert.Equalf(t, o.OfficeID == "1200", len(o.Details) == 1, "office %s offers %v", o.OfficeID, o.Details)
			}
			if sizes = append(sizes, len(list)); len(list) < maxParts {
				break
			}
		}
		if len(seen) != 1201 || fmt.Sprint(sizes) != "[500 500 201]" {
			t.Errorf("%d locations in pages of %v", len(seen), sizes)
		}
	})
}

// A row needs the same number of statements however many the provider already has, and none of
// them reads the other locations.
func TestARowOfAPartCostsTheSame(t *testing.T) {
	var statements []string
	d, err := db.OpenTraced(t.Context(), dbtest.MigratedURL(t, "sqlite"), func(_ context.Context, query string, _ []any) {
		statements = append(statements, query)
	})
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
		return saveProvider(t.Context(), tx, Provider{ProviderID: "7", ProviderType: "P"})
	}))
	count := func(n int) int {
		statements = nil
		imported(t, d, n)
		return len(statements)
	}
	const perRow = 2 // looking up the provider, and the row itself
	if few, many := count(50), count(100); few > 50*perRow+5 || many > 100*perRow+5 {
		t.Errorf("50 rows take %d statements, 100 take %d", few, many)
	}
}

// Names with accents are found without them, by prefix and in the table filter.
func TestProvidersByLetters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			for id, p := range map[string]Provider{"1": {ProviderType: "P", LastName: "NUÑEZ", FirstName: "José"},
				"2": {ProviderType: "F", FacilityName: "O'Brien Imaging"}} {
				p.ProviderID = id
				if err := saveProvider(t.Context(), tx, p); err != nil {
					return err
				}
				if err := dbtest.Err(storeTIN(t.Context(), tx, id, "111111111")); err != nil {
					return err
				}
			}
			return nil
		}))
		for want, lookups := range map[string][]Lookup{
			"1": {{LastName: "nunez"}, {LastName: "Nuñ"}, {FirstName: "JOSE", LastName: "nun\u0303ez"}},
			"2": {{Facility: "obrien im"}, {Facility: "O’B"}},
			"":  {{LastName: "unez"}, {Facility: "imaging"}},
		} {
			for _, l := range lookups {
				list, err := listProviders(t.Context(), d.Reader, "111111111", l, 10)
				if got := ids(list); err != nil || got != want {
					t.Errorf("%+v: %q %v, want %q", l, got, err, want)
				}
			}
		}
		for typed, want := range map[string]string{"nunez, jo": "1", "obrien": "2", "brien im": "2", "nuñez": "1", "zz": ""} {
			list, _, err := providerPage(t.Context(), d.Reader, d.Dialect, "111111111",
				paging.Table{Filters: map[string]string{"name": typed}, PageSize: 10})
			if got := ids(list); err != nil || got != want {
				t.Errorf("%q: %q %v, want %q", typed, got, err, want)
			}
		}
	})
}

func ids(list []Provider) (s string) {
	for _, p := range list {
		s += p.ProviderID
	}
	return s
}
