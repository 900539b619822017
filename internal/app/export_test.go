package app

import (
	"context"
	"database/sql"
	"slices"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/feeschedules"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/mail"
)

// Deliver sends what waits in the outbox, as its job does.
func (a *App) Deliver(ctx context.Context) error {
	var ids []int64
	if err := db.Select(ctx, a.DB.Writer, &ids, `SELECT id FROM mails WHERE status = 'waiting' ORDER BY id`); err != nil {
		return err
	}
	for _, id := range ids {
		job := &river.Job[mail.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 13}, Args: mail.JobArgs{MailID: id}}
		if err := a.mails.Work(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// HandRostersTo has rosters handed over elsewhere.
func (a *App) HandRostersTo(out blob.Store) {
	a.Rosters.Receive(out, a.mails, a.jobs, a.Config.PublicURL)
}

// MakeFeeSchedules works on the fee schedules that wait, as their job does.
func (a *App) MakeFeeSchedules(ctx context.Context) error {
	var ids []int64
	if err := db.Select(ctx, a.DB.Writer, &ids, `SELECT id FROM fee_schedule_requests WHERE status = 'QUEUED' ORDER BY id`); err != nil {
		return err
	}
	for _, id := range ids {
		job := &river.Job[feeschedules.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 5}, Args: feeschedules.JobArgs{RequestID: id}}
		if err := a.FeeSchedules.Work(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// Listen hears the events of other instances, as Serve does.
func (a *App) Listen(ctx context.Context) { a.events.Run(ctx) }

// Works tells whether jobs of these are worked on.
func (a *App) Works(args river.JobArgs) bool {
	return a.DB.Tx(context.Background(), func(tx *sql.Tx) error { return a.jobs.Insert(context.Background(), tx, args) }) == nil
}

// Takes tells whether files of a kind are taken.
func (a *App) Takes(kind string) bool {
	return slices.ContainsFunc(a.feeds(), func(f intake.Feed) bool { return f.Name() == kind })
}
