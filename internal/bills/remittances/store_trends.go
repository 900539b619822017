package remittances

import (
	"context"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

type paidDay struct {
	PaidOn date.Date
	Paid   int64
}

// sumDays sums up what payers paid on each day. A repeated check or payment counts once. A check
// that also came as another one has the same provider-level adjustments.
func sumDays(ctx context.Context, q db.Queryer, tins []string, from, to date.Date) (list []paidDay, err error) {
	return db.List[paidDay](ctx, q, `SELECT r.paid_on, sum(r.paid - CASE WHEN r.duplicate_of = '' THEN r.adjusted ELSE coalesce((
			SELECT sum(p.paid) FROM payments p WHERE p.ftin = r.ftin AND p.remittance = r.remittance AND p.duplicate <> ''), 0) END) AS paid
		FROM remittances r
		WHERE r.ftin IN (`+db.In(3, len(tins))+`) AND r.paid_on >= $1 AND r.paid_on <= $2 AND r.duplicate = ''
		GROUP BY r.paid_on`, append([]any{from, to}, db.Args(tins)...)...)
}

// listWaits counts the bills whose last payment was in a range of days. SQLite keeps the order of a
// CROSS JOIN. Without it, it would read every payment of the TINs.
func listWaits(ctx context.Context, q db.Queryer, tins []string, from, to date.Date) (list []wait, err error) {
	return db.List[wait](ctx, q, `SELECT b.payer_name AS payer, b.received_on, r.paid_on,
			count(DISTINCT b.bill_control_number_key) AS bills
		FROM remittances r CROSS JOIN payments p CROSS JOIN bills b
		WHERE p.ftin = r.ftin AND p.remittance = r.remittance
			AND b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key
			AND r.ftin IN (`+db.In(3, len(tins))+`) AND r.paid_on >= $1 AND r.paid_on <= $2 AND r.duplicate <> 'SAME'
			AND b.paid_date = r.paid_on AND b.paid_amount > 0 AND b.received_on <= r.paid_on AND b.payer_name <> ''
		GROUP BY b.payer_name, b.received_on, r.paid_on`, append([]any{from, to}, db.Args(tins)...)...)
}
