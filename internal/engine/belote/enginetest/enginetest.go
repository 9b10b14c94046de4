// Package enginetest holds common code of the tests of the rules and the search of Belote Découverte: the reading of the vectors, and
// conversions to the reference implementation [naive]. Only tests import it.
package enginetest

import (
	"encoding/json"
	"os"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/enginetest/naive"
	"roem/internal/engine/piquet"
)

// Vector is a line of testdata/belote/decouverte.jsonl: a position and what an independent program found for it.
type Vector struct {
	Raw      json.RawMessage `json:"position"`
	Position struct {
		Trump    *string                `json:"trump"`
		Suits    []string               `json:"suits"`
		Leader   string                 `json:"leader"`
		Declarer string                 `json:"declarer"`
		Stacks   map[string][][2]string `json:"stacks"`
		Played   []string               `json:"played"`
	} `json:"-"`
	Expect struct {
		Turn   string         `json:"turn"`
		Legal  []string       `json:"legal"`
		Points int            `json:"points"`
		Won    bool           `json:"won"`
		Moves  map[string]int `json:"moves"`
	} `json:"expect"`
}

// Vectors reads the vectors from the file.
func Vectors(path string) ([]Vector, error) {
	text, err := os.ReadFile(path) //nolint:gosec // a file of the tests
	if err != nil {
		return nil, err
	}
	var out []Vector
	for line := range strings.Lines(string(text)) {
		var v Vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(v.Raw, &v.Position); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Start returns the position of the vector, after the cards played.
func (v *Vector) Start() (belote.Position, error) {
	in := v.Position
	d := belote.Deal{Trump: belote.NoTrump}
	for _, text := range in.Suits {
		s, err := piquet.ParseSuit(text)
		if err != nil {
			return belote.Position{}, err
		}
		d.Deck |= belote.Deck(s)
		if in.Trump != nil && text == *in.Trump {
			d.Trump = belote.TrumpOf(s)
		}
	}
	var err error
	if d.Leader, err = belote.ParsePlayer(in.Leader); err != nil {
		return belote.Position{}, err
	}
	if d.Declarer, err = belote.ParsePlayer(in.Declarer); err != nil {
		return belote.Position{}, err
	}
	d.Threshold = d.Trump.DefaultThreshold(d.Deck)
	for _, p := range belote.Players() {
		for i, texts := range in.Stacks[p.String()] {
			two := []*piquet.Card{&d.Stacks[p][i].Top, &d.Stacks[p][i].Bottom}
			for j, text := range texts {
				if *two[j], err = piquet.ParseCard(text); err != nil {
					return belote.Position{}, err
				}
			}
		}
	}
	p, err := belote.NewPosition(d)
	if err != nil {
		return p, err
	}
	for _, text := range in.Played {
		c, err := piquet.ParseCard(text)
		if err != nil {
			return p, err
		}
		if p, err = p.Play(c); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Naive returns the same deal in the reference implementation.
func Naive(d belote.Deal) *naive.Game {
	trump := ""
	if s, ok := d.Trump.Suit(); ok {
		trump = s.String()
	}
	stacks := func(p belote.Player) (out [][]string) {
		for _, s := range d.Of(p) {
			out = append(out, []string{s.Top.String(), s.Bottom.String()})
		}
		return out
	}
	return naive.New(trump, d.Leader.String(), d.Declarer.String(), stacks(belote.A), stacks(belote.B))
}

// Deals are the decks and trumps of one to four suits that tests draw, with and without trump.
func Deals(suits int) (deck piquet.Set, trumps []belote.Trump) {
	all := piquet.Suits()
	for i := range suits {
		deck |= belote.Deck(all[i])
		trumps = append(trumps, belote.TrumpOf(all[i]))
	}
	return deck, append(trumps, belote.NoTrump)
}
