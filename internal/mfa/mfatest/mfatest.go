// Package mfatest has two test devices for second factors, a software passkey and an
// authenticator app.
package mfatest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/pquerna/otp/totp"
)

// Passkey is a software passkey with a key pair on the curve P-256.
type Passkey struct {
	t      *testing.T
	Origin string // of the requesting page
	// Verifies means that it verifies its user, with a fingerprint or PIN.
	Verifies bool
	Count    uint32 // signature counter

	id, user []byte
	key      *ecdsa.PrivateKey
}

// NewPasskey creates a passkey that verifies its user.
func NewPasskey(t *testing.T, origin string) *Passkey {
	return &Passkey{t: t, Origin: origin, Verifies: true}
}

const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	hasKey       = 1 << 6
)

type options struct {
	Challenge string
	RPID      string
	RP        struct{ ID string }
	User      struct{ ID string }
}

func (p *Passkey) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *Passkey) read(sent []byte) options {
	p.t.Helper()
	var o options
	p.must(json.Unmarshal(sent, &o))
	return o
}

func (p *Passkey) data(rp string, flags byte) []byte {
	hash := sha256.Sum256([]byte(rp))
	if p.Verifies {
		flags |= userVerified
	}
	return binary.BigEndian.AppendUint32(append(hash[:], flags|userPresent), p.Count)
}

func (p *Passkey) client(kind, challenge string) []byte {
	b, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": p.Origin, "crossOrigin": false})
	p.must(err)
	return b
}

// Create responds to the options of a page that adds a passkey.
func (p *Passkey) Create(sent []byte) string {
	p.t.Helper()
	o := p.read(sent)
	var err error
	p.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p.must(err)
	p.id = make([]byte, 16)
	_, _ = rand.Read(p.id)
	p.user, err = base64.RawURLEncoding.DecodeString(o.User.ID)
	p.must(err)
	point, err := p.key.PublicKey.Bytes()
	p.must(err)
	public, err := webauthncbor.Marshal(webauthncose.EC2PublicKeyData{
		PublicKeyData: webauthncose.PublicKeyData{KeyType: int64(webauthncose.EllipticKey), Algorithm: int64(webauthncose.AlgES256)},
		Curve:         int64(webauthncose.P256), XCoord: point[1:33], YCoord: point[33:],
	})
	p.must(err)
	data := append(p.data(o.RP.ID, hasKey), make([]byte, 16)...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(p.id)))
	data = append(append(data, p.id...), public...)
	attested, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	p.must(err)
	return p.answer(map[string]any{"clientDataJSON": encode(p.client("webauthn.create", o.Challenge)),
		"attestationObject": encode(attested)})
}

// Get responds to the options of a page that signs in.
func (p *Passkey) Get(sent []byte) string {
	p.t.Helper()
	o := p.read(sent)
	p.Count++
	data, client := p.data(o.RPID, 0), p.client("webauthn.get", o.Challenge)
	clientHash := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), clientHash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, p.key, signed[:])
	p.must(err)
	return p.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(p.user),
	})
}

func (p *Passkey) answer(response map[string]any) string {
	b, err := json.Marshal(map[string]any{
		"id": encode(p.id), "rawId": encode(p.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	p.must(err)
	return string(b)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Code returns the code that an app with this secret shows.
func Code(t *testing.T, secret string, now time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(strings.ReplaceAll(secret, " ", ""), now)
	if err != nil {
		t.Fatal(err)
	}
	return code
}
