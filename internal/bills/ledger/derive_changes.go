package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// diffBills returns the kinds of changes between two derived versions of a bill. The old version
// is nil for a new bill.
func diffBills(old *Bill, now Bill) []string {
	before := Bill{}
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
	refused := func(b Bill) bool { return b.RepricingMethod == "00" && b.RecommendedAllowance == nil }
	paid := func(b Bill) bool { return b.BillStatus == StatusPaid || b.BillStatus == StatusPaidCorrected }
	sum := func(b Bill) int64 {
		if b.PaidAmount == nil {
			return 0
		}
		return *b.PaidAmount
	}
	add(now.Source == SourceBill && before.Source != SourceBill, Received)
	add(had == nil && has != nil, Priced)
	add(had != nil && has == nil || refused(now) && !refused(before), NotPriced)
	add(had != nil && has != nil && *had != *has, Repriced)
	add(now.BillStatus == StatusPaidCorrected && (before.BillStatus != StatusPaidCorrected || sum(now) < sum(before)), Reversed)
	if paid(now) && (sum(now) > sum(before) || !paid(before) && (before.BillStatus != StatusVoid || before.PaidAmount == nil)) &&
		(sum(now) > 0 || now.BillStatus == StatusPaid) {
		add(now.OpenState != billstate.Short, Paid)
		add(now.OpenState == billstate.Short, PaidShort)
	}
	add(now.BillStatus == StatusDenied && before.BillStatus != StatusDenied, Denied)
	add(now.ReplacedBy != "" && before.ReplacedBy == "", Replaced)
	add(now.BillStatus == StatusVoid && now.ReplacedBy == "" && before.BillStatus != StatusVoid, Voided)
	bearing := func(kind string) bool {
		return kind != Received && kind != Priced && kind != NotPriced && kind != Repriced
	}
	if before.BillStatus != now.BillStatus && !slices.Contains(kinds, NotPriced) &&
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
	StatusReceived: Received, StatusPriced: Priced, StatusPaid: Paid, StatusPaidCorrected: Reversed, StatusDenied: Denied,
	StatusVoid: Voided,
}

// quietAfter is how many days old an event can be and still be announced.
const quietAfter = 45

// eventDay returns the day of a change, as far as the files give it.
func eventDay(b Bill, kind string) date.Date {
	switch kind {
	case Received:
		return b.ReceivedOn
	case Paid, PaidShort, Denied, Reversed:
		return b.PaidDate
	default:
		return ""
	}
}

// newChangeEntries returns the log entries for changes to a bill.
func newChangeEntries(kinds []string, now Bill, at db.Instant, quiet bool) []Change {
	var list []Change
	limit := date.Of(at.Time).AddDays(-quietAfter)
	for _, kind := range kinds {
		on := eventDay(now, kind)
		list = append(list, Change{
			FTIN: now.FTIN, Bill: now.Key(), Kind: kind, Status: now.BillStatus, OccurredOn: on, At: at, Quiet: quiet ||
				on != "" && on < limit,
		})
	}
	return list
}

// ChangesAfter returns the changes to bills of TINs in scope since the change with the given id,
// oldest first, up to limit. Ids are assigned in the order in which changes become visible. So a
// reader that remembers its last id misses no change and sees none twice.
func (l *Ledger) ChangesAfter(ctx context.Context, scope access.Scope, id int64, limit int) ([]Change, error) {
	// The TINs are queried one after another. Changes that arrive during the queries are left
	// for the next request.
	newest, err := lastChange(ctx, l.db.Reader)
	if err != nil {
		return nil, err
	}
	var list []Change
	for _, tin := range scope.TINs() {
		found, err := changesAfter(ctx, l.db.Reader, tin, id, newest, limit)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b Change) int { return int(a.ID - b.ID) })
	return list[:min(limit, len(list))], nil
}

// Cleanup deletes old changes to bills. It's safe to repeat.
func (l *Ledger) Cleanup(ctx context.Context) error {
	days := l.settings.ChangeKeepDays
	if days == 0 { // forever
		return nil
	}
	return l.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return forgetChanges(ctx, tx, db.At(l.now().AddDate(0, 0, -days)))
	})
}
