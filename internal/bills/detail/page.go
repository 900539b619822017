package detail

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/pdfdoc"
)

// maxOtherBills is how many other bills of the claim a page lists.
const maxOtherBills = 25

// Page assembles the page of a sealed id. It audits the opening before it returns the page.
func (s *Service) Page(ctx context.Context, a access.Actor, sealed string) (Page, error) {
	id, scope, err := s.records.OpenPage(ctx, a, record.OpenPage, sealed)
	if err != nil {
		return Page{}, err
	}
	p, err := s.readPage(ctx, a, scope, id)
	if err != nil {
		return Page{}, err
	}
	shown := record.Entry(record.OpenPage, p.Bill.FTIN, p.Bill.BillControlNumber, record.OK)
	for _, bills := range [][]record.Bill{p.SameClaim, p.relatedBills()} {
		for _, b := range bills {
			shown.Answered = append(shown.Answered, b.BillControlNumber)
			if !slices.Contains(shown.About, b.FTIN) {
				shown.About = append(shown.About, b.FTIN)
			}
		}
	}
	return p, s.audit.RecordNow(ctx, shown)
}

// readPage reads the whole page in one snapshot.
func (s *Service) readPage(ctx context.Context, a access.Actor, scope access.Scope, id record.PageID) (p Page, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		p, err = s.read(ctx, tx, scope, id)
		return err
	})
	if err != nil {
		return p, db.IfNotFound(err, record.ErrNoPage())
	}
	opened, err := s.listOpenings(ctx, a, append([]string{p.Bill.BillControlNumber}, p.Former...), p.Bill.FTIN)
	if err != nil {
		return p, err
	}
	p.History = sortEvents(append(p.History, opened...), s.now().Location())
	if p.Answer, err = s.answer(ctx, &p); err != nil {
		return p, err
	}
	payer, claim := p.payer()
	p.Contact, err = s.findContact(ctx, payer, claim)
	return p, err
}

func (s *Service) read(ctx context.Context, tx *sql.Tx, scope access.Scope, id record.PageID) (p Page, err error) {
	b, err := record.GetByKey(ctx, tx, scope, id.FTIN, id.Key)
	if err != nil {
		return p, err
	}
	p.Bill.Bill = b
	if p.Bill.Detail, err = store.GetDetail(ctx, tx, b); err != nil && !errors.Is(err, db.ErrNotFound) {
		return p, err
	}
	if err := p.readBillGroup(ctx, s.db, tx); err != nil {
		return p, err
	}
	if p.Papers, err = record.ListPapers(ctx, tx, &p.Bill.Bill); err != nil {
		return p, err
	}
	changes, err := record.ListChanges(ctx, tx, b)
	if err != nil {
		return p, err
	}
	if b.ClaimNumber != "" {
		if p.SameClaim, err = record.ListClaimBills(ctx, tx, scope, b.ClaimNumber, maxOtherBills+2); err != nil {
			return p, err
		}
		p.SameClaim = slices.DeleteFunc(p.SameClaim, func(o record.Bill) bool { return o.FTIN == b.FTIN && o.Key() == b.Key() })
		if p.MoreOfClaim = len(p.SameClaim) > maxOtherBills; p.MoreOfClaim {
			p.SameClaim = p.SameClaim[:maxOtherBills]
		}
	}
	p.describe(changes)
	unclear := slices.DeleteFunc(slices.Concat(p.SameClaim, p.relatedBills()), func(o record.Bill) bool { return !needsPayments(o) })
	if len(unclear) > 0 {
		p.others, err = Summarize(ctx, s.db, tx, s.records, unclear)
	}
	return p, err
}

// needsPayments reports whether a bill's state in words depends on its payments: on the patient responsibility,
// or on whether a reversal waits.
func needsPayments(b record.Bill) bool {
	if b.PaidAmount == nil {
		return false
	}
	if b.TakeBackOpen {
		return b.OpenState == billstate.Short || b.OpenState == billstate.Settled
	}
	return b.OpenState == billstate.Settled && b.RecommendedAllowance != nil && *b.PaidAmount < *b.RecommendedAllowance
}

// readBillGroup reads how the bill was derived, its payments, and the bills that it replaced or
// that replaced it.
func (p *Page) readBillGroup(ctx context.Context, d *db.DB, tx *sql.Tx) error {
	b := p.Bill.Bill
	paid, err := store.ListPayments(ctx, tx, b)
	if err != nil {
		return err
	}
	e, known, err := batch.LoadExplanation(ctx, d, tx, b)
	if err != nil {
		return err
	}
	p.Group = newBillGroup(e, known, paid)
	var sums []string
	for _, payment := range p.Group.Payments {
		if payment.File != "" || payment.Payment.File == "" || slices.Contains(sums, payment.Payment.File) {
			continue
		}
		sums = append(sums, payment.Payment.File)
	}
	for _, v := range p.Group.Versions {
		for _, sent := range v.Sent {
			if sent.File != "" && !slices.Contains(sums, sent.File) {
				sums = append(sums, sent.File)
			}
		}
	}
	files, err := ingest.FindFiles(ctx, tx, sums)
	if err != nil {
		return err
	}
	p.Group.files = files
	for i := range p.Group.Payments {
		p.Group.Payments[i].File = files[p.Group.Payments[i].Payment.File].Name
	}
	if p.Former, err = record.ListFormerNumbers(ctx, tx, b, e); err != nil {
		return err
	}
	keys := slices.Clone(e.Replaces)
	if b.ReplacedBy != "" {
		keys = append(keys, b.ReplacedBy)
	}
	linked, err := store.SelectByNumbers(ctx, tx, b.FTIN, keys)
	if err != nil {
		return err
	}
	for _, o := range linked {
		switch o.Key() {
		case b.Key():
		case b.ReplacedBy:
			p.ReplacedBy = &o
		default:
			p.Replaces = append(p.Replaces, o)
		}
	}
	return nil
}

// newBillGroup returns the role of each payment for a bill.
func newBillGroup(e derive.Explanation, known bool, paid []facts.Payment) billGroup {
	f := billGroup{Known: known, Versions: e.Versions, Ambiguous: e.Derived.Ambiguous,
		PatientResponsibility: e.Derived.PatientResponsibility}
	if !known { // an old bill; the roles aren't known
		for _, payment := range paid {
			if !payment.IsCounted() {
				f.Payments = append(f.Payments, billPayment{Payment: payment, Role: derive.RoleUncounted})
				continue
			}
			f.Payments = append(f.Payments, billPayment{Payment: payment})
			f.PatientResponsibility = payment.PatientResponsibility
		}
		return f
	}
	details := map[facts.FactID]facts.Payment{}
	for _, payment := range paid {
		details[facts.FactID{Fact: payment.Fact, Occurrence: payment.Occurrence}] = payment
	}
	for _, x := range e.Payments {
		payment := billPayment{Payment: *x.Payment, Role: x.Role, With: x.With, Explains: x.Explains, Pending: x.Pending}
		if whole, is := details[facts.FactID{Fact: x.Fact, Occurrence: x.Occurrence}]; is {
			payment.Payment = whole
		}
		f.Payments = append(f.Payments, payment)
	}
	return f
}

// describe derives the page's statements from the data.
func (p *Page) describe(changes []facts.Change) {
	p.deriveState()
	p.SameClaim = slices.DeleteFunc(p.SameClaim, func(b record.Bill) bool { // the page lists these with the versions
		return slices.ContainsFunc(p.relatedBills(), func(o record.Bill) bool { return b.FTIN == o.FTIN && b.Key() == o.Key() })
	})
	p.Banners = p.banners()
	p.History = p.history(changes)
}

// deriveState derives the state of the bill, the decisions and the difference.
func (p *Page) deriveState() {
	p.counted = p.countedPayments()
	counted := make([]facts.Payment, len(p.counted))
	for i, c := range p.counted {
		counted[i] = c.Payment
	}
	p.Decided = combineDecisions(p.Bill, counted)
	if slices.ContainsFunc(p.counted, func(c billPayment) bool { return c.Role == derive.RoleReduced }) {
		for i := range p.Decided.Lines {
			p.Decided.Lines[i].Paid = nil // which lines were reduced isn't known
		}
		for i := range p.Decided.Apart {
			p.Decided.Apart[i].Paid = nil
		}
	}
	p.ReversalCodes = facts.CollectCodes(p.reversals()...)
	p.Difference = p.Bill.Difference()
	if !p.Bill.ReversalOpen() {
		for i := range p.Decided.Lines {
			l := &p.Decided.Lines[i]
			l.Difference = subtractPaid(l.Allowance, l.Paid)
		}
	}
	p.State = p.describeState()
}

func subtractPaid(allowance, paid *int64) *int64 {
	if allowance == nil || paid == nil {
		return nil
	}
	d := *allowance - *paid
	return &d
}

// countedPayments returns the payments with amounts and reasons that the bill shows: those that
// explain it, except reversals. For an old bill without any, it returns all payments.
func (p *Page) countedPayments() []billPayment {
	var list []billPayment
	for _, payment := range p.Group.Payments {
		if payment.Explains && !payment.IsReversal() || !p.Group.Known && payment.IsCounted() && payment.Paid >= 0 && !p.isFullyReversed() {
			list = append(list, payment)
		}
	}
	return list
}

// reversals returns the reversals that explain a bill with everything reversed.
func (p *Page) reversals() (list []facts.Payment) {
	for _, payment := range p.Group.Payments {
		if payment.Explains && payment.IsReversal() {
			list = append(list, payment.Payment)
		}
	}
	return list
}

func (p *Page) isFullyReversed() bool {
	return slices.ContainsFunc(p.Group.Payments, func(payment billPayment) bool { return payment.IsCounted() && payment.Paid < 0 })
}

// describeState describes the state of the bill.
func (p *Page) describeState() State {
	b := p.Bill.Bill
	switch b.DisplayState() {
	case billstate.Void:
		if p.ReplacedBy != nil {
			return State{toneNeutral, "Replaced by " + p.ReplacedBy.BillControlNumber}
		}
		return State{toneNeutral, "Void"}
	case billstate.Denied:
		return State{toneBad, "Denied"}
	case billstate.Reversed:
		return State{toneWarning, "Payment reversed by the payer"}
	case billstate.PaymentOnly:
		return State{toneNeutral, "Paid $0"}
	case billstate.RepricedOnly:
		return State{toneInfo, p.describePrice() + ", reviewed and paid by another party"}
	case billstate.Priced:
		return State{toneInfo, p.describePrice() + ", no payment on file"}
	case billstate.Received:
		if b.RepricingMethod == methodNotCovered {
			return State{toneNeutral, "Priced at zero, not covered"}
		}
		return State{toneNeutral, "Received, not repriced"}
	}
	if b.PaidAmount == nil {
		return State{toneNeutral, cmp.Or(record.StatusNames[b.BillStatus], "Received")}
	}
	if b.TakeBackOpen {
		reversal := ", reversal pending"
		if p.listWaiting() == nil {
			reversal = " after a partial reversal"
		}
		return State{toneWarning, "Paid $" + pdfdoc.Money(*b.PaidAmount) + reversal}
	}
	return describePaid(*b.PaidAmount, b.RecommendedAllowance, p.Group.PatientResponsibility)
}

func (p *Page) describePrice() string {
	if on := pricedOn(p.currentVersion()); on != "" {
		return "Repriced by the network on " + on.US()
	}
	return "Repriced by the network"
}

// describePaid compares the payment with the network's allowance.
func describePaid(paid int64, allowance *int64, patientResponsibility int64) State {
	if allowance == nil {
		if paid == 0 {
			return State{toneNeutral, "No payment due from the payer"}
		}
		return State{toneGood, "Paid $" + pdfdoc.Money(paid)}
	}
	switch short := *allowance - paid; {
	case short == 0:
		return State{toneGood, "Paid in full at the network allowance"}
	case short < 0:
		return State{toneGood, "Paid $" + pdfdoc.Money(-short) + " above the network allowance"}
	case patientResponsibility >= short:
		return State{toneGood, "Paid $" + pdfdoc.Money(short) + " below the network allowance, which is the patient responsibility"}
	default:
		return State{toneWarning, "Paid $" + pdfdoc.Money(short) + " below the network allowance"}
	}
}

// Kinds of banners.
const (
	bannerPayment  = "payment-only"
	bannerReplaced = "replaced"
	bannerWaiting  = "waiting"
	bannerSecond   = "second"
)

func (p *Page) banners() []Banner {
	var list []Banner
	b := p.Bill.Bill
	if b.Source == facts.SourcePayment {
		text := "We have a payment for this bill but not the bill itself."
		if p.Group.Ambiguous > 0 {
			text = "This payment matches more than one bill, so it's shown separately."
		}
		list = append(list, Banner{Kind: bannerPayment, Text: text})
	}
	if b.OpenState == billstate.Void && p.ReplacedBy != nil {
		list = append(list, Banner{bannerReplaced, "This bill was replaced by bill " + p.ReplacedBy.BillControlNumber + ".", p.ReplacedBy})
	}
	if waiting := p.listWaiting(); len(waiting) == 1 {
		text := "A reversal is waiting for its original payment. It isn't included in totals."
		if of := waiting[0]; of.Role != derive.RoleWaiting {
			text = "$" + pdfdoc.Money(of.Pending) + " of a reversal is waiting for its original payment. It isn't included in totals."
		}
		list = append(list, Banner{Kind: bannerWaiting, Text: text})
	} else if len(waiting) > 1 {
		list = append(list, Banner{Kind: bannerWaiting,
			Text: "Some reversals are waiting for their original payments. They aren't included in totals."})
	}
	return list
}

// listWaiting returns the reversals that wait, or part of them.
func (p *Page) listWaiting() (list []billPayment) {
	for _, payment := range p.Group.Payments {
		if payment.Pending != 0 {
			list = append(list, payment)
		}
	}
	return list
}
