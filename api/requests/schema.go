package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"roem/api/nodes"
)

// schema is a schema of the contract with the keywords that requests use.
type schema struct {
	name      string // of the component; of a schema that is written inside another, its path: GinAdviseRequest.scores
	kind      string // its type
	nullable  bool
	enum      []string // as Go literals
	pattern   string
	decimal   bool // a text of 1 to 20 digits
	parsed    bool // the pattern is for readers of the contract: the game parses the text, and says what is wrong with it
	least     *float64
	most      *float64
	multiple  *int
	minItems  int
	maxItems  int
	maxLength int // 0 for any
	unique    bool
	fallback  string // the value that stands for an absent one, as a Go literal; empty for none
	items     *schema
	fields    []field // in the order of the contract
}

type field struct {
	name     string
	required bool
	schema   *schema
}

// decimalPattern is the only pattern that bodies are checked for, by service.Decimal.
const decimalPattern = "^[0-9]{1,20}$"

var decimal = regexp.MustCompile(decimalPattern)

// contract reads schemas of the contract.
type contract struct {
	paths, schemas *yaml.Node
	known          map[string]*schema
}

func newContract(text []byte) (*contract, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	root := doc.Content[0]
	c := &contract{paths: nodes.At(root, "paths"), schemas: nodes.At(root, "components", "schemas"), known: map[string]*schema{}}
	if c.paths == nil || c.schemas == nil {
		return nil, errors.New("it has no paths or no components/schemas")
	}
	return c, nil
}

// requests returns the schemas of the request bodies of the operations whose paths begin with prefix, in the order of the contract.
func (c *contract) requests(prefix string) (list []*schema, err error) {
	for path, operations := range nodes.Pairs(c.paths) {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		for _, operation := range nodes.Pairs(operations) {
			node := nodes.At(operation, "requestBody", "content", "application/json", "schema")
			if node == nil {
				continue
			}
			s, err := c.read(node)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no operation below %s has a request body", prefix)
	}
	return list, nil
}

// named returns the schema of that name.
func (c *contract) named(name string) (*schema, error) {
	if s := c.known[name]; s != nil {
		return s, nil
	}
	node := nodes.At(c.schemas, name)
	if node == nil {
		return nil, fmt.Errorf("the contract has no schema %s", name)
	}
	s, err := c.read(node)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.setName(name)
	c.known[name] = s
	return s, nil
}

// setName gives a schema and those written inside it their names.
func (s *schema) setName(name string) {
	if s.name != "" {
		return
	}
	s.name = name
	if s.items != nil {
		s.items.setName(name + "[]")
	}
	for _, f := range s.fields {
		f.schema.setName(name + "." + f.name)
	}
}

// read reads a schema. Its error names a keyword that it does not know, so that no check is missing.
func (c *contract) read(node *yaml.Node) (*schema, error) {
	if ref := nodes.At(node, "$ref"); ref != nil {
		return c.named(strings.TrimPrefix(ref.Value, "#/components/schemas/"))
	}
	if all := nodes.At(node, "allOf"); all != nil { // the contract writes a reference with a description of its own in this way
		for key := range nodes.Pairs(node) {
			if key != "allOf" && key != "description" || len(all.Content) != 1 {
				return nil, errors.New("allOf with more than one reference")
			}
		}
		return c.read(all.Content[0])
	}
	s := &schema{maxItems: -1}
	var required []string
	var closed bool
	for key, value := range nodes.Pairs(node) {
		if err := s.keyword(c, key, value, &required, &closed); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	for i := range s.fields {
		f := &s.fields[i]
		for k, name := range required {
			if name == f.name {
				f.required = true
				required = append(required[:k], required[k+1:]...)
				break
			}
		}
	}
	if err := s.complete(required, closed); err != nil {
		return nil, err
	}
	return s, nil
}

// keyword reads one keyword of a schema.
//
//nolint:funlen // one case for each keyword
func (s *schema) keyword(c *contract, key string, value *yaml.Node, required *[]string, closed *bool) (err error) {
	switch key {
	case "description", "example", "x-go-type", "x-canonical", "x-cards", "x-key-words":
		return nil
	case "default":
		return errors.New("makes a field required in generated clients: write x-default")
	case "x-default":
		if s.fallback = value.Value; value.Tag == "!!str" {
			s.fallback = strconv.Quote(value.Value)
		}
		return nil
	case "type":
		return value.Decode(&s.kind)
	case "nullable":
		return value.Decode(&s.nullable)
	case "minimum":
		return value.Decode(&s.least)
	case "maximum":
		return value.Decode(&s.most)
	case "multipleOf":
		return value.Decode(&s.multiple)
	case "minItems":
		return value.Decode(&s.minItems)
	case "maxItems":
		return value.Decode(&s.maxItems)
	case "maxLength":
		return value.Decode(&s.maxLength)
	case "uniqueItems":
		return value.Decode(&s.unique)
	case "required":
		return value.Decode(required)
	case "items":
		s.items, err = c.read(value)
		return err
	case "format":
		if value.Value != "double" {
			return fmt.Errorf("%s is unknown", value.Value)
		}
		return nil
	case "pattern":
		s.decimal, s.pattern = value.Value == decimalPattern, value.Value
		return nil
	case "x-parsed":
		return value.Decode(&s.parsed)
	case "additionalProperties":
		*closed = value.Value == "false"
		return nil
	case "enum":
		for _, one := range value.Content {
			literal := one.Value
			if one.Tag == "!!str" {
				literal = strconv.Quote(literal)
			}
			s.enum = append(s.enum, literal)
		}
		return nil
	case "properties":
		for name, property := range nodes.Pairs(value) {
			inner, err := c.read(property)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.fields = append(s.fields, field{name: name, schema: inner})
		}
		return nil
	default:
		return errors.New("is a keyword that requests have not used so far: add it here")
	}
}

// complete returns an error for a schema that leaves open what its checks rely on.
func (s *schema) complete(missing []string, closed bool) error {
	switch {
	case len(missing) > 0:
		return fmt.Errorf("required fields are no properties: %s", strings.Join(missing, ", "))
	case s.kind == "object" && !closed:
		return errors.New("an object without additionalProperties: false")
	case s.kind == "array" && (s.items == nil || s.maxItems < 0):
		return errors.New("a list without items or maxItems")
	case s.isNumber() && len(s.enum) == 0 && (s.least == nil || s.most == nil):
		return errors.New("a number without minimum or maximum")
	case s.unique && (s.items == nil || s.items.kind != "string"):
		return errors.New("uniqueItems of other values than strings")
	case s.pattern != "" && !s.decimal && !s.parsed:
		return fmt.Errorf("a pattern other than %s, and no x-parsed", decimalPattern)
	case s.multiple != nil && s.kind != "integer":
		return errors.New("multipleOf for another number than an integer")
	case s.fallback != "" && !s.meets(s.fallback):
		return fmt.Errorf("the x-default %s, which does not meet the schema", s.fallback)
	case s.kind != "object" && s.kind != "array" && s.kind != "string" && s.kind != "boolean" && !s.isNumber():
		return fmt.Errorf("the type %q", s.kind)
	}
	return nil
}

// meets reports whether a Go literal meets the schema, which is a number, a boolean or a decimal text.
func (s *schema) meets(literal string) bool {
	if s.isNumber() {
		x, err := strconv.ParseFloat(literal, 64)
		return err == nil && len(s.enum) == 0 && x >= *s.least && x <= *s.most && s.multiple == nil && (s.kind == "number" || x == math.Trunc(x))
	}
	text, err := strconv.Unquote(literal)
	return s.kind == "boolean" && (literal == "true" || literal == "false") || s.decimal && err == nil && decimal.MatchString(text)
}

func (s *schema) isNumber() bool { return s.kind == "integer" || s.kind == "number" }
