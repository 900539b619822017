package deadlines

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/date"
)

// californiaHolidays are California state holidays.
var californiaHolidays = []StateHoliday{
	{"CA", "2026-03-31", "Cesar Chavez Day"}, {"CA", "2026-11-27", "Day after Thanksgiving"},
}

// examples were calculated by hand with a calendar. Each line has the state, the length and
// unit, the start day and the resulting day.
const examples = `
# days
TX 45 days 2025-06-06 2025-07-21
TX 1 days 2026-12-31 2027-01-01
TX 30 days 2026-01-31 2026-03-02
TX 30 days 2024-01-31 2024-03-01
TX 28 days 2026-02-01 2026-03-01
TX 28 days 2024-02-01 2024-02-29
TX 1 days 2024-02-28 2024-02-29
TX 1 days 2026-02-28 2026-03-01
TX 366 days 2024-02-28 2025-02-28
TX 365 days 2026-03-15 2027-03-15
TX 365 days 2023-03-15 2024-03-14
TX 45 days 2026-11-20 2027-01-04
TX 60 days 2026-03-07 2026-05-06
TX 60 days 2026-10-31 2026-12-30
TX 90 days 2026-07-11 2026-10-09
TX 30 days 2026-06-04 2026-07-04
TX 30 days 2026-11-25 2026-12-25
TX 45 days 2026-07-15 2026-08-29
TX 3650 days 2020-01-01 2029-12-29
TX 120 days 2099-12-31 2100-04-30
# business days: weekends and federal holidays
TX 15 business 2026-11-20 2026-12-14
TX 1 business 2026-11-20 2026-11-23
TX 1 business 2026-11-21 2026-11-23
TX 1 business 2026-11-22 2026-11-23
TX 1 business 2026-11-25 2026-11-27
TX 2 business 2026-11-25 2026-11-30
TX 5 business 2026-03-02 2026-03-09
TX 10 business 2026-12-18 2027-01-05
TX 1 business 2026-07-02 2026-07-06
TX 1 business 2026-07-01 2026-07-02
TX 1 business 2021-12-30 2022-01-03
TX 1 business 2022-12-23 2022-12-27
TX 1 business 2023-11-09 2023-11-13
TX 1 business 2027-06-17 2027-06-21
TX 1 business 2027-07-02 2027-07-06
TX 1 business 2027-12-23 2027-12-27
TX 1 business 2027-12-30 2028-01-03
TX 1 business 2026-01-16 2026-01-20
TX 1 business 2026-02-13 2026-02-17
TX 1 business 2026-05-22 2026-05-26
TX 1 business 2026-06-18 2026-06-22
TX 1 business 2026-09-04 2026-09-08
TX 1 business 2026-10-09 2026-10-13
TX 1 business 2026-11-10 2026-11-12
TX 1 business 2019-06-18 2019-06-19
TX 20 business 2024-02-09 2024-03-11
TX 15 business 2026-02-27 2026-03-20
TX 15 business 2026-03-16 2026-04-06
# business days of a state
CA 15 business 2026-11-20 2026-12-15
CA 1 business 2026-11-25 2026-11-30
CA 1 business 2026-03-30 2026-04-01
CA 15 business 2026-03-16 2026-04-07
CA 1 business 2025-03-28 2025-03-31
NY 1 business 2026-03-30 2026-03-31
# months
TX 10 months 2025-06-03 2026-04-03
TX 10 months 2025-08-31 2026-06-30
TX 1 months 2026-01-31 2026-02-28
TX 1 months 2024-01-31 2024-02-29
TX 1 months 2026-01-28 2026-02-28
TX 1 months 2026-02-28 2026-03-28
TX 12 months 2024-02-29 2025-02-28
TX 48 months 2024-02-29 2028-02-29
TX 10 months 2025-04-30 2026-02-28
TX 10 months 2023-04-30 2024-02-29
TX 10 months 2025-03-31 2026-01-31
TX 3 months 2026-11-30 2027-02-28
TX 6 months 2026-08-31 2027-02-28
TX 6 months 2026-12-31 2027-06-30
TX 11 months 2026-01-15 2026-12-15
TX 1 months 2026-12-15 2027-01-15
TX 10 months 2026-12-01 2027-10-01
TX 24 months 2026-05-05 2028-05-05
# a last day without work, moved to the next one with
TX 45 moved 2026-07-15 2026-08-31
TX 30 moved 2026-06-04 2026-07-06
TX 30 moved 2026-11-25 2026-12-28
TX 30 moved 2026-01-31 2026-03-02
TX 1 moved 2026-11-25 2026-11-27
CA 2 moved 2026-11-25 2026-11-30
CA 1 moved 2026-03-30 2026-04-01
NY 1 moved 2026-03-30 2026-03-31
TX 1 moved 2021-12-30 2022-01-03
TX 6 moved 2022-12-25 2023-01-03
`

func TestDueOfExamples(t *testing.T) {
	c := NewCalendar(californiaHolidays)
	n := 0
	for line := range strings.Lines(examples) {
		f := strings.Fields(line)
		if len(f) != 5 {
			continue
		}
		n++
		r := Rule{State: f[0], Line: WorkersCompensation, Kind: PayerPay, Basis: BasisReceived, Effective: "2010-01-01",
			Unit: map[string]string{
				"days": Days, "moved": Days, "business": BusinessDays, "months": Months,
			}[f[2]], NextWorkday: f[2] == "moved"}
		for _, digit := range f[1] {
			r.Amount = r.Amount*10 + int(digit-'0')
		}
		facts := Facts{State: f[0], StateGiven: true, Line: WorkersCompensation, Received: date.Date(f[3]), ReceivedSure: true}
		for range 2 { // the second pass uses the cache
			on, b, ok := Due(r, facts, c)
			if !ok || on != date.Date(f[4]) || b != (DayBasis{On: date.Date(f[3]), From: FromRepricer}) {
				t.Errorf("%s: %s, %+v, %v", strings.TrimSpace(line), on, b, ok)
			}
		}
	}
	assert.GreaterOrEqual(t, n, 80)
}

var (
	plain = Rule{
		State: "TX", Line: WorkersCompensation, Kind: PayerPay, Basis: BasisReceived, Amount: 10, Unit: Days, Effective: "2020-01-01",
	}
	facts = Facts{
		State: "TX", StateGiven: true, Line: WorkersCompensation, Service: "2026-01-01", Received: "2026-01-10", ReceivedSure: true,
		FirstSeen: "2026-01-20", PayerReceived: "2026-01-12", Paid: "2026-01-25",
	}
)

// Finds the day that a rule counts from, and whether it is exact or approximate.
func TestBasis(t *testing.T) {
	for name, tt := range map[string]struct {
		basis string
		of    func(*Facts)
		want  DayBasis
		none  bool
	}{
		"service":    {basis: BasisService, want: DayBasis{"2026-01-01", FromBill, false}},
		"no service": {basis: BasisService, of: func(f *Facts) { f.Service = "" }, none: true},
		"receipt":    {basis: BasisReceived, want: DayBasis{"2026-01-10", FromRepricer, false}},
		"receipt with the file": {basis: BasisReceived, of: func(f *Facts) {
			f.ReceivedSure = false
		}, want: DayBasis{"2026-01-10", FromFile, true}},
		"no receipt": {
			basis: BasisReceived, of: func(f *Facts) { f.Received = "" }, want: DayBasis{"2026-01-20", FromSeen, true},
		},
		"no receipt, never seen": {basis: BasisReceived, of: func(f *Facts) { f.Received, f.FirstSeen = "", "" }, none: true},
		"payer's receipt":        {basis: BasisPayerReceived, want: DayBasis{"2026-01-12", FromPayer, false}},
		"no payer's receipt": {basis: BasisPayerReceived, of: func(f *Facts) {
			f.PayerReceived = ""
		}, want: DayBasis{"2026-01-10", FromRepricer, true}},
		"neither receipt": {basis: BasisPayerReceived, of: func(f *Facts) {
			f.PayerReceived, f.Received = "", ""
		}, want: DayBasis{"2026-01-20", FromSeen, true}},
		"nothing of any receipt": {basis: BasisPayerReceived, of: func(f *Facts) {
			f.PayerReceived, f.Received, f.FirstSeen = "", "", ""
		}, none: true},
		"explanation":               {basis: BasisEORAvailable, want: DayBasis{"2026-01-25", FromPayment, true}},
		"no explanation":            {basis: BasisEORAvailable, of: func(f *Facts) { f.Paid = "" }, none: true},
		"payment":                   {basis: OfPayment, want: DayBasis{"2026-01-25", FromPayment, false}},
		"no payment":                {basis: OfPayment, of: func(f *Facts) { f.Paid = "" }, none: true},
		"opening of an explanation": {basis: BasisEOROpened, none: true},
		"request":                   {basis: BasisCaseSent, none: true},
	} {
		t.Run(name, func(t *testing.T) {
			r, f := plain, facts
			r.Basis = tt.basis
			if tt.none {
				r.Effective = ""
			}
			if tt.of != nil {
				tt.of(&f)
			}
			on, b, ok := Due(r, f, NewCalendar(nil))
			if tt.none {
				if ok || on != "" || b != (DayBasis{}) {
					t.Errorf("%s, %+v, %v", on, b, ok)
				}
				return
			}
			if !ok || b != tt.want || on != tt.want.On.AddDays(10) {
				t.Errorf("%s, %+v, %v", on, b, ok)
			}
		})
	}
}

// Finds the bills for which a rule sets a deadline.
func TestDueOfOtherBills(t *testing.T) {
	for name, tt := range map[string]struct {
		rule func(*Rule)
		of   func(*Facts)
		sets bool
	}{
		"as it is":                {sets: true},
		"another state":           {of: func(f *Facts) { f.State = "NY" }},
		"an assumed state":        {of: func(f *Facts) { f.StateGiven = false }},
		"another line":            {of: func(f *Facts) { f.Line = Auto }},
		"no line":                 {of: func(f *Facts) { f.Line = "" }},
		"begins on the day":       {rule: func(r *Rule) { r.Effective = "2026-01-10" }, sets: true},
		"begins a day later":      {rule: func(r *Rule) { r.Effective = "2026-01-11" }},
		"ends on the day":         {rule: func(r *Rule) { r.Ended = "2026-01-10" }, sets: true},
		"ended a day before":      {rule: func(r *Rule) { r.Ended = "2026-01-09" }},
		"service when first seen": {of: func(f *Facts) { f.Service = "2026-01-20" }, sets: true},
		"service to come":         {of: func(f *Facts) { f.Service = "2026-01-21" }},
		"never seen":              {of: func(f *Facts) { f.FirstSeen = "" }, sets: true},
	} {
		t.Run(name, func(t *testing.T) {
			r, f := plain, facts
			if tt.rule != nil {
				tt.rule(&r)
			}
			if tt.of != nil {
				tt.of(&f)
			}
			if on, b, ok := Due(r, f, NewCalendar(nil)); ok != tt.sets || ok != (on == "2026-01-20") || !ok && b != (DayBasis{}) {
				t.Errorf("%s, %+v, %v", on, b, ok)
			}
		})
	}
}

func TestNext(t *testing.T) {
	rule := func(kind, condition string, days int) Rule {
		r := plain
		r.Kind, r.Condition, r.Amount = kind, condition, days
		return r
	}
	answer, pay := rule(PayerAnswer, "", 20), rule(PayerPay, "", 30)
	again, dispute := rule(OfficeReconsider, "", 90), rule(OfficeDispute, "", 40)
	for name, tt := range map[string]struct {
		rules []Rule
		stage Stage
		want  date.Date
	}{
		"the first of the payer's":  {[]Rule{pay, answer, again, dispute}, ForPayer, "2026-01-30"},
		"the first of the office's": {[]Rule{answer, again, dispute, pay}, ForOffice, "2026-02-19"},
		"one of the payer's":        {[]Rule{answer}, ForPayer, "2026-01-30"},
		"one of the office's":       {[]Rule{again}, ForOffice, "2026-04-10"},
		"nothing left to do":        {[]Rule{answer, pay, again, dispute}, Over, ""},
		"no rule":                   {nil, ForPayer, ""},
		"none of the stage":         {[]Rule{answer, pay}, ForOffice, ""},
		"not what only begins":      {[]Rule{rule(FollowUpFrom, "", 5), rule(Interest, "", 6), pay}, ForPayer, "2026-02-09"},
		"not the payer's second":    {[]Rule{rule(PayerReconsider, "", 5), dispute}, ForOffice, "2026-02-19"},
		"the later of conditions":   {[]Rule{rule(PayerPay, Paper, 45), rule(PayerPay, Electronic, 15)}, ForPayer, "2026-02-24"},
		"the later, then the first": {[]Rule{rule(PayerPay, Electronic, 15), rule(PayerPay, Paper, 45), rule(PayerAnswer, Paper, 40)},
			ForPayer, "2026-02-19"},
		"the contract's":             {[]Rule{pay, rule(PayerPay, Contract, 25), rule(PayerPay, Paper, 45)}, ForPayer, "2026-02-04"},
		"the contract's of its kind": {[]Rule{answer, rule(PayerPay, Contract, 12), pay}, ForPayer, "2026-01-22"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLaw(1, tt.rules, nil)
			assert.Equal(t, tt.want, l.Next(facts, tt.stage))
			assumed := facts
			assumed.StateGiven = false
			assert.Empty(t, l.Next(assumed, tt.stage))
		})
	}
}

func TestDeadlinesAreInOrder(t *testing.T) {
	rule := func(kind, condition string, days int) Rule {
		r := plain
		r.Kind, r.Condition, r.Amount = kind, condition, days
		return r
	}
	list := Deadlines([]Rule{rule(Interest, "", 1), rule(PayerPay, Paper, 45), rule(PayerPay, Electronic, 15), rule(PayerAnswer, "", 60)},
		facts, NewCalendar(nil))
	var got []string
	for _, d := range list {
		got = append(got, d.Rule.Kind+" "+string(d.On))
	}
	assert.Equal(t, "PAYER_ANSWER 2026-03-11, PAYER_PAY 2026-01-25, PAYER_PAY 2026-02-24, INTEREST 2026-01-11", strings.Join(got, ", "))
}

func TestLineOf(t *testing.T) {
	for filing, want := range map[string]string{"WC": WorkersCompensation, "AM": Auto, "CI": "", "": ""} {
		assert.Equal(t, want, LineFromFiling(filing), filing)
	}
}
