package hybrid

import (
	_ "embed"
	"encoding/json"
	"math"
	"sync"
)

// Evidence is what a search that was stopped has found out about a deal: how far it had come with each choice on the line at which
// it stood. A declarer who has found no card that wins among six of eight will hardly find one, and a defender who has
// found none that beats the declarers' best hardly either: the search tries the likely cards first.
type Evidence struct {
	Plies [Plies]Ply // the first is the choice of the leader, who has one in every deal
	Cards uint64     // that were played
}

// Plies is how many cards of the line evidence is about: two tricks.
const Plies = 8

// Ply is a choice on the line.
type Ply struct {
	Cards, Done int  // that can be played, and those of them that the search had done with; 0 where there was no choice
	Declarers   bool // have it
}

// Signs are what Weigh adds up: the model's opinion and the evidence, as numbers near 0.
type Signs [6 + Plies]float64

// SignNames says what each of Signs is.
func SignNames() [len(Signs{})]string {
	return [...]string{
		"log odds of the model", "log10 of the expected cards - 4", "their product", "log10 of the cards played - 4", "its product with the log odds",
		"log2 of 1 + cards done with at the first ply, negative for the declarers'",
		"ply 1: share done with, negative for the declarers'", "ply 2", "ply 3", "ply 4", "ply 5", "ply 6", "ply 7", "ply 8",
	}
}

// Signs returns what is weighed.
func (e *Evidence) Signs(p Prediction) Signs {
	odds := logit(p.WinProbability)
	effort, spent := p.Effort.Log10-4, math.Log10(float64(e.Cards)+1)-4
	s := Signs{odds, effort, odds * effort, spent, odds * spent}
	for i, ply := range e.Plies {
		if ply.Cards == 0 {
			continue
		}
		against := 1.0
		if ply.Declarers {
			against = -1
		}
		s[6+i] = against * float64(ply.Done) / float64(ply.Cards)
		if i == 0 {
			s[5] = against * math.Log2(1+float64(ply.Done))
		}
	}
	return s
}

// logit returns the logarithm of odds, of a probability that is kept away from certainty.
func logit(p float64) float64 {
	const least = 1e-5
	p = math.Min(math.Max(p, least), 1-least)
	return math.Log(p / (1 - p))
}

// Scale is what Signs weigh, fitted to searches that were stopped (roem-lab evidence).
type Scale struct {
	Bias    float64 `json:"bias"`
	Weights Signs   `json:"weights"`
	Rows    int     `json:"rows"`  // searches that it was fitted to
	Model   string  `json:"model"` // the SHA-256 of the weights of the model whose opinion it weighs
}

// Scales are those for deals that the leader's side declares, and for others.
type Scales struct {
	Leaders Scale `json:"leaders"`
	Others  Scale `json:"others"`
}

//go:embed evidence.json
var evidenceFile []byte

// DefaultScales returns the scales that come with the program. It panics if they cannot be read: they are part of it.
var DefaultScales = sync.OnceValue(func() *Scales {
	s := new(Scales)
	if err := json.Unmarshal(evidenceFile, s); err != nil {
		panic("hybrid: evidence.json: " + err.Error())
	}
	return s
})

// Weigh returns the probability that the declarers win, given what the model thinks and what the search has found out before it was
// stopped.
func (s *Scales) Weigh(p Prediction, e *Evidence) float64 {
	scale := &s.Others
	if e.Plies[0].Declarers {
		scale = &s.Leaders
	}
	sum := scale.Bias
	for i, sign := range e.Signs(p) {
		sum += scale.Weights[i] * sign
	}
	return 1 / (1 + math.Exp(-sum))
}
