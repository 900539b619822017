// Package names compares personal names as people do, ignoring case, accents, apostrophes,
// hyphens, periods, and spaces.
package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"wcpp/internal/platform/text"
)

// suffixes are the generational suffixes in folded form. written are other spellings of them.
var (
	suffixes = []string{"jr", "sr", "ii", "iii", "iv"}
	written  = map[string]string{"2nd": "ii", "3rd": "iii", "4th": "iv"}
)

// Name is a person's name in folded form.
type Name struct {
	Last, First string
	Suffix      string // one of suffixes, or empty
}

// Of folds a name. A suffix counts anywhere, except as the first word of the last or first name,
// where it is a real name.
func Of(last, first string) Name {
	lastWords, suffix := SplitWords(last)
	firstWords, other := SplitWords(first)
	return Name{joinWords(lastWords, last), joinWords(firstWords, first), cmp.Or(suffix, other)}
}

// joinWords joins the words of a last or first name. Without letters, it applies
// text.Key to part.
func joinWords(words []string, part string) string {
	if len(words) == 0 {
		return text.Key(part)
	}
	return strings.Join(words, "")
}

func isBetweenWords(r rune) bool {
	return r == ',' || r == '.' || unicode.IsSpace(r) || unicode.Is(unicode.Pd, r)
}

// SplitWords returns the folded words of a name without its suffix, and the suffix.
func SplitWords(name string) (words []string, suffix string) {
	for _, word := range strings.FieldsFunc(name, isBetweenWords) {
		word = Fold(word)
		known := cmp.Or(written[word], word)
		switch {
		case len(words) > 0 && slices.Contains(suffixes, known):
			suffix = known
		case word != "":
			words = append(words, word)
		}
	}
	return words, suffix
}

// ListPrefixes returns the suffix of a name, followed by each word joined with the words after it.
// For the first name Jose Maria, this is " josemaria maria". It is never empty.
func ListPrefixes(last, first string) string {
	b := Of(last, first).Suffix + " "
	for _, part := range []string{first, last} {
		words, _ := SplitWords(part)
		for i := range words {
			b += strings.Join(words[i:], "") + " "
		}
	}
	return b
}

// FoldPart folds a last or first name. Without letters or digits, it applies text.Key.
func FoldPart(part string) string {
	if letters := Fold(part); letters != "" {
		return letters
	}
	return text.Key(part)
}

// Fold returns the letters and digits of a text in lowercase without accents.
func Fold(s string) string {
	var b strings.Builder
	if isASCII(s) {
		for _, c := range []byte(s) {
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				b.WriteByte(c)
			case c >= 'A' && c <= 'Z':
				b.WriteByte(c + 'a' - 'A')
			}
		}
		return b.String()
	}
	for _, r := range norm.NFKD.String(cases.Fold().String(norm.NFKD.String(s))) {
		if plain, is := undivided[r]; is {
			b.WriteString(plain)
		} else if unicode.IsLetter(r) && !isModifier(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !unicode.Is(unicode.Inherited, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isModifier reports whether a letter is an apostrophe or accent, such as the Hawaiian okina.
func isModifier(r rune) bool { return r >= 0x02b0 && r <= 0x02ff || r == 0xa78b || r == 0xa78c }

// undivided maps letters with a stroke or hook, and ligatures, to their passport spelling.
// Unicode doesn't decompose them.
var undivided = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ɖ': "d", 'ɗ': "d", 'ħ': "h", 'ı': "i", 'ɨ': "i", 'ȷ': "j", 'ĸ': "k", 'ƙ': "k",
	'ł': "l", 'ƚ': "l",
	'ŋ': "n", 'ɲ': "n", 'ɵ': "o", 'ɔ': "o", 'ŧ': "t", 'þ': "th", 'ƀ': "b", 'ɓ': "b", 'ƈ': "c", 'ȼ': "c", 'ɇ': "e", 'ə': "e", 'ǝ': "e",
	'ɛ': "e", 'ǥ': "g",
	'ɠ': "g", 'ƴ': "y", 'ɏ': "y", 'ƶ': "z", 'ʉ': "u", 'ʋ': "v", 'ⱥ': "a", 'ⱦ': "t", 'ƭ': "t", 'ɍ': "r", 'ƥ': "p",
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// IsSuffix reports whether a word is a generational suffix.
func IsSuffix(word string) bool {
	letters := Fold(word)
	return slices.Contains(suffixes, cmp.Or(written[letters], letters))
}

// SuffixesMatch reports whether two suffixes can belong to one person.
func SuffixesMatch(a, b string) bool { return a == b || a == "" || b == "" }

// Key returns the stored key of a name. It is never empty, so that an empty column means that
// the key isn't computed yet.
func (n Name) Key() string {
	key := n.Last + "," + n.First
	if n.Suffix != "" {
		key += " " + n.Suffix
	}
	return key
}

// LastKeys returns the key range of names with this last name.
func (n Name) LastKeys() (begin, end string) { return n.Last + ",", n.Last + "-" }

// FirstKeys returns the key range of names with this last name and first names with this prefix.
func (n Name) FirstKeys() (begin, end string) {
	begin = n.Last + "," + n.First
	return begin, text.PrefixEnd(begin)
}

// Keys returns the keys of all matching names.
func (n Name) Keys() []string {
	plain := Name{Last: n.Last, First: n.First}
	if n.Suffix != "" {
		return []string{plain.Key(), n.Key()}
	}
	keys := []string{plain.Key()}
	for _, suffix := range suffixes {
		plain.Suffix = suffix
		keys = append(keys, plain.Key())
	}
	return keys
}
