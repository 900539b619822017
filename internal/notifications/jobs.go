package notifications

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
)

// JobArgs are the arguments of the job that sends due notifications.
type JobArgs struct{}

// Kind returns the job kind.
func (JobArgs) Kind() string { return "send-notifications" }

// Jobs registers the job that sends due notifications every minute. If it runs twice or
// concurrently, each notification is still sent once.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Minute, JobArgs{}, func(ctx context.Context, _ *river.Job[JobArgs]) error { return s.Send(ctx) })
}

// sender is the author of the change that sending makes to a notification.
const sender = "system"

// Send sends the due notifications.
func (s *Service) Send(ctx context.Context) error { return s.SendUpTo(ctx, s.dueDate()) }

// SendUpTo sends the notifications up to a date. If one fails, it still sends the others.
func (s *Service) SendUpTo(ctx context.Context, on date.Date) error {
	ids, err := due(ctx, s.db.Writer, on)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range ids {
		failed = append(failed, s.send(ctx, id, on))
	}
	return errors.Join(failed...)
}

// send marks a notification as sent and creates its recipients' copies, in one transaction. A
// concurrent edit waits for the row lock.
func (s *Service) send(ctx context.Context, id int64, on date.Date) error {
	var copies int64
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		now := db.At(s.now())
		audience, err := markSent(ctx, tx, id, on, now, sender)
		if errors.Is(err, db.ErrNotFound) { // sent, changed or deleted by someone else
			return nil
		}
		if err != nil {
			return err
		}
		if copies, err = copyTo(ctx, tx, id, audience, now); err != nil {
			return err
		}
		if err := noteSentTo(ctx, tx, id, copies); err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "notification-send", id, strconv.FormatInt(copies, 10))
	})
	if err == nil && copies > 0 {
		s.events.Publish(ctx, topic)
	}
	return err
}

// copyTo creates the copies for the selected users, or for everyone who matches the
// notification's audience now.
func copyTo(ctx context.Context, tx *sql.Tx, id int64, audience string, now db.Instant) (int64, error) {
	if audience == "" {
		return insertCopies(ctx, tx, id, now)
	}
	a, err := parseAudience(audience)
	if err != nil {
		return 0, err
	}
	return insertCopiesFor(ctx, tx, a, id, now)
}
