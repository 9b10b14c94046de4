package players_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table/tabletest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// No player but exact, which no session has, does anything else if the cards that nobody has seen lie elsewhere.
func TestSealed(t *testing.T) {
	for i, tt := range []struct {
		kind   string
		hands  int
		called bool
	}{{"random", 1000, false}, {"simple", 1000, false}, {"sampling:2", 200, false}, {"expectimax:2", 40, false}, {"sampling:4", 20, true}} {
		kind, err := players.ParseKind(tt.kind, 2)
		if err != nil {
			t.Fatal(err)
		}
		rules := players.Rules{Threshold: func(trump belote.Trump) int { return trump.DefaultThreshold(deck) }}
		tools := new(players.Tools)
		g := tabletest.Game[players.Table, belote.Player, players.View, players.Action]{
			Deal: func(rng *rand.Rand) (players.Table, error) {
				rules.Flip = worlds.Flip(random.Below(rng, 2))
				return players.NewTable(belote.Random(rng, deck, belote.TrumpOf(piquet.Hearts)), tt.called, rules)
			},
			Exchange: func(rng *rand.Rand, table players.Table, p belote.Player) (players.Table, bool) {
				return exchanged(rng, table, table.View(p), tt.called, rules)
			},
			Choose: func(rng *rand.Rand, _ belote.Player, v players.View) (players.Action, error) {
				return kind.New(players.Place{Rand: rng, Tools: tools}).Choose(t.Context(), v)
			},
		}
		hands := testkit.Times(tt.hands/10, tt.hands, tt.hands, tt.hands)
		if checked, err := g.Sealed(hands, uint64(i)); err != nil || checked < 2*hands {
			t.Errorf("%s: %d decisions in %d hands: %v", kind.Name(), checked, hands, err)
		}
	}
}

var deck = belote.Deck(piquet.Hearts, piquet.Spades)

// exchanged deals two cards that nobody has seen in each other's places.
func exchanged(rng *rand.Rand, table players.Table, v players.View, called bool, rules players.Rules) (players.Table, bool) {
	seen := piquet.Set(0)
	if v.Dealing != nil {
		for _, open := range v.Dealing.Open {
			seen |= piquet.SetOf(open...)
		}
	} else {
		seen = deck &^ v.Seen.Unseen()
	}
	unseen := (deck &^ seen).Slice()
	random.Shuffle(rng, unseen)
	if len(unseen) < 2 {
		return table, false
	}
	d := table.Deal()
	for p := range d.Stacks {
		for i := range d.Count() {
			for _, c := range []*piquet.Card{&d.Stacks[p][i].Top, &d.Stacks[p][i].Bottom} {
				switch *c {
				case unseen[0]:
					*c = unseen[1]
				case unseen[1]:
					*c = unseen[0]
				}
			}
		}
	}
	out, err := players.NewTable(d, called, rules)
	return out, err == nil
}
