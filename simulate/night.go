package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
)

// actions are what the people and the operator do.
var actions = map[string]func(context.Context, *runner){
	"morning": morning, "night": night, "sign-in": signIn, "sign-out": signOut, "search": search, "open-bills": openBills,
	"remittances": listRemittances, "note": addNote, "work": work, "payer-call": payerCall, "post": post,
	"lookup": lookup, "export": export,
	"bulk-job": bulkJob, "upload": uploadFile, "upload-again": uploadAgain, "drop-file": dropFile, "set-tins": setTins, "reset": reset,
	"mirror": mirror, "add-user": addUser, "terminate": terminate, "group-tin": groupTIN, "relay": setRelay, "clock": setClock,
	"send-roster": sendRoster, "handle-roster": handleRoster, "announce": announce, "table": uploadTable,
	"digest": setDigest, "factors": factors,
	"ask": ask, "follow-up": followUp, "handle-question": handleQuestion, "log-call": logCall,
	"merge": mergeQuestions, "open-call": openCall, "record-complaint": recordComplaint, "send-again": sendAgain,
	"join-instance": joinInstance, "leave-instance": leaveInstance,
}

// morning signs everyone in.
func morning(ctx context.Context, r *runner) {
	r.s.mu.Lock()
	people := slices.Clone(r.s.people)
	r.s.mu.Unlock()
	for _, p := range people {
		if p.ended == 0 && !p.maybe {
			r.signInAs(ctx, p, p.password)
		}
	}
}

// night lets everything come to rest, checks what must be true then, moves the clock to the next
// day, and runs the periodic jobs.
func night(ctx context.Context, r *runner) {
	s := r.s
	s.fleet.relay.set("", nil)
	s.confirmFiles(ctx, r)
	s.confirmMessages(ctx)
	for _, check := range []func(context.Context){s.rest, s.checkBooks, s.checkWork, s.checkTables, s.checkAudit, s.checkRosters,
		s.checkEmails, s.checkDeposits, s.checkQuestions} {
		if check(ctx); len(s.found) > 0 {
			return
		}
	}
	s.moveClock(ctx, 24*time.Hour)
	s.runPeriodicJobs(ctx)
	s.rest(ctx)
	s.checkNotices(ctx)
	s.checkDigests(ctx)
	s.nights++
	s.faulty = false
}

// confirmFiles sends the files again whose outcome is unknown. On a busy machine the request can end
// without an answer again, so each has three attempts.
func (s *simulation) confirmFiles(ctx context.Context, r *runner) {
	isa := s.byName["isa"]
	for _, f := range s.ledger.files {
		for tries := 0; !f.certain && tries < 3; tries++ {
			s.rest(ctx)
			if t := r.signInAs(ctx, isa, isa.password); t != nil {
				r.send(ctx, t, f)
			}
		}
		if !f.certain {
			s.violate("uploads", "%s can't be uploaded", f.name)
		}
	}
}

// rest waits until no job can run and no file is being imported.
func (s *simulation) rest(ctx context.Context) {
	deadline := time.Now().Add(150 * time.Second)
	for quiet := 0; quiet < 2; {
		var busy int
		err := db.Get(ctx, s.fleet.db.Writer, &busy, `SELECT count(*) FROM river_job WHERE state IN ('available', 'running')`)
		left := s.listFeedFiles()
		switch {
		case err != nil:
			s.violate("readable", "%v", err)
			return
		case time.Now().After(deadline):
			s.violate("comes to rest", "%d jobs or files, and %d in the folder, aren't done:\n%s", busy, len(left), s.listBusy(ctx))
			return
		case busy > 0:
			quiet = 0
		case s.hurryJobs(ctx):
			quiet = 0
		case len(left) == 0:
			quiet++
		default: // the folder is scanned once a minute
			s.runPeriodicJobs(ctx, "feed-scan")
			quiet = 0
		}
		time.Sleep(60 * time.Millisecond)
	}
}

// hurryJobs makes jobs due that wait for their next attempt or for a time. River's clock isn't
// moved. It reports whether there were any.
func (s *simulation) hurryJobs(ctx context.Context) bool {
	n, err := db.Exec(ctx, s.fleet.db.Writer,
		`UPDATE river_job SET state = 'available', scheduled_at = created_at WHERE state IN ('retryable', 'scheduled')`)
	if err != nil {
		s.violate("writable", "%v", err)
	}
	return n > 0
}

// listFeedFiles returns the files in the watched folder that wait for their import.
func (s *simulation) listFeedFiles() (files []string) {
	for _, folder := range []string{"", "taking", "checking"} {
		found, err := filepath.Glob(filepath.Join(s.fleet.dir, "feeds", folder, "*.edi"))
		if err != nil {
			s.violate("readable", "%v", err)
		}
		files = append(files, found...)
	}
	return files
}

func (s *simulation) listBusy(ctx context.Context) string {
	var list []string
	if err := db.Select(ctx, s.fleet.db.Writer, &list, `
		SELECT 'job ' || kind || ' ' || state || ', attempt ' || attempt FROM river_job WHERE state IN ('available', 'running', 'retryable')
		UNION ALL SELECT 'file ' || file_name || ' ' || status FROM feed_files WHERE ended_at IS NULL`); err != nil {
		return err.Error()
	}
	return strings.Join(list, "\n")
}

// runPeriodicJobs adds the jobs that the clock would start, all of them or some kinds.
func (s *simulation) runPeriodicJobs(ctx context.Context, kinds ...string) {
	var jobs []struct {
		Kind, Args, Queue string
		MaxAttempts       int
	}
	read, write := "json(%s)", "$2" // River stores JSON in SQLite's binary form
	if s.fleet.cable != nil {
		read, write = "CAST(%s AS text)", "CAST($2 AS jsonb)"
	}
	query := fmt.Sprintf(`SELECT DISTINCT kind, `+read+` AS args, queue, max_attempts FROM river_job
		WHERE `+read+` LIKE '%%"periodic"%%' ORDER BY kind`, "args", "metadata")
	// After a kill, it takes River a while to elect the instance that adds them.
	for deadline := time.Now().Add(time.Minute); len(jobs) == 0; time.Sleep(100 * time.Millisecond) {
		if err := db.Select(ctx, s.fleet.db.Writer, &jobs, query); err != nil || time.Now().After(deadline) {
			s.violate("periodic jobs", "there are none: %v", err)
			return
		}
	}
	for _, j := range jobs {
		if len(kinds) > 0 && !slices.Contains(kinds, j.Kind) {
			continue
		}
		if _, err := db.Exec(ctx, s.fleet.db.Writer,
			`INSERT INTO river_job (kind, args, queue, max_attempts) VALUES ($1, `+write+`, $3, $4)`,
			j.Kind, j.Args, j.Queue, j.MaxAttempts); err != nil {
			s.violate("writable", "%v", err)
		}
	}
}

// checkBooks compares bills and payments with the model, and with the plain order of the files.
func (s *simulation) checkBooks(ctx context.Context) {
	b := s.ledger
	now := func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) }
	plain := ingest.New(ingest.Deps{DB: b.plain, Clock: now}, ingest.Settings{},
		ledger.New(ledger.Deps{Kit: platform.Kit{DB: b.plain, Clock: now}}, ledger.Settings{}).Feeds()...)
	for _, f := range b.files {
		if f.id == imported {
			continue
		}
		path := filepath.Join(b.dir, f.name)
		if err := writeFile(path, f.content); err != nil {
			s.violate("writable", "%v", err)
		}
		report, err := plain.Import(ctx, "x12", path, ingest.Options{})
		if err != nil || report.Refused != nil || report.Rejected > 0 {
			s.violate("plain order", "%s: %v %+v", f.name, err, report)
		}
		f.id = imported
	}
	got, err := dump(ctx, s.fleet.db)
	want, failed := dump(ctx, b.plain)
	if err = errors.Join(err, failed); err != nil {
		s.violate("readable", "%v", err)
	}
	if differs := difference(want, got); differs != "" {
		s.violate("plain order", "the rows differ from those of the plain order:\n%s", differs)
	}
	s.checkMoney(ctx)
}

// checkMoney compares what each bill shows with the model.
func (s *simulation) checkMoney(ctx context.Context) {
	var rows []struct {
		FTIN, BillControlNumber string
		PaidAmount              *int64
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT ftin, bill_control_number, paid_amount FROM bills`); err != nil {
		s.violate("readable", "%v", err)
	}
	shown := map[string]*int64{}
	for _, r := range rows {
		shown[r.FTIN+" "+r.BillControlNumber] = r.PaidAmount
	}
	for _, c := range s.ledger.claims {
		key := c.tin + " " + c.shownNumber()
		paid, is := shown[key]
		delete(shown, key)
		var want int64
		for _, p := range c.payments {
			want += int64(p.paid) * 100
		}
		switch {
		case !is:
			s.violate("nothing lost", "bill %s isn't there", key)
		case len(c.payments) == 0 && paid != nil, len(c.payments) > 0 && (paid == nil || *paid != want):
			s.violate("money", "bill %s shows %s paid, the files say %d", key, formatCents(paid), want)
		}
	}
	for key := range shown {
		s.violate("money", "bill %s is in no file", key)
	}
}

func (c *claim) shownNumber() string {
	if c.priced {
		return c.number
	}
	return fmt.Sprintf("D%06d", c.n)
}

func formatCents(c *int64) string {
	if c == nil {
		return "nothing"
	}
	return fmt.Sprint(*c)
}

// checkWork checks that confirmed notes and calls are there once, on a bill that exists.
func (s *simulation) checkWork(ctx context.Context) {
	var rows []struct {
		Body  string
		Bills int
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT n.body, (SELECT count(*) FROM bills b WHERE b.ftin = n.ftin
		AND b.bill_control_number_key = n.bill_control_number_key) AS bills FROM bill_notes n`); err != nil {
		s.violate("readable", "%v", err)
	}
	times := map[string]int{}
	for _, r := range rows {
		times[r.Body]++
		if r.Bills != 1 {
			s.violate("renumbered bills", "%q is on a bill that isn't there anymore", r.Body)
		}
	}
	for _, n := range s.notes {
		if k := times[n.body]; k > 1 || k == 0 && n.certain {
			s.violate("nothing lost", "%q of %s is there %d times", n.body, n.office, k)
		}
	}
	var calls []struct {
		RequestKey string
		N          int
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &calls,
		`SELECT request_key, count(*) AS n FROM payer_calls GROUP BY request_key`); err != nil {
		s.violate("readable", "%v", err)
	}
	stored := map[string]int{}
	for _, c := range calls {
		stored[c.RequestKey] = c.N
	}
	for key, certain := range s.keyed {
		if n := stored[key]; n > 1 || n == 0 && certain {
			s.violate("once", "payer call %s is there %d times", key, n)
		}
	}
}

// checkAudit checks that each answer with health data has its entry, and that the log verifies.
func (s *simulation) checkAudit(ctx context.Context) {
	for operation, n := range s.audits {
		var entries int
		if err := db.Get(ctx, s.fleet.db.Writer, &entries, `SELECT count(*) FROM audit_log WHERE operation = $1 AND result = 'ok'`,
			operation); err != nil {
			s.violate("readable", "%v", err)
		}
		if entries < n.answered || entries > n.answered+n.unknown {
			s.violate("audit", "%s was answered %d times, and %d times perhaps; the log has %d", operation,
				n.answered, n.unknown, entries)
		}
	}
	signer, err := audit.Settings{}.LoadSigner(ctx, s.fleet.db.Reader)
	if err != nil {
		s.violate("readable", "%v", err)
		return
	}
	report, err := audit.Verify(ctx, s.fleet.db, []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}, nil)
	if err != nil || len(report.Wrong) > 0 {
		s.violate("audit chain", "%v %v", err, report.Wrong)
	}
}

// audited counts answers with health data.
type audited struct{ answered, unknown int }

// expectEntry expects an audit entry for a call. The caller has the lock.
func (s *simulation) expectEntry(operation string, a reply) {
	n := s.audits[operation]
	if n == nil {
		n = &audited{}
		s.audits[operation] = n
	}
	switch {
	case a.isOK():
		n.answered++
	case a.isUnknown():
		n.unknown++
	}
}

// The position of a payment's set depends on how sets were divided into files.
var place = regexp.MustCompile(`"File":"[^"]*","Offset":\d+(,"Length":\d+)?`)

// dump returns the rows of bills and payments that must not depend on the order of files.
func dump(ctx context.Context, d *db.DB) (string, error) {
	var out []string
	var failed []error
	out = append(out, dumpRows(ctx, d, "bill", store.Bills, func(b *facts.Bill) { b.FirstSeenAt = db.Instant{} }, &failed)...)
	out = append(out, dumpRows(ctx, d, "submission", store.Submissions, nil, &failed)...)
	out = append(out, dumpRows(ctx, d, "payment", store.Payments, nil, &failed)...)
	out = append(out, dumpRows(ctx, d, "set", store.RemittanceSets, nil, &failed)...)
	out = append(out, dumpRows(ctx, d, "remittance", store.Remittances, func(r *facts.Remittance) {
		r.FirstSeenAt = db.Instant{}
	}, &failed)...)
	out = append(out, dumpRows(ctx, d, "of payee", store.PayeeFacts, nil, &failed)...)
	slices.Sort(out)
	return place.ReplaceAllString(strings.Join(out, "\n"), ""), errors.Join(failed...)
}

func dumpRows[T any](ctx context.Context, d *db.DB, kind string, table *db.Table[T], clear func(*T), failed *[]error) []string {
	list, err := table.Select(ctx, d.Writer, "")
	rows := make([]string, len(list))
	for i := range list {
		if clear != nil {
			clear(&list[i])
		}
		text, encoding := json.Marshal(list[i])
		err = errors.Join(err, encoding)
		rows[i] = kind + " " + string(text)
	}
	*failed = append(*failed, err)
	return rows
}

// difference returns up to ten lines that are in only one of two texts.
func difference(a, b string) string {
	in := func(s string) map[string]bool {
		set := map[string]bool{}
		for line := range strings.SplitSeq(s, "\n") {
			set[line] = true
		}
		return set
	}
	x, y := in(a), in(b)
	var out []string
	for _, line := range slices.Sorted(maps.Keys(x)) {
		if !y[line] {
			out = append(out, "- "+line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(y)) {
		if !x[line] {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out[:min(10, len(out))], "\n")
}
