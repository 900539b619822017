// Package record has what the areas of bills share: the bill as others see it, the ids of its page
// and documents, and the audit entries for opening them.
package record

import (
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/seal"
)

type (
	// Bill is a bill as the ledger derives it.
	Bill = facts.Bill
	// Detail is the part of a bill that documents show.
	Detail = facts.Detail
	// Payment is the payment of a bill in a remittance.
	Payment = facts.Payment
)

// Detailed is a bill with the details for its page and documents.
type Detailed struct {
	Bill
	Detail Detail
}

// The statuses of a bill. Payment information is available for the two paid ones.
const (
	StatusPaid          = facts.StatusPaid
	StatusReceived      = facts.StatusReceived
	StatusPriced        = facts.StatusPriced
	StatusPaidCorrected = facts.StatusPaidCorrected
	StatusDenied        = facts.StatusDenied
	StatusVoid          = facts.StatusVoid
)

// The kinds of documents. Second is the image or EOR of a bill in the second bill system.
const (
	Image  = facts.ImagePaper
	EOR    = facts.EORPaper
	Second = "second"
)

// StatusNames are the statuses in words.
var StatusNames = map[string]string{
	StatusPaid: "Paid", StatusReceived: "Received", StatusPriced: "Priced", StatusPaidCorrected: "Paid after correction",
	StatusDenied: "Denied", StatusVoid: "Void",
}

// RepricingMethods are the network's ways to price a bill, in words.
var RepricingMethods = map[string]string{
	"00": "Zero pricing (not covered)", "01": "Priced as billed at 100%", "02": "Priced at the standard fee schedule",
	"03": "Priced at a contractual percentage", "04": "Bundled pricing", "05": "Peer review pricing", "06": "Per diem pricing",
	"07": "Flat rate pricing", "08": "Combination pricing", "09": "Maternity pricing", "10": "Other pricing",
	"11": "Lower of cost", "12": "Ratio of cost", "13": "Cost reimbursed", "14": "Adjustment pricing",
}

// Service seals and opens the ids of bills, and audits who opens them.
type Service struct {
	scopes   *tins.Scopes
	sealer   *seal.Sealer
	audit    *audit.Log
	settings Settings
}

// Settings are the configuration of bills in search results.
type Settings struct {
	// ForeignBillURL is the page of a bill on the claims payer's site. NumberPlaceholder is
	// replaced. It's empty if there's no such page.
	ForeignBillURL string
	// States adds the state of a bill that was denied, voided or replaced, and its page.
	States bool
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes *tins.Scopes
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{scopes: d.Scopes, sealer: d.Sealer, audit: d.Audit, settings: settings}
}
