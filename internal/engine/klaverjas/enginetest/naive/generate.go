package naive

import (
	"math/bits"
	"math/rand/v2"
)

// RuleSets returns the rule sets of the tests: both systems with every under-ruff option, and the paper's rules with one other option
// changed each time.
func RuleSets() []Rules {
	var sets []Rules
	for _, system := range []string{"rotterdam", "amsterdam"} {
		for _, ruff := range []string{"forced", "forbidden", "free"} {
			r := Default(system)
			r.UnderRuff = ruff
			sets = append(sets, r)
		}
	}
	for _, change := range []func(*Rules){
		func(r *Rules) { r.Melds = false },
		func(r *Rules) { r.NatMelds = "all" },
		func(r *Rules) { r.PitDeclarers = 0 },
		func(r *Rules) { r.PitDefenders = 100 },
		func(r *Rules) { r.PitDefenders, r.NatMelds = 100, "all" },
		func(r *Rules) { r.FourOfAKind = map[string]int{"7": 0, "8": 0, "9": 0, "J": 200} },
	} {
		for _, system := range []string{"rotterdam", "amsterdam"} {
			r := Default(system)
			change(&r)
			sets = append(sets, r)
		}
	}
	return sets
}

// RandomRules draws every option independently, including unusual combinations.
func RandomRules(rng *rand.Rand) Rules {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	r := Rules{
		System:       pick("rotterdam", "amsterdam"),
		UnderRuff:    pick("forced", "forbidden", "free"),
		Melds:        rng.IntN(6) > 0,
		PitDeclarers: []int{100, 100, 100, 0, 10, 1000}[rng.IntN(6)],
		PitDefenders: []int{0, 0, 0, 100, 30, 1000}[rng.IntN(6)],
		NatMelds:     pick("defenders", "defenders", "all"),
	}
	if rng.IntN(3) == 0 {
		r.FourOfAKind = map[string]int{}
		for _, face := range natural {
			if rng.IntN(2) == 0 {
				r.FourOfAKind[face] = []int{0, 10, 20, 200, 500, 1000}[rng.IntN(6)]
			}
		}
	}
	return r
}

// A Kind is a distribution of the cards of a random deal or endgame.
type Kind int

// The kinds of random cards. All but Uniform make rare cases frequent.
const (
	Uniform    Kind = iota
	FourOfKind      // faces whose four cards are in four different hands
	Sequences       // as many cards of two or three suits as possible
	Trumps          // as many trumps as possible
	Kinds           // number of kinds
)

// RandomHands deals count cards to each seat, one bit per card.
func RandomHands(rng *rand.Rand, kind Kind, trump, count int) [4]int {
	var hands [4]int
	taken := 0
	give := func(seat, card int) {
		hands[seat] |= 1 << card
		taken |= 1 << card
	}
	if kind == FourOfKind {
		faces := rng.Perm(8)
		for _, face := range faces[:1+rng.IntN(count)] {
			for suit, seat := range rng.Perm(4) {
				give(seat, 8*suit+face)
			}
		}
	}
	// The other cards come from a pile that starts with the preferred cards.
	pile := rng.Perm(32)
	switch kind {
	case Sequences:
		suits := rng.Perm(4)
		pile = nil
		for i := 0; i < 4; i += 2 {
			for _, at := range rng.Perm(16) {
				pile = append(pile, 8*suits[i+at/8]+at%8)
			}
		}
	case Trumps:
		pile = nil
		for _, face := range rng.Perm(8) {
			pile = append(pile, 8*trump+face)
		}
		for _, card := range rng.Perm(32) {
			if card/8 != trump {
				pile = append(pile, card)
			}
		}
	}
	var rest []int
	missing := 4*count - bits.OnesCount(uint(taken))
	for _, card := range pile {
		if taken>>card&1 == 0 && len(rest) < missing {
			rest = append(rest, card)
		}
	}
	rng.Shuffle(len(rest), func(a, b int) { rest[a], rest[b] = rest[b], rest[a] })
	for _, card := range rest {
		for seat := range hands {
			if bits.OnesCount(uint(hands[seat])) < count {
				give(seat, card)
				break
			}
		}
	}
	return hands
}

// RandomDeal draws a deal before the first card.
func RandomDeal(rng *rand.Rand, rules Rules, kind Kind) State {
	s := State{Rules: rules, Trump: rng.IntN(4), Declarer: rng.IntN(2), Leader: rng.IntN(4)}
	s.Hands = RandomHands(rng, kind, s.Trump, 8)
	return s
}

// RandomEndgame draws an endgame of count cards per hand, counted before the current trick, in which there may already be 0 to 3 legal
// cards. The history is drawn too. The earlier tricks are divided in any way, also all to one team. A team without a trick has no
// points. The points of the played cards are divided at random, usually so that the endgame decides the winner. A few states have more
// or fewer points than possible, always with an even outcome.
func RandomEndgame(rng *rand.Rand, rules Rules, kind Kind, count int) State {
	s := State{Rules: rules, Trump: rng.IntN(4), Declarer: rng.IntN(2), Leader: rng.IntN(4)}
	s.Hands = RandomHands(rng, kind, s.Trump, count)

	j := newJudge(s)
	gone := 152
	for _, hand := range s.Hands {
		for card := range 32 {
			if hand>>card&1 == 1 {
				gone -= j.points[card]
			}
		}
	}
	if rng.IntN(8) == 0 { // not the points of the played cards, but with the same parity
		gone = gone%2 + 2*rng.IntN(100)
	}
	for range rng.IntN(4) {
		var list [8]int
		n := j.legal(&list)
		card := list[rng.IntN(n)]
		j.play(card)
		s.Trick = append(s.Trick, card)
	}
	s.Hands = j.hands

	before := 8 - count
	switch rng.IntN(4) {
	case 0: // all tricks to one team, so that a pit is possible
		s.Taken[rng.IntN(2)] = before
	default:
		s.Taken[0] = rng.IntN(before + 1)
		s.Taken[1] = before - s.Taken[0]
	}
	melds := []int{0, 0, 0, 0, 20, 20, 40, 50, 70, 100, 120, 200, 1010}
	for team := range 2 {
		if s.Taken[team] > 0 {
			s.Melds[team] = melds[rng.IntN(len(melds))]
		}
	}
	switch {
	case s.Taken[0] == 0:
		s.Points[1] = gone
	case s.Taken[1] == 0:
		s.Points[0] = gone
	case rng.IntN(3) == 0:
		s.Points[0] = rng.IntN(gone + 1)
		s.Points[1] = gone - s.Points[0]
	default: // the remaining cards decide the winner
		left := 162 - gone
		lead := rng.IntN(2*max(left, 10)+1) - max(left, 10) // difference between the points of NS and of EW
		s.Points[0] = min(max((gone+lead+s.Melds[1]-s.Melds[0])/2, 0), gone)
		s.Points[1] = gone - s.Points[0]
	}
	return s
}
