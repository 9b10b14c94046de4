package service

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// Fields do not run together: other fields written by the same methods give another key.
func TestKeyFieldsDoNotRunTogether(t *testing.T) {
	write := func(a, b string, n int, list []uint8, more bool) Key {
		return AppendList(NewKey("game", 1, "2", "kind").Text(a).Bytes([]byte(b)).Int(n), list).Bool(more).Float(0.5)
	}
	keys := map[string]string{}
	for _, a := range []string{"", "a", "ab", "a\x00", "\x01a"} {
		for _, b := range []string{"", "b", "ab", "\x00b"} {
			for _, n := range []int{0, 1, -1, 256, math.MaxInt} {
				for _, list := range [][]uint8{nil, {0}, {1}, {0, 0}, {1, 0}} {
					for _, more := range []bool{false, true} {
						fields := fmt.Sprintf("%q %q %d %v %v", a, b, n, list, more)
						key := string(write(a, b, n, list, more))
						if other, ok := keys[key]; ok {
							t.Fatalf("%s has the key of %s", fields, other)
						}
						keys[key] = fields
					}
				}
			}
		}
	}
	begin := NewKey("ab", 1, "2", "c")
	for _, other := range []Key{NewKey("a", 1, "b2", "c"), NewKey("ab", 2, "2", "c"), NewKey("ab", 1, "2c", ""), NewKey("ab", 1, "", "2c")} {
		if bytes.Equal(begin, other) {
			t.Errorf("two keys begin with %q", other)
		}
	}
}

// Keys are written as bytes. A text that fmt makes has the form that the type of the field says, which can leave something out.
func TestKeysAreNotFormatted(t *testing.T) {
	looked := 0
	if err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "servicetest") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch one := n.(type) {
			case *ast.FuncDecl:
				if !writesKey(one) {
					return true
				}
				looked++
				ast.Inspect(one, func(n ast.Node) bool {
					if name, ok := formats(n); ok {
						t.Errorf("%s: %s uses %s in a key", set.Position(n.Pos()), one.Name.Name, name)
					}
					return true
				})
			case *ast.CallExpr: // arguments of the methods of a key, wherever they are
				if method, ok := one.Fun.(*ast.SelectorExpr); ok && (method.Sel.Name == "Text" || method.Sel.Name == "Bytes") {
					for _, arg := range one.Args {
						ast.Inspect(arg, func(n ast.Node) bool {
							if name, ok := formats(n); ok {
								t.Errorf("%s: %s in a key", set.Position(n.Pos()), name)
							}
							return true
						})
					}
				}
			}
			if name, ok := formats(n); ok && strings.HasPrefix(name, "fmt.Append") {
				t.Errorf("%s: %s makes bytes; keys and values are written with service.Key or encoding/binary", set.Position(n.Pos()), name)
			}
			return true
		})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if looked == 0 {
		t.Error("no function writes a key")
	}
}

// writesKey reports whether a function returns a key.
func writesKey(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	for _, result := range f.Type.Results.List {
		of := result.Type
		if list, ok := of.(*ast.ArrayType); ok {
			if of = list.Elt; f.Name.Name == "Key" {
				return true
			}
		}
		if selector, ok := of.(*ast.SelectorExpr); ok {
			of = selector.Sel
		}
		if name, ok := of.(*ast.Ident); ok && name.Name == "Key" {
			return true
		}
	}
	return false
}

// formats reports whether a node is a call of fmt.
func formats(n ast.Node) (name string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	pkg, ok := of.X.(*ast.Ident)
	return "fmt." + of.Sel.Name, ok && pkg.Name == "fmt"
}
