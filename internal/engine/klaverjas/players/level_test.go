package players

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// chosen is a player that always names the same card.
type chosen piquet.Card

func (c chosen) Choose(context.Context, worlds.View) (Choice, error) {
	return Choice{Card: piquet.Card(c)}, nil
}

// A blend lets the weaker player choose as often as it says.
func TestBlend(t *testing.T) {
	for _, share := range []int{0, 40, 100} {
		b := Blend{Usual: chosen(0), Weaker: chosen(1), Share: share, rng: random.New(29)}
		weaker := 0
		for range 10_000 {
			c, err := b.Choose(t.Context(), worlds.View{})
			if err != nil {
				t.Fatal(err)
			}
			weaker += int(c.Card)
		}
		if want := 100 * share; weaker < want-200 || weaker > want+200 { // four standard deviations
			t.Errorf("the weaker player chose %d of 10,000 cards, want about %d", weaker, want)
		}
	}
}

// A level plays as its players do, and its name is the name of the kind.
func TestLevelsAreKinds(t *testing.T) {
	for _, l := range Levels() {
		k := kind(t, l.Name)
		if k.Name() != l.Name || k.Worlds() != kind(t, l.Player).Worlds() {
			t.Errorf("%s is the kind %s with %d worlds", l.Name, k.Name(), k.Worlds())
		}
		if _, err := ParseKind(l.Name+":20", 0); err == nil {
			t.Errorf("%s has an option", l.Name)
		}
		if l.Share > 0 || k.Worlds() > 0 {
			continue
		}
		play := func(name string) []piquet.Card {
			deal := draw(3, 1, OneHand, LeaderDeclares)[0]
			p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), deal)
			if err != nil {
				t.Fatal(err)
			}
			played, _, err := Play(t.Context(), p, nil, Sit([2]Kind{kind(t, name), kind(t, name)}, 1, withPolicies()), nil)
			if err != nil {
				t.Fatal(err)
			}
			return played
		}
		if diff := cmp.Diff(play(l.Player), play(l.Name)); diff != "" {
			t.Errorf("%s plays otherwise than %s (-want +got)\n%s", l.Name, l.Player, diff)
		}
	}
}
