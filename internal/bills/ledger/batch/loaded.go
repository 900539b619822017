package batch

import (
	"context"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
)

// loadTruncated loads bills with a possibly truncated account number for payments without a
// stronger match. It reports whether it found any that weren't loaded. Later submissions find
// such payments by truncatedLink.
func (w *Batch) loadTruncated(ctx context.Context, untied map[facts.FactRef]bool) (found bool, err error) {
	var asked []*facts.Payment
	for k := range untied {
		if p := w.loaded.payments[k][0]; !w.untied.sought[k] && p.Links().Truncated != "" {
			w.untied.sought[k] = true
			asked = append(asked, p)
		}
	}
	if len(asked) == 0 {
		return false, nil
	}
	bills, err := store.FindByTruncatedAccounts(ctx, w.Tx, asked)
	if err != nil {
		return false, err
	}
	sent, err := store.FindLinksByTruncatedAccounts(ctx, w.Tx, asked)
	if err != nil {
		return false, err
	}
	byTIN := groupBy(asked, func(p *facts.Payment) string { return p.Reported.FTIN })
	for _, b := range bills {
		if slices.ContainsFunc(byTIN[b.FTIN], func(p *facts.Payment) bool { return matching.Overlaps(p.Reported, b) }) {
			sent = append(sent, facts.Link{FTIN: b.FTIN, Fact: b.Fact})
		}
	}
	sent = slices.DeleteFunc(sent, func(l facts.Link) bool { return w.loaded.submissions[l.Ref()] != nil })
	return len(sent) > 0, w.loadFacts(ctx, sent)
}

// readLines loads the service lines for facts of groups that need them.
func (w *Batch) readLines(ctx context.Context, list []matching.BillGroup) error {
	var sent, paid []facts.FactRef
	for _, f := range list {
		for _, s := range f.Submissions {
			if s.LacksDetail() {
				sent = append(sent, s.Ref())
			}
		}
		for _, p := range f.Payments {
			if p.LacksDetail() {
				paid = append(paid, p.Ref())
			}
		}
	}
	details, err := store.LoadSubmissionDetails(ctx, w.Tx, sent)
	if err != nil {
		return err
	}
	ofPayments, err := store.LoadPaymentDetails(ctx, w.Tx, paid)
	if err != nil {
		return err
	}
	for k, s := range w.loaded.submissions {
		if d, read := details[k]; read && s.LacksDetail() {
			s.FillDetail(d)
		}
	}
	for k, list := range w.loaded.payments {
		for _, p := range list {
			if d, read := ofPayments[store.PaymentRef{FactRef: k, Occurrence: p.Occurrence}]; read && p.LacksDetail() {
				p.FillDetail(d)
			}
		}
	}
	return nil
}
