package facts

import (
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// Change is an entry in the change log of a bill.
type Change struct {
	ID         int64 // in the order in which changes become visible
	FTIN       string
	Bill       string `db:"bill_control_number_key"` // key of its number
	Kind       string
	Status     string `db:"bill_status"` // of the bill after the change
	OccurredOn date.Date
	At         db.Instant
	Quiet      bool // shown with the bill, but not announced
}

// The kinds of changes to a bill.
const (
	Received  = "RECEIVED"
	Priced    = "PRICED"
	NotPriced = "NOT_PRICED"
	Repriced  = "REPRICED"
	Paid      = "PAID"
	PaidShort = "PAID_SHORT"
	Denied    = "DENIED"
	Reversed  = "REVERSED"
	Voided    = "VOIDED"
	Replaced  = "REPLACED"
	Document  = "DOCUMENT" // the bill got a document
)
