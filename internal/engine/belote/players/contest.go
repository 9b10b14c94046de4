package players

import (
	"context"
	"time"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
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
	// Watch, if not nil, is called with the views before each card of a deal, of its first hand, in the order of the deals.
	Watch func(deal int, views []*worlds.View) error
	// Keeping says how the contest goes on after an interruption. It must not be set together with Watch.
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

// unit is the result of a deal that was played twice.
type unit struct {
	sides     [2]Side
	score     match.Pair
	points    float64
	generated uint64
	views     []*worlds.View // of the first hand, if they are wanted
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times.
func (c Contest) Run(ctx context.Context) (Result, error) {
	tools := make([]Tools, max(c.Workers, 1))
	do := c.Do
	if do == nil {
		do = func(ctx context.Context, play func(context.Context, func() error) error) error { return play(ctx, nil) }
	}
	sum := tally{Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}
	first := match.Restore(c.Keeping, &sum)
	err := match.Run(ctx, c.Deals-first, c.Workers, func(ctx context.Context, worker, number int) (u unit, err error) {
		number += first
		before := tools[worker].generated
		err = do(ctx, func(ctx context.Context, pause func() error) error {
			return c.play(ctx, number, &tools[worker], pause, &u)
		})
		u.generated = tools[worker].generated - before
		return u, err
	}, func(number int, u unit) error {
		number += first
		sum.add(&u)
		if c.Watch != nil {
			if err := c.Watch(number, u.views); err != nil {
				return err
			}
		}
		if c.Progress != nil {
			c.Progress(number+1, sum.Generated)
		}
		return c.Keeping.After(number+1, sum)
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
	t.Pairs, t.Points = append(t.Pairs, u.score), append(t.Points, u.points)
	t.Generated += u.generated
	for i := range u.sides {
		t.Sides[i].add(&u.sides[i])
	}
}

func (s *Side) add(other *Side) {
	s.Declared += other.Declared
	s.Made += other.Made
	s.Points += other.Points
	s.Score += other.Score
	s.Decision.Join(other.Decision)
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
	deal := c.Deal(number)
	var score [2]float64
	for table := range 2 {
		kinds := [2]Kind{c.A, c.B}
		if table == 1 {
			kinds = [2]Kind{c.B, c.A}
		}
		var seats [2]*seat
		for _, p := range belote.Players() {
			seats[p] = &seat{
				rng:   random.New(c.Seed, playerStream, uint64(number)*4+uint64(table)*2+uint64(p)),
				tools: tools, utility: c.Utility, flip: c.Flip, worlds: kinds[p].worlds, pause: pause,
			}
		}
		side := func(p belote.Player) *Side { return &u.sides[(int(p)+table)&1] }
		end, err := playHand(ctx, deal, kinds, seats, pause, func(p belote.Player, took time.Duration) {
			side(p).Decision.Add(took)
			if c.Watch != nil && table == 0 {
				u.views = append(u.views, seats[p].view)
			}
		})
		if err != nil {
			return err
		}
		written := [2]int{end.Points(belote.A), end.Points(belote.B)}
		declarer := side(deal.Declarer)
		declarer.Declared++
		if end.Won() {
			declarer.Made++
		} else {
			written[deal.Declarer], written[deal.Declarer.Other()] = 0, deal.Total()
		}
		for _, p := range belote.Players() {
			side(p).Points += end.Points(p)
			side(p).Score += written[p]
		}
		ours := belote.Player(table) // where the kind A sits
		score[table] = float64(written[ours] - written[ours.Other()])
		u.points += float64(end.Points(ours)-end.Points(ours.Other())) / 2
	}
	u.score = match.Pair(score)
	return nil
}

// playHand plays a hand to its end.
func playHand(
	ctx context.Context, deal belote.Deal, kinds [2]Kind, seats [2]*seat, pause func() error, watch func(belote.Player, time.Duration),
) (belote.Position, error) {
	p, err := belote.NewPosition(deal)
	if err != nil {
		return p, err
	}
	var played []piquet.Card
	for !p.Finished() {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		if pause != nil {
			if err := pause(); err != nil {
				return p, err
			}
		}
		turn := p.Turn()
		s := seats[turn]
		if s.view, err = worlds.Of(&p, played, s.flip); err != nil {
			return p, err
		}
		s.now = p
		began := time.Now()
		c, err := kinds[turn].choose(ctx, s)
		watch(turn, time.Since(began))
		if err != nil {
			return p, err
		}
		if p, err = p.Play(c); err != nil {
			return p, err
		}
		played = append(played, c)
	}
	return p, nil
}
