package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas/bidadvice"
)

// Decision is a choice between cards in a game, what the advice said of the card that was played, and how the hand ended.
type Decision struct {
	Trick    int // 0 to 7
	Value    advice.Value
	Declares bool // the seat's team declares
	Outcome  int
}

// Hand is a hand that was played.
type Hand struct {
	Rules   klaverjas.Rules
	Deal    klaverjas.Deal
	Cards   []piquet.Card    // in the order of play
	Auction *bidding.Auction // nil if there was none, or if the advice is not to know it
}

// Advisor advises for the seat to play of a view. The auction may be nil.
type Advisor func(ctx context.Context, q *advice.Question, a *bidding.Auction, rng *rand.Rand) (advice.Advice, error)

// BySearch advises by exact searches of worlds.
func BySearch(s advice.Solver, worlds int) Advisor {
	return func(ctx context.Context, q *advice.Question, _ *bidding.Auction, rng *rand.Rand) (advice.Advice, error) {
		return q.Decide(ctx, rng, s, advice.Options{Worlds: worlds})
	}
}

// ByPlayouts advises by playouts.
func ByPlayouts(m playout.Models, worlds int) Advisor {
	return func(ctx context.Context, q *advice.Question, a *bidding.Auction, rng *rand.Rand) (advice.Advice, error) {
		o := advice.DefaultPlayouts(worlds)
		if a != nil {
			view := q.Knowledge().View()
			e, err := bidadvice.NewEvidence(new(bidadvice.Policy), view.Rules, *a, view.Seat)
			if err != nil {
				return advice.Advice{}, err
			}
			o.Weights.Prior = e.Likelihood
		}
		return q.AdvisePlayouts(ctx, rng, m, o)
	}
}

// Decide returns one decision of a hand: a random one among those with more than one legal card. It depends on the hand and the seed only.
func Decide(ctx context.Context, g *Hand, seed uint64, advise Advisor) (d Decision, err error) {
	p, err := klaverjas.NewPosition(g.Rules, g.Deal)
	if err != nil {
		return d, err
	}
	var choices []int
	positions := [32]klaverjas.Position{}
	for i, c := range g.Cards {
		if positions[i] = p; p.Legal().Len() > 1 {
			choices = append(choices, i)
		}
		if p, err = p.Play(c); err != nil {
			return d, err
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	ply := choices[rng.IntN(len(choices))]
	at := positions[ply]
	k, err := worlds.New(worlds.ViewOf(at, g.Cards[:ply], at.Turn()))
	if err != nil {
		return d, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return d, err
	}
	a, err := advise(ctx, q, g.Auction, rng)
	if err != nil {
		return d, err
	}
	d = Decision{Trick: ply / 4, Declares: at.Turn().Team() == g.Deal.Declarer, Outcome: p.Outcome()}
	for _, v := range a.Cards {
		if v.Card == g.Cards[ply] {
			d.Value = v
		}
	}
	return d, nil
}

// Honesty says how good the probabilities of decisions are, also by trick and by side.
func Honesty(all []Decision) string {
	var whole Score
	var points Estimates
	tricks, sides := [8]Score{}, [2]Score{}
	for i, d := range all {
		p, won := d.Value.WinProbability.Mean, d.Outcome > 0
		whole.AddTo(i, p, won)
		tricks[d.Trick].AddTo(i, p, won)
		sides[int(share(d.Declares))].AddTo(i, p, won)
		points.Add(d.Value.Outcome.Mean, float64(d.Outcome))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n", &whole, &points)
	fmt.Fprintf(&out, "declarers, %s\ndefenders, %s\n", &sides[1], &sides[0])
	for i := range len(tricks) - 1 { // the last card is no decision
		fmt.Fprintf(&out, "trick %d, %s\n", i+1, &tricks[i])
	}
	return out.String() + "\n" + whole.Reliability()
}
