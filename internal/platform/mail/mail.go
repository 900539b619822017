// Package mail writes the portal's mails in one layout and sends them through
// a relay, or keeps them as files where there is none.
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

// Address is who a mail is from.
type Address = netmail.Address

// Message is a mail, ready to send.
type Message struct {
	To      string // an address, with or without a name
	Subject string
	Text    string
	HTML    string // may be empty
	// ID becomes the Message-ID: the same at each try, so that a mail sent twice
	// shows once. Made up where empty; letters, digits, dots and hyphens.
	ID string
}

// Transport takes a mail away. Send returns once the mail was accepted.
type Transport interface {
	Send(ctx context.Context, m Message) error
}

// failure is why a mail was not taken, without anybody's address: it goes to
// the log.
type failure struct {
	text      string
	permanent bool
	cause     error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// Permanent tells whether trying again is of no use: the recipient was
// refused, or the mail cannot be written.
func Permanent(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.permanent
}

func invalid(format string, args ...any) error {
	return &failure{text: fmt.Sprintf(format, args...), permanent: true}
}

var idPattern = regexp.MustCompile(`^[A-Za-z0-9.-]{1,64}$`)

// compose makes the mail as it travels.
func compose(from Address, m Message) (*gomail.Msg, error) {
	if hasControl(m.To) {
		return nil, invalid("mail: recipient contains a line break or control character")
	}
	to, err := netmail.ParseAddress(m.To)
	if err != nil {
		return nil, invalid("mail: invalid recipient address")
	}
	switch {
	case m.Subject == "" || m.Text == "":
		return nil, invalid("mail: subject and text are required")
	case hasControl(m.Subject):
		return nil, invalid("mail: subject contains a line break or control character")
	case m.ID == "":
		m.ID = random()
	case !idPattern.MatchString(m.ID):
		return nil, invalid("mail: id can contain only letters, digits, dots and hyphens")
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

// checkSender finds what is wrong with who the mails are from.
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

func random() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
