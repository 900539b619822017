package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

// Purposes of links.
const (
	purposeReset        = "RESET"
	purposeRegistration = "REGISTRATION"
	purposeRequest      = "REQUEST"
	purposeBind         = "BIND"
	purposeFactors      = "FACTORS"
)

// Link is the state of an emailed link.
type Link struct {
	Exists    bool
	Minted    bool      // its email was written
	Over      bool      // it was used or replaced
	ExpiresAt time.Time // set only if minted
}

// LastLinks returns a user's latest registration link and latest reset link.
func (s *Service) LastLinks(ctx context.Context, userID int64) (registration, reset Link, err error) {
	if registration, err = s.lastLink(ctx, userID, purposeRegistration); err != nil {
		return registration, reset, err
	}
	reset, err = s.lastLink(ctx, userID, purposeReset)
	return registration, reset, err
}

func (s *Service) lastLink(ctx context.Context, userID int64, purpose string) (Link, error) {
	l, err := lastLink(ctx, s.db.Reader, userID, purpose)
	if errors.Is(err, db.ErrNotFound) {
		return Link{}, nil
	}
	return Link{Exists: true, Minted: !l.ExpiresAt.IsZero(), Over: !l.UsedAt.IsZero() || !l.EndedAt.IsZero(), ExpiresAt: l.ExpiresAt.Time},
		err
}

// Links creates and ends links. The services of the accounts and the sign-in need it, and this
// package's service needs them.
type Links struct {
	db       *db.DB
	mails    *mail.Outbox
	audit    *audit.Log
	attempts *ratelimit.Shared
	now      func() time.Time
}

// NewLinks creates the service of links.
func NewLinks(kit platform.Kit) *Links {
	return &Links{db: kit.DB, mails: kit.Mail, audit: kit.Audit, attempts: kit.Limits, now: kit.Clock}
}

// sendLink creates a link and queues the email that delivers it. It invalidates earlier links
// for the same purpose.
func (s *Links) sendLink(ctx context.Context, tx *sql.Tx, l link, kind mail.Kind, to string) error {
	id, err := s.createLink(ctx, tx, l)
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, tx, kind, to, id)
}

func (s *Links) createLink(ctx context.Context, tx *sql.Tx, l link) (int64, error) {
	ofRequest := l.RequestID
	if l.UserID != 0 {
		ofRequest = 0
	}
	if _, err := endLinks(ctx, tx, l.UserID, ofRequest, []string{l.Purpose}, db.At(s.now())); err != nil {
		return 0, err
	}
	return insertLink(ctx, tx, l, db.At(s.now()))
}

// InvalidateLinks invalidates the links sent to the account's old address. A user with a pending
// invitation or password reset gets a new link at the new address.
func (s *Links) InvalidateLinks(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	invited, err := lastLink(ctx, tx, g.ID(), purposeRegistration)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	ended, err := endLinks(ctx, tx, g.ID(), 0, []string{purposeRegistration, purposeReset, purposeBind, purposeFactors}, db.At(s.now()))
	if err != nil || len(ended) == 0 {
		return err
	}
	u, err := users.Lock(ctx, tx, s.db.Dialect, g.ID())
	switch {
	case err != nil || u.GroupEnded:
		return err
	case u.StatusCd == users.New && slices.Contains(ended, purposeRegistration):
		l := link{Purpose: purposeRegistration, UserID: u.ID, RequestID: invited.RequestID, CreatedBy: g.By()}
		return s.sendLink(ctx, tx, l, mailRegistration, u.Email)
	case u.StatusCd == users.Inactive && slices.Contains(ended, purposeReset):
		return s.sendLink(ctx, tx, link{Purpose: purposeReset, UserID: u.ID, CreatedBy: g.By()}, mailResetByAdmin, u.Email)
	}
	return nil
}

// OfferBinding emails the account's owner a link that binds the account to the SSO subject who
// tried to sign in. For user 0 (no account) it does the same work, and the email without a
// recipient is dropped. After too many attempts it doesn't send one either.
func (s *Links) OfferBinding(ctx context.Context, userID int64, issuer, subject string) error {
	err := s.attempts.Allow(ctx, "bind", issuer+" "+subject, maxAttempts, ratelimit.Quarter)
	if problem.Is(err, problem.TooMany) {
		return s.audit.RecordNow(ctx, audit.Entry{Operation: "sso-bind-offer", Result: codeTooMany})
	}
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		var u users.User
		if userID != 0 {
			if u, err = users.Lock(ctx, tx, s.db.Dialect, userID); err != nil {
				return err
			}
		}
		id, err := s.createLink(ctx, tx, link{Purpose: purposeBind, UserID: userID, CreatedBy: byThemselves})
		if err != nil {
			return err
		}
		if err := setLinkIdentity(ctx, tx, id, issuer, subject); err != nil {
			return err
		}
		if err := s.mails.Enqueue(ctx, tx, mailBind, u.Email, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "sso-bind-offer", Subject: u.UserName, Result: "ok"})
	})
}

func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// mintToken creates the link's token when the link is sent or shown, and stores only the hash.
// Sending a link again replaces its token.
func (s *Service) mintToken(
	ctx context.Context, tx *sql.Tx, l link, holds time.Duration,
) (token, authentication string, expires time.Time, err error) {
	if !l.UsedAt.IsZero() || !l.EndedAt.IsZero() {
		return "", "", time.Time{}, mail.ErrObsolete
	}
	token = seal.NewToken()
	expires = s.now().Add(holds).Truncate(time.Second)
	var codeHash []byte
	if l.Purpose == purposeRequest {
		authentication = newAuthenticationCode()
		codeHash = hashToken(authentication)
	}
	err = mintLink(ctx, tx, l.ID, hashToken(token), codeHash, db.At(expires))
	return token, authentication, expires, err
}

// newAuthenticationCode returns four groups of five capital letters or digits, without characters
// that look alike.
func newAuthenticationCode() string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" // 32 of them: no remainder, no bias
	b := make([]byte, 20)
	_, _ = rand.Read(b) // never fails
	var groups []string
	for group := range 4 {
		part := b[group*5 : group*5+5]
		for i := range part {
			part[i] = letters[int(part[i])%len(letters)]
		}
		groups = append(groups, string(part))
	}
	return strings.Join(groups, "-")
}

// findUsableLink finds the link of a token that is still valid.
func (s *Service) findUsableLink(ctx context.Context, q db.Queryer, purpose string, hash []byte) (link, error) {
	l, err := linkByToken(ctx, q, hash)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return l, newCodeError(codeInvalidToken)
	case err != nil:
		return l, err
	case l.Purpose != purpose || !l.UsedAt.IsZero() || !l.EndedAt.IsZero(),
		purpose == purposeBind && l.SSOIssuer != s.settings.Issuer: // of a former issuer
		return l, newCodeError(codeInvalidToken)
	case l.ExpiresAt.Before(s.now()):
		return l, newCodeError(codeExpiredToken)
	}
	return l, nil
}

// CheckLink checks whether an emailed link is still valid, without using it. It saves people
// from filling in a form for an expired link.
func (s *Service) CheckLink(ctx context.Context, purpose, token string) error {
	if purpose == purposeReset {
		jti, err := s.readReset(token)
		if err != nil {
			return err
		}
		token = jti
	}
	l, err := s.findUsableLink(ctx, s.db.Reader, purpose, hashToken(token))
	if err != nil || l.UserID == 0 {
		return err
	}
	u, err := s.users.ByID(ctx, l.UserID)
	if err == nil && !canComplete(u, purpose) {
		err = newCodeError(codeInvalidToken)
	}
	return err
}

// canComplete reports whether a link for this purpose still has an effect on the account.
func canComplete(u users.User, purpose string) bool {
	return !isOver(u) && (u.StatusCd == users.New) == (purpose == purposeRegistration)
}

// isOver reports whether an account, or its group, can't use the portal or get email.
func isOver(u users.User) bool {
	return u.GroupEnded || u.StatusCd == users.Terminated || u.StatusCd == users.Draft
}

func (l link) hasCode(typed string) bool {
	return subtle.ConstantTimeCompare(l.CodeHash, hashToken(cleanCode(typed))) == 1
}

func (s *Service) linkURL(screen string, query url.Values) string {
	return s.publicURL + "/wcpp/" + screen + "?" + query.Encode()
}

// resetURL returns the URL of a reset link. Its token is signed so that the browser can read
// when it expires (exp, in seconds). The identifier in it makes it single-use.
func (s *Service) resetURL(ctx context.Context, tx *sql.Tx, l link) (string, error) {
	token, _, expires, err := s.mintToken(ctx, tx, l, s.settings.resetValidity())
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: s.signing}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", err
	}
	signed, err := jwt.Signed(signer).Claims(jwt.Claims{ID: token, Expiry: jwt.NewNumericDate(expires)}).Serialize()
	if err != nil {
		return "", err
	}
	return s.linkURL("confirmPasswordReset", url.Values{"token": {signed}}), nil
}

// readReset returns the identifier in a reset token that was signed here. The stored link
// decides whether it has expired.
func (s *Service) readReset(token string) (string, error) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		return "", newCodeError(codeInvalidToken)
	}
	var claims jwt.Claims
	if err := parsed.Claims(s.signing, &claims); err != nil || claims.ID == "" {
		return "", newCodeError(codeInvalidToken)
	}
	return claims.ID, nil
}

// registrationURL returns the URL where a new account gets its first password.
func (s *Service) registrationURL(ctx context.Context, tx *sql.Tx, l link) (string, error) {
	token, _, expires, err := s.mintToken(ctx, tx, l, s.settings.registrationValidity())
	if err != nil {
		return "", err
	}
	screen := "confirmAddUser"
	if l.RequestID != 0 {
		screen = "confirmRegistration"
	}
	return s.linkURL(screen, expiryQuery(token, expires)), nil
}

func expiryQuery(token string, expires time.Time) url.Values {
	return url.Values{"token": {token}, "expire": {strconv.FormatInt(expires.UnixMilli(), 10)}}
}
