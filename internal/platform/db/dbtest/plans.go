package dbtest

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

var updatePlans = flag.Bool("update-plans", false, "write the plans of the queries anew")

// Scans names the functions of a store that may read a whole table, or an index
// from end to end, each with the reason.
type Scans map[string]string

// Plans holds what a package's store.go asks of the databases to
// testdata/plans.sqlite.golden and plans.postgres.golden: for each function and
// statement the index used and the columns by which it is bound. It fails when
//
//   - a plan differs: a query lost its index or binds fewer columns of it,
//   - a statement reads a whole table and scans does not name its function,
//   - a function of store.go with a statement is not called by exercise.
//
// exercise calls the functions with any values on an empty database, in one
// transaction that is rolled back; go test -update-plans writes the files.
func Plans(t *testing.T, scans Scans, exercise func(t *testing.T, d *db.DB, tx *sql.Tx)) {
	t.Helper()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			var statements []statement
			var listening bool
			d, err := db.OpenTraced(t.Context(), URL(t, kind), func(_ context.Context, query string, args []any) {
				if function := storeFunction(); listening && function != "" {
					statements = append(statements, statement{function, query, args})
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { d.Close() })
			if _, err := migrations.Up(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			tx, err := d.Writer.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			listening = true
			exercise(t, d, tx)
			listening = false
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			compare(t, kind, plansOf(t, d, statements, scans))
			for _, function := range storeFunctions(t) {
				if !slices.ContainsFunc(statements, func(s statement) bool { return s.function == function }) {
					t.Errorf("%s of store.go was not called: its plan is not held to anything", function)
				}
			}
		})
	}
}

// statement is what a function of store.go asked.
type statement struct {
	function, query string
	args            []any
}

// storeFunction is the innermost function of a store.go on the way to the
// statement; empty where there is none.
func storeFunction() string {
	callers := make([]uintptr, 40)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if filepath.Base(frame.File) == "store.go" && strings.HasPrefix(frame.Function, "wcpp/") {
			return functionName(frame.Function)
		}
		if !more {
			return ""
		}
	}
}

// functionName cuts the package, the receiver and the numbers of closures.
func functionName(full string) string {
	name := full[strings.LastIndexByte(full, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	parts := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(name), ".")
	parts = slices.DeleteFunc(parts, func(p string) bool { return regexp.MustCompile(`^(func)?\d+$`).MatchString(p) })
	name, _, _ = strings.Cut(parts[len(parts)-1], "[")
	return name
}

var asksRows = regexp.MustCompile(`(?i)\b(SELECT|UPDATE|DELETE)\b`)

// storeFunctions lists the functions of store.go that hold a statement which
// looks for rows.
func storeFunctions(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "store.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(function, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && asksRows.MatchString(text.Value) && !slices.Contains(names, function.Name.Name) {
				names = append(names, function.Name.Name)
			}
			return true
		})
	}
	return names
}

var spaces = regexp.MustCompile(`\s+`)

// plansOf explains each statement once and writes what its plan uses.
func plansOf(t *testing.T, d *db.DB, statements []statement, scans Scans) string {
	t.Helper()
	plans := map[string]string{}
	for _, s := range statements {
		text := strings.TrimSpace(spaces.ReplaceAllString(s.query, " "))
		key := s.function + ": " + text
		if _, known := plans[key]; known || !asksRows.MatchString(text) {
			continue
		}
		var uses []string
		if d.Dialect.Name == "postgres" {
			uses = postgresUses(t, d, s)
		} else {
			uses = sqliteUses(t, d, s)
		}
		if len(uses) == 0 {
			continue // a plain INSERT
		}
		if _, may := scans[s.function]; !may && slices.ContainsFunc(uses, isScan) {
			t.Errorf("%s reads a whole table:\n  %s\n  %s", s.function, text, strings.Join(uses, "\n  "))
		}
		plans[key] = "  " + strings.Join(uses, "\n  ")
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(plans)) {
		fmt.Fprintf(&b, "%s\n%s\n\n", key, plans[key])
	}
	return b.String()
}

func isScan(use string) bool { return strings.HasSuffix(use, scanned) }

const scanned = ": scan"

func compare(t *testing.T, kind, plans string) {
	t.Helper()
	path := filepath.Join("testdata", "plans."+kind+".golden")
	if *updatePlans {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(plans), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: write it with go test -run %s -update-plans", err, t.Name())
	}
	want, have := blocks(string(golden)), blocks(plans)
	for query, use := range want {
		if have[query] != use {
			t.Errorf("%s\n has the plan\n%s\n and not\n%s", query, have[query], use)
		}
	}
	for query := range have {
		if _, known := want[query]; !known {
			t.Errorf("no plan is on file of\n%s\nlook at it and write it with -update-plans", query)
		}
	}
}

// blocks parts a golden file into statements and what their plans use.
func blocks(golden string) map[string]string {
	out := map[string]string{}
	for block := range strings.SplitSeq(strings.TrimSpace(golden), "\n\n") {
		query, uses, _ := strings.Cut(block, "\n")
		out[query] = uses
	}
	return out
}

func explain(t *testing.T, d *db.DB, prefix string, s statement) []string {
	t.Helper()
	tx, err := d.Writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	if d.Dialect.Name == "postgres" {
		// Small tables are scanned whatever their indexes.
		if _, err := tx.ExecContext(t.Context(), "SET LOCAL enable_seqscan = off"); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := tx.QueryContext(t.Context(), prefix+s.query, s.args...)
	if err != nil {
		t.Fatalf("explain: %v\n%s", err, s.query)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		switch text := (*values[len(values)-1].(*any)).(type) {
		case string:
			lines = append(lines, text)
		case []byte:
			lines = append(lines, string(text))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

var (
	sqliteSearch = regexp.MustCompile(`^SEARCH (\w+)(?: USING (?:COVERING |AUTOMATIC |AUTOMATIC COVERING )?(?:INDEX (\w+)|(INTEGER PRIMARY KEY)|(PRIMARY KEY)))? ?(?:\((.*)\))?`)
	sqliteScans  = regexp.MustCompile(`^SCAN (\w+)`)
	sqliteBound  = regexp.MustCompile(`(\w+)[=<>]`)
)

// sqliteUses lists "table: index (columns bound)" of a plan.
func sqliteUses(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	var uses []string
	for _, line := range explain(t, d, "EXPLAIN QUERY PLAN ", s) {
		if m := sqliteSearch.FindStringSubmatch(line); m != nil {
			uses = append(uses, use(m[1], m[2]+m[3]+m[4], sqliteBound.FindAllStringSubmatch(m[5], -1)))
		} else if m := sqliteScans.FindStringSubmatch(line); m != nil && m[1] != "CONSTANT" {
			uses = append(uses, m[1]+scanned)
		}
	}
	return uses
}

// postgresNode is a part of a plan.
type postgresNode struct {
	Type      string `json:"Node Type"`
	Relation  string `json:"Relation Name"`
	Alias     string `json:"Alias"`
	Index     string `json:"Index Name"`
	Condition string `json:"Index Cond"`
	Plans     []postgresNode
}

var postgresBound = regexp.MustCompile(`\(+(?:\w+\.)?(\w+)(?:\)::\w+)? (?:=|<|>|<=|>=|<>) `)

// postgresUses lists the same of PostgreSQL.
func postgresUses(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	var plan []struct{ Plan postgresNode }
	if err := json.Unmarshal([]byte(strings.Join(explain(t, d, "EXPLAIN (FORMAT JSON, COSTS OFF) ", s), "")), &plan); err != nil {
		t.Fatal(err)
	}
	var uses []string
	var walk func(n postgresNode, table string)
	walk = func(n postgresNode, table string) {
		if n.Relation != "" {
			table = n.Relation
		}
		switch {
		case n.Type == "Seq Scan", n.Index != "" && n.Condition == "":
			uses = append(uses, table+scanned)
		case n.Index != "":
			uses = append(uses, use(table, n.Index, postgresBound.FindAllStringSubmatch(n.Condition, -1)))
		}
		for _, child := range n.Plans {
			walk(child, table)
		}
	}
	walk(plan[0].Plan, "")
	return uses
}

func use(table, index string, bound [][]string) string {
	var columns []string
	for _, b := range bound {
		if !slices.Contains(columns, b[1]) {
			columns = append(columns, b[1])
		}
	}
	return fmt.Sprintf("%s: %s (%s)", table, index, strings.Join(columns, ", "))
}
