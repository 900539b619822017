package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// A typo in the data path is reported and doesn't create a new database.
func TestNoDatabaseIsMadeByASlip(t *testing.T) {
	t.Setenv("WCPP_AUDIT_KEEP_DAYS", "2555")
	archive := filepath.Join(t.TempDir(), "wcpp.tar")
	for _, command := range []string{"audit verify", "audit key", "audit prune", "user reset-factors amoore", "backup " + archive,
		"migrate --down --yes", "migrate --to 69 --yes",
		"user add --type PRUS --group 7 --first-name Ada --last-name Moore --email ada@example.com"} {
		gone := filepath.Join(t.TempDir(), "typo")
		out, code := wcpp(t, "", append(strings.Fields(command), "--data", gone)...)
		if _, err := os.Stat(gone); code != 2 || strings.Count(out, "\n") != 1 ||
			!strings.Contains(out, "no database at "+filepath.Join(gone, "wcpp.db")+"; ") || err == nil {
			t.Errorf("%s: exit %d, made %v\n%s", command, code, err == nil, out)
		}
	}
}

// Rejecting an account doesn't create a database.
func TestARefusedAccountMakesNoDatabase(t *testing.T) {
	for _, c := range []struct{ change, says string }{
		{"--email nonsense", "Enter an email address"}, {"--tins 12345", "Enter a 9-digit TIN"}, {"--password-stdin", "password rejected"},
		{"--user-name a/b", "Enter a username"},
	} {
		data := filepath.Join(t.TempDir(), "data")
		args := append(strings.Fields("user add --type PRAD --first-name Ada --last-name Moore --email ada@example.com "+c.change),
			"--data", data)
		out, code := wcpp(t, "short\n", args...)
		if _, err := os.Stat(data); code != 2 || !strings.Contains(out, c.says) || err == nil {
			t.Errorf("%s: exit %d, made %v\n%s", c.change, code, err == nil, out)
		}
	}
}

// Data loss needs confirmation with a flag or on the terminal.
func TestTablesAreTakenAwayOnPurposeOnly(t *testing.T) {
	data := t.TempDir()
	if out, code := wcpp(t, "", "migrate", "--data", data); code != 0 {
		t.Fatal(out)
	}
	version := func() string {
		out, _ := wcpp(t, "", "migrate", "--data", data)
		return out
	}
	newest := version()
	for _, way := range []string{"--down", "--to 69"} {
		out, code := wcpp(t, "yes\n", append(strings.Fields("migrate "+way), "--data", data)...)
		if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, filepath.Join(data, "wcpp.db")) ||
			!strings.Contains(out, "--yes") {
			t.Errorf("%s: exit %d\n%s", way, code, out)
		}
		d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(data, "wcpp.db"))
		require.NoError(t, err)
		at, err := migrations.Version(t.Context(), d)
		if err := errors.Join(err, d.Close()); err != nil || !strings.HasSuffix(newest, fmt.Sprintf("version: %d\n", at)) {
			t.Errorf("%s: version %d, %v", way, at, err)
		}
	}
	for answer, done := range map[string]bool{"yes\n": true, "YES": true, "y\n": false, "": false, "no\n": false} {
		var asked strings.Builder
		if got := confirm(strings.NewReader(answer), &asked, "All is lost."); got != done ||
			asked.String() != "All is lost.\nType yes to continue: " {
			t.Errorf("%q: %v, %q", answer, got, asked.String())
		}
	}
}

// Logs show durations in readable form.
func TestDurationsInLogsAreReadable(t *testing.T) {
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: formatDuration})).Info("asked", "lag", 90*time.Second, "ms", 12)
	assert.Contains(t, log.String(), `"lag":"1m30s","ms":12`)
}

func TestADatabaseWithoutTablesIsNamed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for kind, url := range map[string]func(testing.TB) string{
		"sqlite":   func(testing.TB) string { return "sqlite:" + empty },
		"postgres": func(t testing.TB) string { return dbtest.URL(t, "postgres") },
	} {
		t.Run(kind, func(t *testing.T) {
			url := url(t)
			for _, command := range []string{"audit verify", "audit key"} {
				out, code := wcpp(t, "", append(strings.Fields(command), "--data", t.TempDir(), "--database-url", url)...)
				if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "isn't a portal database") {
					t.Errorf("%s: exit %d\n%s", command, code, out)
				}
			}
		})
	}
}

// An error in the settings file is reported in one line with the filename, without the file's
// contents.
func TestAFileOfSettingsThatIsWrongIsNamed(t *testing.T) {
	for content, want := range map[string]string{
		"smtp-url smtp://u:hunter2@host":    "line 1: use the form NAME: VALUE",
		"- smtp://u:hunter2@host":           "line 1: use the form NAME: VALUE",
		"hunter2: {\n":                      "line 1",
		"smtp-url:\n  smtp: //u:hunter2@x":  "line 2: smtp-url: must be a value",
		"listen: 127.0.0.1:0\nlisten: x\n":  "line 2",
		"postgress:\n":                      "unknown settings (postgress)",
		"smtp-url: smtp://u:hunter2: x\n\n": "mapping values",
	} {
		file := filepath.Join(t.TempDir(), "wcpp.yaml")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		out, code := wcpp(t, "", "serve", "--config", file)
		if code != 1 || strings.Count(out, "\n") != 2 || !strings.Contains(out, "settings file") || !strings.Contains(out, want) ||
			strings.Contains(out, "hunter2") {
			t.Errorf("%q: exit %d, want %q in\n%s", content, code, want, out)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone.yaml")
	if out, code := wcpp(t, "", "serve", "--config", gone); code != 1 || !strings.Contains(out, "settings file: open "+gone) {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// An unusable listen address or unreadable file is reported with its setting, before the portal
// reports that it's serving.
func TestAddressesAndCertificatesAreNamedBeforeServing(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"WCPP_LISTEN: must be HOST:PORT":         {"--listen", "nope"},
		"WCPP_LISTEN: must be HOST:PORT, ":       {"--listen", "127.0.0.1:99999"},
		"WCPP_METRICS_LISTEN: must be HOST:PORT": {"--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:22x"},
		"WCPP_TLS_CERT_FILE: open ": {"--listen", "127.0.0.1:0", "--tls-cert-file", filepath.Join(dir, "no.pem"),
			"--tls-key-file", filepath.Join(dir, "no.key")},
		"WCPP_BLOB_URL: open storage":            {"--listen", "127.0.0.1:0", "--blob-url", "s4://bucket"},
		"must start with s3:// or file://":       {"--listen", "127.0.0.1:0", "--blob-url", "/srv/files"},
		"WCPP_BLOB_URL: open storage: directory": {"--listen", "127.0.0.1:0", "--blob-url", "file://" + filepath.Join(dir, "no")},
		"WCPP_FEED_URL: open storage: directory": {"--listen", "127.0.0.1:0", "--feed-url", "file://" + filepath.Join(dir, "no")},
		"WCPP_ROSTER_OUT: open storage: direct":  {"--listen", "127.0.0.1:0", "--roster-out", "file://" + filepath.Join(dir, "no")},
	} {
		out, code := wcpp(t, "", append([]string{"serve", "--data", dir}, args...)...)
		if code != 2 || !strings.Contains(out, want) || strings.Contains(out, "PUBLIC_URL") || strings.Contains(out, `"serving"`) {
			t.Errorf("%v: exit %d, want %q in\n%s", args, code, want, out)
		}
	}
}

// Even root can't write there.
func TestADirectoryThatCannotBeWrittenIsNamed(t *testing.T) {
	const directory = "/sys/kernel"
	if said, ill := runDoctor(t, "--data", directory); !ill || !strings.Contains("\n"+said, "\nwrong    data directory:") {
		t.Error(said)
	}
	out, code := wcpp(t, "", "serve", "--data", directory, "--listen", "127.0.0.1:0")
	if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "can't write to "+directory+"; for details, run wcpp doctor") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestHelpIsAlsoACommand(t *testing.T) {
	for asked, as := range map[string]string{"help": "--help", "help serve": "serve --help", "help user add": "user add --help"} {
		out, code := wcpp(t, "", strings.Fields(asked)...)
		if want, _ := wcpp(t, "", strings.Fields(as)...); code != 0 || out != want {
			t.Errorf("%s: exit %d\n%s", asked, code, out)
		}
	}
	if out, code := wcpp(t, "", "help", "fly"); code != 1 || !strings.Contains(out, "unknown command \"fly\"") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestRefusalsAreToldInOneLine(t *testing.T) {
	out, code := wcpp(t, "short\n", "user", "add", "--data", filepath.Join(t.TempDir(), "data"), "--type", "PRAD", "--tins", "111111111",
		"--first-name", "Ada", "--last-name", "Moore",
		"--user-name", "amoore", "--email", "ada@example.com", "--password-stdin")
	if code != 2 || !strings.HasPrefix(out, "wcpp: password rejected: Use 8 to 20 characters") || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d\n%s", code, out)
	}
	out, code = wcpp(t, "", "migrate", "--database-url", "postgres://someone:hunter2@127.0.0.1:1/none")
	if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "connection refused") || strings.Contains(out, "hunter2") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// Tables can't be dropped while a portal runs. An embedded database is locked, and PostgreSQL
// has a list of instances.
func TestNoTableIsTakenFromUnderAPortal(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			data, url := t.TempDir(), dbtest.URL(t, kind)
			address, cmd := startServer(t, url, data)
			for _, way := range [][]string{{"--to", "69"}, {"--down"}} {
				out, code := wcpp(t, "", append([]string{"migrate", "--database-url", url}, way...)...)
				if code != 2 || !strings.Contains(out, "stop") || strings.Count(out, "\n") != 1 {
					t.Errorf("%v: exit %d\n%s", way, code, out)
				}
			}
			assert.True(t, ready(address), "the portal is not ready")
			stop(t, cmd)
			if out, code := wcpp(t, "", "migrate", "--database-url", url, "--to", "69", "--yes"); code != 0 {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
}

// Root can't run commands on the data of a portal account, because the account couldn't read the
// files that root creates.
func TestTheSuperuserLeavesTheDataOfAnAccountAlone(t *testing.T) {
	data, superuser := t.TempDir(), os.Geteuid() == 0
	if out, code := wcpp(t, "", "migrate", "--data", data); code != 0 {
		t.Fatal(out)
	}
	if superuser {
		require.NoError(t, os.Chown(data, 65534, 65534))
	}
	for _, command := range []string{"import x12 " + writeBills(t, 1)[0], "migrate", "audit key",
		"backup " + filepath.Join(t.TempDir(), "x.tar")} {
		out, code := wcpp(t, "", append(strings.Fields(command), "--data", data)...)
		if refused := strings.Contains(out, data+" belongs to the account ") && strings.Contains(out, "runuser -u "); refused !=
			superuser || (code == 2) != superuser {
			t.Errorf("%s: exit %d\n%s", command, code, out)
		}
	}
}

// Doctor and the serve log report misspelled variables.
func TestVariablesThatAreNoSettingAreNamed(t *testing.T) {
	t.Setenv("WCPP_SMPT_URL", "smtp://portal:hunter2@relay.example")
	t.Setenv("WCPP_LOCK_MINUTES", "31")
	said, _ := runDoctor(t, "--data", t.TempDir())
	wantLines(t, said, "warning  settings:       Unknown variables: WCPP_SMPT_URL. ")
	data := t.TempDir()
	_, cmd := startServer(t, "sqlite:"+filepath.Join(data, "wcpp.db"), data, "--log-level", "warn")
	stop(t, cmd)
	if log := fmt.Sprint(cmd.Stderr); !strings.Contains(log, `"names":["WCPP_SMPT_URL"]`) || strings.Contains(log, "hunter2") {
		t.Error(log)
	}
}

// A new link can be printed for an account that was never used, but not for one that was.
func TestALostLinkIsPrintedAnew(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url := dbtest.URL(t, kind)
			add := []string{"user", "add", "--database-url", url, "--data", filepath.Join(t.TempDir(), "data"), "--type", "ISAD",
				"--employee-id", "1", "--last-name", "Moore", "--public-url", "https://portal.example"}
			first, code := wcpp(t, "", append(add, "--first-name", "Ada", "--user-name", "ada", "--email", "ada@portal.example")...)
			require.Equal(t, 0, code, first)
			if out, code := wcpp(t, "Quiet-Lake-7\n", append(add, "--first-name", "Bea", "--user-name", "bea", "--email",
				"bea@portal.example", "--password-stdin")...); code != 0 {
				t.Fatal(out)
			}
			if out, code := wcpp(t, "", append(add, "--first-name", "Ada", "--user-name", "ada", "--email",
				"ada@portal.example")...); code != 2 || !strings.Contains(out, "wcpp user link ") {
				t.Errorf("exit %d\n%s", code, out)
			}
			link := func(name string) (string, int) {
				return wcpp(t, "", "user", "link", name, "--database-url", url, "--data", filepath.Join(t.TempDir(), "data"),
					"--public-url", "https://portal.example")
			}
			again, code := link("ada")
			if code != 0 || !strings.HasPrefix(again, "finish setting up the account: https://portal.example/wcpp/") ||
				strings.Contains(first, again) {
				t.Errorf("exit %d\n%s", code, again)
			}
			if out, code := link("bea"); code != 2 || !strings.Contains(out, "is already registered") {
				t.Errorf("exit %d\n%s", code, out)
			}
			if out, code := link("cleo"); code != 2 || !strings.Contains(out, "unknown user cleo") {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
}

func TestTheVersionIsAlsoACommand(t *testing.T) {
	out, code := wcpp(t, "", "version")
	if want, _ := wcpp(t, "", "--version"); code != 0 || out != want || out == "" {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// The user commands follow the portal's settings for links, passwords and emails.
func TestUserCommandsFollowTheSettings(t *testing.T) {
	data := t.TempDir()
	t.Setenv("WCPP_REGISTRATION_LINK_HOURS", "2")
	t.Setenv("WCPP_BRAND_NAME", "Blue Harbor")
	add := []string{"user", "add", "--data", data, "--type", "ISAD", "--employee-id", "1", "--first-name", "Ada", "--last-name", "Moore",
		"--user-name", "ada", "--email", "ada@portal.example"}
	out, code := wcpp(t, "Blue-Harbor-26\n", append(add, "--password-stdin")...)
	assert.Equal(t, 2, code)
	assert.Contains(t, out, "password")
	for _, command := range [][]string{add, {"user", "link", "ada", "--data", data}} {
		if out, code := wcpp(t, "", command...); code != 0 {
			t.Fatalf("exit %d\n%s", code, out)
		}
		d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(data, "wcpp.db"))
		require.NoError(t, err)
		defer d.Close()
		var expires db.Instant
		require.NoError(t, db.Get(t.Context(), d.Reader, &expires, `
			SELECT expires_at FROM account_links WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1`))
		if left := time.Until(expires.Time); left < time.Hour || left > 2*time.Hour {
			t.Errorf("%v: the link is valid for %v", command[:2], left)
		}
	}
}
