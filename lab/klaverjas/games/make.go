package games

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
)

// namedShare is the share of the games in which the declarer names the trump that suits its hand. In the others the trump is random, so
// that a learner sees every kind of hand.
const namedShare = 0.7

// Settings configure Make.
type Settings struct {
	Player  players.Kind // of all four seats
	Games   int
	Seed    uint64
	Workers int
	Tools   func() *players.Tools // makes the tools of a worker
	// Progress, if not nil, is called with the number of games written.
	Progress func(int)
}

// Make plays games and writes their rows. Game i depends on the seed, the player and i only.
func Make(ctx context.Context, out io.Writer, s Settings) error {
	type made struct {
		row []byte
		err error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// Worker w plays the games w, w+workers and so on, and the rows are written in turn.
	lanes := make([]chan made, max(s.Workers, 1))
	for w := range lanes {
		lanes[w] = make(chan made, 64)
		go func() {
			defer close(lanes[w])
			tools := s.Tools()
			for i := w; i < s.Games; i += len(lanes) {
				g, err := playGame(ctx, s.Player, s.Seed, i, tools)
				select {
				case lanes[w] <- made{g.Append(nil), err}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	for i := range s.Games {
		m, ok := <-lanes[i%len(lanes)]
		if !ok {
			return context.Cause(ctx)
		}
		if m.err != nil {
			return fmt.Errorf("game %d: %w", i, m.err)
		}
		if _, err := out.Write(m.row); err != nil {
			return err
		}
		if s.Progress != nil {
			s.Progress(i + 1)
		}
	}
	return nil
}

func playGame(ctx context.Context, kind players.Kind, seed uint64, i int, tools *players.Tools) (Game, error) {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	g := Game{Rules: klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))}
	g.Deal, _ = drawDeal(rng)
	start, err := klaverjas.NewPosition(g.Rules, g.Deal)
	if err != nil {
		return g, err
	}
	played, _, err := players.Play(ctx, start, nil, players.Sit([2]players.Kind{kind, kind}, rng.Uint64(), tools), nil)
	copy(g.Played[:], played)
	return g, err
}

// RandomDeal draws a deal, a leader and a declarer, each uniformly. In most deals the trump is the best for the declarer by its own cards.
func RandomDeal(rng *rand.Rand) klaverjas.Deal {
	d, _ := drawDeal(rng)
	return d
}

// drawDeal is RandomDeal, and says how the deal was drawn.
func drawDeal(rng *rand.Rand) (klaverjas.Deal, Drawn) {
	d := klaverjas.Deal{Leader: piquet.Seat(rng.IntN(4)), Trump: piquet.Suit(rng.IntN(4))}
	d.Hands = index.Random(rng, piquet.Clubs, d.Leader)
	declarer := piquet.Seat(rng.IntN(4))
	d.Declarer = declarer.Team()
	if rng.Float64() >= namedShare {
		return d, Drawn{Declarer: declarer}
	}
	best := -1.0
	for _, suit := range piquet.Suits() {
		if worth := worth(d.Hands[declarer], suit) + 6*rng.Float64(); worth > best {
			best, d.Trump = worth, suit
		}
	}
	return d, Drawn{Declarer: declarer, Named: true}
}

// worth is a rough measure of a hand with a trump: its trumps and its aces.
func worth(hand piquet.Set, trump piquet.Suit) (points float64) {
	for c := range hand.All() {
		switch {
		case c.Suit() == trump:
			points += 5 + float64(klaverjas.Points(c, trump))
		case c.Face() == piquet.Ace:
			points += 8
		}
	}
	return points
}
