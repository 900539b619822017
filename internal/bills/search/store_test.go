package search

import (
	"database/sql"
	"errors"
	"testing"

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
		if err := errors.Join(
			store.Bills.Insert(ctx, tx, b),
			dbtest.Err(tx.ExecContext(ctx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, 'old', 'f')`, ours)),
			dbtest.Err(tx.ExecContext(ctx, `INSERT INTO payments (ftin, fact, occurrence, slot, told_with, source, written, payer,
				trace_number, filing, method,
				patient_control_number, payer_control_number, former_number, repriced, claim_status, charge, paid, patient_responsibility,
				nature,
				bill_control_number_key, patient_first_name, patient_middle_name, patient_last_name, physician_first_name,
				physician_middle_name,
				physician_last_name, physician_npi, facility_name, facility_npi, bill_type, frequency_code, payer_id, payer_name,
				file_sha256, set_offset,
				remittance, payee_npi, detail)
				VALUES ($1, 'f', 1, '', '', '835', '', '', '', '', '', '', '', '', '', '1', 0, 0, 0, 'money', 'new',
				'', '', '', '', '', '', '', '', '', '', '', '', '', '', 0, '', '', '{}')`, ours)),
		); err != nil {
			t.Fatal(err)
		}
		if found, err := search(ctx, tx, scope, ours, by(Query{BillControlNumber: "o-l d"})); err != nil || len(found) != 1 {
			t.Errorf("searched by its former number: %+v, %v", found, err)
		}
		const begin, end = "2026-01-01", "2026-01-02"
		for _, asked := range []Query{{ClaimNumber: "x", BeginServiceDate: begin, EndServiceDate: end},
			{ClaimantFirstName: "a", ClaimantLastName: "b", ClaimantDateOfBirth: "1980-01-01", BeginServiceDate: begin,
				EndServiceDate: end},
			{BillControlNumber: "x"}, {BillControlNumber: "0"}, {DocumentID: "x"}} {
			if _, err := search(ctx, tx, scope, ours, by(asked)); err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(
			dbtest.Err(selectSample(ctx, tx, scope, ours, 3)),
			dbtest.Err(hasBill(ctx, tx, ours, "")),
			dbtest.Err(hasBill(ctx, tx, ours, "x")),
		); err != nil {
			t.Error(err)
		}
	})
}
