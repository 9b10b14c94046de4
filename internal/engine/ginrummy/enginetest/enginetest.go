// Package enginetest reads the vectors of Gin Rummy in testdata/gin-rummy, which come from the Java reference of the EAAI 2021 challenge.
// Only tests import it.
package enginetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/testkit"
)

// Names are the names of cards.
type Names []string

// Cards returns the cards.
func (n Names) Cards() (list []ginrummy.Card) {
	for _, name := range n {
		c, err := ginrummy.ParseCard(name)
		if err != nil {
			panic(err)
		}
		list = append(list, c)
	}
	return list
}

// Set returns the cards as a set.
func (n Names) Set() ginrummy.Set { return ginrummy.SetOf(n.Cards()...) }

// Card reads one card.
func Card(name string) ginrummy.Card { return Names{name}.Cards()[0] }

// MeldsVector is a line of melds.jsonl.
type MeldsVector struct {
	Hand         Names     `json:"hand"`
	Melds        int       `json:"melds"`
	MaximalSets  int       `json:"maximal_sets"`
	BestSets     int       `json:"best_sets"`
	Deadwood     int       `json:"deadwood"`
	Best         [][]Names `json:"best"` // nil if there are too many
	AfterDiscard *struct {
		Deadwood int   `json:"deadwood"`
		Cards    Names `json:"cards"`
	} `json:"after_discard"` // of hands of 11 cards
}

// RoundVector is a line of rounds.jsonl: a round between two simple players.
type RoundVector struct {
	Game         int           `json:"game"`
	Round        int           `json:"round"`
	Starter      ginrummy.Seat `json:"starter"`
	ScoresBefore [2]int        `json:"scores_before"`
	Deck         Names         `json:"deck"`
	Hands        [2]Names      `json:"hands"`
	Upcard       string        `json:"upcard"`
	Events       []struct {
		Player     ginrummy.Seat `json:"p"`
		Action     string        `json:"a"`
		Card       string        `json:"c"`
		Candidates Names         `json:"candidates"` // of a discard: the simple player's
		Melds      []Names       `json:"melds"`
		Deadwood   int           `json:"deadwood"`
		BestSets   int           `json:"best_sets"`
		On         Names         `json:"on"`
	} `json:"events"`
	StockLeft int `json:"stock_left"`
	Result    struct {
		Kind     string        `json:"kind"` // void, knock, gin or undercut
		Knocker  ginrummy.Seat `json:"knocker"`
		Deadwood [2]int        `json:"deadwood"`
		Score    [2]int        `json:"score"`
	} `json:"result"`
	FinalHands  [2]Names `json:"final_hands"`
	ScoresAfter [2]int   `json:"scores_after"`
	GameOver    bool     `json:"game_over"`
}

// SituationVector is a line of views.jsonl: what one of two simple players has seen, and the hand of the other.
type SituationVector struct {
	Starter string `json:"starter"`
	Upcard  string `json:"upcard"`
	Own     Names  `json:"hand"` // after the last event
	Events  []struct {
		Player string `json:"seat"`
		Action string `json:"kind"`
		Card   string `json:"card"`
	} `json:"events"`
	Features struct {
		Refused Names `json:"refused_or_discarded"`
		Kept    Names `json:"picked_and_kept"`
	} `json:"features"`
	Opponent   Names `json:"opponent"`
	KnocksNext bool  `json:"knocks_next"`
}

// Read reads the vectors of a file in testdata/gin-rummy.
func Read[V any](name string) (list []V, err error) {
	root, err := testkit.Root()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata", "gin-rummy", name)) //nolint:gosec // a file of the tests
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var v V
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// Situation returns the situation of a vector.
func (v *SituationVector) Situation() (ginrummy.Situation, error) {
	seats := map[string]ginrummy.Seat{"A": ginrummy.A, "B": ginrummy.B}
	s := ginrummy.Situation{Starter: seats[v.Starter], Upcard: Card(v.Upcard), Own: v.Own.Set()}
	for _, e := range v.Events {
		kind, err := ginrummy.ParseKind(e.Action)
		if err != nil {
			return s, err
		}
		event := ginrummy.Event{Seat: seats[e.Player], Kind: kind, Card: ginrummy.NoCard}
		if e.Card != "" {
			event.Card = Card(e.Card)
		}
		s.Events = append(s.Events, event)
	}
	return s, nil
}
