package remittances

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
)

// brought is a file with checks of each kind.
func brought() string {
	denied := []string{
		"CLP*D1*1*100*0**WC*ID1*11*1", "NM1*QC*1*BROOK*ADA", "DTM*232*20260603", "SVC*HC:99213*100*0**1", "DTM*472*20260603",
		"CAS*CO*197*100",
	}
	return makeFile(1,
		paying("200", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"),
			[]string{"PLB*1*20261231*WO:IA1*40*L6:X*-10*FB:4001*30"})...),
		paying("140", "4002", slices.Concat(payee(ours), paid("B1", "22", "-300", "-160"), paid("B1", "1", "300", "300"))...),
		paying("0", "4003", slices.Concat(payee(ours), denied)...),
		paying("112", "4004", slices.Concat(payee(ours), paid("E1", "1", "300", "100"))...),
		paying("180", "4005", slices.Concat(payee(ours), paid("F1", "1", "300", "100"), payee("222222222"),
			paid("G1", "1", "300", "80"))...),
	)
}

func (p *portal) opened(t *testing.T, number string) Page {
	t.Helper()
	for _, r := range p.all(t) {
		if r.TraceNumber == number && r.FTIN == ours {
			page, err := p.Page(t.Context(), jane, p.sealed(t, r))
			require.NoError(t, err)
			return page
		}
	}
	t.Fatalf("no remittance %s", number)
	return Page{}
}

func equation(p Page) string {
	var b strings.Builder
	for _, term := range p.Summary {
		fmt.Fprintf(&b, "%s%s %s, ", term.Kind, term.Reason, money.Text(term.Amount))
	}
	fmt.Fprintf(&b, "= %s", money.Text(p.Total))
	for _, n := range p.Notes {
		b.WriteString("; " + n.Text)
	}
	return b.String()
}

func TestPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", brought())
		for number, want := range map[string]string{
			"4001": "paid 260.00, adjustedFB -30.00, adjustedL6 10.00, adjustedWO -40.00, = 200.00",
			"4002": "paid 300.00, reversed -160.00, = 140.00",
			"4003": "paid 0.00, = 0.00; No payment. This remittance only reports denials.",
			"4004": "paid 100.00, = 100.00; The payer's file is out of balance by $12.00. Amounts are shown as sent.",
			"4005": "paid 100.00, = 100.00; This payment covers several payees. Only the share of this Tax ID is shown.",
		} {
			if got := equation(p.opened(t, number)); got != want {
				t.Errorf("%s: %s\nand not %s", number, got, want)
			}
		}
		page := p.opened(t, "4001")
		assert.Equal(t, "Expected in your bank account on 07/11/2026 (ACH), reassociation number 4001.", page.describeMethod())
		for method, want := range map[string]string{"CHK": "Check 4001 of 07/10/2026.", "BOP": "Payment 4001 of 07/10/2026.",
			"": "Payment 4001 of 07/10/2026."} {
			page := Page{}
			page.Method, page.TraceNumber, page.PaidOn = method, "4001", "2026-07-10"
			assert.Equal(t, want, page.describeMethod(), method)
		}
		if b := page.ProviderAdjustments[2].Bill; b == nil || b.BillControlNumber != page.Bills[0].Bill.BillControlNumber ||
			page.ProviderAdjustments[0].Bill != nil {
			t.Errorf("the reference of WO names %+v", b)
		}
		page = p.opened(t, "4002")
		if page.Bills[0].Part != "reversal" || page.Bills[1].Part != "correction" || page.Bills[0].Paid != -16000 {
			t.Errorf("%+v", page.Bills)
		}
		if shared := p.opened(t, "4005"); shared.Original != OriginalShared || shared.Amount != nil || len(shared.Bills) != 1 {
			t.Errorf("%+v", shared)
		}

		// Old payments are assembled into remittances, with a note.
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `DELETE FROM remittance_sets WHERE ftin = $1`, ours)))
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE remittances SET payees = 0, amount = NULL, file_sha256 = ''
			WHERE trace_number = '4001'`)))
		page = p.opened(t, "4001")
		if page.Original != OriginalAssembled || len(page.Notes) != 1 || page.Notes[0].Kind != noteAssembled || page.Total != 26000 {
			t.Errorf("%s", equation(page))
		}
	})
}

// A page only shows data from its file.
func TestPagesOnlyShowTheFile(t *testing.T) {
	pended := func(status string, paid string) []string {
		return []string{"CLP*D1*" + status + "*100*" + paid + "*0*WC*ID1*11*1", "NM1*QC*1*BROOK*ADA", "DTM*232*20260603"}
	}
	without := func(segment, set string) string {
		from := strings.Index(set, segment)
		set = set[:from] + set[from+strings.Index(set[from:], "~")+1:]
		return strings.Replace(set, "SE*13*", "SE*12*", 1) // the number of segments
	}
	for name, test := range map[string]struct {
		set, want string
	}{
		"pended": {paying("0", "5001", slices.Concat(payee(ours), pended("5", "0"))...),
			"paid 0.00, = 0.00; No payment. The payer hasn't decided on these bills yet."},
		"forwarded": {paying("0", "5001", slices.Concat(payee(ours), pended("23", "0"))...),
			"paid 0.00, = 0.00; No payment. The payer forwarded these bills to another payer."},
		"estimated": {paying("0", "5001", slices.Concat(payee(ours), pended("25", "0"))...),
			"paid 0.00, = 0.00; No payment. This is only the payer's estimate."},
		"patient's": {paying("0", "5001", slices.Concat(payee(ours),
			[]string{"CLP*D1*1*100*0*100*WC*ID1*11*1", "CAS*PR*1*100", "NM1*QC*1*BROOK*ADA", "DTM*232*20260603"})...),
			"paid 0.00, = 0.00; No payment. This payer owes nothing on these bills."},
		"mixed": {paying("0", "5001", slices.Concat(payee(ours), pended("5", "0"), pended("23", "0"))...),
			"paid 0.00, = 0.00; No payment with this remittance."},
		"no BPR": {without("BPR*", paying("80", "5001", slices.Concat(payee(ours), pended("1", "80"))...)),
			"paid 80.00, = 80.00; The payer's file doesn't give the amount of this payment (BPR02), so it can't be checked against the " +
				"bills."},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				p := newPortal(t, d, ours)
				p.take(t, "835.edi", makeFile(1, test.set))
				assert.Equal(t, test.want, equation(p.opened(t, "5001")))
			})
		})
	}
}

// A set for several payees without BPR02 isn't out of balance, because its amount is unknown.
func TestSharedAmountCanBeUnknown(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		set := paying("180", "5001", slices.Concat(payee(ours), paid("F1", "1", "300", "100"), payee("222222222"),
			paid("G1", "1", "300", "80"))...)
		p.take(t, "835.edi", makeFile(1, strings.Replace(set, "BPR*I*180*", "BPR*I**", 1)))
		const want = "paid 100.00, = 100.00; This payment covers several payees. Only the share of this Tax ID is shown.; " +
			"The payer's file doesn't give the amount of this payment (BPR02), so it can't be checked against the bills."
		page := p.opened(t, "5001")
		if got := equation(page); got != want || !page.Balanced {
			t.Errorf("balanced %t: %s", page.Balanced, got)
		}
	})
}

// Remittances without a date follow the others in both databases.
func TestUndatedRemittancesAreLast(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		first, second := payee(ours), payee("222222222")
		p.take(t, "835.edi", makeFile(1, paying("260", "4001", slices.Concat(first, paid("A1", "1", "300", "260"))...),
			paying("90", "4001", slices.Concat(second, paid("A2", "1", "100", "90"))...)))
		identitytest.SetTINs(t, d.Writer, jane.Person, ours, "222222222")
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE remittances SET paid_on = NULL WHERE ftin = $1`, ours)))
		found, _, err := p.Search(t.Context(), jane, Criteria{Number: "4001"}, paging.Table{PageSize: 10})
		if err != nil || len(found) != 2 || found[0].PaidOn == "" || found[1].PaidOn != "" {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

// fromClearinghouse is a check as a clearinghouse sends it again: without TRN03.
func fromClearinghouse(number string, claims ...[]string) string {
	set := paying("200", number, slices.Concat(append([][]string{payee(ours)}, claims...)...)...)
	return strings.ReplaceAll(strings.ReplaceAll(set, "TRN*1*"+number+"*1512345678", "TRN*1*"+number), "*1512345678*", "**")
}

// A repeated check isn't listed. Payments that don't count are marked in every view and file.
func TestTwinsOfChecks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		*p.clock = time.Date(2026, 7, 20, 12, 0, 0, 0, time.UTC)
		a, b := paid("A1", "1", "300", "200"), paid("B1", "1", "100", "50")
		p.take(t, "1.edi", makeFile(1, paying("200", "6001", append(payee(ours), a...)...),
			paying("200", "6002", append(payee(ours), a...)...)))
		p.take(t, "2.edi", makeFile(2, fromClearinghouse("6001", a), fromClearinghouse("6002", a, b)))
		found, count, err := p.Search(t.Context(), jane, Criteria{}, paging.Table{PageSize: 10})
		var listed []string
		for _, r := range found {
			listed = append(listed, strings.TrimSpace(r.TraceNumber+" "+string(r.Duplicate)))
		}
		slices.Sort(listed)
		if got := strings.Join(listed, ", "); err != nil || count != 3 || got != "6001, 6002, 6002 POSSIBLE" {
			t.Errorf("%v %d %s", err, count, got)
		}
		for _, r := range p.all(t) {
			page, err := p.Page(t.Context(), jane, p.sealed(t, r))
			require.NoError(t, err)
			if r.Duplicate == facts.Counted {
				if page.Counts != nil || slices.ContainsFunc(page.Bills, func(b Row) bool { return !b.IsCounted() }) {
					t.Errorf("%+v", page)
				}
				continue
			}
			note := map[facts.DuplicateState]string{
				facts.SameCheck:         "Same check as 6001 of 07/11/2026, counted there.",
				facts.PossibleDuplicate: "Possible duplicate, not counted. Our staff will decide whether it's the same check.",
			}[r.Duplicate]
			if n := page.Notes[0]; n.Text != note || n.To == nil || n.To.TraceNumber != r.TraceNumber || n.To.Duplicate != facts.Counted {
				t.Errorf("%+v", n)
			}
			var lines bytes.Buffer
			require.NoError(t, page.writeLines(&lines, spreadsheet.CSV))
			rows, err := csv.NewReader(&lines).ReadAll()
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(rows), 2)
			for _, row := range rows[1:] {
				assert.Equal(t, duplicateNames[r.Duplicate], row[len(row)-1])
			}
		}
	})
}

// The page of a repeated check names what counts there.
func TestNewBillsOfTwin(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		a, denied := paid("A1", "1", "300", "200"), paid("B1", "4", "100", "0")
		p.take(t, "1.edi", makeFile(1, paying("200", "6001", append(payee(ours), a...)...)))
		p.take(t, "2.edi", makeFile(2, fromClearinghouse("6001", a, denied)))
		var notes []string
		for _, r := range p.all(t) {
			page, err := p.Page(t.Context(), jane, p.sealed(t, r))
			require.NoError(t, err)
			if r.Duplicate == facts.SameCheck {
				notes = append(notes, page.Notes[0].Text)
			}
		}
		assert.Equal(t, []string{"Same check as 6001 of 07/11/2026, counted there. " +
			"Bills without a payment that are only in this file count here."}, notes)
	})
}

// Links of other users, for another purpose or with a TIN out of scope give the same error and
// no data.
func TestForeignLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", brought())
		page := p.opened(t, "4001")
		bill, err := p.records.SealPage(*page.Bills[0].Bill)
		require.NoError(t, err)
		foreign := p.sealed(t, facts.Remittance{FTIN: "222222222", Remittance: page.Remittance.Remittance})
		gone := p.sealed(t, facts.Remittance{FTIN: ours, Remittance: "nothing"})
		for name, sealed := range map[string]string{"none": "x", "a bill's": bill, "foreign": foreign, "gone": gone} {
			_, page := p.Page(t.Context(), jane, sealed)
			_, _, voucher := p.Advice(t.Context(), jane, sealed)
			_, _, sent := p.Original(t.Context(), jane, sealed)
			_, _, lines := p.Lines(t.Context(), jane, sealed, spreadsheet.CSV)
			_, post := p.Post(t.Context(), jane, []string{sealed}, nil, true)
			for i, err := range []error{page, voucher, sent, lines, post} {
				assert.Equalf(t, problem.From(errNoRemittance()).Message, problem.From(err).Message, "%s, %d: %v", name, i, err)
			}
		}
	})
}

// Either all of several remittances are marked, or none.
func TestPostSeveral(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours, "222222222")
		p.take(t, "835.edi", brought())
		var all []string
		for _, r := range p.all(t) {
			if r.FTIN == ours {
				all = append(all, p.sealed(t, r))
			}
		}
		foreign := p.sealed(t, facts.Remittance{FTIN: "333333333", Remittance: "x"})
		marked := func() (n int) {
			require.NoError(t, d.Writer.QueryRowContext(t.Context(), `SELECT count(*) FROM audit_log WHERE operation = 'remittance-post'
				AND result = 'ok'`).Scan(&n))
			return n
		}
		if _, err := p.Post(t.Context(), jane, append(slices.Clone(all), foreign), nil, true); !problem.Is(err, problem.NotFound) ||
			marked() != 0 {
			t.Errorf("with one of others: %v, %d marked", err, marked())
		}
		for name, ids := range map[string][]string{"none": {}, "too many": slices.Repeat(all[:1], maxPosted+1)} {
			if _, err := p.Post(t.Context(), jane, ids, nil, true); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		statuses, err := p.Post(t.Context(), jane, all, nil, true)
		if err != nil || len(statuses) != len(all) || marked() != len(all) {
			t.Fatal(statuses, err, marked())
		}
		if slices.ContainsFunc(statuses, func(s PostedStatus) bool { return s.Mark == nil || s.By != "Jane Hendricks" }) {
			t.Errorf("%v", statuses)
		}
	})
}

// Marking many returns the same statuses and names as marking one.
func TestPostReadsMarksAtOnce(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			read, asked := 0, 0
			d, err := db.OpenTraced(t.Context(), dbtest.MigratedURL(t, kind), func(_ context.Context, query string, _ []any) {
				if strings.HasPrefix(strings.TrimSpace(query), "SELECT") && strings.Contains(query, "remittance_marks") {
					read++
				}
				if strings.Contains(query, "user_name_key = $1") {
					asked++
				}
			})
			require.NoError(t, err)
			t.Cleanup(func() { d.Close() })
			p := newPortal(t, d, ours, "222222222")
			p.take(t, "835.edi", brought())
			var all []string
			for _, r := range p.all(t) {
				all = append(all, p.sealed(t, r))
			}
			all = append(all, all[0]) // duplicates are returned twice
			for _, posted := range []bool{true, false} {
				read, asked = 0, 0
				statuses, err := p.Post(t.Context(), jane, all, nil, posted)
				if err != nil || len(statuses) != len(all) || slices.ContainsFunc(statuses, func(s PostedStatus) bool {
					return (s.Mark != nil) != posted || (s.By != "") != posted
				}) {
					t.Fatalf("%v, %v", statuses, err)
				}
				if read != 1 || asked > 1 {
					t.Errorf("posted %t: the marks of %d are read by %d statements, names asked for %d times", posted, len(all), read,
						asked)
				}
			}
		})
	}
}

func TestSearch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours, "222222222")
		*p.clock = time.Date(2026, 7, 20, 12, 0, 0, 0, time.UTC)
		p.take(t, "835.edi", brought())
		sealed := ""
		for _, r := range p.all(t) {
			if r.TraceNumber == "4001" {
				sealed = p.sealed(t, r)
			}
		}
		find := func(a access.Actor, c Criteria) string {
			found, count, err := p.Search(t.Context(), a, c, paging.Table{PageSize: 10})
			if err != nil {
				return problem.From(err).Code
			}
			var numbers []string
			for _, r := range found {
				numbers = append(numbers, r.TraceNumber+"/"+r.FTIN[:1])
			}
			slices.Sort(numbers)
			return fmt.Sprintf("%d: %s", count, strings.Join(numbers, " "))
		}
		if statuses, err := p.Post(t.Context(), jane, []string{sealed}, nil, true); err != nil || statuses[0].Mark == nil ||
			statuses[0].By != "Jane Hendricks" {
			t.Fatal(statuses, err)
		}
		if _, err := p.Post(t.Context(), jane, []string{sealed, sealed}, nil, true); err != nil { // duplicates are set once
			t.Fatal(err)
		}
		amount := int64(11200)
		year := Criteria{From: "2026-01-01", To: "2026-12-31"}
		with := func(change func(*Criteria)) Criteria {
			c := year
			change(&c)
			return c
		}
		for name, c := range map[string]struct {
			actor    access.Actor
			criteria Criteria
			want     string
		}{
			"the last 30 days": {jane, Criteria{}, "6: 4001/1 4002/1 4003/1 4004/1 4005/1 4005/2"},
			"a number":         {jane, Criteria{Number: " 40-01 "}, "1: 4001/1"},
			"with zeros":       {jane, Criteria{Number: "00004001"}, "1: 4001/1"},
			"only zeros":       {jane, Criteria{Number: "0000"}, "0: "},
			"no such number":   {jane, Criteria{Number: "400"}, "0: "},
			"payer":            {jane, with(func(c *Criteria) { c.Payer = "beacon R" }), "6: 4001/1 4002/1 4003/1 4004/1 4005/1 4005/2"},
			"no payer":         {jane, with(func(c *Criteria) { c.Payer = "%" }), "0: "},
			"amount":           {jane, with(func(c *Criteria) { c.Amount = &amount }), "1: 4004/1"},
			"method":           {jane, with(func(c *Criteria) { c.Method = "CHK" }), "0: "},
			"TIN":              {jane, with(func(c *Criteria) { c.FTIN = "222222222" }), "1: 4005/2"},
			"foreign TIN":      {jane, with(func(c *Criteria) { c.FTIN = "333333333" }), "NOT_FOUND"},
			"reversals":        {jane, with(func(c *Criteria) { c.Reversals = true }), "1: 4002/1"},
			"adjusted":         {jane, with(func(c *Criteria) { c.Adjusted = true }), "1: 4001/1"},
			"not posted":       {jane, with(func(c *Criteria) { c.NotPosted = true }), "5: 4002/1 4003/1 4004/1 4005/1 4005/2"},
			"of another group": {zoe, with(func(c *Criteria) { c.NotPosted = true }), "6: 4001/1 4002/1 4003/1 4004/1 4005/1 4005/2"},
			"too many days":    {jane, Criteria{From: "2026-01-01", To: "2027-01-02"}, "INVALID"},
			"366 days":         {jane, Criteria{From: "2026-01-01", To: "2027-01-01"}, "6: 4001/1 4002/1 4003/1 4004/1 4005/1 4005/2"},
			"backwards":        {jane, Criteria{From: "2026-02-01", To: "2026-01-01"}, "INVALID"},
			"half a window":    {jane, Criteria{From: "2026-02-01"}, "INVALID"},
			"a long number":    {jane, Criteria{Number: strings.Repeat("1", 51)}, "INVALID"},
			"a long payer":     {jane, with(func(c *Criteria) { c.Payer = strings.Repeat("x", 61) }), "INVALID"},
		} {
			if got := find(c.actor, c.criteria); got != c.want {
				t.Errorf("%s: %s and not %s", name, got, c.want)
			}
		}
		if statuses, err := p.Post(t.Context(), jane, []string{sealed}, nil, false); err != nil || statuses[0].Mark != nil {
			t.Errorf("%v %v", statuses, err)
		}
		if got := find(jane, with(func(c *Criteria) { c.NotPosted = true })); !strings.HasPrefix(got, "6: ") {
			t.Errorf("without the mark: %s", got)
		}
		// 4006 has adjustments that cancel out. A later file corrects 4007, and only the earlier one has an adjustment.
		p.take(t, "more.edi", makeFile(2,
			paying("100", "4006", slices.Concat(payee(ours), paid("H1", "1", "300", "100"),
				[]string{"PLB*1*20261231*WO:IA1*40*L6:X*-40"})...),
			paying("60", "4007", slices.Concat(payee(ours), paid("K1", "1", "300", "100"), []string{"PLB*1*20261231*WO:IA1*40"})...)))
		p.take(t, "later.edi", strings.Replace(makeFile(3, paying("110", "4007", slices.Concat(payee(ours),
			paid("K1", "1", "300", "110"))...)), "20260710*0915", "20260711*0915", 1))
		assert.Equal(t, "2: 4001/1 4006/1", find(jane, with(func(c *Criteria) { c.Adjusted = true })))
		noGroup := jane
		noGroup.Person.GroupID = 0
		if _, err := p.Post(t.Context(), noGroup, []string{sealed}, nil, true); !problem.Is(err, problem.Forbidden) {
			t.Errorf("without a group: %v", err)
		}
		var posted []string
		if err := db.Select(t.Context(), d.Reader, &posted, `SELECT subject FROM audit_log
			WHERE operation IN ('remittance-post', 'remittance-unpost')
				ORDER BY id`); err != nil || fmt.Sprint(posted) != "["+ours+" 4001 "+ours+" 4001]" {
			t.Errorf("%v %v", posted, err)
		}
	})
}

// The rows of the table of lines add up to the check, and no cell becomes a formula.
func TestLinesComeToTheCheck(t *testing.T) {
	p := newPortal(t, opened(t, "sqlite"), ours)
	p.take(t, "835.edi", strings.Replace(brought(), "NM1*QC*1*BROOK*ADA", "NM1*QC*1*=BROOK*ADA", 1))
	for _, number := range []string{"4001", "4002", "4003", "4004"} {
		page := p.opened(t, number)
		var text, book bytes.Buffer
		require.NoError(t, errors.Join(page.writeLines(&text, spreadsheet.CSV), page.writeLines(&book, spreadsheet.XLSX)))
		rows, err := csv.NewReader(&text).ReadAll()
		require.NoError(t, err)
		at := slices.Index(rows[0], "Paid")
		sum := 0.0
		for _, row := range rows[1:] {
			var amount float64
			require.NoError(t, dbtest.Err(fmt.Sscan(row[at], &amount)))
			sum += amount
			if strings.HasPrefix(row[8], "=") {
				t.Errorf("a formula: %s", row[8])
			}
		}
		assert.Equalf(t, money.Text(page.Total), fmt.Sprintf("%.2f", sum), "%s: the lines come to %.2f, the check to", number, sum)
		sheet, err := excelize.OpenReader(&book)
		require.NoError(t, err)
		cells, err := sheet.GetRows("Remittance")
		if err != nil || len(cells) != len(rows) || cells[0][at] != "Paid" {
			t.Errorf("%d rows of %d: %v", len(cells), len(rows), err)
		}
	}
}

func TestExport(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", brought())
		var sealed []string
		for _, r := range p.all(t) {
			if r.FTIN == ours {
				sealed = append(sealed, p.sealed(t, r))
			}
		}
		if _, err := p.Export(t.Context(), jane, nil); !problem.Is(err, problem.Invalid) {
			t.Errorf("of nothing: %v", err)
		}
		if _, err := p.Export(t.Context(), jane, slices.Repeat(sealed, 41)); !problem.Is(err, problem.Invalid) {
			t.Errorf("of too many: %v", err)
		}
		e, err := p.Export(t.Context(), jane, append(sealed, sealed[0]))
		if err != nil || len(e.Remittances) != len(sealed) {
			t.Fatal(e, err)
		}
		if _, err := p.OpenExport(t.Context(), jane, e.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("before it is made: %v", err)
		}
		job := &river.Job[ExportArgs]{JobRow: &rivertype.JobRow{Kind: "remittance-export", Attempt: 1, MaxAttempts: 5}}
		if err := json.Unmarshal(fmt.Appendf(nil, `{"exportId": %d}`, e.ID), &job.Args); err != nil || job.Kind != job.Args.Kind() {
			t.Fatalf("a job of before is not run: %v", err)
		}
		lost, err := p.Export(t.Context(), jane, sealed[:1])
		require.NoError(t, err)
		identitytest.SetTINs(t, d.Writer, jane.Person, "222222222")
		refused := &river.Job[ExportArgs]{JobRow: job.JobRow, Args: ExportArgs{lost.ID}}
		if err := p.Work(t.Context(), refused); !problem.Is(err, problem.NotFound) {
			t.Errorf("of a TIN that the user lost while they waited: %v", err)
		}
		assert.Error(t, dbtest.Err(p.exports.Files.Open(t.Context(), exportKey(lost.ID))), "a file of a TIN that the user lost exists")
		identitytest.SetTINs(t, d.Writer, jane.Person, ours)
		if lost, err = p.FindExport(t.Context(), jane, lost.ID); err != nil || lost.Status != fileexport.Codes.Failed {
			t.Errorf("of a TIN that the user lost: %s, %v", lost.Status, err)
		}
		for range 2 { // repeating changes nothing
			require.NoError(t, p.Work(t.Context(), job))
		}
		found, err := p.FindExport(t.Context(), jane, e.ID)
		if err != nil || found.Status != fileexport.Codes.Done || found.Ready != len(sealed) {
			t.Fatal(found, err)
		}
		file, err := p.OpenExport(t.Context(), jane, e.ID)
		require.NoError(t, err)
		content, err := io.ReadAll(file)
		require.NoError(t, errors.Join(err, file.Close()))
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		require.NoError(t, err)
		var names []string
		for _, f := range archive.File {
			names = append(names, f.Name)
			body, err := fs.ReadFile(archive, f.Name)
			require.NoError(t, err)
			// It tells spreadsheets that the file is UTF-8.
			if strings.HasSuffix(f.Name, ".csv") && !bytes.HasPrefix(body, []byte("\uFEFF")) {
				t.Errorf("%s begins with %.20q", f.Name, body)
			}
			// Its amount is the check's, as in the list.
			if f.Name == "contents.csv" && !bytes.Contains(body, []byte(",4004,"+ours+",112.00,")) {
				t.Errorf("%s", body)
			}
		}
		slices.Sort(names)
		want := "2026-07-11_4001.835 2026-07-11_4001.csv 2026-07-11_4001.pdf 2026-07-11_4002.835 2026-07-11_4002.csv 2026-07-11_4002.pdf " +
			"2026-07-11_4003.835 2026-07-11_4003.csv 2026-07-11_4003.pdf 2026-07-11_4004.835 2026-07-11_4004.csv 2026-07-11_4004.pdf " +
			"2026-07-11_4005.csv 2026-07-11_4005.pdf contents.csv"
		assert.Equal(t, want, strings.Join(names, " "))
		if _, err := p.FindExport(t.Context(), zoe, e.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("of another: %v", err)
		}
		identitytest.SetTINs(t, d.Writer, jane.Person, "222222222")
		const changed = "Your Tax IDs have changed. Select the remittances again."
		_, noFile := p.OpenExport(t.Context(), jane, e.ID)
		_, notFound := p.FindExport(t.Context(), jane, e.ID)
		for _, err := range []error{noFile, notFound} {
			if !problem.Is(err, problem.NotFound) || problem.From(err).Message != changed {
				t.Errorf("of a TIN that is gone: %v", err)
			}
		}
		if _, err := p.FindExport(t.Context(), zoe, e.ID); problem.From(err).Message == changed {
			t.Error("another learns that there is such a file")
		}
		identitytest.SetTINs(t, d.Writer, jane.Person, ours)
		*p.clock = p.clock.AddDate(0, 0, 8)
		require.NoError(t, p.Cleanup(t.Context()))
		assert.Error(t, dbtest.Err(p.exports.Files.Open(t.Context(), found.StorageKey)), "the file is there after 8 days")
	})
}
