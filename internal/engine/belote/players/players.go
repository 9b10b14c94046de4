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
	"roem/internal/engine/match"
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

// Player plays one seat. It returns an action that is allowed in the view, at the turn of its seat.
type Player = match.Player[View, Action]

// Kind is a kind of player.
type Kind struct {
	name   string
	worlds int // for a card; 0 if it searches none
	choose func(context.Context, *seat, View) (piquet.Card, error)
}

// Place is what a player may use.
type Place struct {
	Rand    *rand.Rand // the player's own
	Tools   *Tools
	Utility search.Utility
	Pause   func() error // may be nil; is called at intervals of about 100 µs; its error ends the decision
}

// New returns a player for a place.
func (k Kind) New(p Place) Player {
	s := seat{p, k}
	if k.name == Exact {
		return &exact{seat: s}
	}
	return &s
}

// MarshalText writes the name, and UnmarshalText reads it.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.name), nil }

// UnmarshalText reads a kind as ParseKind does.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKind(string(text), DefaultWorlds)
	return err
}

// seat is a player that decides on its view.
type seat struct {
	Place

	kind Kind
}

// MinBidWorlds is the least number of worlds that a call searches: two groups of two.
const MinBidWorlds = 4

// Choose returns a card or, while the cards are dealt, the best call over as many worlds as the player searches for a card, and at least
// MinBidWorlds.
func (s *seat) Choose(ctx context.Context, v View) (a Action, err error) {
	if s.Pause != nil {
		if err := s.Pause(); err != nil {
			return a, err
		}
	}
	if v.Dealing == nil {
		a.Card, err = s.kind.choose(ctx, s, v)
		return a, err
	}
	a = Action{Calls: true, Call: belote.NoTrump}
	found, _, err := v.Dealing.Search(ctx, s.Tools, max(s.kind.worlds, MinBidWorlds), s.Rand.Uint64(), s.Pause, nil)
	if err != nil {
		return a, err
	}
	if values := v.Dealing.Values(found); values.Chooses {
		a.Call = values.Choices[0].Trump
	}
	return a, nil
}

// exact is the player that a contest shows all cards. It is no fair player.
type exact struct {
	seat

	open belote.Position
}

// See shows the player a hand in which it is to act.
func (e *exact) See(t Table) { e.open = t.Position() }

// Choose returns the best card with all cards known.
func (e *exact) Choose(ctx context.Context, _ View) (a Action, err error) {
	if legal := e.open.Legal(); legal.Len() == 1 {
		return Action{Card: legal.First()}, nil
	}
	r, err := e.Tools.Solve(ctx, search.Query{Position: e.open, Utility: e.Utility, Goal: search.Moves, NoLine: true, Pause: e.Pause})
	if err != nil {
		return a, err
	}
	return Action{Card: r.Moves[0].Card}, nil
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
	choose func(context.Context, *seat, View) (piquet.Card, error)
}{
	{"random", false, chooseRandom},
	{"simple", false, chooseSimple},
	{"sampling", true, advised(advice.Sampling)},
	{"expectimax", true, advised(advice.Auto)},
	{Exact, false, nil},
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

func chooseRandom(_ context.Context, s *seat, v View) (piquet.Card, error) {
	now := v.Seen.Now()
	legal := now.Legal().Slice()
	return legal[random.Below(s.Rand, uint64(len(legal)))], nil
}

// advised returns how the best card is chosen by package advice.
func advised(method advice.Method) func(context.Context, *seat, View) (piquet.Card, error) {
	return func(ctx context.Context, s *seat, v View) (piquet.Card, error) {
		seed := s.Rand.Uint64() // drawn for every card, so that no choice depends on how many cards were legal before
		now := v.Seen.Now()
		if legal := now.Legal(); legal.Len() == 1 {
			return legal.First(), nil
		}
		q := advice.Question{View: v.Seen, Flip: v.Flip, Utility: s.Utility, Method: method, Worlds: s.kind.worlds, Seed: seed, NoMeans: true}
		t, err := q.Ask(ctx, s.Tools, s.Pause, nil)
		if err != nil {
			return 0, err
		}
		return q.Advise(t).Cards[0].Card, nil
	}
}
