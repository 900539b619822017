package app_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/db"
)

// Failed jobs and emails are counted once, regardless of the number of instances, and emailed at
// most once a day.
func TestGivenUp(t *testing.T) {
	each(t, func(c *app.Config) { c.DeadLetters.AlertMail = "ops@example.com" }, func(t *testing.T, p *portal) {
		look := func() {
			t.Helper()
			p.clock.Advance(2 * time.Minute)
			errs := make([]error, 4)
			var wait sync.WaitGroup
			for n := range errs {
				wait.Go(func() { errs[n] = p.DeadLetters.ReportNew(t.Context()) })
			}
			wait.Wait()
			require.NoError(t, errors.Join(errs...))
		}
		discard := func(kind string) {
			t.Helper()
			p.exec(`INSERT INTO river_job (kind, args, state, max_attempts, attempt, finalized_at, queue, priority)
				VALUES ($1, '{}', 'discarded', 1, 1, $2, 'default', 1)`,
				kind, p.clock.Now().Format("2006-01-02 15:04:05.999"))
		}
		metric := func(line string) {
			t.Helper()
			assert.Containsf(t, p.metrics(), line+"\n", "no %s", line)
		}
		metric("wcpp_jobs_fetched 1") // otherwise none could fail
		discard("fee-schedule")       // before the first check
		look()
		assert.Equal(t, 0, p.mailsOf("given-up"))
		discard("fee-schedule")
		discard("fee-schedule")
		p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, created_at, done_at)
			VALUES ('news', 'a@example.com', 1, 'failed', $1, $1)`, db.At(p.clock.Now()))
		look()
		metric(`wcpp_jobs_given_up_total{kind="fee-schedule"} 2`)
		metric(`wcpp_jobs_given_up_total{kind="mail"} 1`)
		require.Equal(t, 1, p.mailsOf("given-up"))
		discard("digest")
		look()
		assert.Equal(t, 1, p.mailsOf("given-up"))
		// A failed alert email is counted but doesn't cause another alert. Other failures in the
		// meantime do.
		p.exec(`UPDATE mails SET status = 'failed', done_at = $1 WHERE kind = 'given-up'`, db.At(p.clock.Now()))
		p.clock.Advance(24 * time.Hour)
		look()
		metric(`wcpp_jobs_given_up_total{kind="mail"} 2`)
		assert.Equal(t, 2, p.mailsOf("given-up"))
		p.exec(`UPDATE mails SET status = 'failed', done_at = $1 WHERE kind = 'given-up'`, db.At(p.clock.Now()))
		p.clock.Advance(24 * time.Hour)
		look()
		assert.Equal(t, 2, p.mailsOf("given-up"))
	})
}

// The email has counts by kind and a link to the desk if it's on. Without configured recipients,
// no email is sent.
func TestGivenUpIsTold(t *testing.T) {
	for _, c := range []struct {
		name, to, workspace string
		mails               int
		desk                bool
	}{{"told", "ops@example.com", "on", 1, true}, {"without a Workspace", "ops@example.com", "off", 1, false},
		{"nobody", "", "on", 0, false}} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(cfg *app.Config) {
				cfg.DeadLetters.AlertMail, cfg.Access.Workspace = c.to, c.workspace
			}, func(t *testing.T, p *portal) {
				for range 2 {
					p.clock.Advance(2 * time.Minute)
					require.NoError(t, p.DeadLetters.ReportNew(t.Context()))
					p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, created_at, done_at)
						VALUES ('news', 'ada@example.com', 1, 'failed', $1, $1)`, db.At(p.clock.Now()))
				}
				p.clock.Advance(2 * time.Minute)
				require.NoError(t, errors.Join(p.DeadLetters.ReportNew(t.Context()), p.Deliver(t.Context())))
				list := p.inbox("ops@example.com")
				require.Len(t, list, c.mails)
				require.Contains(t, p.metrics(), `wcpp_jobs_given_up_total{kind="mail"} 2`)
				for _, m := range list {
					said := fmt.Sprintf("%+v", m)
					if strings.Contains(said, "/wcpp/desk") != c.desk || strings.Contains(said, "ada@") ||
						!strings.Contains(said, "Failed jobs") {
						t.Error(said)
					}
				}
			})
		})
	}
}
