package sessions

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
)

// What was typed can be read again for this long after its user was last active.
const formsKeptFor = 8 * time.Hour

// Keys derives keys of 32 bytes from the installation's own, and seals by them.
type Keys interface {
	Key(purpose string) ([]byte, error)
	Seal(purpose string, v any) (string, error)
	Open(purpose, token string, v any) error
}

// FormKey answers the key, of 32 bytes, under which the browser seals what its user
// types. It is another one where that was too long ago or the user has signed out
// since: what was sealed before can be read no more.
func (s *Service) FormKey(ctx context.Context, a access.Actor) ([]byte, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	now := s.now()
	salt, err := giveSalt(ctx, s.db.Writer, a.Person.ID, salt, db.At(now), db.At(now.Add(-formsKeptFor)))
	if err != nil {
		return nil, err
	}
	return s.keys.Key("form " + base64.RawURLEncoding.EncodeToString(salt))
}
