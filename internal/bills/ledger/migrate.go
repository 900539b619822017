package ledger

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/text"
)

// Older versions stored bills and payments without facts. The job makes facts of the stored rows
// and derives their groups. Each step is a transaction of its own, so interruptions lose no
// work. Until then, bills are shown as before.

// rowsPerStep is how many rows one step migrates.
const rowsPerStep = db.StepRows

// MigrationArgs are the arguments of the job that migrates old bills. New rules or keys make it
// a different job, which doesn't wait for the next hour.
type MigrationArgs struct {
	Rules int `json:"rules"`
	Keys  int `json:"keys"`
}

// nameKeys is the version of the claimant name keys.
const nameKeys = 1

// Kind returns the name of the job.
func (MigrationArgs) Kind() string { return "ledger-carry-over" }

// Module returns the ledger's module.
func (l *Ledger) Module() module.Module {
	return module.Module{Jobs: func(r *jobs.Runner) {
		jobs.Every(r, time.Hour, MigrationArgs{rules, nameKeys}, jobs.InParts(func(ctx context.Context, _ *river.Job[MigrationArgs]) error {
			if err := l.MigrateOldBills(ctx, nil); err != nil {
				return err
			}
			return l.PlacePayees(ctx)
		}))
	}, Cleanup: l.Cleanup, Retention: []retention.Item{
		retention.Forever("Bills, payments and remittances from files, and results derived from them", "submissions", "payments",
			"bill_links", "crowded_links", "bills", "bill_numbers",
			"bill_documents", "payment_joins", "check_decisions", "remittance_sets", "adjustments", "remittances", "payee_tins",
			"payee_facts", "payee_links", "payee_todo"),
		retention.For(l.keepDays, "WCPP_CHANGE_KEEP_DAYS", "Bill changes, the source of updates", "bill_changes"),
		retention.Until("after migration", "Payments from before the ledger", "earlier_payments").RemovedBy("job `ledger-carry-over`"),
	}}
}

// MigrateOldBills makes facts of all old bills and payments and derives them. It also derives
// bills again that older rules derived. It can be interrupted at any time and run concurrently.
// After each step it calls progress, if set, with the number of rows that are done.
func (l *Ledger) MigrateOldBills(ctx context.Context, progress func(rows int)) error {
	for _, step := range []func(context.Context, *sql.Tx) (int, error){l.migrateNames, l.migrateBills, l.migratePayments, l.readReasons,
		l.rederiveBills, l.rederiveChecks} {
		rows := 0
		if err := l.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
			if rows > 0 && progress != nil {
				progress(rows)
			}
			if err := l.db.Lock(ctx, tx, lockSpace, carryOverLock); err != nil {
				return 0, err
			}
			if err := l.db.ForceIndexScans(ctx, tx); err != nil {
				return 0, err
			}
			n, err := step(ctx, tx)
			rows += n
			return n, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// earlierBill is a bill as older versions stored it.
type earlierBill struct {
	Bill
	Number string
	Detail struct {
		Detail
		OriginalReference string `json:"originalReference"`
	}
	Paid bool // payments are on file
}

// fact returns the row as a submission. Its own number is one that differs from all the others.
// The row doesn't show if a table or an 837 brought the bill.
func (e earlierBill) fact() Submission {
	b := e.Bill
	s := Submission{
		Source: FromEarlier, Kind: b.BillType, Adjusted: b.BillingID, Original: e.Detail.OriginalReference, Bill: text.Key(e.Number),
		Reported: b, Detail: e.Detail.Detail,
	}
	if b.DocumentID != b.PatientControlNumber {
		s.Clearinghouse = b.DocumentID
	}
	if e.Number != b.PatientControlNumber && e.Number != b.DocumentID && e.Number != e.Detail.OriginalReference {
		s.Repriced = e.Number
	}
	t := &s.Reported
	t.BillControlNumber, t.Source, t.OpenState, t.Wanted, t.Anchor, t.Fact, t.ReplacedBy, t.FirstSeenAt = "", "", "", "", "", "", "",
		db.Instant{}
	if e.Paid || b.PaidAmount == nil {
		t.PaidAmount, t.PaidDate, t.CheckNumber = nil, "", ""
	}
	if b.BillStatus != StatusVoid && t.PaidAmount == nil {
		t.BillStatus = ""
	}
	s.Identify()
	return s
}

// migrateBills makes submissions of old bills.
func (l *Ledger) migrateBills(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := earlierBills(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	var facts []Submission
	var ties []link
	var sent, paid []Bill
	for _, e := range list {
		b := Bill{FTIN: e.FTIN, BillControlNumber: e.Number, Fact: carriedFact, Anchor: "~"}
		if e.Source != SourceBill {
			paid = append(paid, b)
			continue
		}
		s := e.fact()
		b.Fact, b.Anchor = s.Fact, s.Written+writtenFact+s.Fact
		sent, facts = append(sent, b), append(facts, s)
		for _, t := range s.factLinks().links {
			ties = append(ties, link{s.Reported.FTIN, t, s.Fact, false})
		}
	}
	if err := markCarried(ctx, tx, sent, paid); err != nil {
		return 0, err
	}
	if err := putSubmissions(ctx, tx, facts); err != nil {
		return 0, err
	}
	return len(list), addLinks(ctx, tx, ties)
}

// carriedFact replaces the fact of a bill that came only from payments.
const carriedFact = "-"

// earlierPayment is a payment as older versions stored it.
type earlierPayment struct {
	FTIN                  string
	TraceNumber           string
	PatientControlNumber  string
	PayerControlNumber    string
	Occurrence            int
	BillControlNumberKey  string
	ClaimStatus           string
	Charge                int64
	Paid                  int64
	PatientResponsibility int64
	PaidDate              date.Date
	Method                string
	PayerName             string
	PatientFirstNameKey   string
	PatientLastNameKey    string
	BeginServiceDate      date.Date
	Detail                PaymentDetail
	Made                  Bill // the bill it was shown with
}

// fact returns the row as a payment. Only the payer's name is known.
func (e earlierPayment) fact() Payment {
	p := Payment{
		Source: FromEarlier, Payer: text.Key(e.PayerName), TraceNumber: e.TraceNumber, PaidDate: e.PaidDate, Method: e.Method,
		PatientControlNumber: e.PatientControlNumber, PayerControlNumber: e.PayerControlNumber, ClaimStatus: e.ClaimStatus,
		Charge: e.Charge, Paid: e.Paid, PatientResponsibility: e.PatientResponsibility, Bill: e.BillControlNumberKey, Detail: e.Detail,
		Reported: Bill{
			FTIN: e.FTIN, BillType: "P", PatientFirstName: strings.ToUpper(e.PatientFirstNameKey),
			PatientLastName:  strings.ToUpper(e.PatientLastNameKey),
			BeginServiceDate: e.BeginServiceDate, EndServiceDate: e.BeginServiceDate, PayerName: e.PayerName,
		},
	}
	if m := e.Made; m.Source == SourcePayment {
		p.Reported = Bill{
			FTIN: e.FTIN, BillType: m.BillType, FrequencyCode: m.FrequencyCode,
			PatientFirstName: m.PatientFirstName, PatientMiddleName: m.PatientMiddleName, PatientLastName: m.PatientLastName,
			PhysicianFirstName: m.PhysicianFirstName, PhysicianMiddleName: m.PhysicianMiddleName, PhysicianLastName: m.PhysicianLastName,
			PhysicianNPI: m.PhysicianNPI, FacilityName: m.FacilityName, FacilityNPI: m.FacilityNPI,
			BeginServiceDate: m.BeginServiceDate, EndServiceDate: m.EndServiceDate, PayerID: m.PayerID, PayerName: m.PayerName,
		}
		if n := text.Key(m.BillControlNumber); n != text.Key(e.PayerControlNumber) && n != text.Key(e.PatientControlNumber) {
			p.Repriced = m.BillControlNumber
		}
	}
	p.Identify()
	p.Reasons = p.Detail.reasons()
	p.Fact = p.outline()
	p.Slot = p.Fact // nothing corrects a payment that is known only in outline
	return p
}

// outline identifies a payment by the fields that older versions stored. A full payment with the
// same outline replaces it.
func (p *Payment) outline() string {
	return hashParts("outline", text.Key(p.TraceNumber), string(p.PaidDate), text.Key(p.PatientControlNumber),
		text.Key(p.PayerControlNumber),
		p.ClaimStatus, formatAmount(p.Charge), formatAmount(p.Paid), formatAmount(p.PatientResponsibility),
		string(p.Reported.BeginServiceDate))
}

// migratePayments makes facts of old payments.
func (l *Ledger) migratePayments(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := earlierPayments(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	made, err := loadMadeBills(ctx, tx, list)
	if err != nil {
		return 0, err
	}
	facts := make([]Payment, len(list))
	keys := make([]factKey, len(list))
	for i, e := range list {
		e.Made = made[billKey{e.FTIN, e.BillControlNumberKey}]
		facts[i] = e.fact()
		keys[i] = factKey{e.FTIN, facts[i].Fact}
	}
	known, err := knownPayments(ctx, tx, slices.Compact(slices.SortedFunc(slices.Values(keys), factKey.compare)))
	if err != nil {
		return 0, err
	}
	occurrences := map[factKey]int{}
	for _, p := range known {
		occurrences[factKey{p.Reported.FTIN, p.Fact}]++
	}
	var ties []link
	for i := range facts {
		occurrences[keys[i]]++
		facts[i].Occurrence = occurrences[keys[i]]
		for _, t := range facts[i].factLinks().links {
			ties = append(ties, link{keys[i].ftin, t, keys[i].fact, true})
		}
		if err := removeEarlierPayment(ctx, tx, list[i]); err != nil {
			return 0, err
		}
	}
	if err := addPayments(ctx, tx, facts); err != nil {
		return 0, err
	}
	if err := addLinks(ctx, tx, ties); err != nil {
		return 0, err
	}
	tins, checks := map[string]bool{}, map[checkKey]bool{}
	for _, p := range facts {
		tins[p.Reported.FTIN] = true
		checks[p.check()] = true
	}
	w, err := l.begin(ctx, tx, tins)
	if err != nil {
		return 0, err
	}
	return len(list), l.deriveChecks(ctx, w, checks, nil)
}

// migrateNames adds the claimant name keys to old bills. Names change only while the TIN is
// locked, so rows are read again after locking.
func (l *Ledger) migrateNames(ctx context.Context, tx *sql.Tx) (int, error) {
	found, err := unnamed(ctx, tx)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	tins := make([]string, len(found))
	for i, b := range found {
		tins[i] = b.FTIN
	}
	if err := l.db.Lock(ctx, tx, lockSpace, lockStripes(slices.Compact(tins))...); err != nil {
		return 0, err
	}
	list, err := unnamed(ctx, tx)
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(list, func(b Bill) bool { return !slices.Contains(tins, b.FTIN) })
	return len(found), putNames(ctx, tx, list)
}

// readReasons sets the reasons of old payments.
func (l *Ledger) readReasons(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := unread(ctx, tx)
	for i := range list {
		list[i].Reasons = list[i].Detail.reasons()
	}
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return len(list), putReasons(ctx, tx, list)
}

// rederiveChecks derives checks again that other rules derived, and compares them with other
// checks of the same number.
func (l *Ledger) rederiveChecks(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := otherRulesOfChecks(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	tins, checks := map[string]bool{}, map[checkKey]bool{}
	for _, r := range list {
		tins[r.FTIN], checks[checkKey{r.FTIN, r.Remittance}] = true, true
	}
	w, err := l.begin(ctx, tx, tins)
	if err != nil {
		return 0, err
	}
	w.run = ingest.Run{Quiet: true}
	if err := l.deriveChecks(ctx, w, checks, nil); err != nil {
		return 0, err
	}
	return len(list), noteRules(ctx, tx, list)
}

// rederiveBills derives bills again that other rules derived, and migrated ones.
func (l *Ledger) rederiveBills(ctx context.Context, tx *sql.Tx) (int, error) {
	list, err := otherRules(ctx, tx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	tins := map[string]bool{}
	for _, b := range list {
		tins[b.FTIN] = true
	}
	w, err := l.begin(ctx, tx, tins)
	if err != nil {
		return 0, err
	}
	w.rewrite, w.run = true, ingest.Run{Quiet: true}
	var found []link
	for _, b := range list {
		if b.Fact != carriedFact {
			found = append(found, link{FTIN: b.FTIN, Fact: b.Fact, Payment: b.Source == SourcePayment})
			continue
		}
		paid, err := ListPayments(ctx, tx, b)
		if err != nil {
			return 0, err
		}
		if len(paid) == 0 { // no facts are left
			if err := removeBill(ctx, tx, billKey{b.FTIN, b.Key()}); err != nil {
				return 0, err
			}
		}
		for _, p := range paid {
			found = append(found, link{FTIN: b.FTIN, Fact: p.Fact, Payment: true})
		}
	}
	if err := w.loadFacts(ctx, found); err != nil {
		return 0, err
	}
	return len(list), w.derive(ctx)
}
