package contract

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Schema is a schema of the contract.
type Schema struct {
	Name        string // of a component; of a schema that is written inside another, its path: GinAdviseRequest.scores, NimHeaps[]
	Description string
	// Ref is the component that the schema is. Then only Description and Nullable are set too.
	Ref      *Schema
	Type     string // string, integer, number, boolean, array or object; empty for a schema of OneOf or AllOf
	Format   string
	Nullable bool
	Enum     []string // its values, as they are written
	Default  *string  // the value that stands for an absent one (x-default), as it is written
	Pattern  string
	Parsed   bool // the pattern is for readers of the contract: the game parses the text, and says what is wrong with it
	GoType   string
	// Canonical is the component with the spelling of answers, which programs send: "" for none.
	Canonical string

	Least, Most        *float64
	Multiple           *int
	MinItems, MaxItems int // MaxItems is -1 for any number
	MaxLength          int // 0 for any
	Unique             bool

	Items    *Schema // of a list
	Cards    int     // how many items a list of cards must have, which the game checks; 0 if MinItems and MaxItems say it
	Values   *Schema // of an object whose names are not given
	Closed   bool    // an object has no fields but these
	Fields   []Field // in the order of the contract
	Required []string
	// KeyWords are the words by which a request may call the fields, in upper or lower case like their names; nil for none.
	KeyWords map[string][]string
	OneOf    []*Schema
	AllOf    []*Schema // more than one
}

// Field is a field of an object, or a parameter of a query.
type Field struct {
	Name     string
	Required bool
	*Schema
}

// Is returns the schema behind references.
func (s *Schema) Is() *Schema {
	for s.Ref != nil {
		s = s.Ref
	}
	return s
}

// component returns the component that the schema refers to, or the schema.
func (s *Schema) component() *Schema {
	if s.Ref != nil {
		return s.Ref
	}
	return s
}

// IsNumber reports whether the schema is of numbers.
func (s *Schema) IsNumber() bool { return s.Type == "integer" || s.Type == "number" }

// schemas reads the components.
type schemas struct {
	nodes *yaml.Node
	known map[string]*Schema
}

const schemaPath = "#/components/schemas/"

// named returns the component of that name.
func (r *schemas) named(name string) (*Schema, error) {
	if s := r.known[name]; s != nil {
		return s, nil
	}
	node := at(r.nodes, name)
	if node == nil {
		return nil, fmt.Errorf("there is no schema %s", name)
	}
	s := &Schema{}
	r.known[name] = s // before what is in it, which may refer to it
	if err := r.into(s, node); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.setName(name)
	return s, nil
}

// setName gives a schema and those written inside it their names.
func (s *Schema) setName(name string) {
	s.Name = name
	if s.Items != nil {
		s.Items.setName(name + "[]")
	}
	for _, f := range s.Fields {
		f.setName(name + "." + f.Name)
	}
}

// read reads a schema.
func (r *schemas) read(node *yaml.Node) (*Schema, error) {
	s := &Schema{}
	return s, r.into(s, node)
}

func (r *schemas) into(s *Schema, node *yaml.Node) error {
	s.MaxItems = -1
	if node == nil || node.Kind != yaml.MappingNode {
		return errors.New("is no object")
	}
	for key, value := range pairs(node) {
		if err := r.keyword(s, key, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if len(s.AllOf) == 1 && s.AllOf[0].Ref != nil { // the contract writes a reference with a description of its own in this way
		s.Ref, s.AllOf = s.AllOf[0].Ref, nil
	}
	for i := range s.Fields {
		s.Fields[i].Required = slices.Contains(s.Required, s.Fields[i].Name)
	}
	for _, name := range s.Required {
		if !slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Name == name }) {
			return fmt.Errorf("the required field %s is no property", name)
		}
	}
	if s.Ref == nil && s.Type == "" && len(s.OneOf)+len(s.AllOf) == 0 {
		return errors.New("has no type")
	}
	return nil
}

// notRead are the keywords that say nothing to a generator.
var notRead = []string{"example", "discriminator", "minProperties", "maxProperties", "x-certain"}

// keyword reads one keyword of a schema. Its error is for one that it does not know, so that no check is missing.
//
//nolint:cyclop // one case for each keyword
func (r *schemas) keyword(s *Schema, key string, value *yaml.Node) (err error) {
	plain := map[string]any{
		"description": &s.Description, "type": &s.Type, "format": &s.Format, "nullable": &s.Nullable, "pattern": &s.Pattern,
		"x-parsed": &s.Parsed, "x-go-type": &s.GoType, "x-canonical": &s.Canonical, "minimum": &s.Least, "maximum": &s.Most,
		"multipleOf": &s.Multiple, "minItems": &s.MinItems, "maxItems": &s.MaxItems, "maxLength": &s.MaxLength, "uniqueItems": &s.Unique,
		"required": &s.Required, "x-cards": &s.Cards, "x-key-words": &s.KeyWords,
	}
	switch {
	case plain[key] != nil:
		return value.Decode(plain[key])
	case slices.Contains(notRead, key):
		return nil
	}
	switch key {
	case "$ref":
		s.Ref, err = r.named(strings.TrimPrefix(value.Value, schemaPath))
	case "default":
		return errors.New("makes a field required in generated clients: write x-default")
	case "x-default":
		s.Default = &value.Value
	case "enum":
		for _, one := range value.Content {
			s.Enum = append(s.Enum, one.Value)
		}
	case "items":
		s.Items, err = r.read(value)
	case "additionalProperties":
		if value.Kind == yaml.MappingNode {
			s.Values, err = r.read(value)
			return err
		}
		s.Closed = value.Value == "false"
	case "oneOf":
		s.OneOf, err = r.list(value)
	case "allOf":
		s.AllOf, err = r.list(value)
	case "properties":
		for name, property := range pairs(value) {
			inner, err := r.read(property)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.Fields = append(s.Fields, Field{Name: name, Schema: inner})
		}
	default:
		return errors.New("is a keyword that the contract has not used so far: add it here")
	}
	return err
}

func (r *schemas) list(node *yaml.Node) (all []*Schema, err error) {
	for _, one := range node.Content {
		if one.Kind == yaml.AliasNode {
			one = one.Alias
		}
		s, err := r.read(one)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
