package feeschedules

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/ingest"
)

// An allowance's period can't end before it begins.
func TestAllowancePeriods(t *testing.T) {
	const head = "national_rate_code,procedure_code,allowance,effective_date,end_date\n"
	for row, want := range map[string]string{
		"OH01,99213,92.47,2026-01-01,2026-12-31\n": "",
		"OH01,99213,92.47,2026-01-01,2026-01-01\n": "",
		"OH01,99213,92.47,2026-01-01,\n":           "",
		"OH01,99213,92.47,2026-01-01,2025-12-31\n": "end_date is before effective_date",
	} {
		var problems []string
		err := ingest.Decode(strings.NewReader(head+row), ingest.Sink{
			Record: func(r ingest.Record) error {
				for _, p := range r.Problems {
					problems = append(problems, p.Reason)
				}
				return nil
			},
			Note: func(ingest.Problem) {}, NotImported: func(ingest.Problem) {}, Unknown: func(ingest.Problem) {}, Day: "2026-03-04",
		}, Feeds()[1])
		if got := strings.Join(problems, "; "); err != nil || got != want {
			t.Errorf("%s: %q, not %q, %v", row, got, want, err)
		}
	}
}

// A provider's new id has the rate codes and requests of the former one. A queued request stays if it could be the
// same as one for the new id.
func TestMovedRateCodes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		identitytest.Add(t, d.Writer, access.Person{ID: 3, UserName: "user3", Type: access.PRAD, GroupID: 7}, "User 3")
		identitytest.Add(t, d.Writer, access.Person{ID: 4, UserName: "user4", Type: access.PRAD, GroupID: 7}, "User 4")
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			for id, code := range map[string]string{"7": "OH01", "8": "OH02"} {
				for _, code := range []string{code, "OH03"} {
					err = errors.Join(err, dbtest.Err(ImportRateCode(t.Context(), tx, RateCode{ProviderID: id, LineOfBusiness: "DPWC",
						FTIN: "1", NationalRateCode: code, LocationName: "Pier", LocationAddress: "of " + id})))
				}
			}
			for _, r := range []Request{
				{Row: fileexport.Row[int64]{UserID: 3}, ProviderID: "7"}, {Row: fileexport.Row[int64]{UserID: 3}, ProviderID: "8"},
				{Row: fileexport.Row[int64]{UserID: 4}, ProviderID: "8"},
			} {
				err = errors.Join(err, dbtest.Err(insertRequest(t.Context(), tx, r, db.At(time.Now()))))
			}
			return errors.Join(err, MoveProvider(t.Context(), tx, "8", "7"))
		}))
		for query, want := range map[string][]string{
			`SELECT provider_id || ' ' || national_rate_code || ' ' || location_address FROM rate_codes ORDER BY national_rate_code`: {
				"7 OH01 of 7", "7 OH02 of 8", "7 OH03 of 7"},
			`SELECT user_id || ' ' || provider_id FROM fee_schedule_requests ORDER BY user_id, provider_id`: {"3 7", "3 8", "4 7"},
		} {
			var got []string
			if err := db.Select(t.Context(), d.Reader, &got, query); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, want %q, %v", got, want, err)
			}
		}
	})
}
