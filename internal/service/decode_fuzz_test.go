package service

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"roem/internal/api"
)

// asReference reads what the schema of that name accepts into a type of the contract, and builds the value out of it.
func asReference[T, V any](d *Decoder, tree any, schema string, build func(T) (V, error)) (out V, err error) {
	schemas, err := d.schemas.read()
	if err != nil {
		return out, err
	}
	if err := d.schemas.check(tree, schemas[schema]); err != nil {
		return out, err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return out, err
	}
	var in T
	if err := json.Unmarshal(text, &in); err != nil {
		return out, err
	}
	return build(in)
}

// bodyOf is a position of the contract with every card as a text.
func bodyOf(in api.Position) positionBody {
	body := positionBody{Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Deal: in.Deal}
	if in.Hands != nil {
		hands := handsOf(*in.Hands)
		body.Hands = &hands
	}
	if in.Played != nil {
		body.Played = &cardList{texts: *in.Played}
	}
	return body
}

func handsOf(in api.HandsInput) handsBody {
	return handsBody{N: cardList{texts: in.N}, E: cardList{texts: in.E}, S: cardList{texts: in.S}, W: cardList{texts: in.W}}
}

func (d *Decoder) referencePosition(tree any) (position, error) {
	return asReference(d, tree, "Position", func(in api.Position) (position, error) { return newPosition(bodyOf(in)) })
}

// references read the tree of a body as the schema says.
var references = map[string]func(*Decoder, any) (any, error){
	"Position": func(d *Decoder, tree any) (any, error) {
		p, err := d.referencePosition(tree)
		object, _ := tree.(map[string]any)
		return PositionQuery{p, object["deal"] != nil}, err
	},
	"Solve": func(d *Decoder, tree any) (any, error) {
		return asReference(d, tree, "SolveRequest", func(in api.SolveRequest) (q SolveQuery, err error) {
			if q.Goal, err = newGoal(in.Goal); err != nil {
				return q, err
			}
			q.position, err = newPosition(bodyOf(api.Position{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			}))
			return q, err
		})
	},
	"Table": func(d *Decoder, tree any) (any, error) {
		return asReference(d, tree, "TableRequest", func(in api.TableRequest) (TableQuery, error) {
			return newTable(tableBody{Rules: in.Rules, Leader: in.Leader, Hands: handsOf(in.Hands)})
		})
	},
	"Hybrid": func(d *Decoder, tree any) (any, error) {
		return asReference(d, tree, "HybridRequest", func(in api.HybridRequest) (q HybridQuery, err error) {
			q.BudgetMs, q.MinConfidence = in.BudgetMs, in.MinConfidence
			q.position, err = newPosition(bodyOf(api.Position{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			}))
			return q, err
		})
	},
	"SolveBatch": func(d *Decoder, tree any) (any, error) {
		return asReference(d, withoutItems(tree), "SolveBatchRequest", func(in api.SolveBatchRequest) (b Batch, err error) {
			goal, err := newGoal(in.Goal)
			return Batch{goal: SolveQuery{Goal: goal}.goal(), items: d.referenceItems(tree)}, err
		})
	},
	"PredictBatch": func(d *Decoder, tree any) (any, error) {
		return asReference(d, withoutItems(tree), "PredictBatchRequest", func(struct{}) (PredictBatch, error) {
			return PredictBatch{d.referenceItems(tree)}, nil
		})
	},
	"HybridBatch": func(d *Decoder, tree any) (any, error) {
		return asReference(d, withoutItems(tree), "HybridBatchRequest", func(in struct {
			BudgetMs      *float64 `json:"budget_ms"`
			MinConfidence *float64 `json:"min_confidence"`
		},
		) (HybridBatch, error) {
			return HybridBatch{Items: d.referenceItems(tree), BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}, nil
		})
	},
	"Job": func(d *Decoder, tree any) (any, error) {
		return asReference(d, tree, "JobRequest", func(in api.JobRequest) (*Work, error) {
			w, err := d.Work(in.Kind, in.Request)
			return w, below("/request", err)
		})
	},
}

// referenceItems reads the positions of a list whose schema allows any.
func (d *Decoder) referenceItems(tree any) []Item[position] {
	object, _ := tree.(map[string]any)
	list, _ := object[positionsField].([]any)
	items := make([]Item[position], len(list))
	for i, one := range list {
		items[i].Value, items[i].Err = d.referencePosition(one)
		items[i].Err = inList(items[i].Err, i)
	}
	return items
}

// withoutItems is the tree with an empty object for each item of its list: what is wrong with an item is the item's error.
func withoutItems(tree any) any {
	object, _ := tree.(map[string]any)
	list, ok := object[positionsField].([]any)
	if !ok {
		return tree
	}
	out := maps.Clone(object)
	items := make([]any, len(list))
	for i := range items {
		items[i] = map[string]any{}
	}
	out[positionsField] = items
	return out
}

// agree compares what the decoder reads of a body, as each request, with what the schema and the domain say.
func agree(t *testing.T, d *Decoder, body []byte) (accepted int) {
	t.Helper()
	tree, parseErr := parse(body)
	for name, reference := range references {
		got, err := request(d, name, body)
		if err == nil {
			accepted++
		}
		if parseErr != nil {
			if err == nil && !anyItemFails(got) {
				t.Fatalf("%s: accepted, but %v\n%s", name, parseErr, body)
			}
			if !strings.HasSuffix(name, "Batch") && !sameError(err, parseErr) {
				t.Fatalf("%s: %v, want %v\n%s", name, err, parseErr, body)
			}
			continue
		}
		want, wantErr := reference(d, tree)
		if !sameError(err, wantErr) {
			t.Fatalf("%s: %v, want %v\n%s", name, err, wantErr, body)
		}
		if err == nil && !sameRequest(got, want) {
			t.Fatalf("%s: %+v, want %+v\n%s", name, got, want, body)
		}
	}
	return accepted
}

func anyItemFails(got any) bool {
	failed := func(item Item[position]) bool { return item.Err != nil }
	switch list := got.(type) {
	case Batch:
		return slices.ContainsFunc(list.items, failed)
	case PredictBatch:
		return slices.ContainsFunc(list.Items, failed)
	case HybridBatch:
		return slices.ContainsFunc(list.Items, failed)
	default:
		return false
	}
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return KindOf(a) != Internal && KindOf(a) == KindOf(b) && a.Error() == b.Error()
}

// sameRequest compares two requests but for the texts of their bodies and what an item with an error holds.
func sameRequest(a, b any) bool {
	if work, ok := a.(*Work); ok {
		other := b.(*Work)
		return work.kind == other.kind && sameRequest(work.request, other.request)
	}
	sameItems := func(a, b []Item[position]) bool {
		return slices.EqualFunc(a, b, func(a, b Item[position]) bool {
			return sameError(a.Err, b.Err) && (a.Err != nil || reflect.DeepEqual(a.Value, b.Value))
		})
	}
	switch list := a.(type) {
	case Batch:
		other := b.(Batch)
		return list.goal == other.goal && sameItems(list.items, other.items)
	case PredictBatch:
		return sameItems(list.Items, b.(PredictBatch).Items)
	case HybridBatch:
		other := b.(HybridBatch)
		return reflect.DeepEqual(list.BudgetMs, other.BudgetMs) && reflect.DeepEqual(list.MinConfidence, other.MinConfidence) &&
			sameItems(list.Items, other.Items)
	default:
		return reflect.DeepEqual(a, b)
	}
}

// The positions of the vectors are read as the schema and the domain read them.
func TestDecodeAgreesOnVectors(t *testing.T) {
	d := NewDecoder()
	text, err := os.ReadFile("../../testdata/vectors/rotterdam-positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for line := range strings.Lines(string(text)) {
		var v struct{ Position json.RawMessage }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		accepted += agree(t, d, v.Position)
	}
	if accepted == 0 {
		t.Error("nothing is accepted")
	}
}

// Every field with every odd value is read, or refused, as the schema and the domain say.
func TestDecodeAgreesOnOddValues(t *testing.T) {
	d := NewDecoder()
	values := []string{
		`null`, `true`, `0`, `-0`, `10`, `1e1`, `10.0`, `10.5`, `-10`, `1010`, `1e400`, `1e-400`, `0.5`, `0.75`, `600000`, `9007199254740993`,
		`""`, `"S"`, `"s"`, `"\u0053"`, `"♠"`, `"♠\ufe0f"`, `"null"`, `"` + strings.Repeat("S", 40) + `"`, `"S` + strings.Repeat("\ufe0f", 40) + `"`,
		`"win"`, `"WIN"`, `"amsterdam"`, `"free"`, `"all"`, `"NS"`, `"7"`, `"+7"`, `"` + strings.Repeat("0", 21) + `"`, `"solve"`,
		`[]`, `[null]`, `[1]`, `["JH"]`, `["jh", "8\u2660"]`, `["JH",  "8S" ]`, `["JH", "JH"]`, `["J\"H"]`, `[["JH"]]`, `[{}]`,
		`{}`, `{"x": 1}`, `{"system": "amsterdam"}`, `{"declarers": 200}`, `{"J": 200}`, `{` + someDeal + `}`, `[{` + someDeal + `}]`, someHands,
	}
	const deal = `{"trump": "S", "leader": "S", "deal": "1"`
	accepted := 0
	for _, around := range []string{
		`{"leader": "S", "deal": "1", "trump": %s}`, `{"trump": "S", "deal": "1", "leader": %s}`, deal + `, "declarer": %s}`,
		`{"trump": "S", "leader": "S", "deal": %s}`, `{"trump": "S", "leader": "S", "hands": %s}`, `{"leader": "S", "hands": %s}`,
		`{"leader": "S", "hands": ` + strings.Replace(someHands, `"N": [`, `"N": %s, "E": [`, 1) + `}`,
		`{"trump": "S", "leader": "S", "hands": ` + strings.Replace(someHands, `"9C"`, `%s`, 1) + `}`,
		`{` + someDeal + `, "played": %s}`, `{` + someDeal + `, "played": ["JH", %s]}`, `{` + someDeal + `, "goal": %s}`,
		`{` + someDeal + `, "budget_ms": %s}`, `{` + someDeal + `, "min_confidence": %s}`, `{` + someDeal + `, "rules": %s}`,
		deal + `, "rules": {"system": %s}}`, deal + `, "rules": {"under_ruff": %s}}`, deal + `, "rules": {"melds": %s}}`,
		deal + `, "rules": {"nat_melds": %s}}`, deal + `, "rules": {"pit": %s}}`, deal + `, "rules": {"pit": {"defenders": %s}}}`,
		deal + `, "rules": {"four_of_a_kind": %s}}`, deal + `, "rules": {"four_of_a_kind": {"10": %s}}}`,
		`{"positions": %s}`, `{"positions": [%s]}`, `{"positions": [{` + someDeal + `}, %s]}`, `{"positions": [` + deal + `, "played": %s}]}`,
		`{"positions": [` + deal + `}], "goal": %s}`, `{"positions": [` + deal + `}], "budget_ms": %s}`, `{"positions": [` + deal + `}], "min_confidence": %s}`,
		`{"kind": %s, "request": ` + deal + `}}`, `{"kind": "solve", "request": %s}`, `{"kind": "analyse", "request": {` + someDeal + `, "played": %s}}`,
		`{"kind": "solve_batch", "request": {"positions": [%s]}}`, `%s`, ` %s `, deal + `, "x": %s}`, deal + `, "trump": %s}`,
	} {
		for _, value := range values {
			accepted += agree(t, d, []byte(strings.Replace(around, "%s", value, 1)))
		}
	}
	if accepted == 0 {
		t.Error("nothing is accepted")
	}
}

// FuzzDecode looks for a body that the decoder accepts and the schema or the domain does not, or the other way round, and
// for one that they read otherwise or refuse for other reasons.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{` + someDeal + `, "played": ["JH", "8S"]}`,
		`{` + someDeal + `, "budget_ms": 5e-1, "min_confidence": 1}`,
		`{` + someDeal + `, "played": ["JH", "8\u2660"], "goal": "win", "rules": {"system": "amsterdam", "pit": {"declarers": 1e2, "defenders": 0}}}`,
		`{"trump": "D", "leader": "n", "deal": "99561092450390999", "declarer": "ew", "goal": "moves"}`,
		`{"trump": "♠️", "leader": "S", "deal": "1", "rules": {"under_ruff": "free", "nat_melds": "all", "melds": false, "four_of_a_kind": {"10": 200}}, "played": []}`,
		`{"trump": "S", "leader": "S", "rules": {}, "hands": {"N": [], "E": [], "S": [], "W": []}}`,
		`{"leader": "S", "rules": null, "hands": ` + strings.Replace(someHands, "9C", "9c", 1) + `}`,
		`{"positions": [{` + someDeal + `}, {"trump": 1}, {"a": 1, "a": 2}], "goal": "value"}`,
		`{"positions": [{"trump": "C", "leader": "N", "deal": "0"}, {` + someDeal + `, "played": ["AC"]}], "budget_ms": 1, "min_confidence": 0.5}`,
		`{"kind": "solve_batch", "request": {"positions": [{` + someDeal + `}, {"trump": "X"}]}}`,
		`{"kind": "analyse", "request": {` + someDeal + `, "played": ["JH"]}}`,
		`{"kind": "table", "request": {"leader": "S", "hands": ` + someHands + `}}`,
		`{"kind": "solve", "request": {` + someDeal + `, "goal": "win"}, "x": 1}`,
		`{"trump": "S", "leader": "S", "deal": "1", "played": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}`,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"pit": {"declarers": 1e999}}}`,
	} {
		f.Add([]byte(seed))
	}
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, body []byte) { agree(t, d, body) })
}
