package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// storeEarlier stores a bill the way older versions did.
func storeEarlier(t *testing.T, d *db.DB, b Bill, reference string) {
	t.Helper()
	if _, err := d.Writer.ExecContext(t.Context(), `
		INSERT INTO bills (ftin, bill_control_number, bill_control_number_key, document_id, document_id_key, patient_control_number,
			patient_control_number_key,
			patient_first_name, patient_last_name, patient_first_name_key, patient_last_name_key, patient_birth_date, begin_service_date,
			end_service_date,
			bill_type, frequency_code, bill_charges, bill_status, pricing_sheet, eor, paid_amount, source, detail)
		VALUES ('111111111', $1, lower($1), $2, lower($2), $3, lower($3), 'Ada', 'Brook', 'ada', 'brook', '1980-02-03', '2026-01-05',
			'2026-01-05',
			'P', $4, 10000, $5, $6, $7, $8, $9, $10)`,
		b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.FrequencyCode, b.BillStatus, false, b.PaidAmount != nil, b.PaidAmount,
		b.Source,
		fmt.Sprintf(`{"placeOfService":"11","originalReference":%q,"lines":[{"number":1,"procedure":"99213","charge":10000}]}`,
			reference)); err != nil {
		t.Fatal(err)
	}
}

// storeEarlierPayment stores a payment of a bill the way older versions did.
func storeEarlierPayment(t *testing.T, d *db.DB, bill string, p Payment) {
	t.Helper()
	if _, err := d.Writer.ExecContext(t.Context(), `
		INSERT INTO earlier_payments (ftin, trace_number, patient_control_number, patient_control_number_key, payer_control_number,
			payer_control_number_key,
			occurrence, bill_control_number_key, claim_status, charge, paid, paid_date, payer_name, patient_first_name_key,
			patient_last_name_key, begin_service_date, detail)
		VALUES ('111111111', 'K1', $1, lower($1), $2, lower($2), $3, lower($4), '1', 10000, $5, '2026-03-01', 'Payer', 'ada', 'brook',
			'2026-01-05', '{}')`,
		p.PatientControlNumber, p.PayerControlNumber, p.Occurrence, bill, p.Paid); err != nil {
		t.Fatal(err)
	}
}

// Old rows are shown unchanged during and after the migration. A full fact replaces its outline.
func TestCarryOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := New(d, time.Now)
		eighty, thirty := int64(8000), int64(3000)
		storeEarlier(t, d, Bill{BillControlNumber: "N1", PatientControlNumber: "A1", DocumentID: "D1", FrequencyCode: "1",
			BillStatus: StatusPaid, Source: SourceBill, PaidAmount: &eighty}, "")
		storeEarlierPayment(t, d, "N1", Payment{PatientControlNumber: "A1", PayerControlNumber: "I1", Occurrence: 1, Paid: 8000})
		storeEarlier(t, d, Bill{BillControlNumber: "I2", PatientControlNumber: "A2", DocumentID: "A2", FrequencyCode: "1",
			BillStatus: StatusPaid, Source: SourcePayment, PaidAmount: &thirty}, "")
		storeEarlierPayment(t, d, "I2", Payment{PatientControlNumber: "A2", PayerControlNumber: "I2", Occurrence: 2, Paid: 3000})
		storeEarlier(t, d, Bill{BillControlNumber: "D3", PatientControlNumber: "A3", DocumentID: "D3", FrequencyCode: "1",
			BillStatus: StatusVoid, Source: SourceBill}, "")
		storeEarlier(t, d, Bill{BillControlNumber: "A4", PatientControlNumber: "A4", DocumentID: "A4", FrequencyCode: "1",
			BillStatus: StatusReceived, Source: SourceBill}, "")
		storeEarlier(t, d, Bill{BillControlNumber: "N5", PatientControlNumber: "A5", DocumentID: "D5", FrequencyCode: "7",
			BillStatus: StatusReceived, Source: SourceBill}, "OLD5")
		shown := func(when string) {
			t.Helper()
			want := "[A4 1 -  bill 1, D3 9 -  bill 1, I2 0 3000 K1 payment 1, N1 0 8000 K1 bill 1, N5 1 -  bill 1]"
			list, err := Bills.Select(t.Context(), d.Writer, `ORDER BY bill_control_number`)
			if err != nil {
				t.Fatal(err)
			}
			got := "["
			for i, b := range list {
				if i > 0 {
					got += ", "
				}
				detail, err := GetDetail(t.Context(), d.Writer, b)
				if err != nil {
					t.Fatal(err)
				}
				paid, check := "-", ""
				if b.PaidAmount != nil {
					paid = fmt.Sprint(*b.PaidAmount)
					of, err := ListPayments(t.Context(), d.Writer, b)
					if err != nil || len(of) != 1 {
						t.Fatalf("%s: %d payments of %s, %v", when, len(of), b.BillControlNumber, err)
					}
					check = of[0].TraceNumber
				}
				lines := len(detail.Lines)
				if b.Source == SourcePayment && b.Fact != "" && b.Fact != carriedFact {
					lines = 1 // the old payment came without lines
				}
				got += fmt.Sprint(b.BillControlNumber, " ", b.BillStatus, " ", paid, " ", check, " ", b.Source, " ", lines)
			}
			if got += "]"; got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", when, got, want)
			}
		}
		shown("before")
		stopped := errors.New("stopped")
		for _, step := range []func(context.Context, *sql.Tx) (int, error){l.migrateBills, l.migratePayments} {
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				if _, err := step(t.Context(), tx); err != nil {
					return err
				}
				return stopped
			}); !errors.Is(err, stopped) {
				t.Fatal(err)
			}
			shown("a step that was undone")
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := step(t.Context(), tx)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			shown("meanwhile")
		}
		for range 2 {
			if err := l.MigrateOldBills(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			shown("afterwards")
		}
		var left []int
		if err := db.Select(t.Context(), d.Writer, &left, `SELECT (SELECT count(*) FROM earlier_payments) + (SELECT count(*) FROM bills
			WHERE rules = 0)`); err != nil || left[0] != 0 {
			t.Errorf("%v rows are left, %v", left, err)
		}
		// Import the file of the payment again.
		p := paid(80, "K1", account("A1"), icn("I1")).(Payment)
		p.Reported.PayerName = "Payer"
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			out, err := l.ImportRemitted(t.Context(), tx, remitted(p))
			if err == nil && (len(out) != 1 || out[0] != ingest.Imported) {
				t.Errorf("outcomes %v", out)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		shown("with the full payment")
	})
}
