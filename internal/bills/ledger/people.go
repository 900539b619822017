package ledger

import (
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// person is a patient as compared.
type person struct {
	last, first, suffix string
	birth               date.Date
}

func personOf(b Bill) person {
	n := nameOf(b)
	return person{n.Last, n.First, n.Suffix, b.PatientBirthDate}
}

func nameOf(b Bill) names.Name { return names.Of(b.PatientLastName, b.PatientFirstName) }

// agrees tells whether two names may be one patient's.
func (p person) agrees(other person) bool {
	return p.last != "" && p.lastAgrees(other) && firstAgrees(p.first, other.first) && sameOrMissing(p.birth, other.birth)
}

// agreesByNumber asks less where both share the network's number of the bill.
func (p person) agreesByNumber(other person) bool {
	last := p.lastAgrees(other) || p.last == "" || other.last == ""
	first := firstAgrees(p.first, other.first)
	return last && first || (last || first) && sameOrMissing(p.birth, other.birth)
}

// agreesByRow asks whether two rows of a table under one number are about one patient: where one
// of the names differs, the birth date must tell that they are.
func (p person) agreesByRow(other person) bool {
	last := p.lastAgrees(other) || p.last == "" || other.last == ""
	first := firstAgrees(p.first, other.first)
	return last && first && sameOrMissing(p.birth, other.birth) || (last || first) && p.birth != "" && p.birth == other.birth
}

// lastAgrees: Jr and Sr are two people.
func (p person) lastAgrees(other person) bool {
	return p.last == other.last && names.SuffixAgrees(p.suffix, other.suffix)
}

// firstAgrees: equal, missing, or one begins the other, as an initial or with at
// least three letters.
func firstAgrees(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := len([]rune(a))
	return n != 2 && strings.HasPrefix(b, a) || a == b
}

func sameOrMissing(a, b date.Date) bool { return a == b || a == "" || b == "" }

// none are the words that stand where a number is missing.
var none = []string{"na", "n/a", "none", "unknown"}

// number folds a number; what stands for a missing one is empty.
func number(s string) string {
	key := text.Key(s)
	if strings.Trim(key, "0") == "" || strings.Trim(key, "9") == "" || slices.Contains(none, key) {
		return ""
	}
	return key
}
