package mail

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// scripted is a transport with configurable results.
type scripted struct {
	answer error
	sent   []Message
}

func (r *scripted) Send(_ context.Context, m Message) error {
	if r.answer == nil {
		r.sent = append(r.sent, m)
	}
	return r.answer
}

type noted struct{ ids []int64 }

func (n *noted) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	n.ids = append(n.ids, args.(JobArgs).MailID)
	return nil
}

func TestOutbox(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		to, jobs, log := &scripted{}, &noted{}, &bytes.Buffer{}
		o := NewOutbox(OutboxDeps{DB: d, Jobs: jobs, Clock: time.Now}, Settings{})
		written := 0
		compose := func(_ context.Context, _ *sql.Tx, subject int64) (Content, error) {
			written++
			if subject == 0 {
				return Content{}, ErrObsolete
			}
			return Content{Subject: "Hello", Greeting: "Hello,", Paragraphs: []string{"how are you?"}}, nil
		}
		var refused []int64
		onRefused := func(_ context.Context, _ *sql.Tx, subject int64) error {
			refused = append(refused, subject)
			return nil
		}
		s := NewSender(SenderDeps{DB: d, Clock: time.Now, Log: slog.New(slog.NewTextHandler(log, nil)),
			Layout: Layout{BrandName: "Portal"}, Transport: to}, Email{"news", compose, onRefused})
		post := func(subject int64) error {
			return d.Tx(t.Context(), func(tx *sql.Tx) error { return o.Enqueue(t.Context(), tx, "news", "ada@example.com", subject) })
		}
		work := func(attempt int) error {
			id := jobs.ids[len(jobs.ids)-1]
			return s.Work(t.Context(), &river.Job[JobArgs]{JobRow: &rivertype.JobRow{Attempt: attempt, MaxAttempts: 13},
				Args: JobArgs{MailID: id}})
		}
		status := func() string {
			var s string
			require.NoError(t, db.Get(t.Context(), d.Writer, &s, `SELECT status FROM mails WHERE id = $1`, jobs.ids[len(jobs.ids)-1]))
			return s
		}
		failed := func() []Mail {
			list, err := o.Failed(t.Context())
			require.NoError(t, err)
			return list
		}

		// A rolled-back transaction sends no email.
		stop := errors.New("stop")
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(o.Enqueue(t.Context(), tx, "news", "ada@example.com", 1), stop)
		}); !errors.Is(err, stop) {
			t.Fatal(err)
		}
		var n int
		if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM mails`); err != nil || n != 0 {
			t.Errorf("%d mails of a transaction that was undone, %v", n, err)
		}
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error { return o.Enqueue(t.Context(), tx, "unheard", "a@b.c", 1) }); err == nil {
			t.Error("a kind that nobody writes is taken")
		}

		// Sent once, however often the job runs.
		require.NoError(t, post(1))
		for range 2 {
			require.NoError(t, work(1))
		}
		if len(to.sent) != 1 || to.sent[0].To != "ada@example.com" || status() != "sent" {
			t.Errorf("%d sent, %s", len(to.sent), status())
		}
		require.NoError(t, post(0))
		if err := work(1); err != nil || status() != "dropped" {
			t.Errorf("obsolete: %v, %s", err, status())
		}

		// With the mail server down, it is retried, listed after the second attempt, and finally
		// failed.
		require.NoError(t, post(2))
		to.answer = &failure{text: "mail: the relay cannot be reached"}
		if err := work(1); err == nil || status() != "waiting" || len(failed()) != 0 {
			t.Errorf("first try: %v, %s, %d shown", err, status(), len(failed()))
		}
		if err := work(2); err == nil || len(failed()) != 1 || failed()[0].LastError != "mail: the relay cannot be reached" {
			t.Errorf("second try: %v, %+v", err, failed())
		}
		if err := work(13); err != nil || status() != "failed" {
			t.Errorf("last try: %v, %s", err, status())
		}
		to.answer = nil
		id := failed()[0].ID
		require.NoError(t, o.Retry(t.Context(), id))
		if err := o.Retry(t.Context(), id); !problem.Is(err, problem.NotFound) {
			t.Errorf("a mail that waits is tried again: %v", err)
		}
		if err := work(1); err != nil || status() != "sent" || len(failed()) != 0 {
			t.Errorf("once more: %v, %s", err, status())
		}

		// A permanently refused recipient.
		to.answer = &failure{text: "mail: refused", permanent: true}
		require.NoError(t, post(3))
		if err := work(1); err != nil || status() != "failed" {
			t.Errorf("refused for good: %v, %s", err, status())
		}
		if len(refused) != 1 || refused[0] != 3 {
			t.Errorf("told of mails that were refused for good: %v", refused)
		}
		assert.NotContains(t, log.String(), "ada@", "the log names an address")

		o.keepDays = 90
		require.NoError(t, o.Cleanup(t.Context()))
		o.now = func() time.Time { return time.Now().AddDate(0, 0, 91) }
		require.NoError(t, o.Cleanup(t.Context()))
		if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM mails`); err != nil || n != 1 {
			t.Errorf("%d mails kept, want the failed one: %v", n, err)
		}
	})
}

// An email fails once its job is gone, because it was killed in its last attempt or deleted.
func TestFailAbandoned(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		jobs := &noted{}
		o := NewOutbox(OutboxDeps{DB: d, Jobs: jobs, Clock: time.Now}, Settings{})
		exec := func(statement string, args ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement, args...)))
		}
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(o.Enqueue(t.Context(), tx, "account-request", "ada@example.com", 1),
				o.Enqueue(t.Context(), tx, "account-request", "bea@example.com", 2))
		}))
		for i, state := range []string{"running", "retryable"} {
			exec(fmt.Sprintf(`INSERT INTO river_job (kind, args, state, max_attempts, attempt)
				VALUES ('mail', '{"mailId": %d}', '%s', 13, 13)`, jobs.ids[i], state))
		}
		check := func(want string) {
			t.Helper()
			require.NoError(t, o.Cleanup(t.Context()))
			var got []string
			if err := db.Select(t.Context(), d.Reader, &got, `SELECT status || CASE WHEN done_at IS NULL THEN '' ELSE ' ' || last_error END
				FROM mails ORDER BY id`); err != nil || strings.Join(got, ", ") != want {
				t.Errorf("%v, %v instead of %s", got, err, want)
			}
		}
		check("waiting, waiting")
		exec(`UPDATE mails SET last_error = 'busy' WHERE id = $1`, jobs.ids[1])
		exec(`UPDATE river_job SET state = 'discarded', finalized_at = CURRENT_TIMESTAMP WHERE state = 'running'`)
		check("failed " + abandoned + ", waiting")
		exec(`DELETE FROM river_job`)
		check("failed " + abandoned + ", failed busy")
	})
}

// Each attempt of an email has the same Message-ID, unless its text differs.
func TestMessageID(t *testing.T) {
	now := db.At(time.Now())
	m, hello := Mail{ID: 7, CreatedAt: now}, Message{To: "ada@example.com", Subject: "Hello", Text: "A link"}
	other := hello
	other.Text = "Another link"
	id := messageID(m, hello)
	if !idPattern.MatchString(id) || id != messageID(m, hello) || id == messageID(m, other) ||
		id == messageID(Mail{ID: 8, CreatedAt: now}, hello) {
		t.Errorf("%s", id)
	}
}
