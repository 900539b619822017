package ingest

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// Measured has the numbers of counted and of good records.
type Measured struct {
	Kind     string // of the files
	SourceID int64  // 0: unknown source
	Measure  string
	Counted  int64
	Good     int64
}

// Measures lists the quality measures, in the order of the feeds.
func (im *Importer) Measures() []string {
	var list []string
	for _, f := range im.feeds {
		for _, m := range f.measures {
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// MeasuredKinds lists the kinds of files with quality measures.
func (im *Importer) MeasuredKinds() []string {
	var kinds []string
	for _, f := range im.feeds {
		if len(f.measures) > 0 && !slices.Contains(kinds, f.run()) {
			kinds = append(kinds, f.run())
		}
	}
	return kinds
}

// MeasuredOn returns the totals of a day, by kind and source of the files.
func (im *Importer) MeasuredOn(ctx context.Context, q db.Queryer, day date.Date) ([]Measured, error) {
	return measuredOn(ctx, q, day)
}

// FirstMeasured returns the first day since the given one with measures, or an empty date.
func (im *Importer) FirstMeasured(ctx context.Context, since date.Date) (date.Date, error) {
	return firstMeasured(ctx, im.db.Reader, since)
}

// FileMeasured is a measure of one file on a day.
type FileMeasured struct {
	ID       int64
	Name     string
	Kind     string
	SourceID int64
	BeganAt  db.Instant
	Counted  int64
	Good     int64
}

// maxMeasured is the maximum number of files listed for a day.
const maxMeasured = 50

// FilesMeasured lists up to 50 files with a measure on a day, worst share first, and returns
// their total number. kind and sourceID filter the files if set.
func (im *Importer) FilesMeasured(
	ctx context.Context, day date.Date, measure, kind string, sourceID int64,
) ([]FileMeasured, int, error) {
	return filesMeasured(ctx, im.db.Reader, day, measure, kind, sourceID)
}

// ForgetMeasured deletes the measures of files before a day.
func (im *Importer) ForgetMeasured(ctx context.Context, day date.Date) error {
	return im.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return forgetMeasuresBefore(ctx, tx, day) })
}

func addMeasures(ctx context.Context, tx *sql.Tx, day date.Date, fileID int64, measures map[string]share) error {
	for _, what := range slices.Sorted(maps.Keys(measures)) {
		if err := addMeasure(ctx, tx, day, fileID, what, measures[what]); err != nil {
			return err
		}
	}
	return nil
}
