// Package accesslog shows offices when network staff acted as their users, and requests approval
// first from offices that require it. Its sessions are called visits in stored and sent data.
package accesslog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
)

// Session is a network access session, when a staff member acted as a user.
type Session struct {
	ID           int64 `db:"id"`
	GroupID      int64 `db:"group_id"` // the user's group at the start; 0: none
	GroupName    string
	Who          string // staff username
	Whom         string // username of the user
	Reason       string // empty: none given
	Override     bool   // the group required approval and hadn't given it
	StartedAt    db.Instant
	EndedAt      db.Instant // zero: still active, or the sign-in session ended without notice
	SessionAt    db.Instant // start of the underlying sign-in session; zero: deleted
	LastActiveAt db.Instant // of the sign-in session
	Until        db.Instant // end of the group's approval; zero: unlimited
}

// Summary is an access session as listed.
type Summary struct {
	Session
	Running bool
	Opened  int // distinct bills and remittances
}

// Opened is a bill or remittance that was opened in an access session.
type Opened struct {
	Operation string // audit log operation
	Subject   string // TIN and number
	At        db.Instant
}

// Openings are the audit log operations for opening bills and remittances.
type Openings struct{ Bills, Remittances []string }

// listedDays is how long access sessions are listed. The audit log retains them longer.
const listedDays = 400

// Desk returns the reason that a staff member gave for support access.
type Desk interface {
	CurrentReason(ctx context.Context, a access.Actor) (string, error)
}

// Service records access sessions and handles approvals.
type Service struct {
	db       *db.DB
	users    *users.Service
	desk     Desk
	audit    *audit.Log
	now      func() time.Time
	ends     func(created, lastActive time.Time) time.Time
	openings Openings
	mails    *mail.Outbox
	on       bool // offices see access sessions and can require approval
	brand    string
	url      string // of the portal, used in links
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Users *users.Service
	Desk  Desk
	// Ends computes when an unused sign-in session ends.
	Ends     func(created, lastActive time.Time) time.Time
	Openings Openings
}

// NewService creates the service. If it isn't on, access sessions are only recorded.
func NewService(d Deps, on bool) *Service {
	platform.Require(d)
	return &Service{db: d.DB, on: on, users: d.Users, desk: d.Desk, mails: d.Mail, audit: d.Audit, now: d.LocalTime, ends: d.Ends,
		openings: d.Openings, brand: d.Brand.BrandName, url: d.PublicURL}
}

// Begin records that a staff member starts to act as a user, with the reason from the audit log.
// It returns until when the office allows it. Zero means no limit. The refusal is that of an
// office that requires approval. The new request must be committed even then.
func (s *Service) Begin(
	ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string,
) (id int64, until time.Time, refusal, err error) {
	reason = stripSessionNumber(reason)
	var by Request
	if s.on {
		if by, refusal, err = s.findApproval(ctx, tx, staff, as, reason); err != nil || refusal != nil {
			return 0, until, refusal, err
		}
	}
	if by.State == Override {
		reason = by.Reason
	}
	begun := Session{Reason: reason, Override: by.State == Override, StartedAt: db.At(s.now())}
	if id, err = begin(ctx, tx, staff.ID, as, begun); err != nil || !s.on {
		return id, until, nil, err
	}
	c, err := getSettings(ctx, tx, as.GroupID)
	if err == nil && c.Mails == AtOnce {
		err = s.notifyAdmins(ctx, tx, mailBegun, as.GroupID, 0, id)
	}
	return id, by.Until.Time, nil, err
}

// stripSessionNumber returns a reason without the support session number.
func stripSessionNumber(reason string) string {
	if sitting, words, is := strings.Cut(reason, " "); is && strings.HasPrefix(sitting, "desk:") {
		return words
	}
	return reason
}

// End records the end of an access session. A session that already ended stays as it is.
func End(ctx context.Context, tx *sql.Tx, id int64, at time.Time) error {
	return end(ctx, tx, id, db.At(at))
}

// Page returns a page of the access sessions that the actor can see: those of their own group,
// or all. The default order is newest first.
func (s *Service) Page(ctx context.Context, a access.Actor, t paging.Table) ([]Summary, int, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return nil, 0, err
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "visits-read", Result: "ok"}); err != nil {
		return nil, 0, err
	}
	rows, count, err := sessionPage(ctx, s.db.Reader, s.db.Dialect, group, s.listedSince(), t)
	list := make([]Summary, len(rows))
	for i, v := range rows {
		if err == nil {
			list[i], err = s.summarize(ctx, v)
		}
	}
	return list, count, err
}

func (s *Service) listedSince() db.Instant { return db.At(s.now().AddDate(0, 0, -listedDays)) }

func (s *Service) summarize(ctx context.Context, v Session) (Summary, error) {
	until := s.fillEnd(&v)
	n, err := countOpened(ctx, s.db.Reader, s.newSpan(v, until))
	return Summary{v, v.EndedAt.IsZero(), n}, err
}

// fillEnd fills in a missing end time, and returns the last time when the session could have been
// used.
func (s *Service) fillEnd(v *Session) time.Time {
	now := s.now()
	if v.EndedAt.IsZero() {
		if v.SessionAt.IsZero() { // deleted without ending the access session
			v.EndedAt = v.StartedAt
		} else {
			end := s.ends(v.SessionAt.Time, v.LastActiveAt.Time)
			if !v.Until.IsZero() && v.Until.Before(end) {
				end = v.Until.Time
			}
			if end.Before(now) {
				v.EndedAt = db.At(end)
			}
		}
	}
	if v.EndedAt.IsZero() {
		return now
	}
	return v.EndedAt.Time
}

func (s *Service) newSpan(v Session, until time.Time) span {
	return span{audit.PersonKey(v.Who), v.Who, v.Whom, slices.Concat(s.openings.Bills, s.openings.Remittances), v.StartedAt, db.At(until)}
}

// ListOpened returns a page of the bills and remittances opened in an access session, oldest first.
func (s *Service) ListOpened(ctx context.Context, a access.Actor, id int64, t paging.Table) ([]Opened, int, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return nil, 0, err
	}
	v, err := sessionByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && group != 0 && v.GroupID != group {
		return nil, 0, access.Refuse(formatSubject(id))
	}
	if err != nil {
		return nil, 0, err
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "visit-open", Subject: formatSubject(id), Result: "ok"}); err != nil {
		return nil, 0, err
	}
	return openedPage(ctx, s.db.Reader, s.db.Dialect, s.newSpan(v, s.fillEnd(&v)), t)
}

func formatSubject(id int64) string { return fmt.Sprintf("visit %d", id) }

// Cleanup deletes expired access sessions and requests.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteSessions(ctx, tx, s.listedSince()) }),
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteRequests(ctx, tx, s.listedSince()) }),
	)
}
