package migrations_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// table is a table of the schema.
type table struct {
	Name string
	// Keys are the columns of its unique indexes, Refers the tables of its foreign keys.
	Keys, Refers string
}

// docs/scaling.md lists the tables that are distributed by TIN, which is in all of their unique
// keys. The others are reference tables, which never refer to a distributed one.
func TestDistributedTables(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	require.NoError(t, migrations.Partition(t.Context(), d, 2, func(string) {}))
	docs, err := os.ReadFile("../../../docs/scaling.md")
	require.NoError(t, err)
	var distributed []string
	list := regexp.MustCompile("(?m)^Distributed by `ftin`: (.*)\\.$").FindStringSubmatch(string(docs))
	require.NotNil(t, list, "docs/scaling.md has no list of distributed tables")
	for _, table := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(list[1], -1) {
		distributed = append(distributed, table[1])
	}
	var tables []table
	require.NoError(t, db.Select(t.Context(), d.Writer, &tables, `
		SELECT c.relname::text AS name,
			coalesce((SELECT string_agg(' ' || (SELECT string_agg(attname::text, ' ') FROM pg_attribute a WHERE a.attrelid = c.oid
			AND a.attnum = ANY (i.indkey)) || ' ', ';')
				FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique), '') AS keys,
			coalesce((SELECT string_agg(DISTINCT confrelid::regclass::text, ' ') FROM pg_constraint f WHERE f.conrelid = c.oid
			AND f.contype = 'f'), '') AS refers
		FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`))
	var missing []string
	for _, name := range distributed {
		if !slices.ContainsFunc(tables, func(t table) bool { return t.Name == name }) {
			missing = append(missing, name)
		}
	}
	for _, table := range tables {
		if slices.Contains(distributed, table.Name) {
			if slices.ContainsFunc(strings.Split(table.Keys, ";"), func(key string) bool { return !strings.Contains(key, " ftin ") }) {
				t.Errorf("%s can't be distributed by the TIN: its keys are %s", table.Name, table.Keys)
			}
			continue
		}
		for refers := range strings.FieldsSeq(table.Refers) {
			assert.NotContainsf(t, distributed, refers, "%s, a reference table, refers to", table.Name)
		}
	}
	assert.Empty(t, missing)
}
