package remittances

import (
	"context"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// payerAnswer is the number of bills of a payer in a state.
type payerAnswer struct {
	Payer   string
	State   billstate.State
	Paid    bool
	Bills   int
	Charges int64
	Missing int64
}

// listAnswers counts the bills whose last payment or denial was in a range of days.
func listAnswers(ctx context.Context, q db.Queryer, tins []string, from, to date.Date) (list []payerAnswer, err error) {
	return db.List[payerAnswer](ctx, q, `SELECT b.payer_name AS payer, `+facts.DisplayStateSQL+` AS state,
			COALESCE(b.paid_amount, 0) > 0 AS paid, count(*) AS bills, sum(b.bill_charges) AS charges,
			COALESCE(sum(`+facts.DifferenceSQL+`), 0) AS missing
		FROM (SELECT DISTINCT p.ftin, p.bill_control_number_key, r.paid_on
			FROM remittances r JOIN payments p ON p.ftin = r.ftin AND p.remittance = r.remittance
			WHERE r.ftin IN (`+db.In(3, len(tins))+`) AND r.paid_on >= $1 AND r.paid_on <= $2 AND r.duplicate <> 'SAME') a
			JOIN bills b ON b.ftin = a.ftin AND b.bill_control_number_key = a.bill_control_number_key AND b.paid_date = a.paid_on
		WHERE b.payer_name <> '' AND b.open_state <> '`+string(billstate.Void)+`'
		GROUP BY b.payer_name, state, paid`, append([]any{from, to}, db.Args(tins)...)...)
}

// listPricings counts the bills that the network priced since a day, by payer, receipt and day. A file
// arrives after it was written, so the changes since then have all of them.
func listPricings(ctx context.Context, q db.Queryer, tins []string, since db.Instant, from date.Date) (list []pricing, err error) {
	written := strings.ReplaceAll(string(from), "-", "")
	return db.List[pricing](ctx, q, `SELECT b.payer_name AS payer, b.received_on, substr(s.written, 1, 8) AS written,
			count(DISTINCT b.bill_control_number_key) AS bills
		FROM bill_changes c
			JOIN bills b ON b.ftin = c.ftin AND b.bill_control_number_key = c.bill_control_number_key
			JOIN submissions s ON s.ftin = b.ftin AND s.fact = b.fact
		WHERE c.ftin IN (`+db.In(3, len(tins))+`) AND c.kind = '`+facts.Priced+`' AND c.at >= $1 AND s.written >= $2
			AND s.recommended_allowance IS NOT NULL AND b.payer_name <> '' AND b.received_on IS NOT NULL
		GROUP BY b.payer_name, b.received_on, substr(s.written, 1, 8)`, append([]any{since, written}, db.Args(tins)...)...)
}

// pricing is a number of bills that the network received and priced on the same days.
type pricing struct {
	Payer      string
	ReceivedOn date.Date
	Written    string // 20060102, of the file with the price
	Bills      int
}

// on returns the day of the price.
func (p pricing) on() date.Date {
	return date.Date(p.Written[:4] + "-" + p.Written[4:6] + "-" + p.Written[6:])
}
