package sessions

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

type session struct {
	TokenHash        []byte
	CreatedAt        db.Instant
	LastActiveAt     db.Instant
	ProvedAt         db.Instant
	Outside          bool  // the person signed in at an SSO provider
	UserID           int64 `db:"user_id"`
	UserName         string
	TypeCd           access.Type
	StatusCd         string
	GroupID          int64 `db:"group_id"`
	Role             access.Role
	MirroredID       int64 `db:"mirrored_id"`
	MirroredUserName string
	MirroredTypeCd   access.Type
	MirroredStatusCd string
	MirroredGroupID  int64      `db:"mirrored_group_id"`
	MirrorEndedID    int64      `db:"mirror_ended_id"` // 0: no mirroring has ended by itself
	VisitID          int64      `db:"visit_id"`        // of the current or last mirroring
	MirrorUntil      db.Instant // zero: no limit
	MirrorTimeOver   bool       // the mirroring ended because its time was up
}

// status returns an account's status as its open sessions see it. A lock from failed attempts
// affects only sign-in, or any stranger could end a signed-in user's work.
func status(user string) string {
	return `CASE WHEN ` + user + `.group_ended THEN 'INACT' WHEN ` + user + `.status_cd = 'LOCK'
		AND ` + user + `.locked_until IS NOT NULL THEN 'ACTIV' ELSE ` + user + `.status_cd END`
}

// active is the status of an account that can act.
const active = "ACTIV"

const ofSession = `sessions s
	JOIN users u ON u.id = s.user_id
	LEFT JOIN users m ON m.id = s.mirrored_user_id`

var sessionColumns = []db.Column[session]{
	db.Col("s.token_hash", func(r *session) *[]byte { return &r.TokenHash }),
	db.Col("s.created_at", func(r *session) *db.Instant { return &r.CreatedAt }),
	db.Col("s.last_active_at", func(r *session) *db.Instant { return &r.LastActiveAt }),
	db.Col("s.proved_at", func(r *session) *db.Instant { return &r.ProvedAt }),
	db.Col("s.id_token <> ''", func(r *session) *bool { return &r.Outside }),
	db.Col("u.id", func(r *session) *int64 { return &r.UserID }),
	db.Col("u.user_name", func(r *session) *string { return &r.UserName }),
	db.Col("u.type_cd", func(r *session) *access.Type { return &r.TypeCd }),
	db.Col(status("u"), func(r *session) *string { return &r.StatusCd }),
	db.Col("coalesce(u.group_id, 0)", func(r *session) *int64 { return &r.GroupID }),
	db.Col("u.staff_role", func(r *session) *access.Role { return &r.Role }),
	db.Col("coalesce(m.id, 0)", func(r *session) *int64 { return &r.MirroredID }),
	db.Col("coalesce(m.user_name, '')", func(r *session) *string { return &r.MirroredUserName }),
	db.Col("coalesce(m.type_cd, '')", func(r *session) *access.Type { return &r.MirroredTypeCd }),
	db.Col("coalesce("+status("m")+", '')", func(r *session) *string { return &r.MirroredStatusCd }),
	db.Col("coalesce(m.group_id, 0)", func(r *session) *int64 { return &r.MirroredGroupID }),
	db.Col("coalesce(s.mirror_ended_user_id, 0)", func(r *session) *int64 { return &r.MirrorEndedID }),
	db.Col("coalesce(s.visit_id, 0)", func(r *session) *int64 { return &r.VisitID }),
	db.Col("s.mirror_until", func(r *session) *db.Instant { return &r.MirrorUntil }),
	db.Col("s.mirror_time_over", func(r *session) *bool { return &r.MirrorTimeOver }),
}

var sessions = db.NewTable(ofSession, sessionColumns...)

func byHash(ctx context.Context, q db.Queryer, hash []byte) (session, error) {
	return sessions.Get(ctx, q, `WHERE s.token_hash = $1`, hash)
}

// lockSession reads a session and prevents it from ending before the transaction does.
func lockSession(ctx context.Context, tx *sql.Tx, d db.Dialect, hash []byte) (session, error) {
	lock := ""
	if d.ForShare != "" {
		lock = d.ForShare + " OF s"
	}
	return sessions.Get(ctx, tx, `WHERE s.token_hash = $1`+lock, hash)
}

// scoped is a session and the acting user's TINs, separated by spaces.
type scoped struct {
	session
	TINs string
}

// TINsQuery returns the SQL for a person's TINs as one text, separated by spaces. Its arguments are
// columns.
type TINsQuery func(typeCd, groupID, userID string) string

// withTINs maps sessions with the TINs of the acting user.
func withTINs(tinsOf TINsQuery) *db.Table[scoped] {
	acting := func(column string) string {
		return "CASE WHEN m.id IS NULL THEN u." + column + " ELSE m." + column + " END"
	}
	return db.NewTable(ofSession, append(db.Within(func(r *scoped) *session { return &r.session }, sessionColumns),
		db.Col(tinsOf(acting("type_cd"), acting("group_id"), acting("id")), func(r *scoped) *string { return &r.TINs }))...)
}

func scopedByHash(ctx context.Context, q db.Queryer, table *db.Table[scoped], hash []byte) (scoped, error) {
	return table.Get(ctx, q, `WHERE s.token_hash = $1`, hash)
}

func insertSession(ctx context.Context, q db.Queryer, hash []byte, p Proof, device string, now db.Instant) error {
	return db.Run(ctx, q, `
		INSERT INTO sessions (token_hash, user_id, created_at, last_active_at, id_token, proved_at, sso_sid, device)
		VALUES ($1, $2, $3, $3, $4, $5, $6, $7)`,
		hash, p.UserID, now, p.IDToken, db.At(p.At), p.SID, device)
}

func setProved(ctx context.Context, q db.Queryer, hash []byte, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE sessions SET proved_at = $2 WHERE token_hash = $1`, hash, now)
}

// listOpen lists a user's unexpired sessions.
func listOpen(ctx context.Context, q db.Queryer, userID int64, activeSince, createdSince db.Instant) ([]openSession, error) {
	return db.List[openSession](ctx, q, `
		SELECT token_hash, device, created_at, last_active_at FROM sessions
		WHERE user_id = $1 AND last_active_at >= $2 AND created_at >= $3
			ORDER BY created_at DESC, token_hash`, userID, activeSince, createdSince)
}

// listPeople lists the users of a group with an unexpired session.
func listPeople(ctx context.Context, q db.Queryer, groupID int64, activeSince, createdSince db.Instant) ([]access.Person, error) {
	return db.List[access.Person](ctx, q, `
		SELECT DISTINCT u.id, u.user_name, u.type_cd AS type, u.group_id FROM users u JOIN sessions s ON s.user_id = u.id
		WHERE u.group_id = $1 AND s.last_active_at >= $2 AND s.created_at >= $3 ORDER BY u.user_name`, groupID, activeSince, createdSince)
}

// endedSession is a deleted session, with the usernames of its owner and of the mirrored user, if any.
type endedSession struct {
	Person, Mirrored string

	VisitID      int64 `db:"visit_id"`
	CreatedAt    db.Instant
	LastActiveAt db.Instant
	MirrorUntil  db.Instant
}

const isOver = ` RETURNING (SELECT user_name FROM users WHERE users.id = sessions.user_id) AS person,
	coalesce((SELECT user_name FROM users WHERE users.id = sessions.mirrored_user_id), '') AS mirrored,
	coalesce(visit_id, 0) AS visit_id, created_at, last_active_at, mirror_until`

func deleteOne(ctx context.Context, tx *sql.Tx, user access.UserGrant, hash []byte) ([]endedSession, error) {
	return db.List[endedSession](ctx, tx, `DELETE FROM sessions WHERE token_hash = $1 AND user_id = $2`+isOver, hash, user.ID())
}

func touch(ctx context.Context, q db.Queryer, hash []byte, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE sessions SET last_active_at = $2 WHERE token_hash = $1`, hash, now)
}

// setMirrored makes the session act as a user in an access session, until a time unless it is
// zero. User and visit 0 return to the person's own account.
func setMirrored(ctx context.Context, q db.Queryer, hash []byte, userID, visitID int64, until db.Instant) (int64, error) {
	return db.Exec(ctx, q, `
		UPDATE sessions SET mirrored_user_id = nullif(cast($2 AS bigint), 0), visit_id = nullif(cast($3 AS bigint), 0), mirror_until = $4,
			mirror_ended_user_id = NULL, mirror_time_over = false
		WHERE token_hash = $1`, hash, userID, visitID, until)
}

// endMirror ends a session's mirroring because its time is up. It returns the number of rows
// changed.
func endMirror(ctx context.Context, tx *sql.Tx, hash []byte) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE sessions SET mirrored_user_id = NULL, mirror_ended_user_id = mirrored_user_id, mirror_time_over = true
		WHERE token_hash = $1 AND mirrored_user_id IS NOT NULL`, hash)
}

// deleted is a session deleted by token, with its sealed ID token.
type deleted struct {
	IDToken string `db:"id_token"`
	endedSession
}

func deleteSession(ctx context.Context, tx *sql.Tx, hash []byte) (deleted, error) {
	var d deleted
	err := db.Get(ctx, tx, &d, `DELETE FROM sessions WHERE token_hash = $1`+isOver+`, id_token`, hash)
	if errors.Is(err, db.ErrNotFound) {
		return deleted{}, nil
	}
	return d, err
}

func deleteByUser(ctx context.Context, tx *sql.Tx, user access.UserGrant) ([]endedSession, error) {
	return db.List[endedSession](ctx, tx, `DELETE FROM sessions WHERE user_id = $1`+isOver, user.ID())
}

// endedMirror is a mirroring that ended by itself, with the staff member, the user and the
// access session.
type endedMirror struct {
	Person, Mirrored string
	VisitID          int64 `db:"visit_id"`
}

// endMirrors ends all mirroring of a user and marks the sessions.
func endMirrors(ctx context.Context, tx *sql.Tx, userID int64) ([]endedMirror, error) {
	return db.List[endedMirror](ctx, tx, `
		UPDATE sessions SET mirrored_user_id = NULL, mirror_ended_user_id = mirrored_user_id WHERE mirrored_user_id = $1
		RETURNING (SELECT user_name FROM users WHERE users.id = sessions.user_id) AS person,
		          (SELECT user_name FROM users WHERE users.id = sessions.mirror_ended_user_id) AS mirrored,
		          coalesce(visit_id, 0) AS visit_id`, userID)
}

// endedUser is the owner of an ended session.
type endedUser struct {
	ID int64
	endedSession
}

// deleteOutside deletes the sessions of an SSO provider's session, or all of a user's if that is
// empty. It returns the owner of each deleted session.
func deleteOutside(ctx context.Context, tx *sql.Tx, sid string, userID int64) ([]endedUser, error) {
	const answer = isOver + `, user_id AS id`
	var ended []endedUser
	if sid == "" {
		return ended, db.Select(ctx, tx, &ended, `DELETE FROM sessions WHERE user_id = $1`+answer, userID)
	}
	return ended, db.Select(ctx, tx, &ended, `DELETE FROM sessions WHERE sso_sid = $1 AND sso_sid <> ''`+answer, sid)
}

func deleteOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) ([]endedSession, error) {
	return db.List[endedSession](ctx, tx, `DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2`+isOver, user.ID(), keep)
}

// deleteOver deletes one batch of expired sessions.
func deleteOver(ctx context.Context, tx *sql.Tx, idleSince, createdBefore db.Instant) ([]endedSession, error) {
	return db.List[endedSession](ctx, tx, `
		DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE last_active_at < $1 OR created_at < $2
			LIMIT $3)`+isOver, idleSince, createdBefore, db.BatchSize)
}

// getOrCreateSalt returns the user's salt. It stores the fresh one if there is none, or if the user
// hasn't been active since a timestamp.
func getOrCreateSalt(ctx context.Context, q db.Queryer, userID int64, fresh []byte, now, since db.Instant) ([]byte, error) {
	return db.One[[]byte](ctx, q, `
		INSERT INTO form_keys (user_id, salt, active_at) VALUES ($1, $2, $3)
		ON CONFLICT (user_id) DO UPDATE
		SET salt = CASE WHEN form_keys.active_at < $4 THEN excluded.salt ELSE form_keys.salt END, active_at = excluded.active_at
		RETURNING salt`, userID, fresh, now, since)
}

func prolongSalt(ctx context.Context, q db.Queryer, userID int64, now, since db.Instant) error {
	return db.Run(ctx, q, `UPDATE form_keys SET active_at = $2 WHERE user_id = $1 AND active_at >= $3`, userID, now, since)
}

func deleteSalt(ctx context.Context, q db.Queryer, userID int64) error {
	return db.Run(ctx, q, `DELETE FROM form_keys WHERE user_id = $1`, userID)
}

func deleteOldSalts(ctx context.Context, q db.Queryer, before db.Instant) error {
	return db.Run(ctx, q, `DELETE FROM form_keys WHERE active_at < $1`, before)
}
