package players

import (
	"context"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
	"roem/internal/engine/table/contest"
	"roem/internal/random"
)

// Contest is a duplicate match between two kinds of players. Each deal is played twice: first the kind A is player A, who leads and
// declares, then the kind B is. A card below another is turned after the trick.
type Contest struct {
	A, B    Kind
	Deals   int
	Seed    uint64
	Suits   int         // of the deck, 1 to 4
	NoTrump bool        // no hand has a trump; otherwise a suit of the deck is drawn with each deal
	Flip    worlds.Flip // when the card below one that was played is turned
	Utility search.Utility
	Workers int // 0 means 1
	// Do, if not nil, runs the play of a deal. pause, which may be nil, is called at intervals of about 100 µs; its error ends the play.
	Do func(ctx context.Context, play func(ctx context.Context, pause func() error) error) error
	// Keeping says how the contest goes on after an interruption.
	Keeping match.Keeping
	// Progress, if not nil, is called with the number of deals that are finished and the states of their searches, in order.
	Progress func(deals int, generated uint64)
}

// Side is what one side of a contest did.
type Side struct {
	Name     string
	Declared int // hands
	Made     int // of those, in which it made the contract
	Points   int // the sum of the points in tricks
	Score    int // the sum of what it wrote down
	Decision match.Times
}

// Result is the result of a contest. The summary is of what A writes down above B in a hand.
type Result struct {
	match.Summary
	Points    match.Estimate // what A makes above B in tricks, in a hand
	Hands     int
	Generated uint64
	Sides     [2]Side // A, then B
}

// unit is a deal that was played twice.
type unit struct {
	ends      [2]belote.Position // A is the declarer's player in the first
	times     [2]match.Times
	generated uint64
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times.
func (c Contest) Run(ctx context.Context) (Result, error) {
	tools := make([]Tools, max(c.Workers, 1))
	do := c.Do
	if do == nil {
		do = func(ctx context.Context, play func(context.Context, func() error) error) error { return play(ctx, nil) }
	}
	sum := tally{Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}
	plan := contest.Plan{Units: c.Deals, Workers: c.Workers, Keeping: c.Keeping}
	err := contest.Run(ctx, plan, &sum, func(ctx context.Context, worker, number int) (u unit, err error) {
		before := tools[worker].generated
		err = do(ctx, func(ctx context.Context, pause func() error) error {
			return c.play(ctx, number, &tools[worker], pause, &u)
		})
		u.generated = tools[worker].generated - before
		return u, err
	}, func(number int, u unit) error {
		sum.add(&u)
		if c.Progress != nil {
			c.Progress(number+1, sum.Generated)
		}
		return nil
	})
	result := Result{Hands: 2 * len(sum.Pairs), Generated: sum.Generated, Sides: sum.Sides}
	if err != nil {
		return result, err
	}
	result.Summary, result.Points = match.Summarise(sum.Pairs), match.MeanOf(sum.Points)
	return result, nil
}

// tally is what a contest has of its finished deals.
type tally struct {
	Pairs     []match.Pair
	Points    []float64
	Generated uint64
	Sides     [2]Side
}

func (t *tally) add(u *unit) {
	var score match.Pair
	points := 0.0
	for at, end := range u.ends {
		deal := end.Deal()
		written := [2]int{end.Points(belote.A), end.Points(belote.B)}
		declarer := &t.Sides[(int(deal.Declarer)+at)&1]
		declarer.Declared++
		if end.Won() {
			declarer.Made++
		} else {
			written[deal.Declarer], written[deal.Declarer.Other()] = 0, deal.Total()
		}
		for _, p := range belote.Players() {
			side := &t.Sides[(int(p)+at)&1]
			side.Points += end.Points(p)
			side.Score += written[p]
		}
		ours := belote.Player(at) // where the kind A sits
		score[at] = float64(written[ours] - written[ours.Other()])
		points += float64(end.Points(ours)-end.Points(ours.Other())) / 2
	}
	t.Pairs, t.Points = append(t.Pairs, score), append(t.Points, points)
	t.Generated += u.generated
	for i := range u.times {
		t.Sides[i].Decision.Join(u.times[i])
	}
}

// The streams of random numbers of a seed: one of the deals, and one for each place of a deal and table.
const (
	dealStream   = 1
	playerStream = 2
)

// Deal returns a deal of the contest.
func (c *Contest) Deal(number int) belote.Deal {
	rng := random.New(c.Seed, dealStream, uint64(number))
	suits := piquet.Suits()
	deck := belote.Deck(suits[:c.Suits]...)
	trump := belote.NoTrump
	if !c.NoTrump {
		trump = belote.TrumpOf(suits[random.Below(rng, uint64(c.Suits))])
	}
	return belote.Random(rng, deck, trump)
}

// play plays a deal twice.
func (c *Contest) play(ctx context.Context, number int, tools *Tools, pause func() error, u *unit) error {
	start, err := NewTable(c.Deal(number), false, Rules{Flip: c.Flip})
	for at := range u.ends {
		if err != nil {
			return err
		}
		seats := make([]Player, 2)
		for p := range seats {
			side := (p + at) & 1
			seats[p] = match.Seat([2]Kind{c.A, c.B}[side].New(Place{
				Rand:  random.New(c.Seed, playerStream, uint64(number)*4+uint64(at)*2+uint64(p)),
				Tools: tools, Utility: c.Utility, Pause: pause,
			}), false, &u.times[side], nil)
		}
		var end Table
		end, err = table.Play(ctx, start, seats, nil)
		u.ends[at] = end.Position()
	}
	return err
}
