// Package sessions owns sign-in sessions: their timeout, mirroring, and the response that
// informs the browser of the user's rights.
package sessions

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/platform"
	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// The browser reports activity at most once a minute. The server allows for the same delay, so
// it never ends a session before the browser does.
const touchEvery = time.Minute

// proofForMirror is the maximum age of a user's authentication for acting as someone else: a
// workday.
const proofForMirror = 8 * time.Hour

// Service manages the sessions.
type Service struct {
	*Registry
	users        *users.Service
	provers      []prover
	sso          SingleSignOn
	signIn       *signin.Service
	keys         Keys
	desk         Desk
	accessLog    AccessLog
	feeSchedules FeeSchedules
	version      string
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Registry     *Registry
	Users        *users.Service
	SSO          SingleSignOn
	SignIn       *signin.Service
	Desk         Desk
	AccessLog    AccessLog
	FeeSchedules FeeSchedules
	Version      string // of the program
}

// NewService creates the service. People sign in with single sign-on and, if the settings allow
// it, with a password.
func NewService(d Deps) *Service {
	platform.Require(d)
	s := &Service{Registry: d.Registry, users: d.Users, provers: []prover{newSSOProver(d.SSO)}, sso: d.SSO, signIn: d.SignIn,
		keys: d.Sealer, desk: d.Desk, accessLog: d.AccessLog, feeSchedules: d.FeeSchedules, version: d.Version}
	if s.settings.LegacySignIn {
		s.provers = append(s.provers, newPasswordProver(d.SignIn, d.Clock))
	}
	return s
}

func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// startSession starts a session for a verified person and replaces the browser's earlier one. It returns
// the token, and stores only the token's hash.
func (s *Service) startSession(ctx context.Context, p Proof, before, device string) (string, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(raw)
	if p.IDToken != "" {
		var err error
		if p.IDToken, err = s.keys.Seal(sealedIDToken, p.IDToken); err != nil {
			return "", err
		}
	}
	return token, s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := p.Guard(ctx, tx); err != nil {
			return err
		}
		was, err := deleteSession(ctx, tx, hashToken(before))
		if err == nil {
			err = s.endMirroring(ctx, tx, sessionOver, was.endedSession)
		}
		if err != nil {
			return err
		}
		return insertSession(ctx, tx, hashToken(token), p, device, db.At(s.now()))
	})
}

// sealedIDToken is the purpose for sealing ID tokens.
const sealedIDToken = "id token"

// Known reports whether the permission exists.
func (s *Service) Known(permission string) bool { return access.IsKnown(permission) }

// Offers reports whether endpoints with the permission are available.
func (s *Service) Offers(permission string) bool { return s.on.Offers(permission) }

// Person returns the username of the signed-in user, even while mirroring.
func (s *Service) Person(ctx context.Context) string { return access.From(ctx).Person.UserName }

// Caller returns the session's user and office, for sharing the server's capacity fairly. It
// doesn't count as activity or decide anything else.
func (s *Service) Caller(ctx context.Context, c httpapi.Credentials) (admission.Caller, bool) {
	row, err := byHash(ctx, s.db.Reader, hashToken(cmp.Or(c.Bearer, c.Cookie)))
	if err != nil { // Enter reports the reason
		return admission.Caller{}, false
	}
	caller := admission.Caller{Person: row.UserName}
	if row.GroupID != 0 {
		caller.Office = strconv.FormatInt(row.GroupID, 10)
	}
	return caller, true
}

// Enter finds the session of a request and authorizes it. Each refusal of a signed-in user is
// audited. The exception is a screen that keeps loading data before the user has seen that the
// mirroring ended, because no person did that.
func (s *Service) Enter(ctx context.Context, c httpapi.Credentials, op httpapi.Operation) (context.Context, error) {
	token := c.Bearer
	if token == "" {
		token = c.Cookie
	}
	if token == "" {
		return nil, problem.New(problem.Unauthenticated)
	}
	row, actor, err := s.enter(ctx, token, op.Scoped)
	if err != nil {
		return nil, err
	}
	if op.Effect == httpapi.Write {
		ctx = db.WithGuard(ctx, s.guardActor(actor))
	}
	ctx = withActor(ctx, actor)
	if err := access.Allow(actor, op.Access, op.Effect); err != nil {
		if op.Effect == httpapi.Read && problem.From(err).Code == access.CodeMirrorEnded {
			return nil, err
		}
		return nil, s.auditRefusal(ctx, audit.Operation(op.ID), err)
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

// guardActor rejects the actor's write if the session ended, or if their account was reset, changed or
// got another staff role since the request began. The session is locked last, after the written data, because a reset
// locks the user first and then the sessions.
func (s *Service) guardActor(a access.Actor) db.Guard {
	return func(ctx context.Context, tx *sql.Tx) error {
		row, err := lockSession(ctx, tx, s.db.Dialect, a.Session)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if err != nil || row.StatusCd != active || row.TypeCd != a.Person.Type || row.GroupID != a.Person.GroupID {
			return problem.New(problem.Unauthenticated)
		}
		if row.Role != a.Person.Role {
			return problem.New(problem.Forbidden)
		}
		if m := a.Mirrored; m != nil && row.MirroredID == m.ID && (row.MirroredStatusCd != active || row.MirroredTypeCd != m.Type ||
			row.MirroredGroupID != m.GroupID) {
			return problem.WithMessage(problem.Conflict, "The mirrored account has changed. Reload the page.")
		}
		return nil
	}
}

// withActor adds the actor to a request's context, with their names for the audit log.
func withActor(ctx context.Context, a access.Actor) context.Context {
	actingFor := ""
	if a.Mirrored != nil {
		actingFor = a.Mirrored.UserName
	}
	return access.WithActor(audit.WithActor(ctx, a.Person.UserName, actingFor, a.Person.GroupID, a.Acting().GroupID), a)
}

func (s *Service) auditRefusal(ctx context.Context, operation audit.Operation, refusal error) error {
	e := audit.Entry{Operation: operation, Result: "refused"}
	var out *access.OutOfReach
	if errors.As(refusal, &out) {
		e.Subject = out.Subject
	}
	if err := s.audit.RecordNow(ctx, e); err != nil {
		return err
	}
	return refusal
}

// IsCurrent reports whether the session of a request still exists, and acts for the same user with
// the same rights. It doesn't count as activity. A failure to find out isn't an end.
func (s *Service) IsCurrent(ctx context.Context) bool {
	then := access.From(ctx)
	row, err := byHash(ctx, s.db.Reader, then.Session)
	_, now, err := s.checkSession(ctx, row, err)
	if err != nil {
		return !problem.Is(err, problem.Unauthenticated)
	}
	return now.Person == then.Person && now.Acting() == then.Acting()
}

// Failed audits a refusal because the target is out of the actor's reach.
func (s *Service) Failed(ctx context.Context, op httpapi.Operation, failure error) error {
	var out *access.OutOfReach
	if !errors.As(failure, &out) {
		return failure
	}
	return s.auditRefusal(ctx, audit.Operation(op.ID), failure)
}

// enter finds a token's session. If requested, it includes the TINs of the acting user.
func (s *Service) enter(ctx context.Context, token string, withTINs bool) (session, access.Actor, error) {
	if !withTINs {
		return s.find(ctx, token)
	}
	found, err := scopedByHash(ctx, s.db.Reader, s.scoped, hashToken(token))
	row, actor, err := s.checkSession(ctx, found.session, err)
	if err != nil {
		return row, actor, err
	}
	of := cmp.Or(found.MirroredID, found.UserID) // the current user, in case the mirroring just ended
	return row, actor.WithTINs(of, strings.Fields(found.TINs)), nil
}

// provenWithin reports whether the person authenticated within a duration.
func (row session) provenWithin(d time.Duration, now time.Time) bool {
	return !row.ProvedAt.IsZero() && now.Sub(row.ProvedAt.Time) <= d
}

// Prove checks the signed-in user's password again, which allows sensitive actions for a while.
// A wrong password counts as a failed sign-in.
func (s *Service) Prove(ctx context.Context, a access.Actor, password string) error {
	if a.Outside {
		return problem.WithMessage(problem.Conflict, "Sign in again to confirm your identity.")
	}
	if err := s.signIn.ProvePassword(ctx, a.Person.UserName, password); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := setProved(ctx, tx, a.Session, db.At(s.now())); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "proof", Subject: a.Person.UserName, Result: "ok"})
	})
}

// Outline returns the session data for the page, or nil if there is no readable session. It
// doesn't count as activity.
func (s *Service) Outline(ctx context.Context, token string) *Outline {
	_, actor, err := s.find(ctx, token)
	if err != nil {
		return nil
	}
	return s.outline(actor)
}

func (s *Service) outline(a access.Actor) *Outline {
	acting := a.Acting()
	return &Outline{
		Type: acting.Type, Routes: s.on.Routes(acting), Menu: access.Menu(acting.Type), Workspace: s.on.WorkspaceMenu(acting),
		Permissions: s.on.Permissions(a), IdleMinutes: s.settings.IdleMinutes,
	}
}

// Desk returns the reason that a staff member gave for support access.
type Desk interface {
	// CurrentReason returns the current reason as the audit log shows it, and fails if there is none.
	CurrentReason(ctx context.Context, a access.Actor) (string, error)
}

// AccessLog records network access sessions.
type AccessLog interface {
	// Begin records that a staff member starts to act as a user, and returns the end time, or
	// zero without a limit. It returns a refusal if the office must approve first. The caller
	// still commits the transaction, which stores the approval request.
	Begin(ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string) (id int64, until time.Time, refusal, err error)
}

// toEnded returns the session as ended now.
func (row session) toEnded() endedSession {
	return endedSession{row.UserName, row.MirroredUserName, row.VisitID, row.CreatedAt, row.LastActiveAt, row.MirrorUntil}
}

// ActFromDesk lets staff act as a user for the reason given at the service desk. Otherwise it
// works like StartMirror.
func (s *Service) ActFromDesk(ctx context.Context, a access.Actor, userName string) error {
	why, err := s.desk.CurrentReason(ctx, a)
	if err != nil {
		return err
	}
	return s.StartMirror(ctx, a, userName, why)
}

// maxReason is the maximum length of a mirroring reason.
const maxReason = 200

// StartMirror lets internal staff act as an active provider or non-network user. It audits the
// reason, which is required if the settings say so.
func (s *Service) StartMirror(ctx context.Context, a access.Actor, userName, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	if wrong.Limit(reason, maxReason, fieldReason) {
		wrong.Require(reason != "" || !s.settings.requiresMirrorReason(), fieldReason, "Error: Enter a reason")
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	target, err := s.users.FindActive(ctx, userName)
	if err != nil {
		return err
	}
	if !target.TypeCd.IsMirrorable() {
		return problem.WithMessage(problem.Invalid, "You can mirror only provider users, provider administrators and non-network users.")
	}
	var refusal error
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		row, err := byHash(ctx, tx, a.Session)
		if err != nil {
			return err
		}
		if !row.provenWithin(proofForMirror, s.now()) {
			return problem.ProofRequired()
		}
		visit, until, refused, err := s.accessLog.Begin(ctx, tx, a.Person, target.Person(), reason)
		if refusal = refused; err != nil || refused != nil {
			return err
		}
		if err := s.endMirroring(ctx, tx, "", row.toEnded()); err != nil { // if they already act as someone else
			return err
		}
		if _, err := setMirrored(ctx, tx, a.Session, target.ID, visit, db.At(until)); err != nil {
			return err
		}
		// The reference above waits for a change of the user that began earlier. A later one ends this mirroring.
		if row, err = byHash(ctx, tx, a.Session); err != nil {
			return err
		}
		if row.MirroredGroupID != target.GroupID || row.MirroredTypeCd != target.TypeCd || row.MirroredStatusCd != active {
			return problem.New(problem.Conflict)
		}
		return s.audit.Record(ctx, tx, audit.Entry{ActingFor: target.UserName, Operation: "mirror-start", Subject: target.UserName,
			Result: "ok", Detail: reason})
	})
	return cmp.Or(err, refusal)
}

// fieldReason is the reason for mirroring.
const fieldReason = "reason"

// StopMirror returns to the user's own account, or acknowledges that the mirroring ended.
// Otherwise it does nothing.
func (s *Service) StopMirror(ctx context.Context, a access.Actor) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		row, err := byHash(ctx, tx, a.Session)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		if err == nil {
			err = s.endMirroring(ctx, tx, "", row.toEnded())
		}
		if err != nil {
			return err
		}
		_, err = setMirrored(ctx, tx, a.Session, 0, 0, db.Instant{})
		return err
	})
}

// End ends the actor's session and returns the URL that ends the SSO provider's session, if any.
// It makes typed text unreadable. Idle means that the session timed out or was refused a page. Then
// it does neither.
func (s *Service) End(ctx context.Context, a access.Actor, idle bool) (string, error) {
	var was deleted
	err := s.db.Tx(db.WithoutGuard(ctx), func(tx *sql.Tx) error {
		var err error
		if was, err = deleteSession(ctx, tx, a.Session); err != nil {
			return err
		}
		if err := s.endMirroring(ctx, tx, sessionOver, was.endedSession); err != nil {
			return err
		}
		if !idle {
			if err := deleteSalt(ctx, tx, a.Person.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "sign-out", Subject: a.Person.UserName, Result: "ok"})
	})
	if err != nil || idle { // after a timeout, the provider's session stays
		return "", err
	}
	var idToken string
	_ = s.keys.Open(sealedIDToken, was.IDToken, &idToken) // treat an unreadable one as missing
	return s.sso.SignOutURL(ctx, idToken), nil
}
