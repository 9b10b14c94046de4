package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"roem/api/contract"
)

// serverPackage is the package of the types of the server, from the top.
const serverPackage = "internal/api"

// asText are the enumerations that the server writes as texts: the cards, as the engines write them, and the codes of errors, whose
// constants are in the packages violation and service.
var asText = []string{"Card", "GinCard", "TarokCard", "ErrorCode", "ProblemType"}

// byHand are the schemas whose types are written by hand: the server has one type for the jobs of all kinds, and passes requests and
// results on without decoding.
var byHand = []string{"Job", "JobRequest", "JobSummary"}

// serverWriter writes types of the server.
type serverWriter struct {
	types map[string]string // the text of each type that can be written, by its name
	names []string          // in the order of the contract
	uses  map[string][]string
	now   string // the type that is written
	later []goLater
}

// serverTypes returns the types of the schemas that names ask for, and of those in them. names are what Go code of the program names:
// types, and constants of enumerations, which are a type and a value.
func serverTypes(c *contract.Contract, pkg string, names map[string]bool) ([]byte, error) {
	g := &serverWriter{types: map[string]string{}, uses: map[string][]string{}}
	for _, s := range c.Schemas {
		if !slices.Contains(byHand, s.Name) {
			g.declare(s.Name, s)
		}
	}
	for _, p := range c.Parameters {
		g.declare(p.Name, p)
	}
	for _, o := range c.Operations {
		if fields := slices.Concat(o.Query, o.Headers); len(fields) > 0 {
			g.declare(upperFirst(o.ID)+"Params", &contract.Schema{Type: "object", Fields: fields})
		}
	}
	var kinds []string
	for _, k := range c.Kinds {
		kinds = append(kinds, k.Name)
	}
	if len(kinds) > 0 {
		g.declare("JobKind", &contract.Schema{Type: "string", Enum: kinds, Description: "The kinds of jobs."})
		constants := make([]string, len(kinds))
		for i, kind := range kinds {
			constants[i] = "JobKind" + constantName(kind)
		}
		g.types["JobKind"] += fmt.Sprintf("\n// JobKinds returns the kinds of jobs, in the order of the contract.\nfunc JobKinds() []JobKind {\n"+
			"return []JobKind{%s}\n}\n", strings.Join(constants, ", "))
	}
	wanted := map[string]bool{}
	var want func(name string)
	want = func(name string) {
		if _, ok := g.types[name]; ok && !wanted[name] {
			wanted[name] = true
			for _, used := range g.uses[name] {
				want(used)
			}
		}
	}
	for name := range names {
		want(g.typeOf(name))
	}
	var body strings.Builder
	for _, name := range g.names {
		if wanted[name] {
			body.WriteString(g.types[name])
		}
	}
	return goFile(pkg, body.String(), "encoding/json", "slices", "time")
}

// typeOf returns the type of a name: of itself, or of a constant, whose name begins with its type.
func (g *serverWriter) typeOf(name string) string {
	for end := len(name); end > 0; end-- {
		if _, ok := g.types[name[:end]]; ok && (end == len(name) || strings.Contains(g.types[name[:end]], "\t"+name+" ")) {
			return name[:end]
		}
	}
	return ""
}

// declare writes a type, and then the types of its fields that have no name in the contract.
func (g *serverWriter) declare(name string, s *contract.Schema) {
	var b bytes.Buffer
	g.now, g.names = name, append(g.names, name)
	b.WriteString("\n")
	if text := sentence(s.Description); text != "" {
		fmt.Fprintf(&b, "// %s: %s\n", name, text)
	}
	switch {
	case len(words(s)) > 0 && s.GoType == "" && !slices.Contains(asText, name):
		fmt.Fprintf(&b, "type %s string\n\nconst (\n", name)
		var constants []string
		for _, word := range words(s) {
			constants = append(constants, name+constantName(word))
			fmt.Fprintf(&b, "\t%s%s %[1]s = %[3]q\n", name, constantName(word), word)
		}
		fmt.Fprintf(&b, ")\n\n// Valid reports whether the value is one of the constants.\nfunc (v %s) Valid() bool {\n", name)
		fmt.Fprintf(&b, "return slices.Contains([]%s{%s}, v)\n}\n", name, strings.Join(constants, ", "))
	case s.Type == "object" && s.Values == nil && s.GoType == "" || len(s.AllOf) > 0:
		fmt.Fprintf(&b, "type %s struct {\n", name)
		for _, f := range fieldsOf(s) {
			g.field(&b, name, f)
		}
		b.WriteString("}\n")
	default:
		fmt.Fprintf(&b, "type %s = %s\n", name, g.of(name, s))
	}
	g.types[name] = b.String()
	later := g.later
	g.later = nil
	for _, one := range later {
		g.declare(one.name, one.schema)
	}
}

// fieldsOf returns the fields of an object, and of all of which it has the fields.
func fieldsOf(s *contract.Schema) []contract.Field {
	all := s.Fields
	for _, part := range s.AllOf {
		all = slices.Concat(all, fieldsOf(part.Is()))
	}
	return all
}

// field writes a field of a struct. One that may be absent, or null, is a pointer.
func (g *serverWriter) field(b *bytes.Buffer, parent string, f contract.Field) {
	name, tag := serverName(f.Name), f.Name
	of := g.of(parent+name, f.Schema)
	if !f.Required {
		tag += ",omitempty"
	}
	if !f.Required || f.Nullable || f.Is().Nullable {
		of = "*" + of
	}
	fmt.Fprintf(b, "%s %s `json:%q`\n", name, of, tag)
}

// of returns the type of a schema. If it needs a type of its own, the type has this name.
func (g *serverWriter) of(name string, s *contract.Schema) string {
	switch {
	case s.GoType != "":
		return s.GoType
	case s.Ref != nil:
		g.uses[g.now] = append(g.uses[g.now], s.Ref.Name)
		return s.Ref.Name
	case len(words(s)) > 0 && !slices.Contains(asText, name), s.Type == "object" && len(s.Fields) > 0:
		g.uses[g.now] = append(g.uses[g.now], name)
		g.later = append(g.later, goLater{name, s})
		return name
	case s.Type == "array":
		item := g.of(name, s.Items)
		if s.Items.Nullable || s.Items.Is().Nullable {
			item = "*" + item
		}
		return "[]" + item
	case s.Values != nil:
		return "map[string]" + g.of(name, s.Values)
	case s.Format == "date-time":
		return "time.Time"
	case s.Format == "int64":
		return "int64"
	}
	if of := map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}[s.Type]; of != "" {
		return of
	}
	return "any"
}

// serverName is the name of a field: nodes_per_ms becomes NodesPerMs, Last-Event-ID LastEventID.
func serverName(name string) string { return goName(strings.ReplaceAll(name, "-", "_")) }

// constantName is the end of the name of a constant.
func constantName(word string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(shortOf(word), func(r rune) bool { return strings.ContainsRune("_-./ ", r) }) {
		b.WriteString(upperFirst(part))
	}
	return b.String()
}

// namedInCode returns the names of a package that the Go files below a folder use: after "api.", and in the package itself.
func namedInCode(folder, top string) (map[string]bool, error) {
	names := map[string]bool{}
	skipped := []string{"node_modules", "clients", ".tools", ".git", "assets"}
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(skipped, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" || filepath.Base(path) == typesFile {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		within := filepath.Dir(path) == filepath.Clean(folder)
		qualified := map[*ast.Ident]bool{}
		for node := range ast.Preorder(file) {
			switch one := node.(type) {
			case *ast.SelectorExpr:
				qualified[one.Sel] = true
				if x, ok := one.X.(*ast.Ident); ok && x.Name == "api" && folder != top {
					names[one.Sel.Name] = true
				}
			case *ast.Ident:
				names[one.Name] = names[one.Name] || within && !qualified[one]
			}
		}
		return nil
	})
	maps.DeleteFunc(names, func(_ string, used bool) bool { return !used })
	return names, err
}

// typesFile is the file with the types of the server.
const typesFile = "types.gen.go"

// writeTypes writes the types of the server into the folder of a package, as far as Go files below the folder top use them: those whose
// names begin with a prefix, and those in them.
func writeTypes(c *contract.Contract, prefix, pkg, folder, top string) error {
	names, err := namedInCode(folder, top)
	if err != nil {
		return err
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !strings.HasPrefix(name, prefix) })
	text, err := serverTypes(c, pkg, names)
	return write(folder, typesFile, text, err)
}
