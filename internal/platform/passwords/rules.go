package passwords

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"wcpp/internal/platform/problem"
)

// Invalid is the code of a password that does not meet the rules.
const Invalid = "INVALID_PW"

// Why a password that has the right characters is refused all the same.
const (
	ContainsName = "CONTAINS_NAME"
	Common       = "COMMON_PASSWORD"
	Same         = "SAME_PASSWORD"
)

// Lengths of a password, in characters.
const (
	MinLength = 8
	MaxLength = 20
)

var reasons = map[string]string{
	"CHARACTERS": "Use 8 to 20 characters, with an uppercase letter, a lowercase letter, a number and a special character. Don't use spaces, quotes or backslashes.",
	ContainsName: "Don't use your username, first name or last name in the password, forward or backward.",
	Common:       "This password is too easy to guess. Choose a less common one.",
	Same:         "Choose a password that's different from your current one.",
}

// Refused is the answer to a password that breaks a rule: the code, and on the
// field what to do about it.
func Refused(reason string) *problem.Error {
	e := problem.Coded(problem.Invalid, Invalid)
	e.Fields = []problem.Field{{Path: "newPassword", Code: reason, Message: reasons[reason]}}
	return e
}

// Check finds out whether a new password meets the rules: 8 to 20 characters,
// one of each class, none of the names forwards or backwards ignoring case
// (names of one letter are not tested), and not one that is easily guessed.
func Check(password string, names ...string) error {
	if !wellMade(password) {
		return Refused("CHARACTERS")
	}
	lower := strings.ToLower(password)
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if utf8.RuneCountInString(name) > 1 && (strings.Contains(lower, name) || strings.Contains(lower, reversed(name))) {
			return Refused(ContainsName)
		}
	}
	if madeOf(lower, common()) || breached(lower) {
		return Refused(Common)
	}
	return nil
}

// MadeOfNames tells whether a password is little more than one of the names, such as
// the portal's and the organisation's, or a word of it of four letters or more.
func MadeOfNames(password string, names ...string) bool {
	words := map[string]bool{}
	for _, name := range names {
		fields := strings.Fields(strings.ToLower(name))
		for _, word := range append(fields, strings.Join(fields, "")) {
			if word = lettersOf(word); len(word) > 3 {
				words[word] = true
			}
		}
	}
	return madeOf(strings.ToLower(password), words)
}

// wellMade tells whether the characters are right. Special is any printable
// ASCII character that is no letter, digit, space, quote or backslash.
func wellMade(password string) bool {
	var upper, lower, digit, special bool
	for _, r := range password {
		switch {
		case r >= 'A' && r <= 'Z':
			upper = true
		case r >= 'a' && r <= 'z':
			lower = true
		case r >= '0' && r <= '9':
			digit = true
		case r > ' ' && r < 0x7f && r != '"' && r != '\'' && r != '\\':
			special = true
		default:
			return false
		}
	}
	return upper && lower && digit && special && len(password) >= MinLength && len(password) <= MaxLength
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

//go:embed common.txt
var commonText string

// common is the words from which most guessed passwords are made. The rules on
// characters turn them into forms such as P@ssword1! and Welcome2024#, so that
// words are compared and not whole passwords.
var common = sync.OnceValue(func() map[string]bool { return wordsOf(commonText, "#") })

//go:embed breached.txt
var breachedText string

// breachedWords are the passwords that most often were found in breaches: the list
// of @zxcvbn-ts/language-common (MIT), which the browser checks too. tools/breached.mjs
// writes it.
var breachedWords = sync.OnceValue(func() map[string]bool { return wordsOf(breachedText, "") })

// wordsOf are the lines of a text, but for those that begin with the mark of a
// comment, where it has one.
func wordsOf(text, comment string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		if word := strings.TrimSpace(line); word != "" && (comment == "" || !strings.HasPrefix(word, comment)) {
			words[word] = true
		}
	}
	return words
}

// signs are those that may stand around a word, with digits or without.
const (
	signs  = "!#$%&()*+,-./:;<=>?@[]^_`{|}~"
	around = "0123456789" + signs
)

// A word of fewer letters proves nothing once what is around it is cut.
const leastBreached = 4

// breached tells whether a password in lower case is one that was found in
// breaches: as it is, or once signs, or signs and digits, at both ends are cut,
// and look-alikes are read as letters.
func breached(lower string) bool {
	for _, form := range []string{lower, strings.Trim(lower, signs), strings.Trim(lower, around)} {
		for _, word := range []string{form, plain.Replace(form)} {
			if len(word) >= leastBreached && breachedWords()[word] {
				return true
			}
		}
	}
	return false
}

var plain = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// madeOf tells whether nothing but one of the words is left once digits and
// signs at both ends are cut and look-alikes are read as letters.
func madeOf(lower string, words map[string]bool) bool {
	for _, form := range []string{
		strings.Trim(lower, around),
		plain.Replace(strings.TrimRight(lower, around)),
		plain.Replace(strings.Trim(lower, around)),
		plain.Replace(lower),
	} {
		letters := lettersOf(form)
		if words[letters] || oneLetter(letters) {
			return true
		}
		// The same word twice.
		if n := len(letters); n > 0 && n%2 == 0 && letters[:n/2] == letters[n/2:] && words[letters[:n/2]] {
			return true
		}
	}
	return false
}

func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// oneLetter tells whether a text is one letter again and again, or none.
func oneLetter(s string) bool { return s == "" || strings.Trim(s, s[:1]) == "" }
