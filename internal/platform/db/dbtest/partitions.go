package dbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

const (
	partitioned = "partitions" // kind argument of CheckPlans
	partitions  = 4            // per table
)

func getEngine(kind string) string {
	if kind == partitioned {
		return "postgres"
	}
	return kind
}

// usesPartitions reports whether a plan of the package uses a table that can be partitioned.
func usesPartitions(t *testing.T) bool {
	t.Helper()
	golden, err := os.ReadFile(filepath.Join("testdata", "plans.postgres.golden"))
	if err != nil && !*updatePlans {
		t.Fatalf("%v: write it with tools/with-postgres go test -run TestPlans -update-plans", err)
	}
	return regexp.MustCompile(`(?m)^  (` + strings.Join(migrations.Partitioned, "|") + `): `).Match(golden)
}

// mapPartitions maps partitions to their tables and indexes.
func mapPartitions(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	var parts []struct{ Part, Whole string }
	if err := db.Select(t.Context(), d.Writer, &parts, `
		SELECT c.relname::text AS part, p.relname::text AS whole FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			JOIN pg_class p ON p.oid = i.inhparent`); err != nil {
		t.Fatal(err)
	}
	whole := map[string]string{}
	for _, p := range parts {
		whole[p.Part] = p.Whole
	}
	return whole
}

// byTIN matches a condition that selects a partition, even if only at run time.
var byTIN = regexp.MustCompile(`\bftin\)?(?:::text)? = `)

const everywhere = " in every partition"

func isAllPartitions(use string) bool { return strings.HasSuffix(use, everywhere) }

// listPartitionUses lists the index and the number of partitions for each partitioned table in a plan,
// with one line for all adjacent partitions of a table.
func listPartitionUses(top postgresNode, whole map[string]string) []string {
	type group struct {
		use    string
		tables map[string]bool
		known  bool // the TIN selects the partition
	}
	var groups []*group
	var walk func(n postgresNode, relation string)
	walk = func(n postgresNode, relation string) {
		if n.Relation != "" {
			relation = n.Relation
		}
		table := whole[relation]
		if table != "" && (n.Index != "" || n.Type == "Seq Scan") {
			how := table + scanned
			if n.Index != "" {
				how = formatUse(table, whole[n.Index], postgresBound.FindAllStringSubmatch(n.Condition, -1))
			}
			last := len(groups) - 1
			if last < 0 || groups[last].use != how || groups[last].tables[relation] {
				groups = append(groups, &group{use: how, tables: map[string]bool{}, known: byTIN.MatchString(n.Condition)})
				last++
			}
			groups[last].tables[relation] = true
		}
		for _, child := range n.Plans {
			walk(child, relation)
		}
	}
	walk(top, "")
	var uses []string
	for _, g := range groups {
		switch n := len(g.tables); {
		case n < partitions:
			g.use += fmt.Sprintf(" in %d of %d partitions", n, partitions)
		case g.known:
			g.use += " in the partition of each TIN"
		default:
			g.use += everywhere
		}
		uses = append(uses, g.use)
	}
	return uses
}
