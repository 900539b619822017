package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12"
)

// Feeds returns the feeds: bills and payments in X12 files, and tables of bills.
func (l *Ledger) Feeds() []ingest.Feed {
	feeds := []ingest.Feed{
		ingest.Transaction("837", "837 professional, institutional and dental",
			slices.Concat(professionalGuides, institutionalGuides, dentalGuides), newClaimDecoder, l.ImportSubmissions).AsOf("bills").
			WithMeasures(storedNames(HasClaimNumber, HasReceived, HasLines, HasValidNPI)...),
		ingest.Transaction("835", "835", []string{"005010X221", "004010X091"}, newPaymentDecoder, l.ImportRemitted).AsOf("bills").
			WithMeasures(storedNames(FindsBill, AddsUp, IsExplained)...),
		ingest.Table("bills", fileColumns, checkRow, l.importRows).AsOf("bills").WithMeasures(storedNames(HasClaimNumber, HasValidNPI)...),
	}
	for i := range feeds {
		// Bills are derived from all the facts, so the migration must be done first.
		feeds[i] = feeds[i].BeforeImport(func(ctx context.Context) error { return l.MigrateOldBills(ctx, nil) }).AfterImport(l.PlacePayees)
	}
	return feeds
}

var fileColumns = []ingest.Column[facts.Submission]{
	ingest.Required("tin", ingest.TIN(func(s *facts.Submission) *string { return &s.Reported.FTIN })),
	ingest.Required("bill_control_number", ingest.Text(func(s *facts.Submission) *string { return &s.Repriced }, facts.MaxNumber)),
	ingest.Optional("document_id", ingest.Text(func(s *facts.Submission) *string { return &s.Clearinghouse }, 50)),
	ingest.Optional("patient_control_number", ingest.Text(func(s *facts.Submission) *string { return &s.Reported.PatientControlNumber }, 50)),
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

// parseNameDate returns the first date in a file name, CCYYMMDD. wrong means that something looks
// like a date but isn't one.
func parseNameDate(name string) (day string, wrong bool) {
	for _, found := range dateInName.FindAllStringSubmatch(name, -1) {
		day = strings.Join(found[1:], "")
		if _, err := x12.ParseDate(day); err == nil {
			return day, false
		}
		wrong = true
	}
	return "", wrong
}

// importRows imports table rows, each with the state of a bill. The last one counts, by the date
// in the file name or else by the start of the run, and by position.
func (l *Ledger) importRows(ctx context.Context, tx *sql.Tx, rows []facts.Submission) ([]ingest.Outcome, error) {
	run := ingest.CurrentRun(ctx)
	moment := run.StartedAt.UTC().Format("20060102T150405")
	if found, wrong := parseNameDate(run.File); found != "" {
		moment = found
	} else if wrong {
		ingest.Count(ctx, "rows of a file with an invalid date in its name, dated by the start of the import", int64(len(rows)))
	}
	for i := range rows {
		rows[i].Written = fmt.Sprintf("%s#%09d", moment, run.Position+int64(i))
	}
	return l.ImportSubmissions(ctx, tx, rows)
}
