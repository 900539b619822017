package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// reportedColumns are the columns of what a submission tells and a bill shows alike.
var reportedColumns = []db.Column[Bill]{
	db.Col("ftin", func(b *Bill) *string { return &b.FTIN }).Key(),
	db.Col("document_id", func(b *Bill) *string { return &b.DocumentID }),
	db.Col("patient_control_number", func(b *Bill) *string { return &b.PatientControlNumber }),
	db.Col("billing_id", func(b *Bill) *string { return &b.BillingID }),
	db.Col("claim_number", func(b *Bill) *string { return &b.ClaimNumber }),
	db.Col("patient_first_name", func(b *Bill) *string { return &b.PatientFirstName }),
	db.Col("patient_middle_name", func(b *Bill) *string { return &b.PatientMiddleName }),
	db.Col("patient_last_name", func(b *Bill) *string { return &b.PatientLastName }),
	db.Col("patient_birth_date", func(b *Bill) *date.Date { return &b.PatientBirthDate }),
	db.Col("patient_gender", func(b *Bill) *string { return &b.PatientGender }),
	db.Col("begin_service_date", func(b *Bill) *date.Date { return &b.BeginServiceDate }),
	db.Col("end_service_date", func(b *Bill) *date.Date { return &b.EndServiceDate }),
	db.Col("date_of_injury", func(b *Bill) *date.Date { return &b.DateOfInjury }),
	db.Col("state_of_jurisdiction", func(b *Bill) *string { return &b.StateOfJurisdiction }),
	db.Col("state_basis", func(b *Bill) *string { return &b.StateBasis }),
	db.Col("filing", func(b *Bill) *string { return &b.Filing }),
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
	db.Col("received_on", func(b *Bill) *date.Date { return &b.ReceivedOn }),
	db.Col("received_basis", func(b *Bill) *string { return &b.ReceivedBasis }),
}

// reportedByPayments names those of them that payments tell.
var reportedByPayments = []string{
	"ftin", "patient_first_name", "patient_middle_name", "patient_last_name", "begin_service_date", "end_service_date",
	"physician_first_name", "physician_middle_name", "physician_last_name", "physician_npi", "facility_name", "facility_npi",
	"bill_type", "frequency_code", "payer_id", "payer_name",
}

// Bills is the one description of the table of bills.
var Bills = db.NewTable("bills", slices.Concat(reportedColumns, []db.Column[Bill]{
	db.Col("bill_control_number", func(b *Bill) *string { return &b.BillControlNumber }),
	db.Derived("bill_control_number_key", func(b *Bill) any { return b.Key() }).Key(),
	db.Derived("document_id_key", func(b *Bill) any { return text.Key(b.DocumentID) }),
	db.Derived("patient_control_number_key", func(b *Bill) any { return text.Key(b.PatientControlNumber) }),
	db.Derived("claim_number_key", func(b *Bill) any { return text.Key(b.ClaimNumber) }),
	db.Derived("patient_first_name_key", func(b *Bill) any { return text.Key(b.PatientFirstName) }),
	db.Derived("patient_last_name_key", func(b *Bill) any { return text.Key(b.PatientLastName) }),
	db.Col("source", func(b *Bill) *string { return &b.Source }),
	db.Col("open_state", func(b *Bill) *string { return &b.OpenState }),
	db.Col("reasons", func(b *Bill) *string { return &b.Reasons }),
	db.Col("next_due", func(b *Bill) *date.Date { return &b.NextDue }),
	db.Col("replaced_by", func(b *Bill) *string { return &b.ReplacedBy }),
	db.Col("wanted_key", func(b *Bill) *string { return &b.Wanted }),
	db.Col("anchor", func(b *Bill) *string { return &b.Anchor }),
	db.Col("fact", func(b *Bill) *string { return &b.Fact }),
	db.Derived("rules", func(*Bill) any { return rules }),
	db.Col("first_seen_at", func(b *Bill) *db.Instant { return &b.FirstSeenAt }),
})...)

// What the facts of a bill come to together; all else it has from its fact in force.
var (
	settledColumns = []string{"bill_status", "eor", "paid_amount", "paid_date", "check_number", "filing", "open_state", "reasons", "next_due", "replaced_by"}
	namedColumns   = []string{"bill_control_number", "document_id", "billing_id", "source", "wanted_key", "anchor", "fact"}

	billsSettled = Bills.Only(append([]string{"ftin", "bill_control_number_key"}, settledColumns...)...)
	billsNamed   = Bills.Only(namedColumns...)
	billsDue     = Bills.Only("ftin", "bill_control_number_key", "next_due")
	// billsBefore is what must be known of a bill to tell what became of it.
	billsBefore = Bills.Only(slices.Concat(billsSettled.Names(), namedColumns, []string{"recommended_allowance", "repricing_method", "first_seen_at"})...)
)

// submissions and payments are the one description of the tables of facts. What
// concludes reads all of them but their details.
var (
	submissions = db.NewTable("submissions", slices.Concat(
		db.Within(func(s *Submission) *Bill { return &s.Reported }, reportedColumns),
		[]db.Column[Submission]{
			db.Col("fact", func(s *Submission) *string { return &s.Fact }).Key(),
			db.Col("version", func(s *Submission) *string { return &s.Version }),
			db.Col("source", func(s *Submission) *string { return &s.Source }),
			db.Col("written", func(s *Submission) *string { return &s.Written }),
			db.Col("kind", func(s *Submission) *string { return &s.Kind }),
			db.Col("repriced", func(s *Submission) *string { return &s.Repriced }),
			db.Col("adjusted", func(s *Submission) *string { return &s.Adjusted }),
			db.Col("original", func(s *Submission) *string { return &s.Original }),
			db.Col("clearinghouse", func(s *Submission) *string { return &s.Clearinghouse }),
			db.Col("bill_control_number_key", func(s *Submission) *string { return &s.Bill }),
			db.JSONAhead("detail", func(s *Submission) *Detail { return &s.Detail }, func(s *Submission) string { return s.detail }),
		})...)
	submissionsConcluded = submissions.Without("detail")
	submissionsPlaced    = submissions.Only("ftin", "fact", "bill_control_number_key")

	payments = db.NewTable("payments", slices.Concat(
		db.Within(func(p *Payment) *Bill { return &p.Reported }, slices.DeleteFunc(slices.Clone(reportedColumns), func(c db.Column[Bill]) bool {
			return !slices.Contains(reportedByPayments, c.Name())
		})),
		[]db.Column[Payment]{
			db.Col("fact", func(p *Payment) *string { return &p.Fact }).Key(),
			db.Col("occurrence", func(p *Payment) *int { return &p.Occurrence }).Key(),
			db.Col("slot", func(p *Payment) *string { return &p.Slot }),
			db.JSON("told_with", func(p *Payment) *[]string { return &p.ToldWith }),
			db.Col("source", func(p *Payment) *string { return &p.Source }),
			db.Col("written", func(p *Payment) *string { return &p.Written }),
			db.Col("payer", func(p *Payment) *string { return &p.Payer }),
			db.Col("trace_number", func(p *Payment) *string { return &p.TraceNumber }),
			db.Col("paid_date", func(p *Payment) *date.Date { return &p.PaidDate }),
			db.Col("received_on", func(p *Payment) *date.Date { return &p.ReceivedOn }),
			db.Col("filing", func(p *Payment) *string { return &p.Filing }),
			db.Col("method", func(p *Payment) *string { return &p.Method }),
			db.Col("patient_control_number", func(p *Payment) *string { return &p.PatientControlNumber }),
			db.Col("payer_control_number", func(p *Payment) *string { return &p.PayerControlNumber }),
			db.Col("former_number", func(p *Payment) *string { return &p.FormerNumber }),
			db.Col("repriced", func(p *Payment) *string { return &p.Repriced }),
			db.Col("claim_status", func(p *Payment) *string { return &p.ClaimStatus }),
			db.Col("charge", func(p *Payment) *int64 { return &p.Charge }),
			db.Col("paid", func(p *Payment) *int64 { return &p.Paid }),
			db.Col("patient_responsibility", func(p *Payment) *int64 { return &p.PatientResponsibility }),
			db.Col("reasons", func(p *Payment) *string { return &p.Reasons }),
			db.Col("nature", func(p *Payment) *Nature { return &p.Nature }),
			db.Col("bill_control_number_key", func(p *Payment) *string { return &p.Bill }),
			db.Col("file_sha256", func(p *Payment) *string { return &p.File }),
			db.Col("set_offset", func(p *Payment) *int64 { return &p.Offset }),
			db.Col("remittance", func(p *Payment) *string { return &p.Remittance }),
			db.Col("payee_npi", func(p *Payment) *string { return &p.PayeeNPI }),
			db.JSONAhead("detail", func(p *Payment) *PaymentDetail { return &p.Detail }, func(p *Payment) string { return p.detail }),
		})...)
	paymentsConcluded = payments.Without("detail")
	paymentsRead      = payments.Only("ftin", "fact", "occurrence", "reasons")
	paymentsPlaced    = payments.Only("ftin", "fact", "occurrence", "told_with", "bill_control_number_key")
	// paymentsCounted is what checks are concluded from, and what ties a payment.
	paymentsCounted = payments.Only("ftin", "fact", "occurrence", "slot", "told_with", "source", "written", "payer", "trace_number", "paid_date", "method",
		"patient_control_number", "payer_control_number", "former_number", "repriced", "patient_first_name", "patient_last_name", "begin_service_date",
		"payer_id", "payer_name", "charge", "paid", "nature", "remittance", "payee_npi", "bill_control_number_key")
)

// remittanceSets, adjustmentRows and Remittances are the one description of what
// is known of checks and transfers.
var (
	remittanceSets = db.NewTable("remittance_sets",
		db.Col("ftin", func(s *RemittanceSet) *string { return &s.FTIN }).Key(),
		db.Col("fact", func(s *RemittanceSet) *string { return &s.Fact }).Key(),
		db.Col("remittance", func(s *RemittanceSet) *string { return &s.Remittance }),
		db.Col("written", func(s *RemittanceSet) *string { return &s.Written }),
		db.Col("payee_npi", func(s *RemittanceSet) *string { return &s.PayeeNPI }),
		db.Col("payees", func(s *RemittanceSet) *int { return &s.Payees }),
		db.Col("payer", func(s *RemittanceSet) *string { return &s.Payer }),
		db.Col("payer_tax_id", func(s *RemittanceSet) *string { return &s.PayerTaxID }),
		db.Col("payer_id", func(s *RemittanceSet) *string { return &s.PayerID }),
		db.Col("payer_name", func(s *RemittanceSet) *string { return &s.PayerName }),
		db.Col("trace_number", func(s *RemittanceSet) *string { return &s.TraceNumber }),
		db.Col("paid_on", func(s *RemittanceSet) *date.Date { return &s.PaidOn }),
		db.Col("effective_on", func(s *RemittanceSet) *date.Date { return &s.EffectiveOn }),
		db.Col("produced_on", func(s *RemittanceSet) *date.Date { return &s.ProducedOn }),
		db.Col("handling", func(s *RemittanceSet) *string { return &s.Handling }),
		db.Col("credit_debit", func(s *RemittanceSet) *string { return &s.CreditDebit }),
		db.Col("method", func(s *RemittanceSet) *string { return &s.Method }),
		db.Col("amount", func(s *RemittanceSet) *int64 { return &s.Amount }),
		db.Col("claims_paid", func(s *RemittanceSet) *int64 { return &s.ClaimsPaid }),
		db.Col("adjusted", func(s *RemittanceSet) *int64 { return &s.Adjusted }),
		db.JSON("payments", func(s *RemittanceSet) *[]FactID { return &s.Payments }),
		db.JSON("adjustments", func(s *RemittanceSet) *[]FactID { return &s.Adjustments }),
		db.JSON("contacts", func(s *RemittanceSet) *[]Contact { return &s.Contacts }),
		db.Col("file_sha256", func(s *RemittanceSet) *string { return &s.File }),
		db.Col("set_offset", func(s *RemittanceSet) *int64 { return &s.Offset }),
		db.Col("set_length", func(s *RemittanceSet) *int64 { return &s.Length }),
	)

	adjustmentRows = db.NewTable("adjustments",
		db.Col("ftin", func(a *ProviderAdjustment) *string { return &a.FTIN }).Key(),
		db.Col("fact", func(a *ProviderAdjustment) *string { return &a.Fact }).Key(),
		db.Col("occurrence", func(a *ProviderAdjustment) *int { return &a.Occurrence }).Key(),
		db.Col("remittance", func(a *ProviderAdjustment) *string { return &a.Remittance }),
		db.Col("provider", func(a *ProviderAdjustment) *string { return &a.Provider }),
		db.Col("period", func(a *ProviderAdjustment) *date.Date { return &a.Period }),
		db.Col("reason", func(a *ProviderAdjustment) *string { return &a.Reason }),
		db.Col("reference", func(a *ProviderAdjustment) *string { return &a.Reference }),
		db.Col("amount", func(a *ProviderAdjustment) *int64 { return &a.Amount }),
	)

	Remittances = db.NewTable("remittances",
		db.Col("ftin", func(r *Remittance) *string { return &r.FTIN }).Key(),
		db.Col("remittance", func(r *Remittance) *string { return &r.Remittance }).Key(),
		db.Col("trace_number", func(r *Remittance) *string { return &r.TraceNumber }),
		db.Derived("trace_number_key", func(r *Remittance) any { return NumberKey(r.TraceNumber) }),
		db.Col("payer", func(r *Remittance) *string { return &r.Payer }),
		db.Col("payer_tax_id", func(r *Remittance) *string { return &r.PayerTaxID }),
		db.Col("payer_id", func(r *Remittance) *string { return &r.PayerID }),
		db.Col("payer_name", func(r *Remittance) *string { return &r.PayerName }),
		db.Derived("payer_name_key", func(r *Remittance) any { return text.Key(r.PayerName) }),
		db.Col("paid_on", func(r *Remittance) *date.Date { return &r.PaidOn }),
		db.Col("effective_on", func(r *Remittance) *date.Date { return &r.EffectiveOn }),
		db.Col("produced_on", func(r *Remittance) *date.Date { return &r.ProducedOn }),
		db.Col("handling", func(r *Remittance) *string { return &r.Handling }),
		db.Col("method", func(r *Remittance) *string { return &r.Method }),
		db.Col("payees", func(r *Remittance) *int { return &r.Payees }),
		db.Nullable("amount", func(r *Remittance) **int64 { return &r.Amount }),
		db.Col("paid", func(r *Remittance) *int64 { return &r.Paid }),
		db.Col("adjusted", func(r *Remittance) *int64 { return &r.Adjusted }),
		db.Col("bills", func(r *Remittance) *int { return &r.Bills }),
		db.Col("reversals", func(r *Remittance) *int { return &r.Reversals }),
		db.Col("balanced", func(r *Remittance) *bool { return &r.Balanced }),
		db.JSON("contacts", func(r *Remittance) *[]Contact { return &r.Contacts }),
		db.Col("file_sha256", func(r *Remittance) *string { return &r.File }),
		db.Col("set_offset", func(r *Remittance) *int64 { return &r.Offset }),
		db.Col("set_length", func(r *Remittance) *int64 { return &r.Length }),
		db.Col("first_seen_at", func(r *Remittance) *db.Instant { return &r.FirstSeenAt }),
	)

	payeeFacts = db.NewTable("payee_facts",
		db.Col("npi", func(f *payeeFact) *string { return &f.NPI }).Key(),
		db.Col("remittance", func(f *payeeFact) *string { return &f.Remittance }).Key(),
		db.Col("fact", func(f *payeeFact) *string { return &f.Fact }).Key(),
		db.Col("occurrence", func(f *payeeFact) *int { return &f.Occurrence }).Key(),
		db.Col("ftin", func(f *payeeFact) *string { return &f.FTIN }),
		db.JSON("body", func(f *payeeFact) *Remitted { return &f.Body }),
	)
)

// factKey and billKey name a row within its TIN.
type (
	factKey struct{ ftin, fact string }
	linkKey struct{ ftin, link string }
	billKey struct{ ftin, key string }
)

// link is one row of bill_links.
type link struct {
	FTIN, Link, Fact string
	Payment          bool
}

var links = db.NewTable("bill_links",
	db.Col("ftin", func(l *link) *string { return &l.FTIN }).Key(),
	db.Col("link", func(l *link) *string { return &l.Link }).Key(),
	db.Col("fact", func(l *link) *string { return &l.Fact }).Key(),
	db.Col("payment", func(l *link) *bool { return &l.Payment }),
)

// Change is one entry of what became of a bill.
type Change struct {
	ID         int64 // in the order in which changes become visible
	FTIN       string
	Bill       string // key of its number
	Kind       string
	Status     string // of the bill afterwards
	OccurredOn date.Date
	At         db.Instant
	Quiet      bool // shown with the bill, announced to nobody
}

var changes = db.NewTable("bill_changes", append([]db.Column[Change]{
	db.Col("id", func(c *Change) *int64 { return &c.ID }),
}, changeColumns...)...)

// newChanges is the table without the id, which the database gives.
var newChanges = db.NewTable("bill_changes", changeColumns...)

var changeColumns = []db.Column[Change]{
	db.Col("ftin", func(c *Change) *string { return &c.FTIN }),
	db.Col("bill_control_number_key", func(c *Change) *string { return &c.Bill }),
	db.Col("kind", func(c *Change) *string { return &c.Kind }),
	db.Col("bill_status", func(c *Change) *string { return &c.Status }),
	db.Col("occurred_on", func(c *Change) *date.Date { return &c.OccurredOn }),
	db.Col("at", func(c *Change) *db.Instant { return &c.At }),
	db.Col("quiet", func(c *Change) *bool { return &c.Quiet }),
}

// knownSubmissions finds submissions as far as they are concluded from,
// keptSubmissions whole.
func knownSubmissions(ctx context.Context, tx *sql.Tx, keys []factKey) (map[factKey]Submission, error) {
	list, err := submissionsConcluded.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "")
	return byFact(list), err
}

func keptSubmissions(ctx context.Context, tx *sql.Tx, keys []factKey) (map[factKey]Submission, error) {
	list, err := submissions.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "")
	return byFact(list), err
}

func byFact(list []Submission) map[factKey]Submission {
	found := make(map[factKey]Submission, len(list))
	for _, s := range list {
		found[factKey{s.Reported.FTIN, s.Fact}] = s
	}
	return found
}

// knownPayments finds payments with all their occurrences as far as they are
// concluded from, keptPayments whole.
func knownPayments(ctx context.Context, tx *sql.Tx, keys []factKey) ([]Payment, error) {
	return paymentsConcluded.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "")
}

func keptPayments(ctx context.Context, tx *sql.Tx, keys []factKey) ([]Payment, error) {
	return payments.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "")
}

func factPairs(keys []factKey) [][]any {
	return pairs(keys, func(k factKey) (string, string) { return k.ftin, k.fact })
}

func linked(ctx context.Context, tx *sql.Tx, keys []linkKey) ([]link, error) {
	return links.Among(ctx, tx, []string{"ftin", "link"}, pairs(keys, func(k linkKey) (string, string) { return k.ftin, k.link }), "")
}

// placesOf are the keys of the bills into which facts were concluded: fact to key.
func placesOf(ctx context.Context, tx *sql.Tx, keys []factKey) (map[string]string, error) {
	found := map[string]string{}
	sent, err := submissionsPlaced.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "t.bill_control_number_key <> ''")
	if err != nil {
		return nil, err
	}
	for _, s := range sent {
		found[s.Fact] = s.Bill
	}
	paid, err := paymentsPlaced.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "t.bill_control_number_key <> ''")
	for _, p := range paid {
		found[p.Fact] = p.Bill
	}
	return found, err
}

// linkedBeginning finds links that begin so, up to one more than a family may have.
func linkedBeginning(ctx context.Context, tx *sql.Tx, k linkKey) ([]link, error) {
	return links.Select(ctx, tx, `WHERE ftin = $1 AND link >= $2 AND link < $3 ORDER BY ftin, link, fact LIMIT $4`,
		k.ftin, k.link, k.link+"~", crowdedAt+1)
}

func crowdedOf(ctx context.Context, tx *sql.Tx, tins []string) (map[linkKey]bool, error) {
	var rows []struct{ FTIN, Link string }
	found := map[linkKey]bool{}
	for chunk := range slices.Chunk(tins, 200) {
		args := make([]any, len(chunk))
		for i, tin := range chunk {
			args[i] = tin
		}
		if err := db.Select(ctx, tx, &rows, `SELECT ftin, link FROM crowded_links WHERE ftin IN (`+db.In(1, len(chunk))+`)`, args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[linkKey{r.FTIN, r.Link}] = true
		}
	}
	return found, nil
}

var joinRows = db.NewTable("payment_joins",
	db.Col("id", func(j *Join) *int64 { return &j.ID }).Key(),
	db.Col("ftin", func(j *Join) *string { return &j.FTIN }),
	db.Col("payment", func(j *Join) *string { return &j.Payment }),
	db.Col("at", func(j *Join) *db.Instant { return &j.At }),
	db.Col("submission", func(j *Join) *string { return &j.Submission }),
	db.Col("difference", func(j *Join) *string { return &j.Difference }),
	db.Col("made_at", func(j *Join) *db.Instant { return &j.MadeAt }),
	db.Col("joined_by", func(j *Join) *string { return &j.By }),
	db.Col("undone_by", func(j *Join) *string { return &j.UndoneBy }),
	db.Col("undone_at", func(j *Join) *db.Instant { return &j.UndoneAt }),
)

var newJoin = joinRows.Without("id")

// joinsOf are the joins in force of TINs.
func joinsOf(ctx context.Context, tx *sql.Tx, tins []string) ([]Join, error) {
	var list []Join
	for chunk := range slices.Chunk(tins, 200) {
		var args []any
		in := places(&args, chunk)
		found, err := joinRows.Select(ctx, tx, `WHERE ftin IN (`+in+`) AND undone_at IS NULL AND submission <> '' ORDER BY ftin, payment`, args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// joinInForce is what is said of a payment, a leaving too.
func joinInForce(ctx context.Context, tx *sql.Tx, ftin, payment string) (Join, error) {
	return joinRows.Get(ctx, tx, `WHERE ftin = $1 AND payment = $2 AND undone_at IS NULL`, ftin, payment)
}

func addJoin(ctx context.Context, tx *sql.Tx, j Join) (int64, error) {
	return newJoin.Add(ctx, tx, j, "id")
}

func undoJoin(ctx context.Context, tx *sql.Tx, j Join) error {
	_, err := joinRows.Update(ctx, tx, j)
	return err
}

// nextUnmatched is the TIN after one that has bills which are known from payments
// only; empty after the last.
func nextUnmatched(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tins []string
	err := db.Select(ctx, q, &tins, `SELECT ftin FROM bills WHERE source = 'payment' AND ftin > $1 ORDER BY ftin LIMIT 1`, after)
	if err != nil || len(tins) == 0 {
		return "", err
	}
	return tins[0], nil
}

// unmatchedOf reads bills of a TIN that are known from payments only, the oldest
// service first, but for those that are left.
func unmatchedOf(ctx context.Context, q db.Queryer, after Unmatched, limit int) ([]Bill, error) {
	return Bills.Select(ctx, q, `
		WHERE ftin = $1 AND source = 'payment' AND COALESCE(begin_service_date, '0001-01-01') >= $2
			AND (COALESCE(begin_service_date, '0001-01-01') > $2 OR bill_control_number_key > $3)
			AND NOT EXISTS (SELECT 1 FROM payment_joins j WHERE j.ftin = bills.ftin AND j.payment = bills.fact AND j.undone_at IS NULL)
		ORDER BY COALESCE(begin_service_date, '0001-01-01'), bill_control_number_key LIMIT $4`,
		after.FTIN, cmp.Or(after.Since, "0001-01-01"), after.Bill, limit)
}

// mostCandidates bounds how many bills are looked at for one payment, in each way.
const mostCandidates = 200

// CandidatesOf are bills that were sent and that a payment could be meant for: of the
// claimant's last name within days of its service, or of its account.
func CandidatesOf(ctx context.Context, q db.Queryer, made Bill, days int) ([]Bill, error) {
	list, err := Bills.Select(ctx, q, `
		WHERE ftin = $1 AND patient_last_name_key = $2 AND source = 'bill' AND begin_service_date BETWEEN $3 AND $4 ORDER BY begin_service_date LIMIT $5`,
		made.FTIN, text.Key(made.PatientLastName), made.BeginServiceDate.AddDays(-days), made.BeginServiceDate.AddDays(days), mostCandidates)
	if err != nil {
		return nil, err
	}
	account := Bare(text.Key(made.PatientControlNumber))
	if account == "" {
		return list, nil
	}
	same, err := Bills.Select(ctx, q, `WHERE ftin = $1 AND `+bare("patient_control_number_key")+` = $2 AND source = 'bill' LIMIT $3`, made.FTIN, account, mostCandidates)
	for _, b := range same {
		if !slices.ContainsFunc(list, func(o Bill) bool { return o.Key() == b.Key() }) {
			list = append(list, b)
		}
	}
	return list, err
}

// JoinsMade are the last joins of the staff, the newest first, those that are undone
// too.
func JoinsMade(ctx context.Context, q db.Queryer, limit int) ([]Join, error) {
	return joinRows.Select(ctx, q, `ORDER BY id DESC LIMIT $1`, limit)
}

func addCrowded(ctx context.Context, tx *sql.Tx, k linkKey) error {
	_, err := db.Exec(ctx, tx, `INSERT INTO crowded_links (ftin, link) VALUES ($1, $2) ON CONFLICT (ftin, link) DO NOTHING`, k.ftin, k.link)
	return err
}

func addSubmissions(ctx context.Context, tx *sql.Tx, rows []Submission) error {
	return submissions.Insert(ctx, tx, rows...)
}

func addPayments(ctx context.Context, tx *sql.Tx, rows []Payment) error {
	return payments.Insert(ctx, tx, rows...)
}

func addLinks(ctx context.Context, tx *sql.Tx, rows []link) error {
	return links.InsertMissing(ctx, tx, rows...)
}

// placeSubmissions notes the bills into which submissions were concluded.
func placeSubmissions(ctx context.Context, tx *sql.Tx, rows []Submission) error {
	return submissionsPlaced.UpdateAll(ctx, tx, rows...)
}

// putSubmissions stores submissions in the place of those they repeat.
func putSubmissions(ctx context.Context, tx *sql.Tx, rows []Submission) error {
	return submissions.Upsert(ctx, tx, rows...)
}

// placePayments notes the bills into which payments were concluded, and beside
// which others they stand.
func placePayments(ctx context.Context, tx *sql.Tx, rows []Payment) error {
	return paymentsPlaced.UpdateAll(ctx, tx, rows...)
}

// putPayments stores payments in the place of those they repeat.
func putPayments(ctx context.Context, tx *sql.Tx, rows []Payment) error {
	return payments.Upsert(ctx, tx, rows...)
}

func removePayment(ctx context.Context, tx *sql.Tx, p Payment) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM payments WHERE ftin = $1 AND fact = $2 AND occurrence = $3`, p.Reported.FTIN, p.Fact, p.Occurrence)
	return err
}

func removeLinks(ctx context.Context, tx *sql.Tx, p Payment) error {
	for _, t := range p.ties().links {
		if _, err := db.Exec(ctx, tx, `DELETE FROM bill_links WHERE ftin = $1 AND link = $2 AND fact = $3`, p.Reported.FTIN, t, p.Fact); err != nil {
			return err
		}
	}
	return nil
}

func checkPairs(keys []checkKey) [][]any {
	return pairs(keys, func(k checkKey) (string, string) { return k.ftin, k.remittance })
}

// paymentsOfChecks finds the payments of checks as far as these are concluded from.
func paymentsOfChecks(ctx context.Context, tx *sql.Tx, keys []checkKey) ([]Payment, error) {
	return paymentsCounted.Among(ctx, tx, []string{"ftin", "remittance"}, checkPairs(keys), "")
}

func setsOf(ctx context.Context, tx *sql.Tx, keys []factKey) ([]RemittanceSet, error) {
	return remittanceSets.Among(ctx, tx, []string{"ftin", "fact"}, factPairs(keys), "")
}

func setsAmong(ctx context.Context, tx *sql.Tx, keys []checkKey) ([]RemittanceSet, error) {
	return remittanceSets.Among(ctx, tx, []string{"ftin", "remittance"}, checkPairs(keys), "")
}

func putSets(ctx context.Context, tx *sql.Tx, rows []RemittanceSet) error {
	return remittanceSets.Upsert(ctx, tx, rows...)
}

func removeSet(ctx context.Context, tx *sql.Tx, s RemittanceSet) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM remittance_sets WHERE ftin = $1 AND fact = $2`, s.FTIN, s.Fact)
	return err
}

func adjustmentsAmong(ctx context.Context, tx *sql.Tx, keys []checkKey) ([]ProviderAdjustment, error) {
	return adjustmentRows.Among(ctx, tx, []string{"ftin", "remittance"}, checkPairs(keys), "")
}

func putAdjustments(ctx context.Context, tx *sql.Tx, rows []ProviderAdjustment) error {
	return adjustmentRows.InsertMissing(ctx, tx, rows...)
}

func removeAdjustment(ctx context.Context, tx *sql.Tx, a ProviderAdjustment) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM adjustments WHERE ftin = $1 AND fact = $2 AND occurrence = $3`, a.FTIN, a.Fact, a.Occurrence)
	return err
}

func remittancesAmong(ctx context.Context, tx *sql.Tx, keys []checkKey) ([]Remittance, error) {
	return Remittances.Among(ctx, tx, []string{"ftin", "remittance"}, checkPairs(keys), "")
}

func putRemittances(ctx context.Context, tx *sql.Tx, rows []Remittance) error {
	return Remittances.Upsert(ctx, tx, rows...)
}

func removeRemittance(ctx context.Context, tx *sql.Tx, k checkKey) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM remittances WHERE ftin = $1 AND remittance = $2`, k.ftin, k.remittance)
	return err
}

// paymentsOfCheck are the payments of one check, whole.
func paymentsOfCheck(ctx context.Context, tx *sql.Tx, k checkKey) ([]Payment, error) {
	return payments.Among(ctx, tx, []string{"ftin", "remittance"}, checkPairs([]checkKey{k}), "")
}

// payeeFactsLike finds what is known of facts.
func payeeFactsLike(ctx context.Context, tx *sql.Tx, facts []payeeFact) ([]payeeFact, error) {
	keys := make([][]any, len(facts))
	for i, f := range facts {
		keys[i] = []any{f.NPI, f.Remittance, f.Fact}
	}
	return payeeFacts.Among(ctx, tx, []string{"npi", "remittance", "fact"}, keys, "")
}

func payeeFactsOf(ctx context.Context, tx *sql.Tx, npi, remittance string) ([]payeeFact, error) {
	return payeeFacts.Select(ctx, tx, `WHERE npi = $1 AND remittance = $2 ORDER BY npi, remittance, fact, occurrence`, npi, remittance)
}

func putPayeeFacts(ctx context.Context, tx *sql.Tx, rows []payeeFact) error {
	return payeeFacts.Upsert(ctx, tx, rows...)
}

// payeeNPIs are those of payees of whom remittances tell the NPI only.
func payeeNPIs(ctx context.Context, q db.Queryer) ([]string, error) {
	var npis []string
	err := db.Select(ctx, q, &npis, `SELECT DISTINCT npi FROM payee_facts ORDER BY npi`)
	return npis, err
}

// payeeTINs are the TINs of an NPI.
func payeeTINs(ctx context.Context, tx *sql.Tx, npi string) ([]string, error) {
	var tins []string
	err := db.Select(ctx, tx, &tins, `SELECT ftin FROM payee_tins WHERE npi = $1 ORDER BY npi, ftin`, npi)
	return tins, err
}

// payeeTIN is one row of payee_tins.
type payeeTIN struct{ NPI, FTIN string }

var payeeTINRows = db.NewTable("payee_tins",
	db.Col("npi", func(p *payeeTIN) *string { return &p.NPI }).Key(),
	db.Col("ftin", func(p *payeeTIN) *string { return &p.FTIN }).Key(),
)

// payeeTINsAmong tells which NPIs are known to bill under which TINs.
func payeeTINsAmong(ctx context.Context, tx *sql.Tx, list [][2]string) (map[[2]string]bool, error) {
	rows, err := payeeTINRows.Among(ctx, tx, []string{"npi", "ftin"}, pairs(list, func(p [2]string) (string, string) { return p[0], p[1] }), "")
	known := map[[2]string]bool{}
	for _, r := range rows {
		known[[2]string{r.NPI, r.FTIN}] = true
	}
	return known, err
}

func addPayeeTIN(ctx context.Context, tx *sql.Tx, npi, tin string) (isNew bool, err error) {
	n, err := db.Exec(ctx, tx, `INSERT INTO payee_tins (npi, ftin) VALUES ($1, $2) ON CONFLICT (npi, ftin) DO NOTHING`, npi, tin)
	return n > 0, err
}

// payeeLink is one row of payee_links.
type payeeLink struct{ Link, NPI, Remittance string }

var payeeLinks = db.NewTable("payee_links",
	db.Col("link", func(l *payeeLink) *string { return &l.Link }).Key(),
	db.Col("npi", func(l *payeeLink) *string { return &l.NPI }).Key(),
	db.Col("remittance", func(l *payeeLink) *string { return &l.Remittance }).Key(),
)

func addPayeeLinks(ctx context.Context, tx *sql.Tx, list map[payeeLink]bool) error {
	return payeeLinks.InsertMissing(ctx, tx, slices.SortedFunc(maps.Keys(list), func(a, b payeeLink) int {
		return cmp.Or(strings.Compare(a.Link, b.Link), strings.Compare(a.NPI, b.NPI), strings.Compare(a.Remittance, b.Remittance))
	})...)
}

// anyPayeeLinks tells whether any payee is known by NPI only.
func anyPayeeLinks(ctx context.Context, tx *sql.Tx) (bool, error) {
	var found []string
	err := db.Select(ctx, tx, &found, `SELECT link FROM payee_links LIMIT 1`)
	return len(found) > 0, err
}

func payeeLinksAmong(ctx context.Context, tx *sql.Tx, texts []string) ([]payeeLink, error) {
	keys := make([][]any, len(texts))
	for i, t := range texts {
		keys[i] = []any{t}
	}
	return payeeLinks.Among(ctx, tx, []string{"link"}, keys, "")
}

func addPending(ctx context.Context, tx *sql.Tx, pending map[payeeKey]bool) error {
	for _, k := range slices.SortedFunc(maps.Keys(pending), payeeKey.compare) {
		if _, err := db.Exec(ctx, tx, `INSERT INTO payee_todo (npi, remittance) VALUES ($1, $2) ON CONFLICT (npi, remittance) DO NOTHING`, k.npi, k.remittance); err != nil {
			return err
		}
	}
	return nil
}

func addPendingOf(ctx context.Context, tx *sql.Tx, npi string) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO payee_todo (npi, remittance) SELECT DISTINCT npi, remittance FROM payee_facts WHERE npi = $1
		ON CONFLICT (npi, remittance) DO NOTHING`, npi)
	return err
}

// nextPayee is one of those whose remittances are to be placed; empty where there
// is none.
func nextPayee(ctx context.Context, q db.Queryer) (string, error) {
	var npis []string
	err := db.Select(ctx, q, &npis, `SELECT npi FROM payee_todo ORDER BY npi, remittance LIMIT 1`)
	return strings.Join(npis, ""), err
}

// pendingOf are some remittances of a payee that are to be placed.
func pendingOf(ctx context.Context, tx *sql.Tx, npi string) ([]string, error) {
	var list []string
	err := db.Select(ctx, tx, &list, `SELECT remittance FROM payee_todo WHERE npi = $1 ORDER BY npi, remittance LIMIT $2`, npi, placedAtOnce)
	return list, err
}

// endPending notes where a remittance stands now.
func endPending(ctx context.Context, tx *sql.Tx, npi, remittance, ftin string) error {
	if _, err := db.Exec(ctx, tx, `UPDATE payee_facts SET ftin = $3 WHERE npi = $1 AND remittance = $2`, npi, remittance, ftin); err != nil {
		return err
	}
	_, err := db.Exec(ctx, tx, `DELETE FROM payee_todo WHERE npi = $1 AND remittance = $2`, npi, remittance)
	return err
}

// billsAmong finds bills by their numbers as far as they tell what became of them,
// wholeBills all of them.
func billsAmong(ctx context.Context, tx *sql.Tx, keys []billKey) ([]Bill, error) {
	return billsBefore.Among(ctx, tx, []string{"ftin", "bill_control_number_key"}, billPairs(keys), "")
}

func wholeBills(ctx context.Context, tx *sql.Tx, keys []billKey) ([]Bill, error) {
	return Bills.Among(ctx, tx, []string{"ftin", "bill_control_number_key"}, billPairs(keys), "")
}

// suffixedAmong finds bills that would have these numbers if no other had them.
func suffixedAmong(ctx context.Context, tx *sql.Tx, keys []billKey) ([]Bill, error) {
	return billsBefore.Among(ctx, tx, []string{"ftin", "wanted_key"}, billPairs(keys), "t.wanted_key <> t.bill_control_number_key")
}

func billPairs(keys []billKey) [][]any {
	return pairs(keys, func(k billKey) (string, string) { return k.ftin, k.key })
}

func removeBill(ctx context.Context, tx *sql.Tx, k billKey) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`, k.ftin, k.key)
	return err
}

// putBills stores bills in the place of those of their numbers.
func putBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return Bills.Upsert(ctx, tx, rows...)
}

// settleBills writes what the payments of bills come to.
func settleBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return billsSettled.UpdateAll(ctx, tx, rows...)
}

func addBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return Bills.Insert(ctx, tx, rows...)
}

// addNumber keeps a number under which a bill was shown.
func addNumber(ctx context.Context, tx *sql.Tx, k billKey, fact string) error {
	_, err := db.Exec(ctx, tx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, $2, $3) ON CONFLICT (ftin, number_key, fact) DO NOTHING`,
		k.ftin, k.key, fact)
	return err
}

// FormerNumbers are the keys of other numbers under which facts were shown before.
func FormerNumbers(ctx context.Context, q db.Queryer, ftin string, facts []string) ([]string, error) {
	keys := make([]factKey, len(facts))
	for i, fact := range facts {
		keys[i] = factKey{ftin, fact}
	}
	list, err := formerNumbers.Among(ctx, q, []string{"ftin", "fact"}, factPairs(keys), "")
	numbers := make([]string, len(list))
	for i, n := range list {
		numbers[i] = n.Number
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), err
}

type formerNumber struct{ FTIN, Number, Fact string }

var formerNumbers = db.NewTable("bill_numbers",
	db.Col("ftin", func(n *formerNumber) *string { return &n.FTIN }).Key(),
	db.Col("number_key", func(n *formerNumber) *string { return &n.Number }).Key(),
	db.Col("fact", func(n *formerNumber) *string { return &n.Fact }).Key(),
)

// ChangesOf are what became of a bill, the oldest first, at most limit of it.
func ChangesOf(ctx context.Context, q db.Queryer, b Bill, limit int) ([]Change, error) {
	return changes.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2 ORDER BY ftin, bill_control_number_key, id LIMIT $3`, b.FTIN, b.Key(), limit)
}

// Named are the bills of a TIN that have these numbers.
func Named(ctx context.Context, q db.Queryer, ftin string, keys []string) ([]Bill, error) {
	pairs := make([]billKey, len(keys))
	for i, key := range keys {
		pairs[i] = billKey{ftin, key}
	}
	return Bills.Among(ctx, q, []string{"ftin", "bill_control_number_key"}, billPairs(pairs), "")
}

func addChanges(ctx context.Context, tx *sql.Tx, rows []Change) error {
	return newChanges.Insert(ctx, tx, rows...)
}

func lastChange(ctx context.Context, q db.Queryer) (int64, error) {
	var id int64
	err := db.Get(ctx, q, &id, `SELECT coalesce(max(id), 0) FROM bill_changes`)
	return id, err
}

func changesAfter(ctx context.Context, q db.Queryer, ftin string, id, newest int64, limit int) ([]Change, error) {
	return changes.Select(ctx, q, `WHERE ftin = $1 AND id > $2 AND id <= $3 ORDER BY ftin, id LIMIT $4`, ftin, id, newest, limit)
}

// forgetChanges removes some changes from before an instant: the oldest ones, as
// far as they are that old.
func forgetChanges(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bill_changes WHERE at < $1 AND id IN (SELECT id FROM bill_changes ORDER BY id LIMIT $2)`, before, db.AtOnce)
}

// move is a bill that gets another number.
type move struct {
	from billKey
	to   string
}

// moveChanges keeps with a bill what became of it when it gets another number.
// Bills may get each other's: all leave theirs before any arrives.
func moveChanges(ctx context.Context, tx *sql.Tx, list []move) error {
	const under = "\x1f"
	rename := func(tin, from, to string) error {
		_, err := db.Exec(ctx, tx, `UPDATE bill_changes SET bill_control_number_key = $3 WHERE ftin = $1 AND bill_control_number_key = $2`, tin, from, to)
		return err
	}
	for _, m := range list {
		if err := rename(m.from.ftin, m.from.key, under+m.to); err != nil {
			return err
		}
	}
	for _, m := range list {
		if err := rename(m.from.ftin, under+m.to, m.to); err != nil {
			return err
		}
	}
	return nil
}

// PapersOf are the papers of a bill, those that are shown and those before.
func PapersOf(ctx context.Context, q db.Queryer, b Bill) ([]Paper, error) {
	return papers.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
}

func papersAmong(ctx context.Context, tx *sql.Tx, keys []billKey) ([]Paper, error) {
	return papers.Among(ctx, tx, []string{"ftin", "bill_control_number_key"}, billPairs(keys), "")
}

// BillsWithPaper tells which bills of a TIN have papers of a kind, of some keys.
func BillsWithPaper(ctx context.Context, q db.Queryer, ftin, kind string, keys []string) (has map[string]bool, err error) {
	args := []any{ftin, kind}
	for _, key := range keys {
		args = append(args, key)
	}
	var found []string
	err = db.Select(ctx, q, &found, `
		SELECT bill_control_number_key FROM bill_documents
		WHERE ftin = $1 AND kind = $2 AND bill_control_number_key IN (`+db.In(3, len(keys))+`)`, args...)
	has = make(map[string]bool, len(found))
	for _, key := range found {
		has[key] = true
	}
	return has, err
}

func putPapers(ctx context.Context, tx *sql.Tx, rows []Paper) error {
	return papers.Upsert(ctx, tx, rows...)
}

func removePaper(ctx context.Context, tx *sql.Tx, p Paper) error {
	_, err := db.Exec(ctx, tx, `
		DELETE FROM bill_documents WHERE ftin = $1 AND bill_control_number_key = $2 AND kind = $3 AND sha256 = $4`, p.FTIN, p.Bill, p.Kind, p.SHA256)
	return err
}

func removeChanges(ctx context.Context, tx *sql.Tx, k billKey) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM bill_changes WHERE ftin = $1 AND bill_control_number_key = $2`, k.ftin, k.key)
	return err
}

func pairs[K any](keys []K, parts func(K) (string, string)) [][]any {
	list := make([][]any, len(keys))
	for i, k := range keys {
		a, b := parts(k)
		list[i] = []any{a, b}
	}
	return list
}

// DetailOf is what documents show of a bill: what the fact in force tells.
func DetailOf(ctx context.Context, q db.Queryer, b Bill) (Detail, error) {
	if b.Fact == "" || b.Fact == carried {
		e, err := earlierBillTable.Get(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
		return e.Detail.Detail, err
	}
	if b.Source == SourcePayment {
		list, err := payments.Select(ctx, q, `WHERE ftin = $1 AND fact = $2 ORDER BY occurrence`, b.FTIN, b.Fact)
		if err != nil || len(list) == 0 {
			return Detail{}, err
		}
		return list[0].documented(), nil
	}
	s, err := submissions.Get(ctx, q, `WHERE ftin = $1 AND fact = $2`, b.FTIN, b.Fact)
	return s.Detail, err
}

// PaymentsOf are the payments of a bill, in the order in which they were made.
func PaymentsOf(ctx context.Context, q db.Queryer, b Bill) ([]Payment, error) {
	list, err := payments.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
	if err == nil { // some may not be carried over yet
		earlier, failed := earlierPaymentTable.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
		for _, e := range earlier {
			list = append(list, e.fact())
		}
		err = failed
	}
	slices.SortFunc(list, func(a, b Payment) int { return a.compare(&b) })
	return list, err
}

// nextPaid is the first TIN after one that has checks; empty where there is none.
func nextPaid(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tin string
	err := db.Get(ctx, q, &tin, `SELECT ftin FROM remittances WHERE ftin > $1 ORDER BY ftin LIMIT 1`, after)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return tin, err
}

// nextOpen is the TIN after one that has bills about which something is left to do.
// The condition is that of the index bills_open, word by word.
func nextOpen(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tin string
	err := db.Get(ctx, q, &tin, `SELECT ftin FROM bills WHERE ftin > $1 AND open_state IN ('D', 'N', 'P', 'R', 'S', 'U') ORDER BY ftin LIMIT 1`, after)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return tin, err
}

// openAfter reads bills of a TIN about which something is left to do, the oldest
// service first.
func openAfter(ctx context.Context, tx *sql.Tx, after OpenPlace, limit int) ([]Bill, error) {
	return Bills.Select(ctx, tx, `
		WHERE ftin = $1 AND open_state IN ('D', 'N', 'P', 'R', 'S', 'U') AND COALESCE(begin_service_date, '0001-01-01') >= $2
			AND (COALESCE(begin_service_date, '0001-01-01') > $2 OR bill_control_number_key > $3)
		ORDER BY COALESCE(begin_service_date, '0001-01-01'), bill_control_number_key LIMIT $4`,
		after.FTIN, cmp.Or(after.Since, "0001-01-01"), after.Bill, limit)
}

// putDue writes by when something is due about bills.
func putDue(ctx context.Context, tx *sql.Tx, bills []Bill) error {
	return billsDue.UpdateAll(ctx, tx, bills...)
}

// noteRecount notes that the day changed for bills of a TIN.
func noteRecount(ctx context.Context, tx *sql.Tx, ftin string) error {
	_, err := db.Exec(ctx, tx, `INSERT INTO due_recounts (ftin, recounts) VALUES ($1, 1) ON CONFLICT (ftin) DO UPDATE SET recounts = due_recounts.recounts + 1`, ftin)
	return err
}

// unread answers some payments of before that nobody read for their reasons. Its
// index holds just those.
func unread(ctx context.Context, tx *sql.Tx) ([]Payment, error) {
	return payments.Select(ctx, tx, `WHERE reasons = '?' ORDER BY ftin, fact, occurrence LIMIT $1`, earlierRows)
}

// putReasons writes the reasons of payments.
func putReasons(ctx context.Context, tx *sql.Tx, list []Payment) error {
	return paymentsRead.UpdateAll(ctx, tx, list...)
}

// checkSize is a check and how many bills it is for.
type checkSize struct {
	Remittance string
	Bills      int
}

// checksSince are the checks of a TIN from a day on.
func checksSince(ctx context.Context, q db.Queryer, ftin string, since date.Date) ([]checkSize, error) {
	var list []checkSize
	err := db.Select(ctx, q, &list, `SELECT remittance, bills FROM remittances WHERE ftin = $1 AND paid_on >= $2`, ftin, since)
	return list, err
}

// paymentsReasoned is what tells why bills were paid as they were.
var paymentsReasoned = payments.Only("ftin", "bill_control_number_key", "paid_date", "claim_status", "detail")

func reasonedOf(ctx context.Context, q db.Queryer, ftin string, checks []checkSize) ([]Payment, error) {
	return paymentsReasoned.Among(ctx, q, []string{"ftin", "remittance"}, pairs(checks, func(c checkSize) (string, string) { return ftin, c.Remittance }), "")
}

// bare is a column without hyphens and spaces, as the indexes for finding have it.
func bare(column string) string { return "replace(replace(" + column + ", '-', ''), ' ', '')" }

// hit is the select list of a bill b that is found by a column.
func hit(column string) string {
	return bare(column) + ` AS number, b.ftin, b.bill_control_number_key AS bill, b.begin_service_date AS begin_on, b.end_service_date AS end_on, b.replaced_by `
}

// sought are the places of TINs and of numbers, as Bare writes them, in a statement,
// and of what else narrows it.
type sought struct{ tins, numbers, narrowing string }

// eitherWay asks for rows whose column is one of the numbers, and for those that have
// it with hyphens or spaces.
func (s sought) eitherWay(column string, ask func(is string) string) string {
	return ask(column+" IN ("+s.numbers+")") + " UNION ALL " + ask(bare(column)+" IN ("+s.numbers+") AND "+column+" <> "+bare(column))
}

func hitsByNumber(s sought) string {
	return s.eitherWay("b.bill_control_number_key", func(is string) string {
		return `SELECT ` + hit("b.bill_control_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

// Anywhere finds bills by the number that they have, as Bare writes it, under whatever
// TIN: for the service desk alone, by the one index of bills that does not begin with it.
func Anywhere(ctx context.Context, q db.Queryer, number string, limit int) ([]Hit, error) {
	var found []Hit
	err := db.Select(ctx, q, &found, `SELECT `+hit("b.bill_control_number_key")+`FROM bills b WHERE `+bare("b.bill_control_number_key")+` = $1 LIMIT $2`, number, limit)
	return found, err
}

// RemittancesAnywhere finds checks and transfers by their number, as NumberKey writes
// it, as Anywhere does bills. The newest come first.
func RemittancesAnywhere(ctx context.Context, q db.Queryer, number string, limit int) ([]Remittance, error) {
	return Remittances.Select(ctx, q, `WHERE trace_number_key = $1 ORDER BY paid_on DESC, ftin, remittance LIMIT $2`, number, limit)
}

func hitsByFormer(s sought) string {
	return s.eitherWay("n.number_key", func(is string) string {
		former := `SELECT ` + hit("n.number_key") + `FROM bill_numbers n CROSS JOIN `
		where := ` WHERE n.ftin IN (` + s.tins + `) AND ` + is
		return former + `submissions f CROSS JOIN bills b` + where + hitsOfFact + ` UNION ALL ` + former + `payments f CROSS JOIN bills b` + where + hitsOfFact
	})
}

const hitsOfFact = ` AND f.ftin = n.ftin AND f.fact = n.fact AND b.ftin = f.ftin AND b.bill_control_number_key = f.bill_control_number_key`

func hitsByDocument(s sought) string {
	return s.eitherWay("b.document_id_key", func(is string) string {
		return `SELECT ` + hit("b.document_id_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

func hitsByAccount(s sought) string {
	return `SELECT ` + hit("b.patient_control_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` +
		bare("b.patient_control_number_key") + ` IN (` + s.numbers + `)`
}

func hitsByClaim(s sought) string {
	return s.eitherWay("b.claim_number_key", func(is string) string {
		return `SELECT ` + hit("b.claim_number_key") + `FROM bills b WHERE b.ftin IN (` + s.tins + `) AND ` + is
	})
}

// hitsByLink asks for bills of payments that have a link; those of numbers alone are
// without hyphens in an index.
func hitsByLink(s sought) string {
	return s.eitherWay("l.link", func(is string) string {
		return `SELECT p.payer_control_number, p.former_number, ` + hit("l.link") + `FROM bill_links l CROSS JOIN payments p CROSS JOIN bills b
			WHERE l.ftin IN (` + s.tins + `) AND ` + is + ` AND substr(l.link, 1, 2) = '` + byNumber + `' AND p.ftin = l.ftin AND p.fact = l.fact
			  AND b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key`
	})
}

func hitsByCheck(s sought) string {
	and := ""
	if s.narrowing != "" {
		and = ` AND lower(` + bare("p.patient_control_number") + `) IN (` + s.narrowing + `)`
	}
	return `SELECT p.patient_control_number AS account, ` + hit("r.trace_number_key") + `FROM remittances r CROSS JOIN payments p CROSS JOIN bills b
		WHERE r.ftin IN (` + s.tins + `) AND r.trace_number_key IN (` + s.numbers + `) AND p.ftin = r.ftin AND p.remittance = r.remittance
		  AND b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key` + and
}

func hitsByClaimant(tins, last, first, born string) string {
	return `SELECT b.patient_last_name_key AS last_name, b.patient_first_name_key AS first_name, b.patient_birth_date AS birth_date, ` + hit("''") +
		`FROM bills b WHERE b.ftin IN (` + tins + `) AND b.patient_last_name_key = ` + last + ` AND b.patient_first_name_key = ` + first +
		` AND b.patient_birth_date = ` + born
}

// hits are the answers to a statement about TINs, numbers and what narrows it, so many of a
// number.
func hits(ctx context.Context, q db.Queryer, tins, numbers, narrowing []string, most int, statement func(sought) string) ([]Hit, error) {
	return inChunks(numbers, lookedUpAtOnce, most, func(chunk []string, limit int) ([]Hit, error) {
		args := []any{limit}
		asked := statement(sought{places(&args, tins), places(&args, chunk), places(&args, narrowing)})
		var found []Hit
		err := db.Select(ctx, q, &found, asked+" LIMIT $1", args...)
		return found, err
	})
}

// places adds values to the arguments of a statement, and answers where they go.
func places(args *[]any, values []string) string {
	for _, v := range values {
		*args = append(*args, v)
	}
	return db.In(len(*args)-len(values)+1, len(values))
}

// claimantsAtOnce is how many claimants one statement asks for, a part of it each.
const claimantsAtOnce = 50

// hitsOfClaimants are the bills of claimants whose names are folded.
func hitsOfClaimants(ctx context.Context, q db.Queryer, tins []string, claimants []Claimant) ([]Hit, error) {
	return inChunks(claimants, claimantsAtOnce, MostHits, func(chunk []Claimant, limit int) ([]Hit, error) {
		args, parts := []any{limit}, make([]string, len(chunk))
		among := places(&args, tins)
		for i, c := range chunk {
			last, first := places(&args, []string{c.LastName}), places(&args, []string{c.FirstName})
			args = append(args, c.BirthDate)
			parts[i] = hitsByClaimant(among, last, first, db.In(len(args), 1))
		}
		var found []Hit
		err := db.Select(ctx, q, &found, strings.Join(parts, " UNION ALL ")+" LIMIT $1", args...)
		return found, err
	})
}

// BillsOf are the bills of hits.
func BillsOf(ctx context.Context, q db.Queryer, found []Hit) ([]Bill, error) {
	return Bills.Among(ctx, q, []string{"ftin", "bill_control_number_key"}, pairs(found, func(h Hit) (string, string) { return h.FTIN, h.Bill }), "")
}

// PaymentsOfAll are the payments of bills with their details: of each TIN and key of a
// number, in the order in which they were made.
func PaymentsOfAll(ctx context.Context, q db.Queryer, bills []Bill) (map[[2]string][]Payment, error) {
	keys := pairs(bills, func(b Bill) (string, string) { return b.FTIN, b.Key() })
	columns := []string{"ftin", "bill_control_number_key"}
	list, err := payments.Among(ctx, q, columns, keys, "")
	if err != nil {
		return nil, err
	}
	earlier, err := earlierPaymentTable.Among(ctx, q, columns, keys, "") // some may not be carried over yet
	for _, e := range earlier {
		list = append(list, e.fact())
	}
	slices.SortFunc(list, func(a, b Payment) int { return a.compare(&b) })
	of := make(map[[2]string][]Payment, len(bills))
	for _, p := range list {
		at := [2]string{p.Reported.FTIN, p.Bill}
		of[at] = append(of[at], p)
	}
	return of, err
}

// KeyOfFormer is the key of the number that a bill has now which was shown under
// another before; empty where there is none.
func KeyOfFormer(ctx context.Context, q db.Queryer, ftin, key string) (string, error) {
	keys, err := KeysOfFormer(ctx, q, []string{ftin}, key)
	return keys[ftin], err
}

// KeysOfFormer are the keys of the numbers that bills of the TINs have now which
// were shown under another before: TIN to key. SQLite keeps to the order of a CROSS
// JOIN: it knows of no better one.
func KeysOfFormer(ctx context.Context, q db.Queryer, tins []string, key string) (map[string]string, error) {
	args := []any{key}
	for _, ftin := range tins {
		args = append(args, ftin)
	}
	among := `n.ftin IN (` + db.In(2, len(tins)) + `) AND n.number_key = $1`
	var found []struct{ FTIN, Key string }
	err := db.Select(ctx, q, &found, `
		SELECT n.ftin, s.bill_control_number_key AS key FROM bill_numbers n CROSS JOIN submissions s
		WHERE `+among+` AND s.ftin = n.ftin AND s.fact = n.fact AND s.bill_control_number_key <> ''
		UNION ALL
		SELECT n.ftin, p.bill_control_number_key FROM bill_numbers n CROSS JOIN payments p
		WHERE `+among+` AND p.ftin = n.ftin AND p.fact = n.fact AND p.bill_control_number_key <> ''`, args...)
	keys := make(map[string]string, len(found))
	for _, f := range found {
		if known, is := keys[f.FTIN]; !is || f.Key < known {
			keys[f.FTIN] = f.Key
		}
	}
	return keys, err
}

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

// earlierBills answers some bills of before that are no facts yet.
func earlierBills(ctx context.Context, tx *sql.Tx) ([]earlierBill, error) {
	list, err := earlierBillTable.Select(ctx, tx, `WHERE fact = '' ORDER BY ftin, bill_control_number_key LIMIT $1`, earlierRows)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	keys := make([]billKey, len(list))
	for i, e := range list {
		keys[i] = billKey{e.FTIN, text.Key(e.Number)}
	}
	paid, err := earlierPaymentTable.Among(ctx, tx, []string{"ftin", "bill_control_number_key"}, billPairs(keys), "")
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

// markCarried notes that bills of before are facts now; they are shown as they were
// until their families are concluded. What a submission has keeps no detail twice.
func markCarried(ctx context.Context, tx *sql.Tx, bills, ofPayments []Bill) error {
	if err := carriedBills.UpdateAll(ctx, tx, bills...); err != nil {
		return err
	}
	return carriedKeepingDetail.UpdateAll(ctx, tx, ofPayments...)
}

var carriedBills = db.NewTable("bills",
	db.Col("ftin", func(b *Bill) *string { return &b.FTIN }).Key(),
	db.Derived("bill_control_number_key", func(b *Bill) any { return b.Key() }).Key(),
	db.Derived("wanted_key", func(b *Bill) any { return b.Key() }),
	db.Col("fact", func(b *Bill) *string { return &b.Fact }),
	db.Col("anchor", func(b *Bill) *string { return &b.Anchor }),
	db.Derived("detail", func(*Bill) any { return "{}" }),
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

// earlierPayments answers some payments of before.
func earlierPayments(ctx context.Context, tx *sql.Tx) ([]earlierPayment, error) {
	return earlierPaymentTable.Select(ctx, tx, `
		ORDER BY ftin, trace_number, patient_control_number_key, payer_control_number_key, occurrence LIMIT $1`, earlierRows)
}

func removeEarlierPayment(ctx context.Context, tx *sql.Tx, p earlierPayment) error {
	_, err := db.Exec(ctx, tx, `
		DELETE FROM earlier_payments
		WHERE ftin = $1 AND trace_number = $2 AND patient_control_number_key = $3 AND payer_control_number_key = $4 AND occurrence = $5`,
		p.FTIN, p.TraceNumber, text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), p.Occurrence)
	return err
}

// madeOf finds the bills of before that were made of payments.
func madeOf(ctx context.Context, tx *sql.Tx, list []earlierPayment) (map[billKey]Bill, error) {
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

// otherRules answers some bills that these rules did not conclude. Its index holds
// just those: new rules change both.
func otherRules(ctx context.Context, tx *sql.Tx) ([]Bill, error) {
	return Bills.Select(ctx, tx, `WHERE rules < 2 ORDER BY ftin, bill_control_number_key LIMIT $1`, earlierRows)
}

// PapersAmong are those of the contents, by SHA-256, that are of a bill.
func PapersAmong(ctx context.Context, q db.Queryer, contents []string) ([]string, error) {
	var list []string
	err := db.Select(ctx, q, &list, `SELECT DISTINCT sha256 FROM bill_documents WHERE sha256 IN (`+db.In(1, len(contents))+`)`, db.Args(contents)...)
	return list, err
}
