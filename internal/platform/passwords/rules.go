package passwords

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"wcpp/internal/platform/names"
	"wcpp/internal/platform/problem"
)

// Invalid is the code of a password that violates the rules.
const Invalid = "INVALID_PW"

// Reasons to refuse a password with valid characters.
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
	"CHARACTERS": "Use 8 to 20 characters, with an uppercase letter, a lowercase letter, a number and a special character. Don't use " +
		"spaces, quotes or backslashes.",
	ContainsName: "Don't use your username, first name or last name in the password, forward or backward.",
	Common:       "This password is too easy to guess. Choose a less common one.",
	Same:         "Choose a password that's different from your current one.",
}

// NewRefusal returns the error for a password that violates a rule: the code, and advice on the
// field.
func NewRefusal(reason string) *problem.Error {
	e := problem.WithCode(problem.Invalid, Invalid)
	e.Fields = []problem.Field{{Path: "newPassword", Code: reason, Message: reasons[reason]}}
	return e
}

// Check checks a new password against the rules. It has 8 to 20 characters with one of each
// class. It contains none of the forbidden names, forward or backward, as written and without accents,
// apostrophes, hyphens and spaces, in any case. One-letter names aren't checked. It isn't easy to
// guess.
func Check(password string, forbidden ...string) error {
	if !isWellFormed(password) {
		return NewRefusal("CHARACTERS")
	}
	lower := strings.ToLower(password)
	for _, name := range forbidden {
		for _, form := range []string{strings.ToLower(strings.TrimSpace(name)), names.Fold(name)} {
			if utf8.RuneCountInString(form) > 1 && (strings.Contains(lower, form) || strings.Contains(lower, reverse(form))) {
				return NewRefusal(ContainsName)
			}
		}
	}
	if isMadeOf(lower, common()) || isBreached(lower) {
		return NewRefusal(Common)
	}
	return nil
}

// IsMadeOfNames reports whether a password is little more than one of the names, such as the
// portal's and the organization's. It also checks their words of four or more letters.
func IsMadeOfNames(password string, names ...string) bool {
	words := map[string]bool{}
	for _, name := range names {
		fields := strings.Fields(strings.ToLower(name))
		for _, word := range append(fields, strings.Join(fields, "")) {
			if word = filterLetters(word); len(word) > 3 {
				words[word] = true
			}
		}
	}
	return isMadeOf(strings.ToLower(password), words)
}

// isWellFormed reports whether the characters are valid. A special character is a printable ASCII
// character other than a letter, digit, space, quote, or backslash.
func isWellFormed(password string) bool {
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

func reverse(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

//go:embed common.txt
var commonText string

// common returns the most common words in guessed passwords. The character rules turn them into
// forms such as P@ssword1! and Welcome2024#, so words are compared, not whole passwords.
var common = sync.OnceValue(func() map[string]bool { return loadWords(commonText, "#") })

//go:embed breached.txt.gz
var breachedText []byte

// breachedWords returns the most common breached passwords, from the list of
// @zxcvbn-ts/language-common (MIT). The browser checks it, too. tools/breached.mjs writes it.
var breachedWords = sync.OnceValue(func() map[string]bool { return loadWords(decompress(breachedText), "") })

// decompress returns an embedded text.
func decompress(compressed []byte) string {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// loadWords returns the lines of a text, without those that start with comment, if set.
func loadWords(text, comment string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		if word := strings.TrimSpace(line); word != "" && (comment == "" || !strings.HasPrefix(word, comment)) {
			words[word] = true
		}
	}
	return words
}

// symbols can surround a word, with or without digits.
const (
	symbols = "!#$%&()*+,-./:;<=>?@[]^_`{|}~"
	around  = "0123456789" + symbols
)

// A shorter word proves nothing without the characters around it.
const leastBreached = 4

// isBreached reports whether a lowercase password was found in breaches. It checks the password
// unchanged, and without signs (or signs and digits) at both ends and with look-alikes as
// letters.
func isBreached(lower string) bool {
	for _, form := range []string{lower, strings.Trim(lower, symbols), strings.Trim(lower, around)} {
		for _, word := range []string{form, plain.Replace(form)} {
			if len(word) >= leastBreached && breachedWords()[word] {
				return true
			}
		}
	}
	return false
}

var plain = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// isMadeOf reports whether the password is one of the words after digits and signs at both ends
// are removed and look-alikes replaced by letters.
func isMadeOf(lower string, words map[string]bool) bool {
	for _, form := range []string{
		strings.Trim(lower, around),
		plain.Replace(strings.TrimRight(lower, around)),
		plain.Replace(strings.Trim(lower, around)),
		plain.Replace(lower),
	} {
		letters := filterLetters(form)
		if words[letters] || isOneLetter(letters) {
			return true
		}
		// The same word twice.
		if n := len(letters); n > 0 && n%2 == 0 && letters[:n/2] == letters[n/2:] && words[letters[:n/2]] {
			return true
		}
	}
	return false
}

func filterLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// isOneLetter reports whether a text repeats one letter, or is empty.
func isOneLetter(s string) bool { return s == "" || strings.Trim(s, s[:1]) == "" }
