package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roem/api/contract"
)

// bodies writes the types of the requests of one game.
type bodies struct {
	pkg, prefix string
	types       map[string]string // the Go types that are given, by schema or schema.field
	used        map[string]bool   // which of them are
	limits      []string          // constants
	parts       []*part
	structs     []*object
	enums       []*contract.Schema
	names       map[*contract.Schema]string // of the Go types of objects and of the lists of values of enumerations
	taken       map[string]*contract.Schema // by these names
}

func newBodies(pkg string, of requests) *bodies {
	return &bodies{
		pkg: pkg, prefix: of.prefix, types: of.types, used: map[string]bool{}, names: map[*contract.Schema]string{},
		taken: map[string]*contract.Schema{},
	}
}

// generate returns the generated file: the Go types into which the request bodies of a game are decoded, each with a method that reports
// whether a value meets its schema. service.Decode says how the types are used. The checks are for values that have been decoded with
// unknown fields refused and without null, so that they are only about what the Go types accept and the schema does not.
//
//   - A text, a list or an object that must be given is a value, since its zero value does not meet the check; the others are pointers. An
//     optional list is nil if it is absent. A text that must be given and is empty may meet its schema, but not the check.
//   - A field with an x-default is a value too. SetDefaults gives it the default before the body is decoded.
//   - A part is a struct that each request embeds which has all of its fields: a whole schema (TarokPosition), or some neighbouring
//     fields of one (viewBody=TarokWorldsRequest:seat..rules). The parts are tried in their order.
//   - A type is the Go type for a schema, or for one written inside another. One that begins with [] is a list whose items are not
//     checked. Another is for lists of texts: it has the method meets(least, most, length int) bool, which is false for the zero value.
func (g *bodies) generate(c *contract.Contract, of requests) ([]byte, error) {
	for _, text := range of.parts {
		if err := g.addPart(c, text); err != nil {
			return nil, fmt.Errorf("part %s: %w", text, err)
		}
	}
	for _, text := range of.limits {
		if err := g.addLimit(c, text); err != nil {
			return nil, fmt.Errorf("limit %s: %w", text, err)
		}
	}
	some := false
	for _, o := range c.Operations {
		if o.Body == nil || !strings.HasPrefix(o.Path, of.path) {
			continue
		}
		some = true
		if err := g.collect(o.Body.Is()); err != nil {
			return nil, err
		}
	}
	if !some {
		return nil, fmt.Errorf("no operation below %s has a request body", of.path)
	}
	for name := range of.types {
		if !g.used[name] {
			return nil, fmt.Errorf("no request has a %s, for which a type is given", name)
		}
	}
	var body strings.Builder
	g.write(&body)
	return goFile(g.pkg, body.String(), "slices", "roem/internal/api", "roem/internal/service")
}

// object is an object of the contract, for which a struct is written.
type object struct {
	schema *contract.Schema
	embeds []*part
	own    []contract.Field // those that it does not embed
}

// part is a struct that objects embed.
type part struct {
	name, about string
	fields      []contract.Field
	whole       *contract.Schema // the schema of which it has all fields, if it is one
}

// addPart adds a part: the name of a schema, or type=schema:first..last.
func (g *bodies) addPart(c *contract.Contract, text string) error {
	name, rest, some := strings.Cut(text, "=")
	if !some {
		s, err := checked(c, text)
		if err != nil {
			return err
		}
		g.parts = append(g.parts, &part{name: g.typeName(s), fields: s.Fields, whole: s})
		return nil
	}
	of, fields, _ := strings.Cut(rest, ":")
	first, last, ok := strings.Cut(fields, "..")
	if !ok {
		return errors.New("expected type=schema:first..last")
	}
	s, err := checked(c, of)
	if err != nil {
		return err
	}
	p := &part{name: name, about: fmt.Sprintf("has the fields from %s to %s of %s", first, last, of)}
	for _, f := range s.Fields {
		if f.Name == first || len(p.fields) > 0 {
			p.fields = append(p.fields, f)
		}
		if f.Name == last && len(p.fields) > 0 {
			g.parts = append(g.parts, p)
			return nil
		}
	}
	return fmt.Errorf("%s has no such fields", of)
}

// fits reports whether an object has all fields of a part, and requires those that the part requires.
func (p *part) fits(s *contract.Schema) bool {
	for _, want := range p.fields {
		found := false
		for _, f := range s.Fields {
			found = found || f.Name == want.Name && (f.Required || !want.Required) && same(f.Is(), want.Is())
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
		if !fields[f.Name] {
			return false
		}
	}
	return true
}

// same reports whether two schemas say the same. Objects are the same only if they are one component.
func same(a, b *contract.Schema) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Type == "object":
		return false
	}
	x, y := *a, *b
	for _, one := range []*contract.Schema{&x, &y} {
		one.Name, one.Description, one.Format, one.GoType, one.Items, one.Cards = "", "", "", "", nil, 0
	}
	return reflect.DeepEqual(x, y) && (a.Items == nil || same(a.Items.Is(), b.Items.Is()))
}

// collect notes a schema and those in it.
func (g *bodies) collect(s *contract.Schema) error {
	if g.names[s] != "" {
		return nil
	}
	if err := complete(s); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	texts := s.Type == "array" && s.Items.Is().Type == "string" && len(s.Items.Is().Enum) == 0
	if goType := g.given(s); goType != "" && (s.Type != "array" || !isList(goType) && !texts) {
		return fmt.Errorf("%s: a type is for lists, and one that is no list for lists of texts", s.Name)
	}
	switch {
	case s.Type == "array":
		return g.collect(s.Items.Is())
	case len(s.Enum) > 0:
		g.enums = append(g.enums, s)
		return g.take(s, lowerFirst(g.base(s))+"Values")
	case s.Type != "object":
		return nil
	}
	if err := g.take(s, g.typeName(s)); err != nil {
		return err
	}
	o := &object{schema: s}
	embedded := map[string]bool{}
	for _, f := range s.Fields {
		if f.Required && fallback(f.Is()) != "" {
			return fmt.Errorf("%s.%s: a required field has no x-default", s.Name, f.Name)
		}
	}
	for _, p := range g.parts {
		if p.fits(s) && !p.within(embedded) {
			o.embeds = append(o.embeds, p)
			for _, f := range p.fields {
				if embedded[f.Name] {
					return fmt.Errorf("%s: two parts have the field %s", s.Name, f.Name)
				}
				embedded[f.Name] = true
			}
		}
	}
	g.structs = append(g.structs, o)
	for _, f := range s.Fields {
		if !embedded[f.Name] {
			o.own = append(o.own, f)
		}
		if err := g.collect(f.Is()); err != nil {
			return err
		}
		if g.given(f.Is()) == "" && hasDefaults(f.Is()) {
			return fmt.Errorf("%s.%s: defaults inside a field would not be set", s.Name, f.Name)
		}
	}
	return nil
}

// hasDefaults reports whether a field of a schema, or of what is in it, has a default other than a zero value.
func hasDefaults(s *contract.Schema) bool {
	if s.Items != nil {
		return hasDefaults(s.Items.Is())
	}
	return slices.ContainsFunc(s.Fields, func(f contract.Field) bool { return hasDefault(f) || hasDefaults(f.Is()) })
}

// take gives a schema a name, which no other has.
func (g *bodies) take(s *contract.Schema, name string) error {
	if g.taken[name] != nil {
		return fmt.Errorf("%s and %s both have the Go name %s", s.Name, g.taken[name].Name, name)
	}
	g.names[s], g.taken[name] = name, s
	return nil
}

// base is the name of a schema in Go, without the prefix of the game: GinAdviseRequest.totals is AdviseTotals.
func (g *bodies) base(s *contract.Schema) string {
	name, inner, inside := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(s.Name, g.prefix), "[]", ""), ".")
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
func (g *bodies) typeName(s *contract.Schema) string {
	return lowerFirst(withoutSuffix(g.base(s))) + "Body"
}

func withoutSuffix(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "Request"), "Input")
}

// given is the Go type that is given for a schema; empty for none.
func (g *bodies) given(s *contract.Schema) string {
	goType := g.types[s.Name]
	if goType != "" {
		g.used[s.Name] = true
	}
	return goType
}

// isList reports whether a Go type is a list.
func isList(goType string) bool { return strings.HasPrefix(goType, "[]") }

// goType is the Go type of a value of a schema.
func (g *bodies) goType(s *contract.Schema) string {
	if goType := g.given(s); goType != "" {
		return goType
	}
	switch {
	case s.Type == "array":
		item := g.goType(s.Items.Is())
		if s.Items.Is().Nullable {
			item = "*" + item
		}
		return "[]" + item
	case s.Type == "object":
		return g.names[s]
	case s.Type == "string" && len(s.Enum) > 0 && !strings.ContainsAny(s.Name, ".["):
		return "api." + s.Name
	default:
		return map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}[s.Type]
	}
}

// showsAbsence reports whether the check refuses the zero value of the Go type, so that it stands for a value that is absent.
func showsAbsence(s *contract.Schema) bool {
	switch {
	case s.Nullable:
		return false
	case s.Type == "object":
		for _, f := range s.Fields {
			if f.Required {
				return true
			}
		}
		return false
	case s.IsNumber() && len(s.Enum) == 0:
		return *s.Least > 0 || *s.Most < 0
	default:
		return s.Type == "string" || s.Type == "array"
	}
}

// isPointer reports whether a field is a pointer.
func (g *bodies) isPointer(f contract.Field) bool {
	goType := g.given(f.Is())
	list := f.Is().Type == "array" && (goType == "" || isList(goType))
	return !list && fallback(f.Is()) == "" && (!f.Required || !showsAbsence(f.Is()))
}

func (g *bodies) write(w *strings.Builder) {
	for _, p := range g.parts {
		if p.whole == nil {
			g.writeStruct(w, p.name, p.about, &object{own: p.fields}, p.fields)
		}
	}
	for _, o := range g.structs {
		g.writeStruct(w, g.names[o.schema], "is the body of "+o.schema.Name, o, o.schema.Fields)
	}
	if len(g.enums) > 0 {
		w.WriteString("// The values of the enumerations, in the order of the contract.\nvar (\n")
		for _, s := range g.enums {
			fmt.Fprintf(w, "%s = []%s{%s}\n", g.names[s], g.goType(s), strings.Join(literals(s), ", "))
		}
		w.WriteString(")\n\n")
	}
	if len(g.limits) > 0 {
		fmt.Fprintf(w, "// The greatest values, or numbers of items, of fields.\nconst (\n%s)\n", strings.Join(g.limits, ""))
	}
}

// addLimit adds the constant for the greatest value of a number, or the greatest number of items of a list: schema.field.
func (g *bodies) addLimit(c *contract.Contract, text string) error {
	of, name, _ := strings.Cut(text, ".")
	s, err := checked(c, of)
	if err != nil {
		return err
	}
	for _, f := range s.Fields {
		if f.Name != name {
			continue
		}
		var most string
		switch {
		case f.Is().IsNumber() && f.Is().Most != nil:
			most = number(*f.Is().Most)
		case f.Is().Type == "array":
			most = strconv.Itoa(f.Is().MaxItems)
		default:
			return errors.New("it has no limit")
		}
		g.limits = append(g.limits, fmt.Sprintf("max%s%s = %s\n", withoutSuffix(g.base(s)), goName(name), most))
		return nil
	}
	return fmt.Errorf("%s has no such field", of)
}

// writeStruct writes the type of an object and its check. all are the fields with those that it embeds.
func (g *bodies) writeStruct(w *strings.Builder, name, about string, o *object, all []contract.Field) {
	fmt.Fprintf(w, "// %s %s.\ntype %s struct {\n", name, about, name)
	for _, p := range o.embeds {
		fmt.Fprintf(w, "%s\n", p.name)
	}
	for _, f := range o.own {
		star := ""
		if g.isPointer(f) {
			star = "*"
		}
		fmt.Fprintf(w, "%s %s%s `json:%q`\n", goName(f.Name), star, g.goType(f.Is()), f.Name)
	}
	fmt.Fprintf(w, "}\n\n// Valid reports whether the body meets its schema: see service.Decode.\nfunc (in *%s) Valid() bool {\n", name)
	for _, p := range o.embeds {
		fmt.Fprintf(w, "if !in.%s.Valid() {\nreturn false\n}\n", p.name)
		for _, f := range p.fields { // the part may leave out what the whole may not
			for _, outer := range all {
				if outer.Name == f.Name && outer.Required && !f.Required {
					refuseIf(w, g.absent("in."+goName(f.Name), f))
				}
			}
		}
	}
	for _, f := range o.own {
		g.writeField(w, "in."+goName(f.Name), f)
	}
	w.WriteString("return true\n}\n\n")
	g.writeDefaults(w, name, o)
}

// writeDefaults writes the method that gives the fields of a struct their defaults, if one has one.
func (g *bodies) writeDefaults(w *strings.Builder, name string, o *object) {
	var body strings.Builder
	for _, p := range o.embeds {
		if slices.ContainsFunc(p.fields, hasDefault) {
			fmt.Fprintf(&body, "in.%s.SetDefaults()\n", p.name)
		}
	}
	for _, f := range o.own {
		if hasDefault(f) {
			fmt.Fprintf(&body, "in.%s = %s\n", goName(f.Name), fallback(f.Is()))
		}
	}
	if body.Len() > 0 {
		w.WriteString("// SetDefaults gives the fields that may be absent their defaults.\n")
		fmt.Fprintf(w, "func (in *%s) SetDefaults() {\n%s}\n\n", name, body.String())
	}
}

// hasDefault reports whether a field has a default other than the zero value of its type.
func hasDefault(f contract.Field) bool {
	return !slices.Contains([]string{"", "0", "false"}, fallback(f.Is()))
}

// absent is the condition that a field is absent.
func (g *bodies) absent(expr string, f contract.Field) string {
	if g.isPointer(f) || f.Is().Type == "array" {
		return expr + " == nil"
	}
	return expr + ` == ""`
}

// writeField writes the check of a field.
func (g *bodies) writeField(w *strings.Builder, expr string, f contract.Field) {
	s := f.Is()
	pointer := g.isPointer(f)
	given := g.given(s)
	var check strings.Builder
	value := expr
	if pointer && s.Type != "object" {
		value = "*" + expr
		if given != "" {
			value = expr
		}
	}
	g.writeCheck(&check, value, s, given, 0)
	switch {
	case f.Required && (pointer || s.Type == "array" && (given == "" || isList(given)) && s.MinItems == 0),
		f.Required && s.Type == "string" && len(s.Enum) == 0 && !isDecimal(s):
		refuseIf(w, g.absent(expr, f))
		w.WriteString(check.String())
	case f.Required || fallback(s) != "" || check.Len() == 0:
		w.WriteString(check.String())
	case s.Type == "array" && s.MinItems == 0 && !pointer: // a list that is absent meets the checks
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
func (g *bodies) writeCheck(w *strings.Builder, expr string, s *contract.Schema, given string, depth int) {
	switch {
	case given != "" && !isList(given):
		refuseIf(w, fmt.Sprintf("!%s.meets(%d, %d, %d)", expr, s.MinItems, s.MaxItems, s.Items.Is().MaxLength))
	case s.Type == "object":
		refuseIf(w, fmt.Sprintf("!%s.Valid()", expr))
	case s.Type == "array":
		g.writeList(w, expr, s, given, depth)
	case len(s.Enum) > 0:
		refuseIf(w, fmt.Sprintf("!slices.Contains(%s, %s)", g.names[s], expr))
	case isDecimal(s):
		refuseIf(w, fmt.Sprintf("!service.Decimal(%s)", expr))
	case s.MaxLength > 0:
		refuseIf(w, fmt.Sprintf("!service.Short(%s, %d)", expr, s.MaxLength))
	case s.IsNumber():
		condition := fmt.Sprintf("%s < %s || %s > %s", expr, number(*s.Least), expr, number(*s.Most))
		if s.Multiple != nil {
			condition += fmt.Sprintf(" || %s%%%d != 0", expr, *s.Multiple)
		}
		refuseIf(w, condition)
	}
}

// writeList writes the check of a list.
func (g *bodies) writeList(w *strings.Builder, expr string, s *contract.Schema, given string, depth int) {
	switch {
	case s.MinItems == s.MaxItems:
		refuseIf(w, fmt.Sprintf("len(%s) != %d", expr, s.MinItems))
	case s.MinItems > 0:
		refuseIf(w, fmt.Sprintf("len(%s) < %d || len(%s) > %d", expr, s.MinItems, expr, s.MaxItems))
	default:
		refuseIf(w, fmt.Sprintf("len(%s) > %d", expr, s.MaxItems))
	}
	if s.Unique {
		refuseIf(w, fmt.Sprintf("!service.Distinct(%s)", expr))
	}
	if given != "" {
		return
	}
	index := "i" + strings.Repeat("i", depth)
	item := fmt.Sprintf("%s[%s]", expr, index)
	var check strings.Builder
	if s.Items.Is().Nullable {
		g.writeCheck(&check, "*"+item, s.Items.Is(), "", depth+1)
		if check.Len() > 0 {
			text := check.String()
			check.Reset()
			writeIfGiven(&check, item, text)
		}
	} else {
		g.writeCheck(&check, item, s.Items.Is(), g.given(s.Items.Is()), depth+1)
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

// checked returns a component.
func checked(c *contract.Contract, name string) (*contract.Schema, error) {
	s := c.Named(name)
	if s == nil {
		return nil, fmt.Errorf("there is no schema %s", name)
	}
	return s.Is(), nil
}

// decimalPattern is the only pattern that bodies are checked for, by service.Decimal: a text of 1 to 20 digits.
const decimalPattern = "^[0-9]{1,20}$"

var decimal = regexp.MustCompile(decimalPattern)

func isDecimal(s *contract.Schema) bool { return s.Pattern == decimalPattern }

// literal returns a value of a schema as a Go literal.
func literal(s *contract.Schema, value string) string {
	if s.Type == "string" {
		return strconv.Quote(value)
	}
	return value
}

// literals returns the values of an enumeration as Go literals.
func literals(s *contract.Schema) (all []string) {
	for _, one := range s.Enum {
		all = append(all, literal(s, one))
	}
	return all
}

// fallback returns the value that stands for an absent one, as a Go literal; empty for none.
func fallback(s *contract.Schema) string {
	if s.Default == nil {
		return ""
	}
	return literal(s, *s.Default)
}

// complete returns an error for a schema that leaves open what its checks rely on.
func complete(s *contract.Schema) error {
	switch {
	case s.Type == "object" && (!s.Closed || s.Values != nil):
		return errors.New("an object without additionalProperties: false")
	case s.Type == "array" && (s.Items == nil || s.MaxItems < 0):
		return errors.New("a list without items or maxItems")
	case s.IsNumber() && len(s.Enum) == 0 && (s.Least == nil || s.Most == nil):
		return errors.New("a number without minimum or maximum")
	case s.Unique && (s.Items == nil || s.Items.Is().Type != "string"):
		return errors.New("uniqueItems of other values than strings")
	case s.Pattern != "" && !isDecimal(s) && !s.Parsed:
		return fmt.Errorf("a pattern other than %s, and no x-parsed", decimalPattern)
	case s.Multiple != nil && s.Type != "integer":
		return errors.New("multipleOf for another number than an integer")
	case s.Format != "" && s.Format != "double":
		return fmt.Errorf("the format %s", s.Format)
	case len(s.Enum) > 0 && s.Type == "number":
		return errors.New("an enumeration of other numbers than integers")
	case s.Type == "":
		return errors.New("oneOf, or allOf more than one schema")
	case s.Default != nil && !meets(s, *s.Default):
		return fmt.Errorf("the x-default %s, which does not meet the schema", *s.Default)
	}
	return nil
}

// meets reports whether a value meets the schema, which is a number, a boolean or a decimal text.
func meets(s *contract.Schema, value string) bool {
	if s.IsNumber() {
		x, err := strconv.ParseFloat(value, 64)
		return err == nil && len(s.Enum) == 0 && x >= *s.Least && x <= *s.Most && s.Multiple == nil &&
			(s.Type == "number" || x == math.Trunc(x))
	}
	return s.Type == "boolean" && (value == "true" || value == "false") || isDecimal(s) && decimal.MatchString(value)
}
