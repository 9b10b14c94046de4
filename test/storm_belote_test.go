package test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// beloteVector is a line of testdata/belote/decouverte.jsonl.
type beloteVector struct {
	Position map[string]any `json:"position"`
	Expect   struct {
		Turn   string         `json:"turn"`
		Legal  []string       `json:"legal"`
		Points int            `json:"points"`
		Won    bool           `json:"won"`
		Moves  map[string]int `json:"moves"`
	} `json:"expect"`
}

// beloteCount is the number of vectors.
const beloteCount = 124

// beloteVectors returns the vectors. It panics if they cannot be read.
var beloteVectors = sync.OnceValue(func() []beloteVector {
	text, err := os.ReadFile("../testdata/belote/decouverte.jsonl")
	if err != nil {
		panic(err)
	}
	var all []beloteVector
	for line := range strings.Lines(string(text)) {
		var v beloteVector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			panic(err)
		}
		all = append(all, v)
	}
	if len(all) != beloteCount {
		panic(fmt.Sprintf("%d vectors, want %d", len(all), beloteCount))
	}
	return all
})

// request returns the body of a request about the vector. An analysis is of the cards played and one more.
func (v *beloteVector) request(op stormOperation) map[string]any {
	body := maps.Clone(v.Position)
	switch op {
	case opBeloteSolve:
		body["goal"] = "moves"
	case opBeloteAnalyse, opBeloteReview:
		played, _ := body["played"].([]any)
		body["played"] = append(append([]any{}, played...), v.Expect.Legal[0])
	}
	if op == opBeloteReview {
		body["worlds"] = 2
	}
	return body
}

// view returns the body of a request for advice in which no card is known that has not been turned.
func (v *beloteVector) view(seed int) map[string]any {
	body := maps.Clone(v.Position)
	played, _ := body["played"].([]any)
	stacks := map[string][][2]any{}
	for player, list := range v.Position["stacks"].(map[string]any) {
		for _, stack := range list.([]any) {
			pair := stack.([]any)
			hidden := [2]any{pair[0], nil}
			if slices.Contains(played[:len(played)&^1], pair[0]) {
				hidden[1] = pair[1]
			}
			stacks[player] = append(stacks[player], hidden)
		}
	}
	body["stacks"], body["worlds"], body["seed"] = stacks, 4, fmt.Sprint(seed)
	return body
}

// right returns the check of the answer.
func (v *beloteVector) right(op stormOperation) func([]byte) error {
	return func(text []byte) error {
		var got struct {
			Turn   string
			Points json.RawMessage
			Won    bool
			Legal  []string
			Moves  []struct {
				Card   string
				Points int
			}
			After *int
			Cards []struct {
				Card  string
				Value int
				Open  struct{ Cost *int }
			}
		}
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		switch op {
		case opBeloteAnalyse:
			if want := v.Expect.Moves[v.Expect.Legal[0]]; got.After == nil || *got.After != want {
				return fmt.Errorf("want %d points after the card", want)
			}
			return nil
		case opBeloteReview:
			last := got.Cards[len(got.Cards)-1]
			best := v.Expect.Points
			if want := max(best-v.Expect.Moves[v.Expect.Legal[0]], v.Expect.Moves[v.Expect.Legal[0]]-best); last.Open.Cost == nil ||
				*last.Open.Cost != want {
				return fmt.Errorf("want a cost of %d for the last card", want)
			}
			return nil
		case opBeloteAdvise: // all cards are known, so that the values agree with solve
			if len(got.Cards) != len(v.Expect.Moves) || got.Cards[0].Value != v.Expect.Points {
				return fmt.Errorf("want %d cards and %d points", len(v.Expect.Moves), v.Expect.Points)
			}
			for _, c := range got.Cards {
				if want, ok := v.Expect.Moves[c.Card]; !ok || want != c.Value {
					return fmt.Errorf("%s: want %d points", c.Card, want)
				}
			}
			return nil
		case opBeloteLegal:
			if got.Turn != v.Expect.Turn || len(got.Legal) != len(v.Expect.Legal) {
				return fmt.Errorf("want the turn of %s and the cards %v", v.Expect.Turn, v.Expect.Legal)
			}
			return nil
		}
		if string(got.Points) != fmt.Sprint(v.Expect.Points) || got.Won != v.Expect.Won || len(got.Moves) != len(v.Expect.Moves) {
			return fmt.Errorf("want %d points and %d moves", v.Expect.Points, len(v.Expect.Moves))
		}
		for _, m := range got.Moves {
			if want, ok := v.Expect.Moves[m.Card]; !ok || want != m.Points {
				return fmt.Errorf("%s: want %d points", m.Card, want)
			}
		}
		return nil
	}
}

// rightBeloteScore returns the check of what is written down for points of the declarer A.
func rightBeloteScore(points int) func([]byte) error {
	return func(text []byte) error {
		var got struct{ Written struct{ A, B int } }
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		a := points
		if points < 80 {
			a = 0
		}
		if got.Written.A != a || got.Written.B != 162-a {
			return fmt.Errorf("want %d and %d", a, 162-a)
		}
		return nil
	}
}
