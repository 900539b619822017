// Package mfa owns what people show beside their password at the portal's
// own form: passkeys, apps that make codes, and recovery codes.
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

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

// SealName is the name of the installation's key that seals factors. It is one of
// its own, as what it seals is kept.
const SealName = "factors"

// Kind is a kind of factor.
type Kind string

// The kinds.
const (
	Passkey Kind = "passkey"
	App     Kind = "app" // makes a code of six digits each 30 seconds
)

// Factor is one that a person has set up.
type Factor struct {
	ID           int64
	UserID       int64
	Kind         Kind
	Name         string
	CredentialID []byte // of a passkey
	Sealed       string // a passkey's credential, an app's secret
	LastStep     int64  // of 30 seconds, whose code was taken last; an app's
	CreatedAt    db.Instant
	UsedAt       db.Instant // zero: never
}

// Account is a user as the area needs to know them.
type Account struct {
	ID        int64
	UserName  string
	FirstName string
	LastName  string
	Email     string
	Type      access.Type
}

// Accounts finds accounts. Whoever is not found is a problem of kind NotFound.
type Accounts interface {
	ByID(ctx context.Context, id int64) (Account, error)
	// LockUser reads an account and locks it until the transaction ends.
	LockUser(ctx context.Context, tx *sql.Tx, id int64) (Account, error)
}

// Sessions ends what is signed in.
type Sessions interface {
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error
}

// Service keeps factors and checks what is shown of them.
type Service struct {
	db       *db.DB
	accounts Accounts
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
	signInAt string // address, for letters
}

// NewService makes the service. The sealer is that of SealName; passkeys belong to
// the host of the portal's address.
func NewService(d *db.DB, accounts Accounts, sessions Sessions, mails *mail.Outbox, log *audit.Log, attempts *ratelimit.Shared, sealer *seal.Sealer, lines *slog.Logger, now func() time.Time, settings Settings, brand, publicURL string) (*Service, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return nil, err
	}
	keys, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: brand, RPOrigins: []string{u.Scheme + "://" + u.Host}})
	if err != nil {
		return nil, err
	}
	s := &Service{
		db: d, accounts: accounts, sessions: sessions, mails: mails, audit: log, attempts: attempts, sealer: sealer, keys: keys,
		log: lines, now: now, settings: settings, brand: brand, signInAt: publicURL + "/wcpp/login",
	}
	s.letters()
	return s, nil
}

const (
	mostFactors = 10 // of a person
	mostName    = 60 // characters
	codesGiven  = 10
)

// codeWrong refuses what was shown as a factor.
const codeWrong = "INVALID_FACTOR"

// wrong is what was shown and is not right, or was shown before.
func wrong(cause error) error {
	return problem.Coded(problem.Unauthenticated, codeWrong).Because(cause)
}

// Asked tells whether the right password alone does not let the person in.
func (s *Service) Asked(ctx context.Context, q db.Queryer, userID int64, t access.Type) (bool, error) {
	switch s.settings.policy(t) {
	case Off:
		return false, nil
	case Required:
		return true, nil
	}
	return held(ctx, q, userID)
}

// Has tells whether the account has the factor; for 0, any.
func (s *Service) Has(ctx context.Context, q db.Queryer, userID, id int64) (bool, error) {
	list, err := factorsOf(ctx, q, userID)
	return slices.ContainsFunc(list, func(f Factor) bool { return id == 0 || f.ID == id }), err
}

// Held tells whether the person has set up a factor.
func (s *Service) Held(ctx context.Context, userID int64) (bool, error) {
	return held(ctx, s.db.Writer, userID)
}

// Holders lists those of several users who have set up a factor.
func (s *Service) Holders(ctx context.Context, userIDs []int64) ([]int64, error) {
	return holders(ctx, s.db.Reader, userIDs)
}

// Offered tells whether anybody may set up a factor.
func (s *Service) Offered() bool { return s.settings.Offered() }

// ShowAdded takes a factor that was set up a moment ago as shown, once: who shows it again
// must use it. Where it was removed or used meanwhile it refuses, as Unauthenticated.
func (s *Service) ShowAdded(ctx context.Context, userID, id int64) error {
	n, err := useAdded(ctx, s.db.Writer, userID, id, db.At(s.now()))
	if err == nil && n == 0 {
		err = wrong(nil)
	}
	return err
}

// FirstCodes makes the recovery codes of an account whose factor was set up a moment ago;
// none where they were made before. A factor that is gone or was used is refused, as
// Unauthenticated.
func (s *Service) FirstCodes(ctx context.Context, g access.UserGrant, id int64) ([]string, error) {
	var codes []string
	return codes, s.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := s.accounts.LockUser(ctx, tx, g.ID()); err != nil {
			return err
		}
		list, err := factorsOf(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(f Factor) bool { return f.ID == id && f.UsedAt.IsZero() }) {
			return wrong(nil)
		}
		left, err := countCodes(ctx, tx, g.ID())
		if err == nil && left == 0 {
			codes, err = s.giveCodes(ctx, tx, g)
		}
		return err
	})
}

// HasPasskey tells whether one of the person's factors is a passkey.
func (s *Service) HasPasskey(ctx context.Context, userID int64) (bool, error) {
	list, err := factorsOf(ctx, s.db.Writer, userID)
	return slices.ContainsFunc(list, func(f Factor) bool { return f.Kind == Passkey }), err
}

// ShowCode takes a code of the person's app, or a recovery code, once, and answers which
// app it was; 0 for a recovery code. Any other is refused as Unauthenticated.
func (s *Service) ShowCode(ctx context.Context, userID int64, code string) (factor int64, err error) {
	code = cleanCode(code)
	if len(code) == appDigits {
		return s.showAppCode(ctx, userID, code)
	}
	return 0, s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, userID)
		if err != nil {
			return err
		}
		n, err := takeCode(ctx, tx, userID, hashOf(userID, code))
		if err != nil {
			return err
		}
		if n == 0 {
			return wrong(nil)
		}
		if err := s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "recovery-code", Subject: u.UserName, Result: "ok"}); err != nil {
			return err
		}
		return s.mails.Post(ctx, tx, mailCodeUsed, u.Email, u.ID)
	})
}

// cleanCode reads a code as it may have been typed.
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

// hashOf is what is kept of a recovery code, which has 80 random bits.
func hashOf(userID int64, code string) []byte {
	h := sha256.Sum256(fmt.Appendf(nil, "%d %s", userID, code))
	return h[:]
}

// recoveryCode is four groups of four capital letters or digits, without those that
// look alike.
func recoveryCode() string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" // 32 of them: no remainder, no bias
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return fmt.Sprintf("%s-%s-%s-%s", b[:4], b[4:8], b[8:12], b[12:])
}

// giveCodes makes recovery codes in place of those that are left.
func (s *Service) giveCodes(ctx context.Context, tx *sql.Tx, g access.UserGrant) ([]string, error) {
	if err := deleteCodes(ctx, tx, g); err != nil {
		return nil, err
	}
	codes, hashes := make([]string, codesGiven), make([][]byte, codesGiven)
	for i := range codes {
		codes[i] = recoveryCode()
		hashes[i] = hashOf(g.ID(), cleanCode(codes[i]))
	}
	return codes, insertCodes(ctx, tx, g, hashes)
}

// Adding is who adds a factor to which account.
type Adding struct {
	Grant access.UserGrant
	// First refuses where the account has a factor: whoever adds it has shown the
	// password alone. FirstCodes makes its recovery codes.
	First bool
	// Session is the hash of the session that goes on; nil where there is none yet.
	Session []byte
	Name    string
}

// Added is a factor that was set up.
type Added struct {
	ID    int64
	Codes []string // recovery codes, to be shown once; none where those before stay
}

// add stores a factor, and makes recovery codes where the account has none.
func (s *Service) add(ctx context.Context, a Adding, f Factor) (Added, error) {
	var added Added
	f.Name, f.CreatedAt = text.Clean(a.Name), db.At(s.now())
	if n := len([]rune(f.Name)); n > mostName {
		return added, field("name", "TOO_LONG", fmt.Sprintf("Up to %d characters", mostName))
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, a.Grant.ID())
		if err != nil {
			return err
		}
		if s.settings.policy(u.Type) == Off {
			return problem.Say(problem.Forbidden, "Two-step verification isn't available for your account.")
		}
		list, err := factorsOf(ctx, tx, u.ID)
		switch {
		case err != nil:
			return err
		case a.First && len(list) > 0:
			return problem.Say(problem.Conflict, "Your account already uses two-step verification. Sign in again.")
		case len(list) >= mostFactors:
			return problem.Say(problem.Conflict, fmt.Sprintf("You can have up to %d passkeys and apps. Remove one first.", mostFactors))
		}
		if added.ID, err = insertFactor(ctx, tx, a.Grant, f); err != nil {
			return err
		}
		left, err := countCodes(ctx, tx, u.ID)
		if err == nil && left == 0 && !a.First {
			added.Codes, err = s.giveCodes(ctx, tx, a.Grant)
		}
		if err != nil {
			return err
		}
		return s.changed(ctx, tx, a.Grant, u, a.Session, "factor-add", mailAdded[f.Kind])
	})
	if db.IsUniqueOf(err, "factors", "credential_id") {
		err = problem.Say(problem.Conflict, "You've already added this passkey.")
	}
	return added, err
}

// changed ends the other sessions of an account whose factors have changed, tells
// its owner and writes it down.
func (s *Service) changed(ctx context.Context, tx *sql.Tx, g access.UserGrant, u Account, session []byte, operation audit.Operation, letter mail.Kind) error {
	if session == nil {
		session = []byte{} // nobody's: all others are the others
	}
	if err := s.sessions.EndOthers(ctx, tx, g, session); err != nil {
		return err
	}
	if err := s.mails.Post(ctx, tx, letter, u.Email, u.ID); err != nil {
		return err
	}
	return s.audit.Record(ctx, tx, audit.Entry{Actor: g.By(), Operation: operation, Subject: u.UserName, Result: "ok"})
}

// own grants the change of the actor's own factors. Each change that a person who
// is signed in makes comes through here.
func (s *Service) own(a access.Actor) (access.UserGrant, error) {
	if err := a.MustBeProven(); err != nil {
		return access.UserGrant{}, err
	}
	return a.Reach().EditUser(a.Person)
}

// Remove takes a factor of the actor's own away; one that is not there is gone
// already. The last one stays where one is required.
func (s *Service) Remove(ctx context.Context, a access.Actor, id int64) error {
	g, err := s.own(a)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		list, err := factorsOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(f Factor) bool { return f.ID == id }) {
			return access.Refuse(fmt.Sprintf("factor %d", id))
		}
		if len(list) == 1 {
			if s.settings.policy(u.Type) == Required {
				return problem.Say(problem.Conflict, "Your account requires two-step verification. Add another method before you remove this one.")
			}
			if err := deleteCodes(ctx, tx, g); err != nil {
				return err
			}
		}
		if err := deleteFactor(ctx, tx, g, id); err != nil {
			return err
		}
		return s.changed(ctx, tx, g, u, a.Session, "factor-remove", mailRemoved)
	})
}

// RenewCodes makes recovery codes in place of those before, to be shown once.
func (s *Service) RenewCodes(ctx context.Context, a access.Actor) ([]string, error) {
	g, err := s.own(a)
	if err != nil {
		return nil, err
	}
	var codes []string
	return codes, s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, g.ID())
		if err != nil {
			return err
		}
		if is, err := held(ctx, tx, u.ID); err != nil || !is {
			return cmp.Or[error](err, problem.Say(problem.Conflict, "Add a passkey or an authenticator app first."))
		}
		if codes, err = s.giveCodes(ctx, tx, g); err != nil {
			return err
		}
		return s.changed(ctx, tx, g, u, a.Session, "recovery-codes", mailCodes)
	})
}

// RemoveAll takes all factors of an account away, and ends its sessions. It answers
// false where there were none.
func (s *Service) RemoveAll(ctx context.Context, tx *sql.Tx, g access.UserGrant) (bool, error) {
	u, err := s.accounts.LockUser(ctx, tx, g.ID())
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
	if err := s.mails.Post(ctx, tx, mailReset, u.Email, u.ID); err != nil {
		return false, err
	}
	return true, s.audit.Record(ctx, tx, audit.Entry{Actor: g.By(), Operation: "factor-reset", Subject: u.UserName, Result: "ok"})
}

// Security is what a person sees of the own factors.
type Security struct {
	Policy    Policy
	Factors   []Factor
	CodesLeft int
}

// Of lists what the actor has set up.
func (s *Service) Of(ctx context.Context, a access.Actor) (Security, error) {
	out := Security{Policy: s.settings.policy(a.Person.Type)}
	var err error
	if out.Factors, err = factorsOf(ctx, s.db.Reader, a.Person.ID); err == nil {
		out.CodesLeft, err = countCodes(ctx, s.db.Reader, a.Person.ID)
	}
	return out, err
}

// field refuses one value of what was sent.
func field(path, code, message string) error {
	e := problem.Say(problem.Invalid, message)
	e.Fields = []problem.Field{{Path: path, Code: code, Message: message}}
	return e
}
