// Package detail shows everything known about one bill.
package detail

import (
	"time"

	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ratelimit"
)

// Service assembles the pages of bills.
type Service struct {
	db       *db.DB
	records  *record.Service
	people   record.People
	second   *secondsystem.System // nil if there's none
	desk     record.Desk
	openings *ratelimit.Limiter
	audit    *audit.Log
	now      func() time.Time
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Records  *record.Service
	People   record.People
	Desk     record.Desk
	Second   *secondsystem.System `optional:"true"`
	Openings *ratelimit.Limiter   // limits the documents and pages that a user opens
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, records: d.Records, people: d.People, second: d.Second, desk: d.Desk, openings: d.Openings,
		audit: d.Audit, now: d.LocalTime}
}
