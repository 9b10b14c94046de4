package servicetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/api/apitest"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/belote"
	"roem/internal/service/ginrummy"
	"roem/internal/service/klaverjas"
	"roem/internal/service/servicetest"
	"roem/internal/service/tarok"
)

// games returns a service with the operations of all games.
func games(t *testing.T) *service.Service {
	t.Helper()
	s := servicetest.New(t, true)
	deals, err := klaverjas.DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	hands, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	learned, err := ginrummy.Learned(nil)
	if err != nil {
		t.Fatal(err)
	}
	klaverjas.New(s, klaverjas.Options{Predictor: deals, HandModel: hands})
	belote.New(s, belote.Options{})
	ginrummy.New(s, learned)
	tarok.New(s, tarok.Options{})
	return s
}

// unlike are the fields of requests that do not change the keys, with the reason. A name that ends with * is about the key of the
// computation only.
var unlike = map[string]string{
	"belote.analyse/flip*":         "the search sees all cards",
	"belote.solve/flip*":           "the search sees all cards",
	"klaverjas.advise/objective*":  "the tally has both objectives",
	"klaverjas.analyse/leader*":    "a deal number counts from the leader, so that another leader is the same deal with other names of seats",
	"tarok.solve/rules/bidding":    "the bidding is over, and the answer has no rules",
	"tarok.solve/rules/difference": "the answer has points, no score, and no rules",
	"tarok.solve/rules/lead":       "the leader of the trick on the table is in the key",
	"tarok.solve/rules/mond":       "the answer has points, no score, and no rules",

	"tarok.solve/rules/valat_kontra":    "the answer has points, no score, and no rules",
	"tarok.solve/rules/defenders_pagat": "the answer has points, no score, and no rules",

	"tarok.bid/rules/bidding": "another order has another turn, so that another field must vary too; the default may be written out",
}

// bound are the fields that cannot vary alone, with the reason.
var bound = map[string]string{
	"belote.advise/suits":      "another deck has other cards",
	"belote.analyse/suits":     "another deck has other cards",
	"belote.review/suits":      "another deck has other cards",
	"belote.bid/suits":         "another deck has other cards",
	"belote.solve/suits":       "another deck has other cards",
	"klaverjas.advise/leader":  "the seat is to play",
	"klaverjas.advise/seat":    "the seat is to play",
	"tarok.advise/seat":        "the player is to play",
	"tarok.announce/seat":      "the player is to speak",
	"tarok.bid/seat":           "the player is to bid",
	"tarok.exchange/declarer":  "the player is the declarer",
	"tarok.exchange/seat":      "the player is the declarer",
	"belote.analyse/leader":    "the first card is the leader's",
	"belote.review/leader":     "the first card is the leader's",
	"tarok.announce/declarer":  "the declarer speaks first",
	"gin_rummy.review/starter": "the first event is the starter's",
}

// Each field of each request changes the key of the query, by which jobs are shared, and the key of its computation, by which searches and
// the cache are. The values are the values of the contract's examples, and others of their type, as far as the operation accepts them.
func TestEveryFieldIsInTheKey(t *testing.T) {
	s := games(t)
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, kind := range s.Kinds() {
		game, name, _ := strings.Cut(kind, ".")
		path := "/v1/" + strings.ReplaceAll(game, "_", "-") + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "_batch", "/batch"), "_", "-")
		content := doc.Paths.Value(path).Post.RequestBody.Value.Content["application/json"]
		v := variation{t: t, service: s, kind: kind, used: used}
		for _, name := range slices.Sorted(maps.Keys(content.Examples)) {
			v.examples = append(v.examples, clone(content.Examples[name].Value.Value.(map[string]any)))
		}
		for _, more := range extra[kind] {
			var body map[string]any
			if err := json.Unmarshal([]byte(more), &body); err != nil {
				t.Fatal(err)
			}
			v.examples = append(v.examples, body)
		}
		t.Run(kind, func(t *testing.T) {
			v.t = t
			v.object(nil, content.Schema.Value, false)
		})
	}
	for _, list := range []map[string]string{unlike, bound} {
		for name := range list {
			if !used[name] {
				t.Errorf("the exception %s is not used", name)
			}
		}
	}
}

// variation varies the requests of one kind.
type variation struct {
	t        *testing.T
	service  *service.Service
	kind     string
	examples []map[string]any
	used     map[string]bool
}

// object varies each property of an object at a place of the request. may says that a property need not vary, because the whole object
// does.
func (v *variation) object(where []string, schema *openapi3.Schema, may bool) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[name].Value
		at := append(slices.Clone(where), name)
		for len(property.AllOf) == 1 {
			property = property.AllOf[0].Value
		}
		accepted := v.field(at, property)
		switch place := v.place(at); {
		case len(property.Properties) > 0:
			v.object(at, property, accepted || may)
		case bound[place] != "":
			if v.used[place] = true; accepted {
				v.t.Errorf("%s can vary alone", place)
			}
		case !accepted && !may:
			v.t.Errorf("%s: no other value is accepted: add an example to extra", place)
		}
	}
}

func (v *variation) place(where []string) string { return v.kind + "/" + strings.Join(where, "/") }

// field varies one property. It reports whether the operation accepts other values.
func (v *variation) field(where []string, schema *openapi3.Schema) bool {
	place := v.place(where)
	accepted, keys, searches := 0, 0, 0 // values that the operation accepts, and those that change the keys
	for _, example := range v.examples {
		key, search, ok := v.keys(example)
		if !ok {
			v.t.Fatalf("%s: the example is refused: %v", v.kind, example)
		}
		for _, value := range v.values(where, schema, example) {
			other := clone(example)
			if !set(other, where, value) {
				continue
			}
			otherKey, otherSearch, ok := v.keys(other)
			if !ok || equal(other, example) {
				continue
			}
			accepted++
			if otherKey != key {
				keys++
			}
			if otherSearch != search {
				searches++
			}
		}
	}
	if unlike[place] != "" {
		v.used[place] = true
		if keys+searches > 0 {
			v.t.Errorf("%s changes a key, but it is an exception", place)
		}
		return true
	}
	if accepted > 0 && keys == 0 {
		v.t.Errorf("%s: %d other values have the same key", place, accepted)
	}
	switch star := place + "*"; {
	case unlike[star] != "":
		if v.used[star] = true; searches > 0 {
			v.t.Errorf("%s changes the key of the computation, but it is an exception", place)
		}
	case accepted > 0 && searches == 0:
		v.t.Errorf("%s: %d other values have the same key of the computation", place, accepted)
	}
	return accepted > 0
}

// keys returns the keys of a request. ok is false if the operation refuses it.
func (v *variation) keys(body map[string]any) (query, search string, ok bool) {
	text, err := json.Marshal(body)
	if err != nil {
		v.t.Fatal(err)
	}
	r, err := v.service.Parse(v.t.Context(), v.kind, text)
	if err != nil {
		return "", "", false
	}
	q := r.Query()
	if _, known, err := q.Known(v.t.Context()); known || err != nil { // it needs no computation
		return string(q.Key()), "", err == nil
	}
	return string(q.Key()), string(q.Computation().Key), true
}

// values returns values to try: the values of the other examples, and others of the type.
func (v *variation) values(where []string, schema *openapi3.Schema, example map[string]any) (out []any) {
	for _, donor := range v.examples {
		if value, ok := get(donor, where); ok {
			out = append(out, value)
		}
	}
	now, _ := get(example, where)
	out = append(out, schema.Enum...)
	switch {
	case schema.Type.Is("boolean"):
		out = append(out, true, false)
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		for n := range 12 {
			out = append(out, float64(n))
		}
		if schema.Min != nil && schema.Max != nil {
			out = append(out, *schema.Min, *schema.Max, (*schema.Min+*schema.Max)/2, 20.0, 50.0, 100.0)
		}
	case schema.Type.Is("string"):
		for text := range strings.FieldsSeq("C D H S N E W NS EW A B 1 2 12345 simple random logical heuristic rotterdam amsterdam") {
			out = append(out, text)
		}
		if text, ok := now.(string); ok {
			if n, err := strconv.ParseUint(text, 10, 64); err == nil {
				for more := range uint64(40) {
					out = append(out, strconv.FormatUint(n+1+more, 10))
				}
			}
		}
	}
	if list, ok := now.([]any); ok {
		out = append(out, v.replaced(list, example)...)
		for cut := 1; cut <= min(12, len(list)); cut++ {
			out = append(out, list[:len(list)-cut])
		}
	}
	if object, ok := now.(map[string]any); ok {
		out = append(out, exchanged(object)...)
	}
	return out
}

// replaced returns a list with one of its first cards replaced by one that the request does not have.
func (v *variation) replaced(list []any, example map[string]any) (out []any) {
	text, err := json.Marshal(example)
	if err != nil {
		v.t.Fatal(err)
	}
	var deck []string
	for _, suit := range "CDHS" {
		for face := range strings.FieldsSeq("7 8 9 10 J Q K A") {
			deck = append(deck, face+string(suit))
		}
	}
	if strings.HasPrefix(v.kind, "tarok.") {
		deck = nil
		for n := range 22 {
			deck = append(deck, "T"+strconv.Itoa(n+1))
		}
		for _, suit := range "CDHS" {
			for face := range strings.FieldsSeq("1 2 3 4 7 8 9 10 J C Q K") {
				deck = append(deck, string(suit)+face)
			}
		}
	}
	for _, card := range deck {
		if strings.Contains(string(text), strconv.Quote(card)) {
			continue
		}
		for i := range min(3, len(list)) {
			other := slices.Clone(list)
			other[i] = card
			out = append(out, other)
		}
	}
	return out
}

// exchanged returns an object of lists with two items exchanged, and with two lists exchanged, for each pair of lists.
func exchanged(object map[string]any) (out []any) {
	names := slices.Sorted(maps.Keys(object))
	for i, a := range names {
		for _, b := range names[:i] {
			one, two := clone(object), clone(object)
			x, ok := one[a].([]any)
			y, also := one[b].([]any)
			for k := range min(len(x), len(y)) {
				if ok && also {
					x[k], y[k] = y[k], x[k]
					out = append(out, clone(one))
					x[k], y[k] = y[k], x[k]
				}
			}
			two[a], two[b] = two[b], two[a]
			out = append(out, two)
		}
	}
	return out
}

// clone returns a copy as JSON has it.
func clone(object map[string]any) (out map[string]any) {
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(fmt.Sprint("an example of the contract is no JSON: ", err))
	}
	return out
}

func equal(a, b any) bool {
	x, err := json.Marshal(a)
	y, also := json.Marshal(b)
	return err == nil && also == nil && bytes.Equal(x, y)
}

func get(object map[string]any, where []string) (any, bool) {
	value, ok := object[where[0]]
	if len(where) == 1 || !ok {
		return value, ok
	}
	inner, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	return get(inner, where[1:])
}

// set sets a value, and makes the objects on the way to it.
func set(object map[string]any, where []string, value any) bool {
	if len(where) == 1 {
		object[where[0]] = value
		return true
	}
	inner, ok := object[where[0]].(map[string]any)
	if !ok {
		if object[where[0]] != nil {
			return false
		}
		inner = map[string]any{}
		object[where[0]] = inner
	}
	return set(inner, where[1:], value)
}

// extra are more requests, from which fields that the examples of the contract do not have get values.
var extra = map[string][]string{
	"belote.match": {`{"a": "sampling", "b": "simple"}`},
	"belote.solve": {`{"trump": "H", "suits": ["H"], "leader": "A", "stacks": ` + hearts + `, "played": ["KH", "JH"]}`},
	"belote.review": {
		`{"trump": null, "suits": ["H"], "leader": "A", "stacks": ` + hearts + `, "played": ["KH", "JH"]}`,
	},
	"belote.analyse": {
		`{"trump": "H", "suits": ["H"], "leader": "A", "stacks": ` + hearts + `, "played": ["KH", "JH"]}`,
		`{"trump": null, "suits": ["H"], "leader": "A", "stacks": ` + hearts + `, "played": ["KH", "JH"]}`,
	},
	"gin_rummy.review": {
		`{"starter": "A", "upcard": "9S", "hands": {"A": ["5H", "6H", "7H", "JS", "AS", "2D", "3D", "6D", "7D", "8D"], "B": ` +
			`["2C", "3C", "4C", "8C", "QC", "KH", "7S", "KS", "JD", "QS"]}, "events": [{"seat": "A", "kind": "pass"}]}`,
		`{"starter": "A", "upcard": "10S", "hands": {"A": ["5H", "6H", "7H", "JS", "AS", "2D", "3D", "6D", "7D", "8D"], "B": ` +
			`["2C", "3C", "4C", "8C", "QC", "KH", "7S", "KS", "9D", "QS"]}, "events": [{"seat": "A", "kind": "pass"}, ` +
			`{"seat": "B", "kind": "pass"}, {"seat": "A", "kind": "stock", "card": "4D"}, ` +
			`{"seat": "A", "kind": "discard", "card": "JS"}, {"seat": "A", "kind": "knock"}], ` +
			`"laid_off": [{"card": "9D", "on": ["6D", "7D", "8D"]}]}`,
	},
	"klaverjas.match": {`{"a": "pimc", "b": "simple"}`},
	"klaverjas.play": {
		`{"players": {"N": "pimc", "E": "simple", "S": "simple", "W": "simple"}, "trump": "H", "leader": "E", "declarer": "NS", "open": 1}`,
		`{"count": 2}`,
	},
	"klaverjas.advise": {
		lead + `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "S"]}}`,
		lead + `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "pass", "pass", "S"]}}`,
		lead + `"method": "playout", "bidding": {"flow": "turned", "dealer": "S", "turned": ["S"], "calls": ["pass", "S"]}}`,
		lead + `"method": "playout", "bidding": {"flow": "turned", "dealer": "S", "turned": ["H", "S"], "again": true, "calls": ["pass", ` +
			`"pass", "pass", "pass", "pass", "S"]}}`,
	},
	"tarok.bid": {
		`{"seat": "B", "hand": ` + sixteen + `, "calls": ["three"], "seed": "1"}`, `{"seat": "B", "hand": ` + sixteen +
			`, "calls": ["two"], "seed": "1"}`,
		`{"seat": "B", "hand": ` + sixteen + `, "calls": [], "rules": {"bidding": "forehand_last"}, "seed": "1"}`,
	},
	"tarok.announce": {
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "two", "declarer": "A", "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "group": ` +
			`2, "discards": ["C8", "DJ"]}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "zero", "declarer": "A"}`, `{"seat": "A", "hand": ` + sixteen +
			`, "contract": "beggar", "declarer": "A"}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "zero", "declarer": "A", "said": [{}, {"kontra": true}, {}]}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "zero", "declarer": "A", "said": [{}, {}, {"kontra": true}]}`,
	},
	"tarok.advise": {
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "beggar", "declarer": "A"}`, `{"seat": "A", "hand": ` + sixteen +
			`, "contract": "zero", "declarer": "A"}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "two", "declarer": "B", "talon": ["T7", "H1", "HC", ` +
			`"T5", "T20", "SC"], "group": 1}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "two", "declarer": "C", "talon": ["T7", "H1", "HC", ` +
			`"T5", "T20", "SC"], "group": 1}`,
		`{"seat": "A", "hand": ` + sixteen + `, "contract": "two", "declarer": "A", "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "group": ` +
			`2, "discards": ["C8", "DJ"], "weigh": ["cards"]}`,
	},
	"tarok.review": {
		`{"hands": ` + three + `, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "zero", "declarer": "A", "played": ["DK"]}`,
		`{"hands": ` + three + `, "talon": ["T7", "H1", "T20", "SC", "HC", "T5"], "contract": "one", "declarer": "A", "group": 1, ` +
			`"discards": ["H1"], "played": ["DK"]}`,
	},
	"tarok.solve": {
		`{"hands": ` + three + `, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "beggar", "declarer": "A", "depth": 3}`,
		`{"hands": ` + three + `, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "zero", "declarer": "A", "depth": 3}`,
		`{"hands": ` + three + `, "talon": ["T7", "H1", "T20", "SC", "HC", "T5"], "contract": "two", "declarer": "A", "group": 2, "discards": ` +
			`["C8", "DJ"], "depth": 3}`,
		`{"hands": ` + three + `, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "two", "declarer": "A", "group": 2, "discards": ` +
			`["C8", "DJ"], "depth": 3}`,
		`{"hands": ` + three + `, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "two", "declarer": "A", "group": 2, "discards": ` +
			`["C8", "CJ"], "depth": 3}`,
	},
}

const (
	lead    = `{"trump": "S", "leader": "W", "declarer": "NS", "seat": "W", "hand": ["7C", "JC", "AC", "JH", "KH", "7D", "9D", "KD"], `
	hearts  = `{"A": [["QH", "7H"], ["KH", "AH"]], "B": [["10H", "8H"], ["JH", "9H"]]}`
	sixteen = `["T1", "T4", "T6", "T11", "T14", "T15", "T21", "HK", "SK", "D4", "D3", "D1", "DJ", "DK", "C8", "CJ"]`
	three   = `{"A": ` + sixteen + `, "B": ["T2", "T8", "T9", "T13", "T16", "T17", "T18", "T19", "S8",
		"SQ", "DC", "DQ", "C7", "C10", "CC", "CK"],
		"C": ["T3", "T10", "T12", "T22", "H4", "H3", "H2", "HJ", "HQ", "S7", "S9", "S10", "SJ", "D2", "C9", "CQ"]}`
)
