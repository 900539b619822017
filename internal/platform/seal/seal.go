// Package seal turns small facts into opaque tokens that only this
// installation can make and read, so that an address names a row without
// telling what it is. All instances of one database share the key.
package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"wcpp/internal/platform/db"
)

// ErrInvalid is a token that was not made here, or for another purpose.
var ErrInvalid = errors.New("token is not valid")

// Sealer makes and reads tokens.
type Sealer struct {
	key   []byte
	aeads sync.Map // purpose -> cipher.AEAD
}

// New makes a Sealer of a 32-byte key.
func New(key []byte) *Sealer { return &Sealer{key: key} }

// Open loads the installation's key of a name, making it at the first start.
func Open(ctx context.Context, d *db.DB, name string, now time.Time) (*Sealer, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if _, err := db.Exec(ctx, d.Writer, `
		INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO NOTHING`, name, key, db.At(now)); err != nil {
		return nil, err
	}
	return Read(ctx, d.Writer, name)
}

// Read loads a key that was made before; db.ErrNotFound where it was not.
func Read(ctx context.Context, q db.Queryer, name string) (*Sealer, error) {
	var key []byte
	if err := db.Get(ctx, q, &key, `SELECT value FROM secrets WHERE name = $1`, name); err != nil {
		return nil, err
	}
	return New(key), nil
}

// Key derives a key of 32 bytes for the purpose, for what signs in place of
// sealing.
func (s *Sealer) Key(purpose string) ([]byte, error) {
	return hkdf.Key(sha256.New, s.key, nil, "wcpp "+purpose, 32)
}

func (s *Sealer) aead(purpose string) (cipher.AEAD, error) {
	if a, ok := s.aeads.Load(purpose); ok {
		return a.(cipher.AEAD), nil
	}
	sub, err := s.Key(purpose)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(sub)
	if err != nil {
		return nil, err
	}
	a, err := cipher.NewGCMWithRandomNonce(block)
	if err == nil {
		s.aeads.Store(purpose, a)
	}
	return a, err
}

// Seal writes v as a token for the purpose.
func (s *Sealer) Seal(purpose string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	a, err := s.aead(purpose)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(a.Seal(nil, nil, plain, nil)), nil
}

// Open reads a token made for the purpose into v.
func (s *Sealer) Open(purpose, token string, v any) error {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return ErrInvalid
	}
	a, err := s.aead(purpose)
	if err != nil {
		return err
	}
	plain, err := a.Open(nil, nil, sealed, nil)
	if err != nil {
		return ErrInvalid
	}
	if json.Unmarshal(plain, v) != nil {
		return ErrInvalid
	}
	return nil
}
