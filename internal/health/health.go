// Package health shows the system status. It covers the systems that the program depends on, the
// running instances, table sizes and data retention.
package health

import (
	"context"
	"log/slog"
	"time"

	"wcpp/internal/platform/cluster"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/upstream"
)

// System is a system that the program depends on.
type System struct {
	Name   string // as in recorded outcomes
	Title  string
	What   string // what we use it for
	Absent bool   // not configured
}

// Cleanup is a kind of data and its retention period.
type Cleanup struct{ What, After string }

// About is configuration, which doesn't change while the program runs.
type About struct {
	Version  string
	Systems  []System
	Cleanups func() []Cleanup // available after startup
}

// Service records the status of systems.
type Service struct {
	db      *db.DB
	watcher *upstream.Watcher
	log     *slog.Logger
	now     func() time.Time
	here    *cluster.Self
	about   About
}

// NewService creates the service. It stores the outcomes that watcher collects.
func NewService(d *db.DB, watcher *upstream.Watcher, log *slog.Logger, now func() time.Time, here *cluster.Self, about About) *Service {
	return &Service{db: d, watcher: watcher, log: log, now: now, here: here, about: about}
}

// Names of the systems that the service checks itself.
const (
	Database = "database"
	Storage  = "storage"
)

const beat = 30 * time.Second

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Run: s.run, Retention: []retention.Item{
		retention.Forever("Last successes and failures of connected systems", "system_outcomes"),
	}}
}

// run records the status of systems until ctx ends.
func (s *Service) run(ctx context.Context) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		if err := s.RecordOutcomes(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "couldn't save the system status", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RecordOutcomes records outcomes since the last beat. Outcomes that can't be stored are retried with the
// next beat.
func (s *Service) RecordOutcomes(ctx context.Context) error {
	err := s.here.Beat(ctx)
	s.watcher.Record(Database, err)
	if err != nil {
		return err
	}
	return s.watcher.Flush(func(o upstream.Outcome) error { return noteOutcome(ctx, s.db.Writer, o) })
}

// State is the state of a system.
type State string

// The states.
const (
	Works   State = "WORKS"
	Fails   State = "FAILS"
	Unknown State = "UNKNOWN" // not checked yet
	Absent  State = "ABSENT"  // not configured
)

// SystemStatus is a system with its state.
type SystemStatus struct {
	System
	State    State
	OKAt     db.Instant
	FailedAt db.Instant
	Failure  string
}

// Report is the status of the program.
type Report struct {
	About
	Engine    string
	Started   time.Time // of this instance
	Answered  time.Duration
	Statuses  []SystemStatus
	Instances []cluster.Instance
	Here      string // ID of this instance
	Tables    []Table
	Bytes     int64 // size of the database
}

// Report returns the current status of the program.
func (s *Service) Report(ctx context.Context) (Report, error) {
	begun := time.Now()
	if err := s.RecordOutcomes(ctx); err != nil {
		return Report{}, err
	}
	r := Report{About: s.about, Engine: s.db.Dialect.Name, Started: s.here.Started, Here: s.here.ID, Answered: time.Since(begun)}
	noted, err := outcomes(ctx, s.db.Reader)
	if err != nil {
		return r, err
	}
	for _, system := range s.about.Systems {
		r.Statuses = append(r.Statuses, newStatus(system, noted[system.Name]))
	}
	if r.Instances, err = cluster.ListActive(ctx, s.db.Reader, s.now()); err != nil {
		return r, err
	}
	r.Tables, r.Bytes, err = listTables(ctx, s.db)
	return r, err
}

func newStatus(system System, o storedOutcome) SystemStatus {
	st := SystemStatus{System: system, State: Unknown, OKAt: o.OKAt, FailedAt: o.FailedAt, Failure: o.Failure}
	switch {
	case system.Absent:
		st.State = Absent
	case o.FailedAt.After(o.OKAt.Time):
		st.State = Fails
	case !o.OKAt.IsZero():
		st.State = Works
	}
	return st
}
