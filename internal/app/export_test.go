package app

import (
	"context"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/db"
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
		if err := a.mails.Worker().Work(ctx, job); err != nil {
			return err
		}
	}
	return nil
}
