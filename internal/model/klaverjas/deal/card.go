package deal

import (
	_ "embed" // for the card

	"roem/internal/engine/klaverjas"
	"roem/internal/once"
)

// Card is the model card: the weights of the model, their training data, and their accuracy on held-out deals. `roem-lab klaverjas eval`
// measures it.
type Card struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Weights []CardWeights `json:"weights"`
	Sets    []SetReport   `json:"sets"`
	// Baselines and LearningCurve are measured on the first set of each sampling in Sets. LearningCurve is the same network after less
	// training.
	Baselines     []Baseline `json:"baselines,omitempty"`
	LearningCurve []Point    `json:"learning_curve,omitempty"`
}

// CardWeights describes a file of weights.
type CardWeights struct {
	Header
	SHA256     string `json:"sha256"`
	Bytes      int    `json:"bytes"`
	Parameters int    `json:"parameters"`
}

// Measured is a figure with its 95 % confidence interval, by bootstrap.
type Measured struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// SetReport holds the measurements on one held-out set.
type SetReport struct {
	Sampling       string `json:"sampling"`
	Seed           string `json:"seed"`
	LeaderDeclares bool   `json:"leader_declares"`
	Rows           int    `json:"rows"`
	// Rules are nil in cards of before there were weights for two rule sets ([RulesOr]).
	Rules *klaverjas.RulesJSON `json:"rules,omitempty"`

	ShareWon float64  `json:"share_won"` // by the declarers
	Accuracy Measured `json:"accuracy"`
	LogLoss  Measured `json:"log_loss"` // natural logarithm
	Brier    Measured `json:"brier"`
	ECE      Measured `json:"ece"` // expected calibration error: 20 equal bins of the win probability

	ByConfidence []ConfidenceBin `json:"by_confidence"`
	ByEffort     []EffortBin     `json:"by_effort"`

	Hardness Hardness        `json:"hardness"`
	Outcome  *OutcomeMeasure `json:"outcome,omitempty"` // nil if the set has no outcomes
}

// ConfidenceBin covers the rows with a confidence of at least From and less than To.
type ConfidenceBin struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Share    float64 `json:"share"`    // of all rows
	Expected float64 `json:"expected"` // the mean confidence
	Accuracy float64 `json:"accuracy"`
}

// EffortBin covers the rows whose search took at least From nodes and fewer than To nodes. To is 0 if there is no upper limit.
type EffortBin struct {
	From     uint64  `json:"from"`
	To       uint64  `json:"to"`
	Share    float64 `json:"share"` // of all rows
	Accuracy float64 `json:"accuracy"`
}

// Hardness holds the measurements of the predicted effort.
type Hardness struct {
	// RankCorrelation is Spearman's correlation of the expected and the actual nodes.
	RankCorrelation Measured `json:"rank_correlation"`
	// RankCorrelationFromClass is the same with the mean of the model's predictions over deals of the class as the expected nodes:
	// a prediction from the suit distribution alone.
	RankCorrelationFromClass float64 `json:"rank_correlation_from_class"`
	// Coverage is the share of rows that took no more nodes than their predicted 90 % quantile.
	Coverage Measured `json:"coverage_90"`
	RMSE     float64  `json:"rmse_log10"`
}

// OutcomeMeasure holds the measurements of the predicted outcome, in points.
type OutcomeMeasure struct {
	MeanAbsoluteError float64 `json:"mean_absolute_error"`
	RMSE              float64 `json:"rmse"`
}

// Baseline holds the accuracy of a baseline on the same sets.
type Baseline struct {
	Name         string  `json:"name"`
	Rows         int     `json:"rows"`                    // rows of its training data
	ClassUniform float64 `json:"class_uniform,omitempty"` // accuracy; 0 if it was not measured
	Uniform      float64 `json:"uniform,omitempty"`
}

// Point holds the accuracy of the network after part of the training.
type Point struct {
	Rows         int     `json:"rows"`     // different rows of its training data
	Examples     int64   `json:"examples"` // rows used in training, including repetitions
	ClassUniform float64 `json:"class_uniform"`
	Uniform      float64 `json:"uniform"`
}

//go:embed weights/card.json
var card []byte

// DefaultCard returns the card of [Default].
func DefaultCard() *Card { return cardRead.Read("card.json", card) }

var cardRead once.JSON[*Card]
