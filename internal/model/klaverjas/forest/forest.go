// Package forest predicts who wins deals with the models of the paper (section 6): a random forest and a single decision tree, on the
// features of package features. They are files of package trees, which a configuration names; none comes with the program.
package forest

import (
	"bytes"
	"encoding/json"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/nn/weightfile"
	"roem/internal/model/trees"
)

// Inputs names the columns of the files: the codes of [features.Extract] for the canonical form of a deal ([index.Canonical]). The number
// changes with them.
const Inputs = "klaverjas features 1"

// Kind is a kind of model.
type Kind string

// The kinds.
const (
	Forest Kind = "forest"
	Tree   Kind = "tree"
)

// About is what a file says of its model: trees.Shape.Training.
type About struct {
	Kind           Kind                `json:"kind"`
	Name           string              `json:"name"`
	Version        string              `json:"version"`
	Rules          klaverjas.RulesJSON `json:"rules"`
	LeaderDeclares bool                `json:"leader_declares"` // the side of the first leader, or the other
	Solver         string              `json:"solver"`          // the version of the search that labelled the deals
	Seed           string              `json:"seed"`            // of the trees
	Calibration    Calibration         `json:"calibration"`
	Data           []deal.Data         `json:"data"`
	HeldOut        []deal.Data         `json:"held_out"` // whose deals were not trained on
	Measured       []Measured          `json:"measured"` // on the sets that were held out
}

// Calibration corrects the share of the trees that say won. It is fitted on rows that are not in the training data.
type Calibration struct {
	Scale float64 `json:"scale"` // the logit of the probability is scale x logit of the share + shift
	Shift float64 `json:"shift"`
	Rows  int     `json:"rows"` // number of rows that it is fitted on
}

// Measured is the accuracy of a model on a set: of this one, or of the network, for which Network is set.
type Measured struct {
	Network      bool                 `json:"network,omitempty"`
	Sampling     string               `json:"sampling"`
	Seed         string               `json:"seed"`
	Rows         int                  `json:"rows"`
	ShareWon     float64              `json:"share_won"`
	Accuracy     deal.Measured        `json:"accuracy"`
	LogLoss      deal.Measured        `json:"log_loss"`
	Brier        deal.Measured        `json:"brier"`
	ECE          deal.Measured        `json:"ece"`
	ByConfidence []deal.ConfidenceBin `json:"by_confidence"`
}

// Model predicts deals under the rules and for the declaring side that it is trained for. It is safe for concurrent use.
type Model struct {
	About
	Bytes  int    // of its file
	SHA256 string // of its file, in hexadecimal

	trees *trees.Forest
	rules klaverjas.Rules
}

// New makes a model of trees, from what they say of themselves. The error is a *[weightfile.Error].
func New(t *trees.Forest) (*Model, error) {
	m := &Model{trees: t}
	s := t.Shape()
	if s.Columns != features.Columns || s.Outputs != 1 {
		return nil, weightfile.Wrong("it has %d columns and %d outputs, expected %d and 1", s.Columns, s.Outputs, features.Columns)
	}
	dec := json.NewDecoder(bytes.NewReader(s.Training))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m.About); err != nil {
		return nil, weightfile.Wrong("what it says of its training: %v", err)
	}
	if err := m.validate(); err != nil {
		return nil, err
	}
	m.rules = klaverjas.Rules(m.About.Rules)
	return m, nil
}

// Load reads the file of a model of a kind. The error is a *[weightfile.Error].
func Load(file []byte, kind Kind) (*Model, error) {
	t, err := trees.Decode(file, Inputs)
	if err != nil {
		return nil, err
	}
	m, err := New(t)
	if err != nil {
		return nil, err
	}
	if m.Kind != kind {
		return nil, weightfile.Wrong("it is a %s, expected a %s", m.Kind, kind)
	}
	m.Bytes, m.SHA256 = len(file), weightfile.Checksum(file)
	return m, nil
}

func (a *About) validate() error {
	if a.Kind != Forest && a.Kind != Tree {
		return weightfile.Wrong("its kind is %.40q, expected %s or %s", a.Kind, Forest, Tree)
	}
	if a.Name == "" || a.Version == "" {
		return weightfile.Wrong("it has no name or no version")
	}
	if err := klaverjas.Rules(a.Rules).Validate(); err != nil {
		return weightfile.Wrong("its rules: %v", err)
	}
	// A decreasing calibration would turn every prediction round.
	if c := a.Calibration; !(c.Scale > 0 && c.Scale < 1e6) || !(math.Abs(c.Shift) < 1e6) {
		return weightfile.Wrong("its calibration is %v and %v", c.Scale, c.Shift)
	}
	return nil
}

// Trees returns the trees of the model.
func (m *Model) Trees() *trees.Forest { return m.trees }

// Covers says whether the model is trained for these rules and this side declaring.
func (m *Model) Covers(rules klaverjas.Rules, d klaverjas.Deal) bool {
	return rules == m.rules && m.LeaderDeclares == (d.Leader.Team() == d.Declarer)
}

// Predict returns the probability that the declarers win a deal that the model covers. Deals that differ only in the names of suits and
// seats have the same.
func (m *Model) Predict(d klaverjas.Deal) float64 { return m.PredictAll([]klaverjas.Deal{d})[0] }

// PredictAll is Predict for many deals, in less time.
func (m *Model) PredictAll(deals []klaverjas.Deal) []float64 {
	out := m.Logits(deals)
	for i, z := range out {
		out[i] = 1 / (1 + math.Exp(-(m.Calibration.Scale*z + m.Calibration.Shift)))
	}
	return out
}

// block is the number of deals that the trees predict at a time.
const block = 1024

// Logits returns the logarithms of the odds of a win by the share of the trees that say so, as if half a tree more said each: a share can
// be 0 or 1.
func (m *Model) Logits(deals []klaverjas.Deal) []float64 {
	out := make([]float64, len(deals))
	codes := make([]uint8, 0, min(len(deals), block)*features.Columns)
	for from := 0; from < len(deals); from += block {
		part := deals[from:min(from+block, len(deals))]
		codes = codes[:0]
		for _, d := range part {
			var row features.Row
			hands := Hands(d)
			features.Extract(&row, &hands)
			codes = append(codes, row[:]...)
		}
		m.trees.Predict(codes, out[from:][:len(part)])
	}
	n := float64(m.trees.Trees())
	for i, share := range out {
		out[i] = math.Log((share*n + 0.5) / ((1-share)*n + 0.5))
	}
	return out
}

// Hands returns the hands of the canonical form of a deal, of which models take the features.
func Hands(d klaverjas.Deal) [4]piquet.Set {
	_, there := index.Canonical(d)
	return there.Deal(d).Hands
}
