package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/match"
	"roem/internal/engine/table/contest"
	"roem/internal/engine/tarok"
	"roem/internal/random"
)

// Seating is how two kinds of players share three seats. Each seating is played in all rotations.
type Seating uint8

// The seatings.
const (
	BothWays   Seating = iota // one of A against two of B, and two of A against one of B
	OneAgainst                // one of A against two of B
	TwoAgainst                // two of A against one of B
)

var seatings = []string{"both", "one", "two"}

// String returns both, one or two.
func (s Seating) String() string { return seatings[s%3] }

// Seatings returns the names of the seatings.
func Seatings() []string { return seatings }

// tables returns the kinds of each table, by place: 0 for A, 1 for B.
func (s Seating) tables() (out [][3]int) {
	if s != TwoAgainst {
		out = append(out, [3]int{0, 1, 1}, [3]int{1, 0, 1}, [3]int{1, 1, 0})
	}
	if s != OneAgainst {
		out = append(out, [3]int{1, 0, 0}, [3]int{0, 1, 0}, [3]int{0, 0, 1})
	}
	return out
}

// Seats returns how many seats each kind has at all tables of a deal, A and B.
func (s Seating) Seats() (n [2]int) {
	for _, table := range s.tables() {
		for _, kind := range table {
			n[kind]++
		}
	}
	return n
}

// Contest is a duplicate match between two kinds of players. Each deal is played at three or six tables, so that each kind gets the same
// cards in the same seats. With Hands above 1 a unit is a session of the given number of hands instead of one deal.
//
// Everything that is drawn depends only on the seed and on the numbers of the unit and the hand.
type Contest struct {
	A, B    Kind
	Deals   int // deals, or sessions
	Hands   int // hands of a session; 0 means 1
	NoRadli bool
	Seating Seating
	Rules   tarok.Rules
	Seed    uint64
	Workers int // 0 means 1
	// Do runs work: a table, or a decision of a slow player. With nil, the worker runs it.
	Do match.Lend
	// Keeping says how the contest goes on after an interruption.
	Keeping match.Keeping
	// Progress, if not nil, is called with the number of deals or sessions finished.
	Progress func(deals int)
}

// Side is what the players of one kind did.
type Side struct {
	Name     string
	Hands    int // hands of its players: three for a hand with three of them
	Score    int // the sum of their scores
	Declared int
	Won      int    // of the declared ones
	Bids     [6]int // declared contracts
	Klops    int    // hands of klop
	Decision match.Times
}

// Result is the result of a contest.
type Result struct {
	Deals  int
	Tables int // for each deal
	Hands  int // of all tables
	// Difference estimates what a player of A scores above one of B in a hand. The deals, or sessions, are independent of each other.
	Difference      match.Estimate
	Won, Tied, Lost int // deals by the sign of their difference
	Contracts       [6]int
	Sides           [2]Side
}

// The streams of a contest's seed.
const (
	dealStream   = 1
	playerStream = 2
)

// unit is a deal or session that was played.
type unit struct {
	hands []hand
	times [2]match.Times
}

// hand is a hand that was played: who sat where, by seat, and how it ended.
type hand struct {
	sides    [3]int
	contract tarok.Contract
	declarer tarok.Player
	score    tarok.Score
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times. The error is a
// *table.Fault, or the error of the context.
func (c Contest) Run(ctx context.Context) (Result, error) {
	c.Hands = max(c.Hands, 1)
	sum := tally{Result: Result{Deals: c.Deals, Tables: len(c.Seating.tables()), Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}}
	plan := contest.Plan{Units: c.Deals, Workers: c.Workers, Keeping: c.Keeping, Progress: c.Progress}
	err := contest.Run(ctx, plan, &sum, c.play, sum.add)
	sum.Result.Difference = match.MeanOf(sum.Differences)
	return sum.Result, err
}

// tally is what a contest has of its finished deals or sessions.
type tally struct {
	Result      Result // without the estimate
	Differences []float64
}

func (t *tally) add(_ int, u unit) error {
	var score, hands [2]int
	for i := range u.hands {
		h := &u.hands[i]
		t.Result.Hands++
		t.Result.Contracts[h.contract]++
		for p, side := range h.sides {
			score[side] += h.score.Total[p]
			hands[side]++
			t.Result.Sides[side].add(h, tarok.Player(p))
		}
	}
	for i := range u.times {
		t.Result.Sides[i].Decision.Join(u.times[i])
	}
	difference := float64(score[0])/float64(hands[0]) - float64(score[1])/float64(hands[1])
	t.Differences = append(t.Differences, difference)
	switch {
	case difference > 0:
		t.Result.Won++
	case difference < 0:
		t.Result.Lost++
	default:
		t.Result.Tied++
	}
	return nil
}

// add counts what a player did in a hand.
func (s *Side) add(h *hand, p tarok.Player) {
	s.Hands++
	s.Score += h.score.Total[p]
	switch {
	case h.contract == tarok.Klop:
		s.Klops++
	case p == h.declarer:
		s.Declared++
		s.Bids[h.contract]++
		if h.score.Won {
			s.Won++
		}
	}
}

// SeededDeal returns a deal of a contest.
func SeededDeal(seed, number, hand uint64) tarok.Deal {
	return tarok.Random(random.New(seed, dealStream, number, hand))
}

// play plays all tables of a deal or session.
func (c *Contest) play(ctx context.Context, _, number int) (u unit, err error) {
	for at, sides := range c.Seating.tables() {
		table := contest.Table[*View, Action]{
			Kinds: [2]Kind{c.A, c.B}, Sides: sides[:], Times: &u.times, Do: c.Do,
			Rand: func(place int) *rand.Rand {
				return random.New(c.Seed, playerStream, uint64(number), uint64(at), uint64(place))
			},
		}
		if err := table.Play(ctx, func(ctx context.Context, places []Player) error {
			return c.session(ctx, number, sides, [3]Player(places), &u)
		}); err != nil {
			return u, err
		}
	}
	return u, nil
}

// session plays the hands of one table.
func (c *Contest) session(ctx context.Context, number int, sides [3]int, places [3]Player, u *unit) error {
	s := NewSession(c.Rules)
	s.NoRadli = c.NoRadli
	for i := range c.Hands {
		h := hand{sides: Seated(&s, sides)}
		t, score, err := s.Play(ctx, SeededDeal(c.Seed, uint64(number), uint64(i)), places)
		if err != nil {
			return err
		}
		setup := t.Setup()
		h.contract, h.declarer, h.score = setup.Contract, setup.Declarer, score
		u.hands = append(u.hands, h)
	}
	return nil
}
