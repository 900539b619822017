package derive

import (
	"slices"
	"time"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// DiffBills returns the kinds of changes between two derived versions of a bill. The old version
// is nil for a new bill.
func DiffBills(old *facts.Bill, now facts.Bill) []string {
	before := facts.Bill{}
	if old != nil {
		before = *old
	}
	var kinds []string
	add := func(is bool, kind string) {
		if is {
			kinds = append(kinds, kind)
		}
	}
	had, has := before.RecommendedAllowance, now.RecommendedAllowance
	refused := func(b facts.Bill) bool { return b.RepricingMethod == "00" && b.RecommendedAllowance == nil }
	paid := func(b facts.Bill) bool {
		return b.BillStatus == facts.StatusPaid || b.BillStatus == facts.StatusPaidCorrected
	}
	sum := func(b facts.Bill) int64 {
		if b.PaidAmount == nil {
			return 0
		}
		return *b.PaidAmount
	}
	add(now.Source == facts.SourceBill && before.Source != facts.SourceBill, facts.Received)
	add(had == nil && has != nil, facts.Priced)
	add(had != nil && has == nil || refused(now) && !refused(before), facts.NotPriced)
	add(had != nil && has != nil && *had != *has, facts.Repriced)
	add(now.BillStatus == facts.StatusPaidCorrected && (before.BillStatus != facts.StatusPaidCorrected || sum(now) < sum(before)),
		facts.Reversed)
	isMore := sum(now) > sum(before) || !paid(before) && (before.BillStatus != facts.StatusVoid || before.PaidAmount == nil)
	// Without a reversal, a payment was sent again with less, or with less patient responsibility.
	isLess := paid(before) && !slices.Contains(kinds, facts.Reversed) && (sum(now) < sum(before) || had != nil && has != nil &&
		*had == *has && before.OpenState == billstate.Settled && now.OpenState == billstate.Short)
	if paid(now) && (isMore || isLess) && (sum(now) > 0 || now.BillStatus == facts.StatusPaid) {
		add(now.OpenState != billstate.Short, facts.Paid)
		add(now.OpenState == billstate.Short, facts.PaidShort)
	}
	add(now.BillStatus == facts.StatusDenied && before.BillStatus != facts.StatusDenied, facts.Denied)
	add(now.ReplacedBy != "" && before.ReplacedBy == "", facts.Replaced)
	add(now.BillStatus == facts.StatusVoid && now.ReplacedBy == "" && before.BillStatus != facts.StatusVoid, facts.Voided)
	bearing := func(kind string) bool {
		return kind != facts.Received && kind != facts.Priced && kind != facts.NotPriced && kind != facts.Repriced
	}
	if before.BillStatus != now.BillStatus && !slices.Contains(kinds, facts.NotPriced) &&
		(old != nil && !slices.ContainsFunc(kinds, bearing) || len(kinds) == 0) {
		if kind := restated[now.BillStatus]; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// restated maps a state to its change kind when no new event caused it: newer information
// corrected an earlier report.
var restated = map[string]string{
	facts.StatusReceived: facts.Received, facts.StatusPriced: facts.Priced, facts.StatusPaid: facts.Paid,
	facts.StatusPaidCorrected: facts.Reversed, facts.StatusDenied: facts.Denied,
	facts.StatusVoid: facts.Voided,
}

// quietAfter is how many days old an event can be and still be announced.
const quietAfter = 45

// eventDay returns the day of a change, as far as the files give it.
func eventDay(b facts.Bill, kind string) date.Date {
	switch kind {
	case facts.Received:
		return b.ReceivedOn
	case facts.Paid, facts.PaidShort, facts.Denied, facts.Reversed:
		return b.PaidDate
	default:
		return ""
	}
}

// NewChangeEntries returns the log entries for changes to a bill at a time in the business's time zone.
func NewChangeEntries(kinds []string, now facts.Bill, at time.Time, quiet bool) []facts.Change {
	var list []facts.Change
	limit := date.Of(at).AddDays(-quietAfter)
	for _, kind := range kinds {
		on := eventDay(now, kind)
		list = append(list, facts.Change{
			FTIN: now.FTIN, Bill: now.Key(), Kind: kind, Status: now.BillStatus, OccurredOn: on, At: db.At(at), Quiet: quiet ||
				on != "" && on < limit,
		})
	}
	return list
}
