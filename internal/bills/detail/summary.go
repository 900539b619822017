package detail

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/platform/db"
)

// Summary is a bill with the conclusions of its page. Its reasons are stored with the bill.
type Summary struct {
	record.Bill
	Page       string // sealed id of its page
	Remittance string // sealed id of the page of its check's remittance; empty if unknown
	Status     string // one of Paid to Other
	State      State
	NextStep   string // empty if the bill doesn't need follow-up
}

// Summarize returns the conclusions of the pages of bills, by TIN and key.
func Summarize(ctx context.Context, d *db.DB, tx *sql.Tx, records *record.Service, bills []record.Bill) (map[[2]string]Summary, error) {
	paid, err := store.ListPaymentsByBill(ctx, tx, bills)
	if err != nil {
		return nil, err
	}
	explained, err := batch.LoadExplanations(ctx, d, tx, bills)
	if err != nil {
		return nil, err
	}
	var places []store.Hit
	for _, b := range bills {
		if b.ReplacedBy != "" {
			places = append(places, store.Hit{FTIN: b.FTIN, Bill: b.ReplacedBy})
		}
	}
	replacements, err := store.SelectHitBills(ctx, tx, places)
	if err != nil {
		return nil, err
	}
	concluded := make(map[[2]string]Summary, len(bills))
	for _, b := range bills {
		at := [2]string{b.FTIN, b.Key()}
		e, known := explained.Get(b)
		p := Page{Bill: record.Detailed{Bill: b}, Group: newBillGroup(e, known, paid[at])}
		isOther := func(o record.Bill) bool { return o.FTIN == b.FTIN && o.Key() == b.ReplacedBy }
		if other := slices.IndexFunc(replacements, isOther); other >= 0 {
			p.ReplacedBy = &replacements[other]
		}
		p.deriveState()
		page, err := records.SealPage(b)
		if err != nil {
			return nil, err
		}
		remittance, err := records.LinkRemittance(b.FTIN, p.remittance())
		if err != nil {
			return nil, err
		}
		concluded[at] = Summary{Bill: b, Page: page, Remittance: remittance, Status: getStatus(b), State: p.State,
			NextStep: p.nextStep()}
	}
	return concluded, nil
}

// remittance returns the remittance of the check that the bill names.
func (p *Page) remittance() string {
	for _, payment := range slices.Backward(p.Group.Payments) {
		if payment.Explains && payment.TraceNumber == p.Bill.CheckNumber && payment.PaidDate == p.Bill.PaidDate {
			return payment.remittance()
		}
	}
	return ""
}

// getStatus returns the status of a bill in a bulk lookup.
func getStatus(b record.Bill) string {
	switch b.DisplayState() {
	case billstate.Denied:
		return billstate.NameDenied
	case billstate.Reversed:
		return billstate.NameReversed
	case billstate.Priced, billstate.RepricedOnly:
		return billstate.NamePriced
	case billstate.Received:
		return billstate.NameReceived
	case billstate.Short, billstate.Settled:
		if b.PaidAmount == nil || *b.PaidAmount > 0 { // without an amount, a table reports it as paid
			return billstate.NamePaid
		}
	}
	return billstate.NameOther
}

// nextStep returns the next action for the bill, or empty if there is none.
func (p *Page) nextStep() string {
	switch p.Bill.DisplayState() {
	case billstate.Void:
		if p.ReplacedBy != nil {
			return "See bill " + p.ReplacedBy.BillControlNumber
		}
	case billstate.Denied:
		return "Review the reason codes"
	case billstate.Reversed:
		return "Ask the payer for the reason"
	case billstate.PaymentOnly:
		return "Review the payment details"
	case billstate.RepricedOnly:
		return "Ask who reviews and pays this bill"
	case billstate.Priced:
		return "Ask the payer for the payment"
	case billstate.Received:
		return "Wait for repricing"
	case billstate.Short:
		if p.Bill.TakeBackOpen {
			return "Ask the payer for the reason"
		}
		if p.State.Tone == toneWarning {
			return "Compare the reason codes with the allowance"
		}
	}
	return ""
}
