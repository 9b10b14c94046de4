package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/engine/violation"
)

// The bounds of what is read to explain what is wrong with one body.
const (
	// MaxDepth is how deep a request may nest. Requests of the contract nest at most 3 deep.
	MaxDepth = 16
	// maxTokens is how many values, names and ends of lists and objects a request may have. A list of a thousand positions after all
	// their cards has some 80,000.
	maxTokens = 1 << 18
	// maxFields is how many fields an object may have. Objects of the contract have at most 19. Names must be kept to find one that is
	// given twice.
	maxFields = 256
	// maxName is how many bytes the name of a field may have.
	maxName = 1 << 8
	// checkEvery is after how many tokens a walk asks whether its request has ended, and what it has used.
	checkEvery = 1 << 10
)

// walk reads a body from its begin to its end, without a tree of it, and finds where it differs from a schema. It keeps at most limit
// violations. After one more it only reads on: a body that is not JSON is told so, whatever else is wrong with it, unless it has more than
// any request.
type walk struct {
	body   []byte
	in     *jsontext.Decoder
	use    *reading
	tokens int
	limit  int
	path   []step
	last   *string    // the text of the last value, if it was a string that was checked
	found  []*Finding // at most limit+1
	ended  bool       // the rest was not read
	names  []renaming // of a body in which nothing is wrong
}

// step is one part of the path to a value: the name of a field, or the place in a list.
type step struct {
	name  string
	index int // of an item; -1 for a field
}

// find finds where a body differs from the schema. The error is an *Error for a body that is no JSON, nests too deep, or has too many
// values, and otherwise the error of the context.
func find(ctx context.Context, body []byte, s *Shape, use *reading) (w *walk, err error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, Empty()
	}
	w = &walk{body: body, in: jsontext.NewDecoder(bytes.NewBuffer(body)), use: use, limit: use.limit()}
	if err = w.value(ctx, s); err == nil {
		err = AtEnd(w.in)
	}
	end, ended := errors.AsType[*tooMuch](err)
	switch {
	case ended && len(w.found) == 0:
		return nil, Refused(end.violation)
	case err != nil && !ended:
		return nil, err
	}
	w.ended = ended
	return w, nil
}

// all returns where the body differs from the schema. more reports whether it may differ elsewhere too.
func (w *walk) all() (found []*Finding, more bool) {
	return w.found[:min(len(w.found), w.limit)], w.ended || w.full()
}

// tooMuch ends a walk through a body that has more than any request. The violation is told if nothing else is wrong before.
type tooMuch struct{ violation Violation }

// Error returns the detail of the violation.
func (e *tooMuch) Error() string { return e.violation.Detail }

// next reads a token.
func (w *walk) next(ctx context.Context) (jsontext.Token, error) {
	before := w.in.InputOffset()
	token, err := w.in.ReadToken()
	if err != nil {
		return token, w.notJSON(err)
	}
	if w.in.StackDepth() > MaxDepth {
		return token, TooDeep()
	}
	if kind, n := w.in.StackIndex(w.in.StackDepth()); kind == '{' {
		wrong := ""
		if n > 2*maxFields {
			wrong = fmt.Sprintf("has more than %d fields: no object needs more", maxFields)
		} else if n%2 == 1 && w.in.InputOffset()-before > maxName && len(token.String()) > maxName {
			wrong = fmt.Sprintf("has a field with a name of more than %d bytes: no field has such a name", maxName)
		}
		if wrong != "" {
			return token, &tooMuch{violation.New(violation.TooComplex, "%s", wrong).At(short(string(w.in.StackPointer().Parent())))}
		}
	}
	return token, w.count(ctx)
}

// notJSON is NotJSON with the byte of the whole request, of which the body may be an item.
func (w *walk) notJSON(err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		syntax.ByteOffset += int64(w.use.before)
	}
	return NotJSON(err)
}

// count counts a token.
func (w *walk) count(ctx context.Context) error {
	w.tokens++
	if w.tokens > maxTokens {
		return &tooMuch{violation.New(violation.TooComplex, "has more than %d values: no request needs as many", maxTokens)}
	}
	if w.tokens%checkEvery == 0 {
		return w.use.spend(ctx, checkEvery)
	}
	return nil
}

// full reports whether more is wrong than is kept.
func (w *walk) full() bool { return len(w.found) > w.limit }

// value checks the next value; without a schema it only reads it.
func (w *walk) value(ctx context.Context, s *Shape) error {
	token, err := w.next(ctx)
	if err != nil {
		return err
	}
	switch kind := token.Kind(); {
	case s == nil || w.full():
		return w.rest(ctx, kind)
	case kind == 'n':
		if !s.Null {
			w.add(s, Finding{Field: "nullable"})
		}
		return nil
	case !s.begins(kind):
		w.add(s, Finding{Field: "type", Value: plainValue(token)})
		return w.rest(ctx, kind)
	case kind == '{':
		return w.object(ctx, s)
	case kind == '[':
		return w.array(ctx, s)
	case kind == '"':
		w.text(s, token.String())
	case kind == '0':
		w.number(s, token)
	}
	return nil
}

// plainValue returns the value of a token, and nil for the begin of a list or an object.
func plainValue(token jsontext.Token) any {
	switch token.Kind() {
	case '"':
		return token.String()
	case '0':
		return Numeral(token.String())
	case 't', 'f':
		return token.Bool()
	default:
		return nil
	}
}

// rest reads the rest of a value, of whose first token the kind is given.
func (w *walk) rest(ctx context.Context, kind jsontext.Kind) error {
	if kind != '{' && kind != '[' {
		return nil
	}
	for depth := w.in.StackDepth(); w.in.StackDepth() >= depth; {
		if _, err := w.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// object checks an object, after its opening brace.
func (w *walk) object(ctx context.Context, s *Shape) error {
	missing := slices.Clone(s.Required)
	var given []string // the names of fields, if they have words
	for w.in.PeekKind() != '}' {
		before := w.in.InputOffset()
		token, err := w.next(ctx)
		if err != nil {
			return err
		}
		if w.full() {
			if err := w.value(ctx, nil); err != nil {
				return err
			}
			continue
		}
		name := token.String()
		if s.Words {
			if name, given, err = w.rename(s, name, before, given); err != nil {
				return err
			}
		}
		field := s.field(name)
		if field == nil && !s.Open {
			w.add(s, Finding{Field: "properties", Unknown: name})
		}
		i := slices.Index(missing, name)
		if i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		}
		if i < 0 && field != nil && w.in.PeekKind() == 'n' { // the field is optional, so null is as if it were absent
			field = anything
		}
		w.path = append(w.path, step{name, -1})
		if err := w.value(ctx, field); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	if _, err := w.next(ctx); err != nil {
		return err
	}
	for _, name := range missing {
		w.path = append(w.path, step{name, -1})
		w.add(s.field(name), Finding{Field: "required"})
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}

// array checks a list, after its opening bracket. Of a list that is too long only that is told: what is wrong with its items could be all
// of them.
func (w *walk) array(ctx context.Context, s *Shape) error {
	before := len(w.found)
	var seen []string
	n, twice := 0, false
	for ; w.in.PeekKind() != ']'; n++ {
		items := s.Items
		if n >= s.MaxItems {
			if items = nil; !strings.ContainsRune("{[", rune(w.in.PeekKind())) { // most of the time of a long list
				if err := w.in.SkipValue(); err != nil {
					return w.notJSON(err)
				}
				if err := w.count(ctx); err != nil {
					return err
				}
				continue
			}
		}
		w.path = append(w.path, step{"", n})
		w.last = nil
		if err := w.value(ctx, items); err != nil {
			return err
		}
		if s.Unique && items != nil && w.last != nil {
			twice = twice || slices.Contains(seen, *w.last)
			seen = append(seen, *w.last)
		}
		w.path = w.path[:len(w.path)-1]
	}
	if _, err := w.next(ctx); err != nil {
		return err
	}
	switch {
	case n > s.MaxItems:
		w.found = w.found[:before]
		w.add(s, Finding{Field: "maxItems", Value: n})
	case n < s.MinItems:
		w.add(s, Finding{Field: "minItems", Value: n})
	case twice:
		w.add(s, Finding{Field: "uniqueItems"})
	}
	return nil
}

// text checks a string.
func (w *walk) text(s *Shape, text string) {
	w.last = &text
	switch {
	case s.MaxLength > 0 && !Short(text, s.MaxLength):
		w.add(s, Finding{Field: "maxLength", Value: text})
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, text):
		w.add(s, Finding{Field: "enum", Value: text})
	case s.Decimal && !Decimal(text):
		w.add(s, Finding{Field: "pattern", Value: text})
	}
}

// number checks a number.
func (w *walk) number(s *Shape, token jsontext.Token) {
	value := Numeral(token.String())
	x, _ := value.Float()
	switch {
	case s.Type == "integer" && x != math.Trunc(x):
		w.add(s, Finding{Field: "type", Value: value})
	case len(s.Enum) > 0:
		if !slices.Contains(s.Enum, number(x)) {
			w.add(s, Finding{Field: "enum", Value: value})
		}
	case x < s.Least:
		w.add(s, Finding{Field: "minimum", Value: value})
	case x > s.Most:
		w.add(s, Finding{Field: "maximum", Value: value})
	case s.Multiple != 0 && math.Mod(x, s.Multiple) != 0:
		w.add(s, Finding{Field: "multipleOf", Value: value})
	}
}

// add notes that the value at the path is not what its schema says.
func (w *walk) add(s *Shape, f Finding) {
	if w.full() {
		return
	}
	f.Shape = s
	f.Path = make([]string, len(w.path))
	for i, p := range w.path {
		f.Path[i] = p.name
		if p.index >= 0 {
			f.Path[i] = strconv.Itoa(p.index)
		}
	}
	w.found = append(w.found, &f)
}
