package handlers_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"roem/api"
)

// orders knows the order in which the contract has the properties of each answer.
type orders struct {
	contract *yaml.Node
	schemas  map[string]*yaml.Node // by the name of the answer among components/examples
	objects  int                   // that were compared
}

func newOrders(t *testing.T) *orders {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(api.OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	o := &orders{contract: doc.Content[0], schemas: map[string]*yaml.Node{}}
	o.collect(at(o.contract, "paths"))
	o.collect(at(at(o.contract, "components"), "responses"))
	return o
}

// collect finds the answers of all responses within a node: examples beside their schema.
func (o *orders) collect(node *yaml.Node) {
	if schema := at(node, "schema"); schema != nil {
		for _, example := range values(at(node, "examples")) {
			if ref := at(example, "$ref"); ref != nil {
				o.schemas[strings.TrimPrefix(ref.Value, "#/components/examples/")] = schema
			}
		}
	}
	for _, child := range node.Content {
		o.collect(child)
	}
}

// check returns an error if an object in the answer has its fields in another order than the contract.
func (o *orders) check(name string, answer []byte) error {
	var doc yaml.Node // JSON is YAML; the decoder keeps the order of fields
	if err := yaml.Unmarshal(answer, &doc); err != nil {
		return err
	}
	return o.compare(doc.Content[0], o.schemas[name])
}

// checkExample is check for the answer that the contract shows.
func (o *orders) checkExample(name string) error {
	example := at(at(at(o.contract, "components"), "examples"), name)
	return o.compare(at(example, "value"), o.schemas[name])
}

// compare compares a value with its schema. The error names the place of the first difference.
func (o *orders) compare(value, schema *yaml.Node) error {
	if schema = o.resolve(schema); schema == nil {
		return errors.New(": the contract has no schema for it")
	}
	switch parts := values(at(schema, "allOf")); len(parts) {
	case 0:
	case 1:
		return o.compare(value, parts[0])
	default: // parts of one object
		all := &yaml.Node{Kind: yaml.MappingNode}
		for _, part := range parts {
			all.Content = append(all.Content, at(o.resolve(part), "properties").Content...)
		}
		schema = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "properties"}, all}}
	}
	for _, kind := range []string{"anyOf", "oneOf"} {
		if parts := values(at(schema, kind)); parts != nil && value.Kind == yaml.MappingNode {
			return o.compareAny(value, parts)
		}
	}
	switch value.Kind {
	case yaml.SequenceNode:
		for i, item := range value.Content {
			if err := o.compare(item, at(schema, "items")); err != nil {
				return fmt.Errorf("/%d%w", i, err)
			}
		}
	case yaml.MappingNode:
		properties := at(schema, "properties")
		if properties == nil {
			return nil
		}
		o.objects++
		given := names(value)
		want := slices.DeleteFunc(names(properties), func(name string) bool { return !slices.Contains(given, name) })
		if !slices.Equal(given, want) {
			return fmt.Errorf(": the fields are in the order %q, in the contract %q", given, want)
		}
		for i, name := range given {
			if err := o.compare(value.Content[2*i+1], at(properties, name)); err != nil {
				return fmt.Errorf("/%s%w", name, err)
			}
		}
	}
	return nil
}

// resolve follows references.
func (o *orders) resolve(schema *yaml.Node) *yaml.Node {
	for at(schema, "$ref") != nil {
		path := strings.TrimPrefix(at(schema, "$ref").Value, "#/")
		schema = o.contract
		for part := range strings.SplitSeq(path, "/") {
			schema = at(schema, part)
		}
	}
	return schema
}

// compareAny succeeds if the value is like one of the schemas.
func (o *orders) compareAny(value *yaml.Node, schemas []*yaml.Node) (err error) {
	for _, one := range schemas {
		if err = o.compare(value, one); err == nil {
			return nil
		}
	}
	return err
}

func names(object *yaml.Node) []string {
	var out []string
	for i := 0; object != nil && i < len(object.Content); i += 2 {
		out = append(out, object.Content[i].Value)
	}
	return out
}

// values returns the values of an object, or the items of a list.
func values(node *yaml.Node) []*yaml.Node {
	if node != nil && node.Kind == yaml.SequenceNode {
		return node.Content
	}
	var out []*yaml.Node
	for i := 1; node != nil && i < len(node.Content); i += 2 {
		out = append(out, node.Content[i])
	}
	return out
}

// at returns the value of a field of an object, or nil.
func at(object *yaml.Node, name string) *yaml.Node {
	for i := 0; object != nil && object.Kind == yaml.MappingNode && i < len(object.Content); i += 2 {
		if object.Content[i].Value == name {
			if value := object.Content[i+1]; value.Kind == yaml.AliasNode {
				return value.Alias
			}
			return object.Content[i+1]
		}
	}
	return nil
}
