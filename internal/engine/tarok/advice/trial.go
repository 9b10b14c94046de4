package advice

import (
	"cmp"
	"context"
	"math/rand/v2"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// Trials are the results of trial games of one decision.
type Trials struct {
	Games  int
	Points float64    // of the declarer, on average
	Score  float64    // of the declarer, on average
	Won    float64    // share that the declarer won
	Made   [4]float64 // share in which the declarer made each bonus
	Lost   [4]float64 // share in which the opponents made it

	scores []float64 // of the declarer in each game
}

// add adds a finished game.
func (t *Trials) add(p *tarok.Position) error {
	score, err := p.Score(tarok.Announcements{})
	if err != nil {
		return err
	}
	setup := p.Setup()
	var made [4]tarok.Side
	for i, value := range score.Bonuses {
		made[i] = tarok.Side(cmp.Compare(value, 0))
	}
	t.count(float64(score.Points[setup.Declarer]), float64(score.Total[setup.Declarer]), score.Won, made)
	return nil
}

// count counts a game by what the declarer has and scores, and who has made the bonuses.
func (t *Trials) count(points, score float64, won bool, made [4]tarok.Side) {
	n := float64(t.Games)
	put := func(to *float64, x float64) { *to = (*to*n + x) / (n + 1) }
	put(&t.Points, points)
	put(&t.Score, score)
	put(&t.Won, float64(flag(won)))
	for i, side := range made {
		put(&t.Made[i], float64(flag(side == tarok.Declarers)))
		put(&t.Lost[i], float64(flag(side == tarok.Opponents)))
	}
	t.Games++
	t.scores = append(t.scores, score)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// trialDeals returns the deals of trial games. Deals from clusters are shuffled, because some trials end after the first few.
func (a *Advisor) trialDeals(w *worlds.Worlds, rng *rand.Rand) []tarok.Setup {
	list := a.samples(w, rng, a.s.Trials, &Cards{})
	if a.s.Clustered {
		random.Shuffle(rng, list)
	}
	return list
}

// trial plays a hand to its end with open cards: a search of about one trick chooses each card. Klop is played by rules of thumb.
func (a *Advisor) trial(ctx context.Context, p tarok.Position) (tarok.Position, error) {
	if err := a.pause(ctx); err != nil {
		return p, err
	}
	setup := p.Setup()
	for !p.Finished() {
		legal := p.Legal()
		c := legal.First()
		if legal.Len() > 1 {
			if setup.Contract == tarok.Klop {
				c = players.NegativeCard(setup.Contract, setup.Declarer, p.Turn(), p.Leader(), p.Hand(p.Turn()), legal, p.Trick())
			} else {
				e, err := a.solver.Estimate(ctx, search.LimitedQuery{
					Position: p, Depth: a.s.TrialDepth, Enhancements: search.Enhancements{History: true, Selection: search.Provable}, Pause: a.Pause,
				})
				a.Nodes += e.Nodes
				if err != nil {
					return p, err
				}
				c = e.Card
			}
		}
		next, err := p.Play(c)
		if err != nil {
			return p, err
		}
		p = next
	}
	return p, nil
}

// tryOut plays a trial game of a setup.
func (a *Advisor) tryOut(ctx context.Context, s tarok.Setup, to *Trials) error {
	if a.s.PlayTrials && !s.Contract.Negative() {
		t := playout.New(s, tarok.Announcements{}, nil)
		state := t.State()
		score := t.Run(&state)
		o := t.Outcome(&state)
		to.count(float64(o.Points), float64(score[s.Declarer]), o.Won, o.Bonuses)
		return a.pause(ctx)
	}
	p, err := tarok.NewPosition(s)
	if err == nil {
		p, err = a.trial(ctx, p)
	}
	if err != nil {
		return err
	}
	return to.add(&p)
}
