package cases

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

// cases describes the table of questions.
var cases = db.NewTable("cases", db.Fields[Case]("id")...)

// caseBills describes the table of the cases' bills.
var caseBills = db.NewTable("case_bills", db.Fields[aboutBill]("id")...)

// entries describes the table of the cases' threads.
var entries = db.NewTable("case_entries", db.Fields[Entry]("id")...)

// read is the latest entry of the network that a user has read.
type read struct{ CaseID, UserID, EntryID int64 }

var reads = db.NewTable("case_reads", db.Fields[read]("case_id", "user_id")...)

// savedReplies describes the table of texts that staff insert into answers.
var savedReplies = db.NewTable("case_replies", db.Fields[SavedReply]("id")...)

var writers = db.NewTable("case_writing", db.Fields[writer]("case_id", "user_id")...)

// letters describes the table of the letters to complainants.
var letters = db.NewTable("case_letters", db.Fields[letter]("id")...)

// The database assigns the ids of new rows.
var (
	newCases   = cases.Without("id")
	newBills   = caseBills.Without("id")
	newEntries = entries.Without("id")
	newLetters = letters.Without("id")
	newReplies = savedReplies.Without("id")
)

func getByKey(ctx context.Context, q db.Queryer, author int64, key string) (Case, error) {
	return cases.Get(ctx, q, `WHERE opened_by = $1 AND request_key = $2`, author, key)
}

// getCase returns a case by its number, locked by the given clause.
func getCase(ctx context.Context, q db.Queryer, number, lock string) (Case, error) {
	return cases.Get(ctx, q, `WHERE number = $1`+lock, number)
}

func getByID(ctx context.Context, q db.Queryer, id int64) (Case, error) {
	return cases.Get(ctx, q, `WHERE id = $1`, id)
}

// getTraceNumber returns the check or transfer number of a remittance.
func getTraceNumber(ctx context.Context, q db.Queryer, id record.RemittanceID) (number string, err error) {
	return db.One[string](ctx, q, `SELECT trace_number FROM remittances WHERE ftin = $1 AND remittance = $2`, id.FTIN, id.Remittance)
}

// addCase stores a new case under a number that no other has.
func addCase(ctx context.Context, tx *sql.Tx, c Case) (Case, error) {
	for {
		c.Number = newNumber()
		var taken int
		err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM cases WHERE number = $1`, c.Number).Scan(&taken)
		if err != nil {
			return c, err
		}
		if taken == 0 {
			c.ID, err = newCases.Add(ctx, tx, c, "id")
			return c, err
		}
	}
}

func putCase(ctx context.Context, tx *sql.Tx, c Case) error {
	_, err := cases.Update(ctx, tx, c)
	return err
}

func addBills(ctx context.Context, tx *sql.Tx, bills []aboutBill) error {
	return newBills.Insert(ctx, tx, bills...)
}

// listBills lists the bills of cases.
func listBills(ctx context.Context, q db.Queryer, ids []int64) ([]aboutBill, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return caseBills.Select(ctx, q, `WHERE case_id IN (`+db.In(1, len(ids))+`) ORDER BY id`, db.Args(ids)...)
}

func insertEntry(ctx context.Context, tx *sql.Tx, e Entry) (int64, error) {
	return newEntries.Add(ctx, tx, e, "id")
}

// listEntries lists a case's thread as a side sees it, oldest first.
func listEntries(ctx context.Context, q db.Queryer, id int64, by Side) ([]Entry, error) {
	if by == Network {
		return entries.Select(ctx, q, `WHERE case_id = $1 ORDER BY id`, id)
	}
	return entries.Select(ctx, q, `WHERE case_id = $1 AND visible = 'BOTH' ORDER BY id`, id)
}

// getEntryByKey returns the entry that an author's request with a key stored.
func getEntryByKey(ctx context.Context, q db.Queryer, author int64, key string) (Entry, error) {
	return entries.Get(ctx, q, `WHERE author_id = $1 AND request_key = $2 AND request_key <> ''`, author, key)
}

// moveEntries moves the thread, the bills and the files of a case to another one.
func moveEntries(ctx context.Context, tx *sql.Tx, from, to int64) error {
	_, err := db.Exec(ctx, tx, `UPDATE case_entries SET case_id = $2 WHERE case_id = $1`, from, to)
	if err == nil {
		_, err = db.Exec(ctx, tx, `UPDATE case_files SET case_id = $2 WHERE case_id = $1`, from, to)
	}
	if err == nil {
		_, err = db.Exec(ctx, tx, `UPDATE case_bills SET case_id = $2 WHERE case_id = $1 AND bill_control_number_key NOT IN
			(SELECT bill_control_number_key FROM case_bills WHERE case_id = $2)`, from, to)
	}
	return err
}

// countContacts returns how often a group contacted the network about a bill: its questions, and the
// calls that staff logged. A question that staff opened from a call is that call.
func countContacts(ctx context.Context, q db.Queryer, group int64, ftin, bill string) (n int, err error) {
	const about = `SELECT case_id FROM case_bills WHERE ftin = $2 AND bill_control_number_key = $3`
	return db.One[int](ctx, q, `SELECT (SELECT count(*) FROM cases WHERE group_id = $1 AND kind <> 'CALL' AND state <> 'MERGED'
		AND id IN (`+about+`) AND NOT EXISTS (SELECT 1 FROM case_entries o WHERE o.case_id = cases.id AND o.kind = 'CALL'
			AND o.author_id = cases.opened_by)) + (SELECT count(*) FROM case_entries e JOIN cases c ON c.id = e.case_id
		WHERE c.group_id = $1 AND e.kind = 'CALL' AND e.case_id IN (`+about+`))`, group, ftin, bill)
}

// deleteCall deletes a call without other entries.
func deleteCall(ctx context.Context, tx *sql.Tx, id int64) error {
	for _, query := range []string{
		`DELETE FROM case_reads WHERE case_id = $1`, `DELETE FROM case_bills WHERE case_id = $1`,
		`DELETE FROM case_entries WHERE case_id = $1`, `DELETE FROM cases WHERE id = $1`,
	} {
		if _, err := db.Exec(ctx, tx, query, id); err != nil {
			return err
		}
	}
	return nil
}

// deleteCallEntry deletes a call from a case's thread, with the bills that it added.
func deleteCallEntry(ctx context.Context, tx *sql.Tx, caseID, id int64) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM case_bills WHERE case_id = $1 AND call_id = $2`, caseID, id)
	if err == nil {
		_, err = db.Exec(ctx, tx, `DELETE FROM case_entries WHERE id = $1`, id)
	}
	return err
}

// listReplies lists the saved replies by title.
func listReplies(ctx context.Context, q db.Queryer) ([]SavedReply, error) {
	return savedReplies.Select(ctx, q, `ORDER BY title, id`)
}

func deleteReply(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM case_replies WHERE id = $1`, id)
}

// listWriters returns the IDs of staff who wrote to a case since a time.
func listWriters(ctx context.Context, q db.Queryer, id int64, since db.Instant) (ids []int64, err error) {
	return db.List[int64](ctx, q, `SELECT user_id FROM case_writing WHERE case_id = $1 AND at > $2 ORDER BY user_id`, id, since)
}

func deleteWriter(ctx context.Context, q db.Queryer, me writer) error {
	return db.Run(ctx, q, `DELETE FROM case_writing WHERE case_id = $1 AND user_id = $2`, me.CaseID, me.UserID)
}

// deleteOldWriters deletes the rows of staff who last wrote before a time.
func deleteOldWriters(ctx context.Context, q db.Queryer, before db.Instant) error {
	return db.Run(ctx, q, `DELETE FROM case_writing WHERE at < $1`, before)
}

func putRead(ctx context.Context, tx *sql.Tx, r read) error { return reads.Upsert(ctx, tx, r) }

// Follows moves questions when their bills get other numbers.
var Follows = batch.Keyed{Tables: []string{"case_bills"}, Follow: follow}

func follow(ctx context.Context, tx *sql.Tx, f batch.KeyChanges) error {
	list, err := caseBills.LockByKeys(ctx, tx, []string{"ftin", "bill_control_number_key"}, f.Keys(), "", f.Lock)
	if err != nil {
		return err
	}
	for _, b := range list {
		if !f.FollowRow(b.FTIN, &b.Bill, &b.WrittenOn) {
			continue
		}
		if _, err := caseBills.Update(ctx, tx, b); err != nil {
			return err
		}
	}
	return nil
}

// ownPart selects a part of a viewer's cases.
type ownPart struct {
	states []State
	needs  bool  // only those that need the viewer
	mine   bool  // only the viewer's own
	before int64 // ID of the last case of the previous part; 0: none
	limit  int
}

// tinsPerQuery is the number of TINs in one statement.
const tinsPerQuery = 40

// active is the condition of the index of cases that aren't ended. SQLite compares the text.
const active = `state IN ('OPEN', 'WAITING', 'ANSWERED')`

// listOwn lists a part of a viewer's cases, newest first.
func listOwn(ctx context.Context, q db.Queryer, v viewer, p ownPart) ([]Case, error) {
	var ids []int64
	for tins := range slices.Chunk(v.tins(), tinsPerQuery) {
		args := []any{v.GroupID, v.ID, v.Type == access.PRAD, p.limit}
		and := ` AND state <> 'MERGED'` // a list of all others is slow in SQLite
		if len(p.states) < len(tabStates[TabAll]) {
			and = ` AND state IN (` + db.In(len(args)+1, len(p.states)) + `)`
			args = append(args, db.Args(p.states)...)
		}
		if p.isActive() {
			and += ` AND ` + active
		}
		if p.needs {
			and += ` AND (state = 'WAITING' OR last_network_id > COALESCE(
				(SELECT r.entry_id FROM case_reads r WHERE r.case_id = cases.id AND r.user_id = $2), 0))`
		}
		if p.mine {
			and += ` AND opened_by = $2`
		}
		if p.before > 0 {
			args = append(args, p.before)
			and += ` AND id < $` + strconv.Itoa(len(args))
		}
		arms := make([]string, len(tins))
		for i, tin := range tins {
			args = append(args, tin)
			arms[i] = `SELECT id FROM (SELECT id FROM cases WHERE group_id = $1 AND ftin = $` + strconv.Itoa(len(args)) + and + noTIN +
				` ORDER BY group_id DESC, ftin DESC, id DESC LIMIT $4) t` + strconv.Itoa(i)
		}
		var found []int64
		if err := db.Select(ctx, q, &found, strings.Join(arms, " UNION ALL "), args...); err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	list, err := listByID(ctx, q, ids[max(0, len(ids)-p.limit):])
	slices.SortFunc(list, func(a, b Case) int { return cmp.Compare(b.ID, a.ID) })
	return list, err
}

// noTIN is the condition that a viewer sees a case of their group without a TIN.
const noTIN = ` AND (ftin <> '' OR opened_by = $2 OR $3)`

// tins returns the TINs of the cases that a viewer sees, including the empty one.
func (v viewer) tins() []string { return append([]string{""}, v.scope.TINs()...) }

// isActive reports whether the part has only cases that aren't ended.
func (p ownPart) isActive() bool {
	return !slices.ContainsFunc(p.states, func(s State) bool { return s != Open && s != Waiting && s != Answered })
}

// countForUser counts a viewer's answers to read and replies to write.
func countForUser(ctx context.Context, q db.Queryer, v viewer) (n alerts.Questions, err error) {
	tins := v.tins()
	return db.One[alerts.Questions](ctx, q, `SELECT COALESCE(SUM(CASE WHEN state = 'ANSWERED' THEN 1 ELSE 0 END), 0) AS answers,
			COALESCE(SUM(CASE WHEN state = 'WAITING' THEN 1 ELSE 0 END), 0) AS replies
		FROM cases LEFT JOIN case_reads r ON r.case_id = id AND r.user_id = $2
		WHERE group_id = $1 AND ftin IN (`+db.In(4, len(tins))+`) AND `+active+noTIN+`
			AND (state = 'WAITING' OR last_network_id > COALESCE(r.entry_id, 0))`,
		append([]any{v.GroupID, v.ID, v.Type == access.PRAD}, db.Args(tins)...)...)
}

// listReads returns the entries up to which a user has read cases.
func listReads(ctx context.Context, q db.Queryer, user int64, ids []int64) (map[int64]int64, error) {
	seen := map[int64]int64{}
	if len(ids) == 0 {
		return seen, nil
	}
	list, err := reads.Select(ctx, q, `WHERE user_id = $1 AND case_id IN (`+db.In(2, len(ids))+`)`,
		append([]any{user}, db.Args(ids)...)...)
	for _, r := range list {
		seen[r.CaseID] = r.EntryID
	}
	return seen, err
}

// listAbout lists a group's cases about a bill, newest first.
func listAbout(ctx context.Context, q db.Queryer, group int64, ftin, bill string) ([]Case, error) {
	return cases.Select(ctx, q, `WHERE group_id = $1 AND ftin = $2 AND id IN (SELECT case_id FROM case_bills
		WHERE ftin = $2 AND bill_control_number_key = $3 ORDER BY case_id DESC LIMIT 200) ORDER BY id DESC`, group, ftin, bill)
}

// listOpenAbout lists the cases of all groups about a bill that aren't ended, newest first.
func listOpenAbout(ctx context.Context, q db.Queryer, ftin, bill string) ([]Case, error) {
	return cases.Select(ctx, q, `WHERE ftin = $1 AND `+active+` AND id IN (SELECT case_id FROM case_bills
		WHERE ftin = $1 AND bill_control_number_key = $2 ORDER BY case_id DESC LIMIT 200) ORDER BY id DESC`, ftin, bill)
}

// listQueue lists the cases of a queue by due time.
func listQueue(ctx context.Context, q db.Queryer, queue Queue, user int64, now db.Instant, limit int) ([]Case, error) {
	switch queue {
	case QueueMine:
		return cases.Select(ctx, q, `WHERE owner_id = $1 AND state IN ('OPEN', 'WAITING') ORDER BY due_at, id LIMIT $2`, user, limit)
	case QueueUnassigned: // the index has both states
		return cases.Select(ctx, q, `WHERE owner_id IS NULL AND state IN ('OPEN', 'WAITING') AND state = 'OPEN'
			ORDER BY due_at, id LIMIT $1`, limit)
	case QueueOverdue:
		return cases.Select(ctx, q, `WHERE state = 'OPEN' AND due_at < $1 ORDER BY due_at, id LIMIT $2`, now, limit)
	case QueueWaiting:
		return cases.Select(ctx, q, `WHERE state = 'WAITING' ORDER BY id LIMIT $1`, limit)
	case QueueLegal: // see listLegal
		return nil, nil
	case QueueAll:
		return cases.Select(ctx, q, `WHERE state = 'OPEN' ORDER BY due_at, id LIMIT $1`, limit)
	}
	return nil, problem.New(problem.Invalid)
}

// listUnreplied lists up to 100 cases that were answered before a time.
// Complaints have a time of their own.
func listUnreplied(ctx context.Context, tx *sql.Tx, before, complaintsBefore db.Instant, lock string) ([]Case, error) {
	return cases.Select(ctx, tx, `WHERE state = 'ANSWERED' AND answered_at < $1 AND (kind <> 'COMPLAINT' OR answered_at < $2)
		ORDER BY answered_at LIMIT 100`+lock, before, complaintsBefore)
}

// billLaw has what determines the law of a bill.
type billLaw struct {
	State      string `db:"state_of_jurisdiction"`
	StateBasis string
	Filing     string
}

func getBillLaw(ctx context.Context, q db.Queryer, b aboutBill) (l billLaw, err error) {
	return db.One[billLaw](ctx, q, `SELECT state_of_jurisdiction, state_basis, filing FROM bills
		WHERE ftin = $1 AND bill_control_number_key = $2`, b.FTIN, b.Bill)
}

// listLegal lists the complaints of a queue for which law requires a letter, by day.
func listLegal(ctx context.Context, q db.Queryer, queue Queue, user int64, today date.Date, limit int) ([]Case, error) {
	switch queue {
	case QueueMine:
		return cases.Select(ctx, q, `WHERE legal_due IS NOT NULL AND owner_id = $1 AND state IN ('OPEN', 'WAITING')
			ORDER BY legal_due, id LIMIT $2`, user, limit)
	case QueueUnassigned:
		return cases.Select(ctx, q, `WHERE legal_due IS NOT NULL AND owner_id IS NULL AND state = 'OPEN'
			ORDER BY legal_due, id LIMIT $1`, limit)
	case QueueOverdue:
		return cases.Select(ctx, q, `WHERE legal_due IS NOT NULL AND legal_due < $1 ORDER BY legal_due, id LIMIT $2`, today, limit)
	case QueueWaiting, QueueAll:
		state := map[Queue]State{QueueWaiting: Waiting, QueueAll: Open}[queue]
		return cases.Select(ctx, q, `WHERE legal_due IS NOT NULL AND state = $1 ORDER BY legal_due, id LIMIT $2`, state, limit)
	case QueueLegal:
		return cases.Select(ctx, q, `WHERE legal_due IS NOT NULL ORDER BY legal_due, id LIMIT $1`, limit)
	}
	return nil, problem.New(problem.Invalid)
}

// listComplaints lists a part of the complaints that were received after another one, up to a day.
func listComplaints(ctx context.Context, q db.Queryer, after Case, to date.Date, limit int) ([]Case, error) {
	return cases.Select(ctx, q, `WHERE kind = 'COMPLAINT' AND (received_on, id) > ($1, $2) AND received_on <= $3
		ORDER BY received_on, id LIMIT $4`, after.ReceivedOn, after.ID, to, limit)
}

func insertLetter(ctx context.Context, tx *sql.Tx, l letter) error {
	return newLetters.Insert(ctx, tx, l)
}

func putLetter(ctx context.Context, tx *sql.Tx, l letter) error {
	_, err := letters.Update(ctx, tx, l)
	return err
}

// getLetter returns a letter of a case.
func getLetter(ctx context.Context, q db.Queryer, caseID, id int64) (letter, error) {
	return letters.Get(ctx, q, `WHERE id = $1 AND case_id = $2`, id, caseID)
}

// listLetters lists a case's letters, oldest first.
func listLetters(ctx context.Context, q db.Queryer, caseID int64) ([]letter, error) {
	return letters.Select(ctx, q, `WHERE case_id = $1 ORDER BY id`, caseID)
}

// listStoredLetters returns those of the file names that have a letter.
func listStoredLetters(ctx context.Context, q db.Queryer, names []string) ([]string, error) {
	return db.List[string](ctx, q, `SELECT storage_key FROM case_letters WHERE storage_key IN (`+db.In(1, len(names))+`)`,
		db.Args(names)...)
}

// countOverdue counts the cases whose promised time has passed.
func countOverdue(ctx context.Context, q db.Queryer, now db.Instant) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT due_at AS since FROM cases WHERE state = 'OPEN' AND due_at < $1 ORDER BY due_at`, now)
}

// legalBacklog has the cases whose legal day has passed.
type legalBacklog struct {
	Count int       // without those whose promised time has passed, too
	Due   date.Date // the earliest legal day; empty: none
}

func countLegalOverdue(ctx context.Context, q db.Queryer, now db.Instant, today date.Date) (b legalBacklog, err error) {
	return db.One[legalBacklog](ctx, q, `SELECT COALESCE(SUM(CASE WHEN state = 'OPEN' AND due_at < $2 THEN 0 ELSE 1 END), 0) AS count,
			min(legal_due) AS due FROM cases WHERE legal_due IS NOT NULL AND legal_due < $1`, today, now)
}

// listByID lists cases by their IDs.
func listByID(ctx context.Context, q db.Queryer, ids []int64) ([]Case, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return cases.Select(ctx, q, `WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
}

// listAuthors lists the authors of a case and of those merged into it. Its entries about merging start with their
// numbers.
func listAuthors(ctx context.Context, q db.Queryer, id int64) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE id IN (SELECT opened_by FROM cases WHERE id = $1 UNION SELECT opened_by FROM cases
		WHERE number IN (SELECT substr(body, 1, 11) FROM case_entries WHERE case_id = $1 AND kind = 'MERGE')) ORDER BY id`, id)
}

// listAdmins lists the administrators of a group.
func listAdmins(ctx context.Context, q db.Queryer, group int64) ([]users.User, error) {
	return users.Select(ctx, q, `
		WHERE group_id = $1 AND type_cd = 'PRAD' AND status_cd IN ('ACTIV', 'LOCK') ORDER BY id LIMIT 100`, group)
}

// caseEmails describes the table of emails.
var caseEmails = db.NewTable("case_emails", db.Fields[caseEmail]("id")...)

var newEmails = caseEmails.Without("id")

func addEmail(ctx context.Context, tx *sql.Tx, e caseEmail) (int64, error) {
	return newEmails.Add(ctx, tx, e, "id")
}

func putEmail(ctx context.Context, tx *sql.Tx, e caseEmail) error {
	_, err := caseEmails.Update(ctx, tx, e)
	return err
}

func getEmail(ctx context.Context, q db.Queryer, id int64) (caseEmail, error) {
	return caseEmails.Get(ctx, q, `WHERE id = $1`, id)
}

// latestEmail returns a user's latest email, queued or not, locked by the given clause.
func latestEmail(ctx context.Context, tx *sql.Tx, user int64, lock string) (caseEmail, error) {
	return caseEmails.Get(ctx, tx, `WHERE user_id = $1 ORDER BY send_at DESC LIMIT 1`+lock, user)
}

// listDueEmails lists up to 100 emails that can be queued now.
func listDueEmails(ctx context.Context, tx *sql.Tx, now db.Instant, lock string) ([]caseEmail, error) {
	return caseEmails.Select(ctx, tx, `WHERE queued_at IS NULL AND send_at <= $1 ORDER BY send_at LIMIT 100`+lock, now)
}

// deleteEmails deletes some emails that were queued before a time.
func deleteEmails(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM case_emails WHERE id IN (SELECT id FROM case_emails WHERE queued_at < $1 LIMIT $2)`,
		before, db.BatchSize)
}

// span is a range of time, without its end.
type span struct{ From, To db.Instant }

// answered is a case that was answered for the first time.
type answered struct {
	By       int64
	Topic    string
	OpenedAt db.Instant
	At       db.Instant
	Helpful  string
}

// eachAnswered reads the cases that were answered for the first time in a span.
func eachAnswered(ctx context.Context, q db.Queryer, r span, do func(answered)) error {
	rows, err := q.QueryContext(ctx, `SELECT COALESCE(first_answered_by, 0), topic, opened_at, first_answered_at, helpful FROM cases
		WHERE first_answered_at >= $1 AND first_answered_at < $2`, r.From, r.To)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a answered
		if err := rows.Scan(&a.By, &a.Topic, &a.OpenedAt, &a.At, &a.Helpful); err != nil {
			return err
		}
		do(a)
	}
	return rows.Err()
}

// tally counts cases of a staff member and a topic.
type tally struct {
	By      int64
	Topic   string
	Count   int
	Overdue int
}

// countOpen counts the open cases by owner and topic.
func countOpen(ctx context.Context, q db.Queryer, now db.Instant) (list []tally, err error) {
	return db.List[tally](ctx, q, `SELECT COALESCE(owner_id, 0) AS by, topic, COUNT(*) AS count,
			SUM(CASE WHEN due_at < $1 THEN 1 ELSE 0 END) AS overdue
		FROM cases WHERE state = 'OPEN' GROUP BY owner_id, topic`, now)
}

// countCalls counts the calls of a span by staff member and topic.
func countCalls(ctx context.Context, q db.Queryer, r span) (list []tally, err error) {
	return db.List[tally](ctx, q, `SELECT e.author_id AS by, c.topic, COUNT(*) AS count, 0 AS overdue
		FROM case_entries e JOIN cases c ON c.id = e.case_id
		WHERE e.kind = 'CALL' AND e.at >= $1 AND e.at < $2 GROUP BY e.author_id, c.topic`, r.From, r.To)
}

// kindCount counts open cases of a kind.
type kindCount struct {
	Kind    CaseKind
	Count   int
	Overdue int
}

// countKinds counts the open cases by kind.
func countKinds(ctx context.Context, q db.Queryer, now db.Instant) (list []kindCount, err error) {
	return db.List[kindCount](ctx, q, `SELECT kind, COUNT(*) AS count, SUM(CASE WHEN due_at < $1 THEN 1 ELSE 0 END) AS overdue
		FROM cases WHERE state = 'OPEN' GROUP BY kind`, now)
}
