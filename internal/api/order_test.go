package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	contract "roem/api"
)

// The fields of every generated struct, and so of every answer, are in the order of the contract's properties.
func TestFieldsAreInTheOrderOfTheContract(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "api.gen.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			for _, spec := range gen.Specs {
				if one, ok := spec.(*ast.TypeSpec); ok {
					types[one.Name.Name] = one.Type
				}
			}
		}
	}
	checked := 0
	var check func(name string, schema *yaml.Node, of ast.Expr)
	check = func(name string, schema *yaml.Node, of ast.Expr) {
		switch one := of.(type) {
		case *ast.StarExpr:
			check(name, schema, one.X)
		case *ast.ArrayType:
			check(name, at(schema, "items"), one.Elt)
		case *ast.MapType:
			check(name, at(schema, "additionalProperties"), one.Value)
		case *ast.Ident:
			// A type of its own for a schema that is written inside another.
			if inner := types[one.Name]; inner != nil && strings.HasPrefix(one.Name, strings.ReplaceAll(name, ".", "_")+"_") {
				check(name, schema, inner)
			}
		case *ast.StructType:
			properties := at(schema, "properties")
			if properties == nil {
				return
			}
			checked++
			var want, got []string
			for i := 0; i < len(properties.Content); i += 2 {
				want = append(want, properties.Content[i].Value)
			}
			for _, field := range one.Fields.List {
				tag := ""
				if field.Tag != nil {
					text, err := strconv.Unquote(field.Tag.Value)
					if err != nil {
						t.Fatal(err)
					}
					tag, _, _ = strings.Cut(reflect.StructTag(text).Get("json"), ",")
				}
				if tag == "" || tag == "-" {
					continue
				}
				got = append(got, tag)
				check(name+"."+tag, at(properties, tag), field.Type)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s has its fields in another order: run make generate (-contract +struct)\n%s", name, diff)
			}
		}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(contract.OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	schemas := at(at(doc.Content[0], "components"), "schemas")
	for i := 0; i < len(schemas.Content); i += 2 {
		name, schema := schemas.Content[i].Value, schemas.Content[i+1]
		if at(schema, "properties") == nil {
			continue
		}
		if types[name] == nil {
			t.Errorf("no type %s", name)
		}
		check(name, schema, types[name])
	}
	if checked < 200 {
		t.Errorf("only %d structs", checked)
	}
}

// at returns the value of a field of a YAML object, or nil.
func at(object *yaml.Node, name string) *yaml.Node {
	if object == nil {
		return nil
	}
	i := slices.IndexFunc(object.Content, func(n *yaml.Node) bool { return n.Value == name })
	if object.Kind != yaml.MappingNode || i < 0 || i%2 == 1 {
		return nil
	}
	if value := object.Content[i+1]; value.Kind != yaml.AliasNode {
		return value
	}
	return object.Content[i+1].Alias
}
