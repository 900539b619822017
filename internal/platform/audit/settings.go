package audit

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/settings"
)

// LeastKept is the minimum retention in days of entries, access reasons and access reviews. HIPAA
// (45 CFR 164.316) requires six years for documentation.
const LeastKept = 2190

// Settings configure the audit log.
type Settings struct {
	AuditKeyFile  string `env:"WCPP_AUDIT_KEY_FILE" placeholder:"FILE" help:"Audit log signing key, PEM (default: from a database key)."`
	AuditKeepDays int    `env:"WCPP_AUDIT_KEEP_DAYS" placeholder:"DAYS" help:"Audit log retention, at least 2190 (default: keep forever)."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	if s.AuditKeepDays != 0 {
		p.Days(s.AuditKeepDays, LeastKept, "WCPP_AUDIT_KEEP_DAYS")
	}
	_, err := s.readFileKey()
	p.Require(err == nil, "WCPP_AUDIT_KEY_FILE", fmt.Sprint(err))
}

// SealName is the name of the installation key that seals search input.
const SealName = "audit"

// LoadSigner returns the key that signs the log: from the file, or else derived from the database's
// key.
func (s Settings) LoadSigner(ctx context.Context, q db.Queryer) (ed25519.PrivateKey, error) {
	if s.AuditKeyFile != "" {
		return s.readFileKey()
	}
	sealer, err := seal.Read(ctx, q, SealName)
	if err != nil {
		return nil, db.IfNotFound(err, errors.New("audit log key not found; start this version of the portal once on this database"))
	}
	seed, err := sealer.Key("audit signature")
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func (s Settings) readFileKey() (ed25519.PrivateKey, error) {
	if s.AuditKeyFile == "" {
		return nil, nil
	}
	der, err := readPEM(s.AuditKeyFile)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	key, is := parsed.(ed25519.PrivateKey)
	if err != nil || !is {
		return nil, fmt.Errorf("%s isn't an Ed25519 key; create one with openssl genpkey -algorithm ed25519", s.AuditKeyFile)
	}
	return key, nil
}

// ReadPublicKey reads a signer's public key from a PEM file.
func ReadPublicKey(file string) (ed25519.PublicKey, error) {
	der, err := readPEM(file)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	key, is := parsed.(ed25519.PublicKey)
	if err != nil || !is {
		return nil, fmt.Errorf("%s isn't an Ed25519 public key", file)
	}
	return key, nil
}

// EncodePublicKey encodes a signer's public key as PEM.
func EncodePublicKey(signer ed25519.PrivateKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(signer.Public())
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), err
}

func readPEM(file string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, fmt.Errorf("%s isn't a PEM file", file)
	}
	return block.Bytes, nil
}
