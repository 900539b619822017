package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// table has the results and their goals.
type table struct{ rows [][]string }

// add records a result. The value it's compared with can be empty.
func (t *table) add(work, figure, against, ratio, goal string, met bool) {
	verdict := "yes"
	if !met {
		verdict = "**no**"
	}
	t.rows = append(t.rows, []string{work, figure, against, ratio, goal, verdict, time.Now().UTC().Format("2 Jan 2006")})
	say("%s: %s %s %s (goal %s): %s", work, figure, against, ratio, goal, verdict)
}

func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "On %d cores with %s of memory, %s.\n\n", runtime.NumCPU(), memory(), runtime.Version())
	b.WriteString("| Work | Portal | Bare | Ratio | Goal | Met | Measured |\n|---|--:|--:|--:|--:|---|---|\n")
	for _, row := range t.rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

const begin, end = "<!-- measured: begin -->\n", "<!-- measured: end -->"

// rowsOf parses the rows of a Markdown table.
func rowsOf(text []byte) (rows [][]string) {
	for line := range strings.Lines(string(text)) {
		line, is := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if is && !strings.HasPrefix(line, "Work |") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, " |"), " | "))
		}
	}
	return rows
}

// take replaces rows for the same work with new measurements and appends other rows.
func (t *table) take(measured [][]string) {
	for _, row := range measured {
		at := slices.IndexFunc(t.rows, func(r []string) bool { return r[0] == row[0] })
		if at < 0 {
			t.rows = append(t.rows, row)
			continue
		}
		t.rows[at] = row
	}
}

// write replaces the rows in the table between the file's markers.
func (t *table) write(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(text, []byte(begin))
	before, tail, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return fmt.Errorf("%s lacks the marks %q and %q", file, begin, end)
	}
	whole := &table{rows: rowsOf(before)}
	whole.take(t.rows)
	text = slices.Concat(head, []byte(begin+"\n"+whole.markdown()+"\n"+end), tail)
	return os.WriteFile(file, text, 0o644)
}

func memory() string {
	kb, err := procField("/proc/meminfo", "MemTotal")
	if err != nil {
		return "an unknown amount"
	}
	return fmt.Sprintf("%.0f GB", float64(kb)/(1<<20))
}

// procField reads a field in kB from a file such as /proc/1/status.
func procField(file, field string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			var kb int64
			_, err := fmt.Sscan(rest, &kb)
			return kb, err
		}
	}
	return 0, fmt.Errorf("%s has no field %s", file, field)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// grouped formats 1234567 as 1,234,567.
func grouped(n float64) string {
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// short formats 1000000 as 1 M.
func short(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%d M", n/1_000_000)
	}
	return fmt.Sprintf("%d k", n/1000)
}
