package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/seal"
)

// With a key and chain hash stored elsewhere, the commands detect a changed audit log. They also
// remove expired entries.
func TestAuditCommands(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, dir := dbtest.MigratedURL(t, kind), t.TempDir()
			der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, 32)))
			if err != nil {
				t.Fatal(err)
			}
			keyFile, public := filepath.Join(dir, "audit.key"), filepath.Join(dir, "audit.pub")
			if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
				t.Fatal(err)
			}
			der, err = x509.MarshalPKIXPublicKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32)).Public())
			if err != nil {
				t.Fatal(err)
			}
			later := filepath.Join(dir, "later.pub")
			if err := os.WriteFile(later, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
				t.Fatal(err)
			}
			run := func(want int, args ...string) string {
				t.Helper()
				out, code := wcpp(t, "", append([]string{"audit"}, append(args, "--database-url", url)...)...)
				if code != want {
					t.Errorf("audit %s: exit code %d: %s", strings.Join(args, " "), code, out)
				}
				return out
			}
			if out := run(2, "verify"); !strings.Contains(out, "audit log key not found") {
				t.Error(out)
			}
			for _, days := range []string{"100", "200000"} {
				out := run(2, "prune", "--audit-keep-days", days, "--audit-key-file", keyFile)
				if !strings.Contains(out, "No entries were removed") {
					t.Error(out)
				}
			}
			if err := os.WriteFile(public, []byte(run(0, "key", "--audit-key-file", keyFile)), 0o600); err != nil {
				t.Fatal(err)
			}

			d, err := db.Open(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			signer, err := audit.Settings{AuditKeyFile: keyFile}.LoadSigner(t.Context(), d.Writer)
			if err != nil {
				t.Fatal(err)
			}
			now := time.Now().AddDate(-7, 0, 0)
			log := audit.New(audit.Deps{DB: d, Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
				Sealer: seal.New(make([]byte, 32)), Signer: signer})
			defer log.Close()
			for range 2 {
				if err := log.RecordNow(t.Context(), audit.Entry{Actor: "ada", Operation: "edit", Result: "ok"}); err != nil {
					t.Fatal(err)
				}
				if err := log.Seal(t.Context()); err != nil {
					t.Fatal(err)
				}
				now = time.Now()
			}
			out := run(0, "verify", "--public-key", public)
			_, last, _ := strings.Cut(strings.TrimSpace(out), "last segment: 2, head hash: ")
			last, _, _ = strings.Cut(last, "\n")
			if len(last) != 64 || !strings.Contains(out, "audit log verified") {
				t.Fatal(out)
			}
			run(0, "verify", "--public-key", public, "--expect", "2="+last)
			run(exitUsage, "verify", "--public-keys", public) // 1 would say that the log was changed
			run(exitUsage, "verfy")
			if out := run(1, "verify", "--public-key", public, "--expect", "1="+last); !strings.Contains(out,
				"which isn't the expected one") {
				t.Error(out)
			}
			// An entry signed with another key isn't proof of tampering, because the log can be
			// older than the key file.
			if out := run(1, "verify", "--public-key", later); !strings.Contains(out,
				"\nIf the signing key was changed, pass each key with --public-key.") {
				t.Error(out)
			}
			if out := run(0, "prune", "--audit-keep-days", "2190", "--audit-key-file", keyFile); out != "segments removed: 1\n" {
				t.Error(out)
			}
			if out := run(0, "verify", "--public-key", public); !strings.HasPrefix(out,
				"segments: 2 (1 pruned), entries: 1 (0 not sealed yet)\n") {
				t.Error(out)
			}
			for _, change := range map[string][]string{
				"sqlite":   {`DROP TRIGGER audit_log_no_update`, `UPDATE audit_log SET actor = 'eve'`},
				"postgres": {`ALTER TABLE audit_log DISABLE TRIGGER ALL`, `UPDATE audit_log SET actor = 'eve'`},
			}[kind] {
				if _, err := db.Exec(t.Context(), d.Writer, change); err != nil {
					t.Fatal(err)
				}
			}
			if out := run(1, "verify", "--public-key", public); !strings.Contains(out, "wrong: the entries of segment 2 have changed") {
				t.Error(out)
			}
		})
	}
}

// With a key file, printing the public key works without a database.
func TestAuditKeyOfAFile(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "audit.key")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	want, err := audit.EncodePublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if out, code := wcpp(t, "", "audit", "key", "--audit-key-file", file); code != 0 || out != want {
		t.Errorf("exit %d\n%s", code, out)
	}
}
