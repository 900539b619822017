package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

func TestAnswersOutsideOfOperations(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/metrics": 404, "/js/config.json": 200, "/robots.txt": 200, "/sso/style.css": 200,
		"/": 302, "/elsewhere": 302, "/api/nothing": 404, "/api/": 404, "/wcpp/assets/gone.js": 404,
	} {
		r := p.do("GET", path, nil)
		assert.Equal(t, want, r.status, path)
		for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "X-Request-Id"} {
			assert.NotEmptyf(t, r.header.Get(h), "%s lacks %s", path, h)
		}
	}
	if csp := p.do("GET", "/", nil).header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") ||
		!strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("policy %q", csp)
	}
	assert.Equal(t, "/wcpp/PageNotFound", p.do("GET", "/elsewhere", nil).header.Get("Location"))
	var settings map[string]any
	p.do("GET", "/js/config.json", nil).into(t, &settings)
	for _, key := range []string{"apiUrl", "resourceUrl", "homePageUrl", "loginPageUrl", "ssoUrl"} {
		if _, ok := settings[key]; !ok {
			t.Errorf("config.json lacks %s", key)
		}
	}
	if settings["demo"] != false || settings["version"] != "2.3.35" || settings["timeZone"] != "America/New_York" {
		t.Errorf("settings %v", settings)
	}
	assert.Equal(t, http.StatusFound, p.do("GET", "/demo/page/terms", nil).status)
}

func TestRefusalsHaveOneShape(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prad")
	long := strings.Repeat("x", 100<<10)
	for name, c := range map[string]struct {
		method, path string
		body         any
		status       int
		field        string
	}{
		"unknown call":          {"GET", "/api/nothing", nil, 404, ""},
		"wrong method":          {"DELETE", "/api/session", nil, 404, ""},
		"not JSON":              {"POST", "/api/billSearch/searchByAssorted", "{", 400, ""},
		"wrong form of a field": {"POST", "/api/billSearch/searchByAssorted", map[string]any{"ftin": "12"}, 400, "ftin"},
		"date that is none": {"POST", "/api/billSearch/searchByAssorted",
			map[string]any{"ftin": "111111111", "claimNumber": "x", "beginServiceDate": "tomorrow"}, 400, ""},
		"missing field": {"POST", "/api/billSearch/findPaymentInfo", map[string]any{"ftin": "111111111"}, 400, ""},
		"rule of the search": {"POST", "/api/billSearch/searchByAssorted", map[string]any{"ftin": "111111111", "claimNumber": "x"}, 400,
			"beginServiceDate"},
		"too large": {"POST", "/api/billSearch/searchByAssorted", map[string]any{"ftin": "111111111", "more": long}, 413, ""},
		"six TINs": {"POST", "/api/billSearch/mitchBillSearch",
			map[string]any{"tins": []string{"1", "2", "3", "4", "5", "6"}, "documentId": "x"}, 400, "tins"},
	} {
		r := p.do(c.method, c.path, c.body, bearer(token))
		var e httpapi.Problem
		if err := json.Unmarshal(r.body, &e); err != nil {
			t.Errorf("%s: %d %s", name, r.status, r.body)
			continue
		}
		if r.status != c.status || e.Status != c.status || e.Code == "" || e.Message == "" || e.RequestID != r.header.Get("X-Request-Id") {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
		if c.field != "" && (len(e.Fields) == 0 || e.Fields[0].Path != c.field) {
			t.Errorf("%s: fields %v, want %s first", name, e.Fields, c.field)
		}
		assert.NotContainsf(t, string(r.body), "tomorrow", "%s repeats what was sent: %s", name, r.body)
	}
	// Unknown fields and a trailing slash are ignored.
	if r := p.do("POST", "/api/billSearch/searchByAssorted/", map[string]any{"ftin": "111111111", "documentId": "x", "whole": "object"},
		bearer(token)); r.status != http.StatusOK {
		t.Errorf("a whole object: %d %s", r.status, r.body)
	}
}

// The log never contains personal data, whatever the request.
func TestLogsHoldNothingPersonal(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prad")
	p.do("POST", "/api/billSearch/searchByAssorted", map[string]any{
		"ftin": "111111111", "claimantFirstName": "Zebulon", "claimantLastName": "Quartermain", "claimantDateOfBirth": "1961-07-08",
		"beginServiceDate": "2026-01-01", "endServiceDate": "2026-01-15",
	}, bearer(token))
	p.do("GET", "/api/ftin/userFtins/prus", nil, bearer(token))
	p.do("GET", "/api/billSearch/precheckEor?url=https://x.example/Quartermain", nil, bearer(token))
	p.sources()
	road := p.signIn("road")
	for _, form := range []string{
		"--x\r\nContent-Disposition form-data; name=\"files\"; filename=\"Quartermain.csv\"\r\n\r\n1\r\n--x--\r\n",
		"--x\r\nContent-Disposition: form-data; name=\"groupId\"\r\n\r\nG1\r\n--x and Quartermain\r\n\r\n",
	} {
		r := p.do("POST", "/api/roster/upload", form, bearer(road), func(r *http.Request) {
			r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		})
		assert.Equalf(t, http.StatusBadRequest, r.status, "a broken form: %d %s", r.status, r.body)
	}
	log := p.log.String()
	assert.Contains(t, log, `"route":"POST /api/billSearch/searchByAssorted"`)
	for _, secret := range []string{"Zebulon", "Quartermain", "1961-07-08", "111111111", "@example.com", token, password} {
		assert.NotContains(t, log, secret)
	}
}

func TestPublicCallsAreLimited(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	limited := 0
	for range 160 {
		if r := p.do("POST", "/api/authenticate", map[string]string{"username": "checkAuth", "password": "x"}); r.status ==
			http.StatusTooManyRequests {
			limited++
		}
	}
	assert.NotEqual(t, 0, limited, "160 calls at once are not limited")
}

// If a proxy is likely but none is trusted, startup and the first /readyz log a warning.
func TestProxiesAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		public, listen, cert string
		trusted              []string
		want                 bool
	}{
		{"https://portal.example", ":8080", "", nil, true},
		{"https://portal.example", "127.0.0.1:8080", "cert.pem", nil, true},
		{"https://portal.example", ":8080", "cert.pem", nil, false}, // it serves TLS itself
		{"https://portal.example", ":8080", "", []string{"10.0.0.0/8"}, false},
		{"http://localhost:8080", "127.0.0.1:8080", "", nil, false},
	} {
		s := app.Server{PublicURL: c.public, Listen: c.listen, TLSCertFile: c.cert, TrustedProxies: c.trusted}
		assert.Equalf(t, c.want, s.WarnOfProxies() != "", "%+v: warns", c)
	}
	p := newPortal(t, "sqlite", nil)
	for range 3 {
		p.do("GET", "/readyz", nil)
	}
	assert.Equal(t, 1, strings.Count(p.logged(), "WCPP_TRUSTED_PROXIES"))
}

// Hourly limits count per person, even at a shared address, and separately for each kind of
// action.
func TestPeopleAreLimited(t *testing.T) {
	p := newPortal(t, "sqlite", func(c *app.Config) {
		c.Bills.BillSearches, c.Bills.BillOpenings, c.Claims.ClaimSearches, c.Rosters.RosterChecks = 3, 2, 2, 1
	})
	prad, prus, isad, irad, road := p.signIn("prad"), p.signIn("prus"), p.signIn("isad"), p.signIn("irad"), p.signIn("road")
	p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
	before := p.count(`SELECT count(*) FROM rate_limits`)
	for _, c := range []struct {
		what  string
		token string
		limit int
		ask   func(token string) reply
	}{
		{"search", prad, 3, func(token string) reply {
			return p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "documentId": "x"}, bearer(token))
		}},
		{"search of a claim", prad, 0, func(token string) reply { return p.post("/work/bills/ofClaim", fields{}, bearer(token)) }},
		{"finding", prad, 0, func(token string) reply { return p.post("/work/find", fields{}, bearer(token)) }},
		{"finding in the second system", prad, 0, func(token string) reply { return p.post("/work/find/second", fields{}, bearer(token)) }},
		{"second search", prad, 0, func(token string) reply { return p.post("/billSearch/mitchBillSearch", fields{}, bearer(token)) }},
		{"opening", prad, 2, func(token string) reply {
			return p.do("GET", "/api/billSearch/billImage/x", nil, bearer(token))
		}},
		{"payment", prad, 0, func(token string) reply {
			return p.post("/billSearch/findPaymentInfo", fields{"ftin": "111111111", "billControlNumber": "x"}, bearer(token))
		}},
		{"claim search", prad, 2, func(token string) reply { return p.post("/globalclaim/searchByClaimant", fields{}, bearer(token)) }},
		{"search of remittances", prad, 3, func(token string) reply { return p.post("/remittances/search", fields{}, bearer(token)) }},
		{"remittance", prad, 2, func(token string) reply { return p.do("GET", "/api/remittances/x", nil, bearer(token)) }},
		{"its document", prad, 0, func(token string) reply { return p.do("GET", "/api/remittances/x/835", nil, bearer(token)) }},
		{"export of remittances", prad, 0, func(token string) reply { return p.post("/remittanceExports", fields{}, bearer(token)) }},
		{"deposits", prad, 3, func(token string) reply { return p.post("/work/deposits", fields{}, bearer(token)) }},
		{"question", prad, 60, func(token string) reply { return p.post("/work/cases", fields{}, bearer(token)) }},
		{"staff search", irad, 600, func(token string) reply { return p.post("/desk/find", fields{}, bearer(token)) }},
		{"check of an email address", prad, 60, func(token string) reply {
			return p.post("/users/checkEmailAddressExists/a@b.example", nil, bearer(token))
		}},
		{"check", road, 1, func(token string) reply { return p.roster(token, "check", nil) }},
		{"search of another", prus, 3, func(token string) reply {
			return p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "documentId": "x"}, bearer(token))
		}},
		{"search of who mirrors", isad, 3, func(token string) reply {
			return p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "documentId": "x"}, bearer(token))
		}},
	} {
		for n := range c.limit {
			assert.NotEqualf(t, 429, c.ask(c.token).status, "%s: refused after %d", c.what, n)
		}
		r := c.ask(c.token)
		seconds, err := strconv.Atoi(r.header.Get("Retry-After"))
		words := problem.FormatWait(time.Duration(seconds) * time.Second)
		if r.status != 429 || r.code() != "Too many attempts. Wait "+words+" and try again." || err != nil || seconds < 60 {
			t.Errorf("%s: %d %s after %d s", c.what, r.status, r.body, seconds)
		}
	}
	assert.Equal(t, 200, p.do("GET", "/api/session", nil, bearer(prad)).status)
	if n := p.count(`SELECT count(*) FROM rate_limits`); n != before {
		t.Errorf("counting wrote %d rows", n-before)
	}
}

// The golden file has each limit per person, with the operations that share it.
func TestLimitsPerPerson(t *testing.T) {
	const goldenFile = "testdata/limits.golden"
	p := newPortal(t, "sqlite", nil)
	ops := slices.Clone(p.API.Operations())
	slices.SortFunc(ops, func(a, b httpapi.Operation) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	var order []*ratelimit.Limiter
	shared := map[*ratelimit.Limiter][]string{}
	for _, op := range ops {
		if op.Limit != nil {
			if shared[op.Limit] == nil {
				order = append(order, op.Limit)
			}
			shared[op.Limit] = append(shared[op.Limit], op.Method+" "+op.Path)
		}
	}
	var b strings.Builder
	for _, l := range order {
		limiter := reflect.ValueOf(l).Elem()
		calls, perSecond := limiter.FieldByName("burst").Int(), limiter.FieldByName("rate").Float()
		if math.Abs(perSecond*3600-float64(calls)) > 0.001 {
			t.Errorf("%v: %d requests, and then %f per second", shared[l], calls, perSecond)
		}
		fmt.Fprintf(&b, "%d per hour\n  %s\n", calls, strings.Join(shared[l], "\n  "))
	}
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, []byte(b.String()), 0o644))
	}
	golden, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(golden))
}

func TestSearchThroughTheDoor(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		ask := func(token, ftin string) int {
			return p.do("POST", "/api/billSearch/searchByAssorted", map[string]any{"ftin": ftin, "documentId": "x"}, bearer(token)).status
		}
		for _, c := range []struct {
			user, ftin string
			want       int
		}{
			{"prad", "111111111", 200}, {"prad", "222222222", 200}, {"prad", "333333333", 404},
			{"prus", "111111111", 200}, {"prus", "222222222", 404}, // the group's, but not this user's
			{"nnus", "333333333", 200}, {"nnus", "111111111", 404},
			{"isad", "111111111", 404}, {"road", "111111111", 403},
		} {
			assert.Equalf(t, c.want, ask(p.signIn(c.user), c.ftin), "%s asks for %s", c.user, c.ftin)
		}
		// A TIN removed from the group is removed from its users immediately.
		token := p.signIn("prus")
		p.exec(`DELETE FROM group_tins WHERE ftin = '111111111'`)
		assert.Equal(t, 404, ask(token, "111111111"))
		tins := func(user, of string) int {
			return p.do("GET", "/api/ftin/userFtins/"+of+"/?activeFlag=true", nil, bearer(p.signIn(user))).status
		}
		for _, c := range []struct {
			user, of string
			want     int
		}{{"prad", "prus", 200}, {"prad", "nnus", 404}, {"prad", "nobody", 404}, {"prus", "prad", 404}, {"irad", "nnus", 200}} {
			assert.Equalf(t, c.want, tins(c.user, c.of), "%s asks for the TINs of %s", c.user, c.of)
		}
	})
}

func TestStopIsGraceful(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- p.Serve(ctx, listener) }()
		res, err := http.Get("http://" + listener.Addr().String() + "/healthz")
		require.NoError(t, err)
		res.Body.Close()
		// The periodic job runs at startup, so River works on this database.
		deadline := time.Now().Add(20 * time.Second)
		for p.count(`SELECT count(*) FROM river_job WHERE kind = 'tidy' AND state = 'completed'`) == 0 {
			require.False(t, time.Now().After(deadline), "the tidy job was not worked on")
			time.Sleep(50 * time.Millisecond)
		}
		stop()
		select {
		case err := <-done:
			assert.NoError(t, err)
		case <-time.After(10 * time.Second):
			t.Error("does not stop")
		}
	})
}

// An open request doesn't use up the time in which jobs can finish.
func TestJobsStopDuringAnOpenRequest(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		opened, release := make(chan bool), make(chan bool)
		p.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(opened)
			<-release
		})
		ctx, stop := context.WithCancel(context.Background())
		done, answered := make(chan error, 1), make(chan error, 1)
		go func() { done <- p.Serve(ctx, listener) }()
		go func() {
			res, err := http.Get("http://" + listener.Addr().String())
			if err == nil {
				err = res.Body.Close()
			}
			answered <- err
		}()
		<-opened
		waitForLeaders := func(want int) {
			t.Helper()
			end := time.Now().Add(10 * time.Second)
			for ; p.count(`SELECT count(*) FROM river_leader`) != want; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Errorf("%d leaders expected", want)
					return
				}
			}
		}
		waitForLeaders(1)
		stop()
		waitForLeaders(0) // jobs are stopped, and the request is still open
		close(release)
		assert.NoError(t, errors.Join(<-answered, <-done))
	})
}

func TestConfigurationNamesTheSetting(t *testing.T) {
	good := app.NewStoreConfig(app.Store{Data: t.TempDir()})
	for _, wrong := range []struct {
		setting string
		change  func(*app.Config)
	}{
		{"WCPP_PUBLIC_URL", func(c *app.Config) { c.PublicURL = "portal.example" }},
		{"WCPP_PUBLIC_URL", func(c *app.Config) { c.PublicURL = "https://portal.example/wcpp" }},
		{"WCPP_PUBLIC_URL", func(c *app.Config) { c.PublicURL = "https://portal.example?a=b" }},
		{"WCPP_DATABASE_URL", func(c *app.Config) { c.DatabaseURL = "mysql://x" }},
		{"WCPP_IDLE_MINUTES", func(c *app.Config) { c.Sessions.IdleMinutes = 0 }},
		{"WCPP_SECOND_BILL_URL", func(c *app.Config) { c.Bills.SecondBillURL = "ftp://x" }},
		{"WCPP_TRUSTED_PROXIES", func(c *app.Config) { c.TrustedProxies = []string{"10.0.0.0"} }},
		{"WCPP_LOCK_FAILURES", func(c *app.Config) { c.SignIn.LockFailures = 0 }},
		{"WCPP_LOCK_FAILURES", func(c *app.Config) { c.SignIn.LockFailures = 1 }}, // two-step verification needs two attempts
		{"WCPP_FOREIGN_BILL_URL", func(c *app.Config) { c.Bills.ForeignBillURL = "x" }},
		// Forwarded data stays encrypted if the portal itself uses TLS.
		{"WCPP_RESOURCE_URL", func(c *app.Config) {
			c.PublicURL, c.Content.ResourceURL = "https://portal.example", "http://content.example"
		}},
		{"WCPP_BLOB_URL", func(c *app.Config) {
			c.PublicURL, c.Files.BlobURL = "https://portal.example", "s3://bucket?endpoint=http://store.example"
		}},
		// Values that can't work as intended.
		{"WCPP_INTERNAL_DOMAINS", func(c *app.Config) { c.Account.InternalDomains = []string{"staff.example", "not a domain"} }},
		{"WCPP_INTERNAL_DOMAINS", func(c *app.Config) { c.Account.InternalDomains = []string{"https://staff.example/"} }},
		{"WCPP_INTERNAL_DOMAINS", func(c *app.Config) { c.Account.InternalDomains = []string{"*.staff.example"} }},
		{"WCPP_INTERNAL_DOMAINS", func(c *app.Config) { c.Account.InternalDomains = []string{""} }},
		{"WCPP_IMAGE_HOSTS", func(c *app.Config) { c.Bills.ImageHosts = []string{"https://images.example"} }},
		{"WCPP_IMAGE_HOSTS", func(c *app.Config) { c.Bills.ImageHosts = []string{"images.example/eors"} }},
		{"WCPP_IMAGE_HOSTS", func(c *app.Config) { c.Bills.ImageHosts = []string{"*.images.example"} }},
		{"WCPP_FOREIGN_BILL_URL", func(c *app.Config) { c.Bills.ForeignBillURL = "https://payer.example/bills" }},
		{"WCPP_IDLE_MINUTES", func(c *app.Config) { c.Sessions.IdleMinutes, c.Sessions.SessionHours = 61, 1 }},
		{"WCPP_RESET_LINK_MINUTES", func(c *app.Config) { c.Account.ResetLinkMinutes = 90*24*60 + 1 }}, // links are deleted after 90 days
		{"WCPP_REGISTRATION_LINK_HOURS", func(c *app.Config) { c.Account.RegistrationLinkHours = 90*24 + 1 }},
		{"WCPP_REQUEST_LINK_HOURS", func(c *app.Config) { c.Account.RequestLinkHours = 90*24 + 1 }},
		{"WCPP_DESK_KEEP_DAYS", func(c *app.Config) { c.Desk.DeskKeepDays = 2189 }},
		{"WCPP_REVIEW_KEEP_DAYS", func(c *app.Config) { c.Reviews.ReviewKeepDays = 2189 }},
		{"WCPP_SUPPORT_PHONE", func(c *app.Config) { c.Brand.SupportPhone = "1-800-NET-CARE" }},
		{"WCPP_SUPPORT_PHONE", func(c *app.Config) { c.Brand.SupportPhone = "555-0100" }},
		{"WCPP_SUPPORT_PHONE", func(c *app.Config) { c.Brand.SupportPhone = "800-555-0100 ext. 22" }},
		// Settings without effect unless another one is set.
		{"WCPP_OIDC_CLIENT_ID", func(c *app.Config) { c.SSO.OIDCIssuer = "https://id.example" }},
		{"WCPP_OIDC_CLIENT_ID", func(c *app.Config) { c.SSO.OIDCClientID = "portal" }},
		{"WCPP_OIDC_CLIENT_SECRET", func(c *app.Config) { c.SSO.OIDCClientSecret = "hush" }},
		{"WCPP_OIDC_ACR_VALUES", func(c *app.Config) { c.SSO.OIDCACRValues = "mfa" }},
		{"WCPP_OIDC_MAX_AGE", func(c *app.Config) { c.SSO.OIDCMaxAge = 600 }},
		{"WCPP_RESOURCE_KEY", func(c *app.Config) { c.Content.ResourceKey = "key" }},
		{"WCPP_RESOURCE_ASSET_PATH", func(c *app.Config) { c.Content.ResourceAssetPath = "/assets" }},
		{"WCPP_RESOURCE_CONTENT_PATH", func(c *app.Config) {
			c.Content.ResourceURL, c.Content.ResourceContentPath = "https://content.example", "/files"
		}},
		{"WCPP_SECOND_BILL_KEY", func(c *app.Config) { c.Bills.SecondBillKey = "key" }},
		{"WCPP_CHAT_HMAC_KEY", func(c *app.Config) { c.Chat.ChatHMACKey = "key" }},
		{"WCPP_SMTP_CA_FILE", func(c *app.Config) { c.Mail.SMTPCAFile = "ca.pem" }},
		{"WCPP_ROSTER_OUT", func(c *app.Config) { c.Access.Workspace, c.Rosters.RosterOut = "off", "file:///srv/rosters" }},
		{"WCPP_ROSTER_MAIL", func(c *app.Config) { c.Access.Workspace, c.Rosters.RosterMail = "off", "rosters@network.example" }},
		{"WCPP_ROSTER_UPDATES", func(c *app.Config) { c.Access.Workspace, c.Rosters.RosterUpdates = "off", true }},
	} {
		cfg := good
		wrong.change(&cfg)
		if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), wrong.setting+": ") {
			t.Errorf("%s: %v", wrong.setting, err)
		}
	}
	assert.NoError(t, good.Check())
	good.PublicURL, good.Content.ResourceURL, good.Bills.SecondBillURL = "https://portal.example", "http://127.0.0.1:9000",
		"https://bills.example"
	good.Account.InternalDomains = []string{"staff.example", "@post.staff.example"}
	good.Bills.ImageHosts = []string{"images.example", "10.0.0.7:8443", "[::1]:9000", "localhost"}
	good.Bills.ForeignBillURL = "https://payer.example/bills?id={billControlNumber}"
	good.Brand.SupportPhone = "+1 (800) 555-0100"
	assert.NoError(t, good.Check())
}
