package accessreview

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

const (
	reviewColumns = `id, group_id, due_on, opened_at, reminded, finished_at, finished_by`

	// reviewed selects the users in a review: those who can have access now, and those who had
	// it at the start.
	reviewed = `
		FROM users u LEFT JOIN access_review_items i ON i.review_id = $1 AND i.user_id = u.id
		WHERE u.group_id = $2 AND u.type_cd IN ('PRAD', 'PRUS') AND u.status_cd <> 'DRAFT'
			AND (u.status_cd <> 'TERM' OR i.user_id IS NOT NULL)`

	tinCountSQL = `(CASE u.type_cd WHEN 'PRAD' THEN (SELECT count(*) FROM group_tins t WHERE t.group_id = u.group_id)
		ELSE (SELECT count(*) FROM user_tins t WHERE t.user_id = u.id) END)`
	// Older days are deleted, so all rows count.
	openedSum = `(SELECT coalesce(sum(o.bills), 0) FROM bills_opened o WHERE o.user_id = u.id)`

	personColumns = `u.id, u.user_name, u.first_name, u.last_name, u.type_cd, u.status_cd, u.last_login_at AS last_sign_in_at,
		` + tinCountSQL + ` AS tins, ` + openedSum + ` AS opened, i.kept_at, coalesce(i.kept_by, '') AS kept_by,
			coalesce(i.version, 0) AS version`
)

func listReviews(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]Review, error) {
	return db.List[Review](ctx, q, `SELECT `+reviewColumns+` FROM access_reviews WHERE group_id = $1 ORDER BY due_on DESC LIMIT $2`,
		groupID, limit)
}

func openReview(ctx context.Context, q db.Queryer, groupID int64) (Review, error) {
	return db.One[Review](ctx, q, `SELECT `+reviewColumns+` FROM access_reviews WHERE group_id = $1 AND finished_at IS NULL`, groupID)
}

func lockOpen(ctx context.Context, tx *sql.Tx, d db.Dialect, groupID int64) (Review, error) {
	return db.One[Review](ctx, tx, `SELECT `+reviewColumns+` FROM access_reviews WHERE group_id = $1 AND finished_at IS NULL`+d.ForUpdate,
		groupID)
}

func lockReview(ctx context.Context, tx *sql.Tx, d db.Dialect, id int64) (Review, error) {
	return db.One[Review](ctx, tx, `SELECT `+reviewColumns+` FROM access_reviews WHERE id = $1`+d.ForUpdate, id)
}

func reviewByID(ctx context.Context, q db.Queryer, id int64) (Review, error) {
	return db.One[Review](ctx, q, `SELECT `+reviewColumns+` FROM access_reviews WHERE id = $1`, id)
}

// counts returns how many people have access and how many of them are unanswered.
func counts(ctx context.Context, q db.Queryer, r Review) (people, unanswered int, err error) {
	var n struct{ People, Unanswered int }
	err = db.Get(ctx, q, &n, `SELECT count(*) AS people,
		count(*) - count(i.kept_at) AS unanswered `+reviewed+` AND u.status_cd <> 'TERM'`, r.ID, r.GroupID)
	return n.People, n.Unanswered, err
}

var types = map[string]string{"PRAD": "Provider Admin", "PRUS": "Provider User"}

// peopleColumns are the columns of the table on the screen.
var peopleColumns = paging.Columns{
	"name": paging.Name("u.first_name_key || ' ' || u.last_name_key"), "userName": paging.Text("u.user_name_key"),
	"type": paging.Words("u.type_cd", types),
	"tins": paging.Number(tinCountSQL), "lastSignIn": paging.Day("u.last_login_at"), "opened": paging.Number(openedSum),
	"answer": paging.Text(`CASE WHEN u.status_cd = 'TERM' THEN 'access ended' WHEN i.kept_at IS NULL THEN 'to review' ELSE 'kept' END`),
}

func peoplePage(ctx context.Context, q db.Queryer, d db.Dialect, r Review, t paging.Table) ([]Person, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: personColumns, From: reviewed, Args: []any{r.ID, r.GroupID}, Columns: peopleColumns, Order: "u.first_name_key, u.id",
	}, paging.Rows[Person])
}

func listPeople(ctx context.Context, q db.Queryer, r Review) ([]Person, error) {
	return paging.Rows[Person](ctx, q, `SELECT `+personColumns+reviewed+` ORDER BY u.first_name_key, u.id`, r.ID, r.GroupID)
}

func getPerson(ctx context.Context, q db.Queryer, r Review, userID int64) (Person, error) {
	return db.One[Person](ctx, q, `SELECT `+personColumns+reviewed+` AND u.id = $3`, r.ID, r.GroupID, userID)
}

// answer stores a person's answer, unless another version than p.Version is stored. It returns
// the number of rows changed.
func answer(ctx context.Context, tx *sql.Tx, reviewID int64, p Person) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO access_review_items (review_id, user_id, version, kept_at, kept_by) VALUES ($1, $2, 1, $3, $4)
		ON CONFLICT (review_id, user_id) DO UPDATE SET kept_at = excluded.kept_at, kept_by = excluded.kept_by,
			version = access_review_items.version + 1
		WHERE access_review_items.version = $5`, reviewID, p.ID, p.KeptAt, p.KeptBy, p.Version)
}

// keep confirms an unanswered person of a group's open review, and returns the review.
func keep(ctx context.Context, tx *sql.Tx, groupID int64, p Person) (review int64, err error) {
	return db.One[int64](ctx, tx, `
		UPDATE access_review_items SET kept_at = $3, kept_by = $4, version = version + 1
		WHERE user_id = $2 AND kept_at IS NULL
			AND review_id = (SELECT id FROM access_reviews WHERE group_id = $1 AND finished_at IS NULL)
		RETURNING review_id`, groupID, p.ID, p.KeptAt, p.KeptBy)
}

func writeDown(ctx context.Context, tx *sql.Tx, reviewID int64, p Person) error {
	return db.Run(ctx, tx, `
		UPDATE access_review_items SET outcome = $3, user_name = $4, name = $5, type_cd = $6, tins = $7, last_sign_in = $8, opened = $9
		WHERE review_id = $1 AND user_id = $2`, reviewID, p.ID, p.Outcome(), p.UserName, p.Name(), p.TypeCd, p.TINs, p.LastSignInAt,
		p.Opened)
}

func finish(ctx context.Context, tx *sql.Tx, id int64, at db.Instant, by string) error {
	return db.Run(ctx, tx, `UPDATE access_reviews SET finished_at = $2, finished_by = $3 WHERE id = $1`, id, at, by)
}

// reviewLine is a line of a finished review.
type reviewLine struct {
	Outcome    string
	UserName   string
	Name       string
	TypeCd     string
	TINs       int `db:"tins"`
	LastSignIn db.Instant
	Opened     int
	KeptBy     string
}

func listWritten(ctx context.Context, q db.Queryer, reviewID int64) ([]reviewLine, error) {
	return db.List[reviewLine](ctx, q, `
		SELECT outcome, user_name, name, type_cd, tins, last_sign_in, opened, kept_by FROM access_review_items
		WHERE review_id = $1 AND outcome <> '' ORDER BY name, user_id`, reviewID)
}

var behindColumns = paging.Columns{
	"group": paging.Number("r.group_id"), "name": paging.Text("g.name_key"), "due": paging.Text("cast(r.due_on AS text)"),
}

func behindPage(ctx context.Context, q db.Queryer, d db.Dialect, today date.Date, t paging.Table) ([]GroupBehind, int, error) {
	const asked = ` FROM users u LEFT JOIN access_review_items i ON i.review_id = r.id AND i.user_id = u.id
		WHERE u.group_id = r.group_id AND u.type_cd IN ('PRAD', 'PRUS') AND u.status_cd NOT IN ('DRAFT', 'TERM')`
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: `r.id, r.group_id, g.name AS group_name, r.due_on,
			(SELECT count(*)` + asked + `) AS people, (SELECT count(*)` + asked + ` AND i.kept_at IS NULL) AS unanswered`,
		From: `FROM access_reviews r JOIN groups g ON g.id = r.group_id WHERE r.finished_at IS NULL AND r.due_on < $1
			AND g.status_cd <> 'INACT'`,
		Args: []any{today}, Columns: behindColumns, Order: "r.due_on, r.id",
	}, paging.Rows[GroupBehind])
}

// Queries of the job.

// groupsToAsk pages through the active provider groups that have users, no open review, and none that is
// due at the end of this quarter or later.
func groupsToAsk(ctx context.Context, q db.Queryer, quarterEnd date.Date, after int64, limit int) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT g.id FROM groups g
		WHERE g.id > $1 AND g.kind = 'PROVIDER' AND g.status_cd <> 'INACT'
		AND (SELECT count(*) FROM users u WHERE u.group_id = g.id AND u.type_cd IN ('PRAD', 'PRUS')
			AND u.status_cd NOT IN ('DRAFT', 'TERM')) > 0
		AND NOT EXISTS (SELECT 1 FROM access_reviews r WHERE r.group_id = g.id AND r.finished_at IS NULL)
		AND NOT EXISTS (SELECT 1 FROM access_reviews r WHERE r.group_id = g.id AND r.due_on >= $2)
		ORDER BY g.id LIMIT $3`, after, quarterEnd, limit)
}

// postpone moves the due date of inactive groups' reviews that are due before a day, because their
// administrators can't sign in.
func postpone(ctx context.Context, tx *sql.Tx, before, dueOn date.Date) error {
	return db.Run(ctx, tx, `
		UPDATE access_reviews SET due_on = $2, reminded = 0 WHERE finished_at IS NULL AND due_on < $1
			AND EXISTS (SELECT 1 FROM groups g WHERE g.id = access_reviews.group_id AND g.status_cd = 'INACT')`, before, dueOn)
}

// open opens a review unless another instance just did.
func open(ctx context.Context, tx *sql.Tx, groupID int64, dueOn date.Date, at db.Instant) error {
	return db.Run(ctx, tx, `
		INSERT INTO access_reviews (group_id, due_on, opened_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, groupID, dueOn, at)
}

// addPeople adds users who joined the group since the review opened.
func addPeople(ctx context.Context, tx *sql.Tx, reviewID int64) error {
	return db.Run(ctx, tx, `
		INSERT INTO access_review_items (review_id, user_id)
		SELECT r.id, u.id FROM access_reviews r JOIN users u ON u.group_id = r.group_id
		WHERE r.id = $1 AND u.type_cd IN ('PRAD', 'PRUS') AND u.status_cd NOT IN ('DRAFT', 'TERM')
		ON CONFLICT (review_id, user_id) DO NOTHING`, reviewID)
}

// openReviews pages through the open reviews, earliest due date first.
func openReviews(ctx context.Context, q db.Queryer, after Review, limit int) ([]Review, error) {
	return db.List[Review](ctx, q, `
		SELECT `+reviewColumns+` FROM access_reviews
		WHERE finished_at IS NULL AND due_on >= $1 AND (due_on, id) > ($1, $2) ORDER BY due_on, id LIMIT $3`, after.DueOn, after.ID, limit)
}

// remind marks a reminder as sent. It returns 0 if another instance already did.
func remind(ctx context.Context, tx *sql.Tx, id int64, reminder int) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE access_reviews SET reminded = $2 WHERE id = $1 AND finished_at IS NULL AND reminded < $2`, id, reminder)
}

// listUnconfirmed lists the provider users in an open review whose access wasn't confirmed, if they
// were added before a timestamp.
func listUnconfirmed(ctx context.Context, q db.Queryer, r Review, before db.Instant) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT u.id FROM access_review_items i JOIN users u ON u.id = i.user_id
		WHERE i.review_id = $1 AND i.kept_at IS NULL AND u.group_id = $2 AND u.type_cd = 'PRUS' AND u.status_cd NOT IN ('DRAFT', 'TERM')
		AND u.created_at < $3 ORDER BY u.id`, r.ID, r.GroupID, before)
}

// lastCounted returns the last day with counted bills, starting at a day. It is empty if there
// is none.
func lastCounted(ctx context.Context, q db.Queryer, from date.Date) (date.Date, error) {
	var day date.Date
	err := db.Get(ctx, q, &day, `SELECT day FROM bills_opened_days WHERE day >= $1 ORDER BY day DESC LIMIT 1`, from)
	return day, db.IfNotFound(err, nil)
}

func isCounted(ctx context.Context, q db.Queryer, day date.Date) (bool, error) {
	var n int
	err := db.Get(ctx, q, &n, `SELECT count(*) FROM bills_opened_days WHERE day = $1`, day)
	return n > 0, err
}

// markCounted returns 0 if another instance is counting the day.
func markCounted(ctx context.Context, tx *sql.Tx, day date.Date) (int64, error) {
	return db.Exec(ctx, tx, `INSERT INTO bills_opened_days (day) VALUES ($1) ON CONFLICT DO NOTHING`, day)
}

// openedCount is the number of bills that a person opened.
type openedCount struct {
	Actor string
	Bills int
}

// openedBy counts the distinct bills that each person opened in a period. It uses the audit
// log's index on operations.
func openedBy(ctx context.Context, q db.Queryer, operations []string, from, to db.Instant) ([]openedCount, error) {
	args := []any{from, to}
	args = append(args, db.Args(operations)...)
	return db.List[openedCount](ctx, q, `
		SELECT actor, count(DISTINCT subject) AS bills FROM audit_log
		WHERE operation IN (`+db.In(3, len(operations))+`) AND at >= $1 AND at < $2 AND acting_for = '' AND result = 'ok' GROUP BY actor`,
		args...)
}

func addOpened(ctx context.Context, tx *sql.Tx, userNameKey string, day date.Date, bills int) error {
	var id int64
	err := db.Get(ctx, tx, &id, `SELECT id FROM users WHERE user_name_key = $1 AND type_cd IN ('PRAD', 'PRUS')`, userNameKey)
	if errors.Is(err, db.ErrNotFound) { // network staff
		return nil
	}
	if err != nil {
		return err
	}
	return db.Run(ctx, tx, `INSERT INTO bills_opened (user_id, day, bills) VALUES ($1, $2, $3)`, id, day, bills)
}

// deleteOpened and deleteCounted each delete one batch of counts, or counted days, before a day.
func deleteOpened(ctx context.Context, tx *sql.Tx, before date.Date) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bills_opened WHERE (user_id, day) IN (SELECT user_id, day FROM bills_opened WHERE day < $1
		LIMIT $2)`, before, db.BatchSize)
}

func deleteCounted(ctx context.Context, tx *sql.Tx, before date.Date) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM bills_opened_days WHERE day < $1`, before)
}

// finishedBefore returns one batch of reviews that were finished before a timestamp.
func finishedBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]int64, error) {
	return db.List[int64](ctx, q, `SELECT id FROM access_reviews WHERE finished_at < $1 ORDER BY finished_at LIMIT 100`, before)
}

// removeItems deletes one batch of a review's people, and removeReview the review itself.
func removeItems(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM access_review_items WHERE review_id = $1
			AND user_id IN (SELECT user_id FROM access_review_items WHERE review_id = $1 LIMIT $2)`, id, db.BatchSize)
}

func removeReview(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM access_reviews WHERE id = $1`, id)
}
