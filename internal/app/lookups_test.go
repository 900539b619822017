package app_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/platform/ingest"
)

func (p *portal) inTx(do func(tx *sql.Tx) error) {
	p.t.Helper()
	require.NoError(p.t, p.DB.Tx(p.t.Context(), do))
}

func TestClaimSearch(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.inTx(func(tx *sql.Tx) error {
			for n := range 103 {
				c := claims.Claim{ClaimNumber: fmt.Sprintf("MANY%03d", n), ClaimantFirstName: fmt.Sprintf("Many%d", n),
					ClaimantLastName:  "People",
					ClaimantBirthDate: "1970-01-02", DateOfInjury: "2025-03-04"}
				switch n {
				case 0:
					c.ClaimNumber, c.ClaimantFirstName, c.ClaimantLastName, c.StateOfJurisdiction, c.ClaimantGender = "WC-1", "Zoë",
						"O'Brien", "OH", "F"
				case 1:
					c.ClaimNumber, c.ClaimantFirstName, c.ClaimantLastName = "WC-2", "Zoltan", "O'Brien"
				}
				if _, err := claims.ImportClaim(t.Context(), tx, c); err != nil {
					return err
				}
			}
			return nil
		})
		token := p.signIn("prus")
		search := func(change fields) string {
			f := fields{"claimantFirstName": " ZOË ", "claimantLastName": "o'brien", "claimantDOB": "1970-01-02",
				"doi": "2025-03-04T08:00:00", "wildCardFstName": "N"}
			for k, v := range change {
				f[k] = v
			}
			r := p.post("/globalclaim/searchByClaimant", f, bearer(token))
			if r.status != 200 {
				return fmt.Sprint(r.status, " ", r.fields())
			}
			return strings.TrimSpace(string(r.body))
		}
		none := `{"resultMessage":"There are no Claims available for the criteria entered,` +
			` please revise your search criteria and try again"}`
		want := `[{"claimNumber":"WC-1","claimantFirstName":"Zoë","claimantLastName":"O'Brien","claimantDOB":"1970-01-02",` +
			`"claimantDOI":"2025-03-04","stateOfJurisdiction":"OH","claimantGender":"F"}]`
		assert.Equal(t, want, search(nil))
		for _, change := range []fields{{"claimantFirstName": "Zo"}, {"claimantDOB": "1970-01-03"}, {"doi": "2025-03-05"},
			{"claimantLastName": "Brien"}, {"claimantLastName": "O'Brie"}, {"claimantFirstName": "%"}} {
			assert.Equal(t, none, search(change), change)
		}
		for _, first := range []string{"Zo*", "Z"} {
			if got := search(fields{"claimantFirstName": first, "wildCardFstName": "Y"}); strings.Count(got, "claimNumber") != 2 {
				t.Errorf("%s: %s", first, got)
			}
		}
		if got := search(fields{"claimantFirstName": "M", "claimantLastName": "People", "wildCardFstName": "Y"}); got !=
			`{"resultMessage":"More than 100 claims match. Enter the whole first name."}` {
			t.Errorf("%s", got)
		}
		for want, change := range map[string]fields{
			"400 claimantFirstName: Error: Enter Claimant First Name":                {"claimantFirstName": " * "},
			"400 claimantLastName: Error: Enter Claimant Last Name":                  {"claimantLastName": ""},
			"400 claimantDOB: Error: Enter Claimant Date of Birth":                   {"claimantDOB": ""},
			"400 claimantDOB: Error: Claimant Date of Birth cannot be a future date": {"claimantDOB": "2027-01-01"},
			"400 doi: Error: Enter Claimant Date of Injury":                          {"doi": ""},
			"400 doi: Error: Claimant Date of Injury cannot be a future date":        {"doi": "2027-01-01"},
		} {
			assert.Equal(t, want, search(change), change)
		}
		for actor, status := range map[string]int{"prad": 200, "irad": 200, "isad": 200, "nnus": 403, "road": 403} {
			p.want(p.post("/globalclaim/searchByClaimant", fields{"claimantFirstName": "Zoë", "claimantLastName": "O'Brien",
				"claimantDOB": "1970-01-02", "doi": "2025-03-04"}, bearer(p.signIn(actor))), status, "")
		}
		assert.NotContains(t, p.log.String(), "Brien", "the log names a claimant")
	})
}

func TestClientList(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '700')`)
		p.inTx(func(tx *sql.Tx) error {
			must := func(o ingest.Outcome, err error) {
				if err != nil || o != ingest.Imported {
					t.Fatal(o, o.Reason(), err)
				}
			}
			ctx := context.Background()
			for _, x := range []clients.Product{{LineOfBusiness: "WC", Code: "PPO", Name: "Primary PPO"},
				{LineOfBusiness: "WC", Code: "OUT", Name: "Outcomes"}, {LineOfBusiness: "AUTO", Code: "APPO", Name: "Auto PPO"}} {
				must(clients.ImportProduct(ctx, tx, x))
			}
			for _, name := range []string{"beta Mutual", "Alpha Casualty", "Gamma Fund", "Delta"} {
				must(clients.ImportClient(ctx, tx, clients.Client{ClientID: name[:1], LineOfBusiness: "WC", ProductCode: "PPO", State: "OH",
					Name: name, ECSPayorID: "P-" + name[:1]}))
			}
			must(clients.ImportClient(ctx, tx, clients.Client{ClientID: "b", LineOfBusiness: "WC", ProductCode: "PPO", State: "PA",
				Name: "beta Mutual"}))
			for _, x := range []clients.Participation{
				{ProviderID: "700", FTIN: "111111111", LineOfBusiness: "WC", ProductCode: "PPO", State: "OH", EffectiveDate: "2020-01-01"},
				{ProviderID: "700", FTIN: "111111111", LineOfBusiness: "WC", ProductCode: "OUT", State: "OH", EndDate: "2026-03-02"},
				{ProviderID: "700", FTIN: "111111111", LineOfBusiness: "AUTO", ProductCode: "APPO", State: "NY", EndDate: "2026-03-01"},
				{ProviderID: "700", FTIN: "222222222", LineOfBusiness: "WC", ProductCode: "PPO", State: "PA", EffectiveDate: "2026-03-02"},
			} {
				must(clients.ImportParticipation(ctx, tx, x))
			}
			must(clients.ImportExclusion(ctx, tx, clients.Exclusion{ClientID: "G", ProviderID: "700"}))
			must(clients.ImportExclusion(ctx, tx, clients.Exclusion{ClientID: "D", ProviderID: "700", FTIN: "222222222"}))
			for kind, row := range map[string]func() (ingest.Outcome, error){
				"unchanged": func() (ingest.Outcome, error) {
					return clients.ImportProduct(ctx, tx, clients.Product{LineOfBusiness: "WC", Code: "PPO", Name: "Primary PPO"})
				},
				"rejected": func() (ingest.Outcome, error) {
					return clients.ImportClient(ctx, tx, clients.Client{ClientID: "Z", LineOfBusiness: "AUTO", ProductCode: "PPO",
						State: "OH", Name: "Z"})
				},
				"updated": func() (ingest.Outcome, error) {
					return clients.ImportClient(ctx, tx, clients.Client{ClientID: "b", LineOfBusiness: "WC", ProductCode: "PPO",
						State: "PA",
						Name:  "beta Mutual", BillAddress: "PO Box 1"})
				},
			} {
				if got, err := row(); err != nil || got.String() != kind {
					t.Errorf("%s, want %s: %v", got, kind, err)
				}
			}
			return nil
		})
		get := func(actor, path string) string {
			r := p.do("GET", "/api/clients/"+path, nil, bearer(p.signIn(actor)))
			if r.status != 200 {
				return fmt.Sprint(r.status)
			}
			return strings.TrimSpace(string(r.body))
		}
		for path, want := range map[string]string{
			"list/111111111": `[{"prvId":"700","prvName":"House, ","prvProviderType":"P"}]`,
			"list/333333333": "404",
			"states/P/700/":  `[{"addState":"OH"},{"addState":"PA"}]`, // NY ended yesterday
			"states/P/701/":  "404",
			"getProductsByProv/WC/700/OH/111111111/": `[{"productName":"Outcomes","productCd":"OUT"},{"productName":"Primary PPO",` +
				`"productCd":"PPO"}]`,
			"getProductsByProv/AUTO/700/OH/111111111/":  "[]",
			"getProductsByProv/WC/700/PA/222222222/":    "404", // not this user's TIN
			"getProductsByProv/OTHER/700/OH/111111111/": "400",
			"getClientsByLOB/WC/700/OH/OUT/111111111/":  "[]",
			"getClientsByLOB/WC/700/PA/PPO/111111111/":  "[]", // under another TIN only
			"getClientsByLOB/WC/701/OH/PPO/111111111/":  "[]",
			"getClientsByLOB/WC/700/OH/PPO/333333333/":  "404",
		} {
			assert.Equal(t, want, get("prus", path), path)
		}
		// A search without a result is in the audit log too.
		p.audited(3, `operation = 'client-search' AND actor = 'prus' AND result = 'ok'`)
		// The last day ends in New York time, not UTC.
		p.clock.Advance(12 * time.Hour)
		assert.Contains(t, get("prus", "getProductsByProv/WC/700/OH/111111111/"), "OUT")
		p.clock.Advance(3 * time.Hour)
		assert.NotContains(t, get("prus", "getProductsByProv/WC/700/OH/111111111/"), "OUT")
		p.clock.Advance(-15 * time.Hour)
		found := get("prus", "getClientsByLOB/WC/700/OH/PPO/111111111/")
		if strings.Count(found, "aeName") != 3 || strings.Index(found, "Alpha") > strings.Index(found, "beta") ||
			strings.Contains(found, "Gamma") || !strings.Contains(found, `"ecsPayorId":"P-b"`) {
			t.Errorf("%s", found)
		}
		if got := get("prus", "getClientDetails/700/111111111/"); strings.Count(got, "aeName") != 3 {
			t.Errorf("%s", got)
		}
		if got := get("irad", "getClientsByLOB/WC/700/PA/PPO/222222222/"); strings.Count(got, "aeName") != 1 ||
			!strings.Contains(got, "PO Box 1") {
			t.Errorf("%s", got)
		}
		p.exec(`INSERT INTO clients (client_id, line_of_business, product_code, state, name, name_key) WITH RECURSIVE numbers (n) AS
			(SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5001) SELECT 'N' || n, 'WC', 'PPO', 'OH', 'Many', 'MANY' FROM numbers`)
		for _, list := range []string{"getClientsByLOB/WC/700/OH/PPO/111111111/", "getClientDetails/700/111111111/"} {
			r := p.do("GET", "/api/clients/"+list, nil, bearer(p.signIn("prus")))
			if strings.Count(string(r.body), "aeName") != 5000 || r.header.Get("X-Limited-To") != "5000" {
				t.Errorf("%s: %d bytes, limited to %q", list, len(r.body), r.header.Get("X-Limited-To"))
			}
		}
		assert.Equal(t, "403", get("nnus", "list/333333333"))
		for range 2 {
			p.want(p.post("/clients/agreement", nil, bearer(p.signIn("prus"))), 204, "")
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM client_list_agreements`))
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'client-list-agreement' AND actor = 'prus'`))
	})
}

// Screens show the age of their data, based on the last completely imported file of each kind.
// It's visible to everyone and exported as a metric.
func TestFeedIntakes(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		ask := func() string {
			t.Helper()
			r := p.do("GET", "/api/feeds/intakes", nil, bearer(p.signIn("rous")))
			require.Equalf(t, 200, r.status, "%d %s", r.status, r.body)
			return strings.TrimSpace(string(r.body))
		}
		assert.Equal(t, "[]", ask())
		take := func(kind, content string) {
			t.Helper()
			path := filepath.Join(t.TempDir(), kind+".csv")
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			if _, err := p.Feeds.Import(t.Context(), kind, path, ingest.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		take("products", "line_of_business,product_code,product_name\nWC,PPO,Primary\n")
		take("claims", "claim_number,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury\nWC-1,Ada,Brook,"+
			"1980-02-03,2025-12-24\n")
		p.clock.Advance(time.Hour)
		take("claims", "claim_number,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury\nWC-2,Ada,Brook,"+
			"1980-02-03,2025-12-24\n")
		assert.Equal(t, `[{"data":"claims","asOf":"2026-03-02T16:00:00Z"}]`, ask())
		if r := p.metrics(); !strings.Contains(r, `wcpp_feed_last_intake_timestamp_seconds{kind="csv-claims"} 1.7724672e+09`) {
			t.Errorf("no metric of the last intake")
		}
		p.want(p.do("GET", "/api/feeds/intakes", nil), 401, "")
	})
}
