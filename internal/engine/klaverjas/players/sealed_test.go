package players_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
	"roem/internal/engine/table/tabletest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// playing is the play of a hand on the frame of package table.
type playing struct {
	now    klaverjas.Position
	played table.List[piquet.Card]
}

func (p playing) Turn() (piquet.Seat, bool) { return p.now.Turn(), !p.now.Finished() }

func (p playing) View(seat piquet.Seat) worlds.View {
	return worlds.ViewOf(p.now, p.played.All(), seat)
}

func (p playing) Act(c piquet.Card) (playing, error) {
	next, err := p.now.Play(c)
	return playing{next, p.played.With(c)}, err
}

// No player but open, which no session has, plays another card if the cards that it has not seen lie elsewhere.
func TestSealed(t *testing.T) {
	for i, tt := range []struct {
		kind  string
		hands int
	}{{"random", 1000}, {"simple", 1000}, {"logical", 300}, {"logical:rules", 100}, {"pimc:2", 10}} {
		kind, err := players.ParseKind(tt.kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		tools := new(players.Tools)
		g := tabletest.Game[playing, piquet.Seat, worlds.View, piquet.Card]{
			Deal: func(rng *rand.Rand) (playing, error) {
				d := klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4))}
				d.Hands = index.Random(rng, d.Trump, d.Leader)
				p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.System(random.Below(rng, 2))), d)
				return playing{now: p}, err
			},
			Exchange: exchanged,
			Choose: func(rng *rand.Rand, seat piquet.Seat, v worlds.View) (piquet.Card, error) {
				choice, err := kind.New(players.Place{Seat: seat, Rand: rng, Tools: tools}).Choose(t.Context(), v)
				return choice.Card, err
			},
		}
		hands := max(testkit.Times(tt.hands/20, tt.hands, tt.hands, tt.hands), 1)
		if checked, err := g.Sealed(hands, uint64(i)); err != nil || checked < 10*hands {
			t.Errorf("%s: %d decisions in %d hands: %v", kind.Name(), checked, hands, err)
		}
	}
}

// exchanged deals two cards of the other seats, which have not been played, in each other's places.
func exchanged(rng *rand.Rand, p playing, seat piquet.Seat) (playing, bool) {
	d := p.now.Deal()
	unseen := (piquet.Deck &^ d.Hands[seat] &^ piquet.SetOf(p.played.All()...)).Slice()
	random.Shuffle(rng, unseen)
	if len(unseen) < 2 {
		return p, false
	}
	pair := piquet.SetOf(unseen[0], unseen[1])
	other := d
	for s, hand := range d.Hands {
		if hand.Has(unseen[0]) != hand.Has(unseen[1]) {
			other.Hands[s] ^= pair
		}
	}
	now, err := klaverjas.NewPosition(p.now.Rules(), other)
	return playing{now: now}, err == nil && other != d
}
