package migrations_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// docs/scaling.md lists every table as one of two kinds. A table is distributed by TIN, which is
// in all of its unique keys, or it is a reference table.
func TestEveryTableHasItsPlaceAmongShards(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	if _, err := migrations.Up(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Partition(t.Context(), d, 2, func(string) {}); err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (distributed|reference)[^|]*\|(.*)\|$`).FindAllStringSubmatch(string(docs), -1) {
		for _, table := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row[2], -1) {
			if named[table[1]] != "" {
				t.Errorf("%s is named twice", table[1])
			}
			named[table[1]] = row[1]
		}
	}
	var tables []struct {
		Name string
		// Keys are the columns of its unique indexes, Refers the tables of its foreign keys.
		Keys, Refers string
	}
	if err := db.Select(t.Context(), d.Writer, &tables, `
		SELECT c.relname::text AS name,
			coalesce((SELECT string_agg(' ' || (SELECT string_agg(attname::text, ' ') FROM pg_attribute a WHERE a.attrelid = c.oid
			AND a.attnum = ANY (i.indkey)) || ' ', ';')
				FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique), '') AS keys,
			coalesce((SELECT string_agg(DISTINCT confrelid::regclass::text, ' ') FROM pg_constraint f WHERE f.conrelid = c.oid
			AND f.contype = 'f'), '') AS refers
		FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		kind := named[table.Name]
		delete(named, table.Name)
		switch kind {
		case "":
			t.Errorf("docs/scaling.md does not say where %s lies", table.Name)
		case "distributed":
			if slices.ContainsFunc(strings.Split(table.Keys, ";"), func(key string) bool { return !strings.Contains(key, " ftin ") }) {
				t.Errorf("%s cannot be distributed by the TIN: its keys are %s", table.Name, table.Keys)
			}
		default:
			for refers := range strings.FieldsSeq(table.Refers) {
				if named[refers] == "distributed" {
					t.Errorf("%s, a reference table, refers to %s", table.Name, refers)
				}
			}
		}
	}
	if len(named) > 0 {
		t.Errorf("docs/scaling.md names tables that are not there: %v", named)
	}
}
