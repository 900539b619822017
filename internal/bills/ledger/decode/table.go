package decode

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12"
)

var fileColumns = []ingest.Column[facts.Submission]{
	ingest.Required("tin", ingest.TIN(func(s *facts.Submission) *string { return &s.Reported.FTIN })),
	ingest.Required("bill_control_number", ingest.Text(func(s *facts.Submission) *string { return &s.Repriced }, facts.MaxNumber)),
	ingest.Optional("document_id", ingest.Text(func(s *facts.Submission) *string { return &s.Clearinghouse }, 50)),
	ingest.Optional("patient_control_number", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PatientControlNumber },
		50)),
	ingest.Optional("billing_id", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.BillingID }, 50)),
	ingest.Optional("claim_number", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.ClaimNumber }, 40)),
	ingest.Optional("bill_type", ingest.OneOf(func(s *facts.Submission) *string { return &s.Reported.BillType }, "P", "I")),
	ingest.Optional("frequency_code", ingest.OneOf(func(s *facts.Submission) *string { return &s.Reported.FrequencyCode }, "1", "7", "8")),
	ingest.Required("patient_first_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PatientFirstName }, 40)),
	ingest.Optional("patient_middle_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PatientMiddleName }, 40)),
	ingest.Required("patient_last_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PatientLastName }, 60)),
	ingest.Optional("patient_birth_date", ingest.Date(func(s *facts.Submission) *date.Date { return &s.Reported.PatientBirthDate })),
	ingest.Optional("patient_gender", ingest.OneOf(func(s *facts.Submission) *string { return &s.Reported.PatientGender }, "F", "M", "U")),
	ingest.Required("begin_service_date", ingest.Date(func(s *facts.Submission) *date.Date { return &s.Reported.BeginServiceDate })),
	ingest.Optional("end_service_date", ingest.Date(func(s *facts.Submission) *date.Date { return &s.Reported.EndServiceDate })),
	ingest.Optional("date_of_injury", ingest.Date(func(s *facts.Submission) *date.Date { return &s.Reported.DateOfInjury })),
	ingest.Optional("state_of_jurisdiction", ingest.OneOf(func(s *facts.Submission) *string {
		return &s.Reported.StateOfJurisdiction
	}, identifiers.States...)),
	ingest.Optional("filing", ingest.OneOf(func(s *facts.Submission) *string { return &s.Reported.Filing }, "WC", "AM")),
	ingest.Optional("physician_first_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PhysicianFirstName }, 40)),
	ingest.Optional("physician_middle_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PhysicianMiddleName }, 40)),
	ingest.Optional("physician_last_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PhysicianLastName }, 60)),
	ingest.Optional("physician_npi", ingest.NPI(func(s *facts.Submission) *string { return &s.Reported.PhysicianNPI })),
	ingest.Optional("facility_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.FacilityName }, 128)),
	ingest.Optional("facility_npi", ingest.NPI(func(s *facts.Submission) *string { return &s.Reported.FacilityNPI })),
	ingest.Optional("payer_id", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PayerID }, 80)),
	ingest.Optional("payer_name", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PayerName }, 128)),
	ingest.Required("charges", ingest.Money(func(s *facts.Submission) *int64 { return &s.Reported.BillCharges })),
	ingest.Optional("allowance", ingest.OptionalMoney(func(s *facts.Submission) **int64 { return &s.Reported.RecommendedAllowance })),
	ingest.Optional("bill_status", ingest.OneOf(func(s *facts.Submission) *string { return &s.Reported.BillStatus },
		facts.StatusPaid, facts.StatusReceived, facts.StatusPriced, facts.StatusPaidCorrected, facts.StatusDenied, facts.StatusVoid)),
	ingest.Optional("eor", ingest.Flag(func(s *facts.Submission) *bool { return &s.Reported.EOR })),
	ingest.Optional("pricing_sheet", ingest.Flag(func(s *facts.Submission) *bool { return &s.Reported.PricingSheet })),
	ingest.Optional("paid_amount", ingest.OptionalMoney(func(s *facts.Submission) **int64 { return &s.Reported.PaidAmount })),
	ingest.Optional("paid_date", ingest.Date(func(s *facts.Submission) *date.Date { return &s.Reported.PaidDate })),
	ingest.Optional("check_number", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.CheckNumber }, 50)),
}

// checkRow fills the fields that follow from other columns.
func checkRow(s *facts.Submission) error {
	b := &s.Reported
	s.Source = facts.FromTable
	b.DocumentID = cmp.Or(s.Clearinghouse, b.PatientControlNumber, s.Repriced)
	b.PatientControlNumber = cmp.Or(b.PatientControlNumber, b.DocumentID)
	b.BillType = cmp.Or(b.BillType, "P")
	s.Kind = b.BillType
	if b.StateOfJurisdiction != "" {
		b.StateBasis = facts.StateGiven
	}
	b.FrequencyCode = cmp.Or(b.FrequencyCode, "1")
	if b.EndServiceDate == "" {
		b.EndServiceDate = b.BeginServiceDate
	}
	if b.BillStatus == "" {
		switch {
		case b.FrequencyCode == "8":
			b.BillStatus = facts.StatusVoid
		case b.PaidAmount != nil:
			b.BillStatus = facts.StatusPaid
		case b.RecommendedAllowance != nil:
			b.BillStatus = facts.StatusPriced
		default:
			b.BillStatus = facts.StatusReceived
		}
	}
	if b.EndServiceDate < b.BeginServiceDate {
		return errors.New("end_service_date is before begin_service_date")
	}
	s.Identify()
	return nil
}

var dateInName = regexp.MustCompile(`(20\d\d)-?([01]\d)-?([0-3]\d)`)

// ParseNameDate returns the first date in a file name, CCYYMMDD. wrong means that something looks
// like a date but isn't one.
func ParseNameDate(name string) (day string, wrong bool) {
	for _, found := range dateInName.FindAllStringSubmatch(name, -1) {
		day = strings.Join(found[1:], "")
		if _, err := x12.ParseDate(day); err == nil {
			return day, false
		}
		wrong = true
	}
	return "", wrong
}
