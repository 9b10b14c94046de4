package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// generator writes the types of the requests of one game.
type generator struct {
	pkg, prefix string
	types       map[string]string // the Go types that are given, by schema or schema.field
	used        map[string]bool   // which of them are
	limits      []string          // constants
	parts       []*part
	structs     []*object
	enums       []*schema
	names       map[*schema]string // of the Go types of objects and of the lists of values of enumerations
	taken       map[string]*schema // by these names
}

func newGenerator(pkg string) *generator {
	return &generator{
		pkg: pkg, types: map[string]string{}, used: map[string]bool{}, names: map[*schema]string{}, taken: map[string]*schema{},
	}
}

// object is an object of the contract, for which a struct is written.
type object struct {
	schema *schema
	embeds []*part
	own    []field // those that it does not embed
}

// part is a struct that objects embed.
type part struct {
	name, about string
	fields      []field
	whole       *schema // the schema of which it has all fields, if it is one
}

// addPart adds a part: the name of a schema, or type=schema:first..last.
func (g *generator) addPart(c *contract, text string) error {
	name, rest, some := strings.Cut(text, "=")
	if !some {
		s, err := c.named(text)
		if err != nil {
			return err
		}
		g.parts = append(g.parts, &part{name: g.typeName(s), fields: s.fields, whole: s})
		return nil
	}
	of, fields, _ := strings.Cut(rest, ":")
	first, last, ok := strings.Cut(fields, "..")
	if !ok {
		return errors.New("expected type=schema:first..last")
	}
	s, err := c.named(of)
	if err != nil {
		return err
	}
	p := &part{name: name, about: fmt.Sprintf("has the fields from %s to %s of %s", first, last, of)}
	for _, f := range s.fields {
		if f.name == first || len(p.fields) > 0 {
			p.fields = append(p.fields, f)
		}
		if f.name == last && len(p.fields) > 0 {
			g.parts = append(g.parts, p)
			return nil
		}
	}
	return fmt.Errorf("%s has no such fields", of)
}

// fits reports whether an object has all fields of a part, and requires those that the part requires.
func (p *part) fits(s *schema) bool {
	for _, want := range p.fields {
		found := false
		for _, f := range s.fields {
			found = found || f.name == want.name && (f.required || !want.required) && same(f.schema, want.schema)
		}
		if !found {
			return false
		}
	}
	return p.whole != s
}

// within reports whether the fields of a part are among those.
func (p *part) within(fields map[string]bool) bool {
	for _, f := range p.fields {
		if !fields[f.name] {
			return false
		}
	}
	return true
}

// same reports whether two schemas say the same. Objects are the same only if they are one component.
func same(a, b *schema) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.kind == "object":
		return false
	}
	x, y := *a, *b
	x.name, y.name, x.items, y.items = "", "", nil, nil
	return reflect.DeepEqual(x, y) && same(a.items, b.items)
}

// collect notes a schema and those in it.
func (g *generator) collect(s *schema) error {
	if g.names[s] != "" {
		return nil
	}
	if goType := g.given(s); goType != "" && (s.kind != "array" || !isList(goType) && (s.items.kind != "string" || len(s.items.enum) > 0)) {
		return fmt.Errorf("%s: a type is for lists, and one that is no list for lists of texts", s.name)
	}
	switch {
	case s.kind == "array":
		return g.collect(s.items)
	case len(s.enum) > 0:
		g.enums = append(g.enums, s)
		return g.take(s, lowerFirst(g.base(s))+"Values")
	case s.kind != "object":
		return nil
	}
	if err := g.take(s, g.typeName(s)); err != nil {
		return err
	}
	o := &object{schema: s}
	embedded := map[string]bool{}
	for _, f := range s.fields {
		if f.required && f.schema.fallback != "" {
			return fmt.Errorf("%s.%s: a required field has no x-default", s.name, f.name)
		}
	}
	for _, p := range g.parts {
		if p.fits(s) && !p.within(embedded) {
			o.embeds = append(o.embeds, p)
			for _, f := range p.fields {
				if embedded[f.name] {
					return fmt.Errorf("%s: two parts have the field %s", s.name, f.name)
				}
				embedded[f.name] = true
			}
		}
	}
	g.structs = append(g.structs, o)
	for _, f := range s.fields {
		if !embedded[f.name] {
			o.own = append(o.own, f)
		}
		if err := g.collect(f.schema); err != nil {
			return err
		}
		if g.given(f.schema) == "" && f.schema.hasDefaults() {
			return fmt.Errorf("%s.%s: defaults inside a field would not be set", s.name, f.name)
		}
	}
	return nil
}

// hasDefaults reports whether a field of a schema, or of what is in it, has a default other than a zero value.
func (s *schema) hasDefaults() bool {
	if s.items != nil {
		return s.items.hasDefaults()
	}
	return slices.ContainsFunc(s.fields, func(f field) bool { return f.hasDefault() || f.schema.hasDefaults() })
}

// take gives a schema a name, which no other has.
func (g *generator) take(s *schema, name string) error {
	if g.taken[name] != nil {
		return fmt.Errorf("%s and %s both have the Go name %s", s.name, g.taken[name].name, name)
	}
	g.names[s], g.taken[name] = name, s
	return nil
}

// base is the name of a schema in Go, without the prefix of the game: GinAdviseRequest.scores is AdviseScores.
func (g *generator) base(s *schema) string {
	name, inner, inside := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(s.name, g.prefix), "[]", ""), ".")
	if !inside {
		return name
	}
	name = withoutSuffix(name)
	for field := range strings.SplitSeq(inner, ".") {
		name += goName(field)
	}
	return name
}

// typeName is the name of the Go type of an object.
func (g *generator) typeName(s *schema) string { return lowerFirst(withoutSuffix(g.base(s))) + "Body" }

func withoutSuffix(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "Request"), "Input")
}

// given is the Go type that is given for a schema; empty for none.
func (g *generator) given(s *schema) string {
	goType := g.types[s.name]
	if goType != "" {
		g.used[s.name] = true
	}
	return goType
}

// isList reports whether a Go type is a list.
func isList(goType string) bool { return strings.HasPrefix(goType, "[]") }

// goType is the Go type of a value of a schema.
func (g *generator) goType(s *schema) string {
	if goType := g.given(s); goType != "" {
		return goType
	}
	switch {
	case s.kind == "array":
		item := g.goType(s.items)
		if s.items.nullable {
			item = "*" + item
		}
		return "[]" + item
	case s.kind == "object":
		return g.names[s]
	case s.kind == "string" && len(s.enum) > 0 && !strings.ContainsAny(s.name, ".["):
		return "api." + s.name
	default:
		return map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}[s.kind]
	}
}

// showsAbsence reports whether the check refuses the zero value of the Go type, so that it stands for a value that is absent.
func (s *schema) showsAbsence() bool {
	switch {
	case s.nullable:
		return false
	case s.kind == "object":
		for _, f := range s.fields {
			if f.required {
				return true
			}
		}
		return false
	case s.isNumber() && len(s.enum) == 0:
		return *s.least > 0 || *s.most < 0
	default:
		return s.kind == "string" || s.kind == "array"
	}
}

// isPointer reports whether a field is a pointer.
func (g *generator) isPointer(f field) bool {
	goType := g.given(f.schema)
	list := f.schema.kind == "array" && (goType == "" || isList(goType))
	return !list && f.schema.fallback == "" && (!f.required || !f.schema.showsAbsence())
}

func (g *generator) write(w *strings.Builder) {
	for _, p := range g.parts {
		if p.whole == nil {
			g.writeStruct(w, p.name, p.about, &object{own: p.fields}, p.fields)
		}
	}
	for _, o := range g.structs {
		g.writeStruct(w, g.names[o.schema], "is the body of "+o.schema.name, o, o.schema.fields)
	}
	if len(g.enums) > 0 {
		w.WriteString("// The values of the enumerations, in the order of the contract.\nvar (\n")
		for _, s := range g.enums {
			fmt.Fprintf(w, "%s = []%s{%s}\n", g.names[s], g.goType(s), strings.Join(s.enum, ", "))
		}
		w.WriteString(")\n\n")
	}
	if len(g.limits) > 0 {
		fmt.Fprintf(w, "// The greatest values, or numbers of items, of fields.\nconst (\n%s)\n", strings.Join(g.limits, ""))
	}
}

// addLimit adds the constant for the greatest value of a number, or the greatest number of items of a list: schema.field.
func (g *generator) addLimit(c *contract, text string) error {
	of, name, _ := strings.Cut(text, ".")
	s, err := c.named(of)
	if err != nil {
		return err
	}
	for _, f := range s.fields {
		if f.name != name {
			continue
		}
		var most string
		switch {
		case f.schema.isNumber() && f.schema.most != nil:
			most = number(*f.schema.most)
		case f.schema.kind == "array":
			most = strconv.Itoa(f.schema.maxItems)
		default:
			return errors.New("it has no limit")
		}
		g.limits = append(g.limits, fmt.Sprintf("max%s%s = %s\n", withoutSuffix(g.base(s)), goName(name), most))
		return nil
	}
	return fmt.Errorf("%s has no such field", of)
}

// writeStruct writes the type of an object and its check. all are the fields with those that it embeds.
func (g *generator) writeStruct(w *strings.Builder, name, about string, o *object, all []field) {
	fmt.Fprintf(w, "// %s %s.\ntype %s struct {\n", name, about, name)
	for _, p := range o.embeds {
		fmt.Fprintf(w, "%s\n", p.name)
	}
	for _, f := range o.own {
		star := ""
		if g.isPointer(f) {
			star = "*"
		}
		fmt.Fprintf(w, "%s %s%s `json:%q`\n", goName(f.name), star, g.goType(f.schema), f.name)
	}
	fmt.Fprintf(w, "}\n\n// Valid reports whether the body meets its schema: see service.Decode.\nfunc (in *%s) Valid() bool {\n", name)
	for _, p := range o.embeds {
		fmt.Fprintf(w, "if !in.%s.Valid() {\nreturn false\n}\n", p.name)
		for _, f := range p.fields { // the part may leave out what the whole may not
			for _, outer := range all {
				if outer.name == f.name && outer.required && !f.required {
					refuseIf(w, g.absent("in."+goName(f.name), f))
				}
			}
		}
	}
	for _, f := range o.own {
		g.writeField(w, "in."+goName(f.name), f)
	}
	w.WriteString("return true\n}\n\n")
	g.writeDefaults(w, name, o)
}

// writeDefaults writes the method that gives the fields of a struct their defaults, if one has one.
func (g *generator) writeDefaults(w *strings.Builder, name string, o *object) {
	var body strings.Builder
	for _, p := range o.embeds {
		if slices.ContainsFunc(p.fields, field.hasDefault) {
			fmt.Fprintf(&body, "in.%s.SetDefaults()\n", p.name)
		}
	}
	for _, f := range o.own {
		if f.hasDefault() {
			fmt.Fprintf(&body, "in.%s = %s\n", goName(f.name), f.schema.fallback)
		}
	}
	if body.Len() > 0 {
		w.WriteString("// SetDefaults gives the fields that may be absent their defaults.\n")
		fmt.Fprintf(w, "func (in *%s) SetDefaults() {\n%s}\n\n", name, body.String())
	}
}

// hasDefault reports whether a field has a default other than the zero value of its type.
func (f field) hasDefault() bool {
	return !slices.Contains([]string{"", "0", "false"}, f.schema.fallback)
}

// absent is the condition that a field is absent.
func (g *generator) absent(expr string, f field) string {
	if g.isPointer(f) || f.schema.kind == "array" {
		return expr + " == nil"
	}
	return expr + ` == ""`
}

// writeField writes the check of a field.
func (g *generator) writeField(w *strings.Builder, expr string, f field) {
	s := f.schema
	pointer := g.isPointer(f)
	given := g.given(s)
	var check strings.Builder
	value := expr
	if pointer && s.kind != "object" {
		value = "*" + expr
		if given != "" {
			value = expr
		}
	}
	g.writeCheck(&check, value, s, given, 0)
	switch {
	case f.required && (pointer || s.kind == "array" && (given == "" || isList(given)) && s.minItems == 0),
		f.required && s.kind == "string" && len(s.enum) == 0 && !s.decimal:
		refuseIf(w, g.absent(expr, f))
		w.WriteString(check.String())
	case f.required || s.fallback != "" || check.Len() == 0:
		w.WriteString(check.String())
	case s.kind == "array" && s.minItems == 0 && !pointer: // a list that is absent meets the checks
		w.WriteString(check.String())
	default:
		writeIfGiven(w, expr, check.String())
	}
}

// writeIfGiven writes a check for a value that is not nil.
func writeIfGiven(w *strings.Builder, expr, check string) {
	condition, only := strings.CutSuffix(check, " {\nreturn false\n}\n")
	condition = strings.TrimPrefix(condition, "if ")
	switch {
	case !only || strings.Contains(condition, "\n"):
		fmt.Fprintf(w, "if %s != nil {\n%s}\n", expr, check)
	case strings.Contains(condition, "||"):
		refuseIf(w, fmt.Sprintf("%s != nil && (%s)", expr, condition))
	default:
		refuseIf(w, expr+" != nil && "+condition)
	}
}

// writeCheck writes what refuses a value that does not meet its schema. given is the Go type that is given for it.
func (g *generator) writeCheck(w *strings.Builder, expr string, s *schema, given string, depth int) {
	switch {
	case given != "" && !isList(given):
		refuseIf(w, fmt.Sprintf("!%s.meets(%d, %d, %d)", expr, s.minItems, s.maxItems, s.items.maxLength))
	case s.kind == "object":
		refuseIf(w, fmt.Sprintf("!%s.Valid()", expr))
	case s.kind == "array":
		g.writeList(w, expr, s, given, depth)
	case len(s.enum) > 0:
		refuseIf(w, fmt.Sprintf("!slices.Contains(%s, %s)", g.names[s], expr))
	case s.decimal:
		refuseIf(w, fmt.Sprintf("!service.Decimal(%s)", expr))
	case s.maxLength > 0:
		refuseIf(w, fmt.Sprintf("!service.Short(%s, %d)", expr, s.maxLength))
	case s.isNumber():
		condition := fmt.Sprintf("%s < %s || %s > %s", expr, number(*s.least), expr, number(*s.most))
		if s.multiple != nil {
			condition += fmt.Sprintf(" || %s%%%d != 0", expr, *s.multiple)
		}
		refuseIf(w, condition)
	}
}

// writeList writes the check of a list.
func (g *generator) writeList(w *strings.Builder, expr string, s *schema, given string, depth int) {
	switch {
	case s.minItems == s.maxItems:
		refuseIf(w, fmt.Sprintf("len(%s) != %d", expr, s.minItems))
	case s.minItems > 0:
		refuseIf(w, fmt.Sprintf("len(%s) < %d || len(%s) > %d", expr, s.minItems, expr, s.maxItems))
	default:
		refuseIf(w, fmt.Sprintf("len(%s) > %d", expr, s.maxItems))
	}
	if s.unique {
		refuseIf(w, fmt.Sprintf("!service.Distinct(%s)", expr))
	}
	if given != "" {
		return
	}
	index := "i" + strings.Repeat("i", depth)
	item := fmt.Sprintf("%s[%s]", expr, index)
	var check strings.Builder
	if s.items.nullable {
		g.writeCheck(&check, "*"+item, s.items, "", depth+1)
		if check.Len() > 0 {
			text := check.String()
			check.Reset()
			writeIfGiven(&check, item, text)
		}
	} else {
		g.writeCheck(&check, item, s.items, g.given(s.items), depth+1)
	}
	if check.Len() > 0 {
		fmt.Fprintf(w, "for %s := range %s {\n%s}\n", index, expr, check.String())
	}
}

func refuseIf(w *strings.Builder, condition string) {
	fmt.Fprintf(w, "if %s {\nreturn false\n}\n", condition)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// goName is the Go name of a field.
func goName(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		out.WriteString(upperFirst(word))
	}
	if text := out.String(); text[0] > '9' {
		return text
	}
	return "N" + out.String()
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }
