package players

import (
	"context"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// Contest is a duplicate match between two kinds of players, in pairs of games to 100. The two games of a pair have the same sequence of
// deals and the same starter. In the first A has seat 0, in the second seat 1, so that each side gets the other's cards. The games can
// differ in length; a game that goes on after the other has ended has deals of its own.
//
// Everything that is drawn depends only on the seed and on the numbers of the pair and the deal: the deals of a generator that is never
// set back do not repeat.
type Contest struct {
	A, B    Kind
	Pairs   int
	Seed    uint64
	LayOffs ginrummy.LayOffs // the rule of the rounds
	Workers int              // 0 means 1
	// Do runs work: a game, or a decision of a slow player. With nil, the worker runs it.
	Do match.Lend
	// Keeping says how the contest goes on after an interruption. It must not be set together with Each.
	Keeping match.Keeping
	// Progress, if not nil, is called with the number of pairs finished.
	Progress func(pairs int)
	// Each, if not nil, is called with what A won of a pair, in their order: the share of the games and the points above B in a game.
	Each func(share, margin float64)
}

// Side is what one side of a contest did.
type Side struct {
	Name      string
	Knocks    int // with gins
	Gins      int // knocks without deadwood
	Undercuts int // knocks that the other side undercut
	Points    int // of all games
	Decision  match.Times
}

// Result is the result of a contest.
type Result struct {
	Pairs  int
	Games  int            // twice the number of pairs
	Won    int            // games that A won
	Share  match.Estimate // of games that A wins
	Margin match.Estimate // what A has above B at the end of a game, in points
	// Duplication is the variance of the share divided by what it would be if the games of a pair were of different deals.
	Duplication float64
	Deals       int // of all games
	Voids       int // deals without a knock
	Sides       [2]Side
}

// The streams of a contest's seed.
const (
	starterStream = 1
	playerStream  = 2
)

// pair is the result of a pair.
type pair struct {
	won    match.Pair // 1 if A won the game, else 0
	margin float64
	deals  int
	voids  int
	sides  [2]Side
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times. The error is a *Fault, or
// the error of the context.
func (c Contest) Run(ctx context.Context) (Result, error) {
	sum := tally{Result: Result{Pairs: c.Pairs, Games: 2 * c.Pairs, Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}}
	first := match.Restore(c.Keeping, &sum)
	err := match.Run(ctx, c.Pairs-first, c.Workers, func(ctx context.Context, _, number int) (pair, error) {
		return c.play(ctx, uint64(first+number))
	}, func(number int, p pair) error {
		number += first
		sum.add(&p)
		if c.Each != nil {
			c.Each((p.won[0]+p.won[1])/2, p.margin)
		}
		if c.Progress != nil {
			c.Progress(number + 1)
		}
		return c.Keeping.After(number+1, sum)
	})
	result := sum.Result
	result.Share, result.Margin = match.ShareOf(sum.Shares), match.MeanOf(sum.Margins)
	result.Duplication = match.Summarise(sum.Games).Duplication
	return result, err
}

// tally is what a contest has of its finished pairs.
type tally struct {
	Result          Result // without the estimates
	Games           []match.Pair
	Shares, Margins []float64
}

func (t *tally) add(p *pair) {
	t.Games = append(t.Games, p.won)
	t.Shares, t.Margins = append(t.Shares, (p.won[0]+p.won[1])/2), append(t.Margins, p.margin)
	t.Result.Won += int(p.won[0] + p.won[1])
	t.Result.Deals += p.deals
	t.Result.Voids += p.voids
	for i := range p.sides {
		t.Result.Sides[i].add(&p.sides[i])
	}
}

func (s *Side) add(other *Side) {
	s.Knocks += other.Knocks
	s.Gins += other.Gins
	s.Undercuts += other.Undercuts
	s.Points += other.Points
	s.Decision.Join(other.Decision)
}

// Starter returns who starts the games of a pair.
func Starter(seed, number uint64) ginrummy.Seat {
	return ginrummy.Seat(random.Below(random.New(seed, starterStream, number), 2))
}

// play plays a pair of games.
func (c *Contest) play(ctx context.Context, number uint64) (p pair, err error) {
	for table := range 2 {
		kinds := [2]Kind{c.A, c.B}
		if table == 1 {
			kinds = [2]Kind{c.B, c.A}
		}
		var seats [2]Player
		for s := range seats {
			player := kinds[s].New(random.New(c.Seed, playerStream, 2*number+uint64(table), uint64(s)))
			seats[s] = match.Seat(player, kinds[s].Slow(), &p.sides[s^table].Decision, c.Do)
		}
		if err := c.Do.Whole(ctx, c.A.Slow() || c.B.Slow(), func(ctx context.Context) error {
			return c.game(ctx, number, table, seats, &p)
		}); err != nil {
			return p, err
		}
	}
	return p, nil
}

// game plays one game of a pair.
func (c *Contest) game(ctx context.Context, number uint64, table int, seats [2]Player, p *pair) error {
	deal := func(round int, starter ginrummy.Seat) ginrummy.Deal {
		d := ginrummy.SeededDeal(c.Seed, number*MaxRounds+uint64(round), starter)
		d.LayOffs = c.LayOffs
		return d
	}
	g, err := PlayGame(ctx, Starter(c.Seed, number), deal, seats, nil, func(_ ginrummy.Round, r ginrummy.Result) {
		p.deals++
		if r.Void {
			p.voids++
			return
		}
		side := &p.sides[int(r.Knocker)^table]
		side.Knocks++
		if r.Gin {
			side.Gins++
		}
		if r.Undercut {
			side.Undercuts++
		}
	})
	if err != nil {
		return err
	}
	a := table // the seat of A
	if int(g.Winner) == a {
		p.won[table] = 1
	}
	p.margin += float64(g.Scores[a]-g.Scores[a^1]) / 2
	for s, points := range g.Scores {
		p.sides[s^table].Points += points
	}
	return nil
}
