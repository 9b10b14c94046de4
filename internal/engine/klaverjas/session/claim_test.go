package session_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// ends adds the points on the sheet of every end of a position. If claimed is not nil, that seat plays as after a claim, and only the
// others play every card.
func ends(t *testing.T, p klaverjas.Position, played []piquet.Card, claimed *piquet.Seat, to map[[2]int]bool) {
	t.Helper()
	if p.Finished() {
		to[players.Sheet(p)] = true
		return
	}
	legal := p.Legal()
	if claimed != nil && p.Turn() == *claimed {
		legal = piquet.SetOf(rest(t, p, played))
	}
	for c := range legal.All() {
		ends(t, after(t, p, c), append(slices.Clip(played), c), claimed, to)
	}
}

func after(t *testing.T, p klaverjas.Position, c piquet.Card) klaverjas.Position {
	t.Helper()
	next, err := p.Play(c)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func knowledge(t *testing.T, v worlds.View) *worlds.Knowledge {
	t.Helper()
	k, err := worlds.New(v)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// rest returns the card that the seat to play plays after a claim.
func rest(t *testing.T, p klaverjas.Position, played []piquet.Card) piquet.Card {
	t.Helper()
	if c, ok := session.Sure(knowledge(t, worlds.ViewOf(p, played, p.Turn())), p); ok {
		return c
	}
	return p.Legal().First()
}

// A claim is granted when in each possible deal all lines end alike: that is compared with all lines of all deals, counted without
// shortcuts. If it is granted otherwise, each deal ends alike however the others play, and no line is better for the seat. What is played
// after the claim is the rest of the hand.
func TestClaims(t *testing.T) {
	granted, asked, further := 0, 0, 0
	for i, u := range setups(t, 300, 8) {
		u.Hands, u.Compare = 1, nil
		u.Rules.Melds = u.Rules.Melds && (i%3 > 0 || u.Flow != nil) // bids need the default rules
		rng := random.New(uint64(i), 8)
		for s := begin(t, u); s.State() != session.Over; s = do(t, s, act(rng, s)) {
			sight := session.See(s)
			if sight.State != session.Playing || sight.View.Held.Len() > 3 || sight.View.Held.Len() == 3 && !sight.Settled {
				continue
			}
			k := knowledge(t, sight.View.View)
			want := alike(t, k, sight.Settled)
			asked++
			if want && !sight.Settled {
				t.Fatalf("session %d, after %d cards: not settled, but all lines end alike", i, len(sight.View.Played))
			}
			if !sight.Settled {
				continue
			}
			granted++
			if !want {
				further++
			}
			checkClaim(t, s)
		}
	}
	if granted == 0 || granted == asked || further == 0 {
		t.Errorf("%d of %d claims were granted, %d of them for an order of cards", granted, asked, further)
	}
	t.Logf("%d of %d claims were granted, %d of them for an order of cards", granted, asked, further)
}

// alike reports whether in each world all lines end alike. If a claim is settled, it checks that each ends alike after the claim, and that
// no line gives the seat's team more or the other less.
func alike(t *testing.T, k *worlds.Knowledge, settled bool) bool {
	t.Helper()
	v := k.View()
	own := v.Seat.Team()
	all := true
	for n := range k.Worlds() {
		lines := map[[2]int]bool{}
		p := k.Position(k.World(n))
		ends(t, p, v.Played, nil, lines)
		all = all && len(lines) == 1
		if !settled {
			continue
		}
		claimed := map[[2]int]bool{}
		ends(t, p, v.Played, &v.Seat, claimed)
		if len(claimed) != 1 {
			t.Fatalf("after %v in world %d a claim ends with any of %v", v.Played, n, claimed)
		}
		for line := range lines {
			for end := range claimed {
				if line[own] > end[own] || line[own.Opponents()] < end[own.Opponents()] {
					t.Fatalf("after %v in world %d a claim ends with %v, another line with %v", v.Played, n, end, line)
				}
			}
		}
	}
	return all
}

func checkClaim(t *testing.T, s session.Session) {
	t.Helper()
	sight := session.See(s)
	claimed := do(t, s, claim)
	if claimed.State() != session.Over || len(claimed.Acts()) != len(s.Acts())+1 {
		t.Fatalf("after the claim the state is %s, with %d acts after %d", claimed.State(), len(claimed.Acts()), len(s.Acts()))
	}
	checkStored(t, claimed)
	checkResults(t, claimed)
	if played := do(t, s, card(sight.Legal.First())); sight.View.Held.Len() == 1 {
		if got, want := session.See(claimed).Totals, session.See(played).Totals; got != want {
			t.Errorf("the claim gives %v, the cards %v", got, want)
		}
	}
}

// Claims with more than three tricks left, of hands with many high cards: in sampled deals, with random cards of the others, each ends with
// the value of the exact search, which nobody can improve.
func TestEarlyClaims(t *testing.T) {
	solver := search.New(search.Options{TableBytes: 1 << 20})
	granted := [9]int{}
	for i := range 1000 {
		rng := random.New(uint64(i), 29)
		rules := klaverjas.DefaultRules(klaverjas.System(i % 2))
		rules.Melds = i%4 == 0
		seat := piquet.Seat(random.Below(rng, 4))
		d := klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4)), Declarer: piquet.Team(i / 2 % 2)}
		d.Hands = strong(rng, d.Trump, seat, i%3 == 0)
		p, err := klaverjas.NewPosition(rules, d)
		if err != nil {
			t.Fatal(err)
		}
		var played []piquet.Card
		for ; p.Hand(seat).Len() > 3; p = after(t, p, played[len(played)-1]) {
			if p.Turn() == seat {
				k := knowledge(t, worlds.ViewOf(p, played, seat))
				if c, ok := session.Sure(k, p); ok {
					granted[p.Hand(seat).Len()]++
					for range 3 {
						checkEarly(t, rng, solver, k, k.Position(k.Sample(rng)))
					}
					begun := begin(t, session.Setup{
						Rules: klaverjas.RulesJSON(rules), Seat: seat, Players: [2]players.Kind{kind(t, "random"), kind(t, "random")},
						Begun: &session.Begun{Deal: d, Played: played}, Terms: session.Terms{Hands: 1},
					})
					if !session.See(begun).Settled {
						t.Fatalf("after %v the session is not settled", played)
					}
					claimed := do(t, begun, claim)
					if claimed.State() != session.Over || len(claimed.Acts()) != 1 {
						t.Fatalf("after %v and the claim the state is %s, with %d acts", played, claimed.State(), len(claimed.Acts()))
					}
					checkStored(t, claimed)
					played = append(played, c)
					continue
				}
			}
			legal := p.Legal().Slice()
			played = append(played, legal[random.Below(rng, uint64(len(legal)))])
		}
	}
	t.Logf("claims by tricks left: %v", granted)
	for left := 4; left <= 8; left++ {
		if granted[left] == 0 {
			t.Errorf("no claim with %d tricks left: %v", left, granted)
		}
	}
}

// strong draws hands in which a seat has many of the highest trumps and of the highest cards of another suit; with pair, its partner too.
func strong(rng *rand.Rand, trump piquet.Suit, seat piquet.Seat, pair bool) [4]piquet.Set {
	var high piquet.Set
	for _, suit := range []piquet.Suit{trump, trump ^ piquet.Suit(1+random.Below(rng, 3))} {
		cards := piquet.Deck.InSuit(suit).Slice()
		slices.SortFunc(cards, func(a, b piquet.Card) int { return klaverjas.Strength(b, trump) - klaverjas.Strength(a, trump) })
		high |= piquet.SetOf(cards[:2+random.Below(rng, 5)]...)
	}
	cards := high.Slice()
	random.Shuffle(rng, cards)
	others := (piquet.Deck &^ high).Slice()
	random.Shuffle(rng, others)
	cards = append(cards, others...)
	var hands [4]piquet.Set
	hands[seat] = piquet.SetOf(cards[:8]...)
	left := cards[8:]
	if !pair {
		random.Shuffle(rng, left)
	}
	for i, other := range []piquet.Seat{seat.Partner(), seat.Next(), seat.Plus(3)} {
		hands[other] = piquet.SetOf(left[8*i : 8*i+8]...)
	}
	return hands
}

// checkEarly plays a world to its end after a claim, with random cards of the others.
func checkEarly(t *testing.T, rng *rand.Rand, solver *search.Solver, k *worlds.Knowledge, p klaverjas.Position) {
	t.Helper()
	best, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Value})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		end, played := p, slices.Clone(k.View().Played)
		for !end.Finished() {
			legal := end.Legal().Slice()
			c := legal[random.Below(rng, uint64(len(legal)))]
			if end.Turn() == k.View().Seat {
				c = rest(t, end, played)
			}
			end, played = after(t, end, c), append(played, c)
		}
		if end.Outcome() != best.Outcome {
			t.Fatalf("a claim after %v of %v ends with %d, the search with %d; played %v", k.View().Played, p.Deal(), end.Outcome(),
				best.Outcome, played)
		}
	}
}
