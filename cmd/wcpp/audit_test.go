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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			require.NoError(t, err)
			keyFile, public := filepath.Join(dir, "audit.key"), filepath.Join(dir, "audit.pub")
			require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
			der, err = x509.MarshalPKIXPublicKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32)).Public())
			require.NoError(t, err)
			later := filepath.Join(dir, "later.pub")
			require.NoError(t, os.WriteFile(later, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600))
			run := func(want int, args ...string) string {
				t.Helper()
				out, code := wcpp(t, "", append([]string{"audit"}, append(args, "--database-url", url)...)...)
				assert.Equalf(t, want, code, "audit %s: exit code %d: %s", strings.Join(args, " "), code, out)
				return out
			}
			assert.Contains(t, run(2, "verify"), "audit log key not found")
			for _, days := range []string{"100", "200000"} {
				out := run(2, "prune", "--audit-keep-days", days, "--audit-key-file", keyFile)
				assert.Contains(t, out, "No entries were removed")
			}
			require.NoError(t, os.WriteFile(public, []byte(run(0, "key", "--audit-key-file", keyFile)), 0o600))

			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			signer, err := audit.Settings{AuditKeyFile: keyFile}.LoadSigner(t.Context(), d.Writer)
			require.NoError(t, err)
			now := time.Now().AddDate(-7, 0, 0)
			log := audit.New(audit.Deps{DB: d, Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
				Sealer: seal.New(make([]byte, 32)), Signer: signer})
			defer log.Close()
			for range 2 {
				require.NoError(t, log.RecordNow(t.Context(), audit.Entry{Actor: "ada", Operation: "edit", Result: "ok"}))
				require.NoError(t, log.Seal(t.Context()))
				now = time.Now()
			}
			out := run(0, "verify", "--public-key", public)
			_, last, _ := strings.Cut(strings.TrimSpace(out), "last segment: 2, head hash: ")
			last, _, _ = strings.Cut(last, "\n")
			require.Len(t, last, 64)
			require.Contains(t, out, "audit log verified")
			run(0, "verify", "--public-key", public, "--expect", "2="+last)
			run(exitUsage, "verify", "--public-keys", public) // 1 would say that the log was changed
			run(exitUsage, "verfy")
			assert.Contains(t, run(1, "verify", "--public-key", public, "--expect", "1="+last), "which isn't the expected one")
			// An entry signed with another key isn't proof of tampering, because the log can be
			// older than the key file.
			if out := run(1, "verify", "--public-key", later); !strings.Contains(out,
				"\nIf the signing key was changed, pass each key with --public-key.") {
				t.Error(out)
			}
			assert.Equal(t, "segments removed: 1\n", run(0, "prune", "--audit-keep-days", "2190", "--audit-key-file", keyFile))
			if out := run(0, "verify", "--public-key", public); !strings.HasPrefix(out,
				"segments: 2 (1 pruned), entries: 1 (0 not sealed yet)\n") {
				t.Error(out)
			}
			for _, change := range map[string][]string{
				"sqlite":   {`DROP TRIGGER audit_log_no_update`, `UPDATE audit_log SET actor = 'eve'`},
				"postgres": {`ALTER TABLE audit_log DISABLE TRIGGER ALL`, `UPDATE audit_log SET actor = 'eve'`},
			}[kind] {
				require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, change)))
			}
			assert.Contains(t, run(1, "verify", "--public-key", public), "wrong: the entries of segment 2 have changed")
		})
	}
}

// With a key file, printing the public key works without a database.
func TestAuditKeyOfAFile(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "audit.key")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	want, err := audit.EncodePublicKey(key)
	require.NoError(t, err)
	if out, code := wcpp(t, "", "audit", "key", "--audit-key-file", file); code != 0 || out != want {
		t.Errorf("exit %d\n%s", code, out)
	}
}
