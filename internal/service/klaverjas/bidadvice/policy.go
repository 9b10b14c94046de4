// Package bidadvice decides what to call in the bidding, by what hands are worth at the table.
//
// A [Policy] is a fixed rule: declare with the best trump if it is worth at least a threshold, which depends on the flow and on how many
// have passed. Matches bid with it. [Advise] simulates instead what follows a pass, over sampled hands of the other players, who bid by
// the policy, and weighs the hands by whether the policy would have made their calls.
package bidadvice

import (
	"crypto/sha256"
	_ "embed" // for the thresholds
	"encoding/hex"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
	"roem/internal/once"
)

// Thresholds are the least worth, in points, with which the policy declares, by the number of calls before.
type Thresholds []float64

// AllThresholds are by system and flow. A flow in which another suit is turned has its own, with the name turned_again.
type AllThresholds map[string]map[string]Thresholds

//go:embed thresholds.json
var thresholdsFile []byte

// SHA256 returns the checksum of the policy that is part of the program, in hexadecimal.
func SHA256() string {
	sum := sha256.New()
	sum.Write(thresholdsFile)
	sum.Write(worthsFile)
	return hex.EncodeToString(sum.Sum(nil))
}

func readThresholds() AllThresholds { return thresholdsRead.Read("thresholds.json", thresholdsFile) }

var thresholdsRead once.JSON[AllThresholds]

// FlowName returns the name of a flow among the thresholds.
func FlowName(s bidding.Setting) string {
	if s.Flow == bidding.Turned && s.Again {
		return "turned_again"
	}
	return s.Flow.String()
}

// Policy bids by thresholds. It is safe for concurrent use. The zero Policy has those that are embedded.
type Policy struct {
	Thresholds AllThresholds      // nil for those that are embedded
	Worths     map[string]*Worths // by system; nil for those that are embedded
}

// worths returns the worths for some rules, or nil.
func (p *Policy) worths(rules *klaverjas.Rules) *Worths {
	if *rules != klaverjas.DefaultRules(rules.System) {
		return nil
	}
	if p.Worths != nil {
		return p.Worths[rules.System.String()]
	}
	return readWorths()[rules.System.String()]
}

// Covers reports whether it can bid under the rules: the default rules of a system.
func (p *Policy) Covers(rules klaverjas.Rules) bool { return p.worths(&rules) != nil }

// Best returns the trump of the legal calls that is worth most, and its worth in points, if nothing is known of the other hands. It returns
// false if no trump may be called.
func (p *Policy) Best(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) (best piquet.Suit, worth float64, ok bool) {
	w := p.worths(&rules)
	if w == nil {
		return 0, 0, false
	}
	at := &w[a.Leader().Minus(a.Turn())]
	for _, suit := range piquet.Suits() {
		if !a.May(suit) {
			continue
		}
		if x := at.Of(hand, suit); !ok || x > worth {
			best, worth, ok = suit, x, true
		}
	}
	return best, worth, ok
}

// Call returns what the policy calls with a hand at the seat whose turn it is.
func (p *Policy) Call(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call {
	trump, worth, ok := p.Best(rules, a, hand)
	if ok && (a.Forced() || worth >= p.threshold(rules, a)) {
		return bidding.Call{Declare: true, Trump: trump}
	}
	return bidding.Pass
}

func (p *Policy) threshold(rules klaverjas.Rules, a bidding.Auction) float64 {
	all := p.Thresholds
	if all == nil {
		all = readThresholds()
	}
	flow := all[rules.System.String()][FlowName(a.Setting())]
	if len(flow) == 0 {
		return 0
	}
	return flow[min(len(a.Calls()), len(flow)-1)]
}

// Finish lets all seats bid by the policy until the end. turn draws a suit among n that have not been turned.
func (p *Policy) Finish(rules klaverjas.Rules, a bidding.Auction, hands *[4]piquet.Set, turn func(n int) int) (bidding.Auction, error) {
	for !a.Done() {
		var err error
		if a.NeedsSuit() {
			a, err = TurnRandom(a, turn)
		} else {
			a, err = a.Call(p.Call(rules, a, hands[a.Turn()]))
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

// TurnRandom turns one of the suits that have not been turned. turn draws one among n.
func TurnRandom(a bidding.Auction, turn func(n int) int) (bidding.Auction, error) {
	var left []piquet.Suit
	seen := [4]bool{}
	for _, suit := range a.Setting().Turned {
		seen[suit] = true
	}
	for _, suit := range piquet.Suits() {
		if !seen[suit] {
			left = append(left, suit)
		}
	}
	return a.TurnUp(left[turn(len(left))])
}
