package app_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/settings"
)

const storedValues = "testdata/stored-values.golden"

// Stored and sent values must stay the same when texts and identifiers are reworded. The golden
// file lists them. -update adds lines for new values and never changes or removes one. Before
// you remove a line by hand, migrate the data that uses it.
func TestStoredValues(t *testing.T) {
	values := map[string]bool{}
	p := newPortal(t, "sqlite", nil)
	valuesOfAPI(t, p, values)
	for _, o := range audit.Operations() {
		values["audit operation "+string(o)] = true
	}
	for _, f := range settings.ListFields(new(app.Config)) {
		values["setting "+f.Env+" --"+f.Name+" "+strings.Join(f.Enum, "|")] = true
	}
	for _, kind := range p.EmailKinds() {
		values["email "+string(kind)] = true
	}
	addServerValues(t, values)
	valuesOfBrowser(t, values)

	golden, err := os.ReadFile(storedValues)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(golden)) {
		known[strings.TrimSuffix(line, "\n")] = true
	}
	for _, v := range slices.Sorted(maps.Keys(known)) {
		assert.Truef(t, values[v], "changed or gone, though stored data, other programs or bookmarks have it: %s", v)
	}
	if *update {
		maps.Copy(known, values)
		text := strings.Join(slices.Sorted(maps.Keys(known)), "\n") + "\n"
		if err := os.WriteFile(storedValues, []byte(text), 0o644); err != nil { //nolint:gosec // a source file
			t.Fatal(err)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(values)) {
		assert.Truef(t, known[v], "new: run with -update to add it: %s", v)
	}
	for _, kind := range []string{"api", "field", "enum value", "audit operation", "setting", "job", "email", "sealed purpose",
		"rate limit", "metric", "storage folder", "cookie", "browser storage"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(v string) bool { return strings.HasPrefix(v, kind+" ") }) {
			t.Errorf("no %s was found: the test looks in the wrong place", kind)
		}
	}
}

// valuesOfAPI adds the API's endpoints, field names and enum values.
func valuesOfAPI(t *testing.T, p *portal, values map[string]bool) {
	t.Helper()
	text, err := json.Marshal(p.API.OpenAPI())
	require.NoError(t, err)
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document))
	for path, methods := range document["paths"].(map[string]any) {
		for method := range methods.(map[string]any) {
			values["api "+strings.ToUpper(method)+" "+path] = true
		}
	}
	var walk func(any)
	walk = func(part any) {
		switch part := part.(type) {
		case []any:
			for _, v := range part {
				walk(v)
			}
		case map[string]any:
			if properties, is := part["properties"].(map[string]any); is {
				for name := range properties {
					values["field "+name] = true
				}
			}
			if listed, is := part["enum"].([]any); is {
				for _, v := range listed {
					if text, is := v.(string); is {
						values["enum value "+text] = true
					}
				}
			}
			for _, v := range part {
				walk(v)
			}
		}
	}
	walk(document)
}

// addServerValues adds values from the server's sources: kinds of jobs and emails, purposes of
// sealed values, rate limits, metrics, file folders and cookies.
func addServerValues(t *testing.T, values map[string]bool) {
	t.Helper()
	sources := map[string][]*ast.File{} // by directory
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "dbtest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		sources[filepath.Dir(path)] = append(sources[filepath.Dir(path)], file)
		return err
	})
	require.NoError(t, err)
	for dir, files := range sources {
		texts := textsByName(files)
		// A name resolves to all the texts that its package assigns to it.
		add := func(kind string, e ast.Expr) {
			switch e := e.(type) {
			case *ast.BasicLit:
				if text, err := strconv.Unquote(e.Value); err == nil {
					values[kind+" "+text] = true
				}
			case *ast.Ident:
				for _, text := range texts[e.Name] {
					values[kind+" "+text] = true
				}
			}
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Name.Name == "Kind" && n.Recv != nil && len(n.Body.List) == 1 {
						if answer, is := n.Body.List[0].(*ast.ReturnStmt); is {
							add("job", answer.Results[0])
						}
					}
				case *ast.CallExpr:
					method, is := n.Fun.(*ast.SelectorExpr)
					if !is || len(n.Args) == 0 {
						break
					}
					receiver := getName(method.X)
					switch method.Sel.Name {
					case "Seal", "Open", "Name", "Key":
						if strings.HasSuffix(strings.ToLower(receiver), "sealer") {
							add("sealed purpose", n.Args[0])
						}
					case "Allow", "AllowOther", "AllowMany", "TakeBack", "Reset":
						if getName(n.Args[0]) == "ctx" && (receiver == "attempts" || receiver == "limits") {
							i := 1
							if method.Sel.Name == "Reset" {
								i = 2
							}
							add("rate limit", n.Args[i])
						}
					}
				case *ast.BasicLit:
					text, err := strconv.Unquote(n.Value)
					switch {
					case n.Kind != token.STRING || err != nil:
					case metricPattern.MatchString(text):
						values["metric "+text] = true
					case folderPattern.MatchString(text) && !strings.HasPrefix(dir, "../demo"):
						values["storage folder "+text] = true
					case strings.HasPrefix(text, "__Host-"):
						values["cookie "+text] = true
					}
				}
				return true
			})
		}
	}
}

var (
	metricPattern = regexp.MustCompile(`^wcpp_[a-z_]+$`)
	folderPattern = regexp.MustCompile(`^[a-z-]+/(%d.*)?$`)
)

// getName returns the last name of an expression such as s.mails.
func getName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// textsByName returns the texts that a package assigns to its constants and variables.
func textsByName(files []*ast.File) map[string][]string {
	texts := map[string][]string{}
	add := func(name string, e ast.Expr) {
		if literal, is := e.(*ast.BasicLit); is && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts[name] = append(texts[name], text)
			}
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					add(n.Names[i].Name, v)
				}
			case *ast.AssignStmt:
				for i, v := range n.Rhs {
					if len(n.Lhs) == len(n.Rhs) {
						add(getName(n.Lhs[i]), v)
					}
				}
			}
			return true
		})
	}
	return texts
}

var browserValue = regexp.MustCompile(`'(wcpp\.[A-Za-z]+)'|(?:storageKey|channel) = (?:new BroadcastChannel\()?'([^']+)'|` +
	"`(table )\\$" + `|\bshape="([^"]+)"`)

// valuesOfBrowser adds the browser's storage keys.
func valuesOfBrowser(t *testing.T, values map[string]bool) {
	t.Helper()
	err := filepath.WalkDir("../../web/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") && !strings.HasSuffix(path, ".tsx") ||
			strings.Contains(path, ".test.") || strings.Contains(path, "/dev/") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range browserValue.FindAllStringSubmatch(string(text), -1) {
			values["browser storage "+strings.Join(found[1:], "")] = true
		}
		return err
	})
	require.NoError(t, err)
}
