package bills

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/text"
)

const reversal = "22"

func keyOf(b Bill) string { return text.Key(b.BillControlNumber) }

type billID struct{ ftin, key string }

// Feeds are the bills and payments of X12 files, and tables of bills.
func (s *Service) Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Transaction("837", "837 professional, institutional and dental",
			slices.Concat(professionalGuides, institutionalGuides, dentalGuides), newClaimDecoder, s.TakeBills).AsOf("bills"),
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
	onFile, err := existing(ctx, tx, s.db.Dialect.ForUpdate, rows)
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
			if err := insertBills(ctx, tx, fresh...); err != nil {
				return nil, err
			}
			fresh = nil
			b = b.over(old)
			if err := updateBill(ctx, tx, b); err != nil {
				return nil, err
			}
			outcomes[i] = intake.Updated
		}
		onFile[id] = b
		stored = append(stored, b)
	}
	if err := insertBills(ctx, tx, fresh...); err != nil {
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
	return billTable.Same(b.fromPayments(other), other)
}

// fromPayments takes over from the other row what payments decide.
func (b Bill) fromPayments(other Bill) Bill {
	if b.BillStatus != StatusVoid && other.BillStatus != StatusVoid {
		b.BillStatus = other.BillStatus
	}
	b.EOR, b.PaidAmount, b.PaidDate, b.CheckNumber = other.EOR, other.PaidAmount, other.PaidDate, other.CheckNumber
	return b
}

// over is the row on file once a feed of bills told b of it: what payments
// decided stays.
func (b Bill) over(old Bill) Bill {
	b.BillStatus = old.statusAfter(b.BillStatus, SourceBill)
	if old.PaidDate != "" {
		b.EOR = old.EOR
	}
	if b.PaidAmount == nil {
		b.PaidAmount = old.PaidAmount
	}
	b.PaidDate = cmp.Or(b.PaidDate, old.PaidDate)
	b.CheckNumber = cmp.Or(b.CheckNumber, old.CheckNumber)
	return b
}

// statusAfter is the status of a bill on file once a feed of bills or its
// payments, as the source tells, give it another: the one place where a bill
// goes from status to status. Void ends a bill for its payments, and what
// payments decided stays for feeds of bills.
func (b Bill) statusAfter(told, source string) string {
	switch {
	case told == StatusVoid:
		return StatusVoid
	case source == SourcePayment && b.BillStatus == StatusVoid, source == SourceBill && b.PaidDate != "":
		return b.BillStatus
	default:
		return told
	}
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
			if err := s.settle(ctx, tx, b.FTIN, keyOf(b)); err != nil {
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
		if outcomes[i], err = s.takePayment(ctx, tx, r); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

func (s *Service) takePayment(ctx context.Context, tx *sql.Tx, r Remittance) (intake.Outcome, error) {
	p := r.Payment
	old, err := paymentByKey(ctx, tx, p)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return intake.Outcome{}, err
	}
	if known {
		p.BillControlNumberKey = old.BillControlNumberKey
		if paymentTable.Same(old, p) {
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
			_, err := billOnFile(ctx, tx, b.FTIN, keyOf(b))
			if err == nil {
				// Payers send several claimants under the same numbers.
				b.BillControlNumber = fmt.Sprintf("%s-%d", b.BillControlNumber, p.Occurrence)
				_, err = billOnFile(ctx, tx, b.FTIN, keyOf(b))
			}
			if err == nil {
				return intake.Rejected("the payment's claim numbers are on file for another claimant or date of service"), nil
			}
			if !errors.Is(err, db.ErrNotFound) {
				return intake.Outcome{}, err
			}
			if err := insertBills(ctx, tx, b); err != nil {
				return intake.Outcome{}, err
			}
		}
		p.BillControlNumberKey = keyOf(b)
	}
	if err := savePayment(ctx, tx, p); err != nil {
		return intake.Outcome{}, err
	}
	if err := s.settle(ctx, tx, p.FTIN, p.BillControlNumberKey); err != nil {
		return intake.Outcome{}, err
	}
	if known {
		return intake.Updated, nil
	}
	return intake.Taken, nil
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
func (s *Service) settle(ctx context.Context, tx *sql.Tx, ftin, key string) error {
	list, err := paymentsByBill(ctx, tx, ftin, key)
	if err != nil || len(list) == 0 {
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
	onFile, err := statusOnFile(ctx, tx, s.db.Dialect.ForUpdate, ftin, key)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	status = Bill{BillStatus: onFile}.statusAfter(status, SourcePayment)
	return setPaid(ctx, tx, ftin, key, Bill{BillStatus: status, EOR: true, PaidAmount: &net, PaidDate: last.PaidDate, CheckNumber: last.TraceNumber})
}
