// Package detail shows everything known about one bill.
package detail

import (
	"time"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/ratelimit"
)

// Service assembles the pages of bills.
type Service struct {
	db        *db.DB
	records   *record.Service
	users     *users.Service
	second    *secondsystem.System // nil if there's none
	desk      record.Desk
	reasons   Reasons
	contacts  Contacts
	questions Questions
	openings  *ratelimit.Limiter
	audit     *audit.Log
	now       func() time.Time
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Records   *record.Service
	Users     *users.Service
	Desk      record.Desk
	Reasons   Reasons
	Contacts  Contacts
	Questions Questions
	Second    *secondsystem.System `optional:"true"`
	Openings  *ratelimit.Limiter   // limits the documents and pages that a user opens
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, records: d.Records, users: d.Users, second: d.Second, desk: d.Desk, reasons: d.Reasons,
		contacts: d.Contacts, questions: d.Questions, openings: d.Openings,
		audit: d.Audit, now: d.LocalTime}
}

// Page is everything known about one bill. Amounts are in cents.
type Page struct {
	Bill          record.Detailed
	State         State
	Answer        Answer
	Contact       *PageContact // of the payer, if known
	Banners       []Banner
	Former        []string // its former numbers
	Difference    *int64   // the network's allowance minus the payment, if both are known and no reversal is open
	Decided       decisions
	ReversalCodes facts.Codes // why all payments were reversed, from the reversals
	History       []Event
	Group         billGroup
	Papers        []facts.Paper
	SameClaim     []record.Bill // other bills of the claim, latest service first
	MoreOfClaim   bool          // there are more of them
	ReplacedBy    *record.Bill
	Replaces      []record.Bill

	counted []billPayment
	others  map[[2]string]Summary // of the other bills whose state isn't in their rows, by TIN and key
}

// State is the state of a bill in words.
type State struct{ Tone, Text string }

// The tones of states and banners.
const (
	toneGood    = "success"
	toneNeutral = "neutral"
	toneInfo    = "info"
	toneWarning = "warning"
	toneBad     = "error"
)

// Banner is a notice above the rest of the page.
type Banner struct {
	Kind string
	Text string
	To   *record.Bill // the bill it links to
}

// billPayment is a payment of a bill with its details and its role for the bill.
type billPayment struct {
	facts.Payment
	Role     derive.Role
	With     *facts.Payment
	Explains bool  // its codes are the bill's reasons
	Pending  int64 // the amount of a reversal, in cents, that waits for the payment it reverses
	File     string
}

// billGroup shows how a bill was derived from files.
type billGroup struct {
	Known     bool // derived from facts
	Versions  []derive.Version
	Payments  []billPayment
	Ambiguous int
	// PatientResponsibility is the patient responsibility of the payments in force, in cents.
	PatientResponsibility int64

	files map[string]ingest.ImportedFile // the files of these, by SHA-256
}

// relatedBills returns the bills that this one replaces, or that replace it.
func (p *Page) relatedBills() []record.Bill {
	if p.ReplacedBy == nil {
		return p.Replaces
	}
	return append([]record.Bill{*p.ReplacedBy}, p.Replaces...)
}

// Event is one entry in a bill's history. It has a day if it comes from files, or a timestamp if
// the portal recorded it.
type Event struct {
	Kind   string
	On     date.Date
	At     db.Instant
	By     string // username of the person who opened something
	Text   string
	Source string // the source of the information
	// Remittance is the remittance of a payment; empty if there's none or it's unknown.
	Remittance string
}
