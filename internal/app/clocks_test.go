package app_test

import (
	"crypto/ed25519"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
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
		if err := p.CleanupSessions(t.Context(), p.clock.Now); err != nil {
			t.Fatal(err)
		}
		if err := p.SealAudit(t.Context()); err != nil {
			t.Fatal(err)
		}
		signer, err := p.Config.Audit.LoadSigner(t.Context(), p.DB.Writer)
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.Verify(t.Context(), p.DB, []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}, nil)
		if err != nil || r.Wrong != nil || r.Entries == 0 {
			t.Errorf("%+v, %v", r, err)
		}
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
	if err != nil {
		t.Error(err)
	}
}
