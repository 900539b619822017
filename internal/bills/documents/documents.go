// Package documents renders the documents of a bill, and opens those that the network supplied.
package documents

import (
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ratelimit"
)

// Service opens the documents of bills.
type Service struct {
	db       *db.DB
	ledger   *ledger.Ledger
	records  *record.Service
	files    blob.Store
	scopes   *tins.Scopes
	users    *users.Service
	desk     record.Desk
	second   *secondsystem.System // nil if there's none
	openings *ratelimit.Limiter
	audit    *audit.Log
	now      func() time.Time
	settings Settings
	brand    string
}

// Settings are the configuration of documents.
type Settings struct {
	// ImageHosts are the allowed hosts in links to external documents.
	ImageHosts []string
	// Notes adds a note that they're generated.
	Notes bool
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Ledger   *ledger.Ledger
	Records  *record.Service
	Scopes   *tins.Scopes
	Users    *users.Service
	Desk     record.Desk
	Second   *secondsystem.System `optional:"true"`
	Openings *ratelimit.Limiter   // limits the documents and pages that a user opens
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, ledger: d.Ledger, records: d.Records, files: d.Files, scopes: d.Scopes, users: d.Users, desk: d.Desk,
		second:   d.Second,
		openings: d.Openings, audit: d.Audit, now: d.LocalTime, settings: settings, brand: d.Brand.BrandName}
}

// detailed is a bill with the details for its documents.
type detailed struct {
	record.Detailed
	paper *facts.Paper // used instead of a rendered document; nil if there is none
}
