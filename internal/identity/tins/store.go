package tins

import (
	"context"
	"crypto/rand"
	"database/sql"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

// SelectSQL returns the SQL for a person's TINs as one text, separated by spaces. They are the
// same as from Scopes.ReadTINs. The arguments are columns.
func SelectSQL(typeCd, groupID, userID string) string {
	return `coalesce(CASE
		WHEN ` + typeCd + ` IN ('PRAD', 'NNUS') THEN (
			SELECT string_agg(ftin, ' ' ORDER BY ftin) FROM group_tins WHERE group_id = ` + groupID + `)
		WHEN ` + typeCd + ` = 'PRUS' THEN (
			SELECT string_agg(t.ftin, ' ' ORDER BY t.ftin) FROM user_tins t
			JOIN group_tins g ON g.group_id = ` + groupID + ` AND g.ftin = t.ftin WHERE t.user_id = ` + userID + `) END, '')`
}

// listTINs returns a user's TINs.
func listTINs(ctx context.Context, q db.Queryer, userID int64) ([]string, error) {
	var list string
	err := db.Get(ctx, q, &list, `SELECT `+SelectSQL("u.type_cd", "u.group_id", "u.id")+` FROM users u WHERE u.id = $1`, userID)
	return strings.Fields(list), err
}

func groupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error) {
	return db.List[string](ctx, q, `SELECT ftin FROM group_tins WHERE group_id = $1 ORDER BY ftin`, groupID)
}

// userTINs omits TINs that the group no longer has.
func userTINs(ctx context.Context, q db.Queryer, userID int64) ([]string, error) {
	return db.List[string](ctx, q, `
		SELECT t.ftin FROM user_tins t
		JOIN users u ON u.id = t.user_id
		JOIN group_tins g ON g.group_id = u.group_id AND g.ftin = t.ftin
		WHERE t.user_id = $1 ORDER BY t.ftin`, userID)
}

// usersTINs returns the result of userTINs for several provider users.
func usersTINs(ctx context.Context, q db.Queryer, userIDs []int64) (map[int64][]string, error) {
	if len(userIDs) == 0 {
		return nil, nil
	}
	var list []struct {
		UserID int64
		FTIN   string `db:"ftin"`
	}
	err := db.Select(ctx, q, &list, `
		SELECT t.user_id, t.ftin FROM user_tins t
		JOIN users u ON u.id = t.user_id AND u.type_cd = 'PRUS'
		JOIN group_tins g ON g.group_id = u.group_id AND g.ftin = t.ftin
		WHERE t.user_id IN (`+db.In(1, len(userIDs))+`) ORDER BY t.user_id, t.ftin`, db.Args(userIDs)...)
	given := make(map[int64][]string, len(userIDs))
	for _, t := range list {
		given[t.UserID] = append(given[t.UserID], t.FTIN)
	}
	return given, err
}

func groupHas(ctx context.Context, tx *sql.Tx, groupID int64, ftin string) (bool, error) {
	var n int
	err := db.Get(ctx, tx, &n, `SELECT count(*) FROM group_tins WHERE group_id = $1 AND ftin = $2`, groupID, ftin)
	return n > 0, err
}

func insertGroupTIN(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO group_tins (group_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (group_id, ftin) DO NOTHING`, g.ID(), ftin, now, g.By())
}

func insertUserTIN(ctx context.Context, tx *sql.Tx, g access.UserGrant, ftin string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO user_tins (user_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, ftin) DO NOTHING`, g.ID(), ftin, now, g.By())
}

// giveUserTINs assigns TINs to a user, if the group has them.
func giveUserTINs(ctx context.Context, tx *sql.Tx, groupID int64, g access.UserGrant, ftins []string, now db.Instant) error {
	if len(ftins) == 0 {
		return nil
	}
	args := []any{g.ID(), now, g.By(), groupID}
	args = append(args, db.Args(ftins)...)
	return db.Run(ctx, tx, `
		INSERT INTO user_tins (user_id, ftin, added_at, updated_by)
		SELECT $1, ftin, $2, $3 FROM group_tins WHERE group_id = $4 AND ftin IN (`+db.In(5, len(ftins))+`)
		ON CONFLICT (user_id, ftin) DO NOTHING`, args...)
}

func takeUserTINs(ctx context.Context, tx *sql.Tx, g access.UserGrant, ftins []string) error {
	if len(ftins) == 0 {
		return nil
	}
	args := []any{g.ID()}
	args = append(args, db.Args(ftins)...)
	return db.Run(ctx, tx, `DELETE FROM user_tins WHERE user_id = $1 AND ftin IN (`+db.In(2, len(ftins))+`)`, args...)
}

func groupRecords(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]GroupTIN, error) {
	return db.List[GroupTIN](ctx, q, `
		SELECT ftin, added_at, updated_by FROM group_tins WHERE group_id = $1 ORDER BY added_at DESC, ftin LIMIT $2`, groupID, limit)
}

// deleteGroupTIN also removes it from the group's users, and stores it as a former TIN.
func deleteGroupTIN(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string) error {
	if _, err := db.Exec(ctx, tx, `
		DELETE FROM user_tins WHERE ftin = $2 AND user_id IN (SELECT id FROM users WHERE group_id = $1)`, g.ID(), ftin); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO former_tins (group_id, ftin) VALUES ($1, $2) ON CONFLICT (group_id, ftin) DO NOTHING`, g.ID(), ftin); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM group_tins WHERE group_id = $1 AND ftin = $2`, g.ID(), ftin)
}

// formerTINs lists the TINs that were removed from a group. It can have some of them again.
func formerTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error) {
	return db.List[string](ctx, q, `SELECT ftin FROM former_tins WHERE group_id = $1`, groupID)
}

// holdersIn lists a group's provider users to whom any of the TINs was assigned.
func holdersIn(ctx context.Context, q db.Queryer, groupID int64, ftins []string, limit int) ([]Holder, error) {
	args := []any{groupID, limit}
	args = append(args, db.Args(ftins)...)
	return db.List[Holder](ctx, q, `
		SELECT u.user_name, u.first_name, u.last_name FROM users u JOIN user_tins t ON t.user_id = u.id
		WHERE u.group_id = $1 AND u.type_cd = 'PRUS' AND u.status_cd <> 'TERM' AND t.ftin IN (`+db.In(3, len(ftins))+`)
		GROUP BY u.id ORDER BY u.first_name_key, u.last_name_key, u.id LIMIT $2`, args...)
}

func deleteUserTINs(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return db.Run(ctx, tx, `DELETE FROM user_tins WHERE user_id = $1`, g.ID())
}

// Maximum number of groups or users returned as holders of a TIN.
const maxHolders = 2000

func groupsWith(ctx context.Context, q db.Queryer, ftin string) ([]int64, error) {
	return db.List[int64](ctx, q, `SELECT group_id FROM group_tins WHERE ftin = $1 ORDER BY group_id LIMIT $2`, ftin, maxHolders)
}

func usersWith(ctx context.Context, q db.Queryer, ftin string) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT t.user_id FROM user_tins t
		JOIN users u ON u.id = t.user_id
		JOIN group_tins g ON g.group_id = u.group_id AND g.ftin = t.ftin
		WHERE t.ftin = $1 AND u.type_cd = 'PRUS' ORDER BY t.user_id LIMIT $2`, ftin, maxHolders)
}

// otherHolders lists the other groups with a TIN.
func otherHolders(ctx context.Context, tx *sql.Tx, ftin string, beside int64) ([]int64, error) {
	return db.List[int64](ctx, tx, `SELECT group_id FROM group_tins WHERE ftin = $1 AND group_id <> $2 ORDER BY group_id`, ftin, beside)
}

// otherOffices lists the other groups with a TIN, with their names.
func otherOffices(ctx context.Context, tx *sql.Tx, ftin string, other int64, limit int) ([]office, error) {
	return db.List[office](ctx, tx, `
		SELECT g.id, g.name FROM group_tins t JOIN groups g ON g.id = t.group_id
		WHERE t.ftin = $1 AND t.group_id <> $2 ORDER BY g.id LIMIT $3`, ftin, other, limit)
}

// getSharing returns a group's sharing of a TIN, or an empty one if there is none.
func getSharing(ctx context.Context, tx *sql.Tx, groupID int64, ftin string) (Sharing, error) {
	var found Sharing
	err := db.Get(ctx, tx, &found, `
		SELECT status_cd, added_at, decided_at FROM tin_sharings WHERE group_id = $1 AND ftin = $2`, groupID, ftin)
	return found, db.IfNotFound(err, nil)
}

// sharingRequest is a group's request for a TIN.
type sharingRequest struct {
	FTIN           string
	Proof          Proof
	DecidedAgainst bool // the last decision was
	At             db.Instant
}

// upsertSharing records a group's request for a TIN and returns its id. Upheld objections are
// reopened. It forgets the last decision, unless that was against the group.
func upsertSharing(ctx context.Context, tx *sql.Tx, g access.GroupGrant, r sharingRequest) (string, error) {
	id := rand.Text()
	if err := db.Get(ctx, tx, &id, `
		INSERT INTO tin_sharings (id, group_id, ftin, status_cd, named, added_at, added_by, bill_control_number, provider_id)
		VALUES ($1, $2, $3, 'WAITING', $4, $5, $6, $7, $8)
		ON CONFLICT (group_id, ftin) DO UPDATE SET status_cd = excluded.status_cd, added_at = excluded.added_at,
			added_by = excluded.added_by,
			bill_control_number = excluded.bill_control_number, provider_id = excluded.provider_id,
			decided_at = CASE WHEN $9 THEN tin_sharings.decided_at END, decided_by = CASE WHEN $9 THEN tin_sharings.decided_by ELSE '' END
		RETURNING id`, id, g.ID(), r.FTIN, false, r.At, g.By(), r.Proof.BillControlNumber, r.Proof.ProviderID,
		r.DecidedAgainst); err != nil {
		return "", err
	}
	_, err := db.Exec(ctx, tx, `UPDATE tin_sharing_holders SET objection_cd = 'OPEN' WHERE sharing_id = $1 AND objection_cd = 'UPHELD'`, id)
	return id, err
}

func insertHolder(ctx context.Context, tx *sql.Tx, sharingID string, groupID int64) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO tin_sharing_holders (sharing_id, group_id) VALUES ($1, $2)
			ON CONFLICT (sharing_id, group_id) DO NOTHING`, sharingID, groupID)
}

// useSharing marks a TIN as in use by a group, if it is shared. It forgets a decision from
// before a pending or ended request.
func useSharing(ctx context.Context, tx *sql.Tx, groupID int64, ftin string) error {
	return db.Run(ctx, tx, `
		UPDATE tin_sharings SET status_cd = CASE WHEN EXISTS (
			SELECT 1 FROM tin_sharing_holders h WHERE h.sharing_id = tin_sharings.id AND h.objection_cd = 'OPEN') THEN 'DISPUTED'
				ELSE 'IN_USE' END,
			decided_at = CASE WHEN status_cd NOT IN ('WAITING', 'ENDED') THEN decided_at END,
			decided_by = CASE WHEN status_cd NOT IN ('WAITING', 'ENDED') THEN decided_by ELSE '' END
		WHERE group_id = $1 AND ftin = $2`, groupID, ftin)
}

// revokeSharing records the decision to remove a TIN from a group that has it, and returns the sharing's id. It
// creates a sharing for a TIN that no other group has.
func revokeSharing(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, now db.Instant) (string, error) {
	return db.One[string](ctx, tx, `
		INSERT INTO tin_sharings (id, group_id, ftin, status_cd, named, added_at, added_by, bill_control_number, provider_id,
			decided_at, decided_by)
		SELECT $1, group_id, ftin, 'TAKEN', $2, added_at, updated_by, '', '', $3, $4 FROM group_tins WHERE group_id = $5 AND ftin = $6
		ON CONFLICT (group_id, ftin) DO UPDATE SET status_cd = excluded.status_cd, decided_at = excluded.decided_at,
			decided_by = excluded.decided_by
		RETURNING id`, rand.Text(), false, now, g.By(), g.ID(), ftin)
}

// endSharing records that a group gave up a shared TIN.
func endSharing(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, from ...SharingStatus) (int64, error) {
	args := []any{g.ID(), ftin}
	args = append(args, db.Args(from)...)
	return db.Exec(ctx, tx, `
		UPDATE tin_sharings SET status_cd = 'ENDED' WHERE group_id = $1 AND ftin = $2 AND status_cd IN (`+db.In(3, len(from))+`)`, args...)
}

func listPending(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]Pending, error) {
	return db.List[Pending](ctx, q, `
		SELECT ftin, added_at, added_by FROM tin_sharings WHERE group_id = $1 AND status_cd = 'WAITING' ORDER BY added_at DESC, ftin
			LIMIT $2`, groupID, limit)
}

// A holder's view of a sharing. It has the other group's name only if visible, and never other
// holders. An objection to a sharing that ended doesn't need a decision.
const (
	sharedStatus    = `CASE WHEN s.status_cd = 'DISPUTED' THEN 'IN_USE' ELSE s.status_cd END`
	sharedObjection = `CASE WHEN s.status_cd = 'ENDED' AND h.objection_cd = 'OPEN' THEN '' ELSE h.objection_cd END`
	sharedSelect    = `s.id, s.ftin, s.added_at,
		CASE WHEN NOT s.named THEN '' WHEN g.name = '' THEN 'group ' || cast(g.id AS text)
		ELSE g.name END AS office, ` + sharedStatus + ` AS status_cd, ` + sharedObjection + ` AS objection_cd, h.reason`
	sharedFrom = `FROM tin_sharing_holders h
		JOIN group_tins own ON own.group_id = h.group_id
		JOIN tin_sharings s ON s.id = h.sharing_id AND s.ftin = own.ftin
		JOIN groups g ON g.id = s.group_id
		WHERE h.group_id = $1`
)

var sharedColumns = paging.Columns{
	"ftin": paging.Text("s.ftin"), "added": paging.Day("s.added_at"),
	"office": paging.Text(
		`CASE WHEN NOT s.named THEN 'another office' WHEN g.name = '' THEN 'group ' || cast(g.id AS text) ELSE g.name_key END`),
	"status": paging.Words(sharedStatus, sharingNames), "objection": paging.Words(sharedObjection, objectionNames),
}

func sharedPage(ctx context.Context, q db.Queryer, d db.Dialect, holder int64, t paging.Table) ([]Shared, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: sharedSelect, From: sharedFrom, Args: []any{holder}, Columns: sharedColumns, Order: "s.added_at DESC, s.id",
	}, paging.Rows[Shared])
}

// lockShared locks a sharing and returns the holder's view of it.
func lockShared(ctx context.Context, tx *sql.Tx, d db.Dialect, id string, holder int64) (Shared, error) {
	var shared Shared
	if _, err := lockSharing(ctx, tx, d, id); err != nil {
		return shared, err
	}
	err := db.Get(ctx, tx, &shared, `SELECT `+sharedSelect+` `+sharedFrom+` AND h.sharing_id = $2`, holder, id)
	return shared, err
}

func insertObjection(ctx context.Context, tx *sql.Tx, id string, holder access.GroupGrant, reason string, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE tin_sharing_holders SET objection_cd = 'OPEN', reason = $3, objected_at = $4, objected_by = $5
		WHERE sharing_id = $1 AND group_id = $2`, id, holder.ID(), reason, now, holder.By())
}

// disputeSharing marks a sharing in use as disputed.
func disputeSharing(ctx context.Context, tx *sql.Tx, id string) error {
	return db.Run(ctx, tx, `UPDATE tin_sharings SET status_cd = 'DISPUTED' WHERE id = $1 AND status_cd = 'IN_USE'`, id)
}

const sharingColumnList = `s.id, s.ftin, s.group_id, g.name AS group_name, s.status_cd, s.named, s.added_at, s.added_by,
	s.bill_control_number, s.provider_id, s.decided_at, s.decided_by`

var sharingColumns = paging.Columns{
	"ftin": paging.Text("s.ftin"), "group": paging.Text("g.name_key"), "added": paging.Day("s.added_at"),
	"status": paging.Words("s.status_cd", sharingNames),
}

func sharingPage(ctx context.Context, q db.Queryer, d db.Dialect, statuses []SharingStatus, t paging.Table) ([]Sharing, int, error) {
	var args []any
	args = append(args, db.Args(statuses)...)
	list, count, err := paging.Select(ctx, q, d, t, paging.Statement{
		Select: sharingColumnList, From: `FROM tin_sharings s JOIN groups g ON g.id = s.group_id WHERE s.status_cd IN (` +
			db.In(1, len(args)) + `)`,
		Args: args, Columns: sharingColumns, Order: "s.added_at DESC, s.id",
	}, paging.Rows[Sharing])
	if err != nil {
		return nil, 0, err
	}
	return list, count, withHolders(ctx, q, list)
}

// withHolders adds the holders to sharings.
func withHolders(ctx context.Context, q db.Queryer, list []Sharing) error {
	if len(list) == 0 {
		return nil
	}
	args, at := make([]any, len(list)), map[string]int{}
	for i, s := range list {
		args[i], at[s.ID] = s.ID, i
	}
	var holders []Holding
	err := db.Select(ctx, q, &holders, `
		SELECT h.sharing_id, h.group_id, g.name AS group_name, h.objection_cd, h.reason, h.objected_at, h.objected_by
		FROM tin_sharing_holders h JOIN groups g ON g.id = h.group_id
		WHERE h.sharing_id IN (`+db.In(1, len(list))+`) ORDER BY h.sharing_id, h.group_id`, args...)
	for _, h := range holders {
		s := &list[at[h.SharingID]]
		s.Holders = append(s.Holders, h)
	}
	return err
}

func countSharings(ctx context.Context, q db.Queryer, statuses []SharingStatus) (int, error) {
	var args []any
	args = append(args, db.Args(statuses)...)
	return db.One[int](ctx, q, `SELECT count(*) FROM tin_sharings WHERE status_cd IN (`+db.In(1, len(args))+`)`, args...)
}

// undecidedSince counts the pending sharings.
func undecidedSince(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT added_at AS since FROM tin_sharings WHERE status_cd IN ($1, $2)
		ORDER BY added_at`, SharingWaiting, SharingDisputed)
}

func groupOfSharing(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	return db.One[int64](ctx, tx, `SELECT group_id FROM tin_sharings WHERE id = $1`, id)
}

func lockSharing(ctx context.Context, tx *sql.Tx, d db.Dialect, id string) (Sharing, error) {
	return db.One[Sharing](ctx, tx, `SELECT id, ftin, group_id, status_cd FROM tin_sharings WHERE id = $1`+d.ForUpdate, id)
}

func holdersOfSharing(ctx context.Context, tx *sql.Tx, id string) ([]int64, error) {
	return db.List[int64](ctx, tx, `SELECT group_id FROM tin_sharing_holders WHERE sharing_id = $1 ORDER BY group_id`, id)
}

// decideObjections closes the open objections to a sharing and returns the groups that objected.
func decideObjections(ctx context.Context, tx *sql.Tx, id string, to ObjectionState) ([]int64, error) {
	return db.List[int64](ctx, tx, `
		UPDATE tin_sharing_holders SET objection_cd = $2 WHERE sharing_id = $1 AND objection_cd = 'OPEN' RETURNING group_id`, id, to)
}

func decideSharing(ctx context.Context, tx *sql.Tx, id string, g access.GroupGrant, to SharingStatus, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE tin_sharings SET status_cd = $3, decided_at = $4, decided_by = $5 WHERE id = $1
			AND group_id = $2`, id, g.ID(), to, now, g.By())
}

func nameSharing(ctx context.Context, tx *sql.Tx, id string, g access.GroupGrant, named bool) error {
	return db.Run(ctx, tx, `UPDATE tin_sharings SET named = $3 WHERE id = $1 AND group_id = $2`, id, g.ID(), named)
}
