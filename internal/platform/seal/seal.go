// Package seal encodes small values as opaque tokens that only this installation can create and
// read. So an address can identify a row without revealing it. All instances of one database
// share the key.
package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"wcpp/internal/platform/db"
)

// NewToken returns a random token of 256 bits for an emailed link.
func NewToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// ErrInvalid means that a token isn't valid for this installation or purpose.
var ErrInvalid = errors.New("invalid token")

// Sealer creates and reads tokens.
type Sealer struct {
	key     []byte
	ciphers sync.Map // purpose -> *ciphers
}

type ciphers struct {
	random cipher.AEAD // generates a nonce and puts it first
	named  cipher.AEAD
	nonces []byte // key of the nonces of names
}

// New returns a Sealer with a 32-byte key.
func New(key []byte) *Sealer { return &Sealer{key: key} }

// Open loads the named key of the installation, and creates it at the first start.
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

// Read loads an existing key, or returns db.ErrNotFound.
func Read(ctx context.Context, q db.Queryer, name string) (*Sealer, error) {
	var key []byte
	if err := db.Get(ctx, q, &key, `SELECT value FROM secrets WHERE name = $1`, name); err != nil {
		return nil, err
	}
	return New(key), nil
}

// Key derives a 32-byte key for the purpose, for code that signs instead of seals.
func (s *Sealer) Key(purpose string) ([]byte, error) {
	return hkdf.Key(sha256.New, s.key, nil, "wcpp "+purpose, 32)
}

func (s *Sealer) getCiphers(purpose string) (*ciphers, error) {
	if c, ok := s.ciphers.Load(purpose); ok {
		return c.(*ciphers), nil
	}
	key, err := s.Key(purpose)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	var c ciphers
	if c.random, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		return nil, err
	}
	if c.named, err = cipher.NewGCM(block); err != nil {
		return nil, err
	}
	if c.nonces, err = s.Key("nonces of " + purpose); err != nil {
		return nil, err
	}
	s.ciphers.Store(purpose, &c)
	return &c, nil
}

// Seal encodes v as a token for the purpose. Each token is different.
func (s *Sealer) Seal(purpose string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	c, err := s.getCiphers(purpose)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(c.random.Seal(nil, nil, plain, nil)), nil
}

// Name encodes v as a token for the purpose that is always the same, so that clients recognize
// it. Its nonce is a keyed hash of v, so a repeated nonce always has the same content.
func (s *Sealer) Name(purpose string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	c, err := s.getCiphers(purpose)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, c.nonces)
	mac.Write(plain)
	nonce := mac.Sum(nil)[:c.named.NonceSize()]
	return base64.RawURLEncoding.EncodeToString(c.named.Seal(nonce, nonce, plain, nil)), nil
}

// Open decodes a token or name for the purpose into v.
func (s *Sealer) Open(purpose, token string, v any) error {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return ErrInvalid
	}
	c, err := s.getCiphers(purpose)
	if err != nil {
		return err
	}
	plain, err := c.random.Open(nil, nil, sealed, nil)
	if err != nil {
		return ErrInvalid
	}
	if json.Unmarshal(plain, v) != nil {
		return ErrInvalid
	}
	return nil
}
