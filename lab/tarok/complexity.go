package tarok

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/complexity"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
)

// Complexity estimates the means of Table 1 of the paper (section 2.2): how many leaves the game tree of a deal has, with what the program
// rarely does cut off. The program plays all three seats.
type Complexity struct {
	Deals    int
	Settings advice.Settings
	// Rare is the share below which something is cut off: a bid of the times that a player could bid after the same bids, and an
	// announcement of the trial games in which it is made, or fails.
	Rare    float64
	Seed    uint64
	Workers int
}

// Means are the means of Table 1. Logarithms are to base 10.
type Means struct {
	Sequences     int     // biddings that are left
	Exchanged     float64 // biddings with their exchanges: for each of Sequences the mean number of exchanges of its contract
	Announcements float64 // ways to announce and to double, on average over the hands
	Before        float64 // the logarithm of both together
	Play          complexity.Play
	Together      float64 // the logarithm
}

// dealt is what the program did with a deal.
type dealt struct {
	setup  tarok.Setup
	bids   []tarok.Bid
	ways   float64 // of announcements
	played []tarok.Card
}

// Run plays the deals.
func (c *Complexity) Run(ctx context.Context) (m Means, err error) {
	var hands []dealt
	var sampler complexity.Sampler
	err = match.Run(ctx, c.Deals, c.Workers, func(ctx context.Context, _, i int) (dealt, error) {
		return c.play(ctx, uint64(i))
	}, func(_ int, d dealt) error {
		hands = append(hands, d)
		m.Announcements += d.ways / float64(c.Deals)
		return sampler.Add(d.setup, func(tarok.Set) (next tarok.Card) {
			next, d.played = d.played[0], d.played[1:]
			return next
		})
	})
	if err != nil {
		return m, err
	}
	m.Sequences, m.Exchanged = c.biddings(hands)
	m.Before = math.Log10(m.Exchanged * m.Announcements)
	m.Play = sampler.Result()
	m.Together = m.Before + m.Play.LogMean
	return m, nil
}

// play lets the program play a deal.
func (c *Complexity) play(ctx context.Context, number uint64) (d dealt, err error) {
	rng := random.New(c.Seed, number)
	t, err := players.NewTable(tarok.Random(rng), tarok.DefaultRules, [3]int{})
	if err != nil {
		return d, err
	}
	a := advice.New(c.Settings)
	d.ways = 1
	asked := false
	for t.Phase() != players.Finished {
		turn, _ := t.Turn()
		v := t.View(turn)
		if v.Phase == players.ToAnnounce && !asked {
			asked = true
			_, trials, err := a.Announce(ctx, v, rng)
			if err != nil {
				return d, err
			}
			d.ways = c.ways(&trials)
		}
		act, err := a.Choose(ctx, v, rng)
		if err != nil {
			return d, err
		}
		if act.Phase == players.ToBid {
			d.bids = append(d.bids, act.Bid)
		}
		if act.Phase == players.ToPlay {
			d.played = append(d.played, act.Card)
		}
		if t, err = t.Act(act); err != nil {
			return d, err
		}
	}
	d.setup = t.Setup()
	return d, nil
}

// ways returns how many ways there are to announce, without what hardly ever comes true. A side may announce a bonus if it is made in a
// share of the trial games that is not rare; then the other side may double it if it fails in such a share. The game may be doubled if it
// is lost in such a share.
func (c *Complexity) ways(t *advice.Trials) float64 {
	some := func(share float64) float64 {
		if share >= c.Rare {
			return 1
		}
		return 0
	}
	if t.Games == 0 {
		return 1
	}
	ways := 1 + some(1-t.Won)
	for i := range t.Made {
		each := 1.0
		for _, share := range [2]float64{t.Made[i], t.Lost[i]} {
			each += some(share) * (1 + some(1-share))
		}
		ways *= each
	}
	return ways
}

// biddings returns how many biddings are left in the tree without bids that are rare where they can be made, and with the mean number of
// exchanges of each.
func (c *Complexity) biddings(hands []dealt) (sequences int, exchanged float64) {
	var ways, made [complexity.Contracts]float64
	for i := range hands {
		s := &hands[i].setup
		ways[s.Contract] += float64(complexity.Exchanges(&s.Deal, s.Contract, s.Declarer))
		made[s.Contract]++
	}
	var walk func(b tarok.Bidding, hands []dealt, depth int)
	walk = func(b tarok.Bidding, hands []dealt, depth int) {
		if contract, _, over := b.Result(); over {
			sequences++
			exchanged += ways[contract] / made[contract]
			return
		}
		for _, bid := range b.Legal() {
			some := slices.DeleteFunc(slices.Clone(hands), func(d dealt) bool { return d.bids[depth] != bid })
			if float64(len(some)) < c.Rare*float64(len(hands)) || len(some) == 0 {
				continue
			}
			if next, err := b.Call(bid); err == nil { // always: the bid is legal
				walk(next, some, depth+1)
			}
		}
	}
	walk(tarok.NewBidding(tarok.DefaultRules.Order), hands, 0)
	return sequences, exchanged
}

// Write runs the experiment and writes the means beside the figures of the paper.
func (c *Complexity) Write(ctx context.Context, out io.Writer) error {
	m, err := c.Run(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `| on average | the paper | here |
|---|---|---|
| biddings with their exchanges | ~10^3 | 10^%.2f: %d biddings |
| announcements | ~10 | 10^%.2f |
| bidding and so on | ~10^4 | 10^%.2f |
| lines of play | ~10^28 | 10^%.2f, median 10^%.2f, mean of the logarithm %.2f, range %.1f to %.1f |
| together | ~10^32 | 10^%.2f |
`, math.Log10(m.Exchanged), m.Sequences, math.Log10(m.Announcements), m.Before, m.Play.LogMean, m.Play.Median, m.Play.MeanLog,
		m.Play.Least, m.Play.Most, m.Together)
	return err
}
