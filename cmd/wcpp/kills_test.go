package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/rosters"
)

const (
	killRounds   = 15 // on each database
	killRosters  = 4 * killRounds
	killPayments = 6
)

// The program is killed repeatedly while it delivers rosters and matches payments to bills. Each
// roster is delivered completely and recorded once. Each payment ends up where the last response
// put it.
func TestKilledWhileHandingOverAndJoining(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			k := &killed{t: t, url: dbtest.URL(t, kind), data: t.TempDir(), out: t.TempDir(), joined: map[string]string{},
				payments: map[string]string{}}
			k.prepare()
			for round := range killRounds {
				k.round(4*round + 1)
			}
			k.settle()
			k.check()
		})
	}
}

// killed is a portal that's killed while it works.
type killed struct {
	t         *testing.T
	url       string
	data, out string
	db        *db.DB
	staff     string            // ISAD token
	joined    map[string]string // state per payment: "yes", "no", or "" if no response arrived
	payments  map[string]string // their IDs, by account
	joins     int
}

// start runs the program until the until function returns true, then kills it. The with function
// runs until then with the address.
func (k *killed) start(until func() bool, with func(address string), more ...string) {
	k.t.Helper()
	address := freeAddress(k.t)
	cmd := program(k.t, append([]string{"serve", "--database-url", k.url, "--data", k.data, "--listen", address, "--legacy-sign-in",
		"--log-level", "error", "--second-factor", "ISAD=offered",
		"--roster-uploads", strconv.Itoa(killRosters), "--roster-group-uploads", strconv.Itoa(killRosters)}, more...)...)
	require.NoError(k.t, cmd.Start())
	await(k.t, "the portal is ready", func() bool { return ready(address) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		with(address)
	}()
	await(k.t, "it is time to kill it", until)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	<-done
}

func (k *killed) exec(statement string) {
	k.t.Helper()
	require.NoError(k.t, dbtest.Err(db.Exec(k.t.Context(), k.db.Writer, statement)))
}

func (k *killed) count(query string) (n int) {
	k.t.Helper()
	require.NoError(k.t, db.Get(k.t.Context(), k.db.Reader, &n, query))
	return n
}

// prepare uploads rosters, and payments with a different claimant name.
func (k *killed) prepare() {
	t := k.t
	var err error
	if k.db, err = db.Open(t.Context(), k.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.db.Close() })
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), k.db)))
	rosterAdmin(t, k.url)
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", k.url, "--type", "ISAD", "--employee-id", "E1",
		"--first-name", "Bea", "--last-name", "Moore",
		"--email", "bea@example.com", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	books := ledger.New(ledger.Deps{Kit: platform.Kit{DB: k.db, Clock: time.Now}}, ledger.Settings{})
	for n := range killPayments {
		sent := facts.Submission{Source: facts.FromTable, Kind: "P", Repriced: fmt.Sprintf("N%d", n),
			Clearinghouse: fmt.Sprintf("CN%d", n), Reported: facts.Bill{
				FTIN: "111111111", PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05",
				EndServiceDate: "2026-01-05",
				BillType:       "P", FrequencyCode: "1", BillCharges: 100, BillStatus: facts.StatusPriced,
				PatientControlNumber: account(n),
			}}
		sent.Identify()
		paid := facts.Payment{Occurrence: 1, Source: facts.FromRemittance, Written: "20260301", Payer: "1999",
			TraceNumber: "K" + account(n), PaidDate: "2026-03-01",
			PatientControlNumber: account(n), PayerControlNumber: "I" + account(n), ClaimStatus: "1", Charge: 100, Paid: 80,
			Reported: facts.Bill{FTIN: "111111111", BillType: "P", PatientFirstName: "Zoe", PatientLastName: "Doe",
				BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-05", PayerName: "Steady Mutual"},
		}
		paid.Identify()
		k.payments[account(n)] = paid.Fact
		require.NoError(t, k.db.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := books.ImportSubmissions(t.Context(), tx, []facts.Submission{sent}); err != nil {
				return err
			}
			_, err := books.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &paid}})
			return err
		}))
	}
	var sent atomic.Bool
	k.start(sent.Load, func(address string) {
		defer sent.Store(true)
		token, err := signIn(address)
		for n := 0; n < killRosters && err == nil; n++ {
			_, err = sendRoster(address, token, [2][]byte{bytes.Repeat([]byte{byte(n)}, 1<<20), []byte("a letter")})
		}
		if err == nil {
			k.staff, err = signInAs(address, "bmoore", "Quiet-Lake-7")
		}
		assert.NoError(t, err)
	})
}

func account(n int) string { return fmt.Sprintf("A%d", n) }

// manifests returns the delivered rosters.
func (k *killed) manifests() []string {
	k.t.Helper()
	found, err := filepath.Glob(filepath.Join(k.out, "*", "manifest.json"))
	require.NoError(k.t, err)
	return found
}

// round kills the program during matching, once the given number of rosters is delivered.
func (k *killed) round(until int) {
	k.exec(`DELETE FROM instances`) // treat the previous instance as long gone
	k.exec(`DELETE FROM river_leader`)
	k.start(func() bool { return len(k.manifests()) >= until }, k.joinAndUndo, "--roster-out", "file://"+k.out)
}

// joinAndUndo matches and unmatches payments until the program is gone.
func (k *killed) joinAndUndo(address string) {
	for n := 0; ; n++ {
		name := account(n % killPayments)
		k.joins++
		want, done := "yes", false
		if k.count(fmt.Sprintf(`SELECT count(*) FROM payment_joins WHERE undone_at IS NULL AND payment = '%s'`, k.payments[name])) > 0 {
			want, done = "no", k.undoJoin(address, name)
		} else {
			done = k.join(address, name)
		}
		if !done {
			k.joined[name] = ""
			return
		}
		k.joined[name] = want
	}
}

type unmatchedBill struct{ ID, Number, Account string }

func (k *killed) join(address, name string) bool {
	var page struct{ Bills []unmatchedBill }
	if !k.post(address, "/api/desk/feeds/unmatched", map[string]string{}, &page) {
		return false
	}
	for _, b := range page.Bills {
		var found struct {
			Candidates []struct {
				Bill     unmatchedBill
				Joinable bool
			}
		}
		if b.Account != name {
			continue
		}
		if !k.post(address, "/api/desk/feeds/unmatched/candidates", map[string]string{"id": b.ID}, &found) {
			return false
		}
		for _, c := range found.Candidates {
			if c.Joinable && c.Bill.Account == name {
				return k.post(address, "/api/desk/feeds/joins", map[string]string{"id": b.ID, "to": c.Bill.ID}, nil)
			}
		}
	}
	k.t.Errorf("%s is nowhere: %+v", name, page.Bills)
	return false
}

func (k *killed) undoJoin(address, name string) bool {
	return k.post(address, "/api/desk/feeds/joins/undo", map[string]string{"ftin": "111111111", "payment": k.payments[name]}, nil)
}

// post reports whether a response arrived.
func (k *killed) post(address, path string, body, into any) bool {
	j, err := json.Marshal(body)
	if err != nil {
		k.t.Error(err)
		return false
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+address+path, bytes.NewReader(j))
	if err != nil {
		k.t.Error(err)
		return false
	}
	req.Header.Set("Authorization", "Bearer "+k.staff)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return false
	}
	if res.StatusCode >= http.StatusBadRequest {
		k.t.Errorf("%s: %d %s", path, res.StatusCode, answer)
		return false
	}
	if into != nil {
		assert.NoError(k.t, json.Unmarshal(answer, into))
	}
	return true
}

// settle restarts the program to finish pending work.
func (k *killed) settle() {
	k.exec(`DELETE FROM instances`)
	k.exec(`DELETE FROM river_leader`)
	k.start(func() bool {
		return k.count(`SELECT count(*) FROM roster_uploads
		WHERE handed_at IS NULL`) == 0
	}, func(string) {}, "--roster-out", "file://"+k.out)
}

func (k *killed) check() {
	t := k.t
	manifests := k.manifests()
	for _, path := range manifests {
		var m rosters.Manifest
		content, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(content, &m)
		}
		if err != nil || len(m.Files) != 2 {
			t.Errorf("%s: %v %s", path, err, content)
		}
		for _, f := range m.Files {
			content, err := os.ReadFile(filepath.Join(filepath.Dir(path), f.File))
			if sum := sha256.Sum256(content); err != nil || hex.EncodeToString(sum[:]) != f.SHA256 {
				t.Errorf("%s of %s: %v", f.File, path, err)
			}
		}
	}
	if handed := k.count(`SELECT count(*) FROM audit_log
		WHERE operation = 'roster-hand-over'`); len(manifests) != killRosters || handed != killRosters {
		t.Errorf("%d rosters are handed over, %d noted", len(manifests), handed)
	}
	for n := range killPayments {
		name := account(n)
		alone := k.count(fmt.Sprintf(`SELECT count(*) FROM bills WHERE patient_control_number = '%s' AND source = 'payment'`, name))
		paid := k.count(fmt.Sprintf(`SELECT count(*) FROM bills WHERE bill_control_number = 'N%d' AND paid_amount = 80`, n))
		if alone+paid != 1 || k.joined[name] == "yes" && paid != 1 || k.joined[name] == "no" && paid != 0 {
			t.Errorf("%s: %d made of the payment, %d paid, last answer %q", name, alone, paid, k.joined[name])
		}
	}
	made, undone := k.count(`SELECT count(*) FROM payment_joins`), k.count(`SELECT count(*) FROM payment_joins WHERE undone_at IS NOT NULL`)
	joins, parts := k.count(`SELECT count(*) FROM audit_log
		WHERE operation = 'payment-join'`), k.count(`SELECT count(*) FROM audit_log WHERE operation = 'payment-undo'`)
	if made != joins || undone != parts || made == 0 {
		t.Errorf("%d joins, %d noted; %d undone, %d noted", made, joins, undone, parts)
	}
	t.Logf("%d tries to join or part", k.joins)
}
