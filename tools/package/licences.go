package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed lists the licenses that the program may include. They require their text and the
// authors' names in the distribution, and nothing else if the files are unchanged. Font licenses
// forbid selling the font alone.
var allowed = []string{"0BSD", "Apache-2.0", "Bitstream-Vera", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Zlib",
	"GooglePatentsFile"}

// special lists files and modules that were reviewed by hand.
var special = map[string]struct {
	Allowed []string // in addition to allowed
	Plain   string   // the license of a file with a text that isn't recognized
	Absent  bool     // covers only parts that the program doesn't include
}{
	// MPL-2.0 requires the source of its own files. They're used as published.
	"github.com/riverqueue/river/": {Allowed: []string{"MPL-2.0"}},
	// Also names modules that only the module graph contains.
	"modernc.org/sqlite/LICENSE-3RD-PARTY.md": {Plain: "BSD-3-Clause AND MIT"},
	// SQLite is in the public domain.
	"modernc.org/sqlite/LICENSE-SQLITE": {Plain: "blessing"},
	// Logos.
	"modernc.org/memory/LICENSE-LOGO":                       {Absent: true},
	"github.com/wneessen/go-mail/LICENSES/CC-BY-ND-4.0.txt": {Absent: true},
}

// coverage is the percentage of a module's license text that must be recognized. The rest is
// authors' names and remarks on single files.
const coverage = 75

// licenceOf reads a Go module's licenses from its texts. It refuses those that aren't allowed,
// recognized or present.
func licenceOf(p part) (string, error) {
	var found []string
	own := false // the module's root names its license
	for _, t := range p.Texts {
		base := strings.ToLower(t.Name[strings.LastIndex(t.Name, "/")+1:])
		if strings.HasPrefix(base, "notice") || strings.HasPrefix(base, "copyright") {
			continue // included as it is
		}
		if s, is := special[p.Name+"/"+t.Name]; is && s.Plain != "" {
			found = append(found, strings.Split(s.Plain, " AND ")...)
			continue
		}
		scan := licensecheck.Scan([]byte(t.Content))
		if len(scan.Match) == 0 {
			return "", fmt.Errorf("%s: unrecognized license in %s", p.Name, t.Name)
		}
		for _, match := range scan.Match {
			if !slices.Contains(allowed, match.ID) && !isAllowedException(p, match.ID) {
				return "", fmt.Errorf("%s: %s names %s, which is not an allowed license", p.Name, t.Name, match.ID)
			}
			if match.ID != "GooglePatentsFile" {
				found = append(found, match.ID)
			}
		}
		own = own || !strings.Contains(t.Name, "/") && !strings.HasPrefix(base, "patents") && scan.Percent >= coverage
	}
	if !own {
		return "", fmt.Errorf("%s has no license", p.Name)
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " AND "), nil
}

// choice returns the first allowed license of an SPDX expression with alternatives, or an empty
// string.
func choice(licence string) string {
	licence = strings.TrimSuffix(strings.TrimPrefix(licence, "("), ")")
	for offered := range strings.SplitSeq(licence, " OR ") {
		if !slices.ContainsFunc(strings.Split(offered, " AND "), func(id string) bool { return !slices.Contains(allowed, id) }) {
			return offered
		}
	}
	return ""
}

func isAllowedException(p part, id string) bool {
	for name, s := range special {
		if strings.HasPrefix(p.Name+"/", name) && slices.Contains(s.Allowed, id) {
			return true
		}
	}
	return false
}
