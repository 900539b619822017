// Package tins owns the tax IDs (TINs) of groups and users, which determine the bills that a
// person can see.
package tins

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/ratelimit"
)

// Bills finds bills on file.
type Bills interface {
	// OnFile reports whether the TIN has any bill (known), and whether it has the one with this
	// number (valid).
	OnFile(ctx context.Context, ftin, billControlNumber string) (known, valid bool, err error)
}

// Providers finds providers in the network.
type Providers interface {
	// OnFile reports whether any provider bills under the TIN (known), and whether the one with
	// this id does (valid).
	OnFile(ctx context.Context, ftin, providerID string) (known, valid bool, err error)
	// ListAllTINs lists the TINs that a provider bills or billed under.
	ListAllTINs(ctx context.Context, providerID string) ([]string, error)
}

// Scopes finds the TINs of users. It depends on no other domain, so that bills and directory can
// use it while this package uses them.
type Scopes struct{ db *db.DB }

// NewScopes creates the scopes.
func NewScopes(d *db.DB) *Scopes { return &Scopes{d} }

// ListTINs lists a person's TINs in ascending order. Provider administrators and non-network users
// have those of their group, and provider users those assigned to them. Everyone else has none:
// internal staff see bills by mirroring a user.
func (s *Scopes) ListTINs(ctx context.Context, p access.Person) ([]string, error) {
	return s.ReadTINs(ctx, s.db.Reader, p)
}

// ReadTINs does the same as ListTINs within a transaction.
func (s *Scopes) ReadTINs(ctx context.Context, q db.Queryer, p access.Person) ([]string, error) {
	switch p.Type {
	case access.PRAD, access.NNUS:
		return groupTINs(ctx, q, p.GroupID)
	case access.PRUS:
		return userTINs(ctx, q, p.ID)
	default:
		return nil, nil
	}
}

// ReadTINsInGroup returns a user's TINs in a group, within a transaction. It returns none if the
// account is terminated or in another group.
func (s *Scopes) ReadTINsInGroup(ctx context.Context, tx *sql.Tx, groupID, userID int64) ([]string, error) {
	u, err := users.Find(ctx, tx, userID)
	if err != nil || u.GroupID != groupID || u.StatusCd == users.Terminated {
		return nil, err
	}
	return s.ReadTINs(ctx, tx, u.Person())
}

// RemoveTINs unassigns all TINs from a user.
func (s *Scopes) RemoveTINs(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return deleteUserTINs(ctx, tx, g)
}

// Scope returns the rows that the actor can read. While mirroring, they are the mirrored user's.
func (s *Scopes) Scope(ctx context.Context, a access.Actor) (access.Scope, error) {
	if scope, read := a.ReadScope(); read {
		return scope, nil
	}
	list, err := listTINs(ctx, s.db.Reader, a.Acting().ID)
	return access.NewScope(list), err
}

// Service lists and changes the TINs of groups and users.
type Service struct {
	*Scopes
	users       *users.Service
	bills       Bills
	providers   Providers
	assignments users.Assignments
	mails       *mail.Outbox
	audit       *audit.Log
	log         *slog.Logger
	attempts    *ratelimit.Shared
	now         func() time.Time
	settings    Settings
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes      *Scopes
	Users       *users.Service
	Bills       Bills
	Providers   Providers
	Assignments users.Assignments
}

// NewService creates the service. Restricted TINs can't be assigned to anyone.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{Scopes: d.Scopes, users: d.Users, bills: d.Bills, providers: d.Providers, assignments: d.Assignments, mails: d.Mail,
		audit: d.Audit,
		log:   d.Log, attempts: d.Limits, now: d.Clock, settings: settings}
}

// ListForUser lists the named user's TINs if the actor can read them. A user out of reach is
// reported as missing.
func (s *Service) ListForUser(ctx context.Context, a access.Actor, userName string) ([]string, error) {
	acting := a.Acting()
	if userName == acting.UserName {
		return s.ListTINs(ctx, acting)
	}
	u, err := s.users.ByName(ctx, userName)
	if err != nil {
		return nil, err
	}
	if !a.Reach().SeesUser(u.Person()) {
		return nil, access.Refuse(userName)
	}
	return s.ListTINs(ctx, u.Person())
}

// Link is a TIN of a group, or of a user if UserID isn't 0.
type Link struct {
	GroupID int64
	UserID  int64
	FTIN    string
}

// byFeed grants changes from files of any sender.
const byFeed = access.System("feed")

// ImportLink adds an imported link and reports whether it is new. A user can have only TINs of their
// own group. Files are authoritative, so other holders aren't notified and no review is needed.
func (s *Service) ImportLink(ctx context.Context, tx *sql.Tx, l Link) (added bool, reason string, err error) {
	now := db.At(s.now())
	if l.UserID != 0 {
		has, err := groupHas(ctx, tx, l.GroupID, l.FTIN)
		if err != nil {
			return false, "", err
		}
		if !has {
			return false, "the user's group doesn't have the TIN; assign it to the group first", nil
		}
		n, err := insertUserTIN(ctx, tx, byFeed.User(l.UserID), l.FTIN, now)
		return n > 0, "", err
	}
	n, err := insertGroupTIN(ctx, tx, byFeed.Group(l.GroupID), l.FTIN, now)
	if err == nil && n > 0 {
		err = useSharing(ctx, tx, l.GroupID, l.FTIN)
	}
	return n > 0, "", err
}
