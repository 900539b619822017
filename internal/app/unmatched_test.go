package app_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/unmatchedpayments"
)

// pays adds a payment for a bill's account, for the claimant Ann Doe unless first is set.
func (p *portal) pays(ftin, account, first string) {
	p.t.Helper()
	p.paysAmount(ftin, account, first, 80)
}

func (p *portal) paysAmount(ftin, account, first string, cents int64) {
	p.t.Helper()
	payment := facts.Payment{
		Occurrence: 1, Source: facts.FromRemittance, Written: "20260301", Payer: "1999", TraceNumber: "K" + account,
		PaidDate:             "2026-03-01",
		PatientControlNumber: account, PayerControlNumber: "I" + account, ClaimStatus: "1", Charge: 100, Paid: cents,
		Reported: facts.Bill{FTIN: ftin, BillType: "P", PatientFirstName: first, PatientLastName: "Doe", BeginServiceDate: "2026-01-05",
			EndServiceDate: "2026-01-05", PayerName: "Steady Mutual"},
	}
	payment.Identify()
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportRemitted(p.t.Context(), tx, []facts.Remitted{{Payment: &payment}})
		return err
	}))
}

// Unmatched payments can be found, matched and unmatched. Each view and change is audited for
// the offices.
func TestUnmatchedMoney(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.texan("N1", func(b *facts.Bill) { b.PatientControlNumber, b.BillCharges = "ACCT0001", 100 })
		p.texan("N2", func(b *facts.Bill) { b.PatientControlNumber, b.BillCharges = "A9", 900 })
		p.pays("111111111", "ACCT0001", "Zoe")
		p.pays("222222222", "ACCT0001", "Zoe")
		isad, irad := bearer(p.signIn("isad")), bearer(p.signIn("irad"))
		list := func() (page unmatchedpayments.MatchPage) {
			r := p.post("/desk/feeds/unmatched", fields{}, irad)
			p.want(r, 200, "")
			r.into(t, &page)
			return page
		}
		page := list()
		if len(page.Bills) != 2 || page.Next != "" || page.Bills[0].FTIN != "111111111" || page.Bills[0].Claimant != "Zoe Doe" ||
			*page.Bills[0].Paid != 0.8 {
			t.Fatalf("%+v", page)
		}
		p.audited(2, `operation = 'unmatched-list' AND actor = 'irad'`)
		assert.NotContains(t, page.Bills[0].ID, "ACCT0001", "the id tells the number")
		var found unmatchedpayments.MatchCandidates
		r := p.post("/desk/feeds/unmatched/candidates", fields{"id": page.Bills[0].ID}, irad)
		p.want(r, 200, "")
		r.into(t, &found)
		if len(found.Candidates) != 2 || !found.Candidates[0].Joinable || found.Candidates[1].Joinable ||
			len(found.Candidates[0].Differences) != 1 ||
			found.Candidates[0].Differences[0] != (unmatchedpayments.BillDifference{What: "FIRST_NAME", Paid: "Zoe", Sent: "Ann"}) ||
			found.Candidates[1].Differences[2] != (unmatchedpayments.BillDifference{What: "CHARGE", Paid: "1.00", Sent: "9.00"}) {
			t.Fatalf("%+v", found)
		}
		p.audited(1, `operation = 'unmatched-candidates' AND actor = 'irad'`)
		sent := found.Candidates[0].Bill.ID
		// The list has the same candidates, and their views are logged with it.
		inline := page.Bills[0]
		if len(inline.Candidates) != 2 || inline.More || inline.Candidates[0].Bill.Number != "N1" || !inline.Candidates[0].Joinable ||
			len(page.Bills[1].Candidates) != 0 {
			t.Fatalf("%+v", inline)
		}
		assert.Equal(t, unmatchedpayments.UnmatchedSums{Payments: 2, Paid: 1.6}, page.Sums)
		join := fields{"id": page.Bills[0].ID, "to": sent}
		p.want(p.post("/desk/feeds/joins", join, irad), 403, "")
		p.want(p.post("/desk/feeds/joins", fields{"id": page.Bills[0].ID, "to": found.Candidates[1].Bill.ID}, isad), 409, "")
		p.want(p.post("/desk/feeds/joins", fields{"id": sent, "to": found.Candidates[1].Bill.ID}, isad), 409, "")
		p.want(p.post("/desk/feeds/joins", fields{"id": page.Bills[1].ID, "to": sent}, isad), 404, "") // with another TIN
		p.want(p.post("/desk/feeds/unmatched/candidates", fields{"id": sent}, isad), 409, "")
		var made unmatchedpayments.JoinMade
		r = p.post("/desk/feeds/joins", join, isad)
		p.want(r, 200, "")
		r.into(t, &made)
		// Someone with the same list open gets this message for any action.
		const gone = "This payment already has a bill. Someone matched it, or the bill arrived in a file. Reload the list."
		p.want(p.post("/desk/feeds/joins", join, isad), 409, gone)
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": page.Bills[0].ID}, isad), 409, gone)
		p.want(p.post("/desk/feeds/unmatched/candidates", fields{"id": page.Bills[0].ID}, isad), 409, gone)
		p.audited(1, `operation = 'payment-join' AND actor = 'isad' AND detail = 'differs in FIRST_NAME'`)
		if n := p.count(`SELECT count(*) FROM bills WHERE bill_control_number = 'N1' AND bill_status = '0'
			AND paid_amount = 80`); n != 1 || len(list().Bills) != 1 {
			t.Error("the payment is not joined")
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM bill_changes WHERE bill_control_number_key = 'n1' AND kind LIKE 'PAID%'`))
		var joins []unmatchedpayments.PaymentJoin
		p.do("GET", "/api/desk/feeds/joins", nil, irad).into(t, &joins)
		if len(joins) != 1 || joins[0].By != "isad" || joins[0].UndoneAt != nil || joins[0].Bill != "N1" || joins[0].Check != "KACCT0001" ||
			joins[0].Paid != 0.8 || joins[0].PaidOn != "2026-03-01" {
			t.Fatalf("%+v", joins)
		}
		undo := fields{"ftin": made.FTIN, "payment": made.Payment}
		p.want(p.post("/desk/feeds/joins/undo", undo, irad), 403, "")
		p.want(p.post("/desk/feeds/joins/undo", undo, isad), 204, "")
		p.want(p.post("/desk/feeds/joins/undo", undo, isad), 409, "This was already undone. Reload the list.")
		if page = list(); len(page.Bills) != 2 {
			t.Errorf("%+v", page)
		}
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": page.Bills[0].ID}, isad), 200, "")
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": page.Bills[0].ID}, isad), 409, "")
		if page = list(); len(page.Bills) != 1 || page.Bills[0].FTIN != "222222222" {
			t.Errorf("%+v", page)
		}
		// The office sees who viewed it.
		p.audited(4, `operation = 'unmatched-list' AND subject = '222222222'
			AND EXISTS (SELECT 1 FROM audit_keys k WHERE k.entry = audit_log.id)`)
	})
}

// The largest payment comes first, whoever it's for. Payments of $0.00 are a list of their own, without
// reversals that wait for their payments.
func TestUnmatchedPaymentsAreSorted(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for account, cents := range map[string]int64{"S1": 500, "S2": 90_000, "S4": 0, "S5": 0, "S7": -300} {
			p.paysAmount("111111111", account, "Zoe", cents)
		}
		p.paysAmount("222222222", "S6", "Zoe", 700)
		p.unproven("1234567893", 600)
		irad := bearer(p.signIn("irad"))
		list := func(isZero bool) (accounts string, sums unmatchedpayments.UnmatchedSums) {
			var page unmatchedpayments.MatchPage
			p.post("/desk/feeds/unmatched", fields{"zero": isZero}, irad).into(t, &page)
			for _, b := range page.Bills {
				accounts += fmt.Sprint(b.Account, " ", *b.Paid, "; ")
			}
			return accounts, page.Sums
		}
		accounts, sums := list(false)
		assert.Equal(t, "S2 900; S6 7; ACCT0001 6; S1 5; S7 -3; ", accounts)
		assert.Equal(t, unmatchedpayments.UnmatchedSums{Payments: 5, Paid: 915, Zero: 2}, sums)
		if accounts, _ := list(true); accounts != "S4 0; S5 0; " {
			t.Error(accounts)
		}
	})
}

// Paging continues after the last bill, through the TINs, and ends.
func TestUnmatchedMoneyIsPaged(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for n := range 30 {
			p.pays([]string{"111111111", "222222222"}[n%2], "B"+strings.Repeat("x", n+1), "Zoe")
		}
		irad := bearer(p.signIn("irad"))
		seen, after, parts := map[string]bool{}, "", 0
		for {
			var page unmatchedpayments.MatchPage
			p.post("/desk/feeds/unmatched", fields{"after": after}, irad).into(t, &page)
			for _, b := range page.Bills {
				seen[b.FTIN+b.Number] = true
			}
			parts++
			if after = page.Next; after == "" || parts > 9 {
				break
			}
		}
		assert.Len(t, seen, 30)
		assert.Equal(t, 2, parts)
		// It also continues if a colleague has just handled a page's last item.
		var first, rest unmatchedpayments.MatchPage
		p.post("/desk/feeds/unmatched", fields{}, irad).into(t, &first)
		last := first.Bills[len(first.Bills)-1]
		p.exec(`DELETE FROM bills WHERE ftin = $1 AND bill_control_number = $2`, last.FTIN, last.Number)
		r := p.post("/desk/feeds/unmatched", fields{"after": first.Next}, irad)
		p.want(r, 200, "")
		if r.into(t, &rest); len(rest.Bills) != 5 {
			t.Errorf("%d bills are left", len(rest.Bills))
		}
		p.want(p.post("/desk/feeds/unmatched", fields{"after": "nothing"}, irad), 400, "")
	})
}

// unproven adds a payment to an NPI that no bill proves.
func (p *portal) unproven(npi string, cents int64) {
	p.t.Helper()
	paid := facts.Payment{
		Occurrence: 1, Source: facts.FromRemittance, Written: "20260301", Payer: "1999", TraceNumber: "K1", PaidDate: "2026-03-01",
		PayeeNPI:             npi,
		PatientControlNumber: "ACCT0001", PayerControlNumber: "I1", ClaimStatus: "1", Charge: 100, Paid: cents,
		Reported: facts.Bill{BillType: "P", PatientFirstName: "Zoe", PatientLastName: "Doe", BeginServiceDate: "2026-01-05",
			EndServiceDate: "2026-01-05"},
	}
	paid.Identify()
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportRemitted(p.t.Context(), tx, []facts.Remitted{{Payment: &paid}})
		return err
	}))
	require.NoError(p.t, p.Ledger.PlacePayees(p.t.Context()))
}

// Only staff see a payment to an NPI that no bill proves. It gets a TIN once they match it to a
// bill there.
func TestPaymentsWithoutTaxID(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		const npi = "1234567893"
		sent := facts.Submission{Source: facts.FromClaim, Kind: "P", Written: "20260110", Detail: facts.Detail{BillingNPI: npi}}
		sent.Reported = facts.Bill{FTIN: "111111111", PatientControlNumber: "ACCT0001", FrequencyCode: "1", BillType: "P",
			BillCharges:      100,
			PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-05"}
		sent.Identify()
		require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := p.Ledger.ImportSubmissions(t.Context(), tx, []facts.Submission{sent})
			return err
		}))
		p.unproven(npi, 80)
		isad, irad := bearer(p.signIn("isad")), bearer(p.signIn("irad"))
		listed := func(n int) (page unmatchedpayments.MatchPage) {
			t.Helper()
			r := p.post("/desk/feeds/unmatched", fields{}, irad)
			p.want(r, 200, "")
			if r.into(t, &page); len(page.Bills) != n {
				t.Fatalf("%+v", page)
			}
			return page
		}
		id := listed(1).Bills[0].ID
		if b := listed(1).Bills[0]; b.FTIN != "" || b.NPI != npi || b.Claimant != "Zoe Doe" || *b.Paid != 0.8 {
			t.Errorf("%+v", b)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM payments`)+p.count(`SELECT count(*) FROM remittances`))
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": id}, irad), 403, "")
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": id}, isad), 200, "")
		p.want(p.post("/desk/feeds/unmatched/leave", fields{"id": id}, isad), 409, "")
		listed(0)
		said := func() (joins []unmatchedpayments.PaymentJoin) {
			p.do("GET", "/api/desk/feeds/joins", nil, irad).into(t, &joins)
			return joins
		}
		if j := said()[0]; j.FTIN != "" || j.NPI != npi || !j.Left || j.Check != "K1" || j.Paid != 0.8 {
			t.Errorf("%+v", j)
		}
		p.want(p.post("/desk/feeds/joins/undo", fields{"ftin": "", "payment": said()[0].Payment}, isad), 204, "")
		listed(1)

		var found unmatchedpayments.MatchCandidates
		r := p.post("/desk/feeds/unmatched/candidates", fields{"id": id}, irad)
		p.want(r, 200, "")
		r.into(t, &found)
		if len(found.Candidates) != 1 || found.Candidates[0].Bill.FTIN != "111111111" || !found.Candidates[0].Joinable ||
			found.Made.ID != id {
			t.Fatalf("%+v", found)
		}
		join := fields{"id": id, "to": found.Candidates[0].Bill.ID}
		p.want(p.post("/desk/feeds/joins", join, irad), 403, "")
		p.want(p.post("/desk/feeds/joins", join, isad), 200, "")
		p.want(p.post("/desk/feeds/joins", join, isad), 409, "")
		listed(0)
		const shown = `SELECT count(*) FROM bills WHERE ftin = '111111111' AND paid_amount = 80`
		assert.Equal(t, 1, p.count(shown))
		p.audited(1, `operation = 'payment-join' AND actor = 'isad' AND detail = 'payment to NPI 1234567893, differs in FIRST_NAME'`)
		p.want(p.post("/desk/feeds/joins/undo", fields{"ftin": "111111111", "payment": said()[0].Payment}, isad), 204, "")
		listed(1)
		assert.Equal(t, 0, p.count(shown)+p.count(`SELECT count(*) FROM payments`))
	})
}
