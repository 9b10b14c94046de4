package players

import (
	"context"

	"roem/internal/engine/match"
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

// unit is the result of a deal or session.
type unit struct {
	difference float64
	hands      int
	contracts  [6]int
	sides      [2]Side
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times. The error is a *Fault, or
// the error of the context.
func (c Contest) Run(ctx context.Context) (Result, error) {
	c.Hands = max(c.Hands, 1)
	sum := tally{Result: Result{Deals: c.Deals, Tables: len(c.Seating.tables()), Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}}
	first := match.Restore(c.Keeping, &sum)
	err := match.Run(ctx, c.Deals-first, c.Workers, func(ctx context.Context, _, number int) (unit, error) {
		return c.play(ctx, uint64(first+number))
	}, func(number int, u unit) error {
		number += first
		sum.add(&u)
		if c.Progress != nil {
			c.Progress(number + 1)
		}
		return c.Keeping.After(number+1, sum)
	})
	sum.Result.Difference = match.MeanOf(sum.Differences)
	return sum.Result, err
}

// tally is what a contest has of its finished deals or sessions.
type tally struct {
	Result      Result // without the estimate
	Differences []float64
}

func (t *tally) add(u *unit) {
	t.Differences = append(t.Differences, u.difference)
	switch {
	case u.difference > 0:
		t.Result.Won++
	case u.difference < 0:
		t.Result.Lost++
	default:
		t.Result.Tied++
	}
	t.Result.Hands += u.hands
	for i, n := range u.contracts {
		t.Result.Contracts[i] += n
	}
	for i := range u.sides {
		t.Result.Sides[i].add(&u.sides[i])
	}
}

func (s *Side) add(other *Side) {
	s.Hands += other.Hands
	s.Score += other.Score
	s.Declared += other.Declared
	s.Won += other.Won
	s.Klops += other.Klops
	for i, n := range other.Bids {
		s.Bids[i] += n
	}
	s.Decision.Join(other.Decision)
}

// SeededDeal returns a deal of a contest.
func SeededDeal(seed, number, hand uint64) tarok.Deal {
	return tarok.Random(random.New(seed, dealStream, number, hand))
}

// play plays all tables of a deal or session.
func (c *Contest) play(ctx context.Context, number uint64) (u unit, err error) {
	for table, kinds := range c.Seating.tables() {
		var places [3]Player
		for p, side := range kinds {
			kind := [2]Kind{c.A, c.B}[side]
			player := kind.New(random.New(c.Seed, playerStream, number, uint64(table), uint64(p)))
			places[p] = match.Seat(player, kind.Slow(), &u.sides[side].Decision, c.Do)
		}
		if err := c.Do.Whole(ctx, c.A.Slow() || c.B.Slow(), func(ctx context.Context) error {
			return c.session(ctx, number, kinds, places, &u)
		}); err != nil {
			return u, err
		}
	}
	for i, sign := range [2]float64{1, -1} {
		u.difference += sign * float64(u.sides[i].Score) / float64(u.sides[i].Hands)
	}
	return u, nil
}

// session plays the hands of one table.
func (c *Contest) session(ctx context.Context, number uint64, kinds [3]int, places [3]Player, u *unit) error {
	s := NewSession(c.Rules)
	s.NoRadli = c.NoRadli
	for hand := range c.Hands {
		before := s
		t, score, err := s.Play(ctx, SeededDeal(c.Seed, number, uint64(hand)), places)
		if err != nil {
			return err
		}
		setup := t.Setup()
		u.hands++
		u.contracts[setup.Contract]++
		for _, p := range tarok.Players() {
			side := &u.sides[kinds[before.Place(p)]]
			side.Hands++
			side.Score += score.Total[p]
			switch {
			case setup.Contract == tarok.Klop:
				side.Klops++
			case p == setup.Declarer:
				side.Declared++
				side.Bids[setup.Contract]++
				if score.Won {
					side.Won++
				}
			}
		}
	}
	return nil
}
