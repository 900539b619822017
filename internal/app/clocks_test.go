package app_test

import (
	"crypto/ed25519"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ratelimit"
)

// If the clock jumps back or forward, sessions end only by their own rules and the audit log
// stays intact. Nothing remains blocked until the time catches up.
func TestClocksJump(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.add("ben", access.PRUS, 0, "444444444")
		p.add("ada", access.PRUS, 0, "444444444")
		ben := bearer(p.signIn("ben"))
		searches := 0
		search := func(want int) {
			t.Helper()
			p.want(p.post("/billSearch/searchByAssorted", fields{"ftin": "444444444", "billControlNumber": "B4444"}, ben), want, "")
			if want == 200 {
				searches++
			}
		}
		search(200)
		for _, jump := range []time.Duration{-time.Hour, 29 * time.Minute, -24 * time.Hour, 20 * time.Minute} {
			p.clock.Advance(jump)
			search(200)
			p.signIn("ada") // codes, attempts and links depend on the current time
			search(200)
		}
		// After the correction, the hours of the wrong clock count as idle time.
		p.clock.Advance(25 * time.Hour)
		search(401)
		ben = bearer(p.signIn("ben"))
		search(200)
		p.audited(searches, `operation = 'searchByAssorted' AND actor = 'ben'`)
		require.NoError(t, p.CleanupSessions(t.Context(), p.clock.Now))
		require.NoError(t, p.SealAudit(t.Context()))
		signer, err := p.Config.Audit.LoadSigner(t.Context(), p.DB.Writer)
		require.NoError(t, err)
		r, err := audit.Verify(t.Context(), p.DB, []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}, nil)
		if err != nil || r.Wrong != nil || r.Entries == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// A day of a clock that was ahead doesn't prolong limits, and failures after its correction are counted
// and emailed.
func TestClockWasAhead(t *testing.T) {
	each(t, func(c *app.Config) { c.DeadLetters.AlertMail = "ops@example.com" }, func(t *testing.T, p *portal) {
		limits := ratelimit.NewShared(p.DB, p.clock.Now)
		attempt := func(want bool) {
			t.Helper()
			if err := limits.Allow(t.Context(), "reset", "ada", 1, ratelimit.Hour); (err == nil) != want {
				t.Errorf("%v, want allowed %t", err, want)
			}
		}
		report := func(failed, mails int) {
			t.Helper()
			p.clock.Advance(2 * time.Minute)
			require.NoError(t, p.DeadLetters.ReportNew(t.Context()))
			line := fmt.Sprintf("wcpp_jobs_given_up_total{kind=\"mail\"} %d\n", failed)
			if failed > 0 && !strings.Contains(p.metrics(), line) {
				t.Errorf("failures aren't %d", failed)
			}
			assert.Equal(t, mails, p.mailsOf("given-up"))
		}
		fail := func() {
			t.Helper()
			p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, created_at, done_at)
				VALUES ('news', 'a@example.com', 1, 'failed', $1, $1)`, db.At(p.clock.Now()))
		}
		report(0, 0)
		p.clock.Advance(24 * time.Hour)
		attempt(true)
		attempt(false)
		fail()
		report(1, 1)
		p.clock.Advance(-24 * time.Hour)
		attempt(true)
		attempt(false)
		p.clock.Advance(-30 * time.Second) // of another instance
		attempt(false)
		report(1, 1)
		fail()
		report(2, 1)
		p.clock.Advance(23 * time.Hour)
		report(2, 1)
		p.clock.Advance(time.Hour)
		report(3, 2) // with the failure of the wrong day
	})
}

// Readers can be in another time zone than the business, and browser timestamps appear next to
// these messages.
func TestSentencesNameTheZoneOfAnHour(t *testing.T) {
	hour := regexp.MustCompile(`Format\("[^"]*3:04( PM)?"\)`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, bare := range hour.FindAllString(string(code), -1) {
			t.Errorf("%s tells an hour of nowhere: %s", path, bare)
		}
		return err
	})
	assert.NoError(t, err)
}
