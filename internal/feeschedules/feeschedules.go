// Package feeschedules owns the PPO fee schedules. They consist of the rate codes that price a
// provider's bills, and the files that users request.
package feeschedules

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
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// RateCode is the national rate code that prices a provider's bills at a location.
type RateCode struct {
	ProviderID       string `db:"provider_id"`
	LineOfBusiness   string // DPWC: workers' compensation, DPAUT: auto
	FTIN             string `db:"ftin"`
	NationalRateCode string
	ZIP              string `db:"zip"`
	LocationName     string
	LocationAddress  string
	LocationDetails  string
}

// Allowance is a rate code's allowance for a procedure, in cents.
type Allowance struct {
	NationalRateCode string
	ProcedureCode    string
	Modifier         string
	Description      string
	Allowance        int64
	EffectiveDate    date.Date
	EndDate          date.Date // empty: open
}

// statuses are the values of a request's status.
var statuses = fileexport.Codes

// Request is a user's request for a fee schedule.
type Request struct {
	fileexport.Row[int64]
	NationalRateCode string
	ProviderID       string
	LocationName     string
	ZIP              string
	FTIN             string // empty: an old request, or one for several TINs
	LineOfBusiness   string // likewise
	FileName         string
	StorageKey       string
	ViewedAt         db.Instant
	OverAt           db.Instant // if failed: when it was requested again or dismissed
}

// Providers finds the TINs that a provider bills under.
type Providers interface {
	ListTINs(ctx context.Context, providerID string) ([]string, error)
}

// Service lists rate codes and creates fee schedules.
type Service struct {
	db        *db.DB
	scopes    *tins.Scopes
	users     *users.Service
	providers Providers
	events    *events.Broker
	audit     *audit.Log
	log       *slog.Logger
	now       func() time.Time
	jobs      jobs.Queue
	settings  Settings
	exports   *fileexport.Exports[Request, int64]
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes    *tins.Scopes
	Users     *users.Service
	Providers Providers
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	s := &Service{db: d.DB, jobs: d.Jobs, scopes: d.Scopes, users: d.Users, providers: d.Providers, events: d.Events, audit: d.Audit,
		log: d.Log, now: d.LocalTime, settings: settings}
	s.exports = s.newExports(d.DB, d.Files)
	return s
}

const maxRateCodes = 2000

// RateCodes lists a provider's rate codes under a TIN by location, up to 2,000. Users see only
// their own TINs, and internal staff see any.
func (s *Service) RateCodes(ctx context.Context, a access.Actor, lob, providerID, ftin string) ([]RateCode, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, err
	}
	return listRateCodes(ctx, s.db.Reader, providerID, lob, ftin, maxRateCodes)
}

// RateCodePage returns a page of the same rate codes and the total.
func (s *Service) RateCodePage(ctx context.Context, a access.Actor, lob, providerID, ftin string, t paging.Table) ([]RateCode, int, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, 0, err
	}
	return rateCodePage(ctx, s.db.Reader, s.db.Dialect, t, selectRateCodes(providerID, lob, ftin))
}

// A request repeated this soon is a double click.
const sameWithin = time.Minute

// RequestFile requests the fee schedule of a rate code, at a location where the provider has it, and
// returns the request's id. Repeating the request returns the same id.
func (s *Service) RequestFile(ctx context.Context, a access.Actor, userName string, r Request) (int64, error) {
	if err := a.CheckName(userName); err != nil {
		return 0, err
	}
	r.UserID, r.LocationName, r.ZIP = a.Person.ID, text.Clean(r.LocationName), text.Clean(r.ZIP)
	r, err := s.findRateCode(ctx, a, r)
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
		if over, err = hideRepeated(ctx, tx, r, db.At(now)); err != nil {
			return err
		}
		if err := s.jobs.Insert(ctx, tx, JobArgs{RequestID: id}); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "fee-schedule-request", Subject: requestSubject(id), Result: "ok",
			Detail: r.NationalRateCode})
	})
	if err == nil && over > 0 {
		s.events.Publish(ctx, Topic(r.UserID))
	}
	return id, err
}

func requestSubject(id int64) string { return fmt.Sprintf("fee schedule %d", id) }

// findRateCode finds the provider's rate code under the actor's own TINs. It fills in the request's
// TIN and line of business if they are unambiguous.
func (s *Service) findRateCode(ctx context.Context, a access.Actor, r Request) (Request, error) {
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

const maxFiles = 50

// FinishedFiles contains the fee schedules created for a user.
type FinishedFiles struct {
	Count  int
	Newest []Request // newest first, at most 50
}

// ListForUser returns the fee schedules created for a user. Callers must pass the acting user.
func (s *Service) ListForUser(ctx context.Context, userID int64) (FinishedFiles, error) {
	list, err := listDone(ctx, s.db.Reader, userID, maxFiles)
	made := FinishedFiles{Count: len(list), Newest: list}
	if err == nil && len(list) == maxFiles {
		made.Count, err = countDone(ctx, s.db.Reader, userID)
	}
	return made, err
}

// Find returns one of the actor's requests.
func (s *Service) Find(ctx context.Context, a access.Actor, id int64) (Request, error) {
	return s.exports.FindOwn(ctx, s.db.Reader, a.Acting().ID, id)
}

// Open returns the file of a request about a TIN that the actor still has. It marks the file as
// viewed, unless staff open it on the user's behalf.
func (s *Service) Open(ctx context.Context, a access.Actor, id int64, userName, mirrored string) (Request, *blob.File, error) {
	if userName != "" && userName != a.Person.UserName {
		return Request{}, nil, access.RefuseName(userName)
	}
	if mirrored != "" && (a.Mirrored == nil || mirrored != a.Mirrored.UserName) {
		return Request{}, nil, access.RefuseName(mirrored)
	}
	r, err := s.Find(ctx, a, id)
	if err == nil && r.Status != statuses.Done {
		err = problem.New(problem.NotFound)
	}
	if err == nil {
		err = s.requireTIN(ctx, a, r)
	}
	if err != nil {
		return r, nil, err
	}
	file, err := s.exports.Files.Open(ctx, r.StorageKey)
	if err != nil {
		return r, nil, err
	}
	if !a.IsMirroring() {
		if err := noteViewed(ctx, s.db.Writer, id, db.At(s.now())); err != nil {
			return r, nil, errors.Join(err, file.Close())
		}
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "fee-schedule-open", Subject: requestSubject(id), Result: "ok"}); err != nil {
		return r, nil, errors.Join(err, file.Close())
	}
	return r, file, nil
}

// requireTIN returns NotFound if the actor no longer has the TIN of a request, or any of its TINs.
func (s *Service) requireTIN(ctx context.Context, a access.Actor, r Request) error {
	if r.FTIN != "" {
		return access.RequireTIN(ctx, s.scopes, a, r.FTIN)
	}
	_, err := s.findRateCode(ctx, a, r)
	return err
}

// ListByUsers lists requests of some users, newest first, up to a limit.
func (s *Service) ListByUsers(ctx context.Context, users []int64, limit int) ([]Request, error) {
	return listRequests(ctx, s.db.Reader, users, limit)
}

// ViewAll marks all of the acting user's fee schedules as viewed.
func (s *Service) ViewAll(ctx context.Context, a access.Actor) error {
	return noteAllViewed(ctx, s.db.Writer, a.Acting().ID, db.At(s.now()))
}

// Topic returns the event topic for changes of a user's fee schedules.
func Topic(userID int64) string { return fmt.Sprintf("user:%d", userID) }
