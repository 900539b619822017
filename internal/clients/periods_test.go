package clients

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// period is a date range. Either end can be open.
type period struct{ from, to date.Date }

func takeAll[T any](t *testing.T, d *db.DB, take func(context.Context, *sql.Tx, T) (ingest.Outcome, error), rows ...T) {
	t.Helper()
	for _, row := range rows {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return dbtest.Err(take(t.Context(), tx, row)) }))
	}
}

// days returns the sample days on which something applies.
func days(t *testing.T, of func(today date.Date) (bool, error)) string {
	t.Helper()
	var in []string
	for _, day := range []date.Date{"2019-06-01", "2020-06-01", "2021-06-01", "2022-06-01", "2023-06-01", "2024-06-01"} {
		is, err := of(day)
		require.NoError(t, err)
		if is {
			in = append(in, string(day[:4]))
		}
	}
	return strings.Join(in, " ")
}

var periodCases = map[string]struct {
	rows []period
	want string
}{
	"open":                      {[]period{{"", ""}}, "2019 2020 2021 2022 2023 2024"},
	"from a day on":             {[]period{{"2021-01-01", ""}}, "2021 2022 2023 2024"},
	"ended":                     {[]period{{"", ""}, {"", "2021-12-31"}}, "2019 2020 2021"},
	"ended where it began":      {[]period{{"2020-01-01", ""}, {"2020-01-01", "2021-12-31"}}, "2020 2021"},
	"again":                     {[]period{{"2020-01-01", "2020-12-31"}, {"2023-01-01", ""}}, "2020 2023 2024"},
	"again, told the other way": {[]period{{"2023-01-01", ""}, {"2020-01-01", "2020-12-31"}}, "2020 2023 2024"},
	"again, and told once more": {[]period{{"2020-01-01", "2020-12-31"}, {"2023-01-01", ""}, {"2020-01-01", "2020-12-31"},
		{"2023-01-01", ""}}, "2020 2023 2024"},
	"three times": {[]period{{"2019-01-01", "2019-12-31"}, {"2021-01-01", "2021-12-31"}, {"2023-01-01", "2023-12-31"}},
		"2019 2021 2023"},
	"it began later": {[]period{{"2020-01-01", ""}, {"2022-01-01", ""}}, "2022 2023 2024"},
	"one that covers several": {[]period{{"2020-01-01", "2020-12-31"}, {"2022-01-01", "2022-12-31"}, {"2019-01-01", "2023-12-31"}},
		"2019 2020 2021 2022 2023"},
	"the day after the other one": {[]period{{"2020-01-01", "2020-12-31"}, {"2021-01-01", "2021-12-31"}}, "2020 2021"},
	"ended again":                 {[]period{{"2020-01-01", "2020-12-31"}, {"2022-01-01", ""}, {"2022-01-01", "2022-12-31"}}, "2020 2022"},
}

func TestParticipationsHavePeriods(t *testing.T) {
	for name, test := range periodCases {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				takeAll(t, d, ImportProduct, Product{WorkersComp, "PPO", "PPO"})
				takeAll(t, d, ImportClient, Client{ClientID: "C", LineOfBusiness: WorkersComp, ProductCode: "PPO", State: "OH",
					Name: "Client"})
				for _, p := range test.rows {
					takeAll(t, d, ImportParticipation, Participation{"7", "1", WorkersComp, "PPO", "OH", p.from, p.to})
				}
				takeAll(t, d, ImportParticipation, Participation{"8", "1", WorkersComp, "PPO", "OH", "", ""}) // another provider
				for what, of := range map[string]func(today date.Date) (bool, error){
					"takesPart": func(today date.Date) (bool, error) {
						return takesPart(t.Context(), d.Reader, Lookup{WorkersComp, "7", "OH", "PPO", "1", today})
					},
					"listStates": func(today date.Date) (bool, error) {
						list, err := listStates(t.Context(), d.Reader, "7", today)
						return len(list) == 1, err
					},
					"listProducts": func(today date.Date) (bool, error) {
						list, err := listProducts(t.Context(), d.Reader, Lookup{LOB: WorkersComp, ProviderID: "7", State: "OH", FTIN: "1",
							Today: today})
						return len(list) == 1, err
					},
					"listProviderClients": func(today date.Date) (bool, error) {
						list, err := listProviderClients(t.Context(), d.Reader, "7", "1", today, 9)
						return len(list) == 1, err
					},
				} {
					assert.Equal(t, test.want, days(t, of), what)
				}
			})
		})
	}
}

func TestExclusionsHavePeriods(t *testing.T) {
	for name, test := range periodCases {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				takeAll(t, d, ImportProduct, Product{WorkersComp, "PPO", "PPO"})
				takeAll(t, d, ImportClient, Client{ClientID: "C", LineOfBusiness: WorkersComp, ProductCode: "PPO", State: "OH",
					Name: "Client"})
				takeAll(t, d, ImportParticipation, Participation{"7", "1", WorkersComp, "PPO", "OH", "", ""})
				for _, p := range test.rows {
					takeAll(t, d, ImportExclusion, Exclusion{"C", "7", "1", p.from, p.to})
				}
				takeAll(t, d, ImportExclusion, Exclusion{"C", "7", "2", "", ""}, Exclusion{"C", "8", "", "", ""}) // others' exclusions
				for what, of := range map[string]func(today date.Date) (bool, error){
					"listClients": func(today date.Date) (bool, error) {
						list, err := listClients(t.Context(), d.Reader, Lookup{WorkersComp, "7", "OH", "PPO", "1", today}, 9)
						return len(list) == 0, err
					},
					"listProviderClients": func(today date.Date) (bool, error) {
						list, err := listProviderClients(t.Context(), d.Reader, "7", "1", today, 9)
						return len(list) == 0, err
					},
				} {
					assert.Equal(t, test.want, days(t, of), what)
				}
			})
		})
	}
}

// A provider's new id has the periods of the former one, except those that overlap its own.
func TestMovedPeriods(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		takeAll(t, d, ImportProduct, Product{WorkersComp, "PPO", "PPO"})
		for _, p := range []struct {
			id, ftin string
			period
		}{
			{"8", "1", period{"", "2021-12-31"}}, {"8", "1", period{"2024-01-01", ""}}, {"8", "2", period{"2022-01-01", ""}},
			{"7", "1", period{"2020-01-01", "2020-12-31"}},
		} {
			takeAll(t, d, ImportParticipation, Participation{p.id, p.ftin, WorkersComp, "PPO", "OH", p.from, p.to})
			takeAll(t, d, ImportExclusion, Exclusion{"C", p.id, p.ftin, p.from, p.to})
		}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return MoveProvider(t.Context(), tx, "8", "7") }))
		for table, first := range map[string]string{
			"provider_products": "7 1 2020-01-01 2020-12-31", "client_exclusions": "7 1 1900-01-01 2021-12-31",
		} {
			want := []string{first, "7 1 2024-01-01 9999-12-31", "7 2 2022-01-01 9999-12-31"}
			var got []string
			if err := db.Select(t.Context(), d.Reader, &got, `SELECT provider_id || ' ' || ftin || ' ' || effective_date || ' ' || end_date
				FROM `+table+` ORDER BY ftin, effective_date`); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q, %v", table, got, want, err)
			}
		}
	})
}

func TestRefusesPeriodsThatEndBeforeTheyBegin(t *testing.T) {
	for _, p := range []period{{"2020-01-02", "2020-01-01"}, {"2020-01-01", "2019-12-31"}} {
		if checkExclusion(&Exclusion{EffectiveDate: p.from, EndDate: p.to}) == nil ||
			checkParticipation(&Participation{EffectiveDate: p.from, EndDate: p.to}) == nil {
			t.Errorf("%v is taken", p)
		}
	}
	assert.NoError(t, checkExclusion(&Exclusion{EffectiveDate: "2020-01-01", EndDate: "2020-01-01"}))
}
