package ledger

import (
	"context"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/date"
)

// NextPaid returns the next TIN with payments, or empty after the last.
func (l *Ledger) NextPaid(ctx context.Context, after string) (string, error) {
	return store.NextPaid(ctx, l.needs.DB.Reader, after)
}

// paymentsPerRead is how many payments are in memory at a time. A larger check can exceed it.
const paymentsPerRead = 1000

// EachPaymentSince passes on a TIN's payments since a day that have a bill, in chunks. Each has its
// bill, date, status and reasons. It's only for portal-wide statistics on all TINs; no user sees
// the payments.
func (l *Ledger) EachPaymentSince(ctx context.Context, ftin string, since date.Date, each func(facts.Payment)) error {
	checks, err := store.ListChecksSince(ctx, l.needs.DB.Reader, ftin, since)
	if err != nil {
		return err
	}
	for len(checks) > 0 {
		n, size := 0, 0
		for n < len(checks) && (n == 0 || size+checks[n].Bills <= paymentsPerRead) {
			size += checks[n].Bills
			n++
		}
		list, err := store.ListReasoned(ctx, l.needs.DB.Reader, ftin, checks[:n])
		if err != nil {
			return err
		}
		for _, p := range list {
			if p.Bill != "" {
				each(p)
			}
		}
		checks = checks[n:]
	}
	return nil
}
