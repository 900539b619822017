package app_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
)

const keptDocs = "../../docs/operations/data.md"

const keptIntro = `# Stored data

<!-- written by make gen -->

Every table and folder, and how long its data is kept. [Data retention](retention.md) explains the cleanup.

`

// keptPage returns the operations page of stored data.
func keptPage(a *app.App) string {
	var b strings.Builder
	b.WriteString(keptIntro)
	b.WriteString("| What | Where | Goes after | Setting | Removed by |\n|---|---|---|---|---|\n")
	for _, k := range a.RetentionItems() {
		var where []string
		for _, name := range slices.Concat(k.Tables, k.Folders) {
			if of, folder, is := strings.Cut(name, ": "); is {
				where = append(where, "`"+folder+"` of `"+of+"`")
			} else {
				where = append(where, "`"+name+"`")
			}
		}
		after, setting := k.After, ""
		if after == "" {
			after = "it stays"
		}
		if k.Setting != "" {
			setting = "`" + k.Setting + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", k.What, strings.Join(where, ", "), after, setting, k.By)
	}
	return b.String()
}

// On both databases, the retention list has every table once. The operations docs have the same
// list.
func TestWhatIsKeptIsKnown(t *testing.T) {
	each(t, func(c *app.Config) { c.Ingest.FeedURL = "file://" + t.TempDir() }, func(t *testing.T, p *portal) {
		query := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
		if p.DB.Dialect.Name == "postgres" {
			query = `SELECT c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
				WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = current_schema() ORDER BY 1`
		}
		var tables []string
		require.NoError(t, db.Select(t.Context(), p.DB.Reader, &tables, query))
		named := map[string]int{}
		for _, k := range p.RetentionItems() {
			for _, table := range k.Tables {
				named[table]++
			}
		}
		for _, table := range tables {
			assert.Equalf(t, 1, named[table], "table %s is in %d Retention lists of modules instead of 1", table, named[table])
		}
		page := keptPage(p.App)
		if *update {
			if err := os.WriteFile(keptDocs, []byte(page), 0o644); err != nil { //nolint:gosec // a page of the project
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(keptDocs); err != nil || string(got) != page {
			t.Errorf("docs/operations/data.md is out of date (%v). Run make gen.\n%s", err, page)
		}
	})
}

// Files without a row are removed once they're old enough. All others stay.
func TestLostFilesAreRemoved(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		files, err := blob.Open(t.Context(), "", p.Config.Data+"/files")
		require.NoError(t, err)
		digits := "0123456789abcdef"
		known := strings.Repeat("a", 64)
		if _, err := db.Exec(t.Context(), p.DB.Writer, `
			INSERT INTO feed_runs (kind, file_name, sha256, status, started_at, kept)
				VALUES ('x12', 'a', $1, 'done', $2, $3)`, known, db.At(p.clock.Now()), true); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), p.DB.Writer, `INSERT INTO open_bill_exports
			(id, user_id, status, filter, columns, tins, bill_count, done, place, created_at)
			SELECT 'kept', min(id), 'done', '{}', '[]', '[]', 1, 1, '{}', $1 FROM users`, db.At(p.clock.Now())); err != nil {
			t.Fatal(err)
		}
		keys := []string{"feeds/" + known, "lookups/ABCD/rows.json", "lookups/ABCD/part-1.json", "roster-checks/EFGH", "rosters/7/1",
			"open-bills/kept/result.csv", "open-bills/deleted/result.csv"}
		for _, d := range digits {
			keys = append(keys, "feeds/"+string(d)+known[1:]+"0", "papers/"+string(d)+known[1:])
		}
		for _, key := range keys {
			require.NoError(t, files.Put(t.Context(), key, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }))
		}
		left := func(ago time.Duration) (list []string) {
			t.Helper()
			for day := range 16 {
				require.NoError(t, p.RemoveOrphans(t.Context(), time.Now().Add(ago+time.Duration(day)*24*time.Hour)))
				if ago == 0 {
					break
				}
			}
			for f, err := range files.List(t.Context(), "") {
				require.NoError(t, err)
				list = append(list, f.Key)
			}
			slices.Sort(list)
			return list
		}
		const owner = "lost-files/owner.json"
		put := func(key, text string) {
			t.Helper()
			require.NoError(t, blob.Copy(t.Context(), files, key, strings.NewReader(text)))
		}
		require.NoError(t, p.RemoveOrphans(t.Context(), time.Now().Add(72*time.Hour)))
		own, err := os.ReadFile(p.Config.Data + "/files/" + owner)
		require.NoError(t, err)
		whole := slices.Sorted(slices.Values(append(keys, owner)))
		for why, content := range map[string]string{
			"another database uses the storage": `{"name":"other","looks":0}`,
			"a copy uses the storage":           strings.Replace(string(own), `}`, `,"database":"other"}`, 1),
			"the database is of a time before":  strings.Replace(string(own), `"looks":1`, `"looks":1000`, 1),
			"nobody has a name there":           `{}`,
		} {
			put(owner, content)
			assert.Equal(t, whole, left(72*time.Hour), why)
		}
		put(owner, string(own))
		assert.Equal(t, whole, left(0))
		want := []string{"feeds/" + known, owner, "open-bills/kept/result.csv", "rosters/7/1"}
		assert.Equal(t, want, left(72*time.Hour))
	})
}

// storedWhereKept checks that a test stored files only in folders that modules declare.
func (p *portal) storedWhereKept() {
	p.t.Helper()
	folders := []string{".unfinished"}
	for _, k := range p.RetentionItems() {
		folders = append(folders, k.Folders...)
	}
	entries, err := os.ReadDir(p.Config.Data + "/files")
	assert.NoError(p.t, err)
	for _, e := range entries {
		if !slices.Contains(folders, e.Name()+"/") && !slices.Contains(folders, e.Name()) {
			p.t.Errorf("files are in %s/, which is in no module's Retention list", e.Name())
		}
	}
}

// Work history is deleted after its retention period and not earlier. Open items, the latest of
// a kind and pending items stay.
func TestTracesGoWhenTheirDaysAreOver(t *testing.T) {
	each(t, func(c *app.Config) {
		c.Notifications.NotificationKeepDays, c.FeeSchedules.FeeScheduleKeepDays, c.Desk.DeskKeepDays = 90, 30, 2190
		c.Reviews.ReviewKeepDays, c.Rosters.RosterKeepDays, c.Account.AccountRequestKeepDays, c.Ingest.FeedRunKeepDays = 2190, 400,
			90, 400
	}, func(t *testing.T, p *portal) {
		files, err := blob.Open(t.Context(), "", p.Config.Data+"/files")
		require.NoError(t, err)
		at := db.At(p.clock.Now())
		for _, statement := range []string{
			`INSERT INTO notifications (id, name, status, send_date, sent_at, created_at, created_by, updated_at, updated_by)
				VALUES (1, 'a', 'SENT', '2026-03-02', $1, $1, '', $1, ''), (2, 'b', 'DRAFT', '2026-03-02', NULL, $1, '', $1, '')`,
			`INSERT INTO notification_recipients (notification_id, user_id) SELECT n.id, u.id FROM notifications n CROSS JOIN users u
				WHERE u.created_at <= $1 OR u.id > 0`,
			`INSERT INTO user_notifications (user_id, notification_id, sent_at) SELECT id, 1, CAST($1 AS CAST_INSTANT) FROM users`,
			`INSERT INTO fee_schedule_requests (id, user_id, national_rate_code, provider_id, status, storage_key, created_at)
				SELECT 1, min(id), 'R', 'P', 'DONE', 'fee-schedules/1.xlsx', CAST($1 AS CAST_INSTANT) FROM users`,
			`INSERT INTO desk_access (user_id, reason, reference, text, at) SELECT min(id), 'CALL', '', '', CAST($1 AS CAST_INSTANT)
				FROM users`,
			`INSERT INTO access_reviews (id, group_id, due_on, opened_at, finished_at)
				SELECT 1, min(id), '2026-03-31', CAST($1 AS CAST_INSTANT), CAST($1 AS CAST_INSTANT) FROM groups`,
			`INSERT INTO access_reviews (id, group_id, due_on, opened_at) SELECT 2, max(id), '2026-03-31', CAST($1 AS CAST_INSTANT)
				FROM groups`,
			`INSERT INTO access_review_items (review_id, user_id) SELECT r.id, u.id FROM access_reviews r CROSS JOIN users u
				WHERE r.opened_at <= $1`,
			`INSERT INTO bills_opened_days (day) VALUES ('2026-03-02')`,
			`INSERT INTO bills_opened (user_id, day, bills) SELECT min(id), '2026-03-02', 2 FROM users`,
			`INSERT INTO roster_sources (source_id, name, name_key) VALUES (1, 'S', 's')`,
			`INSERT INTO roster_source_groups (source_group_id, source_id, group_id, name, name_key, is_admin)
				SELECT 1, 1, 'g', 'G', 'g', 1 > 2`,
			`INSERT INTO roster_uploads (id, group_id, source_id, source_group_id, update_type, status, uploaded_at, uploaded_by, handling)
				SELECT 1, min(id), 1, 1, 'full', 'DONE', CAST($1 AS CAST_INSTANT), '', 'DONE' FROM groups`,
			`INSERT INTO roster_uploads (id, group_id, source_id, source_group_id, update_type, status, uploaded_at, uploaded_by, handling)
				SELECT 2, min(id), 1, 1, 'full', 'DONE', CAST($1 AS CAST_INSTANT), '', 'NEW' FROM groups`,
			`INSERT INTO roster_files (upload_id, number, name, storage_key, size, sha256) SELECT id, 1, 'a', 'rosters/' || id || '/1', 1,
				'' FROM roster_uploads WHERE uploaded_at <= $1`,
			`INSERT INTO roster_changes (upload_id, npi, change) SELECT id, '1', 'ADDED' FROM roster_uploads WHERE uploaded_at <= $1`,
			`INSERT INTO account_requests (email, email_key, status, created_at, submitted_at, closed_at)
				VALUES ('a', 'a', 'CLOSED', $1, $1, $1), ('b', 'b', 'SUBMITTED', $1, $1, NULL)`,
			`INSERT INTO feed_runs (kind, file_name, sha256, status, started_at, finished_at) VALUES ('x12', 'a', 'a', 'done', $1, $1),
				('x12', 'c', 'c', 'failed', $1, NULL)`,
		} {
			statement = strings.ReplaceAll(statement, "CAST_INSTANT",
				map[string]string{"sqlite": "text", "postgres": "timestamptz"}[p.DB.Dialect.Name])
			args := []any{at}
			if !strings.Contains(statement, "$1") {
				args = nil
			}
			if _, err := db.Exec(t.Context(), p.DB.Writer, statement, args...); err != nil {
				t.Fatalf("%v: %s", err, statement)
			}
		}
		if _, err := db.Exec(t.Context(), p.DB.Writer, `INSERT INTO feed_runs (kind, file_name, sha256, status, started_at, finished_at)
			VALUES ('x12', 'b', 'b', 'done', $1, $1)`,
			db.At(p.clock.Now().Add(time.Hour))); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"fee-schedules/1.xlsx", "rosters/1/1", "rosters/2/1"} {
			require.NoError(t, files.Put(t.Context(), key, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }))
		}
		tables := []string{"notifications", "user_notifications", "notification_recipients", "fee_schedule_requests", "desk_access",
			"access_reviews", "access_review_items", "bills_opened", "bills_opened_days",
			"roster_uploads", "roster_files", "roster_changes", "account_requests", "feed_runs"}
		count := func() (list []int) {
			for _, table := range tables {
				list = append(list, p.count("SELECT count(*) FROM "+table))
			}
			return list
		}
		tidied := func() []int {
			t.Helper()
			for range 2 { // safe to repeat
				for _, tidy := range []func(context.Context) error{
					p.Notifications.Cleanup, p.FeeSchedules.Cleanup, p.Desk.Cleanup, p.Reviews.Cleanup, p.Rosters.Cleanup,
					p.Account.Cleanup, p.Feeds.Cleanup,
				} {
					require.NoError(t, tidy(t.Context()))
				}
			}
			return count()
		}
		people := p.count(`SELECT count(*) FROM users`)
		before := count()
		p.clock.Advance(29 * 24 * time.Hour)
		if got := tidied(); !slices.Equal(got, before) {
			t.Errorf("too early: %v, %v before, of %v", got, before, tables)
		}
		p.clock.Advance(372 * 24 * time.Hour)
		if got, want := tidied(), []int{1, 0, people, 0, 1, 2, 2 * people, 0, 0, 1, 1, 1, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("%v, not %v, of %v", got, want, tables)
		}
		p.clock.Advance(1788 * 24 * time.Hour)
		if got, want := tidied(), []int{1, 0, people, 0, 1, 2, 2 * people, 0, 0, 1, 1, 1, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("after 2189 days: %v, not %v, of %v", got, want, tables)
		}
		p.clock.Advance(2 * 24 * time.Hour)
		if got, want := tidied(), []int{1, 0, people, 0, 0, 1, people, 0, 0, 1, 1, 1, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("after 2191 days: %v, not %v, of %v", got, want, tables)
		}
		var left []string
		for f, err := range files.List(t.Context(), "") {
			require.NoError(t, err)
			left = append(left, f.Key)
		}
		assert.Equal(t, []string{"rosters/2/1"}, left)
	})
}
