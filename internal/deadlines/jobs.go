package deadlines

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/jobs"
)

// Place is one among all open bills: that of a bill, after which others come.
type Place struct {
	TIN   string    `db:"after_tin"`
	Since date.Date `db:"after_since"`
	Bill  string    `db:"after_key"`
}

// Ledger keeps of each open bill the deadline that comes first.
type Ledger interface {
	// Redue counts anew the next deadlines of the open bills after a place, at most
	// limit, and answers where it came to; a zero place after the last.
	Redue(ctx context.Context, after Place, limit int) (Place, error)
}

// CountArgs are those of the job that counts the deadlines of open bills anew.
type CountArgs struct{}

// Kind names the job.
func (CountArgs) Kind() string { return "deadlines" }

// Jobs names the job that counts deadlines anew: after each change of the law, and
// each minute in case that one was missed.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Minute, CountArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[CountArgs]) error {
		return s.Count(ctx)
	}))
}

// atOnce is how many bills are counted in one transaction.
const atOnce = 1000

// Count has all open bills follow the law in force, slice by slice. It may stop at any
// moment, and run several times at once. A law that changes meanwhile has it begin again.
func (s *Service) Count(ctx context.Context) error {
	for {
		version, err := versionOf(ctx, s.db.Writer)
		if err != nil {
			return err
		}
		at, err := runOf(ctx, s.db.Writer)
		if err != nil || at.Done == version {
			return err
		}
		next := run{Done: at.Done, Running: version}
		if at.Running == version {
			reached, err := s.ledger.Redue(ctx, at.Place, atOnce)
			if err != nil {
				return err
			}
			if next.Place = reached; reached == (Place{}) {
				next.Done = version
			}
		}
		if goesOn, err := move(ctx, s.db.Writer, at, next); err != nil || !goesOn {
			return err // another one counts the same
		}
	}
}
