package feeds

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/validate"
)

// qualityDays is the number of days on the screen, including today.
const qualityDays = 90

// lockSpace identifies the lock that serializes the totals of a day.
const lockSpace = 7723511

// settleTime is how long after midnight a day's totals become final. Batches that began before
// midnight are committed by then.
const settleTime = time.Hour

// SumDays calculates the totals of each day since the last final one, including today. It can be
// interrupted at any time and can run concurrently.
func (s *Service) SumDays(ctx context.Context) error {
	now := s.now()
	today := date.Of(now)
	known := today.AddDays(-s.settings.FeedQualityDays)
	day, err := lastComplete(ctx, s.db.Reader, known)
	if err != nil {
		return err
	}
	if day != "" {
		day = day.AddDays(1)
	} else if day, err = s.importer.FirstMeasured(ctx, known); err != nil || day == "" {
		return err
	}
	for ; day <= today; day = day.AddDays(1) {
		if err := s.sumDay(ctx, day, date.Of(now.Add(-settleTime)) > day); err != nil {
			return err
		}
	}
	return nil
}

// sumDay replaces the totals of a day.
func (s *Service) sumDay(ctx context.Context, day date.Date, complete bool) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil {
			return err
		}
		if done, err := isComplete(ctx, tx, day); err != nil || done {
			return err
		}
		list, err := s.importer.MeasuredOn(ctx, tx, day)
		if err != nil {
			return err
		}
		sums := make([]daySum, len(list))
		for i, m := range list {
			sums[i] = daySum{day, m}
		}
		return errors.Join(forgetSums(ctx, tx, day), daySums.Insert(ctx, tx, sums...), noteDay(ctx, tx, day, db.At(s.now()), complete))
	})
}

// Cleanup deletes totals after the retention period.
func (s *Service) Cleanup(ctx context.Context) error {
	before := date.Of(s.now()).AddDays(-s.settings.FeedQualityDays)
	return errors.Join(
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteSumsBefore(ctx, tx, before) }),
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteDaysBefore(ctx, tx, before) }),
		s.importer.ForgetMeasured(ctx, before),
	)
}

// daySum is the total for a kind and source on a day.
type daySum struct {
	Day date.Date
	ingest.Measured
}

// Share is the number of good items out of those counted.
type Share struct{ Counted, Good int64 }

func (s Share) add(other Share) Share { return Share{s.Counted + other.Counted, s.Good + other.Good} }

// QualityDay is a measure's share on a day.
type QualityDay struct {
	Day date.Date
	Share
}

// Verdict compares the latest day with the days before.
type Verdict string

// The verdicts.
const (
	Worse   Verdict = "WORSE"
	Better  Verdict = "BETTER"
	Alike   Verdict = "SAME"
	Unknown Verdict = "NONE" // no earlier data
)

// Measure is the history of one data quality measure.
type Measure struct {
	What    string
	Days    []QualityDay // days with data, oldest first
	Last    QualityDay   // the latest of these; zero if there is none
	Before  Share        // the days before the latest
	Week    Share        // seven days, including today
	All     Share
	Verdict Verdict
}

// judge reports whether a day differs from those before: by at least one percentage point and
// more than twice the random spread for that number of records.
func judge(day, before Share) Verdict {
	if day.Counted == 0 || before.Counted == 0 {
		return Unknown
	}
	p, n := float64(before.Good)/float64(before.Counted), float64(day.Counted)
	differs := float64(day.Good)/n - p
	switch {
	case math.Abs(differs) < 0.01-1e-9 || math.Abs(differs) <= 2*math.Sqrt(p*(1-p)/n):
		return Alike
	case differs < 0:
		return Worse
	default:
		return Better
	}
}

// Filter filters the files.
type Filter struct {
	Kind     string // empty: all
	SourceID int64  // 0: all
}

// Quality returns each measure over 90 days and when it was calculated. The time is zero if
// there is no data.
func (s *Service) Quality(ctx context.Context, of Filter) (list []Measure, countedAt db.Instant, err error) {
	today := date.Of(s.now())
	since := today.AddDays(1 - qualityDays)
	if countedAt, err = lastSummed(ctx, s.db.Reader, since); err != nil {
		return nil, countedAt, err
	}
	days, err := sumsSince(ctx, s.db.Reader, since, of)
	byMeasure := map[string][]QualityDay{}
	for _, d := range days {
		byMeasure[d.Measure] = append(byMeasure[d.Measure], QualityDay{d.Day, Share{d.Counted, d.Good}})
	}
	for _, what := range s.importer.Measures() {
		list = append(list, newMeasure(what, byMeasure[what], today))
	}
	return list, countedAt, err
}

func newMeasure(what string, days []QualityDay, today date.Date) Measure {
	m := Measure{What: what, Days: days, Verdict: Unknown}
	for i, d := range days {
		m.All = m.All.add(d.Share)
		if d.Day > today.AddDays(-7) {
			m.Week = m.Week.add(d.Share)
		}
		if i == len(days)-1 {
			m.Last, m.Verdict = d, judge(d.Share, m.Before)
		} else {
			m.Before = m.All
		}
	}
	return m
}

// ListWorst lists a day's files with the lowest shares of a measure, worst first, and the total
// number of files.
func (s *Service) ListWorst(ctx context.Context, what string, day date.Date, of Filter) ([]ingest.FileMeasured, int, error) {
	var wrong validate.Fields
	wrong.Require(slices.Contains(s.importer.Measures(), what), "measure", "Select a measure")
	wrong.Require(day != "", "day", "Enter a date as YYYY-MM-DD")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return nil, 0, err
	}
	return s.importer.FilesMeasured(ctx, day, what, of.Kind, of.SourceID)
}
