package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/platform/date"
)

// option changes a fact of a case from the default one.
type option func(*facts.Submission, *facts.Payment)

func day(n int) string { return fmt.Sprintf("2026-02-%02dT08:00", n) }

// sent is a submission for Ada Brook's visit A1, with a frequency and a charge in dollars.
func sent(frequency string, charge int64, options ...option) any {
	s := facts.Submission{Source: facts.FromClaim, Kind: "P", Written: day(1)}
	s.Reported = facts.Bill{
		FTIN: "111111111", PatientControlNumber: "A1", FrequencyCode: frequency, BillCharges: charge * 100, BillType: "P",
		PatientFirstName: "Ada", PatientLastName: "Brook", PatientBirthDate: "1980-02-03", BeginServiceDate: "2026-01-05",
		EndServiceDate: "2026-01-05",
	}
	for _, o := range options {
		o(&s, nil)
	}
	s.Identify()
	return s
}

// paid is a payment in dollars by a check; K3 is dated on the third.
func paid(dollars int64, check string, options ...option) any {
	n, err := strconv.Atoi(strings.TrimPrefix(check, "K"))
	if err != nil {
		panic(err)
	}
	p := facts.Payment{
		Occurrence: 1, Source: facts.FromRemittance, Written: day(n), Payer: "1999", TraceNumber: check,
		PaidDate: date.New(2026, 3, n), PatientControlNumber: "A1", PayerControlNumber: "I9", ClaimStatus: "1", Charge: 10000,
		Paid: dollars * 100,
		Reported: facts.Bill{FTIN: "111111111", BillType: "P", PatientFirstName: "Ada", PatientLastName: "Brook",
			BeginServiceDate: "2026-01-05",
			EndServiceDate:   "2026-01-05"},
	}
	if dollars < 0 {
		p.ClaimStatus, p.Charge = facts.ClaimReversed, -10000
	}
	for _, o := range options {
		o(nil, &p)
	}
	p.Identify()
	return p
}

// denied is a payment of $0 with reasons.
func denied(check string, reasons ...string) any {
	return paid(0, check, func(_ *facts.Submission, p *facts.Payment) {
		for _, r := range reasons {
			p.Detail.Adjustments = append(p.Detail.Adjustments, facts.Adjustment{Group: "CO", Reason: r, Amount: 10000})
		}
	})
}

func priced(dollars int64) option {
	return func(s *facts.Submission, _ *facts.Payment) {
		allowance := dollars * 100
		s.Reported.RecommendedAllowance, s.Reported.RepricingMethod, s.Reported.EOR = &allowance, "03", true
	}
}

func rejected(s *facts.Submission, _ *facts.Payment) {
	s.Reported.RepricingMethod, s.Detail.RejectReason, s.Reported.EOR = "00", "T1", true
}

func reported(s *facts.Submission, _ *facts.Payment) { s.Reported.PricingSheet = true }

func own(n string) option {
	return func(s *facts.Submission, p *facts.Payment) {
		if s != nil {
			s.Repriced = n
		} else {
			p.Repriced = n
		}
	}
}

func ref(n string) option {
	return func(s *facts.Submission, p *facts.Payment) {
		if s != nil {
			s.Original = n
		} else {
			p.FormerNumber = n
		}
	}
}

func clearing(n string) option {
	return func(s *facts.Submission, _ *facts.Payment) { s.Clearinghouse = n }
}

func at(n int) option {
	return func(s *facts.Submission, p *facts.Payment) {
		if s != nil {
			s.Written = day(n)
		} else {
			p.Written = day(n)
		}
	}
}

func on(d date.Date) option {
	return func(s *facts.Submission, p *facts.Payment) {
		b := getReported(s, p)
		b.BeginServiceDate, b.EndServiceDate = d, d
	}
}

// stay sets the period of service.
func stay(begin, end date.Date) option {
	return func(s *facts.Submission, p *facts.Payment) {
		b := getReported(s, p)
		b.BeginServiceDate, b.EndServiceDate = begin, end
	}
}

// line adds a service line with a charge in dollars.
func line(code string, charge int64, on date.Date) option {
	return func(s *facts.Submission, p *facts.Payment) {
		if s != nil {
			s.Detail.Lines = append(s.Detail.Lines, facts.Line{Procedure: code, Charge: charge * 100, BeginDate: on, EndDate: on})
		} else {
			p.Detail.Lines = append(p.Detail.Lines, facts.PaidLine{Procedure: code, Charge: charge * 100, BeginDate: on, EndDate: on})
		}
	}
}

func getReported(s *facts.Submission, p *facts.Payment) *facts.Bill {
	if s != nil {
		return &s.Reported
	}
	return &p.Reported
}

func name(first, last string) option {
	return func(s *facts.Submission, p *facts.Payment) {
		b := getReported(s, p)
		b.PatientFirstName, b.PatientLastName = first, last
	}
}

func row(s *facts.Submission, _ *facts.Payment) { s.Source = facts.FromTable }

// rowPaid is a table row's status and paid amount in dollars.
func rowPaid(status string, dollars int64) option {
	return func(s *facts.Submission, _ *facts.Payment) {
		cents := dollars * 100
		s.Source, s.Reported.BillStatus, s.Reported.PaidAmount = facts.FromTable, status, &cents
	}
}

// rowStatus is a table row's status without a paid amount.
func rowStatus(status string) option {
	return func(s *facts.Submission, _ *facts.Payment) { s.Source, s.Reported.BillStatus = facts.FromTable, status }
}

func born(on date.Date) option {
	return func(s *facts.Submission, p *facts.Payment) { getReported(s, p).PatientBirthDate = on }
}

func account(a string) option {
	return func(s *facts.Submission, p *facts.Payment) {
		if s != nil {
			s.Reported.PatientControlNumber = a
		} else {
			p.PatientControlNumber = a
		}
	}
}

func icn(i string) option {
	return func(_ *facts.Submission, p *facts.Payment) { p.PayerControlNumber = i }
}

func charged(dollars int64) option {
	return func(_ *facts.Submission, p *facts.Payment) { p.Charge = dollars * 100 }
}

func status(code string) option {
	return func(_ *facts.Submission, p *facts.Payment) { p.ClaimStatus = code }
}

func payer(id string) option { return func(_ *facts.Submission, p *facts.Payment) { p.Payer = id } }

// paidOn is the day of another check.
func paidOn(check string) option {
	return func(_ *facts.Submission, p *facts.Payment) { p.PaidDate = paid(1, check).(facts.Payment).PaidDate }
}

func undated(_ *facts.Submission, p *facts.Payment) { p.PaidDate = "" }

func patients(dollars int64) option {
	return func(_ *facts.Submission, p *facts.Payment) { p.PatientResponsibility = dollars * 100 }
}

func reason(group, code string) option {
	return func(_ *facts.Submission, p *facts.Payment) {
		p.Detail.Adjustments = append(p.Detail.Adjustments, facts.Adjustment{Group: group, Reason: code, Amount: 10000})
	}
}

func second(_ *facts.Submission, p *facts.Payment) { p.Occurrence = 2 }

func sentWith(other any) option {
	return func(_ *facts.Submission, p *facts.Payment) {
		p.ToldWith = append(p.ToldWith, other.(facts.Payment).Fact)
	}
}

// cases are the rules by example. Each line of a result is a bill: number, status, open state,
// paid amount and check.
var cases = []struct {
	name  string
	facts []any
	want  []string
}{
	{"1 received", []any{sent("1", 100)}, []string{"A1 1 N - -"}},
	{"2 priced", []any{sent("1", 100, priced(90))}, []string{"A1 2 P - -"}},
	{"3 not priced by the network", []any{sent("1", 100, rejected)}, []string{"A1 1 N - -"}},
	{"4 pricing sheet", []any{sent("1", 100, priced(90), reported)}, []string{"A1 2 X - -"}},
	{"5 priced in a second file, which numbers it", []any{sent("1", 100), sent("1", 100, priced(90), own("N1"), at(2))},
		[]string{"N1 2 P - -"}},
	{"6 the first sent again", []any{sent("1", 100), sent("1", 100, priced(90), own("N1"), at(2)), sent("1", 100, clearing("D2"), at(3))},
		[]string{"N1 2 P - -"}},
	{"7 paid short", []any{sent("1", 100, priced(90)), paid(80, "K1")}, []string{"A1 0 S 80.00 K1"}},
	{"8 paid", []any{sent("1", 100, priced(80)), paid(80, "K1")}, []string{"A1 0 F 80.00 K1"}},
	{"9 paid, no submission", []any{paid(80, "K1")}, []string{"I9 0 F 80.00 K1"}},
	{"10 denied, no submission", []any{denied("K1", "50")}, []string{"I9 4 U 0.00 K1"}},
	{"10 its submission came", []any{denied("K1", "50"), sent("1", 100)}, []string{"A1 4 D 0.00 K1"}},
	{"13 two equal ones in one set", []any{sent("1", 100), paid(40, "K1"), paid(40, "K1", second)}, []string{"A1 0 F 80.00 K1"}},
	{"15 corrected under the same check", []any{sent("1", 100), paid(80, "K1"), paid(85, "K1", at(5))}, []string{"A1 0 F 85.00 K1"}},
	{"15 both in one set", []any{sent("1", 100), paid(80, "K1"), paid(85, "K1", sentWith(paid(80, "K1")))}, []string{"A1 0 F 165.00 K1"}},
	{"16 split over checks", []any{sent("1", 100), paid(50, "K1"), paid(30, "K2")}, []string{"A1 0 F 80.00 K2"}},
	{"17 taken back and paid again", []any{sent("1", 100), paid(80, "K1"), paid(-80, "K2"), paid(90, "K2")}, []string{"A1 3 F 90.00 K2"}},
	{"19 taken back afterwards", []any{sent("1", 100), paid(80, "K1"), paid(90, "K2"), paid(-80, "K3")}, []string{"A1 3 F 90.00 K2"}},
	{"20 what it takes back is missing", []any{sent("1", 100), paid(-80, "K2"), paid(90, "K2")}, []string{"A1 3 F 90.00 K2"}},
	{"20 and the next check pays the same again", []any{sent("1", 100), paid(-80, "K2"), paid(80, "K3")}, []string{"A1 3 F 80.00 K3"}},
	{"20 and its own check pays the same again", []any{sent("1", 100), paid(-80, "K2"), paid(80, "K2")}, []string{"A1 3 F 80.00 K2"}},
	{"20 and taken back from that check later", []any{
		sent("1", 100), paid(-80, "K2"), paid(80, "K2"), paid(-80, "K3"), paid(90, "K3"),
	}, []string{"A1 3 F 90.00 K3"}},
	{"20 two that are missing, both paid the same again", []any{
		sent("1", 100), paid(-50, "K2"), paid(50, "K2"), paid(-30, "K2", sentWith(paid(-50, "K2"))),
		paid(30, "K2", sentWith(paid(50, "K2"))),
	}, []string{"A1 3 F 80.00 K2"}},
	{"20 one of two is missing, both paid the same again", []any{
		sent("1", 100), paid(50, "K1"), paid(-50, "K2"), paid(50, "K2"), paid(-30, "K2", sentWith(paid(-50, "K2"))),
		paid(30, "K2", sentWith(paid(50, "K2"))),
	}, []string{"A1 3 F 80.00 K2"}},
	{"17 taken back and paid again by a check without a date", []any{
		sent("1", 100), paid(80, "K1"), paid(-80, "K2", undated), paid(90, "K2", undated),
	}, []string{"A1 3 F 90.00 K2"}},
	{"22 taken back in part by a check without a date", []any{sent("1", 100), paid(80, "K1"), paid(-30, "K2", undated)},
		[]string{"A1 3 F 50.00 K1"}},
	{"22 two payments taken back by one reversal of a check without a date", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3", undated),
	}, []string{"A1 3 R 0.00 K3"}},
	{"21 taken back in the check that paid, and paid again", []any{
		sent("1", 100), paid(80, "K2"), paid(-80, "K2"), paid(90, "K2", sentWith(paid(80, "K2"))),
	}, []string{"A1 3 F 90.00 K2"}},
	{"20 a denial that is missing, then denied", []any{sent("1", 100), paid(0, "K2", status("22")), denied("K3", "50")},
		[]string{"A1 4 D 0.00 K3"}},
	{"20 a denial that is missing, denied in its check", []any{sent("1", 100), paid(0, "K2", status("22")), denied("K2", "50")},
		[]string{"A1 4 D 0.00 K2"}},
	{"21 taken back", []any{sent("1", 100), paid(80, "K1"), paid(-80, "K2")}, []string{"A1 3 R 0.00 K2"}},
	{"22 taken back in part", []any{sent("1", 100), paid(80, "K1"), paid(-30, "K2")}, []string{"A1 3 F 50.00 K1"}},
	{"22 two payments taken back by one reversal", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3")},
		[]string{"A1 3 R 0.00 K3"}},
	{"22 one payment taken back by two reversals", []any{sent("1", 100, priced(100)), paid(100, "K1"), paid(-60, "K2"), paid(-40, "K3")},
		[]string{"A1 3 R 0.00 K3"}},
	{"22 one payment taken back by two reversals, paid again", []any{
		sent("1", 100, priced(100)), paid(100, "K1"), paid(-60, "K2"), paid(-40, "K3"), paid(90, "K4"),
	}, []string{"A1 3 S 90.00 K4"}},
	{"22 two payments taken back by one reversal, paid again in its check", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3"), paid(90, "K3"),
	}, []string{"A1 3 S 90.00 K3"}},
	{"22 and paid again on that day by another check", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3"), paid(90, "K4", paidOn("K3")),
	}, []string{"A1 3 S 90.00 K4"}},
	{"22 one payment taken back by two reversals of the check that pays again", []any{
		sent("1", 100, priced(100)), paid(100, "K1"), paid(-60, "K2"), paid(-40, "K2", sentWith(paid(-60, "K2"))), paid(90, "K2"),
	}, []string{"A1 3 S 90.00 K2"}},
	{"22 one payment taken back by two checks, the second of which pays again", []any{
		sent("1", 100, priced(100)), paid(100, "K1"), paid(-60, "K2"), paid(-40, "K3"), paid(90, "K3"),
	}, []string{"A1 3 S 90.00 K3"}},
	{"22 more taken back than paid, paid again in its check", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2"), paid(30, "K2"),
	}, []string{"A1 3 S 90.00 K2"}},
	{"22 two payments taken back by one reversal, the same total paid in its check", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3"), paid(100, "K3"),
	}, []string{"A1 3 F 100.00 K3"}},
	{"22 one payment taken back by two reversals of a check that pays one of their amounts", []any{
		sent("1", 100, priced(100)), paid(100, "K1"), paid(-60, "K2"), paid(-40, "K2", sentWith(paid(-60, "K2"))), paid(60, "K2"),
	}, []string{"A1 3 S 60.00 K2"}},
	{"22 a part of one payment taken back by two reversals of a check", []any{
		sent("1", 100, priced(100)), paid(100, "K1"), paid(-25, "K2"), paid(-50, "K2", sentWith(paid(-25, "K2"))),
	}, []string{"A1 3 S 25.00 K1"}},
	{"22 more taken back than paid, then paid", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2"), paid(40, "K3")},
		[]string{"A1 3 S 0.00 K3"}},
	{"22 more taken back than paid", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2")}, []string{"A1 3 R 0.00 K2"}},
	{"22 more taken back than paid, without an allowance", []any{sent("1", 100), paid(60, "K1"), paid(-100, "K2")},
		[]string{"A1 3 R 0.00 K2"}},
	{"22 more taken back than paid, by two reversals", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(-50, "K2"), paid(-40, "K3")},
		[]string{"A1 3 R 0.00 K3"}},
	{"22 more taken back than two payments", []any{sent("1", 100, priced(100)), paid(20, "K1"), paid(40, "K2"), paid(-100, "K3")},
		[]string{"A1 3 R 0.00 K3"}},
	{"22 more taken back than paid, then paid less", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2"), paid(30, "K3")},
		[]string{"A1 3 S 0.00 K3"}},
	{"22 more taken back than paid, then paid, without an allowance", []any{
		sent("1", 100), paid(60, "K1"), paid(-100, "K2"), paid(40, "K3"),
	}, []string{"A1 3 R 0.00 K3"}},
	{"22 more taken back than paid, then paid more", []any{sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2"), paid(90, "K3")},
		[]string{"A1 3 S 50.00 K3"}},
	{"22 more taken back than paid, another payer's stays", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(-100, "K2"), paid(30, "K3", payer("1888"), icn("J1")),
	}, []string{"A1 3 S 30.00 K3"}},
	{"22 one claim taken back, another payer's stays", []any{
		sent("1", 100, priced(100)), paid(60, "K1"), paid(40, "K2"), paid(-100, "K3"), paid(30, "K4", payer("1888"), icn("J1")),
	}, []string{"A1 3 S 30.00 K4"}},
	{"23 taken back, then denied", []any{sent("1", 100), paid(80, "K1"), paid(-80, "K2"), denied("K3", "50")}, []string{"A1 4 D 0.00 K3"}},
	{"24 denied, then paid", []any{sent("1", 100), denied("K1", "50"), paid(80, "K2")}, []string{"A1 0 F 80.00 K2"}},
	{"25 a denial taken back", []any{sent("1", 100), denied("K1", "50"), paid(0, "K2", status("22")), paid(80, "K3")},
		[]string{"A1 3 F 80.00 K3"}},
	{"25 taken back and paid the same again, now without a deductible", []any{
		sent("1", 100, priced(90)), paid(60, "K1", patients(30)), paid(-60, "K2", patients(-30)), paid(60, "K2"),
	}, []string{"A1 3 S 60.00 K2"}},
	{"25 and taken back once more", []any{
		sent("1", 100, priced(90)), paid(60, "K1"), paid(-60, "K2"), paid(60, "K2"), paid(-60, "K3"), paid(90, "K3"),
	}, []string{"A1 3 F 90.00 K3"}},
	{"25 paid the same again on that day by another check", []any{sent("1", 100, priced(90)), paid(60, "K1"), paid(-60, "K2"),
		paid(60, "K3", paidOn("K2"))}, []string{"A1 3 S 60.00 K3"}},
	{"25 a deductible taken back and denied in one check", []any{
		sent("1", 100, priced(90)), paid(0, "K1", patients(80), reason("PR", "1")), paid(0, "K2", status("22")), denied("K2", "197"),
	}, []string{"A1 4 D 0.00 K2"}},
	{"25 a denial taken back for a deductible in one check", []any{
		sent("1", 100, priced(80)), denied("K1", "50"), paid(0, "K2", status("22")), paid(0, "K2", patients(80), reason("PR", "1")),
	}, []string{"A1 0 F 0.00 K2"}},
	{"25 a denial taken back and denied for another reason", []any{
		sent("1", 100, priced(80)), denied("K1", "16"), paid(0, "K2", status("22")), denied("K2", "197"),
	}, []string{"A1 4 D 0.00 K2"}},
	{"26 a duplicate refused", []any{sent("1", 100), paid(80, "K1"), denied("K2", "18")}, []string{"A1 0 F 80.00 K1"}},
	{"27 denied after it was paid", []any{sent("1", 100), paid(80, "K1"), denied("K2", "50")}, []string{"A1 0 F 80.00 K1"}},
	{"28 only the duplicate refused", []any{sent("1", 100), denied("K1", "B13")}, []string{"A1 4 D 0.00 K1"}},
	{"29 all of it the patient's", []any{sent("1", 100, priced(80)), paid(0, "K1", patients(80), reason("PR", "1"))},
		[]string{"A1 0 F 0.00 K1"}},
	{"30 refused as processed", []any{sent("1", 100), paid(0, "K1", reason("CO", "96"))}, []string{"A1 4 D 0.00 K1"}},
	{"31 a second payer", []any{sent("1", 100), paid(60, "K1"), paid(20, "K2", status("2"), payer("1888"), icn("J1"))},
		[]string{"A1 0 F 80.00 K2"}},
	{"32 paid by the other payer", []any{sent("1", 100), paid(0, "K1", status("2"), reason("OA", "23"))}, []string{"A1 0 F 0.00 K1"}},
	{"33 forwarded, and notices", []any{sent("1", 100), paid(80, "K1", status("19")), paid(0, "K2", status("23")),
		paid(0, "K3", status("25"))}, []string{"A1 0 F 80.00 K1"}},
	{"34 a claimReversed with positive amounts", []any{sent("1", 100), paid(80, "K1"), paid(80, "K2", status("22"))},
		[]string{"A1 3 R 0.00 K2"}},
	{"34 and paid again", []any{sent("1", 100), paid(80, "K1"), paid(80, "K2", status("22")), paid(90, "K2")}, []string{"A1 3 F 90.00 K2"}},
	{"34 a part of it", []any{sent("1", 100), paid(80, "K1"), paid(30, "K2", status("22"))}, []string{"A1 3 F 50.00 K1"}},
	{"37 replaced under another number", []any{sent("1", 100, own("N1")), sent("7", 130, own("N2"), ref("N1"), at(2))},
		[]string{"N1 9 V - -", "N2 1 N - -"}},
	{"37 the same by the payer's number", []any{sent("1", 100), paid(80, "K1"), sent("7", 130, own("N2"), ref("I9"), at(2))},
		[]string{"A1 9 V 80.00 K1", "N2 1 N - -"}},
	{"37 void by the payer's number, of the same charge", []any{sent("1", 100), paid(80, "K1"),
		sent("8", 100, own("N2"), ref("I9"), at(2))}, []string{"N2 9 V 80.00 K1"}},
	{"38 and paid", []any{
		sent("1", 100, own("N1")), sent("7", 130, own("N2"), ref("N1"), at(2)), paid(80, "K1"), paid(-80, "K2"),
		paid(110, "K2", charged(130)),
	}, []string{"N1 9 V 0.00 K2", "N2 0 F 110.00 K2"}},
	{"39 replaced by the payer's number", []any{sent("1", 100), paid(80, "K1"), sent("7", 130, ref("I9"), at(2))},
		[]string{"A1 0 F 80.00 K1"}},
	{"40 a replacement of nothing known", []any{sent("7", 130, ref("X7"))}, []string{"X7 1 N - -"}},
	{"41 replaced without a number", []any{sent("1", 100), sent("7", 130, at(2))}, []string{"A1 1 N - -"}},
	{"42 and two that it may mean", []any{sent("1", 100), sent("1", 200), sent("7", 130, at(2))},
		[]string{"A1 1 N - -", "A1 1 N - -", "A1 1 N - -"}},
	{"43 void, then the original again", []any{sent("1", 100, own("N3")), sent("8", 100, ref("N3"), at(2)),
		sent("1", 100, own("N3"), clearing("D9"), at(3))}, []string{"N3 9 V - -"}},
	{"44 void by the payer's number", []any{sent("1", 100), paid(80, "K1"), sent("8", 100, ref("I9"), at(2))}, []string{"A1 9 V 80.00 K1"}},
	{"45 replaced after it was void", []any{sent("1", 100), sent("8", 100, at(2)), sent("7", 120, at(3))}, []string{"A1 1 N - -"}},
	{"46 replaced twice", []any{sent("1", 100), sent("7", 120, at(3), priced(70)), sent("7", 130, at(2))}, []string{"A1 2 P - -"}},
	{"47 two bills, one number", []any{sent("1", 150), sent("1", 300)}, []string{"A1 1 N - -", "A1 1 N - -"}},
	{"48 paid by the charge", []any{sent("1", 150), sent("1", 300), paid(120, "K1", charged(300))},
		[]string{"A1 0 F 120.00 K1", "A1 1 N - -"}},
	{"49 paid, and two that it may mean", []any{sent("1", 150), sent("1", 300), paid(100, "K1", charged(200))},
		[]string{"A1 1 N - -", "A1 1 N - -", "I9 0 F 100.00 K1"}},
	{"50 interim bills", []any{
		sent("2", 100, own("N1")), sent("3", 100, own("N1"), on("2026-02-01")), sent("4", 100, own("N1"), on("2026-03-01")),
	}, []string{"N1 1 N - -", "N1 1 N - -", "N1 1 N - -"}},
	{"51 late charges", []any{sent("1", 1000), sent("5", 50, at(2))}, []string{"A1 1 N - -", "A1 1 N - -"}},
	{"53 patients under one number", []any{paid(10, "K1", name("Ada", "Brook")), paid(20, "K1", name("Bea", "Cole")),
		paid(30, "K1", name("Cy", "Dunn"))},
		[]string{"I9 0 F 10.00 K1", "I9 0 F 20.00 K1", "I9 0 F 30.00 K1"}},
	{"54 names spelt two ways", []any{sent("1", 100, name("Robert", "O'Brien")), paid(80, "K1", name("ROB", "OBRIEN JR"))},
		[]string{"A1 0 F 80.00 K1"}},
	{"55 another name", []any{sent("1", 100, name("Robert", "O'Brien")), paid(80, "K1", name("Bob", "O'Brien"))},
		[]string{"A1 1 N - -", "I9 0 F 80.00 K1"}},
	{"55 another name, the network's number", []any{sent("1", 100, own("N1"), name("Robert", "O'Brien")),
		paid(80, "K1", own("N1"), name("Bob", "O'Brien"))}, []string{"N1 0 F 80.00 K1"}},
	{"split claim, each part with a patient responsibility", []any{
		sent("1", 400, priced(360)), paid(190, "K1", charged(250), icn("I1"), patients(30)),
		paid(110, "K1", charged(150), icn("I2"), patients(30)),
	}, []string{"A1 0 F 300.00 K1"}},
	{"split claim, equal parts", []any{
		sent("1", 200, priced(180)), paid(70, "K1", charged(100), icn("I1"), patients(20)),
		paid(70, "K1", charged(100), icn("I2"), patients(20)),
	}, []string{"A1 0 F 140.00 K1"}},
	{"split claim, one part all the patient's", []any{
		sent("1", 400, priced(360)), paid(210, "K1", charged(250), icn("I1")),
		paid(0, "K1", charged(150), icn("I2"), patients(150), reason("PR", "1")),
	}, []string{"A1 0 F 210.00 K1"}},
	{"split claim, a part is still short", []any{
		sent("1", 400, priced(360)), paid(190, "K1", charged(250), icn("I1"), patients(30)),
		paid(100, "K1", charged(150), icn("I2"), patients(30)),
	}, []string{"A1 0 S 290.00 K1"}},
	{"split claim, a part reversed and paid again", []any{
		sent("1", 400, priced(360)), paid(190, "K1", charged(250), icn("I1"), patients(30)),
		paid(110, "K1", charged(150), icn("I2"), patients(30)),
		paid(-110, "K2", charged(-150), icn("I2"), patients(-30)), paid(120, "K2", charged(150), icn("I2"), patients(20)),
	}, []string{"A1 3 F 310.00 K2"}},
	{"a second payer answers the same charge", []any{
		sent("1", 100, priced(90)), paid(60, "K1", patients(30)), paid(10, "K2", status("2"), payer("1888"), icn("J1"), patients(10)),
	}, []string{"A1 0 S 70.00 K2"}},
	{"a second payer answers all parts of a split claim at once", []any{
		sent("1", 400, priced(360)), paid(190, "K1", charged(250), icn("I1"), patients(30)),
		paid(110, "K1", charged(150), icn("I2"), patients(30)),
		paid(50, "K2", status("2"), payer("1888"), icn("J1"), charged(400), patients(10)),
	}, []string{"A1 0 F 350.00 K2"}},
	{"hospital paid by line dates", []any{sent("1", 2000, stay("2026-01-01", "2026-01-04")),
		paid(1600, "K1", charged(2000), stay("2026-01-02", "2026-01-03"))}, []string{"A1 0 F 1600.00 K1"}},
	{"paid by dates of another visit", []any{sent("1", 100), paid(80, "K1", on("2026-01-09"))}, []string{"A1 1 N - -", "I9 0 F 80.00 K1"}},
	{"split by date", []any{
		sent("1", 400, priced(360), stay("2026-01-05", "2026-01-07"), line("97110", 250, "2026-01-05"), line("97140", 150, "2026-01-07")),
		paid(190, "K1", charged(250), icn("I1"), patients(30), line("97110", 250, "2026-01-05")),
		paid(110, "K1", charged(150), icn("I2"), patients(30), on("2026-01-07"), line("97140", 150, "2026-01-07")),
	}, []string{"A1 0 F 300.00 K1"}},
	{"a part whose line the bill has not", []any{
		sent("1", 400, stay("2026-01-05", "2026-01-07"), line("97110", 250, "2026-01-05"), line("97140", 150, "2026-01-07")),
		paid(110, "K1", charged(150), on("2026-01-06"), line("99213", 150, "2026-01-06")),
	}, []string{"A1 1 N - -", "I9 0 F 110.00 K1"}},
	{"account number cut", []any{sent("1", 100, account("LKSD-2026-0000-123456-ABCDEF")), paid(80, "K1", account("LKSD-2026-0000-12345"))},
		[]string{"LKSD-2026-0000-123456-ABCDEF 0 F 80.00 K1"}},
	{"account number without its zeros and hyphens", []any{sent("1", 100, account("000-4711")), paid(80, "K1", account("4711"))},
		[]string{"000-4711 0 F 80.00 K1"}},
	{"account number cut, of two bills", []any{
		sent("1", 100, account("LKSD-2026-0000-1234567")), sent("1", 100, account("LKSD-2026-0000-1234568")),
		paid(80, "K1", account("LKSD-2026-0000-12345")),
	}, []string{"I9 0 F 80.00 K1", "LKSD-2026-0000-1234567 1 N - -", "LKSD-2026-0000-1234568 1 N - -"}},
	{"account number cut, another charge", []any{sent("1", 110, account("LKSD-2026-0000-1234567")),
		paid(80, "K1", account("LKSD-2026-0000-12345"))},
		[]string{"I9 0 F 80.00 K1", "LKSD-2026-0000-1234567 1 N - -"}},
	{"one account on every day", []any{
		sent("1", 100), sent("1", 100, on("2026-01-12")), sent("1", 100, on("2026-01-19")), paid(80, "K1", on("2026-01-12")),
		paid(70, "K2", icn("I8"), on("2026-01-19")),
	}, []string{"A1 0 F 70.00 K2", "A1 0 F 80.00 K1", "A1 1 N - -"}},
	{"two bills of a visit told apart by their lines", []any{
		sent("1", 100, own("N1"), line("99213", 100, "2026-01-05")), sent("1", 100, own("N2"), line("20610", 100, "2026-01-05")),
		paid(80, "K1", line("20610", 100, "2026-01-05")),
	}, []string{"N1 1 N - -", "N2 0 F 80.00 K1"}},
	{"56 siblings in rows of one number, without birth dates", []any{
		sent("1", 100, row, own("N1"), name("Ada", "Brook"), born("")),
		sent("1", 100, row, own("N1"), name("Cy", "Brook"), born(""), at(2)),
	}, []string{"N1 1 N - -", "N1 1 N - -"}},
	{"56 a row with the corrected name", []any{
		sent("1", 100, row, own("N1"), name("Ada", "Brook"), born("1970-01-01")),
		sent("1", 100, row, own("N1"), name("Ada", "Rivers"), born("1970-01-01"), at(2)),
	}, []string{"N1 1 N - -"}},
	{"56 patients in rows of one number", []any{
		sent("1", 100, row, own("N1"), name("Ada", "Brook")), sent("1", 200, row, own("N1"), name("Cy", "Dunn"), born("1970-01-01"), at(2)),
		sent("1", 300, row, own("N1"), name("Ada", "Brook"), priced(90), at(3)), paid(90, "K1", own("N1")),
	}, []string{"N1 0 F 90.00 K1", "N1 1 N - -"}},
	{"56 and a claim that could be of both", []any{
		sent("1", 100, own("N1"), name("Ada", "Brook"), born("")),
		sent("1", 100, row, own("N1"), name("Ada", "Brook"), at(2)),
		sent("1", 100, row, own("N1"), name("Cy", "Brook"), born("1970-01-01"), at(3)),
	}, []string{"N1 1 N - -", "N1 1 N - -"}},
	{"56 a row that corrects the name", []any{
		sent("1", 100, row, own("N1"), name("Bob", "Brook")), sent("1", 200, row, own("N1"), name("Robert", "Brook"), priced(90), at(2)),
	}, []string{"N1 2 P - -"}},
	{"a row paid in full", []any{sent("1", 100, priced(90), rowPaid("0", 90))}, []string{"A1 0 F 90.00 "}},
	{"a row paid without an allowance", []any{sent("1", 100, rowPaid("0", 50))}, []string{"A1 0 F 50.00 "}},
	{"a row paid below the allowance", []any{sent("1", 100, priced(90), rowPaid("0", 50))}, []string{"A1 0 S 50.00 "}},
	{"a row paid below the allowance after a correction", []any{sent("1", 100, priced(90), rowPaid("3", 50))},
		[]string{"A1 3 S 50.00 "}},
	{"a row with everything reversed", []any{sent("1", 100, priced(90), rowPaid("3", 0))}, []string{"A1 3 R 0.00 "}},
	{"a row paid with an unknown amount", []any{sent("1", 100, priced(90), rowStatus("0"))}, []string{"A1 0 F - -"}},
	{"a row paid after a correction with an unknown amount", []any{sent("1", 100, rowStatus("3"))}, []string{"A1 3 F - -"}},
	{"a priced row with $0 paid", []any{sent("1", 100, priced(90), rowPaid("2", 0))}, []string{"A1 2 P - -"}},
	{"a received row with $0 paid", []any{sent("1", 100, rowPaid("1", 0))}, []string{"A1 1 N - -"}},
	{"a denied row with $0 paid", []any{sent("1", 100, priced(90), rowPaid("4", 0))}, []string{"A1 4 D 0.00 "}},
	{"a row paid below the allowance, and its payment", []any{
		sent("1", 100, priced(90), rowPaid("0", 50), own("N1")), paid(90, "K1", own("N1")),
	}, []string{"N1 0 F 90.00 K1"}},
	{"paid without a date", []any{sent("1", 100), paid(80, "K1", on(""))}, []string{"A1 0 F 80.00 K1"}},
}

func newGroup(list ...any) matching.BillGroup {
	var all matching.BillGroup
	for _, f := range list {
		switch f := f.(type) {
		case facts.Submission:
			all.Submissions = append(all.Submissions, &f)
		case facts.Payment:
			all.Payments = append(all.Payments, &f)
		}
	}
	return all
}

func TestConclusions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			for range 20 {
				all := slices.Clone(test.facts)
				random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				var got []string
				for _, f := range matching.SplitGroups(newGroup(all...), nil) {
					for _, c := range deriveBills(f) {
						got = append(got, describeBill(c))
					}
				}
				slices.Sort(got)
				want := slices.Sorted(slices.Values(test.want))
				require.Equalf(t, want, got, "got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}

// deriveBills derives the bills of a group with service lines loaded, and explainBills
// explains them.
func deriveBills(f matching.BillGroup) []derive.DerivedBill {
	list, _ := derive.Bills(f)
	return list
}

func explainBills(f matching.BillGroup) []derive.Explanation {
	list, _ := derive.Explain(f)
	return list
}

func describeBill(c derive.DerivedBill) string {
	b := c.Bill
	amount, check := "-", "-"
	if b.PaidAmount != nil {
		amount, check = fmt.Sprintf("%d.%02d", *b.PaidAmount/100, *b.PaidAmount%100), b.CheckNumber
	}
	return fmt.Sprint(c.Number, " ", b.BillStatus, " ", b.OpenState, " ", amount, " ", check)
}

// A bill known only from its payments has the fields of the last one that isn't a reversal.
func TestBillsOfPayments(t *testing.T) {
	for name, test := range map[string]struct {
		payments []any
		shown    any // the payment that describes the bill
	}{
		"paid, and a part reversed": {[]any{paid(150, "K1", charged(180)), paid(-30, "K2", charged(-180))}, paid(150, "K1", charged(180))},
		"paid again":                {[]any{paid(80, "K1"), paid(-80, "K2"), paid(90, "K2")}, paid(90, "K2")},
		"only reversed":             {[]any{paid(-80, "K2")}, paid(-80, "K2")},
	} {
		list := deriveBills(newGroup(test.payments...))
		if shown := test.shown.(facts.Payment); len(list) != 1 || list[0].Bill.Fact != shown.Fact ||
			list[0].Bill.BillCharges != facts.Magnitude(shown.Charge) {
			t.Errorf("%s: %+v, want payment %s", name, list, shown.Fact)
		}
	}
}
