package ledger

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// A new version of the program can need other keys or derivation rules. The job updates the stored
// bills. Each step is a transaction of its own, so interruptions lose no work. Until then, bills are
// shown as before.

// MigrationArgs are the arguments of the job that migrates old bills. New rules or keys make it
// a different job, which doesn't wait for the next hour.
type MigrationArgs struct {
	Rules int `json:"rules"`
	Keys  int `json:"keys"`
}

// nameKeys is the version of the claimant name keys.
const nameKeys = 1

// Kind returns the name of the job.
func (MigrationArgs) Kind() string { return "ledger-carry-over" }

// Module returns the ledger's module.
func (l *Ledger) Module() module.Module {
	return module.Module{Jobs: func(r *jobs.Runner) {
		jobs.Every(r, time.Hour, MigrationArgs{derive.Rules, nameKeys},
			jobs.InParts(func(ctx context.Context, _ *river.Job[MigrationArgs]) error {
				if err := l.MigrateOldBills(ctx, nil); err != nil {
					return err
				}
				return l.PlacePayees(ctx)
			}))
	}, Cleanup: l.Cleanup, Retention: []retention.Item{
		retention.Forever("Bills, payments and remittances from files, and results derived from them", "submissions", "payments",
			"bill_links", "crowded_links", "bills", "bill_numbers", "bill_documents", "earlier_payments", "payment_joins",
			"check_decisions", "remittance_sets", "adjustments", "remittances", "payee_tins", "payee_facts", "payee_links",
			"payee_todo"),
		retention.For(l.settings.ChangeKeepDays, "WCPP_CHANGE_KEEP_DAYS", "Bill changes, the source of updates", "bill_changes"),
	}}
}

// MigrateOldBills adds missing name keys, and derives bills and checks again that older rules
// derived. It can be interrupted at any time and run concurrently. After each step it calls
// progress, if set, with the number of rows that are done.
func (l *Ledger) MigrateOldBills(ctx context.Context, progress func(rows int)) error {
	for _, step := range []func(context.Context, *sql.Tx) (int, error){l.migrateNames, l.rederiveBills, l.rederiveChecks} {
		rows := 0
		if err := l.needs.DB.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
			if rows > 0 && progress != nil {
				progress(rows)
			}
			if err := batch.LockMigration(ctx, l.needs.DB, tx); err != nil {
				return 0, err
			}
			if err := l.needs.DB.ForceIndexScans(ctx, tx); err != nil {
				return 0, err
			}
			n, err := step(ctx, tx)
			rows += n
			return n, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// migrateNames adds the claimant name keys to old bills. Names change only while the TIN is
// locked, so rows are read again after locking.
func (l *Ledger) migrateNames(ctx context.Context, tx *sql.Tx) (int, error) {
	found, err := store.ListUnnamed(ctx, tx)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	tins := make([]string, len(found))
	for i, b := range found {
		tins[i] = b.FTIN
	}
	if err := batch.LockTINs(ctx, l.needs.DB, tx, slices.Compact(tins)); err != nil {
		return 0, err
	}
	list, err := store.ListUnnamed(ctx, tx)
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(list, func(b facts.Bill) bool { return !slices.Contains(tins, b.FTIN) })
	return len(found), store.PutNames(ctx, tx, list)
}

// rederiveChecks derives checks again that other rules derived, and compares them with other
// checks of the same number.
func (l *Ledger) rederiveChecks(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := store.ListOutdatedChecks(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	tins, checks := map[string]bool{}, map[facts.CheckRef]bool{}
	for _, r := range list {
		tins[r.FTIN], checks[r.Check()] = true, true
	}
	w, err := batch.Begin(ctx, l.needs, tx, tins)
	if err != nil {
		return 0, err
	}
	if err := w.DeriveChecksAgain(ctx, checks); err != nil {
		return 0, err
	}
	return len(list), store.NoteRules(ctx, tx, list)
}

// rederiveBills derives bills again that other rules derived.
func (l *Ledger) rederiveBills(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := store.ListOutdatedBills(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	tins := map[string]bool{}
	for _, b := range list {
		tins[b.FTIN] = true
	}
	w, err := batch.Begin(ctx, l.needs, tx, tins)
	if err != nil {
		return 0, err
	}
	return len(list), w.DeriveBillsAgain(ctx, list)
}
