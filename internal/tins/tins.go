// Package tins owns which tax IDs (TINs) a group and a user have, and with
// them whose bills a person may see.
package tins

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/tries"
)

// Users finds people and groups.
type Users interface {
	PersonByName(ctx context.Context, userName string) (access.Person, error)
	// GroupKind locks a group and answers its kind; NotFound where there is none.
	GroupKind(ctx context.Context, tx *sql.Tx, groupID int64) (string, error)
	// AdminEmails lists the addresses of a group's administrators.
	AdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error)
}

// Records are the bills and providers on file.
type Records interface {
	// BillOnFile tells whether there is any bill of the TIN, and the one of this number.
	BillOnFile(ctx context.Context, ftin, billControlNumber string) (known, valid bool, err error)
	// ProviderOnFile tells whether any provider of the network bills under the TIN,
	// and the one of this id.
	ProviderOnFile(ctx context.Context, ftin, providerID string) (known, valid bool, err error)
}

// Service answers which TINs belong to whom, and changes it.
type Service struct {
	db         *db.DB
	users      Users
	records    Records
	mails      *mail.Outbox
	audit      *audit.Log
	tries      *tries.Counter
	now        func() time.Time
	restricted []string
}

// NewService makes the service. Restricted TINs can be given to nobody.
func NewService(d *db.DB, users Users, records Records, mails *mail.Outbox, log *audit.Log, counter *tries.Counter, now func() time.Time, restricted []string) *Service {
	s := &Service{db: d, users: users, records: records, mails: mails, audit: log, tries: counter, now: now, restricted: restricted}
	s.letters()
	return s
}

// Of lists the TINs of a person in ascending order: a provider administrator
// and a non-network user have those of their group, a provider user those
// assigned to them out of the group's. Everybody else has none: internal staff
// see bills by mirroring a user.
func (s *Service) Of(ctx context.Context, p access.Person) ([]string, error) {
	switch p.Type {
	case access.PRAD, access.NNUS:
		return groupTINs(ctx, s.db.Reader, p.GroupID)
	case access.PRUS:
		return userTINs(ctx, s.db.Reader, p.ID)
	default:
		return nil, nil
	}
}

// Scope is the rows the actor may read, the mirrored user's while mirroring.
func (s *Service) Scope(ctx context.Context, a access.Actor) (access.Scope, error) {
	list, err := s.Of(ctx, a.Acting())
	return access.ScopeOf(list), err
}

// ForName lists the TINs of the named user, if the actor may read them:
// their own, those of a user of the own group for a provider administrator,
// anyone's for internal staff.
func (s *Service) ForName(ctx context.Context, a access.Actor, userName string) ([]string, error) {
	acting := a.Acting()
	if userName == acting.UserName {
		return s.Of(ctx, acting)
	}
	p, err := s.users.PersonByName(ctx, userName)
	if err != nil {
		return nil, err
	}
	sameGroup := acting.Type == access.PRAD && p.GroupID != 0 && p.GroupID == acting.GroupID
	if !acting.Type.Internal() && !sameGroup {
		// As for a user that does not exist.
		return nil, problem.New(problem.NotFound)
	}
	return s.Of(ctx, p)
}

// Link is one TIN of a group, or of a user where UserID is not 0.
type Link struct {
	GroupID int64
	UserID  int64
	FTIN    string
}

const byFeed = "feed"

// Take adds a link that came in by feed, and tells whether it is new. A user
// may only have TINs of the own group.
func (s *Service) Take(ctx context.Context, tx *sql.Tx, l Link) (added bool, reason string, err error) {
	now := db.At(s.now())
	if l.UserID != 0 {
		has, err := groupHas(ctx, tx, l.GroupID, l.FTIN)
		if err != nil {
			return false, "", err
		}
		if !has {
			return false, "the group of this user does not have the TIN: give it to the group first", nil
		}
		n, err := insertUserTIN(ctx, tx, l, byFeed, now)
		return n > 0, "", err
	}
	n, err := insertGroupTIN(ctx, tx, l, byFeed, now)
	return n > 0, "", err
}
