package deadlines

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// rules maps the network's rules to their table.
var rules = db.NewTable("jurisdiction_rules", db.Fields[Rule]("id")...)

// stored lists the network's rules by id.
func stored(ctx context.Context, q db.Queryer) ([]Rule, error) {
	return rules.Select(ctx, q, `ORDER BY id`)
}

func putRule(ctx context.Context, tx *sql.Tx, r Rule) error { return rules.Upsert(ctx, tx, r) }

// allHolidays lists all holidays by state and day.
func allHolidays(ctx context.Context, q db.Queryer) ([]StateHoliday, error) {
	return db.List[StateHoliday](ctx, q, `SELECT state, day, name FROM holidays ORDER BY state, day`)
}

func putHoliday(ctx context.Context, tx *sql.Tx, h StateHoliday) error {
	return db.Run(ctx, tx, `INSERT INTO holidays (state, day, name) VALUES ($1, $2, $3)
		ON CONFLICT (state, day) DO UPDATE SET name = excluded.name`, h.State, h.Day, h.Name)
}

// removeHoliday reports whether there was one.
func removeHoliday(ctx context.Context, tx *sql.Tx, state string, day date.Date) (bool, error) {
	n, err := db.Exec(ctx, tx, `DELETE FROM holidays WHERE state = $1 AND day = $2`, state, day)
	return n > 0, err
}

func getVersion(ctx context.Context, q db.Queryer) (version int64, err error) {
	return db.One[int64](ctx, q, `SELECT version FROM deadline_versions WHERE id = 1`)
}

// sharedVersion reads the version and locks it until the transaction ends.
func sharedVersion(ctx context.Context, tx *sql.Tx, d db.Dialect) (version int64, err error) {
	return db.One[int64](ctx, tx, `SELECT version FROM deadline_versions WHERE id = 1`+d.ForShare)
}

func nextVersion(ctx context.Context, tx *sql.Tx) error {
	return db.Run(ctx, tx, `UPDATE deadline_versions SET version = version + 1 WHERE id = 1`)
}

// run is the progress of recalculating open bills.
type run struct {
	Done    int64 // version that all bills follow
	Running int64 // version that the bills up to the place follow
	Place
}

func getRun(ctx context.Context, q db.Queryer) (r run, err error) {
	return db.One[run](ctx, q, `SELECT done, running, after_tin, after_since, after_key FROM deadline_runs WHERE id = 1`)
}

// move replaces a run with another. It reports whether no other instance changed it in the
// meantime.
func move(ctx context.Context, q db.Queryer, from, to run) (bool, error) {
	n, err := db.Exec(ctx, q, `UPDATE deadline_runs SET done = $5, running = $6, after_tin = $7, after_since = $8, after_key = $9
		WHERE id = 1 AND done = $1 AND running = $2 AND after_tin = $3 AND after_key = $4`,
		from.Done, from.Running, from.TIN, from.Bill, to.Done, to.Running, to.TIN, to.Since, to.Bill)
	return n > 0, err
}
