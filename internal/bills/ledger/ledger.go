// Package ledger separates what files report about bills from what is true about them.
// Submissions and payments are facts. They are stored once, and another fact never overwrites
// them. One pure function derives each bill from all the facts in its bill group. So the result
// doesn't depend on the order in which files arrive, or on how often they arrive.
package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"time"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/settings"
)

// Ledger stores facts and derives bills from them.
type Ledger struct {
	needs    batch.Needs
	glossary Glossary
	settings Settings
}

// Deps are what the ledger needs.
type Deps struct {
	platform.Kit
	Directory batch.Directory `optional:"true"` // for payees that remittances identify by NPI only
	DueDates  batch.DueDates  `optional:"true"`
	Glossary  Glossary        `optional:"true"` // for the count of explained codes
	Keyed     []batch.Keyed   `optional:"true"` // data that other domains store by bill number
}

// Settings are how long changes to bills are kept.
type Settings struct {
	ChangeKeepDays int `env:"WCPP_CHANGE_KEEP_DAYS" default:"400" help:"Bill change retention, in days; at least 400."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Days(s.ChangeKeepDays, 400, "WCPP_CHANGE_KEEP_DAYS")
}

// New creates the ledger.
func New(d Deps, s Settings) *Ledger {
	platform.Require(d)
	needs := batch.Needs{DB: d.DB, Now: d.Clock, Zone: cmp.Or(d.Zone, time.UTC), Directory: d.Directory, DueDates: d.DueDates,
		Keyed: d.Keyed}
	return &Ledger{needs, d.Glossary, s}
}

// ImportSubmissions stores submissions and derives their bills. A known submission changes
// nothing, even if another file repeats it.
func (l *Ledger) ImportSubmissions(ctx context.Context, tx *sql.Tx, rows []facts.Submission) ([]ingest.Outcome, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	tins := map[string]bool{}
	for i := range rows {
		tins[rows[i].Reported.FTIN] = true
		tins[rows[i].Detail.BillingNPI] = true // the batch records payees
	}
	w, err := batch.Begin(ctx, l.needs, tx, tins)
	if err != nil {
		return nil, err
	}
	outcomes, err := w.ImportSubmissions(ctx, rows)
	if err != nil {
		return nil, err
	}
	measureSubmissions(ctx, rows, outcomes)
	return outcomes, nil
}

// ImportRemitted stores payments and sets, and derives their bills and checks. A known one
// changes nothing, even if another file repeats it.
func (l *Ledger) ImportRemitted(ctx context.Context, tx *sql.Tx, rows []facts.Remitted) ([]ingest.Outcome, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	held, file := map[string]bool{}, ingest.CurrentRun(ctx).SHA256
	for i, r := range rows {
		if r.Payment != nil {
			r.Payment.File = file
			held[cmp.Or(r.Payment.Reported.FTIN, r.Payment.PayeeNPI)] = true
			held[r.Payment.Remittance] = true // see MarkNamedPayees
		}
		for j, part := range r.Parts {
			rows[i].Parts[j].Set.File = file
			held[cmp.Or(part.Set.FTIN, part.Set.PayeeNPI)] = true
		}
	}
	w, err := batch.Begin(ctx, l.needs, tx, held)
	if err != nil {
		return nil, err
	}
	outcomes, err := w.ImportRemitted(ctx, rows)
	if err != nil {
		return nil, err
	}
	var named []facts.Payment
	for _, r := range rows {
		if r.Payment != nil && r.Payment.Reported.FTIN != "" {
			named = append(named, *r.Payment)
		}
	}
	if err := w.MarkNamedPayees(ctx, named); err != nil {
		return nil, err
	}
	return outcomes, l.measureRemitted(ctx, w, rows, outcomes)
}

// FollowingTables returns the tables whose rows follow bills: those of other domains and the
// ledger's.
func (l *Ledger) FollowingTables() []string {
	tables := []string{"bills", "submissions", "payments", "earlier_payments", "bill_changes", "bill_documents", "bill_numbers"}
	for _, k := range l.needs.Keyed {
		tables = append(tables, k.Tables...)
	}
	return tables
}
