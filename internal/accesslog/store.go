package accesslog

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

func begin(ctx context.Context, tx *sql.Tx, staffID int64, as access.Person, s Session) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO visits (group_id, user_id, mirrored_user_id, reason, override, started_at)
			VALUES (nullif(cast($1 AS bigint), 0), $2, $3, $4, $5, $6) RETURNING id`,
		as.GroupID, staffID, as.ID, s.Reason, s.Override, s.StartedAt)
}

func end(ctx context.Context, tx *sql.Tx, id int64, at db.Instant) error {
	return db.Run(ctx, tx, `UPDATE visits SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL`, id, at)
}

const (
	visitColumns = `v.id, coalesce(v.group_id, 0) AS group_id, coalesce(g.name, '') AS group_name, w.user_name AS who, m.user_name AS whom,
		v.reason, v.override,
		v.started_at, v.ended_at, s.created_at AS session_at, s.last_active_at, s.mirror_until AS until`
	fromVisits = `
		FROM visits v JOIN users w ON w.id = v.user_id JOIN users m ON m.id = v.mirrored_user_id
		LEFT JOIN groups g ON g.id = v.group_id LEFT JOIN sessions s ON s.visit_id = v.id WHERE `
)

// pageColumns are the columns of the table on the screen.
var pageColumns = paging.Columns{
	"start": paging.Day("v.started_at"), "who": paging.Text("w.user_name_key"), "whom": paging.Text("m.user_name_key"),
	"group": paging.Text("coalesce(g.name_key, '')"),
}

// sessionPage returns a page of a group's access sessions since a timestamp. 0 means all groups.
func sessionPage(ctx context.Context, q db.Queryer, d db.Dialect, group int64, since db.Instant, t paging.Table) ([]Session, int, error) {
	s := paging.Statement{
		Select: visitColumns, From: fromVisits + `v.started_at > $1`, Args: []any{since}, Columns: pageColumns,
		Order: "v.started_at DESC, v.id DESC",
	}
	if group != 0 {
		s.From, s.Args = s.From+` AND v.group_id = $2`, append(s.Args, group)
	}
	return paging.Select(ctx, q, d, t, s, paging.Rows[Session])
}

func sessionByID(ctx context.Context, q db.Queryer, id int64) (Session, error) {
	return db.One[Session](ctx, q, `SELECT `+visitColumns+fromVisits+`v.id = $1`, id)
}

// span selects the audit log entries of items that someone opened as a user in a period.
type span struct {
	key        string // the actor's key in the audit log
	who, whom  string
	operations []string
	from, to   db.Instant
}

// sql returns the tail of a statement that selects the entries.
func (s span) sql() (from string, args []any) {
	args = []any{s.key, s.from, s.to, s.who, s.whom}
	args = append(args, db.Args(s.operations)...)
	return ` FROM audit_keys k JOIN audit_log l ON l.id = k.entry WHERE k.key = $1 AND k.at >= $2 AND k.at <= $3
		AND l.actor = $4 AND l.acting_for = $5 AND l.result = 'ok' AND l.operation IN (` + db.In(6, len(s.operations)) + `)`, args
}

func countOpened(ctx context.Context, q db.Queryer, s span) (int, error) {
	from, args := s.sql()
	return db.One[int](ctx, q, `SELECT count(DISTINCT l.subject)`+from, args...)
}

// openedColumns are the columns of the table of opened items.
var openedColumns = paging.Columns{"at": paging.Day("k.at"), "number": paging.Text("lower(l.subject)")}

func openedPage(ctx context.Context, q db.Queryer, d db.Dialect, s span, t paging.Table) ([]Opened, int, error) {
	from, args := s.sql()
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: `l.operation, l.subject, k.at`, From: from, Args: args, Columns: openedColumns, Order: "k.at, k.entry",
	}, paging.Rows[Opened])
}

// getSettings returns a group's settings, or the defaults if it has chosen none.
func getSettings(ctx context.Context, q db.Queryer, group int64) (VisitSettings, error) {
	c := defaultSettings()
	err := db.Get(ctx, q, &c, `SELECT mails, asks_first, version FROM visit_settings WHERE group_id = $1`, group)
	if errors.Is(err, db.ErrNotFound) {
		return defaultSettings(), nil
	}
	return c, err
}

// putSettings replaces the settings of the given version. It returns the number of rows changed:
// 0 if the version is outdated.
func putSettings(ctx context.Context, tx *sql.Tx, group int64, c VisitSettings) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO visit_settings (group_id, mails, asks_first, version) VALUES ($1, $2, $3, 1)
		ON CONFLICT (group_id) DO UPDATE SET mails = excluded.mails, asks_first = excluded.asks_first, version = visit_settings.version + 1
		WHERE visit_settings.version = $4`, group, c.Mails, c.AsksFirst, c.Version)
}

func countVisitors(ctx context.Context, q db.Queryer, group int64, from, to db.Instant) (int, error) {
	return db.One[int](ctx, q, `SELECT count(DISTINCT user_id) FROM visits WHERE group_id = $1 AND started_at >= $2
		AND started_at < $3`, group, from, to)
}

// admin is a group administrator who can sign in, or can once a lock expires.
type admin struct {
	ID    int64 `db:"id"`
	Email string
}

func listAdmins(ctx context.Context, q db.Queryer, group int64) ([]admin, error) {
	return db.List[admin](ctx, q, `
		SELECT id, email FROM users WHERE group_id = $1 AND type_cd = 'PRAD' AND NOT group_ended
			AND (status_cd = 'ACTIV' OR status_cd = 'LOCK' AND locked_until IS NOT NULL) ORDER BY id LIMIT 100`, group)
}

const (
	requestColumns = `r.id, r.group_id, w.user_name AS who, r.user_id AS who_id, m.user_name AS whom, r.reason, r.state, r.asked_at,
		r.answered_at, r.answered_by, r.words, r.until`
	fromRequests = ` FROM mirror_requests r JOIN users w ON w.id = r.user_id JOIN users m ON m.id = r.mirrored_user_id WHERE `
)

// newestRequest returns a staff member's latest request to a group, or the zero value.
func newestRequest(ctx context.Context, q db.Queryer, staffID, group int64) (Request, error) {
	var r Request
	err := db.Get(ctx, q, &r, `SELECT `+requestColumns+fromRequests+`r.user_id = $1 AND r.group_id = $2 ORDER BY r.id DESC LIMIT 1`,
		staffID, group)
	if errors.Is(err, db.ErrNotFound) {
		return Request{}, nil
	}
	return r, err
}

func requestByID(ctx context.Context, q db.Queryer, id int64) (Request, error) {
	return db.One[Request](ctx, q, `SELECT `+requestColumns+fromRequests+`r.id = $1`, id)
}

// requestedColumns are the columns of the table of requests.
var requestedColumns = paging.Columns{"asked": paging.Day("r.asked_at"), "who": paging.Text("w.user_name_key"),
	"whom": paging.Text("m.user_name_key")}

// requestPage returns a page of the requests to a group: those pending since a timestamp first, then
// the newest.
func requestPage(
	ctx context.Context, q db.Queryer, d db.Dialect, group int64, since db.Instant, t paging.Table,
) ([]Request, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: requestColumns,
		From: ` FROM mirror_requests r JOIN users w ON w.id = r.user_id JOIN users m ON m.id = r.mirrored_user_id
			LEFT JOIN mirror_requests p ON p.id = r.id AND p.state = 'ASKED' AND p.asked_at > $2 WHERE r.group_id = $1`,
		Args: []any{group, since}, Columns: requestedColumns, Order: "CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, r.id DESC",
	}, paging.Rows[Request])
}

// countAsked counts a staff member's requests since a timestamp.
func countAsked(ctx context.Context, tx *sql.Tx, staffID int64, since db.Instant) (int, error) {
	return db.One[int](ctx, tx, `SELECT count(*) FROM mirror_requests WHERE user_id = $1 AND asked_at > $2`, staffID, since)
}

// expire closes requests that have been pending since before a timestamp.
func expire(ctx context.Context, tx *sql.Tx, staffID, group int64, before db.Instant) error {
	return db.Run(ctx, tx, `UPDATE mirror_requests SET state = 'EXPIRED' WHERE user_id = $1 AND group_id = $2 AND state = 'ASKED'
		AND asked_at <= $3`, staffID, group, before)
}

// addRequest returns db.ErrNotFound if a request is already pending.
func addRequest(ctx context.Context, tx *sql.Tx, r Request, asID int64) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO mirror_requests (group_id, user_id, mirrored_user_id, reason, state, asked_at, answered_at, until)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT DO NOTHING RETURNING id`, r.GroupID, r.WhoID, asID, r.Reason, r.State, r.AskedAt, r.AnsweredAt, r.Until)
}

// overridePending turns a pending request into an override to act as a user. It returns
// db.ErrNotFound if none is pending.
func overridePending(ctx context.Context, tx *sql.Tx, r Request, asID int64) (int64, error) {
	return db.One[int64](ctx, tx, `
		UPDATE mirror_requests SET state = 'OVERRIDE', reason = $3, answered_at = $4, until = $5, mirrored_user_id = $6
		WHERE user_id = $1 AND group_id = $2 AND state = 'ASKED' RETURNING id`,
		r.WhoID, r.GroupID, r.Reason, r.AnsweredAt, r.Until, asID)
}

// answer stores the decision on a group's request that has been pending since a timestamp. It
// returns the number of rows changed.
func answer(ctx context.Context, tx *sql.Tx, id, group int64, since db.Instant, r Request) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE mirror_requests SET state = $4, answered_at = $5, answered_by = $6, words = $7, until = $8
		WHERE id = $1 AND group_id = $2 AND state = 'ASKED'
			AND asked_at > $3`, id, group, since, r.State, r.AnsweredAt, r.AnsweredBy, r.Words, r.Until)
}

// cancelPending closes a group's requests that have been pending since a timestamp.
func cancelPending(ctx context.Context, tx *sql.Tx, group int64, since, at db.Instant) error {
	return db.Run(ctx, tx, `UPDATE mirror_requests SET state = 'NEEDLESS', answered_at = $3 WHERE group_id = $1
		AND state = 'ASKED' AND asked_at > $2`, group, since, at)
}

func getEmail(ctx context.Context, tx *sql.Tx, userID int64) (string, error) {
	return db.One[string](ctx, tx, `SELECT email FROM users WHERE id = $1`, userID)
}

// deleteSessions and deleteRequests each delete one batch of expired rows.
func deleteSessions(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM visits WHERE id IN (SELECT id FROM visits WHERE started_at < $1 LIMIT $2)`, before, db.BatchSize)
}

func deleteRequests(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM mirror_requests
		WHERE id IN (SELECT id FROM mirror_requests WHERE asked_at < $1 LIMIT $2)`, before, db.BatchSize)
}
