package demo

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/migrations"
)

// Every priced line matches the fee schedule. This is the schedule of the provider's rate code
// if published, or else the first of its state that fits.
func TestPricesFollowTheFeeSchedules(t *testing.T) {
	all := importAll(t, DefaultBills)
	provider := map[string]string{} // by NPI and TIN
	for _, p := range all.providers {
		provider[p.NPI+p.FTIN] = p.ProviderID
	}
	home := map[string]string{} // state of each office, by TIN
	for _, g := range newWorld(date.Of(time.Now()), 0).groups {
		for _, p := range g.practices {
			home[p.ftin] = p.place.state
		}
	}
	codes := map[string]string{} // by provider, TIN and line of business
	for _, r := range all.rateCodes {
		codes[r.ProviderID+r.FTIN+r.LineOfBusiness] = r.NationalRateCode
	}
	allows := func(code, procedure, modifier string, l facts.Line) int64 {
		for _, a := range all.allowances {
			if a.NationalRateCode == code && a.ProcedureCode == procedure && a.Modifier == modifier &&
				a.EffectiveDate <= l.BeginDate && (a.EndDate == "" || l.BeginDate <= a.EndDate) {
				return a.Allowance
			}
		}
		return -1
	}
	lines, withRateCode := 0, 0
	known := map[string]int64{}
	for _, s := range all.sent {
		lob := "DPWC"
		if strings.HasPrefix(s.Reported.ClaimNumber, "AU") {
			lob = "DPAUT"
		}
		who, number := provider[s.Reported.PhysicianNPI+s.Reported.FTIN], []string{"01", "02"}
		if s.Kind == "I" {
			who, number = provider[s.Detail.BillingNPI+s.Reported.FTIN], []string{"03"}
		}
		code, hasRateCode := codes[who+s.Reported.FTIN+lob]
		if hasRateCode {
			withRateCode++
		}
		var sum int64
		for _, l := range s.Detail.Lines {
			if l.Allowance == nil {
				continue
			}
			lines++
			sum += *l.Allowance
			units, err := strconv.ParseInt(l.Units, 10, 64)
			require.NoError(t, err)
			procedure, modifier := l.Procedure, ""
			if procedure == "" {
				procedure = l.Revenue
			}
			if m := strings.Join(l.Modifiers, ""); m == "26" || m == "TC" {
				modifier = m
			}
			candidates := []string{code}
			if !hasRateCode {
				candidates = nil
				for _, n := range number {
					candidates = append(candidates, fmt.Sprintf("%s-%s-%s", home[s.Reported.FTIN], strings.TrimPrefix(lob, "DP"), n))
				}
			}
			if !slices.ContainsFunc(candidates, func(c string) bool {
				key := fmt.Sprint(c, procedure, modifier, l.BeginDate[:4])
				if known[key] == 0 {
					known[key] = allows(c, procedure, modifier, l)
				}
				return known[key]*units == *l.Allowance
			}) {
				t.Errorf("bill %s of %s, line %d: %d for %d units of %s %s on %s is not what %v allows", s.Repriced, s.Reported.FTIN,
					l.Number, *l.Allowance, units,
					procedure, modifier, l.BeginDate, candidates)
			}
			if l.Charge <= *l.Allowance || l.Control != strconv.Itoa(l.Number) {
				t.Errorf("line %+v", l)
			}
		}
		if a := s.Reported.RecommendedAllowance; a != nil && *a != sum {
			t.Errorf("bill %s allows %d, its lines %d", s.Repriced, *a, sum)
		}
		if s.Reported.ReceivedBasis != facts.ReceivedByRepricer || s.Reported.ReceivedOn < s.Reported.EndServiceDate ||
			s.Reported.ReceivedOn > today {
			t.Errorf("bill %s received on %s", s.Repriced, s.Reported.ReceivedOn)
		}
	}
	if lines < DefaultBills*3/2 || withRateCode < DefaultBills/2 || withRateCode == len(all.sent) {
		t.Errorf("%d priced lines, %d of %d bills by a rate code that is told", lines, withRateCode, len(all.sent))
	}
}

// The data contains each kind of payment that payers make.
func TestPaymentsShowEveryAnswer(t *testing.T) {
	all := importAll(t, DefaultBills)
	kinds := map[string]int{}
	for _, s := range all.sets {
		if s.Payees > 1 {
			kinds["of several payees"]++
		}
		if !s.IsBalanced() {
			kinds["off"]++
		}
		if len(s.Contacts) < 2 || !s.IsBalanced() && s.Amount-s.ClaimsPaid+s.Adjusted != off {
			t.Errorf("set of %s: %+v", s.TraceNumber, s)
		}
	}
	remarks := map[string]bool{}
	for _, p := range all.payments {
		d := p.Detail
		kinds[string(p.Nature)]++
		kinds[p.ClaimStatus+" "+string(p.Nature)]++
		if p.ReceivedOn < p.Reported.EndServiceDate || p.ReceivedOn > p.PaidDate || p.Filing != "WC" && p.Filing != "AM" ||
			d.Contract == "" {
			t.Errorf("payment of %s: received on %s, %q, %q", p.PatientControlNumber, p.ReceivedOn, p.Filing, d.Contract)
		}
		if d.Amounts.Interest > 0 {
			kinds["interest"]++
			if p.PaidDate < p.ReceivedOn.AddDays(30) {
				t.Errorf("interest on a payment in time: received on %s, paid on %s", p.ReceivedOn, p.PaidDate)
			}
		}
		for _, r := range d.Remarks {
			remarks[r.Code] = true
		}
		for _, l := range d.Lines {
			for _, r := range l.Remarks {
				remarks[r.Code] = true
			}
			switch {
			case l.BilledAs.Code != "":
				kinds["bundled"]++
			case l.Control == "":
				kinds["unmatched"]++
			case l.Procedure == "":
				kinds["by revenue code"]++
			}
		}
	}
	for what, least := range map[string]int{
		"off": 2, "of several payees": 2, "money": 800, "takeback": 20, "1 denial": 10, "4 denial": 10, "interest": 20, "bundled": 10,
		"unmatched": 10, "by revenue code": 50,
	} {
		assert.GreaterOrEqualf(t, kinds[what], least, "%d payments or lines are %q", kinds[what], what)
	}
	assert.Len(t, remarks, 5)
	resent := 0
	for i, s := range all.sent {
		if s.Reported.FrequencyCode != "7" || s.Original != s.Repriced {
			continue
		}
		resent++
		if first := slices.IndexFunc(all.sent[:i], func(o facts.Submission) bool {
			return o.Reported.FTIN == s.Reported.FTIN && o.Repriced == s.Repriced && o.Reported.FrequencyCode == "1" &&
				o.Reported.BillCharges > s.Reported.BillCharges && o.Written < s.Written
		}); first < 0 {
			t.Errorf("%q was sent again, and not before", s.Original)
		}
	}
	assert.GreaterOrEqual(t, resent, 10)
	assert.GreaterOrEqual(t, len(all.voids), 10)
	for _, v := range all.voids {
		if b, known := all.bills[v.Reported.FTIN+v.Original]; !known || b.RecommendedAllowance == nil || v.Repriced != "" ||
			v.Reported.BillCharges != b.BillCharges {
			t.Errorf("a void of %q: %+v", v.Original, v)
		}
	}
}

// Every check is the sum of its payments minus provider-level adjustments, and balances carried
// forward are recouped later.
func TestChecksAddUp(t *testing.T) {
	_, files := generate(t, today, DefaultBills)
	cents := func(s string) int64 {
		n, err := ingest.ParseCents(s)
		require.NoError(t, err, s)
		return n
	}
	codes := map[string]int{}
	carried, paid, traces := map[string]int64{}, map[string]int64{}, map[string]bool{}
	for _, set := range strings.Split(files["payments.edi"], "\nST*")[1:] {
		var total, payments, adjusted, interest, reported int64
		trace := ""
		for _, text := range strings.Split(set, "~\n") {
			e := strings.Split(text, "*")
			switch e[0] {
			case "BPR":
				total = cents(e[2])
				if total < 0 || (total == 0) != (e[4] == "NON") {
					t.Errorf("a check over %d by %s", total, e[4])
				}
			case "TRN":
				if trace = e[2]; traces[trace] {
					t.Errorf("check %s twice", trace)
				}
				traces[trace] = true
			case "CLP":
				payments += cents(e[4])
				paid[e[7]] += cents(e[4])
			case "AMT":
				if e[1] == "I" {
					interest += cents(e[2])
				}
			case "PLB":
				assert.LessOrEqual(t, len(e), 15)
				for i := 3; i < len(e); i += 2 {
					code, reference, _ := strings.Cut(e[i], ":")
					amount := cents(e[i+1])
					adjusted += amount
					switch {
					case code == "L6":
						reported -= amount
					case code == "WO" && (paid[reference] < amount || amount <= 0):
						t.Errorf("%d taken off for %s, for which %d was paid", amount, reference, paid[reference])
					case code == "FB" && amount < 0:
						carried[reference] = -amount
						code = "FB forward"
						assert.Equal(t, trace, reference)
					case code == "FB" && amount != carried[reference]:
						t.Errorf("%d taken off for check %s, which carried %d", amount, reference, carried[reference])
					}
					codes[code]++
				}
			}
		}
		if by := total - payments + adjusted; by != 0 && by != off || interest != reported {
			t.Errorf("check %s over %d: payments %d, adjustments %d, interest %d and %d", trace, total, payments, adjusted, interest,
				reported)
		}
	}
	for _, code := range []string{"WO", "FB forward", "FB", "L6"} {
		assert.GreaterOrEqualf(t, codes[code], 3, "adjustments beside payments: %v", codes)
	}
}

// The imported data contains bills in every state.
func TestBillsShowEveryState(t *testing.T) {
	dir := t.TempDir()
	d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(dir, "demo.db"))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	if _, err := migrations.Up(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	files, err := Files(t.Context(), today, DefaultBills, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, name))
	})
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(f File) bool { return f.Kind != "x12" })
	l := ledger.New(ledger.Deps{Kit: platform.Kit{DB: d, Clock: time.Now}}, ledger.Settings{})
	importFiles(t, ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, l.Feeds()...), dir, files)
	list, err := store.Bills.Select(t.Context(), d.Reader, `ORDER BY ftin, bill_control_number_key`)
	require.NoError(t, err)
	var checks struct{ All, Unbalanced, Adjusted, Reversing, Assembled int }
	require.NoError(t, db.Get(t.Context(), d.Reader, &checks, `
		SELECT count(*) AS "all", count(CASE WHEN balanced THEN NULL ELSE 1 END) AS unbalanced,
			count(CASE WHEN adjusted <> 0 THEN 1 END) AS adjusted,
			count(CASE WHEN reversals > 0 THEN 1 END) AS reversing, count(CASE WHEN payees = 0 THEN 1 END) AS assembled
			FROM remittances`))
	if checks.All < 500 || checks.Unbalanced < 2 || checks.Unbalanced > 20 || checks.Adjusted < 20 || checks.Reversing < 20 ||
		checks.Assembled > 0 {
		t.Errorf("checks: %+v", checks)
	}
	states, first := map[string]int{}, map[string]int{}
	for _, b := range list {
		if n, err := strconv.Atoi(b.BillControlNumber); err == nil && n <= 7_000_000_000+99*7+1003 {
			switch {
			case b.BillStatus == facts.StatusPaid && b.EOR:
				first["paid"]++
			case b.BillStatus == facts.StatusReceived && !b.EOR:
				first["received"]++
			case b.PricingSheet && b.BillingID == "":
				first["sheet"]++
			case b.PricingSheet:
				first["sheet of lines"]++
			}
		}
		states["open "+string(b.OpenState)]++
		states["status "+b.BillStatus]++
		states["source "+b.Source]++
		switch {
		case b.ReplacedBy != "":
			states["replaced"]++
		case b.BillStatus == facts.StatusVoid:
			states["void"]++
		}
	}
	// Browser tests expect one of each among the first hundred numbers.
	assert.Len(t, first, 4)
	if short, paid := states["open S"], states["status 0"]+states["status 3"]-states["open R"]; short*100 < paid*6 || short*100 > paid*10 {
		t.Errorf("%d of %d bills are paid short", short, paid)
	}
	assert.Equal(t, DefaultBills, states["source bill"])
	for _, state := range []string{
		"open N", "open P", "open D", "open S", "open R", "open F", "open X", "open V", "open U", "status 0", "status 1", "status 2",
		"status 3", "status 4", "status 9",
		"source payment", "replaced", "void",
	} {
		assert.GreaterOrEqualf(t, states[state], 10, "%d bills are %q: %v", states[state], state, states)
	}
}
