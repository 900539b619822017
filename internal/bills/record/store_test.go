package record

import (
	"database/sql"
	"errors"
	"testing"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

const ours = "111111111"

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, scope := t.Context(), access.NewScope([]string{ours})
		if _, err := GetByKey(ctx, tx, scope, ours, "x"); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("a bill: %v", err)
		}
		// A bill that got another number is found by its former one.
		b := facts.Bill{FTIN: ours, BillControlNumber: "new", BillType: "P", BillStatus: StatusReceived, Source: facts.SourceBill,
			Fact: "f"}
		if err := errors.Join(
			store.Bills.Insert(ctx, tx, b),
			dbtest.Err(tx.ExecContext(ctx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, 'old', 'f')`, ours)),
			store.Payments.Insert(ctx, tx, facts.Payment{Fact: "f", Source: facts.FromRemittance, Bill: "new",
				Reported: facts.Bill{FTIN: ours}}),
		); err != nil {
			t.Fatal(err)
		}
		if found, err := GetByKey(ctx, tx, scope, ours, "old"); err != nil || found.BillControlNumber != "new" {
			t.Errorf("by its former number: %+v, %v", found, err)
		}
		if err := errors.Join(
			dbtest.Err(ListClaimBills(ctx, tx, scope, "x", 3)),
			dbtest.Err(ListClaimBills(ctx, tx, scope, "0", 3)),
		); err != nil {
			t.Error(err)
		}
	})
}
