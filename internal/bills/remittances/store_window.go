package remittances

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// Paid is a remittance as far as deposits are compared with it. Amounts are in cents.
type Paid struct {
	ID
	TraceNumber string
	Payer       string // folded
	PaidOn      date.Date
	Payees      int
	Amount      int64 // of the check; if that's shared or unknown, the TIN's share
	Duplicate   facts.DuplicateState
}

// ListPaid lists the remittances that were paid in a range of days, without repeated checks. It
// returns at most one more than most.
func ListPaid(ctx context.Context, tx *sql.Tx, scope access.Scope, from, to date.Date, most int) (list []Paid, err error) {
	tins := scope.TINs()
	if len(tins) == 0 {
		return nil, nil
	}
	return db.List[Paid](ctx, tx, `SELECT ftin, remittance, trace_number, payer_name_key AS payer, paid_on, payees,
			coalesce(amount, paid - adjusted) AS amount, duplicate
		FROM remittances WHERE ftin IN (`+db.In(4, len(tins))+`) AND paid_on >= $1 AND paid_on <= $2 AND duplicate <> 'SAME' LIMIT $3`,
		append([]any{from, to, most + 1}, db.Args(tins)...)...)
}

// LoadSharedAmounts returns the whole amounts of shared checks, only for comparing.
func LoadSharedAmounts(ctx context.Context, tx *sql.Tx, ids []ID) (map[ID]int64, error) {
	found, err := ledger.LoadSharedAmounts(ctx, tx, toRefs(ids))
	amounts := map[ID]int64{}
	for ref, amount := range found {
		amounts[ID{FTIN: ref.FTIN, Remittance: ref.Remittance}] = amount
	}
	return amounts, err
}

func toRefs(ids []ID) []facts.CheckRef {
	refs := make([]facts.CheckRef, len(ids))
	for i, id := range ids {
		refs[i] = facts.CheckRef{FTIN: id.FTIN, Remittance: id.Remittance}
	}
	return refs
}

// LoadListed reads remittances as their list has them, with the group's posted statuses.
func LoadListed(ctx context.Context, tx *sql.Tx, groupID int64, ids []ID) (map[ID]Listed, error) {
	found, err := store.LoadRemittances(ctx, tx, toRefs(ids))
	if err != nil {
		return nil, err
	}
	marked, err := getMarks(ctx, tx, groupID, ids...)
	rows := make(map[ID]Listed, len(found))
	for _, r := range found {
		id := ID{FTIN: r.FTIN, Remittance: r.Remittance}
		l := Listed{FTIN: r.FTIN, Remittance: r.Remittance, TraceNumber: r.TraceNumber, PayerName: r.PayerName, PaidOn: r.PaidOn,
			Method: r.Method, Payees: r.Payees, Amount: r.Amount, Paid: r.Paid, Adjusted: r.Adjusted, Bills: r.Bills,
			Reversals: r.Reversals, Balanced: r.Balanced, Duplicate: r.Duplicate}
		if m, is := marked[id]; is {
			l.PostedBy, l.PostedAt = &m.PostedBy, m.PostedAt
			l.PostedAmount, l.PostedPaid, l.PostedAdjusted = &m.On.Amount, &m.On.Paid, &m.On.Adjusted
			l.PostedBills, l.PostedReversals = &m.On.Bills, &m.On.Reversals
		}
		rows[id] = l
	}
	return rows, err
}
