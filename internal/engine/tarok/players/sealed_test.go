package players_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/table/tabletest"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
	"roem/internal/testkit"
)

// No player does anything else if cards that it has not seen lie elsewhere: in the other hands, or in the talon before it is turned up.
func TestSealed(t *testing.T) {
	for i, kind := range players.Kinds() {
		g := tabletest.Game[players.Table, tarok.Player, *players.View, players.Action]{
			Deal: func(rng *rand.Rand) (players.Table, error) {
				rules := tarok.DefaultRules
				rules.Order = tarok.Order(random.Below(rng, 2))
				return players.NewTable(tarok.Random(rng), rules, [3]int{0, 1, 2})
			},
			Exchange: exchanged,
			Choose: func(rng *rand.Rand, _ tarok.Player, v *players.View) (players.Action, error) {
				return kind.New(rng).Choose(t.Context(), v)
			},
		}
		hands := testkit.Times(50, 1000, 1000, 1000)
		if checked, err := g.Sealed(hands, uint64(i)); err != nil || checked < 20*hands {
			t.Errorf("%s: %d decisions in %d hands: %v", kind.Name(), checked, hands, err)
		}
	}
}

// exchanged deals two cards that a player has not seen in each other's places.
func exchanged(rng *rand.Rand, table players.Table, p tarok.Player) (players.Table, bool) {
	v, setup := table.View(p), table.Setup()
	unseen := tarok.Deck &^ v.Seen()
	if unseen.Len() < 2 {
		return table, false
	}
	a := tarok.Any(rng, unseen)
	b := tarok.Any(rng, unseen.Without(a))
	d := setup.Deal
	for i, hand := range d.Hands {
		if hand.Has(a) != hand.Has(b) {
			d.Hands[i] ^= tarok.SetOf(a, b)
		}
	}
	for i, c := range d.Talon {
		switch c {
		case a:
			d.Talon[i] = b
		case b:
			d.Talon[i] = a
		}
	}
	out, err := players.NewTable(d, setup.Rules, [3]int{0, 1, 2})
	return out, err == nil && d != setup.Deal
}
