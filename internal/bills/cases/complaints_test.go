package cases

import (
	"bytes"
	"compress/zlib"
	"context"
	"database/sql"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/spreadsheet"
)

var brand = settings.Brand{BrandName: "Provider Portal", OrganizationName: "Harborline Network", SupportPhone: "800-555-0100",
	SupportEmail: "help@portal.example", OrganizationAddress: "1 Harbor Way, Austin, TX 78701"}

// fakeLaw has rules for Texas while it's active.
type fakeLaw struct {
	active       bool
	state, asked string
}

func (l *fakeLaw) FindClocks(_ context.Context, _ *sql.Tx, state, filing string, received date.Date) (Clocks, error) {
	l.state, l.asked = state, filing
	if !l.active || state != "TX" {
		return Clocks{}, nil
	}
	const citation = "28 TAC 10.121"
	return Clocks{Clock{received.AddDays(7), citation, "Acknowledged in 7 days."},
		Clock{received.AddDays(30), citation, "Ask the state."}}, nil
}

func complaint(key string, bills ...string) Question {
	q := question(key, bills...)
	q.Complaint = &ComplaintDetails{Categories: []string{"FEES", "PAYMENT", "FEES"}, LawState: "TX"}
	return q
}

func phoned(key string) Recorded {
	return Recorded{RequestKey: key, UserName: three.Person.UserName,
		Origin: ByPhone, ReceivedOn: "2026-11-20", Body: "Nobody called back.",
		ComplaintDetails: ComplaintDetails{Categories: []string{"OTHER"}, LawState: "TX"}}
}

func (o *desk) recordComplaint(t *testing.T, r Recorded) Case {
	t.Helper()
	c, err := o.RecordComplaint(t.Context(), isad, r)
	require.NoError(t, err)
	return c
}

// readLetters returns the text of each letter of a case.
func (o *desk) readLetters(t *testing.T, c Case) (texts []string) {
	t.Helper()
	list, err := listLetters(t.Context(), o.db.Reader, c.ID)
	require.NoError(t, err)
	for _, l := range list {
		pdf, err := o.ReadLetterAtDesk(t.Context(), c.Number, l.ID)
		require.NoError(t, err)
		texts = append(texts, readText(t, pdf))
	}
	return texts
}

// readText returns the text of a PDF.
func readText(t *testing.T, pdf []byte) string {
	t.Helper()
	var b strings.Builder
	for _, stream := range bytes.Split(pdf, []byte("\nstream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			continue
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		for _, piece := range regexp.MustCompile(`(?s)\(((?:[^()\\]|\\.)*)\) ?Tj`).FindAllSubmatch(content, -1) {
			b.WriteString(regexp.MustCompile(`(?s)\\(.)`).ReplaceAllString(string(piece[1]), "$1") + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// A complaint of an office starts the clocks of its state's active rules. They stay as computed when
// the rules change, and never pause. Its letters meet them when the office opens the case.
func TestComplaintOfAnOffice(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		if c := o.ask(t, three, complaint("draft", ours+"/a")); c.LegalDue != "" || c.AckDue != "" || c.ReceivedOn != "2026-11-23" {
			t.Errorf("without an active rule: %+v", c.Complaint)
		} else if text := o.readLetters(t, c)[0]; !strings.Contains(text, "and will send a written resolution.") ||
			strings.Contains(text, "10.121") {
			t.Errorf("without an active rule: %s", text)
		}
		o.law.active = true
		c := o.ask(t, three, complaint("k", ours+"/a", ours+"/b"))
		o.law.active = false
		want := Complaint{Categories: "PAYMENT FEES", Origin: FromPortal, ReceivedOn: "2026-11-23", LawState: "TX", AckDue: "2026-11-30",
			AckCitation: "28 TAC 10.121", ResolveDue: "2026-12-23", ResolveCitation: "28 TAC 10.121", ResolveText: "Ask the state.",
			LegalDue: "2026-11-30"}
		if got := o.get(t, c); got.Kind != KindComplaint || got.Topic != TopicOther || got.Complaint != want {
			t.Errorf("%s %s\ngot  %+v\nwant %+v", got.Kind, got.Topic, got.Complaint, want)
		}
		// Staff and those who mirror don't meet the clock.
		_, staff := o.OpenAtDesk(t.Context(), c.Number)
		_, mirrored := o.ReadOwn(t.Context(), mirror, c.Number)
		if got := o.get(t, c); staff != nil || mirrored != nil || got.AckOn != "" {
			t.Errorf("%+v, %v, %v", got.Complaint, staff, mirrored)
		}
		o.now = o.now.AddDate(0, 0, 2)
		thread, err := o.ReadOwn(t.Context(), four, c.Number)
		if err != nil || thread.AckOn != "2026-11-25" || thread.LegalDue != "2026-12-23" || thread.Version != c.Version ||
			len(thread.Letters) != 1 || o.get(t, c).Complaint != thread.Complaint {
			t.Errorf("opened: %+v, %v", thread.Case, err)
		}
		// Asking the office pauses the network's own promise only.
		c, err = o.AskOffice(t.Context(), isad, Seen{c.Number, thread.Version}, written("Which line?"))
		if err != nil || c.LegalDue != "2026-12-23" || !c.DueAt.IsZero() {
			t.Errorf("asked: %+v, %v", c, err)
		}
		seen := Seen{c.Number, c.Version}
		if _, err := o.AnswerCase(t.Context(), isad, seen, written("Paid now.")); !problem.Is(err, problem.Invalid) {
			t.Errorf("resolved without an outcome: %v", err)
		}
		resolution := resolved("Paid now.\n\nReason: line 2.", PartlyUpheld)
		if c, err = o.AnswerCase(t.Context(), isad, seen, resolution); err != nil ||
			c.ResolveOn != "" || c.LegalDue != "2026-12-23" || c.Outcome != PartlyUpheld {
			t.Errorf("resolved: %+v, %v", c, err)
		}
		o.now = o.now.AddDate(0, 0, 1)
		if thread, err = o.ReadOwn(t.Context(), three, c.Number); err != nil || thread.ResolveOn != "2026-11-26" || thread.LegalDue != "" ||
			thread.AckOn != "2026-11-25" || len(thread.Letters) != 2 {
			t.Errorf("the resolution was opened: %+v, %v", thread, err)
		}
		// A second resolution has a letter of its own. The clock stays met.
		if c, err = o.Reply(t.Context(), three, c.Number, written("Not paid.")); err != nil || c.Outcome != "" || c.LegalDue != "" {
			t.Errorf("replied: %+v, %v", c.Complaint, err)
		}
		if c, err = o.AnswerCase(t.Context(), isad, Seen{c.Number, c.Version}, resolved("Paid again.", Upheld)); err != nil ||
			c.ResolveOn != "2026-11-26" {
			t.Errorf("resolved again: %+v, %v", c.Complaint, err)
		}
		if texts := o.readLetters(t, c); len(texts) != 3 || !strings.Contains(texts[2], "Paid again.") {
			t.Errorf("%q", texts)
		}
		plain := o.ask(t, three, question("plain"))
		withOutcome := resolved("x", Upheld)
		if _, err := o.AnswerCase(t.Context(), isad, Seen{plain.Number, 1}, withOutcome); !problem.Is(err, problem.Invalid) {
			t.Errorf("a question with an outcome: %v", err)
		}
		if c, err := o.AnswerCase(t.Context(), isad, Seen{plain.Number, 1}, written("x")); err != nil || c.Outcome != "" ||
			len(o.readLetters(t, c)) != 0 {
			t.Errorf("a question: %+v, %v", c, err)
		}
	})
}

// The state and line of a bill decide which law applies. A state that was only assumed doesn't count.
func TestLawOfABill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		for i, c := range []struct{ state, basis, filing, want string }{
			{"OH", facts.StateGiven, "WC", "OH"}, {"OH", "PROVIDER", "AM", "TX"}, {"", "", "", "TX"},
		} {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE bills SET state_of_jurisdiction = $1, state_basis = $2,
				filing = $3 WHERE bill_control_number_key = 'a'`, c.state, c.basis, c.filing)))
			got := o.ask(t, three, complaint(fmt.Sprint(i), ours+"/a"))
			if got.LawState != c.want || o.law.state != c.want || o.law.asked != c.filing {
				t.Errorf("%v: %s, asked for %s %s", c, got.LawState, o.law.state, o.law.asked)
			}
		}
		const given = `UPDATE bills SET state_of_jurisdiction = 'OH', state_basis = 'G', filing = 'WC' WHERE bill_control_number_key = 'b'`
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, given)))
		if got := o.ask(t, three, complaint("second", ours+"/a", ours+"/b")); got.LawState != "OH" || o.law.asked != "WC" {
			t.Errorf("state of the second bill: %s, asked for %s", got.LawState, o.law.asked)
		}
		q := complaint("none")
		q.Complaint.LawState, o.law.state = "", "unasked"
		if got := o.ask(t, three, q); got.LawState != "" || o.law.state != "unasked" {
			t.Errorf("no state: %+v", got.Complaint)
		}
	})
}

// Letters say who wrote, what was received and when, and by when it's resolved.
func TestLetters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.law.active = true
		c := o.ask(t, three, complaint("k", ours+"/a", ours+"/b"))
		answer := resolved("By contract.\n\nSee (line 2).", NotUpheld)
		if c, err := o.AnswerCase(t.Context(), isad, Seen{c.Number, 1}, answer); err != nil || c.AnswerID == 0 {
			t.Fatal(err)
		}
		both := []string{"From Harborline Network", "Address 1 Harbor Way, Austin, TX 78701",
			"Phone 800-555-0100", "Email help@portal.example",
			"To User 3", "Date 11/23/2026", "Complaint " + c.Number, "Received 11/23/2026, Portal",
			"Bill payment; Fee disputes", "Bills A, B",
			"State Law Texas", "Ask the state.", "Source: 28 TAC 10.121"}
		for i, want := range [][]string{
			{"Complaint Received",
				"We received your complaint on 11/23/2026 and will send a written resolution by 12/23/2026 (28 TAC 10.121).",
				"Why this price?", "Acknowledged in 7 days."},
			{"Complaint Resolution", "We received your complaint on 11/23/2026. This is our written resolution.", "Outcome Not upheld",
				"By contract. See (line 2)."},
		} {
			text := o.readLetters(t, c)[i]
			for _, part := range slices.Concat(both, want) {
				assert.Containsf(t, text, part, "letter %d lacks", i)
			}
		}
		// A file that was changed isn't shown.
		list, err := listLetters(t.Context(), d.Reader, c.ID)
		require.NoError(t, err)
		require.NoError(t, o.files.Put(t.Context(), letterFolder+list[0].StorageKey, func(w io.Writer) error {
			_, err := io.WriteString(w, "forged")
			return err
		}))
		if _, err := o.ReadLetter(t.Context(), three, c.Number, list[0].ID); !problem.Is(err, problem.Unavailable) {
			t.Errorf("a changed file: %v", err)
		}
		var shown int
		if err := db.Get(t.Context(), d.Reader, &shown,
			`SELECT count(*) FROM audit_log WHERE operation = 'case-letter-read'`); err != nil || shown != 0 {
			t.Errorf("%d letters read, %v", shown, err)
		}
	})
}

// Staff record complaints that came by phone or mail. Those of someone without an account are only
// for staff. A mailed letter meets its clock.
func TestRecordedComplaints(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.law.active = true
		r := phoned("k")
		r.FTIN, r.Bills = ours, []string{"A", "b"}
		c := o.recordComplaint(t, r)
		thread, err := o.ReadOwn(t.Context(), four, c.Number)
		if err != nil || !thread.Unread || thread.Group != 7 || thread.OpenedBy != three.Person.ID || len(thread.Bills) != 2 ||
			thread.AckOn != "2026-11-23" || thread.AckDue != "2026-11-27" || thread.Entries[0].Author != isad.Person.ID {
			t.Errorf("%+v, %v", thread, err)
		}
		outside := phoned("other")
		outside.UserName, outside.Complainant, outside.Origin = "", "Ann Lee", ByMail
		c = o.recordComplaint(t, outside)
		list, err := listLetters(t.Context(), d.Reader, c.ID)
		if err != nil || len(list) != 1 || c.Group != 0 || c.LegalDue != "2026-11-27" {
			t.Fatalf("%+v, %+v, %v", c, list, err)
		}
		if text := o.readLetters(t, c)[0]; !strings.Contains(text, "To Ann Lee") || !strings.Contains(text, "11/20/2026, Mail") {
			t.Errorf("%s", text)
		}
		groupless := access.Actor{Person: access.Person{ID: 9, UserName: "clerk", Type: access.PRAD}}
		for name, actor := range map[string]access.Actor{
			"an office": three, "an administrator": head, "its author without a group": groupless,
		} {
			_, read := o.ReadOwn(t.Context(), actor, c.Number)
			_, letter := o.ReadLetter(t.Context(), actor, c.Number, list[0].ID)
			cs, _, listed := o.ListOwn(t.Context(), actor, TabAll, false, "")
			if !problem.Is(read, problem.NotFound) || !problem.Is(letter, problem.NotFound) || listed != nil ||
				slices.ContainsFunc(cs, func(l Listed) bool { return l.Number == c.Number }) {
				t.Errorf("%s: %v, %v, %v", name, read, letter, listed)
			}
		}
		if _, err := o.AskOffice(t.Context(), isad, Seen{c.Number, 1}, written("Which bill?")); !problem.Is(err, problem.Conflict) {
			t.Errorf("asked someone without an account: %v", err)
		}
		mail := func(version, letter int64, on date.Date) (Case, error) {
			return o.MarkMailed(t.Context(), Seen{c.Number, version}, letter, on)
		}
		for name, on := range map[string]date.Date{"tomorrow": "2026-11-24", "before it was made": "2026-11-22", "no day": ""} {
			if _, err := mail(1, list[0].ID, on); !problem.Is(err, problem.Invalid) {
				t.Errorf("mailed %s: %v", name, err)
			}
		}
		if _, err := mail(9, list[0].ID, "2026-11-23"); !problem.Is(err, problem.Conflict) {
			t.Errorf("another version: %v", err)
		}
		if _, err := mail(1, list[0].ID+100, "2026-11-23"); !problem.Is(err, problem.NotFound) {
			t.Errorf("another letter: %v", err)
		}
		for range 2 { // the second is a repeated request
			mailed, err := mail(1, list[0].ID, "2026-11-23")
			if err != nil || mailed.AckOn != "2026-11-23" || mailed.LegalDue != "2026-12-20" || mailed.Version != 2 {
				t.Errorf("%+v, %v", mailed, err)
			}
		}
		o.now = o.now.AddDate(0, 0, 1)
		if _, err := mail(2, list[0].ID, "2026-11-24"); !problem.Is(err, problem.Conflict) {
			t.Errorf("mailed again: %v", err)
		}
		if c, err = o.AnswerCase(t.Context(), isad, Seen{c.Number, 2}, resolved("Sorry.", Upheld)); err != nil {
			t.Fatal(err)
		}
		list, err = listLetters(t.Context(), d.Reader, c.ID)
		require.NoError(t, err)
		require.Len(t, list, 2)
		if got, err := mail(c.Version, list[1].ID, "2026-11-24"); err != nil || got.ResolveOn != "2026-11-24" || got.LegalDue != "" {
			t.Errorf("%+v, %v", got.Complaint, err)
		}
	})
}

// A complaint can be of a user who is locked after failed attempts.
func TestComplaintOfALockedUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		record := func(key string) error {
			r := phoned(key)
			r.FTIN = ours
			_, err := o.RecordComplaint(t.Context(), isad, r)
			return err
		}
		identitytest.Lock(t, d.Writer, three.Person.ID)
		assert.NoError(t, record("locked"))
		for _, status := range []users.Status{users.New, users.Inactive, users.Deactivated, users.Draft, users.Terminated} {
			identitytest.SetStatus(t, d.Writer, three.Person.ID, status)
			if err := record(string(status)); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", status, err)
			}
		}
		identitytest.SetStatus(t, d.Writer, three.Person.ID, users.Active)
		identitytest.SetGroupStatus(t, d.Writer, 7, users.GroupInactive)
		if err := record("ended"); !problem.Is(err, problem.Invalid) {
			t.Errorf("inactive group: %v", err)
		}
	})
}

func TestRecordingIsChecked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		for name, change := range map[string]func(*Recorded){
			"no key": func(r *Recorded) { r.RequestKey = "" }, "nobody": func(r *Recorded) { r.UserName = "" },
			"two people":       func(r *Recorded) { r.Complainant = "Ann Lee" },
			"a long name":      func(r *Recorded) { r.UserName, r.Complainant = "", strings.Repeat("x", maxName+1) },
			"unknown user":     func(r *Recorded) { r.UserName = "nobody" },
			"staff":            func(r *Recorded) { r.UserName = isad.Person.UserName },
			"foreign TIN":      func(r *Recorded) { r.UserName, r.FTIN = four.Person.UserName, theirs },
			"unknown bill":     func(r *Recorded) { r.FTIN, r.Bills = ours, []string{"none"} },
			"bills of no TIN":  func(r *Recorded) { r.Bills = []string{"a"} },
			"51 bills":         func(r *Recorded) { r.FTIN, r.Bills = ours, make([]string, MaxBills+1) },
			"TIN of nobody":    func(r *Recorded) { r.UserName, r.Complainant, r.FTIN = "", "Ann Lee", ours },
			"the portal":       func(r *Recorded) { r.Origin = FromPortal },
			"tomorrow":         func(r *Recorded) { r.ReceivedOn = "2026-11-24" },
			"long ago":         func(r *Recorded) { r.ReceivedOn = "2025-11-21" },
			"no day":           func(r *Recorded) { r.ReceivedOn = "" },
			"no text":          func(r *Recorded) { r.Body = " " },
			"a long text":      func(r *Recorded) { r.Body = strings.Repeat("x", MaxText+1) },
			"no category":      func(r *Recorded) { r.Categories = nil },
			"unknown category": func(r *Recorded) { r.Categories = []string{"FEES", "x"} },
			"unknown state":    func(r *Recorded) { r.LawState = "XX" },
		} {
			r := phoned("k")
			change(&r)
			if _, err := o.RecordComplaint(t.Context(), isad, r); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wrong := complaint("k")
		wrong.Complaint.Categories = nil
		if _, err := o.Submit(t.Context(), three, wrong); !problem.Is(err, problem.Invalid) {
			t.Errorf("a complaint of an office without a category: %v", err)
		}
		var stored int
		if err := db.Get(t.Context(), d.Reader, &stored, `SELECT count(*) FROM cases`); err != nil || stored != 0 {
			t.Errorf("%d stored, %v", stored, err)
		}
	})
}

// A repeated request stores a complaint and its letter once.
func TestRepeatedComplaintCountsOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		numbers := make([]string, 4)
		var all sync.WaitGroup
		for i := range numbers {
			all.Go(func() {
				c, err := o.RecordComplaint(t.Context(), isad, phoned("k"))
				assert.NoError(t, err)
				numbers[i] = c.Number
			})
		}
		all.Wait()
		var sent int
		err := db.Get(t.Context(), d.Reader, &sent, `SELECT count(*) FROM case_letters`)
		if slices.Sort(numbers); numbers[0] == "" || numbers[0] != numbers[3] || sent != 1 || err != nil {
			t.Errorf("%v, %d letters, %v", numbers, sent, err)
		}
		later := phoned("k")
		later.ReceivedOn = later.ReceivedOn.AddDays(-1)
		if _, err := o.RecordComplaint(t.Context(), isad, later); !problem.Is(err, problem.Conflict) {
			t.Errorf("another day of receipt with the same key: %v", err)
		}
		o.ask(t, three, complaint("own"))
		if again := o.ask(t, three, complaint("own")); again.Version != 1 {
			t.Errorf("%+v", again)
		}
		other := complaint("own")
		other.Complaint.Categories = []string{"QUALITY"}
		asked := question("own")
		asked.Topic = TopicOther
		for name, q := range map[string]Question{"another category": other, "a question": asked} {
			if _, err := o.Submit(t.Context(), three, q); !problem.Is(err, problem.Conflict) {
				t.Errorf("%s with the same key: %v", name, err)
			}
		}
	})
}

// Queues are sorted by the earliest clock. Complaints stay in the legal queue while a letter is required.
func TestLegalQueue(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.law.active = true
		names := map[string]string{}
		add := func(name string, c Case) Case {
			names[c.Number] = name
			return c
		}
		early := phoned("early") // due yesterday
		early.ReceivedOn = "2026-11-15"
		late := phoned("late")
		late.ReceivedOn = "2026-11-22"
		add("question", o.ask(t, three, question("q")))
		add("late", o.recordComplaint(t, late))
		add("early", o.recordComplaint(t, early))
		asked := add("asked", o.ask(t, three, question("w")))
		paused := add("paused", o.recordComplaint(t, phoned("paused")))
		answered := add("answered", o.recordComplaint(t, phoned("answered")))
		withdrawn := add("withdrawn", o.recordComplaint(t, phoned("withdrawn")))
		_, first := o.AskOffice(t.Context(), isad, Seen{asked.Number, 1}, written("?"))
		_, second := o.AskOffice(t.Context(), isad, Seen{paused.Number, 1}, written("?"))
		_, third := o.AnswerCase(t.Context(), isad, Seen{answered.Number, 1}, resolved("Sorry.", Upheld))
		gone, fourth := o.Withdraw(t.Context(), three, Seen{withdrawn.Number, 1})
		if first != nil || second != nil || third != nil || fourth != nil || gone.Outcome != NoDecision || gone.LegalDue != "" {
			t.Fatalf("%v, %v, %v, %v, %+v", first, second, third, fourth, gone)
		}
		for queue, want := range map[Queue]string{QueueAll: "early question late", QueueUnassigned: "early question late",
			QueueOverdue: "early", QueueWaiting: "paused asked", QueueMine: "paused asked", QueueLegal: "early paused answered late"} {
			list, err := o.ListQueue(t.Context(), isad, queue, 50)
			var got []string
			for _, c := range list {
				got = append(got, names[c.Number])
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s; %v", queue, got, want, err)
			}
			if cut, err := o.ListQueue(t.Context(), isad, queue, 1); err != nil || len(cut) > 1 || names[cut[0].Number] != got[0] {
				t.Errorf("the first of %s: %v, %v", queue, cut, err)
			}
		}
		// Each overdue case counts once, also after its promised time has passed, too.
		for _, days := range []int{0, 7} {
			o.now = o.now.AddDate(0, 0, days)
			list, err := o.ListQueue(t.Context(), isad, QueueOverdue, 50)
			backlog, counted := o.CountOverdue(t.Context())
			if err != nil || counted != nil || backlog.Count != len(list) || !backlog.Since.Equal(o.clock(list[0]).Time) {
				t.Errorf("%d days later: %+v, want %d since %v; %v, %v", days, backlog, len(list), o.clock(list[0]), err, counted)
			}
			registry := prometheus.NewRegistry()
			registry.MustRegister(o.Service)
			found, err := registry.Gather()
			require.NoError(t, err)
			for _, family := range found {
				if got := family.Metric[0].GetGauge().GetValue(); family.GetName() == "wcpp_cases_overdue" && int(got) != len(list) {
					t.Errorf("%d days later, the metric is %g, want %d", days, got, len(list))
				}
			}
		}
	})
}

// A resolved complaint closes after 30 days without a reply, a question after 14.
func TestComplaintsCloseLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c, q := o.ask(t, three, complaint("c")), o.ask(t, three, question("q"))
		_, resolved := o.AnswerCase(t.Context(), isad, Seen{c.Number, 1}, resolved("Sorry.", Upheld))
		_, answered := o.AnswerCase(t.Context(), isad, Seen{q.Number, 1}, written("Yes."))
		require.NoError(t, resolved)
		require.NoError(t, answered)
		for _, step := range []struct {
			days      int
			complaint State
		}{{ReplyDays + 1, Answered}, {ComplaintReplyDays - ReplyDays, Closed}} {
			o.now = o.now.AddDate(0, 0, step.days)
			require.NoError(t, o.CloseUnreplied(t.Context()))
			assert.Equalf(t, [2]State{step.complaint, Closed}, [2]State{o.get(t, c).State, o.get(t, q).State}, "%d days later", step.days)
		}
	})
}

// The log has the complaints of a period with what happened to them, as CSV and XLSX.
func TestLog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.law.active = true
		outside := phoned("1")
		outside.UserName, outside.Complainant, outside.Origin, outside.ReceivedOn = "", "=Ann", ByMail, "2026-11-01"
		first := o.recordComplaint(t, outside)
		c := o.ask(t, three, complaint("2", ours+"/a", ours+"/b"))
		o.ask(t, three, question("3"))
		o.now = o.now.AddDate(0, 0, 1)
		require.NoError(t, dbtest.Err(o.ReadOwn(t.Context(), three, c.Number)))
		require.NoError(t, dbtest.Err(o.AnswerCase(t.Context(), isad, Seen{c.Number, 1}, resolved("Sorry.", Upheld))))
		o.now = o.now.AddDate(0, 0, 40)
		require.NoError(t, dbtest.Err(o.ReadOwn(t.Context(), three, c.Number)))
		export := func(from, to date.Date, format spreadsheet.Format) string {
			t.Helper()
			write, err := o.Log(t.Context(), from, to, format)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, write(t.Context(), &out))
			return out.String()
		}
		rows := strings.Split(strings.TrimRight(export("2026-01-01", "2026-12-31", spreadsheet.CSV), "\r\n"), "\n")
		for i, want := range []string{
			"\uFEFFNumber,Received,",
			first.Number + ",11/01/2026,Mail,'=Ann,,Miscellaneous,TX,,Open,,11/08/2026,,,Yes,12/01/2026,,,Yes",
			c.Number + `,11/23/2026,Portal,User 3,x,Bill payment; Fee disputes,TX,"A, B",Answered,Upheld,11/30/2026,11/24/2026,1,No,` +
				"12/23/2026,01/03/2027,41,Yes",
		} {
			if len(rows) != 3 || !strings.HasPrefix(rows[i], want) {
				t.Errorf("row %d: %q, want %q", i, rows, want)
			}
		}
		for i, period := range [][2]date.Date{{"2026-11-02", "2026-11-22"}, {"2026-11-24", "2027-11-23"}} {
			if out := export(period[0], period[1], spreadsheet.CSV); strings.Count(out, "\n") != 1 {
				t.Errorf("period %d: %s", i, out)
			}
		}
		book, err := excelize.OpenReader(strings.NewReader(export("2026-11-01", "2026-11-23", spreadsheet.XLSX)))
		require.NoError(t, err)
		defer book.Close() //nolint:errcheck // only read
		name, err := book.GetCellValue("Complaints", "D2")
		days, other := book.GetCellValue("Complaints", "Q3")
		formula, third := book.GetCellFormula("Complaints", "D2")
		if name != "=Ann" || days != "41" || formula != "" || err != nil || other != nil || third != nil {
			t.Errorf("%q %q %q; %v %v %v", name, days, formula, err, other, third)
		}
		for _, period := range [][2]date.Date{{"2026-01-02", "2026-01-01"}, {"2026-01-01", "2027-01-02"}, {"", "2026-01-01"},
			{"2026-01-01", ""}} {
			if _, err := o.Log(t.Context(), period[0], period[1], spreadsheet.CSV); !problem.Is(err, problem.Invalid) {
				t.Errorf("%v: %v", period, err)
			}
		}
		var exports int
		if err := db.Get(t.Context(), d.Reader, &exports, `SELECT count(*) FROM audit_log WHERE operation = 'complaint-log'`); err != nil ||
			exports != 4 {
			t.Errorf("%d exports in the audit log, %v", exports, err)
		}
	})
}

// Parts of the log follow each other without gaps, also within a day.
func TestLogIsWrittenInParts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		const number = logPart*2 + 1
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			for i := range number {
				c := Case{Kind: KindComplaint, Topic: TopicOther, OpenedBy: isad.Person.ID, State: Open,
					OpenedAt: db.At(o.now), DueAt: db.At(o.now),
					RequestKey: fmt.Sprint(i), Version: 1,
					Complaint: Complaint{Origin: ByMail, Complainant: "Ann", ReceivedOn: "2026-11-20"}}
				if _, err := addCase(t.Context(), tx, c); err != nil {
					return err
				}
			}
			return nil
		}))
		write, err := o.Log(t.Context(), "2026-11-20", "2026-11-20", spreadsheet.CSV)
		require.NoError(t, err)
		var out bytes.Buffer
		if err := write(t.Context(), &out); err != nil || strings.Count(out.String(), "\n") != number+1 {
			t.Errorf("%d rows, %v", strings.Count(out.String(), "\n"), err)
		}
	})
}
