package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
)

// A system administrator sets the status line above all screens, visible to everyone without
// sign-in. Without the Workspace it doesn't exist.
func TestStatusLine(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		public := func() string { return strings.TrimSpace(string(p.do(http.MethodGet, "/js/status.json", nil).body)) }
		settings := string(p.do(http.MethodGet, "/js/config.json", nil).body)
		if !strings.Contains(settings, `"statusLine":true`) || public() != "null" {
			t.Errorf("%s, %s", settings, public())
		}
		wanted := fields{"text": "Remittances come late today.", "kind": "WARNING", "to": "2026-03-02T18:00"}
		bad := p.post("/desk/status", fields{"text": "", "kind": "LOUD", "to": "now"}, bearer(isad))
		if bad.status != 400 || bad.fields() !=
			"text: Enter the announcement text.; kind: Select information or warning.; to: Enter a date and a time." {
			t.Errorf("%d %s", bad.status, bad.fields())
		}
		var made struct{ ID int64 }
		r := p.post("/desk/status", wanted, bearer(isad))
		r.into(t, &made)
		if got := public(); got != `{"text":"Remittances come late today.","kind":"WARNING","to":"2026-03-02T23:00:00Z"}` {
			t.Errorf("%d %s: %s", r.status, r.body, got)
		}
		p.want(p.post("/desk/status", wanted, bearer(isad)), 409,
			"Another announcement is shown then: “Remittances come late today.”. End it or choose another time.")
		for _, who := range []string{"prad", "irad"} {
			p.want(p.post("/desk/status", wanted, bearer(p.signIn(who))), 403, "")
		}
		p.want(p.do(http.MethodDelete, "/api/desk/status/987654", nil, bearer(isad)), 404, "")
		if got := string(p.do(http.MethodGet, "/api/desk/status", nil, bearer(isad)).body); !strings.Contains(got,
			`"from":"2026-03-02T15:00:00Z","to":"2026-03-02T23:00:00Z"`) {
			t.Errorf("%s", got)
		}
		p.audited(1, `operation = 'status-line-add' AND detail LIKE 'WARNING from 2026-03-02T10:00 to 2026-03-02T18:00: Remittances %'`)
	})
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	assert.NotContains(t, string(p.do(http.MethodGet, "/js/config.json", nil).body), "statusLine")
	if r := p.do(http.MethodGet, "/js/status.json", nil); r.status != http.StatusFound {
		t.Errorf("off: %d %s", r.status, r.body)
	}
}
