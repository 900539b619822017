package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/passwords/passwordstest"
)

const password = "Quiet-Lake-7"

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// portal is a complete portal under test.
type portal struct {
	*app.App
	t     *testing.T
	url   string
	clock *clock
	log   *bytes.Buffer
	// lines writes the log while logged reads it.
	lines *syncWriter
	// from is the client address for requests, if the portal trusts proxies.
	from string
}

type syncWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *syncWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// each runs a test against a portal on both databases, with one active user per type. Only prad,
// prus and nnus have TINs.
func each(t *testing.T, change func(*app.Config), test func(t *testing.T, p *portal)) {
	t.Helper()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) { test(t, newPortal(t, kind, change)) })
	}
}

func newPortal(t *testing.T, kind string, change func(*app.Config)) *portal {
	t.Helper()
	return newPortalOn(t, dbtest.MigratedURL(t, kind), change)
}

// newPortalOn creates a portal on a database.
func newPortalOn(t *testing.T, database string, change func(*app.Config)) *portal {
	t.Helper()
	cfg := app.NewStoreConfig(app.Store{Data: t.TempDir(), DatabaseURL: database})
	cfg.Brand.SupportPhone, cfg.Brand.SupportEmail = "800-555-0100", "support@portal.example"
	cfg.PublicURL, cfg.Brand.BrandName, cfg.Bills.SecondBillTimeout, cfg.StopTimeout = "http://portal.test", "Test Network", time.Second,
		5*time.Second
	// Most tests look for their own emails. Tests of sign-in emails turn these on.
	cfg.SignIn.SignInMails = "off"
	cfg.Factors = cfg.Factors.OrOffered() // factors have their own tests
	if change != nil {
		change(&cfg)
	}
	p := &portal{t: t, clock: &clock{now: time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)}, log: &bytes.Buffer{}}
	p.lines = &syncWriter{w: p.log}
	log := slog.New(slog.NewJSONHandler(p.lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a, err := app.New(t.Context(), cfg, log, p.clock.Now, nil)
	require.NoError(t, err)
	p.App = a
	server := httptest.NewServer(a.Handler)
	p.url = server.URL
	t.Cleanup(func() { server.Close(); p.storedWhereKept(); p.auditedInWords(); a.Close() })

	group := p.add("prad", access.PRAD, 0, "111111111", "222222222").GroupID
	p.add("prus", access.PRUS, group, "111111111")
	p.add("nnus", access.NNUS, 0, "333333333")
	p.add("road", access.ROAD, 0)
	p.add("rous", access.ROUS, 0)
	p.add("irad", access.IRAD, 0)
	p.add("isad", access.ISAD, 0)
	return p
}

// another starts a second instance on the same database.
func (p *portal) another() *portal {
	p.t.Helper()
	cfg := p.Config
	cfg.Data = p.t.TempDir()
	a, err := app.New(p.t.Context(), cfg, slog.New(slog.DiscardHandler), p.clock.Now, nil)
	require.NoError(p.t, err)
	server := httptest.NewServer(a.Handler)
	p.t.Cleanup(func() { server.Close(); a.Close() })
	second := *p
	second.url = server.URL
	return &second
}

// clickRepeatedly sends a request ten times in parallel, and returns the distinct responses.
func (p *portal) clickRepeatedly(send func() reply) []string {
	p.t.Helper()
	var mu sync.Mutex
	var wait sync.WaitGroup
	var bodies []string
	for range 10 {
		wait.Go(func() {
			r := send()
			mu.Lock()
			defer mu.Unlock()
			assert.Equalf(p.t, 200, r.status, "%d %s", r.status, r.body)
			bodies = append(bodies, strings.TrimSpace(string(r.body)))
		})
	}
	wait.Wait()
	slices.Sort(bodies)
	return slices.Compact(bodies)
}

func (p *portal) add(name string, kind access.Type, group int64, tins ...string) users.User {
	p.t.Helper()
	u := users.User{
		UserName: name, FirstName: strings.ToUpper(name[:1]) + name[1:], LastName: "Tester", Email: name + "@example.com",
		TypeCd: kind, StatusCd: users.New, GroupID: group,
	}
	if kind.IsInternal() {
		u.EmployeeID = "E-" + name
	}
	ctx := p.t.Context()
	u, err := p.AddUser(ctx, u, tins, "")
	if err == nil {
		err = p.DB.Tx(ctx, func(tx *sql.Tx) error {
			return p.SignIn.Activate(ctx, tx, access.System("test").User(u.ID), passwordstest.Hash(password))
		})
	}
	require.NoError(p.t, err)
	return u
}

func (p *portal) logged() string {
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	return p.log.String()
}

func (p *portal) exec(query string, args ...any) {
	p.t.Helper()
	require.NoError(p.t, dbtest.Err(db.Exec(p.t.Context(), p.DB.Writer, query, args...)))
}

// metrics returns the portal's metrics.
func (p *portal) metrics() string {
	answer := httptest.NewRecorder()
	p.Metrics.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func (p *portal) count(query string, args ...any) int {
	p.t.Helper()
	var n int
	require.NoError(p.t, db.Get(p.t.Context(), p.DB.Writer, &n, query, args...))
	return n
}

// reply is a response with its body.
type reply struct {
	status  int
	header  http.Header
	body    []byte
	cookies map[string]string
}

func (r reply) code() string {
	var p httpapi.Problem
	if json.Unmarshal(r.body, &p) != nil {
		return ""
	}
	return p.Message
}

func httpProblem(r reply, p *httpapi.Problem) bool { return json.Unmarshal(r.body, p) == nil }

func (r reply) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		t.Fatalf("%v in %s", err, r.body)
	}
}

type option func(*http.Request)

func bearer(token string) option {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
}

func cookie(name, value string) option {
	return func(r *http.Request) { r.Header.Add("Cookie", name+"="+value) }
}

// do sends a request. It encodes a body as JSON, and url.Values as a form.
func (p *portal) do(method, path string, body any, opts ...option) reply {
	p.t.Helper()
	var sent io.Reader
	kind := ""
	switch b := body.(type) {
	case nil:
	case url.Values:
		sent, kind = strings.NewReader(b.Encode()), "application/x-www-form-urlencoded"
	case string:
		sent, kind = strings.NewReader(b), "application/json"
	default:
		j, err := json.Marshal(b)
		require.NoError(p.t, err)
		sent, kind = bytes.NewReader(j), "application/json"
	}
	req, err := http.NewRequestWithContext(context.WithoutCancel(p.t.Context()), method, p.url+path, sent)
	require.NoError(p.t, err)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if p.from != "" {
		req.Header.Set("X-Forwarded-For", p.from)
	}
	for _, o := range opts {
		o(req)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(p.t, err)
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	r := reply{status: res.StatusCode, header: res.Header, body: read, cookies: map[string]string{}}
	for _, c := range res.Cookies() {
		r.cookies[c.Name] = c.Value
	}
	return r
}

const ssoCookie = "__Host-wcpp-sso"

var stateField = regexp.MustCompile(`name="state" value="([^"]+)"`)

// form starts a sign-in like a browser and returns its cookie and state.
func (p *portal) form() (pending, state string) {
	p.t.Helper()
	start := p.do("GET", "/sso/start", nil)
	require.Equal(p.t, http.StatusSeeOther, start.status)
	require.Equal(p.t, "/sso/sign-in", start.header.Get("Location"))
	pending = start.cookies[ssoCookie]
	page := p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, pending))
	found := stateField.FindSubmatch(page.body)
	require.Equal(p.t, http.StatusOK, page.status)
	require.NotNil(p.t, found)
	return pending, string(found[1])
}

// code signs in with the form and returns the resulting code.
func (p *portal) code(user, pass string) (pending, state, code string) {
	p.t.Helper()
	pending, state = p.form()
	r := p.do("POST", "/sso/sign-in", url.Values{"username": {user}, "password": {pass}, "state": {state}}, cookie(ssoCookie, pending))
	back, err := url.Parse(r.header.Get("Location"))
	if err != nil || r.status != http.StatusSeeOther || back.Path != "/wcpp/login" || back.Query().Get("code") == "" {
		p.t.Fatalf("signing in answered %d to %q: %s", r.status, r.header.Get("Location"), r.body)
	}
	require.Equal(p.t, state, back.Query().Get("state"))
	return pending, state, back.Query().Get("code")
}

func (p *portal) exchange(pending, state, code string) reply {
	return p.do("POST", "/api/authenticate", map[string]string{"username": "checkAuth", "password": code, "state": state},
		cookie(ssoCookie, pending))
}

// signIn signs a user in with single sign-on and returns the session token.
func (p *portal) signIn(user string) string {
	p.t.Helper()
	r := p.exchange(p.code(user, password))
	var token struct{ Username, Token string }
	require.Equalf(p.t, http.StatusOK, r.status, "authenticate answered %d: %s", r.status, r.body)
	r.into(p.t, &token)
	if token.Username != user || token.Token == "" || r.cookies[httpapi.SessionCookie] != token.Token {
		p.t.Fatalf("authenticate answered %s and cookies %v", r.body, r.cookies)
	}
	return token.Token
}
