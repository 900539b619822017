package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// The questions: every 20th is of the large office with 25 TINs, the others of offices with one.
const (
	largeOffice    = 20 // one in so many cases
	casesOfOffice  = 300
	caseDays       = 730
	entriesOfCase  = 10
	callsInCases   = 25 // one in so many
	firstCaseUser  = 1000
	staffOfNetwork = 20
)

// caseRow is a row of the table of cases.
type caseRow struct {
	ID, Group, OpenedBy, Owner int64
	Number, Kind, Topic, FTIN  string
	State, Helpful             string
	OpenedAt, AnsweredAt       db.Instant
	FirstAnsweredAt, DueAt     db.Instant
	FirstAnsweredBy            int64
}

var caseTable = db.NewTable("cases",
	db.Col("id", func(c *caseRow) *int64 { return &c.ID }),
	db.Col("number", func(c *caseRow) *string { return &c.Number }),
	db.Col("kind", func(c *caseRow) *string { return &c.Kind }),
	db.Col("topic", func(c *caseRow) *string { return &c.Topic }),
	db.Col("group_id", func(c *caseRow) *int64 { return &c.Group }),
	db.Col("opened_by", func(c *caseRow) *int64 { return &c.OpenedBy }),
	db.Col("ftin", func(c *caseRow) *string { return &c.FTIN }),
	db.NullIfZero("owner_id", func(c *caseRow) *int64 { return &c.Owner }),
	db.Col("state", func(c *caseRow) *string { return &c.State }),
	db.Col("helpful", func(c *caseRow) *string { return &c.Helpful }),
	db.Col("opened_at", func(c *caseRow) *db.Instant { return &c.OpenedAt }),
	db.Col("answered_at", func(c *caseRow) *db.Instant { return &c.AnsweredAt }),
	db.Col("first_answered_at", func(c *caseRow) *db.Instant { return &c.FirstAnsweredAt }),
	db.NullIfZero("first_answered_by", func(c *caseRow) *int64 { return &c.FirstAnsweredBy }),
	db.Col("due_at", func(c *caseRow) *db.Instant { return &c.DueAt }),
	db.Computed("last_network_id", func(c *caseRow) any { return (c.ID + 1) * entriesOfCase }),
	db.Computed("request_key", func(c *caseRow) any { return c.Number }),
	db.Computed("version", func(*caseRow) any { return 1 }),
)

// makeCase returns one of the cases, which began evenly over two years. Those of the last two weeks
// aren't closed.
func makeCase(i, count int, now time.Time) caseRow {
	at := now.Add(-caseDays * 24 * time.Hour / time.Duration(count) * time.Duration(count-i))
	group := int64(2 + i%(count/casesOfOffice))
	c := caseRow{ID: int64(i), Group: group, OpenedBy: firstCaseUser + group, FTIN: fmt.Sprint(200_000_000 + group),
		Number: fmt.Sprintf("C-%d", i), Kind: "QUESTION", Topic: cases.Topics()[i%7], State: "CLOSED", Helpful: "YES",
		Owner: int64(1 + i%staffOfNetwork), OpenedAt: db.At(at)}
	if i%largeOffice == 0 {
		c.Group, c.OpenedBy, c.FTIN = 1, firstCaseUser+1, fmt.Sprint(100_000_000+i/largeOffice%tinsOfOffice)
	}
	answered := db.At(at.Add(time.Duration(1+i%40) * time.Hour))
	recent := i > count-count*14/caseDays
	switch {
	case i%callsInCases == 3:
		c.Kind, c.OpenedBy, c.Helpful = "CALL", c.Owner, ""
		return c
	case recent && i/7%10 < 2:
		c.State, c.DueAt, c.Owner, c.Helpful = "OPEN", db.At(at.Add(5*24*time.Hour)), c.Owner*int64(i/7%10), ""
		return c
	case recent && i/7%10 == 2:
		c.State = "WAITING"
	case recent:
		c.State, c.AnsweredAt = "ANSWERED", answered
	}
	c.FirstAnsweredAt, c.FirstAnsweredBy = answered, c.Owner
	return c
}

// fillCases creates the cases with their entries, bills and read marks.
func fillCases(ctx context.Context, d *db.DB, count int) error {
	now := time.Now()
	if _, err := d.Writer.ExecContext(ctx, fmt.Sprintf(`INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT i, 'x', 'x', 'PROVIDER', '2026-01-01T00:00:00Z', 'x' FROM n`, 2+count/casesOfOffice)); err != nil {
		return err
	}
	people := `INSERT INTO users (id, group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email,
		email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT i + %d, %s, '%[4]s' || i, '%[4]s' || i, 'x', 'x', 'x', 'x', '%[4]s' || i, '%[4]s' || i, '%[5]s', 'ACTIV',
			'2026-01-01T00:00:00Z', 'x', '2026-01-01T00:00:00Z', 'x' FROM n`
	for _, statement := range []string{
		fmt.Sprintf(people, staffOfNetwork, 0, "NULL", "staff", access.ISAD),
		fmt.Sprintf(people, 2+count/casesOfOffice, firstCaseUser, "i", "office", access.PRAD),
	} {
		if _, err := db.Exec(ctx, d.Writer, statement); err != nil {
			return err
		}
	}
	if err := withoutIndexes(ctx, d, "cases", func() error {
		for part := range slices.Chunk(makeRange(count), 20_000) {
			rows := make([]caseRow, len(part))
			for n, i := range part {
				rows[n] = makeCase(i, count, now)
			}
			if err := d.Tx(ctx, func(tx *sql.Tx) error { return caseTable.Insert(ctx, tx, rows...) }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for table, statement := range map[string]string{
		"case_entries": fmt.Sprintf(`INSERT INTO case_entries (id, case_id, at, author_id, side, visible, kind, body)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT id * %[1]d + i, id, opened_at, opened_by, CASE WHEN i %% 2 = 0 THEN 'NETWORK' ELSE 'OFFICE' END, 'BOTH',
				CASE WHEN kind = 'CALL' AND i = 1 THEN 'CALL' WHEN i %% 2 = 0 THEN 'ANSWER' ELSE 'MESSAGE' END,
				'The allowance is below our contract rate. Which fee schedule did you use, and from which date on? ' || i
			FROM cases, n`,
			entriesOfCase),
		"case_bills": `INSERT INTO case_bills (case_id, ftin, bill_control_number_key, number)
			SELECT id, ftin, '7' || (id % 500000), '7' || (id % 500000) FROM cases`,
		"case_reads": `INSERT INTO case_reads (case_id, user_id, entry_id)
			SELECT id, opened_by, last_network_id FROM cases WHERE id % 3 = 0`,
	} {
		if err := withoutIndexes(ctx, d, table, func() error {
			return db.Run(ctx, d.Writer, statement)
		}); err != nil {
			return err
		}
	}
	if d.Dialect.Name == "postgres" { // the rows have numbers of their own
		for _, table := range []string{"cases", "case_entries"} {
			if _, err := d.Writer.ExecContext(ctx, fmt.Sprintf(
				`SELECT setval(pg_get_serial_sequence('%[1]s', 'id'), (SELECT max(id) FROM %[1]s))`, table)); err != nil {
				return err
			}
		}
	}
	return rest(ctx, d)
}

func makeRange(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// cases measures lists, queues, threads, figures and counts of questions.
func (b *bench) cases(ctx context.Context, kind string, count int) error {
	portal, drop, err := b.inside(ctx, kind, "cases", count)
	if err != nil {
		return err
	}
	defer drop()
	if err := fillCases(ctx, portal.DB, count); err != nil {
		return err
	}
	office, pages, err := makeLargeOffice(ctx, portal)
	if err != nil {
		return err
	}
	staff := access.Actor{Person: access.Person{ID: 1, UserName: "staff1", Type: access.ISAD}}
	today := date.Of(time.Now())
	list := func(tab cases.Tab, mine bool) func() (int, error) {
		return func() (int, error) {
			found, _, err := portal.Cases.ListOwn(ctx, office, tab, mine, "")
			return len(found), err
		}
	}
	queue := func(q cases.Queue) func() (int, error) {
		return func() (int, error) {
			found, err := portal.Cases.ListQueue(ctx, staff, q, 200)
			return len(found), err
		}
	}
	times := func(days int) func() (int, error) {
		return func() (int, error) {
			t, err := portal.Cases.CountTimes(ctx, today.AddDays(1-days), today)
			return len(t.Topics), err
		}
	}
	numbers, err := askQuestions(ctx, portal, office)
	if err != nil {
		return err
	}
	opened := 0
	for _, m := range []struct {
		work string
		goal float64 // milliseconds
		call func() (int, error)
	}{
		{"Questions, all of 25 TINs", 50, list(cases.TabAll, false)},
		{"Questions, those that need the user", 50, list(cases.TabReply, false)},
		{"Questions, a user's own", 50, list(cases.TabOpen, true)},
		{"Questions on Today", 50, func() (int, error) {
			scope, _ := office.ReadScope()
			n, err := portal.Cases.CountForUser(ctx, portal.DB.Reader, office.Person, scope)
			return n.Answers * n.Replies, err
		}},
		{"Questions at the desk, unassigned", 100, queue(cases.QueueUnassigned)},
		{"Questions at the desk, overdue", 100, queue(cases.QueueOverdue)},
		{"One question", 80, func() (int, error) {
			opened++
			t, err := portal.Cases.OpenAtDesk(ctx, numbers[opened%len(numbers)])
			return len(t.Entries), err
		}},
		{"Questions about a bill", 10, func() (int, error) {
			found, err := portal.Cases.FindAbout(ctx, office, pages[0])
			return len(found), err
		}},
		{"A new question about 50 bills", 300, func() (int, error) { return askAbout(ctx, portal, office, pages) }},
		{"Answer times of 30 days", 200, times(30)},
		{"Answer times of 366 days", 1000, times(366)},
	} {
		p95, err := measureCalls(b.burst, m.call)
		if err != nil {
			return fmt.Errorf("%s: %w", m.work, err)
		}
		b.table.add(fmt.Sprintf("%s, %s, %s cases", m.work, productNames[kind], short(count)), fmt.Sprintf("%.1f ms", p95), "", "",
			fmt.Sprintf("p95 < %g ms", m.goal), p95 < m.goal)
	}
	return nil
}

// makeLargeOffice returns the administrator of the large office and the pages of bills. The first has an open question.
func makeLargeOffice(ctx context.Context, portal *app.App) (office access.Actor, pages []string, err error) {
	var tins []string
	for i := range tinsOfOffice {
		tins = append(tins, fmt.Sprint(100_000_000+i))
	}
	office = access.Actor{Person: access.Person{ID: firstCaseUser + 1, UserName: "office1", Type: access.PRAD, GroupID: 1}}.
		WithTINs(firstCaseUser+1, tins)
	var of struct{ FTIN, Number string }
	if err := db.Get(ctx, portal.DB.Reader, &of, `SELECT b.ftin, b.number FROM case_bills b JOIN cases c ON c.id = b.case_id
		WHERE c.group_id = 1 AND c.state = 'ANSWERED' ORDER BY c.id DESC LIMIT 1`); err != nil {
		return office, nil, err
	}
	for i := range cases.MaxBills {
		number := of.Number
		if i > 0 {
			number = fmt.Sprintf("8%d", i)
		}
		if err := store.Bills.Insert(ctx, portal.DB.Writer, facts.Bill{FTIN: of.FTIN, BillControlNumber: number,
			OpenState: billstate.Priced, BeginServiceDate: "2026-04-01", BillType: "P", BillStatus: "1", Source: facts.SourceBill,
			Fact: number, BillCharges: 10000, PayerName: "Beacon Road"}); err != nil {
			return office, nil, err
		}
		page, err := portal.Bills.Records.PageID(of.FTIN, number)
		if err != nil {
			return office, nil, err
		}
		pages = append(pages, page)
	}
	return office, pages, nil
}

// askAbout asks a question about bills and returns the length of its number.
func askAbout(ctx context.Context, portal *app.App, office access.Actor, pages []string) (int, error) {
	c, err := portal.Cases.Submit(ctx, office, cases.Question{RequestKey: rand.Text(), Topic: cases.TopicOther, Body: "Which one?",
		Pages: pages})
	return len(c.Number), err
}

// askQuestions asks some questions with replies and returns their numbers.
func askQuestions(ctx context.Context, portal *app.App, office access.Actor) (numbers []string, err error) {
	for i := range 20 {
		c, err := portal.Cases.Submit(ctx, office, cases.Question{RequestKey: fmt.Sprint(i), Topic: cases.TopicOther, Body: "Which one?"})
		if err != nil {
			return nil, err
		}
		for n := range entriesOfCase - 1 {
			w := cases.Written{RequestKey: fmt.Sprint(i, " ", n), Body: fmt.Sprintf("Line %d?", n)}
			if _, err := portal.Cases.Reply(ctx, office, c.Number, w); err != nil {
				return nil, err
			}
		}
		numbers = append(numbers, c.Number)
	}
	return numbers, nil
}

// measureCalls calls for some time and returns the 95th percentile in milliseconds. Each call must find something.
func measureCalls(lasting time.Duration, call func() (int, error)) (p95 float64, err error) {
	if _, err := call(); err != nil { // a warm-up
		return 0, err
	}
	var took []float64
	for started := time.Now(); len(took) < 20 || time.Since(started) < lasting; {
		began := time.Now()
		found, err := call()
		took = append(took, time.Since(began).Seconds()*1000)
		if err != nil {
			return 0, err
		}
		if found == 0 {
			return 0, errors.New("the result is empty")
		}
	}
	slices.Sort(took)
	return took[len(took)*95/100], nil
}
