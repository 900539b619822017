package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/date"
)

// period is the age of the first bill in days.
const period = 540

// billsPerClaim is the average number of bills per claim.
const billsPerClaim = 4

// claim is an accident and the injured person.
type claim struct {
	person
	number    string
	birth     date.Date
	injury    date.Date
	payer     payer
	employer  string
	street    string
	place     place
	state     string // of jurisdiction
	diagnoses []string
}

// injuries are sets of diagnoses that occur together.
var injuries = [][]string{
	{"S335XXA", "M5450"}, {"M5416", "M5126"}, {"S134XXA", "M542"}, {"S46011A", "M25511"}, {"S83241A", "M25561"}, {"S93401A"},
	{"S62501A"}, {"G5601"}, {"S52501A", "S61401A"}, {"M7541", "M25511"}, {"S80011A", "S8001XA"}, {"S0990XA", "R519"},
}

// day returns the approximate date of the group's bill j. Bills are spread evenly and in order.
func (w *world) day(g *group, j int) date.Date {
	return w.today.AddDays(-period + j*(period-3)/max(g.bills, 1))
}

// claims returns the number of claims of the group's patients.
func (g *group) claims() int { return (g.bills + billsPerClaim - 1) / billsPerClaim }

// elsewhere lists states where some patients of a state's offices were injured, by claim number
// modulo six. The rules of these states are on file.
var elsewhere = map[string]map[int]string{"OH": {1: "IL", 4: "TX"}}

func (w *world) claim(g *group, c int) claim {
	r := newRandom(aboutClaims, g.number, c)
	k := claim{person: newPerson(r), payer: pick(r, payers), employer: pick(r, employers), street: newAddress(r),
		place: pick(r, places[g.state]), state: g.state, diagnoses: pick(r, injuries)}
	if away, is := elsewhere[g.state][c%6]; is {
		k.state = away
	}
	// Weekend bills are dated up to two days earlier.
	k.injury = w.day(g, c*billsPerClaim).AddDays(-3 - r.IntN(9))
	k.birth = w.today.AddDays(-(19*365 + r.IntN(46*365)))
	prefix := "WC"
	if k.payer.auto {
		prefix = "AU"
	}
	k.number = fmt.Sprintf("%s%s%02d%07d", prefix, k.injury.Time().Format("06"), g.number+10, c*3+1)
	return k
}

func (w *world) claimRows(ctx context.Context, row func(...string)) error {
	row("claim_number", "payer_id", "payer_name", "claimant_first_name", "claimant_last_name", "claimant_birth_date", "date_of_injury",
		"state_of_jurisdiction", "claimant_gender")
	for _, g := range w.groups {
		for c := range g.claims() {
			k := w.claim(g, c)
			row(k.number, k.payer.id, k.payer.name, k.first, k.last, string(k.birth), string(k.injury), k.state, k.gender)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// pricing is the network's result for a bill.
type pricing int

const (
	priced pricing = iota
	received
	refused // the network doesn't have a contract with the provider
	sheet   // reported only for its pricing sheet
)

// bill is a bill with the data for its 837 and 835.
type bill struct {
	claim
	number     string // the network's
	document   string
	account    string // the provider's patient account number
	adjusted   string // billing ID
	replaces   string // number of the bill it corrects
	void       bool   // it voids the bill that it replaces
	pricing    pricing
	practice   *practice
	provider   provider
	begin, end date.Date
	received   date.Date // by the network
	lines      []line
	charge     int64
	allowance  int64
}

type line struct {
	service
	units     int
	charge    int64
	allowance int64
	day       date.Date
}

// service is a billable service.
type service struct {
	revenue, code, modifier string
	most                    int // units, at most
}

var (
	professional = []service{
		{"", "99203", "", 1}, {"", "99204", "", 1}, {"", "99213", "", 1}, {"", "99214", "", 1}, {"", "99455", "", 1},
		{"", "97110", "GP", 4}, {"", "97112", "GP", 2}, {"", "97140", "GP", 2}, {"", "97530", "GP", 2}, {"", "97161", "GP", 1},
		{"", "20610", "RT", 1}, {"", "64483", "", 1}, {"", "73030", "RT", 1}, {"", "73721", "26", 1}, {"", "72148", "TC", 1},
		{"", "95886", "", 2}, {"", "98940", "", 1}, {"", "29827", "RT", 1}, {"", "29881", "LT", 1}, {"", "L3908", "RT", 1},
	}
	institutional = []service{
		{"0450", "99283", "25", 1}, {"0320", "73030", "", 1}, {"0360", "29827", "RT", 1}, {"0420", "97110", "GP", 4},
		{"0636", "J1885", "", 2}, {"0250", "", "", 1}, {"0270", "", "", 3}, {"0710", "", "", 1}, {"0370", "", "", 1},
		{"0301", "80053", "", 1}, {"0610", "73721", "", 1},
	}
)

// services returns what the practice offers: therapists don't operate, and radiologists only do
// imaging.
func (p *practice) services() []service {
	if p.facility {
		return institutional
	}
	codes := map[string]string{"Physical Therapy": "97", "Radiology": "7", "Chiropractic": "9"}[p.specialty]
	if codes == "" {
		return professional
	}
	var offered []service
	for _, s := range professional {
		if strings.HasPrefix(s.code, codes) {
			offered = append(offered, s)
		}
	}
	return offered
}

// isCorrected reports whether bill j corrects the bill before it.
func (g *group) isCorrected(j int) bool {
	hit := func(j int) bool { return isOneIn(newRandom(aboutCorrections, g.number, j), 60) }
	return j > 0 && hit(j) && !hit(j-1)
}

// bill creates the group's bill j.
func (w *world) bill(g *group, j int) bill {
	if !g.isCorrected(j) {
		return w.original(g, j)
	}
	b := w.original(g, j-1)
	b.replaces = b.number
	b.number, b.document = numbers(w, g, j)
	b = b.addUnit()
	b.pricing = priced
	return b
}

// addUnit returns the bill with one more unit of its first service.
func (b bill) addUnit() bill {
	b.lines = slices.Clone(b.lines)
	l := &b.lines[0]
	charged, allowed := l.charge/int64(l.units), l.allowance/int64(l.units)
	l.units++
	l.charge, l.allowance = l.charge+charged, l.allowance+allowed
	b.charge, b.allowance = b.charge+charged, b.allowance+allowed
	return b
}

func numbers(w *world, g *group, j int) (number, document string) {
	n := g.first + j
	return fmt.Sprintf("7%09d", n*7+1_003), fmt.Sprintf("%s%07d", formatCompact(w.day(g, j)), n%10_000_000)
}

func (w *world) original(g *group, j int) bill {
	r := newRandom(aboutBills, g.number, j)
	// The bills of a claim are within about two months of each other.
	window := max(20, g.bills*60/period/billsPerClaim)
	c := j / billsPerClaim
	c -= r.IntN(min(c, window) + 1)
	b := bill{claim: w.claim(g, c)}
	b.number, b.document = numbers(w, g, j)
	b.account = fmt.Sprintf("%c%02d-%06d", b.last[0], g.number+10, j)

	total := 0
	for _, p := range g.practices {
		total += p.weight
	}
	at := r.IntN(total)
	for _, p := range g.practices {
		if at -= p.weight; at < 0 {
			b.practice = p
			break
		}
	}
	b.provider = pick(r, b.practice.providers)

	b.begin = weekday(w.day(g, j))
	b.end = b.begin
	if b.practice.facility && isOneIn(r, 3) {
		b.end = b.begin.AddDays(1 + r.IntN(2))
	}
	b.received = min(b.end.AddDays(1+r.IntN(4)), w.today)
	prices := w.schedule(b)
	markup := int64(125 + r.IntN(70)) // charge in percent of the allowance
	services := b.practice.services()
	order := r.Perm(len(services))
	for _, i := range order[:min(len(order), 1+r.IntN(5))] {
		s := services[i]
		l := line{service: s, units: 1 + r.IntN(s.most), day: b.begin}
		if b.end > b.begin && r.IntN(2) == 0 {
			l.day = b.end
		}
		each := w.getAllowance(prices, s, l.day)
		l.allowance = each * int64(l.units)
		l.charge = (each*markup/2500 + 1) * 25 * int64(l.units) // rounded to 25 cents
		b.charge += l.charge
		b.allowance += l.allowance
		b.lines = append(b.lines, l)
	}
	switch n := r.IntN(100); {
	case b.end.AddDays(8) > w.today, n < 7:
		b.pricing = received
	case n < 10:
		b.pricing = refused
	case n < 19:
		b.pricing = sheet
		if isOneIn(r, 2) {
			b.adjusted = fmt.Sprintf("8%09d", (g.first+j)*7+1_003)
		}
	}
	return b
}

// schedule returns the fee schedule that prices the bill.
func (w *world) schedule(b bill) schedule {
	id, lob := b.provider.id, "DPWC"
	if b.practice.facility {
		id = b.practice.id
	}
	if b.payer.auto {
		lob = "DPAUT"
	}
	s, _ := w.findSchedule(id, b.practice, lob)
	return s
}

// isVoided reports whether the office voids bill j after it was priced.
func (w *world) isVoided(g *group, j int) bool {
	return isOneIn(newRandom(aboutVoids, g.number, j), 90) && !g.isCorrected(j) && !g.isCorrected(j+1) && w.original(g, j).pricing == priced
}

// isResent reports whether the office first charged one unit too many on bill j, then sent it
// again under the same number.
func (w *world) isResent(g *group, j int) bool {
	return isOneIn(newRandom(aboutResent, g.number, j), 40) && !g.isCorrected(j) && !g.isCorrected(j+1) && !w.isVoided(g, j) &&
		w.original(g, j).pricing == priced
}

// weekday moves a weekend date to the Friday before.
func weekday(d date.Date) date.Date {
	switch d.Time().Weekday() {
	case time.Saturday:
		return d.AddDays(-1)
	case time.Sunday:
		return d.AddDays(-2)
	}
	return d
}
