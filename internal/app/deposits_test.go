package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/bills/deposits"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/x12/x12test"
)

// depositsAnswer is the part of the result that the tests compare.
type depositsAnswer struct {
	Deposits []struct {
		Answer      string
		Difference  float64
		Remittances []struct {
			ID, Number, FTIN, Content string
			Amount                    float64
			Posted                    *struct{ By, State string }
		}
	}
	Remittances []struct {
		Answer     string
		Remittance struct{ Number string }
	}
	From, To string
}

func (a depositsAnswer) String() string {
	var parts []string
	for _, d := range a.Deposits {
		part := d.Answer
		for _, r := range d.Remittances {
			part += fmt.Sprintf(" %s %.2f", r.Number, r.Amount)
		}
		parts = append(parts, part)
	}
	for _, r := range a.Remittances {
		parts = append(parts, r.Answer+" "+r.Remittance.Number)
	}
	return strings.Join(parts, ", ")
}

// payClinics adds a check for one clinic, one for two, and one for the other.
func (p *portal) payClinics() {
	p.t.Helper()
	check := func(number, amount string, parts ...string) string {
		segments := []string{"BPR*I*" + amount + "*C*CHK************20260302", "TRN*1*" + number + "*1512345678", "DTM*405*20260302",
			"N1*PR*STEADY MUTUAL"}
		for i := 0; i < len(parts); i += 2 {
			segments = append(segments, "N1*PE*CLINIC*FI*"+parts[i], fmt.Sprintf("LX*%d", i+1),
				"CLP*AC"+number+parts[i]+"*1*200*"+parts[i+1]+"**12*I"+number+parts[i], "NM1*QC*1*DOE*ANN", "DTM*232*20260105")
		}
		return x12test.Set("835", "005010X221A1", segments...)
	}
	p.importTable("x12", x12test.File(1, x12test.Group{Code: "HP", Guide: "005010X221A1", Date: "20260302", Time: "0900", Sets: []string{
		check("40081", "80", "111111111", "80"), check("40082", "80", "111111111", "50", "222222222", "30"),
		check("40083", "40", "222222222", "40"),
	}}))
}

var bankList = fields{
	"columns": []fields{{"index": 0, "kind": "date"}, {"index": 1, "kind": "amount"}, {"index": 2, "kind": "trace"}},
	"rows": [][]string{{"Date", "Amount", "Check", "Memo"}, {"03/04/2026", "$80.00", "0040081", "=1+1"},
		{"03/04/2026", "80.00", "40082", ""}, {"03/04/2026", "40.00", "40083", ""}, {"03/05/2026", "79.99", "40081", ""}},
	"headerRows": 1,
}

// Three groups that share TINs see what is paid to their own TINs, and never the whole amount of a
// check that also pays others.
func TestDeposits(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.payClinics()
		p.add("ada", access.PRAD, 0, "111111111")
		p.add("bea", access.PRAD, 0, "222222222")
		p.add("cy", access.PRAD, 0, "111111111", "222222222")
		for actor, want := range map[string]string{
			"ada":      "matched 40081 80.00, matched 40082 50.00, none, repeated",
			"bea":      "none, matched 40082 30.00, matched 40083 40.00, none",
			"cy":       "matched 40081 80.00, matched 40082 50.00 40082 30.00, matched 40083 40.00, repeated",
			"isad>ada": "matched 40081 80.00, matched 40082 50.00, none, repeated",
		} {
			r := p.post("/work/deposits", bankList, bearer(p.tokenOf(actor)))
			p.want(r, 200, "")
			var got depositsAnswer
			r.into(t, &got)
			if got.String() != want || got.From != "2026-02-18" || got.To != "2026-03-10" {
				t.Errorf("%s: %s from %s to %s, want %s", actor, got, got.From, got.To, want)
			}
		}
		p.want(p.post("/work/deposits", bankList, bearer(p.tokenOf("road"))), 403, "")
		p.want(p.post("/work/deposits", bankList), 401, "")
		p.audited(1, `operation = 'matchDeposits' AND actor = 'ada' AND subject = '111111111'
			AND detail = '4 deposits, remittances of 2026-02-18 to 2026-03-10'`)
		p.audited(1, `operation = 'matchDeposits' AND actor = 'isad' AND acting_for = 'ada'`)

		// A differing amount of a shared check shows neither the amount nor the direction.
		ada := bearer(p.signIn("ada"))
		r := p.post("/work/deposits", fields{"columns": bankList["columns"], "headerRows": 0,
			"rows": [][]string{{"03/04/2026", "81.00", "40082"}, {"03/04/2026", "80.00", "40082"}}}, ada)
		p.want(r, 200, "")
		var got depositsAnswer
		r.into(t, &got)
		if got.String() != "differs 40082 50.00, repeated, missing 40081" || got.Deposits[0].Difference != 0 {
			t.Errorf("%+v", got)
		}
		if r := p.post("/work/deposits", fields{"columns": []fields{{"index": 0, "kind": "date"}}, "headerRows": 0,
			"rows": [][]string{{"03/04/2026"}}}, ada); r.status != 400 ||
			r.fields() != "columns: Select the columns with the amount, or with the trace number" {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.postsMatches(t, ada)
		p.exportsDeposits(t, ada)
		p.readsDeposits(t)
	})
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	for _, path := range []string{"/work/deposits", "/work/deposits/export", "/work/deposits/read"} {
		p.want(p.post(path, fields{}, bearer(p.signIn("prad"))), 404, "")
	}
}

// postsMatches marks what matched as posted, which the next match shows.
func (p *portal) postsMatches(t *testing.T, ada option) {
	t.Helper()
	match := func() (got depositsAnswer) {
		r := p.post("/work/deposits", bankList, ada)
		p.want(r, 200, "")
		r.into(t, &got)
		return got
	}
	var ids, seen []string
	for _, d := range match().Deposits {
		for _, r := range d.Remittances {
			ids, seen = append(ids, r.ID), append(seen, r.Content)
		}
	}
	marks := fields{"ids": ids, "seen": seen, "posted": true}
	p.want(p.put("/remittancePosts", marks, bearer(p.tokenOf("isad>ada"))), 403, "")
	p.want(p.put("/remittancePosts", marks, ada), 200, "")
	if r := match().Deposits[0].Remittances[0]; r.Posted == nil || r.Posted.State != "posted" {
		t.Errorf("%+v", r)
	}
	p.audited(1, `operation = 'remittance-post' AND actor = 'ada' AND subject = '111111111 40081'`)
	p.audited(1, `operation = 'remittance-post' AND actor = 'ada' AND subject = '111111111 40082'`)
}

// exportsDeposits downloads the result. No cell becomes a formula.
func (p *portal) exportsDeposits(t *testing.T, ada option) {
	t.Helper()
	body := fields{"format": "csv"}
	for name, value := range bankList {
		body[name] = value
	}
	r := p.post("/work/deposits/export", body, ada)
	p.want(r, 200, "")
	const want = "\uFEFFDate,Amount,Check,Memo," +
		"Answer,Difference,Remittance,Payer,Paid On,Remittance Amount,Share Only,TIN,Bills,Posted,Note\n" +
		"03/04/2026,$80.00,0040081,'=1+1,Matched,,40081,STEADY MUTUAL,03/02/2026,80.00,,111111111,1,Posted,\n" +
		"03/04/2026,80.00,40082,,Matched,,40082,STEADY MUTUAL,03/02/2026,50.00,Yes,111111111,1,Posted,\n" +
		"03/04/2026,40.00,40083,,No remittance,,,,,,,,,,\n" +
		"03/05/2026,79.99,40081,,Repeated trace,,,,,,,,,,Line 2 has the same trace number.\n"
	assert.Equal(t, want, strings.ReplaceAll(string(r.body), "\r\n", "\n"))
	body["format"] = "xlsx"
	if r := p.post("/work/deposits/export", body, ada); r.status != 200 || !strings.HasPrefix(string(r.body), "PK") {
		t.Errorf("%d %.80s", r.status, r.body)
	}
}

// readsDeposits reads files, also while mirroring, because nothing is stored.
func (p *portal) readsDeposits(t *testing.T) {
	t.Helper()
	const file = "Date,Amount,Check\n3/4/26,80.00,40081\n"
	for _, actor := range []string{"ada", "isad>ada"} {
		r := p.formSent("/api/work/deposits/read", p.tokenOf(actor), "bank.csv", file)
		const want = `{"columns":[{"index":0,"name":"Date","kind":"date"},{"index":1,"name":"Amount","kind":"amount"},` +
			`{"index":2,"name":"Check","kind":"trace"}],"headerRows":1,` +
			`"rows":[["Date","Amount","Check"],["3/4/26","80.00","40081"]],"warnings":[]}`
		if r.status != 200 || strings.TrimSpace(string(r.body)) != want {
			t.Errorf("%s: %d %s", actor, r.status, r.body)
		}
	}
	ada := p.tokenOf("ada")
	p.want(p.formSent("/api/work/deposits/read", ada, "bank.pdf", "x"), 400, "")
	p.want(p.formSent("/api/work/deposits/read", ada, "bank.csv", strings.Repeat("1\n", deposits.MaxBytes/2+1)), 413, "")
	p.want(p.formSent("/api/work/deposits/read", p.tokenOf("road"), "bank.csv", file), 403, "")
	p.want(p.post("/work/deposits/read", fields{}, bearer(ada)), 400, "")
}

// The days of a list can have up to 300,000 remittances.
func TestComparedRemittancesAreLimited(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	add := func(from, to int) {
		p.exec(`INSERT INTO remittances (ftin, remittance, trace_number, trace_number_key, payer, payer_tax_id, payer_id, payer_name,
			payer_name_key, paid_on, handling, method, payees, amount, paid, adjusted, bills, reversals, balanced, contacts, file_sha256,
			set_offset, set_length, first_seen_at)
			WITH RECURSIVE n (i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
			SELECT '111111111', 'r' || i, 'T', 't', 'P', '', '', 'Payer', 'payer', '2026-03-02', 'I', 'CHK', 1, 0, 0, 0, 0, 0, true, 'null',
				'', 0, 0, $3 FROM n`, from, to, db.At(p.clock.Now()))
	}
	prad := bearer(p.signIn("prad"))
	add(1, 300_000)
	p.want(p.post("/work/deposits", bankList, prad), 200, "")
	add(300_001, 300_001)
	const many = "These days have more than 300,000 remittances. Match fewer days at a time."
	if r := p.post("/work/deposits", bankList, prad); r.status != 400 || r.code() != many {
		t.Errorf("%d %.200s", r.status, r.body)
	}
}
