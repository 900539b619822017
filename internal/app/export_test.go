package app

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/accesslog"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
)

// SetFreeSpace replaces the free space of disks until undo.
func SetFreeSpace(free func(dir string) (uint64, error)) (undo func()) {
	usual := freeSpace
	freeSpace = free
	return func() { freeSpace = usual }
}

// Deliver sends pending emails, as the job does.
func (a *App) Deliver(ctx context.Context) error {
	var ids []int64
	if err := db.Select(ctx, a.DB.Writer, &ids, `SELECT id FROM mails WHERE status = 'waiting' ORDER BY id`); err != nil {
		return err
	}
	for _, id := range ids {
		job := &river.Job[mail.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 13}, Args: mail.JobArgs{MailID: id}}
		if err := a.sender.Work(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// HandRostersTo changes the delivery target for rosters.
func (a *App) HandRostersTo(out blob.Store) {
	a.receiveRosters(listings{a.Directory}, out)
}

// StopListingAfter calls stop after the given number of roster batches have started.
func (a *App) StopListingAfter(batches int, stop func()) {
	a.receiveRosters(&stopping{listings{a.Directory}, int64(batches * 200), stop}, nil)
}

func (a *App) receiveRosters(to rosters.Directory, out blob.Store) {
	a.Rosters = rosters.NewService(rosters.Deps{Kit: a.kit, Users: a.Users, Directory: to, Out: out}, a.Config.Rosters, true)
}

// stopping is a directory that interrupts updates.
type stopping struct {
	listings
	left int64
	stop func()
}

func (s *stopping) ImportListing(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, l rosters.Listing) (bool, error) {
	if atomic.AddInt64(&s.left, -1) == 0 {
		s.stop()
	}
	return s.listings.ImportListing(ctx, tx, sourceGroupID, uploadID, l)
}

func (s *stopping) EndListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) (int, error) {
	if atomic.AddInt64(&s.left, -200) <= 0 {
		s.stop()
	}
	return s.listings.EndListings(ctx, tx, sourceGroupID, uploadID, limit)
}

// MakeFeeSchedules processes pending fee schedules, as their job does at the first attempt.
func (a *App) MakeFeeSchedules(ctx context.Context) error { return a.TryFeeSchedules(ctx, 1) }

// TryFeeSchedules processes pending fee schedules, as their job does at the given attempt.
func (a *App) TryFeeSchedules(ctx context.Context, attempt int) error {
	var ids []int64
	if err := db.Select(ctx, a.DB.Writer, &ids, `SELECT id FROM fee_schedule_requests WHERE status = 'QUEUED' ORDER BY id`); err != nil {
		return err
	}
	for _, id := range ids {
		job := &river.Job[feeschedules.JobArgs]{JobRow: &rivertype.JobRow{Kind: "fee-schedule", Attempt: attempt, MaxAttempts: 8}}
		if err := json.Unmarshal(fmt.Appendf(nil, `{"requestId": %d}`, id), &job.Args); err != nil || job.Kind != job.Args.Kind() {
			return fmt.Errorf("a job of before is not run: %w", err)
		}
		if err := a.FeeSchedules.Work(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// Listen receives events from other instances, as Serve does.
func (a *App) Listen(ctx context.Context) { a.events.Run(ctx) }

// Works reports whether a worker exists for these jobs.
func (a *App) Works(args river.JobArgs) bool {
	return a.DB.Tx(context.Background(), func(tx *sql.Tx) error { return a.jobs.Insert(context.Background(), tx, args) }) == nil
}

// Takes reports whether the portal imports files of a kind.
func (a *App) Takes(kind string) bool {
	return slices.ContainsFunc(a.listFeeds(), func(f ingest.Feed) bool { return f.Name() == kind })
}

// CleanupSessions deletes ended sessions, as the job does.
func (a *App) CleanupSessions(ctx context.Context, now func() time.Time) error {
	kit := a.kit
	kit.Clock = now
	return sessions.NewRegistry(kit, tins.SelectSQL, accesslog.End, a.Config.Access, a.Config.Sessions).Cleanup(ctx)
}

// SealAudit seals the current audit log.
func (a *App) SealAudit(ctx context.Context) error { return a.audit.Seal(ctx) }

// Registry returns the metrics registry.
func (a *App) Registry() *prometheus.Registry { return a.registry }

// EmailKinds returns the kinds of email that the portal sends.
func (a *App) EmailKinds() []mail.Kind { return a.sender.Kinds() }

// JobKinds returns the kinds of job that the portal runs.
func (a *App) JobKinds() []jobs.Kind { return a.jobs.Kinds() }
