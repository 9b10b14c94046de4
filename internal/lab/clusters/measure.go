package clusters

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/lab/games"
)

// Method is a way to draw worlds.
type Method int

// The methods.
const (
	Plain    Method = iota // each world is drawn from all, so that one can occur twice
	Distinct               // without replacement
	Clusters               // by clusters of a larger sample
	Methods                // Methods is their number.
)

// Settings are those of Measure.
type Settings struct {
	Positions int   // positions of each trick
	Tricks    []int // from 1
	Worlds    []int // the sizes of the samples
	Pool      int   // how many worlds are grouped
	Reference int   // how many worlds the reference advice searches
	Repeat    int   // how often each method draws in a position
	Seed      uint64
	Solver    advice.Solver
	Progress  func(done int) // called after each position
}

// Position is the result of a position: the mean regret of each size and method, in points, and the share of the draws with the card of the
// reference advice.
type Position struct {
	Trick  int
	Regret [][Methods]float64 // by size
	Same   [][Methods]float64
}

// Measure compares the methods in positions of games with more than one legal card, one for each game. The regret of a card is how much worse its
// mean OUTCOME over the worlds of the reference is than that of the best card. The worlds of the reference are drawn apart from the others, so a
// difference of regrets has no bias. If ctx ends, it returns the positions that are complete, and the error.
func Measure(ctx context.Context, all []games.Game, s Settings) ([]Position, error) {
	var out []Position
	rng := rand.New(rand.NewPCG(s.Seed, 0xc1057e5))
	for i := range all {
		trick := s.Tricks[len(out)%len(s.Tricks)]
		if len(out) == s.Positions*len(s.Tricks) {
			break
		}
		q, err := question(&all[i], 4*(trick-1)+rng.IntN(4))
		if err != nil {
			return nil, err
		}
		if q.Forced() {
			continue
		}
		p, err := s.position(ctx, q, rng)
		if err != nil {
			return out, err
		}
		p.Trick = trick
		out = append(out, p)
		s.Progress(len(out))
	}
	return out, nil
}

// question asks what the seat to play should play after n cards of a game.
func question(g *games.Game, n int) (*advice.Question, error) {
	start, err := klaverjas.NewPosition(g.Rules, g.Deal)
	if err != nil {
		return nil, err
	}
	p, err := start.Replay(g.Played[:n])
	if err != nil {
		return nil, err
	}
	k, err := knowledge.New(knowledge.ViewOf(p, g.Played[:n], p.Turn()))
	if err != nil {
		return nil, err
	}
	return advice.NewQuestion(k)
}

func (s *Settings) position(ctx context.Context, q *advice.Question, rng *rand.Rand) (Position, error) {
	k := q.Knowledge()
	solved := make(map[uint64]advice.Row)
	advise := func(numbers []uint64) (advice.Advice, error) {
		var t advice.Tally
		for _, n := range numbers {
			row, ok := solved[n]
			if !ok {
				var err error
				if row, _, err = q.Solve(ctx, s.Solver, k.World(n)); err != nil {
					return advice.Advice{}, err
				}
				solved[n] = row
			}
			t.Add(q, row, 1)
		}
		return q.Advise(&t, advice.Score, false), nil
	}
	reference, err := advise(q.Draw(rng, s.Reference))
	if err != nil {
		return Position{}, err
	}
	best := reference.Cards[0]
	regret := make(map[cards.Card]float64)
	for _, v := range reference.Cards {
		regret[v.Card] = math.Abs(v.Outcome.Mean - best.Outcome.Mean)
	}
	p := Position{Regret: make([][Methods]float64, len(s.Worlds)), Same: make([][Methods]float64, len(s.Worlds))}
	for range s.Repeat {
		pool := q.Draw(rng, s.Pool)
		distances := s.distances(k, pool)
		for i, size := range s.Worlds {
			var drawn [Methods][]uint64
			for range size {
				drawn[Plain] = append(drawn[Plain], rng.Uint64N(k.Worlds()))
			}
			drawn[Distinct] = q.Draw(rng, size)
			drawn[Clusters] = drawn[Distinct]
			if len(pool) > size { // otherwise each world is searched
				drawn[Clusters] = nil
				for _, item := range Sample(rng, Average(distances, size), size) {
					drawn[Clusters] = append(drawn[Clusters], pool[item])
				}
			}
			for m := range Methods {
				a, err := advise(drawn[m])
				if err != nil {
					return Position{}, err
				}
				p.Regret[i][m] += regret[a.Card] / float64(s.Repeat)
				if a.Card == best.Card {
					p.Same[i][m] += 1 / float64(s.Repeat)
				}
			}
		}
	}
	return p, nil
}

func (s *Settings) distances(k *knowledge.Knowledge, pool []uint64) [][]float64 {
	worlds := make([]knowledge.World, len(pool))
	for i, n := range pool {
		worlds[i] = k.World(n)
	}
	d := make([][]float64, len(pool))
	for i := range d {
		d[i] = make([]float64, len(pool))
		for j := range i {
			d[i][j] = Distance(worlds[i], worlds[j], k.View().Trump)
			d[j][i] = d[i][j]
		}
	}
	return d
}
