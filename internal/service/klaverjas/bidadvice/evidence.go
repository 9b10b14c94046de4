package bidadvice

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
)

// The weights of a deal for each call that the policy would not have made in it. They are not 0, because players may bid otherwise. The
// policy is taken to make 19 of 20 calls. The others are a pass more often than a certain trump, whatever the hand.
const (
	passDoubt    = 0.05
	declareDoubt = 0.01
)

// Evidence is what the calls of an auction say about the hands of the other seats. It is immutable.
type Evidence struct {
	policy *Policy
	rules  klaverjas.Rules
	before []bidding.Auction
	calls  []bidding.Call
	seat   piquet.Seat
}

// NewEvidence returns the evidence of an auction for a seat, which learns nothing from its own calls. The error is the error of an auction
// that is not one.
func NewEvidence(p *Policy, rules klaverjas.Rules, a bidding.Auction, seat piquet.Seat) (*Evidence, error) {
	before, err := Before(a)
	return &Evidence{p, rules, before, a.Calls(), seat}, err
}

// Likelihood returns how likely the calls are if these are the hands, up to a factor: 1/20 for each pass that the policy would not have
// made, and 1/100 for each declaration.
func (e *Evidence) Likelihood(hands *[4]piquet.Set) float64 {
	weight := 1.0
	for i, a := range e.before {
		if who := a.Turn(); who != e.seat && e.policy.Call(e.rules, a, hands[who]) != e.calls[i] {
			if e.calls[i].Declare {
				weight *= declareDoubt
			} else {
				weight *= passDoubt
			}
		}
	}
	return weight
}
