package service

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Shape is a schema of the contract, with what a walk through a body needs, and what its violations say. api/gen writes the shapes of
// the requests of each game, as data that no program has to read or to make when it starts.
type Shape struct {
	Type string // object, array, string, integer, number or boolean
	Null bool   // the value may be null
	Enum []string
	// What names the value in a few words, and Form is the sentence that says how a text is written. They are empty where no violation
	// says so.
	What, Form string

	Fields   []ShapeField // of an object, in the order of the contract
	Required []string     // the fields that it must have
	Open     bool         // it may have others, which are not checked
	Words    bool         // a request may call the fields by their Words, in upper or lower case

	Items              *Shape // of a list
	MinItems, MaxItems int
	Unique             bool // no two items are equal
	Cards              bool // the items are cards
	Count              int  // how many items the list must have, which the game checks; 0 if MinItems and MaxItems say it

	MaxLength int  // of a text, in characters; 0 for any
	Decimal   bool // a text is a number of 1 to 20 digits

	Least, Most, Multiple float64 // of a number without Enum; Multiple is 0 for any
}

// ShapeField is a field of an object.
type ShapeField struct {
	Name  string
	Words []string // in lower case
	*Shape
}

// anyObject is the shape of an object that is only read.
var anyObject = &Shape{Type: "object", Open: true}

// anything is the shape of a value that is not checked, because it is taken as absent.
var anything = &Shape{Null: true}

// begins reports whether a value of the shape, which is not null, may begin with a token of a kind.
func (s *Shape) begins(kind jsontext.Kind) bool {
	switch s.Type {
	case "object":
		return kind == '{'
	case "array":
		return kind == '['
	case "string":
		return kind == '"'
	case "boolean":
		return kind == 't' || kind == 'f'
	default:
		return kind == '0' && s.Type != ""
	}
}

// field returns the shape of a field, nil if there is none of that name.
func (s *Shape) field(name string) *Shape {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	return nil
}

// named returns the name of the field that a word stands for, empty for none: the name itself, in upper or lower case, or one of its words.
func (s *Shape) named(word string) string {
	word = strings.ToLower(word)
	for i := range s.Fields {
		if f := &s.Fields[i]; strings.ToLower(f.Name) == word || slices.Contains(f.Words, word) {
			return f.Name
		}
	}
	return ""
}

// loose returns the shape with any object, or a list of any objects, in a field.
func (s *Shape) loose(name string) *Shape {
	out := *s
	out.Fields = slices.Clone(s.Fields)
	for i := range out.Fields {
		switch f := &out.Fields[i]; {
		case f.Name != name:
		case f.Type == "array":
			list := *f.Shape
			list.Items = anyObject
			f.Shape = &list
		default:
			f.Shape = anyObject
		}
	}
	return &out
}

// FieldNames returns the names of the fields of an object, sorted.
func (s *Shape) FieldNames() []string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	slices.Sort(names)
	return names
}

// typeName is the type with its article.
func (s *Shape) typeName() string {
	if strings.ContainsAny(s.Type[:min(1, len(s.Type))], "aeiou") {
		return "an " + s.Type
	}
	return "a " + s.Type
}
