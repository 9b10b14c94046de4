package main

import (
	"errors"
	"fmt"
	"strings"

	"roem/api/contract"
)

// shapes writes the shapes of the schemas of one game's requests: see service.Shape.
type shapes struct {
	prefix string
	names  []string                    // of the components, in the order of their use
	texts  map[*contract.Schema]string // of their shapes
}

// generate returns the generated file.
func (g *shapes) generate(c *contract.Contract, pkg string, of requests) ([]byte, error) {
	var cases, vars strings.Builder
	for _, o := range c.Operations {
		if o.Body == nil || !strings.HasPrefix(o.Path, of.path) {
			continue
		}
		if _, err := g.component(o.Body.Is()); err != nil {
			return nil, err
		}
	}
	for _, name := range g.names {
		s := c.Named(name)
		fmt.Fprintf(&vars, "var %s = %s\n\n", g.variable(s), g.texts[s])
		if s.Type == "object" {
			fmt.Fprintf(&cases, "case %q:\nreturn &%s\n", name, g.variable(s))
		}
	}
	const about = "// shapes returns the shape of a schema of requests, nil for a name that none has.\n"
	find := fmt.Sprintf("func shapes(name string) *service.Shape {\nswitch name {\n%s}\nreturn nil\n}\n\n", cases.String())
	return goFile(pkg, about+find+vars.String(), "roem/internal/service")
}

// variable is the name of the variable of a component: GinAdviseRequest has shapeOfAdviseRequest.
func (g *shapes) variable(s *contract.Schema) string {
	return "shapeOf" + strings.TrimPrefix(s.Name, g.prefix)
}

// component returns the name of the variable of a component, whose shape it writes.
func (g *shapes) component(s *contract.Schema) (string, error) {
	if _, known := g.texts[s]; !known {
		g.texts[s] = "" // a schema in itself refers to it
		g.names = append(g.names, s.Name)
		text, err := g.shape(s)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Name, err)
		}
		g.texts[s] = "service.Shape" + text
	}
	return "&" + g.variable(s), nil
}

// pointer returns the expression of a pointer to the shape of a schema.
func (g *shapes) pointer(s *contract.Schema) (string, error) {
	switch {
	case s.Ref != nil && s.Nullable:
		return "", errors.New("nullable beside a reference")
	case s.Ref != nil:
		return g.component(s.Is())
	}
	text, err := g.shape(s)
	return "&service.Shape" + text, err
}

// shape returns the shape of a schema, as the values of a composite literal.
func (g *shapes) shape(s *contract.Schema) (string, error) {
	if err := complete(s); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{Type: %q", s.Type)
	put := func(name string, value any) {
		if value != 0 && value != 0.0 && value != false && value != "" {
			fmt.Fprintf(&b, ", %s: %#v", name, value)
		}
	}
	put("Null", s.Nullable)
	if len(s.Enum) > 0 {
		put("Enum", s.Enum)
	}
	switch s.Type {
	case "object":
		if err := g.fields(&b, s); err != nil {
			return "", err
		}
	case "array":
		items, err := g.pointer(s.Items)
		if err != nil {
			return "", fmt.Errorf("items: %w", err)
		}
		put("MinItems", s.MinItems)
		put("MaxItems", s.MaxItems)
		put("Unique", s.Unique)
		put("Cards", strings.HasSuffix(s.Items.Is().Canonical, "Card"))
		put("Count", s.Cards)
		fmt.Fprintf(&b, ", Items: %s", items)
	case "string":
		put("MaxLength", s.MaxLength)
		put("Decimal", isDecimal(s))
		if s.Pattern != "" {
			put("What", s.What())
		}
		if isDecimal(s) {
			put("Form", s.Sentence())
		}
	case "integer", "number":
		put("What", s.WhatNumber())
		if len(s.Enum) == 0 {
			put("Least", *s.Least)
			put("Most", *s.Most)
		}
		if s.Multiple != nil {
			put("Multiple", *s.Multiple)
		}
	}
	b.WriteString("}")
	return b.String(), nil
}

// fields writes the fields of an object.
func (g *shapes) fields(b *strings.Builder, s *contract.Schema) error {
	if len(s.Required) > 0 {
		fmt.Fprintf(b, ", Required: %#v", s.Required)
	}
	if s.KeyWords != nil {
		b.WriteString(", Words: true")
	}
	b.WriteString(", Fields: []service.ShapeField{\n")
	for _, f := range s.Fields {
		shape, err := g.pointer(f.Schema)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		fmt.Fprintf(b, "{Name: %q", f.Name)
		if words := s.KeyWords[f.Name]; len(words) > 0 {
			fmt.Fprintf(b, ", Words: %#v", words)
		}
		fmt.Fprintf(b, ", Shape: %s},\n", shape)
	}
	b.WriteString("}")
	return nil
}
