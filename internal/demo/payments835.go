package demo

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"wcpp/internal/platform/date"
)

// payment is what a payer does about a bill, at one time.
type payment struct {
	bill
	status string // CLP02
	on     date.Date
	// part of the allowance that is paid, in percent; negative takes it back.
	percent int64
	denial  string // reason, when nothing is paid
}

// payments are what becomes of bill j, in order; none while it waits.
func (w *world) payments(g *group, j int) []payment {
	b := w.bill(g, j)
	r := chance(aboutPayments, g.number, j)
	on := b.end.AddDays(21 + r.IntN(20))
	if b.pricing != priced || g.corrects(j+1) || oneIn(r, 4) || on > w.today {
		return nil
	}
	later := on.AddDays(25 + r.IntN(20))
	switch n := r.IntN(100); {
	case n < 6:
		return []payment{{b, "4", on, 0, pick(r, []string{"29", "P2", "197"})}}
	case n < 11 && later <= w.today:
		// Paid short first; then taken back and paid in full.
		return []payment{{b, "1", on, 80, ""}, {b, "22", later, -80, ""}, {b, "1", later, 100, ""}}
	case n < 13 && later <= w.today:
		return []payment{{b, "1", on, 100, ""}, {b, "22", later, -100, ""}}
	default:
		return []payment{{b, "1", on, 100, ""}}
	}
}

// check is what one payer pays one practice at one time.
type check struct {
	payer    payer
	practice *practice
	later    bool // holds what was taken back and corrected
	payments []payment
}

// A check holds at most so many payments, of as many days.
const (
	perCheck     = 25
	daysPerCheck = 7
)

func (w *world) writePayments(ctx context.Context, out *bufio.Writer) error {
	x := newX12Writer(out, "HP", "005010X221A1", w.today)
	for _, g := range w.groups {
		for from := 0; from < g.bills; from += perSet {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, c := range w.checks(g, from, min(from+perSet, g.bills)) {
				writeCheck(x, c)
			}
		}
	}
	return x.close()
}

// checks gathers the payments of some of a group's bills.
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
		all := w.payments(g, j)
		if len(all) == 0 {
			continue
		}
		put(all[0].bill, false, all[:1])
		if len(all) > 1 {
			put(all[0].bill, true, all[1:])
		}
	}
	return list
}

func writeCheck(x *x12Writer, c check) {
	on := slices.MaxFunc(c.payments, func(a, b payment) int { return cmp.Compare(a.on, b.on) }).on
	var total int64
	for _, p := range c.payments {
		total += p.paid()
	}
	// A payer cannot pay less than nothing: what it is owed is carried forward.
	forward := min(total, 0)
	total -= forward
	x.set("835", func() {
		method := "CHK"
		switch {
		case total == 0:
			method = "NON"
		case x.sets%3 == 0:
			method = "ACH"
		}
		x.segment("BPR", "I", dollars(total), "C", method, "", "", "", "", "", "", "", "", "", "", "", compact(on))
		x.segment("TRN", "1", strconv.Itoa(40_000_000+x.sets*17), "1"+"961000000")
		x.segment("DTM", "405", compact(on))
		x.segment("N1", "PR", c.payer.name, "XV", c.payer.id)
		x.segment("N3", "100 Insurance Plaza")
		x.segment("N4", "Columbus", "OH", "43215")
		x.segment("PER", "BL", "Provider Payments", "TE", "6145550100")
		x.segment("N1", "PE", c.practice.name, "XX", c.practice.npi)
		x.segment("REF", "TJ", c.practice.ftin)
		x.segment("LX", "1")
		for _, p := range c.payments {
			writePayment(x, p)
		}
		if forward != 0 {
			x.segment("PLB", c.practice.npi, on.Time().Format("2006")+"1231", "FB", dollars(forward))
		}
	})
}

// sign is -1 where everything is taken back.
func (p payment) sign() int64 {
	if p.percent < 0 {
		return -1
	}
	return 1
}

func (p payment) paid() int64 {
	var sum int64
	for _, l := range p.lines {
		sum += p.paidFor(l)
	}
	return sum
}

func (p payment) paidFor(l line) int64 { return l.allowance * p.percent / 100 }

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
	x.segment("CLP", p.account, p.status, dollars(p.charge*p.sign()), dollars(p.paid()), "", filing, "P"+p.number, place, frequency)
	x.segment("NM1", "QC", "1", p.last, p.first, p.middle)
	x.segment("NM1", "82", "1", p.provider.last, p.provider.first, p.provider.middle, "", "", "XX", p.provider.npi)
	x.segment("REF", "9A", p.number)
	x.segment("DTM", "232", compact(p.begin))
	x.segment("DTM", "233", compact(p.end))
	for i, l := range p.lines {
		procedure := l.procedure()
		revenue := l.revenue
		if procedure == "" {
			procedure, revenue = "NU:"+l.revenue, ""
		}
		charge, allowed, paid := l.charge*p.sign(), l.allowance*p.sign(), p.paidFor(l)
		x.segment("SVC", procedure, dollars(charge), dollars(paid), revenue, strconv.Itoa(l.units))
		x.segment("DTM", "472", compact(l.day))
		switch {
		case p.denial != "":
			x.segment("CAS", "CO", p.denial, dollars(charge))
		case allowed != paid:
			x.segment("CAS", "CO", "45", dollars(charge-allowed), "", "P12", dollars(allowed-paid))
		default:
			x.segment("CAS", "CO", "45", dollars(charge-allowed))
		}
		x.segment("REF", "6R", fmt.Sprint(i+1))
		x.segment("AMT", "B6", dollars(allowed))
	}
}
