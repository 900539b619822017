package store

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

var joinRows = db.NewTable("payment_joins", db.Fields[facts.Join]("id")...)

var newJoin = joinRows.Without("id")

// LoadJoins returns the joins in force of TINs.
func LoadJoins(ctx context.Context, tx *sql.Tx, tins []string) ([]facts.Join, error) {
	var list []facts.Join
	for chunk := range slices.Chunk(tins, 200) {
		var args []any
		in := addPlaceholders(&args, chunk)
		found, err := joinRows.Select(ctx, tx, `WHERE ftin IN (`+in+`) AND undone_at IS NULL AND submission <> '' ORDER BY ftin, payment`,
			args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// GetJoinInForce returns the decision about a payment, including a dismissal.
func GetJoinInForce(ctx context.Context, tx *sql.Tx, ftin, payment string) (facts.Join, error) {
	return joinRows.Get(ctx, tx, `WHERE ftin = $1 AND payment = $2 AND undone_at IS NULL`, ftin, payment)
}

// AddJoin inserts a join and returns its id.
func AddJoin(ctx context.Context, tx *sql.Tx, j facts.Join) (int64, error) {
	return newJoin.Add(ctx, tx, j, "id")
}

// UndoJoin records who undid a join, and when.
func UndoJoin(ctx context.Context, tx *sql.Tx, j facts.Join) error {
	_, err := joinRows.Update(ctx, tx, j)
	return err
}

// noDecision excludes bills whose payment staff dismissed or matched.
const noDecision = `NOT EXISTS (SELECT 1 FROM payment_joins j WHERE j.ftin = bills.ftin AND j.payment = bills.fact AND j.undone_at IS NULL)`

// zeroPaid is whether the payments of a bill are of $0.00. A bill with only a waiting reversal was paid
// $0.00 too, but the reversal is money.
const zeroPaid = `(COALESCE(paid_amount, 0) = 0 AND NOT take_back_open)`

// sumMoney is the sum of a bill's counted payments and reversals.
const sumMoney = `SELECT CAST(COALESCE(SUM(p.paid), 0) AS bigint) FROM payments p WHERE p.nature IN ('` + string(facts.Money) + `', '` +
	string(facts.Reversal) + `') AND p.duplicate = '' AND p.ftin = `

// ListUnmatched reads bills that are known only from payments and not dismissed, largest payment
// first. The payments are of $0.00 or they aren't.
func ListUnmatched(ctx context.Context, q db.Queryer, after Unmatched, zero bool, limit int) ([]facts.Bill, error) {
	return Bills.Select(ctx, q, `
		WHERE source = 'payment' AND COALESCE(paid_amount, 0) <= $1 AND `+zeroPaid+` = $2
			AND (COALESCE(paid_amount, 0) < $1 OR (ftin, bill_control_number_key) > ($3, $4)) AND `+noDecision+`
		ORDER BY COALESCE(paid_amount, 0) DESC, ftin, bill_control_number_key LIMIT $5`,
		after.Paid, zero, after.FTIN, after.Bill, limit)
}

// SumWaiting returns the total of the waiting reversals of a bill with nothing else in force.
func SumWaiting(ctx context.Context, q db.Queryer, b facts.Bill) (cents int64, err error) {
	return db.One[int64](ctx, q, sumMoney+`$1 AND p.bill_control_number_key = $2`, b.FTIN, b.Key())
}

// UnmatchedSums are the number and amount of payments to match, and the number of those of $0.00.
type UnmatchedSums struct{ Payments, Paid, Zero int64 }

// SumUnmatched adds up the bills that ListUnmatched lists, with waiting reversals.
func SumUnmatched(ctx context.Context, q db.Queryer) (sums UnmatchedSums, err error) {
	return db.One[UnmatchedSums](ctx, q, `
		SELECT COUNT(CASE WHEN NOT `+zeroPaid+` THEN 1 END) AS payments, COUNT(CASE WHEN `+zeroPaid+` THEN 1 END) AS zero,
			CAST(COALESCE(SUM(CASE WHEN take_back_open AND COALESCE(paid_amount, 0) = 0
				THEN (`+sumMoney+`bills.ftin AND p.bill_control_number_key = bills.bill_control_number_key)
				ELSE COALESCE(paid_amount, 0) END), 0) AS bigint) AS paid
		FROM bills WHERE source = 'payment' AND `+noDecision)
}

// maxCandidates limits how many bills are compared with one payment, per search.
const maxCandidates = 200

// FindCandidates returns submitted bills that a payment may belong to. They have the claimant's
// last name within the given days of service, or the same account.
func FindCandidates(ctx context.Context, q db.Queryer, made facts.Bill, days int) ([]facts.Bill, error) {
	var list []facts.Bill
	begin, end := facts.FullName(made).LastKeys()
	for _, named := range []struct {
		is   string
		args []any
	}{
		// The order matters; see Claimant.NameConditions.
		{`patient_last_name_key = $5 AND patient_name_key = ''`, []any{text.Key(made.PatientLastName)}},
		{`patient_name_key >= $5 AND patient_name_key < $6 AND patient_name_key <> ''`, []any{begin, end}},
	} {
		found, err := Bills.Select(ctx, q, `WHERE ftin = $1 AND source = 'bill' AND begin_service_date BETWEEN $2 AND $3 AND `+named.is+
			` ORDER BY begin_service_date LIMIT $4`,
			append([]any{made.FTIN, made.BeginServiceDate.AddDays(-days), made.BeginServiceDate.AddDays(days), maxCandidates},
				named.args...)...)
		if err != nil {
			return nil, err
		}
		list = AddBills(list, found)
	}
	account := facts.StripAccount(facts.FoldOrEmpty(made.PatientControlNumber))
	if account == "" {
		return list, nil
	}
	column, known := accountColumn("bills")
	same, err := Bills.Select(ctx, q, `WHERE ftin = $1 AND `+known+` AND `+column+` = $2 AND source = 'bill' LIMIT $3`, made.FTIN, account,
		maxCandidates)
	return AddBills(list, same), err
}

// ListJoins returns the last staff matches, including undone ones, newest first.
func ListJoins(ctx context.Context, q db.Queryer, limit int) ([]facts.Join, error) {
	return joinRows.Select(ctx, q, `ORDER BY id DESC LIMIT $1`, limit)
}

// Unmatched is a position in the list of bills known only from payments.
type Unmatched struct {
	Paid int64
	FTIN string
	Bill string // key
}
