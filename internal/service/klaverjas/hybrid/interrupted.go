package hybrid

import (
	_ "embed"
	"math"

	"roem/internal/once"
)

// Interrupted is the progress of an interrupted search: for each choice on its current line, how many of the cards it had finished. The
// search tries the most promising cards first. So if it has tried six of a declarer's eight cards without finding a win, the other
// two rarely win. The same holds for a defender who looks for a card that beats the declarers.
type Interrupted struct {
	Plies [Plies]Ply // the first is the choice of the leader, who has one in every deal
	Cards uint64     // cards that the search played
}

// Plies is the number of cards of the line that Interrupted covers: two tricks.
const Plies = 8

// Ply is a choice on the line.
type Ply struct {
	Cards, Done int  // legal cards, and how many of them the search had finished; 0 if there was no choice
	Declarers   bool // whether a declarer chooses
}

// Features are the features of an interrupted search: the model's prediction and the progress of the search, as numbers near 0. In order:
// the log odds of the model, log10 of the expected cards less 4, their product, log10 of the cards played less 4, its product with the log
// odds, log2 of 1 + the finished cards at the first ply, and the share of finished cards at each ply. The last two are negative where a
// declarer chooses.
type Features [6 + Plies]float64

// Features returns the features.
func (e *Interrupted) Features(p Prediction) Features {
	odds := logit(p.WinProbability)
	effort, spent := p.Effort.Log10-4, math.Log10(float64(e.Cards)+1)-4
	s := Features{odds, effort, odds * effort, spent, odds * spent}
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

// logit returns the log odds of a probability, which is limited to exclude 0 and 1.
func logit(p float64) float64 {
	const least = 1e-5
	p = math.Min(math.Max(p, least), 1-least)
	return math.Log(p / (1 - p))
}

// Regression holds the weights of the Features, a logistic regression fitted to interrupted searches (roem-lab klaverjas interrupted).
type Regression struct {
	Bias    float64  `json:"bias"`
	Weights Features `json:"weights"`
	Rows    int      `json:"rows"`  // number of searches that it is fitted to
	Model   string   `json:"model"` // the SHA-256 of the weights of the model whose predictions it uses
}

// Regressions holds the regression for deals in which the leader's side declares, and for the others.
type Regressions struct {
	Leaders Regression `json:"leaders"`
	Others  Regression `json:"others"`
}

//go:embed interrupted.json
var regressionsFile []byte

// DefaultRegressions returns the embedded regressions. It panics if they are invalid, since they are part of the program.
func DefaultRegressions() *Regressions {
	return regressionsRead.Read("interrupted.json", regressionsFile)
}

var regressionsRead once.JSON[*Regressions]

// Probability returns the probability that the declarers win, given the model's prediction and the progress of an interrupted search.
func (s *Regressions) Probability(p Prediction, e *Interrupted) float64 {
	regression := &s.Others
	if e.Plies[0].Declarers {
		regression = &s.Leaders
	}
	sum := regression.Bias
	for i, feature := range e.Features(p) {
		sum += regression.Weights[i] * feature
	}
	return 1 / (1 + math.Exp(-sum))
}
