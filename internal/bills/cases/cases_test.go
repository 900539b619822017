package cases

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/spool"
)

const (
	ours   = "111111111"
	theirs = "222222222"
)

var (
	three = access.Actor{Person: access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}}
	four  = access.Actor{Person: access.Person{ID: 4, UserName: "user4", Type: access.PRUS, GroupID: 7}}
	head  = access.Actor{Person: access.Person{ID: 5, UserName: "head", Type: access.PRAD, GroupID: 7}}
	six   = access.Actor{Person: access.Person{ID: 6, UserName: "user6", Type: access.PRUS, GroupID: 8}}
	isad  = access.Actor{Person: access.Person{ID: 9, UserName: "clerk", Type: access.ISAD}}
	// The staff member mirrors user 3.
	mirror = access.Actor{Person: isad.Person, Mirrored: &three.Person}
)

type pages struct{}

func (pages) PageID(ftin, key string) (string, error) { return ftin + "/" + key, nil }

func (pages) LinkRemittance(ftin, remittance string) (string, error) {
	return ftin + "/" + remittance, nil
}

func (pages) OpenRemittance(id string) (record.RemittanceID, error) {
	ftin, remittance, _ := strings.Cut(id, "/")
	return record.RemittanceID{FTIN: ftin, Remittance: remittance}, nil
}

func (pages) OpenPageID(id string) (ftin, key string, ok bool) { return strings.Cut(id, "/") }

// onCall lets staff log calls.
type onCall struct{}

func (onCall) RequireCall(context.Context, access.Actor) error { return nil }

type noJobs struct{}

func (noJobs) Insert(context.Context, *sql.Tx, river.JobArgs) error { return nil }

// desk has group 7 with users 3 and 4 and an administrator, group 8 with user 6, and a staff member. Users 3,
// 6 and the administrator have both TINs, and user 4 has ours.
type desk struct {
	*Service
	db      *db.DB
	now     time.Time
	mailbox mailbox
	law     *fakeLaw
}

func newDesk(t *testing.T, d *db.DB) *desk {
	t.Helper()
	for _, a := range []access.Actor{three, four, head, six, isad} {
		identitytest.Add(t, d.Writer, a.Person, fmt.Sprintf("User %d", a.Person.ID))
	}
	for _, a := range []access.Actor{three, head, six} {
		identitytest.SetTINs(t, d.Writer, a.Person, ours, theirs)
	}
	identitytest.SetTINs(t, d.Writer, four.Person, ours)
	o := &desk{db: d, law: &fakeLaw{}, now: time.Date(2026, 11, 23, 15, 42, 0, 0, time.UTC)} // Monday, 10:42 in New York
	clock := func() time.Time { return o.now }
	sealer := seal.New(make([]byte, 32))
	log := audit.New(audit.Deps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler), Sealer: sealer})
	t.Cleanup(log.Close)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	_, zone := newHours(t)
	kit := platform.Kit{DB: d, Audit: log, Clock: clock, Zone: zone, Jobs: noJobs{}, Files: files, Uploads: spool.NewChecker(nil),
		Limits: ratelimit.NewShared(d, clock), Sealer: sealer, Mail: o.mailbox.outbox(d, clock), PublicURL: "https://portal.example",
		Brand: brand}
	people := identitytest.NewUsers(d)
	scopes := tins.NewScopes(d)
	bills := openbills.NewService(openbills.Deps{Kit: kit, Scopes: scopes, Users: people, Pages: pages{}}, fileexport.Quota{})
	o.Service, err = NewService(Deps{Kit: kit, OpenBills: bills, Scopes: scopes, Users: people, Pages: pages{}, Desk: onCall{},
		Law: o.law},
		Settings{CaseHours: "mon-fri 8-20"})
	require.NoError(t, err)
	for _, b := range []string{ours + "/a", ours + "/b", theirs + "/c"} {
		ftin, number, _ := strings.Cut(b, "/")
		require.NoError(t, store.Bills.Insert(t.Context(), d.Writer, facts.Bill{FTIN: ftin, BillControlNumber: strings.ToUpper(number),
			OpenState: billstate.Priced, BeginServiceDate: "2026-04-01", BillType: "P", BillStatus: "1", Source: facts.SourceBill,
			Fact: number, BillCharges: 10000, PayerName: "Beacon Road"}))
	}
	return o
}

func question(key string, bills ...string) Question {
	return Question{RequestKey: key, Topic: TopicPrice, Body: "Why this price?", Pages: bills}
}

func (o *desk) ask(t *testing.T, a access.Actor, q Question) Case {
	t.Helper()
	c, err := o.Submit(t.Context(), a, q)
	require.NoError(t, err)
	return c
}

// happen makes an event happen to a case in the version that the caller saw.
func (o *desk) happen(ctx context.Context, e event, c Case) (Case, error) {
	switch e {
	case eventReply:
		return o.Reply(ctx, three, c.Number, written("More facts."))
	case eventYes:
		return o.Helped(ctx, three, Seen{c.Number, c.Version})
	case eventWithdraw:
		return o.Withdraw(ctx, three, Seen{c.Number, c.Version})
	case eventAssign:
		return o.Assign(ctx, Seen{c.Number, c.Version}, isad.Person.ID)
	case eventAsk:
		return o.AskOffice(ctx, isad, Seen{c.Number, c.Version}, written("Which line?"))
	case eventAnswer:
		return o.AnswerCase(ctx, isad, Seen{c.Number, c.Version}, written("By contract."))
	case eventNote:
		return o.AddNote(ctx, isad, Seen{c.Number, c.Version}, written("Check the contract."))
	case eventMerge:
		into, err := o.Submit(ctx, three, question(string(c.State)+"into", ours+"/b"))
		if err != nil {
			return c, err
		}
		return o.Merge(ctx, isad, Seen{c.Number, c.Version}, into.Number)
	case eventExpire:
		o.now = o.now.AddDate(0, 0, ReplyDays+1)
		if err := o.CloseUnreplied(ctx); err != nil {
			return c, err
		}
		return getCase(ctx, o.db.Reader, c.Number, "")
	}
	return c, fmt.Errorf("unknown event %s", e)
}

// Each event happens in its states only. A refused one changes nothing.
func TestStates(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		began := o.now
		paths := map[State][]event{Open: {}, Waiting: {eventAsk}, Answered: {eventAnswer}, Closed: {eventAnswer, eventYes},
			Withdrawn: {eventWithdraw}, Merged: {eventMerge}}
		for e, allowed := range transitions {
			if e == eventOpenCall { // of calls: TestCalls
				continue
			}
			for state, path := range paths {
				o.now = began
				c := o.ask(t, three, question(string(e)+string(state), ours+"/a"))
				for _, step := range path {
					var err error
					if c, err = o.happen(t.Context(), step, c); err != nil {
						t.Fatal(err)
					}
				}
				got, err := o.happen(t.Context(), e, c)
				want, may := allowed[state]
				switch {
				case may && (err != nil || got.State != want):
					t.Errorf("%s in %s: %s, %v; want %s", e, state, got.State, err, want)
				case !may && e == eventExpire && (err != nil || got.State != state):
					t.Errorf("%s in %s: %s, %v", e, state, got.State, err)
				case !may && e != eventExpire && !problem.Is(err, problem.Conflict):
					t.Errorf("%s in %s: %v, want a conflict", e, state, err)
				}
				stored, err := getCase(t.Context(), d.Reader, c.Number, "")
				if err != nil || !may && stored != c {
					t.Errorf("%s in %s changed the case: %v\n%+v\n%+v", e, state, err, c, stored)
				}
			}
		}
	})
}

// The promise counts business hours, pauses while the network waits for the office, and begins
// again when an answer wasn't enough.
func TestPromise(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		step := func(c Case, e event, later time.Duration, want string) Case {
			t.Helper()
			o.now = o.now.Add(later)
			c, err := o.happen(t.Context(), e, c)
			due := ""
			if !c.DueAt.IsZero() {
				due = c.DueAt.Time.In(o.hours.zone).Format("01/02 15:04")
			}
			if err != nil || due != want {
				t.Errorf("after %s: due %q, want %q; %v", e, due, want, err)
			}
			return c
		}
		c := o.ask(t, three, question("k", ours+"/a"))
		if got := c.DueAt.Time.In(o.hours.zone).Format("01/02 15:04"); got != "11/27 10:42" { // over Thanksgiving
			t.Errorf("due %s", got)
		}
		c = step(c, eventAsk, time.Hour, "")                  // 35 hours left
		c = step(c, eventReply, 47*time.Hour, "12/01 09:42")  // Wednesday, 10:42
		c = step(c, eventAnswer, 0, "")                       //
		c = step(c, eventReply, 0, "12/01 10:42")             // with a new promise
		c = step(c, eventAsk, 6*24*time.Hour-time.Minute, "") // a minute left: at least four hours
		_ = step(c, eventReply, 24*time.Hour+time.Minute, "12/02 14:42")
	})
}

// A case is seen by users of its group with its TIN. Without a TIN, by its author and the group's
// administrators.
func TestWhoSeesACase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		cs := map[string]Case{
			"ours":   o.ask(t, three, question("k1", ours+"/a", ours+"/b", ours+"/a")),
			"theirs": o.ask(t, three, question("k2", theirs+"/c")),
			"none":   o.ask(t, three, question("k3")),
			"other":  o.ask(t, six, question("k1", ours+"/a")),
		}
		check := func(who access.Actor, want string) {
			t.Helper()
			var seen []string
			for name, c := range cs {
				thread, err := o.ReadOwn(t.Context(), who, c.Number)
				_, replied := o.Reply(t.Context(), who, c.Number, written("More."))
				switch {
				case err == nil && replied == nil && len(thread.Entries) > 0:
					seen = append(seen, name)
				case !problem.Is(replied, problem.NotFound) || !problem.Is(err, problem.NotFound):
					t.Errorf("%s, %s: %v, %v", who.Acting().UserName, name, err, replied)
				}
			}
			slices.Sort(seen)
			list, _, err := o.ListOwn(t.Context(), who, TabAll, false, "")
			if got := strings.Join(seen, " "); got != want || err != nil || len(list) != len(seen) {
				t.Errorf("%s sees %q, and a list of %d; want %q; %v", who.Acting().UserName, got, len(list), want, err)
			}
		}
		check(three, "none ours theirs")
		check(four, "ours")
		check(head, "none ours theirs")
		check(six, "other")
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		check(three, "none theirs")
		identitytest.SetTINs(t, d.Writer, three.Person)
		check(three, "none")
		identitytest.SetTINs(t, d.Writer, three.Person, ours, theirs)

		about, err := o.FindAbout(t.Context(), four, ours+"/a")
		if err != nil || len(about) != 1 || about[0].Number != cs["ours"].Number {
			t.Errorf("about the bill: %+v, %v", about, err)
		}
		var shown int
		if err := db.Get(t.Context(), d.Reader, &shown, `SELECT count(*) FROM audit_log WHERE operation = 'cases-list' AND subject = $1`,
			ours+" A"); err != nil || shown != 1 {
			t.Errorf("%d entries for the cases of the bill, %v", shown, err)
		}
		for name, q := range map[string]Question{
			"bills of two TINs": question("x", ours+"/a", theirs+"/c"), "51 bills": question("x", make([]string, MaxBills+1)...),
			"no text": {RequestKey: "x", Topic: TopicPrice, Body: " \n "}, "no topic": {RequestKey: "x", Body: "?"},
			"a long text": {RequestKey: "x", Topic: TopicPrice, Body: strings.Repeat("x", MaxText+1)},
			"no key":      {Topic: TopicPrice, Body: "?"},
		} {
			if _, err := o.Submit(t.Context(), three, q); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, q := range map[string]Question{
			"a foreign bill": question("x", theirs+"/c"), "no bill": question("x", ours+"/none"),
			"a foreign remittance": {RequestKey: "x", Topic: TopicPayment, Body: "?", Remittance: theirs + "/r"},
			"no remittance":        {RequestKey: "x", Topic: TopicPayment, Body: "?", Remittance: ours + "/none"},
			"a foreign TIN":        {RequestKey: "x", Topic: TopicPrice, Body: "?", FTIN: theirs},
		} {
			if _, err := o.Submit(t.Context(), four, q); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A user who loses a TIN after the session read their TINs neither asks about it nor writes to its questions.
func TestTINLostDuringARequest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		require.NoError(t, store.Remittances.Insert(ctx, d.Writer, facts.Remittance{FTIN: ours, Remittance: "r", TraceNumber: "T1",
			FirstSeenAt: db.At(o.now)}))
		c := o.ask(t, three, question("k", ours+"/a"))
		late := three.WithTINs(three.Person.ID, []string{ours, theirs})
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		submit := func(q Question) error {
			_, err := o.Submit(ctx, late, q)
			return err
		}
		_, replied := o.Reply(ctx, late, c.Number, written("More."))
		_, read := o.ReadOwn(ctx, late, c.Number)
		_, withdrawn := o.Withdraw(ctx, late, Seen{c.Number, c.Version})
		for what, err := range map[string]error{
			"a reply": replied, "reading": read, "withdrawing": withdrawn, "about a bill": submit(question("bill", ours+"/a")),
			"about a Tax ID":  submit(Question{RequestKey: "tin", Topic: TopicPrice, Body: "?", FTIN: ours}),
			"about a payment": submit(Question{RequestKey: "payment", Topic: TopicPrice, Body: "?", Remittance: ours + "/r"}),
		} {
			assert.Truef(t, problem.Is(err, problem.NotFound), "%s: %v", what, err)
		}
		if got := o.get(t, c); got != c {
			t.Errorf("changed: %+v", got)
		}
	})
}

func TestQuestionAboutAPayment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		require.NoError(t, store.Remittances.Insert(t.Context(), d.Writer, facts.Remittance{FTIN: ours, Remittance: "r", TraceNumber: "T1",
			FirstSeenAt: db.At(o.now)}))
		c := o.ask(t, three, Question{RequestKey: "k", Topic: TopicPayment, Body: "What is this?", Remittance: ours + "/r"})
		thread, err := o.ReadOwn(t.Context(), four, c.Number)
		if err != nil || thread.TraceNumber != "T1" || thread.FTIN != ours {
			t.Errorf("%+v, %v", thread, err)
		}
	})
}

// A repeated question is stored once, also if both requests arrive at the same time.
func TestRepeatedQuestionCountsOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		numbers := make([]string, 6)
		var all sync.WaitGroup
		for i := range numbers {
			all.Go(func() {
				c, err := o.Submit(t.Context(), three, question("k", ours+"/a"))
				assert.NoError(t, err)
				numbers[i] = c.Number
			})
		}
		all.Wait()
		if slices.Sort(numbers); numbers[0] == "" || numbers[0] != numbers[5] {
			t.Errorf("%v", numbers)
		}
		for name, change := range map[string]func(q *Question){
			"text": func(q *Question) { q.Body = "Something else" }, "bills": func(q *Question) { q.Pages = append(q.Pages, ours+"/b") },
			"Tax ID": func(q *Question) { q.Pages, q.FTIN = nil, ours }, "files": func(q *Question) { q.Files = []int64{1} },
		} {
			q := question("k", ours+"/a")
			change(&q)
			_, err := o.Submit(t.Context(), three, q)
			fields := problem.From(err).Fields
			if !problem.Is(err, problem.Conflict) || len(fields) != 1 || *fields[0].Value != numbers[0] {
				t.Errorf("another %s with the same key: %v, %+v, want the number %s", name, err, fields, numbers[0])
			}
		}
		// A user who lost the TIN doesn't get the thread by repeating the request.
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		if c, err := o.Submit(t.Context(), three, question("k", ours+"/a")); !problem.Is(err, problem.NotFound) {
			t.Errorf("without the TIN: %+v, %v", c, err)
		}
	})
}

// Of two staff members who take a question, one gets it. An answer to a question that the office
// has added to is refused, and its reply isn't lost.
func TestStaffSeeTheLatest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c := o.ask(t, three, question("k", ours+"/a"))
		results := make([]error, 2)
		var all sync.WaitGroup
		for i := range results {
			all.Go(func() { _, results[i] = o.Assign(t.Context(), Seen{c.Number, c.Version}, isad.Person.ID) })
		}
		all.Wait()
		assert.NotEqual(t, results[1] == nil, results[0] == nil, results)
		require.NoError(t, dbtest.Err(o.Reply(t.Context(), three, c.Number, written("One more thing."))))
		seen := Seen{c.Number, c.Version + 1}
		if _, err := o.AnswerCase(t.Context(), isad, seen, written("By contract.")); !problem.Is(err, problem.Conflict) ||
			problem.From(err).Message != Stale {
			t.Errorf("an answer to what it was: %v", err)
		}
		answered, err := o.AnswerCase(t.Context(), isad, Seen{c.Number, c.Version + 2}, written("By contract.\n\nSee line 2."))
		if err != nil || answered.Owner != isad.Person.ID {
			t.Fatalf("%+v, %v", answered, err)
		}
		// Trying again doesn't help someone who answers after that.
		late := written("By contract.")
		if _, err := o.AnswerCase(t.Context(), isad, seen, late); !problem.Is(err, problem.Conflict) ||
			problem.From(err).Message != "This question is answered." {
			t.Errorf("an answer after someone else's: %v", err)
		}
		thread, err := o.ReadOwn(t.Context(), mirror, c.Number)
		if err != nil || !thread.Unread || len(thread.Entries) != 3 || thread.Entries[2].ID != thread.AnswerID ||
			thread.Entries[2].Body != "By contract.\n\nSee line 2." {
			t.Errorf("%+v, %v", thread, err)
		}
		// Mirroring staff read nothing for the office.
		for _, want := range []bool{true, false} {
			if thread, err := o.ReadOwn(t.Context(), three, c.Number); err != nil || thread.Unread != want {
				t.Errorf("unread %t, %v", thread.Unread, err)
			}
		}
		if thread, err := o.ReadOwn(t.Context(), head, c.Number); err != nil || !thread.Unread {
			t.Errorf("a colleague: unread %t, %v", thread.Unread, err)
		}
	})
}

// Queues list what staff have to do, by due time.
func TestQueues(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		names := map[string]string{}
		for i, name := range []string{"taken", "asked", "late", "new", "answered"} {
			if name == "new" {
				o.now = o.now.AddDate(0, 0, 7)
			}
			c := o.ask(t, three, question(fmt.Sprint(i), ours+"/a"))
			names[c.Number] = name
			step := map[string]event{"taken": eventAssign, "asked": eventAsk, "answered": eventAnswer}[name]
			if step != "" {
				require.NoError(t, dbtest.Err(o.happen(t.Context(), step, c)))
			}
		}
		for queue, want := range map[Queue]string{QueueMine: "taken asked", QueueUnassigned: "late new", QueueOverdue: "taken late",
			QueueWaiting: "asked", QueueAll: "taken late new"} {
			list, err := o.ListQueue(t.Context(), isad, queue, 50)
			var got []string
			for _, c := range list {
				got = append(got, names[c.Number])
			}
			slices.SortFunc(got, func(a, b string) int {
				return slices.Index(strings.Fields(want), a) - slices.Index(strings.Fields(want), b)
			})
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s; %v", queue, got, want, err)
			}
		}
		if _, err := o.ListQueue(t.Context(), isad, "x", 50); !problem.Is(err, problem.Invalid) {
			t.Errorf("an unknown queue: %v", err)
		}
	})
}

// written returns a text to send once, with files.
func written(body string, files ...int64) Written {
	return Written{RequestKey: rand.Text(), Body: body, Files: files}
}

// resolved returns the answer to a complaint.
func resolved(body string, o Outcome) Written {
	return Written{RequestKey: rand.Text(), Body: body, Outcome: o}
}
