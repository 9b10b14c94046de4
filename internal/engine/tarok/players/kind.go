package players

import (
	"math/rand/v2"

	"roem/internal/engine/match"
)

// Kind is a kind of player.
type Kind = match.Kind[Player]

// Kinds returns the kinds of this package, in the order of their strength.
func Kinds() []Kind {
	return []Kind{
		match.NewKind("random", false, NewRandom), match.NewKind("heuristic", false, func(*rand.Rand) Player { return NewHeuristic() }),
	}
}
