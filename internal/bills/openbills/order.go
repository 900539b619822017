package openbills

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
)

// The orders of the list.
const (
	OldestFirst   = "oldest" // by service
	NewestFirst   = "newest"
	DueFirst      = "due" // the most overdue first
	DueLast       = "dueLast"
	LowestCharge  = "charge"
	HighestCharge = "chargeDesc"
	Payers        = "payer"
	PayersReverse = "payerDesc"
)

// Orders are the names of the orders.
var Orders = []string{DueFirst, DueLast, OldestFirst, NewestFirst, LowestCharge, HighestCharge, Payers, PayersReverse}

const (
	// sinceSQL is the service date of a bill.
	sinceSQL = `COALESCE(b.begin_service_date, '0001-01-01')`
	dueSQL   = `COALESCE(b.next_due, '0001-01-01')`
	payerSQL = `lower(b.payer_name)`
	undated  = date.Date("0001-01-01")
)

// order sorts the list by up to two columns, then by TIN and number, all in one direction. Bills
// that lack the first column's value come last. For each order, an index has these columns.
type order struct {
	columns []sortColumn
	desc    bool
}

// sortColumn is a column of an order, with its value in a place.
type sortColumn struct {
	sql     string
	missing string // the SQL value of bills that lack it, lower than all others; empty if none does
	value   func(p Place) any
	lacks   func(p Place) bool
	compare func(a, b Place) int
}

var (
	bySince = sortColumn{sinceSQL, "'" + string(undated) + "'", func(p Place) any { return p.Since },
		func(p Place) bool { return p.Since == undated }, func(a, b Place) int { return cmp.Compare(a.Since, b.Since) }}
	byDue = sortColumn{dueSQL, "'" + string(undated) + "'", func(p Place) any { return p.Due },
		func(p Place) bool { return p.Due == undated }, func(a, b Place) int { return cmp.Compare(a.Due, b.Due) }}
	byCharge = sortColumn{"b.bill_charges", "", func(p Place) any { return p.Charge },
		func(Place) bool { return false }, func(a, b Place) int { return cmp.Compare(a.Charge, b.Charge) }}
	byPayer = sortColumn{payerSQL, "''", func(p Place) any { return p.Payer },
		func(p Place) bool { return p.Payer == "" }, func(a, b Place) int { return cmp.Compare(a.Payer, b.Payer) }}
)

func newOrder(name string) order {
	switch cmp.Or(name, OldestFirst) {
	case DueFirst, DueLast:
		return order{[]sortColumn{byDue, bySince}, name == DueLast}
	case LowestCharge, HighestCharge:
		return order{[]sortColumn{byCharge, bySince}, name == HighestCharge}
	case Payers, PayersReverse:
		return order{[]sortColumn{byPayer, bySince}, name == PayersReverse}
	default:
		return order{[]sortColumn{bySince}, name == NewestFirst}
	}
}

// Place is the position of the last bill on a page; the next page starts after it. It has the
// values that its order sorts by.
type Place struct {
	Order  string `json:",omitempty"`
	Due    date.Date
	Payer  string
	Charge int64
	Since  date.Date // the first service date; 0001-01-01 without one
	FTIN   string
	Bill   string // key
}

// isStart reports whether the list starts here.
func (p Place) isStart() bool { return p.Since == "" }

func (l listed) place(order string) Place {
	p := Place{Order: order, Since: cmp.Or(l.BeginServiceDate, undated), FTIN: l.FTIN, Bill: l.Key()}
	switch order {
	case DueFirst, DueLast:
		p.Due = cmp.Or(l.NextDue, undated)
	case LowestCharge, HighestCharge:
		p.Charge = l.BillCharges
	case Payers, PayersReverse:
		p.Payer = lowerASCII(l.PayerName)
	}
	return p
}

// lowerASCII is lower of both databases.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// key returns the key after which the bills of a TIN with the same values continue.
func (p Place) key(ftin string) string {
	switch {
	case ftin > p.FTIN:
		return first
	case ftin < p.FTIN:
		return last
	default:
		return p.Bill
	}
}

func (o order) compare(a, b Place) int {
	if x, y := o.columns[0].lacks(a), o.columns[0].lacks(b); x != y {
		return map[bool]int{true: 1, false: -1}[x]
	}
	if o.desc {
		a, b = b, a
	}
	for _, c := range o.columns {
		if by := c.compare(a, b); by != 0 {
			return by
		}
	}
	return cmp.Or(cmp.Compare(a.FTIN, b.FTIN), cmp.Compare(a.Bill, b.Bill))
}

// parts returns the parts of the list to read after a place: bills with the first column's value
// (false), then those that lack it (true).
func (o order) parts(after Place) []bool {
	switch {
	case o.columns[0].missing == "":
		return []bool{false}
	case !after.isStart() && o.columns[0].lacks(after):
		return []bool{true}
	default:
		return []bool{false, true}
	}
}

// sortSQL returns the columns to sort by.
func (o order) sortSQL() string {
	list := slices.Clone(o.names())
	if o.desc {
		for i := range list {
			list[i] += " DESC"
		}
	}
	return strings.Join(list, ", ")
}

func (o order) names() []string {
	var list []string
	for _, c := range o.columns {
		list = append(list, c.sql)
	}
	return append(list, "b.bill_control_number_key")
}

// partSQL returns the condition for the bills of a TIN in a part of the list after a place.
func (o order) partSQL(lacking bool, after Place, tin string, args []any) (string, []any) {
	by := o.columns[0]
	var list []string
	switch {
	case lacking:
		list = append(list, by.sql+" = "+by.missing)
	case by.missing != "" && (after.isStart() || o.desc):
		list = append(list, by.sql+" > "+by.missing)
	}
	if after.isStart() || lacking && !by.lacks(after) {
		return strings.Join(append(list, "TRUE"), " AND "), args
	}
	beyond := map[bool]string{false: ">", true: "<"}[o.desc]
	var values []string
	for _, c := range o.columns {
		args = append(args, c.value(after))
		values = append(values, placeholder(len(args)))
	}
	args = append(args, after.key(tin))
	values = append(values, placeholder(len(args)))
	if !lacking {
		// SQLite uses an index only for this condition.
		list = append(list, by.sql+" "+beyond+"= "+values[0])
	}
	list = append(list, "("+strings.Join(o.names(), ", ")+") "+beyond+" ("+strings.Join(values, ", ")+")")
	return strings.Join(list, " AND "), args
}
