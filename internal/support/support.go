// Package support connects users to the network's live chat.
package support

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Person is a user who asks for help.
type Person struct{ Name, Email, Phone, AccountType string }

// Service registers users with the chat provider.
type Service struct {
	settings Settings
	users    *users.Service
}

// NewService creates the service.
func NewService(settings Settings, users *users.Service) *Service {
	return &Service{settings, users}
}

// Introduction is the user data sent to the chat provider.
type Introduction struct {
	Person
	Identifier string
	Signature  string // proves to the provider that the portal issued the identifier; empty without a key
}

// Introduce returns the user data in the provider's format.
func (s *Service) Introduce(ctx context.Context, id int64) (Introduction, error) {
	if !s.settings.IsConfigured() {
		return Introduction{}, problem.WithMessage(problem.NotFound, "Live chat isn't available. Use Contact Us.")
	}
	u, err := s.users.ByID(ctx, id)
	if err != nil {
		return Introduction{}, err
	}
	person := Person{Name: u.FirstName + " " + u.LastName, Email: u.Email, Phone: toE164(u.Phone),
		AccountType: users.ShortTypeName(u.TypeCd)}
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

// toE164 converts a 10-digit phone number to the provider's format (E.164). It rejects
// anyone with another kind of number.
func toE164(phone string) string {
	digits := text.Digits(phone)
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	if len(digits) != 10 || digits[0] < '2' {
		return ""
	}
	return "+1" + digits
}
