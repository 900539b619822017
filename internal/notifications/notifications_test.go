package notifications

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/problem"
)

var (
	newYork = zone("America/New_York")
	writer  = access.Actor{Person: access.Person{ID: 1, UserName: "user1", Type: access.ISAD}}
)

func zone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

// enqueued counts the committed jobs.
type enqueued struct{ count int }

func (e *enqueued) Insert(context.Context, *sql.Tx, river.JobArgs) error { e.count++; return nil }

// people is a service with users whose ids start at 1.
type people struct {
	*Service
	t    *testing.T
	d    *db.DB
	now  time.Time
	jobs enqueued
}

func newPeople(t *testing.T, d *db.DB, count int) *people {
	t.Helper()
	p := &people{t: t, d: d, now: time.Date(2026, 3, 2, 7, 0, 0, 0, newYork)}
	p.Service = p.instance()
	p.exec(`
		INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
			status_cd, created_at, created_by, updated_at, updated_by)
		SELECT i, 'user' || i, 'user' || i, 'A', 'B', 'a', 'b', i || '@example.com', i || '@example.com', 'PRUS', 'ACTIV', $1, '', $1, ''
		FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) SELECT i
			FROM n) AS numbers`, db.At(p.now), count)
	return p
}

// instance returns another program instance on the same database.
func (p *people) instance() *Service {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	written := audit.New(audit.Deps{DB: p.d, Clock: func() time.Time { return p.now }, Log: log})
	p.t.Cleanup(written.Close)
	return NewService(Deps{
		Kit: platform.Kit{DB: p.d, Audit: written, Clock: func() time.Time { return p.now }, Zone: newYork, Log: log, Jobs: &p.jobs,
			Events: events.New(p.d, log)},
		News: func(id int64) string { return fmt.Sprint(id) },
	}, Settings{})
}

func (p *people) exec(query string, args ...any) {
	p.t.Helper()
	require.NoError(p.t, dbtest.Err(db.Exec(p.t.Context(), p.d.Writer, query, args...)))
}

func (p *people) count(query string, args ...any) int {
	p.t.Helper()
	var n int
	require.NoError(p.t, db.Get(p.t.Context(), p.d.Writer, &n, query, args...))
	return n
}

// notification returns a complete notification for today.
func (p *people) notification(recipients string) Notification {
	return Notification{Name: "Office hours", Campaign: "Spring", RequestedBy: "Ada", Link: "https://network.example/hours",
		Recipients: recipients, SendDate: date.Of(p.now)}
}

func (p *people) made(n Notification) Notification {
	p.t.Helper()
	n, err := p.Create(p.t.Context(), writer, n)
	require.NoError(p.t, err)
	return n
}

func (p *people) stored(id int64) Notification {
	p.t.Helper()
	n, err := byID(p.t.Context(), p.d.Writer, id)
	require.NoError(p.t, err)
	return n
}

func (p *people) sendAll() {
	p.t.Helper()
	require.NoError(p.t, p.Send(p.t.Context()))
}

func (p *people) copies() int { return p.count(`SELECT count(*) FROM user_notifications`) }

func upTo(count int) string {
	ids := make([]int64, count)
	for n := range ids {
		ids[n] = int64(n) + 1
	}
	return formatIDs(ids)
}

func TestStatus(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 3)
		for name, c := range map[string]struct {
			change func(*Notification)
			want   Status
		}{
			"all there, and a date":  {func(*Notification) {}, Scheduled},
			"without a date":         {func(n *Notification) { n.SendDate = "" }, Ready},
			"without a name":         {func(n *Notification) { n.Name = " " }, Draft},
			"without a campaign":     {func(n *Notification) { n.Campaign = "" }, Draft},
			"without a link":         {func(n *Notification) { n.Link = "" }, Draft},
			"without recipients":     {func(n *Notification) { n.Recipients = "" }, Draft},
			"without who requested":  {func(n *Notification) { n.RequestedBy = "" }, Scheduled},
			"what is sent is asked":  {func(n *Notification) { n.Status = Sent }, Scheduled},
			"a draft keeps its date": {func(n *Notification) { n.Link, n.SendDate = "", "2026-04-01" }, Draft},
		} {
			n := p.notification("3,1,3,2")
			c.change(&n)
			got := p.made(n)
			wantName := "Office hours"
			if n.Name == " " {
				wantName = "Provider Portal Notification"
			}
			if got.Status != c.want || got.Name != wantName || got.SendDate != n.SendDate || n.Recipients != "" && got.Recipients !=
				"1,2,3" {
				t.Errorf("%s: %+v", name, got)
			}
			if got := p.stored(got.ID); got.Status != c.want || got.UpdatedBy != "user1" {
				t.Errorf("%s is stored as %+v", name, got)
			}
		}
	})
}

func TestRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 2)
		p.now = time.Date(2026, 3, 2, 23, 59, 0, 0, newYork) // the next day in UTC
		long := strings.Repeat("ü", 64)
		good := p.notification("1")
		good.Name, good.Campaign, good.RequestedBy = long, long, strings.Repeat("ü", 22)
		good.Link = "HTTP://network.example/" + strings.Repeat("x", 2000-23)
		if n := p.made(good); n.Status != Scheduled {
			t.Errorf("%+v", n)
		}
		for name, c := range map[string]struct {
			change func(*Notification)
			path   string
		}{
			"a name too long":      {func(n *Notification) { n.Name += "x" }, "name"},
			"a campaign too long":  {func(n *Notification) { n.Campaign += "x" }, "campaign"},
			"who requested":        {func(n *Notification) { n.RequestedBy += "x" }, "requested_by"},
			"a link too long":      {func(n *Notification) { n.Link += "x" }, "link"},
			"a script":             {func(n *Notification) { n.Link = "javascript:alert(1)//" }, "link"},
			"a path":               {func(n *Notification) { n.Link = "/wcpp/home" }, "link"},
			"no host":              {func(n *Notification) { n.Link = "https:///x" }, "link"},
			"a name in the link":   {func(n *Notification) { n.Link = "https://bank.example@evil.example" }, "link"},
			"yesterday":            {func(n *Notification) { n.SendDate = "2026-03-01" }, "send_date"},
			"letters as ids":       {func(n *Notification) { n.Recipients = "1,x" }, "recipients"},
			"signs in ids":         {func(n *Notification) { n.Recipients = "+1" }, "recipients"},
			"a comma at the end":   {func(n *Notification) { n.Recipients = "1," }, "recipients"},
			"a user who never was": {func(n *Notification) { n.Recipients = "1,2,3" }, "recipients"},
			"an id out of range":   {func(n *Notification) { n.Recipients = "99999999999999999999" }, "recipients"},
		} {
			bad := good
			c.change(&bad)
			_, err := p.Create(t.Context(), writer, bad)
			var e *problem.Error
			if !errors.As(err, &e) || e.Kind != problem.Invalid || len(e.Fields) != 1 || e.Fields[0].Path != c.path {
				t.Errorf("%s: %+v", name, err)
			}
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM notifications`))
	})
}

// Notifications are due at 8 AM, also when the clocks change.
func TestDueAtEight(t *testing.T) {
	for local, want := range map[string]date.Date{
		"2026-03-02 07:59:59 -0500": "2026-03-01",
		"2026-03-02 08:00:00 -0500": "2026-03-02",
		"2026-03-02 00:00:00 -0500": "2026-03-01",
		"2026-03-02 23:59:59 -0500": "2026-03-02",
		"2026-03-08 07:59:59 -0400": "2026-03-07", // daylight saving time began at 2 AM
		"2026-03-08 08:00:00 -0400": "2026-03-08",
		"2026-11-01 07:59:59 -0500": "2026-10-31", // standard time began at 2 AM
		"2026-11-01 08:00:00 -0500": "2026-11-01",
	} {
		at, err := time.Parse("2006-01-02 15:04:05 -0700", local)
		require.NoError(t, err)
		s := Service{now: at.UTC, zone: newYork}
		assert.Equal(t, want, s.dueDate(), local)
	}
}

func TestSend(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 4)
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE id = 3`)
		p.exec(`UPDATE users SET status_cd = 'LOCK' WHERE id = 4`)
		today := p.made(p.notification("1,2,3,4"))
		tomorrow := p.notification("1")
		tomorrow.SendDate = "2026-03-03"
		tomorrow = p.made(tomorrow)
		p.now = time.Date(2026, 3, 2, 7, 59, 59, 0, newYork)
		p.sendAll()
		if p.copies() != 0 || p.jobs.count != 0 {
			t.Errorf("before eight: %d copies, %d jobs", p.copies(), p.jobs.count)
		}
		p.now = time.Date(2026, 3, 2, 8, 0, 0, 0, newYork)
		p.sendAll()
		p.sendAll()
		if got := p.stored(today.ID); got.Status != Sent || got.UpdatedBy != "system" || !got.UpdatedAt.After(today.UpdatedAt.Time) ||
			p.copies() != 3 {
			t.Errorf("at eight: %+v, %d copies", got, p.copies())
		}
		if list, err := p.ListAnnouncements(t.Context()); err != nil || len(list) != 1 || list[0].Audience != "" || *list[0].SentTo != 3 {
			t.Errorf("told as %+v, %v", list, err)
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'notification-send' AND detail = '3'`))
		assert.Equal(t, Scheduled, p.stored(tomorrow.ID).Status, "tomorrow's was sent today")

		// A notification that is due when saved is sent immediately. A missed one is sent later.
		p.made(Notification{Name: "Now", Campaign: "c", Link: "https://x.example", Recipients: "2", SendDate: "2026-03-02"})
		assert.Equal(t, 1, p.jobs.count)
		p.now = time.Date(2026, 3, 9, 6, 0, 0, 0, newYork)
		p.sendAll()
		assert.Equal(t, 5, p.copies())
		list, err := p.ListForUser(t.Context(), 1)
		if err != nil || len(list) != 2 || list[0].NotificationID != tomorrow.ID || list[1].Link != today.Link {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// The same notification from a double click counts as one, until it is changed or a minute has
// passed.
func TestCreateTwice(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 2)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				assert.NoError(t, dbtest.Err(p.Create(t.Context(), writer, p.notification("1,2"))))
			})
		}
		wait.Wait()
		made := func() int { return p.count(`SELECT count(*) FROM notifications`) }
		assert.Equal(t, 1, made())
		p.now = p.now.Add(30 * time.Second)
		other := p.notification("1")
		p.made(other)
		assert.Equal(t, 2, made())
		p.now = p.now.Add(time.Minute + time.Second)
		p.made(other)
		assert.Equal(t, 3, made())
	})
}

func TestUpdate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 3)
		first := p.made(p.notification("1,2"))
		change := func(n Notification) (Notification, error) { return p.Update(t.Context(), writer, n, n.Status) }
		second := first
		second.Name, second.Recipients, second.SendDate = "Other hours", "3,2", ""
		second, err := change(second)
		if err != nil || second.Name != "Other hours" || second.Recipients != "2,3" || second.Status != Ready ||
			!second.UpdatedAt.After(first.UpdatedAt.Time) {
			t.Fatalf("%+v, %v", second, err)
		}
		// Repeating the change succeeds, even with an outdated version.
		again := second
		again.UpdatedAt = first.UpdatedAt
		if got, err := change(again); err != nil || got != second {
			t.Errorf("repeated: %+v, %v", got, err)
		}
		late := first
		late.Name = "Late"
		if _, err := change(late); !problem.Is(err, problem.Conflict) || problem.From(err).Version != formatInstant(second.UpdatedAt) {
			t.Errorf("a lost update: %v", err)
		}
		unknown := second
		unknown.Recipients = "1,77"
		if _, err := change(unknown); !problem.Is(err, problem.Invalid) || p.stored(first.ID).Recipients != "2,3" {
			t.Errorf("unknown recipients: %v", err)
		}
		unread := second
		unread.UpdatedAt, unread.Name = db.Instant{}, "Without having read it"
		assert.NoError(t, dbtest.Err(change(unread)))
		gone := second
		gone.ID = 99
		if _, err := change(gone); !problem.Is(err, problem.NotFound) {
			t.Errorf("one that never was: %v", err)
		}
		require.NoError(t, p.Delete(t.Context(), writer, first.ID))
		if err := p.Delete(t.Context(), writer, first.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("deleted twice: %v", err)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM notification_recipients`))
	})
}

func TestUnpublish(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 2)
		n := p.made(p.notification("1,2"))
		scheduled := n
		p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
		p.sendAll()
		n = p.stored(n.ID)
		for name, refused := range map[string]error{
			"changed": func() error { _, err := p.Update(t.Context(), writer, n, Sent); return err }(),
			"given another date": func() error {
				m := n
				m.SendDate = "2026-04-01"
				_, err := p.Update(t.Context(), writer, m, Ready)
				return err
			}(),
			"deleted": p.Delete(t.Context(), writer, n.ID),
		} {
			if !problem.Is(refused, problem.Conflict) || !strings.Contains(refused.Error(), "Unpublish it first") {
				t.Errorf("%s: %v", name, refused)
			}
		}
		// Removing the date of a notification that was sent in the meantime doesn't unpublish
		// it.
		scheduled.SendDate = ""
		if _, err := p.Update(t.Context(), writer, scheduled, Ready); !problem.Is(err, problem.Conflict) || p.copies() != 2 {
			t.Errorf("un-published by who did not know: %v, %d copies", err, p.copies())
		}
		n.SendDate = ""
		got, err := p.Update(t.Context(), writer, n, Ready)
		if err != nil || got.Status != Ready || got.SendDate != "" || got.Recipients != "1,2" || p.copies() != 0 {
			t.Fatalf("%+v, %v, %d copies", got, err, p.copies())
		}
		n.Status = Ready
		for range 2 { // repeat both steps
			if again, err := p.Update(t.Context(), writer, n, Ready); err != nil || again != got {
				t.Errorf("%+v, %v", again, err)
			}
			if err := p.Recall(t.Context(), writer, n.ID); err != nil || p.stored(n.ID) != got {
				t.Errorf("%v", err)
			}
		}
		// The second step alone has the same effect.
		got.SendDate = "2026-03-02"
		require.NoError(t, dbtest.Err(p.Update(t.Context(), writer, got, "")))
		p.sendAll()
		require.Equal(t, 2, p.copies())
		require.Equal(t, Sent, p.stored(n.ID).Status)
		if err := p.Recall(t.Context(), writer, n.ID); err != nil || p.copies() != 0 || p.stored(n.ID).Status != Ready {
			t.Errorf("%v, %d copies", err, p.copies())
		}
	})
}

// If several instances send concurrently, each recipient gets one copy.
func TestSendBySeveral(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 200)
		p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
		for n := range 10 {
			made := p.notification(upTo(200))
			made.Campaign = fmt.Sprint(n)
			p.made(made)
		}
		var wait sync.WaitGroup
		for range 6 {
			s := p.instance()
			wait.Go(func() {
				assert.NoError(t, s.Send(t.Context()))
			})
		}
		wait.Wait()
		if sent := p.count(`SELECT count(*) FROM notifications WHERE status = 'SENT'`); sent != 10 || p.copies() != 2000 {
			t.Errorf("%d sent, %d copies", sent, p.copies())
		}
		assert.Equal(t, 10, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'notification-send'`))
	})
}

// Whichever comes first, a notification is sent with all its copies, or recalled without any.
func TestUnpublishWhileSending(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 300)
		other := p.instance()
		p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
		for round := range 12 {
			made := p.notification(upTo(300))
			made.Campaign = fmt.Sprint(round)
			n := p.made(made)
			var wait sync.WaitGroup
			wait.Go(func() {
				assert.NoError(t, p.Send(t.Context()))
			})
			wait.Go(func() {
				if round%2 == 0 {
					assert.NoError(t, other.Recall(t.Context(), writer, n.ID))
					return
				}
				asked := n
				asked.SendDate, asked.UpdatedAt = "", db.Instant{}
				assert.NoError(t, dbtest.Err(other.Update(t.Context(), writer, asked, Ready)))
			})
			wait.Wait()
			copies := p.count(`SELECT count(*) FROM user_notifications WHERE notification_id = $1`, n.ID)
			switch status := p.stored(n.ID).Status; {
			case status == Sent && copies == 300 && round%2 == 0:
			case status == Ready && copies == 0:
			default:
				t.Errorf("round %d: %s with %d copies", round, status, copies)
			}
		}
	})
}

// A send that fails halfway leaves nothing behind and doesn't block others.
func TestSendThatFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPeople(t, d, 3)
		p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
		broken := p.made(p.notification("1,2,3"))
		whole := p.notification("1")
		whole.Name = "Whole"
		whole = p.made(whole)
		// An existing copy makes the transaction fail after the notification was marked.
		p.exec(`INSERT INTO user_notifications (user_id, notification_id, sent_at) VALUES (2, $1, $2)`, broken.ID, db.At(p.now))
		assert.Error(t, p.Send(t.Context()), "the failure is not told")
		if p.stored(broken.ID).Status != Scheduled || p.stored(whole.ID).Status != Sent || p.copies() != 2 {
			t.Errorf("%s, %s, %d copies", p.stored(broken.ID).Status, p.stored(whole.ID).Status, p.copies())
		}
		p.exec(`DELETE FROM user_notifications WHERE notification_id = $1`, broken.ID)
		p.sendAll()
		if p.stored(broken.ID).Status != Sent || p.copies() != 4 {
			t.Errorf("%s, %d copies", p.stored(broken.ID).Status, p.copies())
		}
	})
}

func TestHundredThousandRecipients(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const count = 100_000
		p := newPeople(t, d, count)
		p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
		started := time.Now()
		n := p.made(p.notification(upTo(count)))
		saved := time.Since(started)
		started = time.Now()
		p.sendAll()
		sent := time.Since(started)
		if got := p.stored(n.ID); got.Status != Sent || p.copies() != count {
			t.Fatalf("%s, %d copies", got.Status, p.copies())
		}
		started = time.Now()
		if err := p.Recall(t.Context(), writer, n.ID); err != nil || p.copies() != 0 {
			t.Fatalf("%v, %d copies", err, p.copies())
		}
		t.Logf("saved in %v, sent in %v, recalled in %v", saved, sent, time.Since(started))
	})
}
