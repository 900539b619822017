package app_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/migrations"
)

func behindTLS(c *app.Config) { c.PublicURL = "https://portal.test" }

// Every response has the security headers, for any status and caller.
func TestEveryAnswerIsGuarded(t *testing.T) {
	p := newPortal(t, "sqlite", behindTLS)
	token := p.signIn("prad")
	for _, c := range []struct{ method, path string }{
		{"GET", "/healthz"}, {"GET", "/metrics"}, {"GET", "/js/config.json"}, {"GET", "/js/content/home.json"}, {"GET", "/robots.txt"},
		{"GET", "/"}, {"GET", "/elsewhere"},
		{"GET", "/wcpp/login"}, {"GET", "/wcpp/assets/gone.js"}, {"GET", "/sso/start"}, {"GET", "/sso/sign-in"}, {"GET", "/sso/style.css"},
		{"GET", "/sso/passkey.js"}, {"GET", "/sso/waiting.js"},
		{"GET", "/api/session"}, {"GET", "/api/nothing"}, {"GET", "/api/openapi.json"}, {"POST", "/api/authenticate"},
		{"GET", "/api/resources/a.pdf"},
	} {
		r := p.do(c.method, c.path, nil, bearer(token), func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") })
		for name, want := range map[string]string{
			"Strict-Transport-Security": "max-age=31536000; includeSubDomains", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
		} {
			assert.Equalf(t, want, r.header.Get(name), "%s: %s", c.path, name)
		}
		policy := map[string]string{}
		for directive := range strings.SplitSeq(r.header.Get("Content-Security-Policy"), "; ") {
			name, sources, _ := strings.Cut(directive, " ")
			policy[name] = sources
		}
		for name, want := range map[string]string{
			"default-src": "'none'", "object-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'", "script-src": "'self'",
			"form-action": "'self'",
		} {
			assert.Equalf(t, want, policy[name], "%s: %s", c.path, name)
		}
		kind := r.header.Get("Content-Type")
		if len(r.body) > 0 && (kind == "" || strings.HasPrefix(kind, "text/") &&
			!strings.Contains(strings.ToLower(kind), "charset=utf-8") && c.path != "/metrics") {
			t.Errorf("%s: a body of type %q", c.path, kind)
		}
		if strings.HasPrefix(c.path, "/api/") && c.path != "/api/openapi.json" && r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", c.path, r.header.Get("Cache-Control"))
		}
	}
}

// The server doesn't expose directory listings, echoes or, to the outside, metrics.
func TestNothingIsGivenAway(t *testing.T) {
	p := newPortal(t, "sqlite", func(c *app.Config) { c.TrustedProxies = []string{"127.0.0.0/8"} })
	for _, path := range []string{"/wcpp/assets/", "/wcpp/assets", "/.git/config", "/wcpp/.git/config", "/wcpp/../wcpp.db",
		"/debug/pprof/"} {
		r := p.do("GET", path, nil)
		if r.status == http.StatusOK && !strings.Contains(string(r.body), "<!doctype html>") || strings.Contains(string(r.body), "<pre>") ||
			strings.Contains(string(r.body), "[core]") {
			t.Errorf("%s: %d %.80s", path, r.status, r.body)
		}
	}
	for _, path := range []string{"/", "/api/session", "/healthz"} {
		if r := p.do("TRACE", path, nil, cookie(httpapi.SessionCookie, "secret")); r.status == http.StatusOK ||
			strings.Contains(string(r.body), "secret") {
			t.Errorf("TRACE %s: %d %s", path, r.status, r.body)
		}
	}
	if r := p.do("GET", "/api/public/secQuestions", nil); strings.TrimSpace(string(r.body)) != "[]" {
		t.Errorf("there are questions: %s", r.body)
	}
	assert.Equal(t, http.StatusNotFound, p.do("GET", "/metrics", nil).status)
}

// Other sites can cause requests with the session cookie. The cookie alone allows only GET
// requests, and those change nothing.
func TestCookieOpensReadsOnly(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("isad")
	for _, op := range p.API.Operations() {
		if op.Cookie && (op.Method != http.MethodGet || op.Effect != httpapi.Read) {
			t.Errorf("%s takes the cookie, and is %s by %s", op.ID, op.Effect, op.Method)
		}
		if op.Cookie || op.Access == httpapi.Public {
			continue
		}
		r := p.do(op.Method, "/api"+parameter.ReplaceAllString(op.Path, "1"), nil, cookie(httpapi.SessionCookie, token))
		assert.Equalf(t, http.StatusUnauthorized, r.status, "%s by the cookie", op.ID)
	}
}

// Scripts, other hosts and plain text connections can't read either cookie. Each sign-in gets a
// new session token, and only its hash is stored.
func TestCookiesAndTokens(t *testing.T) {
	each(t, behindTLS, func(t *testing.T, p *portal) {
		closed := regexp.MustCompile(`^__Host-wcpp(-sso|-device)?=[^;]+; Path=/; (Max-Age=\d+; )?HttpOnly; Secure; SameSite=Lax$`)
		start := p.do("GET", "/sso/start", nil)
		in := p.exchange(p.code("prad", password))
		for _, set := range append(start.header.Values("Set-Cookie"), in.header.Values("Set-Cookie")[0],
			in.header.Values("Set-Cookie")[2]) {
			assert.Truef(t, closed.MatchString(set), "cookie %s", set)
		}
		first, second := in.cookies[httpapi.SessionCookie], p.signIn("prad")
		for _, token := range []string{first, second} {
			raw, err := base64.RawURLEncoding.DecodeString(token)
			assert.NoError(t, err)
			assert.Len(t, raw, 32)
			hash := sha256.Sum256([]byte(token))
			assert.Equal(t, 1, p.count(`SELECT count(*) FROM sessions WHERE token_hash = $1`, hash[:]))
		}
		assert.NotEqual(t, second, first, "two sessions share a token")
	})
}

// Request framing must be unambiguous. An ambiguous request is rejected or loses the invalid
// length.
func TestMessagesHaveOneEnd(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	const hidden = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, c := range map[string]struct{ head, body, want string }{
		"two lengths":       {"Content-Length: 2\r\nContent-Length: 40\r\n", "{}" + hidden, "400"},
		"an unknown coding": {"Transfer-Encoding: chunked, identity\r\n", "2\r\n{}\r\n0\r\n\r\n", "501"},
		"a signed length":   {"Content-Length: +2\r\n", "{}", "400"},
		"a length beside chunked": {"Content-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n",
			"1f\r\n{\"username\":\"x\",\"password\":\"y\"}\r\n0\r\n\r\n", "401"},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		require.NoError(t, err)
		_, _ = fmt.Fprintf(conn, "POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s\r\n%s", c.head, c.body)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		res.Body.Close()
		_ = conn.Close()
		assert.Equalf(t, c.want, fmt.Sprint(res.StatusCode), "%s: %s", name, res.Status)
	}
}

// Each sign-in attempt logs the username, result, time and source. Input can't break a log line.
func TestTraceOfASignIn(t *testing.T) {
	each(t, func(c *app.Config) { c.TrustedProxies = []string{"127.0.0.0/8"} }, func(t *testing.T, p *portal) {
		p.from = "203.0.113.9"
		p.signIn("prad")
		pending, state := p.form()
		p.do("POST", "/sso/sign-in", url.Values{"username": {"prad\n{\"level\":\"INFO\"}"}, "password": {"x"}, "state": {state}},
			cookie(ssoCookie, pending))
		p.do("POST", "/api/logout", nil, bearer(p.signIn("prus")))
		const whole = `at = $1 AND client = '203.0.113.9' AND request_id <> ''`
		for operation, want := range map[string]int{
			`operation = 'sign-in' AND actor = 'prad' AND result = 'ok'`:                     1,
			`operation = 'sign-in' AND actor = '' AND result = 'INVALID_CREDENTIALS'`:        1,
			`operation = 'sign-out' AND actor = 'prus' AND subject = 'prus' AND detail = ''`: 1,
		} {
			if n := p.count(`SELECT count(*) FROM audit_log WHERE `+whole+` AND `+operation, "2026-03-02T15:00:00.000000Z"); n != want {
				t.Errorf("%d audit entries: %s", n, operation)
			}
		}
		for line := range strings.Lines(p.log.String()) {
			var entry struct{ Time, Level, Msg string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" || entry.Msg == "" {
				t.Errorf("line %q: %v", line, err)
			}
		}
	})
}

// Sign-in fails on a portal without accounts.
func TestNoAccountsFromTheStart(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			cfg := app.NewStoreConfig(app.Store{Data: t.TempDir(), DatabaseURL: dbtest.URL(t, kind)})
			p := &portal{t: t, clock: &clock{now: time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)}}
			a, err := app.New(t.Context(), cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), p.clock.Now, nil)
			require.NoError(t, err)
			defer a.Close()
			p.App = a
			assert.Equal(t, 0, p.count(`SELECT count(*) FROM users`))
		})
	}
}

// The portal runs with a PostgreSQL account that can't alter its tables or change audit entries.
func TestServesWithoutOwningTheTables(t *testing.T) {
	address := dbtest.URL(t, "postgres")
	owner, err := db.Open(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { owner.Close() })
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), owner)))
	role := "wcpp_role_" + strings.ToLower(rand.Text())
	pruner := role + "_p"
	for _, grant := range []string{
		"CREATE ROLE " + role + " LOGIN PASSWORD 'Quiet-Lake-7'",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO " + role,
		"REVOKE UPDATE, DELETE ON audit_log, audit_keys, audit_segments, audit_heads FROM " + role,
		"REVOKE INSERT, UPDATE, DELETE ON audit_pruned FROM " + role,
		"CREATE ROLE " + pruner + " LOGIN PASSWORD 'Quiet-Lake-7'",
		"GRANT SELECT ON audit_log, audit_keys, audit_heads, audit_pruned, secrets TO " + pruner,
		"GRANT INSERT ON audit_pruned TO " + pruner,
		"GRANT DELETE ON audit_log, audit_keys TO " + pruner,
	} {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), owner.Writer, grant)))
	}
	t.Cleanup(func() {
		for _, end := range []string{"DROP OWNED BY " + role, "DROP ROLE " + role, "DROP OWNED BY " + pruner, "DROP ROLE " + pruner} {
			assert.NoError(t, dbtest.Err(db.Exec(context.Background(), owner.Writer, end)))
		}
	})
	as, err := url.Parse(address)
	require.NoError(t, err)
	as.User = url.UserPassword(role, "Quiet-Lake-7")
	p := newPortalOn(t, as.String(), nil)
	p.do("POST", "/api/logout", nil, bearer(p.signIn("prad")))
	for _, change := range []string{
		`DELETE FROM audit_log`, `UPDATE audit_log
			SET actor = 'x'`, `TRUNCATE audit_log`, `DELETE FROM audit_keys`, `DELETE FROM audit_heads`,
		`UPDATE audit_segments SET id = 9`, `INSERT INTO audit_pruned (segment, pruned_at, signature)
			VALUES (1, now(), '')`, `ALTER TABLE audit_log DISABLE TRIGGER ALL`, `DROP TABLE audit_log`, `CREATE TABLE x (y int)`,
	} {
		// insufficient privilege
		if _, err := db.Exec(t.Context(), p.DB.Writer, change); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", change, err)
		}
	}
	// Jobs run as well.
	p.serving()
	deadline := time.Now().Add(20 * time.Second)
	for p.count(`SELECT count(*) FROM river_job WHERE kind = 'tidy' AND state = 'completed'`) == 0 {
		require.False(t, time.Now().After(deadline), "the tidy job was not worked on")
		time.Sleep(50 * time.Millisecond)
	}
	// Only the second account removes expired entries. The rest still verifies.
	assert.NotEqual(t, 0, p.count(`SELECT count(*) FROM audit_heads`), "nothing was sealed")
	as.User = url.UserPassword(pruner, "Quiet-Lake-7")
	second, err := db.Open(t.Context(), as.String())
	require.NoError(t, err)
	defer second.Close()
	signer, err := audit.Settings{}.LoadSigner(t.Context(), second.Writer)
	require.NoError(t, err)
	sealed := p.count(`SELECT count(*) FROM audit_heads`)
	if n, err := audit.Prune(t.Context(), second, signer, p.clock.Now().Add(time.Second), p.clock.Now()); err != nil || n != sealed {
		t.Errorf("%d of %d segments were removed, %v", n, sealed, err)
	}
	r, err := audit.Verify(t.Context(), second, []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}, nil)
	if err == nil && (r.Wrong != nil || r.Pruned != sealed) {
		t.Errorf("%+v", r)
	}
	p.signIn("prad")
	assert.Error(t, dbtest.Err(db.Exec(t.Context(), second.Writer, `DELETE FROM audit_log`)), "entries that are not too old are removed")
}

// With a certificate, the portal serves TLS 1.2 and later, and no plain HTTP.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	now := time.Now()
	made, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}, &x509.Certificate{}, key.Public(), key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	cert, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: made},
		keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
	}
	p := newPortal(t, "sqlite", func(c *app.Config) { c.TLSCertFile, c.TLSKeyFile = cert, keyFile })
	address := p.serving()
	trusted := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(made)
	require.NoError(t, err)
	trusted.AddCert(parsed)
	for version, want := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: trusted, MinVersion: version, MaxVersion: version})
		if (err == nil) != want {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			_ = conn.Close()
		}
	}
	// Plain HTTP isn't redirected, so that users notice the mistake.
	res, err := http.Get("http://" + address + "/api/session")
	require.NoError(t, err)
	res.Body.Close()
	assert.Equal(t, http.StatusBadRequest, res.StatusCode)
}

// serving runs the complete portal, including jobs, until the test ends. It returns the address.
func (p *portal) serving() string {
	p.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(p.t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, listener) }()
	p.t.Cleanup(func() {
		stop()
		assert.NoError(p.t, <-done)
	})
	return listener.Addr().String()
}

// No response has a field for a password, hash or key. The only token is the session's own.
func TestAnswersHaveNoSecretFields(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	document := p.API.OpenAPI()
	sent := map[string]bool{"Credentials": true, "NewPassword": true, "PasswordChange": true, "RequestForm": true, "MailedLink": true,
		"ConfirmEmailRequest": true, "ConfirmMailboxRequest": true, "StopMailsRequest": true, "ProofInputBody": true, "BindingLink": true,
		"FactorResetLink": true, "PayerCallText": true, "QuestionText": true, "LogCallRequest": true,
		"RecordedComplaint": true, "CaseText": true, "CaseReply": true}
	secret := regexp.MustCompile(`(?i)password|hash|secret|token|salt|[a-z]Key$`)
	// The last three authenticate the user to the chat, set up an authenticator app, and name a request of the reader.
	allowed := map[string]bool{"SessionToken.token": true, "Session.token": true, "Chat.identifierHash": true, "SetUpApp.secret": true,
		"CaseEntry.requestKey": true}
	for name, schema := range document.Components.Schemas.Map() {
		for field := range schema.Properties {
			if secret.MatchString(field) && !sent[name] && !allowed[name+"."+field] {
				t.Errorf("%s has the field %s", name, field)
			}
		}
	}
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			for status, answer := range op.Responses {
				for _, media := range answer.Content {
					if media.Schema != nil && sent[media.Schema.Ref[strings.LastIndex(media.Schema.Ref, "/")+1:]] {
						t.Errorf("%s answers %s with what is only sent", path, status)
					}
				}
			}
		}
	}
}
