// Package validate finds out what is wrong with the values that people and other
// systems send. It has the rules that several areas share, once each.
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

// The most characters of values that several areas ask for.
const (
	MaxName        = 40 // a person's first, middle or last name
	MaxEmail       = 120
	MaxPhone       = 15  // digits
	MaxWork        = 128 // job title, company, its address on the web
	MaxAffiliation = 80
)

// MarkedFields is the sentence above a form whose fields carry their own
// messages.
const MarkedFields = "An error has occurred. Please address all fields marked with “Error”."

// Fields collects what is wrong with single values, by the area's own names for
// them. The zero value is ready to use.
type Fields []problem.Field

// Require notes the message for a field, unless ok.
func (f *Fields) Require(ok bool, field, message string) {
	if !ok {
		*f = append(*f, problem.Field{Path: field, Code: "INVALID", Message: message})
	}
}

// Refuse answers a problem of kind Invalid with the sentence and the fields, or
// nil where nothing is wrong.
func (f Fields) Refuse(sentence string) error {
	if len(f) == 0 {
		return nil
	}
	e := problem.Say(problem.Invalid, sentence)
	e.Fields = f
	return e
}

// RefuseField answers a problem of kind Invalid about one value.
func RefuseField(sentence, field, message string) error {
	var f Fields
	f.Require(false, field, message)
	return f.Refuse(sentence)
}

// Names are the names that callers have for an area's fields: field to name.
// A field that is not listed has the same name outside.
type Names map[string]string

// Wire answers the error with its fields named as callers name them; other
// errors, and nil, are answered as they are.
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

// Length tells whether a text has so many characters.
func Length(s string, least, most int) bool {
	n := len([]rune(s))
	return n >= least && n <= most
}

// TooLong says that a value has more characters than it may have.
func TooLong(most int) string {
	if most == 1 {
		return "Up to 1 character"
	}
	return fmt.Sprintf("Up to %d characters", most)
}

// Limit notes a text that has more characters than it may have, and tells
// whether it has not.
func (f *Fields) Limit(s string, most int, field string) bool {
	ok := Length(s, 0, most)
	f.Require(ok, field, TooLong(most))
	return ok
}

// Letters tells whether a text has at least two letters.
func Letters(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n >= 2
}

// nameCharacters are letters, marks, apostrophes, hyphens, periods and spaces.
var nameCharacters = regexp.MustCompile(`^[\pL\pM'‘’\-‐‑. ]*$`)

// Name reports whether a text has only characters of names of persons.
func Name(s string) bool { return nameCharacters.MatchString(s) }

// NameCharacters is what to do about a name that has others.
const NameCharacters = "Use letters, apostrophes, hyphens, periods and spaces only."

// Digits tells whether a text is so many digits and nothing else.
func Digits(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && text.Digits(s) == s
}

// nineDigits are those of a number that names a person, however they are written.
var nineDigits = regexp.MustCompile(`\d([ .-]?\d){8}`)

// NamesSomebody tells whether a text holds a number of nine or more digits, as those
// that name a person.
func NamesSomebody(s string) bool { return nineDigits.MatchString(s) }

// TIN tells whether a text has the form of a federal tax identification number:
// nine digits.
func TIN(s string) bool { return Digits(s, 9, 9) }

// Phone tells whether a text is a phone number of 10 to 15 digits.
func Phone(s string) bool { return Digits(s, 10, MaxPhone) }

var domain = regexp.MustCompile(`^[\pL\pN-]+(\.[\pL\pN-]+)+$`)

// Domain tells whether a text has the form of the domain of an e-mail address.
func Domain(s string) bool { return domain.MatchString(s) }

// Email tells whether a text has the form of an e-mail address of at most 120
// characters.
func Email(s string) bool {
	name, domain, found := strings.Cut(s, "@")
	return found && name != "" && Length(s, 0, MaxEmail) && strings.Contains(domain, ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`,;<>"()[]\`, r) }) &&
		!strings.Contains(domain, "@") && !strings.Contains(name, "=?") // an encoded word, which relays read as another address
}
