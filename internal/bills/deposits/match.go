package deposits

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
)

// Deposit is a line of the bank's list. Amounts are in cents.
type Deposit struct {
	Line   int       // in the table, from 1, including the header
	On     date.Date // empty if the list has no dates
	Amount *int64    // nil if the list has no amounts
	Trace  string    // trace or check number
	Note   string    // the bank's description
	Cells  []Cell    // what can't be read
}

// Remittance is a check or transfer to a TIN that a deposit can match.
type Remittance struct {
	ID       string // of the check, the same under each of its TINs
	Key      string // of the trace or check number
	Payer    string
	On       date.Date
	Amount   int64  // of the check; if several payees share it, the TIN's share
	Shared   bool   // other payees can be paid with it
	Whole    *int64 // the amount of a shared check, only to compare. It must never be shown
	Doubtful bool   // a possible duplicate, not counted until staff decide
}

// Answer is the result of a deposit, or of a remittance without one.
type Answer string

// The answers. The ones about money to look after come first.
const (
	NoRemittance Answer = "none"
	Short        Answer = "short"      // less than the remittance
	Over         Answer = "over"       // more than the remittance
	Differs      Answer = "differs"    // from a check that other payees share
	Repeated     Answer = "repeated"   // another line has the same trace number
	Unreadable   Answer = "unreadable" // a cell can't be read
	Outside      Answer = "outside"    // the date is outside the window
	Negative     Answer = "negative"
	Zero         Answer = "zero"
	Proposed     Answer = "proposed" // by the amount alone, or by the trace number of a list without amounts
	Several      Answer = "several"  // remittances that add up to the deposit
	Matched      Answer = "matched"  // trace number and amount

	NoDeposit Answer = "missing"
	NoPayment Answer = "noPayment" // a remittance of $0 or less
	Possible  Answer = "possible"  // a possible duplicate without a deposit
)

// Answers are all answers of deposits, in the order of a list.
var Answers = []Answer{NoRemittance, Short, Over, Differs, Repeated, Unreadable, Outside, Negative, Zero, Proposed, Several, Matched}

// Match is the answer of one deposit.
type Match struct {
	Answer      Answer
	Remittances []int // indexes
	Other       int   // the other line with the same trace number
	Candidates  int   // remittances with the same amount, including the proposed one
}

// How far the date of a remittance can be from that of its deposit, in weekdays. A mailed check
// takes up to two weeks. A transfer arrives within three days of its remittance.
const (
	weekdaysBefore = 10
	weekdaysAfter  = 3
)

// Limits of the search for remittances that add up to a deposit.
const (
	maxAdded     = 3  // without the same payer or day
	nearestAdded = 40 // remittances that are tried
	maxCompared  = 64 // remittances of one amount that are compared by their trace numbers
	maxTypos     = 2  // characters by which a trace number is similar
)

// maxDays is how many days a list can cover.
const maxDays = 366

// Window is the range of days in which remittances are compared.
type Window struct {
	First, Last date.Date // of the deposits
	From, To    date.Date // of the remittances
}

// newWindow returns the window of deposits. Dates in the future, and dates a year before the
// last one, are outside. Without any date it's the last 30 days.
func newWindow(deposits []Deposit, today date.Date) Window {
	var w Window
	future := addWeekdays(today, weekdaysAfter)
	for _, d := range deposits {
		if len(d.Cells) == 0 && d.On <= future {
			w.Last = max(w.Last, d.On)
		}
	}
	if w.Last == "" {
		w.Last = today
		w.First = today.AddDays(-29)
	} else {
		w.First = w.Last
	}
	for _, d := range deposits {
		if len(d.Cells) == 0 && d.On > w.Last.AddDays(-maxDays) && d.On < w.First {
			w.First = d.On
		}
	}
	w.From, w.To = addWeekdays(w.First, -weekdaysBefore), addWeekdays(w.Last, weekdaysAfter)
	return w
}

func (w Window) has(on date.Date) bool { return on == "" || w.First <= on && on <= w.Last }

// addWeekdays returns the weekday that many weekdays later, or earlier.
func addWeekdays(d date.Date, n int) date.Date {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for n > 0 {
		d = d.AddDays(step)
		if day := d.Time().Weekday(); day != time.Saturday && day != time.Sunday {
			n--
		}
	}
	return d
}

// traceKey folds a trace number as the search for remittances does. Placeholders are empty.
func traceKey(trace string) string {
	if facts.FoldOrEmpty(trace) == "" {
		return ""
	}
	return cmp.Or(facts.CheckKey(trace), facts.NumberKey(trace))
}

// check is a check or transfer with all of its remittances in the window.
type check struct {
	id       string
	rows     []int
	key      string
	payer    string
	on       date.Date
	amount   int64 // the sum of the shares
	whole    *int64
	shared   bool
	doubtful bool
	compared bool // with the whole amount
	usedBy   int  // index of its deposit + 1
}

// isExactly reports whether the check has an amount. The whole amount of a shared check is compared
// only once, so that nobody finds it by trying.
func (c *check) isExactly(amount int64) bool {
	if amount == c.amount {
		return true
	}
	if c.whole == nil || c.compared {
		return false
	}
	c.compared = true
	return amount == *c.whole
}

// isAddable reports whether a check can be proposed without its trace number. The whole amount of a
// shared check isn't compared then.
func (c *check) isAddable() bool { return c.usedBy == 0 && !c.shared && !c.doubtful && c.amount > 0 }

// matcher compares deposits with checks.
type matcher struct {
	deposits []Deposit
	matches  []Match
	keys     []string
	checks   []*check // by date
	byKey    map[string][]*check
	byAmount map[int64][]*check // by date
}

// match returns the answer of each deposit, and the remittances without one, the newest first.
func match(deposits []Deposit, remittances []Remittance, w Window) (matches []Match, rest []int) {
	m := newMatcher(deposits, remittances)
	m.settle(w)
	m.matchTraceAndAmount()
	m.matchTrace()
	m.matchAmount(true)
	m.matchAmount(false)
	m.matchSums()
	for i := range m.matches {
		m.matches[i].Answer = cmp.Or(m.matches[i].Answer, NoRemittance)
	}
	for _, c := range slices.Backward(m.checks) {
		if c.usedBy == 0 {
			rest = append(rest, c.rows...)
		}
	}
	return m.matches, rest
}

func newMatcher(deposits []Deposit, remittances []Remittance) *matcher {
	m := &matcher{deposits: deposits, matches: make([]Match, len(deposits)), keys: make([]string, len(deposits)),
		byKey: map[string][]*check{}, byAmount: map[int64][]*check{}}
	for i, d := range deposits {
		m.keys[i] = traceKey(d.Trace)
	}
	m.checks = sortByDay(newChecks(remittances))
	// Of many remittances, few have a number or amount of the list.
	for _, d := range deposits {
		for _, number := range append(splitTraces(d.Trace), d.Trace) {
			m.byKey[traceKey(number)] = nil
		}
		if d.Amount != nil {
			m.byAmount[*d.Amount] = nil
		}
	}
	delete(m.byKey, "")
	for _, c := range m.checks {
		if list, asked := m.byKey[c.key]; asked {
			m.byKey[c.key] = append(list, c)
		}
		if list, asked := m.byAmount[c.amount]; asked && c.isAddable() {
			m.byAmount[c.amount] = append(list, c)
		}
	}
	return m
}

// sortByDay sorts checks by day. A list has few days, so this is faster than comparing checks.
func sortByDay(checks []*check) []*check {
	days := map[date.Date][]*check{}
	for _, c := range checks {
		days[c.on] = append(days[c.on], c)
	}
	sorted := make([]*check, 0, len(checks))
	for _, day := range slices.Sorted(maps.Keys(days)) {
		sorted = append(sorted, days[day]...)
	}
	return sorted
}

// newChecks joins the remittances of each shared check.
func newChecks(remittances []Remittance) []*check {
	all, indexes := make([]check, 0, len(remittances)), make([]int, len(remittances))
	shared := map[string]*check{}
	for i, r := range remittances {
		indexes[i] = i
		if c := shared[r.ID]; r.Shared && c != nil {
			c.rows = append(c.rows, i)
			c.amount += r.Amount
			c.doubtful = c.doubtful || r.Doubtful
			continue
		}
		all = append(all, check{id: r.ID, rows: indexes[i : i+1 : i+1], key: r.Key, payer: r.Payer, on: r.On, amount: r.Amount,
			whole:  r.Whole,
			shared: r.Shared, doubtful: r.Doubtful})
		if r.Shared {
			shared[r.ID] = &all[len(all)-1]
		}
	}
	checks := make([]*check, len(all))
	for i := range all {
		checks[i] = &all[i]
	}
	return checks
}

// use records the answer of a deposit and its checks.
func (m *matcher) use(deposit int, answer Answer, checks ...*check) {
	m.matches[deposit].Answer = answer
	for _, c := range checks {
		c.usedBy = deposit + 1
		m.matches[deposit].Remittances = append(m.matches[deposit].Remittances, c.rows...)
	}
	slices.Sort(m.matches[deposit].Remittances)
}

// settle answers the deposits that no remittance can match.
func (m *matcher) settle(w Window) {
	for i, d := range m.deposits {
		switch {
		case len(d.Cells) > 0:
			m.matches[i].Answer = Unreadable
		case d.Amount != nil && *d.Amount < 0:
			m.matches[i].Answer = Negative
		case d.Amount != nil && *d.Amount == 0:
			m.matches[i].Answer = Zero
		case !w.has(d.On):
			m.matches[i].Answer = Outside
		}
	}
}

// open iterates over the deposits without an answer.
func (m *matcher) open(yield func(int, Deposit) bool) {
	for i, d := range m.deposits {
		if m.matches[i].Answer == "" && !yield(i, d) {
			return
		}
	}
}

func (m *matcher) matchTraceAndAmount() {
	for i, d := range m.open {
		if m.keys[i] == "" || d.Amount == nil {
			continue
		}
		var same []*check
		for _, c := range m.byKey[m.keys[i]] {
			if c.usedBy == 0 && c.isExactly(*d.Amount) {
				same = append(same, c)
			}
		}
		if c := nearest(same, d.On); c != nil {
			m.use(i, Matched, c)
		}
	}
}

// nearest returns the check with the nearest date, and a counted one before a possible duplicate.
func nearest(list []*check, on date.Date) *check {
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *check) int {
		if a.doubtful != b.doubtful {
			return order(a.doubtful)
		}
		return cmp.Or(cmp.Compare(distance(a.on, on), distance(b.on, on)), strings.Compare(a.id, b.id))
	})
}

// order sorts what is true last.
func order(last bool) int {
	if last {
		return 1
	}
	return -1
}

// distance returns the days between two dates, or 0 if one is unknown.
func distance(a, b date.Date) int {
	if a == "" || b == "" {
		return 0
	}
	days := int(a.Time().Sub(b.Time()).Hours() / 24)
	return max(days, -days)
}

// matchTrace answers the other deposits whose trace number is known, or repeated.
func (m *matcher) matchTrace() {
	type line struct {
		on     date.Date
		key    string
		amount int64
	}
	first := map[line]int{}
	for i, d := range m.deposits {
		if m.keys[i] == "" || d.Amount == nil || len(d.Cells) > 0 {
			continue
		}
		same := line{d.On, m.keys[i], *d.Amount}
		if _, seen := first[same]; !seen {
			first[same] = d.Line
		} else if m.matches[i].Answer == "" {
			m.matches[i] = Match{Answer: Repeated, Other: first[same]}
		}
	}
	for i, d := range m.open {
		if known := m.byKey[m.keys[i]]; m.keys[i] != "" && len(known) > 0 {
			m.compare(i, d, known)
		} else {
			m.matchTraces(i, d)
		}
	}
}

// compare answers a deposit whose trace number is that of checks with other amounts.
func (m *matcher) compare(i int, d Deposit, known []*check) {
	unused := slices.DeleteFunc(slices.Clone(known), func(c *check) bool { return c.usedBy > 0 })
	switch {
	case len(unused) == 0:
		m.matches[i] = Match{Answer: Repeated, Other: m.deposits[known[0].usedBy-1].Line}
	case d.Amount == nil:
		m.use(i, Proposed, nearest(unused, d.On))
	case len(unused) > 1 && !slices.ContainsFunc(unused, isUncertain) && sum(unused) == *d.Amount:
		m.use(i, Several, unused...)
	default:
		c := nearest(unused, d.On)
		m.use(i, difference(*d.Amount, c), c)
	}
}

func isUncertain(c *check) bool { return c.shared || c.doubtful }

func sum(checks []*check) (total int64) {
	for _, c := range checks {
		total += c.amount
	}
	return total
}

// difference returns how an amount differs from that of checks. For a shared check, the direction
// would narrow down the amount of the others.
func difference(amount int64, checks ...*check) Answer {
	switch {
	case slices.ContainsFunc(checks, func(c *check) bool { return c.shared }):
		return Differs
	case amount < sum(checks):
		return Short
	}
	return Over
}

// splitTraces returns the numbers in a cell.
func splitTraces(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(" ,;/&+|\n\t", r) })
}

// matchTraces answers a deposit with several trace numbers in its cell, if all are known.
func (m *matcher) matchTraces(i int, d Deposit) {
	numbers := splitTraces(d.Trace)
	if len(numbers) < 2 || d.Amount == nil {
		return
	}
	var named []*check
	for _, n := range numbers {
		c := nearest(slices.DeleteFunc(slices.Clone(m.byKey[traceKey(n)]), func(c *check) bool {
			return c.usedBy > 0 || slices.Contains(named, c)
		}), d.On)
		if c == nil {
			return
		}
		named = append(named, c)
	}
	answer := Several
	if sum(named) != *d.Amount {
		answer = difference(*d.Amount, named...)
	}
	m.use(i, answer, named...)
}

// matchAmount proposes remittances by their amount. Those with similar trace numbers come first.
func (m *matcher) matchAmount(similar bool) {
	for i, d := range m.open {
		if d.Amount == nil || similar && m.keys[i] == "" {
			continue
		}
		var best *check
		bestRank, candidates := 0, 0
		for c := range m.around(m.byAmount[*d.Amount], d.On, maxCompared) {
			candidates++
			rank := distance(c.on, d.On)
			if !isSimilar(c.key, m.keys[i]) {
				if similar {
					continue
				}
				rank += maxDays
			}
			if best == nil || rank < bestRank || rank == bestRank && c.id < best.id {
				best, bestRank = c, rank
			}
		}
		if best != nil {
			m.use(i, Proposed, best)
			m.matches[i].Candidates = candidates
		}
	}
}

// around iterates over the nearest checks of a list that can be proposed for a day, up to a limit.
func (m *matcher) around(list []*check, on date.Date, limit int) func(func(*check) bool) {
	return func(yield func(*check) bool) {
		from, to := date.Date(""), date.Date("9999-12-31")
		if on != "" {
			from, to = addWeekdays(on, -weekdaysBefore), addWeekdays(on, weekdaysAfter)
		}
		above, _ := slices.BinarySearchFunc(list, on, func(c *check, on date.Date) int { return cmp.Compare(c.on, on) })
		below := above - 1
		for limit > 0 {
			hasBelow, hasAbove := below >= 0 && list[below].on >= from, above < len(list) && list[above].on <= to
			var c *check
			switch {
			case hasAbove && (!hasBelow || distance(list[above].on, on) <= distance(list[below].on, on)):
				c = list[above]
				above++
			case hasBelow:
				c = list[below]
				below--
			default:
				return
			}
			if !c.isAddable() {
				continue
			}
			if limit--; !yield(c) {
				return
			}
		}
	}
}

// isSimilar reports whether two trace numbers differ by few characters, as after a typo.
func isSimilar(a, b string) bool {
	if len(a) < 2*maxTypos || len(b) < 2*maxTypos || max(len(a)-len(b), len(b)-len(a)) > maxTypos {
		return false
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := before[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, before[j+1]+1, row[j]+1)
		}
		before, row = row, before
	}
	return before[len(b)] <= maxTypos
}

// payDay is what a payer paid on a day, or every payer if it's empty.
type payDay struct {
	payer string
	on    date.Date
}

// matchSums finds remittances that add up to a deposit: all of a payer's of one day, all of a day,
// or the only two or three that do. The trace number of one of them isn't necessary.
func (m *matcher) matchSums() {
	days := map[payDay][]*check{}
	for _, c := range m.checks {
		if c.isAddable() {
			days[payDay{c.payer, c.on}] = append(days[payDay{c.payer, c.on}], c)
			days[payDay{"", c.on}] = append(days[payDay{"", c.on}], c)
		}
	}
	bySum := map[int64][]payDay{}
	for _, day := range slices.SortedFunc(maps.Keys(days), func(a, b payDay) int {
		return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(b.payer, a.payer))
	}) {
		if list := days[day]; len(list) > 1 {
			bySum[sum(list)] = append(bySum[sum(list)], day)
		}
	}
	for i, d := range m.deposits {
		var named []*check
		switch match := m.matches[i]; {
		case d.Amount == nil:
			continue
		case match.Answer == Over && len(match.Remittances) == 1:
			named = m.usedBy(i)
		case match.Answer != "":
			continue
		}
		added := m.findDay(bySum[*d.Amount], days, d, named)
		if added == nil {
			added = m.findFew(d, *d.Amount-sum(named), maxAdded-len(named))
		}
		if added != nil {
			m.use(i, Several, added...)
		}
	}
}

// usedBy returns the checks of a deposit.
func (m *matcher) usedBy(deposit int) []*check {
	var list []*check
	for _, c := range m.byKey[m.keys[deposit]] {
		if c.usedBy == deposit+1 {
			list = append(list, c)
		}
	}
	return list
}

// findDay returns the checks of the first day that are all unused and near the deposit.
func (m *matcher) findDay(found []payDay, days map[payDay][]*check, d Deposit, named []*check) []*check {
	if len(named) > 0 {
		return nil
	}
	for _, day := range found {
		isNear := d.On == "" || addWeekdays(d.On, -weekdaysBefore) <= day.on && day.on <= addWeekdays(d.On, weekdaysAfter)
		if isNear && !slices.ContainsFunc(days[day], func(c *check) bool { return c.usedBy > 0 }) {
			return days[day]
		}
	}
	return nil
}

// findFew returns the only few checks that add up to an amount, or none if there are several ways.
func (m *matcher) findFew(d Deposit, amount int64, most int) []*check {
	list := slices.Collect(m.around(m.checks, d.On, nearestAdded))
	at := map[int64][]int{}
	for i, c := range list {
		at[c.amount] = append(at[c.amount], i)
	}
	var found []*check
	ways := 0
	add := func(ones ...int) {
		if ways++; ways == 1 {
			for _, one := range ones {
				found = append(found, list[one])
			}
		}
	}
	if most < maxAdded { // besides the one with the trace number
		for _, i := range at[amount] {
			add(i)
		}
	}
	for i, a := range list {
		for _, j := range at[amount-a.amount] {
			if j > i {
				add(i, j)
			}
		}
		for j := i + 1; j < len(list) && most == maxAdded; j++ {
			for _, k := range at[amount-a.amount-list[j].amount] {
				if k > j {
					add(i, j, k)
				}
			}
		}
	}
	if ways != 1 {
		return nil
	}
	return found
}
