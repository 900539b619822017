package migrations_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

func tables(t *testing.T, d *db.DB) int {
	t.Helper()
	query := "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'"
	if d.Dialect.Name == "postgres" {
		query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'goose_%'"
	}
	var n int
	require.NoError(t, db.Get(t.Context(), d.Writer, &n, query))
	return n
}

func TestUpDownUp(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := dbtest.Open(t, kind)
			require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
			up := tables(t, d)
			require.GreaterOrEqual(t, up, 15)
			require.NoError(t, migrations.DownTo(t.Context(), d, 0))
			require.Equal(t, 0, tables(t, d))
			require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
			require.Equal(t, up, tables(t, d))
			if ran, err := migrations.Up(t.Context(), d); err != nil || ran != 0 {
				t.Fatalf("a further Up ran %d steps, %v", ran, err)
			}
		})
	}
}

func TestAuditLogIsAppendOnly(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer,
			`INSERT INTO audit_log (at, actor, operation, result) VALUES ('2026-01-02T03:04:05Z', 'a', 'b', 'ok')`)))
		for _, change := range []string{`UPDATE audit_log SET actor = 'x'`, `DELETE FROM audit_log`} {
			assert.Errorf(t, dbtest.Err(db.Exec(t.Context(), d.Writer, change)), "%s was allowed", change)
		}
	})
}

// Migration 76 copies the tables of questions.
func TestQuestionsSurviveTheirNewTables(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, migrations.DownTo(t.Context(), d, 75))
		identitytest.Add(t, d.Writer, access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}, "User 3")
		for _, query := range []string{
			`INSERT INTO cases (id, number, topic, group_id, opened_by, state, opened_at, request_key, version)
				VALUES (5, 'C-1', 'PRICE', 7, 3, 'OPEN', '2026-11-01 00:00:00', 'k', 1)`,
			`INSERT INTO case_bills (case_id, ftin, bill_control_number_key, number) VALUES (5, '111111111', 'a', 'A')`,
			`INSERT INTO case_entries (id, case_id, at, author_id, side, kind, body)
				VALUES (8, 5, '2026-11-01 00:00:00', 3, 'OFFICE', 'MESSAGE', 'Why?')`,
			`INSERT INTO case_reads (case_id, user_id, entry_id) VALUES (5, 3, 8)`,
		} {
			exec(t, d, query)
		}
		require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
		var found int
		if err := db.Get(t.Context(), d.Reader, &found, `SELECT count(*) FROM cases c JOIN case_bills b ON b.case_id = c.id
			JOIN case_entries e ON e.case_id = c.id JOIN case_reads r ON r.case_id = c.id
			WHERE c.kind = 'QUESTION' AND c.number = 'C-1' AND b.number = 'A' AND e.body = 'Why?' AND e.visible = 'BOTH'`); err != nil ||
			found != 1 {
			t.Errorf("%d questions, %v", found, err)
		}
		exec(t, d, `INSERT INTO case_entries (case_id, at, side, visible, kind, body)
			VALUES (5, '2026-11-01 00:00:00', 'SYSTEM', 'BOTH', 'CLOSED', '')`)
		if err := db.Get(t.Context(), d.Reader, &found, `SELECT max(id) FROM case_entries`); err != nil || found != 9 {
			t.Errorf("the next entry has id %d, %v", found, err)
		}
	})
}

// Migration 92 finds the TINs that were removed earlier.
func TestFormerTINs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, migrations.DownTo(t.Context(), d, 91))
		identitytest.Add(t, d.Writer, access.Person{ID: 3, UserName: "user3", Type: access.PRAD, GroupID: 7}, "User 3")
		for _, entry := range []string{
			`'tin-remove', 'group 7', '111111111', 'ok'`, `'tin-remove', 'group 7', '111111111', 'ok'`,
			`'tin-remove', 'group 987654', '222222222', 'ok'`, `'tin-add', 'group 7', '333333333', 'ok'`, `'group-name', 'isad', 'x', 'ok'`,
		} {
			exec(t, d, `INSERT INTO audit_log (at, actor, operation, subject, detail, result)
				VALUES ('2026-01-02T03:04:05Z', 'a', `+entry+`)`)
		}
		require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
		var found []string
		if err := db.Select(t.Context(), d.Reader, &found, `SELECT ftin FROM former_tins WHERE group_id = 7`); err != nil ||
			!slices.Equal(found, []string{"111111111"}) {
			t.Errorf("%q, %v", found, err)
		}
	})
}
