package hand

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/model/nn/weightfile"
)

// The format of a file of weights is
//
//	8 bytes   the magic "roemhnd1"
//	4 bytes   the length of the header
//	...       the header, JSON
//	...       the parameters in the order of [Layout], 32-bit floats
//	32 bytes  the SHA-256 of everything before it
//
// Numbers are little-endian.
const magic = "roemhnd1"

// Header describes the weights of a file.
type Header struct {
	Name     string                `json:"name"`
	Version  string                `json:"version"`
	Rules    []klaverjas.RulesJSON `json:"rules"`
	Shape    Shape                 `json:"shape"`
	Training Training              `json:"training"`
	Teachers []Teacher             `json:"teachers"`
}

// Training holds the settings of a training (package handnet). Equal settings and teachers give equal parameters, to the last bit, with
// any number of workers.
type Training struct {
	Seed      uint64  `json:"seed"`
	Examples  int64   `json:"examples"`   // hands, each with the labels of four places of the leader
	Batch     int     `json:"batch"`      // examples a step
	Rate      float64 `json:"rate"`       // peak learning rate; it falls to 0
	Decay     float64 `json:"decay"`      // weight decay of the matrices, per step and unit of learning rate
	RestDecay float64 `json:"rest_decay"` // the same of what the rows of tables have beside their cards and pairs of cards
	// The weights of these losses relative to the loss of the winner.
	PitWeight      float64 `json:"pit_weight"`
	MeanWeight     float64 `json:"mean_weight"`
	QuantileWeight float64 `json:"quantile_weight"`
}

// Teacher describes where the labels of a kind of question come from.
type Teacher struct {
	Rules          int    `json:"rules"` // number of the rules in Header.Rules
	LeaderDeclares bool   `json:"leader_declares"`
	SHA256         string `json:"sha256"`       // of the weights of the deal network
	OutcomeSeed    string `json:"outcome_seed"` // of the data set of goal value from which the outcomes of predicted deals are learned
	OutcomeRows    int    `json:"outcome_rows"`
}

// FileError is the error for a file of weights that cannot be used.
type FileError = weightfile.Error

func wrong(format string, args ...any) error { return weightfile.Wrong(format, args...) }

// Encode returns the contents of a file of weights.
func Encode(h Header, n *Network) ([]byte, error) {
	h.Shape = n.Shape()
	out, err := weightfile.AppendHeader(nil, h)
	if err != nil {
		return nil, err
	}
	return weightfile.Seal(magic, weightfile.AppendFloats(out, n.params)), nil
}

// Load makes a model from the contents of a file of weights. If the file is damaged or not a file of weights, the error is a *[FileError].
func Load(file []byte) (*Model, error) {
	content, err := weightfile.Open(magic, file)
	if err != nil {
		return nil, err
	}
	m := &Model{bytes: len(file)}
	rest, err := weightfile.ReadHeader(content, &m.header)
	if err != nil {
		return nil, err
	}
	if err := m.header.validate(); err != nil {
		return nil, err
	}
	if want := 4 * NewLayout(m.header.Shape).Size; len(rest) != want {
		return nil, wrong("%d bytes of parameters, expected %d", len(rest), want)
	}
	params := make([]float32, len(rest)/4)
	weightfile.ReadFloats(rest, params)
	if m.net, err = NewNetwork(m.header.Shape, params); err != nil {
		return nil, wrong("%v", err)
	}
	for _, r := range m.header.Rules {
		m.rules = append(m.rules, klaverjas.Rules(r))
	}
	m.sha256 = weightfile.Checksum(file)
	return m, nil
}

func (h *Header) validate() error {
	if h.Name == "" || h.Version == "" {
		return wrong("its header has no name or no version")
	}
	if err := h.Shape.Validate(); err != nil {
		return wrong("%v", err)
	}
	if len(h.Rules) != h.Shape.Rules {
		return wrong("%d rule sets, and a network for %d", len(h.Rules), h.Shape.Rules)
	}
	for _, r := range h.Rules {
		if err := klaverjas.Rules(r).Validate(); err != nil {
			return wrong("its rules: %v", err)
		}
	}
	return nil
}
