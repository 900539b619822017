package derive

import (
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
)

// Remittance derives a check from everything known about it, and returns false without
// any facts. Replaced payments and adjustments don't count.
func Remittance(sets []facts.RemittanceSet, payments []*facts.Payment, adjustments []facts.ProviderAdjustment) (facts.Remittance, bool) {
	if len(sets)+len(payments) == 0 {
		return facts.Remittance{}, false
	}
	c := matching.SelectCounted(sets, payments, adjustments)
	var out facts.Remittance
	bills := map[string]bool{}
	for _, p := range c.Payments {
		out.Paid += p.Paid
		if p.IsReversal() {
			out.Reversals++
		}
		bills[p.ClaimKey()] = true
	}
	out.Bills = len(bills)
	if len(sets) == 0 {
		last := slices.MaxFunc(payments, (*facts.Payment).Compare)
		out.FTIN, out.Remittance, out.TraceNumber, out.Payer = last.Reported.FTIN, last.Remittance, last.TraceNumber, last.Payer
		out.PayerID, out.PayerName, out.PaidOn, out.Method = last.Reported.PayerID, last.Reported.PayerName, last.PaidDate, last.Method
		return out, true
	}

	for _, a := range c.Adjustments {
		out.Adjusted += a.Amount
	}
	first := c.Sets[0]
	out.FTIN, out.Remittance, out.TraceNumber = first.FTIN, first.Remittance, first.TraceNumber
	out.Payer, out.PayerTaxID, out.PayerID, out.PayerName = first.Payer, first.PayerTaxID, first.PayerID, first.PayerName
	out.PaidOn, out.EffectiveOn, out.ProducedOn = first.PaidOn, first.EffectiveOn, first.ProducedOn
	out.Handling, out.Method, out.Contacts = first.Handling, first.Method, first.Contacts

	var total int64
	known := true
	out.Balanced = true
	for _, s := range c.Sets {
		out.Payees = max(out.Payees, s.Payees)
		total += s.Amount
		known = known && s.AmountKnown
		out.Balanced = out.Balanced && (!s.AmountKnown || s.IsBalanced())
	}
	if out.Payees == 1 {
		if out.Balanced = known && total == out.Paid-out.Adjusted; known {
			out.Amount = &total
		}
		if len(c.Sets) == 1 && first.ContainsAll(c.IDs()) {
			out.File, out.Offset, out.Length = first.File, first.Offset, first.Length
		}
	}
	return out, true
}
