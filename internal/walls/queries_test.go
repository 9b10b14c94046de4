package walls

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// unsplit are the games whose queries still make answers of the contract.
var unsplit = map[string]bool{"tarok": true}

// A file of a game that declares a query neither reads bodies nor makes answers: it does not name the types of the contract, nor JSON.
// Files named body.go and *_body.go read, files named answer.go and *_answer.go make answers, and those declare no query.
func TestQueriesKnowNoContract(t *testing.T) {
	queries := 0
	for _, game := range games {
		files, err := filepath.Glob(filepath.Join("..", "service", game, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || unsplit[game] {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if !declaresQuery(f) {
				continue
			}
			queries++
			for _, i := range f.Imports {
				switch i.Path.Value {
				case `"roem/internal/api"`, `"encoding/json"`, `"github.com/go-json-experiment/json"`:
					t.Errorf("%s declares a query and imports %s", file, i.Path.Value)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok && strings.HasSuffix(name.Name, "Body") {
					t.Errorf("%s declares a query and names %s", file, name.Name)
				}
				return true
			})
		}
	}
	if queries < 12 {
		t.Errorf("only %d files with queries were found", queries)
	}
}

// declaresQuery reports whether a file declares a type with a computation, or one that embeds the query of a value or of a review.
func declaresQuery(f *ast.File) (is bool) {
	for _, d := range f.Decls {
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil && method.Name.Name == "Computation" {
			return true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if of, ok := n.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				is = is || len(field.Names) == 0 && embedsQuery(field.Type)
			}
		}
		return true
	})
	return is
}

// embedsQuery reports whether the type of an embedded field is a generic query of package service.
func embedsQuery(of ast.Expr) bool {
	switch of := of.(type) {
	case *ast.StarExpr:
		return embedsQuery(of.X)
	case *ast.IndexExpr:
		return embedsQuery(of.X)
	case *ast.IndexListExpr:
		return embedsQuery(of.X)
	case *ast.SelectorExpr:
		return of.Sel.Name == "LookupQuery" || of.Sel.Name == "ReviewOf" || of.Sel.Name == "MatchQuery"
	}
	return false
}
