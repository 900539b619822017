package store

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

// PayeeFacts describes the remittance facts of payees known only by NPI.
var PayeeFacts = db.NewTable("payee_facts", db.Fields[facts.PayeeFact]("npi", "remittance", "fact", "occurrence")...)

// FindPayeeFacts finds the stored versions of facts.
func FindPayeeFacts(ctx context.Context, tx db.Queryer, all []facts.PayeeFact) ([]facts.PayeeFact, error) {
	keys := make([][]any, len(all))
	for i, f := range all {
		keys[i] = []any{f.NPI, f.Remittance, f.Fact}
	}
	return PayeeFacts.SelectByKeys(ctx, tx, []string{"npi", "remittance", "fact"}, keys, "")
}

// LoadPayeeFacts reads the facts of a check to a payee.
func LoadPayeeFacts(ctx context.Context, tx *sql.Tx, npi, remittance string) ([]facts.PayeeFact, error) {
	return PayeeFacts.Select(ctx, tx, `WHERE npi = $1 AND remittance = $2 ORDER BY npi, remittance, fact, occurrence`, npi, remittance)
}

// PutPayeeFacts inserts or replaces facts.
func PutPayeeFacts(ctx context.Context, tx *sql.Tx, rows []facts.PayeeFact) error {
	return PayeeFacts.Upsert(ctx, tx, rows...)
}

// ListPayeeNPIs returns the NPIs of payees without a TIN in remittances.
func ListPayeeNPIs(ctx context.Context, q db.Queryer) ([]string, error) {
	return db.List[string](ctx, q, `SELECT DISTINCT npi FROM payee_facts ORDER BY npi`)
}

// ListPayeeTINs returns the TINs of an NPI.
func ListPayeeTINs(ctx context.Context, tx db.Queryer, npi string) ([]string, error) {
	return db.List[string](ctx, tx, `SELECT ftin FROM payee_tins WHERE npi = $1 ORDER BY npi, ftin`, npi)
}

// payeeTIN is one row of payee_tins.
type payeeTIN struct{ NPI, FTIN string }

var payeeTINRows = db.NewTable("payee_tins", db.Fields[payeeTIN]("npi", "ftin")...)

// FindPayeeTINs returns the pairs of NPI and TIN that are known.
func FindPayeeTINs(ctx context.Context, tx *sql.Tx, list [][2]string) (map[[2]string]bool, error) {
	rows, err := payeeTINRows.SelectByKeys(ctx, tx, []string{"npi", "ftin"}, toPairs(list, func(p [2]string) (string, string) {
		return p[0], p[1]
	}), "")
	known := map[[2]string]bool{}
	for _, r := range rows {
		known[[2]string{r.NPI, r.FTIN}] = true
	}
	return known, err
}

// AddPayeeTIN inserts a TIN of an NPI, and reports whether it's new.
func AddPayeeTIN(ctx context.Context, tx *sql.Tx, npi, tin string) (isNew bool, err error) {
	n, err := db.Exec(ctx, tx, `INSERT INTO payee_tins (npi, ftin) VALUES ($1, $2) ON CONFLICT (npi, ftin) DO NOTHING`, npi, tin)
	return n > 0, err
}

// PayeeLink is one row of payee_links.
type PayeeLink struct{ Link, NPI, Remittance string }

var payeeLinks = db.NewTable("payee_links", db.Fields[PayeeLink]("link", "npi", "remittance")...)

// AddPayeeLinks inserts the links that don't exist yet.
func AddPayeeLinks(ctx context.Context, tx *sql.Tx, list map[PayeeLink]bool) error {
	return payeeLinks.InsertMissing(ctx, tx, slices.SortedFunc(maps.Keys(list), func(a, b PayeeLink) int {
		return cmp.Or(strings.Compare(a.Link, b.Link), strings.Compare(a.NPI, b.NPI), strings.Compare(a.Remittance, b.Remittance))
	})...)
}

// HasPayeeLinks reports whether any payee is known only by NPI.
func HasPayeeLinks(ctx context.Context, tx *sql.Tx) (bool, error) {
	var found []string
	err := db.Select(ctx, tx, &found, `SELECT link FROM payee_links LIMIT 1`)
	return len(found) > 0, err
}

// FindPayeeLinks finds the checks that have links.
func FindPayeeLinks(ctx context.Context, tx *sql.Tx, texts []string) ([]PayeeLink, error) {
	keys := make([][]any, len(texts))
	for i, t := range texts {
		keys[i] = []any{t}
	}
	return payeeLinks.SelectByKeys(ctx, tx, []string{"link"}, keys, "")
}

// AddPending marks checks to payees for placement.
func AddPending(ctx context.Context, tx *sql.Tx, pending map[facts.PayeeRef]bool) error {
	for _, k := range slices.SortedFunc(maps.Keys(pending), facts.PayeeRef.Compare) {
		if _, err := db.Exec(ctx, tx, `INSERT INTO payee_todo (npi, remittance) VALUES ($1, $2)
			ON CONFLICT (npi, remittance) DO NOTHING`, k.NPI, k.Remittance); err != nil {
			return err
		}
	}
	return nil
}

// AddPendingPayee marks all checks to a payee for placement.
func AddPendingPayee(ctx context.Context, tx *sql.Tx, npi string) error {
	return db.Run(ctx, tx, `
		INSERT INTO payee_todo (npi, remittance) SELECT DISTINCT npi, remittance FROM payee_facts WHERE npi = $1
		ON CONFLICT (npi, remittance) DO NOTHING`, npi)
}

// NextPayee returns a payee with remittances to be placed, or empty if there's none.
func NextPayee(ctx context.Context, q db.Queryer) (string, error) {
	var npis []string
	err := db.Select(ctx, q, &npis, `SELECT npi FROM payee_todo ORDER BY npi, remittance LIMIT 1`)
	return strings.Join(npis, ""), err
}

// ListPending returns some remittances of a payee that must be placed.
func ListPending(ctx context.Context, tx *sql.Tx, npi string) ([]string, error) {
	return db.List[string](ctx, tx, `SELECT remittance FROM payee_todo WHERE npi = $1 ORDER BY npi, remittance
		LIMIT $2`, npi, checksPerPlacement)
}

// EndPending records that a remittance is placed.
func EndPending(ctx context.Context, tx *sql.Tx, npi, remittance string) error {
	return db.Run(ctx, tx, `DELETE FROM payee_todo WHERE npi = $1 AND remittance = $2`, npi, remittance)
}

var payeeFactsPlaced = PayeeFacts.Only("npi", "remittance", "fact", "occurrence", "ftin", "dismissed")

// MovePayeeFacts records the TINs where facts are placed, and dismissals.
func MovePayeeFacts(ctx context.Context, tx *sql.Tx, rows []facts.PayeeFact) error {
	return payeeFactsPlaced.UpdateAll(ctx, tx, rows...)
}

// UnplacedPlace is a position in the list of payments that no bill proves.
type UnplacedPlace struct {
	Paid int64
	facts.Unplaced
}

// ListUnplaced reads payments that no bill proves, largest first. They paid $0.00 or they didn't.
// Its index contains only those.
func ListUnplaced(ctx context.Context, q db.Queryer, after UnplacedPlace, isZero bool, limit int) ([]facts.PayeeFact, error) {
	return PayeeFacts.Select(ctx, q, `
		WHERE ftin = '' AND occurrence > 0 AND NOT dismissed AND paid <= $1 AND (paid = 0) = $2
			AND (paid < $1 OR (npi, remittance, fact, occurrence) > ($3, $4, $5, $6))
		ORDER BY paid DESC, npi, remittance, fact, occurrence LIMIT $7`, after.Paid, isZero, after.NPI, after.Remittance, after.Fact,
		after.Occurrence, limit)
}

// SumUnplaced adds up the payments that no bill proves.
func SumUnplaced(ctx context.Context, q db.Queryer) (sums UnmatchedSums, err error) {
	return db.One[UnmatchedSums](ctx, q, `
		SELECT COUNT(NULLIF(paid, 0)) AS payments, CAST(COALESCE(SUM(paid), 0) AS bigint) AS paid, COUNT(*) - COUNT(NULLIF(paid, 0)) AS zero
		FROM payee_facts WHERE ftin = '' AND occurrence > 0 AND NOT dismissed`)
}

// checksPerPlacement is how many checks of one payee one transaction places.
const checksPerPlacement = 100
