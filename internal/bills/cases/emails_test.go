package cases

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mail"
)

// mailbox collects the enqueued and the sent emails.
type mailbox struct {
	mu     sync.Mutex
	queued []int64
	sent   []mail.Message
}

func (m *mailbox) outbox(d *db.DB, clock func() time.Time) *mail.Outbox {
	return mail.NewOutbox(mail.OutboxDeps{DB: d, Jobs: m, Clock: clock}, mail.Settings{})
}

func (m *mailbox) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queued = append(m.queued, args.(mail.JobArgs).MailID)
	return nil
}

func (m *mailbox) Send(_ context.Context, sent mail.Message) error {
	m.sent = append(m.sent, sent)
	return nil
}

// post runs the job and returns who gets which email.
func (o *desk) post(t *testing.T) string {
	t.Helper()
	require.NoError(t, o.EnqueueDue(t.Context()))
	sender := mail.NewSender(mail.SenderDeps{DB: o.db, Clock: func() time.Time { return o.now }, Log: slog.New(slog.DiscardHandler),
		Transport: &o.mailbox, Layout: mail.Layout{PublicURL: "https://portal.example"}}, o.Emails()...)
	o.mailbox.sent = nil
	for _, id := range o.mailbox.queued {
		require.NoError(t, sender.Work(t.Context(), &river.Job[mail.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 13},
			Args: mail.JobArgs{MailID: id}}))
	}
	o.mailbox.queued = nil
	var got []string
	for _, m := range o.mailbox.sent {
		name, _, _ := strings.Cut(m.To, "@")
		if strings.Contains(m.Text, "There's an answer to one of your questions.") {
			name += " answer"
		}
		if strings.Contains(m.Text, "The network needs your reply.") {
			name += " reply"
		}
		if strings.Contains(m.Text, "Letters about complaints are legally due within 2 days, or overdue.") {
			name += " legal"
		}
		if strings.Contains(m.Text, "A question from a provider office was assigned to you.") {
			name += " assigned"
		}
		if !strings.Contains(m.Text, "https://portal.example/wcpp/") || strings.Contains(m.Text+m.Subject, "C-") ||
			strings.Contains(m.Text, ours) || strings.Contains(m.Text, "contract") || strings.Contains(m.Text, "User") {
			t.Errorf("the email has content of a question: %s", m.Text)
		}
		got = append(got, name)
	}
	return strings.Join(got, ", ")
}

// A person gets at most one email an hour. Later events share one further email.
func TestEmailsAreOneAnHour(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ask := func(key string) Case { return o.ask(t, three, question(key, ours+"/a")) }
		step := func(e event, c Case, want string) {
			t.Helper()
			require.NoError(t, dbtest.Err(o.happen(t.Context(), e, c)))
			assert.Equal(t, want, o.post(t), e)
		}
		first, second, third, fourth := ask("1"), ask("2"), ask("3"), ask("4")
		step(eventAnswer, first, "user3 answer")
		o.now = o.now.Add(30 * time.Minute)
		step(eventAnswer, second, "")
		step(eventAsk, third, "")
		o.now = o.now.Add(31 * time.Minute)
		assert.Equal(t, "user3 answer reply", o.post(t))
		o.now = o.now.Add(59 * time.Minute)
		step(eventAnswer, fourth, "")
		// A question that was already read isn't emailed.
		for _, c := range []Case{first, second, third, fourth} {
			require.NoError(t, dbtest.Err(o.ReadOwn(t.Context(), three, c.Number)))
		}
		o.now = o.now.Add(time.Hour)
		assert.Empty(t, o.post(t))
		o.now = o.now.Add(time.Hour)
		step(eventAnswer, ask("5"), "user3 answer")
	})
}

// Answers at the same time are one email now and one later.
func TestEmailsOfConcurrentAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		var all sync.WaitGroup
		for i := range 6 {
			c := o.ask(t, three, question(fmt.Sprint(i), ours+"/a"))
			all.Go(func() {
				assert.NoError(t, dbtest.Err(o.happen(t.Context(), eventAnswer, c)))
			})
		}
		all.Wait()
		assert.Equal(t, "user3 answer", o.post(t))
		o.now = o.now.Add(time.Hour)
		assert.Equal(t, "user3 answer", o.post(t))
		o.now = o.now.Add(time.Hour)
		assert.Empty(t, o.post(t))
	})
}

// Emails go to the author if they see the question, else to the group's administrators who do.
func TestRecipients(t *testing.T) {
	for name, test := range map[string]struct {
		question     Question
		before, then func(t *testing.T, o *desk) // the answer, and the email
		want         string
	}{
		"author":        {question: question("k", ours+"/a"), want: "user3 answer"},
		"without a TIN": {question: question("k"), want: "user3 answer"},
		"lost TIN": {question: question("k", ours+"/a"), want: "head answer", before: func(t *testing.T, o *desk) {
			identitytest.SetTINs(t, o.db.Writer, three.Person, theirs)
		}},
		"TIN lost before the email": {question: question("k", ours+"/a"), want: "", then: func(t *testing.T, o *desk) {
			identitytest.SetTINs(t, o.db.Writer, three.Person, theirs)
		}},
		"terminated author": {question: question("k"), want: "head answer", before: func(t *testing.T, o *desk) {
			identitytest.SetStatus(t, o.db.Writer, three.Person.ID, users.Terminated)
		}},
		"terminated before the email": {question: question("k"), want: "", then: func(t *testing.T, o *desk) {
			identitytest.SetStatus(t, o.db.Writer, three.Person.ID, users.Terminated)
		}},
		"locked author": {question: question("k", ours+"/a"), want: "user3 answer", before: func(t *testing.T, o *desk) {
			identitytest.Lock(t, o.db.Writer, three.Person.ID)
		}},
		"locked before the email": {question: question("k", ours+"/a"), want: "user3 answer", then: func(t *testing.T, o *desk) {
			identitytest.Lock(t, o.db.Writer, three.Person.ID)
		}},
		"locked administrator": {question: question("k"), want: "head answer", before: func(t *testing.T, o *desk) {
			identitytest.SetStatus(t, o.db.Writer, three.Person.ID, users.Terminated)
			identitytest.Lock(t, o.db.Writer, head.Person.ID)
		}},
		"TIN of nobody": {question: question("k", ours+"/a"), want: "", before: func(t *testing.T, o *desk) {
			identitytest.SetTINs(t, o.db.Writer, three.Person)
			identitytest.SetTINs(t, o.db.Writer, head.Person)
		}},
		"ended group": {question: question("k", ours+"/a"), want: "", before: func(t *testing.T, o *desk) {
			identitytest.SetGroupStatus(t, o.db.Writer, 7, users.GroupInactive)
		}},
		"turned off": {question: question("k", ours+"/a"), want: "", before: func(t *testing.T, o *desk) { o.setEmails(t, three, false) }},
		"turned off before the email": {question: question("k", ours+"/a"), want: "", then: func(t *testing.T, o *desk) {
			o.setEmails(t, three, false)
		}},
		"other emails": {question: question("k", ours+"/a"), want: "user3 answer", before: func(t *testing.T, o *desk) {
			o.setEmails(t, three, true)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				o := newDesk(t, d)
				c := o.ask(t, three, test.question)
				if test.before != nil {
					test.before(t, o)
				}
				require.NoError(t, dbtest.Err(o.happen(t.Context(), eventAnswer, c)))
				if test.then != nil {
					test.then(t, o)
				}
				assert.Equal(t, test.want, o.post(t))
			})
		})
	}
}

// The authors of merged questions get the email, too, once each, if they still see the question.
func TestRecipientsOfMergedQuestions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ask := func(a access.Actor, key string) Case { return o.ask(t, a, question(key, ours+"/a")) }
		first, second, third := ask(three, "1"), ask(four, "2"), ask(three, "3")
		o.mustMerge(t, first, second)
		o.mustMerge(t, second, third)
		answer := func(e event, want string) {
			t.Helper()
			require.NoError(t, dbtest.Err(o.happen(t.Context(), e, o.get(t, third))))
			assert.Equal(t, want, o.post(t))
			o.now = o.now.Add(2 * time.Hour)
		}
		answer(eventAsk, "user3 reply, user4 reply")
		identitytest.SetTINs(t, d.Writer, four.Person, theirs)
		answer(eventAnswer, "user3 answer")
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		require.NoError(t, dbtest.Err(o.Reply(t.Context(), head, third.Number, written("More facts."))))
		answer(eventAnswer, "head answer")
	})
}

// setEmails stores the email settings of a user, with or without emails about questions.
func (o *desk) setEmails(t *testing.T, a access.Actor, questions bool) {
	t.Helper()
	require.NoError(t, dbtest.Err(o.db.Writer.ExecContext(t.Context(), `INSERT INTO alert_settings (user_id, digest,
		days, hour, kinds, tins, quiet_weeks, delivered_change, delivered_day, mailed_on, watch_change, questions)
		VALUES ($1, 'never', '[]', 7, '[]', '[]', $2, 0, '2026-01-01', '2026-01-01', 0, $3)`, a.Person.ID, false, questions)))
}

// A refused answer sends nothing, and old emails are deleted.
func TestEmailsBelongToTheEvent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c := o.ask(t, three, question("k", ours+"/a"))
		if _, err := o.AnswerCase(t.Context(), isad, Seen{c.Number, 9}, written("By contract.")); err == nil {
			t.Error("an answer to another version counts")
		}
		require.NoError(t, dbtest.Err(o.happen(t.Context(), eventAnswer, c)))
		var emails int
		count := func() int {
			t.Helper()
			require.NoError(t, db.Get(t.Context(), d.Reader, &emails, `SELECT count(*) FROM case_emails`))
			return emails
		}
		if count() != 1 || len(o.mailbox.queued) != 1 {
			t.Errorf("%d emails, %d queued", emails, len(o.mailbox.queued))
		}
		o.now = o.now.AddDate(0, 0, emailDays+1)
		if err := o.Cleanup(t.Context()); err != nil || count() != 0 {
			t.Errorf("%d emails are left, %v", emails, err)
		}
	})
}
