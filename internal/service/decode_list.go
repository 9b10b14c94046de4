package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/bound"
)

// Item is one value of a list, or its error.
type Item[V any] struct {
	Value V
	Err   error // an *Error with pointers from the top of the request
}

// Items are the items of a list.
type Items[V any] []Item[V]

// MostItems is how many items a list may have.
const MostItems = 1000

// DecodeList reads a request with a list. The items are removed from the list before the rest is decoded, so that an error in one item
// is the error of that item only. The list that build gets has an empty object for each item, and item gets what build returned.
//
// What is wrong is bounded for all items together: each wrong item has at least one violation, and the items beyond listViolations have
// no more. A list is refused as a whole, with the first wrong items, if to explain all of them takes more than its bytes allow.
func DecodeList[T, Out, V any, B Body[T]](
	ctx context.Context, s *Schemas, body []byte, schema, field string,
	build func(T) (Out, error), item func(context.Context, []byte, Out) (V, error),
) (out Out, items Items[V], err error) {
	outside, raw, n, err := takeOut(body, field)
	switch {
	case err != nil:
		return out, nil, err
	case n > MostItems:
		return out, nil, s.tooLong(schema, field, n)
	}
	ctx, use := withReading(ctx, s.service, listViolations)
	defer use.end()
	if out, err = decode[T, Out, B](ctx, s, outside, schema, field, build); err != nil {
		return out, nil, err
	}
	items = make(Items[V], 0, min(len(raw), 32+len(body)/64)) // an item may be larger than what it is read from
	left := bound.Always/4 + bound.PerByte*len(body)
	for i, text := range raw {
		var one Item[V]
		use.before = cap(body) - cap(text) // an item is a part of the body
		if one.Value, err = item(ctx, text, out); err != nil {
			if gone := ctx.Err(); gone != nil {
				return out, nil, gone
			}
			one.Err = Below(fmt.Sprintf("/%s/%d", field, i), use.bound(err))
			left -= bytesOfWrong(one.Err)
		}
		if items = append(items, one); left < 0 {
			return out, nil, items.tooWrong(n)
		}
	}
	return out, items, items.AllWrong()
}

// bytesOfWrong returns about how much memory it takes to say what is wrong with an item.
func bytesOfWrong(err error) int {
	n := 1
	if e, ok := errors.AsType[*Error](err); ok {
		n = max(n, len(e.Violations))
	}
	return (2 + n) << 10
}

// AllWrong returns an error if the client has made a mistake in every item of a list, and nil otherwise. An answer to such a list would
// be a long list of problems, of which nobody needs more than the first. The error has the first violations, and it is malformed if an
// item is.
func (items Items[V]) AllWrong() error {
	wrong := items.wrong()
	if len(items) == 0 || wrong.items < len(items) {
		return nil
	}
	if len(items) == 1 {
		return wrong.refusal("The only item of the list is wrong, at %s.", wrong.first())
	}
	return wrong.refusal("Each of the %d items of the list is wrong, the first at %s.", len(items), wrong.first())
}

// tooWrong is the error for a list of n items of which these, the first, have too many wrong ones for the rest to be read.
func (items Items[V]) tooWrong(n int) error {
	wrong := items.wrong()
	return wrong.refusal("Of the first %d of the %d items of the list %d are wrong, the first at %s: the others are not read.", len(items), n,
		wrong.items, wrong.first())
}

// wrongItems are the items of a list in which the client has made a mistake.
type wrongItems struct {
	items int
	kind  Kind // malformed if one of them is
	vs    []Violation
}

func (items Items[V]) wrong() wrongItems {
	out := wrongItems{kind: Impossible}
	for _, item := range items {
		e, ok := errors.AsType[*Error](item.Err)
		if !ok || e.Kind != Malformed && e.Kind != Impossible {
			continue
		}
		if out.items++; e.Kind == Malformed {
			out.kind = Malformed
		}
		out.vs = append(out.vs, e.Violations[:min(len(e.Violations), maxViolations-len(out.vs))]...)
	}
	return out
}

func (w *wrongItems) first() string { return w.vs[0].Error() }

func (w *wrongItems) refusal(format string, args ...any) error {
	return &Error{Kind: w.kind, Detail: fmt.Sprintf(format, args...), Violations: w.vs, More: true}
}

// tooLong is the error for a list of n items in a field, more than it may have.
func (s *Schemas) tooLong(schema, field string, n int) error {
	shape, err := s.Shape(schema)
	if err != nil {
		return err
	}
	return Refusal([]*Finding{{Path: []string{field}, Field: "maxItems", Value: n, Shape: shape.field(field)}}, false)
}

// bound returns the error of an item with no more violations than the request may still list.
func (r *reading) bound(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && len(e.Violations) > 0 {
		e = e.upTo(r.limit())
		r.left -= len(e.Violations)
		return e
	}
	return err
}

// takeOut removes the items from the list. outside is the body with an empty object instead of each item. A body without such a list is
// returned unchanged; Decode then reports the error. n is how many items there are; of a list that is too long they are only counted.
func takeOut(body []byte, field string) (outside []byte, items [][]byte, n int, err error) {
	// A name given twice or a broken string in an item is the error of that item.
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if !toList(dec, field) {
		return body, nil, 0, nil
	}
	begin := dec.InputOffset()
	items = make([][]byte, 0, min(MostItems, len(body)/len(`{},`)))
	for ; dec.PeekKind() != ']'; n++ {
		if n >= MostItems {
			if err := dec.SkipValue(); err != nil {
				return nil, nil, 0, NotJSON(err)
			}
			continue
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, nil, 0, NotJSON(err)
		}
		end := int(dec.InputOffset())
		items = append(items, body[end-len(value):end])
	}
	if n > MostItems {
		return nil, nil, n, nil
	}
	// A second list stays in the body. It is a duplicate name, which Decode reports.
	rest := body[dec.InputOffset():]
	outside = make([]byte, 0, int(begin)+len(items)*len(`{},`)+len(rest))
	outside = append(outside, body[:begin]...)
	for i := range items {
		if i > 0 {
			outside = append(outside, ',')
		}
		outside = append(outside, "{}"...)
	}
	return append(outside, rest...), items, n, nil
}

// toList reads up to the first item of the list in the field, and reports whether there is such a list.
func toList(dec *jsontext.Decoder, field string) bool {
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == field && dec.PeekKind() == '[' {
			_, err := dec.ReadToken()
			return err == nil
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}
