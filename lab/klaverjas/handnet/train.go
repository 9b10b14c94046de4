package handnet

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/nn/f32"
)

// Name is the name of the models that [Train] makes.
const Name = "roem-hands"

// Options are the options of Train.
type Options struct {
	hand.Training
	Version string
	Width   int
	Hidden  []int
	Workers int
	Tell    func(Progress)
}

// Progress is reported after every progressSteps steps.
type Progress struct {
	Step, Steps int
	Losses      Losses // since the last report
}

// Losses are means over the labels of examples that are trained on.
type Losses struct {
	Labels   float64 // their number; only while they are added
	Win      float64 // the log loss of the win probability minus the loss of the label itself, in nats: 0 is the least
	Error    float64 // the absolute difference of the win probability and its label
	Mean     float64 // the absolute difference of the mean outcome and its label, in hundreds of points
	Quantile float64 // the absolute difference of the share of outcomes below a quantile and the level of the quantile
}

const (
	warmup        = 0.02 // the fraction of all steps in which the rate rises
	beta1         = 0.9
	beta2         = 0.999
	epsilon       = 1e-8
	share         = 512 // examples of one gradient; the gradient of a batch is the sum in order
	progressSteps = 200
)

// Validate returns an error if the settings are invalid.
func Validate(o *Options) error {
	s := &o.Training
	switch {
	case s.Batch < share || s.Batch%share != 0 || s.Batch > 1<<16:
		return errors.New("batch: expected a multiple of 512 up to 65536")
	case s.Examples < int64(s.Batch):
		return errors.New("examples: expected at least a batch")
	case !(s.Rate > 0 && s.Rate < 1) || !(s.Decay >= 0 && s.Decay < 1) || !(s.RestDecay >= 0 && s.RestDecay <= 1):
		return errors.New("rate and decay: expected numbers from 0 to 1")
	case !(s.PitWeight >= 0) || !(s.MeanWeight >= 0) || !(s.QuantileWeight >= 0):
		return errors.New("weights of losses: expected no negative ones")
	}
	shape := hand.Shape{Rules: 1, Width: o.Width, Hidden: o.Hidden}
	return shape.Validate()
}

// Train distils a network from the teachers of ReadTeachers and returns the file of weights.
func Train(ctx context.Context, m *deal.Model, rules []klaverjas.Rules, teachers []Teacher, o Options) ([]byte, error) {
	if err := Validate(&o); err != nil {
		return nil, err
	}
	shape := hand.Shape{Rules: len(rules), Width: o.Width, Hidden: o.Hidden}
	l := hand.NewLayout(shape)
	rng := rand.New(rand.NewPCG(o.Seed, 0x68616e64)) // the word hand
	t := newTrainer(newNet(shape, initial(l, rng)), teachers, o, rng)
	steps := int(o.Examples / int64(o.Batch))
	batch := make([]Example, o.Batch)
	var sum Losses
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		labelBatch(m, teachers, o.Seed, step, o.Workers, batch)
		sum.add(t.step(batch, step, rateAt(o.Rate, step, steps)))
		if (step+1)%progressSteps == 0 || step+1 == steps {
			o.Tell(Progress{Step: step + 1, Steps: steps, Losses: sum.means()})
			sum = Losses{}
		}
	}
	n, err := hand.NewNetwork(shape, t.n.params)
	if err != nil {
		return nil, err
	}
	h := hand.Header{Name: Name, Version: o.Version, Training: o.Training}
	for _, r := range rules {
		h.Rules = append(h.Rules, klaverjas.RulesJSON(r))
	}
	for _, x := range teachers {
		w, _ := m.WeightsFor(x.Rules, x.Kind%hand.Kinds == 0)
		h.Teachers = append(h.Teachers, hand.Teacher{
			Rules: x.Kind / hand.Kinds, LeaderDeclares: w.LeaderDeclares, SHA256: w.SHA256, OutcomeSeed: x.Outcomes.Seed,
			OutcomeRows: x.Outcomes.Rows,
		})
	}
	return hand.Encode(h, n)
}

// rateAt rises linearly, then falls to 0 like a cosine.
func rateAt(rate float64, step, steps int) float64 {
	x := (float64(step) + 0.5) / float64(steps)
	if x < warmup {
		return rate * x / warmup
	}
	return rate * (1 + math.Cos(math.Pi*(x-warmup)/(1-warmup))) / 2
}

type trainer struct {
	hand.Training
	n        *net
	outcomes []*Outcomes // by kind
	tapes    chan *tape
	tables   [2]*table
	grads    [][]float32 // one for each share
	losses   []Losses
	m, v     []float32 // Adam's moments
	workers  int
}

func newTrainer(n *net, teachers []Teacher, o Options, rng *rand.Rand) *trainer {
	size := n.layout.Size
	t := &trainer{
		Training: o.Training, n: n, tapes: make(chan *tape, o.Workers), workers: o.Workers,
		m: make([]float32, size), v: make([]float32, size), losses: make([]Losses, o.Batch/share),
	}
	for i, m := range []hand.Matrix{n.layout.Trump, n.layout.Plain} {
		t.tables[i] = newTable(m, rng)
		t.tables[i].write(n.params)
	}
	for _, x := range teachers { // in the order of their kinds, without gaps
		t.outcomes = append(t.outcomes, x.Outcomes)
	}
	for range o.Workers {
		t.tapes <- n.newTape()
	}
	for range o.Batch / share {
		t.grads = append(t.grads, make([]float32, size))
	}
	return t
}

// step updates the parameters by the gradient of a batch.
func (t *trainer) step(batch []Example, step int, rate float64) Losses {
	t.n.pack()
	parallel(t.workers, func(next func() (int, bool)) {
		tape := <-t.tapes
		for b, ok := next(); ok; b, ok = next() {
			clear(t.grads[b])
			t.losses[b] = Losses{}
			for at := b * share; at < (b+1)*share; at += block {
				t.losses[b].add(t.gradient(tape, batch[at:][:block], t.grads[b], 1/float64(len(batch))))
			}
		}
		t.tapes <- tape
	}, len(t.grads))
	sum := t.losses[0]
	for b, g := range t.grads[1:] {
		f32.Add(t.grads[0], g)
		sum.add(t.losses[b+1])
	}
	t.adam(step, rate)
	return sum
}

// adam updates all parameters. The matrices and the rests of the tables decay.
func (t *trainer) adam(step int, rate float64) {
	c1 := 1 / (1 - math.Pow(beta1, float64(step+1)))
	c2 := 1 / (1 - math.Pow(beta2, float64(step+1)))
	a := f32.Adam{
		Scale: 1, Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Size: float32(rate * c1), S2: float32(c2),
		Epsilon: epsilon,
	}
	update := func(m hand.Matrix, keep float64) {
		a.Keep = float32(keep)
		a.Step(m.Of(t.n.params), m.Of(t.m), m.Of(t.v), m.Of(t.grads[0]))
	}
	for _, x := range t.tables {
		x.update(a, t.grads[0], float32(1-rate*t.RestDecay))
		x.write(t.n.params)
	}
	update(t.n.layout.First, 1)
	for _, layer := range t.n.layout.Dense {
		update(layer.Weights, 1-rate*t.Decay)
		update(layer.Bias, 1)
	}
}

// gradient adds the gradient of the losses of a block, each times scale, to grad.
func (t *trainer) gradient(tape *tape, examples []Example, grad []float32, scale float64) Losses {
	t.n.forward(tape, examples)
	last := len(tape.x) - 1
	width := t.n.layout.Dense[last-1].Weights.Out
	out, d := tape.x[last], tape.d[last][:len(examples)*width]
	clear(d)
	var sum Losses
	for i := range examples {
		e := &examples[i]
		if e.HeldOut {
			continue
		}
		for leader := range e.Labels {
			at := i*width + hand.At(e.Kind, leader)
			sum.add(t.loss(e, leader, (*[hand.Outputs]float32)(out[at:]), (*[hand.Outputs]float32)(d[at:]), scale))
		}
	}
	t.n.backward(tape, examples, grad)
	return sum
}

// loss computes the losses of a label, and the derivatives of their weighted sum with respect to the outputs, times scale.
func (t *trainer) loss(e *Example, leader int, out, d *[hand.Outputs]float32, scale float64) Losses {
	y, o := &e.Labels[leader], t.outcomes[e.Kind]
	p, label := sigmoid(float64(out[hand.Win])), float64(y.Win)
	l := Losses{Labels: 1, Win: divergence(label, p), Error: math.Abs(p - label)}
	d[hand.Win] = float32(scale * (p - label))
	d[hand.Pit] = float32(scale * t.PitWeight * (sigmoid(float64(out[hand.Pit])) - float64(y.Pit)))
	off := float64(out[hand.Mean]) - float64(y.Mean)
	l.Mean = math.Abs(off)
	d[hand.Mean] = float32(scale * t.MeanWeight * off)
	levels := hand.Levels()
	for k, level := range levels {
		// The derivative of the pinball loss (Koenker and Bassett 1978) is the share of outcomes below the quantile minus its level.
		below, points := 0.0, 100*float64(out[hand.Quantile0+k])
		for _, group := range y.Groups {
			below += o.Below(int(group), points) / float64(len(y.Groups))
		}
		d[hand.Quantile0+k] = float32(scale * t.QuantileWeight * (below - level))
		l.Quantile += math.Abs(below-level) / float64(len(levels))
	}
	return l
}

// divergence is the log loss of p for a label between 0 and 1 minus the loss of the label itself.
func divergence(label, p float64) float64 {
	term := func(y, p float64) float64 {
		if y <= 0 {
			return 0
		}
		return y * math.Log(y/max(p, 1e-12))
	}
	return term(label, p) + term(1-label, 1-p)
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func (l *Losses) add(x Losses) {
	l.Labels += x.Labels
	l.Win += x.Win
	l.Error += x.Error
	l.Mean += x.Mean
	l.Quantile += x.Quantile
}

func (l *Losses) means() Losses {
	n := max(1, l.Labels)
	return Losses{l.Labels, l.Win / n, l.Error / n, l.Mean / n, l.Quantile / n}
}
