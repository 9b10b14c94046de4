package test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// tarokVector is a line of testdata/tarok/play.jsonl with a contract and an exchange: its first cards, and what is known of it.
type tarokVector struct {
	Hands    [3][]string      `json:"hands"`
	Talon    []string         `json:"talon"`
	Contract string           `json:"contract"`
	Declarer *int             `json:"declarer"`
	Group    int              `json:"talon_group"`
	Discards []string         `json:"discards"`
	Plays    []string         `json:"plays"`
	Legal    map[int][]string `json:"legal"`
	Points   json.RawMessage  `json:"points"`
}

// tarokCount is the number of the vectors.
const tarokCount = 52

// tarokVectors returns the vectors with an exchange. It panics if they cannot be read.
var tarokVectors = sync.OnceValue(func() []tarokVector {
	text, err := os.ReadFile("../testdata/tarok/play.jsonl")
	if err != nil {
		panic(err)
	}
	var all []tarokVector
	for line := range strings.Lines(string(text)) {
		var v tarokVector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			panic(err)
		}
		if len(v.Discards) > 0 {
			all = append(all, v)
		}
	}
	if len(all) != tarokCount {
		panic(fmt.Sprintf("%d vectors, want %d", len(all), tarokCount))
	}
	return all
})

// tarokTricks is how many tricks are left in a search.
const tarokTricks = 6

// at returns a card of the hand whose legal cards are known.
func (v *tarokVector) at() int {
	best := 0
	for i := range v.Legal {
		best = max(best, i)
	}
	return best
}

// request returns the body of a request about the vector.
func (v *tarokVector) request(op stormOperation) map[string]any {
	body := map[string]any{
		"hands": map[string]any{"A": v.Hands[0], "B": v.Hands[1], "C": v.Hands[2]}, "talon": v.Talon, "contract": v.Contract,
		"declarer": "ABC"[*v.Declarer : *v.Declarer+1], "group": v.Group, "discards": v.Discards, "played": v.Plays,
	}
	switch op {
	case opTarokSolve:
		body["played"], body["goal"] = v.Plays[:len(v.Plays)-3*tarokTricks], "moves"
	case opTarokLegal:
		body["played"] = v.Plays[:v.at()]
	case opTarokWorlds: // what the declarer knows at the end
		body["seat"], body["hand"], body["worlds"] = body["declarer"], v.Hands[*v.Declarer], 3
		delete(body, "hands")
	case opTarokReview: // of the declarer
		body["worlds"], body["seat"] = 4, body["declarer"]
	}
	return body
}

// decision returns the body of a request to the program: for the first bid and the first card, which are A's, or for the declarer.
func (v *tarokVector) decision(op stormOperation) map[string]any {
	player := 0
	if op == opTarokExchange || op == opTarokAnnounce {
		player = *v.Declarer
	}
	body := map[string]any{"seat": "ABC"[player : player+1], "hand": v.Hands[player], "seed": "1"}
	if op == opTarokAdvise {
		body["worlds"], body["depth"] = 2, 3
	} else {
		body["worlds"] = 2
	}
	if op == opTarokBid {
		return body
	}
	body["contract"], body["declarer"], body["talon"] = v.Contract, "ABC"[*v.Declarer:*v.Declarer+1], v.Talon
	if op == opTarokExchange {
		return body
	}
	shown := []string{}
	for _, c := range v.Discards {
		if player == *v.Declarer || strings.HasPrefix(c, "T") {
			shown = append(shown, c)
		}
	}
	body["group"], body["discards"] = v.Group, shown
	return body
}

// right returns the check of the answer.
func (v *tarokVector) right(op stormOperation) func([]byte) error {
	return func(text []byte) error {
		var got struct {
			Legal          []string
			Thirds         json.RawMessage
			Moves          []struct{ Card string }
			Exchange       struct{ Group int }
			Cards          []struct{ Card, Verdict string }
			DeclarerPoints json.RawMessage `json:"declarer_points"`
			Worlds         []struct{ Hands map[string][]string }
		}
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		switch op {
		case opTarokLegal:
			want := slices.Clone(v.Legal[v.at()])
			slices.Sort(want)
			if slices.Sort(got.Legal); !slices.Equal(got.Legal, want) {
				return fmt.Errorf("want the cards %v", want)
			}
		case opTarokScore:
			if string(got.DeclarerPoints) != string(v.Points) {
				return fmt.Errorf("want %s points", v.Points)
			}
		case opTarokReview:
			for _, c := range got.Cards {
				if !slices.Contains(v.Plays, c.Card) || c.Verdict == "" {
					return fmt.Errorf("want verdicts of cards that were played")
				}
			}
			if got.Exchange.Group != v.Group || len(got.Cards) != len(v.Plays)/3 {
				return fmt.Errorf("want the exchange and the cards of the declarer")
			}
		case opTarokWorlds:
			for p, hand := range v.Hands {
				if len(got.Worlds) != 1 || len(got.Worlds[0].Hands["ABC"[p:p+1]]) != len(hand) {
					return fmt.Errorf("want one deal, with hands as they were dealt")
				}
			}
		default:
			if len(got.Thirds) == 0 || len(got.Moves) == 0 {
				return fmt.Errorf("want the thirds and the moves")
			}
		}
		return nil
	}
}
