package floatnet

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/f32"
	"roem/lab/learn/blocks"
)

// Example is a deal with its label from the search.
type Example struct {
	Suits    network.Suits // sorted
	LogNodes float32       // log10 of the nodes of the search for goal win; NaN if unknown
	Outcome  int16         // in points; 0 if unknown
	Won      bool
	_        struct{}
}

// A worker processes one share of a batch at a time, block by block. The gradient of the batch is the sum over its shares in
// order.
const (
	block = 256
	share = 512
)

const (
	warmup     = 0.02 // the fraction of all steps in which the rate rises
	beta1      = 0.9
	beta2      = 0.999
	epsilon    = 1e-8
	quantile   = 0.9
	huberWidth = 0.5 // in hundreds of points
	maxNorm    = 4.0 // maximum norm of a gradient; larger ones are scaled down
)

// Validate returns an error if the settings are invalid.
func Validate(s *network.Training) error {
	switch {
	case s.Batch < share || s.Batch%share != 0 || s.Batch > 1<<16:
		return errors.New("batch: expected a multiple of 512 up to 65536")
	case s.Examples < int64(s.Batch):
		return errors.New("examples: expected at least a batch")
	case !(s.Rate > 0 && s.Rate < 1) || !(s.Decay >= 0 && s.Decay < 1):
		return errors.New("rate and decay: expected numbers from 0 to 1")
	case !(s.EndRate >= 0 && s.EndRate <= 1):
		return errors.New("end rate: expected a part, 0 to 1")
	case !(s.OutcomeWeight >= 0) || !(s.EffortWeight >= 0):
		return errors.New("weights of losses: expected no negative ones")
	}
	return s.Shape.Validate()
}

// Losses are means over examples.
type Losses struct {
	Win     float64 // the log loss, natural logarithm
	Right   float64 // the share of examples whose winner was predicted correctly
	Outcome float64
	Effort  float64 // the squared error of log10 nodes
}

// Progress is reported after every progressSteps steps.
type Progress struct {
	Step, Steps int
	Losses      Losses // since the last report
}

// progressSteps is the number of steps between reports of progress.
const progressSteps = 100

// Train trains a network on examples, which are shuffled in place for each round. It starts with the parameters start, or with random ones
// if start is nil. The error is the error of the context or of Validate, or says that there are too few examples.
func Train(ctx context.Context, s network.Training, start []float32, examples []Example, workers int,
	tell func(Progress),
) (*Network, error) {
	if err := Validate(&s); err != nil {
		return nil, err
	}
	if len(examples) < s.Batch {
		return nil, errors.New("fewer examples than a batch")
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x6e6574776f726b)) // the word network
	if start == nil {
		start = initial(network.NewLayout(s.Shape), rng)
	}
	n, err := New(s.Shape, slices.Clone(start))
	if err != nil {
		return nil, err
	}
	t := newTrainer(n, s, workers)
	steps := int(s.Examples / int64(s.Batch))
	at := len(examples)
	var sum Losses
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if at+s.Batch > len(examples) {
			rng.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
			at = 0
		}
		losses := t.step(examples[at:][:s.Batch], step, rateAt(&s, step, steps)) // a step is never interrupted
		at += s.Batch
		sum.add(losses)
		if (step+1)%progressSteps == 0 {
			tell(Progress{Step: step + 1, Steps: steps, Losses: sum.over(float64(s.Batch) * progressSteps)})
			sum = Losses{}
		}
	}
	return New(s.Shape, n.params)
}

// rateAt rises linearly, then falls like a cosine to EndRate.
func rateAt(s *network.Training, step, steps int) float64 {
	x := (float64(step) + 0.5) / float64(steps)
	if x < warmup {
		return s.Rate * x / warmup
	}
	return s.Rate * (s.EndRate + (1-s.EndRate)*(1+math.Cos(math.Pi*(x-warmup)/(1-warmup)))/2)
}

type trainer struct {
	network.Training
	n       *Network
	turned  []float32
	tapes   chan *tape
	grads   [][]float32 // one for each share
	losses  []Losses
	m, v    []float32 // Adam's moments
	decays  []span    // which parameters decay, in their order
	workers int
}

func newTrainer(n *Network, s network.Training, workers int) *trainer {
	size := n.layout.Size
	t := &trainer{
		Training: s, n: n, turned: make([]float32, size), tapes: make(chan *tape, workers), workers: workers,
		m: make([]float32, size), v: make([]float32, size), losses: make([]Losses, s.Batch/share),
	}
	for range workers {
		t.tapes <- n.newTape(block)
	}
	for range s.Batch / share {
		t.grads = append(t.grads, make([]float32, size))
	}
	for _, m := range matricesOf(n.layout) {
		t.decays = append(t.decays, span{m.At, m.At + m.In*m.Out})
	}
	return t
}

// step updates the parameters by the gradient of a batch.
func (t *trainer) step(batch []Example, step int, rate float64) Losses {
	t.n.pack()
	t.n.transposed(t.turned)
	t.parallel(len(t.grads), func(b int) {
		tape := <-t.tapes
		clear(t.grads[b])
		t.losses[b] = Losses{}
		for examples := range slices.Chunk(batch[b*share:][:share], block) {
			t.losses[b].add(t.gradient(tape, examples, t.grads[b], 1/float64(len(batch))))
		}
		t.tapes <- tape
	})
	const part = 1 << 14
	parts := (t.n.layout.Size + part - 1) / part
	norms := make([]float64, parts)
	t.parallel(parts, func(i int) {
		from, to := i*part, min((i+1)*part, t.n.layout.Size)
		for _, g := range t.grads[1:] {
			f32.Add(t.grads[0][from:to], g[from:to])
		}
		norms[i] = squares(t.grads[0][from:to])
	})
	norm := 0.0
	for _, x := range norms {
		norm += x
	}
	scale := min(1, maxNorm/max(math.Sqrt(norm), 1e-30))
	t.parallel(parts, func(i int) { t.adam(i*part, min((i+1)*part, t.n.layout.Size), step, rate, scale) })
	var sum Losses
	for _, l := range t.losses {
		sum.add(l)
	}
	return sum
}

// squares sums squares in four partial sums, which a processor can compute in parallel.
func squares(x []float32) float64 {
	var sum [4]float64
	for ; len(x) >= 4; x = x[4:] {
		for k := range sum {
			sum[k] += float64(float64(x[k]) * float64(x[k]))
		}
	}
	for _, v := range x {
		sum[0] += float64(float64(v) * float64(v))
	}
	return sum[0] + sum[1] + sum[2] + sum[3]
}

// parallel calls work with 0 to n-1 on the workers.
func (t *trainer) parallel(n int, work func(int)) {
	_ = blocks.One(context.Background(), n, t.workers, work)
}

// span is a range of parameters.
type span struct{ from, to int }

// adam updates a range of parameters.
func (t *trainer) adam(from, to, step int, rate, scale float64) {
	c1 := 1 / (1 - math.Pow(beta1, float64(step+1)))
	c2 := 1 / (1 - math.Pow(beta2, float64(step+1)))
	a := f32.Adam{
		Scale: float32(scale), Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Size: float32(rate * c1), S2: float32(c2),
		Epsilon: epsilon,
	}
	step1 := func(to int, keep float32) {
		if a.Keep = keep; to > from {
			a.Step(t.n.params[from:to], t.m[from:to], t.v[from:to], t.grads[0][from:to])
			from = to
		}
	}
	for _, s := range t.decays {
		step1(min(s.from, to), 1)
		step1(min(s.to, to), float32(1-rate*t.Decay))
	}
	step1(to, 1)
}

// gradient adds the gradient of some examples' losses, each times scale, to grad.
func (t *trainer) gradient(tape *tape, examples []Example, grad []float32, scale float64) Losses {
	deals := make([]network.Suits, len(examples))
	for i := range examples {
		deals[i] = examples[i].Suits
	}
	t.n.Forward(tape.Space, deals)
	clear(tape.dOut)
	var sum Losses
	for i := range examples {
		d := (*[network.Outputs]float32)(tape.dOut[i*network.OutWidth:])
		sum.add(t.loss(&examples[i], tape.Output(i), d))
		for k := range d {
			d[k] = float32(float64(d[k]) * scale)
		}
	}
	t.n.backward(tape, deals, t.turned, grad)
	return sum
}

// loss computes an example's losses, and the derivatives of their weighted sum with respect to the outputs.
func (t *trainer) loss(e *Example, out, d *[network.Outputs]float32) Losses {
	var l Losses
	z := float64(out[network.Win])
	p := 1 / (1 + math.Exp(-z))
	y := 0.0
	if e.Won {
		y = 1
	}
	d[network.Win] = float32(p - y)
	l.Win = math.Max(z, 0) - float64(z*y) + math.Log1p(math.Exp(-math.Abs(z)))
	if (z > 0) == e.Won {
		l.Right = 1
	}
	if e.Outcome != 0 {
		r := float64(out[network.Outcome]) - float64(e.Outcome)/100
		l.Outcome = math.Abs(r)
		d[network.Outcome] = float32(t.OutcomeWeight * max(-1, min(1, r/huberWidth)))
	}
	if e.LogNodes == e.LogNodes { // it is known
		r := float64(out[network.Effort]) - float64(e.LogNodes)
		l.Effort = float64(r * r)
		d[network.Effort] = float32(t.EffortWeight * r)
		if q := float64(out[network.Effort90]); q > float64(e.LogNodes) {
			d[network.Effort90] = float32(t.EffortWeight * (1 - quantile))
		} else {
			d[network.Effort90] = float32(-t.EffortWeight * quantile)
		}
	}
	return l
}

func (l *Losses) add(x Losses) {
	l.Win += x.Win
	l.Right += x.Right
	l.Outcome += x.Outcome
	l.Effort += x.Effort
}

func (l Losses) over(n float64) Losses {
	return Losses{Win: l.Win / n, Right: l.Right / n, Outcome: l.Outcome / n, Effort: l.Effort / n}
}
