// Package health tells how the program does: the systems that it stands on, the
// instances that run, how large its tables are, and what clears what away.
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

// System is one that the program stands on.
type System struct {
	Name   string // as its outcomes are noted
	Title  string
	What   string // in words: what it is here
	Absent bool   // it is not set up
}

// Cleanup is what clears something away, and when.
type Cleanup struct{ What, After string }

// About is what is set up, which does not change while the program runs.
type About struct {
	Version  string
	Systems  []System
	Cleanups func() []Cleanup // once the program is whole
}

// Service notes how systems do.
type Service struct {
	db      *db.DB
	watcher *upstream.Watcher
	log     *slog.Logger
	now     func() time.Time
	here    *cluster.Here
	about   About
}

// NewService makes the service; watcher gathers what it stores.
func NewService(d *db.DB, watcher *upstream.Watcher, log *slog.Logger, now func() time.Time, here *cluster.Here, about About) *Service {
	return &Service{db: d, watcher: watcher, log: log, now: now, here: here, about: about}
}

// Names of the systems that the service itself asks.
const (
	Database = "database"
	Storage  = "storage"
)

const beat = 30 * time.Second

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Run: s.run, Keeps: []retention.Item{
		retention.Stays("Last successes and failures of connected systems", "system_outcomes"),
	}}
}

// run tells until ctx ends how systems do.
func (s *Service) run(ctx context.Context) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		if err := s.Beat(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "couldn't save the system status", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Beat notes how the systems did since the last time. What could not be stored is
// stored the next time.
func (s *Service) Beat(ctx context.Context) error {
	err := s.here.Beat(ctx)
	s.watcher.Note(Database, err)
	if err != nil {
		return err
	}
	return s.watcher.Hand(func(o upstream.Outcome) error { return noteOutcome(ctx, s.db.Writer, o) })
}

// State tells how a system does.
type State string

// The states.
const (
	Works   State = "WORKS"
	Fails   State = "FAILS"
	Unknown State = "UNKNOWN" // it was not asked yet
	Absent  State = "ABSENT"  // it is not set up
)

// Standing is a system with how it does.
type Standing struct {
	System
	State    State
	OKAt     db.Instant
	FailedAt db.Instant
	Failure  string
}

// Report is how the program does.
type Report struct {
	About
	Engine    string
	Started   time.Time // this instance
	Answered  time.Duration
	Standings []Standing
	Instances []cluster.Instance
	Here      string // which of them answers
	Tables    []Table
	Bytes     int64 // of the database
}

// Report asks how the program does.
func (s *Service) Report(ctx context.Context) (Report, error) {
	begun := time.Now()
	if err := s.Beat(ctx); err != nil {
		return Report{}, err
	}
	r := Report{About: s.about, Engine: s.db.Dialect.Name, Started: s.here.Started, Here: s.here.ID, Answered: time.Since(begun)}
	noted, err := outcomes(ctx, s.db.Reader)
	if err != nil {
		return r, err
	}
	for _, system := range s.about.Systems {
		r.Standings = append(r.Standings, standing(system, noted[system.Name]))
	}
	if r.Instances, err = cluster.Active(ctx, s.db.Reader, s.now()); err != nil {
		return r, err
	}
	r.Tables, r.Bytes, err = tables(ctx, s.db)
	return r, err
}

func standing(system System, o noted) Standing {
	st := Standing{System: system, State: Unknown, OKAt: o.OKAt, FailedAt: o.FailedAt, Failure: o.Failure}
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
