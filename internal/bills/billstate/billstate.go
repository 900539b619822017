// Package billstate has the states of a bill: what each row stores, what the API sends, what
// screens and files show, and who has to act next.
package billstate

import "slices"

// State is the state of a bill, as the column open_state stores it.
type State string

// The states of a bill.
const (
	Received     State = "N" // not repriced
	Priced       State = "P" // repriced, no payment
	Denied       State = "D"
	PaymentOnly  State = "U" // known only from its payment, and unpaid
	Short        State = "S" // paid below the network's allowance
	Reversed     State = "R" // reversed and not paid again
	Settled      State = "F"
	RepricedOnly State = "X" // a pricing sheet: someone else reviews and pays the bill
	Void         State = "V" // void or replaced
)

// The names of states in the API. Open Bills lists a PaymentOnly bill under NameDenied. A bulk
// lookup has NamePaid for any payment, and NameOther for what has no name.
const (
	NameReceived    = "received"
	NamePriced      = "priced"
	NameDenied      = "denied"
	NameNothingPaid = "nothingPaid"
	NameShort       = "short"
	NameReversed    = "takenBack"
	NamePaid        = "paid"
	NameOther       = "other"
	NameVoid        = "void"
	NameReplaced    = "replaced"
)

// labels are the names on screens and in files.
var labels = map[string]string{
	NameReceived: "Not repriced", NamePriced: "Repriced, unpaid", NameDenied: "Denied", NameNothingPaid: "Paid $0",
	NameShort: "Paid below allowance", NameReversed: "Payment reversed", NamePaid: "Paid", NameOther: "Other",
	NameVoid: "Void", NameReplaced: "Replaced",
}

// Names returns all names.
func Names() []string {
	return []string{NameReceived, NamePriced, NameDenied, NameNothingPaid, NameShort, NameReversed, NamePaid, NameOther, NameVoid,
		NameReplaced}
}

// Label returns a name as screens and files show it.
func Label(name string) string { return labels[name] }

// Side is who has to act on a bill next.
type Side int

// The sides.
const (
	Nobody Side = iota
	Payer
	Office
)

// description describes a state that needs follow-up.
type description struct {
	state        State
	name, filter string
	next         Side
}

// open are the states that need follow-up, in the order in which offices work.
var open = []description{
	{Received, NameReceived, NameReceived, Payer},
	{Priced, NamePriced, NamePriced, Payer},
	{Denied, NameDenied, NameDenied, Office},
	{PaymentOnly, NameNothingPaid, NameDenied, Office},
	{Short, NameShort, NameShort, Office},
	{Reversed, NameReversed, NameReversed, Office},
}

func (s State) describe() description {
	if i := slices.IndexFunc(open, func(d description) bool { return d.state == s }); i >= 0 {
		return open[i]
	}
	return description{state: s}
}

// OpenSQL is the condition for open bills b, BareOpenSQL without the b. Both must be exactly the
// condition of the index bills_open, because SQLite compares the text.
const (
	BareOpenSQL = `open_state IN ('D', 'N', 'P', 'R', 'S', 'U')`
	OpenSQL     = `b.` + BareOpenSQL
)

// Name returns the name of an open state, or empty.
func (s State) Name() string { return s.describe().name }

// Filter returns the name of the filter that finds an open state, or empty.
func (s State) Filter() string { return s.describe().filter }

// NextToAct returns who has to act on a bill in this state.
func (s State) NextToAct() Side { return s.describe().next }

// Filters returns the names of the filters of Open Bills, in the order in which offices work.
func Filters() (names []string) {
	for _, o := range open {
		if !slices.Contains(names, o.filter) {
			names = append(names, o.filter)
		}
	}
	return names
}

// Filtered returns the states that a filter finds.
func Filtered(filter string) (states []State) {
	for _, o := range open {
		if o.filter == filter {
			states = append(states, o.state)
		}
	}
	return states
}
