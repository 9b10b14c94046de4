package model

import (
	_ "embed" // for the card
	"encoding/json"
	"fmt"
	"sync"
)

// Card is the model card: what the model is, what it was made of, and how good it is on deals that it has not seen. `roem
// eval` measures it.
type Card struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Weights []CardWeights `json:"weights"`
	Sets    []SetReport   `json:"sets"`
	// Ladder are other models, and Curve the same network after less training, all on the first set of each sampling in Sets.
	Ladder []Rung  `json:"ladder,omitempty"`
	Curve  []Point `json:"curve,omitempty"`
}

// CardWeights are a file of weights.
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

// SetReport says how good the model is on one held-out set.
type SetReport struct {
	Sampling       string `json:"sampling"`
	Seed           string `json:"seed"`
	LeaderDeclares bool   `json:"leader_declares"`
	Rows           int    `json:"rows"`

	ShareWon float64  `json:"share_won"` // by the declarers
	Accuracy Measured `json:"accuracy"`
	LogLoss  Measured `json:"log_loss"` // in nats
	Brier    Measured `json:"brier"`
	ECE      Measured `json:"ece"` // expected calibration error: 20 equal bins of the win probability

	ByConfidence []ConfidenceBin `json:"by_confidence"`
	ByEffort     []EffortBin     `json:"by_effort"`

	Hardness Hardness        `json:"hardness"`
	Outcome  *OutcomeMeasure `json:"outcome,omitempty"` // where outcomes are known
}

// ConfidenceBin are the rows with a confidence of at least From (and less than To).
type ConfidenceBin struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Share    float64 `json:"share"`    // of all rows
	Expected float64 `json:"expected"` // the mean confidence
	Accuracy float64 `json:"accuracy"`
}

// EffortBin are the rows whose search took at least From nodes (and fewer than To, unless that is 0).
type EffortBin struct {
	From     uint64  `json:"from"`
	To       uint64  `json:"to"`
	Share    float64 `json:"share"` // of all rows
	Accuracy float64 `json:"accuracy"`
}

// Hardness says how well the effort of the search is foretold.
type Hardness struct {
	// RankCorrelation is Spearman's, of the expected and the real nodes.
	RankCorrelation Measured `json:"rank_correlation"`
	// RankCorrelationFromClass is the same when the suit distribution alone is known: the model's mean over deals of the
	// class.
	RankCorrelationFromClass float64 `json:"rank_correlation_from_class"`
	// Coverage is the share of rows that took no more nodes than the 90 % quantile.
	Coverage Measured `json:"coverage_90"`
	RMSE     float64  `json:"rmse_log10"`
}

// OutcomeMeasure says how well the outcome is foretold, in points.
type OutcomeMeasure struct {
	MeanAbsoluteError float64 `json:"mean_absolute_error"`
	RMSE              float64 `json:"rmse"`
}

// Rung is another model on the same sets.
type Rung struct {
	Name         string  `json:"name"`
	Rows         int     `json:"rows"`                    // it was trained on
	ClassUniform float64 `json:"class_uniform,omitempty"` // accuracy; 0 if it was not measured
	Uniform      float64 `json:"uniform,omitempty"`
}

// Point is the network after some training.
type Point struct {
	Rows         int     `json:"rows"`     // different ones that it was trained on
	Examples     int64   `json:"examples"` // that it looked at, repetitions included
	ClassUniform float64 `json:"class_uniform"`
	Uniform      float64 `json:"uniform"`
}

//go:embed weights/card.json
var card []byte

// DefaultCard returns the card of [Default].
var DefaultCard = sync.OnceValues(func() (*Card, error) {
	c := new(Card)
	if err := json.Unmarshal(card, c); err != nil {
		return nil, fmt.Errorf("the model card that comes with the program: %w", err)
	}
	return c, nil
})
