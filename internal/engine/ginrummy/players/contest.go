package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/engine/table/contest"
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

// pair is a pair that was played.
type pair struct {
	games [2]Game // A has seat 0 in the first, seat 1 in the second
	times [2]match.Times
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times. The error is a
// *table.Fault, or the error of the context.
func (c Contest) Run(ctx context.Context) (Result, error) {
	sum := tally{Result: Result{Pairs: c.Pairs, Games: 2 * c.Pairs, Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}}
	plan := contest.Plan{Units: c.Pairs, Workers: c.Workers, Keeping: c.Keeping, Progress: c.Progress}
	err := contest.Run(ctx, plan, &sum, c.play, func(_ int, p pair) error {
		if share, margin := sum.add(&p); c.Each != nil {
			c.Each(share, margin)
		}
		return nil
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

// add counts a pair, and returns what A won of it.
func (t *tally) add(p *pair) (share, margin float64) {
	var won match.Pair
	for a, g := range p.games { // a is the seat of A
		if int(g.Winner) == a {
			won[a] = 1
			t.Result.Won++
		}
		margin += float64(g.Scores[a]-g.Scores[a^1]) / 2
		for s, points := range g.Scores {
			t.Result.Sides[s^a].Points += points
		}
		for _, r := range g.Results {
			t.Result.Deals++
			if r.Void {
				t.Result.Voids++
				continue
			}
			t.Result.Sides[int(r.Knocker)^a].add(r)
		}
	}
	for i := range p.times {
		t.Result.Sides[i].Decision.Join(p.times[i])
	}
	share = (won[0] + won[1]) / 2
	t.Games, t.Shares, t.Margins = append(t.Games, won), append(t.Shares, share), append(t.Margins, margin)
	return share, margin
}

// add counts a round in which the side has knocked.
func (s *Side) add(r ginrummy.Result) {
	s.Knocks++
	if r.Gin {
		s.Gins++
	}
	if r.Undercut {
		s.Undercuts++
	}
}

// Starter returns who starts the games of a pair.
func Starter(seed, number uint64) ginrummy.Seat {
	return ginrummy.Seat(random.Below(random.New(seed, starterStream, number), 2))
}

// play plays a pair of games.
func (c *Contest) play(ctx context.Context, _, number int) (p pair, err error) {
	deal := func(round int, starter ginrummy.Seat) ginrummy.Deal {
		d := ginrummy.SeededDeal(c.Seed, uint64(number)*MaxRounds+uint64(round), starter)
		d.LayOffs = c.LayOffs
		return d
	}
	for at, sides := range [2][2]int{{0, 1}, {1, 0}} {
		table := contest.Table[ginrummy.View, ginrummy.Action]{
			Kinds: [2]Kind{c.A, c.B}, Sides: sides[:], Times: &p.times, Do: c.Do,
			Rand: func(place int) *rand.Rand {
				return random.New(c.Seed, playerStream, 2*uint64(number)+uint64(at), uint64(place))
			},
		}
		if err := table.Play(ctx, func(ctx context.Context, seats []Player) (err error) {
			p.games[at], err = PlayGame(ctx, Starter(c.Seed, uint64(number)), deal, [2]Player(seats), nil, nil)
			return err
		}); err != nil {
			return p, err
		}
	}
	return p, nil
}
