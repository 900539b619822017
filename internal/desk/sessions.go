package desk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Sessions manages support sessions and audits what staff open in them. Services that the desk
// needs use it without the desk.
type Sessions struct {
	db       *db.DB
	scopes   *tins.Scopes
	attempts *ratelimit.Shared
	audit    *audit.Log
	log      *slog.Logger
	now      func() time.Time
	settings Settings
}

// NewSessions creates the service of support sessions.
func NewSessions(kit platform.Kit, scopes *tins.Scopes, settings Settings) *Sessions {
	return &Sessions{db: kit.DB, scopes: scopes, attempts: kit.Limits, audit: kit.Audit, log: kit.Log, now: kit.LocalTime,
		settings: settings}
}

// Reason is the reason for a support session.
type Reason string

// The reasons.
const (
	Call      Reason = "CALL"
	Case      Reason = "CASE"
	Feed      Reason = "FEED"
	Complaint Reason = "COMPLAINT"
	Other     Reason = "OTHER"
)

// words are the names of the reasons in the access log.
var words = map[Reason]string{Call: "call", Case: "case", Feed: "import check", Complaint: "complaint", Other: "other"}

// Session is a support session, when a staff member works for one reason.
type Session struct {
	ID        int64
	UserID    int64
	Reason    Reason
	Reference string // case number
	Text      string
	At        db.Instant
	EndedAt   db.Instant
}

// Name identifies the support session in the audit log, with the reason that offices see. The
// text that staff typed isn't included.
func (s Session) Name() string { return fmt.Sprintf("desk:%d %s", s.ID, words[s.Reason]) }

const (
	maxReference = 20
	maxText      = 120
	// sessionLength is the maximum length of a support session: a workday.
	sessionLength = 12 * time.Hour
	// maxOpenings is the limit of opened items per person and hour.
	maxOpenings = 200
)

const (
	leaveOut = "Remove ID numbers from the reason"
	sayFirst = "Start a support session first."
)

// Cleanup deletes expired support sessions. It is safe to repeat.
func (s *Sessions) Cleanup(ctx context.Context) error {
	if s.settings.DeskKeepDays == 0 {
		return nil
	}
	return s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return deleteSessions(ctx, tx, db.At(s.now().AddDate(0, 0, -s.settings.DeskKeepDays)))
	})
}

// Begin ends the person's current support session, if any, and begins another.
func (s *Sessions) Begin(ctx context.Context, a access.Actor, n Session) (Session, error) {
	n.Reference, n.Text, n.UserID, n.At = text.Clean(n.Reference), text.Clean(n.Text), a.Person.ID, db.At(s.now())
	var wrong validate.Fields
	wrong.Require(words[n.Reason] != "", "reason", "Select a reason")
	if wrong.Limit(n.Reference, maxReference, "reference") {
		wrong.Require(n.Reason != Case || n.Reference != "", "reference", "Enter the case number")
		wrong.Require(!validate.HasPersonNumber(n.Reference), "reference", leaveOut)
	}
	if wrong.Limit(n.Text, maxText, "text") {
		wrong.Require(n.Reason != Other || n.Text != "", "text", "Enter a reason")
		wrong.Require(!validate.HasPersonNumber(n.Text), "text", leaveOut)
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return n, err
	}
	return n, s.db.Tx(ctx, func(tx *sql.Tx) error {
		err := s.end(ctx, tx, a)
		if err == nil {
			n.ID, err = add(ctx, tx, n)
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "desk-begin", Result: "ok", Detail: n.Name()})
	})
}

// End ends the person's current support session, if any.
func (s *Sessions) End(ctx context.Context, a access.Actor) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error { return s.end(ctx, tx, a) })
}

func (s *Sessions) end(ctx context.Context, tx *sql.Tx, a access.Actor) error {
	now := s.now()
	was, err := current(ctx, tx, a.Person.ID, db.At(now.Add(-sessionLength)))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err := endAll(ctx, tx, a.Person.ID, db.At(now)); err != nil || was.ID == 0 {
		return err
	}
	return s.audit.Record(ctx, tx, audit.Entry{Operation: "desk-end", Result: "ok", Detail: was.Name()})
}

// Current returns the person's support session and whether there is one.
func (s *Sessions) Current(ctx context.Context, a access.Actor) (Session, bool, error) {
	n, err := current(ctx, s.db.Reader, a.Person.ID, db.At(s.now().Add(-sessionLength)))
	if errors.Is(err, db.ErrNotFound) {
		return n, false, nil
	}
	return n, err == nil, err
}

// currentSession returns the person's support session. Without one, all access is refused.
func (s *Sessions) currentSession(ctx context.Context, a access.Actor) (Session, error) {
	n, there, err := s.Current(ctx, a)
	if err == nil && !there {
		err = validate.RefuseField(sayFirst, "reason", sayFirst)
	}
	return n, err
}

// CurrentReason returns the current reason as the audit log shows it. It fails if there is no support
// session.
func (s *Sessions) CurrentReason(ctx context.Context, a access.Actor) (string, error) {
	n, err := s.currentSession(ctx, a)
	return n.Name(), err
}

// RequireCall returns an error unless the person has a support session because of a call.
func (s *Sessions) RequireCall(ctx context.Context, a access.Actor) error {
	n, err := s.currentSession(ctx, a)
	if err == nil && n.Reason != Call {
		err = problem.WithMessage(problem.Conflict, "Start a support session with the reason Call first.")
	}
	return err
}

// AuthorizeOpening allows access to a TIN's data, or to a bill or check by number, and audits it first. The
// groups with the TIN see the entry.
func (s *Sessions) AuthorizeOpening(ctx context.Context, a access.Actor, operation audit.Operation, ftin, number string) error {
	groups, err := s.scopes.FindGroups(ctx, ftin)
	if err != nil {
		return err
	}
	e := audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Groups: groups}
	if number != "" {
		e.Subject, e.Answered = ftin+" "+number, []string{number}
		e.About = append(e.About, e.Subject)
	}
	return s.auditAccess(ctx, a, e)
}

// AuditShown audits the other numbers of a TIN that an opened item shows, if any.
func (s *Sessions) AuditShown(ctx context.Context, a access.Actor, operation audit.Operation, ftin string, numbers []string) error {
	if len(numbers) == 0 {
		return nil
	}
	n, err := s.currentSession(ctx, a)
	if err != nil {
		return err
	}
	groups, err := s.scopes.FindGroups(ctx, ftin)
	if err != nil {
		return err
	}
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	return s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Answered: numbers, Groups: groups,
		Result: "ok", Detail: n.Name()})
}

// auditAccess audits an access. It fails without a support session, or above the hourly limit.
func (s *Sessions) auditAccess(ctx context.Context, a access.Actor, e audit.Entry) error {
	n, err := s.currentSession(ctx, a)
	if err != nil {
		return err
	}
	e.Detail, e.Result = n.Name(), "ok"
	err = s.attempts.Allow(ctx, "desk opening", a.Person.UserName, maxOpenings, ratelimit.Hour)
	if problem.Is(err, problem.TooMany) {
		wait := problem.From(err).Wait
		s.log.WarnContext(ctx, "service desk hourly limit exceeded", "sitting", n.ID)
		e.Result, e.Answered = "too many", nil
		if err := s.audit.RecordNow(ctx, e); err != nil {
			return err
		}
		// Audit the refusal once per hour under its own subject, where reviewers will find it.
		switch err := s.attempts.Allow(ctx, "desk limit", a.Person.UserName, 1, ratelimit.Hour); {
		case err == nil:
			if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "desk-limit", Subject: a.Person.UserName, Result: "too many",
				Detail: n.Name()}); err != nil {
				return err
			}
		case !problem.Is(err, problem.TooMany):
			return err
		}
		return problem.RetryLater(wait, fmt.Sprintf("You've opened %d items in the last hour. Wait %s, or ask a system administrator.",
			maxOpenings, problem.FormatWait(wait)))
	}
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.audit.Record(ctx, tx, e); err != nil {
			return err
		}
		return countOpening(ctx, tx, n.ID)
	})
}
