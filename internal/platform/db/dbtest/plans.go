package dbtest

import (
	"cmp"
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
	"strconv"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

var updatePlans = flag.Bool("update-plans", false, "update the query plans")

// Scans maps store functions to the reason why they may read a whole table or index, or all
// partitions of a table.
type Scans map[string]string

// CheckPlans compares the query plans of a package's stores with testdata/plans.sqlite.golden and
// plans.postgres.golden. For each function and statement, these list the index and the columns
// that bound it. A full table read is written as a scan, an unbounded index read as a walk. It
// fails if
//
//   - a plan differs: a query lost its index or binds fewer columns of it,
//   - a statement scans or walks, but scans doesn't list its function,
//   - scans lists a function that does neither on either database,
//   - exercise doesn't run a statement of a store,
//   - another file of the package has a statement.
//
// If the package uses tables that PostgreSQL can partition, testdata/plans.partitions.golden has
// the number of partitions that each statement reads. scans lists the functions that read all
// partitions.
//
// exercise calls the functions with arbitrary values on an empty database, in one transaction
// that is rolled back. go test -update-plans writes the files.
func CheckPlans(t *testing.T, scans Scans, exercise func(t *testing.T, d *db.DB, tx *sql.Tx)) {
	t.Helper()
	checkStores(t)
	var ran int
	scanning := map[string]bool{}
	kinds := []string{"sqlite", "postgres"}
	if usesPartitions(t) {
		kinds = append(kinds, partitioned)
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			var statements []statement
			var listening bool
			d, err := db.OpenTraced(t.Context(), URL(t, getEngine(kind)), func(_ context.Context, query string, args []any) {
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
			if kind == partitioned {
				if err := migrations.Partition(t.Context(), d, partitions, func(string) {}); err != nil {
					t.Fatal(err)
				}
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
			if kind != "sqlite" {
				enlarge(t, d)
			}
			compare(t, kind, formatPlans(t, statements, newPlanReader(t, kind, d), scans, scanning))
			ran++ // not skipped
			for _, part := range storeTexts(t) {
				if !slices.ContainsFunc(statements, part.isIn) {
					t.Errorf("%s of the store did not run, so that its plan is not held to anything:\n%s", part.function, part.text)
				}
			}
		})
	}
	for function := range scans {
		if ran == len(kinds) && !t.Failed() && !scanning[function] {
			t.Errorf("%s doesn't need an exception, because it doesn't read a whole table or index", function)
		}
	}
}

// Err returns the error of a function with an unneeded result.
func Err[T any](_ T, err error) error { return err }

// takePages adds a page to every table and partial index. PostgreSQL treats those without pages
// as empty, whatever its statistics say. A rollback doesn't remove the pages.
const takePages = `DO $$
DECLARE r record;
BEGIN
	SET LOCAL session_replication_role = replica; -- without triggers
	FOR r IN SELECT conrelid::regclass AS tab, conname FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f', 'c') AND coninhcount = 0 LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', r.tab, r.conname);
	END LOOP;
	FOR r IN SELECT attrelid::regclass AS tab, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND attnotnull
			AND attidentity = '' LOOP
		EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL', r.tab, r.attname);
	END LOOP;
	FOR r IN SELECT attrelid::regclass AS tab, string_agg(quote_ident(attname), ', ') AS columns,
	string_agg('i::' || atttypid::regtype, ', ') AS ones,
		CASE relkind WHEN 'p' THEN 100 ELSE 1 END AS rows -- some in each partition
		FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
			AND atttypid IN ('text'::regtype, 'bigint'::regtype) AND attidentity = '' GROUP BY attrelid, relkind LOOP
		EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM generate_series(1, %s) i', r.tab, r.columns, r.ones, r.rows);
	END LOOP;
END $$`

// enlarge makes PostgreSQL plan as for tables of ten thousand rows. For an empty table, all
// indexes cost the same.
func enlarge(t *testing.T, d *db.DB) {
	t.Helper()
	tx, err := d.Writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), takePages); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Writer.ExecContext(t.Context(), `
		UPDATE pg_class SET reltuples = 10000, relpages = CASE relkind WHEN 'r' THEN 1 ELSE 2 END
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')`); err != nil {
		t.Fatal(err)
	}
}

type statement struct {
	function, query string
	args            []any
}

// stores matches the files of a package with statements: store.go, and store_<subject>.go for
// large stores.
const stores = "store*.go"

func isStore(path string) bool {
	file := filepath.Base(path)
	is, err := filepath.Match(stores, file)
	return is && err == nil && !strings.HasSuffix(file, "_test.go")
}

// statementStart matches the literal of a statement or its clause. Statements about the database itself
// differ between the databases.
var (
	statementStart = regexp.MustCompile("^[`\"]\\s*(SELECT|INSERT INTO|UPDATE|DELETE|WHERE|ORDER BY)\\s")
	ofDatabase     = regexp.MustCompile(`\b(pg|sqlite)_`)
)

// checkStores fails for statements outside of stores, because their plans aren't compared.
func checkStores(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if isStore(name) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if ok && statementStart.MatchString(literal.Value) && !ofDatabase.MatchString(literal.Value) {
				t.Errorf("%s: move this statement to %s, so that its plan is compared", set.Position(literal.Pos()), stores)
			}
			return true
		})
	}
}

// storeFunction returns the innermost store function on the call stack, or an empty string.
func storeFunction() string {
	callers := make([]uintptr, 40)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if isStore(frame.File) && strings.HasPrefix(frame.Function, "wcpp/") {
			return functionName(frame.Function)
		}
		if !more {
			return ""
		}
	}
}

// functionName removes the package, the receiver, and the numbers of closures.
func functionName(full string) string {
	name := full[strings.LastIndexByte(full, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	parts := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(name), ".")
	parts = slices.DeleteFunc(parts, func(p string) bool { return regexp.MustCompile(`^(func)?\d+$`).MatchString(p) })
	name, _, _ = strings.Cut(parts[len(parts)-1], "[") // type parameters of a generic function
	name, _, _ = strings.Cut(name, "-range")           // the body of a range-over-func loop
	return name
}

// asksRows matches statements that search for rows; asks matches their clauses.
var (
	asksRows = regexp.MustCompile(`\b(SELECT|UPDATE|DELETE)\b`)
	asks     = regexp.MustCompile(`\b(SELECT|UPDATE|DELETE|WHERE|AND|ORDER BY)\b`)
)

// storeText is a piece of a statement in the source of a store.
type storeText struct {
	function string // that runs it; empty if others do
	text     string
}

func (p storeText) isIn(s statement) bool {
	return (p.function == "" || p.function == s.function) && strings.Contains(oneLine(s.query), p.text)
}

// storeTexts lists the pieces of statements that search for rows.
func storeTexts(t *testing.T) []storeText {
	t.Helper()
	files, err := filepath.Glob(stores)
	if err != nil {
		t.Fatal(err)
	}
	var decls []ast.Decl
	for _, name := range slices.DeleteFunc(files, func(name string) bool { return !isStore(name) }) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, file.Decls...)
	}
	var texts []storeText
	for _, d := range decls {
		runs := ""
		if function, ok := d.(*ast.FuncDecl); ok && takesContext(function) {
			runs = function.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			if asks.MatchString(text) {
				texts = append(texts, storeText{runs, oneLine(text)})
			}
			return true
		})
	}
	return texts
}

// takesContext reports whether a function can run queries itself.
func takesContext(function *ast.FuncDecl) bool {
	return slices.ContainsFunc(function.Type.Params.List, func(f *ast.Field) bool {
		selector, ok := f.Type.(*ast.SelectorExpr)
		return ok && selector.Sel.Name == "Context"
	})
}

var spaces = regexp.MustCompile(`\s+`)

func oneLine(text string) string { return strings.TrimSpace(spaces.ReplaceAllString(text, " ")) }

// longList matches the placeholders of a long IN list.
var longList = regexp.MustCompile(`(\$\d+)(?:, \$\d+){4,}(, \$\d+)`)

// planReader lists what a statement's plan uses. It also reports whether a use needs a reason, and
// what the use does.
type planReader struct {
	uses   func(s statement) []string
	isBad  func(use string) bool
	itDoes string
}

func newPlanReader(t *testing.T, kind string, d *db.DB) planReader {
	t.Helper()
	switch kind {
	case partitioned:
		whole := mapPartitions(t, d)
		return planReader{func(s statement) []string {
			return listPartitionUses(postgresPlan(t, d, s), whole)
		}, isAllPartitions, "looks into every partition"}
	case "postgres":
		return planReader{func(s statement) []string { return postgresUses(t, d, s) }, isScan, "reads a table or an index whole"}
	default:
		return planReader{func(s statement) []string { return sqliteUses(t, d, s) }, isScan, "reads a table or an index whole"}
	}
}

// formatPlans explains each statement once and writes what its plan uses. It records the functions
// that need a reason.
func formatPlans(t *testing.T, statements []statement, look planReader, scans Scans, scanning map[string]bool) string {
	t.Helper()
	plans := map[string]string{}
	for _, s := range statements {
		text := longList.ReplaceAllString(oneLine(s.query), "$1, ...$2")
		key := s.function + ": " + text
		if _, known := plans[key]; known || !asksRows.MatchString(text) {
			continue
		}
		uses := look.uses(s)
		if len(uses) == 0 {
			continue // a plain INSERT, or no partitioned table
		}
		if slices.ContainsFunc(uses, look.isBad) {
			scanning[s.function] = true
			if _, may := scans[s.function]; !may {
				t.Errorf("%s %s:\n  %s\n  %s", s.function, look.itDoes, text, strings.Join(uses, "\n  "))
			}
		}
		plans[key] = "  " + strings.Join(uses, "\n  ")
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(plans)) {
		fmt.Fprintf(&b, "%s\n%s\n\n", key, plans[key])
	}
	return b.String()
}

const (
	scanned = ": scan"
	walked  = ": walk along "
)

func isScan(use string) bool { return strings.HasSuffix(use, scanned) || strings.Contains(use, walked) }

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
	want, have := splitBlocks(string(golden)), splitBlocks(plans)
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

// splitBlocks splits a golden file into statements and their plans.
func splitBlocks(golden string) map[string]string {
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
		// Compare costs by rows, not by the single page of each table, for which the planner
		// prefers to join whole tables.
		for _, setting := range []string{"enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off",
			"random_page_cost = 0"} {
			if _, err := tx.ExecContext(t.Context(), "SET LOCAL "+setting); err != nil {
				t.Fatal(err)
			}
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
	sqliteStep  = regexp.MustCompile(`^(SEARCH|SCAN) (\w+)(?: USING (.*))?`)
	sqliteIndex = regexp.MustCompile(`^(?:COVERING )?(?:INDEX (\w+)|(INTEGER PRIMARY KEY|PRIMARY KEY))(?: \((.*)\))?`)
	sqliteBound = regexp.MustCompile(`(\w+)[=<>]`)
	sqliteIn    = regexp.MustCompile(`^USING ROWID SEARCH ON TABLE (\w+) FOR IN-OPERATOR`)
	// Values in the statement itself aren't a table.
	sqliteRows  = regexp.MustCompile(`^SCAN \d+-ROW VALUES CLAUSE`)
	valuesAlias = regexp.MustCompile(`(?:\(VALUES .*?\)|UNION ALL SELECT \$[^()]*)\) (\w+)`)
	tableAlias  = regexp.MustCompile(`(?:FROM|JOIN) (\w+) (?:AS )?(\w+)`)
)

// sqliteUses lists "table: index (columns bound)" for a plan.
func sqliteUses(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	tables := map[string]string{}
	for _, m := range tableAlias.FindAllStringSubmatch(oneLine(s.query), -1) {
		tables[m[2]] = m[1]
	}
	listed := map[string]bool{}
	for _, m := range valuesAlias.FindAllStringSubmatch(oneLine(s.query), -1) {
		listed[m[1]] = true
	}
	var uses []string
	for _, line := range explain(t, d, "EXPLAIN QUERY PLAN ", s) {
		if m := sqliteIn.FindStringSubmatch(line); m != nil {
			uses = append(uses, m[1]+": INTEGER PRIMARY KEY (rowid)")
			continue
		}
		step := sqliteStep.FindStringSubmatch(line)
		if step == nil || step[2] == "CONSTANT" || listed[step[2]] || sqliteRows.MatchString(line) {
			continue
		}
		table := cmp.Or(tables[step[2]], step[2])
		index := sqliteIndex.FindStringSubmatch(step[3])
		switch {
		case index != nil:
			uses = append(uses, formatUse(table, index[1]+index[2], sqliteBound.FindAllStringSubmatch(index[3], -1)))
		case step[1] == "SEARCH" && step[3] == "": // minimum or maximum
			uses = append(uses, formatUse(table, "INTEGER PRIMARY KEY", nil))
		default: // a table scan, or one to build an automatic index
			uses = append(uses, table+scanned)
		}
	}
	return uses
}

type postgresNode struct {
	Type      string `json:"Node Type"`
	Relation  string `json:"Relation Name"`
	Alias     string `json:"Alias"`
	Index     string `json:"Index Name"`
	Condition string `json:"Index Cond"`
	Plans     []postgresNode
}

var postgresBound = regexp.MustCompile(`\(+(?:\w+\.)?(\w+)(?:\)::\w+)? (?:=|<|>|<=|>=|<>) `)

// postgresPlan returns the root of a statement's plan.
func postgresPlan(t *testing.T, d *db.DB, s statement) postgresNode {
	t.Helper()
	var plan []struct{ Plan postgresNode }
	if err := json.Unmarshal([]byte(strings.Join(explain(t, d, "EXPLAIN (FORMAT JSON, COSTS OFF) ", s), "")), &plan); err != nil {
		t.Fatal(err)
	}
	return plan[0].Plan
}

func postgresUses(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	var uses []string
	var walk func(n postgresNode, table string)
	walk = func(n postgresNode, table string) {
		if n.Relation != "" {
			table = n.Relation
		}
		switch {
		case n.Type == "Seq Scan":
			uses = append(uses, table+scanned)
		case n.Index != "":
			bound := postgresBound.FindAllStringSubmatch(n.Condition, -1)
			if len(bound) == 0 && (strings.Contains(n.Condition, " = ") || strings.Contains(n.Condition, " >= ")) {
				bound = [][]string{{"", "expr"}} // an expression, with SQLite's name
			}
			uses = append(uses, formatUse(table, n.Index, bound))
		}
		for _, child := range n.Plans {
			walk(child, table)
		}
	}
	walk(postgresPlan(t, d, s), "")
	return uses
}

// formatUse formats the use of an index and the columns that bound it.
func formatUse(table, index string, bound [][]string) string {
	if len(bound) == 0 {
		return table + walked + index
	}
	var columns []string
	for _, b := range bound {
		if !slices.Contains(columns, b[1]) {
			columns = append(columns, b[1])
		}
	}
	return fmt.Sprintf("%s: %s (%s)", table, index, strings.Join(columns, ", "))
}
