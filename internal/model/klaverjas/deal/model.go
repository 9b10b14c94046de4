package deal

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/network"
)

// Prediction is the model's prediction for a deal.
type Prediction struct {
	WinProbability float64 // that the declarers win: 0 to 1, calibrated
	Outcome        float64 // the expected OUTCOME (docs/reference/rules/klaverjas.md), in points
	Log10Nodes     float64 // the expected log10 of the nodes of a search for goal win
	Log10Nodes90   float64 // its predicted 90 % quantile; never below Log10Nodes
}

// Won reports whether the declarers are expected to win.
func (p Prediction) Won() bool { return p.WinProbability > 0.5 }

// Confidence returns the probability that Won is right, 0.5 to 1.
func (p Prediction) Confidence() float64 { return max(p.WinProbability, 1-p.WinProbability) }

// Model predicts deals under the rules and for the declaring sides that it is trained for. It is safe for concurrent use.
type Model struct {
	parts []*part
}

// part is a network for one set of rules and one declaring side (the leader's or the other).
type part struct {
	Header
	sha256 string
	bytes  int
	net    *network.Fixed // nil for one that is loaded when it is first used
	load   func() (*network.Fixed, error)
	rules  klaverjas.Rules
	spaces sync.Pool // of *space
}

// batch is the number of deals that are computed together. A larger number is not faster.
const batch = 64

type space struct {
	*network.FixedSpace
	suits [batch]network.Suits
	at    [batch]int // the index of each deal in the caller's batch
}

// Load makes a model from the contents of weight files, each for different rules or declarers. If a file is damaged or not a
// file of weights, the error is a *[FileError].
func Load(files ...[]byte) (*Model, error) {
	if len(files) == 0 {
		return nil, errors.New("a model needs at least one file of weights")
	}
	m := new(Model)
	for _, file := range files {
		p, err := decode(file)
		if err != nil {
			return nil, err
		}
		if m.part(&p.rules, p.LeaderDeclares) != nil {
			return nil, fmt.Errorf("two files of weights are for the same rules and declarers (%s)", p.Name)
		}
		m.parts = append(m.parts, p)
	}
	return m, nil
}

// part returns the part for some rules and declarers, or nil.
func (m *Model) part(rules *klaverjas.Rules, leaderDeclares bool) *part {
	for _, p := range m.parts {
		if p.LeaderDeclares == leaderDeclares && p.rules == *rules {
			return p
		}
	}
	return nil
}

func leaderDeclares(d *klaverjas.Deal) bool { return d.Leader.Team() == d.Declarer }

// Covers says whether the model is trained for these rules and this side declaring.
func (m *Model) Covers(rules klaverjas.Rules, d klaverjas.Deal) bool {
	return m.part(&rules, leaderDeclares(&d)) != nil
}

// Predict predicts a deal of which nothing has been played. It returns false for rules or declarers that the model does not
// cover. The deal must be one that klaverjas.NewPosition takes. It allocates nothing.
func (m *Model) Predict(rules klaverjas.Rules, d klaverjas.Deal) (Prediction, bool) {
	p := m.part(&rules, leaderDeclares(&d))
	if p == nil {
		return Prediction{}, false
	}
	sp := p.space()
	defer p.spaces.Put(sp)
	sp.suits[0] = network.SuitsOf(&d.Hands, d.Trump, d.Leader)
	p.network().Forward(sp.FixedSpace, sp.suits[:1])
	return p.prediction(sp.Output(0)), true
}

// PredictBatch predicts deals under the same rules into out, which is as long, and sets covered[i] to what Predict returns beside the
// prediction. The predictions equal Predict to the last bit, and take less time.
func (m *Model) PredictBatch(rules klaverjas.Rules, deals []klaverjas.Deal, out []Prediction, covered []bool) {
	out, covered = out[:len(deals)], covered[:len(deals)]
	clear(out)
	clear(covered)
	for _, side := range [2]bool{true, false} {
		p := m.part(&rules, side)
		if p == nil {
			continue
		}
		sp := p.space()
		n := 0
		flush := func() {
			p.network().Forward(sp.FixedSpace, sp.suits[:n])
			for k, i := range sp.at[:n] {
				out[i], covered[i] = p.prediction(sp.Output(k)), true
			}
			n = 0
		}
		for i := range deals {
			if leaderDeclares(&deals[i]) != side {
				continue
			}
			sp.suits[n] = network.SuitsOf(&deals[i].Hands, deals[i].Trump, deals[i].Leader)
			sp.at[n] = i
			if n++; n == batch {
				flush()
			}
		}
		if n > 0 {
			flush()
		}
		p.spaces.Put(sp)
	}
}

// network returns the network. It panics with the error of one that cannot be loaded: only in a page networks are loaded later.
func (p *part) network() *network.Fixed {
	if p.net != nil {
		return p.net
	}
	net, err := p.load()
	if err != nil {
		panic(err)
	}
	return net
}

func (p *part) space() *space {
	if sp, ok := p.spaces.Get().(*space); ok {
		return sp
	}
	return &space{FixedSpace: p.network().NewSpace(batch)}
}

// prediction returns the calibrated prediction for the outputs of the network.
func (p *part) prediction(out [network.Outputs]float64) Prediction {
	c := &p.Calibration
	nodes := out[network.Effort]
	return Prediction{
		WinProbability: sigmoid(c.Scale*out[network.Win] + c.Shift),
		Outcome:        100 * out[network.Outcome],
		Log10Nodes:     nodes,
		Log10Nodes90:   max(nodes, out[network.Effort90]+c.Effort90Shift),
	}
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// NodesPerMillisecond returns the speed of the search that labelled the training data. It is an estimate for a machine on which
// the speed has not been measured.
func (m *Model) NodesPerMillisecond() float64 { return m.parts[0].NodesPerMillisecond }

// Trained describes one file of weights.
type Trained CardWeights

// Trained returns the descriptions of the weights of the model.
func (m *Model) Trained() []Trained {
	var all []Trained
	for _, p := range m.parts {
		all = append(all, p.trained())
	}
	return all
}

func (p *part) trained() Trained {
	return Trained{Header: p.Header, SHA256: p.sha256, Bytes: p.bytes, Parameters: network.ParamCount(p.Shape)}
}

// WeightsFor returns the weights for some rules and declarers, and false where there are none.
func (m *Model) WeightsFor(rules klaverjas.Rules, leaderDeclares bool) (Trained, bool) {
	for _, t := range m.Trained() {
		if klaverjas.Rules(t.Rules) == rules && t.LeaderDeclares == leaderDeclares {
			return t, true
		}
	}
	return Trained{}, false
}

// Name returns the name of the model.
func (m *Model) Name() string { return m.parts[0].Name }

// Version returns the version of the model. Models of equal versions give equal predictions.
func (m *Model) Version() string { return m.parts[0].Version }

// SHA256 returns the checksum of the first file of weights, in hexadecimal. [Model.Trained] returns the checksums of all files.
func (m *Model) SHA256() string { return m.parts[0].sha256 }

// Suits returns the input of the network for a deal. It is the same for all twins of the deal.
func Suits(hands *[4]piquet.Set, trump piquet.Suit, leader piquet.Seat) network.Suits {
	return network.SuitsOf(hands, trump, leader).Sorted()
}
