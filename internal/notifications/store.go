package notifications

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

const columns = `n.id, n.name, n.campaign, n.requested_by, n.link, n.send_date, n.status, n.audience, n.created_at, n.created_by,
	n.updated_at, n.updated_by,
	coalesce((SELECT string_agg(CAST(r.user_id AS text), ',' ORDER BY r.user_id) FROM notification_recipients r
	WHERE r.notification_id = n.id), '') AS recipients`

// list returns the newest rows, up to the limit.
func list(ctx context.Context, q db.Queryer, limit int) ([]Notification, error) {
	return db.List[Notification](ctx, q, `SELECT `+columns+` FROM notifications n ORDER BY n.id DESC LIMIT $1`, limit)
}

func byID(ctx context.Context, q db.Queryer, id int64) (Notification, error) {
	return db.One[Notification](ctx, q, `SELECT `+columns+` FROM notifications n WHERE n.id = $1`, id)
}

func madeSince(ctx context.Context, q db.Queryer, by string, since db.Instant) ([]Notification, error) {
	return db.List[Notification](ctx, q, `SELECT `+columns+
		` FROM notifications n WHERE n.created_by = $1 AND n.created_at > $2 ORDER BY n.created_at DESC LIMIT 20`, by, since)
}

func lock(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) error {
	return db.Get(ctx, tx, &id, `SELECT id FROM notifications WHERE id = $1`+dialect.ForUpdate, id)
}

func lockUser(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) error {
	return db.Get(ctx, tx, &id, `SELECT id FROM users WHERE id = $1`+dialect.ForUpdate, id)
}

func insert(ctx context.Context, tx *sql.Tx, n Notification) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO notifications (name, campaign, requested_by, link, send_date, status, created_at, created_by, updated_at, updated_by,
			audience)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, $8, $9) RETURNING id`,
		n.Name, n.Campaign, n.RequestedBy, n.Link, n.SendDate, n.Status, n.CreatedAt, n.CreatedBy, n.Audience)
}

func update(ctx context.Context, tx *sql.Tx, n Notification) error {
	return db.Run(ctx, tx, `
		UPDATE notifications SET name = $2, campaign = $3, requested_by = $4, link = $5, send_date = $6, status = $7, updated_at = $8,
			updated_by = $9, audience = $10,
			sent_at = NULL, sent_to = NULL
		WHERE id = $1`,
		n.ID, n.Name, n.Campaign, n.RequestedBy, n.Link, n.SendDate, n.Status, n.UpdatedAt, n.UpdatedBy, n.Audience)
}

func remove(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM notifications WHERE id = $1`, id)
}

// addRecipients adds the users who exist and returns their number.
func addRecipients(ctx context.Context, tx *sql.Tx, id int64, users []int64) (int64, error) {
	const size = 500
	var added int64
	for part := range slices.Chunk(users, size) {
		args := []any{id}
		for n := range size { // the last batch is padded by repeating its end, so that all share one statement
			args = append(args, part[min(n, len(part)-1)])
		}
		n, err := db.Exec(ctx, tx, `
			INSERT INTO notification_recipients (notification_id, user_id)
			SELECT CAST($1 AS bigint), id FROM users WHERE id IN (`+db.In(2, size)+`)`, args...)
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}

func dropRecipients(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM notification_recipients WHERE notification_id = $1`, id)
}

// due lists the notifications to send.
func due(ctx context.Context, q db.Queryer, on date.Date) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT id FROM notifications WHERE status = 'SCHEDULED' AND send_date <= $1 ORDER BY send_date, id LIMIT 100`, on)
}

// markSent claims a notification for sending and returns its audience. If several instances try,
// one succeeds and the others find nothing.
func markSent(ctx context.Context, tx *sql.Tx, id int64, on date.Date, now db.Instant, by string) (audience string, err error) {
	return db.One[string](ctx, tx, `
		UPDATE notifications SET status = 'SENT', sent_at = $3, updated_at = $3, updated_by = $4
		WHERE id = $1 AND status = 'SCHEDULED' AND send_date <= $2 RETURNING audience`, id, on, now, by)
}

func noteSentTo(ctx context.Context, tx *sql.Tx, id, copies int64) error {
	return db.Run(ctx, tx, `UPDATE notifications SET sent_to = $2 WHERE id = $1`, id, copies)
}

// insertCopies creates a copy for every recipient with an account that isn't terminated.
func insertCopies(ctx context.Context, tx *sql.Tx, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO user_notifications (user_id, notification_id, sent_at)
		SELECT r.user_id, r.notification_id, $2 FROM notification_recipients r JOIN users u ON u.id = r.user_id
		WHERE r.notification_id = $1 AND u.status_cd <> 'TERM'`, id, now)
}

// insertCopiesFor creates a copy for everyone in an audience.
func insertCopiesFor(ctx context.Context, tx *sql.Tx, a Audience, id int64, now db.Instant) (int64, error) {
	condition, args := a.condition(id, now)
	query := `
		INSERT INTO user_notifications (user_id, notification_id, sent_at)
		SELECT u.id, CAST($1 AS bigint), $2 FROM users u WHERE ` + condition
	if len(a.Excluded) > 0 {
		query += ` AND u.id NOT IN (` + db.In(len(args)+1, len(a.Excluded)) + `)`
		args = append(args, db.Args(a.Excluded)...)
	}
	return db.Exec(ctx, tx, query, args...)
}

// countSize counts the users in an audience.
func countSize(ctx context.Context, q db.Queryer, a Audience) (Size, error) {
	excluded := append([]int64{0}, a.Excluded...) // no user has the id 0
	condition, args := a.condition(db.Args(excluded)...)
	return db.One[Size](ctx, q, `
		SELECT count(*) - count(CASE WHEN u.id IN (`+db.In(1, len(excluded))+`) THEN 1 END) AS count,
			count(CASE WHEN u.id IN (`+db.In(1, len(excluded))+`) THEN 1 END) AS excluded
		FROM users u WHERE `+condition, args...)
}

// condition returns the condition for users u in the audience, before exclusions. It appends its
// values to args. A TIN matches users of the groups that have it, but provider users only if it
// was assigned to them. No subquery may refer to the user, because SQLite would run it again for
// each one.
func (a Audience) condition(args ...any) (string, []any) {
	in := func(values []any) string {
		args = append(args, values...)
		return ` IN (` + db.In(len(args)-len(values)+1, len(values)) + `)`
	}
	among := a.Statuses
	if len(among) == 0 {
		among = statuses
	}
	condition := `u.status_cd` + in(db.Args(among))
	if len(a.Types) > 0 {
		condition += ` AND u.type_cd` + in(db.Args(a.Types))
	}
	if len(a.Groups) > 0 {
		condition += ` AND u.group_id` + in(db.Args(a.Groups))
	}
	having := func(tins string) {
		condition += ` AND u.group_id IN (SELECT g.group_id FROM group_tins g WHERE g.ftin IN (` + tins + `))
			AND (u.type_cd <> 'PRUS' OR u.id IN (SELECT t.user_id FROM user_tins t WHERE t.ftin IN (` + tins + `)))`
	}
	if len(a.TINs) > 0 {
		args = append(args, db.Args(a.TINs)...)
		having(db.In(len(args)-len(a.TINs)+1, len(a.TINs)))
	}
	if len(a.States) > 0 {
		having(`SELECT v.ftin FROM providers p JOIN provider_tins v ON v.provider_id = p.provider_id WHERE p.state` + in(db.Args(a.States)))
	}
	return condition, args
}

// announced returns the newest notifications that have an audience or a known number of
// recipients.
func announced(ctx context.Context, q db.Queryer, limit int) ([]Announced, error) {
	return db.List[Announced](ctx, q, `SELECT id, audience, sent_to FROM notifications WHERE audience <> '' OR sent_to IS NOT NULL
		ORDER BY id DESC LIMIT $1`, limit)
}

// groupsAmong, tinsAmong and usersAmong return the values that exist.
func groupsAmong(ctx context.Context, q db.Queryer, ids []int64) (list []int64, err error) {
	if len(ids) > 0 {
		err = db.Select(ctx, q, &list, `SELECT id FROM groups WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
	}
	return list, err
}

func tinsAmong(ctx context.Context, q db.Queryer, tins []string) (list []string, err error) {
	if len(tins) > 0 {
		err = db.Select(ctx, q, &list, `SELECT DISTINCT ftin FROM group_tins WHERE ftin IN (`+db.In(1, len(tins))+`)`, db.Args(tins)...)
	}
	return list, err
}

func usersAmong(ctx context.Context, q db.Queryer, ids []int64) (list []int64, err error) {
	if len(ids) > 0 {
		err = db.Select(ctx, q, &list, `SELECT id FROM users WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
	}
	return list, err
}

func dropCopies(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM user_notifications WHERE notification_id = $1`, id)
}

func listCopies(ctx context.Context, q db.Queryer, userID int64, limit int) ([]Copy, error) {
	return db.List[Copy](ctx, q, `
		SELECT c.notification_id, n.name, n.link, c.viewed_at FROM user_notifications c JOIN notifications n ON n.id = c.notification_id
		WHERE c.user_id = $1 ORDER BY c.sent_at DESC, c.notification_id DESC LIMIT $2`, userID, limit)
}

// sentTo lists the notifications that some users received, newest first.
func sentTo(ctx context.Context, q db.Queryer, users []int64, limit int) ([]Addressed, error) {
	args := []any{limit}
	args = append(args, db.Args(users)...)
	return db.List[Addressed](ctx, q, `
		SELECT n.name, c.sent, c.viewed, c.sent_at
		FROM (SELECT notification_id, count(*) AS sent, count(viewed_at) AS viewed, max(sent_at) AS sent_at FROM user_notifications
			WHERE user_id IN (`+db.In(2, len(users))+
		`) GROUP BY notification_id ORDER BY max(sent_at) DESC, notification_id DESC LIMIT $1) c
		JOIN notifications n ON n.id = c.notification_id ORDER BY c.sent_at DESC, n.id DESC`, args...)
}

// drafts counts incomplete notifications.
func drafts(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT created_at AS since FROM notifications WHERE status = 'DRAFT' ORDER BY created_at`)
}

// state is a value that changes with every change of a user's copies.
type state struct {
	Copies int64
	Viewed int64
	SentAt db.Instant
}

func getState(ctx context.Context, q db.Queryer, userID int64) (state, error) {
	return db.One[state](ctx, q, `
		SELECT count(*) AS copies, count(viewed_at) AS viewed, max(sent_at) AS sent_at FROM user_notifications WHERE user_id = $1`, userID)
}

// markViewed marks one or all of a user's copies as viewed, and returns how many weren't.
func markViewed(ctx context.Context, tx *sql.Tx, userID, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE user_notifications SET viewed_at = $3
		WHERE user_id = $1 AND (CAST($2 AS bigint) = 0 OR notification_id = $2) AND viewed_at IS NULL`, userID, id, now)
}

// sentBefore returns one batch of notifications that were sent before a day.
func sentBefore(ctx context.Context, q db.Queryer, day date.Date) ([]int64, error) {
	return db.List[int64](ctx, q, `SELECT id FROM notifications WHERE status = 'SENT' AND send_date < $1 ORDER BY send_date
		LIMIT 100`, day)
}

// isOld is the condition that a notification is still as sentBefore found it. It can be unpublished meanwhile.
const isOld = ` AND EXISTS (SELECT 1 FROM notifications WHERE id = $1 AND status = 'SENT' AND send_date < $3)`

// removeCopies and removeRecipients delete one batch of rows, and removeSent deletes the
// notification once its copies are gone.
func removeCopies(ctx context.Context, tx *sql.Tx, id int64, before date.Date) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM user_notifications WHERE notification_id = $1
		AND user_id IN (SELECT user_id FROM user_notifications WHERE notification_id = $1 LIMIT $2)`+isOld, id, db.BatchSize, before)
}

func removeRecipients(ctx context.Context, tx *sql.Tx, id int64, before date.Date) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM notification_recipients WHERE notification_id = $1
		AND user_id IN (SELECT user_id FROM notification_recipients WHERE notification_id = $1 LIMIT $2)`+isOld, id, db.BatchSize, before)
}

func removeSent(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM notifications WHERE id = $1 AND status = 'SENT'
			AND NOT EXISTS (SELECT 1 FROM user_notifications WHERE notification_id = $1)`, id)
}
