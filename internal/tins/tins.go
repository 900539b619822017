// Package tins owns which tax IDs (TINs) a group and a user have, and with
// them whose bills a person may see.
package tins

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/ratelimit"
)

// Users finds people and groups.
type Users interface {
	PersonByName(ctx context.Context, userName string) (access.Person, error)
	// Account finds a user as the queryer sees it; NotFound where there is none.
	Account(ctx context.Context, q db.Queryer, userName string) (Account, error)
	// LockGroup locks a group and answers its kind; NotFound where there is none.
	LockGroup(ctx context.Context, tx *sql.Tx, groupID int64) (kind string, err error)
	// AdminEmails lists the addresses of a group's administrators.
	AdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error)
}

// Bills are those on file.
type Bills interface {
	// OnFile tells whether there is any bill of the TIN, and the one of this number.
	OnFile(ctx context.Context, ftin, billControlNumber string) (known, valid bool, err error)
}

// Providers are those of the network.
type Providers interface {
	// OnFile tells whether any provider bills under the TIN, and the one of this id.
	OnFile(ctx context.Context, ftin, providerID string) (known, valid bool, err error)
}

// Work is what the people of a group do about bills.
type Work interface {
	// Recheck ends that bills are assigned to users who lost their TINs: to one user of
	// the group, or where user is 0 to any.
	Recheck(ctx context.Context, tx *sql.Tx, groupID, userID int64, by string) error
}

// Scopes answers which TINs belong to whom. It needs no other area, so that
// those it gives their scope can be asked in turn which TINs are on file.
type Scopes struct{ db *db.DB }

// NewScopes makes it.
func NewScopes(d *db.DB) *Scopes { return &Scopes{d} }

// Of lists the TINs of a person in ascending order: a provider administrator
// and a non-network user have those of their group, a provider user those
// assigned to them out of the group's. Everybody else has none: internal staff
// see bills by mirroring a user.
func (s *Scopes) Of(ctx context.Context, p access.Person) ([]string, error) {
	return s.In(ctx, s.db.Reader, p)
}

// In is Of as a transaction sees it.
func (s *Scopes) In(ctx context.Context, q db.Queryer, p access.Person) ([]string, error) {
	switch p.Type {
	case access.PRAD, access.NNUS:
		return groupTINs(ctx, q, p.GroupID)
	case access.PRUS:
		return userTINs(ctx, q, p.ID)
	default:
		return nil, nil
	}
}

// Scope is the rows the actor may read, the mirrored user's while mirroring.
func (s *Scopes) Scope(ctx context.Context, a access.Actor) (access.Scope, error) {
	if scope, read := a.ReadScope(); read {
		return scope, nil
	}
	list, err := tinsOf(ctx, s.db.Reader, a.Acting().ID)
	return access.ScopeOf(list), err
}

// Service lists the TINs of groups and users, and changes them.
type Service struct {
	*Scopes
	users     Users
	bills     Bills
	providers Providers
	work      Work
	mails     *mail.Outbox
	audit     *audit.Log
	log       *slog.Logger
	attempts  *ratelimit.Shared
	now       func() time.Time
	settings  Settings
}

// NewService makes the service. Restricted TINs can be given to nobody.
func NewService(scopes *Scopes, users Users, bills Bills, providers Providers, work Work, mails *mail.Outbox, entries *audit.Log, log *slog.Logger, attempts *ratelimit.Shared, now func() time.Time, settings Settings) *Service {
	s := &Service{Scopes: scopes, users: users, bills: bills, providers: providers, work: work, mails: mails, audit: entries, log: log, attempts: attempts, now: now, settings: settings}
	s.letters()
	return s
}

// ForName lists the TINs of the named user, if the actor may read them. Whoever
// is out of reach is as one who does not exist.
func (s *Service) ForName(ctx context.Context, a access.Actor, userName string) ([]string, error) {
	acting := a.Acting()
	if userName == acting.UserName {
		return s.Of(ctx, acting)
	}
	p, err := s.users.PersonByName(ctx, userName)
	if err != nil {
		return nil, err
	}
	if !a.Reach().SeesUser(p) {
		return nil, access.Refuse(userName)
	}
	return s.Of(ctx, p)
}

// Link is one TIN of a group, or of a user where UserID is not 0.
type Link struct {
	GroupID int64
	UserID  int64
	FTIN    string
}

// byFeed gives groups and users the TINs that the files say, whoever sent them.
const byFeed = access.System("feed")

// Take adds a link that came in by feed, and tells whether it is new. A user
// may only have TINs of the own group. Files say what is so: nobody is told of a
// TIN that others have, and it waits for no review.
func (s *Service) Take(ctx context.Context, tx *sql.Tx, l Link) (added bool, reason string, err error) {
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
