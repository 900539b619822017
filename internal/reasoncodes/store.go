package reasoncodes

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// reasons maps the network's texts to their table.
var reasons = db.NewTable("reason_codes", db.Fields[Reason]("list", "code", "jurisdiction")...)

// all lists the network's texts. For each code, the one for all jurisdictions comes first.
func all(ctx context.Context, q db.Queryer) ([]Reason, error) {
	return reasons.Select(ctx, q, `ORDER BY list, code, jurisdiction`)
}

// among returns the network's texts for some codes.
func among(ctx context.Context, q db.Queryer, keys [][]any) ([]Reason, error) {
	return reasons.SelectByKeys(ctx, q, []string{"list", "code"}, keys, "")
}

func put(ctx context.Context, tx *sql.Tx, rows ...Reason) error {
	return reasons.Upsert(ctx, tx, rows...)
}

// countRun is one count of the codes on payments.
type countRun struct {
	ID        int64 `db:"id"`
	Since     date.Date
	AfterTIN  string `db:"after_tin"` // last TIN counted
	StartedAt db.Instant
	DoneAt    db.Instant
}

// countRuns lists the latest complete run and one in progress, newest first.
func countRuns(ctx context.Context, q db.Queryer) ([]countRun, error) {
	return db.List[countRun](ctx, q, `SELECT id, since, after_tin, started_at, done_at FROM reason_count_runs ORDER BY id DESC`)
}

func beginCount(ctx context.Context, q db.Queryer, since date.Date, at db.Instant) (countRun, error) {
	run := countRun{Since: since, StartedAt: at}
	err := db.Get(ctx, q, &run.ID, `INSERT INTO reason_count_runs (since, after_tin, started_at) VALUES ($1, '', $2)
		RETURNING id`, since, at)
	return run, err
}

// moveCount saves the last TIN that a run has counted. It reports whether no other instance
// changed the run in the meantime.
func moveCount(ctx context.Context, tx *sql.Tx, run countRun, to string) (bool, error) {
	n, err := db.Exec(ctx, tx, `UPDATE reason_count_runs SET after_tin = $3 WHERE id = $1 AND after_tin = $2
		AND done_at IS NULL`, run.ID, run.AfterTIN, to)
	return n > 0, err
}

func addCount(ctx context.Context, tx *sql.Tx, run int64, c Code, n count) error {
	return db.Run(ctx, tx, `
		INSERT INTO reason_counts (run, list, code, bills, last_seen) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (run, list, code) DO UPDATE SET bills = reason_counts.bills + excluded.bills,
			last_seen = CASE WHEN excluded.last_seen > reason_counts.last_seen THEN excluded.last_seen ELSE reason_counts.last_seen END`,
		run, c.List, c.Code, n.bills, n.last)
}

func endCount(ctx context.Context, tx *sql.Tx, run int64, at db.Instant) error {
	return db.Run(ctx, tx, `UPDATE reason_count_runs SET done_at = $2 WHERE id = $1`, run, at)
}

// deleteCounts deletes the runs before one.
func deleteCounts(ctx context.Context, tx *sql.Tx, before int64) error {
	if _, err := db.Exec(ctx, tx, `DELETE FROM reason_counts WHERE run < $1`, before); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM reason_count_runs WHERE id < $1`, before)
}

// listCounts lists the counts of a run.
func listCounts(ctx context.Context, q db.Queryer, run int64) ([]Counted, error) {
	return db.List[Counted](ctx, q, `SELECT list, code, bills, last_seen FROM reason_counts WHERE run = $1`, run)
}
