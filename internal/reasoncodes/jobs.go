package reasoncodes

import (
	"context"
	"database/sql"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
)

// Code identifies a code within its list.
type Code struct{ List, Code string }

// Payments finds the codes on payments.
type Payments interface {
	// NextTIN returns the next TIN with payments. It is empty after the last one.
	NextTIN(ctx context.Context, after string) (string, error)
	// EachSince calls each with the bill and codes of each of a TIN's payments, starting at a day.
	EachSince(ctx context.Context, tin string, since date.Date, each func(bill string, on date.Date, codes []Code)) error
}

// Counted is the number of bills with a code.
type Counted struct {
	List     string
	Code     string
	Bills    int64
	LastSeen date.Date
}

// Counts are bill counts and their time.
type Counts struct {
	At    db.Instant // zero: not counted yet
	Since date.Date
	List  []Counted
}

// CountArgs are the arguments of the job that counts codes.
type CountArgs struct{}

// Kind returns the job kind.
func (CountArgs) Kind() string { return "count-reasons" }

// Jobs registers the job that counts codes each night. A missed run is made up for within the
// hour.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Hour, CountArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[CountArgs]) error {
		return s.CountWhenDue(ctx)
	}))
}

// Number of days counted, and the hour of the night when counting starts.
const (
	countedDays = 90
	countedFrom = 1
)

// CountWhenDue counts once per night, or immediately if there is no count yet. It can be
// interrupted at any time and can run concurrently.
func (s *Service) CountWhenDue(ctx context.Context) error {
	runs, err := countRuns(ctx, s.db.Reader)
	if err != nil {
		return err
	}
	now := s.now()
	switch {
	case len(runs) > 0 && runs[0].DoneAt.IsZero():
		return s.continueCount(ctx, runs[0])
	case len(runs) > 0 && (now.Hour() < countedFrom || date.Of(runs[0].StartedAt.In(now.Location())) >= date.Of(now)):
		return nil
	}
	run, err := beginCount(ctx, s.db.Writer, date.Of(now).AddDays(-countedDays), db.At(now))
	if err != nil {
		return err
	}
	return s.continueCount(ctx, run)
}

type count struct {
	bills int64
	last  date.Date
}

// perStep is the number of payments between saves.
const perStep = 5000

// continueCount continues from the TIN where the run stopped. It stores only the counts. In memory it
// has the bills of one TIN by code, because a bill counts once however often it was paid.
func (s *Service) continueCount(ctx context.Context, run countRun) error {
	counts, payments, last := map[Code]count{}, 0, run.AfterTIN
	for {
		tin, err := s.payments.NextTIN(ctx, last)
		if err != nil {
			return err
		}
		if payments >= perStep || tin == "" {
			if goesOn, err := s.storeCounts(ctx, run, last, counts, tin == ""); err != nil || !goesOn {
				return err
			}
			run.AfterTIN, payments = last, 0
			clear(counts)
		}
		if tin == "" {
			return nil
		}
		seen := map[Code]map[string]bool{}
		if err := s.payments.EachSince(ctx, tin, run.Since, func(bill string, on date.Date, codes []Code) {
			payments++
			for _, c := range codes {
				n := counts[c]
				if seen[c] == nil {
					seen[c] = map[string]bool{}
				}
				if !seen[c][bill] {
					seen[c][bill] = true
					n.bills++
				}
				n.last = max(n.last, on)
				counts[c] = n
			}
		}); err != nil {
			return err
		}
		last = tin
	}
}

// storeCounts adds counts to the run together with its progress. It reports whether the run continues:
// it doesn't if another instance is running the same count.
func (s *Service) storeCounts(ctx context.Context, run countRun, last string, counts map[Code]count, ends bool) (goesOn bool, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if goesOn, err = moveCount(ctx, tx, run, last); err != nil || !goesOn {
			return err
		}
		for c, n := range counts {
			if err := addCount(ctx, tx, run.ID, c, n); err != nil {
				return err
			}
		}
		if !ends {
			return nil
		}
		if err := endCount(ctx, tx, run.ID, db.At(s.now())); err != nil {
			return err
		}
		return deleteCounts(ctx, tx, run.ID)
	})
	return goesOn, err
}

// loadCounts returns the latest complete count.
func (s *Service) loadCounts(ctx context.Context) (Counts, error) {
	runs, err := countRuns(ctx, s.db.Reader)
	for _, run := range runs {
		if !run.DoneAt.IsZero() {
			list, err := listCounts(ctx, s.db.Reader, run.ID)
			return Counts{At: run.DoneAt, Since: run.Since, List: list}, err
		}
	}
	return Counts{}, err
}
