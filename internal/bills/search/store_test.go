package search

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, scope := t.Context(), access.NewScope([]string{ours})
		// A bill that got another number is found by its former one.
		b := facts.Bill{FTIN: ours, BillControlNumber: "new", BillType: "P", BillStatus: record.StatusReceived, Source: facts.SourceBill,
			Fact: "f"}
		require.NoError(t, errors.Join(
			store.Bills.Insert(ctx, tx, b),
			dbtest.Err(tx.ExecContext(ctx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, 'old', 'f')`, ours)),
			store.Payments.Insert(ctx, tx, facts.Payment{Fact: "f", Source: facts.FromRemittance, Bill: "new",
				Reported: facts.Bill{FTIN: ours}}),
		))
		if found, err := search(ctx, tx, scope, ours, by(Query{BillControlNumber: "o-l d"})); err != nil || len(found) != 1 {
			t.Errorf("searched by its former number: %+v, %v", found, err)
		}
		const begin, end = "2026-01-01", "2026-01-02"
		for _, asked := range []Query{{ClaimNumber: "x", BeginServiceDate: begin, EndServiceDate: end},
			{ClaimantFirstName: "a", ClaimantLastName: "b", ClaimantDateOfBirth: "1980-01-01", BeginServiceDate: begin,
				EndServiceDate: end},
			{BillControlNumber: "x"}, {BillControlNumber: "0"}, {DocumentID: "x"}} {
			assert.NoError(t, dbtest.Err(search(ctx, tx, scope, ours, by(asked))))
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(selectSample(ctx, tx, scope, ours, 3)),
			dbtest.Err(hasBill(ctx, tx, ours, "")),
			dbtest.Err(hasBill(ctx, tx, ours, "x")),
		))
	})
}
