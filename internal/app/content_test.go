package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
)

func TestResourcesThroughTheDoor(t *testing.T) {
	asked := 0
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if strings.Contains(fmt.Sprint(r.Header), "__Host-wcpp") || r.Header.Get("Authorization") != "" {
			t.Errorf("the host is shown %v", r.Header)
		}
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF "+r.URL.Path)
	}))
	defer host.Close()
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Content.ResourceURL = host.URL + "/content" })
	for _, user := range []string{"prad", "prus", "nnus", "road", "rous", "irad", "isad"} {
		token := p.signIn(user)
		for _, by := range []option{bearer(token), cookie("__Host-wcpp", token)} {
			if r := p.do("GET", "/api/resources/Quartermain/a.pdf", nil, by); r.status != 200 ||
				string(r.body) != "%PDF /content/Quartermain/a.pdf" {
				t.Errorf("%s: %d %s", user, r.status, r.body)
			}
		}
	}
	before := asked
	if r := p.do("GET", "/api/resources/a.pdf", nil); r.status != 401 || asked != before {
		t.Errorf("a stranger: %d", r.status)
	}
	// Path dots resolve within the portal's own addresses and never reach the host.
	if r := p.do("GET", "/api/resources/../resources/%2e%2e/a.pdf", nil, bearer(p.signIn("prus"))); r.status == 200 || asked != before {
		t.Errorf("dots: %d", r.status)
	}
	if log := p.log.String(); !strings.Contains(log, `"route":"GET /api/resources/{path...}"`) || strings.Contains(log, "Quartermain") {
		t.Error("the log holds the path in place of the route's pattern")
	}
	assert.Contains(t, p.metrics(), `route="GET /api/resources/{path...}"`, "not measured by the route's pattern")
	if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'open-resource' AND subject = 'Quartermain/a.pdf'
		AND actor = 'prus'`); n != 2 {
		t.Errorf("audited %d times", n)
	}
}

// A browser can't read the status of a framed page, so the portal checks it periodically.
func TestContentPagesThatFailAreTold(t *testing.T) {
	asked, status := 0, http.StatusServiceUnavailable
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path != "/login" || r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
			t.Errorf("the host is asked for %s with %v", r.URL.Path, r.Header)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer host.Close()
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Content.LoginPageURL = host.URL + "/login" })
	failed := func(page string) bool {
		t.Helper()
		var answer struct{ Failed bool }
		p.do("GET", "/js/content/"+page+".json", nil).into(t, &answer)
		return answer.Failed
	}
	for range 2 {
		assert.True(t, failed("login"), "a page that fails is shown")
	}
	assert.Equal(t, 1, asked)
	assert.False(t, failed("home"), "a page that isn't configured fails")
	for _, well := range []int{http.StatusOK, http.StatusFound} {
		status = well
		p.clock.Advance(time.Minute)
		assert.Falsef(t, failed("login"), "a page fails that answers %d", well)
	}
	host.Close()
	p.clock.Advance(time.Minute)
	assert.False(t, failed("login"), "a host that the portal can't reach fails, though the browser may reach it")
}

func TestChatIsTheSignedInPersons(t *testing.T) {
	const key = "chat-key-that-stays"
	p := newPortal(t, "sqlite", func(c *app.Config) {
		c.Chat.ChatURL, c.Chat.ChatToken, c.Chat.ChatHMACKey = "https://chat.example/", "in box", key
	})
	p.exec(`UPDATE users SET phone = '212-555-0100' WHERE user_name = 'isad'`)
	type introduction struct{ URL, Identifier, IdentifierHash, Name, Email, Phone, AccountType string }
	ask := func(token string) (in introduction) {
		r := p.do("GET", "/api/support/chat", nil, bearer(token))
		if r.status != 200 || strings.Contains(string(r.body), key) {
			t.Fatalf("%d %s", r.status, r.body)
		}
		r.into(t, &in)
		return in
	}
	for user, kind := range map[string]string{"prad": "Admin User", "nnus": "Non-Network User", "rous": "Roster User"} {
		if in := ask(p.signIn(user)); in.Email != user+"@example.com" || in.AccountType != kind || len(in.IdentifierHash) != 64 {
			t.Errorf("%s: %+v, want %s", user, in, kind)
		}
	}
	token := p.signIn("isad")
	own := ask(token)
	if own.URL != "https://chat.example/widget?website_token=in+box" || own.Name != "Isad Tester" || own.Phone != "+12125550100" {
		t.Errorf("%+v", own)
	}
	if r := p.do("POST", "/api/session/mirror", map[string]string{"userNm": "prus"}, bearer(token)); r.status != 200 {
		t.Fatalf("mirroring: %d %s", r.status, r.body)
	}
	assert.Equal(t, own, ask(token))
	assert.Equal(t, 401, p.do("GET", "/api/support/chat", nil, cookie("__Host-wcpp", token)).status)
	csp := p.do("GET", "/wcpp/", nil).header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "frame-src 'self' blob: https://chat.example;") || !strings.Contains(csp, "connect-src 'self';") ||
		!strings.Contains(csp, "script-src 'self';") {
		t.Errorf("policy %q", csp)
	}
	if strings.Contains(p.log.String(), key) || strings.Contains(string(p.do("GET", "/js/config.json", nil).body), key) {
		t.Error("the key is shown")
	}
}

func TestNoChatNoHost(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prus")
	for path, text := range map[string]string{"/api/support/chat": "Use Contact Us.", "/api/resources/a.pdf": "isn't configured."} {
		if r := p.do("GET", path, nil, bearer(token)); r.status != 404 || !strings.Contains(string(r.body), text) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	var settings map[string]any
	p.do("GET", "/js/config.json", nil).into(t, &settings)
	if settings["liveChat"] != false {
		t.Error("a chat is offered")
	}
	assert.Contains(t, p.do("GET", "/wcpp/", nil).header.Get("Content-Security-Policy"), "frame-src 'self' blob:;")
	cfg := p.Config
	cfg.Chat.ChatURL = "https://chat.example"
	if _, err := app.New(context.Background(), cfg, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "WCPP_CHAT_TOKEN") {
		t.Errorf("a chat without its token: %v", err)
	}
}
