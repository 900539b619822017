package bulklookup

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// everyWay returns the bills of a claimant, and checks that every search finds the same ones.
func everyWay(t *testing.T, s *portal, last, first string) string {
	t.Helper()
	searched, err := s.search.Search(t.Context(), billtest.Clerk, ours, search.Query{
		ClaimantFirstName: first, ClaimantLastName: last, ClaimantDateOfBirth: "1980-05-06", BeginServiceDate: "2026-01-05",
		EndServiceDate: "2026-01-19",
	})
	require.NoError(t, err)
	want := billtest.ListNumbers(searched)
	found, _, _, err := s.search.Find(t.Context(), billtest.Clerk, search.Sought{Q: last + ", " + first + " 05/06/1980"}.Number())
	if err != nil || strings.TrimPrefix(formatFindings(found), "claimant ") != want {
		t.Errorf("%s, %s: found %q, searched %q, %v", last, first, formatFindings(found), want, err)
	}
	many, err := s.BulkLookup(t.Context(), billtest.Clerk, []LookupRequest{{LastName: last, FirstName: first, BirthDate: "1980-05-06",
		ServiceDate: "2026-01-10"}})
	require.NoError(t, err)
	var list []record.Bill
	for _, b := range many[0].Bills {
		list = append(list, b.Bill)
	}
	if billtest.ListNumbers(list) != want {
		t.Errorf("%s, %s: many %q, searched %q", last, first, billtest.ListNumbers(list), want)
	}
	return want
}

func TestNamesCompareByLetters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openPortal(t, d)
		billtest.TakePatients(t, d, [2]string{"NU\u00d1EZ", "JOS\u00c9"}, [2]string{"NUNEZ", "JOSE"}, [2]string{"O'Brien", "Pat"},
			[2]string{"Smith-Jones", "Ann"},
			[2]string{"SMITH JR", "JOHN"}, [2]string{"SMITH SR", "JOHN"}, [2]string{"Smith", "John"}, [2]string{"-", "John"})
		for q, want := range map[[2]string]string{
			{"NUNEZ", "JOSE"}:               "N1 N0", // exact name first
			{"nun\u0303ez", "jos\u00e9"}:    "N0 N1",
			{"OBRIEN", "PAT"}:               "N2",
			{"O\u2019Brien", "Pat"}:         "N2",
			{"O Brien", "Pat."}:             "N2",
			{"Smith Jones", "Ann"}:          "N3",
			{"SmithJones", "Ann"}:           "N3",
			{"Smith", "John"}:               "N6 N4 N5",
			{"Smith, Jr.", "John"}:          "N4 N6",
			{"Smith", "John Sr"}:            "N5 N6",
			{"Smith III", "John"}:           "N6",
			{"Smith", "Joan"}:               "",
			{".", "John"}:                   "",
			{"Nunez' OR ''='", "Jos\u00e9"}: "",
		} {
			if strings.Contains(q[0], ",") { // a comma separates names in Find
				continue
			}
			assert.Equal(t, want, everyWay(t, s, q[0], q[1]), q)
		}
	})
}

// Old bills get name keys from a job. Until then, they're found by their exact names, while
// other bills are found by similar names.
func TestOldBillsWithoutNameKeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openPortal(t, d)
		billtest.TakePatients(t, d, [2]string{"NU\u00d1EZ", "JOS\u00c9"}, [2]string{"NU\u00d1EZ", "JOS\u00c9"},
			[2]string{"N\u00fa\u00f1ez", "Jos\u00e9"})
		forget := func(numbers ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE bills SET patient_name_key = ''
				WHERE bill_control_number_key IN (`+db.In(1, len(numbers))+`)`, numbers...)))
		}
		check := func(when string, want ...string) {
			t.Helper()
			for i, q := range [][2]string{{"nu\u00f1ez", "jos\u00e9"}, {"Nunez", "Jose"}} {
				assert.Equalf(t, want[i], everyWay(t, s, q[0], q[1]), "%s: %v finds", when, q)
			}
		}
		forget("n0", "n1", "n2")
		check("before", "N0 N1", "")
		forget("n0")
		require.NoError(t, billtest.NewLedger(d, time.Now).MigrateOldBills(t.Context(), nil))
		check("afterwards", "N0 N1 N2", "N0 N1 N2")
		forget("n1")
		check("halfway", "N0 N1 N2", "N0 N2")
		// An interrupted job loses only its current step.
		ctx, stop := context.WithCancel(t.Context())
		stop()
		assert.Error(t, billtest.NewLedger(d, time.Now).MigrateOldBills(ctx, nil), "a stopped program goes on")
		check("stopped", "N0 N1 N2", "N0 N2")
		require.NoError(t, billtest.NewLedger(d, time.Now).MigrateOldBills(t.Context(), nil))
		check("begun again", "N0 N1 N2", "N0 N1 N2")
	})
}
