// Package store has the tables of the ledger and all of its SQL.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"unicode/utf8"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// concludedColumns are the columns of a bill that no file reports.
var concludedColumns = []string{"bill_control_number", "source", "open_state", "reasons", "take_back_open", "next_due", "replaced_by",
	"wanted_key", "anchor", "fact", "first_seen_at"}

// billColumns are the fields of a bill.
var billColumns = db.Fields[facts.Bill]("ftin")

// reportedColumns are the columns in common to a submission and a bill.
var reportedColumns = db.Without(billColumns, concludedColumns...)

// reportedByPayments are the columns among them that payments have.
var reportedByPayments = []string{
	"ftin", "patient_first_name", "patient_middle_name", "patient_last_name", "begin_service_date", "end_service_date",
	"physician_first_name", "physician_middle_name", "physician_last_name", "physician_npi", "facility_name", "facility_npi",
	"bill_type", "frequency_code", "payer_id", "payer_name",
}

// Bills describes the table of bills.
var Bills = db.NewTable("bills", append(billColumns,
	db.Computed("bill_control_number_key", func(b *facts.Bill) any { return b.Key() }).Key(),
	db.Computed("document_id_key", func(b *facts.Bill) any { return text.Key(b.DocumentID) }),
	db.Computed("patient_control_number_key", func(b *facts.Bill) any { return text.Key(b.PatientControlNumber) }),
	db.Computed("claim_number_key", func(b *facts.Bill) any { return text.Key(b.ClaimNumber) }),
	db.Computed("patient_first_name_key", func(b *facts.Bill) any { return text.Key(b.PatientFirstName) }),
	db.Computed("patient_last_name_key", func(b *facts.Bill) any { return text.Key(b.PatientLastName) }),
	db.Computed("patient_name_key", func(b *facts.Bill) any { return facts.FullName(*b).Key() }),
	db.Computed("rules", func(*facts.Bill) any { return derive.Rules }),
)...)

// The columns that depend on all the facts of a bill. The others come from its current fact.
var (
	settledColumns = []string{"bill_status", "eor", "paid_amount", "paid_date", "check_number", "filing", "open_state", "reasons",
		"take_back_open", "next_due", "replaced_by"}
	namedColumns = []string{"bill_control_number", "document_id", "billing_id", "source", "wanted_key", "anchor", "fact"}

	billsReconciled = Bills.Only(append([]string{"ftin", "bill_control_number_key"}, settledColumns...)...)
	billsNamed      = Bills.Only(namedColumns...)
	billsDue        = Bills.Only("ftin", "bill_control_number_key", "next_due")
	billsUnnamed    = Bills.Only("ftin", "bill_control_number", "patient_first_name", "patient_last_name")
	billKeys        = Bills.Only("ftin", "bill_control_number_key")
	billsPeople     = Bills.Only("ftin", "bill_control_number_key", "patient_name_key")
	// readEarlierBills are the columns needed to find out what changed about a bill.
	billsBefore = Bills.Only(slices.Concat(billsReconciled.Names(), namedColumns,
		[]string{"recommended_allowance", "repricing_method", "first_seen_at"})...)
)

// AreNamedAlike reports whether two bills have the same numbers and current fact.
func AreNamedAlike(a, b facts.Bill) bool { return billsNamed.IsSame(a, b) }

// AreSettledAlike reports whether two bills are equal in what depends on all of their facts.
func AreSettledAlike(a, b facts.Bill) bool { return billsReconciled.IsSame(a, b) }

// Submissions and payments describe the fact tables. Deriving uses all of their columns except
// the details.
var (
	Submissions = db.NewTable("submissions", slices.Concat(
		db.Within(func(s *facts.Submission) *facts.Bill { return &s.Reported }, reportedColumns),
		[]db.Column[facts.Submission]{
			db.Col("fact", func(s *facts.Submission) *string { return &s.Fact }).Key(),
			db.Col("version", func(s *facts.Submission) *string { return &s.Version }),
			db.Col("source", func(s *facts.Submission) *string { return &s.Source }),
			db.Col("written", func(s *facts.Submission) *string { return &s.Written }),
			db.Col("kind", func(s *facts.Submission) *string { return &s.Kind }),
			db.Col("repriced", func(s *facts.Submission) *string { return &s.Repriced }),
			db.Col("adjusted", func(s *facts.Submission) *string { return &s.Adjusted }),
			db.Col("original", func(s *facts.Submission) *string { return &s.Original }),
			db.Col("clearinghouse", func(s *facts.Submission) *string { return &s.Clearinghouse }),
			db.Col("bill_control_number_key", func(s *facts.Submission) *string { return &s.Bill }),
			db.Col("file_sha256", func(s *facts.Submission) *string { return &s.File }),
			db.Col("set_offset", func(s *facts.Submission) *int64 { return &s.Offset }),
			db.EncodedJSON("detail", func(s *facts.Submission) *facts.Detail { return &s.Detail }, (*facts.Submission).EncodedDetail),
		})...)
	submissionsConcluded = Submissions.Without("set_offset", "detail")
	submissionsPlaced    = Submissions.Only("ftin", "fact", "bill_control_number_key")

	Payments = db.NewTable("payments", slices.Concat(
		db.Within(func(p *facts.Payment) *facts.Bill {
			return &p.Reported
		}, slices.DeleteFunc(slices.Clone(reportedColumns), func(c db.Column[facts.Bill]) bool {
			return !slices.Contains(reportedByPayments, c.Name())
		})),
		[]db.Column[facts.Payment]{
			db.Col("fact", func(p *facts.Payment) *string { return &p.Fact }).Key(),
			db.Col("occurrence", func(p *facts.Payment) *int { return &p.Occurrence }).Key(),
			db.Col("slot", func(p *facts.Payment) *string { return &p.Slot }),
			db.JSON("told_with", func(p *facts.Payment) *[]string { return &p.ToldWith }),
			db.Col("source", func(p *facts.Payment) *string { return &p.Source }),
			db.Col("written", func(p *facts.Payment) *string { return &p.Written }),
			db.Col("payer", func(p *facts.Payment) *string { return &p.Payer }),
			db.Col("trace_number", func(p *facts.Payment) *string { return &p.TraceNumber }),
			db.Col("paid_date", func(p *facts.Payment) *date.Date { return &p.PaidDate }),
			db.Col("received_on", func(p *facts.Payment) *date.Date { return &p.ReceivedOn }),
			db.Col("filing", func(p *facts.Payment) *string { return &p.Filing }),
			db.Col("method", func(p *facts.Payment) *string { return &p.Method }),
			db.Col("patient_control_number", func(p *facts.Payment) *string { return &p.PatientControlNumber }),
			db.Col("payer_control_number", func(p *facts.Payment) *string { return &p.PayerControlNumber }),
			db.Col("former_number", func(p *facts.Payment) *string { return &p.FormerNumber }),
			db.Col("repriced", func(p *facts.Payment) *string { return &p.Repriced }),
			db.Col("claim_status", func(p *facts.Payment) *string { return &p.ClaimStatus }),
			db.Col("charge", func(p *facts.Payment) *int64 { return &p.Charge }),
			db.Col("paid", func(p *facts.Payment) *int64 { return &p.Paid }),
			db.Col("patient_responsibility", func(p *facts.Payment) *int64 { return &p.PatientResponsibility }),
			db.Col("reasons", func(p *facts.Payment) *string { return &p.Reasons }),
			db.Col("nature", func(p *facts.Payment) *facts.Nature { return &p.Nature }),
			db.Col("bill_control_number_key", func(p *facts.Payment) *string { return &p.Bill }),
			db.Col("file_sha256", func(p *facts.Payment) *string { return &p.File }),
			db.Col("set_offset", func(p *facts.Payment) *int64 { return &p.Offset }),
			db.Col("remittance", func(p *facts.Payment) *string { return &p.Remittance }),
			db.Col("payee_npi", func(p *facts.Payment) *string { return &p.PayeeNPI }),
			db.Col("duplicate", func(p *facts.Payment) *facts.DuplicateState { return &p.Duplicate }),
			db.Col("twin", func(p *facts.Payment) *string { return &p.Twin }),
			db.EncodedJSON("detail", func(p *facts.Payment) *facts.PaymentDetail { return &p.Detail }, (*facts.Payment).EncodedDetail),
		})...)
	paymentsConcluded = Payments.Without("detail")
	paymentsPlaced    = Payments.Only("ftin", "fact", "occurrence", "told_with", "bill_control_number_key")
	// paymentsCounted are the columns that checks are derived from and payments are matched by.
	paymentsCounted = Payments.Only("ftin", "fact", "occurrence", "slot", "told_with", "source", "written", "payer", "trace_number",
		"paid_date", "method",
		"patient_control_number", "payer_control_number", "former_number", "repriced", "patient_first_name", "patient_last_name",
		"begin_service_date",
		"payer_id", "payer_name", "charge", "paid", "nature", "remittance", "payee_npi", "duplicate", "twin", "bill_control_number_key")
	paymentsMarked = Payments.Only("ftin", "fact", "occurrence", "duplicate", "twin")
)

var links = db.NewTable("bill_links", db.Fields[facts.Link]("ftin", "link", "fact")...)

var changes = db.NewTable("bill_changes", db.Fields[facts.Change]()...)

// newChanges is the table without the id, which the database assigns.
var newChanges = changes.Without("id")

// LoadSubmissions reads the columns of submissions that deriving uses.
func LoadSubmissions(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) (map[facts.FactRef]facts.Submission, error) {
	list, err := submissionsConcluded.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	return byFact(list), err
}

// LoadWholeSubmissions reads submissions with their details.
func LoadWholeSubmissions(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) (map[facts.FactRef]facts.Submission, error) {
	list, err := Submissions.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	return byFact(list), err
}

func byFact(list []facts.Submission) map[facts.FactRef]facts.Submission {
	found := make(map[facts.FactRef]facts.Submission, len(list))
	for _, s := range list {
		found[s.Ref()] = s
	}
	return found
}

// LoadPayments reads payments with all of their occurrences, in the columns that deriving uses.
func LoadPayments(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) ([]facts.Payment, error) {
	return paymentsConcluded.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

// LoadWholePayments reads payments with all of their occurrences and details.
func LoadWholePayments(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) ([]facts.Payment, error) {
	return Payments.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

func toFactPairs(keys []facts.FactRef) [][]any {
	return toPairs(keys, func(k facts.FactRef) (string, string) { return k.FTIN, k.Fact })
}

// FindLinks finds the facts that have links.
func FindLinks(ctx context.Context, tx *sql.Tx, keys []facts.LinkRef) ([]facts.Link, error) {
	return links.SelectByKeys(ctx, tx, []string{"ftin", "link"}, toPairs(keys, func(k facts.LinkRef) (string, string) {
		return k.FTIN, k.Link
	}), "")
}

// LoadPlaces maps facts to the keys of the bills derived from them.
func LoadPlaces(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) (map[string]string, error) {
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

// FindFactsOfBills finds the facts from which stored bills were derived.
func FindFactsOfBills(ctx context.Context, tx *sql.Tx, keys []facts.BillRef) ([]facts.Link, error) {
	var found []facts.Link
	columns := []string{"ftin", "bill_control_number_key"}
	sent, err := submissionsPlaced.SelectByKeys(ctx, tx, columns, toBillPairs(keys), "")
	if err != nil {
		return nil, err
	}
	for _, s := range sent {
		found = append(found, facts.Link{FTIN: s.Reported.FTIN, Fact: s.Fact})
	}
	paid, err := paymentsPlaced.SelectByKeys(ctx, tx, columns, toBillPairs(keys), "")
	for _, p := range paid {
		found = append(found, facts.Link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
	}
	return found, err
}

// FindLinksByPrefix finds links by everything before their last part, including the separator.
func FindLinksByPrefix(ctx context.Context, tx *sql.Tx, keys []facts.LinkRef) (map[facts.LinkRef][]facts.Link, error) {
	ranges := make([][]any, len(keys))
	for i, k := range keys {
		ranges[i] = []any{k.FTIN, k.Link, k.Link + "~"}
	}
	list, err := links.SelectByKeys(ctx, tx, []string{"ftin", "link >=", "link <"}, ranges, "")
	found := map[facts.LinkRef][]facts.Link{}
	for _, l := range list {
		found[l.Prefix()] = append(found[l.Prefix()], l)
	}
	return found, err
}

var billsOfAccounts = Bills.Only("ftin", "fact", "patient_control_number", "begin_service_date", "end_service_date")

// FindByTruncatedAccounts finds submitted bills with an account number that equals a payment's or
// starts with it.
func FindByTruncatedAccounts(ctx context.Context, tx *sql.Tx, list []*facts.Payment) ([]facts.Bill, error) {
	account, known := accountColumn("t")
	return billsOfAccounts.SelectByKeys(ctx, tx, []string{"ftin", account + " >=", account + " <"}, truncatedRanges(list, ""),
		known+" AND t.source = '"+facts.SourceBill+"'")
}

// FindLinksByTruncatedAccounts finds submissions of bills that show another account number or other days.
func FindLinksByTruncatedAccounts(ctx context.Context, tx *sql.Tx, list []*facts.Payment) ([]facts.Link, error) {
	return links.SelectByKeys(ctx, tx, []string{"ftin", "link >=", "link <"}, truncatedRanges(list, facts.ByOther), "")
}

// truncatedRanges returns the TINs of payments with the ranges of account numbers that truncate to
// theirs, after a prefix.
func truncatedRanges(list []*facts.Payment, prefix string) [][]any {
	ranges := make([][]any, len(list))
	for i, p := range list {
		account := facts.StripAccount(facts.FoldOrEmpty(p.PatientControlNumber))
		beyond := "\x01" // not in any number, so only the number itself sorts before it
		if utf8.RuneCountInString(account) >= facts.MinTruncated {
			beyond = string(utf8.MaxRune)
		}
		ranges[i] = []any{p.Reported.FTIN, prefix + account, prefix + account + beyond}
	}
	return ranges
}

// PaymentRef identifies a payment within its TIN.
type PaymentRef struct {
	facts.FactRef
	Occurrence int
}

var (
	submissionsDetailed = Submissions.Only("ftin", "fact", "detail")
	paymentsDetailed    = Payments.Only("ftin", "fact", "occurrence", "detail")
)

// LoadSubmissionDetails reads the details of submissions.
func LoadSubmissionDetails(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) (map[facts.FactRef]facts.Detail, error) {
	list, err := submissionsDetailed.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	found := make(map[facts.FactRef]facts.Detail, len(list))
	for _, s := range list {
		found[s.Ref()] = s.Detail
	}
	return found, err
}

// LoadPaymentDetails reads the details of payments.
func LoadPaymentDetails(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) (map[PaymentRef]facts.PaymentDetail, error) {
	list, err := paymentsDetailed.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
	found := make(map[PaymentRef]facts.PaymentDetail, len(list))
	for _, p := range list {
		found[PaymentRef{p.Ref(), p.Occurrence}] = p.Detail
	}
	return found, err
}

// LoadCrowded reads the crowded links of TINs.
func LoadCrowded(ctx context.Context, tx *sql.Tx, tins []string) (map[facts.LinkRef]bool, error) {
	var rows []struct{ FTIN, Link string }
	found := map[facts.LinkRef]bool{}
	for chunk := range slices.Chunk(tins, 200) {
		if err := db.Select(ctx, tx, &rows, `SELECT ftin, link FROM crowded_links
			WHERE ftin IN (`+db.In(1, len(chunk))+`)`, db.Args(chunk)...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[facts.LinkRef{FTIN: r.FTIN, Link: r.Link}] = true
		}
	}
	return found, nil
}

// AddCrowded records that too many facts have a link.
func AddCrowded(ctx context.Context, tx *sql.Tx, k facts.LinkRef) error {
	return db.Run(ctx, tx, `INSERT INTO crowded_links (ftin, link) VALUES ($1, $2) ON CONFLICT (ftin, link) DO NOTHING`, k.FTIN, k.Link)
}

// AddSubmissions inserts submissions.
func AddSubmissions(ctx context.Context, tx *sql.Tx, rows []facts.Submission) error {
	return Submissions.Insert(ctx, tx, rows...)
}

// AddPayments inserts payments.
func AddPayments(ctx context.Context, tx *sql.Tx, rows []facts.Payment) error {
	return Payments.Insert(ctx, tx, rows...)
}

// AddLinks inserts the links that don't exist yet.
func AddLinks(ctx context.Context, tx *sql.Tx, rows []facts.Link) error {
	return links.InsertMissing(ctx, tx, rows...)
}

// PlaceSubmissions records the bills derived from submissions.
func PlaceSubmissions(ctx context.Context, tx *sql.Tx, rows []facts.Submission) error {
	return submissionsPlaced.UpdateAll(ctx, tx, rows...)
}

// PutSubmissions inserts or replaces submissions.
func PutSubmissions(ctx context.Context, tx *sql.Tx, rows []facts.Submission) error {
	return Submissions.Upsert(ctx, tx, rows...)
}

// PlacePayments records the bills derived from payments, and the other payments in their sets.
func PlacePayments(ctx context.Context, tx *sql.Tx, rows []facts.Payment) error {
	return paymentsPlaced.UpdateAll(ctx, tx, rows...)
}

// PutPayments inserts or replaces payments.
func PutPayments(ctx context.Context, tx *sql.Tx, rows []facts.Payment) error {
	return Payments.Upsert(ctx, tx, rows...)
}

// RemovePayment deletes a payment.
func RemovePayment(ctx context.Context, tx *sql.Tx, p facts.Payment) error {
	return db.Run(ctx, tx, `DELETE FROM payments WHERE ftin = $1 AND fact = $2
		AND occurrence = $3`, p.Reported.FTIN, p.Fact, p.Occurrence)
}

// RemoveLinks deletes the links of a payment.
func RemoveLinks(ctx context.Context, tx *sql.Tx, p facts.Payment) error {
	for _, t := range append(slices.Clone(p.Links().Links), p.Links().Truncated) {
		if _, err := db.Exec(ctx, tx, `DELETE FROM bill_links WHERE ftin = $1 AND link = $2
			AND fact = $3`, p.Reported.FTIN, t, p.Fact); err != nil {
			return err
		}
	}
	return nil
}

// LoadBillsBefore finds bills by number, with the columns that show what changed.
func LoadBillsBefore(ctx context.Context, tx *sql.Tx, keys []facts.BillRef) ([]facts.Bill, error) {
	return billsBefore.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

// LockBills locks bills until the end of the transaction.
func LockBills(ctx context.Context, tx *sql.Tx, keys []facts.BillRef, lock string) error {
	_, err := billKeys.LockByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "", lock)
	return err
}

// LoadBills finds bills by number, with all columns.
func LoadBills(ctx context.Context, tx *sql.Tx, keys []facts.BillRef) ([]facts.Bill, error) {
	return Bills.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

// FindSuffixed finds bills that would have these numbers if no other bill had them.
func FindSuffixed(ctx context.Context, tx *sql.Tx, keys []facts.BillRef) ([]facts.Bill, error) {
	return billsBefore.SelectByKeys(ctx, tx, []string{"ftin", "wanted_key"}, toBillPairs(keys), "t.wanted_key <> t.bill_control_number_key")
}

func toBillPairs(keys []facts.BillRef) [][]any {
	return toPairs(keys, func(k facts.BillRef) (string, string) { return k.FTIN, k.Key })
}

// RemoveBill deletes a bill.
func RemoveBill(ctx context.Context, tx *sql.Tx, k facts.BillRef) error {
	return db.Run(ctx, tx, `DELETE FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`, k.FTIN, k.Key)
}

// PutBills inserts or replaces bills by number.
func PutBills(ctx context.Context, tx *sql.Tx, rows []facts.Bill) error {
	return Bills.Upsert(ctx, tx, rows...)
}

// SettleBills writes the columns that depend on payments.
func SettleBills(ctx context.Context, tx *sql.Tx, rows []facts.Bill) error {
	return billsReconciled.UpdateAll(ctx, tx, rows...)
}

// InsertBills inserts bills.
func InsertBills(ctx context.Context, tx *sql.Tx, rows []facts.Bill) error {
	return Bills.Insert(ctx, tx, rows...)
}

// AddNumber stores a former number of a bill.
func AddNumber(ctx context.Context, tx *sql.Tx, k facts.BillRef, fact string) error {
	return db.Run(ctx, tx, `INSERT INTO bill_numbers (ftin, number_key, fact) VALUES ($1, $2, $3)
		ON CONFLICT (ftin, number_key, fact) DO NOTHING`,
		k.FTIN, k.Key, fact)
}

// FormerNumbers returns the keys of former numbers of facts.
func FormerNumbers(ctx context.Context, q db.Queryer, ftin string, ids []string) ([]string, error) {
	keys := make([]facts.FactRef, len(ids))
	for i, fact := range ids {
		keys[i] = facts.FactRef{FTIN: ftin, Fact: fact}
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
func ListChanges(ctx context.Context, q db.Queryer, b facts.Bill, limit int) ([]facts.Change, error) {
	return changes.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2 ORDER BY ftin, bill_control_number_key, id LIMIT $3`,
		b.FTIN, b.Key(), limit)
}

// SelectByNumbers returns the bills of a TIN with these numbers.
func SelectByNumbers(ctx context.Context, q db.Queryer, ftin string, keys []string) ([]facts.Bill, error) {
	pairs := make([]facts.BillRef, len(keys))
	for i, key := range keys {
		pairs[i] = facts.BillRef{FTIN: ftin, Key: key}
	}
	return Bills.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, toBillPairs(pairs), "")
}

// AddChanges inserts changes.
func AddChanges(ctx context.Context, tx *sql.Tx, rows []facts.Change) error {
	return newChanges.Insert(ctx, tx, rows...)
}

// GetLastChange returns the id of the last change, or 0.
func GetLastChange(ctx context.Context, q db.Queryer) (int64, error) {
	return db.One[int64](ctx, q, `SELECT coalesce(max(id), 0) FROM bill_changes`)
}

// ListChangesAfter returns changes to bills of a TIN, between two ids.
func ListChangesAfter(ctx context.Context, q db.Queryer, ftin string, id, newest int64, limit int) ([]facts.Change, error) {
	return changes.Select(ctx, q, `WHERE ftin = $1 AND id > $2 AND id <= $3 ORDER BY ftin, id LIMIT $4`, ftin, id, newest, limit)
}

// DeleteOldChanges deletes some changes before a timestamp, oldest first.
func DeleteOldChanges(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bill_changes WHERE at < $1
		AND id IN (SELECT id FROM bill_changes ORDER BY id LIMIT $2)`, before, db.BatchSize)
}

// Renumbering is a bill that gets another number.
type Renumbering struct {
	From facts.BillRef
	To   string
}

// MoveChanges moves a bill's changes to its new number. Bills can swap numbers, so all leave
// their numbers before any arrive.
func MoveChanges(ctx context.Context, tx *sql.Tx, list []Renumbering) error {
	const under = "\x1f"
	rename := func(tin, from, to string) error {
		return db.Run(ctx, tx, `UPDATE bill_changes SET bill_control_number_key = $3 WHERE ftin = $1
			AND bill_control_number_key = $2`, tin, from, to)
	}
	for _, m := range list {
		if err := rename(m.From.FTIN, m.From.Key, under+m.To); err != nil {
			return err
		}
	}
	for _, m := range list {
		if err := rename(m.From.FTIN, under+m.To, m.To); err != nil {
			return err
		}
	}
	return nil
}

// ListPapers returns the papers of a bill, current and previous.
func ListPapers(ctx context.Context, q db.Queryer, b facts.Bill) ([]facts.Paper, error) {
	return papers.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
}

// LoadPapers reads the papers of bills.
func LoadPapers(ctx context.Context, tx *sql.Tx, keys []facts.BillRef) ([]facts.Paper, error) {
	return papers.SelectByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, toBillPairs(keys), "")
}

// SelectKeysWithPaper returns the given keys of a TIN's bills that have papers of a kind.
func SelectKeysWithPaper(ctx context.Context, q db.Queryer, ftin, kind string, keys []string) (has map[string]bool, err error) {
	args := []any{ftin, kind}
	args = append(args, db.Args(keys)...)
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

// PutPapers inserts or replaces papers.
func PutPapers(ctx context.Context, tx *sql.Tx, rows []facts.Paper) error {
	return papers.Upsert(ctx, tx, rows...)
}

// RemovePaper deletes a paper.
func RemovePaper(ctx context.Context, tx *sql.Tx, p facts.Paper) error {
	return db.Run(ctx, tx, `
		DELETE FROM bill_documents WHERE ftin = $1 AND bill_control_number_key = $2 AND kind = $3
			AND sha256 = $4`, p.FTIN, p.Bill, p.Kind, p.SHA256)
}

// RemoveChanges deletes the changes of a bill.
func RemoveChanges(ctx context.Context, tx *sql.Tx, k facts.BillRef) error {
	return db.Run(ctx, tx, `DELETE FROM bill_changes WHERE ftin = $1 AND bill_control_number_key = $2`, k.FTIN, k.Key)
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
func GetDetail(ctx context.Context, q db.Queryer, b facts.Bill) (facts.Detail, error) {
	if b.Source == facts.SourcePayment {
		list, err := Payments.Select(ctx, q, `WHERE ftin = $1 AND fact = $2 ORDER BY occurrence`, b.FTIN, b.Fact)
		if err != nil || len(list) == 0 {
			return facts.Detail{}, err
		}
		return list[0].ToDetail(), nil
	}
	s, err := Submissions.Get(ctx, q, `WHERE ftin = $1 AND fact = $2`, b.FTIN, b.Fact)
	return s.Detail, err
}

// ListPayments returns the payments of a bill in payment order.
func ListPayments(ctx context.Context, q db.Queryer, b facts.Bill) ([]facts.Payment, error) {
	list, err := Payments.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Key())
	slices.SortFunc(list, func(a, b facts.Payment) int { return a.Compare(&b) })
	return list, err
}

// NextOpen returns the next TIN with bills that need follow-up. The condition must equal the one
// of the index bills_open exactly.
func NextOpen(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tin string
	err := db.Get(ctx, q, &tin, `SELECT ftin FROM bills WHERE ftin > $1 AND `+billstate.BareOpenSQL+` ORDER BY ftin
		LIMIT 1`, after)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return tin, err
}

// ListOpenAfter reads bills of a TIN that need follow-up, oldest service first.
func ListOpenAfter(ctx context.Context, tx *sql.Tx, after OpenPlace, limit int) ([]facts.Bill, error) {
	return Bills.Select(ctx, tx, `
		WHERE ftin = $1 AND `+billstate.BareOpenSQL+` AND COALESCE(begin_service_date, '0001-01-01') >= $2
			AND (COALESCE(begin_service_date, '0001-01-01') > $2 OR bill_control_number_key > $3)
		ORDER BY COALESCE(begin_service_date, '0001-01-01'), bill_control_number_key LIMIT $4`,
		after.FTIN, cmp.Or(after.Since, "0001-01-01"), after.Bill, limit)
}

// PutDue writes the next due dates of bills.
func PutDue(ctx context.Context, tx *sql.Tx, bills []facts.Bill) error {
	return billsDue.UpdateAll(ctx, tx, bills...)
}

// NoteRecount records that a due date of the TIN's bills changed.
func NoteRecount(ctx context.Context, tx *sql.Tx, ftin string) error {
	return db.Run(ctx, tx, `INSERT INTO due_recounts (ftin, recounts) VALUES ($1, 1) ON CONFLICT (ftin)
		DO UPDATE SET recounts = due_recounts.recounts + 1`, ftin)
}

// SelectPapers returns those of the SHA-256 hashes that are papers of a bill.
func SelectPapers(ctx context.Context, q db.Queryer, contents []string) ([]string, error) {
	return db.List[string](ctx, q, `SELECT DISTINCT sha256 FROM bill_documents
		WHERE sha256 IN (`+db.In(1, len(contents))+`)`, db.Args(contents)...)
}

var papers = db.NewTable("bill_documents", db.Fields[facts.Paper]("ftin", "bill_control_number_key", "kind", "sha256")...)

// OpenPlace is a position in the list of bills that need follow-up. The next bills come after
// it.
type OpenPlace struct {
	FTIN  string
	Since date.Date // first day of service; 0001-01-01 if unknown
	Bill  string    // key
}
