package desk

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the sentences anew")

// Every account state has a message and a suggested action.
func TestDoctor(t *testing.T) {
	zone := time.FixedZone("Eastern", -5*60*60)
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, zone)
	ago, in := func(d time.Duration) time.Time { return now.Add(-d).UTC() }, func(d time.Duration) time.Time { return now.Add(d).UTC() }
	const day = 24 * time.Hour
	good, over := Link{Exists: true, Minted: true, ExpiresAt: in(40 * time.Minute)},
		Link{Exists: true, Minted: true, ExpiresAt: ago(9 * day)}
	var b strings.Builder
	for _, c := range []struct {
		name string
		Account
	}{
		{"terminated", Account{State: "TERM"}},
		{"draft", Account{State: "DRAFT"}},
		{"new, no link", Account{State: "NEW"}},
		{"new, link to be written", Account{State: "NEW", Registration: Link{Exists: true}, MailStatus: "waiting"}},
		{"new, link good", Account{State: "NEW", Registration: Link{Exists: true, Minted: true, ExpiresAt: in(3 * day)},
			MailStatus: "sent"}},
		{"new, link good for minutes", Account{State: "NEW", Registration: good}},
		{"new, link good for seconds", Account{State: "NEW", Registration: Link{Exists: true, Minted: true, ExpiresAt: in(time.Second)}}},
		{"new, link ran out", Account{State: "NEW", Registration: over}},
		{"new, link ended", Account{State: "NEW", Registration: Link{Exists: true, Minted: true, Over: true, ExpiresAt: in(day)}}},
		{"new, mail refused", Account{State: "NEW", Registration: good, MailStatus: "failed", MailAttempts: 1,
			MailError: "550 mailbox full."}},
		{"new, mail put off once", Account{State: "NEW", Registration: good, MailStatus: "waiting", MailAttempts: 1}},
		{"new, mail put off", Account{State: "NEW", Registration: good, MailStatus: "waiting", MailAttempts: 3}},
		{"reset, link good", Account{State: "INACT", Reset: good}},
		{"reset, link ran out", Account{State: "INACT", Reset: over}},
		{"reset, no link", Account{State: "INACT"}},
		{"reset, mail refused", Account{State: "INACT", Reset: good, MailStatus: "failed", MailError: "mailbox full"}},
		{"unused", Account{State: "DISABL", LastSignIn: ago(400 * day)}},
		{"unused ever", Account{State: "DISABL"}},
		{"locked by an address", Account{State: "LOCK", LockedUntil: in(42 * time.Minute), Failures: 5, LockFailures: 5,
			FailedFrom: "203.0.113.7"}},
		{"locked by their browser", Account{State: "LOCK", LockedUntil: in(42 * time.Minute), Failures: 5, LockFailures: 5,
			FailedFrom: "device 00ff"}},
		{"locked, forgotten whence", Account{State: "LOCK", LockedUntil: in(42 * time.Minute), Failures: 5, LockFailures: 5}},
		{"locked for the day", Account{State: "LOCK", LockedUntil: in(20 * time.Hour), Failures: 40, LockFailures: 5,
			FailedFrom: "203.0.113.7"}},
		{"locked until a reset", Account{State: "LOCK", LockedUntil: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), Failures: 100,
			LockFailures: 5, FailedFrom: "203.0.113.7"}},
		{"locked as it came", Account{State: "LOCK"}},
		{"lock ran out", Account{State: "LOCK", LockedUntil: ago(time.Minute), LastSignIn: ago(2 * day)}},
		{"inactive group", Account{State: "ACTIV", GroupEnded: true, LastSignIn: ago(day)}},
		{"inactive group, terminated", Account{State: "TERM", GroupEnded: true}},
		{"inactive group, draft", Account{State: "DRAFT", GroupEnded: true}},
		{"inactive group, new", Account{State: "NEW", GroupEnded: true, Registration: good}},
		{"staff without a number", Account{State: "ACTIV", NoEmployee: true}},
		{"fine", Account{State: "ACTIV", LastSignIn: ago(day)}},
		{"fine, never in", Account{State: "ACTIV"}},
		{"fine, one failure since", Account{State: "ACTIV", LastSignIn: ago(day), Failures: 1, LastFailed: ago(time.Hour),
			LockFailures: 5}},
		{"fine, failures since", Account{State: "ACTIV", LastSignIn: ago(day), Failures: 3, LastFailed: ago(time.Hour), LockFailures: 5}},
		{"fine, failures before", Account{State: "ACTIV", LastSignIn: ago(time.Hour), Failures: 3, LastFailed: ago(day), LockFailures: 5}},
		{"second step held", Account{State: "ACTIV", LastSignIn: ago(day), SecondRequired: true, SecondSetUp: true}},
		{"second step missing", Account{State: "ACTIV", LastSignIn: ago(day), SecondRequired: true}},
		{"second step no longer asked for", Account{State: "ACTIV", LastSignIn: ago(day), SecondSetUp: true}},
		{"sign-in ends at night", Account{State: "ACTIV", LastSignIn: time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)}},
	} {
		sentence, do := diagnose(c.Account, now)
		fmt.Fprintf(&b, "%s\n  %s [%s]\n", c.name, sentence, do)
	}
	const file = "testdata/doctor.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	golden, err := os.ReadFile(file)
	if err != nil || string(golden) != b.String() {
		t.Errorf("%v: the sentences are now\n%s", err, &b)
	}
}
