package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
)

// payeeFacts describes the remittance facts of payees known only by NPI.
var payeeFacts = db.NewTable("payee_facts",
	db.Col("npi", func(f *facts.PayeeFact) *string { return &f.NPI }).Key(),
	db.Col("remittance", func(f *facts.PayeeFact) *string { return &f.Remittance }).Key(),
	db.Col("fact", func(f *facts.PayeeFact) *string { return &f.Fact }).Key(),
	db.Col("occurrence", func(f *facts.PayeeFact) *int { return &f.Occurrence }).Key(),
	db.Col("ftin", func(f *facts.PayeeFact) *string { return &f.FTIN }),
	db.Col("dismissed", func(f *facts.PayeeFact) *bool { return &f.Dismissed }),
	db.JSON("body", func(f *facts.PayeeFact) *facts.Remitted { return &f.Body }),
)

// findPayeeFacts finds the stored versions of facts.
func findPayeeFacts(ctx context.Context, tx db.Queryer, all []facts.PayeeFact) ([]facts.PayeeFact, error) {
	keys := make([][]any, len(all))
	for i, f := range all {
		keys[i] = []any{f.NPI, f.Remittance, f.Fact}
	}
	return payeeFacts.SelectByKeys(ctx, tx, []string{"npi", "remittance", "fact"}, keys, "")
}

func loadPayeeFacts(ctx context.Context, tx *sql.Tx, npi, remittance string) ([]facts.PayeeFact, error) {
	return payeeFacts.Select(ctx, tx, `WHERE npi = $1 AND remittance = $2 ORDER BY npi, remittance, fact, occurrence`, npi, remittance)
}

func putPayeeFacts(ctx context.Context, tx *sql.Tx, rows []facts.PayeeFact) error {
	return payeeFacts.Upsert(ctx, tx, rows...)
}

// payeeNPIs returns the NPIs of payees without a TIN in remittances.
func payeeNPIs(ctx context.Context, q db.Queryer) ([]string, error) {
	var npis []string
	err := db.Select(ctx, q, &npis, `SELECT DISTINCT npi FROM payee_facts ORDER BY npi`)
	return npis, err
}

// payeeTINs returns the TINs of an NPI.
func payeeTINs(ctx context.Context, tx db.Queryer, npi string) ([]string, error) {
	var tins []string
	err := db.Select(ctx, tx, &tins, `SELECT ftin FROM payee_tins WHERE npi = $1 ORDER BY npi, ftin`, npi)
	return tins, err
}

// payeeTIN is one row of payee_tins.
type payeeTIN struct{ NPI, FTIN string }

var payeeTINRows = db.NewTable("payee_tins",
	db.Col("npi", func(p *payeeTIN) *string { return &p.NPI }).Key(),
	db.Col("ftin", func(p *payeeTIN) *string { return &p.FTIN }).Key(),
)

// payeeTINsAmong returns the pairs of NPI and TIN that are known.
func payeeTINsAmong(ctx context.Context, tx *sql.Tx, list [][2]string) (map[[2]string]bool, error) {
	rows, err := payeeTINRows.SelectByKeys(ctx, tx, []string{"npi", "ftin"}, toPairs(list, func(p [2]string) (string, string) {
		return p[0], p[1]
	}), "")
	known := map[[2]string]bool{}
	for _, r := range rows {
		known[[2]string{r.NPI, r.FTIN}] = true
	}
	return known, err
}

func addPayeeTIN(ctx context.Context, tx *sql.Tx, npi, tin string) (isNew bool, err error) {
	n, err := db.Exec(ctx, tx, `INSERT INTO payee_tins (npi, ftin) VALUES ($1, $2) ON CONFLICT (npi, ftin) DO NOTHING`, npi, tin)
	return n > 0, err
}

// payeeLink is one row of payee_links.
type payeeLink struct{ Link, NPI, Remittance string }

var payeeLinks = db.NewTable("payee_links",
	db.Col("link", func(l *payeeLink) *string { return &l.Link }).Key(),
	db.Col("npi", func(l *payeeLink) *string { return &l.NPI }).Key(),
	db.Col("remittance", func(l *payeeLink) *string { return &l.Remittance }).Key(),
)

func addPayeeLinks(ctx context.Context, tx *sql.Tx, list map[payeeLink]bool) error {
	return payeeLinks.InsertMissing(ctx, tx, slices.SortedFunc(maps.Keys(list), func(a, b payeeLink) int {
		return cmp.Or(strings.Compare(a.Link, b.Link), strings.Compare(a.NPI, b.NPI), strings.Compare(a.Remittance, b.Remittance))
	})...)
}

// anyPayeeLinks reports whether any payee is known only by NPI.
func anyPayeeLinks(ctx context.Context, tx *sql.Tx) (bool, error) {
	var found []string
	err := db.Select(ctx, tx, &found, `SELECT link FROM payee_links LIMIT 1`)
	return len(found) > 0, err
}

func payeeLinksAmong(ctx context.Context, tx *sql.Tx, texts []string) ([]payeeLink, error) {
	keys := make([][]any, len(texts))
	for i, t := range texts {
		keys[i] = []any{t}
	}
	return payeeLinks.SelectByKeys(ctx, tx, []string{"link"}, keys, "")
}

func addPending(ctx context.Context, tx *sql.Tx, pending map[facts.PayeeRef]bool) error {
	for _, k := range slices.SortedFunc(maps.Keys(pending), facts.PayeeRef.Compare) {
		if _, err := db.Exec(ctx, tx, `INSERT INTO payee_todo (npi, remittance) VALUES ($1, $2)
			ON CONFLICT (npi, remittance) DO NOTHING`, k.NPI, k.Remittance); err != nil {
			return err
		}
	}
	return nil
}

func addPendingPayee(ctx context.Context, tx *sql.Tx, npi string) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO payee_todo (npi, remittance) SELECT DISTINCT npi, remittance FROM payee_facts WHERE npi = $1
		ON CONFLICT (npi, remittance) DO NOTHING`, npi)
	return err
}

// nextPayee returns a payee with remittances to be placed, or empty if there's none.
func nextPayee(ctx context.Context, q db.Queryer) (string, error) {
	var npis []string
	err := db.Select(ctx, q, &npis, `SELECT npi FROM payee_todo ORDER BY npi, remittance LIMIT 1`)
	return strings.Join(npis, ""), err
}

// listPending returns some remittances of a payee that must be placed.
func listPending(ctx context.Context, tx *sql.Tx, npi string) ([]string, error) {
	var list []string
	err := db.Select(ctx, tx, &list, `SELECT remittance FROM payee_todo WHERE npi = $1 ORDER BY npi, remittance
		LIMIT $2`, npi, checksPerPlacement)
	return list, err
}

// endPending records that a remittance is placed.
func endPending(ctx context.Context, tx *sql.Tx, npi, remittance string) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM payee_todo WHERE npi = $1 AND remittance = $2`, npi, remittance)
	return err
}

var payeeFactsPlaced = payeeFacts.Only("npi", "remittance", "fact", "occurrence", "ftin", "dismissed")

// movePayeeFacts records the TINs where facts are placed, and dismissals.
func movePayeeFacts(ctx context.Context, tx *sql.Tx, rows []facts.PayeeFact) error {
	return payeeFactsPlaced.UpdateAll(ctx, tx, rows...)
}

// unplacedAfter reads payments that no bill proves. Its index contains only those.
func unplacedAfter(ctx context.Context, q db.Queryer, after facts.Unplaced, limit int) ([]facts.PayeeFact, error) {
	return payeeFacts.Select(ctx, q, `
		WHERE ftin = '' AND occurrence > 0 AND NOT dismissed AND (npi, remittance, fact, occurrence) > ($1, $2, $3, $4)
		ORDER BY npi, remittance, fact, occurrence LIMIT $5`, after.NPI, after.Remittance, after.Fact, after.Occurrence, limit)
}

// checksPerPlacement is how many checks of one payee one transaction places.
const checksPerPlacement = 100
