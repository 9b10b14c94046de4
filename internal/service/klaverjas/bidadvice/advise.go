package bidadvice

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/pause"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/random"
	"roem/internal/service/klaverjas/handstrength"
)

// Worlds is the number of sampled deals of the other players' cards that Advise aims at, after their weights: the effective sample size.
// mostWorlds limits how many are drawn to get there.
const (
	Worlds     = 256
	mostWorlds = 4 * Worlds
)

// Predictor predicts deals. *model.Model is one.
type Predictor interface {
	PredictBatch(rules klaverjas.Rules, deals []klaverjas.Deal, out []deal.Prediction, covered []bool)
}

// Question asks what the seat whose turn it is should call.
type Question struct {
	Rules   klaverjas.Rules
	Auction bidding.Auction // not done, and no suit is to be turned
	Hand    piquet.Set      // of the seat whose turn it is
	Seed    uint64
	// Trumps, if not empty, are the only calls to value; passing is then not valued either.
	Trumps []bidding.Call
}

// Trump is what declaring with a trump is worth.
type Trump struct {
	Trump piquet.Suit
	// Open is the estimate with all cards open, over all deals of the other cards.
	Open handstrength.Strength
	// Table is what happens at the table over the same deals. Now is the same after the calls: deals in which the others would have called
	// otherwise count less.
	Table, Now handstrength.AtTable
	// Value is Now.Mean: the mean of what the own team scores above the other. Error is the standard error of the difference from
	// Pass.Value. If passing is not legal, it is the standard error of Value.
	Value, Error float64
}

// Pass is what passing is worth.
type Pass struct {
	Value, Error float64 // the mean of what the own team scores above the other, and its standard error
	// WinProbability is that the own team scores more than the other: it declares and makes it, or the other team is nat.
	WinProbability float64
	// How often each declares in the end, 0 to 1: the seat itself, the partner, the other team.
	Own, Partner, Others float64
}

// Advice is the answer.
type Advice struct {
	Call      bidding.Call
	Forced    bool    // passing is not legal
	Trumps    []Trump // by Value in tenths of a point, the best first; equal ones in the order of the deck
	Pass      Pass    // unless Forced
	Worlds    int     // sampled
	Effective float64 // the effective sample size
}

// Advisor answers questions. It is safe for concurrent use.
type Advisor struct {
	Policy    Policy
	Distilled handstrength.Distilled
	Predictor Predictor
}

// Covers reports whether it can answer for the rules.
func (v *Advisor) Covers(rules klaverjas.Rules) bool {
	return v.Predictor != nil && v.Policy.Covers(rules)
}

// The streams of a question.
const (
	dealStream   = iota // of the other players' cards
	turnedStream        // of the suits that are turned
)

// stream returns a generator of a question.
func stream(seed, number uint64) *rand.Rand {
	return random.New(seed, 0, 'b', number) // so that no stream is the stream of a random deal or of handstrength
}

// sample is a deal of the other players' cards.
type sample struct {
	hands  [4]piquet.Set
	weight float64
	by     piquet.Seat // who declares if the seat passes
	value  float64     // of that, for the own team
}

// Advise answers a question. The same question has the same answer. Its error is the error of the context, or of a question that is not
// one.
func (v *Advisor) Advise(ctx context.Context, q Question) (Advice, error) {
	legal := q.Auction.Legal()
	if len(legal) == 0 || q.Hand.Len() != klaverjas.HandSize || !v.Covers(q.Rules) {
		return Advice{}, errors.New("bidadvice: no call is to be made, or the rules are not covered")
	}
	out := Advice{Forced: q.Auction.Forced()}
	samples, effective, err := v.sample(ctx, &q)
	if err != nil {
		return out, err
	}
	out.Worlds, out.Effective = len(samples), effective
	if len(q.Trumps) > 0 {
		legal = q.Trumps
	}
	for _, call := range legal {
		if !call.Declare {
			continue
		}
		t, err := v.declare(&q, samples, call.Trump)
		if err != nil {
			return out, err
		}
		out.Trumps = append(out.Trumps, t)
	}
	slices.SortStableFunc(out.Trumps, func(a, b Trump) int { return cmp.Compare(shown(b.Value), shown(a.Value)) })
	best := &out.Trumps[0]
	out.Call = bidding.Call{Declare: true, Trump: best.Trump}
	if out.Forced || len(q.Trumps) > 0 {
		return out, nil
	}
	if err := v.pass(ctx, &q, samples, &out); err != nil {
		return out, err
	}
	if shown(out.Pass.Value) > shown(best.Value) {
		out.Call = bidding.Pass
	}
	return out, nil
}

// shown returns a value in tenths of a point, as answers show it. Calls are compared by it, so that the advised call follows from the
// answer; what is less than a tenth is noise. Among equal values a trump comes before a pass, and trumps are in the order of the deck.
func shown(value float64) float64 { return math.Round(value*10) / 10 }

// sample draws deals until their effective number is large enough, and weighs each by the calls of the other seats.
func (v *Advisor) sample(ctx context.Context, q *Question) (all []sample, effective float64, err error) {
	rng := stream(q.Seed, dealStream)
	seat := q.Auction.Turn()
	unseen := (piquet.Deck &^ q.Hand).Slice()
	evidence, err := NewEvidence(&v.Policy, q.Rules, q.Auction, seat)
	if err != nil {
		return nil, 0, err
	}
	var sum, squares float64
	for len(all) < Worlds || effective < Worlds && len(all) < mostWorlds {
		pause.Point()
		if len(all)%64 == 0 && ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		for i := range unseen { // Fisher and Yates
			j := i + below(rng, len(unseen)-i)
			unseen[i], unseen[j] = unseen[j], unseen[i]
		}
		var s sample
		s.hands[seat] = q.Hand
		for n := range 3 {
			s.hands[seat.Plus(n+1)] = piquet.SetOf(unseen[n*klaverjas.HandSize : (n+1)*klaverjas.HandSize]...)
		}
		s.weight = evidence.Likelihood(&s.hands)
		all = append(all, s)
		sum += s.weight
		squares += s.weight * s.weight
		effective = sum * sum / squares
	}
	for i := range all {
		all[i].weight /= sum
	}
	return all, effective, nil
}

// Before returns the auction before each of its calls.
func Before(a bidding.Auction) ([]bidding.Auction, error) {
	setting := a.Setting()
	turned := setting.Turned
	if len(turned) > 0 {
		setting.Turned = turned[:1]
	}
	now, err := bidding.Start(setting)
	var all []bidding.Auction
	for _, call := range a.Calls() {
		if err == nil && now.NeedsSuit() {
			now, err = now.TurnUp(turned[len(now.Setting().Turned)])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, now)
		now, err = now.Call(call)
	}
	return all, err
}

// below draws a number 0 to n-1. It uses only Uint64, so that a seed gives the same numbers with every version of Go.
func below(rng *rand.Rand, n int) int { return int((rng.Uint64() >> 32) * uint64(n) >> 32) }

// atTable predicts how deals end at the table.
func (v *Advisor) atTable(rules klaverjas.Rules, deals []klaverjas.Deal) ([]handstrength.AtTable, error) {
	predictions, covered := make([]deal.Prediction, len(deals)), make([]bool, len(deals))
	v.Predictor.PredictBatch(rules, deals, predictions, covered)
	out := make([]handstrength.AtTable, len(deals))
	maps := handstrength.TableModel(rules)
	for i := range deals {
		if !covered[i] {
			return nil, errors.New("bidadvice: the network does not cover the rules")
		}
		out[i] = maps.MapOfDeal(&deals[i]).At(handstrength.NumbersOfDeal(predictions[i]))
	}
	return out, nil
}

// question returns the question how strong a hand is for its own team with a trump.
func question(rules klaverjas.Rules, a bidding.Auction, seat piquet.Seat, hand piquet.Set, trump piquet.Suit) handstrength.Question {
	return handstrength.Question{
		Rules: rules, Hand: hand, Seat: seat, Leader: a.Leader(), Declarer: seat.Team(), Trump: trump, Method: handstrength.HandModel,
	}
}

// declare estimates what a trump is worth. The estimate without the calls comes from the table model of hands. What the calls change is
// estimated from the samples: the difference between their weighted and their plain mean. Without calls it is 0.
func (v *Advisor) declare(q *Question, samples []sample, trump piquet.Suit) (Trump, error) {
	seat := q.Auction.Turn()
	one := question(q.Rules, q.Auction, seat, q.Hand, trump)
	open, ok := v.Distilled.Strength(one)
	if !ok {
		return Trump{}, errors.New("bidadvice: the hand model does not cover the rules")
	}
	open.Trump, open.Method, open.Points = trump, handstrength.HandModel, handstrength.Points(q.Hand, trump)
	t := Trump{Trump: trump, Open: open, Table: handstrength.TableModel(q.Rules).MapOf(&one).At(handstrength.NumbersOf(&open))}
	t.Now = t.Table
	if len(q.Auction.Calls()) == 0 {
		t.Value = t.Now.Mean
		return t, nil
	}
	deals := make([]klaverjas.Deal, len(samples))
	for i := range samples {
		deals[i] = klaverjas.Deal{Trump: trump, Leader: q.Auction.Leader(), Declarer: seat.Team(), Hands: samples[i].hands}
	}
	ends, err := v.atTable(q.Rules, deals)
	if err != nil {
		return t, err
	}
	var plain, weighted handstrength.AtTable
	n := float64(len(samples))
	for i, end := range ends {
		add(&plain, end, 1/n)
		add(&weighted, end, samples[i].weight)
	}
	t.Now.WinProbability = shifted(t.Table.WinProbability, plain.WinProbability, weighted.WinProbability)
	t.Now.Pit = min(shifted(t.Table.Pit, plain.Pit, weighted.Pit), t.Now.WinProbability)
	t.Now.Mean += weighted.Mean - plain.Mean
	for i, end := range ends {
		d := (samples[i].weight - 1/n) * (end.Mean - weighted.Mean)
		t.Error += d * d
	}
	t.Error = math.Sqrt(t.Error)
	t.Value = t.Now.Mean
	return t, nil
}

func add(sum *handstrength.AtTable, a handstrength.AtTable, weight float64) {
	sum.WinProbability += weight * a.WinProbability
	sum.Mean += weight * a.Mean
	sum.Pit += weight * a.Pit
}

// shifted returns a probability whose log odds exceed the log odds of p by as much as the log odds of to exceed the log odds of from.
func shifted(p, from, to float64) float64 {
	odds := func(p float64) float64 {
		p = min(max(p, 1e-6), 1-1e-6)
		return math.Log(p / (1 - p))
	}
	return 1 / (1 + math.Exp(-(odds(p) + odds(to) - odds(from))))
}

// pass estimates what passing is worth: in each sample all seats bid on by the policy, and the table model says how the deal ends.
func (v *Advisor) pass(ctx context.Context, q *Question, samples []sample, out *Advice) error {
	passed, err := q.Auction.Call(bidding.Pass)
	if err != nil {
		return err
	}
	rng := stream(q.Seed, turnedStream)
	seat := q.Auction.Turn()
	deals := make([]klaverjas.Deal, len(samples))
	for i := range samples {
		s := &samples[i]
		pause.Point()
		if i%64 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		end, err := v.Policy.Finish(q.Rules, passed, &s.hands, func(n int) int { return below(rng, n) })
		if err != nil {
			return err
		}
		var trump piquet.Suit
		s.by, trump = end.Result()
		deals[i] = klaverjas.Deal{Trump: trump, Leader: q.Auction.Leader(), Declarer: s.by.Team(), Hands: s.hands}
		switch {
		case s.by == seat:
			out.Pass.Own += s.weight
		case s.by == seat.Partner():
			out.Pass.Partner += s.weight
		default:
			out.Pass.Others += s.weight
		}
	}
	ends, err := v.atTable(q.Rules, deals)
	if err != nil {
		return err
	}
	for i, end := range ends {
		s := &samples[i]
		win := end.WinProbability
		if s.value = end.Mean; s.by.Team() != seat.Team() {
			s.value, win = -end.Mean, 1-win
		}
		out.Pass.Value += s.weight * s.value
		out.Pass.WinProbability += s.weight * win
	}
	for i := range samples {
		d := samples[i].weight * (samples[i].value - out.Pass.Value)
		out.Pass.Error += d * d
	}
	out.Pass.Error = math.Sqrt(out.Pass.Error)
	return nil
}
