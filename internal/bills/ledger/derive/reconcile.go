package derive

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
)

// reconcile derives the paid amount, the status and the open state of a bill from its payments.
func (b *bill) reconcile(shown *facts.Bill, out *DerivedBill) {
	b.matchReversals()
	void := shown.BillStatus == facts.StatusVoid || b.Replaced != nil
	s := newNetPayments(b)
	s.patientResponsibility = b.patientResponsibility(shown.BillCharges)
	shown.Reasons = b.formatReasons(s)
	out.HasReversal, out.WaitingReversals, out.PatientResponsibility = s.hasReversal, s.waiting, s.patientResponsibility
	shown.EOR = shown.EOR || slices.ContainsFunc(b.payments, func(p *payment) bool { return p.IsCounted() })
	switch {
	case s.isKnown():
		shown.Filing = cmp.Or(shown.Filing, s.last().Filing)
		shown.PaidAmount = &s.paid
		last := s.last()
		shown.PaidDate, shown.CheckNumber = last.PaidDate, last.TraceNumber
		shown.BillStatus = s.status()
	case shown.BillStatus != "":
		dropUnpaid(shown)
	case shown.RecommendedAllowance != nil:
		shown.BillStatus = facts.StatusPriced
	default:
		shown.BillStatus = facts.StatusReceived
	}
	if void {
		shown.BillStatus = facts.StatusVoid
	}
	shown.OpenState, shown.TakeBackOpen = openState(*shown, s), s.open
}

// matchReversals finds the payments that each reversal reverses. That's an earlier one, or all earlier
// ones together, or one of its own check. Otherwise, a reversal of money reduces the latest payment,
// or waits for the payment it reverses.
func (b *bill) matchReversals() {
	var leftOver []*payment
	for _, p := range b.payments {
		switch {
		case !p.IsReversal() || !p.IsCounted():
		case !p.reverse(b.findEarlier(p)):
			leftOver = append(leftOver, p)
		}
	}
	for _, p := range leftOver {
		switch {
		case p.reverses != nil: // together with another one of its check
		case b.reverseGroup(p, leftOver):
		case p.reverse(b.findInCheck(p)):
		default:
			b.reduceLatest(p)
		}
	}
	b.limitReductions()
}

// reverse cancels the payment that a reversal reverses, if there is one.
func (p *payment) reverse(m *payment) bool {
	if m == nil {
		return false
	}
	m.canceled, p.reverses = true, m
	return true
}

// reduceLatest reduces the latest payment of a reversal's group. If there is none, or if the
// reversal's own check pays the claim, the reversed payment is unknown, so the reversal waits.
func (b *bill) reduceLatest(p *payment) {
	if p.Nature != facts.Reversal {
		return
	}
	var latest *payment
	sameCheck := false
	for _, m := range b.payments {
		if m.Nature != facts.Money || !m.IsCounted() || m.group != p.group {
			continue
		}
		sameCheck = sameCheck || m.isSameCheck(p)
		if !m.isAfter(p) && !m.canceled {
			latest = m
		}
	}
	if sameCheck || latest == nil {
		p.waits = true
		return
	}
	latest.reduced -= p.Paid
	p.reverses = latest
}

// limitReductions limits the reversals of a group to its payments. The excess waits for a payment that isn't on
// file. Without a later payment, all payments are reversed.
func (b *bill) limitReductions() {
	last, left := map[*matching.PaymentGroup]*payment{}, map[*matching.PaymentGroup]int64{}
	for _, p := range b.payments {
		switch {
		case p.IsReversal() && p.reverses != nil && p.reverses.reduced != 0:
			last[p.group] = p
			left[p.group] += p.Paid
			p.excess = max(0, min(-p.Paid, -left[p.group]))
		case p.isInForce():
			left[p.group] += p.Paid
		}
	}
	b.limitExcess(left)
	for group, reversal := range last {
		if left[group] > 0 {
			continue
		}
		reversal.reverses.reduced += left[group]
		isOfGroup := func(p *payment) bool { return p.isInForce() && p.group == group }
		if slices.ContainsFunc(b.payments, func(p *payment) bool { return isOfGroup(p) && p.isAfter(reversal) }) {
			continue
		}
		for _, p := range b.payments {
			if isOfGroup(p) {
				p.canceled, p.reduced, p.reversedBy = true, 0, reversal
			}
		}
	}
}

// limitExcess reduces the excess of each group's reversals to what remains after its later payments. The
// first reversals wait.
func (b *bill) limitExcess(left map[*matching.PaymentGroup]int64) {
	left = maps.Clone(left)
	for _, p := range b.payments {
		if p.excess != 0 {
			p.excess = max(0, min(p.excess, -left[p.group]))
			left[p.group] += p.excess
		}
	}
}

// isInForce reports whether a payment is money that no reversal canceled.
func (p *payment) isInForce() bool { return p.Nature == facts.Money && p.IsCounted() && !p.canceled }

// reverseGroup cancels all earlier payments of a reversal's group if nothing remains of them: one
// reversal reverses several payments, or several reversals one. The reversals of a check count
// together. It reports whether it did.
func (b *bill) reverseGroup(p *payment, leftOver []*payment) bool {
	if p.Nature != facts.Reversal {
		return false
	}
	var reversals []*payment
	var total int64
	for _, r := range leftOver {
		if r.Nature == facts.Reversal && r.group == p.group && r.isSameCheck(p) && r.reverses == nil {
			reversals = append(reversals, r)
			total += r.Paid
		}
	}
	isEarlier := func(m *payment) bool { return m.isBefore(p) }
	isElsewhere := func(m *payment) bool { return !m.isAfter(p) && !m.isSameCheck(p) }
	for _, counts := range []func(*payment) bool{isEarlier, isElsewhere} {
		var reversed []*payment
		left := total
		for _, m := range b.payments {
			if m.Nature == facts.Money && m.IsCounted() && m.group == p.group && !m.canceled && counts(m) {
				reversed = append(reversed, m)
				left += m.Paid - m.reduced
			}
		}
		if left != 0 || reversed == nil {
			continue
		}
		for _, m := range reversed {
			m.canceled, m.reduced, m.reversedBy = true, 0, p
		}
		for _, r := range reversals {
			r.reverses = reversed[len(reversed)-1]
		}
		return true
	}
	return false
}

func (p *payment) isSameCheck(other *payment) bool {
	return p.TraceNumber == other.TraceNumber && p.Payer == other.Payer && p.PaidDate == other.PaidDate
}

// isBefore reports whether a payment was made before a reversal. A reversal without a date comes after
// all payments with one.
func (p *payment) isBefore(reversal *payment) bool {
	return p.PaidDate < reversal.PaidDate || reversal.PaidDate == "" && p.PaidDate != ""
}

func (p *payment) isAfter(reversal *payment) bool {
	return p.PaidDate != reversal.PaidDate && !p.isBefore(reversal)
}

// findEarlier finds the latest payment of a reversal's group and amount in another check,
// preferably of an earlier day.
func (b *bill) findEarlier(p *payment) *payment {
	var earlier, sameDay *payment
	for _, m := range b.payments {
		switch {
		case !p.canReverse(m) || m.isSameCheck(p):
		case m.isBefore(p):
			earlier = m
		case !m.isAfter(p):
			sameDay = m
		}
	}
	return cmp.Or(earlier, sameDay)
}

// findInCheck finds the payment that a reversal reverses in its own check. If the check has no more
// payments of the group than reversals, each corrects a payment of another check, which can be
// unknown, even to the same amount.
func (b *bill) findInCheck(p *payment) (found *payment) {
	more := 0
	for _, m := range b.payments {
		switch {
		case !m.IsCounted() || m.group != p.group || !m.isSameCheck(p):
		case m.IsReversal():
			if m.reverses == nil || !m.reverses.isSameCheck(m) {
				more--
			}
		case m.Nature == facts.Notice || m.canceled:
		default:
			more++
			if p.canReverse(m) && m.reduced == 0 {
				found = m
			}
		}
	}
	if more <= 0 {
		return nil
	}
	return found
}

// canReverse reports whether a reversal fits a payment, regardless of their dates.
func (p *payment) canReverse(m *payment) bool {
	fits := m.Nature == facts.Money && m.Paid == -p.Paid
	if p.Nature == facts.ZeroReversal {
		fits = m.Nature == facts.Denial || m.Nature == facts.Duplicate || m.Nature == facts.Zero
	}
	return fits && m.IsCounted() && m.group == p.group && !m.canceled
}

// netPayments is what remains of a bill's payments after all reversals. Each is the last of its
// nature.
type netPayments struct {
	money, denial, zero, duplicate, reversal *payment
	paid                                     int64
	hasReversal                              bool
	open                                     bool // a reversal is waiting, or it reversed part of the payments in force
	waiting                                  int
	patientResponsibility                    int64
}

func newNetPayments(b *bill) netPayments {
	var s netPayments
	for _, p := range b.payments {
		switch {
		case !p.IsCounted():
		case p.IsReversal():
			s.reversal, s.hasReversal = p, true
			if p.waits || p.excess != 0 {
				s.waiting++
				s.open = true
			}
		case p.canceled:
		case p.Nature == facts.Money:
			s.money = p
			s.paid += p.Paid - p.reduced
			s.open = s.open || p.reduced != 0
		case p.Nature == facts.Denial:
			s.denial = p
		case p.Nature == facts.Zero:
			s.zero = p
		case p.Nature == facts.Duplicate:
			s.duplicate = p
		}
	}
	return s
}

// patientResponsibility returns the patient responsibility, in cents, of all payments in force.
// Each CLP of a split claim (remark MA15) has its own, and they add up while their charges fit
// in the bill's charge. A payment beyond that covers charges that were paid before. It may be a
// second payer's, or a repeat. It then replaces the earlier payment.
func (b *bill) patientResponsibility(charge int64) int64 {
	var answers []*payment
	var answered int64
	for _, p := range b.payments {
		if p.canceled || !p.IsCounted() || p.Nature != facts.Money && p.Nature != facts.Zero {
			continue
		}
		if answered+facts.Magnitude(p.Charge) > charge {
			answers = p.dropReplaced(answers)
			answered = 0
			for _, a := range answers {
				answered += facts.Magnitude(a.Charge)
			}
		}
		answers = append(answers, p)
		answered += facts.Magnitude(p.Charge)
	}
	var sum int64
	for _, p := range answers {
		sum += p.PatientResponsibility
	}
	for _, p := range b.payments {
		if p.IsReversal() && p.IsCounted() && p.reverses != nil && !p.reverses.canceled {
			sum += min(0, p.PatientResponsibility)
		}
	}
	return sum
}

// dropReplaced removes from earlier answers the one that the payment replaces. It has the same
// charge, preferably from another payer. If none has that charge, all are removed.
func (p *payment) dropReplaced(answers []*payment) []*payment {
	same := func(a *payment) bool { return facts.Magnitude(a.Charge) == facts.Magnitude(p.Charge) }
	i := slices.IndexFunc(answers, func(a *payment) bool { return same(a) && a.Payer != p.Payer })
	if i < 0 {
		i = slices.IndexFunc(answers, same)
	}
	if i < 0 {
		return nil
	}
	return slices.Delete(answers, i, i+1)
}

// shows reports whether a bill shows the amounts of a payment: all payments in force, or else
// those of the check that the bill names.
func (s netPayments) shows(p *payment) bool {
	last := s.last()
	return last != nil && !p.canceled && p.IsCounted() && !p.IsReversal() && p.Nature == last.Nature &&
		(p.Nature == facts.Money || p.isSameCheck(last))
}

// explains reports whether a payment gives the reason for the bill's status: it's shown, or it's
// the reversal of everything that was paid. Everything that lists a bill's reasons uses it.
func (s netPayments) explains(p *payment) bool {
	if last := s.last(); last != nil && last.IsReversal() {
		return p.IsReversal() && p.IsCounted()
	}
	return s.shows(p)
}

// formatReasons returns the codes of the payments that explain a bill.
func (b *bill) formatReasons(s netPayments) string {
	var codes []string
	for _, p := range b.payments {
		if s.explains(p) {
			codes = append(codes, strings.Fields(p.Reasons)...)
		}
	}
	return facts.JoinWords(codes)
}

func (s netPayments) isKnown() bool { return s.last() != nil }

// last returns the payment with the date and check that a bill shows.
func (s netPayments) last() *payment {
	for _, p := range []*payment{s.money, s.denial, s.zero} {
		if p != nil {
			return p
		}
	}
	if s.reversal != nil {
		return s.reversal
	}
	return s.duplicate
}

func (s netPayments) status() string {
	switch {
	case s.money != nil && s.hasReversal:
		return facts.StatusPaidCorrected
	case s.money != nil:
		return facts.StatusPaid
	case s.denial != nil:
		return facts.StatusDenied
	case s.zero != nil:
		return facts.StatusPaid
	case s.hasReversal:
		return facts.StatusPaidCorrected
	default:
		return facts.StatusDenied
	}
}

// openState returns the first state that applies.
func openState(b facts.Bill, s netPayments) billstate.State {
	finished := s.money != nil || s.zero != nil
	switch {
	case b.BillStatus == facts.StatusVoid:
		return billstate.Void
	case b.PricingSheet:
		return billstate.RepricedOnly
	case b.Source == facts.SourcePayment && s.money == nil:
		return billstate.PaymentOnly
	case b.BillStatus == facts.StatusDenied:
		return billstate.Denied
	case s.hasReversal && s.money == nil && s.zero == nil:
		return billstate.Reversed
	case b.Source == facts.SourceBill && !s.isKnown() && (b.PaidAmount != nil || isPaid(b)):
		return reportedState(b)
	case s.money != nil && b.RecommendedAllowance != nil && s.paid+s.patientResponsibility < *b.RecommendedAllowance:
		return billstate.Short
	case s.money != nil && s.hasReversal && s.paid == 0:
		return billstate.Reversed
	case finished:
		return billstate.Settled
	case b.RecommendedAllowance != nil:
		return billstate.Priced
	default:
		return billstate.Received
	}
}

// dropUnpaid removes the paid amount of a table row that isn't a payment: $0 of a received or priced bill.
func dropUnpaid(b *facts.Bill) {
	isOpen := b.BillStatus == facts.StatusReceived || b.BillStatus == facts.StatusPriced
	if isOpen && b.PaidAmount != nil && *b.PaidAmount == 0 {
		b.PaidAmount = nil
	}
}

func isPaid(b facts.Bill) bool {
	return b.BillStatus == facts.StatusPaid || b.BillStatus == facts.StatusPaidCorrected
}

// reportedState returns the open state of a bill whose payment only a table row reports. With an unknown
// amount, it can't be short.
func reportedState(b facts.Bill) billstate.State {
	switch {
	case b.PaidAmount == nil:
		return billstate.Settled
	case b.BillStatus == facts.StatusPaidCorrected && *b.PaidAmount == 0:
		return billstate.Reversed
	case b.RecommendedAllowance != nil && *b.PaidAmount < *b.RecommendedAllowance:
		return billstate.Short
	default:
		return billstate.Settled
	}
}
