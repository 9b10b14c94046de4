package match

import (
	"math/rand/v2"

	"roem/internal/engine/violation"
)

// Kind is a kind of player of a game, whose players are of type P.
type Kind[P any] struct {
	name string
	slow bool
	make func(rng *rand.Rand) P
}

// NewKind returns a kind with a name and a function that makes a player for one game or session. The generator is the player's own. The
// function may be called from several goroutines. slow says that a decision can take a millisecond or more.
func NewKind[P any](name string, slow bool, newPlayer func(rng *rand.Rand) P) Kind[P] {
	return Kind[P]{name, slow, newPlayer}
}

// Name returns the name of the kind.
func (k Kind[P]) Name() string { return k.name }

// Slow reports whether a decision can take a millisecond or more.
func (k Kind[P]) Slow() bool { return k.slow }

// New returns a player for one game or session.
func (k Kind[P]) New(rng *rand.Rand) P { return k.make(rng) }

// Names returns the names of kinds.
func Names[P any](kinds []Kind[P]) (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// ParseKind returns the kind with the name.
func ParseKind[P any](text string, kinds []Kind[P]) (Kind[P], error) {
	for _, k := range kinds {
		if k.name == text {
			return k, nil
		}
	}
	return Kind[P]{}, violation.Word(text, Names(kinds)...)
}
