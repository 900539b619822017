package audit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/audit"
)

// Every operation in the source code is registered. The test checks values of entries,
// conversions, and arguments of functions that take an operation.
func TestEachOperationIsRegistered(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" {
			return filepath.SkipDir
		}
		p := readPackage(t, dir)
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				for _, value := range p.operationsIn(n) {
					name, isText := p.text(value)
					if !isText {
						continue // checked at its own source
					}
					found++
					if _, is := audit.Operation(name).Label(); !is {
						t.Errorf("%s: register %q in operations.go", p.set.Position(value.Pos()), name)
					}
				}
				return true
			})
		}
		return nil
	})
	assert.NoError(t, err)
	assert.GreaterOrEqual(t, found, 100)
}

// sources are the source files of a package without its tests.
type sources struct {
	set       *token.FileSet
	files     []*ast.File
	constants map[string]ast.Expr
	takes     map[string]int // functions, and the index of their operation argument
}

func readPackage(t *testing.T, dir string) sources {
	t.Helper()
	p := sources{token.NewFileSet(), nil, map[string]ast.Expr{}, map[string]int{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.set, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		p.files = append(p.files, f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) {
						p.constants[name.Name] = n.Values[i]
					}
				}
			case *ast.FuncDecl:
				i := 0
				for _, field := range n.Type.Params.List {
					for range field.Names {
						if isOperation(field.Type) {
							p.takes[n.Name.Name] = i
						}
						i++
					}
				}
			}
			return true
		})
	}
	return p
}

func isOperation(e ast.Expr) bool { return isNamed(e, "Operation") }

// isNamed reports whether an expression is a name from package audit.
func isNamed(e ast.Expr, name string) bool {
	s, is := e.(*ast.SelectorExpr)
	if !is || s.Sel.Name != name {
		return false
	}
	x, is := s.X.(*ast.Ident)
	return is && x.Name == "audit"
}

// operationsIn returns the expressions in a node that are operations.
func (p sources) operationsIn(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if !isNamed(n.Type, "Entry") {
			return nil
		}
		for _, e := range n.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				if k, is := kv.Key.(*ast.Ident); is && k.Name == "Operation" {
					return []ast.Expr{kv.Value}
				}
			}
		}
	case *ast.CallExpr:
		if isOperation(n.Fun) && len(n.Args) == 1 {
			return n.Args
		}
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if i, takes := p.takes[name]; takes && i < len(n.Args) {
			return []ast.Expr{n.Args[i]}
		}
	}
	return nil
}

// text returns the value of a string literal or constant.
func (p sources) text(e ast.Expr) (string, bool) {
	if id, is := e.(*ast.Ident); is {
		e = p.constants[id.Name]
	}
	lit, is := e.(*ast.BasicLit)
	if !is || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}
