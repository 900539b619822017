package directory

import (
	"context"
	"database/sql"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mappingtest"
)

func TestProviderRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first, second := mappingtest.Filled[Record](), mappingtest.Other[Record]()
		first.ProviderType, second.ProviderType, second.ProviderID = "P", "F", first.ProviderID
		for _, want := range []Record{first, second} {
			require.NoError(t, recordTable.Upsert(t.Context(), d.Writer, want))
			mappingtest.CheckRow(t, d, "providers", "registered")
			if got, err := getRecord(t.Context(), d.Writer, want.ProviderID); err != nil || got != want {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
			}
		}
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `INSERT INTO provider_tins (ftin, provider_id)
			VALUES ('1', $1)`, first.ProviderID)))
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE providers SET deactivated_on = NULL`)))
		lookup := Lookup{Type: "F", ProviderID: second.ProviderID, Facility: second.FacilityName, FirstName: second.FirstName,
			LastName: second.LastName}
		if list, err := listProviders(t.Context(), d.Writer, "1", lookup, 10); err != nil || len(list) != 1 || list[0] != second.Provider {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, second.Provider)
		}
		mappingtest.CheckColumns(t, d, "providers", append(recordTable.Names(), "registered"))
	})
}

// stores checks that a detail is inserted, replaced by key and read back unchanged.
func stores[P any](t *testing.T, d *db.DB, table string, store func(context.Context, *sql.Tx, string, P) (int64, error),
	read func(context.Context, db.Queryer, string) ([]P, error), parts ...P) {
	t.Helper()
	for _, want := range parts {
		for again, changed := range []int64{1, 0} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				n, err := store(t.Context(), tx, "700", want)
				if n != changed {
					t.Errorf("%s: taken %d times before, it changes %d rows", table, again, n)
				}
				return err
			}))
		}
		mappingtest.CheckRow(t, d, table, "taxonomy_code", "registered", "deactivated_on")
		if got, err := read(t.Context(), d.Writer, "700"); err != nil || !reflect.DeepEqual(got, []P{want}) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", table, err, got, want)
		}
	}
}

func TestPartRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := mappingtest.Filled[Provider]()
		p.ProviderID, p.ProviderType = "700", "P"
		require.NoError(t, providerTable.Upsert(t.Context(), d.Writer, p))
		office, moved := mappingtest.Filled[Office](), mappingtest.Other[Office]()
		office.Details, moved.Details, moved.OfficeID = nil, nil, office.OfficeID
		stores(t, d, "provider_offices", storeOffice, all(listOffices), office, moved)
		license, renewed := mappingtest.Filled[License](), mappingtest.Other[License]()
		renewed.LicenseType, renewed.State, renewed.LicenseNumber = license.LicenseType, license.State, license.LicenseNumber
		stores(t, d, "provider_licenses", storeLicense, all(listLicenses), license, renewed)
		detail := mappingtest.Filled[Detail]()
		detail.Kind = "FOCUS"
		stores(t, d, "provider_office_details", storeDetail, func(ctx context.Context, q db.Queryer, id string) ([]Detail, error) {
			return listDetails(ctx, q, id)
		}, detail)
		specialty := mappingtest.Filled[Specialty]()
		ranked := Specialty{specialty.Description, specialty.Rank + 1}
		stores(t, d, "provider_specialties", storeSpecialty, all(listSpecialties), specialty, ranked)
		about := mappingtest.Filled[ProviderDetails]()
		stores(t, d, "providers", storeDetails, func(ctx context.Context, q db.Queryer, id string) ([]ProviderDetails, error) {
			r, err := getRecord(ctx, q, id)
			return []ProviderDetails{{r.Degrees, r.Gender, r.Languages, r.LinesOfBusiness, r.BirthDate}}, err
		}, about, mappingtest.Other[ProviderDetails]())
	})
}

// A registry row fills every field it provides, and all of it is stored.
func TestRegistryCarriesEveryField(t *testing.T) {
	head := []string{colNPI, colEntity, colOrganization, colLast, colFirst, colMiddle, colCredential, colAddress1, colAddress2, colCity,
		colState, colZIP,
		colPhone, colFax, colTaxonomy + "1", colPrimary + "1", colLicense + "1", colLicenseState + "1", "Provider Sex Code"}
	decode := func(values ...string) Registered {
		t.Helper()
		var records []ingest.Record
		if err := decodeNPPES(strings.NewReader(strings.Join(head, ",")+"\n"+strings.Join(values, ",")+"\n"), collect(&records)); err !=
			nil || len(records) != 1 || records[0].Row == nil {
			t.Fatalf("%v %+v", err, records)
		}
		return *records[0].Row.(*Registered)
	}
	person := decode("1234567893", "1", "", "Hand", "Lee", "K", "MD", "1 Shore Rd", "Suite 2", "Erie", "PA", "165010001", "5550100000",
		"5550100001",
		"207X00000X", "Y", "MD1", "PA", "F")
	organization := decode("1234567893", "2", "Lake Clinic", "", "", "", "", "1 Shore Rd", "", "Erie", "PA", "16501", "5550100000",
		"5550100001", "207X00000X", "Y", "MD1", "PA", "")
	for code, want := range map[string]string{"165010001": "PA 16501", "16501-0001": "PA 16501", "16501": "PA 16501",
		"M5H 3T4": "PA M5H 3T4", "1000001": "PA 1000001", "": "PA"} {
		abroad := person
		if abroad.ZIP = code; !strings.HasSuffix(formatAddress(abroad.Provider), ", Erie, "+want) {
			t.Errorf("%q is in %q", code, formatAddress(abroad.Provider))
		}
	}
	if empty := mappingtest.ListEmpty(person, "ProviderID", "DeactivatedOn", "Specialty", "FacilityName", "Licenses.IssueDate",
		"Licenses.ExpirationDate", "Licenses.Status"); empty != nil {
		t.Errorf("%v", empty)
	}
	if organization.FacilityName != "Lake Clinic" || organization.ProviderType != "F" || !strings.HasSuffix(person.Address, " Suite 2") {
		t.Errorf("%+v", organization)
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			o, err := importRegistered(t.Context(), tx, person)
			if o != ingest.Imported {
				t.Error(o)
			}
			return err
		}))
		mappingtest.CheckRow(t, d, "providers", "facility_name", "birth_date", "languages", "lines_of_business", "deactivated_on")
		mappingtest.CheckRow(t, d, "provider_offices", "accepts_wc", "accepts_wc_known", "ftin", "email")
		mappingtest.CheckRow(t, d, "provider_specialties")
		mappingtest.CheckRow(t, d, "provider_licenses", "issue_date", "expiration_date", "status")
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	r, o := mappingtest.Filled[Record](), mappingtest.Filled[Office]()
	o.Details = nil
	for _, kind := range []string{"SERVICE", "SPECIALTY", "FOCUS", "LANGUAGE"} {
		o.Details = append(o.Details, Detail{o.OfficeID, kind, strings.ToLower(kind)})
	}
	for _, wire := range []any{
		toPhysician("7", r), toPhysicianLocation(o), toFacility("7", "1", r), toFacilityLocation(o),
		toLicense("7", mappingtest.Filled[License]()),
		toProviderEntry("1", r.Provider), toListEntry(r.Provider),
	} {
		assert.Nil(t, mappingtest.ListEmpty(wire), wire)
	}
}

// all reads all details.
func all[P any](read func(context.Context, db.Queryer, string, part) ([]P, error)) func(context.Context, db.Queryer, string) ([]P, error) {
	return func(ctx context.Context, q db.Queryer, id string) ([]P, error) { return read(ctx, q, id, every) }
}
