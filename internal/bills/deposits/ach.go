package deposits

import (
	"fmt"
	"strings"
	"time"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/money"
)

// achLine is the length of a record of an ACH file.
const achLine = 94

// achHeader are the columns of the table that readACH returns.
var achHeader = []string{"Date", "Amount", "Trace", "Description"}

// readACH reads the CCD+ entries of an ACH file, or addenda records alone, as a table with one line
// per entry. It returns nil for other text.
func readACH(content string) [][]string {
	lines := splitACH(content)
	if !isACH(lines) {
		return nil
	}
	var entries []achEntry
	var batch achBatch
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "5"):
			batch = readBatch(line)
		case strings.HasPrefix(line, "6"):
			entries = append(entries, readEntry(line, batch))
		case strings.HasPrefix(line, "7"):
			// Without an entry before it, the addenda record stands for the deposit.
			if len(entries) == 0 || entries[len(entries)-1].amount == "" || entries[len(entries)-1].trace != "" {
				entries = append(entries, achEntry{})
			}
			entries[len(entries)-1].addAddenda(line)
		}
	}
	return toRows(entries)
}

// splitACH splits a file into its records. Some systems write them without line ends, or without
// the spaces at the end of a line.
func splitACH(content string) []string {
	var lines []string
	for line := range strings.FieldsFuncSeq(content, func(r rune) bool { return r == '\n' || r == '\r' }) {
		for len(line) > achLine && len(line)%achLine == 0 {
			lines = append(lines, line[:achLine])
			line = line[achLine:]
		}
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// isACH reports whether all lines are records of an ACH file and one is an addenda record or an
// entry.
func isACH(lines []string) bool {
	found := false
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "705"), strings.HasPrefix(line, "6") && len(line) >= 79:
			found = true
		case strings.HasPrefix(line, "799"): // a return
		case len(line) < 50 || !strings.ContainsRune("15689", rune(line[0])):
			return false
		}
	}
	return found
}

// achBatch is what the header of a batch states about its entries.
type achBatch struct{ company, on string }

func readBatch(line string) achBatch {
	b := achBatch{company: strings.TrimSpace(field(line, 4, 20))}
	if t, err := time.Parse("060102", field(line, 69, 75)); err == nil {
		b.on = date.Of(t).US()
	}
	return b
}

// achEntry is one transfer.
type achEntry struct{ on, amount, trace, note string }

func readEntry(line string, batch achBatch) achEntry {
	e := achEntry{on: batch.on, note: batch.company}
	var cents int64
	if _, err := fmt.Sscanf(field(line, 29, 39), "%d", &cents); err != nil || cents < 0 {
		e.amount = field(line, 29, 39) // reported as unreadable
		return e
	}
	if kind := field(line, 2, 3); kind >= "5" && kind <= "9" { // a debit
		cents = -cents
	}
	e.amount = money.Text(cents)
	return e
}

// addAddenda takes the trace number of the payer from an addenda record.
func (e *achEntry) addAddenda(line string) {
	information := strings.TrimSpace(field(line, 3, 83))
	if found := trn.FindStringSubmatch(line); found != nil {
		e.trace = found[1]
	} else if e.note == "" {
		e.note = information
	} else {
		e.note += " " + information
	}
}

// field returns the characters of a record from one position up to another.
func field(line string, from, to int) string {
	return line[min(from, len(line)):min(to, len(line))]
}

// toRows returns a table with a header. A column that no entry has is left out.
func toRows(entries []achEntry) [][]string {
	rows := [][]string{{}}
	for range entries {
		rows = append(rows, []string{})
	}
	for i, name := range achHeader {
		values := make([]string, len(entries))
		used := false
		for n, e := range entries {
			values[n] = strings.ToValidUTF8([]string{e.on, e.amount, e.trace, e.note}[i], "")
			used = used || values[n] != ""
		}
		if !used {
			continue
		}
		rows[0] = append(rows[0], name)
		for n, v := range values {
			rows[n+1] = append(rows[n+1], v)
		}
	}
	return rows
}
