// Package puzzles finds and grades the puzzles of engine/klaverjas/puzzles: positions with exactly one good card, from hands that the
// program bid and played.
package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service/klaverjas/bidadvice"
)

// Where puzzles are looked for, by the number of cards played.
const (
	firstOpen, lastOpen     = 4, 23
	firstHidden, lastHidden = 8, 23
	leastCards              = 3 // a puzzle has as many legal cards
)

// The effort for a hidden puzzle.
const (
	anyCard       = 8   // one of this number of hands is looked at also where two players agree
	tries         = 3   // the number of cards of a hand that are searched
	hiddenWorlds  = 300 // the worlds of the puzzle, which are drawn anew
	playoutWorlds = 200 // the worlds of the advice at the table, which must choose the same card
)

// looks are what a position must pass before the worlds of a puzzle are searched: after the given number of worlds, each other card must
// cost more than the margin by the given number of standard errors.
var looks = []struct {
	worlds int
	errors float64
}{{12, -1}, {48, 1}}

// Miner finds puzzles. It must not be used by two goroutines at a time.
type Miner struct {
	Seed  uint64
	Tools *players.Tools

	solver *search.Solver
}

// NewMiner returns a miner.
func NewMiner(seed uint64, tools *players.Tools) *Miner {
	return &Miner{Seed: seed, Tools: tools, solver: search.New(search.Options{TableBytes: tableBytes})}
}

const tableBytes = 16 << 20

// seated are the players, by team, of the hands in which puzzles are looked for, by kind. With open cards a team of the simple player leads
// to positions that strong players avoid. With hidden cards all seats play well, because what they played says something.
var seated = [...][2]string{Open: {"policy", "simple"}, Hidden: {"policy", "policy"}, Rare: {"policy", "simple"}}

// Kind is what is looked for in a hand.
type Kind int

// The kinds. A rare puzzle is an open one with a theme of rareThemes.
const (
	Open Kind = iota
	Hidden
	Rare
)

// rareThemes are the themes that few puzzles have.
var rareThemes = []puzzles.Theme{
	puzzles.Duck, puzzles.Overruff, puzzles.Ruff, puzzles.TrumpDuty, puzzles.Feed, puzzles.Pit, puzzles.Meld,
}

// Puzzle returns a puzzle of a hand, or nil if none was found in it. It depends on the seed, the kind and the number of the hand only.
func (m *Miner) Puzzle(ctx context.Context, kind Kind, number int) (*puzzles.Puzzle, error) {
	rng := random.New(m.Seed, uint64(kind), uint64(number))
	p, err := m.hand(ctx, rng, seated[kind])
	if err != nil {
		return nil, err
	}
	if kind == Hidden {
		p, err = m.hidden(ctx, rng, p)
	} else {
		p, err = m.open(ctx, rng, p, kind == Rare)
	}
	if err == nil {
		p.Grades, err = m.grade(ctx, p, rng.Uint64())
	}
	if errors.Is(err, puzzles.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("hand %d: %w", number, err)
	}
	return p, nil
}

// hand returns a hand that was bid and played: a puzzle in which all cards have been played.
func (m *Miner) hand(ctx context.Context, rng *rand.Rand, seated [2]string) (*puzzles.Puzzle, error) {
	below := func(n int) int { return int(random.Below(rng, uint64(n))) }
	rules := klaverjas.DefaultRules(klaverjas.System(below(2)))
	dealer := piquet.Seat(below(4))
	hands := index.Random(rng, piquet.Clubs, dealer.Next())
	a, err := bidding.Start(bidding.Setting{Flow: bidding.Free, Dealer: dealer})
	if err == nil {
		a, err = new(bidadvice.Policy).Finish(rules, a, &hands, below)
	}
	if err != nil {
		return nil, err
	}
	by, trump := a.Result()
	p := &puzzles.Puzzle{
		Rules: rules, Deal: klaverjas.Deal{Trump: trump, Leader: a.Leader(), Declarer: by.Team(), Hands: hands},
	}
	start, err := p.Start()
	if err != nil {
		return nil, err
	}
	var teams [2]players.Kind
	for i, name := range seated {
		if teams[i], err = players.ParseKind(name, 0); err != nil {
			return nil, err
		}
	}
	p.Played, _, err = players.Play(ctx, start, nil, players.Sit(teams, rng.Uint64(), m.Tools), nil)
	return p, err
}

// choices returns the numbers of the cards of a hand that were played with several legal cards, in random order.
func choices(rng *rand.Rand, p *puzzles.Puzzle, first, last int) (numbers []int, err error) {
	at, err := p.Start()
	for i, c := range p.Played {
		if err != nil {
			return nil, err
		}
		if i >= first && i <= last && at.Legal().Len() >= leastCards {
			numbers = append(numbers, i)
		}
		at, err = at.Play(c)
	}
	random.Shuffle(rng, numbers)
	return numbers, err
}

// before returns the position before the card with a number.
func before(p *puzzles.Puzzle, number int) *puzzles.Puzzle {
	at := *p
	at.Played = p.Played[:number:number]
	return &at
}

// open looks for an open puzzle at random cards of a hand, until one is found. If rare, it must have a theme of rareThemes.
func (m *Miner) open(ctx context.Context, rng *rand.Rand, hand *puzzles.Puzzle, rare bool) (*puzzles.Puzzle, error) {
	numbers, err := choices(rng, hand, firstOpen, lastOpen)
	if err != nil {
		return nil, err
	}
	for _, number := range numbers {
		p := before(hand, number)
		at, err := p.Position()
		if err != nil {
			return nil, err
		}
		if rare && at.Trick().Len == 0 {
			continue // the rare themes, but for the pit, are of tricks that another seat has led to
		}
		if p.Values, err = puzzles.Solve(ctx, m.solver, at); errors.Is(err, puzzles.ErrNone) {
			continue
		}
		if err != nil || !rare || slices.ContainsFunc(puzzles.ThemesOf(p, at), isRare) {
			return p, err
		}
	}
	return nil, puzzles.ErrNone
}

func isRare(t puzzles.Theme) bool { return slices.Contains(rareThemes, t) }

// hidden looks for a hidden puzzle at random cards of a hand, until one is found: in one of anyCard hands at any cards, in the others where
// two players choose different cards, because where they agree the good card is easy.
func (m *Miner) hidden(ctx context.Context, rng *rand.Rand, hand *puzzles.Puzzle) (*puzzles.Puzzle, error) {
	numbers, err := choices(rng, hand, firstHidden, lastHidden)
	if err != nil {
		return nil, err
	}
	anyway := random.Below(rng, anyCard) == 0
	left := tries
	for _, number := range numbers {
		p, seed := before(hand, number), rng.Uint64()
		if !anyway {
			agree, err := m.agree(ctx, p, seed)
			if err != nil {
				return nil, err
			}
			if agree {
				continue
			}
		}
		if p, err = m.hiddenAt(ctx, p, seed); !errors.Is(err, puzzles.ErrNone) {
			return p, err
		}
		if left--; left == 0 {
			break
		}
	}
	return nil, puzzles.ErrNone
}

// agree reports whether two players without a search choose the same card.
func (m *Miner) agree(ctx context.Context, p *puzzles.Puzzle, seed uint64) (bool, error) {
	v, err := p.View()
	if err != nil {
		return false, err
	}
	var cards [2]piquet.Card
	for i, name := range seated[0] {
		kind, err := players.ParseKind(name, 0)
		if err != nil {
			return false, err
		}
		choice, err := kind.New(players.Place{Seat: v.Seat, Rand: random.New(seed), Tools: m.Tools}).Choose(ctx, v)
		if err != nil {
			return false, err
		}
		cards[i] = choice.Card
	}
	return cards[0] == cards[1], nil
}

// hiddenAt makes a position a puzzle.
func (m *Miner) hiddenAt(ctx context.Context, p *puzzles.Puzzle, seed uint64) (*puzzles.Puzzle, error) {
	const seedBits = 32 // a seed of the file; what else is drawn here has seeds with all bits
	p.Hidden, p.Worlds, p.Seed = true, hiddenWorlds, seed>>seedBits
	v, err := p.View()
	if err != nil {
		return nil, err
	}
	for i, look := range looks {
		if _, err := puzzles.Search(ctx, m.solver, v, look.worlds, seed+uint64(i), look.errors); err != nil {
			return nil, err
		}
	}
	if p.Values, err = puzzles.Search(ctx, m.solver, v, p.Worlds, p.Seed, puzzles.Errors); err != nil {
		return nil, err
	}
	card, err := m.atTable(ctx, v, seed)
	if err != nil {
		return nil, err
	}
	if card != p.Values[0].Card {
		return nil, puzzles.ErrNone
	}
	return p, nil
}

// atTable returns the card that is advised if all seats play as at a table.
func (m *Miner) atTable(ctx context.Context, v worlds.View, seed uint64) (piquet.Card, error) {
	k, err := worlds.New(v)
	if err != nil {
		return 0, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return 0, err
	}
	models, err := m.Tools.Models()
	if err != nil {
		return 0, err
	}
	a, err := q.AdvisePlayouts(ctx, random.New(seed), models, advice.DefaultPlayouts(playoutWorlds))
	return a.Card, err
}

// panel returns how many players of a level are asked. Players that draw nothing all choose alike.
func panel(l players.NamedLevel, k players.Kind) int {
	const drawing, searching = 20, 5
	switch {
	case k.Worlds() > 0:
		return searching
	case l.Share > 0:
		return drawing
	}
	return 1
}

// keptEasy is how many easy positions there are for each that is kept. There are far more than the puzzles have room for, and the players
// that search take most of the time.
const keptEasy = 4

// easy reports whether at least half of the players of each level found the card.
func easy(grades []puzzles.Grade) bool {
	return !slices.ContainsFunc(grades, func(g puzzles.Grade) bool { return !half(g) })
}

// grade returns how many players of each level find the best card of a puzzle. They see what the seat has seen, also in an open puzzle. Of
// the easy positions all but a part are ErrNone.
func (m *Miner) grade(ctx context.Context, p *puzzles.Puzzle, seed uint64) ([]puzzles.Grade, error) {
	v, err := p.View()
	if err != nil {
		return nil, err
	}
	levels := players.Levels()
	grades := make([]puzzles.Grade, len(levels))
	for i, l := range levels {
		kind, err := players.ParseKind(l.Name, 0)
		if err != nil {
			return nil, err
		}
		if easy := kind.Worlds() > 0 && easy(grades[:i]); easy && random.Below(random.New(seed), keptEasy) > 0 {
			return nil, puzzles.ErrNone
		}
		grades[i].Players = panel(l, kind)
		for n := range grades[i].Players {
			one := kind.New(players.Place{Seat: v.Seat, Rand: random.New(seed, uint64(i), uint64(n)), Tools: m.Tools})
			choice, err := one.Choose(ctx, v)
			if err != nil {
				return nil, err
			}
			if choice.Card == p.Values[0].Card {
				grades[i].Found++
			}
		}
	}
	return grades, nil
}
