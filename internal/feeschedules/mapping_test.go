package feeschedules

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

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		in := func(do func(tx *sql.Tx) error) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), do))
		}
		code, moved := mappingtest.Filled[RateCode](), mappingtest.Other[RateCode]()
		code.LineOfBusiness = "DPWC"
		address, details := moved.LocationAddress, moved.LocationDetails
		moved = code
		moved.LocationAddress, moved.LocationDetails = address, details
		for _, want := range []RateCode{code, moved} {
			in(func(tx *sql.Tx) error {
				if o, err := ImportRateCode(t.Context(), tx, want); err != nil || o != ingest.Imported {
					t.Errorf("%s, %v", o, err)
				}
				if o, err := ImportRateCode(t.Context(), tx, want); err != nil || o != ingest.Unchanged {
					t.Errorf("%s, %v", o, err)
				}
				return nil
			})
			mappingtest.CheckRow(t, d, "rate_codes")
			if list, err := listRateCodes(t.Context(), d.Writer, want.ProviderID, want.LineOfBusiness, want.FTIN, 10); err != nil ||
				len(list) != 1 || list[0] != want {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
			}
		}
		allowance, dearer := mappingtest.Filled[Allowance](), mappingtest.Other[Allowance]()
		dearer.NationalRateCode, dearer.ProcedureCode, dearer.Modifier, dearer.EffectiveDate = allowance.NationalRateCode,
			allowance.ProcedureCode, allowance.Modifier, allowance.EffectiveDate
		for _, want := range []Allowance{allowance, dearer} {
			in(func(tx *sql.Tx) error {
				o, err := ImportAllowance(t.Context(), tx, want)
				assert.NoError(t, err)
				assert.Equal(t, ingest.Imported, o)
				return nil
			})
			mappingtest.CheckRow(t, d, "rate_allowances")
			assert.NoError(t, allowances(t.Context(), d.Writer, want.NationalRateCode, func(got Allowance) error {
				if got != want {
					t.Errorf("\ngot  %+v\nwant %+v", got, want)
				}
				return nil
			}))
		}
	})
}

func TestRequestCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `
			INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
				type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES (1, 'a', 'a', 'A', 'B', 'a', 'b', 'a@b.c', 'a@b.c', 'PRUS', 'ACTIV', '2026-01-01T00:00:00Z', 'test',
				'2026-01-01T00:00:00Z', 'test')`)))
		want := mappingtest.Filled[Request]()
		want.UserID, want.Status = 1, statuses.Done
		err := d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
			if _, err = insertRequest(t.Context(), tx, want, want.CreatedAt); err == nil {
				want.ID, err = recent(t.Context(), tx, want, want.CreatedAt)
			}
			return err
		})
		require.NoError(t, err)
		if n, err := requests.Claim(t.Context(), d.Writer, want.ID, want.ViewedAt, want.CreatedAt); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		if n, err := requests.Save(t.Context(), d.Writer, want); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		mappingtest.CheckRow(t, d, "fee_schedule_requests")
		if got, err := requests.Find(t.Context(), d.Writer, want.ID); err != nil || got != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toRow(mappingtest.Filled[RateCode]())))
	files := ToFiles(FinishedFiles{1, []Request{mappingtest.Filled[Request]()}})
	if empty := mappingtest.ListEmpty(files); empty != nil || files.FeeSchedList[0].FileViwed != "Y" {
		t.Errorf("%v", empty)
	}
}
