package dbtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
)

// indexList lists the indexes that migrations create for queries. Constraints (primary keys,
// unique indexes) and the job runner's own indexes needn't be used by a query.
var indexList = map[string]string{
	"sqlite": `
		SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%'
		AND tbl_name NOT LIKE 'river%' AND tbl_name NOT LIKE 'goose%' ORDER BY name`,
	"postgres": `
		SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexdef NOT LIKE 'CREATE UNIQUE%'
		AND tablename NOT LIKE 'river%' AND tablename NOT LIKE 'goose%' ORDER BY indexname`,
}

// CheckIndexesUsed fails for an index that no golden file of CheckPlans below root contains, except
// for those in unused.
func CheckIndexesUsed(t *testing.T, root string, unused ...string) {
	t.Helper()
	Each(t, func(t *testing.T, d *db.DB) {
		used := slices.Clone(unused)
		for _, pattern := range []string{"*", "*/*", "*/*/*"} {
			files, err := filepath.Glob(filepath.Join(root, pattern, "testdata", "plans."+d.Dialect.Name+".golden"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				golden, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				used = append(used, listIndexes(string(golden))...)
			}
		}
		var indexes []string
		if err := db.Select(t.Context(), d.Writer, &indexes, indexList[d.Dialect.Name]); err != nil {
			t.Fatal(err)
		}
		if len(indexes) == 0 {
			t.Fatal("no indexes were found")
		}
		for _, index := range indexes {
			if !slices.Contains(used, index) {
				t.Errorf("no query needs the index %s: drop it, or call its query in the test of its store's plans", index)
			}
		}
	})
}

// listIndexes lists the indexes in lines such as " bills: bills_claim (ftin)".
func listIndexes(golden string) []string {
	var names []string
	for line := range strings.Lines(golden) {
		if !strings.HasPrefix(line, "  ") {
			continue
		}
		if _, rest, found := strings.Cut(line, ": "); found {
			name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(rest, "walk along ")), " ")
			names = append(names, name)
		}
	}
	return names
}
