package players

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kind is a kind of player.
type Kind struct {
	name string
	slow bool
	make func(rng *rand.Rand) Player
}

// NewKind returns a kind with a name and a function that makes a player for one session. The generator is the player's own. The function
// may be called from several goroutines. slow says that a decision can take a millisecond or more.
func NewKind(name string, slow bool, newPlayer func(rng *rand.Rand) Player) Kind {
	return Kind{name, slow, newPlayer}
}

// Name returns the name of the kind.
func (k Kind) Name() string { return k.name }

// Slow reports whether a decision can take a millisecond or more.
func (k Kind) Slow() bool { return k.slow }

// New returns a player for one session.
func (k Kind) New(rng *rand.Rand) Player { return k.make(rng) }

// Kinds returns the kinds of this package, in the order of their strength.
func Kinds() []Kind {
	return []Kind{NewKind("random", false, NewRandom), NewKind("heuristic", false, func(*rand.Rand) Player { return NewHeuristic() })}
}

// Names returns the names of kinds.
func Names(kinds []Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// ParseKind returns the kind with the name.
func ParseKind(text string, kinds []Kind) (Kind, error) {
	for _, k := range kinds {
		if k.name == text {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("%.40q is not a player: expected one of %s", text, strings.Join(Names(kinds), ", "))
}
