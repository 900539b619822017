package ledger

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/text"
)

// person is a patient as compared: letters only, without accents and suffixes.
type person struct {
	last, first string
	birth       date.Date
}

var suffixes = []string{"jr", "sr", "ii", "iii", "iv"}

func personOf(b Bill) person {
	return person{last: letters(b.PatientLastName), first: letters(b.PatientFirstName), birth: b.PatientBirthDate}
}

func letters(name string) string {
	words := strings.FieldsFunc(norm.NFD.String(text.Key(name)), func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '.' })
	var kept strings.Builder
	for i, word := range words {
		if i > 0 && slices.Contains(suffixes, word) {
			continue
		}
		for _, r := range word {
			if unicode.IsLetter(r) {
				kept.WriteRune(r)
			}
		}
	}
	return kept.String()
}

// agrees tells whether two names may be one patient's.
func (p person) agrees(other person) bool {
	return p.last != "" && p.last == other.last && firstAgrees(p.first, other.first) && sameOrMissing(p.birth, other.birth)
}

// agreesByNumber asks less where both share the network's number of the bill.
func (p person) agreesByNumber(other person) bool {
	last := p.last == other.last || p.last == "" || other.last == ""
	first := firstAgrees(p.first, other.first)
	return last && first || (last || first) && sameOrMissing(p.birth, other.birth)
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
