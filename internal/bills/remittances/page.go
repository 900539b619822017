package remittances

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/pdfdoc"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Page is everything known about one remittance. Amounts are in cents.
type Page struct {
	ledger.CheckRecord
	Summary             []Term
	Total               int64 // total of the terms
	Notes               []Note
	Bills               []Row
	ProviderAdjustments []Adjustment
	Original            OriginalStatus
	FileName            string       // the file it came in; empty if there were several, or it's unknown
	posted              PostedStatus // the group's posted status
}

// Term is one item of the payment summary: payments for bills, reversals, or provider-level
// adjustments for one reason.
type Term struct {
	Kind   string
	Reason string // for adjustments
	Amount int64  // its effect on the check; negative if withheld
}

const (
	termPaid     = "paid"
	termReversed = "reversed"
	termAdjusted = "adjusted"
)

// Note is a notice above the rest of the page.
type Note struct {
	Kind, Text string
	To         *facts.Remittance // the remittance it links to; usually nil
}

// The kinds of notes.
const (
	noteZero              = "zero"
	noteUnbalanced        = "off"
	noteAssembled         = "assembled"
	noteShared            = "shared"
	noteSplit             = "parts"
	noteUpdated           = "anew"
	noteNoAmount          = "noAmount"
	noteDuplicate         = "same"
	notePossibleDuplicate = "possible"
	notePartialDuplicate  = "partly"
)

// Row is the payment of one bill in a remittance.
type Row struct {
	facts.Payment
	facts.Codes
	Bill *facts.Bill // nil if unknown
	Part string      // for a reversal and its replacement: reversal, correction
}

// Adjustment is a provider-level adjustment.
type Adjustment struct {
	facts.ProviderAdjustment
	Bill *facts.Bill // the bill it names, if one has that number
}

// OriginalStatus is whether the original 835 of a remittance is available.
type OriginalStatus string

// Why it isn't.
const (
	OriginalAvailable OriginalStatus = "offered"
	OriginalShared    OriginalStatus = "shared"    // the set also pays others
	OriginalInParts   OriginalStatus = "parts"     // several sets contain it
	OriginalAssembled OriginalStatus = "assembled" // no set contains it
	OriginalDeleted   OriginalStatus = "gone"      // the file is deleted
)

// Page assembles the page of a sealed id. It audits the opening before it returns the page.
func (s *Service) Page(ctx context.Context, a access.Actor, sealed string) (Page, error) {
	id, err := s.openID(ctx, a, openRemittance, sealed)
	if err != nil {
		return Page{}, err
	}
	p, err := s.readPage(ctx, id)
	if err != nil {
		return p, err
	}
	if err := s.readMark(ctx, a, id, &p); err != nil {
		return p, err
	}
	return p, s.audit.RecordNow(ctx, p.openingEntry(openRemittance))
}

// openingEntry returns the audit entry for a remittance shown with its bills.
func (p *Page) openingEntry(operation audit.Operation) (e audit.Entry) {
	e = entry(operation, p.FTIN, p.TraceNumber, ok)
	for _, r := range p.Bills {
		e.Answered = append(e.Answered, r.number())
	}
	slices.Sort(e.Answered)
	e.Answered = slices.Compact(e.Answered)
	return e
}

// readPage reads the whole remittance in one snapshot.
func (s *Service) readPage(ctx context.Context, id ID) (p Page, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		p, err = readRemittance(ctx, tx, id)
		return err
	})
	return p, db.IfNotFound(err, errNoRemittance())
}

// originalStatus returns whether the original 835 is available.
func (p *Page) originalStatus(file ingest.ImportedFile) OriginalStatus {
	switch {
	case p.Payees == 0:
		return OriginalAssembled
	case p.Payees > 1:
		return OriginalShared
	case p.File == "":
		return OriginalInParts
	case !file.Kept:
		return OriginalDeleted
	default:
		return OriginalAvailable
	}
}

// readMark reads the posted status of the actor's group.
func (s *Service) readMark(ctx context.Context, a access.Actor, id ID, p *Page) error {
	found, err := getMarks(ctx, s.db.Reader, a.Acting().GroupID, id)
	if err != nil {
		return err
	}
	now := newContent(p.Amount, p.Paid, p.Adjusted, p.CheckRecord.Bills, p.Reversals)
	statuses, err := s.addPosters(ctx, a, found, map[ID]Content{id: now}, id)
	p.posted = statuses[0]
	return err
}

// addPosters adds the names of the users who set the posted statuses, one for each remittance in
// order.
func (s *Service) addPosters(
	ctx context.Context, a access.Actor, found map[ID]Mark, now map[ID]Content, ids ...ID,
) ([]PostedStatus, error) {
	statuses, names := make([]PostedStatus, len(ids)), s.posterNames(a)
	for i, id := range ids {
		mark, is := found[id]
		if !is {
			continue
		}
		name, err := names(ctx, mark.PostedBy)
		if err != nil {
			return statuses, err
		}
		statuses[i] = PostedStatus{&mark, name, mark.State(now[id])}
	}
	return statuses, nil
}

func readRemittance(ctx context.Context, tx *sql.Tx, id ID) (p Page, err error) {
	if p.CheckRecord, err = ledger.LoadCheckRecord(ctx, tx, id.FTIN, id.Remittance); err != nil {
		return p, err
	}
	var keys, references []string
	for _, payment := range p.Payments {
		if payment.Bill != "" {
			keys = append(keys, payment.Bill)
		}
	}
	slices.Sort(keys)
	list, err := store.SelectByNumbers(ctx, tx, id.FTIN, slices.Compact(keys))
	if err != nil {
		return p, err
	}
	named := map[string]*facts.Bill{}
	for i := range list {
		named[list[i].Key()] = &list[i]
	}
	for _, payment := range p.Payments {
		p.Bills = append(p.Bills, newRow(payment, named[payment.Bill]))
	}
	sortRows(p.Bills)
	for _, a := range p.Adjustments {
		references = append(references, a.Reference)
	}
	referred, err := ledger.FindReferenced(ctx, tx, id.FTIN, references)
	if err != nil {
		return p, err
	}
	for _, a := range p.Adjustments {
		adjustment := Adjustment{ProviderAdjustment: a}
		if b, is := referred[a.Reference]; is {
			adjustment.Bill = &b
		}
		p.ProviderAdjustments = append(p.ProviderAdjustments, adjustment)
	}
	slices.SortFunc(p.ProviderAdjustments, func(a, b Adjustment) int {
		return cmp.Or(strings.Compare(a.Reason, b.Reason), strings.Compare(a.Reference, b.Reference), cmp.Compare(a.Amount, b.Amount))
	})
	files, err := ingest.FindFiles(ctx, tx, []string{p.File})
	if err != nil {
		return p, err
	}
	p.FileName, p.Original = files[p.File].Name, p.originalStatus(files[p.File])
	p.Summary, p.Total = p.summarize()
	p.Notes = p.notes()
	return p, nil
}

// newRow collects the reasons for a payment.
func newRow(p facts.Payment, b *facts.Bill) Row {
	return Row{Payment: p, Bill: b, Codes: facts.CollectCodes(p)}
}

// jurisdiction returns the bill's jurisdiction, or empty if the bill is unknown.
func (r *Row) jurisdiction() string {
	if r.Bill == nil {
		return ""
	}
	return r.Bill.StateOfJurisdiction
}

// number returns the bill number, or the patient account number if the bill is unknown.
func (r *Row) number() string {
	if r.Bill != nil {
		return r.Bill.BillControlNumber
	}
	return r.PatientControlNumber
}

// allowance returns the network's allowance.
func (r *Row) allowance() *int64 {
	if r.Bill == nil {
		return nil
	}
	return r.Bill.RecommendedAllowance
}

func (r *Row) claimant() string {
	b := r.Reported
	if r.Bill != nil {
		b = *r.Bill
	}
	return strings.Join(strings.Fields(b.PatientFirstName+" "+b.PatientMiddleName+" "+b.PatientLastName), " ")
}

// sortRows sorts by claimant and bill. It marks reversals followed by their replacement.
func sortRows(rows []Row) {
	same := func(r *Row) string { return r.number() + "\x1f" + r.PatientControlNumber }
	reversal := func(r *Row) int {
		if r.IsReversal() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(
			strings.Compare(strings.ToLower(a.Reported.PatientLastName), strings.ToLower(b.Reported.PatientLastName)),
			strings.Compare(strings.ToLower(a.Reported.PatientFirstName), strings.ToLower(b.Reported.PatientFirstName)),
			strings.Compare(same(&a), same(&b)), reversal(&a)-reversal(&b))
	})
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && same(&rows[to]) == same(&rows[from]) {
			to++
		}
		if rows[from].IsReversal() && !rows[to-1].IsReversal() {
			for i := from; i < to; i++ {
				rows[i].Part = []string{"reversal", "correction"}[reversal(&rows[i])]
			}
		}
		from = to
	}
}

// summarize returns the payment summary: BPR02 = ΣCLP04 - ΣPLB. PLB amounts get the opposite
// sign, to show their effect on the check.
func (p *Page) summarize() (terms []Term, comesTo int64) {
	paid, reversed := Term{Kind: termPaid}, Term{Kind: termReversed}
	for _, r := range p.Bills {
		if r.Paid < 0 {
			reversed.Amount += r.Paid
		} else {
			paid.Amount += r.Paid
		}
	}
	if terms = []Term{paid}; reversed.Amount < 0 {
		terms = append(terms, reversed)
	}
	for _, b := range p.ProviderAdjustments { // in the order of their reasons
		if last := &terms[len(terms)-1]; last.Kind == termAdjusted && last.Reason == b.Reason {
			last.Amount -= b.Amount
		} else {
			terms = append(terms, Term{termAdjusted, b.Reason, -b.Amount})
		}
	}
	for _, t := range terms {
		comesTo += t.Amount
	}
	return terms, comesTo
}

func (p *Page) notes() (list []Note) {
	add := func(kind, text string) { list = append(list, Note{Kind: kind, Text: text}) }
	if n, is := p.duplicateNote(); is {
		list = append(list, n)
	}
	if p.Amount != nil && *p.Amount == 0 {
		add(noteZero, p.explainZero())
	}
	if p.Payees == 0 {
		add(noteAssembled, "This remittance is rebuilt from older payments. The check amount and provider-level adjustments aren't "+
			"available.")
	}
	if p.Payees > 1 {
		add(noteShared, "This payment covers several payees. Only the share of this Tax ID is shown.")
	}
	if p.Parts > 1 {
		add(noteSplit, "The payer sent this remittance in several parts. They're shown together.")
	}
	if p.Payees > 0 && !p.AmountKnown {
		add(noteNoAmount, "The payer's file doesn't give the amount of this payment (BPR02), so it can't be checked against the bills.")
	} else if p.Payees > 0 && !p.Balanced {
		text := "The payer's file doesn't balance. Amounts are shown as sent."
		if p.Off != 0 {
			text = "The payer's file is out of balance by $" + pdfdoc.Money(max(p.Off, -p.Off)) + ". Amounts are shown as sent."
		}
		add(noteUnbalanced, text)
	}
	switch n := len(p.Superseded); {
	case n == 1:
		add(noteUpdated, "The payer sent one payment again. Only the latest version is counted.")
	case n > 1:
		add(noteUpdated, "The payer sent some payments again. Only the latest versions are counted.")
	}
	return list
}

// undecidedStatuses are claim statuses for undecided claims; 4010 has them.
var undecidedStatuses = []string{"5", "10", "13", "15", "16", "17", "27"}

// duplicateNote returns a note if the check, or part of it, duplicates another one.
func (p *Page) duplicateNote() (n Note, is bool) {
	if p.Counts == nil {
		return n, false
	}
	n.To = p.Counts
	other := p.Counts.TraceNumber + " of " + p.Counts.PaidOn.US()
	switch p.Duplicate {
	case facts.SameCheck:
		n.Kind, n.Text = noteDuplicate, "Same check as "+other+", counted there."
		if slices.ContainsFunc(p.Bills, func(r Row) bool { return r.IsCounted() }) {
			n.Text += " Bills without a payment that are only in this file count here."
		}
	case facts.PossibleDuplicate:
		n.Kind, n.Text = notePossibleDuplicate, duplicateNames[p.Duplicate]+". Our staff will decide whether it's the same check."
	default:
		n.Kind, n.Text = notePartialDuplicate, "Some payments also came with check "+other+" and are counted there."
	}
	return n, true
}

// duplicateNames are the names of checks and payments that don't count.
var duplicateNames = map[facts.DuplicateState]string{
	facts.SameCheck: "Same check, counted once", facts.PossibleDuplicate: "Possible duplicate, not counted",
}

// explainZero explains why a check has the amount $0, if the file says so.
func (p *Page) explainZero() string {
	all := func(is func(Row) bool) bool {
		return len(p.Bills) > 0 && !slices.ContainsFunc(p.Bills, func(r Row) bool { return !is(r) })
	}
	switch {
	case all(func(r Row) bool { return r.Nature == facts.Denial || r.Nature == facts.Duplicate }):
		return "No payment. This remittance only reports denials."
	case len(p.Summary) > 1:
		return "No payment. Adjustments offset the full amount."
	case all(func(r Row) bool { return r.Nature == facts.Zero }):
		return "No payment. This payer owes nothing on these bills."
	case all(func(r Row) bool { return slices.Contains(undecidedStatuses, r.ClaimStatus) }):
		return "No payment. The payer hasn't decided on these bills yet."
	case all(func(r Row) bool { return r.ClaimStatus == "23" }):
		return "No payment. The payer forwarded these bills to another payer."
	case all(func(r Row) bool { return r.ClaimStatus == "25" }):
		return "No payment. This is only the payer's estimate."
	default:
		return "No payment with this remittance."
	}
}

// describeMethod describes the payment method.
func (p *Page) describeMethod() string {
	number := ""
	if p.TraceNumber != "" {
		number = " " + p.TraceNumber
	}
	switch p.Method {
	case "ACH":
		text := "ACH transfer, reassociation number" + number
		if p.EffectiveOn != "" {
			text = "Expected in your bank account on " + p.EffectiveOn.US() + " (ACH), reassociation number" + number
		}
		return text + "."
	case "FWT":
		return "Wire transfer" + number + "."
	case "NON":
		return "No payment, number" + number + "."
	}
	text := "Check" + number
	if p.Method != "CHK" {
		text = "Payment" + number
	}
	if p.PaidOn != "" {
		text += " of " + p.PaidOn.US()
	}
	return text + "."
}

// PostedStatus is a group's posted status of a remittance, with the name of the user who set it.
// Only the group sees it. It's empty if the group hasn't posted the remittance.
type PostedStatus struct {
	Mark  *Mark
	By    string
	State string // IsPosted and the other states
}

// Post sets or removes the posted status for the actor's group, which has posted the remittances
// to its books. If seen is given, it marks the content that the user saw. It returns the results
// in the order of the remittances, and changes none if one isn't in scope. It accepts 1 to
// maxPosted remittances.
func (s *Service) Post(ctx context.Context, a access.Actor, sealed, seen []string, posted bool) ([]PostedStatus, error) {
	var wrong validate.Fields
	wrong.Require(len(sealed) > 0 && len(sealed) <= maxPosted, "ids", fmt.Sprintf("Select 1 to %d remittances.", maxPosted))
	on, err := parseContents(seen)
	wrong.Require(err == nil && (len(seen) == 0 || len(seen) == len(sealed)), "seen", "Reload the remittances.")
	if err := wrong.Refuse("Nothing changed. Try again."); err != nil {
		return nil, err
	}
	operation := audit.Operation(postRemittance)
	if !posted {
		operation = unpostRemittance
	}
	ids := make([]ID, len(sealed))
	for i, one := range sealed {
		id, err := s.openID(ctx, a, operation, one)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	wanted := map[ID]Content{}
	for i, content := range on {
		wanted[ids[i]] = content
	}
	if a.Acting().GroupID == 0 {
		return nil, problem.New(problem.Forbidden)
	}
	// In a fixed order, so that two users who mark many don't deadlock.
	order := slices.Clone(ids)
	slices.SortFunc(order, func(x, y ID) int {
		return cmp.Or(cmp.Compare(x.FTIN, y.FTIN), cmp.Compare(x.Remittance, y.Remittance))
	})
	order = slices.Compact(order)
	var found map[ID]Mark
	contents := map[ID]Content{}
	if err := s.db.Tx(ctx, func(tx *sql.Tx) (err error) {
		for _, id := range order {
			if contents[id], err = s.setMark(ctx, tx, a, operation, id, wanted); err != nil {
				return err
			}
		}
		if err := s.db.ForceIndexScans(ctx, tx); err != nil {
			return err
		}
		found, err = getMarks(ctx, tx, a.Acting().GroupID, order...)
		return err
	}); err != nil {
		return nil, err
	}
	return s.addPosters(ctx, a, found, contents, ids...)
}

// setMark sets or removes one posted status, and returns the resulting content. An unchanged status
// isn't audited again.
func (s *Service) setMark(
	ctx context.Context, tx *sql.Tx, a access.Actor, operation audit.Operation, id ID, wanted map[ID]Content,
) (Content, error) {
	found, err := ledger.LoadCheckRecord(ctx, tx, id.FTIN, id.Remittance)
	if err != nil {
		return Content{}, db.IfNotFound(err, errNoRemittance())
	}
	now := newContent(found.Amount, found.Paid, found.Adjusted, found.Bills, found.Reversals)
	on, given := wanted[id]
	if !given {
		on = now
	}
	var changed bool
	e := entry(operation, id.FTIN, found.TraceNumber, ok)
	if groupID := a.Acting().GroupID; operation == postRemittance {
		e.Detail = money.Text(on.Amount) + ", " + text.FormatCount(int(on.Bills), "bill", "bills")
		changed, err = putMark(ctx, tx, groupID, id, Mark{a.Person.UserName, db.At(s.now()), on})
	} else {
		changed, err = removeMark(ctx, tx, groupID, id)
	}
	if err != nil || !changed {
		return now, err
	}
	return now, s.audit.Record(ctx, tx, e)
}

// text formats the content as a row returns it. Marking posts the content that the user saw.
func (c Content) text() string {
	return fmt.Sprintf("%d %d %d %d %d", c.Amount, c.Paid, c.Adjusted, c.Bills, c.Reversals)
}

func parseContents(seen []string) ([]Content, error) {
	list := make([]Content, len(seen))
	for i, one := range seen {
		c := &list[i]
		if _, err := fmt.Sscanf(one, "%d %d %d %d %d", &c.Amount, &c.Paid, &c.Adjusted, &c.Bills, &c.Reversals); err != nil {
			return nil, err
		}
	}
	return list, nil
}
