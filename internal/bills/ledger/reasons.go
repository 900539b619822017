package ledger

import (
	"context"

	"wcpp/internal/platform/date"
)

// NextPaid is the TIN after one that has payments; empty after the last.
func (l *Ledger) NextPaid(ctx context.Context, after string) (string, error) {
	return nextPaid(ctx, l.db.Reader, after)
}

// readAtOnce is how many payments are in memory, but for checks that have more.
const readAtOnce = 1000

// PaidSince hands on the payments of a TIN from a day on that belong to a bill, some
// read at a time: of each its bill, date, status and what explains it. It is for the
// portal's own counts, of all TINs; nobody sees the payments.
func (l *Ledger) PaidSince(ctx context.Context, ftin string, since date.Date, each func(Payment)) error {
	checks, err := checksSince(ctx, l.db.Reader, ftin, since)
	if err != nil {
		return err
	}
	for len(checks) > 0 {
		n, size := 0, 0
		for n < len(checks) && (n == 0 || size+checks[n].Bills <= readAtOnce) {
			size += checks[n].Bills
			n++
		}
		list, err := reasonedOf(ctx, l.db.Reader, ftin, checks[:n])
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
