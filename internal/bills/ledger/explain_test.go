package ledger

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// summarize writes an explanation in short form: versions by frequency and charge, current one
// last, and payments by check, role and related check.
func summarize(e derive.Explanation) string {
	var out []string
	for _, v := range e.Versions {
		words := fmt.Sprintf("c%s:%d", v.Sent[0].Reported.FrequencyCode, v.Sent[0].Reported.BillCharges/100)
		if n := len(v.Sent); n > 1 {
			words += fmt.Sprintf("x%d", n)
		}
		if v.Outdated {
			words += " outdated"
		}
		out = append(out, words)
	}
	for _, p := range e.Payments {
		words := p.TraceNumber + " " + string(p.Role)
		if p.With != nil {
			words += " " + p.With.TraceNumber
		}
		if p.Pending != 0 {
			words += fmt.Sprintf(" %d", p.Pending/100)
		}
		out = append(out, words)
	}
	return strings.Join(out, "; ")
}

// listReasons returns the codes of the payments that explain a bill.
func listReasons(e derive.Explanation) string {
	var codes []string
	for _, p := range e.Payments {
		if p.Explains {
			codes = append(codes, strings.Fields(p.Reasons)...)
		}
	}
	return facts.JoinWords(codes)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	c1 := sent("1", 100, priced(90))
	for name, c := range map[string]struct {
		facts []any
		want  string
	}{
		"sent and paid":                {[]any{c1, paid(80, "K1")}, "c1:100; K1 stands"},
		"sent again by another way":    {[]any{sent("1", 100), sent("1", 100, priced(90), own("N1"), at(2))}, "c1:100x2"},
		"a replacement is in force":    {[]any{sent("7", 130, at(2)), c1}, "c1:100; c7:130"},
		"told anew with other amounts": {[]any{c1, paid(80, "K1"), paid(85, "K1", at(5))}, "c1:100; K1 stands; K1 superseded K1"},
		"taken back and paid again": {[]any{c1, paid(80, "K1"), paid(-80, "K2"), paid(90, "K2")},
			"c1:100; K1 takenBack K2; K2 takesBack K1; K2 stands"},
		"taken back and paid the same again": {[]any{c1, paid(80, "K1"), paid(-80, "K2"), paid(80, "K2", patients(10))},
			"c1:100; K1 takenBack K2; K2 takesBack K1; K2 stands"},
		"a denial is taken back and denied anew": {[]any{c1, denied("K1", "16"), paid(0, "K2", status("22")), denied("K2", "197")},
			"c1:100; K1 takenBack K2; K2 takesBack K1; K2 stands"},
		"a part is taken back":             {[]any{c1, paid(80, "K1"), paid(-30, "K2")}, "c1:100; K1 reduced K2; K2 takesBack K1"},
		"more is taken back than was paid": {[]any{c1, paid(60, "K1"), paid(-100, "K2")}, "c1:100; K1 takenBack K2; K2 takesBack K1 40"},
		"more is taken back than was paid, then paid": {[]any{c1, paid(60, "K1"), paid(-100, "K2"), paid(40, "K3")},
			"c1:100; K1 reduced K2; K2 takesBack K1; K3 stands"},
		"more is taken back than was paid, then paid less": {[]any{c1, paid(60, "K1"), paid(-100, "K2"), paid(30, "K3")},
			"c1:100; K1 reduced K2; K2 takesBack K1 10; K3 stands"},
		"more is taken back than was paid, then paid and reversed in part": {
			[]any{c1, paid(60, "K1"), paid(-100, "K2"), paid(30, "K3"), paid(-20, "K4")},
			"c1:100; K1 takenBack K2; K2 takesBack K1 30; K3 takenBack K4; K4 takesBack K3"},
		"more is taken back than was paid, by two reversals": {[]any{c1, paid(60, "K1"), paid(-70, "K2"), paid(-50, "K3")},
			"c1:100; K1 takenBack K3; K2 takesBack K1 10; K3 takesBack K1 50"},
		"one reversal of two payments": {[]any{c1, paid(60, "K1"), paid(40, "K2"), paid(-100, "K3")},
			"c1:100; K1 takenBack K3; K2 takenBack K3; K3 takesBack K2"},
		"two reversals of one payment": {[]any{c1, paid(100, "K1"), paid(-60, "K2"), paid(-40, "K3")},
			"c1:100; K1 takenBack K3; K2 takesBack K1; K3 takesBack K1"},
		"one reversal of two payments, paid again in its check": {[]any{c1, paid(60, "K1"), paid(40, "K2"),
			paid(-100, "K3"), paid(90, "K3")},
			"c1:100; K1 takenBack K3; K2 takenBack K3; K3 takesBack K2; K3 stands"},
		"two reversals of one payment, paid again in their check": {[]any{c1, paid(100, "K1"), paid(-60, "K2"),
			paid(-40, "K2", sentWith(paid(-60, "K2"))), paid(90, "K2")},
			"c1:100; K1 takenBack K2; K2 takesBack K1; K2 takesBack K1; K2 stands"},
		"a take-back waits":            {[]any{c1, paid(-80, "K2"), paid(90, "K2")}, "c1:100; K2 waits 80; K2 stands"},
		"a take-back precedes money":   {[]any{c1, paid(-80, "K2"), paid(80, "K3")}, "c1:100; K2 waits 80; K3 stands"},
		"all is taken back":            {[]any{c1, paid(80, "K1"), paid(-80, "K2")}, "c1:100; K1 takenBack K2; K2 takesBack K1"},
		"a refusal takes nothing back": {[]any{c1, paid(80, "K1"), denied("K2", "50")}, "c1:100; K1 stands; K2 beside K1"},
		"refused anew":                 {[]any{c1, denied("K1", "16"), denied("K2", "29")}, "c1:100; K1 beside K2; K2 stands"},
		"refused in two parts": {[]any{c1, paid(0, "K1", reason("CO", "16")), paid(0, "K1", reason("CO", "29"), icn("I2"))},
			"c1:100; K1 stands; K1 stands"},
		"two payers":                        {[]any{c1, paid(60, "K1"), paid(20, "K2")}, "c1:100; K1 stands; K2 stands"},
		"known from its payment only":       {[]any{paid(80, "K1")}, "K1 stands"},
		"what moves nothing informs":        {[]any{c1, paid(0, "K1", status("25"))}, "c1:100; K1 informs"},
		"a refused duplicate beside a zero": {[]any{c1, paid(80, "K1"), denied("K2", "18")}, "c1:100; K1 stands; K2 beside K1"},
	} {
		list := explainBills(newGroup(c.facts...))
		if len(list) != 1 || summarize(list[0]) != c.want {
			t.Errorf("%s: %d bills, %s; want %s", name, len(list), summarize(list[0]), c.want)
		}
	}

	list := explainBills(newGroup(sent("1", 100, own("N1")), sent("7", 130, own("N2"), ref("N1"), at(2))))
	if i := slices.IndexFunc(list, func(e derive.Explanation) bool { return len(e.Replaces) == 1 }); len(list) != 2 || i < 0 ||
		list[1-i].Derived.ReplacedBy == "" {
		t.Errorf("a bill with a number of its own that replaces another: %+v", list)
	}
}

// showExplained returns the bills with an explanation that differs from what they show. It only
// reads, like a page.
func showExplained(t *testing.T, d *db.DB) string {
	t.Helper()
	list, err := store.Bills.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	tx, err := d.Reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	defer tx.Rollback() //nolint:errcheck // it only read
	for _, b := range list {
		e, found, err := batch.LoadExplanation(t.Context(), d, tx, b)
		if err != nil || !found {
			return fmt.Sprintf("bill %s is not explained: %v", b.BillControlNumber, err)
		}
		derived := e.Derived.Bill
		derived.ReplacedBy = b.ReplacedBy // a key in this case
		derived.BillControlNumber, derived.NextDue = b.BillControlNumber, b.NextDue
		if !store.AreSettledAlike(derived, b) || derived.Fact != b.Fact || (e.Derived.ReplacedBy != "") != (b.ReplacedBy != "") {
			return fmt.Sprintf("bill %s shows %+v, explained is %+v", b.BillControlNumber, b, derived)
		}
		if reasons := listReasons(e); reasons != b.Reasons {
			return fmt.Sprintf("bill %s has the reasons %q, what explains it those of %q", b.BillControlNumber, b.Reasons, reasons)
		}
		for _, key := range e.Replaces {
			if !slices.ContainsFunc(list, func(other facts.Bill) bool { return other.Key() == key && other.ReplacedBy == b.Key() }) {
				return fmt.Sprintf("bill %s is said to replace %s", b.BillControlNumber, key)
			}
		}
	}
	return ""
}

// Every case that Conclude decides is explained as it's stored, however much of its family a
// page has at hand at first.
func TestStoredConclusionsAreExplained(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) })
		for i, c := range cases {
			empty(t, d)
			var all []fact
			for _, f := range c.facts {
				all = append(all, f)
			}
			require.NoError(t, takeFile(t.Context(), l, rand.New(rand.NewPCG(1, uint64(i))), all), c.name)
			assert.Empty(t, showExplained(t, d), c.name)
		}
	})
}
