// Package validate checks values from users and other systems. It has the rules that several
// domains share.
package validate

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Maximum lengths, in characters, that several domains share.
const (
	MaxName        = 40 // a person's first, middle, or last name
	MaxEmail       = 120
	MaxPhone       = 15  // digits
	MaxWork        = 128 // job title, company, company website
	MaxAffiliation = 80
)

// MarkedFields is the message above a form whose fields have their own messages.
const MarkedFields = "An error has occurred. Please address all fields marked with “Error”."

// Fields collects problems with single values, by the domain's own field names. The zero value
// is ready to use.
type Fields []problem.Field

// Require adds the message for a field, unless ok.
func (f *Fields) Require(ok bool, field, message string) {
	if !ok {
		*f = append(*f, problem.Field{Path: field, Code: "INVALID", Message: message})
	}
}

// Refuse returns a problem of kind Invalid with the message and the fields, or nil without
// fields.
func (f Fields) Refuse(sentence string) error {
	if len(f) == 0 {
		return nil
	}
	e := problem.WithMessage(problem.Invalid, sentence)
	e.Fields = f
	return e
}

// RefuseField returns a problem of kind Invalid with one value.
func RefuseField(sentence, field, message string) error {
	var f Fields
	f.Require(false, field, message)
	return f.Refuse(sentence)
}

// Names maps a domain's field names to those of the API. Unlisted fields have the same name in
// both.
type Names map[string]string

// Wire returns the error with the field names of the API. It returns other errors, and nil,
// unchanged.
func (n Names) Wire(err error) error {
	var e *problem.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return err
	}
	named := *e
	named.Fields = make([]problem.Field, len(e.Fields))
	for i, f := range e.Fields {
		if name, ok := n[f.Path]; ok {
			f.Path = name
		}
		named.Fields[i] = f
	}
	return &named
}

// Length reports whether a text has between least and most characters.
func Length(s string, least, most int) bool {
	n := len([]rune(s))
	return n >= least && n <= most
}

// TooLong returns the message for a value that exceeds its maximum length.
func TooLong(most int) string {
	if most == 1 {
		return "Up to 1 character"
	}
	return fmt.Sprintf("Up to %d characters", most)
}

// Limit adds a message if a text exceeds its maximum length, and reports whether it doesn't.
func (f *Fields) Limit(s string, most int, field string) bool {
	ok := Length(s, 0, most)
	f.Require(ok, field, TooLong(most))
	return ok
}

// HasTwoLetters reports whether a text has at least two letters.
func HasTwoLetters(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n >= 2
}

// nameCharacters are letters, marks, apostrophes, hyphens, periods, and spaces.
var nameCharacters = regexp.MustCompile(`^[\pL\pM'‘’\-‐‑. ]*$`)

// Name reports whether a text has only characters of personal names.
func Name(s string) bool { return nameCharacters.MatchString(s) }

// NameCharacters is the message for a name with other characters.
const NameCharacters = "Use letters, apostrophes, hyphens, periods and spaces only."

// Digits reports whether a text consists of between least and most digits.
func Digits(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && text.Digits(s) == s
}

// nineDigits matches a number that can identify a person, with or without separators.
var nineDigits = regexp.MustCompile(`\d([ .-]?\d){8}`)

// HasPersonNumber reports whether a text contains a number with nine or more digits, which can
// identify a person.
func HasPersonNumber(s string) bool { return nineDigits.MatchString(s) }

// TIN reports whether a text has the form of a federal tax identification number: nine digits.
func TIN(s string) bool { return Digits(s, 9, 9) }

// Phone reports whether a text is a phone number of 10 to 15 digits.
func Phone(s string) bool { return Digits(s, 10, MaxPhone) }

var domain = regexp.MustCompile(`^[\pL\pN-]+(\.[\pL\pN-]+)+$`)

// Domain reports whether a text has the form of an email domain.
func Domain(s string) bool { return domain.MatchString(s) }

// Email reports whether a text has the form of an email address of up to 120 characters.
func Email(s string) bool {
	name, domain, found := strings.Cut(s, "@")
	return found && name != "" && Length(s, 0, MaxEmail) && strings.Contains(domain, ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`,;<>"()[]\`, r) }) &&
		!strings.Contains(domain, "@") && !strings.Contains(name, "=?") // an encoded word, which relays decode to another address
}
