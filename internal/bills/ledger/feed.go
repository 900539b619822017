package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
)

// Feeds are the bills and payments of X12 files, and tables of bills.
func (l *Ledger) Feeds() []intake.Feed {
	feeds := []intake.Feed{
		intake.Transaction("837", "837 professional, institutional and dental",
			slices.Concat(professionalGuides, institutionalGuides, dentalGuides), newClaimDecoder, l.TakeSubmissions).AsOf("bills").
			Measuring(HasClaimNumber, HasReceived, HasLines, HasValidNPI),
		intake.Transaction("835", "835", []string{"005010X221", "004010X091"}, newPaymentDecoder, l.TakeRemitted).AsOf("bills").
			Measuring(FindsBill, AddsUp, IsExplained),
		intake.Table("bills", fileColumns, checkRow, l.takeRows).AsOf("bills").Measuring(HasClaimNumber, HasValidNPI),
	}
	for i := range feeds {
		// What is concluded needs all facts.
		feeds[i] = feeds[i].After(func(ctx context.Context) error { return l.CarryOver(ctx, nil) }).Then(l.PlacePayees)
	}
	return feeds
}

var fileColumns = []intake.Column[Submission]{
	intake.Required("tin", intake.TIN(func(s *Submission) *string { return &s.Told.FTIN })),
	intake.Required("bill_control_number", intake.Text(func(s *Submission) *string { return &s.Repriced }, maxNumber)),
	intake.Optional("document_id", intake.Text(func(s *Submission) *string { return &s.Clearinghouse }, 50)),
	intake.Optional("patient_control_number", intake.Text(func(s *Submission) *string { return &s.Told.PatientControlNumber }, 50)),
	intake.Optional("billing_id", intake.Text(func(s *Submission) *string { return &s.Told.BillingID }, 50)),
	intake.Optional("claim_number", intake.Text(func(s *Submission) *string { return &s.Told.ClaimNumber }, 40)),
	intake.Optional("bill_type", intake.OneOf(func(s *Submission) *string { return &s.Told.BillType }, "P", "I")),
	intake.Optional("frequency_code", intake.OneOf(func(s *Submission) *string { return &s.Told.FrequencyCode }, "1", "7", "8")),
	intake.Required("patient_first_name", intake.Text(func(s *Submission) *string { return &s.Told.PatientFirstName }, 40)),
	intake.Optional("patient_middle_name", intake.Text(func(s *Submission) *string { return &s.Told.PatientMiddleName }, 40)),
	intake.Required("patient_last_name", intake.Text(func(s *Submission) *string { return &s.Told.PatientLastName }, 60)),
	intake.Optional("patient_birth_date", intake.Date(func(s *Submission) *date.Date { return &s.Told.PatientBirthDate })),
	intake.Optional("patient_gender", intake.OneOf(func(s *Submission) *string { return &s.Told.PatientGender }, "F", "M", "U")),
	intake.Required("begin_service_date", intake.Date(func(s *Submission) *date.Date { return &s.Told.BeginServiceDate })),
	intake.Optional("end_service_date", intake.Date(func(s *Submission) *date.Date { return &s.Told.EndServiceDate })),
	intake.Optional("date_of_injury", intake.Date(func(s *Submission) *date.Date { return &s.Told.DateOfInjury })),
	intake.Optional("state_of_jurisdiction", intake.OneOf(func(s *Submission) *string { return &s.Told.StateOfJurisdiction }, identifiers.States...)),
	intake.Optional("filing", intake.OneOf(func(s *Submission) *string { return &s.Told.Filing }, "WC", "AM")),
	intake.Optional("physician_first_name", intake.Text(func(s *Submission) *string { return &s.Told.PhysicianFirstName }, 40)),
	intake.Optional("physician_middle_name", intake.Text(func(s *Submission) *string { return &s.Told.PhysicianMiddleName }, 40)),
	intake.Optional("physician_last_name", intake.Text(func(s *Submission) *string { return &s.Told.PhysicianLastName }, 60)),
	intake.Optional("physician_npi", intake.NPI(func(s *Submission) *string { return &s.Told.PhysicianNPI })),
	intake.Optional("facility_name", intake.Text(func(s *Submission) *string { return &s.Told.FacilityName }, 128)),
	intake.Optional("facility_npi", intake.NPI(func(s *Submission) *string { return &s.Told.FacilityNPI })),
	intake.Optional("payer_id", intake.Text(func(s *Submission) *string { return &s.Told.PayerID }, 80)),
	intake.Optional("payer_name", intake.Text(func(s *Submission) *string { return &s.Told.PayerName }, 128)),
	intake.Required("charges", intake.Money(func(s *Submission) *int64 { return &s.Told.BillCharges })),
	intake.Optional("allowance", intake.OptionalMoney(func(s *Submission) **int64 { return &s.Told.RecommendedAllowance })),
	intake.Optional("bill_status", intake.OneOf(func(s *Submission) *string { return &s.Told.BillStatus },
		StatusPaid, StatusReceived, StatusPriced, StatusPaidCorrected, StatusDenied, StatusVoid)),
	intake.Optional("eor", intake.Flag(func(s *Submission) *bool { return &s.Told.EOR })),
	intake.Optional("pricing_sheet", intake.Flag(func(s *Submission) *bool { return &s.Told.PricingSheet })),
	intake.Optional("paid_amount", intake.OptionalMoney(func(s *Submission) **int64 { return &s.Told.PaidAmount })),
	intake.Optional("paid_date", intake.Date(func(s *Submission) *date.Date { return &s.Told.PaidDate })),
	intake.Optional("check_number", intake.Text(func(s *Submission) *string { return &s.Told.CheckNumber }, 50)),
}

// ServiceDates are the dates that must be such of a service.
func (s *Submission) ServiceDates() []date.Date {
	return []date.Date{s.Told.BeginServiceDate, s.Told.EndServiceDate}
}

// checkRow fills what follows from the other columns.
func checkRow(s *Submission) error {
	b := &s.Told
	s.Source = FromTable
	b.DocumentID = firstOf(s.Clearinghouse, b.PatientControlNumber, s.Repriced)
	b.PatientControlNumber = firstOf(b.PatientControlNumber, b.DocumentID)
	b.BillType = firstOf(b.BillType, "P")
	s.Kind = b.BillType
	if b.StateOfJurisdiction != "" {
		b.StateBasis = StateGiven
	}
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
	s.Identify()
	return nil
}

var dateInName = regexp.MustCompile(`(20\d\d)-?([01]\d)-?([0-3]\d)`)

// takeRows takes rows of a table, each the state of a bill: the last counts, by
// the date in the file's name, else by when the run began, and by its place.
func (l *Ledger) takeRows(ctx context.Context, tx *sql.Tx, rows []Submission) ([]intake.Outcome, error) {
	run := intake.RunOf(ctx)
	moment := run.StartedAt.UTC().Format("20060102T150405")
	if found := dateInName.FindStringSubmatch(run.File); found != nil {
		moment = strings.Join(found[1:], "")
	}
	for i := range rows {
		rows[i].Written = fmt.Sprintf("%s#%09d", moment, run.Position+int64(i))
	}
	return l.TakeSubmissions(ctx, tx, rows)
}
