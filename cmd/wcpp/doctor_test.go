package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/clamd/clamdtest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// runDoctor returns the doctor output and whether the exit code is 1.
func runDoctor(t *testing.T, args ...string) (said string, ill bool) {
	t.Helper()
	said, code := wcpp(t, "", append([]string{"doctor"}, args...)...)
	if code != 0 && code != 1 {
		t.Fatalf("exit %d\n%s", code, said)
	}
	assert.NotContains(t, said, "hunter2")
	return said, code == 1
}

// wantLines checks that the doctor output has lines with the given prefixes.
func wantLines(t *testing.T, said string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		assert.Containsf(t, "\n"+said, "\n"+line, "no line begins with %q in\n%s", line, said)
	}
}

// certificate writes a certificate and its key for the host.
func certificate(t *testing.T, host string, ends time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: ends}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}

// Doctor reports no problems on either database when all services are up, and changes nothing.
func TestDoctorFindsAPortalWell(t *testing.T) {
	store := s3mem.New()
	for _, bucket := range []string{"files", "feeds"} {
		require.NoError(t, store.CreateBucket(bucket))
	}
	s3 := httptest.NewServer(gofakes3.New(store).Server())
	defer s3.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
	bucket := func(name string) string {
		return "s3://" + name + "?" + url.Values{"region": {"us-east-1"}, "endpoint": {s3.URL}, "use_path_style": {"true"}}.Encode()
	}
	systems := httptest.NewServer(nil)
	defer systems.Close()
	systems.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"issuer": %q, "authorization_endpoint": "https://x/a", "token_endpoint": %q, "jwks_uri": %q}`,
				systems.URL, systems.URL+"/token", systems.URL+"/keys")
		case "/token":
			answerToken(w, "invalid_grant")
		case "/keys", "/provider-resources.json":
			fmt.Fprint(w, `[]`)
		default:
			http.NotFound(w, r)
		}
	})
	at := startRelay(t)
	cert, key := certificate(t, "portal.example", time.Now().AddDate(1, 0, 0))

	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			data, rosters, address := t.TempDir(), t.TempDir(), dbtest.MigratedURL(t, kind)
			require.NoError(t, os.Chmod(data, 0o700))
			said, ill := runDoctor(t, "--data", data, "--database-url", address, "--public-url", "https://portal.example",
				"--trusted-proxies", "10.0.0.0/8",
				"--clamd", clamdtest.Start(t).Address,
				"--blob-url", bucket("files"), "--feed-url", bucket("feeds"), "--roster-out", "file://"+rosters,
				"--smtp-url", "smtp://"+at+"?tls=none", "--oidc-issuer", systems.URL, "--oidc-client-id", "portal", "--oidc-client-secret",
				"hunter2",
				"--second-bill-url", systems.URL, "--second-bill-key", "hunter2", "--resource-url", systems.URL, "--resource-key",
				"hunter2",
				"--tls-cert-file", cert, "--tls-key-file", key, "--organization-name", "Lake", "--support-phone", "800-555-0100",
				"--support-email", "help@lake.example", "--terms-url", "https://lake.example/t",
				"--privacy-url", "https://lake.example/p")
			assert.False(t, ill)
			assert.NotContains(t, said, "warning")
			wantLines(t, said, "ok       storage:", "ok       watch folder:", "ok       roster folder:", "ok       virus scanner:",
				"ok       email:",
				"ok       sign-on:",
				"ok       second bills:",
				"ok       content host:", "ok       certificate:", "ok       clock:", "ok       database:       Database version")
			for _, dir := range []string{data, rosters} {
				if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
					t.Errorf("%v stays, %v", left, err)
				}
			}
			for _, name := range []string{"files", "feeds"} {
				if left, err := store.ListBucket(name, nil, gofakes3.ListBucketPage{}); err != nil || len(left.Contents) > 0 {
					t.Errorf("%v stays, %v", left, err)
				}
			}
		})
	}
}

// startRelay returns the address of a mail server without TLS.
func startRelay(t *testing.T) string {
	relay := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return nil, nil }))
	relay.Domain = "relay.example"
	relay.Addr = freeAddress(t)
	go func() { _ = relay.ListenAndServe() }() // until Close
	t.Cleanup(func() { _ = relay.Close() })
	await(t, "the relay answers", func() bool {
		conn, err := net.Dial("tcp", relay.Addr)
		return err == nil && conn.Close() == nil
	})
	return relay.Addr
}

// Doctor mentions a way without encryption only if encryption is the problem.
func TestDoctorKeepsEmailEncrypted(t *testing.T) {
	for address, without := range map[string]bool{startRelay(t): true, freeAddress(t): false} {
		said, _ := runDoctor(t, "--data", t.TempDir(), "--smtp-url", "smtp://"+address)
		wantLines(t, said, "wrong    email:")
		assert.Equal(t, without, strings.Contains(said, "tls=none"), said)
	}
}

// answerToken refuses a code as a token endpoint does.
func answerToken(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	fmt.Fprintf(w, `{"error": %q}`, code)
}

// Each problem has its own line with the fix.
func TestDoctorNamesFaults(t *testing.T) {
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		if strings.HasPrefix(r.URL.Path, "/.well-known/") {
			fmt.Fprint(w, `{"issuer": "https://other.example"}`)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer sick.Close()
	var expired *httptest.Server
	expired = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"issuer": %q, "authorization_endpoint": "https://x", "token_endpoint": %[1]q, "jwks_uri": %[1]q}`, expired.URL)
		default:
			if r.Method == http.MethodPost {
				answerToken(w, "invalid_client")
			}
		}
	}))
	defer expired.Close()
	cert, key := certificate(t, "other.example", time.Now().Add(time.Hour))
	soon, soonKey := certificate(t, "portal.example", time.Now().Add(time.Hour))
	broken := filepath.Join(t.TempDir(), "wcpp.db")
	require.NoError(t, os.WriteFile(broken, []byte(strings.Repeat("no database ", 100)), 0o600))
	open := t.TempDir()
	require.NoError(t, os.Chmod(open, 0o755))
	closed := freeAddress(t)
	server, err := url.Parse(dbtest.URL(t, "postgres"))
	require.NoError(t, err)
	server.Path = "/wcpp_none"
	audited := filepath.Join(t.TempDir(), "audit.key")
	signs, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	require.NoError(t, err)
	require.NoError(t, errors.Join(os.WriteFile(audited, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: signs}), 0o600),
		os.Chmod(audited, 0o644)))
	for line, args := range map[string][]string{
		"wrong    settings:       WCPP_IDLE_MINUTES":    {"--idle-minutes", "0"},
		"warning  settings:       Settings shown to us": nil,
		"warning  data directory: The directory doesn": {"--data",
			filepath.Join(open, "gone")},
		"wrong    data directory: The path is a ":                  {"--data", broken},
		"warning  data directory: Other users of this machine can": {"--data", open},
		"wrong    database:       file is not a database": {"--database-url",
			"sqlite:" + broken},
		"wrong    database:       Connection refused. Fix": {"--database-url",
			"postgres://wcpp:hunter2@" + closed + "/wcpp"},
		"wrong    database:       The server doesn't have this database. Fix":    {"--database-url", server.String()},
		"warning  secrets:        Every user of this machine can read the audit": {"--audit-key-file", audited},
		"ok       database:       No database yet.":                              nil,
		"wrong    storage:        The directory doesn't exist": {"--blob-url",
			"file://" + filepath.Join(open, "gone")},
		"wrong    watch folder:   Connection refused": {"--feed-url",
			"s3://feeds?region=x&use_path_style=true&endpoint=http://" + closed},
		"wrong    roster folder:  The directory doesn't exist": {"--roster-out",
			"file://" + filepath.Join(open, "gone")},
		"wrong    virus scanner:  Connection refused. Start clamd": {"--clamd", "tcp://" + closed},
		"wrong    settings:       WCPP_CLAMD: must be tcp://":      {"--clamd", "127.0.0.1:3310"},
		"warning  email:          Emails aren't sent":              nil,
		"wrong    email:          Connection refused": {"--smtp-url",
			"smtp://portal:hunter2@" + closed},
		"wrong    sign-on:        The provider's issuer name is \"https://other.e": {"--oidc-issuer", sick.URL,
			"--oidc-client-id", "x"},
		"wrong    sign-on:        The token endpoint doesn't accept the portal: oauth2: \"invalid_client\"": {"--oidc-issuer", expired.URL,
			"--oidc-client-id", "x", "--oidc-client-secret", "hunter2"},
		"wrong    clock:          The clock of the OpenID provider differs from this machine's by 3": {"--oidc-issuer", sick.URL,
			"--oidc-client-id", "x"},
		"wrong    second bills:   Access denied (401)":           {"--second-bill-url", sick.URL},
		"wrong    content host:   Access denied (401)":           {"--resource-url", sick.URL},
		"warning  secrets:        Not set: WCPP_SECOND_BILL_KEY": {"--second-bill-url", sick.URL},
		"wrong    public address: The address isn't https": {"--public-url",
			"http://portal.example"},
		"warning  proxies:        WCPP_TRUSTED_PROXIES isn't set": {"--public-url",
			"https://portal.example"},
		"wrong    certificate:    The certificate isn't valid for portal.example": {"--public-url",
			"https://portal.example", "--tls-cert-file", cert, "--tls-key-file", key},
		"warning  certificate:    Valid until": {"--public-url",
			"https://portal.example", "--tls-cert-file", soon, "--tls-key-file", soonKey},
		"wrong    certificate:    tls: private key does not match": {"--public-url",
			"https://portal.example", "--tls-cert-file", cert, "--tls-key-file", soonKey},
		"warning  two-step:       Optional for these staff account types: ISAD": {"--second-factor", "ISAD=offered"},
	} {
		said, ill := runDoctor(t, append([]string{"--data", t.TempDir()}, args...)...)
		wantLines(t, said, line)
		if strings.HasPrefix(line, "wrong") != ill && !strings.Contains(said, "\nwrong") {
			t.Errorf("%v: ends with 1: %v", args, ill)
		}
	}
}

// Doctor reports a replica, and a server configured as one that isn't.
func TestDoctorLooksAtTheReplica(t *testing.T) {
	primary := dbtest.StartServer(t)
	replica := primary.Follower("replica")
	for line, address := range map[string]string{
		"ok       replica:        The replica is ":          replica.URL("postgres"),
		"wrong    replica:        the server isn't a repli": primary.URL("postgres"),
		"wrong    replica:        Connection refused.":      "postgres://wcpp:hunter2@" + freeAddress(t) + "/x?sslmode=disable",
	} {
		said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", primary.URL("postgres"), "--database-replica-url", address)
		wantLines(t, said, line)
	}
}

// A database account that doesn't own its tables is fine as long as no migration is pending.
func TestDoctorKnowsAnAccountThatOwnsNothing(t *testing.T) {
	address := dbtest.MigratedURL(t, "postgres")
	d, err := db.Open(t.Context(), address)
	require.NoError(t, err)
	defer d.Close()
	role := "wcpp_role_" + strings.ToLower(rand.Text())
	for _, statement := range []string{"CREATE ROLE " + role + " LOGIN PASSWORD 'hunter2'",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role} {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
	}
	t.Cleanup(func() {
		owner, err := db.Open(context.Background(), address)
		if err != nil {
			t.Error(err)
			return
		}
		defer owner.Close()
		for _, end := range []string{"DROP OWNED BY " + role, "DROP ROLE " + role} {
			assert.NoError(t, dbtest.Err(db.Exec(context.Background(), owner.Writer, end)))
		}
	})
	as, err := url.Parse(address)
	require.NoError(t, err)
	as.User = url.UserPassword(role, "hunter2")
	said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", as.String())
	wantLines(t, said, "ok       database:       PostgreSQL ")
	require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE goose_db_version SET version_id = 50 WHERE version_id > 50`)))
	said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", as.String())
	wantLines(t, said, "wrong    database:       The account can't create tables. Run wcpp migrate with the owner's account first")
}

// Doctor warns when a second instance would store its files separately. A single instance gets
// no warning.
func TestDoctorCountsInstances(t *testing.T) {
	url, data := dbtest.URL(t, "postgres"), t.TempDir()
	_, cmd := startServer(t, url, data)
	defer stop(t, cmd)
	said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", url)
	wantLines(t, said, "warning  instances:      1 instances use this database and store files in a data directory.")
	if said, _ = runDoctor(t, "--data", data, "--database-url", url); strings.Contains(said, "instances:") {
		t.Errorf("it is alone:\n%s", said)
	}
	if said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", url, "--blob-url", "file://"+t.TempDir()); strings.Contains(said,
		"instances:") {
		t.Errorf("files are kept for all:\n%s", said)
	}
}

// Doctor detects tables from an earlier or later version, and a running portal.
func TestDoctorKnowsTheTables(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			address := dbtest.MigratedURL(t, kind)
			d, err := db.Open(t.Context(), address)
			require.NoError(t, err)
			defer d.Close()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `INSERT INTO goose_db_version (version_id, is_applied)
				VALUES (99999, $1)`, true)))
			said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", address)
			wantLines(t, said, "wrong    database:       Database version 99999")
			if _, err := db.Exec(t.Context(), d.Writer, `UPDATE goose_db_version SET version_id = 50 WHERE version_id > 50`); err != nil {
				t.Fatal(err)
			}
			said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", address, "--database-connections", "900")
			wantLines(t, said, "wrong    database:       Database version 50 is too old")
			if kind == "postgres" {
				wantLines(t, said, "wrong    connections:    The server allows")
				return
			}
			release, err := db.LockDatabase(address)
			require.NoError(t, err)
			defer release() //nolint:errcheck // its directory goes
			said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", address)
			wantLines(t, said, "ok       database:       A portal is using the database")
		})
	}
}
