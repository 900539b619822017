package deadlines

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/jobs"
)

// Place is a position in the list of all open bills: after the bill it names.
type Place struct {
	TIN   string    `db:"after_tin"`
	Since date.Date `db:"after_since"`
	Bill  string    `db:"after_key"`
}

// Ledger stores the next deadline of each open bill.
type Ledger interface {
	// UpdateDueDates recalculates the next deadlines of up to limit open bills after a place. It returns
	// the place of the last one, or a zero place if there are no more.
	UpdateDueDates(ctx context.Context, after Place, limit int) (Place, error)
}

// RecalculateArgs are the arguments of the job that recalculates the deadlines of open bills.
type RecalculateArgs struct{}

// Kind returns the job kind.
func (RecalculateArgs) Kind() string { return "deadlines" }

// Jobs registers the job that recalculates deadlines. It runs after each change of the law, and
// every minute in case a run was missed.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Minute, RecalculateArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[RecalculateArgs]) error {
		return s.Recalculate(ctx)
	}))
}

// atOnce is the number of bills per transaction.
const atOnce = 1000

// Recalculate applies the current law to all open bills in batches. It can be interrupted at any time
// and can run concurrently. It restarts if the law changes in the meantime.
func (s *Service) Recalculate(ctx context.Context) error {
	for {
		version, err := getVersion(ctx, s.db.Writer)
		if err != nil {
			return err
		}
		at, err := getRun(ctx, s.db.Writer)
		if err != nil || at.Done == version {
			return err
		}
		next := run{Done: at.Done, Running: version}
		if at.Running == version {
			reached, err := s.ledger.UpdateDueDates(ctx, at.Place, atOnce)
			if err != nil {
				return err
			}
			if next.Place = reached; reached == (Place{}) {
				next.Done = version
			}
		}
		if goesOn, err := move(ctx, s.db.Writer, at, next); err != nil || !goesOn {
			return err // another run is processing the same bills
		}
	}
}
