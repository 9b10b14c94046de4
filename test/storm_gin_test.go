package test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
)

// ginLines returns the lines of a file of testdata/gin-rummy, of which there are a number. It panics if they cannot be read.
func ginLines[V any](name string, count int) func() []V {
	return sync.OnceValue(func() []V {
		text, err := os.ReadFile("../testdata/gin-rummy/" + name)
		if err != nil {
			panic(err)
		}
		var all []V
		for line := range strings.Lines(string(text)) {
			var v V
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				panic(err)
			}
			all = append(all, v)
		}
		if len(all) != count {
			panic(fmt.Sprintf("%d vectors in %s, want %d", len(all), name, count))
		}
		return all
	})
}

type ginHand struct {
	Hand     []string
	Melds    int
	Deadwood int
}

var (
	ginHands      = ginLines[ginHand]("melds.jsonl", 320)
	ginSituations = ginLines[map[string]any]("views.jsonl", 200)
)

// ginRequest returns the body of a request about a vector, and the check of its answer.
func ginRequest(op stormOperation, rng *rand.Rand) (body map[string]any, right func([]byte) error) {
	situation := func() map[string]any {
		s, out := ginSituations()[rng.IntN(200)], map[string]any{}
		for _, field := range []string{"seat", "starter", "upcard", "hand", "events"} {
			out[field] = s[field]
		}
		return out
	}
	switch op {
	case opGinMelds:
		v := ginHands()[rng.IntN(320)]
		return map[string]any{"hand": v.Hand}, func(text []byte) error {
			var got struct {
				Melds    [][]string
				Deadwood int
			}
			if err := json.Unmarshal(text, &got); err != nil {
				return err
			}
			if len(got.Melds) != v.Melds || got.Deadwood != v.Deadwood {
				return fmt.Errorf("want %d melds and a deadwood of %d", v.Melds, v.Deadwood)
			}
			return nil
		}
	case opGinScore:
		return map[string]any{
			"knocker":  map[string]any{"hand": strings.Fields("AC 2C 3C 5H 5S 5D 7H 8H 9H 4S")},
			"opponent": map[string]any{"hand": strings.Fields("4C 5C 10H JH KC KH KS QD QS 2S")},
		}, func(text []byte) error { return contains(text, `"score":{"knocker":18,"opponent":0}`) }
	case opGinEstimates:
		list := []any{situation(), map[string]any{}, situation()}
		return map[string]any{"views": list}, func(text []byte) error {
			var got struct{ Results []json.RawMessage }
			if err := json.Unmarshal(text, &got); err != nil {
				return err
			}
			if len(got.Results) != len(list) {
				return fmt.Errorf("want %d results", len(list))
			}
			if err := rightGinEstimate(got.Results[2]); err != nil {
				return err
			}
			return contains(got.Results[1], `"status":400`)
		}
	case opGinEstimate:
		return situation(), rightGinEstimate
	case opGinAdvise:
		return situation(), func(text []byte) error { return contains(text, `"phase":"draw"`) }
	}
	if op == opGinReview {
		body := map[string]any{
			"starter": "A", "upcard": "10S", "hands": map[string]any{
				"A": strings.Fields("5H 6H 7H JS AS 2D 3D 6D 7D 8D"),
				"B": strings.Fields("2C 3C 4C 8C QC KH 7S KS JD QS"),
			},
			"events": []map[string]string{{"seat": "A", "kind": "take", "card": "10S"}, {"seat": "A", "kind": "discard", "card": "5H"}},
			"seed":   strconv.Itoa(rng.IntN(5)),
		}
		return body, func(text []byte) error {
			return contains(text, `"action":{"kind":"discard","card":"5H"},"legal":10,"verdict":"mistake"`)
		}
	}
	pairs, seed := 1+rng.IntN(3), strconv.Itoa(rng.IntN(1000))
	return map[string]any{"a": "simple", "b": "simple", "deals": pairs, "seed": seed}, func(text []byte) error {
		var got struct {
			Deals, Games, Won int
			Seed              string
		}
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		if got.Deals != pairs || got.Games != 2*pairs || got.Won > got.Games || got.Seed != seed {
			return fmt.Errorf("want a match of %d pairs with the seed %s", pairs, seed)
		}
		return nil
	}
}

// rightGinEstimate returns an error if the probabilities do not sum to ten cards.
func rightGinEstimate(text []byte) error {
	var got struct{ Probabilities map[string]float64 }
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	sum := 0.0
	for _, p := range got.Probabilities {
		sum += p
	}
	if len(got.Probabilities) != 52 || math.Abs(sum-10) > 1e-6 {
		return fmt.Errorf("%d probabilities with the sum %v", len(got.Probabilities), sum)
	}
	return nil
}

// contains returns an error if the text does not contain a part.
func contains(text []byte, part string) error {
	if !strings.Contains(string(text), part) {
		return fmt.Errorf("no %s in %.200s", part, text)
	}
	return nil
}
