package ledger

import (
	"context"
	"database/sql"
	"slices"
	"strconv"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

var earlierBillTable = db.NewTable("bills", slices.Concat(
	db.Within(func(e *earlierBill) *Bill { return &e.Bill }, reportedColumns),
	[]db.Column[earlierBill]{
		db.Col("bill_control_number", func(e *earlierBill) *string { return &e.Number }),
		db.Col("source", func(e *earlierBill) *string { return &e.Source }),
		db.JSON("detail", func(e *earlierBill) *struct {
			Detail
			OriginalReference string `json:"originalReference"`
		} {
			return &e.Detail
		}),
	})...)

// earlierBills returns some old bills that aren't facts yet.
func earlierBills(ctx context.Context, tx *sql.Tx) ([]earlierBill, error) {
	list, err := earlierBillTable.Select(ctx, tx, `WHERE fact = '' ORDER BY ftin, bill_control_number_key LIMIT $1`, rowsPerStep)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	keys := make([]billKey, len(list))
	for i, e := range list {
		keys[i] = billKey{e.FTIN, text.Key(e.Number)}
	}
	paid, err := earlierPaymentTable.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
	if err != nil {
		return nil, err
	}
	has := map[billKey]bool{}
	for _, p := range paid {
		has[billKey{p.FTIN, p.BillControlNumberKey}] = true
	}
	for i := range list {
		list[i].Paid = has[keys[i]]
	}
	return list, nil
}

// markCarried records that old bills are facts now. They're shown unchanged until their groups
// are derived. Details that a submission has aren't stored twice.
func markCarried(ctx context.Context, tx *sql.Tx, bills, ofPayments []Bill) error {
	if err := carriedBills.UpdateAll(ctx, tx, bills...); err != nil {
		return err
	}
	return carriedKeepingDetail.UpdateAll(ctx, tx, ofPayments...)
}

var carriedBills = db.NewTable("bills",
	db.Col("ftin", func(b *Bill) *string { return &b.FTIN }).Key(),
	db.Computed("bill_control_number_key", func(b *Bill) any { return b.Key() }).Key(),
	db.Computed("wanted_key", func(b *Bill) any { return b.Key() }),
	db.Col("fact", func(b *Bill) *string { return &b.Fact }),
	db.Col("anchor", func(b *Bill) *string { return &b.Anchor }),
	db.Computed("detail", func(*Bill) any { return "{}" }),
)

var carriedKeepingDetail = carriedBills.Without("detail")

var earlierPaymentTable = db.NewTable("earlier_payments",
	db.Col("ftin", func(p *earlierPayment) *string { return &p.FTIN }).Key(),
	db.Col("trace_number", func(p *earlierPayment) *string { return &p.TraceNumber }).Key(),
	db.Col("patient_control_number", func(p *earlierPayment) *string { return &p.PatientControlNumber }),
	db.Col("payer_control_number", func(p *earlierPayment) *string { return &p.PayerControlNumber }),
	db.Col("occurrence", func(p *earlierPayment) *int { return &p.Occurrence }).Key(),
	db.Col("bill_control_number_key", func(p *earlierPayment) *string { return &p.BillControlNumberKey }),
	db.Col("claim_status", func(p *earlierPayment) *string { return &p.ClaimStatus }),
	db.Col("charge", func(p *earlierPayment) *int64 { return &p.Charge }),
	db.Col("paid", func(p *earlierPayment) *int64 { return &p.Paid }),
	db.Col("patient_responsibility", func(p *earlierPayment) *int64 { return &p.PatientResponsibility }),
	db.Col("paid_date", func(p *earlierPayment) *date.Date { return &p.PaidDate }),
	db.Col("method", func(p *earlierPayment) *string { return &p.Method }),
	db.Col("payer_name", func(p *earlierPayment) *string { return &p.PayerName }),
	db.Col("patient_first_name_key", func(p *earlierPayment) *string { return &p.PatientFirstNameKey }),
	db.Col("patient_last_name_key", func(p *earlierPayment) *string { return &p.PatientLastNameKey }),
	db.Col("begin_service_date", func(p *earlierPayment) *date.Date { return &p.BeginServiceDate }),
	db.JSON("detail", func(p *earlierPayment) *PaymentDetail { return &p.Detail }),
)

// earlierPayments returns some old payments.
func earlierPayments(ctx context.Context, tx *sql.Tx) ([]earlierPayment, error) {
	return earlierPaymentTable.Select(ctx, tx, `
		ORDER BY ftin, trace_number, patient_control_number_key, payer_control_number_key, occurrence LIMIT $1`, rowsPerStep)
}

func removeEarlierPayment(ctx context.Context, tx *sql.Tx, p earlierPayment) error {
	_, err := db.Exec(ctx, tx, `
		DELETE FROM earlier_payments
		WHERE ftin = $1 AND trace_number = $2 AND patient_control_number_key = $3 AND payer_control_number_key = $4 AND occurrence = $5`,
		p.FTIN, p.TraceNumber, text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), p.Occurrence)
	return err
}

// loadMadeBills finds the old bills that were made of payments.
func loadMadeBills(ctx context.Context, tx *sql.Tx, list []earlierPayment) (map[billKey]Bill, error) {
	var keys []billKey
	for _, p := range list {
		if k := (billKey{p.FTIN, p.BillControlNumberKey}); p.BillControlNumberKey != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	bills, err := wholeBills(ctx, tx, keys)
	found := map[billKey]Bill{}
	for _, b := range bills {
		found[billKey{b.FTIN, b.Key()}] = b
	}
	return found, err
}

// otherRules returns some bills derived by other rules. Its index contains only those. With
// another version number, it would need a scan.
func otherRules(ctx context.Context, tx *sql.Tx) ([]Bill, error) {
	return Bills.Select(ctx, tx, `WHERE rules < `+strconv.Itoa(rules)+` ORDER BY ftin, bill_control_number_key LIMIT $1`, rowsPerStep)
}

// otherRulesOfChecks returns some checks derived by other rules.
func otherRulesOfChecks(ctx context.Context, tx *sql.Tx) ([]Remittance, error) {
	return Remittances.Select(ctx, tx, `WHERE rules < `+strconv.Itoa(rules)+` ORDER BY ftin, remittance LIMIT $1`, rowsPerStep)
}

var remittanceRules = Remittances.Only("ftin", "remittance", "rules")

// noteRules records that checks are derived by the current rules.
func noteRules(ctx context.Context, tx *sql.Tx, list []Remittance) error {
	return remittanceRules.UpdateAll(ctx, tx, list...)
}

// unnamed returns some old bills without a claimant name key. Its index contains only those.
func unnamed(ctx context.Context, tx *sql.Tx) ([]Bill, error) {
	return billsUnnamed.Select(ctx, tx, `
		WHERE patient_name_key = ''
		ORDER BY ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date LIMIT $1`, rowsPerStep)
}

// putNames writes the claimant name keys.
func putNames(ctx context.Context, tx *sql.Tx, bills []Bill) error {
	return billsPeople.UpdateAll(ctx, tx, bills...)
}
