package deadlines

import (
	"cmp"
	"slices"
	"time"

	"wcpp/internal/platform/date"
)

// Kinds of deadlines.
const (
	PayerAnswer      = "PAYER_ANSWER"      // payer response due
	PayerPay         = "PAYER_PAY"         // payment due
	FollowUpFrom     = "FOLLOW_UP_FROM"    // first day when an office can follow up on an unpaid bill
	OfficeReconsider = "OFFICE_RECONSIDER" // the office's deadline to request reconsideration
	PayerReconsider  = "PAYER_RECONSIDER"  // reconsideration response due
	OfficeDispute    = "OFFICE_DISPUTE"    // the office's deadline to dispute
	Interest         = "INTEREST"          // first day when interest could be due
	ComplaintAck     = "COMPLAINT_ACK"     // the network's acknowledgment of a complaint due
	ComplaintResolve = "COMPLAINT_RESOLVE" // the network's resolution of a complaint due
)

// Days that deadlines are calculated from.
const (
	BasisService       = "SERVICE"        // first day of service
	BasisReceived      = "RECEIVED"       // when the network received the bill or complaint
	BasisPayerReceived = "PAYER_RECEIVED" // when the payer received it
	BasisEORAvailable  = "EOR_AVAILABLE"  // when the EOR became available
	BasisEOROpened     = "EOR_OPENED"     // when the office first opened the EOR: not recorded yet
	OfPayment          = "PAID"
	BasisCaseSent      = "CASE_SENT" // when the office requested reconsideration: not recorded yet
)

// Units of periods.
const (
	Days         = "DAYS"
	BusinessDays = "BUSINESS_DAYS"
	Months       = "MONTHS"
)

// Lines of business that rules apply to.
const (
	WorkersCompensation = "WC"
	Auto                = "AUTO"
)

// Conditions of rules. The network's data doesn't show which of them a bill meets, so the portal
// lists them all. But a contract rule replaces the state's rule.
const (
	Electronic = "ELECTRONIC"  // sent electronically
	Paper      = "PAPER"       // sent on paper
	Public     = "PUBLIC"      // to a public employer
	NonNetwork = "NON_NETWORK" // outside a certified network
	Contract   = "CONTRACT"    // under the network's contract
)

// Allowed values for the terms of a rule.
var (
	Kinds = []string{PayerAnswer, PayerPay, FollowUpFrom, OfficeReconsider, PayerReconsider, OfficeDispute, Interest, ComplaintAck,
		ComplaintResolve}
	Bases      = []string{BasisService, BasisReceived, BasisPayerReceived, BasisEORAvailable, BasisEOROpened, OfPayment, BasisCaseSent}
	Units      = []string{Days, BusinessDays, Months}
	Lines      = []string{WorkersCompensation, Auto}
	Conditions = []string{Electronic, Paper, Public, NonNetwork, Contract}
)

// Facts are the facts about a bill that determine its deadlines.
type Facts struct {
	State         string // rulesFor jurisdiction
	StateGiven    bool   // stated in the file; otherwise inferred from addresses, and not used for deadlines
	Line          string // WorkersCompensation or Auto; empty: unknown
	Service       date.Date
	Received      date.Date
	ReceivedSure  bool // the repricer's own date, not just the file date
	FirstSeen     date.Date
	PayerReceived date.Date
	Paid          date.Date // when it was last answered or paid
}

// Sources of a DayBasis.
const (
	FromBill     = "bill"     // the bill's service date
	FromRepricer = "repricer" // date received according to the repricer
	FromFile     = "file"     // date of the file that contained the bill
	FromSeen     = "seen"     // day when the portal first received the bill
	FromPayer    = "payer"    // date received according to the payer
	FromPayment  = "payment"  // date of the payment or denial
)

// basis returns the day that a rule counts from. The day is empty if unknown.
func (f Facts) basis(of string) DayBasis {
	switch of {
	case BasisService:
		return DayBasis{On: f.Service, From: FromBill}
	case BasisPayerReceived:
		if f.PayerReceived != "" {
			return DayBasis{On: f.PayerReceived, From: FromPayer}
		}
		b := f.receivedBasis()
		b.About = true
		return b
	case BasisReceived:
		return f.receivedBasis()
	case BasisEORAvailable: // available by the payment date at the latest
		return DayBasis{f.Paid, FromPayment, true}
	case OfPayment:
		return DayBasis{On: f.Paid, From: FromPayment}
	}
	return DayBasis{}
}

func (f Facts) receivedBasis() DayBasis {
	switch {
	case f.Received != "" && f.ReceivedSure:
		return DayBasis{On: f.Received, From: FromRepricer}
	case f.Received != "":
		return DayBasis{f.Received, FromFile, true}
	}
	return DayBasis{f.FirstSeen, FromSeen, true}
}

// Due returns a rule's deadline for a bill and its basis. For FollowUpFrom and Interest, the
// date is the first day rather than the last. Ok is false if the rule sets no deadline. The
// result depends only on the arguments.
func Due(r Rule, f Facts, c *Calendar) (on date.Date, b DayBasis, ok bool) {
	if !f.StateGiven || r.State != f.State || r.Line != f.Line {
		return "", DayBasis{}, false
	}
	if f.Service > f.FirstSeen && f.FirstSeen != "" { // the service date was in the future when the bill arrived
		return "", DayBasis{}, false
	}
	b = f.basis(r.Basis)
	if b.On == "" || b.On < r.Effective || r.Ended != "" && b.On > r.Ended {
		return "", DayBasis{}, false
	}
	switch r.Unit {
	case BusinessDays:
		on = c.businessDaysAfter(r.State, b.On, r.Amount)
	case Months:
		on = addMonths(b.On, r.Amount)
	default:
		on = b.On.AddDays(r.Amount)
	}
	if r.NextWorkday {
		on = c.workdayFrom(r.State, on)
	}
	return on, b, true
}

// addMonths returns the same day in a later month, or that month's last day if it is shorter.
func addMonths(d date.Date, months int) date.Date {
	year, month, day := d.Time().Date()
	last := date.New(year, month+time.Month(months)+1, 0)
	return min(date.New(year, month+time.Month(months), day), last)
}

// Deadline is a deadline that one rule sets for a bill.
type Deadline struct {
	Rule  Rule
	On    date.Date
	Basis DayBasis
}

// Deadlines applies rules to a bill and returns the results by kind and day. If the network's
// contract has a rule for a kind, it returns only that rule.
func Deadlines(rules []Rule, f Facts, c *Calendar) []Deadline {
	var list []Deadline
	agreed := map[string]bool{}
	for _, r := range rules {
		if on, b, ok := Due(r, f, c); ok {
			list = append(list, Deadline{r, on, b})
			agreed[r.Kind] = agreed[r.Kind] || r.Condition == Contract
		}
	}
	list = slices.DeleteFunc(list, func(d Deadline) bool { return agreed[d.Rule.Kind] && d.Rule.Condition != Contract })
	slices.SortStableFunc(list, func(a, b Deadline) int {
		return cmp.Or(slices.Index(Kinds, a.Rule.Kind)-slices.Index(Kinds, b.Rule.Kind), cmp.Compare(a.On, b.On))
	})
	return list
}

// Stage is the stage of a bill, which shows who has to act next.
type Stage string

// The stages of bills.
const (
	ForPayer  Stage = "PAYER"  // pending the payer's response
	ForOffice Stage = "OFFICE" // the office can accept or contest the response
	Over      Stage = ""       // nothing left to do
)

// awaited lists the kinds of deadlines that matter at a stage.
var awaited = map[Stage][]string{ForPayer: {PayerAnswer, PayerPay}, ForOffice: {OfficeReconsider, OfficeDispute}}

// Next returns a bill's earliest deadline, passed or not, or none if no rule sets one. We don't
// know which of several conditions a bill meets. So the latest date of each kind counts, to
// avoid calling a deadline passed too early.
func Next(rules []Rule, f Facts, c *Calendar, s Stage) date.Date {
	latest := map[string]date.Date{}
	for _, d := range Deadlines(rules, f, c) {
		latest[d.Rule.Kind] = d.On // the latest of its kind
	}
	var first date.Date
	for _, kind := range awaited[s] {
		if on := latest[kind]; on != "" && (first == "" || on < first) {
			first = on
		}
	}
	return first
}

// LineFromFiling returns a bill's line of business from its claim filing code.
func LineFromFiling(filing string) string {
	switch filing {
	case "WC":
		return WorkersCompensation
	case "AM":
		return Auto
	}
	return ""
}
