//go:build unix

package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/disk/disktest"
)

// A full disk isn't the client's fault: uploads say so, and the log has one error.
func TestUploadsOnAFullDisk(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	p.sources()
	prad, road := p.signIn("prad"), p.signIn("road")
	large := strings.Repeat("B4444\n", 2<<20/6)
	for name, send := range map[string]func() reply{
		"bulk lookup": func() reply { return p.fileSent(prad, "a.csv", large) },
		"roster":      func() reply { return p.roster(road, "upload", nil, sent{"a.csv", large}) },
	} {
		t.Run(name, func(t *testing.T) {
			before := strings.Count(p.logged(), `"level":"ERROR"`)
			var r reply
			disktest.Fill(t, 1<<20, func() { r = send() })
			if r.status != 503 || !strings.Contains(string(r.body), "The server's disk is full or failing. Try again later.") {
				t.Errorf("%d %s", r.status, r.body)
			}
			assert.Equal(t, 1, strings.Count(p.logged(), `"level":"ERROR"`)-before)
		})
	}
}
