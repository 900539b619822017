package sessions

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Registry finds sessions by their tokens and ends them. Services that the sign-in needs use it
// without the sign-in.
type Registry struct {
	db       *db.DB
	audit    *audit.Log
	now      func() time.Time
	on       access.Settings
	settings Settings
	scoped   *db.Table[scoped]
	endVisit EndVisit
}

// EndVisit records the end of a network access session. One that already ended stays as it is.
type EndVisit func(ctx context.Context, tx *sql.Tx, id int64, at time.Time) error

// NewRegistry creates the registry. The query selects the TINs of a user.
func NewRegistry(kit platform.Kit, tins TINsQuery, endVisit EndVisit, on access.Settings, settings Settings) *Registry {
	return &Registry{db: kit.DB, audit: kit.Audit, now: kit.Clock, on: on, settings: settings, scoped: withTINs(tins), endVisit: endVisit}
}

func (r *Registry) find(ctx context.Context, token string) (session, access.Actor, error) {
	row, err := byHash(ctx, r.db.Reader, hashToken(token))
	return r.checkSession(ctx, row, err)
}

// checkSession decides whether a session is still valid, and who acts in it.
func (r *Registry) checkSession(ctx context.Context, row session, err error) (session, access.Actor, error) {
	if err != nil {
		return row, access.Actor{}, db.IfNotFound(err, problem.New(problem.Unauthenticated))
	}
	now := r.now()
	if now.Sub(row.LastActiveAt.Time) > r.settings.idle()+touchEvery || now.Sub(row.CreatedAt.Time) > r.settings.lifetime() ||
		row.StatusCd != active {
		if err := r.db.Tx(ctx, func(tx *sql.Tx) error {
			was, err := deleteSession(ctx, tx, row.TokenHash)
			if err != nil {
				return err
			}
			return r.endMirroring(ctx, tx, sessionOver, was.endedSession)
		}); err != nil {
			return row, access.Actor{}, err
		}
		return row, access.Actor{}, problem.New(problem.Unauthenticated)
	}
	actor := access.Actor{
		Person:  access.Person{ID: row.UserID, UserName: row.UserName, Type: row.TypeCd, GroupID: row.GroupID, Role: row.Role},
		Session: row.TokenHash,
		Proven:  row.provenWithin(r.settings.proof(), now), Outside: row.Outside,
	}
	if row.MirroredID != 0 && row.MirroredStatusCd != active {
		err := r.db.Tx(ctx, func(tx *sql.Tx) error { return r.endMirrors(ctx, tx, row.MirroredID, accountEnded) })
		if err != nil {
			return row, access.Actor{}, err
		}
		row.MirroredID, row.MirrorEndedID = 0, row.MirroredID
	}
	if row.MirroredID != 0 && r.on.Offers("visits.read") && !row.MirrorUntil.IsZero() && !now.Before(row.MirrorUntil.Time) {
		if err := r.endExpiredMirror(ctx, row); err != nil {
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

// endExpiredMirror ends a mirroring when the office's approval has expired.
func (r *Registry) endExpiredMirror(ctx context.Context, row session) error {
	return r.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := endMirror(ctx, tx, row.TokenHash)
		if err == nil && n > 0 {
			err = r.endMirroring(ctx, tx, "the office's access approval expired", row.toEnded())
		}
		return err
	})
}

// IsSignedIn reports whether the token belongs to a session. It doesn't count as activity.
func (r *Registry) IsSignedIn(ctx context.Context, token string) bool {
	_, _, err := r.find(ctx, token)
	return err == nil
}

// sessionOver is the audit detail of a mirroring that ended with its session.
const sessionOver = "the session ended"

// endMirroring records the end of mirroring in sessions, and ends their access sessions, now or when they expired.
func (r *Registry) endMirroring(ctx context.Context, tx *sql.Tx, why string, ended ...endedSession) error {
	for _, o := range ended {
		if o.Mirrored != "" {
			if err := r.audit.Record(ctx, tx, audit.Entry{
				Actor: o.Person, ActingFor: o.Mirrored, Operation: "mirror-stop", Subject: o.Mirrored, Result: "ok", Detail: why,
			}); err != nil {
				return err
			}
		}
		if o.VisitID == 0 {
			continue
		}
		at := r.now()
		if end := r.settings.ExpiresAt(o.CreatedAt.Time, o.LastActiveAt.Time); end.Before(at) {
			at = end
		}
		if !o.MirrorUntil.IsZero() && o.MirrorUntil.Before(at) {
			at = o.MirrorUntil.Time
		}
		if err := r.endVisit(ctx, tx, o.VisitID, at); err != nil {
			return err
		}
	}
	return nil
}

// EndMirrors ends all mirroring of a user and records why. The staff member can do nothing else before they
// have seen the notice.
func (r *Registry) EndMirrors(ctx context.Context, tx *sql.Tx, user access.UserGrant, why string) error {
	return r.endMirrors(ctx, tx, user.ID(), why)
}

// accountEnded is the audit detail of mirroring that ended with its account.
const accountEnded = "the account was reset or terminated"

func (r *Registry) endMirrors(ctx context.Context, tx *sql.Tx, userID int64, why string) error {
	ended, err := endMirrors(ctx, tx, userID)
	if err != nil {
		return err
	}
	for _, m := range ended {
		if err := r.endVisit(ctx, tx, m.VisitID, r.now()); err != nil {
			return err
		}
		if err := r.audit.Record(ctx, tx, audit.Entry{
			Actor: m.Person, ActingFor: m.Mirrored, Operation: "mirror-stop", Subject: m.Mirrored, Result: "ok", Detail: why,
		}); err != nil {
			return err
		}
	}
	return nil
}

// EndAll immediately ends every session of a user, and all mirroring of them.
func (r *Registry) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	ended, err := deleteByUser(ctx, tx, user)
	if err != nil {
		return err
	}
	return errors.Join(r.endMirroring(ctx, tx, sessionOver, ended...), deleteSalt(ctx, tx, user.ID()),
		r.endMirrors(ctx, tx, user.ID(), accountEnded))
}

// ListByGroup lists a group's signed-in users by username.
func (r *Registry) ListByGroup(ctx context.Context, q db.Queryer, groupID int64) ([]access.Person, error) {
	now := r.now()
	return listPeople(ctx, q, groupID, db.At(now.Add(-r.settings.idle()-touchEvery)), db.At(now.Add(-r.settings.lifetime())))
}

// EndBySSO ends sessions at the SSO provider's request: those of the provider's session, or
// all of the user's if it names none.
func (r *Registry) EndBySSO(ctx context.Context, tx *sql.Tx, sid string, userID int64) error {
	ended, err := deleteOutside(ctx, tx, sid, userID)
	if err != nil {
		return err
	}
	for _, user := range ended {
		if err := errors.Join(
			deleteSalt(ctx, tx, user.ID), r.endMirroring(ctx, tx, sessionOver, user.endedSession),
			r.audit.Record(ctx, tx, audit.Entry{Operation: "sign-out-outside", Subject: user.Person, Result: "ok"}),
		); err != nil {
			return err
		}
	}
	return nil
}

// EndOthers ends every session of a user except the one with this token hash.
func (r *Registry) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	ended, err := deleteOthers(ctx, tx, user, keep)
	if err != nil {
		return err
	}
	return r.endMirroring(ctx, tx, sessionOver, ended...)
}

// Cleanup deletes expired sessions and keys. It is safe to repeat.
func (r *Registry) Cleanup(ctx context.Context) error {
	now := r.now()
	return errors.Join(
		r.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
			ended, err := deleteOver(ctx, tx, db.At(now.Add(-r.settings.idle()-touchEvery)), db.At(now.Add(-r.settings.lifetime())))
			if err != nil {
				return 0, err
			}
			return int64(len(ended)), r.endMirroring(ctx, tx, sessionOver, ended...)
		}),
		deleteOldSalts(ctx, r.db.Writer, db.At(now.Add(-formsKeptFor))),
	)
}
