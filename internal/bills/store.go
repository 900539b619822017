package bills

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// billTable is the one description of the table of bills.
var billTable = db.NewTable("bills",
	db.Col("ftin", func(b *Bill) *string { return &b.FTIN }).Key(),
	db.Col("bill_control_number", func(b *Bill) *string { return &b.BillControlNumber }),
	db.Derived("bill_control_number_key", func(b *Bill) any { return keyOf(*b) }).Key(),
	db.Col("document_id", func(b *Bill) *string { return &b.DocumentID }),
	db.Derived("document_id_key", func(b *Bill) any { return text.Key(b.DocumentID) }),
	db.Col("patient_control_number", func(b *Bill) *string { return &b.PatientControlNumber }),
	db.Derived("patient_control_number_key", func(b *Bill) any { return text.Key(b.PatientControlNumber) }),
	db.Col("billing_id", func(b *Bill) *string { return &b.BillingID }),
	db.Col("claim_number", func(b *Bill) *string { return &b.ClaimNumber }),
	db.Derived("claim_number_key", func(b *Bill) any { return text.Key(b.ClaimNumber) }),
	db.Col("patient_first_name", func(b *Bill) *string { return &b.PatientFirstName }),
	db.Col("patient_middle_name", func(b *Bill) *string { return &b.PatientMiddleName }),
	db.Col("patient_last_name", func(b *Bill) *string { return &b.PatientLastName }),
	db.Derived("patient_first_name_key", func(b *Bill) any { return text.Key(b.PatientFirstName) }),
	db.Derived("patient_last_name_key", func(b *Bill) any { return text.Key(b.PatientLastName) }),
	db.Col("patient_birth_date", func(b *Bill) *date.Date { return &b.PatientBirthDate }),
	db.Col("patient_gender", func(b *Bill) *string { return &b.PatientGender }),
	db.Col("begin_service_date", func(b *Bill) *date.Date { return &b.BeginServiceDate }),
	db.Col("end_service_date", func(b *Bill) *date.Date { return &b.EndServiceDate }),
	db.Col("date_of_injury", func(b *Bill) *date.Date { return &b.DateOfInjury }),
	db.Col("state_of_jurisdiction", func(b *Bill) *string { return &b.StateOfJurisdiction }),
	db.Col("physician_first_name", func(b *Bill) *string { return &b.PhysicianFirstName }),
	db.Col("physician_middle_name", func(b *Bill) *string { return &b.PhysicianMiddleName }),
	db.Col("physician_last_name", func(b *Bill) *string { return &b.PhysicianLastName }),
	db.Col("physician_npi", func(b *Bill) *string { return &b.PhysicianNPI }),
	db.Col("facility_name", func(b *Bill) *string { return &b.FacilityName }),
	db.Col("facility_npi", func(b *Bill) *string { return &b.FacilityNPI }),
	db.Col("bill_type", func(b *Bill) *string { return &b.BillType }),
	db.Col("frequency_code", func(b *Bill) *string { return &b.FrequencyCode }),
	db.Col("bill_charges", func(b *Bill) *int64 { return &b.BillCharges }),
	db.Nullable("recommended_allowance", func(b *Bill) **int64 { return &b.RecommendedAllowance }),
	db.Col("repricing_method", func(b *Bill) *string { return &b.RepricingMethod }),
	db.Col("bill_status", func(b *Bill) *string { return &b.BillStatus }),
	db.Col("pricing_sheet", func(b *Bill) *bool { return &b.PricingSheet }),
	db.Col("eor", func(b *Bill) *bool { return &b.EOR }),
	db.Col("payer_id", func(b *Bill) *string { return &b.PayerID }),
	db.Col("payer_name", func(b *Bill) *string { return &b.PayerName }),
	db.Nullable("paid_amount", func(b *Bill) **int64 { return &b.PaidAmount }),
	db.Col("paid_date", func(b *Bill) *date.Date { return &b.PaidDate }),
	db.Col("check_number", func(b *Bill) *string { return &b.CheckNumber }),
	db.Col("source", func(b *Bill) *string { return &b.Source }),
	db.JSON("detail", func(b *Bill) *Detail { return &b.Detail }),
)

// searched is what searches read of bills: all but what only documents show.
var searched = billTable.Without("detail")

// paymentTable is the one description of the table of payments.
var paymentTable = db.NewTable("payments",
	db.Col("ftin", func(p *Payment) *string { return &p.FTIN }).Key(),
	db.Col("trace_number", func(p *Payment) *string { return &p.TraceNumber }).Key(),
	db.Col("patient_control_number", func(p *Payment) *string { return &p.PatientControlNumber }),
	db.Derived("patient_control_number_key", func(p *Payment) any { return text.Key(p.PatientControlNumber) }).Key(),
	db.Col("payer_control_number", func(p *Payment) *string { return &p.PayerControlNumber }),
	db.Derived("payer_control_number_key", func(p *Payment) any { return text.Key(p.PayerControlNumber) }).Key(),
	db.Col("occurrence", func(p *Payment) *int { return &p.Occurrence }).Key(),
	db.Col("bill_control_number_key", func(p *Payment) *string { return &p.BillControlNumberKey }),
	db.Col("claim_status", func(p *Payment) *string { return &p.ClaimStatus }),
	db.Col("charge", func(p *Payment) *int64 { return &p.Charge }),
	db.Col("paid", func(p *Payment) *int64 { return &p.Paid }),
	db.Col("patient_responsibility", func(p *Payment) *int64 { return &p.PatientResponsibility }),
	db.Col("paid_date", func(p *Payment) *date.Date { return &p.PaidDate }),
	db.Col("method", func(p *Payment) *string { return &p.Method }),
	db.Col("payer_name", func(p *Payment) *string { return &p.PayerName }),
	db.Col("patient_first_name_key", func(p *Payment) *string { return &p.PatientFirstNameKey }),
	db.Col("patient_last_name_key", func(p *Payment) *string { return &p.PatientLastNameKey }),
	db.Col("begin_service_date", func(p *Payment) *date.Date { return &p.BeginServiceDate }),
	db.JSON("detail", func(p *Payment) *PaymentDetail { return &p.Detail }),
)

func (c ByClaim) condition() (string, []any) {
	return `AND claim_number_key = $2 AND begin_service_date <= $3 AND end_service_date >= $4
		ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.ClaimNumber), c.End, c.Begin}
}

func (c ByClaimant) condition() (string, []any) {
	return `AND patient_last_name_key = $2 AND patient_first_name_key = $3 AND patient_birth_date = $4
		  AND begin_service_date <= $5 AND end_service_date >= $6
		ORDER BY begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.LastName), text.Key(c.FirstName), c.BirthDate, c.End, c.Begin}
}

func (c ByBillControlNumber) condition() (string, []any) {
	return `AND bill_control_number_key = $2`, []any{text.Key(c.Number)}
}

// The order is that of an expression: asked for that of the column, SQLite
// would walk the whole TIN by its claimants.
func (c ByDocument) condition() (string, []any) {
	return `AND document_id_key = $2
		ORDER BY patient_last_name_key || '', patient_first_name_key, begin_service_date, bill_control_number_key`, []any{text.Key(c.ID)}
}

func search(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, c Criteria) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	rest, args := c.condition()
	return searched.Select(ctx, q, "WHERE ftin = $1 "+rest, append([]any{ftin}, args...)...)
}

func sample(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, n int) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	return searched.Select(ctx, q, `
		WHERE ftin = $1 AND claim_number_key > '' ORDER BY claim_number_key, begin_service_date LIMIT $2`, ftin, n)
}

func byKey(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) (Bill, error) {
	if !scope.Has(ftin) {
		return Bill{}, db.ErrNotFound
	}
	return billTable.Get(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
}

func hasBill(ctx context.Context, q db.Queryer, ftin, key string) (bool, error) {
	var found []string
	err := db.Select(ctx, q, &found, `
		SELECT ftin FROM bills WHERE ftin = $1 AND ($2 = '' OR bill_control_number_key = $2) LIMIT 1`, ftin, key)
	return len(found) > 0, err
}

func pricingSheetByKey(ctx context.Context, q db.Queryer, scope access.Scope, key string) (Bill, error) {
	for _, ftin := range scope.TINs() {
		b, err := byKey(ctx, q, scope, ftin, key)
		if err == nil && b.PricingSheet {
			return b, nil
		}
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return b, err
		}
	}
	return Bill{}, db.ErrNotFound
}

func paymentsOf(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) ([]Payment, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	return paymentsByBill(ctx, q, ftin, key)
}

// The statements of feeds. Rows that are to be changed are locked where they are
// read, so that bills and payments which come at once do not undo each other.

// existing finds the bills on file under the numbers of the rows.
func existing(ctx context.Context, tx *sql.Tx, lock string, rows []Bill) (map[billID]Bill, error) {
	byTIN := map[string][]any{}
	for _, b := range rows {
		byTIN[b.FTIN] = append(byTIN[b.FTIN], keyOf(b))
	}
	found := map[billID]Bill{}
	for ftin, keys := range byTIN {
		for chunk := range slices.Chunk(keys, 200) {
			list, err := billTable.Select(ctx, tx, `WHERE ftin = $1 AND bill_control_number_key IN (`+db.In(2, len(chunk))+`)`+lock,
				append([]any{ftin}, chunk...)...)
			if err != nil {
				return nil, err
			}
			for _, b := range list {
				found[billID{b.FTIN, keyOf(b)}] = b
			}
		}
	}
	return found, nil
}

func billOnFile(ctx context.Context, tx *sql.Tx, ftin, key string) (Bill, error) {
	return searched.Get(ctx, tx, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
}

func statusOnFile(ctx context.Context, tx *sql.Tx, lock, ftin, key string) (string, error) {
	var status string
	err := db.Get(ctx, tx, &status, `SELECT bill_status FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`+lock, ftin, key)
	return status, err
}

func candidatesFor(ctx context.Context, tx *sql.Tx, r Remittance) ([]Bill, error) {
	list, err := searched.Select(ctx, tx, `WHERE ftin = $1 AND bill_control_number_key IN ($2, $3, $4)`,
		r.Payment.FTIN, text.Key(r.RepricedClaimNumber), text.Key(r.Payment.PayerControlNumber), text.Key(r.Payment.PatientControlNumber))
	if err != nil || r.Payment.PatientControlNumber == "" {
		return list, err
	}
	more, err := searched.Select(ctx, tx, `WHERE ftin = $1 AND patient_control_number_key = $2`,
		r.Payment.FTIN, text.Key(r.Payment.PatientControlNumber))
	list = append(list, more...)
	// Ordered here: asked for an order, SQLite would walk the whole TIN by its
	// primary key.
	slices.SortFunc(list, func(a, b Bill) int { return strings.Compare(keyOf(a), keyOf(b)) })
	return list, err
}

func insertBills(ctx context.Context, tx *sql.Tx, rows ...Bill) error {
	return billTable.Insert(ctx, tx, rows...)
}

func updateBill(ctx context.Context, tx *sql.Tx, b Bill) error {
	_, err := billTable.Update(ctx, tx, b)
	return err
}

// setPaid writes what payments decide of a bill.
func setPaid(ctx context.Context, tx *sql.Tx, ftin, key string, b Bill) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE bills SET bill_status = $3, eor = $4, paid_amount = $5, paid_date = $6, check_number = $7
		WHERE ftin = $1 AND bill_control_number_key = $2`,
		ftin, key, b.BillStatus, b.EOR, b.PaidAmount, b.PaidDate, b.CheckNumber)
	return err
}

func voidBill(ctx context.Context, tx *sql.Tx, ftin, key, lastNameKey string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE bills SET bill_status = $4 WHERE ftin = $1 AND bill_control_number_key = $2 AND patient_last_name_key = $3`,
		ftin, key, lastNameKey, StatusVoid)
	return err
}

func deleteMadeOfPayment(ctx context.Context, tx *sql.Tx, ftin, key string) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bills WHERE ftin = $1 AND bill_control_number_key = $2 AND source = 'payment'`, ftin, key)
}

func paymentByKey(ctx context.Context, tx *sql.Tx, p Payment) (Payment, error) {
	return paymentTable.Get(ctx, tx, `
		WHERE ftin = $1 AND trace_number = $2 AND patient_control_number_key = $3 AND payer_control_number_key = $4 AND occurrence = $5`,
		p.FTIN, p.TraceNumber, text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), p.Occurrence)
}

func paymentsByBill(ctx context.Context, q db.Queryer, ftin, key string) ([]Payment, error) {
	return paymentTable.Select(ctx, q, `
		WHERE ftin = $1 AND bill_control_number_key = $2 ORDER BY paid_date, trace_number, occurrence`, ftin, key)
}

func savePayment(ctx context.Context, tx *sql.Tx, p Payment) error {
	return paymentTable.Upsert(ctx, tx, p)
}

func setPaymentBill(ctx context.Context, tx *sql.Tx, p Payment, key string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE payments SET bill_control_number_key = $6
		WHERE ftin = $1 AND trace_number = $2 AND patient_control_number_key = $3 AND payer_control_number_key = $4 AND occurrence = $5`,
		p.FTIN, p.TraceNumber, text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), p.Occurrence, key)
	return err
}

func paymentsByPatientControl(ctx context.Context, tx *sql.Tx, stored []Bill) (map[billID][]Payment, error) {
	byTIN := map[string][]any{}
	for _, b := range stored {
		byTIN[b.FTIN] = append(byTIN[b.FTIN], text.Key(b.PatientControlNumber))
	}
	found := map[billID][]Payment{}
	for ftin, keys := range byTIN {
		for chunk := range slices.Chunk(keys, 200) {
			list, err := paymentTable.Select(ctx, tx, `
				WHERE ftin = $1 AND patient_control_number_key IN (`+db.In(2, len(chunk))+`)
				ORDER BY paid_date, trace_number, occurrence`, append([]any{ftin}, chunk...)...)
			if err != nil {
				return nil, err
			}
			for _, p := range list {
				id := billID{ftin, text.Key(p.PatientControlNumber)}
				found[id] = append(found[id], p)
			}
		}
	}
	return found, nil
}
