// Package mail formats the portal's emails and sends them through a relay. Without a relay, it
// writes them to files.
package mail

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	netmail "net/mail"
	"regexp"
	"strings"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// Address is the sender of an email.
type Address = netmail.Address

// Message is an email, ready to send.
type Message struct {
	To      string // an address, with or without a name
	Subject string
	Text    string
	HTML    string // can be empty
	// ID becomes the Message-ID. It is the same for each attempt, so that a duplicate shows
	// once. If empty, it is generated. It has letters, digits, dots, and hyphens.
	ID string
}

// Transport sends emails. Send returns after the email was accepted.
type Transport interface {
	Send(ctx context.Context, m Message) error
}

// failure is why an email was refused, without addresses, because it is logged.
type failure struct {
	text      string
	permanent bool
	cause     error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// Permanent reports whether retrying is useless, because the recipient was refused or the email
// can't be written.
func Permanent(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.permanent
}

func newInvalid(format string, args ...any) error {
	return &failure{text: fmt.Sprintf(format, args...), permanent: true}
}

var idPattern = regexp.MustCompile(`^[A-Za-z0-9.-]{1,64}$`)

// compose builds the raw email.
func compose(from Address, m Message) (*gomail.Msg, error) {
	if hasControl(m.To) {
		return nil, newInvalid("mail: recipient contains a line break or control character")
	}
	to, err := netmail.ParseAddress(m.To)
	if err != nil {
		return nil, newInvalid("mail: invalid recipient address")
	}
	switch {
	case m.Subject == "" || m.Text == "":
		return nil, newInvalid("mail: subject and text are required")
	case hasControl(m.Subject):
		return nil, newInvalid("mail: subject contains a line break or control character")
	case m.ID == "":
		m.ID = newID()
	case !idPattern.MatchString(m.ID):
		return nil, newInvalid("mail: id can contain only letters, digits, dots and hyphens")
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&from)
	msg.ToMailAddress(to)
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID + from.Address[strings.LastIndexByte(from.Address, '@'):])
	msg.SetDate()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return msg, nil
}

func checkSender(from Address) error {
	if a, err := netmail.ParseAddress(from.Address); err != nil || a.Address != from.Address {
		return fmt.Errorf("the sender %q isn't an address such as portal@example.com", from.Address)
	}
	if hasControl(from.Name) {
		return errors.New("the sender's name contains a line break or control character")
	}
	return nil
}

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

func newID() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
