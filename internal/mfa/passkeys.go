package mfa

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// Time limit for a passkey's response.
const ceremonyFor = 5 * time.Minute

const (
	purposePasskey  = "passkey"
	purposeCeremony = "passkey ceremony"
)

// Ceremony is a challenge for a passkey.
type Ceremony struct {
	// Options are the options for navigator.credentials, in the JSON form for its
	// parse...OptionsFromJSON functions.
	Options json.RawMessage
	// State is sealed. The browser returns it with the passkey's response.
	State string
}

// ceremony is the content of State.
type ceremony struct {
	Session webauthn.SessionData
	Adds    bool
	At      time.Time
}

// owner is an account in WebAuthn terms.
type owner struct {
	account users.User
	keys    []webauthn.Credential
	factors []Factor // contain the keys
}

// userHandle returns an account's WebAuthn user handle, which reveals nothing about the user.
func userHandle(userID int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(userID)) }

func (o owner) WebAuthnID() []byte                         { return userHandle(o.account.ID) }
func (o owner) WebAuthnName() string                       { return o.account.UserName }
func (o owner) WebAuthnDisplayName() string                { return o.account.FirstName + " " + o.account.LastName }
func (o owner) WebAuthnCredentials() []webauthn.Credential { return o.keys }

func (s *Service) owner(ctx context.Context, userID int64) (owner, error) {
	var o owner
	list, err := listFactors(ctx, s.db.Writer, userID)
	if err == nil {
		o.account, err = s.users.ByID(ctx, userID)
	}
	if err != nil {
		return o, err
	}
	for _, f := range list {
		if f.Kind != Passkey {
			continue
		}
		var key webauthn.Credential
		if err := s.sealer.Open(purposePasskey, f.Sealed, &key); err != nil {
			return o, fmt.Errorf("factor %d: %w", f.ID, err)
		}
		o.keys, o.factors = append(o.keys, key), append(o.factors, f)
	}
	return o, nil
}

// NewPasskey begins adding a passkey to an account.
func (s *Service) NewPasskey(ctx context.Context, userID int64) (Ceremony, error) {
	o, err := s.owner(ctx, userID)
	if err != nil {
		return Ceremony{}, err
	}
	options, session, err := s.keys.BeginRegistration(o,
		webauthn.WithExclusions(webauthn.Credentials(o.keys).CredentialDescriptors()),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			// A discoverable credential lets its owner sign in without a username.
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		}))
	if err != nil {
		return Ceremony{}, err
	}
	return s.newCeremony(options.Response, session, true)
}

// AddPasskey adds the passkey that responds to NewPasskey's challenge.
func (s *Service) AddPasskey(ctx context.Context, a AddRequest, state string, answer []byte) (AddedFactor, error) {
	c, err := s.openCeremony(state, true)
	if err != nil {
		return AddedFactor{}, errNotAdded(err)
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return AddedFactor{}, errNotAdded(err)
	}
	o, err := s.owner(ctx, a.Grant.ID())
	if err != nil {
		return AddedFactor{}, err
	}
	key, err := s.keys.CreateCredential(o, c.Session, parsed)
	if err != nil {
		return AddedFactor{}, errNotAdded(err)
	}
	sealed, err := s.sealer.Seal(purposePasskey, key)
	if err != nil {
		return AddedFactor{}, err
	}
	if a.Name == "" {
		a.Name = "Passkey"
	}
	return s.add(ctx, a, Factor{Kind: Passkey, Sealed: sealed, CredentialID: key.ID})
}

func errNotAdded(cause error) error {
	return problem.WithMessage(problem.Invalid, "Couldn't add the passkey. Try again.").WithCause(cause)
}

// Challenge challenges an account's passkeys, or any passkey if the account is 0. In the latter
// case the passkey must verify its user, and counts as two factors.
func (s *Service) Challenge(ctx context.Context, userID int64) (Ceremony, error) {
	if userID == 0 {
		options, session, err := s.keys.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
		if err != nil {
			return Ceremony{}, err
		}
		return s.newCeremony(options.Response, session, false)
	}
	o, err := s.owner(ctx, userID)
	if err != nil {
		return Ceremony{}, err
	}
	if len(o.keys) == 0 {
		return Ceremony{}, problem.WithMessage(problem.Conflict, "Passkeys aren't available for this sign-in. Use a code.")
	}
	options, session, err := s.keys.BeginLogin(o, webauthn.WithUserVerification(protocol.VerificationPreferred))
	if err != nil {
		return Ceremony{}, err
	}
	session.AllowedCredentialIDs = nil // checked against the account's own; a cookie is too small for all of them
	return s.newCeremony(options.Response, session, false)
}

// newCeremony seals the data needed to verify the response.
func (s *Service) newCeremony(options any, session *webauthn.SessionData, adds bool) (Ceremony, error) {
	var c Ceremony
	var err error
	if c.Options, err = json.Marshal(options); err == nil {
		c.State, err = s.sealer.Seal(purposeCeremony, ceremony{Session: *session, Adds: adds, At: s.now()})
	}
	return c, err
}

func (s *Service) openCeremony(state string, adds bool) (ceremony, error) {
	var c ceremony
	err := s.sealer.Open(purposeCeremony, state, &c)
	if err == nil && (c.Adds != adds || s.now().Sub(c.At) > ceremonyFor) {
		err = errors.New("request expired or is for another action")
	}
	return c, err
}

// FindOwner returns the account of the passkey in a response, without verifying the response.
// Others are refused as Unauthenticated.
func (s *Service) FindOwner(ctx context.Context, answer []byte) (int64, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return 0, errWrongFactor(err)
	}
	userID, err := getOwner(ctx, s.db.Writer, parsed.RawID)
	if errors.Is(err, db.ErrNotFound) {
		err = errWrongFactor(err)
	}
	return userID, err
}

// VerifyPasskey verifies, once, a passkey's response to a Challenge and returns the passkey's id.
// It refuses any other response as Unauthenticated. If the passkey is used alone, the challenge
// must have required user verification.
func (s *Service) VerifyPasskey(ctx context.Context, userID int64, alone bool, state string, answer []byte) (factor int64, err error) {
	c, err := s.openCeremony(state, false)
	if err == nil && alone != (c.Session.UserID == nil) {
		err = errors.New("request is for another step")
	}
	if err != nil {
		return 0, errWrongFactor(err)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return 0, errWrongFactor(err)
	}
	o, err := s.owner(ctx, userID)
	if err != nil {
		return 0, err
	}
	if s.settings.policy(o.account.TypeCd) == Off {
		return 0, errWrongFactor(errors.New("account can't use passkeys"))
	}
	var key *webauthn.Credential
	if alone {
		_, key, err = s.keys.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) { return o, nil }, c.Session, parsed)
	} else {
		key, err = s.keys.ValidateLogin(o, c.Session, parsed)
	}
	if err != nil {
		return 0, errWrongFactor(err)
	}
	// The state is stored in the browser, so this counter makes it single-use.
	if err := s.attempts.Allow(ctx, "passkey", c.Session.Challenge, 1, ratelimit.Quarter); err != nil {
		if problem.Is(err, problem.TooMany) {
			err = errWrongFactor(err)
		}
		return 0, err
	}
	for _, f := range o.factors {
		if string(f.CredentialID) != string(key.ID) {
			continue
		}
		// Synced passkeys count per device, so a clone warning is no reason to refuse.
		if key.Authenticator.CloneWarning {
			s.log.WarnContext(ctx, "passkey counter went backward, so it may be a copy", "factor", f.ID)
			key.Authenticator.CloneWarning = false
		}
		sealed, err := s.sealer.Seal(purposePasskey, key)
		if err != nil {
			return 0, err
		}
		return f.ID, notePasskey(ctx, s.db.Writer, f.ID, sealed, db.At(s.now()))
	}
	return 0, errWrongFactor(nil)
}
