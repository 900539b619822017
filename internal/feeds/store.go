package feeds

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

var sourceTable = db.NewTable("feed_sources", append(db.Fields[Source]("id"),
	db.Computed("name_key", func(x *Source) any { return text.Key(x.Name) }),
)...)

var newSource = sourceTable.Without("id")

func sources(ctx context.Context, q db.Queryer) ([]Source, error) {
	return sourceTable.Select(ctx, q, `ORDER BY name_key`)
}

func countSources(ctx context.Context, q db.Queryer) (int, error) {
	return db.One[int](ctx, q, `SELECT count(*) FROM feed_sources`)
}

func sourceByID(ctx context.Context, q db.Queryer, id int64) (Source, error) {
	return sourceTable.Get(ctx, q, `WHERE id = $1`, id)
}

func lockSource(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Source, error) {
	return sourceTable.Get(ctx, tx, `WHERE id = $1`+dialect.ForUpdate, id)
}

func addSource(ctx context.Context, tx *sql.Tx, x Source) (int64, error) {
	return newSource.Add(ctx, tx, x, "id")
}

func saveSource(ctx context.Context, tx *sql.Tx, x Source) error {
	_, err := sourceTable.Update(ctx, tx, x)
	return err
}

func deleteSource(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM feed_sources WHERE id = $1`, id)
}

// markAlerted marks a late source as reported. It returns false if another instance already did.
func markAlerted(ctx context.Context, tx *sql.Tx, id int64, lateFrom db.Instant) (bool, error) {
	n, err := db.Exec(ctx, tx, `UPDATE feed_sources SET alerted_for = $2 WHERE id = $1
		AND (alerted_for IS NULL OR alerted_for < $2)`, id, lateFrom)
	return n > 0, err
}

var daySums = db.NewTable("feed_quality", db.Fields[daySum]("day", "kind", "source_id", "measure")...)

// lastComplete returns the latest day since another that has final totals, or empty.
func lastComplete(ctx context.Context, q db.Queryer, since date.Date) (date.Date, error) {
	var day date.Date
	err := db.Get(ctx, q, &day, `SELECT day FROM feed_quality_days WHERE day >= $1 AND complete ORDER BY day DESC LIMIT 1`, since)
	return day, db.IfNotFound(err, nil)
}

func isComplete(ctx context.Context, q db.Queryer, day date.Date) (bool, error) {
	var n int
	err := db.Get(ctx, q, &n, `SELECT count(*) FROM feed_quality_days WHERE day = $1 AND complete`, day)
	return n > 0, err
}

// lastSummed returns when the latest day since another was calculated, or zero.
func lastSummed(ctx context.Context, q db.Queryer, since date.Date) (db.Instant, error) {
	var at db.Instant
	err := db.Get(ctx, q, &at, `SELECT counted_at FROM feed_quality_days WHERE day >= $1 ORDER BY day DESC LIMIT 1`, since)
	return at, db.IfNotFound(err, nil)
}

func noteDay(ctx context.Context, tx *sql.Tx, day date.Date, at db.Instant, complete bool) error {
	return db.Run(ctx, tx, `
		INSERT INTO feed_quality_days (day, counted_at, complete) VALUES ($1, $2, $3)
		ON CONFLICT (day) DO UPDATE SET counted_at = excluded.counted_at, complete = excluded.complete`, day, at, complete)
}

func forgetSums(ctx context.Context, tx *sql.Tx, day date.Date) error {
	return db.Run(ctx, tx, `DELETE FROM feed_quality WHERE day = $1`, day)
}

// deleteSumsBefore deletes one batch of totals before a day, and deleteDaysBefore the records of
// calculated days.
func deleteSumsBefore(ctx context.Context, tx *sql.Tx, day date.Date) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM feed_quality WHERE (day, kind, source_id, measure) IN (SELECT day, kind, source_id, measure FROM feed_quality
			WHERE day < $1 LIMIT $2)`, day, db.BatchSize)
}

func deleteDaysBefore(ctx context.Context, tx *sql.Tx, day date.Date) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM feed_quality_days WHERE day < $1`, day)
}

// sumsSince returns the totals by day and measure since a day.
func sumsSince(ctx context.Context, q db.Queryer, since date.Date, of Filter) ([]daySum, error) {
	return db.List[daySum](ctx, q, `
		SELECT day, measure, CAST(sum(counted) AS bigint) AS counted, CAST(sum(good) AS bigint) AS good
		FROM feed_quality WHERE day >= $1 AND ($2 = '' OR kind = $2) AND (CAST($3 AS bigint) = 0 OR source_id = $3)
		GROUP BY day, measure ORDER BY day, measure`, since, of.Kind, of.SourceID)
}
