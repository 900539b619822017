package openbills

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
)

// joinWork joins the work of group $1 on a bill; group 0 has none.
const joinWork = ` LEFT JOIN bill_work w ON w.group_id = $1 AND w.ftin = b.ftin AND w.bill_control_number_key = b.bill_control_number_key `

// wholeIndexSQL is always true, but makes SQLite use the index bills_open, which has what totals
// need.
const wholeIndexSQL = sinceSQL + ` >= '0001-01-01'`

// tinsPerQuery is the number of TINs in one statement.
const tinsPerQuery = 40

// first sorts before every key, last after every key.
const (
	first = ""
	last  = "\U0010FFFF"
)

// listed is a bill of the list with the group's work.
type listed struct {
	facts.Bill
	Work    Work
	Call    lastCall
	Changed int64
}

// page lists the filtered bills in scope after a position, in the filter's order. It reads each
// TIN in the order of its index.
func page(ctx context.Context, q db.Queryer, who requester, f Filter, after Place, limit int) ([]listed, error) {
	by := newOrder(f.Order)
	var list []listed
	for _, lacking := range by.parts(after) {
		if len(list) >= limit {
			break
		}
		part, err := readPart(ctx, q, who, f, orderPart{lacking, after}, limit-len(list))
		if err != nil {
			return nil, err
		}
		list = append(list, part...)
	}
	return list, nil
}

// orderPart is one of the order's parts: the bills with the sorted value, or those lacking it.
type orderPart struct {
	lacking bool
	after   Place
}

// readPart is page for one of the order's parts.
func readPart(ctx context.Context, q db.Queryer, who requester, f Filter, p orderPart, limit int) ([]listed, error) {
	by := newOrder(f.Order)
	var list []listed
	for tins := range slices.Chunk(f.selectTINs(who.scope), tinsPerQuery) {
		condition, args := f.condition(who, []any{who.group})
		args = append(args, limit)
		most := placeholder(len(args))
		arms := make([]string, len(tins))
		for i, tin := range tins {
			args = append(args, tin)
			of := placeholder(len(args))
			var part string
			part, args = by.partSQL(p.lacking, p.after, tin, args)
			arms[i] = `SELECT * FROM (SELECT ` + columns + ` FROM bills b` + joinWork + joinCall +
				`WHERE b.ftin = ` + of + ` AND ` + billstate.OpenSQL + ` AND ` + part + ` AND ` + condition +
				` ORDER BY ` + by.sortSQL() + ` LIMIT ` + most + `) t` + strconv.Itoa(i)
		}
		found, err := rows.Query(ctx, q, strings.Join(arms, " UNION ALL "), args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b listed) int { return by.compare(a.place(f.Order), b.place(f.Order)) })
	return list[:min(limit, len(list))], nil
}

// shown are the columns of a bill that the list shows.
var shown = store.Bills.WithFields(fromBill.Fields(), "state_of_jurisdiction", "physician_first_name", "physician_last_name",
	"facility_name", "bill_charges", "recommended_allowance", "paid_amount", "bill_status", "open_state", "take_back_open", "reasons",
	"next_due")

// rows are the rows of page.
var rows = db.NewTable("t", slices.Concat(
	db.Within(func(l *listed) *facts.Bill { return &l.Bill }, shown.Columns(shown.Names()...)),
	db.Within(func(l *listed) *Work { return &l.Work }, workColumns),
	db.Within(func(l *listed) *lastCall { return &l.Call }, callColumns),
	[]db.Column[listed]{db.NullIfZero("changed", func(l *listed) *int64 { return &l.Changed })},
)...)

// columns are the columns of rows, for the bill and the work.
var columns = shown.List("b.") + `, w.assigned_to, w.follow_up_on, COALESCE(w.state_cd, 'OPEN') AS state_cd, w.parked_until,
	COALESCE(w.notes, 0) AS notes,
	COALESCE(w.version, 0) AS version, w.updated_at, COALESCE(w.updated_by, '') AS updated_by, ` + callColumnsSQL + `,
	(SELECT max(c.id) FROM bill_changes c WHERE c.ftin = b.ftin AND c.bill_control_number_key = b.bill_control_number_key) AS changed`

// workColumns are the columns of the work that a list shows.
var workColumns = works.Columns("assigned_to", "follow_up_on", "state_cd", "parked_until", "notes", "version", "updated_at", "updated_by")

// tally counts the bills of a state and an age, and adds up their amounts.
type tally struct {
	State     billstate.State
	Late      bool // the due date is before today
	Soon      bool // the due date is within soonDays
	Age       int  // 0 to 3: up to 30, 60 and 90 days, and more; -1 without a date
	Bills     int
	FollowUps int   `db:"follow_ups"`
	Charges   int64 // in cents, like the next fields
	Allowed   int64
	Paid      int64
	Short     int64 // the known differences
	Followed  int64 // the charges of the due follow-ups
}

// tallySQL adds up the bills in part of a statement. kept is how often each bill counts, and
// follows whether it has a due follow-up.
func tallySQL(c *conditions, who requester, kept, follows, from string) string {
	c.args = append(c.args, who.today.AddDays(soonDays), who.today, who.today.AddDays(-30), who.today.AddDays(-60), who.today.AddDays(-90))
	n := len(c.args)
	return `
		SELECT state, late, soon, age, sum(kept) AS bills, sum(follows) AS follow_ups, sum(kept * bill_charges) AS charges,
			COALESCE(sum(kept * recommended_allowance), 0) AS allowed, COALESCE(sum(kept * paid_amount), 0) AS paid,
			COALESCE(sum(kept * difference), 0) AS short, sum(follows * bill_charges) AS followed
		FROM (SELECT ` + facts.DisplayStateSQL + ` AS state, b.bill_charges, b.recommended_allowance, b.paid_amount,
			` + facts.DifferenceSQL + ` AS difference, ` + kept + ` AS kept, ` + follows + ` AS follows,
				b.next_due IS NOT NULL AND b.next_due < ` + placeholder(n-3) + ` AS late,
				b.next_due IS NOT NULL AND b.next_due BETWEEN ` + placeholder(n-3) + ` AND ` + placeholder(n-4) + ` AS soon,
				CASE WHEN b.begin_service_date IS NULL THEN -1 WHEN b.begin_service_date >= ` + placeholder(n-2) + ` THEN 0
					WHEN b.begin_service_date >= ` + placeholder(n-1) + ` THEN 1 WHEN b.begin_service_date >= ` + placeholder(n) +
		` THEN 2 ELSE 3 END AS age
			` + from + `) t
		GROUP BY state, late, soon, age`
}

// tallyBills counts open bills of TINs without any group's work.
func tallyBills(ctx context.Context, q db.Queryer, tins []string, who requester, f Filter) ([]tally, error) {
	c := &conditions{}
	f.addBillConditions(who, c)
	condition := c.String()
	in := c.placeholders(tins)
	var list []tally
	from := `FROM bills b WHERE b.ftin IN (` + in + `) AND ` + wholeIndexSQL + ` AND ` + billstate.OpenSQL + ` AND ` + condition
	err := db.Select(ctx, q, &list, tallySQL(c, who, "1", "0", from), c.args...)
	return list, err
}

// tallyWork counts the bills with work by the group that the filter matches. If less is set, it
// counts the bills in tallyBills that the filter doesn't match, as negative.
func tallyWork(ctx context.Context, q db.Queryer, tins []string, who requester, f Filter, less bool) ([]tally, error) {
	c := &conditions{args: []any{who.group}}
	f.addBillConditions(who, c)
	ofBill := c.String()
	c.list = nil
	f.addWorkConditions(who, c)
	ofWork := c.String()
	c.args = append(c.args, who.today, who.me)
	n := len(c.args)
	follows := `CASE WHEN ` + ofWork + ` AND ` + fmt.Sprintf(followUpSQL, placeholder(n-1), placeholder(n)) + ` THEN 1 ELSE 0 END`
	in := c.placeholders(tins) // for the bills too, so that PostgreSQL can skip partitions
	// The expression is that of the index bills_open_work, which has what totals need.
	from := `FROM bill_work w JOIN bills b ON b.ftin = w.ftin AND b.bill_control_number_key || '' = w.bill_control_number_key || ''` +
		f.callJoin() + `
			WHERE w.group_id = $1 AND w.ftin IN (` + in + `) AND b.ftin IN (` + in + `) AND ` + billstate.OpenSQL + ` AND ` + ofBill
	var list []tally
	var err error
	if less {
		err = db.Select(ctx, q, &list, tallySQL(c, who, `CASE WHEN `+ofWork+` THEN 0 ELSE -1 END`, follows, from), c.args...)
	} else {
		err = db.Select(ctx, q, &list, tallySQL(c, who, "1", follows, from+` AND `+ofWork), c.args...)
	}
	return list, err
}

// dataVersion is the last change and recount of some TINs. If it's the same, nothing in the list
// has changed.
type dataVersion struct{ Change, Recounts int64 }

func getDataVersion(ctx context.Context, q db.Queryer, tins []string) (dataVersion, error) {
	c := &conditions{}
	in := c.placeholders(tins)
	arms := make([]string, len(tins))
	for i := range tins {
		arms[i] = `SELECT max(id) AS id FROM bill_changes WHERE ftin = ` + placeholder(i+1)
	}
	return db.One[dataVersion](ctx, q, `SELECT COALESCE(max(id), 0) AS change, (SELECT COALESCE(sum(recounts), 0) FROM due_recounts
		WHERE ftin IN (`+in+`)) AS recounts
		FROM (`+strings.Join(arms, " UNION ALL ")+`) t`, c.args...)
}

// counts returns how many bills each filter matches, in one scan of the open bills.
func counts(ctx context.Context, q db.Queryer, who requester, filters []Filter) ([]int, error) {
	all := make([]int, len(filters))
	var everything Filter
	for tins := range slices.Chunk(everything.selectTINs(who.scope), tinsPerQuery) {
		args := []any{who.group}
		sums := make([]string, len(filters))
		calls := ""
		for i, f := range filters {
			calls = cmp.Or(calls, f.callJoin())
			var condition string
			condition, args = f.condition(who, args)
			if among := f.selectTINs(access.NewScope(tins)); len(among) < len(tins) {
				condition += " AND b.ftin IN (NULL"
				for _, tin := range among {
					args = append(args, tin)
					condition += ", " + placeholder(len(args))
				}
				condition += ")"
			}
			sums[i] = "COALESCE(sum(CASE WHEN " + condition + " THEN 1 ELSE 0 END), 0)"
		}
		from := len(args) + 1
		args = append(args, db.Args(tins)...)
		rows, err := q.QueryContext(ctx, `SELECT `+strings.Join(sums, ", ")+` FROM bills b`+joinWork+calls+`WHERE b.ftin IN (`+
			db.In(from, len(tins))+`) AND `+wholeIndexSQL+` AND `+billstate.OpenSQL, args...)
		if err == nil {
			err = addCounts(all, rows)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addCounts adds the only row of counts in a query result.
func addCounts(all []int, rows *sql.Rows) error {
	defer rows.Close()
	found, into := make([]int, len(all)), make([]any, len(all))
	for i := range found {
		into[i] = &found[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, n := range found {
			all[i] += n
		}
	}
	return rows.Err()
}

// listPayers returns the payers with the most open bills, most first.
func listPayers(ctx context.Context, q db.Queryer, scope access.Scope, limit int) ([]OpenBillPayer, error) {
	bills := map[string]int{}
	var everything Filter
	for tins := range slices.Chunk(everything.selectTINs(scope), tinsPerQuery) {
		var found []OpenBillPayer
		if err := db.Select(ctx, q, &found, `
			SELECT b.payer_name AS name, count(*) AS bills FROM bills b
			WHERE b.ftin IN (`+db.In(1, len(tins))+`) AND `+wholeIndexSQL+` AND `+billstate.OpenSQL+`
				AND b.payer_name <> '' GROUP BY b.payer_name`,
			db.Args(tins)...); err != nil {
			return nil, err
		}
		for _, p := range found {
			bills[p.Name] += p.Bills
		}
	}
	var list []OpenBillPayer
	for name, n := range bills {
		list = append(list, OpenBillPayer{name, n})
	}
	slices.SortFunc(list, func(a, b OpenBillPayer) int {
		return cmp.Or(cmp.Compare(b.Bills, a.Bills), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(limit, len(list))], nil
}

// works describes the table of work.
var works = db.NewTable("bill_work", db.Fields[Work]("group_id", "ftin", "bill_control_number_key")...)

// lockGroup blocks changes to the TINs and accounts of a group until the transaction ends. Those lock it too.
func lockGroup(ctx context.Context, tx *sql.Tx, d db.Dialect, group int64) error {
	var id int64
	return db.Get(ctx, tx, &id, `SELECT id FROM groups WHERE id = $1`+d.ForShare, group)
}

// lockWork locks and returns a group's work on a bill, or new work if there's none yet.
func lockWork(ctx context.Context, tx *sql.Tx, group int64, ftin, bill string, now db.Instant) (Work, error) {
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO bill_work (group_id, ftin, bill_control_number_key, state_cd, done_change, notes, version, updated_at, updated_by)
		VALUES ($1, $2, $3, 'OPEN', 0, 0, 0, $4, '') ON CONFLICT (group_id, ftin, bill_control_number_key)
			DO UPDATE SET version = bill_work.version`,
		group, ftin, bill, now); err != nil {
		return Work{}, err
	}
	return getWork(ctx, tx, group, ftin, bill)
}

func getWork(ctx context.Context, q db.Queryer, group int64, ftin, bill string) (Work, error) {
	return works.Get(ctx, q, `WHERE group_id = $1 AND ftin = $2 AND bill_control_number_key = $3`, group, ftin, bill)
}

// findWork returns a group's work on a bill, or none.
func findWork(ctx context.Context, q db.Queryer, group int64, ftin, bill string) (Work, error) {
	w, err := getWork(ctx, q, group, ftin, bill)
	if errors.Is(err, db.ErrNotFound) {
		return Work{}, nil
	}
	return w, err
}

func putWork(ctx context.Context, tx *sql.Tx, w Work) error {
	_, err := works.Update(ctx, tx, w)
	return err
}

// lastChange returns the last change of a bill, or 0 if there's none yet.
func lastChange(ctx context.Context, q db.Queryer, ftin, bill string) (int64, error) {
	var id int64
	err := db.Get(ctx, q, &id, `SELECT COALESCE(max(id), 0) FROM bill_changes WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, bill)
	return id, err
}

// hasBill reports whether there is a bill with a current or former number, and returns its
// number as store.FindNumber does.
func hasBill(ctx context.Context, q db.Queryer, scope access.Scope, b billID, lock string) (number string, has bool, err error) {
	if !scope.Has(b.ftin) {
		return "", false, nil
	}
	number, err = store.FindNumber(ctx, q, b.ftin, b.key, lock)
	if errors.Is(err, db.ErrNotFound) {
		return "", false, nil
	}
	return number, err == nil, err
}

// notes describes the table of notes.
var notes = db.NewTable("bill_notes", db.Fields[Note]("id")...)

// newNotes omits the id, which the database assigns.
var newNotes = notes.Without("id")

// listNotes lists a group's notes on a bill, newest first.
func listNotes(ctx context.Context, q db.Queryer, group int64, ftin, bill string) ([]Note, error) {
	return notes.Select(ctx, q, `WHERE group_id = $1 AND ftin = $2 AND bill_control_number_key = $3 ORDER BY id DESC LIMIT 200`, group,
		ftin, bill)
}

func addNote(ctx context.Context, tx *sql.Tx, n Note) (int64, error) {
	return newNotes.Add(ctx, tx, n, "id")
}

// lockNote locks and returns a note of a group.
func lockNote(ctx context.Context, tx *sql.Tx, group, id int64) (Note, error) {
	if _, err := db.Exec(ctx, tx, `UPDATE bill_notes SET body = body WHERE id = $1 AND group_id = $2`, id, group); err != nil {
		return Note{}, err
	}
	return notes.Get(ctx, tx, `WHERE id = $1 AND group_id = $2`, id, group)
}

// billKeyColumns are the columns that find work and notes of any group.
var billKeyColumns = []string{"ftin", "bill_control_number_key"}

func lockWorks(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]Work, error) {
	return works.LockByKeys(ctx, tx, billKeyColumns, keys, "", lock)
}

func putWorks(ctx context.Context, tx *sql.Tx, rows []Work) error {
	return works.Upsert(ctx, tx, rows...)
}

func removeWork(ctx context.Context, tx *sql.Tx, w Work) error {
	return db.Run(ctx, tx, `DELETE FROM bill_work WHERE group_id = $1 AND ftin = $2
		AND bill_control_number_key = $3`, w.Group, w.FTIN, w.Bill)
}

func lockNotes(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]Note, error) {
	return notes.LockByKeys(ctx, tx, billKeyColumns, keys, "", lock)
}

func putNote(ctx context.Context, tx *sql.Tx, n Note) error {
	_, err := notes.Update(ctx, tx, n)
	return err
}

// views describes the table of saved views.
var views = db.NewTable("saved_views", db.Fields[View]("id")...)

// listViews returns the views that a user of a group can see, in each owner's order.
func listViews(ctx context.Context, q db.Queryer, group, user int64) ([]View, error) {
	return views.Select(ctx, q, `WHERE group_id = $1 AND (owner_id = $2 OR shared) ORDER BY owner_id, position`, group, user)
}

func addView(ctx context.Context, tx *sql.Tx, v View) error { return views.Insert(ctx, tx, v) }

func putView(ctx context.Context, tx *sql.Tx, v View) error {
	_, err := views.Update(ctx, tx, v)
	return err
}

func removeView(ctx context.Context, tx *sql.Tx, id string) error {
	return db.Run(ctx, tx, `DELETE FROM saved_views WHERE id = $1`, id)
}

// exportRows describes the table of exports.
var exportRows = fileexport.NewTable("open_bill_exports", fileexport.Words, func(e *Export) *fileexport.Row[string] { return &e.Row })

// losses describes the table of lost assignments.
var losses = db.NewTable("lost_assignments", db.Fields[Loss]("id")...)

// newLosses omits the id, which the database assigns.
var newLosses = losses.Without("id")

// assigned is the number of a TIN's bills assigned to a user.
type assigned struct {
	UserID int64  `db:"assigned_to"`
	FTIN   string `db:"ftin"`
	Bills  int
}

// assignedIn returns the assignments of a group, or of one user if user isn't 0.
func assignedIn(ctx context.Context, tx *sql.Tx, group, user int64) ([]assigned, error) {
	condition, args := "assigned_to IS NOT NULL", []any{group}
	if user != 0 {
		condition, args = "assigned_to = $2", append(args, user)
	}
	return db.List[assigned](ctx, tx, `
		SELECT assigned_to, ftin, count(*) AS bills FROM bill_work WHERE group_id = $1
			AND `+condition+` GROUP BY assigned_to, ftin ORDER BY assigned_to, ftin`, args...)
}

// recordLoss removes a user's assignments on the bills of a TIN, and records the loss.
func recordLoss(ctx context.Context, tx *sql.Tx, l Loss, by string) error {
	id, err := newLosses.Add(ctx, tx, l, "id")
	if err != nil {
		return err
	}
	return db.Run(ctx, tx, `
		UPDATE bill_work SET assigned_to = NULL, lost_id = $1, version = version + 1, updated_at = $2, updated_by = $3
		WHERE group_id = $4 AND assigned_to = $5 AND ftin = $6`, id, l.At, by, l.Group, l.UserID, l.FTIN)
}

// listLosses returns some losses of a group, newest first.
func listLosses(ctx context.Context, q db.Queryer, group int64, limit int) ([]Loss, error) {
	return losses.Select(ctx, q, `WHERE group_id = $1 ORDER BY id DESC LIMIT $2`, group, limit)
}

func removeLoss(ctx context.Context, tx *sql.Tx, group, id int64) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM lost_assignments WHERE id = $1 AND group_id = $2`, id, group)
}

func removeLossesBefore(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM lost_assignments
		WHERE id IN (SELECT id FROM lost_assignments WHERE at < $1 LIMIT $2)`, before, db.BatchSize)
}
