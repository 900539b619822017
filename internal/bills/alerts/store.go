package alerts

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// tinsPerQuery is the number of TINs in one statement.
const tinsPerQuery = 40

func placeholder(n int) string { return "$" + strconv.Itoa(n) }

// newestChange returns the last change of any bill, or 0 if there's none.
func newestChange(ctx context.Context, q db.Queryer) (int64, error) {
	return db.One[int64](ctx, q, `SELECT COALESCE(max(id), 0) FROM bill_changes`)
}

// quoteList lists change kinds of the ledger for a statement.
func quoteList(changes []string) string { return "('" + strings.Join(changes, "', '") + "')" }

// kindSQL is the SQL for the kind under which a change is counted.
var kindSQL = func() string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, kind := range announced {
		if kind == Overdue { // not a change of a bill
			continue
		}
		b.WriteString(" WHEN c.kind IN " + quoteList(changeKinds[kind]) + " THEN '" + kind + "'")
	}
	return b.String() + " END"
}()

// tally counts the bills of a kind. The amount is in cents: what was paid, else the charges.
type tally struct {
	Kind   string
	Bills  int
	Amount int64
}

// counts returns the number of bills in scope with announced changes, each bill once per kind.
func counts(ctx context.Context, q db.Queryer, scope access.Scope, w Window) ([]tally, error) {
	if len(scope.TINs()) == 0 {
		return nil, nil
	}
	var list []tally
	args := append([]any{w.From, w.To}, toArgs(scope.TINs())...)
	err := db.Select(ctx, q, &list, `
		SELECT t.kind, count(*) AS bills,
			COALESCE(sum(CASE t.kind WHEN '`+Paid+`' THEN b.paid_amount ELSE b.bill_charges END), 0) AS amount FROM (
			SELECT DISTINCT c.ftin, c.bill_control_number_key, `+kindSQL+` AS kind FROM bill_changes c
			WHERE c.ftin IN (`+db.In(3, len(scope.TINs()))+`) AND c.id > $1 AND c.id <= $2 AND NOT c.quiet) t
			JOIN bills b ON b.ftin = t.ftin AND b.bill_control_number_key = t.bill_control_number_key
		WHERE t.kind IS NOT NULL GROUP BY t.kind`, args...)
	return list, err
}

func toArgs(list []string) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// countWatched returns the number of changed bills that a user follows.
func countWatched(ctx context.Context, q db.Queryer, scope access.Scope, user int64, w Window) (int, error) {
	n, err := watchCount(ctx, q, user)
	if err != nil || n == 0 || len(scope.TINs()) == 0 {
		return 0, err
	}
	args := append([]any{user, w.From, w.To}, toArgs(scope.TINs())...)
	err = db.Get(ctx, q, &n, `
		SELECT count(*) FROM (
			SELECT DISTINCT c.ftin, c.bill_control_number_key
			FROM bill_changes c JOIN bills b ON b.ftin = c.ftin AND b.bill_control_number_key = c.bill_control_number_key
			WHERE c.ftin IN (`+db.In(4, len(scope.TINs()))+`) AND c.id > $2 AND c.id <= $3
				AND NOT c.quiet AND c.kind IN `+quoteList(anyChange)+watchCondition("$1")+`) t`, args...)
	return n, err
}

// changedBill is a bill with its last change.
type changedBill struct {
	facts.Bill
	Change     int64
	Kind       string // the ledger's kind
	At         db.Instant
	OccurredOn date.Date
}

// shown are the columns of a bill that a list shows.
var shown = store.Bills.Only("ftin", "bill_control_number", "claim_number", "patient_first_name", "patient_middle_name",
	"patient_last_name", "begin_service_date",
	"payer_name", "bill_charges", "recommended_allowance", "paid_amount", "next_due")

var rows = db.NewTable("t", slices.Concat(
	db.Within(func(c *changedBill) *facts.Bill { return &c.Bill }, shown.Columns(shown.Names()...)),
	[]db.Column[changedBill]{
		db.Col("change_id", func(c *changedBill) *int64 { return &c.Change }),
		db.Col("kind", func(c *changedBill) *string { return &c.Kind }),
		db.Col("at", func(c *changedBill) *db.Instant { return &c.At }),
		db.Col("occurred_on", func(c *changedBill) *date.Date { return &c.OccurredOn }),
	},
)...)

// watchCondition is the condition that the user of a placeholder follows the bill of a change.
func watchCondition(user string) string {
	return ` AND (EXISTS (SELECT 1 FROM watches w WHERE w.user_id = ` + user +
		` AND w.ftin = c.ftin AND w.kind = 'BILL' AND w.number_key = c.bill_control_number_key)
		OR EXISTS (SELECT 1 FROM watches w WHERE w.user_id = ` + user +
		` AND w.ftin = c.ftin AND w.kind = 'CLAIM' AND w.number_key = b.claim_number_key))`
}

// changedBills lists the bills of a scope with changes that a figure counts, before a given
// change. Each comes with its last change, newest first.
func changedBills(ctx context.Context, q db.Queryer, scope access.Scope, f Figure, before int64, limit int) ([]changedBill, error) {
	of := quoteList(anyChange)
	if kinds, has := changeKinds[f.Kind]; has {
		of = quoteList(kinds)
	}
	var list []changedBill
	for tins := range slices.Chunk(scope.TINs(), tinsPerQuery) {
		args := []any{f.From, f.To, before, limit}
		mine := ""
		if f.follower != 0 {
			args = append(args, f.follower)
			mine = watchCondition(placeholder(len(args)))
		}
		arms := make([]string, len(tins))
		for i, tin := range tins {
			args = append(args, tin)
			arms[i] = `SELECT * FROM (SELECT ` + shown.List("b.") + `, c.id AS change_id, c.kind, c.at, c.occurred_on
				FROM bill_changes c JOIN bills b ON b.ftin = c.ftin AND b.bill_control_number_key = c.bill_control_number_key
				WHERE c.ftin = ` + placeholder(len(args)) + ` AND c.id > $1 AND c.id < $3 AND NOT c.quiet AND c.kind IN ` + of + mine + `
					AND NOT EXISTS (SELECT 1 FROM bill_changes l WHERE l.ftin = c.ftin
						AND l.bill_control_number_key = c.bill_control_number_key AND l.id > c.id
						AND l.id <= $2 AND NOT l.quiet AND l.kind IN ` + of + `)
				ORDER BY c.ftin DESC, c.id DESC LIMIT $4) t` + strconv.Itoa(i)
		}
		found, err := rows.Query(ctx, q, strings.Join(arms, " UNION ALL "), args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b changedBill) int { return int(b.Change - a.Change) })
	return list[:min(limit, len(list))], nil
}

// overdue is the condition for bills that became overdue at the payer between the days $1 and
// $2. It contains the exact condition of the index bills_open, because SQLite compares the text.
const overdue = billstate.OpenSQL + ` AND b.open_state IN ('` + string(billstate.Received) + `', '` + string(billstate.Priced) +
	`') AND b.next_due >= $1 AND b.next_due < $2`

// countOverdue counts the bills of a scope that are overdue at the payer.
func countOverdue(ctx context.Context, q db.Queryer, scope access.Scope, w Window) (tally, error) {
	if len(scope.TINs()) == 0 {
		return tally{}, nil
	}
	t := tally{Kind: Overdue}
	args := append([]any{w.Since, w.Today}, toArgs(scope.TINs())...)
	err := db.Get(ctx, q, &t, `SELECT '`+Overdue+`' AS kind, count(*) AS bills, COALESCE(sum(b.bill_charges), 0) AS amount FROM bills b
		WHERE b.ftin IN (`+db.In(3, len(scope.TINs()))+`) AND `+overdue, args...)
	return t, err
}

// lateRows are bills as lists show them.
var lateRows = db.NewTable("b", shown.Columns(shown.Names()...)...)

// overdueBills lists the overdue bills after a position, longest overdue first. The inner query needs
// only an index of open bills. Without it, SQLite reads every bill of the TINs.
func overdueBills(ctx context.Context, q db.Queryer, scope access.Scope, w Window, after Place, limit int) ([]changedBill, error) {
	if len(scope.TINs()) == 0 {
		return nil, nil
	}
	args := append([]any{w.Since, w.Today, after.Due, after.FTIN, after.Bill, limit}, toArgs(scope.TINs())...)
	found, err := lateRows.Query(ctx, q, `
		SELECT `+shown.List("b.")+` FROM bills b WHERE (b.ftin, b.bill_control_number_key) IN (
			SELECT b.ftin, b.bill_control_number_key FROM bills b WHERE b.ftin IN (`+db.In(7, len(scope.TINs()))+`) AND `+overdue+`
				AND (b.next_due > $3 OR b.next_due = $3 AND (b.ftin > $4 OR b.ftin = $4 AND b.bill_control_number_key > $5))
			ORDER BY b.next_due, b.ftin, b.bill_control_number_key LIMIT $6
		) ORDER BY b.next_due, b.ftin, b.bill_control_number_key`, args...)
	list := make([]changedBill, len(found))
	for i, b := range found {
		list[i] = changedBill{Bill: b, Kind: changeOverdue, OccurredOn: b.NextDue}
	}
	return list, err
}

// changeOverdue is used in place of a change kind, because being overdue isn't a change.
const changeOverdue = "OVERDUE"

// Seen is the position up to which a user has marked Today as seen.
type Seen struct {
	UserID int64
	Change int64 `db:"change_id"`
	Day    date.Date
	At     db.Instant
}

var seens = db.NewTable("alerts_seen", db.Fields[Seen]("user_id")...)

// seenBy returns the position up to which a user has seen updates, or db.ErrNotFound before the
// first visit.
func seenBy(ctx context.Context, q db.Queryer, user int64) (Seen, error) {
	return seens.Get(ctx, q, `WHERE user_id = $1`, user)
}

// putSeen only moves the position forward.
func putSeen(ctx context.Context, tx *sql.Tx, s Seen) error {
	return db.Run(ctx, tx, `
		INSERT INTO alerts_seen (user_id, change_id, day, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id) DO UPDATE SET change_id = excluded.change_id, day = excluded.day, at = excluded.at
		WHERE alerts_seen.change_id <= excluded.change_id AND alerts_seen.day <= excluded.day`, s.UserID, s.Change, s.Day, s.At)
}

// restoreSeen moves the position back to before, if it's still at now. It reports whether it was.
func restoreSeen(ctx context.Context, tx *sql.Tx, now, before Seen) (bool, error) {
	n, err := db.Exec(ctx, tx, `
		UPDATE alerts_seen SET change_id = $5, day = $6, at = $7 WHERE user_id = $1 AND change_id = $2 AND day = $3 AND at = $4`,
		now.UserID, now.Change, now.Day, now.At, before.Change, before.Day, before.At)
	return n > 0, err
}

// lastChangeBefore returns the last change of any of the TINs before a time, or 0. Changes are
// numbered in the order of time.
func lastChangeBefore(ctx context.Context, q db.Queryer, tins []string, at db.Instant) (last int64, err error) {
	for some := range slices.Chunk(tins, tinsPerQuery) {
		args, arms := []any{at}, make([]string, len(some))
		for i, tin := range some {
			args = append(args, tin)
			arms[i] = `SELECT id FROM (SELECT id FROM bill_changes WHERE ftin = ` + placeholder(len(args)) +
				` AND at < $1 ORDER BY ftin DESC, id DESC LIMIT 1) t` + strconv.Itoa(i)
		}
		var id int64
		if err := db.Get(ctx, q, &id, `SELECT COALESCE(max(id), 0) FROM (`+strings.Join(arms, " UNION ALL ")+`) t`, args...); err != nil {
			return 0, err
		}
		last = max(last, id)
	}
	return last, nil
}

// Watch is a bill, or a claim with all of its bills, that a user follows.
type Watch struct {
	UserID int64
	FTIN   string
	Kind   string
	Key    string `db:"number_key"`
	Number string // as shown
	At     db.Instant
}

var watchTable = db.NewTable("watches", db.Fields[Watch]("user_id", "ftin", "kind", "number_key")...)

// inForce excludes followed bills that joined other bills (see batch.Owned).
const inForce = `number_key >= ' '`

func listWatches(ctx context.Context, q db.Queryer, user int64) ([]Watch, error) {
	return watchTable.Select(ctx, q, `WHERE user_id = $1 AND `+inForce+` ORDER BY ftin, kind, number_key`, user)
}

// lockWatches locks a user's followed items against concurrent changes, and returns their
// number.
func lockWatches(ctx context.Context, tx *sql.Tx, d db.Dialect, user int64) (int, error) {
	var id int64
	if err := db.Get(ctx, tx, &id, `SELECT id FROM users WHERE id = $1`+d.ForUpdate, user); err != nil {
		return 0, err
	}
	return watchCount(ctx, tx, user)
}

// watchCount returns how many items a user follows.
func watchCount(ctx context.Context, q db.Queryer, user int64) (int, error) {
	return db.One[int](ctx, q, `SELECT count(*) FROM watches WHERE user_id = $1 AND `+inForce, user)
}

func addWatches(ctx context.Context, tx *sql.Tx, list []Watch) error {
	return watchTable.InsertMissing(ctx, tx, list...)
}

func removeWatch(ctx context.Context, tx *sql.Tx, w Watch) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM watches WHERE user_id = $1 AND ftin = $2 AND kind = $3
		AND number_key = $4`, w.UserID, w.FTIN, w.Kind, w.Key)
}

func lockBillWatches(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]Watch, error) {
	return watchTable.LockByKeys(ctx, tx, []string{"ftin", "number_key"}, keys, "t.kind = 'BILL'", lock)
}

func putWatches(ctx context.Context, tx *sql.Tx, rows []Watch) error {
	return watchTable.Upsert(ctx, tx, rows...)
}

// Follows moves followed bills when they get other numbers.
var Follows = batch.Keyed{Tables: []string{"watches"}, Follow: batch.Owned[Watch]{
	Among: lockBillWatches, Put: putWatches,
	Remove:   func(ctx context.Context, tx *sql.Tx, w Watch) error { _, err := removeWatch(ctx, tx, w); return err },
	At:       func(w *Watch) (string, *string, int64) { return w.FTIN, &w.Key, w.UserID },
	Renumber: func(w *Watch, number string) { w.Number = number },
	Merge:    func(kept, _ Watch) (Watch, bool) { return kept, true },
	Stays:    func(kept, left Watch) bool { return !kept.At.Equal(left.At.Time) }, // followed again
}.Follow}

// isWatching reports whether the user already follows an item.
func isWatching(ctx context.Context, q db.Queryer, user int64, ftin, kind, key string) (bool, error) {
	var n int
	err := db.Get(ctx, q, &n, `SELECT count(*) FROM watches WHERE user_id = $1 AND ftin = $2 AND kind = $3
		AND number_key = $4`, user, ftin, kind, key)
	return n > 0, err
}

// billID is a bill identified by TIN and key.
type billID struct{ ftin, key string }

// findBills returns the existing bills of a scope with current or former numbers, each once. The lock protects their
// numbers as in store.FindNumber; empty: none.
func findBills(ctx context.Context, q db.Queryer, scope access.Scope, names []billID, lock string) ([]facts.Bill, error) {
	names = slices.Clone(names)
	if err := store.Renumber(ctx, q, scope.Has, names, func(n *billID) (string, *string) { return n.ftin, &n.key }, lock); err != nil {
		return nil, err
	}
	var pairs [][]any
	asked := map[billID]bool{}
	for _, n := range names {
		if scope.Has(n.ftin) && !asked[n] {
			asked[n] = true
			pairs = append(pairs, []any{n.ftin, n.key})
		}
	}
	var list []facts.Bill
	for some := range slices.Chunk(pairs, 200) {
		found, err := shown.SelectByKeys(ctx, q, []string{"ftin", "bill_control_number_key"}, some, "")
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// userSettings are the email settings of a user.
type userSettings struct {
	UserID int64
	Mailing
	Delivered
	WatchAt     db.Instant // when the next email about followed items can be sent; zero for never
	WatchChange int64      // the last change in such an email
	Questions   bool       // emails about questions to the network
}

var settingsTable = db.NewTable("alert_settings", db.Fields[userSettings]("user_id")...)

func getSettings(ctx context.Context, q db.Queryer, user int64) (userSettings, error) {
	return settingsTable.Get(ctx, q, `WHERE user_id = $1`, user)
}

// lockSettings is getSettings that blocks other changes until the transaction ends.
func lockSettings(ctx context.Context, tx *sql.Tx, d db.Dialect, user int64) (userSettings, error) {
	return settingsTable.Get(ctx, tx, `WHERE user_id = $1`+d.ForUpdate, user)
}

// WantsQuestions reports whether a user gets emails about their questions to the network. They do
// unless they turned them off.
func WantsQuestions(ctx context.Context, q db.Queryer, user int64) (bool, error) {
	o, err := getSettings(ctx, q, user)
	if errors.Is(err, db.ErrNotFound) {
		return true, nil
	}
	return o.Questions, err
}

func putSettings(ctx context.Context, tx *sql.Tx, o userSettings) error {
	return settingsTable.Upsert(ctx, tx, o)
}

// dueUsers returns users with a due summary, dueWatchers those who can get an email about
// followed items.
func dueUsers(ctx context.Context, q db.Queryer, now db.Instant) ([]userSettings, error) {
	return settingsTable.Select(ctx, q, `WHERE next_at <= $1 ORDER BY next_at`, now)
}

func dueWatchers(ctx context.Context, q db.Queryer, now db.Instant) ([]userSettings, error) {
	return settingsTable.Select(ctx, q, `WHERE watch_at <= $1 ORDER BY watch_at`, now)
}

// passUser advances the position of a user who was due at a timestamp. A second worker changes
// nothing.
func passUser(ctx context.Context, tx *sql.Tx, user int64, was db.Instant, t Delivered) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE alert_settings SET next_at = $3, delivered_change = $4, delivered_day = $5, mailed_on = $6
		WHERE user_id = $1 AND next_at = $2`,
		user, was, t.NextAt, t.Change, t.Day, t.MailedOn)
}

func passWatcher(ctx context.Context, tx *sql.Tx, user int64, was, next db.Instant, change int64) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE alert_settings SET watch_at = $3, watch_change = $4 WHERE user_id = $1
		AND watch_at = $2`, user, was, next, change)
}

// stopUser stops the updates on bills to a user.
func stopUser(ctx context.Context, tx *sql.Tx, user int64) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE alert_settings SET digest = 'never', next_at = NULL, watch_at = NULL WHERE user_id = $1`, user)
}

// Mailbox is a shared mailbox of an office.
type Mailbox struct {
	ID          int64
	GroupID     int64
	Email       string
	AddedAt     db.Instant
	TokenHash   []byte
	ConfirmedAt db.Instant
	StoppedAt   db.Instant
	StoppedWhy  string
	Mailing
	Delivered
}

// mailboxes describes the table of mailboxes.
var mailboxes = db.NewTable("group_mailboxes", append(db.Fields[Mailbox]("id"),
	db.Computed("email_key", func(m *Mailbox) any { return m.key() }),
)...)

// newMailboxes omits the id, which the database assigns.
var newMailboxes = mailboxes.Without("id")

func listMailboxes(ctx context.Context, q db.Queryer, group int64) ([]Mailbox, error) {
	return mailboxes.Select(ctx, q, `WHERE group_id = $1 ORDER BY email_key`, group)
}

func mailboxByID(ctx context.Context, q db.Queryer, id int64) (Mailbox, error) {
	return mailboxes.Get(ctx, q, `WHERE id = $1`, id)
}

func mailboxByToken(ctx context.Context, q db.Queryer, hash []byte) (Mailbox, error) {
	return mailboxes.Get(ctx, q, `WHERE token_hash = $1`, hash)
}

func addMailbox(ctx context.Context, tx *sql.Tx, m Mailbox) (int64, error) {
	return newMailboxes.Add(ctx, tx, m, "id")
}

func mintMailbox(ctx context.Context, tx *sql.Tx, id int64, hash []byte) error {
	return db.Run(ctx, tx, `UPDATE group_mailboxes SET token_hash = $2 WHERE id = $1 AND confirmed_at IS NULL`, id, hash)
}

// confirmMailbox activates a mailbox, once.
func confirmMailbox(ctx context.Context, tx *sql.Tx, id int64, now db.Instant, t Delivered) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE group_mailboxes SET confirmed_at = $2, token_hash = NULL, next_at = $3, delivered_change = $4, delivered_day = $5,
			mailed_on = $6
		WHERE id = $1 AND confirmed_at IS NULL AND stopped_at IS NULL`, id, now, t.NextAt, t.Change, t.Day, t.MailedOn)
}

// stopMailbox stops the emails to a mailbox, unless it's already stopped.
func stopMailbox(ctx context.Context, tx *sql.Tx, id int64, why string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE group_mailboxes SET stopped_at = $2, stopped_why = $3, token_hash = NULL, next_at = NULL WHERE id = $1
			AND stopped_at IS NULL`, id, now, why)
}

func removeMailbox(ctx context.Context, tx *sql.Tx, group, id int64) (int64, error) {
	if _, err := db.Exec(ctx, tx, `DELETE FROM digests_sent
		WHERE mailbox_id IN (SELECT id FROM group_mailboxes WHERE id = $1 AND group_id = $2)`, id, group); err != nil {
		return 0, err
	}
	return db.Exec(ctx, tx, `DELETE FROM group_mailboxes WHERE id = $1 AND group_id = $2`, id, group)
}

func dueMailboxes(ctx context.Context, q db.Queryer, now db.Instant) ([]Mailbox, error) {
	return mailboxes.Select(ctx, q, `WHERE next_at <= $1 ORDER BY next_at`, now)
}

func passMailbox(ctx context.Context, tx *sql.Tx, id int64, was db.Instant, t Delivered) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE group_mailboxes SET next_at = $3, delivered_change = $4, delivered_day = $5, mailed_on = $6
		WHERE id = $1 AND next_at = $2`,
		id, was, t.NextAt, t.Change, t.Day, t.MailedOn)
}

// lockGroup locks the mailboxes of a group against concurrent changes.
func lockGroup(ctx context.Context, tx *sql.Tx, d db.Dialect, group int64) error {
	var id int64
	return db.Get(ctx, tx, &id, `SELECT id FROM groups WHERE id = $1`+d.ForUpdate, group)
}

// sentEmail is an email and its range of updates.
type sentEmail struct {
	ID        int64
	UserID    int64 `db:",null"` // 0 if sent to a mailbox
	MailboxID int64 `db:",null"`
	Period    string
	Window
	At db.Instant
}

var sents = db.NewTable("digests_sent", db.Fields[sentEmail]("id")...)

// addSent records an email and returns its id, or false if the owner already had one in the
// period.
func addSent(ctx context.Context, tx *sql.Tx, s sentEmail) (id int64, first bool, err error) {
	var user, mailbox any
	if s.UserID != 0 {
		user = s.UserID
	}
	if s.MailboxID != 0 {
		mailbox = s.MailboxID
	}
	err = db.Get(ctx, tx, &id, `
		INSERT INTO digests_sent (user_id, mailbox_id, period, from_change, to_change, from_day, to_day, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT DO NOTHING RETURNING id`, user, mailbox, s.Period, s.From, s.To, s.Since, s.Today, s.At)
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	return id, err == nil, err
}

func sentByID(ctx context.Context, q db.Queryer, id int64) (sentEmail, error) {
	return sents.Get(ctx, q, `WHERE id = $1`, id)
}

// forgetSent deletes some emails' records from before a timestamp.
func forgetSent(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM digests_sent WHERE id IN (SELECT id FROM digests_sent WHERE at < $1 LIMIT $2)`,
		before, db.BatchSize)
}

// dropMailboxes deletes mailboxes that weren't confirmed since before a timestamp. Administrators
// remove stopped ones.
func dropMailboxes(ctx context.Context, tx *sql.Tx, before db.Instant) error {
	return db.Run(ctx, tx, `DELETE FROM group_mailboxes WHERE confirmed_at IS NULL AND stopped_at IS NULL AND added_at < $1`, before)
}

// countRecipients counts the addresses of a group that get emails: its users' and its own.
func countRecipients(ctx context.Context, q db.Queryer, group int64) (int, error) {
	return db.One[int](ctx, q, `
		SELECT (SELECT count(*) FROM users u JOIN alert_settings s ON s.user_id = u.id
			WHERE u.group_id = $1 AND u.status_cd = 'ACTIV' AND (s.next_at IS NOT NULL OR s.watch_at IS NOT NULL))
		+ (SELECT count(*) FROM group_mailboxes m WHERE m.group_id = $1 AND m.confirmed_at IS NOT NULL AND m.stopped_at IS NULL)`, group)
}

// listTerminatedUsers returns terminated users with data here.
func listTerminatedUsers(ctx context.Context, q db.Queryer) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT u.id FROM users u WHERE u.status_cd = 'TERM' AND (EXISTS (SELECT 1 FROM watches w WHERE w.user_id = u.id)
			OR EXISTS (SELECT 1 FROM alert_settings s WHERE s.user_id = u.id)
				OR EXISTS (SELECT 1 FROM alerts_seen s WHERE s.user_id = u.id))
		ORDER BY u.id LIMIT 100`)
}

// forgetUser deletes all data of a user here.
func forgetUser(ctx context.Context, tx *sql.Tx, user int64) error {
	for _, statement := range []string{
		`DELETE FROM watches WHERE user_id = $1`, `DELETE FROM alert_settings WHERE user_id = $1`,
		`DELETE FROM alerts_seen WHERE user_id = $1`, `DELETE FROM digests_sent WHERE user_id = $1`,
	} {
		if _, err := db.Exec(ctx, tx, statement, user); err != nil {
			return err
		}
	}
	return nil
}

// listDeserted returns the mailboxes of groups without any accounts.
func listDeserted(ctx context.Context, q db.Queryer) ([]Mailbox, error) {
	return mailboxes.Select(ctx, q, `
		WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.group_id = group_mailboxes.group_id AND u.status_cd <> 'TERM')
		ORDER BY id LIMIT 100`)
}
