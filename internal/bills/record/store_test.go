package record

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		assert.ErrorIs(t, dbtest.Err(GetByKey(ctx, tx, scope, ours, "x")), db.ErrNotFound)
		// A bill that got another number is found by its former one.
		b := facts.Bill{FTIN: ours, BillControlNumber: "new", BillType: "P", BillStatus: StatusReceived, Source: facts.SourceBill,
			Fact: "f"}
		require.NoError(t, errors.Join(
			store.Bills.Insert(ctx, tx, b),
			dbtest.Err(tx.ExecContext(ctx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, 'old', 'f')`, ours)),
			store.Payments.Insert(ctx, tx, facts.Payment{Fact: "f", Source: facts.FromRemittance, Bill: "new",
				Reported: facts.Bill{FTIN: ours}}),
		))
		if found, err := GetByKey(ctx, tx, scope, ours, "old"); err != nil || found.BillControlNumber != "new" {
			t.Errorf("by its former number: %+v, %v", found, err)
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(ListClaimBills(ctx, tx, scope, "x", 3)),
			dbtest.Err(ListClaimBills(ctx, tx, scope, "0", 3)),
		))
	})
}
