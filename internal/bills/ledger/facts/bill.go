// Package facts has the types of what files and staff state about bills, and of what the ledger
// concludes from it. It knows neither tables nor rules of derivation.
package facts

import (
	"wcpp/internal/bills/billstate"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// The statuses of a bill. Payment information is available for the two paid ones.
const (
	StatusPaid          = "0"
	StatusReceived      = "1"
	StatusPriced        = "2"
	StatusPaidCorrected = "3"
	StatusDenied        = "4"
	StatusVoid          = "9"
)

// The source of a bill: a submission, or only a payment.
const (
	SourceBill    = "bill"
	SourcePayment = "payment"
)

// The sources of a bill's received date.
const (
	ReceivedByRepricer = "R" // the repricer's own date
	ReceivedWithFile   = "B" // the date of the file
)

// How we know the state whose law applies to a bill.
const (
	StateGiven    = "G" // the file names the state
	StateEmployer = "E" // the employer's address
	StateCare     = "C" // the place of care, or the provider's address
)

// MaxNumber is the maximum length of a bill number in searches.
const MaxNumber = 22

// Bill is one bill from a provider. Amounts are in cents. Each field is a column of the table bills.
type Bill struct {
	FTIN                 string
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
	StateBasis           string // how the state is known; empty if it isn't
	Filing               string // claim filing indicator code, such as WC
	PhysicianFirstName   string
	PhysicianMiddleName  string
	PhysicianLastName    string
	PhysicianNPI         string
	FacilityName         string
	FacilityNPI          string
	BillType             string // P professional, I institutional
	FrequencyCode        string // 1 original, 7 replacement, 8 void
	BillCharges          int64
	RecommendedAllowance *int64 // nil if not repriced
	RepricingMethod      string
	BillStatus           string
	PricingSheet         bool
	EOR                  bool
	PayerID              string
	PayerName            string
	PaidAmount           *int64
	PaidDate             date.Date
	CheckNumber          string
	ReceivedOn           date.Date
	ReceivedBasis        string

	// Concluded from files; see store.concludedColumns.
	BillControlNumber string
	Source            string          // SourceBill or SourcePayment
	OpenState         billstate.State // what still needs to be done
	Reasons           string          // space-separated codes for paying less than charged, such as CO-45, N130 or RX-70
	TakeBackOpen      bool            // a reversal is waiting, or it reversed part of the payments in force
	NextDue           date.Date       // next due date under the deadline rules
	ReplacedBy        string          // key of the bill that replaced it
	Wanted            string          `db:"wanted_key"` // key of the number it has, or would have if no other bill had it
	Anchor            string          // its oldest fact, which distinguishes bills with the same number
	Fact              string          // the current fact, which supplies the details in documents
	FirstSeenAt       db.Instant      // when its first fact arrived
}

// Key returns the bill control number, folded for comparison.
func (b Bill) Key() string { return text.Key(b.BillControlNumber) }

// DisplayState returns the state of a bill as every list and page shows it. It's the stored state,
// except for a bill known only from its payment: there, the payment decides.
func (b Bill) DisplayState() billstate.State {
	if b.OpenState == billstate.PaymentOnly {
		switch b.BillStatus {
		case StatusDenied:
			return billstate.Denied
		case StatusPaidCorrected:
			return billstate.Reversed
		}
	}
	return b.OpenState
}

// DisplayStateSQL is DisplayState as SQL, for a row b of bills.
const DisplayStateSQL = `CASE WHEN b.open_state <> '` + string(billstate.PaymentOnly) + `' THEN b.open_state WHEN b.bill_status = '` +
	StatusDenied +
	`' THEN '` + string(billstate.Denied) +
	`' WHEN b.bill_status = '` + StatusPaidCorrected + `' THEN '` + string(billstate.Reversed) + `' ELSE b.open_state END`

// ReversalOpen reports whether a payment was reversed and the reversal isn't settled yet. Until
// then, the paid amount can't be compared with the allowance.
func (b Bill) ReversalOpen() bool { return b.TakeBackOpen || b.DisplayState() == billstate.Reversed }

// Difference returns the network's allowance minus the paid amount. It's nil if one of them is
// unknown or a reversal is open.
func (b Bill) Difference() *int64 {
	if b.RecommendedAllowance == nil || b.PaidAmount == nil || b.ReversalOpen() {
		return nil
	}
	d := *b.RecommendedAllowance - *b.PaidAmount
	return &d
}

// DifferenceSQL is Difference as SQL, for a row b of bills. It's null where Difference is nil.
const DifferenceSQL = `CASE WHEN b.take_back_open OR ` + DisplayStateSQL + ` = '` + string(billstate.Reversed) +
	`' THEN NULL ELSE b.recommended_allowance - b.paid_amount END`
