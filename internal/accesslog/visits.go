// Package accesslog tells offices who from the network acted as their users, and asks those
// first that want it.
package accesslog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
)

// Visit is a time in which somebody of the staff acted as a user.
type Visit struct {
	ID           int64 `db:"id"`
	GroupID      int64 `db:"group_id"` // of the user, when it began; 0: none
	GroupName    string
	Who          string // user name of the staff
	Whom         string // user name of the user
	Reason       string // empty: none was given
	Override     bool   // the group wanted to be asked first, and had not agreed
	StartedAt    db.Instant
	EndedAt      db.Instant // zero: it goes on, or its session has ended unheard
	SessionAt    db.Instant // when the session began that makes it; zero: it has gone
	LastActiveAt db.Instant // of that session
	Until        db.Instant // the group allows it; zero: without end
}

// Summary is a visit as it is told.
type Summary struct {
	Visit
	Running bool
	Opened  int // bills and remittances, each once
}

// Opened is that a bill or a remittance was opened in a visit.
type Opened struct {
	Operation string // by which, in the audit log
	Subject   string // TIN and number
	At        db.Instant
}

// Openings are the operations of the audit log by which people open bills and remittances.
type Openings struct{ Bills, Remittances []string }

// keptDays is for how long visits are told; the audit log has them as long as all else.
const keptDays = 400

// People finds active accounts; NotFound for any other.
type People interface {
	ActiveByName(ctx context.Context, userName string) (access.Person, error)
}

// Desk knows why somebody of the staff looks at what is of offices.
type Desk interface {
	Why(ctx context.Context, a access.Actor) (string, error)
}

// Service keeps the visits.
type Service struct {
	db       *db.DB
	people   People
	desk     Desk
	audit    *audit.Log
	now      func() time.Time
	ends     func(created, lastActive time.Time) time.Time
	openings Openings
	mails    *mail.Outbox
	on       bool // offices are told, and asked
	brand    string
	url      string // the portal's, for links
}

// NewService makes the service. Ends tells when a session ends that nobody uses any
// more; the clock tells moments where the business is. Off, visits are noted and no more.
func NewService(d *db.DB, on bool, people People, desk Desk, mails *mail.Outbox, log *audit.Log, now func() time.Time, ends func(created, lastActive time.Time) time.Time, openings Openings, brand, publicURL string) *Service {
	s := &Service{db: d, on: on, people: people, desk: desk, mails: mails, audit: log, now: now, ends: ends, openings: openings, brand: brand, url: publicURL}
	s.letters()
	return s
}

// Begin notes that somebody of the staff acts as a user from now on, for the reason
// that the audit log names, and answers until when the user's office allows it; zero is
// without end. The refusal is that of an office that wants to be asked first: what was
// written to ask it stays.
func (s *Service) Begin(ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string) (id int64, until time.Time, refusal, err error) {
	reason = inWords(reason)
	var by Request
	if s.on {
		if by, refusal, err = s.allowed(ctx, tx, staff, as, reason); err != nil || refusal != nil {
			return 0, until, refusal, err
		}
	}
	if by.State == Override {
		reason = by.Reason
	}
	if id, err = begin(ctx, tx, staff.ID, as, reason, by.State == Override, db.At(s.now())); err != nil || !s.on {
		return id, until, nil, err
	}
	c, err := settingsOf(ctx, tx, as.GroupID)
	if err == nil && c.Mails == AtOnce {
		err = s.tell(ctx, tx, mailBegun, as.GroupID, 0, id)
	}
	return id, by.Until.Time, nil, err
}

// inWords is a reason without the number of the desk's sitting.
func inWords(reason string) string {
	if sitting, words, is := strings.Cut(reason, " "); is && strings.HasPrefix(sitting, "desk:") {
		return words
	}
	return reason
}

// End notes when a visit ended; one that has ended before stays as it is.
func (s *Service) End(ctx context.Context, tx *sql.Tx, id int64, at time.Time) error {
	return end(ctx, tx, id, db.At(at))
}

// Page answers a page of the visits that the actor may see, the newest first unless
// they are sorted: those of the own group, or all.
func (s *Service) Page(ctx context.Context, a access.Actor, t paging.Table) ([]Summary, int, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return nil, 0, err
	}
	if err := s.audit.Now(ctx, audit.Entry{Operation: "visits-read", Result: "ok"}); err != nil {
		return nil, 0, err
	}
	rows, count, err := visitPage(ctx, s.db.Reader, s.db.Dialect, group, s.since(), t)
	list := make([]Summary, len(rows))
	for i, v := range rows {
		if err == nil {
			list[i], err = s.summarize(ctx, v)
		}
	}
	return list, count, err
}

func (s *Service) since() db.Instant { return db.At(s.now().AddDate(0, 0, -keptDays)) }

func (s *Service) summarize(ctx context.Context, v Visit) (Summary, error) {
	until := s.settle(&v)
	n, err := countOpened(ctx, s.db.Reader, s.span(v, until))
	return Summary{v, v.EndedAt.IsZero(), n}, err
}

// settle gives a visit its end where nobody has noted it yet, and answers until when
// something could be done in it.
func (s *Service) settle(v *Visit) time.Time {
	now := s.now()
	if v.EndedAt.IsZero() {
		if v.SessionAt.IsZero() { // deleted by nobody who ends visits
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

func (s *Service) span(v Visit, until time.Time) span {
	return span{audit.PersonKey(v.Who), v.Who, v.Whom, slices.Concat(s.openings.Bills, s.openings.Remittances), v.StartedAt, db.At(until)}
}

// Opened answers a page of which bills and remittances were opened in a visit, and when, the first before.
func (s *Service) Opened(ctx context.Context, a access.Actor, id int64, t paging.Table) ([]Opened, int, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return nil, 0, err
	}
	v, err := visitByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && group != 0 && v.GroupID != group {
		return nil, 0, access.Refuse(subject(id))
	}
	if err != nil {
		return nil, 0, err
	}
	if err := s.audit.Now(ctx, audit.Entry{Operation: "visit-open", Subject: subject(id), Result: "ok"}); err != nil {
		return nil, 0, err
	}
	return openedPage(ctx, s.db.Reader, s.db.Dialect, s.span(v, s.settle(&v)), t)
}

func subject(id int64) string { return fmt.Sprintf("visit %d", id) }

// Tidy forgets what is told no more.
func (s *Service) Tidy(ctx context.Context) error {
	return errors.Join(
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetVisits(ctx, tx, s.since()) }),
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetRequests(ctx, tx, s.since()) }),
	)
}
