package playout

import (
	"math"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Weights says how what was played changes the weights of worlds.
type Weights struct {
	// Power flattens the weights: each is the likelihood to this power. 1 trusts the policy fully, 0 not at all.
	Power float64
	// Floor is the share of the plays that are taken to be random ones, more than 0. It keeps each world possible.
	Floor float64
	// Prior, if not nil, is how likely a deal was before its first card, from the bidding. It is not raised to Power.
	Prior func(hands *[4]piquet.Set) float64
}

// Evidence is what the other seats have played in a view: their choices between several cards, wherever the hidden cards are.
type Evidence struct {
	plays  []play
	played [4]piquet.Set // by seat
}

type play struct {
	before Table
	card   piquet.Card
	later  piquet.Set             // what the seat has played from this card on
	known  map[piquet.Set]float64 // results by the hand before the play: worlds often agree on it
}

// EvidenceOf returns the evidence of a view. The view's own seat learns nothing from its own cards.
func EvidenceOf(v *worlds.View) *Evidence {
	e := new(Evidence)
	t := NewTable(&v.Rules, v.Trump, v.Leader, v.Declarer)
	for _, c := range v.Played {
		e.played[t.Turn()] = e.played[t.Turn()].With(c)
		if t.Turn() != v.Seat {
			e.plays = append(e.plays, play{before: t, card: c})
		}
		t.Play(c)
	}
	var later [4]piquet.Set
	for i := len(e.plays) - 1; i >= 0; i-- {
		p := &e.plays[i]
		seat := p.before.Turn()
		later[seat] = later[seat].With(p.card)
		p.later = later[seat]
	}
	return e
}

// LogLikelihood returns the natural logarithm of the probability that the other seats have played as they did, if world is the deal. At
// each play the probability is the mean over the players. floor is [Weights.Floor].
func (e *Evidence) LogLikelihood(players []Policy, world worlds.World, floor float64) float64 {
	sum := 0.0
	for i := range e.plays {
		sum += e.plays[i].logLikelihood(players, world, floor)
	}
	return sum
}

func (p *play) logLikelihood(players []Policy, world worlds.World, floor float64) float64 {
	own := world[p.before.Turn()] | p.later
	legal := p.before.Legal(own)
	if legal.Len() < 2 {
		return 0
	}
	if known, ok := p.known[own]; ok {
		return known
	}
	var logits [32]float32
	var probabilities [32]float64
	chosen := 0.0
	for _, player := range players {
		player.Logits(&p.before, own, legal, &logits)
		Probabilities(&logits, legal, &probabilities)
		chosen += probabilities[p.card]
	}
	x := math.Log((1-floor)*chosen/float64(len(players)) + floor/float64(legal.Len()))
	if p.known != nil {
		p.known[own] = x
	}
	return x
}

// remember keeps what each play tells about a hand. From then on all worlds must be asked for with the same players and floor.
func (e *Evidence) remember() {
	for i := range e.plays {
		e.plays[i].known = map[piquet.Set]float64{}
	}
}

// Weigh returns the weights of worlds, the largest of which is 1, and the effective number of worlds, (sum w)^2 / sum w^2.
func Weigh(players []Policy, v *worlds.View, worlds []worlds.World, w Weights) (weights []float64, effective float64) {
	weights = make([]float64, len(worlds))
	if len(worlds) == 0 {
		return weights, 0
	}
	e := EvidenceOf(v)
	e.remember()
	top := math.Inf(-1)
	for i, world := range worlds {
		weights[i] = w.Power * e.LogLikelihood(players, world, w.Floor)
		if w.Prior != nil {
			hands := [4]piquet.Set(world)
			for seat := range hands {
				hands[seat] |= e.played[seat]
			}
			weights[i] += math.Log(w.Prior(&hands))
		}
		top = max(top, weights[i])
	}
	sum, squares := 0.0, 0.0
	for i := range weights {
		weights[i] = math.Exp(weights[i] - top)
		sum += weights[i]
		squares += weights[i] * weights[i]
	}
	return weights, sum * sum / squares
}

// What WeighKinds supposes about the opponents.
const (
	RulesPrior = 0.5 // the probability that they are one of Models.Rules, each as likely as any other
	RulesPower = 1   // the power of the likelihood of such a player
	negligible = 12  // a kind of player whose weight in a world is less than exp(-negligible) of another weight counts 0 there
)

// WeighKinds is Weigh for worlds in which the opponents of the view's seat are of one of several kinds: the first kind plays by
// m.Players, the others play by m.Rules. Element i*kinds+k of the weights is the weight of world i with kind k, and kinds is 1 +
// len(m.Rules). The partner is of the first kind.
func WeighKinds(m *Models, v *worlds.View, worlds []worlds.World, w Weights) (weights []float64, kinds int) {
	kinds = 1 + len(m.Rules)
	weights = make([]float64, len(worlds)*kinds)
	e := EvidenceOf(v)
	e.remember()
	rules := make([]*Evidence, len(m.Rules))
	prior := make([]float64, kinds)
	for k := range rules {
		rules[k] = EvidenceOf(v)
		rules[k].remember()
		prior[k+1] = math.Log(RulesPrior / float64(len(rules)))
	}
	if len(rules) > 0 {
		prior[0] = math.Log(1 - RulesPrior)
	}
	top := math.Inf(-1)
	for i, world := range worlds {
		partner, opponents := 0.0, 0.0
		for j := range e.plays {
			x := e.plays[j].logLikelihood(m.Players, world, w.Floor)
			if e.plays[j].before.Turn() == v.Seat.Partner() {
				partner += x
			} else {
				opponents += x
			}
		}
		if w.Prior != nil {
			hands := [4]piquet.Set(world)
			for seat := range hands {
				hands[seat] |= e.played[seat]
			}
			partner += math.Log(w.Prior(&hands)) / w.Power
		}
		of := weights[i*kinds:][:kinds]
		of[0] = prior[0] + w.Power*(partner+opponents)
		for k, r := range rules {
			x := prior[k+1] + w.Power*partner
			for j := range r.plays {
				if r.plays[j].before.Turn() == v.Seat.Partner() {
					continue
				}
				x += RulesPower * r.plays[j].logLikelihood(m.Rules[k:k+1], world, w.Floor)
				if x < max(top, of[0])-negligible { // it can only fall
					x = math.Inf(-1)
					break
				}
			}
			of[k+1] = x
		}
		for _, x := range of {
			top = max(top, x)
		}
	}
	for i := range weights {
		weights[i] = math.Exp(weights[i] - top)
	}
	return weights, kinds
}

// Resample draws n of the worlds in proportion to their weights, by one random number: world i is drawn the whole number of times next
// below or above n times its share (systematic resampling, Kitagawa 1996). It returns the indices of the worlds drawn and how often each
// is drawn. at is uniform, at least 0 and less than 1.
func Resample(weights []float64, n int, at float64) (drawn, times []int) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	sum, done, last := 0.0, 0, -1
	add := func(i, count int) {
		if k := len(drawn) - 1; k >= 0 && drawn[k] == i {
			times[k] += count
		} else if count > 0 {
			drawn, times = append(drawn, i), append(times, count)
		}
		done += count
	}
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		sum += w
		count := 0
		for done+count < n && (float64(done+count)+at)*total < sum*float64(n) {
			count++
		}
		add(i, count)
		last = i
	}
	if last >= 0 {
		add(last, n-done) // a sum next to the total may have been rounded up to it
	}
	return drawn, times
}
