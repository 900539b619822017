// Package desk lets network staff find and view the data of any office. Staff first enter a
// reason, and each access is audited before the data is returned.
package desk

import (
	"context"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
)

// Service finds the data of an office in a support session.
type Service struct {
	*Sessions
	users          *users.Service
	tins           *tins.Service
	administration *administration.Service
	signIn         *signin.Service
	factors        Factors
	ownForm        bool
	sources        Sources
	offices        Offices
	mails          *mail.Outbox
	jobs           Jobs
	queues         []Queue
}

// Factors manages second factors.
type Factors interface {
	HasFactor(ctx context.Context, userID int64) (bool, error)
	// IsRequired reports whether the user must verify a second factor after the password.
	IsRequired(ctx context.Context, q db.Queryer, userID int64, t access.Type) (bool, error)
}

// Deps are what the service needs.
type Deps struct {
	Sessions       *Sessions
	Users          *users.Service
	TINs           *tins.Service
	Administration *administration.Service
	SignIn         *signin.Service
	Factors        Factors
	OwnForm        bool // users sign in with the portal's own form, which asks for second factors
	Sources        Sources
	Offices        Offices
	Mails          *mail.Outbox
	Jobs           Jobs
	Queues         []Queue // in display order
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{Sessions: d.Sessions, users: d.Users, tins: d.TINs, administration: d.Administration, signIn: d.SignIn,
		factors: d.Factors, ownForm: d.OwnForm, sources: d.Sources, offices: d.Offices, mails: d.Mails, jobs: d.Jobs, queues: d.Queues}
}
