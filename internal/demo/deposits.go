package demo

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"wcpp/internal/platform/date"
)

// depositsPerDay is how many checks and transfers the demo office deposits on one day. The first
// one pays perCheck bills.
const depositsPerDay = 25

// Traces of the day's payments. They differ from those of the other checks.
const (
	firstDayTrace = 50_000_017
	traceStep     = 17
)

// depositDay is the day of the bank's list.
func (w *world) depositDay() date.Date { return weekday(w.today.AddDays(-1)) }

// dayChecks returns the checks of the bank's list: one for many of a practice's bills, and one each
// for other bills. They pay the latest bills that nobody paid. A small demo has fewer. The payer
// of the first one is an administrator who also pays for other payers.
func (w *world) dayChecks() []check {
	g := w.groups[0]
	var unpaid []payment
	count := map[*practice]int{}
	var most *practice
	on := w.depositDay()
	for j := g.bills - 1; j >= max(0, g.bills-DefaultBills); j-- {
		b := w.bill(g, j)
		if b.pricing != priced || g.isCorrected(j+1) || w.isVoided(g, j) || w.isResent(g, j) || b.end.AddDays(45) > w.today ||
			len(w.payments(g, j)) > 0 {
			continue
		}
		unpaid = append(unpaid, payment{bill: b, status: "1", on: on, percent: 100})
		if count[b.practice]++; most == nil || count[b.practice] > count[most] {
			most = b.practice
		}
	}
	list := make([]check, 0, depositsPerDay)
	large := check{practice: most}
	for _, p := range unpaid {
		switch {
		case p.practice == most && len(large.payments) < perCheck:
			large.payer = p.payer
			large.payments = append(large.payments, p)
		case p.practice != most && len(list) < depositsPerDay-1:
			list = append(list, check{payer: p.payer, practice: p.practice, payments: []payment{p}})
		}
	}
	if len(large.payments) > 0 {
		list = slices.Insert(list, 0, large)
	}
	for i := range list {
		list[i].trace = strconv.Itoa(firstDayTrace + i*traceStep)
	}
	return list
}

// WriteBankList writes the list of one day's deposits as the demo office's bank shows it.
func WriteBankList(out io.Writer, today date.Date, bills int) error {
	w := newWorld(today, bills)
	buffered := bufio.NewWriter(out)
	table := csv.NewWriter(buffered)
	rows := [][]string{{"Date", "Description", "Check or reference", "Amount"}}
	for _, c := range w.dayChecks() {
		rows = append(rows, []string{w.depositDay().US(), "DEPOSIT " + c.payer.name, c.trace, formatDollars(c.sum())})
	}
	if err := table.WriteAll(rows); err != nil {
		return err
	}
	return buffered.Flush()
}

func (c check) sum() (total int64) {
	for _, p := range c.payments {
		total += p.paid()
	}
	return total
}
