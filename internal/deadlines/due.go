package deadlines

import (
	"cmp"
	"slices"
	"time"

	"wcpp/internal/platform/date"
)

// What a rule sets a time for.
const (
	PayerAnswer      = "PAYER_ANSWER"      // the payer's time to answer a bill
	PayerPay         = "PAYER_PAY"         // the payer's time to pay it
	FollowUpFrom     = "FOLLOW_UP_FROM"    // from this day on an office may press an unpaid bill
	OfficeReconsider = "OFFICE_RECONSIDER" // the office's time to ask the payer again
	PayerReconsider  = "PAYER_RECONSIDER"  // the payer's time to answer that
	OfficeDispute    = "OFFICE_DISPUTE"    // the office's time to go to whoever decides
	Interest         = "INTEREST"          // from this day on interest could be due
)

// The days that times are counted from.
const (
	OfService    = "SERVICE"        // the first day of service
	OfReceipt    = "RECEIVED"       // when the network received the bill
	OfPayer      = "PAYER_RECEIVED" // when the payer did
	OfEOR        = "EOR_AVAILABLE"  // when the payer's decision could be read
	OfEOROpening = "EOR_OPENED"     // when the office first read it: not known yet
	OfPayment    = "PAID"
	OfCase       = "CASE_SENT" // when the office asked again: not known yet
)

// Units of times.
const (
	Days         = "DAYS"
	BusinessDays = "BUSINESS_DAYS"
	Months       = "MONTHS"
)

// Lines of business that rules hold for.
const (
	WorkersCompensation = "WC"
	Auto                = "AUTO"
)

// Conditions of rules. Which of them a bill meets cannot be known from what the
// network receives, so that each is told beside the others; but a contract's rule
// stands in place of the state's.
const (
	Electronic = "ELECTRONIC"  // sent electronically
	Paper      = "PAPER"       // sent on paper
	Public     = "PUBLIC"      // to a public employer
	NonNetwork = "NON_NETWORK" // outside of a certified network
	Contract   = "CONTRACT"    // by the network's contract
)

// The lists of what a rule can be.
var (
	Kinds      = []string{PayerAnswer, PayerPay, FollowUpFrom, OfficeReconsider, PayerReconsider, OfficeDispute, Interest}
	Bases      = []string{OfService, OfReceipt, OfPayer, OfEOR, OfEOROpening, OfPayment, OfCase}
	Units      = []string{Days, BusinessDays, Months}
	Lines      = []string{WorkersCompensation, Auto}
	Conditions = []string{Electronic, Paper, Public, NonNetwork, Contract}
)

// Facts are what of a bill tells its deadlines.
type Facts struct {
	State         string // of jurisdiction
	StateGiven    bool   // it was told; else it is assumed from addresses, and sets no deadline
	Line          string // WorkersCompensation, Auto; empty: not known
	Service       date.Date
	Received      date.Date
	ReceivedSure  bool // it is the repricer's own date, not only that of the file
	FirstSeen     date.Date
	PayerReceived date.Date
	Paid          date.Date // when it was answered or paid last
}

// Basis is the day that a deadline is counted from.
type Basis struct {
	On   date.Date
	From string // one of the sources below
	// About tells that the day stands for another, which is not known.
	About bool
}

// Where the day of a basis comes from.
const (
	FromBill     = "bill"     // the bill's service
	FromRepricer = "repricer" // the day of receipt that the repricer tells
	FromFile     = "file"     // the day of the file that brought the bill
	FromSeen     = "seen"     // the day on which the bill was first here
	FromPayer    = "payer"    // the day of receipt that the payer tells
	FromPayment  = "payment"  // the day of the payment or denial
)

// basis finds the day that a rule counts from; without a day where it is not known.
func (f Facts) basis(of string) Basis {
	switch of {
	case OfService:
		return Basis{On: f.Service, From: FromBill}
	case OfPayer:
		if f.PayerReceived != "" {
			return Basis{On: f.PayerReceived, From: FromPayer}
		}
		b := f.received()
		b.About = true
		return b
	case OfReceipt:
		return f.received()
	case OfEOR: // the payment tells of it at the latest
		return Basis{f.Paid, FromPayment, true}
	case OfPayment:
		return Basis{On: f.Paid, From: FromPayment}
	}
	return Basis{}
}

func (f Facts) received() Basis {
	switch {
	case f.Received != "" && f.ReceivedSure:
		return Basis{On: f.Received, From: FromRepricer}
	case f.Received != "":
		return Basis{f.Received, FromFile, true}
	}
	return Basis{f.FirstSeen, FromSeen, true}
}

// Due is the last day of the time that a rule sets for a bill, of FollowUpFrom and
// Interest the first day, and the day that it is counted from; not ok where the rule
// sets none. It goes by its arguments alone.
func Due(r Rule, f Facts, c *Calendar) (on date.Date, b Basis, ok bool) {
	if !f.StateGiven || r.State != f.State || r.Line != f.Line {
		return "", Basis{}, false
	}
	if f.Service > f.FirstSeen && f.FirstSeen != "" { // a day to come, when the bill came
		return "", Basis{}, false
	}
	b = f.basis(r.Basis)
	if b.On == "" || b.On < r.Effective || r.Ended != "" && b.On > r.Ended {
		return "", Basis{}, false
	}
	switch r.Unit {
	case BusinessDays:
		on = c.businessDaysAfter(r.State, b.On, r.Amount)
	case Months:
		on = monthsAfter(b.On, r.Amount)
	default:
		on = b.On.AddDays(r.Amount)
	}
	if r.NextWorkday {
		on = c.workdayFrom(r.State, on)
	}
	return on, b, true
}

// monthsAfter is the same day of a later month, or its last day where it is shorter.
func monthsAfter(d date.Date, months int) date.Date {
	year, month, day := d.Time().Date()
	last := date.New(year, month+time.Month(months)+1, 0)
	return min(date.New(year, month+time.Month(months), day), last)
}

// Deadline is what one rule sets for a bill.
type Deadline struct {
	Rule  Rule
	On    date.Date
	Basis Basis
}

// Deadlines are what rules set for a bill, in the order of kinds and days. Of a kind
// that the network's contract has a rule for, only that is told.
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

// Stage is whose turn it is with a bill.
type Stage string

// The stages of bills.
const (
	ForPayer  Stage = "PAYER"  // the bill waits for the payer's answer
	ForOffice Stage = "OFFICE" // the office may not agree with the answer
	Over      Stage = ""       // nothing is left to do
)

// awaited are the kinds of times that matter at a stage.
var awaited = map[Stage][]string{ForPayer: {PayerAnswer, PayerPay}, ForOffice: {OfficeReconsider, OfficeDispute}}

// Next is the deadline that comes first for a bill, passed or not; none where no rule
// sets one. Which of several conditions a bill meets is not known: of each kind the
// latest counts, so that none is called passed too early.
func Next(rules []Rule, f Facts, c *Calendar, s Stage) date.Date {
	latest := map[string]date.Date{}
	for _, d := range Deadlines(rules, f, c) {
		latest[d.Rule.Kind] = d.On // the last of its kind
	}
	var first date.Date
	for _, kind := range awaited[s] {
		if on := latest[kind]; on != "" && (first == "" || on < first) {
			first = on
		}
	}
	return first
}

// LineOf is the line of business of a bill by what it was filed as.
func LineOf(filing string) string {
	switch filing {
	case "WC":
		return WorkersCompensation
	case "AM":
		return Auto
	}
	return ""
}
