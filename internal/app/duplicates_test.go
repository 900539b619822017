package app_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/bills/unmatchedpayments"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/x12/x12test"
)

// paysTwice adds a check for an account's bill, and a possible duplicate from a payer with
// another name.
func (p *portal) paysTwice(ftin, account string) {
	p.t.Helper()
	for i, payer := range []string{"STEADY MUTUAL", "CLEARING HOUSE"} {
		set := x12test.Set("835", "005010X221A1", "BPR*I*80*C*CHK************20260301", "TRN*1*K"+account, "DTM*405*20260301",
			"N1*PR*"+payer, "N1*PE*CLINIC*FI*"+ftin, "LX*1",
			"CLP*"+account+"*1*200*80**12*I"+account, "CAS*CO*45*120", "NM1*QC*1*DOE*ANN", "DTM*232*20260105")
		group := x12test.Group{Code: "HP", Guide: "005010X221A1", Date: "2026030" + strconv.Itoa(1+i), Time: "0900", Sets: []string{set}}
		p.importTable("x12", x12test.File(1+i, group))
	}
}

func (p *portal) duplicates(token option, n int) (page unmatchedpayments.PossibleDuplicates) {
	p.t.Helper()
	r := p.post("/desk/feeds/duplicates", nil, token)
	p.want(r, 200, "")
	if r.into(p.t, &page); len(page.Checks) != n || page.More {
		p.t.Fatalf("%+v", page)
	}
	return page
}

// Staff decide whether two checks are the same and can undo it. They see a conflict if a
// colleague was faster. Each view and change is audited for the offices.
func TestPossibleDuplicates(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.texan("N1", func(b *facts.Bill) { b.PatientControlNumber = "ACCT0001" })
		p.paysTwice("111111111", "ACCT0001")
		p.paysTwice("222222222", "ACCT0002")
		isad, irad := bearer(p.signIn("isad")), bearer(p.signIn("irad"))
		page := p.duplicates(irad, 2)
		first := page.Checks[0]
		if c := first.Check; first.FTIN != "111111111" || c.Number != "KACCT0001" || c.PaidOn != "2026-03-01" ||
			c.Payer != "CLEARING HOUSE" || c.Amount != 80 || c.Bills != 1 || c.FirstSeen.IsZero() {
			t.Errorf("%+v", first)
		}
		if c := first.Counts; c.Number != "KACCT0001" || c.Payer != "STEADY MUTUAL" || c.Amount != 80 {
			t.Errorf("%+v", first)
		}
		assert.NotContains(t, first.ID, "111111111", "the id tells the TIN")
		p.audited(1, `operation = 'duplicate-list' AND actor = 'irad' AND subject = '222222222'
			AND EXISTS (SELECT 1 FROM audit_keys k WHERE k.entry = audit_log.id)`)
		paid := func(want int) {
			t.Helper()
			assert.Equal(t, want, p.count(`SELECT coalesce(sum(paid_amount), 0) FROM bills WHERE bill_control_number = 'N1'`))
		}
		decide := func(id string, same bool) reply {
			return p.post("/desk/feeds/duplicates/decide", fields{"id": id, "same": same}, isad)
		}
		decisions := func() (list []unmatchedpayments.DuplicateDecision) {
			t.Helper()
			r := p.do("GET", "/api/desk/feeds/duplicates/decisions", nil, irad)
			p.want(r, 200, "")
			r.into(t, &list)
			return list
		}
		paid(8_000)
		p.want(p.post("/desk/feeds/duplicates/decide", fields{"id": first.ID, "same": true}, irad), 403, "")
		p.want(p.post("/desk/feeds/duplicates", nil, bearer(p.signIn("prad"))), 403, "")
		const faster = "Someone else decided, or a new file changed these checks. Reload the list."
		for i, same := range []bool{false, true} {
			var made unmatchedpayments.DecisionMade
			r := decide(first.ID, same)
			p.want(r, 200, "")
			r.into(t, &made)
			paid([]int{16_000, 8_000}[i])
			p.want(decide(first.ID, !same), 409, faster)
			p.duplicates(irad, 1)
			list := decisions()
			if d := list[0]; len(list) != i+1 || d.ID != made.ID || d.Same != same || d.By != "isad" || d.UndoneAt != nil ||
				d.Number != "KACCT0001" || d.FTIN != "111111111" || d.PaidOn != "2026-03-01" {
				t.Errorf("%+v", list)
			}
			p.audited(1, `operation = 'duplicate-decide' AND actor = 'isad' AND subject = '111111111 KACCT0001'
				AND detail = $1`, []string{"two checks", "same check"}[i])
			undo := fields{"id": made.ID}
			p.want(p.post("/desk/feeds/duplicates/undo", undo, irad), 403, "")
			p.want(p.post("/desk/feeds/duplicates/undo", undo, isad), 204, "")
			p.want(p.post("/desk/feeds/duplicates/undo", undo, isad), 409, "Someone else already undid this decision. Reload the list.")
			p.audited(i+1, `operation = 'duplicate-undo' AND actor = 'isad' AND subject = '111111111 KACCT0001'`)
			if d := decisions()[0]; d.UndoneBy != "isad" || d.UndoneAt == nil {
				t.Errorf("%+v", d)
			}
			paid(8_000)
			p.duplicates(irad, 2)
		}
		// An ID is valid for one purpose only.
		p.want(decide(decisions()[0].ID, true), 404, "")
		p.want(p.post("/desk/feeds/duplicates/undo", fields{"id": first.ID}, isad), 404, "")
		// The checks changed after they were listed.
		p.exec(`UPDATE remittances SET duplicate_of = 'another' WHERE ftin = '222222222' AND duplicate = 'POSSIBLE'`)
		p.want(decide(page.Checks[1].ID, true), 409, faster)
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM check_decisions WHERE ftin = '222222222'`))
	})
}

// Offices see what isn't counted: in their list, on the check and bill pages, and in downloads.
// A duplicate check is listed once.
func TestOfficesReadWhatIsNotCounted(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		page := p.texan("N1", func(b *facts.Bill) { b.PatientControlNumber = "ACCT0001" })
		p.paysTwice("111111111", "ACCT0001")
		isad, prad := bearer(p.signIn("isad")), bearer(p.signIn("prad"))
		list := func(want ...string) (ids []string) {
			t.Helper()
			var found paging.Page[remittances.RemittanceRow]
			r := p.post("/remittances/search", fields{"number": "KACCT0001",
				"table": fields{"page": 0, "pageSize": 5, "sort": fields{"id": "payer", "desc": true}}}, prad)
			p.want(r, 200, "")
			r.into(t, &found)
			var got []string
			for _, row := range found.Rows {
				got, ids = append(got, strings.TrimSpace(row.Payer+" "+string(row.Duplicate))), append(ids, row.ID)
			}
			if strings.Join(got, "; ") != strings.Join(want, "; ") || found.Count != len(want) {
				t.Errorf("%v", got)
			}
			return ids
		}
		shown := func(id string) (page remittances.RemittancePage) {
			t.Helper()
			r := p.do("GET", "/api/remittances/"+id, nil, prad)
			p.want(r, 200, "")
			r.into(t, &page)
			return page
		}
		twin := func(id, kind, text, note string) {
			t.Helper()
			got := shown(id)
			i := 0
			for i < len(got.Notes) && got.Notes[i].Kind != kind {
				i++
			}
			if i == len(got.Notes) || got.Notes[i].Text != text || shown(got.Notes[i].Remittance).Remittance.Payer != "STEADY MUTUAL" ||
				got.Bills[0].Duplicate != got.Remittance.Duplicate {
				t.Errorf("%+v", got.Notes)
			}
			if lines := p.do("GET", "/api/remittances/"+id+"/lines.csv", nil, prad); !strings.Contains(string(lines.body), note) {
				t.Errorf("%s", lines.body)
			}
		}
		payments := func(want ...string) {
			t.Helper()
			var bill detail.BillPage
			r := p.do("GET", "/api/work/bills/"+page, nil, prad)
			p.want(r, 200, "")
			r.into(t, &bill)
			var got []string
			for _, paid := range bill.Payments {
				got = append(got, paid.Role+": "+paid.Why)
			}
			if strings.Join(got, " ") != strings.Join(want, " ") || *bill.Bill.PaidAmount != 80 {
				t.Errorf("%v", got)
			}
		}
		const possible = "Possible duplicate, not counted"
		ids := list("STEADY MUTUAL", "CLEARING HOUSE POSSIBLE")
		twin(ids[1], "possible", possible+". Our staff will decide whether it's the same check.", possible)
		payments("uncounted: "+possible+". Check KACCT0001 of 03/01/2026 counts.", "stands: Included in the bill.")

		p.want(p.post("/desk/feeds/duplicates/decide", fields{"id": p.duplicates(isad, 1).Checks[0].ID, "same": true}, isad), 200, "")
		list("STEADY MUTUAL")
		twin(ids[1], "same", "Same check as KACCT0001 of 03/01/2026, counted there.", "Same check, counted once")
		payments("uncounted: Same check, counted once. Check KACCT0001 of 03/01/2026 counts.", "stands: Included in the bill.")
	})
}
