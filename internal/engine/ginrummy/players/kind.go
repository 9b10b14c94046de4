package players

import (
	"slices"

	"roem/internal/engine/match"
)

// Kind is a kind of player.
type Kind = match.Kind[Player]

// Kinds returns the kinds of this package, in the order of their strength. The sources are for the player of the paper, the one that it
// uses without an option first; with none, all unseen cards are equally likely for it.
func Kinds(sources ...Source) []Kind {
	return []Kind{
		match.NewKind("random", false, NewRandom), match.NewKind("simple", false, NewSimple),
		OHEKind(slices.Concat(sources, []Source{Uniform, None})...),
	}
}
