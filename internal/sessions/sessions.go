// Package sessions owns who is signed in: the sessions, their idle end,
// mirroring, and the answer from which the browser knows its rights.
package sessions

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// Accounts describes people.
type Accounts interface {
	// Account answers what the session shows of an account.
	Account(ctx context.Context, id int64) (Account, error)
	// ActiveByName finds an active account; NotFound for any other.
	ActiveByName(ctx context.Context, userName string) (access.Person, error)
}

// The browser tells of activity at most once a minute; the server waits as much
// longer, so that it never ends a session before the browser does.
const touchEvery = time.Minute

// Service keeps the sessions.
type Service struct {
	db       *db.DB
	accounts Accounts
	provers  []prover
	sso      SingleSignOn
	keys     Keys
	audit    *audit.Log
	now      func() time.Time
	on       access.Settings
	settings Settings
}

// NewService makes the service. People are proven by single sign-on and, where
// the settings allow it, by their password.
func NewService(d *db.DB, accounts Accounts, sso SingleSignOn, passwords Passwords, keys Keys, log *audit.Log, now func() time.Time, on access.Settings, settings Settings) *Service {
	s := &Service{db: d, accounts: accounts, provers: []prover{bySingleSignOn(sso)}, sso: sso, keys: keys, audit: log, now: now, on: on, settings: settings}
	if settings.LegacySignIn {
		s.provers = append(s.provers, byPassword(passwords))
	}
	return s
}

func hashOf(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// open starts a session of a person who was proven, in place of the one that the
// browser had before, and answers its token, of which only the hash is kept.
func (s *Service) open(ctx context.Context, p Proof, before string) (string, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(raw)
	return token, s.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := deleteSession(ctx, tx, hashOf(before)); err != nil {
			return err
		}
		return insertSession(ctx, tx, hashOf(token), p.UserID, db.At(s.now()), p.IDToken)
	})
}

// Known tells whether the permission exists.
func (s *Service) Known(permission string) bool { return access.Known(permission) }

// Offers tells whether operations of the permission are there.
func (s *Service) Offers(permission string) bool { return s.on.Offers(permission) }

// Enter finds the session of a request and decides whether it may go on. Each
// refusal of a signed-in person is audited.
func (s *Service) Enter(ctx context.Context, c httpapi.Credentials, op httpapi.Operation) (context.Context, error) {
	token := c.Bearer
	if token == "" {
		token = c.Cookie
	}
	if token == "" {
		return nil, problem.New(problem.Unauthenticated)
	}
	row, actor, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	ctx = entered(ctx, actor)
	if err := access.Allow(actor, op.Access, op.Effect); err != nil {
		return nil, s.refused(ctx, op.ID, err)
	}
	if now := s.now(); !op.Background && now.Sub(row.LastActiveAt.Time) >= touchEvery-10*time.Second {
		if err := errors.Join(
			touch(ctx, s.db.Writer, row.TokenHash, db.At(now)),
			prolongSalt(ctx, s.db.Writer, row.UserID, db.At(now), db.At(now.Add(-formsKeptFor))),
		); err != nil {
			return nil, err
		}
	}
	return ctx, nil
}

// entered puts the actor into a request's context, and their names for the
// audit log.
func entered(ctx context.Context, a access.Actor) context.Context {
	actingFor := ""
	if a.Mirrored != nil {
		actingFor = a.Mirrored.UserName
	}
	return access.WithActor(audit.WithActor(ctx, a.Person.UserName, actingFor), a)
}

func (s *Service) refused(ctx context.Context, operation string, refusal error) error {
	if err := s.audit.Now(ctx, audit.Entry{Operation: operation, Result: "refused"}); err != nil {
		return err
	}
	return refusal
}

func (s *Service) find(ctx context.Context, token string) (session, access.Actor, error) {
	row, err := byHash(ctx, s.db.Reader, hashOf(token))
	if errors.Is(err, db.ErrNotFound) {
		return row, access.Actor{}, problem.New(problem.Unauthenticated)
	}
	if err != nil {
		return row, access.Actor{}, err
	}
	now := s.now()
	if now.Sub(row.LastActiveAt.Time) > s.settings.idle()+touchEvery || now.Sub(row.CreatedAt.Time) > s.settings.lifetime() || row.StatusCd != "ACTIV" {
		if _, err := deleteSession(ctx, s.db.Writer, row.TokenHash); err != nil {
			return row, access.Actor{}, err
		}
		return row, access.Actor{}, problem.New(problem.Unauthenticated)
	}
	actor := access.Actor{
		Person:  access.Person{ID: row.UserID, UserName: row.UserName, Type: row.TypeCd, GroupID: row.GroupID},
		Session: row.TokenHash,
	}
	if row.MirroredID != 0 && row.MirroredStatusCd == "ACTIV" {
		actor.Mirrored = &access.Person{
			ID: row.MirroredID, UserName: row.MirroredUserName, Type: row.MirroredTypeCd, GroupID: row.MirroredGroupID,
		}
	}
	return row, actor, nil
}

// Holds tells whether the token is that of a session. It is no activity.
func (s *Service) Holds(ctx context.Context, token string) bool {
	_, _, err := s.find(ctx, token)
	return err == nil
}

// StartMirror lets internal staff act as an active provider or non-network user.
func (s *Service) StartMirror(ctx context.Context, a access.Actor, userName string) error {
	target, err := s.accounts.ActiveByName(ctx, userName)
	if err != nil {
		return err
	}
	if !target.Type.Mirrorable() {
		return problem.Say(problem.Invalid, "Only provider users, provider administrators and non-network users can be mirrored.")
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := setMirrored(ctx, tx, a.Session, target.ID); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{ActingFor: target.UserName, Operation: "mirror-start", Subject: target.UserName, Result: "ok"})
	})
}

// StopMirror returns to acting as oneself; without mirroring it does nothing.
func (s *Service) StopMirror(ctx context.Context, a access.Actor) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := setMirrored(ctx, tx, a.Session, 0)
		if err != nil || n == 0 || a.Mirrored == nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "mirror-stop", Subject: a.Mirrored.UserName, Result: "ok"})
	})
}

// End ends the actor's session and answers where the browser ends the outside
// provider's, if there is one. What was typed can be read no more, unless the
// session was idle.
func (s *Service) End(ctx context.Context, a access.Actor, idle bool) (string, error) {
	var idToken string
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		if idToken, err = deleteSession(ctx, tx, a.Session); err != nil {
			return err
		}
		if !idle {
			if err := deleteSalt(ctx, tx, a.Person.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "sign-out", Subject: a.Person.UserName, Result: "ok"})
	})
	if err != nil {
		return "", err
	}
	return s.sso.SignOutURL(idToken), nil
}

// EndAll ends every session of a user, and every mirroring of them, at once.
func (s *Service) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	return errors.Join(deleteOf(ctx, tx, user), deleteSalt(ctx, tx, user.ID()))
}

// EndOthers ends every session of a user but the one of this token's hash.
func (s *Service) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	return deleteOthers(ctx, tx, user, keep)
}

// Tidy forgets sessions that are over, and keys. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		deleteOver(ctx, s.db.Writer, db.At(now.Add(-s.settings.idle()-touchEvery)), db.At(now.Add(-s.settings.lifetime()))),
		deleteOldSalts(ctx, s.db.Writer, db.At(now.Add(-formsKeptFor))),
	)
}
