package main

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"roem/api/nodes"
)

// shape is a schema of the contract, as far as types of clients need it.
type shape struct {
	ref         string // the name of another schema; then only nullable and description are set too
	description string
	nullable    bool
	kind        string // string, integer, number, boolean, array, object, or empty for oneOf and allOf
	words       []string
	truth       string // true or false, of a boolean that is always the same
	items       *shape // of a list, or of the values of an object whose names are not given
	fields      []field
	oneOf       []*shape
	allOf       []*shape
}

type field struct {
	name     string
	required bool
	shape    *shape
}

// named is a schema with its name.
type named struct {
	name  string
	shape *shape
}

// operation is an operation of a game.
type operation struct {
	id, name     string // klaverjasSolve, and solve within its game
	method, path string
	summary      string
	inPath       []string
	query        []field
	body, answer string // names of schemas; empty for none
	creates      bool   // it has an Idempotency-Key
	waits        bool   // its answer can be a job
	streams      bool   // it can also answer with a stream of answers, each better than the last
}

// game holds the operations of a game.
type game struct {
	name       string // klaverjas, as in operationIds
	tag        string // Klaverjas
	operations []operation
}

// contract is what clients are generated from.
type contract struct {
	root  *yaml.Node
	types []named
	games []game
}

func read(document []byte) (*contract, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(document, &doc); err != nil {
		return nil, err
	}
	c := &contract{root: doc.Content[0]}
	for name, node := range nodes.Pairs(nodes.At(c.root, "components", "schemas")) {
		c.types = append(c.types, named{name, c.shape(node)})
	}
	for path, item := range nodes.Pairs(nodes.At(c.root, "paths")) {
		for method, node := range nodes.Pairs(item) {
			tag := nodes.At(node, "tags").Content[0].Value
			if tag == "Jobs" || tag == "Server" || text(node, "x-not-in-clients") != "" {
				continue // the first two are written by hand; the tests of the clients find what nobody has written
			}
			if err := c.add(tag, strings.ToUpper(method), path, node); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
		}
	}
	return c, nil
}

// add adds an operation to its game.
func (c *contract) add(tag, method, path string, node *yaml.Node) error {
	i := slices.IndexFunc(c.games, func(g game) bool { return g.tag == tag })
	if i < 0 {
		name := strings.ReplaceAll(tag, " ", "")
		c.games = append(c.games, game{name: strings.ToLower(name[:1]) + name[1:], tag: tag})
		i = len(c.games) - 1
	}
	g := &c.games[i]
	o := operation{id: text(node, "operationId"), method: method, path: path, summary: text(node, "summary")}
	name, ok := strings.CutPrefix(o.id, g.name)
	if !ok {
		return fmt.Errorf("the operationId %s does not begin with %s", o.id, g.name)
	}
	o.name = strings.ToLower(name[:1]) + name[1:]
	if parameters := nodes.At(node, "parameters"); parameters != nil {
		for _, p := range parameters.Content {
			c.parameter(&o, c.resolve(p))
		}
	}
	o.body = reference(nodes.At(node, "requestBody", "content", "application/json", "schema"))
	for _, status := range []string{"202", "201", "200"} { // of a job and its answer, the answer
		response := c.resolve(nodes.At(node, "responses", status))
		if schema := reference(nodes.At(response, "content", "application/json", "schema")); schema != "" && schema != "Job" {
			o.answer = schema
		}
		o.waits = o.waits || status == "202" && response != nil
	}
	o.streams = o.answer != "" && nodes.At(node, "responses", "200", "content", "text/event-stream") != nil
	if o.waits && strings.HasSuffix(o.answer, "Job") { // it always makes a job, with the answer as its result
		o.answer = c.result(o.answer)
	}
	g.operations = append(g.operations, o)
	if o.name == "session" { // it reads what createSession makes, and is looked for by this name too
		o.name = "getSession"
		g.operations = append(g.operations, o)
	}
	return nil
}

func (c *contract) parameter(o *operation, p *yaml.Node) {
	name := text(p, "name")
	switch text(p, "in") {
	case "path":
		o.inPath = append(o.inPath, name)
	case "query":
		o.query = append(o.query, field{name, text(p, "required") == "true", c.shape(nodes.At(p, "schema"))})
	case "header":
		o.creates = o.creates || name == "Idempotency-Key"
	}
}

// result returns the schema of the result of a kind of job.
func (c *contract) result(job string) string {
	for _, part := range c.named(job).allOf {
		for _, f := range part.fields {
			if f.name == "result" {
				return f.shape.ref
			}
		}
	}
	return ""
}

// kind is a kind of job.
type kind struct{ name, request, result string }

// kinds returns the kinds of jobs, in the order of the contract.
func (c *contract) kinds() (all []kind) {
	for _, one := range c.named("JobRequest").oneOf {
		k := kind{result: c.result(strings.TrimSuffix(one.ref, "Request"))}
		for _, f := range c.named(one.ref).fields {
			if f.name == "kind" {
				k.name = f.shape.words[0]
			} else {
				k.request = f.shape.ref
			}
		}
		all = append(all, k)
	}
	return all
}

func (c *contract) named(name string) *shape {
	for _, t := range c.types {
		if t.name == name {
			return t.shape
		}
	}
	return nil
}

// resolve follows a reference to a parameter or a response.
func (c *contract) resolve(node *yaml.Node) *yaml.Node {
	if ref := text(node, "$ref"); ref != "" {
		return nodes.At(c.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return node
}

func (c *contract) shape(node *yaml.Node) *shape {
	s := &shape{ref: reference(node), description: text(node, "description"), nullable: text(node, "nullable") == "true"}
	if s.ref != "" {
		return s
	}
	if canonical := text(node, "x-canonical"); canonical != "" { // programs send the spelling of answers
		s.ref = canonical
		return s
	}
	s.kind = text(node, "type")
	s.oneOf, s.allOf = c.shapes(nodes.At(node, "oneOf")), c.shapes(nodes.At(node, "allOf"))
	if len(s.allOf) == 1 { // a reference with a description of its own
		s.ref, s.allOf = s.allOf[0].ref, nil
		return s
	}
	if enum := nodes.At(node, "enum"); enum != nil && s.kind == "boolean" {
		s.truth = enum.Content[0].Value
	} else if enum != nil && s.kind == "string" {
		for _, word := range enum.Content {
			s.words = append(s.words, word.Value)
		}
	}
	if items := nodes.At(node, "items"); items != nil {
		s.items = c.shape(items)
	}
	if values := nodes.At(node, "additionalProperties"); values != nil && values.Kind == yaml.MappingNode {
		s.items = c.shape(values)
	}
	var required []string
	if list := nodes.At(node, "required"); list != nil {
		for _, one := range list.Content {
			required = append(required, one.Value)
		}
	}
	for name, property := range nodes.Pairs(nodes.At(node, "properties")) {
		s.fields = append(s.fields, field{name, slices.Contains(required, name), c.shape(property)})
	}
	return s
}

func (c *contract) shapes(list *yaml.Node) (all []*shape) {
	if list == nil {
		return nil
	}
	for _, node := range list.Content {
		all = append(all, c.shape(node))
	}
	return all
}

// text returns the text of a field, or nothing.
func text(node *yaml.Node, name string) string {
	if value := nodes.At(node, name); value != nil {
		return value.Value
	}
	return ""
}

// reference returns the name of the schema that a node refers to, or nothing.
func reference(node *yaml.Node) string {
	ref := text(node, "$ref")
	return ref[strings.LastIndex(ref, "/")+1:]
}
