package payercalls

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/platform/db"
)

// calls describes the table of calls.
var calls = db.NewTable("payer_calls", db.Fields[Call]("id")...)

// calledBills describes the table of the calls' bills.
var calledBills = db.NewTable("payer_call_bills", db.Fields[calledBill]("id")...)

// The database assigns the ids of new rows.
var (
	newCalls       = calls.Without("id")
	newCalledBills = calledBills.Without("id")
)

func getByKey(ctx context.Context, q db.Queryer, author int64, key string) (Call, error) {
	return calls.Get(ctx, q, `WHERE author_id = $1 AND request_key = $2`, author, key)
}

func addCall(ctx context.Context, tx *sql.Tx, c Call) (int64, error) {
	return newCalls.Add(ctx, tx, c, "id")
}

func addBills(ctx context.Context, tx *sql.Tx, bills []calledBill) error {
	return newCalledBills.Insert(ctx, tx, bills...)
}

// listCalls lists a group's calls about a bill, newest first.
func listCalls(ctx context.Context, q db.Queryer, group int64, ftin, bill string) ([]Call, error) {
	return calls.Select(ctx, q, `WHERE id IN (SELECT call_id FROM payer_call_bills
		WHERE group_id = $1 AND ftin = $2 AND bill_control_number_key = $3 ORDER BY call_id DESC LIMIT 200) ORDER BY id DESC`,
		group, ftin, bill)
}

// Follows moves calls when their bills get other numbers.
var Follows = batch.Keyed{Tables: []string{"payer_call_bills"}, Follow: follow}

func follow(ctx context.Context, tx *sql.Tx, f batch.KeyChanges) error {
	list, err := lockBills(ctx, tx, f.Keys(), f.Lock)
	if err != nil {
		return err
	}
	for _, b := range list {
		if !f.FollowRow(b.FTIN, &b.Bill, &b.WrittenOn) {
			continue
		}
		if err := putBill(ctx, tx, b); err != nil {
			return err
		}
	}
	return nil
}

func lockBills(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]calledBill, error) {
	return calledBills.LockByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, keys, "", lock)
}

func putBill(ctx context.Context, tx *sql.Tx, b calledBill) error {
	_, err := calledBills.Update(ctx, tx, b)
	return err
}
