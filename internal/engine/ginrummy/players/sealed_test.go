package players_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/table/tabletest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// No player does anything else if cards that it has not seen lie elsewhere: in the hand of the opponent, or in the stock.
func TestSealed(t *testing.T) {
	for i, kind := range players.Kinds() {
		g := tabletest.Game[players.Table, ginrummy.Seat, ginrummy.View, ginrummy.Action]{
			Deal: func(rng *rand.Rand) (players.Table, error) {
				d := ginrummy.RandomDeal(rng, ginrummy.Seat(random.Below(rng, 2)))
				return players.NewTable(&d, [2]int{10, 20}), nil
			},
			Exchange: exchanged,
			Choose: func(rng *rand.Rand, _ ginrummy.Seat, v ginrummy.View) (ginrummy.Action, error) {
				return kind.New(rng).Choose(t.Context(), v)
			},
		}
		hands := testkit.Times(50, 1000, 1000, 1000)
		if kind.Name() == "random" {
			hands /= 5 // its rounds are long: it draws and discards up to the limit of turns
		}
		if checked, err := g.Sealed(hands, uint64(i)); err != nil || checked < 5*hands {
			t.Errorf("%s: %d decisions in %d rounds: %v", kind.Name(), checked, hands, err)
		}
	}
}

// exchanged deals two cards that a seat has not seen in each other's places.
func exchanged(rng *rand.Rand, table players.Table, s ginrummy.Seat) (players.Table, bool) {
	v := table.View(s)
	seen := v.Seen()
	unseen := seen.Unknown().Slice()
	d := *table.Deal()
	random.Shuffle(rng, unseen)
	if len(unseen) < 2 || table.Phase() == ginrummy.ToMeld {
		return table, false
	}
	pair := ginrummy.SetOf(unseen[0], unseen[1])
	for i, hand := range d.Hands {
		if hand.Has(unseen[0]) != hand.Has(unseen[1]) {
			d.Hands[i] ^= pair
		}
	}
	for i, c := range d.Stock {
		switch c {
		case unseen[0]:
			d.Stock[i] = unseen[1]
		case unseen[1]:
			d.Stock[i] = unseen[0]
		}
	}
	return players.NewTable(&d, table.Scores()), true
}
