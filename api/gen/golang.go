package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"roem/api/contract"
)

// goTypes returns a struct for each object, a type with its constants for each enumeration, and an alias for each other schema.
func goTypes(c *contract.Contract) ([]byte, error) {
	g := &goWriter{}
	requests := c.Named("JobRequest").OneOf
	for _, s := range c.Schemas {
		isRequest := slices.ContainsFunc(requests, func(one *contract.Schema) bool { return one.Ref == s })
		// Item and Job are written by hand: they are generic.
		if len(s.OneOf) > 0 || inherits(s, "JobState") || inherits(s, "ItemOk") || isRequest {
			continue
		}
		g.declare(s.Name, s)
	}
	return goFile("roem", g.b.String())
}

func inherits(s *contract.Schema, name string) bool {
	return slices.ContainsFunc(s.AllOf, func(part *contract.Schema) bool { return nameOf(part.Ref) == name })
}

type goWriter struct {
	b     strings.Builder
	later []goLater
}

// goLater is a type without a name in the contract, named after the field that has it.
type goLater struct {
	name   string
	schema *contract.Schema
}

// declare writes a type, and then the types of its fields that have no name in the contract.
func (g *goWriter) declare(name string, s *contract.Schema) {
	g.b.WriteString("\n")
	g.comment(name, s.Description)
	switch {
	case len(words(s)) > 0 && !s.Nullable:
		g.enumeration(name, words(s))
	case s.Type == "object" && s.Values == nil || len(s.AllOf) > 0:
		fmt.Fprintf(&g.b, "type %s struct {\n", name)
		for _, part := range append([]*contract.Schema{s}, s.AllOf...) {
			if part.Ref != nil {
				fmt.Fprintf(&g.b, "%s\n", part.Ref.Name)
			}
			for _, f := range part.Fields {
				g.field(name, f)
			}
		}
		g.b.WriteString("}\n")
	default:
		fmt.Fprintf(&g.b, "type %s = %s\n", name, g.of(name, s))
	}
	for later := g.later; len(later) > 0; later = later[1:] {
		g.later = nil
		g.declare(later[0].name, later[0].schema)
	}
	g.later = nil
}

// comment writes the first sentence of a description.
func (g *goWriter) comment(name, description string) {
	if first := sentence(description); first != "" {
		fmt.Fprintf(&g.b, "// %s: %s\n", name, first)
	}
}

// sentenceEnd matches the end of a sentence that another follows.
var sentenceEnd = regexp.MustCompile(`\.\s`)

func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if end := sentenceEnd.FindStringIndex(text); end != nil {
		return text[:end[0]+1]
	}
	return text
}

func (g *goWriter) enumeration(name string, words []string) {
	fmt.Fprintf(&g.b, "type %s string\n\nconst (\n", name)
	for _, word := range words {
		fmt.Fprintf(&g.b, "%[1]s%[2]s %[1]s = %[3]q\n", name, clientName(shortOf(word)), word)
	}
	g.b.WriteString(")\n")
}

// shortOf returns a word, and of a link what follows its page.
func shortOf(word string) string { return word[strings.Index(word, "#")+1:] }

// field writes a field of a struct. One that can be left out is a text, a list or a pointer.
func (g *goWriter) field(parent string, f contract.Field) {
	name := clientName(f.Name)
	of, tag := g.of(parent+name, f.Schema), f.Name
	if !f.Required {
		switch form(f.Schema) {
		case "array", "map":
			tag += ",omitzero"
		case "string", "pointer":
			tag += ",omitempty"
		default:
			of, tag = "*"+of, tag+",omitempty"
		}
	}
	if name[0] >= '0' && name[0] <= '9' {
		name = "N" + name
	}
	fmt.Fprintf(&g.b, "%s %s `json:%q`", name, of, tag)
	if first := sentence(f.Description); first != "" {
		fmt.Fprintf(&g.b, " // %s", first)
	}
	g.b.WriteString("\n")
}

// form returns what a type is, behind its names: string, array, map, object, pointer, or another kind.
func form(s *contract.Schema) string {
	switch {
	case s.Nullable:
		return "pointer"
	case s.Ref != nil:
		return form(s.Ref)
	case s.Type == "object" && len(s.Fields) == 0:
		return "map"
	}
	return s.Type
}

// of returns a type. If it needs a type of its own, the type has this name.
func (g *goWriter) of(name string, s *contract.Schema) string {
	var of string
	switch {
	case nameOf(s.Ref) == "Job", nameOf(s.Ref) == "JobSummary": // of some kind
		of = "JobState"
	case s.Ref != nil:
		of = s.Ref.Name
	case len(words(s)) > 0, s.Type == "object" && len(s.Fields) > 0:
		own := *s
		own.Nullable = false
		g.later = append(g.later, goLater{name, &own})
		of = name
	case len(s.OneOf) > 0:
		of = g.item(s)
	case s.Type == "array":
		of = "[]" + g.of(name, s.Items)
	case s.Values != nil:
		of = "map[string]" + g.of(name, s.Values)
	default:
		of = map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}[s.Type]
	}
	if of == "" {
		of = "map[string]any"
	}
	if s.Nullable {
		of = "*" + of
	}
	return of
}

// item returns the type of an item of a list: an answer, or an error in its place.
func (g *goWriter) item(s *contract.Schema) string {
	for _, part := range s.OneOf[0].Ref.AllOf {
		if part.Ref.Name != "ItemOk" {
			return "Item[" + part.Ref.Name + "]"
		}
	}
	return "any"
}

// initialisms are written in capitals in names of Go.
var initialisms = map[string]string{"id": "ID", "ok": "OK", "url": "URL", "json": "JSON", "sha256": "SHA256", "ms": "MS"}

// clientName writes a name of the contract as Go writes names: request_id becomes RequestID.
func clientName(name string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("_-./ ", r) }) {
		if initialism := initialisms[part]; initialism != "" {
			b.WriteString(initialism)
		} else {
			b.WriteString(upperFirst(part))
		}
	}
	return b.String()
}

// goOperations returns a struct for each game, with a method for each operation, and the kinds of jobs.
func goOperations(c *contract.Contract) ([]byte, error) {
	g := &goWriter{}
	all, err := games(c)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		fmt.Fprintf(&g.b, "\n// %s has the operations of %s.\ntype %[1]s struct{ client *Client }\n", upperFirst(one.name), one.tag)
		for _, o := range one.operations {
			g.method(upperFirst(one.name), o)
		}
	}
	g.b.WriteString("\n// The kinds of jobs.\nconst (\n")
	for _, k := range c.Kinds {
		fmt.Fprintf(&g.b, "Job%s Kind[%s, %s] = %q\n", clientName(k.Name), k.Request.Name, k.Result.Name, k.Name)
	}
	g.b.WriteString(")\n")
	return goFile("roem", g.b.String(), "context", "iter", "net/url")
}

func (g *goWriter) method(receiver string, o operation) {
	parameters, sent := []string{"ctx context.Context"}, []string{fmt.Sprintf("method: %q", o.Method)}
	path := fmt.Sprintf("%q", o.Path)
	for _, name := range o.InPath {
		parameters = append(parameters, name+" string")
		path = strings.ReplaceAll(path, "{"+name+"}", `" + url.PathEscape(`+name+`) + "`)
	}
	sent = append(sent, "path: "+strings.TrimSuffix(path, ` + ""`))
	if o.Body != nil {
		parameters, sent = append(parameters, "body "+o.Body.Name), append(sent, "body: body")
	}
	if len(o.Query) > 0 {
		name := receiver + upperFirst(o.name) + "Query"
		g.declare(name, &contract.Schema{Type: "object", Fields: o.Query, Description: "the parameters of " + upperFirst(o.name) + "."})
		parameters, sent = append(parameters, "query "+name), append(sent, "query: query")
	}
	if o.Waits {
		sent = append(sent, "waits: true")
	}
	last := ""
	if o.Creates {
		parameters, sent, last = append(parameters, "options ...Option"), append(sent, "creates: true"), ", options..."
	}
	answer := nameOf(o.Answer)
	results := "*" + answer
	if answer != "" {
		results = "(" + results + ", error)"
	} else {
		results = "error"
	}
	list := strings.Join(parameters, ", ")
	fmt.Fprintf(&g.b, "\n// %s: %s.\nfunc (g %s) %[1]s(%[4]s) %s {\n", upperFirst(o.name), o.Summary, receiver, list, results)
	arguments := fmt.Sprintf("ctx, g.client, sent{%s}%s", strings.Join(sent, ", "), last)
	if answer == "" {
		fmt.Fprintf(&g.b, "_, err := call[struct{}](%s)\nreturn err\n}\n", arguments)
		return
	}
	fmt.Fprintf(&g.b, "return call[%s](%s)\n}\n", answer, arguments)
	if o.Streams {
		fmt.Fprintf(&g.b, "\n// %sStream: %s: %s.\nfunc (g %s) %[1]sStream(%[5]s) iter.Seq2[*%[6]s, error] {\nreturn answers[%[6]s](%[7]s)\n}\n",
			upperFirst(o.name), o.Summary, better, receiver, list, answer, strings.Replace(arguments, ", waits: true", "", 1))
	}
}
