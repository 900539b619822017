package app_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/claims"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
)

// audited waits until the given number of entries match the condition.
func (p *portal) audited(want int, condition string, args ...any) {
	p.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		n := p.count(`SELECT count(*) FROM audit_log WHERE `+condition, args...)
		if n == want {
			return
		}
		if time.Now().After(deadline) {
			p.t.Errorf("%d audit entries and not %d: %s", n, want, condition)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// found is the SQL condition for entries that a key refers to.
const found = `EXISTS (SELECT 1 FROM audit_keys k WHERE k.key = $1 AND k.at = audit_log.at AND k.entry = audit_log.id)`

// A search writes one entry with the sealed criteria, and keys for every returned bill and
// claim.
func TestSearchesAreAudited(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.bill("111111111", "BCN-1", "WC-77")
		p.bill("111111111", "BCN-2", "WC-77")
		require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := claims.ImportClaim(t.Context(), tx, claims.Claim{ClaimNumber: "WC-77", ClaimantFirstName: "Zebulon",
				ClaimantLastName: "Quartermain", ClaimantBirthDate: "1961-07-08", DateOfInjury: "2025-03-04"})
			return err
		}))
		prus, prad := bearer(p.signIn("prus")), bearer(p.signIn("prad"))
		search := fields{"ftin": "111111111", "claimNumber": "WC-77", "beginServiceDate": "2026-01-01", "endServiceDate": "2026-01-10"}
		if r := p.do("POST", "/api/billSearch/searchByAssorted", search, prus); r.status != 200 ||
			strings.Count(string(r.body), "BCN-") < 2 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		claimant := fields{"claimantFirstName": "Zebulon", "claimantLastName": "Quartermain", "claimantDOB": "1961-07-08",
			"doi": "2025-03-04"}
		p.want(p.post("/globalclaim/searchByClaimant", claimant, prad), 200, "")
		claimant["claimantDOB"] = "1961-07-09"
		p.want(p.post("/globalclaim/searchByClaimant", claimant, prad), 200, "")
		// Everything that rejects a TIN, user or group out of reach.
		search["ftin"] = "333333333"
		p.want(p.post("/billSearch/searchByAssorted", search, prus), 404, "")
		p.want(p.do("GET", "/api/provider/list/333333333", nil, prus), 404, "")
		p.want(p.do("GET", "/api/ftin/userFtins/nnus", nil, prad), 404, "")

		p.audited(1, `operation = 'searchByAssorted' AND result = 'ok' AND searched <> '' AND answered LIKE '["BCN-_","BCN-_"]'
			AND `+found, "about 111111111")
		p.audited(1, `operation = 'claim-search' AND result = 'ok' AND searched <> '' AND `+found, "about wc-77")
		p.audited(1, `operation = 'claim-search' AND result = 'mismatch' AND searched <> '' AND `+found, "by prad")
		p.audited(1, `operation = 'searchByAssorted' AND result = 'refused' AND searched <> '' AND `+found, "about 333333333")
		p.audited(3, `result = 'refused' AND `+found, fmt.Sprintf("group %d", p.groupOf("prus")))
		p.audited(1, `operation <> 'searchByAssorted' AND result = 'refused' AND `+found, "about 333333333")
		p.audited(1, `result = 'refused' AND `+found, "about nnus")
		var stored []string
		require.NoError(t, db.Select(t.Context(), p.DB.Writer, &stored, `SELECT concat(subject, detail, searched, keys)
			FROM audit_log`))
		for _, secret := range []string{"Zebulon", "Quartermain", "1961-07", "2026-01-10"} {
			assert.NotContains(t, strings.Join(stored, "\n"), secret)
		}
	})
}

// bill adds a bill, as feeds do.
func (p *portal) bill(ftin, number, claim string) {
	p.t.Helper()
	s := facts.Submission{
		Source: facts.FromTable, Kind: "P", Repriced: number, Clearinghouse: "C" + number,
		Reported: facts.Bill{
			FTIN: ftin, PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-05",
			ClaimNumber: claim, BillType: "P", FrequencyCode: "1", BillCharges: 100, BillStatus: facts.StatusReceived,
		},
	}
	s.Identify()
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportSubmissions(p.t.Context(), tx, []facts.Submission{s})
		return err
	}))
}

// A username that a stranger types is truncated to 60 characters.
func TestNamesOfStrangersAreCut(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		p.want(p.post("/authenticate", fields{"username": strings.Repeat("ä", 150), "password": "x"}), 401, "")
		p.audited(1, `operation = 'sign-in' AND actor = '' AND subject = $1`, strings.Repeat("ä", 60))
	})
}

type auditPage struct {
	Following int
	Rows      []struct {
		ID                                                             int64
		At                                                             time.Time
		Who, ActingFor, Operation, Call, Subject, Result, Detail, From string
		Answered                                                       []string
		Searched                                                       bool
	}
}

// entries requests a page of the audit log and also returns it in short form.
func (p *portal) entries(opt option, search fields, more fields) (auditPage, []string) {
	p.t.Helper()
	body := fields{"search": search, "pageSize": 100}
	for k, v := range more {
		body[k] = v
	}
	var page auditPage
	r := p.post("/audit/entries", body, opt)
	p.want(r, 200, "")
	r.into(p.t, &page)
	var short []string
	for _, e := range page.Rows {
		short = append(short, strings.TrimSpace(fmt.Sprintf("%s>%s %s %s %s", e.Who, e.ActingFor, e.Operation, e.Subject, e.Result)))
	}
	return page, short
}

// System administrators read the whole log, provider administrators their own group's entries,
// and other users can't read it. Each view adds an entry too.
func TestAuditLogIsRead(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.bill("111111111", "BCN-1", "WC-77")
		prus, prad, isad, nnus := bearer(p.signIn("prus")), bearer(p.signIn("prad")), bearer(p.signIn("isad")), bearer(p.signIn("nnus"))
		bill := fields{"ftin": "111111111", "claimNumber": "WC-77", "beginServiceDate": "2026-01-01", "endServiceDate": "2026-01-10"}
		p.want(p.post("/billSearch/searchByAssorted", bill, prus), 200, "")
		p.audited(1, `operation = 'searchByAssorted'`)
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, isad), 200, "")
		p.want(p.post("/billSearch/searchByAssorted", bill, isad), 200, "")
		p.audited(2, `operation = 'searchByAssorted'`)
		p.want(p.do("DELETE", "/api/session/mirror", nil, isad), 200, "")
		p.clock.Advance(10 * time.Minute)
		bill["ftin"] = "333333333"
		p.want(p.post("/billSearch/searchByAssorted", bill, nnus), 200, "")
		p.audited(3, `operation = 'searchByAssorted'`)

		for _, c := range []struct {
			search fields
			want   string
		}{
			{fields{"subject": "111111111"}, "isad>prus searchByAssorted 111111111 ok|prus> searchByAssorted 111111111 ok"},
			{fields{"subject": " 111111111  bcn-1 ", "person": "ISAD"}, "isad>prus searchByAssorted 111111111 ok"},
			{fields{"subject": "111111111 BCN-2"}, ""},
			{fields{"subject": "111111111", "operation": "open-image"}, ""},
			{fields{"person": "prus", "operation": "sign-in"}, "prus> sign-in prus ok"},
			{fields{"subject": "nnus", "from": "2026-03-02", "to": "2026-03-02"}, "nnus> sign-in nnus ok|command line> user-add nnus ok"},
			{fields{"subject": "nnus", "from": "2026-03-03"}, ""},
			{fields{"operation": "mirror-start"}, "isad>prus mirror-start prus ok"},
		} {
			if _, short := p.entries(isad, c.search, nil); strings.Join(short, "|") != c.want {
				t.Errorf("%v finds %q and not %q", c.search, short, c.want)
			}
		}
		p.want(p.post("/audit/entries", fields{"search": fields{"from": "2026-03-03", "to": "2026-03-02"}, "pageSize": 5}, isad), 400, "")

		// The group of prad: actions by its users, for them and on them.
		own, short := p.entries(prad, fields{}, nil)
		want := "prad> audit-read  ok|isad>prus mirror-stop prus ok|isad>prus searchByAssorted 111111111 ok|isad>prus mirror-start " +
			"prus ok|" +
			"prus> searchByAssorted 111111111 ok|prad> sign-in prad ok|prus> sign-in prus ok"
		if got := strings.Join(short, "|"); !strings.HasPrefix(got, want) {
			t.Errorf("prad reads %s\nwant %s", got, want)
		}
		for _, e := range short {
			if strings.Contains(e, "nnus") || strings.HasPrefix(e, "isad> ") && !strings.HasSuffix(e, "prus ok") {
				t.Errorf("prad reads %q", e)
			}
		}
		if _, short := p.entries(prad, fields{"person": "isad", "operation": "audit-read"}, nil); short != nil {
			t.Errorf("prad reads %q", short)
		}
		if e := own.Rows[2]; !e.Searched || fmt.Sprint(e.Answered) != "[BCN-1]" || e.From == "" {
			t.Errorf("%+v", e)
		}

		// Page after page, each one starting where the last ended.
		var all []string
		after := fields(nil)
		for range 20 {
			more := fields{"pageSize": 3}
			if after != nil {
				more["after"] = after
			}
			page, short := p.entries(prad, fields{"to": "2026-03-02", "operation": "sign-in"}, more)
			if all = append(all, short...); len(short) < 3 {
				break
			}
			last := page.Rows[2]
			after = fields{"at": last.At, "id": last.ID}
		}
		page, whole := p.entries(prad, fields{"operation": "sign-in"}, nil)
		if strings.Join(all, "|") != strings.Join(whole, "|") || page.Following != len(whole) || len(whole) != 2 {
			t.Errorf("%q in pages, %q at once, %d counted", all, whole, page.Following)
		}
		if page, short := p.entries(prad, fields{"operation": "sign-in"}, fields{"skip": 1}); page.Following != 1 || short[0] != whole[1] {
			t.Errorf("%q, %d", short, page.Following)
		}

		// Anyone who sees the entry can open its search criteria. Opening them is audited.
		look := func(opt option, id int64) reply {
			return p.do("GET", fmt.Sprintf("/api/audit/entries/%d/search", id), nil, opt)
		}
		r := look(prad, own.Rows[2].ID)
		p.want(r, 200, "")
		if got := strings.TrimSpace(string(r.body)); got !=
			`[{"name":"beginServiceDate","value":"2026-01-01"},{"name":"claimNumber","value":"WC-77"},{"name":"endServiceDate",`+
				`"value":"2026-01-10"},{"name":"tins","value":"111111111"}]` {
			t.Error(got)
		}
		p.audited(1, `operation = 'audit-open-search' AND actor = 'prad' AND subject = $1`, fmt.Sprintf("entry %d", own.Rows[2].ID))
		foreign, _ := p.entries(isad, fields{"subject": "333333333"}, nil)
		p.want(look(prad, foreign.Rows[0].ID), 404, "")
		p.want(look(isad, foreign.Rows[0].ID), 200, "")
		p.want(look(isad, 999999), 404, "")
		p.want(look(isad, own.Rows[3].ID), 404, "") // not a search

		// All other users, and staff who mirror one of them or the group.
		for _, who := range []string{"prus", "nnus", "road", "rous", "irad", "isad>prus", "isad>nnus"} {
			token := bearer(p.tokenOf(who))
			p.want(p.post("/audit/entries", fields{"search": fields{}, "pageSize": 5}, token), 403, "")
			p.want(p.post("/audit/export", fields{}, token), 403, "")
			p.want(look(token, own.Rows[2].ID), 403, "")
		}
		// Rejected requests appear with the operation's label.
		if page, _ := p.entries(isad, fields{"person": "road", "operation": "auditExport"}, nil); len(page.Rows) != 1 ||
			page.Rows[0].Call != "Export the audit log as CSV" || page.Rows[0].Result != "refused" {
			t.Errorf("%+v", page.Rows)
		}
		for _, who := range []string{"isad>prad", "irad>prad"} {
			if _, short := p.entries(bearer(p.tokenOf(who)), fields{"subject": "333333333"}, nil); short != nil {
				t.Errorf("%s reads %q", who, short)
			}
			p.audited(1, `operation = 'audit-read' AND actor = $1 AND acting_for = 'prad' AND searched <> ''`, who[:4])
		}

		// The export has the search results, without anything that a spreadsheet would run as a
		// formula.
		p.exec(`INSERT INTO audit_log (at, actor, operation, subject, result, keys, segment)
			VALUES ($1, '', 'sign-in', '=1+1', 'x', '["about =1+1"]', (SELECT segment FROM audit_open))`, "2026-03-02T16:00:00.000000Z")
		r = p.post("/audit/export", fields{"subject": "=1+1"}, isad)
		p.want(r, 200, "")
		if lines := strings.Split(string(r.body), "\r\n"); len(lines) != 3 || lines[1] != "2026-03-02T16:00:00Z,,,sign-in,'=1+1,,x,,," ||
			r.header.Get("Content-Type") != "text/csv; charset=utf-8" {
			t.Errorf("%q", r.body)
		}
		if r := p.post("/audit/export", fields{"subject": "nothing"}, isad); strings.Count(string(r.body), "\r\n") != 1 ||
			!strings.HasPrefix(string(r.body), "When (UTC),") {
			t.Errorf("an export of nothing: %q", r.body)
		}
		r = p.post("/audit/export", fields{}, prad)
		if strings.Contains(string(r.body), "nnus") || !strings.Contains(string(r.body), "searchByAssorted,111111111,BCN-1,ok") {
			t.Errorf("prad exports %s", r.body)
		}
		p.audited(1, `operation = 'audit-export' AND actor = 'prad' AND searched <> ''`)
	})
}

// auditedInWords checks that every operation a test caused has a label in the Audit Log.
// Concatenated names don't appear in any source.
func (p *portal) auditedInWords() {
	p.t.Helper()
	var done []audit.Operation
	assert.NoError(p.t, db.Select(context.WithoutCancel(p.t.Context()), p.DB.Writer, &done, `SELECT DISTINCT operation FROM audit_log
		WHERE result <> 'refused' ORDER BY operation`))
	for _, operation := range done {
		if _, is := operation.Label(); !is {
			p.t.Errorf("operations.go has no words for %q", operation)
		}
	}
}
