// Package feeschedules owns the PPO fee schedules: which rate codes price a
// provider's bills, and the files that people ask for.
package feeschedules

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// RateCode is the national rate code that prices a provider's bills at a
// location.
type RateCode struct {
	ProviderID       string `db:"provider_id"`
	LineOfBusiness   string // DPWC workers' compensation, DPAUT auto
	FTIN             string `db:"ftin"`
	NationalRateCode string
	ZIP              string `db:"zip"`
	LocationName     string
	LocationAddress  string
	LocationDetails  string
}

// Allowance is what a rate code allows for a procedure, in cents.
type Allowance struct {
	NationalRateCode string
	ProcedureCode    string
	Modifier         string
	Description      string
	Allowance        int64
	EffectiveDate    date.Date
	EndDate          date.Date // empty: open
}

// The states of a request.
const (
	queued = "QUEUED"
	done   = "DONE"
	failed = "FAILED"
)

// Request is a fee schedule that someone asked for.
type Request struct {
	ID               int64
	UserID           int64 `db:"user_id"`
	NationalRateCode string
	ProviderID       string `db:"provider_id"`
	LocationName     string
	ZIP              string `db:"zip"`
	FTIN             string `db:"ftin"` // empty: an earlier request, or one that several TINs have
	LineOfBusiness   string // the same
	Status           string
	FileName         string
	StorageKey       string
	CreatedAt        db.Instant
	ViewedAt         db.Instant
	OverAt           db.Instant // of one that failed: when it was asked for anew, or put aside
}

// Scopes tells whose rows an actor may read.
type Scopes interface {
	Scope(ctx context.Context, a access.Actor) (access.Scope, error)
}

// Providers tells which TINs a provider bills under.
type Providers interface {
	TINsOf(ctx context.Context, providerID string) ([]string, error)
}

// Service lists rate codes and makes fee schedules.
type Service struct {
	db        *db.DB
	scopes    Scopes
	providers Providers
	files     blob.Store
	events    *events.Broker
	audit     *audit.Log
	log       *slog.Logger
	now       func() time.Time
	jobs      jobs.Queue
	keepDays  int
}

// Keep has requests and their files kept for as many days; 0: for ever.
func (s *Service) Keep(days int) { s.keepDays = days }

// NewService makes the service, which puts its jobs into the queue.
func NewService(d *db.DB, queue jobs.Queue, scopes Scopes, providers Providers, files blob.Store, broker *events.Broker, log *audit.Log, logger *slog.Logger, now func() time.Time) *Service {
	return &Service{db: d, jobs: queue, scopes: scopes, providers: providers, files: files, events: broker, audit: log, log: logger, now: now}
}

const mostRateCodes = 2000

// RateCodes lists the rate codes of a provider under a TIN, by location, at most
// two thousand: of the actor's own TINs, of any for internal staff.
func (s *Service) RateCodes(ctx context.Context, a access.Actor, lob, providerID, ftin string) ([]RateCode, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, err
	}
	return rateCodesOf(ctx, s.db.Reader, providerID, lob, ftin, mostRateCodes)
}

// RateCodePage answers a page of the same rate codes, and how many there are.
func (s *Service) RateCodePage(ctx context.Context, a access.Actor, lob, providerID, ftin string, t paging.Table) ([]RateCode, int, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, 0, err
	}
	return rateCodePage(ctx, s.db.Reader, s.db.Dialect, providerID, lob, ftin, t)
}

// A request that is repeated so soon is a second click.
const sameWithin = time.Minute

// Ask puts in a request for the fee schedule of a rate code, at a location where the
// provider has it, and answers its id. The same request twice is one.
func (s *Service) Ask(ctx context.Context, a access.Actor, userName string, r Request) (int64, error) {
	if err := a.Named(userName); err != nil {
		return 0, err
	}
	r.UserID, r.LocationName, r.ZIP = a.Person.ID, text.Clean(r.LocationName), text.Clean(r.ZIP)
	r, err := s.placed(ctx, a, r)
	if err != nil {
		return 0, err
	}
	var id, over int64
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		now := s.now()
		var err error
		id, err = recent(ctx, tx, r, db.At(now.Add(-sameWithin)))
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		made, err := insertRequest(ctx, tx, r, db.At(now))
		if err != nil {
			return err
		}
		if id, err = recent(ctx, tx, r, db.At(now.Add(-sameWithin))); err != nil || made == 0 {
			return err // another click was first
		}
		if over, err = askedAnew(ctx, tx, r, db.At(now)); err != nil {
			return err
		}
		if err := s.jobs.Insert(ctx, tx, JobArgs{RequestID: id}); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "fee-schedule-request", Subject: requestSubject(id), Result: "ok", Detail: r.NationalRateCode})
	})
	if err == nil && over > 0 {
		s.events.Publish(ctx, Topic(r.UserID))
	}
	return id, err
}

func requestSubject(id int64) string { return fmt.Sprintf("fee schedule %d", id) }

// placed finds where the provider has the rate code of a request, under the actor's own TINs
// alone, and adds its TIN and line of business where only one of each is meant.
func (s *Service) placed(ctx context.Context, a access.Actor, r Request) (Request, error) {
	codes, err := rateCodesOfProvider(ctx, s.db.Reader, r.ProviderID, r.NationalRateCode)
	if err != nil {
		return r, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return r, err
	}
	codes = slices.DeleteFunc(codes, func(c RateCode) bool {
		return !a.Reach().SeesTIN(scope, c.FTIN) || text.Clean(c.LocationName) != r.LocationName || text.Clean(c.ZIP) != r.ZIP ||
			r.FTIN != "" && c.FTIN != r.FTIN || r.LineOfBusiness != "" && c.LineOfBusiness != r.LineOfBusiness
	})
	if len(codes) == 0 {
		return r, access.Refuse("provider " + r.ProviderID)
	}
	first := codes[0]
	if !slices.ContainsFunc(codes, func(c RateCode) bool { return c.FTIN != first.FTIN || c.LineOfBusiness != first.LineOfBusiness }) {
		r.FTIN, r.LineOfBusiness = first.FTIN, first.LineOfBusiness
	}
	return r, nil
}

const mostFiles = 50

// Made are the fee schedules that were made for a user.
type Made struct {
	Count  int
	Newest []Request // at most fifty, the newest first
}

// Of finds the fee schedules that were made for a user: for the acting user alone.
func (s *Service) Of(ctx context.Context, userID int64) (Made, error) {
	list, err := finished(ctx, s.db.Reader, userID, mostFiles)
	made := Made{Count: len(list), Newest: list}
	if err == nil && len(list) == mostFiles {
		made.Count, err = countFinished(ctx, s.db.Reader, userID)
	}
	return made, err
}

// Find answers a request of the actor's own.
func (s *Service) Find(ctx context.Context, a access.Actor, id int64) (Request, error) {
	r, err := requestByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && r.UserID != a.Acting().ID {
		return Request{}, problem.New(problem.NotFound)
	}
	return r, err
}

// Open answers the file of a request; it counts as viewed, unless someone else
// looks for the user.
func (s *Service) Open(ctx context.Context, a access.Actor, id int64, userName, mirrored string) (Request, *blob.File, error) {
	if userName != "" && userName != a.Person.UserName || mirrored != "" && (a.Mirrored == nil || mirrored != a.Mirrored.UserName) {
		return Request{}, nil, problem.New(problem.Forbidden)
	}
	r, err := s.Find(ctx, a, id)
	if err == nil && r.Status != done {
		err = problem.New(problem.NotFound)
	}
	if err != nil {
		return r, nil, err
	}
	file, err := s.files.Open(ctx, r.StorageKey)
	if err != nil {
		return r, nil, err
	}
	if !a.Mirroring() {
		if err := noteViewed(ctx, s.db.Writer, id, db.At(s.now())); err != nil {
			return r, nil, errors.Join(err, file.Close())
		}
	}
	if err := s.audit.Now(ctx, audit.Entry{Operation: "fee-schedule-open", Subject: requestSubject(id), Result: "ok"}); err != nil {
		return r, nil, errors.Join(err, file.Close())
	}
	return r, file, nil
}

// OfUsers lists what some users asked for: the newest first, at most so many.
func (s *Service) OfUsers(ctx context.Context, users []int64, limit int) ([]Request, error) {
	return requestsOf(ctx, s.db.Reader, users, limit)
}

// ViewAll marks all fee schedules of the acting user as viewed.
func (s *Service) ViewAll(ctx context.Context, a access.Actor) error {
	return noteAllViewed(ctx, s.db.Writer, a.Acting().ID, db.At(s.now()))
}

// Topic is where a user is told that their fee schedules changed.
func Topic(userID int64) string { return fmt.Sprintf("user:%d", userID) }
