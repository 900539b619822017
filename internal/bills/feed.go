package bills

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/text"
)

// Payment is what a payer's remittance says of one bill.
type Payment struct {
	FTIN                  string `db:"ftin"`
	TraceNumber           string
	PatientControlNumber  string
	PayerControlNumber    string
	Occurrence            int
	BillControlNumberKey  string // of the bill it belongs to; empty while that is not known
	ClaimStatus           string // 1 to 3 processed, 4 denied, 22 reversal
	Charge                int64
	Paid                  int64 // negative on a reversal
	PatientResponsibility int64
	PaidDate              date.Date
	Method                string
	PayerName             string
	PatientFirstNameKey   string
	PatientLastNameKey    string
	BeginServiceDate      date.Date
	Detail                PaymentDetail
}

// PaymentDetail is what the EOR shows of a payment.
type PaymentDetail struct {
	Adjustments []Adjustment `json:"adjustments,omitempty"`
	Lines       []PaidLine   `json:"lines,omitempty"`
}

// PaidLine is one service line of a payment.
type PaidLine struct {
	Number      int          `json:"number"`
	Revenue     string       `json:"revenue,omitempty"`
	Procedure   string       `json:"procedure,omitempty"`
	Qualifier   string       `json:"qualifier,omitempty"`
	Modifiers   []string     `json:"modifiers,omitempty"`
	Charge      int64        `json:"charge"`
	Paid        int64        `json:"paid"`
	Allowed     *int64       `json:"allowed,omitempty"`
	Units       string       `json:"units,omitempty"`
	BeginDate   date.Date    `json:"beginDate,omitempty"`
	EndDate     date.Date    `json:"endDate,omitempty"`
	Adjustments []Adjustment `json:"adjustments,omitempty"`
}

// Adjustment is why a payer paid other than what was charged.
type Adjustment struct {
	Group  string `json:"group"`
	Reason string `json:"reason"`
	Amount int64  `json:"amount"`
}

// Value stores the detail as JSON.
func (d PaymentDetail) Value() (driver.Value, error) { return value(d) }

// Scan reads the stored JSON.
func (d *PaymentDetail) Scan(src any) error { return scan(src, d) }

const reversal = "22"

func keyOf(b Bill) string { return text.Key(b.BillControlNumber) }

type billID struct{ ftin, key string }

// Feeds are the bills and payments of X12 files, and tables of bills.
func (s *Service) Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Transaction("837", "837 professional and institutional",
			slices.Concat(professionalGuides, institutionalGuides), newClaimDecoder, s.TakeBills).AsOf("bills"),
		intake.Transaction("835", "835", []string{"005010X221", "004010X091"}, newPaymentDecoder, s.TakePayments).AsOf("bills"),
		intake.Table("bills", fileColumns, checkBill, s.TakeBills).AsOf("bills"),
	}
}

var fileColumns = []intake.Column[Bill]{
	intake.Required("tin", intake.TIN(func(b *Bill) *string { return &b.FTIN })),
	intake.Required("bill_control_number", intake.Text(func(b *Bill) *string { return &b.BillControlNumber }, 22)),
	intake.Optional("document_id", intake.Text(func(b *Bill) *string { return &b.DocumentID }, 50)),
	intake.Optional("patient_control_number", intake.Text(func(b *Bill) *string { return &b.PatientControlNumber }, 50)),
	intake.Optional("billing_id", intake.Text(func(b *Bill) *string { return &b.BillingID }, 50)),
	intake.Optional("claim_number", intake.Text(func(b *Bill) *string { return &b.ClaimNumber }, 40)),
	intake.Optional("bill_type", intake.OneOf(func(b *Bill) *string { return &b.BillType }, "P", "I")),
	intake.Optional("frequency_code", intake.OneOf(func(b *Bill) *string { return &b.FrequencyCode }, "1", "7", "8")),
	intake.Required("patient_first_name", intake.Text(func(b *Bill) *string { return &b.PatientFirstName }, 40)),
	intake.Optional("patient_middle_name", intake.Text(func(b *Bill) *string { return &b.PatientMiddleName }, 40)),
	intake.Required("patient_last_name", intake.Text(func(b *Bill) *string { return &b.PatientLastName }, 60)),
	intake.Optional("patient_birth_date", intake.Date(func(b *Bill) *date.Date { return &b.PatientBirthDate })),
	intake.Optional("patient_gender", intake.OneOf(func(b *Bill) *string { return &b.PatientGender }, "F", "M", "U")),
	intake.Required("begin_service_date", intake.Date(func(b *Bill) *date.Date { return &b.BeginServiceDate })),
	intake.Optional("end_service_date", intake.Date(func(b *Bill) *date.Date { return &b.EndServiceDate })),
	intake.Optional("date_of_injury", intake.Date(func(b *Bill) *date.Date { return &b.DateOfInjury })),
	intake.Optional("state_of_jurisdiction", intake.OneOf(func(b *Bill) *string { return &b.StateOfJurisdiction }, identifiers.States...)),
	intake.Optional("physician_first_name", intake.Text(func(b *Bill) *string { return &b.PhysicianFirstName }, 40)),
	intake.Optional("physician_middle_name", intake.Text(func(b *Bill) *string { return &b.PhysicianMiddleName }, 40)),
	intake.Optional("physician_last_name", intake.Text(func(b *Bill) *string { return &b.PhysicianLastName }, 60)),
	intake.Optional("physician_npi", intake.NPI(func(b *Bill) *string { return &b.PhysicianNPI })),
	intake.Optional("facility_name", intake.Text(func(b *Bill) *string { return &b.FacilityName }, 128)),
	intake.Optional("facility_npi", intake.NPI(func(b *Bill) *string { return &b.FacilityNPI })),
	intake.Optional("payer_id", intake.Text(func(b *Bill) *string { return &b.PayerID }, 80)),
	intake.Optional("payer_name", intake.Text(func(b *Bill) *string { return &b.PayerName }, 128)),
	intake.Required("charges", intake.Money(func(b *Bill) *int64 { return &b.BillCharges })),
	intake.Optional("allowance", intake.OptionalMoney(func(b *Bill) **int64 { return &b.RecommendedAllowance })),
	intake.Optional("bill_status", intake.OneOf(func(b *Bill) *string { return &b.BillStatus },
		StatusPaid, StatusReceived, StatusPriced, StatusPaidCorrected, StatusDenied, StatusVoid)),
	intake.Optional("eor", intake.Flag(func(b *Bill) *bool { return &b.EOR })),
	intake.Optional("pricing_sheet", intake.Flag(func(b *Bill) *bool { return &b.PricingSheet })),
	intake.Optional("paid_amount", intake.OptionalMoney(func(b *Bill) **int64 { return &b.PaidAmount })),
	intake.Optional("paid_date", intake.Date(func(b *Bill) *date.Date { return &b.PaidDate })),
	intake.Optional("check_number", intake.Text(func(b *Bill) *string { return &b.CheckNumber }, 50)),
}

// checkBill fills what follows from the other columns.
func checkBill(b *Bill) error {
	b.Source = SourceBill
	b.DocumentID = firstOf(b.DocumentID, b.PatientControlNumber, b.BillControlNumber)
	b.PatientControlNumber = firstOf(b.PatientControlNumber, b.DocumentID)
	b.BillType = firstOf(b.BillType, "P")
	b.FrequencyCode = firstOf(b.FrequencyCode, "1")
	if b.EndServiceDate == "" {
		b.EndServiceDate = b.BeginServiceDate
	}
	if b.BillStatus == "" {
		switch {
		case b.FrequencyCode == "8":
			b.BillStatus = StatusVoid
		case b.PaidAmount != nil:
			b.BillStatus = StatusPaid
		case b.RecommendedAllowance != nil:
			b.BillStatus = StatusPriced
		default:
			b.BillStatus = StatusReceived
		}
	}
	if b.EndServiceDate < b.BeginServiceDate {
		return errors.New("end_service_date is before begin_service_date")
	}
	return nil
}

// TakeBills stores bills that came in by feed, by TIN and bill control number.
// Taking the same bill again changes nothing; another bill under a number that
// is on file for another claimant or date of service is refused.
func (s *Service) TakeBills(ctx context.Context, tx *sql.Tx, rows []Bill) ([]intake.Outcome, error) {
	onFile, err := existing(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	outcomes := make([]intake.Outcome, len(rows))
	var fresh []Bill
	var stored []Bill
	for i, b := range rows {
		id := billID{b.FTIN, keyOf(b)}
		old, known := onFile[id]
		switch {
		case !known:
			fresh = append(fresh, b)
			outcomes[i] = intake.Taken
		case !old.sameBill(b):
			outcomes[i] = intake.Rejected("the bill control number is on file for another claimant or date of service")
			continue
		case old.sameRow(b):
			outcomes[i] = intake.Unchanged
			continue
		default:
			// The file's earlier rows must be there before they are changed.
			if err := insertBills(ctx, tx, fresh); err != nil {
				return nil, err
			}
			fresh = nil
			if err := updateBill(ctx, tx, b); err != nil {
				return nil, err
			}
			outcomes[i] = intake.Updated
		}
		onFile[id] = b
		stored = append(stored, b)
	}
	if err := insertBills(ctx, tx, fresh); err != nil {
		return nil, err
	}
	for _, b := range stored {
		if ref := b.Detail.OriginalReference; ref != "" && (b.FrequencyCode == "7" || b.FrequencyCode == "8") && text.Key(ref) != keyOf(b) {
			if err := voidBill(ctx, tx, b.FTIN, text.Key(ref), text.Key(b.PatientLastName)); err != nil {
				return nil, err
			}
		}
	}
	return outcomes, s.joinPayments(ctx, tx, stored)
}

// sameBill tells whether a row may replace the one on file under its number.
func (b Bill) sameBill(other Bill) bool {
	return text.Key(b.PatientLastName) == text.Key(other.PatientLastName) &&
		(b.PatientBirthDate == other.PatientBirthDate || b.PatientBirthDate == "" || other.PatientBirthDate == "") &&
		(b.BeginServiceDate == other.BeginServiceDate || b.Source == SourcePayment || other.FrequencyCode == "7" || other.FrequencyCode == "8")
}

// sameRow compares what a feed tells; what payments added does not count.
func (b Bill) sameRow(other Bill) bool {
	x, _ := b.fromPayments(other).columns()
	y, _ := other.columns()
	return slices.Equal(x, y)
}

// fromPayments takes over from the other row what payments decide.
func (b Bill) fromPayments(other Bill) Bill {
	if b.BillStatus != StatusVoid && other.BillStatus != StatusVoid {
		b.BillStatus = other.BillStatus
	}
	b.EOR, b.PaidAmount, b.PaidDate, b.CheckNumber = other.EOR, other.PaidAmount, other.PaidDate, other.CheckNumber
	return b
}

// joinPayments finds payments that came before their bills.
func (s *Service) joinPayments(ctx context.Context, tx *sql.Tx, stored []Bill) error {
	waiting, err := paymentsByPatientControl(ctx, tx, stored)
	if err != nil {
		return err
	}
	for _, b := range stored {
		joined := false
		for _, p := range waiting[billID{b.FTIN, text.Key(b.PatientControlNumber)}] {
			if !p.belongsTo(b) || p.BillControlNumberKey == keyOf(b) {
				continue
			}
			if p.BillControlNumberKey != "" {
				// The payment had made a bill of its own; the real one replaces it.
				n, err := deleteMadeOfPayment(ctx, tx, p.FTIN, p.BillControlNumberKey)
				if err != nil {
					return err
				}
				if n == 0 {
					continue // it belongs to another real bill
				}
			}
			if err := setPaymentBill(ctx, tx, p, keyOf(b)); err != nil {
				return err
			}
			joined = true
		}
		if joined {
			if err := settle(ctx, tx, b.FTIN, keyOf(b)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p Payment) belongsTo(b Bill) bool {
	sameDay := p.BeginServiceDate == b.BeginServiceDate || p.BeginServiceDate == "" || b.BeginServiceDate == ""
	same := func(x, y string) bool { return x == y || x == "" || y == "" }
	return sameDay && same(p.PatientLastNameKey, text.Key(b.PatientLastName)) && same(p.PatientFirstNameKey, text.Key(b.PatientFirstName))
}

// Remittance is a payment and the bill as far as the payment tells it.
type Remittance struct {
	Payment             Payment
	RepricedClaimNumber string
	Bill                Bill
}

// TakePayments stores payments, finds their bills, or makes a bill of what a
// payment tells where no other feed brought it.
func (s *Service) TakePayments(ctx context.Context, tx *sql.Tx, rows []Remittance) ([]intake.Outcome, error) {
	outcomes := make([]intake.Outcome, len(rows))
	for i, r := range rows {
		var err error
		if outcomes[i], err = takePayment(ctx, tx, r); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

func takePayment(ctx context.Context, tx *sql.Tx, r Remittance) (intake.Outcome, error) {
	p := r.Payment
	old, err := paymentByKey(ctx, tx, p)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return intake.Outcome{}, err
	}
	if known {
		p.BillControlNumberKey = old.BillControlNumberKey
		if samePayment(old, p) {
			return intake.Unchanged, nil
		}
	}
	if p.BillControlNumberKey == "" {
		b, found, err := billOf(ctx, tx, r)
		if err != nil {
			return intake.Outcome{}, err
		}
		if !found {
			b = r.Bill
			_, err := billByKey(ctx, tx, b.FTIN, keyOf(b))
			if err == nil {
				// Payers send several claimants under the same numbers.
				b.BillControlNumber = fmt.Sprintf("%s-%d", b.BillControlNumber, p.Occurrence)
				_, err = billByKey(ctx, tx, b.FTIN, keyOf(b))
			}
			if err == nil {
				return intake.Rejected("the payment's claim numbers are on file for another claimant or date of service"), nil
			}
			if !errors.Is(err, db.ErrNotFound) {
				return intake.Outcome{}, err
			}
			if err := insertBills(ctx, tx, []Bill{b}); err != nil {
				return intake.Outcome{}, err
			}
		}
		p.BillControlNumberKey = keyOf(b)
	}
	if err := savePayment(ctx, tx, p); err != nil {
		return intake.Outcome{}, err
	}
	if err := settle(ctx, tx, p.FTIN, p.BillControlNumberKey); err != nil {
		return intake.Outcome{}, err
	}
	if known {
		return intake.Updated, nil
	}
	return intake.Taken, nil
}

func samePayment(a, b Payment) bool {
	x, _ := a.columns()
	y, _ := b.columns()
	return slices.Equal(x, y)
}

// billOf finds the bill of a payment: by the network's or the payer's number,
// else by the patient control number; of several the one of the same charge.
func billOf(ctx context.Context, tx *sql.Tx, r Remittance) (Bill, bool, error) {
	candidates, err := candidatesFor(ctx, tx, r)
	if err != nil {
		return Bill{}, false, err
	}
	candidates = slices.DeleteFunc(candidates, func(b Bill) bool { return !r.Payment.belongsTo(b) })
	if len(candidates) == 0 {
		return Bill{}, false, nil
	}
	best := slices.IndexFunc(candidates, func(b Bill) bool { return b.BillCharges == r.Payment.Charge })
	return candidates[max(0, best)], true, nil
}

// settle writes what the payments of a bill come to.
func settle(ctx context.Context, tx *sql.Tx, ftin, key string) error {
	var list []Payment
	if err := db.Select(ctx, tx, &list, `
		SELECT `+paymentColumns+` FROM payments WHERE ftin = $1 AND bill_control_number_key = $2
		ORDER BY paid_date, trace_number, occurrence`, ftin, key); err != nil || len(list) == 0 {
		return err
	}
	status, reversed := StatusPaid, false
	var net int64
	var last Payment
	for _, p := range list {
		net += p.Paid
		if p.ClaimStatus == reversal {
			reversed = true
			continue
		}
		last = p
	}
	switch {
	case last.ClaimStatus == "4":
		status = StatusDenied
	case reversed:
		status = StatusPaidCorrected
	}
	_, err := db.Exec(ctx, tx, `
		UPDATE bills SET bill_status = CASE WHEN bill_status = '9' THEN '9' ELSE $3 END, eor = $4,
		       paid_amount = $5, paid_date = $6, check_number = $7
		WHERE ftin = $1 AND bill_control_number_key = $2`,
		ftin, key, status, true, net, last.PaidDate, last.TraceNumber)
	return err
}

func existing(ctx context.Context, tx *sql.Tx, rows []Bill) (map[billID]Bill, error) {
	byTIN := map[string][]any{}
	for _, b := range rows {
		byTIN[b.FTIN] = append(byTIN[b.FTIN], keyOf(b))
	}
	found := map[billID]Bill{}
	for ftin, keys := range byTIN {
		for chunk := range slices.Chunk(keys, 200) {
			var list []Bill
			if err := db.Select(ctx, tx, &list, `
				SELECT `+billColumns+`, detail FROM bills WHERE ftin = $1 AND bill_control_number_key IN (`+db.In(2, len(chunk))+`)`,
				append([]any{ftin}, chunk...)...); err != nil {
				return nil, err
			}
			for _, b := range list {
				found[billID{b.FTIN, keyOf(b)}] = b
			}
		}
	}
	return found, nil
}

func billByKey(ctx context.Context, tx *sql.Tx, ftin, key string) (Bill, error) {
	var b Bill
	err := db.Get(ctx, tx, &b, `SELECT `+billColumns+`, detail FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
	return b, err
}

func candidatesFor(ctx context.Context, tx *sql.Tx, r Remittance) ([]Bill, error) {
	var list []Bill
	err := db.Select(ctx, tx, &list, `
		SELECT `+billColumns+` FROM bills WHERE ftin = $1 AND bill_control_number_key IN ($2, $3, $4)`,
		r.Payment.FTIN, text.Key(r.RepricedClaimNumber), text.Key(r.Payment.PayerControlNumber), text.Key(r.Payment.PatientControlNumber))
	if err != nil || r.Payment.PatientControlNumber == "" {
		return list, err
	}
	var more []Bill
	err = db.Select(ctx, tx, &more, `
		SELECT `+billColumns+` FROM bills WHERE ftin = $1 AND patient_control_number_key = $2`,
		r.Payment.FTIN, text.Key(r.Payment.PatientControlNumber))
	list = append(list, more...)
	// Ordered here: asked for an order, SQLite would walk the whole TIN by its
	// primary key.
	slices.SortFunc(list, func(a, b Bill) int { return strings.Compare(keyOf(a), keyOf(b)) })
	return list, err
}

const insertColumns = `ftin, bill_control_number, bill_control_number_key, document_id, document_id_key,
	patient_control_number, patient_control_number_key, billing_id, claim_number, claim_number_key,
	patient_first_name, patient_middle_name, patient_last_name, patient_first_name_key, patient_last_name_key,
	patient_birth_date, patient_gender, begin_service_date, end_service_date, date_of_injury, state_of_jurisdiction,
	physician_first_name, physician_middle_name, physician_last_name, physician_npi, facility_name, facility_npi,
	bill_type, frequency_code, bill_charges, recommended_allowance, repricing_method, bill_status, pricing_sheet, eor,
	payer_id, payer_name, paid_amount, paid_date, check_number, source, detail`

// columns are the values of insertColumns.
func (b Bill) columns() ([]any, error) {
	detail, err := b.Detail.Value()
	optional := func(cents *int64) any {
		if cents == nil {
			return nil
		}
		return *cents
	}
	return []any{
		b.FTIN, b.BillControlNumber, keyOf(b), b.DocumentID, text.Key(b.DocumentID),
		b.PatientControlNumber, text.Key(b.PatientControlNumber), b.BillingID, b.ClaimNumber, text.Key(b.ClaimNumber),
		b.PatientFirstName, b.PatientMiddleName, b.PatientLastName, text.Key(b.PatientFirstName), text.Key(b.PatientLastName),
		b.PatientBirthDate, b.PatientGender, b.BeginServiceDate, b.EndServiceDate, b.DateOfInjury, b.StateOfJurisdiction,
		b.PhysicianFirstName, b.PhysicianMiddleName, b.PhysicianLastName, b.PhysicianNPI, b.FacilityName, b.FacilityNPI,
		b.BillType, b.FrequencyCode, b.BillCharges, optional(b.RecommendedAllowance), b.RepricingMethod, b.BillStatus, b.PricingSheet, b.EOR,
		b.PayerID, b.PayerName, optional(b.PaidAmount), b.PaidDate, b.CheckNumber, b.Source, detail,
	}, err
}

// Rows of one INSERT: enough to save round trips, few enough for the databases'
// limits on parameters.
const insertRows = 50

func insertBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	for chunk := range slices.Chunk(rows, insertRows) {
		var args []any
		values := make([]string, len(chunk))
		for i, b := range chunk {
			cols, err := b.columns()
			if err != nil {
				return err
			}
			values[i] = "(" + db.In(len(args)+1, len(cols)) + ")"
			args = append(args, cols...)
		}
		if _, err := db.Exec(ctx, tx, `INSERT INTO bills (`+insertColumns+`) VALUES `+strings.Join(values, ", "), args...); err != nil {
			return fmt.Errorf("insert bills: %w", err)
		}
	}
	return nil
}

// updateBill replaces what the feed tells and keeps what payments decided.
func updateBill(ctx context.Context, tx *sql.Tx, b Bill) error {
	cols, err := b.columns()
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, tx, `
		UPDATE bills SET bill_control_number = $2, document_id = $4, document_id_key = $5,
		       patient_control_number = $6, patient_control_number_key = $7, billing_id = $8, claim_number = $9, claim_number_key = $10,
		       patient_first_name = $11, patient_middle_name = $12, patient_last_name = $13, patient_first_name_key = $14,
		       patient_last_name_key = $15, patient_birth_date = $16, patient_gender = $17, begin_service_date = $18,
		       end_service_date = $19, date_of_injury = $20, state_of_jurisdiction = $21, physician_first_name = $22,
		       physician_middle_name = $23, physician_last_name = $24, physician_npi = $25, facility_name = $26, facility_npi = $27,
		       bill_type = $28, frequency_code = $29, bill_charges = $30, recommended_allowance = $31, repricing_method = $32,
		       bill_status = CASE WHEN $33 = '9' THEN '9' WHEN paid_date IS NOT NULL THEN bill_status ELSE $33 END,
		       pricing_sheet = $34, eor = CASE WHEN paid_date IS NOT NULL THEN eor ELSE $35 END,
		       payer_id = $36, payer_name = $37,
		       paid_amount = coalesce($38, paid_amount), paid_date = coalesce($39, paid_date),
		       check_number = CASE WHEN $40 = '' THEN check_number ELSE $40 END, source = $41, detail = $42
		WHERE ftin = $1 AND bill_control_number_key = $3`, cols...)
	return err
}

func voidBill(ctx context.Context, tx *sql.Tx, ftin, key, lastNameKey string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE bills SET bill_status = '9' WHERE ftin = $1 AND bill_control_number_key = $2 AND patient_last_name_key = $3`,
		ftin, key, lastNameKey)
	return err
}

func deleteMadeOfPayment(ctx context.Context, tx *sql.Tx, ftin, key string) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bills WHERE ftin = $1 AND bill_control_number_key = $2 AND source = 'payment'`, ftin, key)
}

const paymentColumns = `ftin, trace_number, patient_control_number, payer_control_number, occurrence, bill_control_number_key,
	claim_status, charge, paid, patient_responsibility, paid_date, method, payer_name, patient_first_name_key,
	patient_last_name_key, begin_service_date, detail`

func (p Payment) columns() ([]any, error) {
	detail, err := p.Detail.Value()
	return []any{
		p.FTIN, p.TraceNumber, p.PatientControlNumber, text.Key(p.PatientControlNumber), p.PayerControlNumber, text.Key(p.PayerControlNumber),
		p.Occurrence, p.BillControlNumberKey, p.ClaimStatus, p.Charge, p.Paid, p.PatientResponsibility, p.PaidDate, p.Method, p.PayerName,
		p.PatientFirstNameKey, p.PatientLastNameKey, p.BeginServiceDate, detail,
	}, err
}

func paymentByKey(ctx context.Context, tx *sql.Tx, p Payment) (Payment, error) {
	var old Payment
	err := db.Get(ctx, tx, &old, `
		SELECT `+paymentColumns+` FROM payments
		WHERE ftin = $1 AND trace_number = $2 AND patient_control_number_key = $3 AND payer_control_number_key = $4 AND occurrence = $5`,
		p.FTIN, p.TraceNumber, text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), p.Occurrence)
	return old, err
}

func savePayment(ctx context.Context, tx *sql.Tx, p Payment) error {
	cols, err := p.columns()
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, tx, `
		INSERT INTO payments (ftin, trace_number, patient_control_number, patient_control_number_key, payer_control_number,
		                      payer_control_number_key, occurrence, bill_control_number_key, claim_status, charge, paid,
		                      patient_responsibility, paid_date, method, payer_name, patient_first_name_key,
		                      patient_last_name_key, begin_service_date, detail)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
		ON CONFLICT (ftin, trace_number, patient_control_number_key, payer_control_number_key, occurrence) DO UPDATE
		SET bill_control_number_key = excluded.bill_control_number_key, claim_status = excluded.claim_status,
		    charge = excluded.charge, paid = excluded.paid, patient_responsibility = excluded.patient_responsibility,
		    paid_date = excluded.paid_date, method = excluded.method, payer_name = excluded.payer_name,
		    patient_first_name_key = excluded.patient_first_name_key, patient_last_name_key = excluded.patient_last_name_key,
		    begin_service_date = excluded.begin_service_date, detail = excluded.detail`, cols...)
	return err
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
			var list []Payment
			if err := db.Select(ctx, tx, &list, `
				SELECT `+paymentColumns+` FROM payments WHERE ftin = $1 AND patient_control_number_key IN (`+db.In(2, len(chunk))+`)
				ORDER BY paid_date, trace_number, occurrence`, append([]any{ftin}, chunk...)...); err != nil {
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
