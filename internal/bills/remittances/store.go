package remittances

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
)

// Listed is a remittance in a list. Amounts are in cents.
type Listed struct {
	FTIN        string `db:"ftin"`
	Remittance  string
	TraceNumber string
	PayerName   string
	PaidOn      date.Date
	Method      string
	Payees      int
	Amount      *int64 // of the check; nil if several payees share it, or it's unknown
	Paid        int64
	Adjusted    int64
	Bills       int
	Reversals   int
	Balanced    bool
	Duplicate   facts.DuplicateState
	PostedBy    *string
	PostedAt    db.Instant
	// The content that was marked as posted.
	PostedAmount, PostedPaid, PostedAdjusted, PostedBills, PostedReversals *int64
}

func (r *Listed) content() Content {
	return newContent(r.Amount, r.Paid, r.Adjusted, r.Bills, r.Reversals)
}

// mark returns the group's posted status, or nil if it hasn't posted the remittance.
func (r *Listed) mark() *Mark {
	if r.PostedBy == nil {
		return nil
	}
	on := Content{*r.PostedAmount, *r.PostedPaid, *r.PostedAdjusted, *r.PostedBills, *r.PostedReversals}
	return &Mark{*r.PostedBy, r.PostedAt, on}
}

const listed = `r.ftin, r.remittance, r.trace_number, r.payer_name, r.paid_on, r.method, r.payees, r.amount, r.paid, r.adjusted, r.bills,
	r.reversals, r.balanced, r.duplicate,
	m.posted_by, m.posted_at, m.amount AS posted_amount, m.paid AS posted_paid, m.adjusted AS posted_adjusted, m.bills AS posted_bills,
	m.reversals AS posted_reversals`

// columns of the list. Without a check amount, it's the TIN's share.
var columns = paging.Columns{
	"paidOn": paging.Text("coalesce(cast(r.paid_on AS text), '')").SortedBy("r.paid_on"),
	"payer":  paging.Text("r.payer_name_key"),
	"number": paging.Text("lower(r.trace_number)").SortedBy("r.trace_number_key").WithZeros(),
	"method": paging.Words("r.method", methodNames),
	"amount": paging.Number("coalesce(r.amount, r.paid - r.adjusted)"),
	"bills":  paging.Number("r.bills"),
	"ftin":   paging.Text("r.ftin"),
}

// statement selects the remittances of the TINs in scope, or of one of them, unless there are
// none. The newest come first. Of a repeated check, it lists the one that counts. The posted
// statuses are those of the group.
func (c Criteria) statement(scope access.Scope, groupID int64) (s paging.Statement, ok bool) {
	tins := scope.TINs()
	if c.FTIN != "" {
		tins = []string{c.FTIN}
	}
	if len(tins) == 0 || c.FTIN != "" && !scope.Has(c.FTIN) {
		return s, false
	}
	args := []any{groupID}
	value := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	var among []string
	for _, ftin := range tins {
		among = append(among, value(ftin))
	}
	newest := "r.paid_on DESC"
	from := `FROM remittances r LEFT JOIN remittance_marks m ON m.group_id = $1 AND m.ftin = r.ftin AND m.remittance = r.remittance
		WHERE r.ftin IN (` + strings.Join(among, ", ") + `) AND r.duplicate <> 'SAME'`
	if c.Number != "" {
		is, key := store.CheckCondition("r.trace_number_key", c.Number, fmt.Sprintf("$%d", len(args)+1))
		args = append(args, key)
		from += ` AND ` + is
		newest += " NULLS LAST" // a number also finds those without a date
	} else {
		from += ` AND r.paid_on >= ` + value(c.From) + ` AND r.paid_on <= ` + value(c.To)
	}
	if c.Payer != "" {
		from += ` AND r.payer_name_key LIKE ` + value(db.ContainsPattern(text.Key(c.Payer))) + ` ESCAPE '\'`
	}
	if c.Amount != nil {
		from += ` AND coalesce(r.amount, r.paid - r.adjusted) = ` + value(*c.Amount)
	}
	if c.Method != "" {
		from += ` AND r.method = ` + value(c.Method)
	}
	if c.Reversals {
		from += ` AND r.reversals > 0`
	}
	if c.Adjusted { // also if they cancel out. Those of replaced sets change the sum.
		from += ` AND (r.adjusted <> 0 OR EXISTS (SELECT 1 FROM adjustments a WHERE a.ftin = r.ftin AND a.remittance = r.remittance
			GROUP BY a.remittance HAVING sum(a.amount) = 0))`
	}
	if c.NotPosted {
		from += ` AND (m.posted_at IS NULL OR m.amount <> coalesce(r.amount, r.paid - r.adjusted) OR m.paid <> r.paid 
			OR m.adjusted <> r.adjusted OR m.bills <> r.bills OR m.reversals <> r.reversals)`
	}
	return paging.Statement{
		Select: listed, From: from, Args: args, Columns: columns,
		Order: newest + ", r.ftin, r.payer_name_key, r.trace_number_key, r.remittance",
	}, true
}

// search returns a page of remittances and the total number.
func search(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table, s paging.Statement) ([]Listed, int, error) {
	return paging.Select(ctx, q, d, t, s, paging.Rows[Listed])
}

// traceNumber returns the number of a check or transfer.
func traceNumber(ctx context.Context, q db.Queryer, id ID) (string, error) {
	return db.One[string](ctx, q, `SELECT trace_number FROM remittances WHERE ftin = $1 AND remittance = $2`, id.FTIN, id.Remittance)
}

// Mark is a group's posted status. It means that the group posted a remittance to its books.
type Mark struct {
	PostedBy string
	PostedAt db.Instant
	On       Content // the content that was marked
}

// Content is the amounts and counts of a remittance. Amounts are in cents.
type Content struct {
	Amount    int64 // of the check; if that's shared or unknown, the TIN's share
	Paid      int64
	Adjusted  int64
	Bills     int64
	Reversals int64
}

func newContent(amount *int64, paid, adjusted int64, bills, reversals int) Content {
	c := Content{paid - adjusted, paid, adjusted, int64(bills), int64(reversals)}
	if amount != nil {
		c.Amount = *amount
	}
	return c
}

// The states of a remittance that was marked as posted.
const (
	IsPosted = "posted"
	IsPartly = "partly"  // the posted content is unchanged, and bills were added
	IsStale  = "changed" // the content changed since
)

// State compares the current content of a remittance with the marked one.
func (m Mark) State(now Content) string {
	switch {
	case m.On == now:
		return IsPosted
	case now.Bills > m.On.Bills && now.Paid >= m.On.Paid && now.Reversals == m.On.Reversals:
		return IsPartly
	default:
		return IsStale
	}
}

// marked is the posted status of a remittance.
type marked struct {
	ID
	Mark
}

var marks = db.NewTable("remittance_marks",
	db.Col("ftin", func(m *marked) *string { return &m.FTIN }),
	db.Col("remittance", func(m *marked) *string { return &m.Remittance }),
	db.Col("posted_by", func(m *marked) *string { return &m.PostedBy }),
	db.Col("posted_at", func(m *marked) *db.Instant { return &m.PostedAt }),
	db.Col("amount", func(m *marked) *int64 { return &m.On.Amount }),
	db.Col("paid", func(m *marked) *int64 { return &m.On.Paid }),
	db.Col("adjusted", func(m *marked) *int64 { return &m.On.Adjusted }),
	db.Col("bills", func(m *marked) *int64 { return &m.On.Bills }),
	db.Col("reversals", func(m *marked) *int64 { return &m.On.Reversals }),
)

// getMarks returns the group's posted statuses of remittances, without those it hasn't posted.
func getMarks(ctx context.Context, q db.Queryer, groupID int64, ids ...ID) (map[ID]Mark, error) {
	keys := make([][]any, len(ids))
	for i, id := range ids {
		keys[i] = []any{id.FTIN, id.Remittance}
	}
	list, err := marks.SelectByKeys(ctx, q, []string{"ftin", "remittance"}, keys, "t.group_id = $1", groupID)
	found := make(map[ID]Mark, len(list))
	for _, m := range list {
		found[m.ID] = m.Mark
	}
	return found, err
}

// putMark sets the group's posted status, unless it's already set on the same content. It
// reports whether it did.
func putMark(ctx context.Context, tx *sql.Tx, groupID int64, id ID, m Mark) (bool, error) {
	n, err := db.Exec(ctx, tx, `
		INSERT INTO remittance_marks (group_id, ftin, remittance, posted_by, posted_at, amount, paid, adjusted, bills, reversals)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (group_id, ftin, remittance) DO UPDATE SET posted_by = excluded.posted_by, posted_at = excluded.posted_at,
			amount = excluded.amount, paid = excluded.paid, adjusted = excluded.adjusted, bills = excluded.bills,
			reversals = excluded.reversals
		WHERE remittance_marks.amount <> excluded.amount OR remittance_marks.paid <> excluded.paid
			OR remittance_marks.adjusted <> excluded.adjusted
			OR remittance_marks.bills <> excluded.bills OR remittance_marks.reversals <> excluded.reversals`,
		groupID, id.FTIN, id.Remittance, m.PostedBy, m.PostedAt, m.On.Amount, m.On.Paid, m.On.Adjusted, m.On.Bills, m.On.Reversals)
	return n > 0, err
}

// removeMark removes the group's posted status, and reports whether there was one.
func removeMark(ctx context.Context, tx *sql.Tx, groupID int64, id ID) (bool, error) {
	n, err := db.Exec(ctx, tx, `DELETE FROM remittance_marks WHERE group_id = $1 AND ftin = $2
		AND remittance = $3`, groupID, id.FTIN, id.Remittance)
	return n > 0, err
}

// exportRows describes the table of exports.
var exportRows = fileexport.NewTable("remittance_exports", fileexport.Codes, func(e *Export) *fileexport.Row[int64] { return &e.Row })
