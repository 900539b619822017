package main

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// A PostgreSQL dump taken while the portal runs, as in the runbook, can be restored into another
// database. Sessions continue and the audit log verifies.
func TestDumpOfPostgresServes(t *testing.T) {
	from, to := dbtest.URL(t, "postgres"), dbtest.URL(t, "postgres")
	fillWithDemo(t, from)
	address, cmd := startServer(t, from, t.TempDir())
	require.NoError(t, dbtest.Err(signInAs(address, "prus.demo", "Sunny-Day-2026")))
	sealAudit(t, from)
	dump := filepath.Join(t.TempDir(), "wcpp.dump")
	postgres := func(tool string, args ...string) {
		t.Helper()
		if out, err := exec.Command(filepath.Join(os.Getenv("WCPP_PG_BIN"), tool), args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", tool, err, out)
		}
	}
	before := content(t, from, nil)
	postgres("pg_dump", "--format=custom", "--file="+dump, from)
	stop(t, cmd)
	postgres("pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", "--dbname="+to, dump)

	// Portal jobs can write rows during the dump. Rows that exist both before and after it must
	// be in it.
	after, restored := content(t, from, nil), content(t, to, nil)
	for _, name := range []string{"bills", "payments", "users", "secrets", "user_tins"} {
		stood := slices.DeleteFunc(before[name].rows, func(row string) bool { return !slices.Contains(after[name].rows, row) })
		missing := slices.DeleteFunc(slices.Clone(stood), func(row string) bool { return slices.Contains(restored[name].rows, row) })
		if len(stood) == 0 || len(missing) > 0 {
			t.Errorf("%s: of %d rows %d are missing", name, len(stood), len(missing))
		}
	}
	address, cmd = startServer(t, to, t.TempDir())
	assert.NoError(t, dbtest.Err(signInAs(address, "prus.demo", "Sunny-Day-2026")))
	stop(t, cmd)
	out, code := wcpp(t, "", "audit", "verify", "--database-url", to, "--data", t.TempDir())
	if code != 0 || strings.HasPrefix(out, "0 segments") {
		t.Errorf("the restored audit log: exit %d: %s", code, out)
	}
}

// sealAudit seals the audit log as the portal's job does every minute.
func sealAudit(t *testing.T, url string) {
	t.Helper()
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	defer d.Close()
	signer, err := audit.Settings{}.LoadSigner(t.Context(), d.Reader)
	require.NoError(t, err)
	sealer, err := seal.Read(t.Context(), d.Reader, audit.SealName)
	require.NoError(t, err)
	log := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Sealer: sealer, Signer: signer})
	defer log.Close()
	require.NoError(t, log.Seal(t.Context()))
}

// The sealing key procedure in the runbook works: if the key is missing, the portal creates a
// new one. Users stay signed in and the audit log is unchanged.
func TestSealingKeyIsMadeAnew(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data := dbtest.MigratedURL(t, kind), t.TempDir()
			add := []string{"user", "add", "--database-url", url, "--data", data, "--type", "PRUS", "--first-name", "Ada", "--last-name",
				"Moore", "--email", "ada@example.com", "--password-stdin"}
			if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 {
				t.Fatal(out)
			}
			address, cmd := startServer(t, url, data)
			token, err := signInAs(address, "amoore", "Quiet-Lake-7")
			require.NoError(t, err)
			stop(t, cmd)
			sealAudit(t, url)
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			key := func() (key []byte) {
				require.NoError(t, db.Get(t.Context(), d.Reader, &key, `SELECT value FROM secrets WHERE name = 'seal'`))
				return key
			}
			before := key()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `DELETE FROM secrets WHERE name = 'seal'`)))
			address, cmd = startServer(t, url, data)
			if bytes.Equal(before, key()) || !signedIn(address, token) {
				t.Error("the key is the same, or who was signed in is not any more")
			}
			assert.NoError(t, dbtest.Err(signInAs(address, "amoore", "Quiet-Lake-7")))
			stop(t, cmd)
			d.Close()
			if out, code := wcpp(t, "", "audit", "verify", "--database-url", url, "--data", data); code != 0 ||
				strings.HasPrefix(out, "0 segments") {
				t.Errorf("exit %d: %s", code, out)
			}
		})
	}
}
