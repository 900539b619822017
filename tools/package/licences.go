package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are licences under which the program may carry what others wrote: they ask for
// their text and the names of the authors to go along, and for nothing more of who changes
// nothing. Those of fonts allow none to be sold by itself.
var allowed = []string{"0BSD", "Apache-2.0", "Bitstream-Vera", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Zlib", "GooglePatentsFile"}

// special are files and modules that were looked at one by one.
var special = map[string]struct {
	Allowed []string // besides those above
	Plain   string   // the licence of a file in whose text none is recognised
	Absent  bool     // speaks of what the program does not carry
}{
	// MPL-2.0 asks for the source of its own files, which are used as they were published.
	"github.com/riverqueue/river/": {Allowed: []string{"MPL-2.0"}},
	// Names, besides what is translated in it, what its module graph alone has.
	"modernc.org/sqlite/LICENSE-3RD-PARTY.md":   {Plain: "BSD-3-Clause AND MIT"},
	"github.com/go-fonts/dejavu/LICENSE-DejaVu": {Plain: "Bitstream-Vera"},
	// SQLite's authors gave it away.
	"modernc.org/sqlite/LICENSE-SQLITE": {Plain: "blessing"},
	// Logos.
	"modernc.org/memory/LICENSE-LOGO":                       {Absent: true},
	"github.com/wneessen/go-mail/LICENSES/CC-BY-ND-4.0.txt": {Absent: true},
}

// coverage is the share of a module's own licence, in percent, that must be recognised:
// what is left are names of authors, and remarks on single files.
const coverage = 75

// licenceOf reads a Go module's licences from its texts, and refuses those that are not
// allowed, not recognised or not there.
func licenceOf(p part) (string, error) {
	var found []string
	own := false // the module's root says under which licence it is
	for _, t := range p.Texts {
		base := strings.ToLower(t.Name[strings.LastIndex(t.Name, "/")+1:])
		if strings.HasPrefix(base, "notice") || strings.HasPrefix(base, "copyright") {
			continue // goes along as it is
		}
		if s, is := special[p.Name+"/"+t.Name]; is && s.Plain != "" {
			found = append(found, strings.Split(s.Plain, " AND ")...)
			continue
		}
		scan := licensecheck.Scan([]byte(t.Content))
		if len(scan.Match) == 0 {
			return "", fmt.Errorf("%s: nobody knows the licence in its %s", p.Name, t.Name)
		}
		for _, match := range scan.Match {
			if !slices.Contains(allowed, match.ID) && !excepted(p, match.ID) {
				return "", fmt.Errorf("%s: its %s speaks of %s, which is not among the licences that may go out", p.Name, t.Name, match.ID)
			}
			if match.ID != "GooglePatentsFile" {
				found = append(found, match.ID)
			}
		}
		own = own || !strings.Contains(t.Name, "/") && !strings.HasPrefix(base, "patents") && scan.Percent >= coverage
	}
	if !own {
		return "", fmt.Errorf("%s says nowhere under which licence it is", p.Name)
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " AND "), nil
}

// choice answers what of a licence, an SPDX expression, the program goes by: of those offered
// beside each other the first that is allowed; nothing where none is.
func choice(licence string) string {
	licence = strings.TrimSuffix(strings.TrimPrefix(licence, "("), ")")
	for offered := range strings.SplitSeq(licence, " OR ") {
		if !slices.ContainsFunc(strings.Split(offered, " AND "), func(id string) bool { return !slices.Contains(allowed, id) }) {
			return offered
		}
	}
	return ""
}

func excepted(p part, id string) bool {
	for name, s := range special {
		if strings.HasPrefix(p.Name+"/", name) && slices.Contains(s.Allowed, id) {
			return true
		}
	}
	return false
}
