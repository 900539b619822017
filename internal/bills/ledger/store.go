package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"unicode/utf8"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// reportedColumns are the columns in common to a submission and a bill.
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

// reportedByPayments are the columns among them that payments have.
var reportedByPayments = []string{
	"ftin", "patient_first_name", "patient_middle_name", "patient_last_name", "begin_service_date", "end_service_date",
	"physician_first_name", "physician_middle_name", "physician_last_name", "physician_npi", "facility_name", "facility_npi",
	"bill_type", "frequency_code", "payer_id", "payer_name",
}

// Bills describes the table of bills.
var Bills = db.NewTable("bills", slices.Concat(reportedColumns, []db.Column[Bill]{
	db.Col("bill_control_number", func(b *Bill) *string { return &b.BillControlNumber }),
	db.Computed("bill_control_number_key", func(b *Bill) any { return b.Key() }).Key(),
	db.Computed("document_id_key", func(b *Bill) any { return text.Key(b.DocumentID) }),
	db.Computed("patient_control_number_key", func(b *Bill) any { return text.Key(b.PatientControlNumber) }),
	db.Computed("claim_number_key", func(b *Bill) any { return text.Key(b.ClaimNumber) }),
	db.Computed("patient_first_name_key", func(b *Bill) any { return text.Key(b.PatientFirstName) }),
	db.Computed("patient_last_name_key", func(b *Bill) any { return text.Key(b.PatientLastName) }),
	db.Computed("patient_name_key", func(b *Bill) any { return fullName(*b).Key() }),
	db.Col("source", func(b *Bill) *string { return &b.Source }),
	db.Col("open_state", func(b *Bill) *billstate.State { return &b.OpenState }),
	db.Col("reasons", func(b *Bill) *string { return &b.Reasons }),
	db.Col("take_back_open", func(b *Bill) *bool { return &b.TakeBackOpen }),
	db.Col("next_due", func(b *Bill) *date.Date { return &b.NextDue }),
	db.Col("replaced_by", func(b *Bill) *string { return &b.ReplacedBy }),
	db.Col("wanted_key", func(b *Bill) *string { return &b.Wanted }),
	db.Col("anchor", func(b *Bill) *string { return &b.Anchor }),
	db.Col("fact", func(b *Bill) *string { return &b.Fact }),
	db.Computed("rules", func(*Bill) any { return rules }),
	db.Col("first_seen_at", func(b *Bill) *db.Instant { return &b.FirstSeenAt }),
})...)

// The columns that depend on all the facts of a bill. The others come from its current fact.
var (
	settledColumns = []string{"bill_status", "eor", "paid_amount", "paid_date", "check_number", "filing", "open_state", "reasons",
		"take_back_open", "next_due", "replaced_by"}
	namedColumns = []string{"bill_control_number", "document_id", "billing_id", "source", "wanted_key", "anchor", "fact"}

	billsReconciled = Bills.Only(append([]string{"ftin", "bill_control_number_key"}, settledColumns...)...)
	billsNamed      = Bills.Only(namedColumns...)
	billsDue        = Bills.Only("ftin", "bill_control_number_key", "next_due")
	billsUnnamed    = Bills.Only("ftin", "bill_control_number", "patient_first_name", "patient_last_name")
	billsPeople     = Bills.Only("ftin", "bill_control_number_key", "patient_name_key")
	// readEarlierBills are the columns needed to find out what changed about a bill.
	billsBefore = Bills.Only(slices.Concat(billsReconciled.Names(), namedColumns,
		[]string{"recommended_allowance", "repricing_method", "first_seen_at"})...)
)

// submissions and payments describe the fact tables. Deriving uses all of their columns except
// the details.
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
			db.Col("file_sha256", func(s *Submission) *string { return &s.File }),
			db.Col("set_offset", func(s *Submission) *int64 { return &s.Offset }),
			db.EncodedJSON("detail", func(s *Submission) *Detail { return &s.Detail }, (*Submission).encodedDetail),
		})...)
	submissionsConcluded = submissions.Without("set_offset", "detail")
	submissionsPlaced    = submissions.Only("ftin", "fact", "bill_control_number_key")

	payments = db.NewTable("payments", slices.Concat(
		db.Within(func(p *Payment) *Bill {
			return &p.Reported
		}, slices.DeleteFunc(slices.Clone(reportedColumns), func(c db.Column[Bill]) bool {
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
			db.Col("duplicate", func(p *Payment) *DuplicateState { return &p.Duplicate }),
			db.Col("twin", func(p *Payment) *string { return &p.Twin }),
			db.EncodedJSON("detail", func(p *Payment) *PaymentDetail { return &p.Detail }, (*Payment).encodedDetail),
		})...)
	paymentsConcluded = payments.Without("detail")
	paymentsPlaced    = payments.Only("ftin", "fact", "occurrence", "told_with", "bill_control_number_key")
	// paymentsCounted are the columns that checks are derived from and payments are matched by.
	paymentsCounted = payments.Only("ftin", "fact", "occurrence", "slot", "told_with", "source", "written", "payer", "trace_number",
		"paid_date", "method",
		"patient_control_number", "payer_control_number", "former_number", "repriced", "patient_first_name", "patient_last_name",
		"begin_service_date",
		"payer_id", "payer_name", "charge", "paid", "nature", "remittance", "payee_npi", "duplicate", "twin", "bill_control_number_key")
	paymentsMarked = payments.Only("ftin", "fact", "occurrence", "duplicate", "twin")
)

var links = db.NewTable("bill_links",
	db.Col("ftin", func(l *link) *string { return &l.FTIN }).Key(),
	db.Col("link", func(l *link) *string { return &l.Link }).Key(),
	db.Col("fact", func(l *link) *string { return &l.Fact }).Key(),
	db.Col("payment", func(l *link) *bool { return &l.Payment }),
)

var changes = db.NewTable("bill_changes", append([]db.Column[Change]{
	db.Col("id", func(c *Change) *int64 { return &c.ID }),
}, changeColumns...)...)

// newChanges is the table without the id, which the database assigns.
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

// knownSubmissions reads the columns of submissions that deriving uses, keptSubmissions all of
// them.
func knownSubmissions(ctx context.Context, tx *sql.Tx, keys []factRef) (map[factRef]Submission, error) {
	list, err := submissionsConcluded.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	return byFact(list), err
}

func keptSubmissions(ctx context.Context, tx *sql.Tx, keys []factRef) (map[factRef]Submission, error) {
	list, err := submissions.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	return byFact(list), err
}

func byFact(list []Submission) map[factRef]Submission {
	found := make(map[factRef]Submission, len(list))
	for _, s := range list {
		found[s.ref()] = s
	}
	return found
}

// knownPayments reads payments with all of their occurrences, in the columns that deriving uses.
// keptPayments reads all columns.
func knownPayments(ctx context.Context, tx *sql.Tx, keys []factRef) ([]Payment, error) {
	return paymentsConcluded.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

func keptPayments(ctx context.Context, tx *sql.Tx, keys []factRef) ([]Payment, error) {
	return payments.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

func toFactPairs(keys []factRef) [][]any {
	return toPairs(keys, func(k factRef) (string, string) { return k.ftin, k.fact })
}

func linked(ctx context.Context, tx *sql.Tx, keys []linkRef) ([]link, error) {
	return links.SelectByKeys(ctx, tx, []string{"ftin", "link"}, toPairs(keys, func(k linkRef) (string, string) {
		return k.ftin, k.link
	}), "")
}

// loadPlaces maps facts to the keys of the bills derived from them.
func loadPlaces(ctx context.Context, tx *sql.Tx, keys []factRef) (map[string]string, error) {
	found := map[string]string{}
	sent, err := submissionsPlaced.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "t.bill_control_number_key <> ''")
	if err != nil {
		return nil, err
	}
	for _, s := range sent {
		found[s.Fact] = s.Bill
	}
	paid, err := paymentsPlaced.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "t.bill_control_number_key <> ''")
	for _, p := range paid {
		found[p.Fact] = p.Bill
	}
	return found, err
}

// findLinksByPrefix finds links by everything before their last part, including the separator.
func findLinksByPrefix(ctx context.Context, tx *sql.Tx, keys []linkRef) (map[linkRef][]link, error) {
	ranges := make([][]any, len(keys))
	for i, k := range keys {
		ranges[i] = []any{k.ftin, k.link, k.link + "~"}
	}
	list, err := links.SelectByKeys(ctx, tx, []string{"ftin", "link >=", "link <"}, ranges, "")
	found := map[linkRef][]link{}
	for _, l := range list {
		found[l.prefix()] = append(found[l.prefix()], l)
	}
	return found, err
}

var billsOfAccounts = Bills.Only("ftin", "fact", "patient_control_number", "begin_service_date", "end_service_date")

// findByCutAccounts finds submitted bills with an account number that equals a payment's or
// starts with it.
func findByCutAccounts(ctx context.Context, tx *sql.Tx, list []*Payment) ([]Bill, error) {
	account, known := accountColumn("t")
	return billsOfAccounts.SelectByKeys(ctx, tx, []string{"ftin", account + " >=", account + " <"}, truncatedRanges(list, ""),
		known+" AND t.source = '"+SourceBill+"'")
}

// findOthersByCutAccounts finds submissions of bills that show another account number or other days.
func findOthersByCutAccounts(ctx context.Context, tx *sql.Tx, list []*Payment) ([]link, error) {
	return links.SelectByKeys(ctx, tx, []string{"ftin", "link >=", "link <"}, truncatedRanges(list, byOther), "")
}

// truncatedRanges returns the TINs of payments with the ranges of account numbers that truncate to
// theirs, after a prefix.
func truncatedRanges(list []*Payment, prefix string) [][]any {
	ranges := make([][]any, len(list))
	for i, p := range list {
		account := stripAccount(foldOrEmpty(p.PatientControlNumber))
		beyond := "\x01" // not in any number, so only the number itself sorts before it
		if utf8.RuneCountInString(account) >= minTruncated {
			beyond = string(utf8.MaxRune)
		}
		ranges[i] = []any{p.Reported.FTIN, prefix + account, prefix + account + beyond}
	}
	return ranges
}

// paymentKey identifies a payment within its TIN.
type paymentKey struct {
	factRef
	occurrence int
}

var (
	submissionsDetailed = submissions.Only("ftin", "fact", "detail")
	paymentsDetailed    = payments.Only("ftin", "fact", "occurrence", "detail")
)

func loadSubmissionDetails(ctx context.Context, tx *sql.Tx, keys []factRef) (map[factRef]Detail, error) {
	list, err := submissionsDetailed.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	found := make(map[factRef]Detail, len(list))
	for _, s := range list {
		found[s.ref()] = s.Detail
	}
	return found, err
}

func loadPaymentDetails(ctx context.Context, tx *sql.Tx, keys []factRef) (map[paymentKey]PaymentDetail, error) {
	list, err := paymentsDetailed.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	found := make(map[paymentKey]PaymentDetail, len(list))
	for _, p := range list {
		found[paymentKey{p.ref(), p.Occurrence}] = p.Detail
	}
	return found, err
}

func loadCrowded(ctx context.Context, tx *sql.Tx, tins []string) (map[linkRef]bool, error) {
	var rows []struct{ FTIN, Link string }
	found := map[linkRef]bool{}
	for chunk := range slices.Chunk(tins, 200) {
		if err := db.Select(ctx, tx, &rows, `SELECT ftin, link FROM crowded_links
			WHERE ftin IN (`+db.In(1, len(chunk))+`)`, db.Args(chunk)...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[linkRef{r.FTIN, r.Link}] = true
		}
	}
	return found, nil
}

func addCrowded(ctx context.Context, tx *sql.Tx, k linkRef) error {
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

// placeSubmissions records the bills derived from submissions.
func placeSubmissions(ctx context.Context, tx *sql.Tx, rows []Submission) error {
	return submissionsPlaced.UpdateAll(ctx, tx, rows...)
}

// putSubmissions inserts or replaces submissions.
func putSubmissions(ctx context.Context, tx *sql.Tx, rows []Submission) error {
	return submissions.Upsert(ctx, tx, rows...)
}

// placePayments records the bills derived from payments, and the other payments in their sets.
func placePayments(ctx context.Context, tx *sql.Tx, rows []Payment) error {
	return paymentsPlaced.UpdateAll(ctx, tx, rows...)
}

// putPayments inserts or replaces payments.
func putPayments(ctx context.Context, tx *sql.Tx, rows []Payment) error {
	return payments.Upsert(ctx, tx, rows...)
}

func removePayment(ctx context.Context, tx *sql.Tx, p Payment) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM payments WHERE ftin = $1 AND fact = $2
		AND occurrence = $3`, p.Reported.FTIN, p.Fact, p.Occurrence)
	return err
}

func removeLinks(ctx context.Context, tx *sql.Tx, p Payment) error {
	for _, t := range append(slices.Clone(p.factLinks().links), p.factLinks().truncated) {
		if _, err := db.Exec(ctx, tx, `DELETE FROM bill_links WHERE ftin = $1 AND link = $2
			AND fact = $3`, p.Reported.FTIN, t, p.Fact); err != nil {
			return err
		}
	}
	return nil
}

// billsAmong finds bills by number, with the columns that show what changed. wholeBills returns
// all columns.
func billsAmong(ctx context.Context, tx *sql.Tx, keys []billRef) ([]Bill, error) {
	return billsBefore.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

func wholeBills(ctx context.Context, tx *sql.Tx, keys []billRef) ([]Bill, error) {
	return Bills.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

// suffixedAmong finds bills that would have these numbers if no other bill had them.
func suffixedAmong(ctx context.Context, tx *sql.Tx, keys []billRef) ([]Bill, error) {
	return billsBefore.SelectByKeys(ctx, tx, []string{"ftin", "wanted_key"}, toBillPairs(keys), "t.wanted_key <> t.bill_control_number_key")
}

func toBillPairs(keys []billRef) [][]any {
	return toPairs(keys, func(k billRef) (string, string) { return k.ftin, k.key })
}

func removeBill(ctx context.Context, tx *sql.Tx, k billRef) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`, k.ftin, k.key)
	return err
}

// putBills inserts or replaces bills by number.
func putBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return Bills.Upsert(ctx, tx, rows...)
}

// settleBills writes the columns that depend on payments.
func settleBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return billsReconciled.UpdateAll(ctx, tx, rows...)
}

func addBills(ctx context.Context, tx *sql.Tx, rows []Bill) error {
	return Bills.Insert(ctx, tx, rows...)
}

// addNumber stores a former number of a bill.
func addNumber(ctx context.Context, tx *sql.Tx, k billRef, fact string) error {
	_, err := db.Exec(ctx, tx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, $2, $3)
		ON CONFLICT (ftin, number_key, fact) DO NOTHING`,
		k.ftin, k.key, fact)
	return err
}

// FormerNumbers returns the keys of former numbers of facts.
func FormerNumbers(ctx context.Context, q db.Queryer, ftin string, ids []string) ([]string, error) {
	keys := make([]factRef, len(ids))
	for i, fact := range ids {
		keys[i] = factRef{ftin, fact}
	}
	list, err := formerNumbers.SelectByKeys(ctx, q, []string{"ftin", "fact"}, toFactPairs(keys), "")
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

// ListChanges returns up to limit changes to a bill, oldest first.
func ListChanges(ctx context.Context, q db.Queryer, b Bill, limit int) ([]Change, error) {
	return changes.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2 ORDER BY ftin, bill_control_number_key, id LIMIT $3`,
		b.FTIN, b.Key(), limit)
}

// SelectByNumbers returns the bills of a TIN with these numbers.
func SelectByNumbers(ctx context.Context, q db.Queryer, ftin string, keys []string) ([]Bill, error) {
	pairs := make([]billRef, len(keys))
	for i, key := range keys {
		pairs[i] = billRef{ftin, key}
	}
	return Bills.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, toBillPairs(pairs), "")
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

// forgetChanges deletes some changes before a timestamp, oldest first.
func forgetChanges(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bill_changes WHERE at < $1
		AND id IN (SELECT id FROM bill_changes ORDER BY id LIMIT $2)`, before, db.AtOnce)
}

// move is a bill that gets another number.
type move struct {
	from billRef
	to   string
}

// moveChanges moves a bill's changes to its new number. Bills can swap numbers, so all leave
// their numbers before any arrive.
func moveChanges(ctx context.Context, tx *sql.Tx, list []move) error {
	const under = "\x1f"
	rename := func(tin, from, to string) error {
		_, err := db.Exec(ctx, tx, `UPDATE bill_changes SET bill_control_number_key = $3 WHERE ftin = $1
			AND bill_control_number_key = $2`, tin, from, to)
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

// ListPapers returns the papers of a bill, current and previous.
func ListPapers(ctx context.Context, q db.Queryer, b Bill) ([]Paper, error) {
	return papers.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
}

func papersAmong(ctx context.Context, tx *sql.Tx, keys []billRef) ([]Paper, error) {
	return papers.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

// SelectKeysWithPaper returns the given keys of a TIN's bills that have papers of a kind.
func SelectKeysWithPaper(ctx context.Context, q db.Queryer, ftin, kind string, keys []string) (has map[string]bool, err error) {
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
		DELETE FROM bill_documents WHERE ftin = $1 AND bill_control_number_key = $2 AND kind = $3
			AND sha256 = $4`, p.FTIN, p.Bill, p.Kind, p.SHA256)
	return err
}

func removeChanges(ctx context.Context, tx *sql.Tx, k billRef) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM bill_changes WHERE ftin = $1 AND bill_control_number_key = $2`, k.ftin, k.key)
	return err
}

func toPairs[K any](keys []K, parts func(K) (string, string)) [][]any {
	list := make([][]any, len(keys))
	for i, k := range keys {
		a, b := parts(k)
		list[i] = []any{a, b}
	}
	return list
}

// GetDetail returns the details of a bill for documents. They come from its current fact.
func GetDetail(ctx context.Context, q db.Queryer, b Bill) (Detail, error) {
	if b.Source == SourcePayment {
		list, err := payments.Select(ctx, q, `WHERE ftin = $1 AND fact = $2 ORDER BY occurrence`, b.FTIN, b.Fact)
		if err != nil || len(list) == 0 {
			return Detail{}, err
		}
		return list[0].toDetail(), nil
	}
	s, err := submissions.Get(ctx, q, `WHERE ftin = $1 AND fact = $2`, b.FTIN, b.Fact)
	return s.Detail, err
}

// ListPayments returns the payments of a bill in payment order.
func ListPayments(ctx context.Context, q db.Queryer, b Bill) ([]Payment, error) {
	list, err := payments.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
	slices.SortFunc(list, func(a, b Payment) int { return a.compare(&b) })
	return list, err
}

// nextOpen returns the next TIN with bills that need follow-up. The condition must equal the one
// of the index bills_open exactly.
func nextOpen(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tin string
	err := db.Get(ctx, q, &tin, `SELECT ftin FROM bills WHERE ftin > $1 AND `+billstate.BareOpenSQL+` ORDER BY ftin
		LIMIT 1`, after)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return tin, err
}

// openAfter reads bills of a TIN that need follow-up, oldest service first.
func openAfter(ctx context.Context, tx *sql.Tx, after OpenPlace, limit int) ([]Bill, error) {
	return Bills.Select(ctx, tx, `
		WHERE ftin = $1 AND `+billstate.BareOpenSQL+` AND COALESCE(begin_service_date, '0001-01-01') >= $2
			AND (COALESCE(begin_service_date, '0001-01-01') > $2 OR bill_control_number_key > $3)
		ORDER BY COALESCE(begin_service_date, '0001-01-01'), bill_control_number_key LIMIT $4`,
		after.FTIN, cmp.Or(after.Since, "0001-01-01"), after.Bill, limit)
}

// putDue writes the next due dates of bills.
func putDue(ctx context.Context, tx *sql.Tx, bills []Bill) error {
	return billsDue.UpdateAll(ctx, tx, bills...)
}

// noteRecount records that a due date of the TIN's bills changed.
func noteRecount(ctx context.Context, tx *sql.Tx, ftin string) error {
	_, err := db.Exec(ctx, tx, `INSERT INTO due_recounts (ftin, recounts) VALUES ($1, 1) ON CONFLICT (ftin)
		DO UPDATE SET recounts = due_recounts.recounts + 1`, ftin)
	return err
}

// SelectPapers returns those of the SHA-256 hashes that are papers of a bill.
func SelectPapers(ctx context.Context, q db.Queryer, contents []string) ([]string, error) {
	var list []string
	err := db.Select(ctx, q, &list, `SELECT DISTINCT sha256 FROM bill_documents
		WHERE sha256 IN (`+db.In(1, len(contents))+`)`, db.Args(contents)...)
	return list, err
}
