package policynet

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
	"roem/lab/klaverjas/games"
)

// WeighedTricks is the number of tricks in which weights are measured. In the last one, every hidden card is certain or the only one of
// its seat.
const WeighedTricks = 7

// floor is the share of random plays of the weights that are measured.
const floor = 0.03

// powers are the powers of the weights that are measured.
var powers = [...]float64{0.4, 0.7, 1}

// WeighingSettings configure Weighing.
type WeighingSettings struct {
	Worlds int // how many worlds are weighed in a view, at least 2
	Seed   uint64
}

// Weighed says what the weights of [playout.Weigh] tell about the hidden cards, by trick.
type Weighed struct {
	Players string // of the weights: policy, imitation, or both
	Power   float64
	Tricks  [WeighedTricks]WeighedTrick
}

// WeighedTrick sums up the views of a trick.
type WeighedTrick struct {
	Views int

	sum, square, effective float64
}

// Gain returns the mean over the views of log(n w / W) in nats, where w is the weight of the true world and W the sum of all n weights.
// Equal weights have a gain of 0.
func (s *WeighedTrick) Gain() float64 { return s.sum / float64(s.Views) }

// GainError returns the standard error of Gain, over hands: there is one view of each.
func (s *WeighedTrick) GainError() float64 {
	n, mean := float64(s.Views), s.Gain()
	return math.Sqrt(max(s.square/n-mean*mean, 0) / (n - 1))
}

// Effective returns the mean effective share of the worlds, (sum w)^2 / (n sum w^2).
func (s *WeighedTrick) Effective() float64 { return s.effective / float64(s.Views) }

// Weighing measures what the weights of worlds tell about the hidden cards, for the policy and the imitation as the players of the other
// seats, each alone and both, and for several powers. One seat and one number of cards is drawn for each game and trick. The worlds of a
// view are the true one and others that are drawn uniformly, or all if there are no more. So the gain is at most log(Worlds), and below
// the gain over all worlds.
func Weighing(ctx context.Context, best, imitation *policy.Network, all []games.Game, s WeighingSettings) ([]Weighed, error) {
	one, two := &recorder{policy: best.Seat()}, &recorder{policy: imitation.Seat()}
	sets := []struct {
		name    string
		players []playout.Policy
	}{
		{"policy", []playout.Policy{one}},
		{"imitation", []playout.Policy{two}},
		{"both", []playout.Policy{one.recorded(), two.recorded()}},
	}
	var rows []Weighed
	for _, set := range sets {
		for _, power := range powers {
			rows = append(rows, Weighed{Players: set.name, Power: power})
		}
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x3e16))
	for i := range all {
		for trick := range WeighedTricks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v, worlds, err := candidates(rng, &all[i], 4*trick+rng.IntN(4), piquet.Seat(rng.IntN(4)), s.Worlds)
			if err != nil {
				return nil, err
			}
			e := playout.EvidenceOf(&v)
			var likelihoods [3][]float64 // by set
			for _, world := range worlds {
				one.seen, two.seen = one.seen[:0], two.seen[:0]
				for j, set := range sets {
					likelihoods[j] = append(likelihoods[j], e.LogLikelihood(set.players, world, floor))
				}
			}
			for i := range rows {
				rows[i].Tricks[trick].add(likelihoods[i/len(powers)], rows[i].Power)
			}
		}
	}
	return rows, nil
}

// recorder is a policy that keeps the logits of a world's choices.
type recorder struct {
	policy playout.Policy
	seen   [][32]float32
}

// Logits asks the policy.
func (r *recorder) Logits(t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	r.policy.Logits(t, own, legal, logits)
	r.seen = append(r.seen, *logits)
}

// recorded returns a policy that repeats the logits of the recorder, in their order, from the first of a world. It is much faster.
func (r *recorder) recorded() playout.Policy { return &replayer{of: r} }

type replayer struct {
	of   *recorder
	next int
}

// Logits repeats the next logits.
func (r *replayer) Logits(_ *playout.Table, _, legal piquet.Set, logits *[32]float32) {
	from := &r.of.seen[r.next]
	for c := range legal.All() {
		logits[c] = from[c]
	}
	if r.next++; r.next == len(r.of.seen) {
		r.next = 0
	}
}

// candidates returns a view of a game, and n of its worlds, or all. The first is the true one.
func candidates(rng *rand.Rand, g *games.Game, played int, seat piquet.Seat,
	n int,
) (v worlds.View, list []worlds.World, err error) {
	at, err := klaverjas.NewPosition(g.Rules, g.Deal)
	if err != nil {
		return v, nil, err
	}
	if at, err = at.Replay(g.Played[:played]); err != nil {
		return v, nil, err
	}
	v = worlds.ViewOf(at, g.Played[:played], seat)
	k, err := worlds.New(v)
	if err != nil {
		return v, nil, err
	}
	var world worlds.World
	for _, s := range piquet.Seats() {
		world[s] = at.Hand(s)
	}
	list = append(list, world)
	for _, number := range k.SampleDistinct(rng, n) {
		if w := k.World(number); w != world && len(list) < n {
			list = append(list, w)
		}
	}
	return v, list, nil
}

// add adds a view. The first likelihood is the likelihood of the true world.
func (s *WeighedTrick) add(likelihoods []float64, power float64) {
	top := math.Inf(-1)
	for _, x := range likelihoods {
		top = max(top, power*x)
	}
	sum, squares := 0.0, 0.0
	for _, x := range likelihoods {
		w := math.Exp(power*x - top)
		sum += w
		squares += w * w
	}
	n := float64(len(likelihoods))
	gain := power*likelihoods[0] - top + math.Log(n/sum)
	s.Views++
	s.sum += gain
	s.square += gain * gain
	s.effective += sum * sum / squares / n
}
