package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/demo"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/x12/x12test"
)

// If this variable is set, the test binary runs as the portal itself. Commands can then run as
// separate processes, which tests can kill.
const asProgram = "WCPP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Dir = t.TempDir() // location of ./data, which commands without --data create
	return cmd
}

// wcpp runs a command and waits for it.
func wcpp(t *testing.T, stdin string, args ...string) (output string, code int) {
	t.Helper()
	cmd := program(t, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestEveryCommandHelps(t *testing.T) {
	for _, args := range []string{"", "serve", "demo", "migrate", "import x12", "import csv", "user add", "user link", "user reset-factors",
		"audit verify", "audit key", "audit prune", "doctor", "completion", "openapi", "ready", "notices"} {
		out, code := wcpp(t, "", append(strings.Fields(args), "--help")...)
		if code != 0 || args != "" && !strings.Contains(out, "Example") {
			t.Errorf("%s --help: exit %d\n%s", args, code, out)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	dir, made := t.TempDir(), t.TempDir()
	if out, code := wcpp(t, "", "migrate", "--data", made); code != 0 {
		t.Fatal(out)
	}
	for want, args := range map[string][]string{
		"WCPP_IDLE_MINUTES":        {"serve", "--data", dir, "--idle-minutes", "0"},
		"WCPP_DATABASE_URL":        {"serve", "--data", dir, "--database-url", "oracle:x"},
		"unknown flag: --nonsense": {"serve", "--nonsense"},
		"loopback":                 {"demo", "--listen", "0.0.0.0:0", "--data", dir},
		"password": {"user", "add", "--data", dir, "--type", "ISAD", "--employee-id", "1", "--email", "a@b.c",
			"--first-name", "A", "--last-name", "B", "--password-stdin"},
		"missing --employee-id": {"user", "add", "--data", dir, "--type", "ISAD", "--email", "a@b.c", "--first-name", "A",
			"--last-name", "B"},
		"version 999 isn't an earlier": {"migrate", "--data", made, "--to", "999", "--yes"},
		"must be one of": {"user", "add", "--data", dir, "--type", "BOSS", "--email", "a@b.c", "--first-name", "A",
			"--last-name", "B", "--password-stdin"},
		"no such file or directory":   {"import", "x12", "--data", dir, filepath.Join(dir, "gone.837")},
		"open /none.pem: no such":     {"migrate", "--database-url", "postgres://u:hunter2@host/x?sslmode=verify-ca&sslrootcert=/none.pem"},
		"must be postgres":            {"migrate", "--database-url", "postgres://user:hunter2@host:notaport/x"},
		"address already in use":      {"serve", "--data", dir, "--listen", occupyPort(t)},
		"is not a network such as 10": {"serve", "--data", dir, "--trusted-proxies", "10.0.0.1"},
	} {
		out, code := wcpp(t, "", args...)
		if code == 0 || !strings.Contains(out, want) || strings.Contains(out, "hunter2") {
			t.Errorf("%v: exit %d, want %q in\n%s", args, code, want, out)
		}
	}
}

func occupyPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func TestSettingsFromFlagsVariablesAndFile(t *testing.T) {
	dir := t.TempDir()
	// Values below the minimum (3 for idle-minutes, 1 for lock-minutes) show which source
	// applies, because only the applied value is rejected.
	for _, c := range []struct {
		file          string
		variables     []string
		flags         []string
		says, saysNot string
	}{
		{file: "idle-minutes: 1", says: "WCPP_IDLE_MINUTES"},
		{file: "idle-minutes: 1\nlock-minutes: 0", variables: []string{"WCPP_IDLE_MINUTES=10"}, says: "WCPP_LOCK_MINUTES",
			saysNot: "WCPP_IDLE_MINUTES"},
		{file: "idle-minutes: 1\nlock-minutes: 0", flags: []string{"--idle-minutes", "10"}, says: "WCPP_LOCK_MINUTES",
			saysNot: "WCPP_IDLE_MINUTES"},
		{file: "idle-minutes: 10\nlock-minutes: 0", variables: []string{"WCPP_IDLE_MINUTES=1"}, flags: []string{"--idle-minutes", "5"},
			says: "WCPP_LOCK_MINUTES", saysNot: "WCPP_IDLE_MINUTES"},
		{file: "idle-minuets: 10\nserve: {lock-minutes: 5}", says: "must be a value"},
		{file: "idle-minuets: 10\ndown: true", says: "unknown settings (down, idle-minuets)"},
		{file: "idle-minutes: [", says: "settings file"},
		{file: "data: a\nidle-minutes: 10\ndata: b", says: "line 3: duplicate name data"},
		{file: "restricted-tins: [012345678, 12]\nmirror-reason:\n", says: "WCPP_RESTRICTED_TINS", saysNot: "012345678"},
	} {
		file := filepath.Join(dir, "wcpp.yaml")
		require.NoError(t, os.WriteFile(file, []byte(c.file), 0o600))
		cmd := program(t, append([]string{"serve", "--config", file, "--data", dir, "--listen", "127.0.0.1:0"}, c.flags...)...)
		cmd.Env = append(cmd.Env, c.variables...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) || c.saysNot != "" && strings.Contains(string(out), c.saysNot) {
			t.Errorf("%+v: %v\n%s", c, err, out)
		}
	}
}

func TestMigrateDownAndUp(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		url := dbtest.URL(t, kind)
		for _, args := range [][]string{{}, {"--to", "69", "--yes"}, {}, {"--down", "--yes"}, {}, {}} {
			if out, code := wcpp(t, "", append([]string{"migrate", "--database-url", url}, args...)...); code != 0 {
				t.Errorf("%s %v: %s", kind, args, out)
			}
		}
	}
}

func TestUserAddAndImportTables(t *testing.T) {
	dir := t.TempDir()
	add := []string{"user", "add", "--data", dir, "--type", "PRUS", "--first-name", "Ada", "--last-name", "Moore", "--email",
		"ada@example.com", "--tins", "123456789,987654321", "--password-stdin"}
	if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 || !strings.Contains(out, "amoore") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code == 0 || !strings.Contains(out, "email address") {
		t.Errorf("the same e-mail again: exit %d: %s", code, out)
	}
	t.Setenv("WCPP_OIDC_ISSUER", "https://provider.example")
	add[slices.Index(add, "ada@example.com")] = "ben@example.com"
	if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 || !strings.Contains(out, "users sign in at the OpenID provider") ||
		strings.Contains(out, "sign in with this username") {
		t.Errorf("with a provider: exit %d: %s", code, out)
	}
	if out, code := wcpp(t, "", "user", "reset-factors", "--data", dir, "AMoore"); code != 0 ||
		!strings.Contains(out, "doesn't use two-step verification") {
		t.Errorf("reset-factors: exit %d: %s", code, out)
	}
	if out, code := wcpp(t, "", "user", "reset-factors", "--data", dir, "nobody"); code == 0 ||
		!strings.Contains(out, "unknown user nobody") {
		t.Errorf("reset-factors of nobody: exit %d: %s", code, out)
	}
	table := filepath.Join(dir, "groups.csv")
	require.NoError(t, os.WriteFile(table, []byte("group_id,name,kind\n2001,North,PROVIDER\nx,South,PROVIDER\n"), 0o600))
	out, code := wcpp(t, "", "import", "csv", "--kind", "groups", "--data", dir, "--json", table)
	var report struct {
		Taken, Rejected int
		Problems        []struct {
			Line    int
			Element string
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if code != 1 || report.Taken != 1 || report.Rejected != 1 || report.Problems[0].Line != 3 || report.Problems[0].Element != "group_id" {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A folder of documents imports like an archive of it.
func TestImportDocuments(t *testing.T) {
	dir, scans := t.TempDir(), t.TempDir()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 9, 9))))
	for path, content := range map[string]string{
		filepath.Join(dir, "bills.csv"): "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date," +
			"charges\n111111111,B-1,Ada,Ortiz,2026-01-10,100.00\n",
		filepath.Join(scans, "manifest.csv"): "tin,bill_control_number,kind,file\n111111111,B-1,image,b-1.png\n111111111,B-2,image," +
			"b-2.png\n",
		filepath.Join(scans, "b-1.png"): picture.String(),
		filepath.Join(scans, "b-2.png"): picture.String(),
	} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	for _, step := range []struct {
		args   []string
		code   int
		output string
	}{
		{[]string{"import", "csv", "--kind", "bills", "--data", dir, filepath.Join(dir, "bills.csv")}, 0, "1 imported"},
		{[]string{"import", "documents", "--data", dir, scans}, 1, "line 3: this TIN doesn't have the bill"},
		{[]string{"import", "documents", "--data", dir, scans}, 1, "already imported"},
		{[]string{"import", "documents", "--data", dir, filepath.Join(scans, "b-1.png")}, 2, "isn't a ZIP file"},
		{[]string{"import", "documents", "--data", dir, filepath.Join(dir, "nothing")}, 64, "nothing"},
	} {
		if out, code := wcpp(t, "", step.args...); code != step.code || !strings.Contains(out, step.output) {
			t.Errorf("%v: exit %d: %s", step.args, code, out)
		}
	}
}

// Scripts must be able to distinguish an operator problem from a file problem.
func TestImportTellsWhoseFaultItIs(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "groups.csv")
	require.NoError(t, os.WriteFile(table, []byte("group_id,name,kind\n2001,North,PROVIDER\n"), 0o600))
	test := filepath.Join(dir, "bills.edi")
	text := x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1"))
	require.NoError(t, os.WriteFile(test, []byte(strings.Replace(text, "*P*:~", "*T*:~", 1)), 0o600))
	groups := []string{"import", "csv", "--kind", "groups", "--data", dir, table}
	for name, c := range map[string]struct {
		args []string
		want int
		text string
	}{
		"an unreachable database": {[]string{"import", "csv", "--kind", "groups", "--database-url",
			"postgres://wcpp@127.0.0.1:1/wcpp", table}, 69, "connection refused"},
		"a data directory that is a file": {[]string{"import", "csv", "--kind", "groups", "--data", table, table}, 2, "not a directory"},
		"a file that is not there": {[]string{"import", "csv", "--kind", "groups", "--data", dir, filepath.Join(dir, "gone.csv")},
			64, "no such file"},
		"a folder":                 {[]string{"import", "x12", "--data", dir, dir}, 64, "is a folder; list the files inside it"},
		"a test":                   {[]string{"import", "x12", "--data", dir, test}, 2, "--take-test"},
		"a test that is asked for": {[]string{"import", "x12", "--take-test", "--data", t.TempDir(), test}, 1, "no data found"},
		"a good file":              {groups, 0, "1 imported"},
		"a table of the Workspace, which is off": {[]string{"import", "csv", "--kind", "reason_codes", "--workspace", "off", "--data", dir,
			table}, 2, `unknown table kind "reason_codes"`},
	} {
		if out, code := wcpp(t, "", c.args...); code != c.want || !strings.Contains(out, c.text) {
			t.Errorf("%s: exit %d, want %d\n%s", name, code, c.want, out)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	cmd := program(t, append(groups, "--again")...)
	cmd.Stdout = full
	_ = cmd.Run() // checked by exit code
	assert.Equal(t, 74, cmd.ProcessState.ExitCode())
}

// writeBills writes n demo bills as X12 and returns the files.
func writeBills(t *testing.T, n int) []string {
	t.Helper()
	dir := t.TempDir()
	files, err := demo.Files(context.Background(), "2026-03-02", n, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, name))
	})
	require.NoError(t, err)
	var paths []string
	for _, f := range files {
		if f.Kind == "x12" {
			paths = append(paths, filepath.Join(dir, f.Name))
		}
	}
	return paths
}

func rows(t *testing.T, url string) string {
	t.Helper()
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	defer d.Close()
	var b strings.Builder
	for _, query := range []string{
		`SELECT ftin || ' ' || bill_control_number || ' ' || bill_status || ' ' || coalesce(paid_amount, -1) || ' ' || check_number || ' '
			|| source || ' ' || fact FROM bills ORDER BY ftin, bill_control_number_key`,
		`SELECT ftin || ' ' || fact || ' ' || written || ' ' || bill_control_number_key || ' ' || detail FROM submissions
			ORDER BY ftin, fact`,
		`SELECT ftin || ' ' || fact || ' ' || occurrence || ' ' || trace_number || ' ' || bill_control_number_key || ' ' || paid
			FROM payments ORDER BY ftin, fact, occurrence`,
		// Links for payments that wait for a bill stay after the bill arrives.
		`SELECT ftin || ' ' || link || ' ' || fact FROM bill_links WHERE link NOT LIKE 'c:%' AND link NOT LIKE 'o:%'
			ORDER BY ftin, link, fact`,
	} {
		var list []string
		require.NoError(t, db.Select(t.Context(), d.Writer, &list, query))
		fmt.Fprintf(&b, "%d rows\n%s\n", len(list), strings.Join(list, "\n"))
	}
	return b.String()
}

// countKilled returns 1 if a signal ended the process, or else 0.
func countKilled(cmd *exec.Cmd) int {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 1
	}
	return 0
}

var kills = flag.Int("kills", 5, "how often each import that is disturbed is killed")

// An import that's killed at any time and then rerun gives the same rows as an undisturbed one.
func TestKilledImportEndsInTheSameRows(t *testing.T) {
	const bills = 1500
	files := writeBills(t, bills)
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			calm, troubled := dbtest.URL(t, kind), dbtest.URL(t, kind)
			args := func(url string) []string {
				return append([]string{"import", "x12", "--take-test", "--database-url", url}, files...)
			}
			start := time.Now()
			if out, code := wcpp(t, "", args(calm)...); code != 0 {
				t.Fatalf("exit %d: %s", code, out)
			}
			whole := time.Since(start)
			killed := 0
			for i := range *kills {
				cmd := program(t, args(troubled)...)
				require.NoError(t, cmd.Start())
				time.Sleep(whole * time.Duration(i+1) / time.Duration(*kills+1))
				_ = cmd.Process.Kill() // it may have exited
				_ = cmd.Wait()
				killed += countKilled(cmd)
			}
			assert.NotEqual(t, 0, killed, "each import ended before it was killed")
			if out, code := wcpp(t, "", args(troubled)...); code != 0 {
				t.Fatalf("after %d kills: exit %d: %s", killed, code, out)
			}
			want, got := rows(t, calm), rows(t, troubled)
			assert.Equalf(t, want, got, "the rows differ after %d kills: %d bytes of %d", killed, len(got), len(want))
			// Payments mention a few more bills that were never imported.
			if n := strings.Count(want, " bill "); n != bills {
				t.Errorf("the calm import stored %d bills, and %.20s", n, want)
			}
			out, code := wcpp(t, "", args(troubled)...)
			if code != 0 || !strings.Contains(out, "already imported") || rows(t, troubled) != want {
				t.Errorf("the same files again: exit %d\n%s", code, out)
			}
		})
	}
}

// Concurrent processes, one per file, that are killed at random times give the same rows as
// sequential imports.
func TestKilledImportsSideBySideEndInTheSameRows(t *testing.T) {
	files := writeBills(t, 1500)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			calm, troubled := dbtest.URL(t, kind), dbtest.URL(t, kind)
			of := func(url string, files ...string) []string {
				return append([]string{"import", "x12", "--take-test", "--database-url", url}, files...)
			}
			if out, code := wcpp(t, "", "migrate", "--database-url", troubled); code != 0 {
				t.Fatalf("exit %d: %s", code, out)
			}
			start := time.Now()
			if out, code := wcpp(t, "", of(calm, files...)...); code != 0 {
				t.Fatalf("exit %d: %s", code, out)
			}
			whole := time.Since(start)
			killed := 0
			for range *kills {
				var running []*exec.Cmd
				for _, file := range files {
					cmd := program(t, of(troubled, file)...)
					require.NoError(t, cmd.Start())
					running = append(running, cmd)
				}
				for _, cmd := range running {
					time.Sleep(time.Duration(r.Int64N(int64(whole)/2 + 1)))
					_ = cmd.Process.Kill() // it may have exited
				}
				for _, cmd := range running {
					_ = cmd.Wait()
					killed += countKilled(cmd)
				}
			}
			assert.NotEqual(t, 0, killed, "each import ended before it was killed")
			if out, code := wcpp(t, "", of(troubled, files...)...); code != 0 {
				t.Fatalf("after %d kills: exit %d: %s", killed, code, out)
			}
			if want, got := rows(t, calm), rows(t, troubled); want != got {
				t.Errorf("the rows differ after %d kills: %d bytes of %d", killed, len(got), len(want))
			}
		})
	}
}

// The demo starts without data, keeps its data and stops on a signal.
func TestDemoKeepsItsData(t *testing.T) {
	dir := t.TempDir()
	for round := range 2 {
		address := freeAddress(t)
		cmd := program(t, "demo", "--data", dir, "--listen", address, "--bills", "300")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		await(t, "the demo is ready", func() bool { return ready(address) })
		stop(t, cmd)
		assert.Equalf(t, round == 0, strings.Contains(out.String(), "sample bills ..."), "round %d made data", round)
		assert.Contains(t, out.String(), "prad.demo")
	}
}

// The demo must not run on real data because it would set its password on every account without
// one.
func TestDemoLeavesAnOfficeAlone(t *testing.T) {
	dir := t.TempDir()
	if out, code := wcpp(t, "", "user", "add", "--data", dir, "--type", "PRAD", "--first-name", "Ada", "--last-name", "Moore", "--email",
		"ada@example.com"); code != 0 {
		t.Fatal(out)
	}
	for _, earlier := range []bool{false, true} { // the data directory is an earlier demo's
		if earlier {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "demo.done"), nil, 0o600))
		}
		out, code := wcpp(t, "", "demo", "--data", dir, "--listen", freeAddress(t))
		assert.NotZero(t, code)
		assert.Contains(t, out, "can't share a database")
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(dbtest.FreePort(t)))
}

// stop sends the stop signal, as an operator does, and waits for the program to exit.
func stop(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	// Dump stacks if it doesn't exit.
	stuck := time.AfterFunc(15*time.Second, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	defer stuck.Stop()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s", cmd.Args[1:], err, cmd.Stderr)
	}
}

// startServer starts the portal and waits until it's ready.
func startServer(t *testing.T, url, data string, more ...string) (address string, cmd *exec.Cmd) {
	t.Helper()
	address = freeAddress(t)
	cmd = program(t, append([]string{"serve", "--database-url", url, "--data", data, "--listen", address, "--legacy-sign-in", "--log-level",
		"error"}, more...)...)
	said := &bytes.Buffer{}
	cmd.Stderr = said
	require.NoError(t, cmd.Start())
	up := false
	t.Cleanup(func() { // after the caller stopped it
		if t.Failed() { // its output has the reason
			t.Logf("%v\n%s", cmd.Args[1:], said)
		}
	})
	defer func() {
		if !up {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	await(t, "the portal is ready", func() bool { return ready(address) })
	up = true
	return address, cmd
}

func await(t *testing.T, what string, come func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !come(); time.Sleep(10 * time.Millisecond) {
		require.Falsef(t, time.Now().After(deadline), "waited a minute for: %s", what)
	}
}

func ready(address string) bool {
	res, err := http.Get("http://" + address + "/readyz")
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func TestMetricsHaveTheirOwnAddress(t *testing.T) {
	metrics := freeAddress(t)
	data := t.TempDir()
	address, cmd := startServer(t, "sqlite:"+filepath.Join(data, "wcpp.db"), data, "--metrics-listen", metrics)
	defer stop(t, cmd)
	for url, want := range map[string]int{address + "/metrics": 404, metrics + "/metrics": 200, metrics + "/healthz": 404} {
		res, err := http.Get("http://" + url)
		require.NoError(t, err)
		res.Body.Close()
		assert.Equal(t, want, res.StatusCode, url)
	}
}

// Confirmed writes survive a kill, and the next start works without manual steps.
func TestKilledServerKeepsWhatItConfirmed(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url := dbtest.URL(t, kind)
			add := []string{"user", "add", "--database-url", url, "--type", "PRUS", "--first-name", "Ada", "--last-name", "Moore",
				"--email", "ada@example.com", "--password-stdin"}
			if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 {
				t.Fatal(out)
			}
			var tokens []string
			for range 4 {
				address, cmd := startServer(t, url, t.TempDir())
				for i, token := range tokens {
					assert.Truef(t, signedIn(address, token), "session %d is lost after a kill", i)
				}
				// Sign-ins continue during the kill. Those that got a response count.
				stop := make(chan struct{})
				got := make(chan string, 1000)
				go func() {
					defer close(got)
					for {
						select {
						case <-stop:
							return
						default:
						}
						token, err := signIn(address)
						if err != nil {
							return
						}
						got <- token
					}
				}()
				await(t, "a sign-in is confirmed", func() bool { return len(got) > 0 })
				time.Sleep(200 * time.Millisecond)
				require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
				_ = cmd.Wait()
				close(stop)
				before := len(tokens)
				for token := range got {
					tokens = append(tokens, token)
				}
				assert.NotEqual(t, before, len(tokens), "nothing was confirmed in this round")
			}
		})
	}
}

// If the program is killed while it creates a fee schedule, the next process creates it
// completely and only once.
func TestKilledWhileMakingAFeeSchedule(t *testing.T) {
	const codes = 60_000
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data := dbtest.URL(t, kind), t.TempDir()
			add := []string{"user", "add", "--database-url", url, "--type", "PRUS", "--first-name", "Ada", "--last-name", "Moore",
				"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"}
			if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 {
				t.Fatal(out)
			}
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			day := "'2026-01-01'"
			if kind == "postgres" {
				day += "::date"
			}
			do := func(statement string) {
				t.Helper()
				require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
			}
			count := func(query string) (n int) {
				t.Helper()
				require.NoError(t, db.Get(t.Context(), d.Writer, &n, query))
				return n
			}
			do(`INSERT INTO providers (provider_id, provider_type, facility_name, name_key)
				VALUES ('700', 'F', 'Lake Center', 'lake center')`)
			do(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '700')`)
			do(`INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name)
				VALUES ('700', 'DPWC', '111111111', 'OH-01', '44114', 'Lake')`)
			do(fmt.Sprintf(`INSERT INTO rate_allowances (national_rate_code, procedure_code, allowance, effective_date)
				WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) SELECT 'OH-01', '' || (100000 + i), i, %s
					FROM n`, codes, day))

			address, first := startServer(t, url, data)
			token, err := signIn(address)
			require.NoError(t, err)
			id := requestFeeSchedule(t, address, token, "OH-01")
			await(t, "the file is being made", func() bool {
				return count(`SELECT count(*) FROM fee_schedule_requests WHERE worked_at IS NOT NULL`) == 1
			})
			require.NoError(t, first.Process.Kill())
			_ = first.Wait()
			if n := count(`SELECT count(*) FROM fee_schedule_requests WHERE status = 'QUEUED'`); n != 1 {
				t.Fatal("the file was made before the kill: give it more rows")
			}
			if kind == "postgres" { // another instance could still be running, so this takes half a minute
				do(`DELETE FROM instances`)
			}

			address, second := startServer(t, url, data)
			defer func() {
				_ = second.Process.Kill()
				_ = second.Wait()
			}()
			await(t, "the next program makes it", func() bool {
				return count(`SELECT count(*) FROM fee_schedule_requests WHERE status = 'DONE'`) == 1
			})
			file := call(t, http.MethodGet, address, token, "/api/feeSchedule/file/"+id+"?usrName=amoore&mirrorNm=")
			book, err := excelize.OpenReader(bytes.NewReader(file))
			require.NoError(t, err)
			defer book.Close() //nolint:errcheck // only temporary files are given back
			lines, err := book.Rows(book.GetSheetName(0))
			require.NoError(t, err)
			const head = 8 // lines before the code lines
			var last []string
			n := 0
			for ; lines.Next(); n++ {
				if n == codes+head-1 { // reading every code would take longer than creating the file
					if last, err = lines.Columns(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := errors.Join(lines.Error(), lines.Close()); err != nil || n != codes+head || last[0] != strconv.Itoa(100_000+codes-1) {
				t.Errorf("%d lines, the last %v, %v", n, last, err)
			}
			assert.Equal(t, 1, count(`SELECT count(*) FROM fee_schedule_requests`))
		})
	}
}

// A backup made under load has everything confirmed before it. A damaged backup isn't restored.
func TestBackupUnderLoad(t *testing.T) {
	data := t.TempDir()
	url := "sqlite:" + filepath.Join(data, "wcpp.db")
	add := []string{"user", "add", "--data", data, "--type", "PRUS", "--first-name", "Ada", "--last-name", "Moore", "--email",
		"ada@example.com", "--password-stdin"}
	if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 {
		t.Fatal(out)
	}
	kept := filepath.Join(data, "files", "rosters", "1")
	require.NoError(t, os.MkdirAll(kept, 0o700))
	probe := filepath.Join(data, "files", "health", "probe") // the portal's periodic storage check writes it
	owner := filepath.Join(data, "files", "lost-files", "owner.json")
	require.NoError(t, errors.Join(os.WriteFile(filepath.Join(kept, "1"), []byte("a roster"), 0o600),
		os.MkdirAll(filepath.Dir(probe), 0o700), os.MkdirAll(filepath.Dir(owner), 0o700)))
	address, server := startServer(t, url, data)
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	stop := make(chan struct{})
	tokens := make(chan string, 100_000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if token, err := signIn(address); err == nil {
				tokens <- token
			}
		}
	}()
	await(t, "people sign in", func() bool { return len(tokens) >= 3 })
	confirmed := make([]string, len(tokens))
	for i := range confirmed {
		confirmed[i] = <-tokens
	}
	archive := filepath.Join(t.TempDir(), "backup.tar")
	require.NoError(t, errors.Join(os.WriteFile(probe, nil, 0o600), os.WriteFile(owner, []byte("{}"), 0o600)))
	out, code := wcpp(t, "", "backup", "--data", data, archive)
	close(stop)
	<-done
	require.Equal(t, 0, code, out)
	if info, err := os.Stat(archive); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}

	whole, err := os.ReadFile(archive)
	require.NoError(t, err)
	damaged := bytes.Clone(whole)
	damaged[len(whole)/3] ^= 1
	for name, content := range map[string][]byte{"cut off": whole[:len(whole)/2], "damaged": damaged, "no backup": []byte("hello")} {
		file, into := filepath.Join(t.TempDir(), "x.tar"), t.TempDir()
		require.NoError(t, os.WriteFile(file, content, 0o600))
		if out, code := wcpp(t, "", "restore", "--data", into, file); code == 0 || !strings.Contains(out, "backup is incomplete") {
			t.Errorf("%s: %d %s", name, code, out)
		}
		assert.Emptyf(t, listFiles(t, into), "%s leaves", name)
	}

	taken := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(taken, "files", "papers"), 0o700))
	other := t.TempDir()
	killHalfway(t, whole, "restore", "--data", other)
	if out, code := wcpp(t, "", "serve", "--data", other, "--listen", freeAddress(t)); code != 2 ||
		!strings.Contains(out, "run wcpp restore again") {
		t.Errorf("half of a backup is served: exit %d\n%s", code, out)
	}
	if said, ill := runDoctor(t, "--data", other); !ill || !strings.Contains(said, "run wcpp restore again") {
		t.Errorf("half of a backup is well:\n%s", said)
	}
	if out, code := wcpp(t, "", "restore", "--data", other, archive); code != 0 || !strings.Contains(out, "and 1 file\n") {
		t.Fatal(out)
	}
	if out, code := wcpp(t, "", "restore", "--data", other, archive); code == 0 || !strings.Contains(out, "empty directory") {
		t.Errorf("restored over a database: %s", out)
	}
	if out, code := wcpp(t, "", "restore", "--data", taken, archive); code == 0 || !strings.Contains(out, "empty directory") {
		t.Errorf("restored among other files: %s", out)
	}
	if got, err := os.ReadFile(filepath.Join(other, "files", "rosters", "1", "1")); err != nil || string(got) != "a roster" {
		t.Errorf("%q, %v", got, err)
	}
	address, restored := startServer(t, "sqlite:"+filepath.Join(other, "wcpp.db"), other)
	defer func() {
		_ = restored.Process.Kill()
		_ = restored.Wait()
	}()
	for i, token := range confirmed {
		assert.Truef(t, signedIn(address, token), "session %d of %d is not in the backup", i, len(confirmed))
	}
	assert.NoError(t, dbtest.Err(signIn(address)))
}

// listFiles returns the files in a data directory, without lock files.
func listFiles(t *testing.T, data string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(path, ".lock") {
			files = append(files, path)
		}
		return err
	})
	require.NoError(t, err)
	return files
}

// killHalfway kills a command that has read half of a file, its last argument.
func killHalfway(t *testing.T, content []byte, args ...string) {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cmd := program(t, append(args, pipe)...)
	require.NoError(t, cmd.Start())
	in, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = in.Write(content[:len(content)/2])
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	require.NoError(t, errors.Join(err, in.Close()))
}

// The next process removes temporary data that a killed process left. Only one process can serve
// an embedded database.
func TestOneProgramAndWhatItLeaves(t *testing.T) {
	data := t.TempDir()
	url := "sqlite:" + filepath.Join(data, "wcpp.db")
	_, first := startServer(t, url, data)
	for _, args := range [][]string{
		{"serve", "--data", data, "--listen", freeAddress(t)}, {"demo", "--data", data, "--listen", freeAddress(t)},
		{"migrate", "--data", data, "--to", "69"}, {"restore", "--data", data, os.Args[0]},
	} {
		if out, code := wcpp(t, "", args...); code == 0 || !strings.Contains(out, "another wcpp process is using") {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	folders, err := filepath.Glob(filepath.Join(data, "tmp", "*", ".lock"))
	require.NoError(t, err)
	require.Len(t, folders, 1)
	claims := filepath.Join(filepath.Dir(folders[0]), "wcpp-feed1", "claims.837")
	require.NoError(t, errors.Join(os.Mkdir(filepath.Dir(claims), 0o700), os.WriteFile(claims, []byte("ISA"), 0o600)))
	if out, code := wcpp(t, "", "backup", "--data", data, filepath.Join(t.TempDir(), "x.tar")); code != 0 {
		t.Error(out)
	}
	assert.NoError(t, dbtest.Err(os.Stat(claims)))
	_ = first.Process.Kill()
	_ = first.Wait()
	_, second := startServer(t, url, data)
	defer stop(t, second)
	assert.ErrorIs(t, dbtest.Err(os.Stat(claims)), fs.ErrNotExist)
}

// Other accounts on the machine can't read the data or its backup, regardless of the umask. Open
// permissions from earlier are fixed and reported.
func TestDataIsClosed(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	data := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.Mkdir(data, 0o777))
	archive := filepath.Join(data, "copy.tar")
	require.NoError(t, os.WriteFile(archive+".unfinished", nil, 0o666))
	add := func(n int) string {
		out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--data", data, "--type", "PRUS", "--first-name", "Ada", "--last-name",
			"Moore",
			"--email", fmt.Sprintf("ada%d@example.com", n), "--password-stdin")
		require.Equal(t, 0, code, out)
		return out
	}
	add(1)
	require.NoError(t, os.Chmod(filepath.Join(data, "wcpp.db"), 0o644))
	if out := add(2); !strings.Contains(out, "wcpp.db") || !strings.Contains(out, "0644") {
		t.Errorf("an open database is not told of: %s", out)
	}
	assert.NotContains(t, add(3), "wcpp.db")
	if out, code := wcpp(t, "", "backup", "--data", data, archive); code != 0 {
		t.Fatal(out)
	}
	err := filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return err
	})
	assert.NoError(t, err)
}

func TestBackupOfPostgresIsRefused(t *testing.T) {
	if out, code := wcpp(t, "", "backup", "--database-url", "postgres://x@localhost/x", filepath.Join(t.TempDir(), "x.tar")); code == 0 ||
		!strings.Contains(out, "pg_dump") {
		t.Errorf("%d %s", code, out)
	}
}

// A wrong setting isn't a wrong command line.
func TestMisusedCommandsHaveTheirOwnExitCode(t *testing.T) {
	for command, want := range map[string]int{
		"doctor": 64, "import x12": 64, "import csv": 64, "audit verify": 64, "serve": 1, "migrate": 1,
	} {
		out, code := wcpp(t, "", append(strings.Fields(command), "--nonsense")...)
		if code != want || !strings.Contains(out, "--nonsense") {
			t.Errorf("%s: exit %d, want %d\n%s", command, code, want, out)
		}
	}
}
