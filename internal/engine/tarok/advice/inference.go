package advice

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
	"roem/internal/engine/tarok/worlds"
)

// The model of how players play their cards: see playout.Table.Likelihood.
var (
	cardTemperature = 6.0
	cardSlip        = 0.1
)

// of returns what can weigh the worlds of a view: nobody's exchange says anything to the declarer, and before the first card no card does.
func (i Inference) of(v *players.View) Inference {
	i.Exchanges = i.Exchanges && v.Contract.Exchange() > 0 && v.Player != v.Declarer
	i.Cards = i.Cards && !v.Contract.Negative() && len(v.Played) > 0
	return i
}

// same reports whether two worlds have the same cards in the same places.
func same(a, b *tarok.Setup) bool { return a.Deal.Hands == b.Deal.Hands && a.Discards == b.Discards }

// likely draws n worlds of a view in the play: Pool worlds are drawn, each is weighed, and n of them are chosen with a frequency in
// proportion to their weights (systematic resampling). A world that is chosen more than once is in the list as often. pool is how
// many were drawn, and effective their effective sample size: the square of the sum of the weights by the sum of their squares. They are 0
// if nothing is weighed.
func (a *Advisor) likely(v *players.View, w *worlds.Worlds, rng *rand.Rand, n int) (out []tarok.Setup, pool int, effective float64) {
	by := a.s.Inference.of(v)
	if by == (Inference{}) {
		return w.Plain(rng, n), 0, 0
	}
	drawn := w.Plain(rng, max(n, a.s.Pool))
	weights := by.weights(v, drawn)
	sum, squares := 0.0, 0.0
	for _, x := range weights {
		sum += x
		squares += x * x
	}
	n = min(n, len(drawn))
	at, step := rng.Float64()*sum/float64(n), sum/float64(n)
	for i, x := range weights {
		for at < x && len(out) < n {
			out = append(out, drawn[i])
			at += step
		}
		at -= x
	}
	for len(out) < n { // by rounding
		out = append(out, out[len(out)-1])
	}
	return out, len(drawn), sum * sum / squares
}

// weights returns how likely the players would have done what they did in each of the worlds, against the likeliest.
func (i Inference) weights(v *players.View, drawn []tarok.Setup) []float64 {
	out := make([]float64, len(drawn))
	most := math.Inf(-1)
	calls := callsOf(v)
	for k := range drawn {
		s := &drawn[k]
		if i.Bids {
			for _, p := range [2]tarok.Player{v.Player.Next(), v.Player.After(2)} {
				out[k] += calls[p].likely(s.Deal.Hands[p])
			}
		}
		if i.Exchanges {
			out[k] += players.LikelyExchange(s.Deal.Hands[v.Declarer], s.Deal.Talon[:], s.Contract, s.Group, s.Discards)
		}
		if i.Cards {
			out[k] += playout.New(*s, tarok.Announcements{}, v.Played).Likelihood(v.Player, cardTemperature, cardSlip)
		}
		most = max(most, out[k])
	}
	for k := range out {
		out[k] = math.Exp(out[k] - most)
	}
	return out
}

// call is what a player's bids say: the highest contract it has bid, and the lowest that it has refused; 0 if it has not.
type call struct{ least, refused tarok.Contract }

// callsOf returns what the bids of the players say. Where they are not known, the contract says that its declarer has bid it.
func callsOf(v *players.View) (out [3]call) {
	b := tarok.NewBidding(v.Rules.Order)
	for _, bid := range v.Bids {
		p, _ := b.Turn()
		if bid > tarok.Bid(tarok.Klop) {
			out[p].least = tarok.Contract(bid)
		} else {
			for _, l := range b.Legal() {
				if l > tarok.Bid(tarok.Klop) {
					out[p].refused = tarok.Contract(l)
					break
				}
			}
		}
		b, _ = b.Call(bid)
	}
	if len(v.Bids) > 0 || v.Stage == worlds.Bidding || v.Contract == tarok.Klop {
		return out
	}
	for _, p := range tarok.Players() {
		switch {
		case p == v.Declarer:
			out[p].least = v.Contract
		case p < v.Declarer:
			out[p].refused = v.Contract
		case v.Contract < tarok.Zero:
			out[p].refused = v.Contract + 1
		}
	}
	return out
}

// likely returns the logarithm of how likely a player with a hand made these bids.
func (c call) likely(hand tarok.Set) float64 {
	if c.least == 0 && c.refused == 0 {
		return 0
	}
	const slip = 0.02
	strength := players.Strength(hand)
	from, to := 1.0, 0.0
	if c.least > 0 {
		from = willing(strength, c.least)
	}
	if c.refused > 0 {
		to = willing(strength, c.refused)
	}
	return math.Log(slip + (1-slip)*max(0, from-to))
}

// willing returns how likely a player of a strength bids as high as a contract.
func willing(strength float64, c tarok.Contract) float64 {
	m := willingness[c]
	return 1 / (1 + math.Exp(-(m[0] + m[1]*strength)))
}

// willingness are the intercept and the slope of each contract, fitted to what the program bids with 6,000 hands
// (lab/docs/tarok/README.md). The heuristic player bids by the same strength.
var willingness = [6][2]float64{
	tarok.Three: {-14.45, 1.37}, tarok.Two: {-16.43, 1.37}, tarok.One: {-20.39, 1.52}, tarok.Beggar: {-23.89, 1.52},
	tarok.Zero: {-23.89, 1.52},
}
