package rosters

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
)

func allSources(ctx context.Context, q db.Queryer) ([]Source, error) {
	return db.List[Source](ctx, q, `SELECT source_id, name FROM roster_sources ORDER BY name_key, source_id`)
}

func sourcesByID(ctx context.Context, q db.Queryer, ids []int64) ([]Source, error) {
	return db.List[Source](ctx, q, `
		SELECT source_id, name FROM roster_sources WHERE source_id IN (`+db.In(1, len(ids))+`) ORDER BY source_id`, db.Args(ids)...)
}

func lockSource(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Source, error) {
	return db.One[Source](ctx, tx, `SELECT source_id, name FROM roster_sources WHERE source_id = $1`+dialect.ForUpdate, id)
}

// hasSource reports whether a portal user group has a source.
func hasSource(ctx context.Context, q db.Queryer, groupID, sourceID int64) (bool, error) {
	var n int
	err := db.Get(ctx, q, &n, `SELECT count(*) FROM group_roster_sources WHERE group_id = $1 AND source_id = $2`, groupID, sourceID)
	return n > 0, err
}

func listSources(ctx context.Context, q db.Queryer, groupID int64) ([]Source, error) {
	return db.List[Source](ctx, q, `
		SELECT s.source_id, s.name FROM group_roster_sources g JOIN roster_sources s ON s.source_id = g.source_id
		WHERE g.group_id = $1 ORDER BY s.name_key, s.source_id`, groupID)
}

const sourceGroupColumns = `p.source_group_id, p.source_id, p.group_id, p.name, p.is_admin`

func allSourceGroups(ctx context.Context, q db.Queryer) ([]SourceGroup, error) {
	return db.List[SourceGroup](ctx, q, `
		SELECT `+sourceGroupColumns+` FROM roster_source_groups p ORDER BY p.name_key, p.source_group_id`)
}

func listSourceGroups(ctx context.Context, q db.Queryer, groupID int64) ([]SourceGroup, error) {
	return db.List[SourceGroup](ctx, q, `
		SELECT `+sourceGroupColumns+` FROM group_roster_sources g JOIN roster_source_groups p ON p.source_id = g.source_id
		WHERE g.group_id = $1 ORDER BY p.name_key, p.source_group_id`, groupID)
}

func insertGroupSource(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceID int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO group_roster_sources (group_id, source_id, added_at, added_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (group_id, source_id) DO NOTHING`, group.ID(), sourceID, now, group.By())
}

func deleteGroupSource(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceID int64) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM group_roster_sources WHERE group_id = $1 AND source_id = $2`, group.ID(), sourceID)
}

// Maximum number of groups in a search.
const maxGroups = 1001

func groupsWithSource(ctx context.Context, q db.Queryer, sourceID int64) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT group_id FROM group_roster_sources WHERE source_id = $1 ORDER BY group_id LIMIT $2`, sourceID, maxGroups)
}

// otherUse is whether another group has a source, and whether one sent rosters for it.
type otherUse struct{ Has, Sent bool }

func findOtherUse(ctx context.Context, tx *sql.Tx, sourceID, groupID int64) (otherUse, error) {
	return db.One[otherUse](ctx, tx, `
		SELECT EXISTS (SELECT 1 FROM group_roster_sources WHERE source_id = $1 AND group_id <> $2) AS has,
			EXISTS (SELECT 1 FROM roster_uploads WHERE source_id = $1 AND group_id <> $2) AS sent`, sourceID, groupID)
}

// groupsWithSourceGroup searches by the provider group's own folded id and by the hub's id, if
// not 0.
func groupsWithSourceGroup(ctx context.Context, q db.Queryer, key string, sourceGroupID int64) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT DISTINCT g.group_id FROM roster_source_groups p JOIN group_roster_sources g ON g.source_id = p.source_id
		WHERE p.group_id_key = $1 OR p.source_group_id = $2 ORDER BY g.group_id LIMIT $3`, key, sourceGroupID, maxGroups)
}

func sourcesOfGroups(ctx context.Context, q db.Queryer, groupIDs []int64) (map[int64][]Source, error) {
	found := map[int64][]Source{}
	if len(groupIDs) == 0 {
		return found, nil
	}
	var list []struct {
		GroupID, SourceID int64
		Name              string
	}
	err := db.Select(ctx, q, &list, `
		SELECT g.group_id, s.source_id, s.name FROM group_roster_sources g JOIN roster_sources s ON s.source_id = g.source_id
		WHERE g.group_id IN (`+db.In(1, len(groupIDs))+`) ORDER BY s.name_key, s.source_id`, db.Args(groupIDs)...)
	for _, r := range list {
		found[r.GroupID] = append(found[r.GroupID], Source{r.SourceID, r.Name})
	}
	return found, err
}

// UploadLog is a sent roster.
type UploadLog struct {
	ID            int64
	GroupID       int64
	SourceID      int64
	SourceGroupID int64
	GroupName     string // of the provider group
	UpdateType    string
	UploadedAt    db.Instant
	UploadedBy    string
	Handling      Handling
	HandledAt     db.Instant
	ReturnedFor   string       // reason for returning it
	Files         []UploadFile `db:"-"`
}

// Received is a roster as network staff see it.
type Received struct {
	UploadLog
	SenderName    string // of the portal user group
	SourceName    string
	SourceGroupNo string // the source's own id of the provider group
	HandledBy     string
	HandedAt      db.Instant
	// Changes from the previous roster; nil if it couldn't be read completely.
	ProvidersBefore, ProvidersAdded, ProvidersChanged, ProvidersEnded *int
	Update
}

// Update is the progress of updating the directory from a roster.
type Update struct {
	DirectoryState   UpdateState
	DirectoryRows    int // processed rows
	DirectoryUnknown int // of these, rows with providers unknown to the directory
	DirectoryEnded   int // data from earlier rosters that this one doesn't contain
}

// UploadFile is a file of a sent roster.
type UploadFile struct {
	UploadID   int64
	GroupID    int64
	SourceID   int64
	UpdateType string
	Number     int
	Name       string
	StorageKey string
	Size       int64
	SHA256     string `db:"sha256"`
	Report     string // JSON; empty for a file that isn't checked
}

// Checked is a file that was checked before sending.
type Checked struct {
	ID         string
	UserID     int64
	Name       string
	UpdateType string
	StorageKey string
	Layout     string // JSON of the selected columns, or empty
}

// findSourceGroups finds a provider group of one of the portal user group's sources. It returns two
// if the source's own ID isn't unique.
func findSourceGroups(ctx context.Context, q db.Queryer, groupID, sourceID int64, ownID string) ([]SourceGroup, error) {
	return db.List[SourceGroup](ctx, q, `
		SELECT `+sourceGroupColumns+` FROM group_roster_sources g JOIN roster_source_groups p ON p.source_id = g.source_id
		WHERE g.group_id = $1 AND g.source_id = $2 AND p.group_id = $3 ORDER BY p.source_group_id LIMIT 2`, groupID, sourceID, ownID)
}

// isOwnIDTaken reports whether another provider group of the source has the same own ID.
func isOwnIDTaken(ctx context.Context, q db.Queryer, g SourceGroup) (is bool, err error) {
	return db.One[bool](ctx, q, `SELECT EXISTS (SELECT 1 FROM roster_source_groups
		WHERE source_id = $1 AND group_id = $2 AND source_group_id <> $3)`, g.SourceID, g.GroupID, g.SourceGroupID)
}

func insertUpload(ctx context.Context, q db.Queryer, u UploadLog) (int64, error) {
	return db.One[int64](ctx, q, `
		INSERT INTO roster_uploads (group_id, source_id, source_group_id, update_type, status, uploaded_at, uploaded_by)
		VALUES ($1, $2, $3, $4, 'RECEIVING', $5, $6) RETURNING id`,
		u.GroupID, u.SourceID, u.SourceGroupID, u.UpdateType, u.UploadedAt, u.UploadedBy)
}

// storedBy returns the number and total size of a group's stored files.
func storedBy(ctx context.Context, q db.Queryer, groupID int64) (stored, error) {
	return db.One[stored](ctx, q, `
		SELECT count(*) AS files, coalesce(sum(f.size), 0) AS bytes
		FROM roster_uploads u JOIN roster_files f ON f.upload_id = u.id WHERE u.group_id = $1`, groupID)
}

// insertFile stores an upload's file, counted from 0.
func insertFile(ctx context.Context, tx *sql.Tx, uploadID int64, n int, f *File, report string) error {
	return db.Run(ctx, tx, `
		INSERT INTO roster_files (upload_id, number, name, storage_key, size, sha256, report) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		uploadID, n+1, f.Name, storageKey(uploadID, n), f.Size, f.SHA256, report)
}

// sentFile is a file of a sent roster.
type sentFile struct {
	Name       string
	UploadedAt db.Instant
	UploadedBy string
}

// lastSent returns the latest file with this content that a group sent.
func lastSent(ctx context.Context, q db.Queryer, groupID int64, sha256 string) (sentFile, error) {
	return db.One[sentFile](ctx, q, `
		SELECT f.name, u.uploaded_at, u.uploaded_by FROM roster_uploads u JOIN roster_files f ON f.upload_id = u.id
		WHERE u.group_id = $1 AND f.sha256 = $2 ORDER BY u.uploaded_at DESC, u.id DESC LIMIT 1`, groupID, sha256)
}

func finishUpload(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE roster_uploads SET status = 'DONE' WHERE id = $1 AND status = 'RECEIVING'`, id)
}

// deleteUpload deletes an interrupted upload. It doesn't delete a complete one.
func deleteUpload(ctx context.Context, q db.Queryer, id int64) error {
	return db.Run(ctx, q, `DELETE FROM roster_uploads WHERE id = $1 AND status = 'RECEIVING'`, id)
}

// uploadsBefore returns one batch of rosters that were finished before a timestamp. The condition
// for uploaded_at follows from it, and has an index.
func uploadsBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT id FROM roster_uploads WHERE status = 'DONE' AND handling IN ('DONE', 'RETURNED') AND uploaded_at < $1
			AND coalesce(handled_at, uploaded_at) < $1 AND directory_state <> 'WAITING' LIMIT 100`, before)
}

// removeChanges deletes one batch of a roster's changes, and removeUpload the rest.
func removeChanges(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM roster_changes WHERE upload_id = $1
			AND npi IN (SELECT npi FROM roster_changes WHERE upload_id = $1 LIMIT $2)`, id, db.BatchSize)
}

func removeUpload(ctx context.Context, tx *sql.Tx, id int64) error {
	if _, err := db.Exec(ctx, tx, `DELETE FROM roster_files WHERE upload_id = $1`, id); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM roster_uploads WHERE id = $1`, id)
}

// checksAmong returns those ids that belong to a check.
func checksAmong(ctx context.Context, q db.Queryer, ids []string) ([]string, error) {
	return db.List[string](ctx, q, `SELECT id FROM roster_checks WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
}

func brokenUploads(ctx context.Context, q db.Queryer, before db.Instant) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT id FROM roster_uploads WHERE status = 'RECEIVING' AND uploaded_at < $1 ORDER BY uploaded_at LIMIT 100`, before)
}

const uploadSelect = `u.id, u.group_id, u.source_id, u.source_group_id, p.name AS group_name, u.update_type, u.uploaded_at, u.uploaded_by,
	u.handling, u.handled_at, u.returned_for`

// uploadsFrom selects the rosters a group sent, and those others sent for its sources.
const uploadsFrom = `FROM roster_uploads u JOIN roster_source_groups p ON p.source_group_id = u.source_group_id
	WHERE u.status <> 'RECEIVING' AND u.id IN (
		SELECT id FROM roster_uploads WHERE group_id = $1 UNION
		SELECT o.id FROM group_roster_sources g JOIN roster_uploads o ON o.source_id = g.source_id WHERE g.group_id = $1)`

func listUploads(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]UploadLog, error) {
	var list []UploadLog
	err := db.Select(ctx, q, &list, `SELECT `+uploadSelect+` `+uploadsFrom+` ORDER BY u.id DESC LIMIT $2`, groupID, limit)
	if err != nil {
		return nil, err
	}
	return list, withFiles(ctx, q, list)
}

// orNone returns the SQL for a history cell, which shows N/A for an empty value.
func orNone(sql string) string { return "coalesce(nullif(" + sql + ", ''), 'n/a')" }

var uploadColumns = paging.Columns{
	"group": paging.Text(orNone("p.name_key")),
	"date":  paging.Day("u.uploaded_at"),
	"type":  paging.Words("u.update_type", map[string]string{Full: "Full", Delta: "Partial (A/C/T)"}),
	"by":    paging.Name(orNone("lower(u.uploaded_by)")),
	"files": paging.Name(orNone("(SELECT string_agg(lower(f.name), ', ' ORDER BY f.number) FROM roster_files f WHERE f.upload_id = u.id)")),
}

// sentColumns are the columns of a group's own history. A returned roster needs a correction until the
// group sends it again: completely, or a partial one by a partial one that was sent after the return.
var sentColumns = func() paging.Columns {
	columns := maps.Clone(uploadColumns)
	columns["correction"] = paging.Text(`CASE WHEN u.handling = 'RETURNED' AND NOT EXISTS (SELECT 1 FROM roster_uploads l
		WHERE l.source_id = u.source_id AND l.id > u.id AND l.source_group_id = u.source_group_id AND l.status = 'DONE'
			AND (l.update_type = 'full' OR u.update_type = 'delta' AND l.uploaded_at > u.handled_at)) THEN 'needed' ELSE '' END`)
	return columns
}()

func uploadPage(ctx context.Context, q db.Queryer, d db.Dialect, groupID int64, t paging.Table) ([]UploadLog, int, error) {
	list, count, err := paging.Select(ctx, q, d, t, paging.Statement{
		Select: uploadSelect, From: uploadsFrom, Args: []any{groupID}, Columns: sentColumns, Order: "u.id DESC",
	}, paging.Rows[UploadLog])
	if err != nil {
		return nil, 0, err
	}
	return list, count, withFiles(ctx, q, list)
}

// withFiles adds the files to uploads.
func withFiles(ctx context.Context, q db.Queryer, list []UploadLog) error {
	if len(list) == 0 {
		return nil
	}
	args := make([]any, len(list))
	at := map[int64]int{}
	for i, u := range list {
		args[i], at[u.ID] = u.ID, i
	}
	var files []UploadFile
	err := db.Select(ctx, q, &files, `
		SELECT upload_id, number, name, storage_key, size, sha256, report FROM roster_files
		WHERE upload_id IN (`+db.In(1, len(list))+`) ORDER BY upload_id, number`, args...)
	for _, f := range files {
		u := &list[at[f.UploadID]]
		u.Files = append(u.Files, f)
	}
	return err
}

const receivedFrom = `FROM roster_uploads u JOIN roster_source_groups p ON p.source_group_id = u.source_group_id
	JOIN roster_sources s ON s.source_id = u.source_id JOIN groups g ON g.id = u.group_id WHERE u.status = 'DONE'`

const receivedSelect = uploadSelect + `, g.name AS sender_name, s.name AS source_name, p.group_id AS source_group_no, u.handled_by,
	u.handed_at,
	u.providers_before, u.providers_added, u.providers_changed, u.providers_ended,
	u.directory_state, u.directory_rows, u.directory_unknown, u.directory_ended`

var receivedColumns = func() paging.Columns {
	columns := maps.Clone(uploadColumns)
	columns["sender"] = paging.Text("g.name_key")
	columns["source"] = paging.Text("s.name_key")
	columns["state"] = paging.Words("u.handling", handlingWords)
	return columns
}()

// receivedPage returns a page of the rosters of all groups.
func receivedPage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table) ([]Received, int, error) {
	list, count, err := paging.Select(ctx, q, d, t, paging.Statement{
		Select: receivedSelect, From: receivedFrom, Columns: receivedColumns, Order: "u.uploaded_at DESC, u.id DESC",
	}, paging.Rows[Received])
	if err != nil {
		return nil, 0, err
	}
	return list, count, withReceivedFiles(ctx, q, list)
}

func withReceivedFiles(ctx context.Context, q db.Queryer, list []Received) error {
	logs := make([]UploadLog, len(list))
	for i, r := range list {
		logs[i] = r.UploadLog
	}
	err := withFiles(ctx, q, logs)
	for i, log := range logs {
		list[i].Files = log.Files
	}
	return err
}

func receivedByID(ctx context.Context, q db.Queryer, id int64) (Received, error) {
	var r Received
	if err := db.Get(ctx, q, &r, `SELECT `+receivedSelect+` `+receivedFrom+` AND u.id = $1`, id); err != nil {
		return r, err
	}
	list := []Received{r}
	err := withReceivedFiles(ctx, q, list)
	return list[0], err
}

// handle changes a roster's state if it is still the one that the actor saw. A roster that is updating
// the directory stays claimed.
func handle(ctx context.Context, tx *sql.Tx, id int64, step Step, by string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE roster_uploads SET handling = $3, handled_by = $4, returned_for = $5, handled_at = $6
		WHERE id = $1 AND handling = $2 AND status = 'DONE'
			AND (directory_state <> 'WAITING' OR $3 IN ('TAKEN', 'DONE'))`, id, step.From, step.To, by, step.Reason, now)
}

func waitingRosters(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT uploaded_at AS since FROM roster_uploads WHERE status = 'DONE' AND handling = 'NEW'
		ORDER BY uploaded_at`)
}

func toHand(ctx context.Context, q db.Queryer, after int64, limit int) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT id FROM roster_uploads WHERE status <> 'RECEIVING' AND handed_at IS NULL AND handling IN ('NEW', 'TAKEN') AND id > $1
			ORDER BY id LIMIT $2`,
		after, limit)
}

func noteHanded(ctx context.Context, tx *sql.Tx, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE roster_uploads SET handed_at = $2 WHERE id = $1 AND handed_at IS NULL`, id, now)
}

// askUpdate requests a directory update from a claimed roster, unless this or a newer roster of
// its provider group was already used.
func askUpdate(ctx context.Context, tx *sql.Tx, id, sourceGroupID int64) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE roster_uploads SET directory_state = 'WAITING' WHERE id = $1 AND directory_state = '' AND handling IN ('TAKEN', 'DONE')
		  AND NOT EXISTS (SELECT 1 FROM roster_uploads l WHERE l.source_group_id = $2 AND l.directory_state <> ''
		  	AND (l.id > $1 OR l.directory_state = 'WAITING'))`,
		id, sourceGroupID)
}

// cancelUpdate cancels a roster's waiting directory update if the roster won't be claimed anymore.
func cancelUpdate(ctx context.Context, tx *sql.Tx, id int64, to Handling) error {
	return db.Run(ctx, tx, `UPDATE roster_uploads SET directory_state = ''
		WHERE id = $1 AND directory_state = 'WAITING' AND $2 NOT IN ('TAKEN', 'DONE')`, id, to)
}

// hasEarlierUpdate reports whether an earlier roster of a provider group is updating the directory.
func hasEarlierUpdate(ctx context.Context, tx *sql.Tx, id, sourceGroupID int64) (is bool, err error) {
	return db.One[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM roster_uploads
		WHERE source_group_id = $2 AND directory_state = 'WAITING' AND id < $1)`, id, sourceGroupID)
}

func toUpdate(ctx context.Context, q db.Queryer) ([]int64, error) {
	return db.List[int64](ctx, q, `SELECT id FROM roster_uploads WHERE directory_state = 'WAITING' ORDER BY id LIMIT 100`)
}

// noteUpdate saves the progress of a roster if no other instance changed it.
func noteUpdate(ctx context.Context, tx *sql.Tx, id int64, was, is Update) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE roster_uploads SET directory_state = $4, directory_rows = $5, directory_unknown = $6, directory_ended = $7
		WHERE id = $1 AND directory_state = 'WAITING' AND directory_rows = $2 AND directory_ended = $3`,
		id, was.DirectoryRows, was.DirectoryEnded, is.DirectoryState, is.DirectoryRows, is.DirectoryUnknown, is.DirectoryEnded)
}

// putReport replaces the check's report of a roster's file.
func putReport(ctx context.Context, tx *sql.Tx, id int64, number int, report string) error {
	return db.Run(ctx, tx, `UPDATE roster_files SET report = $3 WHERE upload_id = $1 AND number = $2`, id, number, report)
}

var changeColumns = paging.Columns{
	"npi":    paging.Text("c.npi"),
	"change": paging.Words("c.change", changeWords),
}

func changePage(ctx context.Context, q db.Queryer, d db.Dialect, uploadID int64, t paging.Table) ([]DeskRosterChange, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: "c.npi, c.change", From: "FROM roster_changes c WHERE c.upload_id = $1", Args: []any{uploadID}, Columns: changeColumns,
		Order: "c.npi",
	}, paging.Rows[DeskRosterChange])
}

func getFile(ctx context.Context, q db.Queryer, uploadID int64, number int) (UploadFile, error) {
	return db.One[UploadFile](ctx, q, `
		SELECT f.upload_id, u.group_id, u.source_id, u.update_type, f.number, f.name, f.storage_key, f.size, f.report
		FROM roster_files f JOIN roster_uploads u ON u.id = f.upload_id
		WHERE f.upload_id = $1 AND f.number = $2 AND u.status = 'DONE'`, uploadID, number)
}

// listProviders returns the providers in a provider group's latest roster.
func listProviders(ctx context.Context, q db.Queryer, sourceGroupID int64) (map[string]int64, error) {
	var list []struct {
		NPI    string
		Digest int64
	}
	err := db.Select(ctx, q, &list, `SELECT npi, digest FROM roster_providers WHERE source_group_id = $1`, sourceGroupID)
	found := make(map[string]int64, len(list))
	for _, p := range list {
		found[p.NPI] = p.Digest
	}
	return found, err
}

// Number of providers per statement.
const providersAtOnce = 400

func deleteProviders(ctx context.Context, tx *sql.Tx, sourceGroupID int64, npis []string) error {
	for len(npis) > 0 {
		n := min(len(npis), providersAtOnce)
		args := []any{sourceGroupID}
		args = append(args, db.Args(npis[:n])...)
		if _, err := db.Exec(ctx, tx, `DELETE FROM roster_providers WHERE source_group_id = $1
			AND npi IN (`+db.In(2, n)+`)`, args...); err != nil {
			return err
		}
		npis = npis[n:]
	}
	return nil
}

func putProviders(ctx context.Context, tx *sql.Tx, sourceGroupID int64, digests map[string]int64) error {
	return eachBatch(sourceGroupID, digests, func(rows string, args []any) error {
		return db.Run(ctx, tx, `
			INSERT INTO roster_providers (source_group_id, npi, digest) VALUES `+rows+`
			ON CONFLICT (source_group_id, npi) DO UPDATE SET digest = excluded.digest`, args...)
	})
}

// eachBatch stores values by NPI in batches. rows is the SQL for rows of an id, an NPI and a
// value.
func eachBatch[V any](id int64, values map[string]V, store func(rows string, args []any) error) error {
	args, rows := []any{id}, []string{}
	for npi, v := range values {
		rows = append(rows, fmt.Sprintf("($1, $%d, $%d)", len(args)+1, len(args)+2))
		args = append(args, npi, v)
		if len(rows) == providersAtOnce {
			if err := store(strings.Join(rows, ", "), args); err != nil {
				return err
			}
			args, rows = args[:1], rows[:0]
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return store(strings.Join(rows, ", "), args)
}

func noteChanges(ctx context.Context, tx *sql.Tx, uploadID int64, before int, c changes) error {
	return db.Run(ctx, tx, `
		UPDATE roster_uploads SET providers_before = $2, providers_added = $3, providers_changed = $4, providers_ended = $5 WHERE id = $1`,
		uploadID, before, c.count(Added), c.count(Changed), c.count(Ended))
}

func putChanges(ctx context.Context, tx *sql.Tx, uploadID int64, c changes) error {
	return eachBatch(uploadID, c, func(rows string, args []any) error {
		return db.Run(ctx, tx, `INSERT INTO roster_changes (upload_id, npi, change) VALUES `+rows, args...)
	})
}

func insertCheck(ctx context.Context, q db.Queryer, c Checked, now db.Instant) error {
	return db.Run(ctx, q, `
		INSERT INTO roster_checks (id, user_id, name, update_type, storage_key, checked_at, layout) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		c.ID, c.UserID, c.Name, c.UpdateType, c.StorageKey, now, c.Layout)
}

func checkByID(ctx context.Context, q db.Queryer, id string) (Checked, error) {
	return db.One[Checked](ctx, q, `SELECT id, user_id, name, update_type, storage_key, layout FROM roster_checks WHERE id = $1`, id)
}

func oldChecks(ctx context.Context, q db.Queryer, before db.Instant) ([]Checked, error) {
	return db.List[Checked](ctx, q, `
		SELECT id, user_id, name, update_type, storage_key FROM roster_checks WHERE checked_at < $1 ORDER BY checked_at LIMIT 100`, before)
}

// checksBeyond lists a user's oldest checked files, beyond a number of newest ones. It returns
// up to 100.
func checksBeyond(ctx context.Context, q db.Queryer, userID int64, newest int) ([]Checked, error) {
	return db.List[Checked](ctx, q, `
		SELECT id, user_id, name, update_type, storage_key FROM roster_checks
		WHERE user_id = $1 ORDER BY checked_at DESC, id LIMIT 100 OFFSET $2`, userID, newest)
}

func deleteCheck(ctx context.Context, q db.Queryer, id string) error {
	return db.Run(ctx, q, `DELETE FROM roster_checks WHERE id = $1`, id)
}

// putSource returns the number of rows changed.
func putSource(ctx context.Context, tx *sql.Tx, s Source) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO roster_sources (source_id, name, name_key) VALUES ($1, $2, $3)
		ON CONFLICT (source_id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key
			WHERE roster_sources.name <> excluded.name`,
		s.SourceID, s.Name, text.Key(s.Name))
}

// putSourceGroup returns the number of rows changed.
func putSourceGroup(ctx context.Context, tx *sql.Tx, g SourceGroup) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO roster_source_groups (source_group_id, source_id, group_id, name, name_key, is_admin, group_id_key)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (source_group_id) DO UPDATE
		SET source_id = excluded.source_id, group_id = excluded.group_id, group_id_key = excluded.group_id_key, name = excluded.name,
			name_key = excluded.name_key, is_admin = excluded.is_admin
		WHERE roster_source_groups.source_id <> excluded.source_id OR roster_source_groups.group_id <> excluded.group_id
		   OR roster_source_groups.name <> excluded.name OR roster_source_groups.is_admin <> excluded.is_admin`,
		g.SourceGroupID, g.SourceID, g.GroupID, g.Name, text.Key(g.Name), g.IsAdmin, text.Key(g.GroupID))
}
