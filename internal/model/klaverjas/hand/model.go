package hand

import (
	"math"
	"slices"
	"sync"

	"roem/internal/engine/klaverjas"
)

// Model predicts the strength of hands under the rules that it is trained for. It is safe for concurrent use.
type Model struct {
	header Header
	sha256 string
	bytes  int
	rules  []klaverjas.Rules
	net    *Network
	load   func() (*Model, error) // nil for one that is loaded
	spaces sync.Pool              // of *space
}

// loaded returns the model itself. It panics with the error of one that cannot be loaded: only in a page models are loaded later.
func (m *Model) loaded() *Model {
	if m.load == nil {
		return m
	}
	model, err := m.load()
	if err != nil {
		panic(err)
	}
	return model
}

// Header returns the description of the weights.
func (m *Model) Header() Header { return m.loaded().header }

// SHA256 returns the checksum of the file of weights, in hexadecimal.
func (m *Model) SHA256() string { return m.loaded().sha256 }

// Bytes returns the size of the file of weights.
func (m *Model) Bytes() int { return m.loaded().bytes }

// Covers reports whether the model is trained for the rules.
func (m *Model) Covers(rules klaverjas.Rules) bool { return slices.Contains(m.loaded().rules, rules) }

// Strength predicts the strength of a hand. It returns false for rules that the model does not cover, and for a question without eight
// cards, a suit and a leader. It allocates nothing.
func (m *Model) Strength(q Question) (Strength, bool) {
	m = m.loaded()
	sp := m.space()
	defer m.spaces.Put(sp)
	return m.strength(sp, &q)
}

// StrengthBatch predicts many questions into out, which is as long, and sets ok[i] to what Strength returns beside the prediction. The
// predictions equal Strength to the last bit.
func (m *Model) StrengthBatch(questions []Question, out []Strength, ok []bool) {
	out, ok = out[:len(questions)], ok[:len(questions)]
	m = m.loaded()
	sp := m.space()
	defer m.spaces.Put(sp)
	for i := range questions {
		out[i], ok[i] = m.strength(sp, &questions[i])
	}
}

func (m *Model) space() *space {
	if sp, ok := m.spaces.Get().(*space); ok {
		return sp
	}
	return m.net.newSpace()
}

func (m *Model) strength(sp *space, q *Question) (Strength, bool) {
	rules := slices.Index(m.rules, q.Rules)
	if rules < 0 || !q.valid() {
		return Strength{}, false
	}
	out := m.net.outputs(sp, SuitsOf(q.Hand, q.Trump), Kind(rules, q.Leader, q.Declares), q.Leader)
	s := Strength{WinProbability: sigmoid(out[Win]), Pit: sigmoid(out[Pit]), Mean: 100 * float64(out[Mean])}
	for i := range s.Quantiles {
		s.Quantiles[i] = 100 * float64(out[Quantile0+i])
	}
	slices.Sort(s.Quantiles[:])
	return s, true
}

func sigmoid(z float32) float64 { return 1 / (1 + math.Exp(-float64(z))) }
