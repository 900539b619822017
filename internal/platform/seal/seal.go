// Package seal turns small facts into opaque tokens that only this
// installation can make and read, so that an address names a row without
// telling what it is. All instances of one database share the key.
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

// ErrInvalid is a token that was not made here, or for another purpose.
var ErrInvalid = errors.New("invalid token")

// Sealer makes and reads tokens.
type Sealer struct {
	key     []byte
	ciphers sync.Map // purpose -> *ciphers
}

// ciphers are those of a purpose.
type ciphers struct {
	random cipher.AEAD // makes a nonce and puts it first
	named  cipher.AEAD
	nonces []byte // key of the nonces of names
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

func (s *Sealer) of(purpose string) (*ciphers, error) {
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

// Seal writes v as a token for the purpose, another one each time.
func (s *Sealer) Seal(purpose string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	c, err := s.of(purpose)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(c.random.Seal(nil, nil, plain, nil)), nil
}

// Name writes v as a token for the purpose that is always the same, so that whoever is
// answered it twice knows it again. Its nonce is a keyed hash of v: one that is used twice
// has sealed the same twice.
func (s *Sealer) Name(purpose string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	c, err := s.of(purpose)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, c.nonces)
	mac.Write(plain)
	nonce := mac.Sum(nil)[:c.named.NonceSize()]
	return base64.RawURLEncoding.EncodeToString(c.named.Seal(nonce, nonce, plain, nil)), nil
}

// Open reads a token or name made for the purpose into v.
func (s *Sealer) Open(purpose, token string, v any) error {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return ErrInvalid
	}
	c, err := s.of(purpose)
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
