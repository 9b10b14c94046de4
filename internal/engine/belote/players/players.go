// Package players has players of Belote Découverte, and lets them play duplicate matches. A player sees the open cards and the cards played
// (package hidden).
//
//	random      any legal card, each equally likely
//	simple      a rule of thumb that looks at one trick
//	sampling    the best card on average over worlds drawn uniformly, each searched exactly
//	expectimax  the same, and the exact value with the cards face down where package advice computes it
//	exact       the best card with all cards known: an upper bound, and no fair player
package players

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// The numbers of worlds for a card.
const (
	DefaultWorlds = 10
	MinWorlds     = 2
	MaxWorlds     = 10_000
)

// Exact is the name of the player that knows all cards and searches them at each card.
const Exact = "exact"

// Kind is a kind of player.
type Kind struct {
	name   string
	worlds int // for a card; 0 if it searches none
	choose func(context.Context, *seat) (piquet.Card, error)
}

// seat is what a player has when it chooses.
type seat struct {
	view    *worlds.View
	now     belote.Position // with all cards; only the player exact looks at it
	rng     *rand.Rand
	tools   *Tools
	utility search.Utility
	flip    worlds.Flip
	worlds  int
	pause   func() error
}

// Tools are what players use that takes memory. They must not be used by two goroutines at a time.
type Tools struct {
	solver    *search.Solver
	generated uint64
}

// Solve searches a position.
func (t *Tools) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	if t.solver == nil {
		t.solver = search.New(search.Options{})
	}
	r, err := t.solver.Solve(ctx, q)
	t.generated += r.Generated
	return r, err
}

// Generated returns the states that the searches have made.
func (t *Tools) Generated() uint64 { return t.generated }

// kinds are the kinds of players in the order of their strength.
var kinds = []struct {
	name   string
	worlds bool
	choose func(context.Context, *seat) (piquet.Card, error)
}{
	{"random", false, chooseRandom},
	{"simple", false, chooseSimple},
	{"sampling", true, func(ctx context.Context, s *seat) (piquet.Card, error) { return s.advised(ctx, advice.Sampling) }},
	{"expectimax", true, func(ctx context.Context, s *seat) (piquet.Card, error) { return s.advised(ctx, advice.Auto) }},
	{Exact, false, chooseExact},
}

// Names returns the names of the kinds.
func Names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// ParseKind reads a kind of player: its name, with a number of worlds after a colon if it searches worlds. worlds is the number without
// one.
func ParseKind(text string, worlds int) (Kind, error) {
	name, option, given := strings.Cut(text, ":")
	for _, k := range kinds {
		if k.name != name {
			continue
		}
		kind := Kind{name: name, choose: k.choose}
		switch {
		case k.worlds:
			kind.worlds = worlds
			if given {
				n, err := strconv.Atoi(option)
				if err != nil || n < MinWorlds || n > MaxWorlds || strconv.Itoa(n) != option {
					return Kind{}, violation.New(violation.WrongForm,
						"%.40q: expected a number of worlds from %d to %d after the colon", text, MinWorlds, MaxWorlds).Of(text)
				}
				kind.worlds = n
			}
			kind.name = fmt.Sprintf("%s:%d", name, kind.worlds)
		case given:
			return Kind{}, violation.New(violation.WrongForm, "%.40q: %s has no option", text, name).Of(text)
		}
		return kind, nil
	}
	return Kind{}, violation.Word(text, Names()...)
}

// Name returns the name of the kind, with the number of worlds. It says all that the kind does, and ParseKind reads it.
func (k Kind) Name() string { return k.name }

// Worlds returns how many worlds the player searches for a card, or 0.
func (k Kind) Worlds() int { return k.worlds }

func chooseRandom(_ context.Context, s *seat) (piquet.Card, error) {
	legal := s.now.Legal().Slice()
	return legal[random.Below(s.rng, uint64(len(legal)))], nil
}

// advised returns the best card by package advice.
func (s *seat) advised(ctx context.Context, method advice.Method) (piquet.Card, error) {
	seed := s.rng.Uint64() // drawn for every card, so that no choice depends on how many cards were legal before
	if legal := s.now.Legal(); legal.Len() == 1 {
		return legal.First(), nil
	}
	q := advice.Question{View: s.view, Flip: s.flip, Utility: s.utility, Method: method, Worlds: s.worlds, Seed: seed, NoMeans: true}
	t, err := q.Ask(ctx, s.tools, s.pause, nil)
	if err != nil {
		return 0, err
	}
	return q.Advise(t).Cards[0].Card, nil
}

// chooseExact plays the best card with all cards known.
func chooseExact(ctx context.Context, s *seat) (piquet.Card, error) {
	if legal := s.now.Legal(); legal.Len() == 1 {
		return legal.First(), nil
	}
	r, err := s.tools.Solve(ctx, search.Query{Position: s.now, Utility: s.utility, Goal: search.Moves, NoLine: true, Pause: s.pause})
	if err != nil {
		return 0, err
	}
	return r.Moves[0].Card, nil
}
