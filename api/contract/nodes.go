package contract

import (
	"iter"

	"go.yaml.in/yaml/v3"
)

// at returns the value at a path of names in an object, or nil. An alias stands for the object that it names.
func at(object *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		var found *yaml.Node
		for key, value := range pairs(object) {
			if key == name {
				found = value
			}
		}
		if object = found; object == nil {
			return nil
		}
	}
	return object
}

// pairs yields the names and values of an object, in order; nothing for another node.
func pairs(object *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if object == nil || object.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(object.Content); i += 2 {
			value := object.Content[i+1]
			if value.Kind == yaml.AliasNode {
				value = value.Alias
			}
			if !yield(object.Content[i].Value, value) {
				return
			}
		}
	}
}
