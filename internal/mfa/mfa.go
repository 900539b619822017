// Package mfa owns the second factors for the portal's own sign-in form: passkeys, authenticator
// apps and recovery codes.
package mfa

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

// SealName is the name of the installation key that seals factors. It has its own key because
// factors are stored permanently.
const SealName = "factors"

// Kind is a kind of factor.
type Kind string

// The kinds.
const (
	Passkey Kind = "passkey"
	App     Kind = "app" // shows a new six-digit code every 30 seconds
)

// Factor is a second factor that a user has set up.
type Factor struct {
	ID           int64
	UserID       int64
	Kind         Kind
	Name         string
	CredentialID []byte // only for a passkey
	Sealed       string // a passkey's credential or an app's secret
	LastStep     int64  // 30-second step of the last code used; only for an app
	CreatedAt    db.Instant
	UsedAt       db.Instant // zero: never
}

// Sessions ends signed-in sessions.
type Sessions interface {
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error
}

// Service manages and verifies second factors.
type Service struct {
	db       *db.DB
	users    *users.Service
	sessions Sessions
	mails    *mail.Outbox
	audit    *audit.Log
	attempts *ratelimit.Shared
	sealer   *seal.Sealer
	keys     *webauthn.WebAuthn
	log      *slog.Logger
	now      func() time.Time
	settings Settings
	brand    string
	signInAt string // URL, for emails
}

// Deps are what the service needs. The Kit's Sealer is the one for SealName.
type Deps struct {
	platform.Kit
	Users    *users.Service
	Sessions Sessions
}

// NewService creates the service. Passkeys are bound to the host of the portal's URL.
func NewService(d Deps, settings Settings) (*Service, error) {
	platform.Require(d)
	u, err := url.Parse(d.PublicURL)
	if err != nil {
		return nil, err
	}
	brand := d.Brand.BrandName
	keys, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: brand, RPOrigins: []string{u.Scheme + "://" + u.Host}})
	if err != nil {
		return nil, err
	}
	s := &Service{
		db: d.DB, users: d.Users, sessions: d.Sessions, mails: d.Mail, audit: d.Audit, attempts: d.Limits, sealer: d.Sealer,
		keys: keys, log: d.Log, now: d.Clock, settings: settings, brand: brand, signInAt: d.PublicURL + "/wcpp/login",
	}
	return s, nil
}

const (
	maxFactors = 10 // per user
	maxName    = 60 // characters
	codesGiven = 10
	// recoveryLength is the length of a recovery code without its hyphens.
	recoveryLength = 16
)

// codeWrong rejects an invalid factor.
const codeWrong = "INVALID_FACTOR"

// errWrongFactor returns the error for a factor that is invalid or was already used.
func errWrongFactor(cause error) error {
	return problem.WithCode(problem.Unauthenticated, codeWrong).WithCause(cause)
}

// IsRequired reports whether the user must verify a second factor after the password.
func (s *Service) IsRequired(ctx context.Context, q db.Queryer, userID int64, t access.Type) (bool, error) {
	switch s.settings.policy(t) {
	case Off:
		return false, nil
	case Required:
		return true, nil
	}
	return hasFactor(ctx, q, userID)
}

// Has reports whether the account has the factor, or any factor if id is 0.
func (s *Service) Has(ctx context.Context, q db.Queryer, userID, id int64) (bool, error) {
	list, err := listFactors(ctx, q, userID)
	return slices.ContainsFunc(list, func(f Factor) bool { return id == 0 || f.ID == id }), err
}

// HasFactor reports whether the user has set up a factor.
func (s *Service) HasFactor(ctx context.Context, userID int64) (bool, error) {
	return hasFactor(ctx, s.db.Writer, userID)
}

// ListHolders returns the users who have set up a factor.
func (s *Service) ListHolders(ctx context.Context, userIDs []int64) ([]int64, error) {
	return listHolders(ctx, s.db.Reader, userIDs)
}

// IsOffered reports whether anyone can set up a factor.
func (s *Service) IsOffered() bool { return s.settings.IsOffered() }

// AcceptAdded accepts a factor that was just set up as verified, once. After that, the user must
// use it. It returns Unauthenticated if the factor was removed or used since.
func (s *Service) AcceptAdded(ctx context.Context, userID, id int64) error {
	n, err := useAdded(ctx, s.db.Writer, userID, id, db.At(s.now()))
	if err == nil && n == 0 {
		err = errWrongFactor(nil)
	}
	return err
}

// CreateFirstCodes creates the recovery codes of an account that just set up a factor, or none if it
// already has them. It returns Unauthenticated if the factor was removed or used since.
func (s *Service) CreateFirstCodes(ctx context.Context, g access.UserGrant, id int64) ([]string, error) {
	var codes []string
	return codes, s.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := s.users.LockUser(ctx, tx, g.ID()); err != nil {
			return err
		}
		list, err := listFactors(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(f Factor) bool { return f.ID == id && f.UsedAt.IsZero() }) {
			return errWrongFactor(nil)
		}
		left, err := countCodes(ctx, tx, g.ID())
		if err == nil && left == 0 {
			codes, err = s.replaceCodes(ctx, tx, g)
		}
		return err
	})
}

// HasPasskey reports whether the user has a passkey.
func (s *Service) HasPasskey(ctx context.Context, userID int64) (bool, error) {
	list, err := listFactors(ctx, s.db.Writer, userID)
	return slices.ContainsFunc(list, func(f Factor) bool { return f.Kind == Passkey }), err
}

// VerifyCode verifies a code from the user's app, or a recovery code. Each works only once. It
// returns the app's id, or 0 for a recovery code, and Unauthenticated for any other code.
func (s *Service) VerifyCode(ctx context.Context, userID int64, code string) (factor int64, err error) {
	code = cleanCode(code)
	if len(code) == appDigits {
		return s.verifyAppCode(ctx, userID, code)
	}
	return 0, s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.users.LockUser(ctx, tx, userID)
		if err != nil {
			return err
		}
		n, err := takeCode(ctx, tx, userID, hashCode(userID, code))
		if err != nil {
			return err
		}
		if n == 0 {
			return errWrongFactor(nil)
		}
		if err := s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "recovery-code", Subject: u.UserName,
			Result: "ok"}); err != nil {
			return err
		}
		return s.mails.Enqueue(ctx, tx, mailCodeUsed, u.Email, u.ID)
	})
}

// CheckCode rejects what can be neither an app's code nor a recovery code, so that a slip doesn't
// count as an attempt.
func CheckCode(code string) error {
	if n := len(cleanCode(code)); n != appDigits && n != recoveryLength {
		return problem.WithMessage(problem.Invalid,
			fmt.Sprintf("Enter the %d digits from your app, or a recovery code of %d characters.", appDigits, recoveryLength))
	}
	return nil
}

// cleanCode normalizes a typed code.
func cleanCode(typed string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, typed)
}

// hashCode returns the stored hash of a recovery code, which has 80 random bits.
func hashCode(userID int64, code string) []byte {
	h := sha256.Sum256(fmt.Appendf(nil, "%d %s", userID, code))
	return h[:]
}

// newRecoveryCode returns four groups of four capital letters or digits, without characters that
// look alike.
func newRecoveryCode() string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" // 32 of them: no remainder, no bias
	b := make([]byte, recoveryLength)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return fmt.Sprintf("%s-%s-%s-%s", b[:4], b[4:8], b[8:12], b[12:])
}

// replaceCodes creates recovery codes and replaces the remaining ones.
func (s *Service) replaceCodes(ctx context.Context, tx *sql.Tx, g access.UserGrant) ([]string, error) {
	if err := deleteCodes(ctx, tx, g); err != nil {
		return nil, err
	}
	codes, hashes := make([]string, codesGiven), make([][]byte, codesGiven)
	for i := range codes {
		codes[i] = newRecoveryCode()
		hashes[i] = hashCode(g.ID(), cleanCode(codes[i]))
	}
	return codes, insertCodes(ctx, tx, g, hashes)
}

// AddRequest is who adds a factor, and to which account.
type AddRequest struct {
	Grant access.UserGrant
	// First rejects an account that already has a factor, because the user has shown only the
	// password. CreateFirstCodes creates its recovery codes.
	First bool
	// Session is the hash of the session to preserve, or nil if there is none yet.
	Session []byte
	Name    string
}

// AddedFactor is a newly set up factor.
type AddedFactor struct {
	ID    int64
	Codes []string // recovery codes, shown once; empty if existing ones stay valid
}

// add stores a factor. It also creates recovery codes if the account has none.
func (s *Service) add(ctx context.Context, a AddRequest, f Factor) (AddedFactor, error) {
	var added AddedFactor
	f.Name, f.CreatedAt = text.Clean(a.Name), db.At(s.now())
	if n := len([]rune(f.Name)); n > maxName {
		return added, fieldError("name", "TOO_LONG", fmt.Sprintf("Up to %d characters", maxName))
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.users.LockUser(ctx, tx, a.Grant.ID())
		if err != nil {
			return err
		}
		if s.settings.policy(u.TypeCd) == Off {
			return problem.WithMessage(problem.Forbidden, "Two-step verification isn't available for your account.")
		}
		list, err := listFactors(ctx, tx, u.ID)
		switch {
		case err != nil:
			return err
		case a.First && len(list) > 0:
			return problem.WithMessage(problem.Conflict, "Your account already uses two-step verification. Sign in again.")
		}
		if is, err := s.hasApp(list, f); err != nil || is {
			return cmp.Or[error](err, problem.WithMessage(problem.Conflict,
				"You've already added this app. If you don't have your recovery codes, create new ones."))
		}
		if len(list) >= maxFactors {
			return problem.WithMessage(problem.Conflict, fmt.Sprintf("You can have up to %d passkeys and apps. Remove one first.",
				maxFactors))
		}
		if added.ID, err = insertFactor(ctx, tx, a.Grant, f); err != nil {
			return err
		}
		left, err := countCodes(ctx, tx, u.ID)
		if err == nil && left == 0 && !a.First {
			added.Codes, err = s.replaceCodes(ctx, tx, a.Grant)
		}
		if err != nil {
			return err
		}
		if err := s.endOthers(ctx, tx, a.Grant, a.Session); err != nil {
			return err
		}
		return s.notifyOwner(ctx, tx, a.Grant, u, "factor-add", mailAdded[f.Kind])
	})
	if db.IsUniqueColumn(err, "factors", "credential_id") {
		err = problem.WithMessage(problem.Conflict, "You've already added this passkey.")
	}
	return added, err
}

// hasApp reports whether an app with the same secret is on the list. Otherwise, each of its codes would work once per factor.
func (s *Service) hasApp(list []Factor, f Factor) (bool, error) {
	if f.Kind != App {
		return false, nil
	}
	var secret string
	if err := s.sealer.Open(purposeApp, f.Sealed, &secret); err != nil {
		return false, err
	}
	for _, other := range list {
		if other.Kind != App {
			continue
		}
		var its string
		if err := s.sealer.Open(purposeApp, other.Sealed, &its); err != nil {
			return false, fmt.Errorf("factor %d: %w", other.ID, err)
		}
		if its == secret {
			return true, nil
		}
	}
	return false, nil
}

// endOthers ends the account's other sessions after its factors changed. Without a session, it
// ends all.
func (s *Service) endOthers(ctx context.Context, tx *sql.Tx, g access.UserGrant, session []byte) error {
	if session == nil {
		session = []byte{} // matches no session
	}
	return s.sessions.EndOthers(ctx, tx, g, session)
}

// notifyOwner emails the owner about a change of the account's factors, and audits it.
func (s *Service) notifyOwner(
	ctx context.Context, tx *sql.Tx, g access.UserGrant, u users.User, operation audit.Operation, letter mail.Kind,
) error {
	if err := s.mails.Enqueue(ctx, tx, letter, u.Email, u.ID); err != nil {
		return err
	}
	return s.audit.Record(ctx, tx, audit.Entry{Actor: g.By(), Operation: operation, Subject: u.UserName, Result: "ok"})
}

// ownGrant grants a change of the actor's own factors. Every change by a signed-in user goes through
// here.
func (s *Service) ownGrant(a access.Actor) (access.UserGrant, error) {
	if err := a.RequireProof(); err != nil {
		return access.UserGrant{}, err
	}
	return a.Reach().EditUser(a.Person)
}

// Remove removes one of the actor's factors. It accepts one that is already gone. If a factor is
// required, the last one can't be removed.
func (s *Service) Remove(ctx context.Context, a access.Actor, id int64) error {
	g, err := s.ownGrant(a)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.users.LockUser(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		list, err := listFactors(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(f Factor) bool { return f.ID == id }) {
			return access.Refuse(fmt.Sprintf("factor %d", id))
		}
		if err := deleteFactor(ctx, tx, g, id); err != nil {
			return err
		}
		if len(list) == 1 {
			if required, err := s.IsRequired(ctx, tx, u.ID, u.TypeCd); err != nil {
				return err
			} else if required {
				return problem.WithMessage(problem.Conflict,
					"Your account requires two-step verification. Add another method before you remove this one.")
			}
			if err := deleteCodes(ctx, tx, g); err != nil {
				return err
			}
		}
		if err := s.endOthers(ctx, tx, g, a.Session); err != nil {
			return err
		}
		return s.notifyOwner(ctx, tx, g, u, "factor-remove", mailRemoved)
	})
}

// RenewCodes replaces the recovery codes and returns the new ones, to be shown once.
func (s *Service) RenewCodes(ctx context.Context, a access.Actor) ([]string, error) {
	g, err := s.ownGrant(a)
	if err != nil {
		return nil, err
	}
	var codes []string
	return codes, s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.users.LockUser(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		if is, err := hasFactor(ctx, tx, u.ID); err != nil || !is {
			return cmp.Or[error](err, problem.WithMessage(problem.Conflict, "Add a passkey or an authenticator app first."))
		}
		if codes, err = s.replaceCodes(ctx, tx, g); err != nil {
			return err
		}
		if err := s.endOthers(ctx, tx, g, a.Session); err != nil {
			return err
		}
		return s.notifyOwner(ctx, tx, g, u, "recovery-codes", mailCodes)
	})
}

// RemoveAll removes all factors of an account and ends its sessions. It returns false if there
// were none.
func (s *Service) RemoveAll(ctx context.Context, tx *sql.Tx, g access.UserGrant) (bool, error) {
	u, err := s.users.LockUser(ctx, tx, g.ID())
	if err != nil {
		return false, err
	}
	n, err := deleteFactors(ctx, tx, g)
	if err != nil || n == 0 {
		return false, err
	}
	if err := deleteCodes(ctx, tx, g); err != nil {
		return false, err
	}
	if err := s.sessions.EndAll(ctx, tx, g); err != nil {
		return false, err
	}
	if err := s.mails.Enqueue(ctx, tx, mailReset, u.Email, u.ID); err != nil {
		return false, err
	}
	return true, s.audit.Record(ctx, tx, audit.Entry{Actor: g.By(), Operation: "factor-reset", Subject: u.UserName, Result: "ok"})
}

// Security is the user's view of their own factors.
type Security struct {
	Policy    Policy
	Factors   []Factor
	CodesLeft int
}

// List lists the actor's factors.
func (s *Service) List(ctx context.Context, a access.Actor) (Security, error) {
	out := Security{Policy: s.settings.policy(a.Person.Type)}
	var err error
	if out.Factors, err = listFactors(ctx, s.db.Reader, a.Person.ID); err == nil {
		out.CodesLeft, err = countCodes(ctx, s.db.Reader, a.Person.ID)
	}
	return out, err
}

// fieldError returns an error for one submitted field.
func fieldError(path, code, message string) error {
	e := problem.WithMessage(problem.Invalid, message)
	e.Fields = []problem.Field{{Path: path, Code: code, Message: message}}
	return e
}
