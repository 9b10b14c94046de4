package handstrength

import (
	_ "embed" // for the coefficients
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/once"
)

// The table model says how a hand ends between players who see only their own cards. Its inputs are numbers about the same hand with all
// cards open: the probabilities of an estimate, or the network's prediction of a deal. Its few coefficients are fitted to played games by
// `roem-lab klaverjas table-fit` and embedded.

// AtTable is how hands end at the table, from the declarers' side.
type AtTable struct {
	WinProbability float64 // that the declarers win
	Mean           float64 // of the outcome, in points
	Pit            float64 // the probability that the declarers win all tricks
}

// The number of features of each coefficient vector.
const (
	WinFeatures  = 6
	MeanFeatures = 5
	PitFeatures  = 3
)

// TableMap are the coefficients for one kind of question. The features are functions of the numbers z, m and y: z is the log odds that the
// declarers win, m their mean outcome in hundreds of points, and y the log odds of a pit, or m for a deal. p is the result of Win.
type TableMap struct {
	Win  [WinFeatures]float64  `json:"win"`  // of 1, z, z^2/10, m: the log odds
	Mean [MeanFeatures]float64 `json:"mean"` // of 1, z, m, p, pm: in hundreds of points
	Pit  [PitFeatures]float64  `json:"pit"`  // of 1, y, z: the log odds
}

// TableMaps are the maps of a system of rules.
type TableMaps struct {
	// Hand is by whether the other team declares (1) and by where the leader sits, counted from the seat of the hand.
	Hand [2][4]TableMap `json:"hand"`
	// Deal is by whether the leader's side does not declare.
	Deal [2]TableMap `json:"deal"`
}

// OpenNumbers are what a TableMap maps.
type OpenNumbers struct{ Z, M, Y float64 }

// Log odds beyond these limits are cut off. An estimate can be 0 or 1.
const (
	mostOdds    = 6.0
	mostPitOdds = 8.0
)

func logOdds(p, most float64) float64 {
	if p <= 0 {
		return -most
	}
	if p >= 1 {
		return most
	}
	return min(max(math.Log(p/(1-p)), -most), most)
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// NumbersOf returns the numbers of an estimate.
func NumbersOf(s *Strength) OpenNumbers {
	return OpenNumbers{logOdds(s.WinProbability, mostOdds), s.Mean / 100, logOdds(s.Pit, mostPitOdds)}
}

// NumbersOfDeal returns the numbers of a prediction.
func NumbersOfDeal(p deal.Prediction) OpenNumbers {
	return OpenNumbers{logOdds(p.WinProbability, mostOdds), p.Outcome / 100, p.Outcome / 100}
}

// WinVector returns the features of Win.
func (n OpenNumbers) WinVector() [WinFeatures]float64 {
	return [...]float64{1, n.Z, sigmoid(n.Z), n.M, n.M * n.M, n.M * n.M * n.M}
}

// MeanVector returns the features of Mean for a probability p that the declarers win at the table.
func (n OpenNumbers) MeanVector(p float64) [MeanFeatures]float64 {
	return [...]float64{1, n.Z, n.M, p, p * n.M}
}

// PitVector returns the features of Pit.
func (n OpenNumbers) PitVector() [PitFeatures]float64 { return [...]float64{1, n.Y, n.Z} }

// At maps the numbers.
func (t *TableMap) At(n OpenNumbers) (a AtTable) {
	win, pit := 0.0, 0.0
	for i, x := range n.WinVector() {
		win += t.Win[i] * x
	}
	a.WinProbability = sigmoid(win)
	for i, x := range n.MeanVector(a.WinProbability) {
		a.Mean += 100 * t.Mean[i] * x
	}
	for i, x := range n.PitVector() {
		pit += t.Pit[i] * x
	}
	a.Pit = min(sigmoid(pit), a.WinProbability)
	return a
}

//go:embed table.json
var tableFile []byte

func readTables() map[string]*TableMaps { return tablesRead.Read("table.json", tableFile) }

var tablesRead once.JSON[map[string]*TableMaps]

// TableModel returns the maps for some rules, or nil: games were played under the default rules of each system alone.
func TableModel(rules klaverjas.Rules) *TableMaps {
	if rules != klaverjas.DefaultRules(rules.System) {
		return nil
	}
	return readTables()[rules.System.String()]
}

// MapOf returns the map for the seat, the leader and the declarers of a question.
func (t *TableMaps) MapOf(q *Question) *TableMap {
	return &t.Hand[(q.Declarer^q.Seat.Team())&1][q.Leader.Minus(q.Seat)&3]
}

// MapOfDeal returns the map for the leader and the declarers of a deal.
func (t *TableMaps) MapOfDeal(d *klaverjas.Deal) *TableMap {
	return &t.Deal[(d.Declarer^d.Leader.Team())&1]
}
