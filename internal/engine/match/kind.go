package match

import (
	"context"
	"math/rand/v2"
	"strings"

	"roem/internal/engine/violation"
)

// Kind is a kind of player of a game, whose players are of type P.
type Kind[P any] struct {
	name string
	slow bool
	make func(rng *rand.Rand) P

	option   func(text string) (Kind[P], error) // nil for a kind without options
	identity string                             // of what it has learned from a file; empty if it is all part of the program
}

// NewKind returns a kind with a name and a function that makes a player for one game or session. The generator is the player's own. The
// function may be called from several goroutines. slow says that a decision can take a millisecond or more.
func NewKind[P any](name string, slow bool, newPlayer func(rng *rand.Rand) P) Kind[P] {
	return Kind[P]{name: name, slow: slow, make: newPlayer}
}

// NewRule returns a kind with a name whose players follow a rule: what they do with what they see, and numbers of their own.
func NewRule[V, A any](name string, rule func(v V, rng *rand.Rand) A) Kind[Player[V, A]] {
	return NewKind(name, false, func(rng *rand.Rand) Player[V, A] { return ruled[V, A]{rule, rng} })
}

type ruled[V, A any] struct {
	rule func(V, *rand.Rand) A
	rng  *rand.Rand
}

// Choose follows the rule.
func (p ruled[V, A]) Choose(_ context.Context, v V) (A, error) { return p.rule(v, p.rng), nil }

// WithOptions returns the kind with options: in ParseKind the name may be followed by a colon and a text, which parse turns into another
// kind. The error of parse says what was expected.
func (k Kind[P]) WithOptions(parse func(text string) (Kind[P], error)) Kind[P] {
	k.option = parse
	return k
}

// Name returns the name of the kind.
func (k Kind[P]) Name() string { return k.name }

// Slow reports whether a decision can take a millisecond or more.
func (k Kind[P]) Slow() bool { return k.slow }

// New returns a player for one game or session.
func (k Kind[P]) New(rng *rand.Rand) P { return k.make(rng) }

// Identified returns the kind with the identity of what it has from a file, such as a checksum.
func (k Kind[P]) Identified(identity string) Kind[P] {
	k.identity = identity
	return k
}

// Identity returns the identity of what the kind has from a file. Two kinds with equal names and identities decide alike.
func (k Kind[P]) Identity() string { return k.identity }

// Names returns the names of kinds.
func Names[P any](kinds []Kind[P]) (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// ParseKind returns the kind with the name, and with the option after a colon where the kind has options.
func ParseKind[P any](text string, kinds []Kind[P]) (Kind[P], error) {
	name, option, given := strings.Cut(text, ":")
	for _, k := range kinds {
		switch {
		case k.name == text:
			return k, nil
		case given && k.name == name && k.option != nil:
			return k.option(option)
		}
	}
	return Kind[P]{}, violation.Word(text, Names(kinds)...)
}
