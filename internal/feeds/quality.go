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

// qualityDays are as many as the screen shows, today with them.
const qualityDays = 90

// lockSpace is that of the lock which whoever sums a day holds.
const lockSpace = 7723511

// settled is how long after its end a day is summed for good: batches that began in it
// are committed then.
const settled = time.Hour

// SumDays sums what the files of each day brought: of all days that were not complete when
// they were summed last, today with them. It may stop at any moment, and run several
// times at once.
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
		if err := s.sum(ctx, day, date.Of(now.Add(-settled)) > day); err != nil {
			return err
		}
	}
	return nil
}

// sum writes the sums of a day in place of those that were there.
func (s *Service) sum(ctx context.Context, day date.Date, complete bool) error {
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

// Tidy forgets what is older than the network wants it.
func (s *Service) Tidy(ctx context.Context) error {
	before := date.Of(s.now()).AddDays(-s.settings.FeedQualityDays)
	return errors.Join(
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetSumsBefore(ctx, tx, before) }),
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetDaysBefore(ctx, tx, before) }),
		s.importer.ForgetMeasured(ctx, before),
	)
}

// daySum is what the files of a kind and source brought on a day.
type daySum struct {
	Day date.Date
	ingest.Measured
}

// Share is how many of what was counted are as they should be.
type Share struct{ Counted, Good int64 }

func (s Share) plus(other Share) Share { return Share{s.Counted + other.Counted, s.Good + other.Good} }

// QualityDay is a measure's share of a day.
type QualityDay struct {
	Day date.Date
	Share
}

// Verdict compares the last day with those before it.
type Verdict string

// The verdicts.
const (
	Worse   Verdict = "WORSE"
	Better  Verdict = "BETTER"
	Alike   Verdict = "SAME"
	Unknown Verdict = "NONE" // nothing came before it
)

// Measure is how something stands of which files bring more each day.
type Measure struct {
	What    string
	Days    []QualityDay // on which anything was counted, the first one first
	Last    QualityDay   // of these; zero where there is none
	Before  Share        // of the days before that one
	Week    Share        // of seven days, today with them
	All     Share
	Verdict Verdict
}

// judge tells whether a day differs from those before it: by a percentage point at least,
// and by more than twice the spread that as many records have by chance.
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

// Of says which files are meant.
type Of struct {
	Kind     string // empty: of all kinds
	SourceID int64  // 0: of all sources
}

// Quality answers how each measure stands over 90 days, and when that was counted; zero
// where nothing was.
func (s *Service) Quality(ctx context.Context, of Of) (list []Measure, countedAt db.Instant, err error) {
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
		list = append(list, measureOf(what, byMeasure[what], today))
	}
	return list, countedAt, err
}

func measureOf(what string, days []QualityDay, today date.Date) Measure {
	m := Measure{What: what, Days: days, Verdict: Unknown}
	for i, d := range days {
		m.All = m.All.plus(d.Share)
		if d.Day > today.AddDays(-7) {
			m.Week = m.Week.plus(d.Share)
		}
		if i == len(days)-1 {
			m.Last, m.Verdict = d, judge(d.Share, m.Before)
		} else {
			m.Before = m.All
		}
	}
	return m
}

// mostWorst is how many files of a day are listed.
const mostWorst = 50

// Worst lists the files of a day that brought the smallest share of a measure, the worst
// first, and tells how many there are.
func (s *Service) Worst(ctx context.Context, what string, day date.Date, of Of) ([]ingest.FileMeasured, int, error) {
	var wrong validate.Fields
	wrong.Require(slices.Contains(s.importer.Measures(), what), "measure", "Select a measure")
	wrong.Require(day != "", "day", "Enter a date as YYYY-MM-DD")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return nil, 0, err
	}
	return s.importer.FilesMeasured(ctx, day, what, of.Kind, of.SourceID, mostWorst)
}
