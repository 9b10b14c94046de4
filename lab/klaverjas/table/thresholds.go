package table

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
)

// window is how far from the threshold, in points, hands count for it.
const window = 80.0

// A threshold needs a number of hands, and lies between limits. Hardly any hand whose best trump is worth less than the least is dealt.
const (
	fewest = 50
	least  = -80.0
	most   = 120.0
)

// ThresholdOptions configure FitThresholds.
type ThresholdOptions struct {
	Rounds int // how often all thresholds of a flow are fitted, each time with the others of the last time
	Hands  int // for a threshold
	Deals  int // at most for a threshold
	Seed   uint64
}

// FitThresholds finds the thresholds at which declaring is worth as much as passing, if all players bid by them.
func FitThresholds(m *deal.Model, p *bidadvice.Policy, rules klaverjas.Rules, start bidding.Setting, o ThresholdOptions,
	tell func(bidadvice.Thresholds),
) error {
	steps := 4
	if start.Flow == bidding.Turned && start.Again {
		steps = 16
	}
	own := make(bidadvice.Thresholds, steps)
	name := rules.System.String()
	if p.Thresholds[name] == nil {
		p.Thresholds[name] = map[string]bidadvice.Thresholds{}
	}
	p.Thresholds[name][bidadvice.FlowName(start)] = own
	rng := index.NewRand(o.Seed)
	for round := range o.Rounds {
		for step := steps - 1; step >= 0; step-- {
			equal, err := breakEven(m, p, rules, start, step, own[step], o, rng)
			if err != nil {
				return err
			}
			if round > 0 { // the thresholds depend on each other; the mean keeps them from going to and fro
				equal = (equal + own[step]) / 2
			}
			own[step] = math.Round(equal*10) / 10
		}
		tell(own)
	}
	return nil
}

// breakEven returns the worth at which declaring after the given number of passes is as good as passing, for hands near a first guess.
func breakEven(
	m *deal.Model, p *bidadvice.Policy, rules klaverjas.Rules, start bidding.Setting, step int, guess float64, o ThresholdOptions,
	rng *rand.Rand,
) (float64, error) {
	draw := func(n int) int { return int(rng.Uint64() % uint64(n)) }
	var f fit
	for range o.Deals {
		if len(f.x) >= o.Hands {
			break
		}
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		setting := start
		setting.Dealer = piquet.Seat(draw(4))
		if start.Flow == bidding.Turned {
			setting.Turned = []piquet.Suit{piquet.Suit(draw(4))}
		}
		a, err := bidding.Start(setting)
		if err != nil {
			return 0, err
		}
		for !a.Done() && len(a.Calls()) < step {
			if a, err = a.Call(p.Call(rules, a, hands[a.Turn()])); err != nil {
				return 0, err
			}
			if a.NeedsSuit() {
				if a, err = bidadvice.TurnRandom(a, draw); err != nil {
					return 0, err
				}
			}
		}
		if a.Done() {
			continue
		}
		seat := a.Turn()
		trump, worth, ok := p.Best(rules, a, hands[seat])
		if !ok || math.Abs(worth-guess) > window {
			continue
		}
		declared := value(m, rules, a.Leader(), hands, seat, seat, trump)
		passed, err := a.Call(bidding.Pass)
		if err == nil {
			passed, err = p.Finish(rules, passed, &hands, draw)
		}
		if err != nil {
			return 0, err
		}
		by, other := passed.Result()
		f.add([]float64{1, worth}, declared-value(m, rules, a.Leader(), hands, seat, by, other))
	}
	if len(f.x) < fewest { // hardly any hand gets here, or has such a worth
		return guess, nil
	}
	b, err := f.linear()
	if err != nil {
		return 0, err
	}
	return min(max(-b[0]/b[1], guess-window/2, least), guess+window/2, most), nil
}

// value returns the mean outcome at the table of a deal for the team of a seat.
func value(m *deal.Model, rules klaverjas.Rules, leader piquet.Seat, hands [4]piquet.Set, seat, by piquet.Seat, trump piquet.Suit) float64 {
	d := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: by.Team(), Hands: hands}
	prediction, _ := m.Predict(rules, d)
	mean := handstrength.TableModel(rules).MapOfDeal(&d).At(handstrength.NumbersOfDeal(prediction)).Mean
	if seat.Team() != by.Team() {
		return -mean
	}
	return mean
}

// Settings returns the flows, without a dealer and without a turned suit.
func Settings() []bidding.Setting {
	return []bidding.Setting{
		{Flow: bidding.Free},
		{Flow: bidding.Official},
		{Flow: bidding.Obliged},
		{Flow: bidding.Turned},
		{Flow: bidding.Turned, Again: true},
	}
}
