package demo

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"wcpp/internal/platform/date"
)

// Week is the content of a file that arrived on one day.
type Week struct {
	Name string
	Day  date.Date
	Text []byte
}

// weeks is the number of weeks over which a file's content arrives.
const weeks = 13

// written matches the date of a transaction set: BHT04 for claims, BPR16 for payments.
var written = regexp.MustCompile(`\n(?:BHT(?:\*[^*~]*){3}|BPR(?:\*[^*~]*){15})\*(\d{8})`)

// ByWeek splits an X12 file into weekly files, oldest first. The first one includes everything
// earlier. The last one keeps the file's name and has today's date.
func ByWeek(name string, text []byte, today date.Date) ([]Week, error) {
	head, rest, _ := bytes.Cut(text, []byte("ST*"))
	rest, _, _ = bytes.Cut(rest, []byte("GE*"))
	var parts [weeks + 1][]string
	for set := range strings.SplitSeq(string(rest), "\nST*") {
		found := written.FindStringSubmatch(set)
		if found == nil {
			return nil, fmt.Errorf("%s: transaction set without a date", name)
		}
		day, err := date.ParseCompact(found[1])
		if err != nil {
			return nil, err
		}
		age := max(0, min(weeks, int(today.Time().Sub(day.Time()).Hours()/24/7)))
		parts[age] = append(parts[age], "ST*"+strings.TrimSuffix(set, "\n"))
	}
	var list []Week
	for age := weeks; age >= 0; age-- {
		if len(parts[age]) == 0 {
			continue
		}
		w := Week{Name: name, Day: today.AddDays(-7 * age)}
		if age > 0 {
			w.Name = strings.TrimSuffix(name, ".edi") + "-" + string(w.Day) + ".edi"
		}
		w.Text = fmt.Appendf(nil, "%s%s\nGE*%d*1~\nIEA*1*000000001~\n", head, strings.Join(parts[age], "\n"), len(parts[age]))
		list = append(list, w)
	}
	return list, nil
}
