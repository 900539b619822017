package alerts

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

var newYork = func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return zone
}()

// office is a service for users, at a time set by the test.
type office struct {
	*Service
	sender *mail.Sender
	db     *db.DB
	now    time.Time
	jobs   []int64
	stop   error // error of the queue
	sent   []mail.Message
	refuse bool // reject emails permanently
	// questions are what each user's questions to the network need.
	questions map[int64]Questions
}

func (*office) PageID(ftin, key string) (string, error) { return ftin + "/" + key, nil }

func (*office) OpenPageID(id string) (ftin, key string, ok bool) {
	return strings.Cut(text.Key(id), "/")
}

func (*office) AsOf(context.Context) (string, error) { return "2026-05-04T10:02:00Z", nil }

func (o *office) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	o.jobs = append(o.jobs, args.(mail.JobArgs).MailID)
	return o.stop
}

func (o *office) Send(_ context.Context, m mail.Message) error {
	o.sent = append(o.sent, m)
	return nil
}

var actors = map[int64]access.Actor{
	3: {Person: access.Person{ID: 3, UserName: "user3", Type: access.PRAD, GroupID: 7}},
	4: {Person: access.Person{ID: 4, UserName: "user4", Type: access.PRUS, GroupID: 7}},
	5: {Person: access.Person{ID: 5, UserName: "user5", Type: access.PRUS, GroupID: 8}},
	6: {Person: access.Person{ID: 6, UserName: "user6", Type: access.PRUS, GroupID: 9}},
}

var (
	three, four, five, six = actors[3], actors[4], actors[5], actors[6]
	// The staff member clerk mirrors user 3.
	clerk = access.Actor{Person: access.Person{ID: 9, UserName: "clerk", Type: access.ISAD},
		Mirrored: &access.Person{ID: 3, UserName: "user3", Type: access.PRAD, GroupID: 7}}
)

// A Monday.
var start = time.Date(2026, time.May, 4, 9, 0, 0, 0, newYork)

// CountVisitors reports that no staff acted for the office.
func (o *office) CountVisitors(context.Context, db.Queryer, int64, time.Time, time.Time) (int, error) {
	return 0, nil
}

func (o *office) CountForUser(_ context.Context, _ db.Queryer, p access.Person, _ access.Scope) (Questions, error) {
	return o.questions[p.ID], nil
}

func newOffice(t *testing.T, d *db.DB) *office {
	t.Helper()
	people(t, d.Writer)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 1}))
	o := &office{db: d, now: start}
	now := func() time.Time { return o.now }
	sealer := seal.New(make([]byte, 32))
	entries := audit.New(audit.Deps{DB: d, Clock: now, Log: log, Sealer: sealer})
	t.Cleanup(entries.Close)
	outbox := mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: o, Clock: now}, mail.Settings{})
	kit := platform.Kit{DB: d, Audit: entries, Clock: now, Zone: newYork, Mail: outbox, Limits: ratelimit.NewShared(d, now), Sealer: sealer}
	o.Service = NewService(Deps{Kit: kit, Scopes: tins.NewScopes(d), Users: identitytest.NewUsers(d), Pages: o, Ages: o, AccessLog: o,
		Questions: o},
		Settings{
			Brand: "Harborline Network", PublicURL: "https://portal.example", Internal: func(email string) bool {
				return strings.HasSuffix(email, "@staff.example")
			},
		})
	o.sender = mail.NewSender(mail.SenderDeps{DB: d, Clock: now, Log: log, Transport: o,
		Layout: mail.Layout{BrandName: "Harborline Network", PublicURL: "https://portal.example"}}, o.Emails()...)
	return o
}

// tinsOf returns the TINs that a user sees.
func (o *office) tinsOf(t *testing.T, a access.Actor) []string {
	t.Helper()
	list, err := o.scopes.ListTINs(t.Context(), a.Acting())
	require.NoError(t, err)
	return list
}

// bill adds a bill with an open state and a due date.
func (o *office) bill(t *testing.T, ftin, number, claim string, state billstate.State, due date.Date) {
	t.Helper()
	require.NoError(t, store.Bills.Insert(t.Context(), o.db.Writer, facts.Bill{
		FTIN: ftin, BillControlNumber: number, ClaimNumber: claim, OpenState: state, NextDue: due, BillType: "P", BillStatus: "1",
		Source: facts.SourceBill, Fact: "f",
		BillCharges: 123456, PatientFirstName: "Grace", PatientLastName: "Hopper",
	}))
}

// change adds a change to a bill.
func (o *office) change(t *testing.T, ftin, key, kind string, quiet bool) {
	t.Helper()
	require.NoError(t, dbtest.Err(o.db.Writer.ExecContext(t.Context(), `
		INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet)
			VALUES ($1, $2, $3, '0', $4, $5)`, ftin, text.Key(key), kind, db.At(o.now), quiet)))
}

// figures returns the counts of Today, as kind:count.
func (o *office) figures(t *testing.T, a access.Actor) string {
	t.Helper()
	today, err := o.Today(t.Context(), a)
	require.NoError(t, err)
	return inWords(today.Counts)
}

func inWords(list []Count) string {
	var words []string
	for _, c := range list {
		words = append(words, fmt.Sprintf("%s:%d", c.Kind, c.Bills))
	}
	return strings.Join(words, " ")
}

// see marks everything as seen.
func (o *office) see(t *testing.T, list ...access.Actor) {
	t.Helper()
	for _, a := range list {
		today, err := o.Today(t.Context(), a)
		require.NoError(t, errors.Join(err, dbtest.Err(o.MarkSeen(t.Context(), a, today.Window))), err)
	}
}

// post runs the job, and sends the enqueued emails.
func (o *office) post(t *testing.T) []mail.Message {
	t.Helper()
	require.NoError(t, o.EnqueueDue(t.Context()))
	return o.send(t)
}

func (o *office) send(t *testing.T) []mail.Message {
	t.Helper()
	o.sent = nil
	for _, id := range o.jobs {
		if o.refuse {
			require.NoError(t, dbtest.Err(o.db.Writer.ExecContext(t.Context(), `UPDATE mails SET to_address = '' WHERE id = $1`, id)))
		}
		require.NoError(t, o.sender.Work(t.Context(), &river.Job[mail.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 13},
			Args: mail.JobArgs{MailID: id}}))
	}
	o.jobs = nil
	return o.sent
}

func TestTodayCountsSinceLastVisit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for _, number := range []string{"B1", "B2", "B3"} {
			o.bill(t, ours, number, "WC-1", billstate.Denied, "")
		}
		o.bill(t, theirs, "C1", "", billstate.Denied, "")
		o.change(t, ours, "B1", facts.Paid, false)
		first, err := o.Today(t.Context(), three)
		if err != nil || !first.First || len(first.Counts) > 0 || first.AsOf == "" {
			t.Fatalf("got %+v %v before the first visit", first, err)
		}
		o.see(t, three, four, five, six)
		assert.Empty(t, o.figures(t, three))

		// Two payments count once; quiet and unannounced changes don't count.
		o.now = o.now.Add(time.Hour)
		o.change(t, ours, "B1", facts.Paid, false)
		o.change(t, ours, "B1", facts.PaidShort, false)
		o.change(t, ours, "B2", facts.Denied, false)
		o.change(t, ours, "B3", facts.Reversed, true)
		o.change(t, ours, "B3", "ACKNOWLEDGED", false)
		o.change(t, theirs, "C1", facts.Voided, false)
		for who, want := range map[*access.Actor]string{&three: "paid:1 denied:1 replaced:1", &four: "paid:1 denied:1",
			&five: "paid:1 denied:1 replaced:1", &six: "replaced:1", &clerk: "paid:1 denied:1 replaced:1"} {
			if got := o.figures(t, *who); got != want {
				t.Errorf("%s: %q, want %q", who.Acting().UserName, got, want)
			}
		}

		// Updates that a user has seen stay seen, for that user only.
		before, _ := o.Today(t.Context(), three)
		o.change(t, ours, "B2", facts.Paid, false)
		o.see(t, three)
		require.NoError(t, dbtest.Err(o.MarkSeen(t.Context(), three, before.Window)))
		if three, four := o.figures(t, three), o.figures(t, four); three != "" || four != "paid:2 denied:1" {
			t.Errorf("%q, %q", three, four)
		}
	})
}

// Marking as seen can be undone until later updates are marked.
func TestSeenCanBeUndone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		o.see(t, three)
		o.now = o.now.Add(time.Hour)
		o.change(t, ours, "B1", facts.Denied, false)
		mark := func() *Undo {
			t.Helper()
			today, err := o.Today(t.Context(), three)
			require.NoError(t, err)
			undo, err := o.MarkSeen(t.Context(), three, today.Window)
			require.NoError(t, err)
			require.NotNil(t, undo)
			return undo
		}
		before, _ := o.Today(t.Context(), three)
		undo := mark()
		if err := o.MarkUnseen(t.Context(), four, *undo); !problem.Is(err, problem.Invalid) {
			t.Errorf("by another user: %v", err)
		}
		require.NoError(t, o.MarkUnseen(t.Context(), three, *undo))
		if after, err := o.Today(t.Context(), three); err != nil || !after.Since.Equal(before.Since.Time) ||
			inWords(after.Counts) != "denied:1" {
			t.Errorf("%+v, %v", after, err)
		}
		undo = mark()
		o.now = o.now.Add(time.Hour)
		mark()
		if err := o.MarkUnseen(t.Context(), three, *undo); !problem.Is(err, problem.Conflict) {
			t.Errorf("after a later one: %v", err)
		}
	})
}

// The history covers 30 days, seen or not, and figures have amounts.
func TestHistory(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for _, number := range []string{"B1", "B2"} {
			o.bill(t, ours, number, "", billstate.Denied, "")
		}
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE bills SET bill_charges = 10000, paid_amount = 2500`)))
		o.change(t, ours, "B1", facts.Paid, false)
		o.now = o.now.AddDate(0, 0, 31)
		o.change(t, ours, "B1", facts.Denied, false)
		o.change(t, ours, "B2", facts.Paid, false)
		o.see(t, three)
		o.want(t, three, Mailing{Digest: Never}, false)
		for _, who := range []access.Actor{three, six} {
			history, err := o.History(t.Context(), who)
			require.NoError(t, err)
			assert.Equalf(t, who.Person.ID == three.Person.ID, history.Asked, "%s: asked", who.Person.UserName)
			want := "[{paid 1 2500} {denied 1 10000}]"
			if who.Person.ID == six.Person.ID {
				want = "[]"
			}
			assert.Equal(t, want, fmt.Sprint(history.Counts), who.Person.UserName)
		}
	})
}

func TestPayersTimePasses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for number, b := range map[string]struct {
			state billstate.State
			due   date.Date
		}{
			"EARLIER": {billstate.Priced, "2026-05-03"}, "A": {billstate.Priced, "2026-05-04"}, "B": {billstate.Received, "2026-05-05"},
			"C":   {billstate.Priced, "2026-05-06"},
			"OWN": {billstate.Denied, "2026-05-04"}, "PAID": {billstate.Settled, "2026-05-04"},
		} {
			o.bill(t, ours, number, "", b.state, b.due)
		}
		o.see(t, three)
		for day, want := range []string{"", "overdue:1", "overdue:2", "overdue:3"} {
			o.now = start.AddDate(0, 0, day)
			assert.Equalf(t, want, o.figures(t, three), "day %d", day)
		}
		assert.Equal(t, "A B C", o.all(t, three, Overdue, 2))
		o.see(t, three)
		assert.Empty(t, o.figures(t, three))
	})
}

// all reads the list behind a count page by page.
func (o *office) all(t *testing.T, a access.Actor, kind string, limit int) string {
	t.Helper()
	today, err := o.Today(t.Context(), a)
	require.NoError(t, err)
	var numbers []string
	var after *Place
	for range 1000 {
		part, next, err := o.List(t.Context(), a, Figure{Kind: kind, Window: today.Window}, after, 0, limit)
		require.NoError(t, err)
		for _, l := range part {
			assert.Containsf(t, o.tinsOf(t, a), l.FTIN, "%s is of no TIN in scope", l.BillControlNumber)
			numbers = append(numbers, l.BillControlNumber)
		}
		if after = next; next == nil {
			return strings.Join(numbers, " ")
		}
	}
	t.Fatal("the list has no end")
	return ""
}

// For any changes, each count equals its list, and is for the TINs in scope.
func TestFiguresAreThoseOfTheLists(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		random := rand.New(rand.NewPCG(seed, 1))
		o := newOffice(t, d)
		tins := []string{ours, theirs, "333333333"}
		for n := range 60 {
			o.bill(t, tins[n%3], fmt.Sprintf("B%d", n), fmt.Sprintf("WC-%d", random.IntN(20)),
				[]billstate.State{billstate.Priced, billstate.Denied}[random.IntN(2)],
				date.Of(start).AddDays(random.IntN(5)))
		}
		o.see(t, three, four, five, six)
		for range 6 {
			page := fmt.Sprintf("%s/B%d", tins[random.IntN(2)], random.IntN(60))
			if _, err := o.SetFollowed(t.Context(), three, []string{page}, []string{OfBill, OfClaim}[random.IntN(2)], true); err != nil &&
				!problem.Is(err, problem.NotFound) {
				t.Fatal(err)
			}
		}
		for range 300 {
			n := random.IntN(60)
			o.change(t, tins[n%3], fmt.Sprintf("B%d", n), anyChange[random.IntN(len(anyChange))], random.IntN(4) == 0)
		}
		o.now = o.now.AddDate(0, 0, 3)
		for _, a := range []access.Actor{three, four, five, six} {
			today, err := o.Today(t.Context(), a)
			require.NoError(t, err)
			counted := map[string]int{}
			for _, c := range today.Counts {
				counted[c.Kind] = c.Bills
			}
			for _, kind := range append([]string{Watched}, announced...) {
				list := strings.Fields(o.all(t, a, kind, 1+random.IntN(7)))
				once := slices.Compact(slices.Sorted(slices.Values(list)))
				if len(list) != counted[kind] || len(once) != len(list) {
					t.Errorf("%s %s: %d are told, the list has %d, %d of them different", a.Acting().UserName, kind, counted[kind],
						len(list), len(once))
				}
			}
			if counted[Paid] == 0 || counted[Overdue] == 0 {
				t.Errorf("%s: nothing to compare: %v", a.Acting().UserName, counted)
			}
		}
	})
}

func TestDigestsAreDueOnceADay(t *testing.T) {
	for _, c := range []struct {
		name, zone, after string
		m                 Mailing
		want              string
	}{
		{"later today", "America/New_York", "2026-05-04 06:00", Mailing{Digest: Mondays, Hour: 7}, "2026-05-04 07:30"},
		{"at the moment itself the next", "America/New_York", "2026-05-04 07:30", Mailing{Digest: Mondays, Hour: 7}, "2026-05-11 07:30"},
		{"over the end of a month", "America/New_York", "2026-01-31 08:00",
			Mailing{Digest: Daily, Days: []int{0, 1, 2, 3, 4, 5, 6}, Hour: 7}, "2026-02-01 07:30"},
		{"over a leap day", "America/New_York", "2028-02-28 08:00", Mailing{Digest: Daily, Days: []int{0, 1, 2, 3, 4, 5, 6}, Hour: 7},
			"2028-02-29 07:30"},
		{"over the end of a year and a weekend", "America/New_York", "2027-12-31 08:00", Mailing{Digest: Daily, Days: workdays, Hour: 7},
			"2028-01-03 07:30"},
		{"an hour that there is not", "America/New_York", "2026-03-08 00:00", Mailing{Digest: Daily, Days: []int{0}, Hour: 2},
			"2026-03-08 03:30"},
		{"an hour that there is twice", "America/New_York", "2026-11-01 00:00", Mailing{Digest: Daily, Days: []int{0}, Hour: 1},
			"2026-11-01 01:30"},
		{"not again an hour later", "America/New_York", "2026-11-01 02:00", Mailing{Digest: Daily, Days: []int{0}, Hour: 1},
			"2026-11-08 01:30"},
		{"midnight that there is not", "America/Sao_Paulo", "2018-11-03 12:00", Mailing{Digest: Daily, Days: []int{0}, Hour: 0},
			"2018-11-04 01:30"},
		{"never", "America/New_York", "2026-05-04 06:00", Mailing{Digest: Never, Hour: 7}, ""},
	} {
		zone, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		after, err := time.ParseInLocation("2006-01-02 15:04", c.after, zone)
		require.NoError(t, err)
		got := ""
		if next := c.m.next(after); !next.IsZero() {
			got = next.In(zone).Format("2006-01-02 15:04")
		}
		assert.Equal(t, c.want, got, c.name)
	}
	// Each selected day of three years has a summary, in every time zone and hour.
	for _, name := range []string{"America/New_York", "America/Los_Angeles", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Beirut"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		for hour := range 24 {
			m := Mailing{Digest: Daily, Days: []int{0, 1, 2, 3, 4, 5, 6}, Hour: hour}
			at := time.Date(2017, 1, 1, 0, 0, 0, 0, zone)
			for day := date.Of(at); day < "2020-01-01"; day = day.AddDays(1) {
				if at = m.next(at).In(zone); date.Of(at) != day {
					t.Fatalf("%s at %d:30: %v, want one on %s", name, hour, at, day)
				}
			}
		}
	}
}

// mailsTo returns the subjects of emails with their recipients.
func mailsTo(list []mail.Message) string {
	var words []string
	for _, m := range list {
		words = append(words, m.To)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func (o *office) want(t *testing.T, a access.Actor, m Mailing, watches bool) {
	t.Helper()
	if m.Digest == Daily && m.Days == nil {
		m.Days = workdays
	}
	require.NoError(t, o.SetSettings(t.Context(), a, m, Choices{watches, true}))
}

func at(day, hour, minute int) time.Time {
	return time.Date(2026, time.May, day, hour, minute, 0, 0, newYork)
}

func TestDigests(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		o.bill(t, theirs, "C1", "", billstate.Denied, "")
		o.change(t, ours, "B1", facts.Paid, false) // before any user wanted emails
		daily := Mailing{Digest: Daily, Hour: 7}
		o.want(t, three, daily, false)
		o.want(t, four, Mailing{Digest: Mondays, Hour: 7, QuietWeeks: true}, false)
		o.want(t, five, Mailing{Digest: Daily, Hour: 15, Kinds: []string{Denied}}, false)
		o.want(t, six, Mailing{Digest: Never}, false)

		o.now = at(5, 7, 31)
		if got := o.post(t); len(got) > 0 {
			t.Errorf("nothing happened since, and %s are mailed", mailsTo(got))
		}
		o.change(t, ours, "B1", facts.Paid, false)
		o.change(t, theirs, "C1", facts.Priced, false)
		o.now = at(5, 12, 0)
		if got := o.post(t); len(got) > 0 {
			t.Errorf("before it is due: %s", mailsTo(got))
		}
		o.now = at(6, 7, 30)
		got := o.post(t)
		require.Equal(t, "user3@example.com", mailsTo(got))
		for _, want := range []string{"Paid:      1 bill", "Repriced:  1 bill", "https://portal.example/wcpp/work\n",
			"https://portal.example/wcpp/work/mails\n", "https://portal.example/wcpp/stopMails?token="} {
			assert.Contains(t, got[0].Text, want)
		}
		assert.Equal(t, "Harborline Network: updates on your bills", got[0].Subject)
		for range 3 {
			if got := o.post(t); len(got) > 0 {
				t.Errorf("a job that comes again mails %s", mailsTo(got))
			}
		}
		// A later hour on the same day brings no second one.
		o.change(t, ours, "B1", facts.Denied, false)
		o.want(t, three, Mailing{Digest: Daily, Hour: 9}, false)
		o.now = at(6, 9, 31)
		if got := o.post(t); len(got) > 0 {
			t.Errorf("a second one on a day, to %s", mailsTo(got))
		}
		// Only selected kinds that weren't reported yet.
		o.now = at(6, 15, 45)
		if got := o.post(t); mailsTo(got) != "user5@example.com" || !strings.Contains(got[0].Text, "Denied:  1 bill") ||
			strings.Contains(got[0].Text, "Paid") {
			t.Errorf("%+v", got)
		}
		// The next email includes changes from the time when one was suppressed, and the user's questions.
		o.now, o.questions = at(7, 9, 31), map[int64]Questions{3: {Answers: 2, Replies: 1}}
		if got := o.post(t); mailsTo(got) != "user3@example.com" || !strings.Contains(got[0].Text, "1 bill") ||
			!strings.Contains(got[0].Text, "Answers to read:   2 questions") ||
			!strings.Contains(got[0].Text, "Needs your reply:  1 question") {
			t.Errorf("%+v", got)
		}
		// On Monday, the week's updates; a week later, that there were none.
		o.now = at(11, 7, 30)
		if got := o.post(t); mailsTo(got) != "user4@example.com" || !strings.Contains(got[0].Text, "Denied:  1 bill") {
			t.Errorf("%+v", got)
		}
		o.now = at(18, 7, 30)
		if got := o.post(t); mailsTo(got) != "user4@example.com" || !strings.Contains(got[0].Text, "Nothing changed") {
			t.Errorf("%+v", got)
		}
	})
}

func TestDigestsUseStateWhenWritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		o.bill(t, theirs, "C1", "", billstate.Denied, "")
		all := []access.Actor{three, four, five, six}
		for _, a := range all {
			o.want(t, a, Mailing{Digest: Daily, Hour: 7}, false)
		}
		o.change(t, ours, "B1", facts.Paid, false)
		o.change(t, theirs, "C1", facts.Denied, false)
		o.now = at(5, 7, 30)
		identitytest.SetStatus(t, d.Writer, 5, users.Locked)
		require.NoError(t, o.EnqueueDue(t.Context()))
		// Between enqueuing and writing, one user loses a TIN, one loses all, and one is locked.
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		identitytest.SetTINs(t, d.Writer, six.Person)
		identitytest.SetStatus(t, d.Writer, 4, users.Locked)
		got := o.send(t)
		if mailsTo(got) != "user3@example.com" || !strings.Contains(got[0].Text, "Paid") || strings.Contains(got[0].Text, "Denied") {
			t.Errorf("%+v", got)
		}
		// A user who was away gets the updates later.
		identitytest.SetStatus(t, d.Writer, 5, users.Active)
		o.now = at(6, 7, 30)
		if got := o.post(t); mailsTo(got) != "user5@example.com" || !strings.Contains(got[0].Text, "Paid") {
			t.Errorf("%+v", got)
		}
		// A user who unsubscribes by the link in an email gets no more emails.
		token := linkIn(t, got[0])
		for range 2 {
			require.NoError(t, o.StopMails(t.Context(), token))
		}
		o.change(t, ours, "B1", facts.Denied, false)
		o.now = at(7, 7, 30)
		identitytest.SetTINs(t, d.Writer, six.Person)
		identitytest.SetStatus(t, d.Writer, 4, users.Locked)
		assert.Equal(t, "user5@example.com", mailsTo(o.post(t)))
		if err := o.StopMails(t.Context(), "x"); !problem.Is(err, problem.Invalid) {
			t.Error(err)
		}
	})
}

var token = regexp.MustCompile(`token=([\w-]+)`)

// linkIn returns the token of the last link in an email.
func linkIn(t *testing.T, m mail.Message) string {
	t.Helper()
	found := token.FindAllStringSubmatch(m.Text, -1)
	require.NotNilf(t, found, "no link in %s", m.Text)
	return found[len(found)-1][1]
}

// An interruption at any point leaves an email enqueued with its record, or neither.
func TestDigestsArePostedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		o.want(t, three, Mailing{Digest: Daily, Hour: 7}, true)
		o.want(t, four, Mailing{Digest: Daily, Hour: 7}, false)
		require.NoError(t, dbtest.Err(o.SetFollowed(t.Context(), three, []string{ours + "/B1"}, OfBill, true)))
		o.change(t, ours, "B1", facts.Paid, false)
		o.now, o.stop = at(5, 7, 30), errors.New("stopped after the mail was posted")
		require.ErrorIs(t, o.EnqueueDue(t.Context()), o.stop)
		var left int
		if err := db.Get(t.Context(), d.Reader, &left, `SELECT (SELECT count(*) FROM mails) + (SELECT count(*)
			FROM digests_sent)`); err != nil || left != 0 {
			t.Errorf("%d rows of what was stopped, %v", left, err)
		}
		o.jobs, o.stop = nil, nil
		// Two concurrent instances.
		done := make(chan error, 2)
		for range 2 {
			go func() { done <- o.EnqueueDue(t.Context()) }()
		}
		require.NoError(t, errors.Join(<-done, <-done))
		assert.Equal(t, "user3@example.com user3@example.com user4@example.com", mailsTo(o.send(t)))
	})
}

// Saving settings while a summary is enqueued keeps the position, so the next summary doesn't repeat it.
func TestSettingsKeepThePosition(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		m := Mailing{Digest: Daily, Hour: 7, Days: workdays}
		o.want(t, three, m, true)
		was, err := getSettings(t.Context(), d.Reader, three.Person.ID)
		require.NoError(t, err)
		want := Delivered{Change: 40, Day: "2026-05-05", MailedOn: "2026-05-05"}
		saved := make(chan error, 1)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := passUser(t.Context(), tx, was.UserID, was.NextAt, want); err != nil {
				return err
			}
			if _, err := passWatcher(t.Context(), tx, was.UserID, was.WatchAt, db.At(o.now.Add(time.Hour)), 41); err != nil {
				return err
			}
			go func() { saved <- o.SetSettings(t.Context(), three, m, Choices{Watches: true}) }()
			if d.Dialect.Name == "postgres" {
				dbtest.AwaitWaiting(t, d)
			}
			return nil
		}))
		require.NoError(t, <-saved)
		got, err := getSettings(t.Context(), d.Reader, three.Person.ID)
		if got.NextAt = (db.Instant{}); err != nil || got.Delivered != want || got.WatchChange != 41 {
			t.Errorf("%+v, %d, %v", got.Delivered, got.WatchChange, err)
		}
	})
}

func TestFirstImportSendsNoEmail(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.see(t, three)
		o.want(t, three, Mailing{Digest: Daily, Hour: 7}, true)
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
			INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet) SELECT $1, 'B' || i, 'RECEIVED', '1', $2,
				true FROM n`, ours, db.At(o.now))))
		o.now = at(5, 7, 30)
		if got := o.post(t); len(got) > 0 || o.figures(t, three) != "" {
			t.Errorf("got %s, mailed to %s", o.figures(t, three), mailsTo(got))
		}
	})
}

// No email contains personal data, in 500 summaries for bills and users with unique names,
// numbers and amounts.
func TestMailsHoldNothingPersonal(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		random := rand.New(rand.NewPCG(seed, 1))
		o := newOffice(t, d)
		for n := range 20 {
			o.bill(t, []string{ours, theirs}[n%2], fmt.Sprintf("BILL%d", 70000+n), fmt.Sprintf("WC-%d", 80000+n%3), billstate.Priced,
				date.Of(start).AddDays(n))
		}
		require.NoError(t, o.AddMailbox(t.Context(), three, "billing@example.com", Mailing{Digest: Daily, Days: workdays, Hour: 7}))
		require.NoError(t, o.ConfirmMailbox(t.Context(), linkIn(t, o.send(t)[0])))
		for _, a := range []access.Actor{three, four, five, six} {
			o.want(t, a, Mailing{Digest: Daily, Days: []int{0, 1, 2, 3, 4, 5, 6}, Hour: 7, QuietWeeks: true}, true)
			for range 3 {
				page := fmt.Sprintf("%s/BILL%d", o.tinsOf(t, a)[0], 70000+random.IntN(20))
				if _, err := o.SetFollowed(t.Context(), a, []string{page}, OfBill, true); err != nil && !problem.Is(err, problem.NotFound) {
					t.Fatal(err)
				}
			}
		}
		personal := []string{"Grace", "Hopper", "Ada", "Brook", ours, theirs, "BILL", "WC-", "7000", "8000", "1,234", "1234", "$", "user3",
			"user4", "user5", "user6", "billing@", "@example.com"}
		// Sealed tokens are random letters and digits.
		links := regexp.MustCompile(`token=[\w-]+`)
		kinds, read := map[string]bool{}, 0
		for ; read < 500; o.now = o.now.Add(12 * time.Hour) {
			for range random.IntN(8) {
				n := random.IntN(20)
				o.change(t, []string{ours, theirs}[n%2], fmt.Sprintf("BILL%d", 70000+n), anyChange[random.IntN(len(anyChange))],
					random.IntN(5) == 0)
			}
			for _, m := range o.post(t) {
				read++
				text := links.ReplaceAllString(m.Subject+m.Text+m.HTML, "")
				for _, p := range personal {
					require.NotContains(t, text, p)
				}
				for _, line := range strings.Split(m.Text, "\n") {
					if label, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok &&
						(strings.HasSuffix(value, "bills") || strings.HasSuffix(value, " 1 bill")) {
						kinds[label] = true
					}
				}
			}
		}
		want := append(slices.Collect(maps.Values(emailLabels)), "Watched")
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(kinds)); strings.Join(got, ",") != strings.Join(want, ",") {
			t.Errorf("the mails told of %v, want %v", got, want)
		}
	})
}

// An inactive group's office gets no updates, including those just enqueued. After reactivation,
// it gets the updates it missed.
func TestMailboxesOfInactiveGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		require.NoError(t, o.AddMailbox(t.Context(), three, "billing@example.com", Mailing{Digest: Daily, Days: workdays, Hour: 7}))
		require.NoError(t, o.ConfirmMailbox(t.Context(), linkIn(t, o.send(t)[0])))
		if n, err := o.CountRecipients(t.Context(), 7); err != nil || n != 1 {
			t.Errorf("%d addresses, %v", n, err)
		}
		o.change(t, ours, "B1", facts.Paid, false)
		identitytest.SetGroupStatus(t, d.Writer, 7, users.GroupInactive)
		o.now = at(5, 7, 30)
		if got := o.post(t); len(got) != 0 {
			t.Errorf("mailed to %s", mailsTo(got))
		}
		identitytest.SetGroupStatus(t, d.Writer, 7, users.GroupActive)
		o.now = at(6, 7, 30)
		require.NoError(t, o.EnqueueDue(t.Context()))
		identitytest.SetGroupStatus(t, d.Writer, 7, users.GroupInactive) // between enqueuing and writing
		if got := o.send(t); len(got) != 0 {
			t.Errorf("mailed to %s", mailsTo(got))
		}
		o.change(t, ours, "B1", facts.Denied, false)
		identitytest.SetGroupStatus(t, d.Writer, 7, users.GroupActive)
		o.now = at(7, 7, 30)
		assert.Equal(t, "billing@example.com", mailsTo(o.post(t)))
	})
}

func TestMailboxes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		ctx := t.Context()
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		usual := Mailing{Digest: Daily, Days: workdays, Hour: 7}
		add := func(email string) error { return o.AddMailbox(ctx, three, email, usual) }
		for _, email := range []string{"", "billing", "clerk@staff.example"} {
			if err := add(email); !problem.Is(err, problem.Invalid) {
				t.Errorf("%q: %v", email, err)
			}
		}
		for _, m := range []Mailing{{Digest: Never, Hour: 7}, {Digest: Daily, Days: workdays, Hour: 24},
			{Digest: Daily, Days: workdays, Hour: -1}, {Digest: Daily, Days: []int{}, Hour: 7}, {Digest: Daily, Days: []int{7}, Hour: 7},
			{Digest: Daily, Days: workdays, Kinds: []string{"x"}}} {
			if err := o.AddMailbox(ctx, three, "a@example.com", m); !problem.Is(err, problem.Invalid) {
				t.Errorf("%+v: %v", m, err)
			}
		}
		if err := o.AddMailbox(ctx, three, "a@example.com", Mailing{Digest: Mondays, TINs: []string{"333333333"}}); !problem.Is(err,
			problem.NotFound) {
			t.Errorf("a TIN of another office: %v", err)
		}
		for n := range MaxMailboxes {
			require.NoError(t, add(fmt.Sprintf("box%d@example.com", n)))
		}
		if err := add("box5@example.com"); !problem.Is(err, problem.Invalid) {
			t.Errorf("the sixth: %v", err)
		}
		asked := o.send(t)
		if len(asked) != MaxMailboxes {
			t.Fatalf("mailed to %s", mailsTo(asked))
		}
		list := func() string {
			boxes, err := o.Mailboxes(ctx, three)
			require.NoError(t, err)
			var words []string
			for _, m := range boxes {
				words = append(words, m.Email[:4]+" "+toGroupMailbox(m).State)
			}
			return strings.Join(words, ", ")
		}
		// Each by its own link, once.
		for n := range 3 {
			link := linkIn(t, asked[n])
			if b, err := base64.RawURLEncoding.DecodeString(link); err != nil || len(b) != 32 {
				t.Errorf("the token has %d bytes, %v", len(b), err)
			}
			require.NoError(t, o.ConfirmMailbox(ctx, link))
			if err := o.ConfirmMailbox(ctx, link); !problem.Is(err, problem.Invalid) {
				t.Errorf("used again: %v", err)
			}
		}
		assert.Equal(t, "box0 on, box1 on, box2 on, box3 waiting, box4 waiting", list())
		if err := o.RemoveMailbox(ctx, five, 1); !problem.Is(err, problem.NotFound) {
			t.Errorf("removed by another office: %v", err)
		}
		o.change(t, ours, "B1", facts.Paid, false)
		o.now = at(5, 7, 30)
		got := o.post(t)
		require.Equal(t, "box0@example.com box1@example.com box2@example.com", mailsTo(got))
		require.NoError(t, o.StopMails(ctx, linkIn(t, got[0])))
		// When an email server rejects an email permanently, its mailbox is stopped and the
		// administrator notified.
		o.change(t, ours, "B1", facts.Denied, false)
		o.now = at(6, 7, 30)
		require.NoError(t, o.EnqueueDue(ctx))
		files, err := mail.NewFiles(t.TempDir(), mail.Address{Address: "portal@example.com"})
		require.NoError(t, err)
		o.refusing(t, files)
		assert.Equal(t, "box0 link, box1 refused, box2 refused, box3 waiting, box4 waiting", list())
		for who, want := range map[*access.Actor]int{&three: 3, &four: 0, &clerk: 3} {
			if today, err := o.Today(ctx, *who); err != nil || len(today.Stopped) != want {
				t.Errorf("%s is told of %d, %v", who.Acting().UserName, len(today.Stopped), err)
			}
			if history, err := o.History(ctx, *who); err != nil || len(history.Stopped) != want {
				t.Errorf("the history of %s has %d, %v", who.Acting().UserName, len(history.Stopped), err)
			}
		}
		// A mailbox not confirmed within a week expires with its link, unless its email server rejected it.
		require.NoError(t, o.db.Tx(ctx, func(tx *sql.Tx) error {
			_, err := stopMailbox(ctx, tx, 5, Refused, db.At(o.now))
			return err
		}))
		o.now = start.AddDate(0, 0, 7).Add(time.Minute)
		if err := o.ConfirmMailbox(ctx, linkIn(t, asked[3])); !problem.Is(err, problem.Invalid) {
			t.Errorf("a link of a week ago: %v", err)
		}
		require.NoError(t, o.Cleanup(ctx))
		assert.Equal(t, "box0 link, box1 refused, box2 refused, box4 refused", list())
		assert.NoError(t, errors.Join(o.RemoveMailbox(ctx, three, 1), add("box0@example.com")))
	})
}

// refusing sends the enqueued emails with a transport that rejects all addresses.
func (o *office) refusing(t *testing.T, files mail.Transport) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))
	before := o.sender
	o.sender = mail.NewSender(mail.SenderDeps{DB: o.db, Clock: func() time.Time { return o.now }, Log: log, Transport: files,
		Layout: mail.Layout{BrandName: "Portal"}}, o.Emails()...)
	o.refuse = true
	o.send(t)
	o.sender, o.refuse = before, false
}

func TestWatches(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		ctx := t.Context()
		for n, claim := range []string{"WC-1", "WC-1", "", "WC-2"} {
			o.bill(t, ours, fmt.Sprintf("B%d", n), claim, billstate.Denied, "")
		}
		o.bill(t, "333333333", "X1", "", billstate.Denied, "")
		set := func(a access.Actor, of string, on bool, pages ...string) int {
			t.Helper()
			n, err := o.SetFollowed(ctx, a, pages, of, on)
			require.NoError(t, err)
			return n
		}
		for _, c := range []struct {
			pages []string
			of    string
			kind  problem.Kind
		}{
			{nil, OfBill, problem.Invalid}, {make([]string, MaxPerRequest+1), OfBill, problem.Invalid},
			{[]string{ours + "/B0"}, "x", problem.Invalid},
			{[]string{"333333333/X1"}, OfBill, problem.NotFound}, {[]string{"nothing"}, OfBill, problem.NotFound},
			{[]string{ours + "/B2"}, OfClaim, problem.Invalid},
		} {
			if _, err := o.SetFollowed(ctx, three, c.pages, c.of, true); !problem.Is(err, c.kind) {
				t.Errorf("%v %s: %v", len(c.pages), c.of, err)
			}
		}
		assert.Equal(t, 2, set(three, OfBill, true, ours+"/B3", ours+"/B3", ours+"/B2", "333333333/X1", ours+"/gone"))
		set(three, OfClaim, true, ours+"/B0")
		watched := func(a access.Actor) string {
			list, err := o.ListFollowed(ctx, a)
			require.NoError(t, err)
			var words []string
			for _, w := range list {
				words = append(words, w.Number)
			}
			return strings.Join(words, " ")
		}
		if three, clerk, four := watched(three), watched(clerk), watched(four); three != "B2 B3 WC-1" || clerk != three || four != "" {
			t.Errorf("%q %q %q", three, clerk, four)
		}
		if bill, claim, err := o.IsFollowing(ctx, three, ours+"/B1"); bill || !claim || err != nil {
			t.Error(bill, claim, err)
		}
		if _, _, err := o.IsFollowing(ctx, three, "333333333/X1"); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}

		// Their changes appear in Today, and are emailed at most once an hour.
		o.see(t, three)
		o.want(t, three, Mailing{Digest: Never}, true)
		o.now = o.now.Add(15 * time.Minute)
		o.change(t, ours, "B0", facts.Paid, false)
		o.change(t, ours, "B1", facts.Denied, false)
		o.change(t, ours, "B3", facts.Denied, true)
		assert.Equal(t, "paid:1 denied:1 watched:2", o.figures(t, three))
		assert.Equal(t, "B1 B0", o.all(t, three, Watched, 1))
		got := o.post(t)
		if mailsTo(got) != "user3@example.com" || !strings.Contains(got[0].Text, "Watched:  2 bills") {
			t.Errorf("%+v", got)
		}
		o.change(t, ours, "B2", facts.Paid, false)
		o.now = o.now.Add(45 * time.Minute)
		assert.Empty(t, o.post(t), "twice in an hour")
		o.change(t, ours, "B3", facts.Paid, false)
		o.now = o.now.Add(15 * time.Minute)
		if got := o.post(t); len(got) != 1 || !strings.Contains(got[0].Text, "Watched:  2 bills") {
			t.Errorf("%+v", got)
		}
		// Not for a lost TIN, or after the user unfollowed.
		list, _ := o.ListFollowed(ctx, three)
		require.NoError(t, o.Unfollow(ctx, three, list[0].ID))
		if err := o.Unfollow(ctx, three, list[0].ID); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		if err := o.Unfollow(ctx, four, list[1].ID); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		o.change(t, ours, "B2", facts.Denied, false)
		o.now = o.now.Add(2 * time.Hour)
		assert.Empty(t, o.post(t))
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		o.change(t, ours, "B3", facts.Denied, false)
		o.now = o.now.Add(2 * time.Hour)
		if got := o.post(t); len(got) > 0 || watched(three) != "" {
			t.Errorf("%+v %s", got, watched(three))
		}
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		set(three, OfClaim, false, ours+"/B1")
		assert.Equal(t, "B3", watched(three))
	})
}

func TestMostIsWatched(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		o.bill(t, ours, "B2", "", billstate.Denied, "")
		many := make([]Watch, MaxWatched)
		for n := range many {
			many[n] = Watch{UserID: 3, FTIN: ours, Kind: "BILL", Key: fmt.Sprint(n), Number: "x", At: db.At(o.now)}
		}
		many[0].Key = text.Key("B2")
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return addWatches(t.Context(), tx, many) }))
		if _, err := o.SetFollowed(t.Context(), three, []string{ours + "/B1"}, OfBill, true); !problem.Is(err, problem.Invalid) {
			t.Error(err)
		}
		// Bills that are already followed don't count again.
		assert.NoError(t, dbtest.Err(o.SetFollowed(t.Context(), three, []string{ours + "/B2"}, OfBill, true)))
		both := []string{ours + "/B2", ours + "/B1"}
		if _, err := o.SetFollowed(t.Context(), three, both, OfBill, true); !problem.Is(err, problem.Invalid) {
			t.Error(err)
		}
	})
}

// Users' data is deleted with their accounts, and an office's data with its last account.
func TestCleanupDeletesTerminatedUsers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.bill(t, ours, "B1", "", billstate.Denied, "")
		for _, a := range []access.Actor{three, five} {
			o.see(t, a)
			o.want(t, a, Mailing{Digest: Daily, Hour: 7}, true)
			require.NoError(t, dbtest.Err(o.SetFollowed(t.Context(), a, []string{ours + "/B1"}, OfBill, true)))
			require.NoError(t, o.AddMailbox(t.Context(), a, "billing@example.com", Mailing{Digest: Mondays}))
		}
		o.change(t, ours, "B1", facts.Paid, false)
		o.now = at(5, 7, 30)
		o.post(t)
		rows := func() (list []int) {
			for _, table := range []string{"alerts_seen", "alert_settings", "watches", "digests_sent", "group_mailboxes"} {
				var n int
				require.NoError(t, db.Get(t.Context(), d.Reader, &n, `SELECT count(*) FROM `+table))
				list = append(list, n)
			}
			return list
		}
		require.Equal(t, []int{2, 2, 2, 4, 2}, rows())
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE users SET status_cd = 'TERM' WHERE id IN (3, 5)`)))
		for range 2 {
			require.NoError(t, o.Cleanup(t.Context()))
		}
		if got := rows(); !slices.Equal(got, []int{0, 0, 0, 0, 1}) { // user 4 is the last in the first office
			t.Error(got)
		}
	})
}

// A user who lost a selected TIN can still save the settings they get.
func TestSettingsLeaveOutLostTINs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for _, selected := range [][]string{{ours, theirs}, {theirs}} {
			identitytest.SetTINs(t, d.Writer, three.Person, ours, theirs)
			o.want(t, three, Mailing{Digest: Mondays, TINs: selected}, false)
			identitytest.SetTINs(t, d.Writer, three.Person, ours)
			got, err := o.Settings(t.Context(), three)
			if err != nil || slices.Contains(got.Mailing.TINs, theirs) {
				t.Errorf("%v: %+v %v", selected, got, err)
			}
			// Without any of its TINs, the digest is off. Saved with another one, it would be about all TINs.
			assert.Equalf(t, map[int]string{2: Mondays, 1: Never}[len(selected)], got.Digest, "%v: digest", selected)
			for _, digest := range []string{Daily, Never} {
				got.Digest = digest
				assert.NoErrorf(t, o.SetSettings(t.Context(), three, got.Mailing, got.Choices), "%v, %s", selected, digest)
			}
		}
	})
}

// When all selected TINs are lost, the settings show that the digest is off, so it isn't sent.
func TestDigestsEndWithTheirTINs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		selected := Mailing{Digest: Mondays, Days: workdays, Hour: 7, QuietWeeks: true, TINs: []string{theirs}}
		o.want(t, three, selected, false)
		require.NoError(t, o.AddConfirmed(t.Context(), three, "billing@example.com", selected))
		o.now = at(11, 7, 30)
		require.Equal(t, "billing@example.com user3@example.com", mailsTo(o.post(t)))
		o.now = at(18, 7, 30)
		require.NoError(t, o.EnqueueDue(t.Context()))
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		if got := o.send(t); len(got) != 0 { // lost between enqueuing and writing
			t.Errorf("mailed to %s", mailsTo(got))
		}
		o.now = at(25, 7, 30)
		if got := o.post(t); len(got) != 0 {
			t.Errorf("mailed to %s", mailsTo(got))
		}
	})
}

func TestRejectsInvalidSettings(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		before, err := o.Settings(t.Context(), three)
		if err != nil || before.Asked || before.Digest != Never || before.Hour != 7 {
			t.Errorf("%+v %v", before, err)
		}
		for _, m := range []Mailing{{Digest: "x", Hour: 7}, {Digest: Daily, Hour: 24, Days: workdays},
			{Digest: Daily, Hour: -1, Days: workdays}, {Digest: Daily, Hour: 7}, {Digest: Never, Kinds: []string{Watched}},
			{Digest: Never, TINs: []string{"1"}}} {
			err := o.SetSettings(t.Context(), three, m, Choices{})
			if e := problem.From(err); e.Kind != problem.Invalid || len(e.Fields) == 0 {
				t.Errorf("%+v: %v", m, err)
			}
		}
		if err := o.SetSettings(t.Context(), four, Mailing{Digest: Daily, Hour: 7, Days: workdays, TINs: []string{theirs}},
			Choices{}); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		if _, _, err := o.List(t.Context(), three, Figure{Kind: "x"}, nil, 0, 1); !problem.Is(err, problem.Invalid) {
			t.Error(err)
		}
		o.want(t, three, Mailing{Digest: Mondays, Hour: 15, Kinds: []string{Paid}, TINs: []string{theirs}}, true)
		got, err := o.Settings(t.Context(), three)
		if err != nil || !got.Asked || !got.Watches || !got.Questions || !before.Questions || got.Hour != 15 ||
			cmp.Or(got.Mailing.TINs...) != theirs || len(got.TINs) != 2 {
			t.Errorf("%+v %v", got, err)
		}
	})
}

// A group can add ten mailboxes per hour, also if it removes them.
func TestAddedMailboxesAreLimited(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		ctx := t.Context()
		add := func(a access.Actor, n int) error {
			return o.AddMailbox(ctx, a, fmt.Sprintf("box%d@example.com", n), Mailing{Digest: Mondays})
		}
		for n := range 10 {
			require.NoErrorf(t, add(three, n), "mailbox %d", n+1)
			boxes, err := o.Mailboxes(ctx, three)
			require.NoError(t, err)
			require.Len(t, boxes, 1)
			require.NoError(t, o.RemoveMailbox(ctx, three, boxes[0].ID))
		}
		if err := add(three, 10); !problem.Is(err, problem.TooMany) {
			t.Errorf("the eleventh mailbox: %v", err)
		}
		o.now = o.now.Add(time.Hour + time.Second)
		assert.NoError(t, add(three, 10))
	})
}
