package ledger

import (
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// person is a patient in the form used for comparison.
type person struct {
	last, first, suffix string
	birth               date.Date
}

// newPerson returns the patient of a bill.
func newPerson(b Bill) person {
	n := fullName(b)
	return person{n.Last, n.First, n.Suffix, b.PatientBirthDate}
}

// fullName returns the name of a patient for searches.
func fullName(b Bill) names.Name { return names.Of(b.PatientLastName, b.PatientFirstName) }

// matches reports whether two names can be the same patient's.
func (p person) matches(other person) bool {
	return p.last != "" && p.lastNameMatches(other) && firstNamesMatch(p.first, other.first) && isSameOrMissing(p.birth, other.birth)
}

// matchesByNumber is less strict, for bills that share the network's number.
func (p person) matchesByNumber(other person) bool {
	last := p.lastNameMatches(other) || p.last == "" || other.last == ""
	first := firstNamesMatch(p.first, other.first)
	return last && first || (last || first) && isSameOrMissing(p.birth, other.birth)
}

// matchesByRow compares table rows with the same number. If one of the names differs, the birth
// dates must match.
func (p person) matchesByRow(other person) bool {
	last := p.lastNameMatches(other) || p.last == "" || other.last == ""
	first := firstNamesMatch(p.first, other.first)
	return last && first && isSameOrMissing(p.birth, other.birth) || (last || first) && p.birth != "" && p.birth == other.birth
}

// lastNameMatches compares last names; Jr and Sr are two people.
func (p person) lastNameMatches(other person) bool {
	return p.last == other.last && names.SuffixesMatch(p.suffix, other.suffix)
}

// firstNamesMatch accepts equal or missing first names, and names that are a prefix of the other: an
// initial or at least three letters.
func firstNamesMatch(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := len([]rune(a))
	return n != 2 && strings.HasPrefix(b, a) || a == b
}

func isSameOrMissing(a, b date.Date) bool { return a == b || a == "" || b == "" }

// missingNumbers are placeholders for a missing number.
var missingNumbers = []string{"na", "n/a", "none", "unknown"}

// foldOrEmpty folds a number; placeholders for a missing one become empty.
func foldOrEmpty(s string) string {
	key := text.Key(s)
	if strings.Trim(key, "0") == "" || strings.Trim(key, "9") == "" || slices.Contains(missingNumbers, key) {
		return ""
	}
	return key
}
