package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// stripSeparators returns a column without hyphens and spaces, as the search indexes have it.
func stripSeparators(column string) string {
	return "replace(replace(" + column + ", '-', ''), ' ', '')"
}

// hitColumns returns the select list for a bill b found by a column.
func hitColumns(column string) string {
	return stripSeparators(column) + ` AS number, b.ftin, b.bill_control_number_key AS bill, b.begin_service_date AS begin_on,
		b.end_service_date AS end_on, b.replaced_by `
}

// searchArgs are the placeholders in a statement: TINs, and numbers in FoldNumber form. Further
// values are added to the arguments.
type searchArgs struct {
	tins, numbers string
	args          *[]any
}

// NumberConditions returns the conditions that find rows by numbers in FoldNumber form: rows
// that contain the number in that form, and rows that contain it with hyphens or spaces. Each
// has its own index.
func NumberConditions(column, numbers string) []string {
	return []string{column + " IN (" + numbers + ")", stripSeparators(column) + " IN (" + numbers + ") AND " + column + " <> " +
		stripSeparators(column)}
}

func (s searchArgs) eitherWay(column string, statement func(is string) string) string {
	ways := NumberConditions(column, s.numbers)
	return statement(ways[0]) + " UNION ALL " + statement(ways[1])
}

func hitsByNumber(s searchArgs) string {
	return s.eitherWay("b.bill_control_number_key", func(is string) string {
		return `SELECT ` + hitColumns("b.bill_control_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

// FindAcrossTINs finds bills by their number in its FoldNumbers forms, under any TIN. It's only for the
// service desk, and uses the only index of bills that doesn't start with the TIN.
func FindAcrossTINs(ctx context.Context, q db.Queryer, numbers []string, limit int) ([]Hit, error) {
	args := []any{limit}
	return db.List[Hit](ctx, q, `SELECT `+hitColumns("b.bill_control_number_key")+`FROM bills b WHERE `+
		stripSeparators("b.bill_control_number_key")+` IN (`+addPlaceholders(&args, numbers)+`) LIMIT $1`, args...)
}

// CheckCondition returns a condition that finds a check or transfer by its number, and its
// argument. It matches with and without leading zeros. A number with only zeros matches itself
// alone.
func CheckCondition(column, number, place string) (condition string, arg any) {
	if key := facts.CheckKey(number); key != "" {
		return trimZeros(column) + " = " + place, key
	}
	return trimZeros(column) + " = '' AND " + column + " = " + place, facts.NumberKey(number)
}

func trimZeros(column string) string { return "ltrim(" + column + ", '0')" }

// FindRemittancesAcrossTINs finds checks and transfers by number under any TIN, newest first. Like
// FindAcrossTINs, it's only for the service desk.
func FindRemittancesAcrossTINs(ctx context.Context, q db.Queryer, number string, limit int) ([]facts.Remittance, error) {
	is, key := CheckCondition("trace_number_key", number, "$1")
	return Remittances.Select(ctx, q, `WHERE `+is+` ORDER BY paid_on DESC NULLS LAST, ftin, remittance LIMIT $2`, key, limit)
}

func hitsByFormer(s searchArgs) string {
	return s.eitherWay("n.number_key", func(is string) string {
		former := `SELECT ` + hitColumns("n.number_key") + `FROM bill_numbers n CROSS JOIN `
		where := ` WHERE n.ftin IN (` + s.tins + `) AND ` + is
		return former + `submissions f CROSS JOIN bills b` + where + hitsOfFact + ` UNION ALL ` + former + `payments f CROSS JOIN bills b` +
			where + hitsOfFact
	})
}

const hitsOfFact = ` AND f.ftin = n.ftin AND f.fact = n.fact AND b.ftin = f.ftin AND b.bill_control_number_key = f.bill_control_number_key`

func hitsByDocument(s searchArgs) string {
	return s.eitherWay("b.document_id_key", func(is string) string {
		return `SELECT ` + hitColumns("b.document_id_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

// accountColumn returns the column of the index bills_account for a table name, and the
// condition for the indexed rows.
func accountColumn(table string) (column, condition string) {
	column = table + ".patient_control_number_key"
	return trimZeros(stripSeparators(column)), column + " <> ''"
}

func hitsByAccount(s searchArgs) string {
	account, known := accountColumn("b")
	var trimmed []string // in the form of the index
	for place := range strings.SplitSeq(s.numbers, ", ") {
		trimmed = append(trimmed, trimZeros(place))
	}
	return `SELECT ` + hitColumns("b.patient_control_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` +
		known + ` AND ` + account + ` IN (` + strings.Join(trimmed, ", ") + `) AND ` + stripSeparators("b.patient_control_number_key") +
		` IN (` + s.numbers + `)`
}

func hitsByClaim(s searchArgs) string {
	return s.eitherWay("b.claim_number_key", func(is string) string {
		return `SELECT ` + hitColumns("b.claim_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

// hitsByLink finds bills of payments by a link. Only number links are indexed without hyphens.
func hitsByLink(s searchArgs) string {
	return s.eitherWay("l.link", func(is string) string {
		return `SELECT p.payer_control_number, p.former_number,
			` + hitColumns("l.link") + `FROM bill_links l CROSS JOIN payments p CROSS JOIN bills b
			WHERE l.ftin IN (` + s.tins + `) AND ` + is + ` AND substr(l.link, 1, 2) = '` + facts.ByNumber +
			`' AND p.ftin = l.ftin AND p.fact = l.fact
			  AND b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key`
	})
}

// hitsByCheck finds bills by checks, and if accounts are given, only those with these patient
// account numbers.
func hitsByCheck(accounts []string) func(searchArgs) string {
	return func(s searchArgs) string {
		and := ""
		if len(accounts) > 0 {
			and = ` AND lower(` + stripSeparators("p.patient_control_number") + `) IN (` + addPlaceholders(s.args, accounts) + `)`
		}
		return `SELECT p.patient_control_number AS account,
			` + hitColumns(trimZeros("r.trace_number_key")) + `FROM remittances r CROSS JOIN payments p CROSS JOIN bills b
			WHERE r.ftin IN (` + s.tins + `) AND ` + trimZeros("r.trace_number_key") + ` IN (` + s.numbers +
			`) AND p.ftin = r.ftin AND p.remittance = r.remittance
			  AND b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key` + and
	}
}

// Condition is part of a statement with its arguments.
type Condition struct {
	SQL  string
	Args []any
}

// NameConditions returns the conditions that find bills by the claimant's name, each by an
// index. Their arguments start at $at. The first one finds older bills without a name key. They
// get one while people search. So separate statements must run in this order, or they miss a
// bill that gets its key between them. Both find such a bill.
func (c Claimant) NameConditions(at int) []Condition {
	keys := db.Args(c.name().Keys())
	return []Condition{
		{
			"patient_last_name_key = " + db.In(at, 1) + " AND patient_first_name_key = " + db.In(at+1, 1) + " AND patient_name_key = ''",
			[]any{text.Key(c.LastName), text.Key(c.FirstName)},
		},
		{"patient_name_key IN (" + db.In(at, len(keys)) + ") AND patient_name_key <> ''", keys},
	}
}

// AddBills adds the found bills of a TIN to the list, without duplicates. One statement never
// finds a bill twice.
func AddBills(list, found []facts.Bill) []facts.Bill {
	if len(list) == 0 || len(found) == 0 {
		return append(list, found...)
	}
	known := make(map[string]bool, len(list))
	for _, b := range list {
		known[b.Key()] = true
	}
	for _, b := range found {
		if !known[b.Key()] {
			list = append(list, b)
		}
	}
	return list
}

// hitsByClaimant finds bills of a claimant.
func hitsByClaimant(args *[]any, tins string, c Claimant) string {
	var parts []string
	for i := range c.NameConditions(0) {
		named := c.NameConditions(len(*args) + 2)[i]
		*args = append(append(*args, c.BirthDate), named.Args...)
		parts = append(parts, `SELECT b.patient_last_name AS last_name, b.patient_first_name AS first_name,
			b.patient_birth_date AS birth_date, b.patient_name_key AS name, `+
			hitColumns("''")+`FROM bills b WHERE b.ftin IN (`+tins+`) AND b.patient_birth_date = `+db.In(len(*args)-len(named.Args), 1)+
			` AND `+
			named.SQL)
	}
	return strings.Join(parts, " UNION ALL ")
}

// hits runs a statement for TINs and numbers, with up to most hits per number.
func hits(ctx context.Context, q db.Queryer, tins, numbers []string, most int, statement func(searchArgs) string) ([]Hit, error) {
	return searchChunks(numbers, numbersPerQuery, most, func(chunk []string, limit int) ([]Hit, error) {
		args := []any{limit}
		asked := statement(searchArgs{addPlaceholders(&args, tins), addPlaceholders(&args, chunk), &args})
		return db.List[Hit](ctx, q, asked+" LIMIT $1", args...)
	})
}

// addPlaceholders adds values to the arguments of a statement, and returns their placeholders.
func addPlaceholders(args *[]any, values []string) string {
	for _, v := range values {
		*args = append(*args, v)
	}
	return db.In(len(*args)-len(values)+1, len(values))
}

// claimantsPerQuery is how many claimants one statement searches, in two parts each.
const claimantsPerQuery = 50

// findClaimantHits returns the bills of claimants.
func findClaimantHits(ctx context.Context, q db.Queryer, tins []string, claimants []Claimant, limit int) ([]Hit, error) {
	args, parts := []any{limit}, make([]string, len(claimants))
	among := addPlaceholders(&args, tins)
	for i, c := range claimants {
		parts[i] = hitsByClaimant(&args, among, c)
	}
	return db.List[Hit](ctx, q, strings.Join(parts, " UNION ALL ")+" LIMIT $1", args...)
}

// SelectHitBills returns the bills of hits.
func SelectHitBills(ctx context.Context, q db.Queryer, found []Hit) ([]facts.Bill, error) {
	return Bills.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, toPairs(found, func(h Hit) (string, string) {
		return h.FTIN, h.Bill
	}), "")
}

// ListPaymentsByBill returns the payments of bills with details, by TIN and number key, in payment
// order.
func ListPaymentsByBill(ctx context.Context, q db.Queryer, bills []facts.Bill) (map[[2]string][]facts.Payment, error) {
	keys := toPairs(bills, func(b facts.Bill) (string, string) { return b.FTIN, b.Key() })
	list, err := Payments.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, keys, "")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b facts.Payment) int { return a.Compare(&b) })
	of := make(map[[2]string][]facts.Payment, len(bills))
	for _, p := range list {
		at := [2]string{p.Reported.FTIN, p.Bill}
		of[at] = append(of[at], p)
	}
	return of, nil
}

// paymentsReceived are the columns that say when payers received bills.
var paymentsReceived = Payments.Only("ftin", "bill_control_number_key", "received_on")

// FindPayerReceipts returns when payers received bills, if a counted payment says so.
func FindPayerReceipts(ctx context.Context, q db.Queryer, bills []facts.Bill) (map[facts.BillRef]date.Date, error) {
	keys := toPairs(bills, func(b facts.Bill) (string, string) { return b.FTIN, b.Key() })
	list, err := paymentsReceived.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, keys,
		"t.duplicate = '' AND t.received_on IS NOT NULL")
	received := map[facts.BillRef]date.Date{}
	for _, p := range list {
		at := facts.BillRef{FTIN: p.Reported.FTIN, Key: p.Bill}
		received[at] = p.EarlierReceipt(received[at])
	}
	return received, err
}

// FindCurrentKey returns the current number key of the bill with a former number key, or empty if
// there's none.
func FindCurrentKey(ctx context.Context, q db.Queryer, ftin, key string) (string, error) {
	keys, err := FindCurrentKeys(ctx, q, []string{ftin}, key)
	return keys[ftin], err
}

// FindCurrentKeys is FindCurrentKey for several TINs, and maps TINs to keys. SQLite keeps the order
// of a CROSS JOIN. Without it, SQLite picks a worse one.
func FindCurrentKeys(ctx context.Context, q db.Queryer, tins []string, key string) (map[string]string, error) {
	args := []any{key}
	args = append(args, db.Args(tins)...)
	among := `n.ftin IN (` + db.In(2, len(tins)) + `) AND n.number_key = $1`
	var found []struct{ FTIN, Key string }
	err := db.Select(ctx, q, &found, `
		SELECT n.ftin, s.bill_control_number_key AS key FROM bill_numbers n CROSS JOIN submissions s
		WHERE `+among+` AND s.ftin = n.ftin AND s.fact = n.fact AND s.bill_control_number_key <> ''
		UNION ALL
		SELECT n.ftin, p.bill_control_number_key FROM bill_numbers n CROSS JOIN payments p
		WHERE `+among+` AND p.ftin = n.ftin AND p.fact = n.fact AND p.bill_control_number_key <> ''`, args...)
	keys := make(map[string]string, len(found))
	for _, f := range found {
		if known, is := keys[f.FTIN]; !is || f.Key < known {
			keys[f.FTIN] = f.Key
		}
	}
	return keys, err
}

// FindNumber returns the number, as shown, of the bill with a current or former number key. With the dialect's
// ForUpdate or ForShare as lock, the number can't change until the end of the transaction. Otherwise, data written for
// the bill could miss a change of its number. If there's no such bill, it returns db.ErrNotFound.
func FindNumber(ctx context.Context, q db.Queryer, ftin, key, lock string) (number string, err error) {
	const byKey = `SELECT bill_control_number FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`
	err = db.Get(ctx, q, &number, byKey+lock, ftin, key)
	if errors.Is(err, db.ErrNotFound) {
		if key, err = FindCurrentKey(ctx, q, ftin, key); err == nil {
			err = db.Get(ctx, q, &number, byKey+lock, ftin, key)
		}
	}
	return number, err
}

// numbered are the columns that identify a bill.
var numbered = Bills.Only("ftin", "bill_control_number")

// Renumber replaces former number keys in bill references by current ones, for bills in scope. The lock protects the
// numbers as in FindNumber; empty: none.
func Renumber[T any](
	ctx context.Context, q db.Queryer, inScope func(ftin string) bool, list []T, at func(*T) (ftin string, key *string),
	lock string,
) error {
	var pairs [][]any
	for i := range list {
		if ftin, key := at(&list[i]); inScope(ftin) {
			pairs = append(pairs, []any{ftin, *key})
		}
	}
	there, err := numbered.LockByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, pairs, "", lock)
	if err != nil {
		return err
	}
	has := make(map[facts.BillRef]bool, len(there))
	for _, b := range there {
		has[b.Ref()] = true
	}
	var former [][]any
	for i := range list {
		ftin, key := at(&list[i])
		if !inScope(ftin) || has[facts.BillRef{FTIN: ftin, Key: *key}] {
			continue
		}
		now, err := FindCurrentKey(ctx, q, ftin, *key)
		if err != nil {
			return err
		}
		*key = cmp.Or(now, *key)
		former = append(former, []any{ftin, *key})
	}
	if lock != "" {
		_, err = numbered.LockByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, former, "", lock)
	}
	return err
}
