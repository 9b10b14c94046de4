package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/worlds"
)

// NamedLevel is a named opponent for people. Its name is a kind of player too. Each level beats the one before it, by what is in
// lab/docs/klaverjas/levels.md.
type NamedLevel struct {
	Name   string
	Player string // the kind that chooses the cards
	// Weaker chooses instead in Share of 100 of its choices, drawn at random. It is empty if Share is 0.
	Weaker string
	Share  int
}

// levels are the levels, the weakest first.
var levels = [...]NamedLevel{
	{Name: "beginner", Player: "simple", Weaker: "random", Share: 30},
	{Name: "casual", Player: "simple"},
	{Name: "club", Player: "policy", Weaker: "simple", Share: 50},
	{Name: "strong", Player: "policy"},
	{Name: "master", Player: "playout:200"},
}

// Levels returns the levels, the weakest first.
func Levels() []NamedLevel { return append([]NamedLevel(nil), levels[:]...) }

// kind returns the level as a kind of player.
func (l NamedLevel) kind() (Kind, error) {
	usual, err := ParseKind(l.Player, 0)
	if err != nil || l.Share == 0 {
		usual.name = l.Name
		return usual, err
	}
	weaker, err := ParseKind(l.Weaker, 0)
	return Kind{name: l.Name, worlds: max(usual.worlds, weaker.worlds), make: func(p Place) Player {
		return &Blend{Usual: usual.New(p), Weaker: weaker.New(p), Share: l.Share, rng: p.Rand}
	}}, err
}

// Blend lets another player choose in a share of its choices.
type Blend struct {
	Usual, Weaker Player
	Share         int // of 100
	rng           *rand.Rand
}

// Choose draws which of the two players chooses. Its error is the error of the player.
func (b *Blend) Choose(ctx context.Context, v worlds.View) (Choice, error) {
	if below(b.rng, 100) < b.Share {
		choice, err := b.Weaker.Choose(ctx, v)
		if err == nil {
			choice.Thoughts = append(because(WeakerChoice), choice.Thoughts...)
		}
		return choice, err
	}
	return b.Usual.Choose(ctx, v)
}
