// Package sessions owns who is signed in: the sessions, their idle end,
// mirroring, and the answer from which the browser knows its rights.
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

	"wcpp/internal/access"
	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
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

// proofForMirror is how long ago who acts as others must have shown who they are,
// at most: a day's work.
const proofForMirror = 8 * time.Hour

// Service keeps the sessions.
type Service struct {
	db       *db.DB
	accounts Accounts
	provers  []prover
	sso      SingleSignOn
	signIn   SignIn
	keys     Keys
	desk     Desk
	visits   Visits
	scoped   *db.Table[scoped]
	audit    *audit.Log
	now      func() time.Time
	on       access.Settings
	settings Settings
}

// NewService makes the service. People are proven by single sign-on and, where
// the settings allow it, by their password.
func NewService(d *db.DB, accounts Accounts, sso SingleSignOn, passwords Passwords, signIn SignIn, keys Keys, log *audit.Log, now func() time.Time, on access.Settings, settings Settings) *Service {
	s := &Service{db: d, accounts: accounts, provers: []prover{bySingleSignOn(sso)}, sso: sso, signIn: signIn, keys: keys, audit: log, now: now, on: on, settings: settings}
	if settings.LegacySignIn {
		s.provers = append(s.provers, byPassword(passwords, now))
	}
	return s
}

func hashOf(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// open starts a session of a person who was proven, in place of the one that the
// browser had before, and answers its token, of which only the hash is kept.
func (s *Service) open(ctx context.Context, p Proof, before, device string) (string, error) {
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
		if err := p.Still(ctx, tx); err != nil {
			return err
		}
		was, err := deleteSession(ctx, tx, hashOf(before))
		if err == nil {
			err = s.leave(ctx, tx, was.over)
		}
		if err != nil {
			return err
		}
		return insertSession(ctx, tx, hashOf(token), p, device, db.At(s.now()))
	})
}

// sealedIDToken is what identity tokens are sealed for.
const sealedIDToken = "id token"

// Known tells whether the permission exists.
func (s *Service) Known(permission string) bool { return access.Known(permission) }

// Offers tells whether operations of the permission are there.
func (s *Service) Offers(permission string) bool { return s.on.Offers(permission) }

// Person is the user name of who is signed in, themselves while they mirror.
func (s *Service) Person(ctx context.Context) string { return access.From(ctx).Person.UserName }

// Caller returns whose session it is: the person and their office share the server with
// others. It is no activity, and decides nothing else.
func (s *Service) Caller(ctx context.Context, c httpapi.Credentials) (admission.Caller, bool) {
	row, err := byHash(ctx, s.db.Reader, hashOf(cmp.Or(c.Bearer, c.Cookie)))
	if err != nil { // Enter says why
		return admission.Caller{}, false
	}
	caller := admission.Caller{Person: row.UserName}
	if row.GroupID != 0 {
		caller.Office = strconv.FormatInt(row.GroupID, 10)
	}
	return caller, true
}

// Enter finds the session of a request and decides whether it may go on. Each
// refusal of a signed-in person is audited, but for what a screen goes on to read
// before the end of a mirroring was read: that nobody did.
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
		ctx = db.Guarded(ctx, s.still(actor))
	}
	ctx = entered(ctx, actor)
	if err := access.Allow(actor, op.Access, op.Effect); err != nil {
		if op.Effect == httpapi.Read && problem.From(err).Code == access.CodeMirrorEnded {
			return nil, err
		}
		return nil, s.refused(ctx, audit.Operation(op.ID), err)
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

// still refuses what the actor writes once their session is over, or they are not who they
// were when the request began: its reset, or a change of their account, came first. The
// session is locked last, after what was written: a reset locks the user, then the sessions.
func (s *Service) still(a access.Actor) db.Guard {
	return func(ctx context.Context, tx *sql.Tx) error {
		row, err := lockSession(ctx, tx, s.db.Dialect, a.Session)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if err != nil || row.StatusCd != active || row.TypeCd != a.Person.Type || row.GroupID != a.Person.GroupID {
			return problem.New(problem.Unauthenticated)
		}
		if m := a.Mirrored; m != nil && row.MirroredID == m.ID && (row.MirroredStatusCd != active || row.MirroredTypeCd != m.Type || row.MirroredGroupID != m.GroupID) {
			return problem.Say(problem.Conflict, "The mirrored account has changed. Reload the page.")
		}
		return nil
	}
}

// entered puts the actor into a request's context, and their names for the
// audit log.
func entered(ctx context.Context, a access.Actor) context.Context {
	actingFor := ""
	if a.Mirrored != nil {
		actingFor = a.Mirrored.UserName
	}
	return access.WithActor(audit.WithActor(ctx, a.Person.UserName, actingFor, a.Person.GroupID, a.Acting().GroupID), a)
}

func (s *Service) refused(ctx context.Context, operation audit.Operation, refusal error) error {
	e := audit.Entry{Operation: operation, Result: "refused"}
	var out *access.OutOfReach
	if errors.As(refusal, &out) {
		e.Subject = out.Subject
	}
	if err := s.audit.Now(ctx, e); err != nil {
		return err
	}
	return refusal
}

// Failed audits what an operation refused because it is out of the actor's reach.
func (s *Service) Failed(ctx context.Context, op httpapi.Operation, failure error) error {
	var out *access.OutOfReach
	if !errors.As(failure, &out) {
		return failure
	}
	return s.refused(ctx, audit.Operation(op.ID), failure)
}

// enter finds the session of a token, where it is asked for with the TINs of who acts in it.
func (s *Service) enter(ctx context.Context, token string, withTINs bool) (session, access.Actor, error) {
	if !withTINs {
		return s.find(ctx, token)
	}
	found, err := scopedByHash(ctx, s.db.Reader, s.scoped, hashOf(token))
	row, actor, err := s.check(ctx, found.session, err)
	if err != nil {
		return row, actor, err
	}
	of := cmp.Or(found.MirroredID, found.UserID) // whoever acts now, should the mirroring have ended just here
	return row, actor.WithTINs(of, strings.Fields(found.TINs)), nil
}

func (s *Service) find(ctx context.Context, token string) (session, access.Actor, error) {
	row, err := byHash(ctx, s.db.Reader, hashOf(token))
	return s.check(ctx, row, err)
}

// check decides whether a session that was found is still one, and who acts in it.
func (s *Service) check(ctx context.Context, row session, err error) (session, access.Actor, error) {
	if errors.Is(err, db.ErrNotFound) {
		return row, access.Actor{}, problem.New(problem.Unauthenticated)
	}
	if err != nil {
		return row, access.Actor{}, err
	}
	now := s.now()
	if now.Sub(row.LastActiveAt.Time) > s.settings.idle()+touchEvery || now.Sub(row.CreatedAt.Time) > s.settings.lifetime() || row.StatusCd != active {
		if err := s.db.Tx(ctx, func(tx *sql.Tx) error {
			was, err := deleteSession(ctx, tx, row.TokenHash)
			if err != nil {
				return err
			}
			return s.leave(ctx, tx, was.over)
		}); err != nil {
			return row, access.Actor{}, err
		}
		return row, access.Actor{}, problem.New(problem.Unauthenticated)
	}
	actor := access.Actor{
		Person:  access.Person{ID: row.UserID, UserName: row.UserName, Type: row.TypeCd, GroupID: row.GroupID},
		Session: row.TokenHash,
		Proven:  row.provenWithin(s.settings.proof(), now), Outside: row.Outside,
	}
	if row.MirroredID != 0 && row.MirroredStatusCd != active {
		err := s.db.Tx(ctx, func(tx *sql.Tx) error { return s.endMirrors(ctx, tx, row.MirroredID) })
		if err != nil {
			return row, access.Actor{}, err
		}
		row.MirroredID, row.MirrorEndedID = 0, row.MirroredID
	}
	if row.MirroredID != 0 && s.Offers("visits.read") && !row.MirrorUntil.IsZero() && !now.Before(row.MirrorUntil.Time) {
		if err := s.timeOver(ctx, row); err != nil {
			return row, access.Actor{}, err
		}
		row.MirroredID, row.MirrorEndedID, row.MirrorTimeOver = 0, row.MirroredID, true
	}
	actor.MirrorEnded, actor.MirrorTimeOver = row.MirrorEndedID, row.MirrorTimeOver
	if row.MirroredID != 0 {
		actor.Mirrored = &access.Person{
			ID: row.MirroredID, UserName: row.MirroredUserName, Type: row.MirroredTypeCd, GroupID: row.MirroredGroupID,
		}
	}
	return row, actor, nil
}

// timeOver ends a mirroring that the user's office allowed no longer.
func (s *Service) timeOver(ctx context.Context, row session) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := endMirror(ctx, tx, row.TokenHash)
		if err == nil && n > 0 {
			err = s.leave(ctx, tx, row.over())
		}
		if err != nil || n == 0 {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Actor: row.UserName, ActingFor: row.MirroredUserName, Operation: "mirror-stop", Subject: row.MirroredUserName, Result: "ok",
			Detail: "the office's access approval expired",
		})
	})
}

// provenWithin tells whether the person showed who they are so long ago at most.
func (row session) provenWithin(d time.Duration, now time.Time) bool {
	return !row.ProvedAt.IsZero() && now.Sub(row.ProvedAt.Time) <= d
}

// Prove takes the password of who is signed in once more, so that what must be
// proven can be done for a while. A wrong one counts as a failed sign-in.
func (s *Service) Prove(ctx context.Context, a access.Actor, password string) error {
	if a.Outside {
		return problem.Say(problem.Conflict, "Sign in again to confirm your identity.")
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

// Holds tells whether the token is that of a session. It is no activity.
func (s *Service) Holds(ctx context.Context, token string) bool {
	_, _, err := s.find(ctx, token)
	return err == nil
}

// Outline is what the page tells of the session of a token; nil where there is none,
// or it cannot be read. It is no activity.
func (s *Service) Outline(ctx context.Context, token string) *Outline {
	_, actor, err := s.find(ctx, token)
	if err != nil {
		return nil
	}
	return s.outline(actor)
}

func (s *Service) outline(a access.Actor) *Outline {
	acting := a.Acting().Type
	return &Outline{
		Type: acting, Routes: s.on.Routes(acting), Menu: access.Menu(acting), Workspace: s.on.WorkspaceMenu(acting),
		Permissions: s.on.Permissions(a), IdleMinutes: s.settings.IdleMinutes,
	}
}

// Desk knows why somebody of the staff looks at what is of offices.
type Desk interface {
	// Why is the reason in force, as the audit log names it; refused where there is none.
	Why(ctx context.Context, a access.Actor) (string, error)
}

// Visits keep when the staff acted as whom.
type Visits interface {
	// Begin notes that somebody of the staff acts as a user from now on, and answers until
	// when; zero is without end. The refusal is the office's: what was written to ask it
	// is to stay.
	Begin(ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string) (id int64, until time.Time, refusal, err error)
	// End notes when a visit ended; one that has ended before stays as it is.
	End(ctx context.Context, tx *sql.Tx, id int64, at time.Time) error
}

// UseScopes tells how the TINs of a person are read.
func (s *Service) UseScopes(tinsOf TINsOf) { s.scoped = withTINs(tinsOf) }

// UseVisits names who keeps when the staff acted as whom.
func (s *Service) UseVisits(v Visits) { s.visits = v }

// leave ends the visits of sessions that are over: now, or when they could be used no
// more.
func (s *Service) leave(ctx context.Context, tx *sql.Tx, ended ...over) error {
	for _, o := range ended {
		if o.VisitID == 0 {
			continue
		}
		at := s.now()
		if end := s.settings.EndOf(o.CreatedAt.Time, o.LastActiveAt.Time); end.Before(at) {
			at = end
		}
		if !o.MirrorUntil.IsZero() && o.MirrorUntil.Before(at) {
			at = o.MirrorUntil.Time
		}
		if err := s.visits.End(ctx, tx, o.VisitID, at); err != nil {
			return err
		}
	}
	return nil
}

// over is the session as one that is over now.
func (row session) over() over {
	return over{row.VisitID, row.CreatedAt, row.LastActiveAt, row.MirrorUntil}
}

// UseDesk names the desk from which the staff act as people of offices.
func (s *Service) UseDesk(d Desk) { s.desk = d }

// ActFromDesk lets internal staff act as a user for the reason that they gave at the
// desk. All else is as StartMirror has it.
func (s *Service) ActFromDesk(ctx context.Context, a access.Actor, userName string) error {
	why, err := s.desk.Why(ctx, a)
	if err != nil {
		return err
	}
	return s.StartMirror(ctx, a, userName, why)
}

// mostReason is the most characters of why somebody mirrors.
const mostReason = 200

// StartMirror lets internal staff act as an active provider or non-network user.
// Why they do is audited; it must be given where the settings ask for it.
func (s *Service) StartMirror(ctx context.Context, a access.Actor, userName, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	if wrong.Limit(reason, mostReason, fieldReason) {
		wrong.Require(reason != "" || !s.settings.asksMirrorReason(), fieldReason, "Error: Enter a reason")
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	target, err := s.accounts.ActiveByName(ctx, userName)
	if err != nil {
		return err
	}
	if !target.Type.Mirrorable() {
		return problem.Say(problem.Invalid, "You can mirror only provider users, provider administrators and non-network users.")
	}
	var refusal error
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		row, err := byHash(ctx, tx, a.Session)
		if err != nil {
			return err
		}
		if !row.provenWithin(proofForMirror, s.now()) {
			return problem.NeedProof()
		}
		visit, until, refused, err := s.visits.Begin(ctx, tx, a.Person, target, reason)
		if refusal = refused; err != nil || refused != nil {
			return err
		}
		if err := s.leave(ctx, tx, row.over()); err != nil { // of who acts as somebody else already
			return err
		}
		if _, err := setMirrored(ctx, tx, a.Session, target.ID, visit, db.At(until)); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{ActingFor: target.UserName, Operation: "mirror-start", Subject: target.UserName, Result: "ok", Detail: reason})
	})
	return cmp.Or(err, refusal)
}

// fieldReason is why somebody mirrors.
const fieldReason = "reason"

// endMirrors ends every mirroring of a user whose account was reset or ended, or
// is not active any more. Who mirrored can do nothing before they have read it.
func (s *Service) endMirrors(ctx context.Context, tx *sql.Tx, userID int64) error {
	ended, err := endMirrors(ctx, tx, userID)
	if err != nil {
		return err
	}
	for _, m := range ended {
		if err := s.visits.End(ctx, tx, m.VisitID, s.now()); err != nil {
			return err
		}
		if err := s.audit.Record(ctx, tx, audit.Entry{
			Actor: m.Person, ActingFor: m.Mirrored, Operation: "mirror-stop", Subject: m.Mirrored, Result: "ok",
			Detail: "the account was reset or terminated",
		}); err != nil {
			return err
		}
	}
	return nil
}

// StopMirror returns to acting as oneself, or tells that the end of the mirroring
// was read; without either it does nothing.
func (s *Service) StopMirror(ctx context.Context, a access.Actor) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		row, err := byHash(ctx, tx, a.Session)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		if err == nil {
			err = s.leave(ctx, tx, row.over())
		}
		if err != nil {
			return err
		}
		if _, err := setMirrored(ctx, tx, a.Session, 0, 0, db.Instant{}); err != nil || a.Mirrored == nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "mirror-stop", Subject: a.Mirrored.UserName, Result: "ok"})
	})
}

// End ends the actor's session and answers where the browser ends the outside
// provider's, if there is one. Unless the session was idle or refused a page, as idle
// says, what was typed can't be read any more.
func (s *Service) End(ctx context.Context, a access.Actor, idle bool) (string, error) {
	var was deleted
	err := s.db.Tx(db.Unguarded(ctx), func(tx *sql.Tx) error {
		var err error
		if was, err = deleteSession(ctx, tx, a.Session); err != nil {
			return err
		}
		if err := s.leave(ctx, tx, was.over); err != nil {
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
	var idToken string
	_ = s.keys.Open(sealedIDToken, was.IDToken, &idToken) // one that cannot be read is as none
	return s.sso.SignOutURL(idToken), nil
}

// EndAll ends every session of a user, and every mirroring of them, at once.
func (s *Service) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	ended, err := deleteOf(ctx, tx, user)
	if err != nil {
		return err
	}
	return errors.Join(s.leave(ctx, tx, ended...), deleteSalt(ctx, tx, user.ID()), s.endMirrors(ctx, tx, user.ID()))
}

// OfGroup lists those of a group who are signed in, by user name.
func (s *Service) OfGroup(ctx context.Context, q db.Queryer, groupID int64) ([]access.Person, error) {
	now := s.now()
	return peopleOf(ctx, q, groupID, db.At(now.Add(-s.settings.idle()-touchEvery)), db.At(now.Add(-s.settings.lifetime())))
}

// EndOutside ends what the outside provider says is over: the sessions that came
// of its own session, or where it names none, all of the user, if there is one.
func (s *Service) EndOutside(ctx context.Context, tx *sql.Tx, sid string, userID int64) error {
	ended, err := deleteOutside(ctx, tx, sid, userID)
	if err != nil {
		return err
	}
	for _, user := range ended {
		if err := errors.Join(
			deleteSalt(ctx, tx, user.ID), s.leave(ctx, tx, user.over),
			s.audit.Record(ctx, tx, audit.Entry{Operation: "sign-out-outside", Subject: user.UserName, Result: "ok"}),
		); err != nil {
			return err
		}
	}
	return nil
}

// EndOthers ends every session of a user but the one of this token's hash.
func (s *Service) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	ended, err := deleteOthers(ctx, tx, user, keep)
	if err != nil {
		return err
	}
	return s.leave(ctx, tx, ended...)
}

// Tidy forgets sessions that are over, and keys. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) {
			ended, err := deleteOver(ctx, tx, db.At(now.Add(-s.settings.idle()-touchEvery)), db.At(now.Add(-s.settings.lifetime())))
			if err != nil {
				return 0, err
			}
			return int64(len(ended)), s.leave(ctx, tx, ended...)
		}),
		deleteOldSalts(ctx, s.db.Writer, db.At(now.Add(-formsKeptFor))),
	)
}
