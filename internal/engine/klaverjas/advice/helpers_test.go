package advice_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// hand is a hand in play, with everybody's cards.
type hand struct {
	rules  naive.Rules
	at     klaverjas.Position
	played []piquet.Card
}

// randomHand deals at random and plays that many random legal cards.
func randomHand(tb testing.TB, rng *rand.Rand, played int) hand {
	tb.Helper()
	h := hand{rules: naive.RandomRules(rng)}
	rules, err := enginetest.Rules(h.rules)
	if err != nil {
		tb.Fatal(err)
	}
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	h.at, err = klaverjas.NewPosition(rules, klaverjas.Deal{
		Trump: trump, Leader: leader, Declarer: piquet.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader),
	})
	if err != nil {
		tb.Fatal(err)
	}
	for range played {
		legal := h.at.Legal().Slice()
		h.play(tb, legal[rng.IntN(len(legal))])
	}
	return h
}

func (h *hand) play(tb testing.TB, c piquet.Card) {
	tb.Helper()
	next, err := h.at.Play(c)
	if err != nil {
		tb.Fatal(err)
	}
	h.at, h.played = next, append(h.played, c)
}

// knows returns the knowledge of the seat to play.
func (h hand) knows(tb testing.TB) *worlds.Knowledge {
	tb.Helper()
	return knowsOf(tb, worlds.ViewOf(h.at, h.played, h.at.Turn()))
}

func knowsOf(tb testing.TB, v worlds.View) *worlds.Knowledge {
	tb.Helper()
	k, err := worlds.New(v)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func questionOf(tb testing.TB, k *worlds.Knowledge) *advice.Question {
	tb.Helper()
	q, err := advice.NewQuestion(k)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func newSolver() *search.Solver { return search.New(search.Options{TableBytes: 1 << 20}) }

// state returns a position in the form of the reference implementation.
func state(rules naive.Rules, p klaverjas.Position) naive.State {
	deal, trick := p.Deal(), p.Trick()
	s := naive.State{
		Rules: rules, Trump: int(deal.Trump), Declarer: int(deal.Declarer), Leader: int(trick.Leader),
		Points: p.Score().Tricks, Melds: p.Score().Melds, Taken: p.TricksTaken(),
	}
	for _, seat := range piquet.Seats() {
		s.Hands[seat] = int(p.Hand(seat))
	}
	for _, c := range trick.Cards[:trick.Len] {
		s.Trick = append(s.Trick, int(c))
	}
	return s
}

// set reads cards such as "7C 10H".
func set(tb testing.TB, text ...string) piquet.Set {
	tb.Helper()
	return piquet.SetOf(list(tb, text...)...)
}

func list(tb testing.TB, text ...string) []piquet.Card {
	tb.Helper()
	out := make([]piquet.Card, len(text))
	for i, one := range text {
		var err error
		if out[i], err = piquet.ParseCard(one); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}
