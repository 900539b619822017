package demo

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
)

// x12Writer writes an interchange with one functional group. It counts the totals for the
// closing segments.
type x12Writer struct {
	out      *bufio.Writer
	guide    string
	sender   string // of claims
	sets     int
	segments int // in the current set
	level    int // number of the last HL
	err      error
}

// newX12Writer opens the interchange; code is HC for claims, HP for payments.
func newX12Writer(out *bufio.Writer, code, guide string, on date.Date) *x12Writer {
	w := &x12Writer{out: out, guide: guide, sender: "Lakeshore Network Repricing"}
	day := formatCompact(on)
	w.segment("ISA", "00", pad("", 10), "00", pad("", 10), "ZZ", pad("LAKESHORENET", 15), "ZZ", pad("PROVIDERPORTAL", 15),
		day[2:], "0600", "^", "00501", "000000001", "0", "T", ":")
	w.segment("GS", code, "LAKESHORENET", "PROVIDERPORTAL", day, "0600", "1", "X", guide)
	return w
}

func pad(s string, n int) string { return fmt.Sprintf("%-*s", n, s) }

// segment writes a segment without trailing empty elements.
func (w *x12Writer) segment(elements ...string) {
	if w.err != nil {
		return
	}
	for len(elements) > 1 && elements[len(elements)-1] == "" {
		elements = elements[:len(elements)-1]
	}
	w.segments++
	_, w.err = w.out.WriteString(strings.Join(elements, "*") + "~\n")
}

// set writes a transaction set. body writes the segments between ST and SE.
func (w *x12Writer) set(code string, body func()) {
	w.sets++
	control := fmt.Sprintf("%04d", w.sets)
	w.segments, w.level = 0, 0
	w.segment("ST", code, control, w.guide)
	body()
	w.segment("SE", strconv.Itoa(w.segments+1), control)
}

// hierarchy writes an HL under the parent (0 for none) and returns its number.
func (w *x12Writer) hierarchy(parent int, code string, hasChildren bool) int {
	w.level++
	above, below := "", "0"
	if parent > 0 {
		above = strconv.Itoa(parent)
	}
	if hasChildren {
		below = "1"
	}
	w.segment("HL", strconv.Itoa(w.level), above, code, below)
	return w.level
}

// close ends the interchange and returns the first error.
func (w *x12Writer) close() error {
	w.segment("GE", strconv.Itoa(w.sets), "1")
	w.segment("IEA", "1", "000000001")
	return w.err
}
