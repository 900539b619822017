// Package ledger keeps what files say of bills apart from what is true of them.
// Submissions and payments are facts: stored once, never overwritten by another.
// What a bill shows is concluded from all facts of its family by one pure
// function, so that neither the order in which files come nor how often they come
// changes it.
package ledger

import (
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// The states of a bill. Payment information is offered for the two paid ones.
const (
	StatusPaid          = "0"
	StatusReceived      = "1"
	StatusPriced        = "2"
	StatusPaidCorrected = "3"
	StatusDenied        = "4"
	StatusVoid          = "9"
)

// Where a bill comes from: a submission, or only the payment that tells of it.
const (
	SourceBill    = "bill"
	SourcePayment = "payment"
)

// What is left to do about a bill.
const (
	OpenReceived  = "N" // received, not priced
	OpenPriced    = "P" // priced, no payment
	OpenDenied    = "D"
	OpenShort     = "S" // paid less than the network's allowance
	OpenTakenBack = "R" // taken back and not paid again
	OpenFinished  = "F"
	OpenElsewhere = "X" // others review and pay it: a pricing sheet
	OpenVoid      = "V" // void or replaced
	OpenUnknown   = "U" // known from its payment only, and unpaid
)

// The bases of the date on which a bill was received.
const (
	ReceivedByRepricer = "R" // the repricer's own date
	ReceivedWithFile   = "B" // when the file was made
)

// From where it is known whose law a bill is under.
const (
	StateGiven    = "G" // the file names the state
	StateEmployer = "E" // the employer's address
	StateCare     = "C" // where care was given, or who gave it is
)

// Bill is one bill of a provider. Amounts are cents.
type Bill struct {
	FTIN                 string
	BillControlNumber    string
	DocumentID           string
	PatientControlNumber string
	BillingID            string
	ClaimNumber          string
	PatientFirstName     string
	PatientMiddleName    string
	PatientLastName      string
	PatientBirthDate     date.Date
	PatientGender        string
	BeginServiceDate     date.Date
	EndServiceDate       date.Date
	DateOfInjury         date.Date
	StateOfJurisdiction  string
	StateBasis           string // how that is known; empty: not
	Filing               string // code of the kind of insurance, such as WC
	PhysicianFirstName   string
	PhysicianMiddleName  string
	PhysicianLastName    string
	PhysicianNPI         string
	FacilityName         string
	FacilityNPI          string
	BillType             string // P professional, I institutional
	FrequencyCode        string // 1 original, 7 replacement, 8 void
	BillCharges          int64
	RecommendedAllowance *int64 // none: not priced
	RepricingMethod      string
	BillStatus           string
	PricingSheet         bool
	EOR                  bool
	PayerID              string
	PayerName            string
	PaidAmount           *int64
	PaidDate             date.Date
	CheckNumber          string
	Source               string // SourceBill or SourcePayment
	OpenState            string // what is left to do about it
	ReceivedOn           date.Date
	ReceivedBasis        string
	Reasons              string     // codes of why less was paid than charged, as CO-45, N130 or RX-70, with blanks between
	TakeBackOpen         bool       // a take-back waits, or took a part of what stands
	NextDue              date.Date  // by when something is due under the rules of deadlines
	ReplacedBy           string     // key of the bill that took its place
	Wanted               string     // key of the number it has, or would have if no other bill had it
	Anchor               string     // its oldest fact, by which bills of one number are told apart
	Fact                 string     // the fact in force, whose detail documents show
	FirstSeenAt          db.Instant // when the first of its facts came
}

// Key is the bill control number folded for comparing.
func (b Bill) Key() string { return text.Key(b.BillControlNumber) }

// Standing is where a bill stands, as every list and page says it.
type Standing string

// The standings of bills: those of what is left to do, where a bill that is known from
// its payment only is told by what that says.
const (
	StandsReceived    Standing = OpenReceived
	StandsPriced      Standing = OpenPriced
	StandsDenied      Standing = OpenDenied
	StandsShort       Standing = OpenShort
	StandsTakenBack   Standing = OpenTakenBack
	StandsFinished    Standing = OpenFinished
	StandsElsewhere   Standing = OpenElsewhere
	StandsVoid        Standing = OpenVoid
	StandsNothingPaid Standing = OpenUnknown
)

// Standing is the bill's.
func (b Bill) Standing() Standing {
	if b.OpenState == OpenUnknown {
		switch b.BillStatus {
		case StatusDenied:
			return StandsDenied
		case StatusPaidCorrected:
			return StandsTakenBack
		}
	}
	return Standing(b.OpenState)
}

// StandingSQL is Standing of a row b of bills.
const StandingSQL = `CASE WHEN b.open_state <> '` + OpenUnknown + `' THEN b.open_state WHEN b.bill_status = '` + StatusDenied + `' THEN '` + OpenDenied +
	`' WHEN b.bill_status = '` + StatusPaidCorrected + `' THEN '` + OpenTakenBack + `' ELSE b.open_state END`

// ReversalOpen tells whether something that was paid is taken back and not settled: what
// was paid is then no answer to the allowance.
func (b Bill) ReversalOpen() bool { return b.TakeBackOpen || b.Standing() == StandsTakenBack }

// Difference is the network's allowance less what was paid, where both are known and
// nothing that was taken back is open.
func (b Bill) Difference() *int64 {
	if b.RecommendedAllowance == nil || b.PaidAmount == nil || b.ReversalOpen() {
		return nil
	}
	d := *b.RecommendedAllowance - *b.PaidAmount
	return &d
}

// DifferenceSQL is Difference of a row b of bills; null where there is none.
const DifferenceSQL = `CASE WHEN b.take_back_open OR ` + StandingSQL + ` = '` + OpenTakenBack + `' THEN NULL ELSE b.recommended_allowance - b.paid_amount END`
