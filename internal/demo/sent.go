package demo

import (
	"bufio"
	"bytes"
	"errors"
	"slices"

	"wcpp/internal/platform/date"
)

// The bills of the sample 837, and how many of them the network doesn't have.
const (
	sentBills   = 300
	sentUnknown = 9
)

// SentBills returns an 837 with the newest bills of the demo accounts' office, as it sent them to its
// clearinghouse. The network never received nine of them, and has three with other values.
func SentBills(today date.Date, bills int) ([]byte, error) {
	w := newWorld(today, bills)
	g := w.groups[0]
	sent := map[*practice][]bill{}
	add := func(b bill) {
		b.number, b.document, b.adjusted, b.received, b.pricing = "", "", "", "", received
		sent[b.practice] = append(sent[b.practice], b)
	}
	known := 0
	for j := g.bills - 1; j >= 0 && known < sentBills-sentUnknown; j-- {
		b := w.original(g, j)
		if b.practice.facility || g.isCorrected(j) || g.isCorrected(j+1) || w.isVoided(g, j) || w.isResent(g, j) {
			continue
		}
		switch known {
		case 40:
			b = b.addUnit()
		case 80:
			b.last += "s"
		case 10:
			b = b.moveTo(weekday(b.begin.AddDays(-1)))
		}
		add(b)
		known++
	}
	for j, unknown := g.bills, 0; unknown < sentUnknown; j++ {
		if b := w.original(g, j); !b.practice.facility {
			unknown++
			add(b.moveTo(weekday(today.AddDays(-4 - 3*unknown))))
		}
	}
	var out bytes.Buffer
	buffer := bufio.NewWriter(&out)
	x := newX12Writer(buffer, "HC", "005010X222A1", today)
	x.sender = "Lakeside Billing"
	writeClaimSet(x, g, sent, "CH", today)
	err := errors.Join(x.close(), buffer.Flush())
	return out.Bytes(), err
}

// moveTo returns the bill with its services on another day.
func (b bill) moveTo(day date.Date) bill {
	b.begin, b.end, b.lines = day, day, slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].day = day
	}
	return b
}
