package sessions

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// Typed text stays readable for this long after its user was last active.
const formsKeptFor = 8 * time.Hour

// Keys derives 32-byte keys from the installation's key, and seals values with them.
type Keys interface {
	Key(purpose string) ([]byte, error)
	Seal(purpose string, v any) (string, error)
	Open(purpose, token string, v any) error
}

// FormKey returns the 32-byte key with which the browser encrypts what its user types. It
// changes when the user signs out or is inactive for too long. Older text then becomes
// unreadable.
func (s *Service) FormKey(ctx context.Context, a access.Actor) ([]byte, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	now := s.now()
	salt, err := getOrCreateSalt(ctx, s.db.Writer, a.Person.ID, salt, db.At(now), db.At(now.Add(-formsKeptFor)))
	if err != nil {
		return nil, err
	}
	return s.keys.Key("form " + base64.RawURLEncoding.EncodeToString(salt))
}
