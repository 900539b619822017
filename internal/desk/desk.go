// Package desk lets network staff find and view the data of any office. Staff first enter a
// reason, and each access is audited before the data is returned.
package desk

import (
	"wcpp/internal/platform"
)

// Service finds the data of an office in a support session.
type Service struct {
	*Sessions
	sources Sources
	offices Offices
	mails   Mails
	jobs    Jobs
	queues  []Queue
}

// Deps are what the service needs.
type Deps struct {
	Sessions *Sessions
	Sources  Sources
	Offices  Offices
	Mails    Mails
	Jobs     Jobs
	Queues   []Queue // in display order
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{Sessions: d.Sessions, sources: d.Sources, offices: d.Offices, mails: d.Mails, jobs: d.Jobs, queues: d.Queues}
}
