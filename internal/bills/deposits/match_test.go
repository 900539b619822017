package deposits

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/date"
)

const today date.Date = "2026-08-28"

// paid is a remittance of a test: its number, payer, day and amount.
func paid(trace, payer string, on date.Date, cents int64) Remittance {
	return Remittance{ID: trace + payer + string(on), Key: trace, Payer: payer, On: on, Amount: cents}
}

func deposit(on date.Date, cents int64, trace string) Deposit {
	return Deposit{On: on, Amount: &cents, Trace: trace}
}

// describe writes the answer of each deposit with its remittances' numbers, and the rest.
func describe(deposits []Deposit, remittances []Remittance) string {
	for i := range deposits {
		deposits[i].Line = i + 1
	}
	matches, rest := match(deposits, remittances, newWindow(deposits, today))
	var parts []string
	for _, m := range matches {
		part := string(m.Answer)
		for _, i := range m.Remittances {
			part += " " + remittances[i].Key
		}
		if m.Other > 0 {
			part += fmt.Sprintf(" of line %d", m.Other)
		}
		if m.Candidates > 1 {
			part += fmt.Sprintf(" of %d", m.Candidates)
		}
		parts = append(parts, part)
	}
	slices.Sort(rest)
	for _, i := range rest {
		parts = append(parts, "and "+string(answerWithout(remittances[i]))+" "+remittances[i].Key)
	}
	return strings.Join(parts, ", ")
}

func TestEachAnswer(t *testing.T) {
	const day, before = date.Date("2026-08-20"), date.Date("2026-08-18")
	whole := int64(90000)
	shared := Remittance{ID: "s", Key: "7001", Payer: "acme", On: before, Amount: 20000, Shared: true, Whole: &whole}
	second := shared
	second.Amount = 30000
	doubtful := paid("4001", "beacon twin", before, 12345)
	doubtful.Doubtful = true
	for name, c := range map[string]struct {
		deposits    []Deposit
		remittances []Remittance
		want        string
	}{
		"trace and amount": {[]Deposit{deposit(day, 12345, "0004-001")}, []Remittance{paid("4001", "beacon", before, 12345)},
			"matched 4001"},
		"the nearest of a reused number": {[]Deposit{deposit(day, 100, "4001")},
			[]Remittance{paid("4001", "beacon", "2026-08-10", 100), paid("4001", "beacon", day, 100)}, "matched 4001, and missing 4001"},
		"counted before a duplicate": {[]Deposit{deposit(day, 12345, "4001")},
			[]Remittance{doubtful, paid("4001", "beacon", "2026-08-12", 12345)}, "matched 4001, and possible 4001"},
		"amount alone": {[]Deposit{deposit(day, 5000, "")}, []Remittance{paid("4001", "b", before, 5000)}, "proposed 4001"},
		"not that long ago": {[]Deposit{deposit(day, 5000, ""), deposit("2026-08-04", 1, "")},
			[]Remittance{paid("4001", "b", "2026-08-05", 5000)}, "none, none, and missing 4001"},
		"one of two": {[]Deposit{deposit(day, 5000, "")},
			[]Remittance{paid("4001", "b", "2026-08-17", 5000), paid("4002", "b", before, 5000)},
			"proposed 4002 of 2, and missing 4001"},
		"a typo before the date": {[]Deposit{deposit(day, 5000, ""), deposit(day, 5000, "40010")},
			[]Remittance{paid("40001", "b", "2026-08-14", 5000), paid("52345", "b", before, 5000)}, "proposed 52345, proposed 40001 of 2"},
		"short": {[]Deposit{deposit(day, 4000, "4001")}, []Remittance{paid("4001", "b", before, 5000)}, "short 4001"},
		"over":  {[]Deposit{deposit(day, 6000, "4001")}, []Remittance{paid("4001", "b", before, 5000)}, "over 4001"},
		"over by another": {[]Deposit{deposit(day, 6000, "4001")},
			[]Remittance{paid("4001", "b", before, 5000), paid("4002", "b", day, 1000)}, "several 4001 4002"},
		"a repeated trace": {[]Deposit{deposit(day, 5000, "4001"), deposit(day, 5000, "4001"), deposit(day, 700, "4001")},
			[]Remittance{paid("4001", "b", before, 5000)}, "matched 4001, repeated of line 1, repeated of line 1"},
		"a repeated unknown line": {[]Deposit{deposit(day, 5000, "917"), deposit(day, 5000, "917"), deposit(day, 6000, "917")}, nil,
			"none, repeated of line 1, none"},
		"several traces": {[]Deposit{deposit(day, 9000, "4001, 4002")},
			[]Remittance{paid("4001", "b", before, 5000), paid("4002", "c", day, 4000)}, "several 4001 4002"},
		"several traces, short": {[]Deposit{deposit(day, 8000, "4001 4002")},
			[]Remittance{paid("4001", "b", before, 5000), paid("4002", "c", day, 4000)}, "short 4001 4002"},
		"a payer's day": {[]Deposit{deposit(day, 10, "")}, []Remittance{paid("1", "b", before, 1), paid("2", "b", before, 2),
			paid("3", "b", before, 3), paid("4", "b", before, 4), paid("5", "c", before, 5)}, "several 1 2 3 4, and missing 5"},
		"the only three": {[]Deposit{deposit(day, 700, "")}, []Remittance{paid("1", "a", before, 100), paid("2", "b", day, 200),
			paid("3", "c", day, 400), paid("4", "d", before, 800)}, "several 1 2 3, and missing 4"},
		"two ways are none": {[]Deposit{deposit(day, 500, "")}, []Remittance{paid("1", "a", before, 100), paid("2", "b", day, 200),
			paid("3", "c", "2026-08-19", 400), paid("4", "d", "2026-08-14", 300)},
			"none, and missing 1, and missing 2, and missing 3, and missing 4"},
		"the whole of a shared check": {[]Deposit{deposit(day, 90000, "7001")}, []Remittance{shared}, "matched 7001"},
		"the share alone":             {[]Deposit{deposit(day, 20000, "7001")}, []Remittance{shared}, "matched 7001"},
		"both shares":                 {[]Deposit{deposit(day, 50000, "7001")}, []Remittance{shared, second}, "matched 7001 7001"},
		"one try on a shared check": {[]Deposit{deposit(day, 80000, "7001"), deposit(day, 90000, "7001")}, []Remittance{shared},
			"differs 7001, repeated of line 1"},
		"no direction on a shared check": {[]Deposit{deposit(day, 99999, "7001")}, []Remittance{shared}, "differs 7001"},
		"no proposal of a shared check": {[]Deposit{deposit(day, 90000, ""), deposit(day, 20000, "")},
			[]Remittance{shared}, "none, none, and missing 7001"},
		"negative and zero": {[]Deposit{deposit(day, -5000, "4001"), deposit(day, 0, "4002")},
			[]Remittance{paid("4001", "b", before, 5000), paid("4002", "b", before, 0)},
			"negative, zero, and missing 4001, and noPayment 4002"},
		"in the future": {[]Deposit{deposit("2026-12-01", 1, ""), deposit(day, 1, "")}, nil, "outside, none"},
		"a year ago": {[]Deposit{deposit("2025-08-19", 1, ""), deposit("2025-08-20", 1, ""), deposit(day, 1, "")},
			nil, "outside, none, none"},
		"without amounts": {[]Deposit{{On: day, Trace: "4001"}, {On: day, Trace: "5"}},
			[]Remittance{paid("4001", "b", before, 5000)}, "proposed 4001, none"},
		"without dates": {[]Deposit{deposit("", 5000, "4001")}, []Remittance{paid("4001", "b", before, 5000)}, "matched 4001"},
		"unreadable": {[]Deposit{{Trace: "4001", Cells: []Cell{{0, sayDate}}}},
			[]Remittance{paid("4001", "b", before, 5000)}, "unreadable, and missing 4001"},
	} {
		if got := describe(c.deposits, c.remittances); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		deposits []Deposit
		want     Window
	}{
		{[]Deposit{deposit("2026-08-20", 1, ""), deposit("2026-08-17", 1, "")},
			Window{"2026-08-17", "2026-08-20", "2026-08-03", "2026-08-25"}},
		{[]Deposit{deposit("2026-08-21", 1, ""), {On: "2026-01-01", Cells: []Cell{{}}}},
			Window{"2026-08-21", "2026-08-21", "2026-08-07", "2026-08-26"}},
		{[]Deposit{deposit("2026-08-21", 1, ""), deposit("2025-08-21", 1, "")}, // 366 days
			Window{"2025-08-21", "2026-08-21", "2025-08-07", "2026-08-26"}},
		{[]Deposit{deposit("2026-08-21", 1, ""), deposit("2025-08-20", 1, "")}, // 367 days
			Window{"2026-08-21", "2026-08-21", "2026-08-07", "2026-08-26"}},
		{nil, Window{"2026-07-30", today, "2026-07-16", "2026-09-02"}},
	} {
		assert.Equal(t, c.want, newWindow(c.deposits, today))
	}
}

// Every deposit and every remittance of the window has exactly one answer, in any order.
func TestEverythingHasOneAnswer(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list ...int64) int64 { return list[r.IntN(len(list))] }
	for range 2_000 {
		var remittances []Remittance
		for n := range r.IntN(30) {
			one := paid(fmt.Sprint(4000+r.IntN(12)), fmt.Sprint("p", r.IntN(3)), today.AddDays(-r.IntN(20)), pick(0, -100, 100, 200, 300,
				500))
			if one.Shared = r.IntN(5) == 0; one.Shared && r.IntN(2) == 0 {
				whole := pick(600, 700)
				one.Whole = &whole
			}
			one.Doubtful = r.IntN(9) == 0
			if r.IntN(3) > 0 {
				one.ID = fmt.Sprint(n)
			}
			remittances = append(remittances, one)
		}
		var deposits []Deposit
		for n := range r.IntN(30) {
			d := deposit(today.AddDays(5-r.IntN(40)), pick(-100, 0, 100, 200, 300, 500, 600, 700, 900), "")
			switch r.IntN(4) {
			case 0:
				d.Trace = fmt.Sprintf("00%d", 4000+r.IntN(14))
			case 1:
				d.Trace = fmt.Sprintf("%d, %d", 4000+r.IntN(14), 4000+r.IntN(14))
			case 2:
				d.Amount = nil
				d.Trace = fmt.Sprint(4000 + r.IntN(14))
			}
			if r.IntN(9) == 0 {
				d.Cells = []Cell{{}}
			}
			d.Line = n + 1
			deposits = append(deposits, d)
		}
		matches, rest := match(deposits, remittances, newWindow(deposits, today))
		require.Equalf(t, len(deposits), len(matches), "seed %d: %d answers of %d deposits", seed, len(matches), len(deposits))
		seen := slices.Clone(rest)
		for i, m := range matches {
			require.Containsf(t, Answers, m.Answer, "seed %d", seed)
			with := m.Answer == Matched || m.Answer == Proposed || m.Answer == Several || m.Answer == Short || m.Answer == Over ||
				m.Answer == Differs
			if with != (len(m.Remittances) > 0) || (m.Answer == Repeated) != (m.Other > 0) || m.Other == deposits[i].Line {
				t.Fatalf("seed %d: %+v", seed, m)
			}
			seen = append(seen, m.Remittances...)
		}
		slices.Sort(seen)
		for i := range max(len(seen), len(remittances)) {
			if i >= len(seen) || seen[i] != i {
				t.Fatalf("seed %d: %v of %d remittances", seed, seen, len(remittances))
			}
		}
	}
}
