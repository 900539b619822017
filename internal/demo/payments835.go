package demo

import (
	"bufio"
	"cmp"
	"context"
	"slices"
	"strconv"

	"wcpp/internal/platform/date"
)

// payment is a payer's action on a bill, at one time.
type payment struct {
	bill
	status string // CLP02
	on     date.Date
	// part of the allowance that is paid, in percent; negative reverses it.
	percent    int64
	denial     denial // reason for paying nothing
	lineDetail lineDetail
	interest   int64 // late-payment interest
	// recovered is the amount that the payer recoups from a later check, starting on a day,
	// without reversing the payment.
	recovered int64
	from      date.Date
	unknown   bool // there is no such bill
}

// denial is an adjustment reason code with an optional remark code.
type denial struct{ reason, remark string }

var denials = []denial{{"29", ""}, {"P2", ""}, {"197", ""}, {"252", "N706"}, {"16", remarkOfClaim}}

// Remark codes: above the contract allowance, above the paid units, included in another service,
// and, at claim level, incomplete information.
const (
	remarkContract = "N381"
	remarkUnits    = "N362"
	remarkBundled  = "M15"
	remarkOfClaim  = "MA130"
)

// lineDetail is how a payer reports the lines of a bill.
type lineDetail int

const (
	asBilled lineDetail = iota
	bundled             // the last line is bundled into the first
	summed              // the payer reports a single line of its own
)

// payments returns the payments for bill j in order, or none while it is pending.
func (w *world) payments(g *group, j int) []payment {
	b := w.bill(g, j)
	r := newRandom(aboutPayments, g.number, j)
	on := b.end.AddDays(21 + r.IntN(20))
	late := isOneIn(r, 12)
	if late {
		on = on.AddDays(35)
	}
	if b.pricing != priced || g.isCorrected(j+1) || isOneIn(r, 4) || on > w.today || w.isVoided(g, j) {
		return nil
	}
	p := payment{bill: b, status: "1", on: on, percent: 100}
	if len(b.lines) > 1 && !b.practice.facility {
		switch r.IntN(25) {
		case 0:
			p.lineDetail = bundled
		case 1:
			p.lineDetail = summed
		}
	}
	later := on.AddDays(25 + r.IntN(20))
	again := func(status string, percent int64) payment {
		q := p
		q.status, q.percent, q.on = status, percent, later
		return q
	}
	switch n := r.IntN(100); {
	case n < 7:
		p.denial, p.lineDetail, p.percent = pick(r, denials), asBilled, 0
		if n < 4 {
			p.status = "4" // some payers use this status
		}
		return []payment{p}
	case n < 12 && later <= w.today:
		// First paid below allowance, then reversed and paid in full.
		p.percent = 80
		return []payment{p, again("22", -80), again("1", 100)}
	case n < 14 && later <= w.today:
		return []payment{p, again("22", -100)}
	case n < 22:
		p.percent = 85
	case n < 25 && later <= w.today:
		p.recovered, p.from = p.paid()*15/100, later
	}
	if late { // one percent per month from day 30
		p.interest = p.paid() * int64(max(on.Time().Sub(b.received.Time()).Hours()/24-30, 0)) / 3000
	}
	return []payment{p}
}

// unmatchedPayment is a payment or denial for a bill that the office never sent to the network.
func (w *world) unmatchedPayment(g *group, j int) (payment, bool) {
	b, r := w.original(g, j), newRandom(aboutUnmatched, g.number, j)
	is := isOneIn(r, 90) && b.pricing == priced
	p := payment{bill: b, status: "1", on: b.end.AddDays(30), percent: 100, unknown: true}
	p.account, p.number = "X"+b.account, "9"+b.number[1:]
	if isOneIn(r, 2) {
		p.denial, p.percent = pick(r, denials), 0
	}
	return p, is && p.on <= w.today
}

// check is what one payer pays one practice at one time.
type check struct {
	payer    payer
	practice *practice
	later    bool // contains reversals and corrections
	payments []payment
	trace    string // empty: the next number
}

// Maximum number of payments in a check, and of days it covers.
const (
	perCheck     = 25
	daysPerCheck = 7
)

// perCheckRun is how many of a group's bills are grouped into checks together.
const perCheckRun = 500

func (w *world) writePayments(ctx context.Context, out *bufio.Writer) error {
	x := newX12Writer(out, "HP", "005010X221A1", w.today)
	for _, g := range w.groups {
		open := dues{}
		for from := 0; from < g.bills; from += perCheckRun {
			if err := ctx.Err(); err != nil {
				return err
			}
			list := w.checks(g, from, min(from+perCheckRun, g.bills))
			for i := 0; i < len(list); i++ {
				if i+1 < len(list) && list[i].sharedWith(list[i+1], x.sets) {
					writeCheck(x, open, list[i], list[i+1])
					i++
					continue
				}
				writeCheck(x, open, list[i])
			}
		}
	}
	for _, c := range w.dayChecks() {
		writeCheck(x, dues{}, c)
	}
	return x.close()
}

// checks groups the payments of some of a group's bills into checks.
func (w *world) checks(g *group, from, to int) []check {
	var list []check
	put := func(b bill, later bool, payments []payment) {
		i := slices.IndexFunc(list, func(c check) bool {
			return c.payer == b.payer && c.practice == b.practice && c.later == later && len(c.payments) < perCheck &&
				c.payments[0].on.AddDays(-daysPerCheck) <= payments[0].on && payments[0].on <= c.payments[0].on.AddDays(daysPerCheck)
		})
		if i < 0 {
			list = append(list, check{payer: b.payer, practice: b.practice, later: later})
			i = len(list) - 1
		}
		list[i].payments = append(list[i].payments, payments...)
	}
	for j := from; j < to; j++ {
		if p, is := w.unmatchedPayment(g, j); is {
			put(p.bill, false, []payment{p})
		}
		all := w.payments(g, j)
		if len(all) == 0 {
			continue
		}
		put(all[0].bill, false, all[:1])
		if len(all) > 1 {
			put(all[0].bill, true, all[1:])
		}
	}
	slices.SortStableFunc(list, func(a, b check) int { return cmp.Compare(a.on(), b.on()) })
	return list
}

func (c check) on() date.Date {
	return slices.MaxFunc(c.payments, func(a, b payment) int { return cmp.Compare(a.on, b.on) }).on
}

// One in so many checks pays two practices, if the next check is from the same payer. In one of
// so many, the announced amount differs from the sum.
const (
	perShared = 8
	perOff    = 101
	off       = 12_00
)

// sharedWith reports whether a check and the next one are paid as one. n is the check's number.
func (c check) sharedWith(next check, n int) bool {
	return n%perShared == 0 && c.payer == next.payer && c.practice.ftin != next.practice.ftin && !c.later && !next.later
}

// adjustment is a provider-level adjustment. A positive amount reduces the check.
type adjustment struct {
	code, reference string
	amount          int64
	from            date.Date // first day when it can appear on a check
}

// dues are amounts that payers will recoup from a practice's later checks.
type dues map[dueKey][]adjustment

type dueKey struct {
	payer    payer
	practice *practice
}

// adjustments returns the adjustments of a check with the given sum, and the amount left to pay.
func (d dues) adjustments(c check, trace string, sum int64) (list []adjustment, total int64) {
	total = sum
	for _, p := range c.payments {
		if p.interest > 0 {
			list = append(list, adjustment{code: "L6", reference: p.control(), amount: -p.interest})
			total += p.interest
		}
	}
	who, on := dueKey{c.payer, c.practice}, c.on()
	waiting := d[who]
	d[who] = nil
	for _, due := range waiting {
		if due.from > on || due.amount > total {
			d[who] = append(d[who], due)
			continue
		}
		list = append(list, due)
		total -= due.amount
	}
	for _, p := range c.payments {
		if p.recovered > 0 {
			d[who] = append(d[who], adjustment{code: "WO", reference: p.control(), amount: p.recovered, from: p.from})
		}
	}
	if total < 0 {
		// A payer can't pay a negative amount, so the balance is carried forward.
		list = append(list, adjustment{code: "FB", reference: trace, amount: total})
		d[who] = append(d[who], adjustment{code: "FB", reference: trace, amount: -total, from: on.AddDays(1)})
		total = 0
	}
	return list, total
}

// writeCheck writes the set of a check that pays one or several practices.
func writeCheck(x *x12Writer, open dues, parts ...check) {
	trace, payer := cmp.Or(parts[0].trace, strconv.Itoa(40_000_017+x.sets*traceStep)), parts[0].payer
	var on date.Date
	var announced int64
	adjusted := make([][]adjustment, len(parts))
	for i, c := range parts {
		var total int64
		adjusted[i], total = open.adjustments(c, trace, c.sum())
		announced += total
		on = max(on, c.on())
	}
	if announced > 0 && x.sets%perOff == perOff/2 && parts[0].trace == "" {
		announced += off
	}
	x.set("835", func() {
		method := "CHK"
		switch {
		case announced == 0:
			method = "NON"
		case x.sets%3 == 0:
			method = "ACH"
		}
		x.segment("BPR", "I", formatDollars(announced), "C", method, "", "", "", "", "", "", "", "", "", "", "", formatCompact(on))
		x.segment("TRN", "1", trace, "19610000"+payer.id[3:])
		x.segment("DTM", "405", formatCompact(on))
		x.segment("N1", "PR", payer.name, "XV", payer.id)
		x.segment("N3", "100 Insurance Plaza")
		x.segment("N4", "Columbus", "OH", "43215")
		x.segment("PER", "CX", "", "TE", "6145550101")
		x.segment("PER", "BL", "Provider Payments", "TE", "6145550100")
		for i, c := range parts {
			x.segment("N1", "PE", c.practice.name, "XX", c.practice.npi)
			x.segment("REF", "TJ", c.practice.ftin)
			x.segment("LX", strconv.Itoa(i+1))
			for _, p := range c.payments {
				writePayment(x, p)
			}
		}
		for i, c := range parts {
			for some := range slices.Chunk(adjusted[i], 6) {
				elements := []string{"PLB", c.practice.npi, on.Time().Format("2006") + "1231"}
				for _, a := range some {
					elements = append(elements, a.code+":"+a.reference, formatDollars(a.amount))
				}
				x.segment(elements...)
			}
		}
	})
}

// sign returns -1 for a full reversal.
func (p payment) sign() int64 {
	if p.percent < 0 {
		return -1
	}
	return 1
}

func (p payment) paid() int64 {
	if p.lineDetail == summed {
		return p.paidFor(line{allowance: p.allowance})
	}
	var sum int64
	for _, l := range p.lines {
		sum += p.paidFor(l)
	}
	return sum
}

func (p payment) paidFor(l line) int64 { return l.allowance * p.percent / 100 }

// control returns the payer's claim control number.
func (p payment) control() string { return "P" + p.number }

func writePayment(x *x12Writer, p payment) {
	place, frequency := "11", "1"
	if p.practice.facility {
		place = "13"
	}
	if p.replaces != "" {
		frequency = "7"
	}
	filing := "WC"
	if p.payer.auto {
		filing = "AM"
	}
	x.segment("CLP", p.account, p.status, formatDollars(p.charge*p.sign()), formatDollars(p.paid()), "", filing, p.control(), place,
		frequency)
	x.segment("NM1", "QC", "1", p.last, p.first, p.middle)
	x.segment("NM1", "82", "1", p.provider.last, p.provider.first, p.provider.middle, "", "", "XX", p.provider.npi)
	if p.denial.remark == remarkOfClaim {
		x.segment("MOA", "", "", p.denial.remark)
	}
	if !p.unknown {
		x.segment("REF", "9A", p.number)
	}
	x.segment("REF", "CE", "LAKESHORE PPO")
	x.segment("DTM", "232", formatCompact(p.begin))
	x.segment("DTM", "233", formatCompact(p.end))
	x.segment("DTM", "050", formatCompact(p.received.AddDays(2)))
	if p.interest > 0 {
		x.segment("AMT", "I", formatDollars(p.interest))
	}
	switch p.lineDetail {
	case asBilled:
		for i, l := range p.lines {
			writePaid(x, p, l, i+1)
		}
	case bundled:
		last := len(p.lines) - 1
		for i, l := range p.lines[1:last] {
			writePaid(x, p, l, i+2)
		}
		writeBundle(x, p, p.lines[0], p.lines[last])
	case summed:
		all := line{service: service{code: "99199"}, units: 1, charge: p.charge, allowance: p.allowance, day: p.begin}
		writePaid(x, p, all, 0)
	}
}

// writePaid writes a line with the office's line number, or 0 for a line that the office didn't
// send.
func writePaid(x *x12Writer, p payment, l line, number int) {
	procedure, revenue := l.procedure(), l.revenue
	if procedure == "" {
		procedure, revenue = "NU:"+l.revenue, ""
	}
	charge, allowed, paid := l.charge*p.sign(), l.allowance*p.sign(), p.paidFor(l)
	x.segment("SVC", procedure, formatDollars(charge), formatDollars(paid), revenue, strconv.Itoa(l.units))
	x.segment("DTM", "472", formatCompact(l.day))
	denied := p.denial.reason != ""
	remark := remarkContract
	switch {
	case denied:
		x.segment("CAS", "CO", p.denial.reason, formatDollars(charge))
		remark = p.denial.remark
	case allowed != paid && l.units > 1:
		x.segment("CAS", "CO", "45", formatDollars(charge-allowed), "", "222", formatDollars(allowed-paid))
		remark = remarkUnits
	case allowed != paid:
		x.segment("CAS", "CO", "45", formatDollars(charge-allowed), "", "P12", formatDollars(allowed-paid))
	default:
		x.segment("CAS", "CO", "45", formatDollars(charge-allowed))
	}
	writeLineNumber(x, number)
	if !denied {
		x.segment("AMT", "B6", formatDollars(allowed))
	}
	if remark != "" && remark != remarkOfClaim {
		x.segment("LQ", "HE", remark)
	}
}

// writeBundle writes two lines and pays both with the first. That payment can exceed the first
// line's charge, so the second charge is added there and subtracted again.
func writeBundle(x *x12Writer, p payment, first, last line) {
	charge, allowed, paid := first.charge*p.sign(), (first.allowance+last.allowance)*p.sign(), p.paidFor(first)+p.paidFor(last)
	with := last.charge * p.sign()
	x.segment("SVC", first.procedure(), formatDollars(charge), formatDollars(paid), "", strconv.Itoa(first.units))
	x.segment("DTM", "472", formatCompact(first.day))
	adjusted := []string{"CAS", "CO", "45", formatDollars(charge + with - allowed), "", "94", formatDollars(-with)}
	if allowed != paid {
		adjusted = append(adjusted, "", "P12", formatDollars(allowed-paid))
	}
	x.segment(adjusted...)
	writeLineNumber(x, 1)
	x.segment("AMT", "B6", formatDollars(allowed))

	x.segment("SVC", first.procedure(), formatDollars(with), "0", "", strconv.Itoa(last.units), last.procedure())
	x.segment("DTM", "472", formatCompact(last.day))
	x.segment("CAS", "CO", "97", formatDollars(with))
	writeLineNumber(x, len(p.lines))
	x.segment("LQ", "HE", remarkBundled)
}

func writeLineNumber(x *x12Writer, number int) {
	if number > 0 {
		x.segment("REF", "6R", strconv.Itoa(number))
	}
}
