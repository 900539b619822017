package bills

import "wcpp/internal/platform/date"

// Payment is what a payer's remittance says of one bill.
type Payment struct {
	FTIN                  string
	TraceNumber           string
	PatientControlNumber  string
	PayerControlNumber    string
	Occurrence            int
	BillControlNumberKey  string // of the bill it belongs to; empty while that is not known
	ClaimStatus           string // 1 to 3 processed, 4 denied, 22 reversal
	Charge                int64
	Paid                  int64 // negative on a reversal
	PatientResponsibility int64
	PaidDate              date.Date
	Method                string
	PayerName             string
	PatientFirstNameKey   string
	PatientLastNameKey    string
	BeginServiceDate      date.Date
	Detail                PaymentDetail
}

// PaymentDetail is what the EOR shows of a payment.
type PaymentDetail struct {
	Adjustments []Adjustment `json:"adjustments,omitempty"`
	Lines       []PaidLine   `json:"lines,omitempty"`
}

// PaidLine is one service line of a payment.
type PaidLine struct {
	Number      int          `json:"number"`
	Revenue     string       `json:"revenue,omitempty"`
	Procedure   string       `json:"procedure,omitempty"`
	Qualifier   string       `json:"qualifier,omitempty"`
	Modifiers   []string     `json:"modifiers,omitempty"`
	Charge      int64        `json:"charge"`
	Paid        int64        `json:"paid"`
	Allowed     *int64       `json:"allowed,omitempty"`
	Units       string       `json:"units,omitempty"`
	BeginDate   date.Date    `json:"beginDate,omitempty"`
	EndDate     date.Date    `json:"endDate,omitempty"`
	Adjustments []Adjustment `json:"adjustments,omitempty"`
}

// Adjustment is why a payer paid other than what was charged.
type Adjustment struct {
	Group  string `json:"group"`
	Reason string `json:"reason"`
	Amount int64  `json:"amount"`
}
