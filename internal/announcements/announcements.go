// Package announcements owns the one-line banner above all screens, also for users who aren't
// signed in. It announces maintenance or an outage.
package announcements

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Kind is the urgency of an announcement.
type Kind string

// The kinds.
const (
	Info    Kind = "INFO"
	Warning Kind = "WARNING"
)

// Announcement is a plain-text announcement with a start and an end.
type Announcement struct {
	ID        int64
	Text      string
	Kind      Kind
	StartsAt  db.Instant
	EndsAt    db.Instant
	CreatedAt db.Instant
	CreatedBy string
}

const (
	maxText   = 200
	maxListed = 1000
	// cacheTTL is how long announcements are cached, because every open browser asks for them
	// each minute.
	cacheTTL = time.Minute
	// lockSpace identifies the lock that serializes new announcements.
	lockSpace = 7723510
	sayTaken  = "Another announcement is shown then: “%s”. End it or choose another time."
)

// Service manages the announcements.
type Service struct {
	db    *db.DB
	audit *audit.Log
	now   func() time.Time // in the business time zone

	mu     sync.Mutex
	kept   []Announcement // cached lines that hadn't ended when they were read, earliest first
	keptAt time.Time
}

// NewService creates the service. The clock's time zone is the business time zone.
func NewService(d *db.DB, log *audit.Log, now func() time.Time) *Service {
	return &Service{db: d, audit: log, now: now}
}

// Current returns the current announcement, if any. Changes by another instance appear within a
// minute.
func (s *Service) Current(ctx context.Context) (Announcement, bool, error) {
	now := s.now()
	lines, err := s.loadCached(ctx, now)
	if err != nil {
		return Announcement{}, false, err
	}
	for _, l := range lines {
		if !now.Before(l.StartsAt.Time) && now.Before(l.EndsAt.Time) {
			return l, true, nil
		}
	}
	return Announcement{}, false, nil
}

func (s *Service) loadCached(ctx context.Context, now time.Time) ([]Announcement, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.keptAt.IsZero() && now.Sub(s.keptAt) < cacheTTL {
		return s.kept, nil
	}
	lines, err := after(ctx, s.db.Reader, db.At(now))
	if err != nil {
		return nil, err
	}
	s.kept, s.keptAt = lines, now
	return lines, nil
}

// clearCache clears the cache.
func (s *Service) clearCache() {
	s.mu.Lock()
	s.keptAt = time.Time{}
	s.mu.Unlock()
}

// List returns all past and planned announcements, newest first, up to 1,000.
func (s *Service) List(ctx context.Context) ([]Announcement, error) {
	return list(ctx, s.db.Reader, maxListed)
}

// Add publishes or schedules an announcement. Two announcements can't overlap.
func (s *Service) Add(ctx context.Context, a access.Actor, w NewStatusLine) (Announcement, error) {
	l, err := s.parseRequest(w)
	if err != nil {
		return Announcement{}, err
	}
	l.CreatedAt, l.CreatedBy = db.At(s.now()), a.Person.UserName
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil { // serializes concurrent changes
			return err
		}
		planned, err := after(ctx, tx, l.StartsAt)
		if err != nil {
			return err
		}
		for _, other := range planned {
			if other.StartsAt.Before(l.EndsAt.Time) {
				return problem.WithMessage(problem.Conflict, fmt.Sprintf(sayTaken, other.Text))
			}
		}
		if l.ID, err = insert(ctx, tx, l); err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "status-line-add", l)
	})
	s.clearCache()
	return l, err
}

// End ends a current announcement, or deletes a planned one. Only the former stays in the list.
// It is safe to repeat.
func (s *Service) End(ctx context.Context, id int64) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := lock(ctx, tx, s.db.Dialect, id)
		if errors.Is(err, db.ErrNotFound) {
			return problem.New(problem.NotFound)
		}
		now := db.At(s.now())
		if err != nil || !now.Before(l.EndsAt.Time) {
			return err
		}
		if now.After(l.StartsAt.Time) {
			l.EndsAt = now
			err = endAt(ctx, tx, id, now)
		} else {
			err = remove(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "status-line-end", l)
	})
	s.clearCache()
	return err
}

func (s *Service) auditChange(ctx context.Context, tx *sql.Tx, operation audit.Operation, l Announcement) error {
	zone := s.now().Location()
	return s.audit.Record(ctx, tx, audit.Entry{
		Operation: operation, Subject: fmt.Sprintf("status line %d", l.ID), Result: "ok",
		Detail: fmt.Sprintf("%s from %s to %s: %s", l.Kind, l.StartsAt.In(zone).Format(clock), l.EndsAt.In(zone).Format(clock), l.Text),
	})
}

// clock is the format in which screens send business times.
const clock = "2006-01-02T15:04"

// parseRequest parses a request and returns its errors.
func (s *Service) parseRequest(w NewStatusLine) (Announcement, error) {
	now := s.now()
	l := Announcement{Text: text.Clean(w.Text), Kind: w.Kind}
	var wrong validate.Fields
	wrong.Require(l.Text != "", "text", "Enter the announcement text.")
	wrong.Limit(l.Text, maxText, "text")
	wrong.Require(l.Kind == Info || l.Kind == Warning, "kind", "Select information or warning.")
	from, err := time.ParseInLocation(clock, w.From, now.Location())
	if w.From == "" || err == nil && from.Before(now) {
		from, err = now, nil // it can't start in the past
	}
	wrong.Require(err == nil, "from", "Enter a date and a time.")
	to, err := time.ParseInLocation(clock, w.To, now.Location())
	wrong.Require(err == nil, "to", "Enter a date and a time.")
	wrong.Require(err != nil || to.After(from), "to", "Enter an end time after the start time and the current time.")
	l.StartsAt, l.EndsAt = db.At(from), db.At(to)
	return l, wrong.Refuse("The announcement isn't valid.")
}
