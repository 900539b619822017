// Package support lets people reach the network's support by live chat.
package support

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Person is who asks for help.
type Person struct{ Name, Email, Phone, AccountType string }

// People finds a person by id.
type People interface {
	Contact(ctx context.Context, id int64) (Person, error)
}

// Service introduces people to the chat platform.
type Service struct {
	settings Settings
	people   People
}

// NewService makes the area.
func NewService(settings Settings, people People) *Service {
	return &Service{settings, people}
}

// Introduction is what the chat is told of a person.
type Introduction struct {
	Person
	Identifier string
	Signature  string // proves to the platform that the portal gave the identifier; empty without a key
}

// Introduce tells who the person is, in the platform's own form.
func (s *Service) Introduce(ctx context.Context, id int64) (Introduction, error) {
	if !s.settings.Configured() {
		return Introduction{}, problem.Say(problem.NotFound, "Live chat isn't configured.")
	}
	person, err := s.people.Contact(ctx, id)
	if err != nil {
		return Introduction{}, err
	}
	person.Phone = international(person.Phone)
	identifier := strconv.FormatInt(id, 10)
	return Introduction{person, identifier, sign(identifier, s.settings.ChatHMACKey)}, nil
}

func sign(identifier, key string) string {
	if key == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(identifier))
	return hex.EncodeToString(mac.Sum(nil))
}

// international gives a telephone number of ten digits the form the platform
// takes (E.164); it refuses a person with any other.
func international(phone string) string {
	digits := text.Digits(phone)
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	if len(digits) != 10 || digits[0] < '2' {
		return ""
	}
	return "+1" + digits
}
