package facts

import (
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// Person is a patient in the form used for comparison.
type Person struct {
	Last, First, suffix string
	birth               date.Date
}

// NewPerson returns the patient of a bill.
func NewPerson(b Bill) Person {
	n := FullName(b)
	return Person{n.Last, n.First, n.Suffix, b.PatientBirthDate}
}

// FullName returns the name of a patient for searches.
func FullName(b Bill) names.Name { return names.Of(b.PatientLastName, b.PatientFirstName) }

// Matches reports whether two names can be the same patient's.
func (p Person) Matches(other Person) bool {
	return p.Last != "" && p.LastNameMatches(other) && FirstNamesMatch(p.First, other.First) && isSameOrMissing(p.birth, other.birth)
}

// MatchesByNumber is less strict, for bills that share the network's number.
func (p Person) MatchesByNumber(other Person) bool {
	last := p.LastNameMatches(other) || p.Last == "" || other.Last == ""
	first := FirstNamesMatch(p.First, other.First)
	return last && first || (last || first) && isSameOrMissing(p.birth, other.birth)
}

// MatchesByRow compares table rows with the same number. If one of the names differs, the birth
// dates must match.
func (p Person) MatchesByRow(other Person) bool {
	last := p.LastNameMatches(other) || p.Last == "" || other.Last == ""
	first := FirstNamesMatch(p.First, other.First)
	return last && first && isSameOrMissing(p.birth, other.birth) || (last || first) && p.birth != "" && p.birth == other.birth
}

// LastNameMatches compares last names; Jr and Sr are two people.
func (p Person) LastNameMatches(other Person) bool {
	return p.Last == other.Last && names.SuffixesMatch(p.suffix, other.suffix)
}

// FirstNamesMatch accepts equal or missing first names, and names that are a prefix of the other: an
// initial or at least three letters.
func FirstNamesMatch(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := len([]rune(a))
	return n != 2 && strings.HasPrefix(b, a) || a == b
}

func isSameOrMissing(a, b date.Date) bool { return a == b || a == "" || b == "" }

// missingNumbers are placeholders for a missing number.
var missingNumbers = []string{"na", "n/a", "none", "unknown"}

// FoldOrEmpty folds a number; placeholders for a missing one become empty.
func FoldOrEmpty(s string) string {
	key := text.Key(s)
	if strings.Trim(key, "0") == "" || strings.Trim(key, "9") == "" || slices.Contains(missingNumbers, key) {
		return ""
	}
	return key
}
