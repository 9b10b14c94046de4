package floatnet

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/network"
)

// examples draws deals with labels that a network can learn: which team has more high trumps.
func examples(n int, seed uint64) []Example {
	rng := index.NewRand(seed)
	out := make([]Example, n)
	for i := range out {
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		high := 0
		for _, seat := range []piquet.Seat{piquet.North, piquet.South} {
			for _, face := range []piquet.Face{piquet.Jack, piquet.Nine, piquet.Ace, piquet.Ten, piquet.King} {
				if hands[seat].Has(piquet.Of(piquet.Clubs, face)) {
					high++
				}
			}
		}
		out[i] = Example{
			Suits: network.SuitsOf(&hands, piquet.Clubs, piquet.North).Sorted(), Won: high >= 3, LogNodes: float32(high) / 2,
			Outcome: int16(40*high - 98),
		}
		if i%3 == 0 {
			out[i].Outcome = 0
		}
		if i%5 == 0 {
			out[i].LogNodes = float32(math.NaN())
		}
	}
	return out
}

func testShape() network.Shape { return network.Shape{Width: 16, Layers: 2, Head: [2]int{16, 16}} }

// The gradient agrees with the differences of the loss.
func TestGradient(t *testing.T) {
	batch := examples(7, 1)
	n, err := New(testShape(), initial(network.NewLayout(testShape()), rand.New(rand.NewPCG(2, 3))))
	if err != nil {
		t.Fatal(err)
	}
	tr := newTrainer(n, network.Training{Shape: testShape(), Batch: share, OutcomeWeight: 0.7, EffortWeight: 0.3}, 1)
	n.transposed(tr.turned)
	tape := n.newTape(len(batch))
	grad := make([]float32, n.layout.Size)
	tr.gradient(tape, batch, grad, 1)

	total := func() float64 {
		n.pack()
		deals := make([]network.Suits, len(batch))
		for i := range batch {
			deals[i] = batch[i].Suits
		}
		n.Forward(tape.Space, deals)
		sum := 0.0
		for i := range batch {
			e, out := &batch[i], tape.Output(i)
			z := float64(out[network.Win])
			if !e.Won {
				z = -z
			}
			sum += math.Log1p(math.Exp(-z))
			if e.Outcome != 0 {
				r := math.Abs(float64(out[network.Outcome]) - float64(e.Outcome)/100)
				if r < huberWidth {
					sum += 0.7 * r * r / 2 / huberWidth
				} else {
					sum += 0.7 * (r - huberWidth/2)
				}
			}
			if y := float64(e.LogNodes); y == y {
				r := float64(out[network.Effort]) - y
				sum += 0.3 * r * r / 2
				r = y - float64(out[network.Effort90])
				sum += 0.3 * max(0.9*r, -0.1*r)
			}
		}
		return sum
	}
	rng := rand.New(rand.NewPCG(4, 5))
	l := n.layout
	regions := map[string][2]int{
		"trump tables": {l.Tables[0][0].At, l.First[0].At + 16},
		"plain tables": {l.Tables[1][0].At, l.First[1].At + 16},
	}
	for i, m := range matricesOf(l) {
		regions[string(rune('a'+i))] = [2]int{m.At, m.At + m.In*m.Out}
	}
	regions["last bias"] = [2]int{l.Bias[2].At, l.Bias[2].At + network.Outputs}
	for i, layer := range l.Layers {
		regions["trump bias "+string(rune('0'+i))] = [2]int{layer.Trump.At, layer.Trump.At + 16}
		regions["plain bias "+string(rune('0'+i))] = [2]int{layer.Plain.At, layer.Plain.At + 16}
	}
	for name, r := range regions {
		checked, off := 0, 0
		for tries := 0; checked < 12 && tries < 40_000; tries++ {
			i := r[0] + rng.IntN(r[1]-r[0])
			if grad[i] == 0 {
				continue
			}
			checked++
			const step = 1e-3
			was := n.params[i]
			n.params[i] = was + step
			up := total()
			n.params[i] = was - step
			down := total()
			n.params[i] = was
			got, want := float64(grad[i]), (up-down)/(2*step)
			if math.Abs(got-want) > 1e-3+0.02*math.Abs(want) {
				off++ // the rectifier may change its slope between the two points
				t.Logf("%s: parameter %d: %v, by difference %v", name, i, got, want)
			}
		}
		if checked < 6 || off > checked/4 {
			t.Errorf("%s: %d of %d derivatives are off", name, off, checked)
		}
	}
}

func TestLearns(t *testing.T) {
	s := network.Training{
		Shape: network.Shape{Width: 16, Layers: 1, Head: [2]int{
			16,
			16,
		}}, Seed: 1, Batch: 512, Examples: 240_000, Rate: 0.01, Decay: 0.01, OutcomeWeight: 0.1, EffortWeight: 0.1,
	}
	var last Progress
	n, err := Train(t.Context(), s, nil, examples(60_000, 2), 2, func(p Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	if last.Step != 400 || last.Steps != 468 || last.Losses.Right < 0.95 {
		t.Errorf("last progress %+v", last)
	}
	held := examples(2000, 3)
	sp, right := n.NewSpace(1), 0
	for i := range held {
		n.Forward(sp, []network.Suits{held[i].Suits})
		if (sp.Output(0)[network.Win] > 0) == held[i].Won {
			right++
		}
	}
	if right < 1900 {
		t.Errorf("%d of 2000 new deals right", right)
	}
}

// The number of workers changes no bit of the parameters.
func TestSameForAnyWorkers(t *testing.T) {
	s := network.Training{
		Shape: testShape(), Seed: 7, Batch: 1024, Examples: 20_000, Rate: 0.01, Decay: 0.01, OutcomeWeight: 0.1,
		EffortWeight: 0.1,
	}
	var want []float32
	for workers := 1; workers <= 3; workers++ {
		n, err := Train(t.Context(), s, nil, examples(5000, 4), workers, func(Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = n.Params()
			continue
		}
		if !slices.Equal(want, n.Params()) {
			t.Errorf("%d workers: other parameters than one", workers)
		}
	}
	s.Seed = 8
	n, err := Train(t.Context(), s, nil, examples(5000, 4), 1, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(want, n.Params()) {
		t.Error("another seed gives the same parameters")
	}
}

// Reordering the plain suits, and computing one deal or many at a time, give the same bits.
func TestForward(t *testing.T) {
	n, err := New(testShape(), initial(network.NewLayout(testShape()), rand.New(rand.NewPCG(9, 9))))
	if err != nil {
		t.Fatal(err)
	}
	var deals []network.Suits
	for _, e := range examples(33, 5) {
		deals = append(deals, e.Suits)
	}
	many, one := n.NewSpace(40), n.NewSpace(1)
	n.Forward(many, deals)
	for i, d := range deals {
		n.Forward(one, []network.Suits{d})
		if *one.Output(0) != *many.Output(i) {
			t.Errorf("deal %d: %v for one deal, %v for many", i, *one.Output(0), *many.Output(i))
		}
	}
}

// The opponents win exactly the deals that the declarers lose.
func TestOpposed(t *testing.T) {
	n, err := New(testShape(), initial(network.NewLayout(testShape()), rand.New(rand.NewPCG(9, 9))))
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(testShape(), n.Opposed())
	if err != nil {
		t.Fatal(err)
	}
	a, b := n.NewSpace(1), other.NewSpace(1)
	for _, e := range examples(5, 8) {
		n.Forward(a, []network.Suits{e.Suits})
		other.Forward(b, []network.Suits{e.Suits})
		want := *a.Output(0)
		want[network.Win] = -want[network.Win]
		if got := *b.Output(0); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	good := network.Training{Shape: testShape(), Batch: 512, Examples: 1000, Rate: 0.1}
	for name, c := range map[string]struct {
		change func(*network.Training)
		want   string
	}{
		"batch":         {func(s *network.Training) { s.Batch = 100 }, "batch"},
		"few examples":  {func(s *network.Training) { s.Examples = 10 }, "examples"},
		"end rate":      {func(s *network.Training) { s.EndRate = 2 }, "end rate"},
		"rate":          {func(s *network.Training) { s.Rate = math.NaN() }, "rate"},
		"decay":         {func(s *network.Training) { s.Decay = -1 }, "decay"},
		"loss":          {func(s *network.Training) { s.EffortWeight = -1 }, "losses"},
		"width":         {func(s *network.Training) { s.Shape.Width = 20 }, "width"},
		"head":          {func(s *network.Training) { s.Shape.Head[1] = 4096 }, "head[1]"},
		"layers":        {func(s *network.Training) { s.Shape.Layers = 9 }, "layers"},
		"fewer than it": {func(s *network.Training) { s.Batch, s.Examples = 1024, 2048 }, "fewer examples"},
	} {
		t.Run(name, func(t *testing.T) {
			s := good
			c.change(&s)
			if _, err := Train(t.Context(), s, nil, examples(600, 6), 1, func(Progress) {}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, good, nil, examples(600, 6), 1, func(Progress) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkForward(b *testing.B) {
	s := network.Shape{Width: 64, Layers: 2, Head: [2]int{128, 32}}
	n, err := New(s, initial(network.NewLayout(s), rand.New(rand.NewPCG(1, 1))))
	if err != nil {
		b.Fatal(err)
	}
	var deals []network.Suits
	for _, e := range examples(64, 5) {
		deals = append(deals, e.Suits)
	}
	for _, size := range []int{1, 64} {
		b.Run(map[int]string{1: "one", 64: "many"}[size], func(b *testing.B) {
			sp, i := n.NewSpace(size), 0
			for b.Loop() {
				n.Forward(sp, deals[i:i+size])
				i = (i + size) % 64
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/deal")
		})
	}
}

func BenchmarkStep(b *testing.B) {
	s := network.Training{
		Shape: network.Shape{Width: 96, Layers: 2, Head: [2]int{128, 32}}, Batch: 2048, OutcomeWeight: 0.1,
		EffortWeight: 0.05,
	}
	n, err := New(s.Shape, initial(network.NewLayout(s.Shape), rand.New(rand.NewPCG(1, 1))))
	if err != nil {
		b.Fatal(err)
	}
	t, batch, step := newTrainer(n, s, 1), examples(s.Batch, 1), 0
	for b.Loop() {
		t.step(batch, step, 0.001)
		step++
	}
	b.ReportMetric(float64(b.N*s.Batch)/b.Elapsed().Seconds(), "examples/s")
}
