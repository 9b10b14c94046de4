// Package enginetest holds common code of the tests of the rules and the search of tarok: the reading of the vectors, the example game of
// the paper, random games, and conversions to the reference implementation [naive]. Only tests import it.
package enginetest

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest/naive"
)

// Vector is a line of testdata/tarok/play.jsonl: a game of random play from another implementation. Its seats 0, 1 and 2 are A, B and C.
// Spec is what the rules of docs/reference/rules/tarok.md score where the other implementation differs; a part that is null is not
// determined.
type Vector struct {
	Hands    [3][]string `json:"hands"`
	Talon    []string    `json:"talon"`
	Contract string      `json:"contract"`
	Declarer *int        `json:"declarer"`
	Leader   int         `json:"leader"`
	Bids     []struct {
		Player int      `json:"p"`
		Bid    string   `json:"bid"`
		Legal  []string `json:"legal"`
	} `json:"bids"`
	Group         int              `json:"talon_group"`
	Taken         []string         `json:"taken"`
	Discards      []string         `json:"discards"`
	DiscardLegal  [][]string       `json:"discard_legal"`
	Plays         []string         `json:"plays"`
	Winners       []int            `json:"winners"`
	Legal         map[int][]string `json:"legal"`
	TrickThirds   [3]int           `json:"trick_thirds"`
	DiscardThirds int              `json:"discard_thirds"`
	LeftThirds    int              `json:"left_thirds"`
	Points        json.RawMessage  `json:"points"` // a number, or in klop three
	Spec          *struct {
		Parts map[string]*int `json:"parts"`
		Mond  [3]int          `json:"mond"`
	} `json:"spec"`
	Notes []string `json:"note"`
	Other struct {
		Returns [3]int `json:"returns"`
	} `json:"openspiel"`
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
		out = append(out, v)
	}
	return out, nil
}

// Cards reads the names of cards. It panics at a name that is none.
func Cards(names ...string) (list []tarok.Card) {
	for _, name := range names {
		c, err := tarok.ParseCard(name)
		if err != nil {
			panic(err)
		}
		list = append(list, c)
	}
	return list
}

// SetOf reads the names of cards. It panics at a name that is none.
func SetOf(names ...string) tarok.Set { return tarok.SetOf(Cards(names...)...) }

// Setup returns the setup of the vector.
func (v *Vector) Setup() (tarok.Setup, error) {
	s := tarok.Setup{Rules: tarok.DefaultRules, Group: v.Group, Discards: SetOf(v.Discards...)}
	for i, hand := range v.Hands {
		s.Deal.Hands[i] = SetOf(hand...)
	}
	copy(s.Deal.Talon[:], Cards(v.Talon...))
	var err error
	if s.Contract, err = tarok.ParseContract(v.Contract); err != nil {
		return s, err
	}
	if v.Declarer != nil {
		s.Declarer = tarok.Player(*v.Declarer)
	}
	return s, nil
}

// Example returns the example game of the paper (section 4) before the first card, and the cards played. The suits that the text prints
// wrongly are corrected.
func Example() (tarok.Setup, []tarok.Card) {
	fields := strings.Fields
	s := tarok.Setup{Rules: tarok.DefaultRules, Contract: tarok.Two, Declarer: tarok.A, Group: 2, Discards: SetOf("C8", "CJ")}
	for i, text := range []string{
		"T1 T4 T6 T11 T14 T15 T21 HK SK D4 D3 D1 DJ DK C8 CJ",
		"T2 T8 T9 T13 T16 T17 T18 T19 S8 SQ DC DQ C7 C10 CC CK",
		"T3 T10 T12 T22 H4 H3 H2 HJ HQ S7 S9 S10 SJ D2 C9 CQ",
	} {
		s.Deal.Hands[i] = SetOf(fields(text)...)
	}
	copy(s.Deal.Talon[:], Cards("T7", "H1", "HC", "T5", "T20", "SC"))
	return s, Cards(fields(`DK DC D2  HK T2 HQ  S8 S7 SC  SK SQ S9  T4 T8 T3  C7 C9 T1  T6 T9 T10  S10 T11 T13  C10 CQ T14  D4 DQ T12
		H4 T20 T16  D3 T17 T22  H3 T21 T18  D1 T19 HJ  CC H2 T15  DJ CK SJ`)...)
}

// RandomEnding returns a position at the start of a trick of a random game, with the given number of cards in each hand.
func RandomEnding(rng *rand.Rand, size int, contracts ...tarok.Contract) tarok.Position {
	for {
		if p, ok := tarok.Ending(rng, tarok.DrawSetup(rng, contracts...), size); ok {
			return p
		}
	}
}

// Naive returns the same position in the reference implementation.
func Naive(p tarok.Position) *naive.Game {
	s := p.Setup()
	var hands [3][]string
	for i := range hands {
		hands[i] = p.Hand(tarok.Player(i)).Names()
	}
	talon := s.Left().Names()
	declarer := int(s.Declarer)
	if s.Contract == tarok.Klop {
		declarer, talon = -1, nil
		for _, c := range s.Deal.Talon {
			talon = append(talon, c.String())
		}
	}
	g := naive.New(s.Contract.String(), declarer, int(p.Leader()), hands, talon, s.Discards.Names())
	g.Emperor, g.Plain, g.OwnPagat = !s.Rules.NoEmperor, s.Rules.PlainValat, s.Rules.OwnPagat
	for _, c := range p.Trick() {
		g.Table = append(g.Table, c.String())
	}
	g.Turn = int(p.Turn())
	return g
}
