package handstrength

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
)

func newEstimator(tb testing.TB) *Estimator {
	tb.Helper()
	m, err := deal.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return &Estimator{Predictor: m}
}

// question returns a question about a random hand.
func question(rng *rand.Rand, method Method, precision float64) Question {
	seat := piquet.Seat(rng.IntN(4))
	return Question{
		Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Hand: index.Random(rng, piquet.Clubs, piquet.North)[0],
		Seat: seat, Leader: piquet.Seat(rng.IntN(4)), Declarer: seat.Team(), Trump: piquet.Suit(rng.IntN(4)),
		Precision: precision, Method: method, Seed: rng.Uint64(),
	}
}

func estimate(tb testing.TB, e *Estimator, q Question, s Solver) Strength {
	tb.Helper()
	out, err := e.Estimate(tb.Context(), q, s, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func TestPoints(t *testing.T) {
	// The three hands of the source, with their points (hearts are trump). B is the jack and H the king.
	for _, test := range []struct {
		hand string
		want int
	}{
		{"AS JH 9H 7H JD 7D KC JC", 50},
		{"AS 8S JH 9H 7H JD KC JC", 45},
		{"AS 8S KH JH 7H JD KC JC", 40},
	} {
		if got := Points(setOf(t, test.hand), piquet.Hearts); got != test.want {
			t.Errorf("%s: %d points, want %d", test.hand, got, test.want)
		}
	}
}

func setOf(tb testing.TB, text string) (s piquet.Set) {
	tb.Helper()
	var name string
	for _, r := range text + " " {
		if r != ' ' {
			name += string(r)
			continue
		}
		c, err := piquet.ParseCard(name)
		if err != nil {
			tb.Fatal(err)
		}
		s, name = s.With(c), ""
	}
	return s
}

// The control variate of the places has the expectation 0: for a function that is a sum over the cards, nothing is left but its mean.
func TestPlacesExplainASumOverCards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	k, err := worlds.New(worlds.View{
		Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Hand: index.Random(rng, piquet.Clubs, piquet.North)[0],
	})
	if err != nil {
		t.Fatal(err)
	}
	var effect [unseen][places]float64
	want := 0.0
	for c := range effect {
		for p := range effect[c] {
			effect[c][p] = rng.NormFloat64()
			want += effect[c][p] / places
		}
	}
	for _, n := range []int{2000, 40_000} {
		l := sample(k, stream(uint64(n), worldStream), n)
		values := make([]float64, n)
		for i := range values {
			for c, p := range l.places[i] {
				values[i] += effect[c][p]
			}
		}
		_, before := meanAndVariance(values)
		mean, after := meanAndVariance(withoutPlaces(l.places, values))
		// What is left is the error of the estimated effects: about 48/n of the variance, and what the prior holds back.
		if limit := before * (100/float64(n) + math.Pow(2*steady/float64(n), 2)); after > limit {
			t.Errorf("%d worlds: the variance falls from %.2f to %.4f, want at most %.4f", n, before, after, limit)
		}
		if d := math.Abs(mean - want); d > 5*math.Sqrt(after/float64(n))+1e-9 {
			t.Errorf("%d worlds: the mean is %.5f, want %.5f", n, mean, want)
		}
	}
}

// The mean over many small samples is the mean of the function: the correction has no bias, though its numbers are estimated.
func TestPlacesHaveNoBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	k, err := worlds.New(worlds.View{
		Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Hand: index.Random(rng, piquet.Clubs, piquet.North)[0],
	})
	if err != nil {
		t.Fatal(err)
	}
	const samples, n = 2000, 40
	var means []float64
	for i := range samples {
		l := sample(k, stream(uint64(i), worldStream), n)
		values := make([]float64, n)
		for j := range values { // not a sum: whether two cards are in one hand
			values[j] = share(l.places[j][0] == l.places[j][1])
		}
		mean, _ := meanAndVariance(withoutPlaces(l.places, values))
		means = append(means, mean)
	}
	mean, variance := meanAndVariance(means)
	if want := 7.0 / 23; math.Abs(mean-want) > 4*math.Sqrt(variance/samples) {
		t.Errorf("the mean of %d samples is %.5f +- %.5f, want %.5f", samples, mean, math.Sqrt(variance/samples), want)
	}
}

// fake predicts and solves deals as a test says: the network is wrong in a known way, and the search is right.
type fake struct{ bias float64 }

// wins says whether the declarers win a world: the partner or the seat holds the jack of trump, or the sum of some cards is odd.
func (fake) wins(d *klaverjas.Deal) bool {
	own := d.Hands[d.Leader] | d.Hands[d.Leader.Partner()]
	return own.Has(piquet.Of(d.Trump, piquet.Jack)) != (uint32(own)*2654435761>>29 == 0)
}

func (fake) Covers(klaverjas.Rules, klaverjas.Deal) bool { return true }

func (f fake) PredictBatch(_ klaverjas.Rules, deals []klaverjas.Deal, out []deal.Prediction, covered []bool) {
	for i := range deals {
		d := &deals[i]
		own := d.Hands[d.Leader] | d.Hands[d.Leader.Partner()]
		won := 0.15
		if own.Has(piquet.Of(d.Trump, piquet.Jack)) {
			won = 0.85
		}
		won += f.bias
		out[i], covered[i] = deal.Prediction{WinProbability: won, Outcome: 200*won - 100, Log10Nodes: 3, Log10Nodes90: 3.5}, true
	}
}

func (f fake) Solve(_ context.Context, q search.Query) (search.Result, error) {
	d := q.Position.Deal()
	won := f.wins(&d)
	return search.Result{Won: won, Outcome: int(200*share(won)) - 100, Nodes: 1000}, nil
}

// The exact method has no bias though the network has one, and its intervals contain the truth as often as they say.
func TestExactCorrectsTheNetwork(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, bias := range []float64{0, 0.1, -0.1} {
		f := fake{bias}
		e := &Estimator{Predictor: f}
		const hands = 80
		var errs []float64
		inside := 0
		for range hands {
			q := question(rng, Exact, 0.02)
			q.Leader = q.Seat
			k, err := worlds.New(worlds.View{
				Rules: q.Rules, Trump: q.Trump, Leader: q.Leader, Declarer: q.Declarer, Seat: q.Seat, Hand: q.Hand,
			})
			if err != nil {
				t.Fatal(err)
			}
			const long = 6000
			truth := 0.0
			for range long {
				d := q.deal(k.Sample(rng))
				truth += share(f.wins(&d)) / long
			}
			s := estimate(t, e, q, f)
			own := truth * (1 - truth) / long
			errs = append(errs, s.WinProbability-truth)
			if math.Abs(s.WinProbability-truth) < 1.96*math.Sqrt(s.StandardError*s.StandardError+own) {
				inside++
			}
			if s.StandardError > 0.04 {
				t.Errorf("the standard error is %.4f, want some 0.02", s.StandardError)
			}
		}
		mean, variance := meanAndVariance(errs)
		if math.Abs(mean) > 4*math.Sqrt(variance/hands) {
			t.Errorf("with a network that is wrong by %v the estimates are wrong by %.4f +- %.4f, want 0", bias, mean, math.Sqrt(variance/hands))
		}
		if coverage := float64(inside) / hands; coverage < 0.90 {
			t.Errorf("with a network that is wrong by %v the 95 %% intervals contain the truth in %.3f, want at least 0.90", bias, coverage)
		}
	}
}

// With the real network and the real search the estimates of the three ways agree: predicted, corrected, and searched without a network.
func TestMethodsAgree(t *testing.T) {
	e, alone := newEstimator(t), &Estimator{}
	solver := search.New(search.Options{TableBytes: 4 << 20})
	rng := rand.New(rand.NewPCG(4, 1))
	for range 3 {
		q := question(rng, Exact, 0.03)
		long := estimate(t, alone, q, solver)
		for _, method := range []Method{Network, Exact} {
			q.Method, q.Seed = method, rng.Uint64()
			s := estimate(t, e, q, solver)
			if d := math.Abs(s.WinProbability - long.WinProbability); d > 4*math.Hypot(s.StandardError, long.StandardError) {
				t.Errorf("%s: %.3f +- %.3f, searches alone %.3f +- %.3f", method, s.WinProbability, s.StandardError, long.WinProbability,
					long.StandardError)
			}
			if d := math.Abs(s.Mean - long.Mean); d > 5*math.Hypot(s.MeanError, long.MeanError) {
				t.Errorf("%s: mean outcome %.1f +- %.1f, searches alone %.1f +- %.1f", method, s.Mean, s.MeanError, long.Mean, long.MeanError)
			}
		}
	}
}

func TestEstimatesRepeat(t *testing.T) {
	e := newEstimator(t)
	solver := search.New(search.Options{TableBytes: 1 << 20})
	rng := rand.New(rand.NewPCG(5, 1))
	for _, method := range []Method{Network, Exact} {
		q := question(rng, method, 0.05)
		first := estimate(t, e, q, solver)
		second := estimate(t, e, q, search.New(search.Options{}))
		second.Nodes = first.Nodes // the solver keeps its table between searches
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: the same question has another answer: %s", method, diff)
		}
		q.Seed++
		if other := estimate(t, e, q, solver); other.WinProbability == first.WinProbability {
			t.Errorf("%s: another seed has the same estimate", method)
		}
		for i := 1; i < len(Levels); i++ {
			if first.Quantiles[i] < first.Quantiles[i-1] {
				t.Errorf("%s: the quantiles %v fall", method, first.Quantiles)
			}
		}
		for _, example := range first.Examples {
			if example.Hands[q.Seat] != q.Hand || example.Exact != (method == Exact) {
				t.Errorf("%s: the example %+v is not a world of the hand", method, example)
			}
		}
		if len(first.Examples) != 3 || first.Examples[1].Outcome < first.Examples[2].Outcome && method == Network {
			t.Errorf("%s: examples %+v", method, first.Examples)
		}
	}
}

type half struct{ err float64 }

func (d half) Strength(Question) (Strength, bool) {
	return Strength{WinProbability: 0.5, StandardError: d.err}, true
}
func (half) Covers(q Question) bool   { return q.Rules.Melds }
func (d half) Error(Question) float64 { return d.err }

func TestMethod(t *testing.T) {
	unknown := klaverjas.DefaultRules(klaverjas.Rotterdam)
	unknown.Melds = false
	known := klaverjas.DefaultRules(klaverjas.Rotterdam)
	e := newEstimator(t)
	e.Distilled = half{0.01}
	for _, test := range []struct {
		name      string
		rules     klaverjas.Rules
		method    Method
		precision float64
		want      Method
		fails     bool
	}{
		{"auto, coarse", known, Auto, 0.02, HandModel, false},
		{"auto, as precise as the hand model", known, Auto, 0.01, HandModel, false},
		{"auto, finer than the hand model", known, Auto, 0.009, Network, false},
		{"auto, finer than the network", known, Auto, 0.002, Exact, false},
		{"auto, unknown rules", unknown, Auto, 0.1, Exact, false},
		{"the hand model, whatever the precision", known, HandModel, 0.001, HandModel, false},
		{"the network, whatever the precision", known, Network, 0.001, Network, false},
		{"exact, whatever the precision", known, Exact, 0.1, Exact, false},
		{"the hand model, unknown rules", unknown, HandModel, 0.1, 0, true},
		{"the network, unknown rules", unknown, Network, 0.1, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := e.Method(Question{Rules: test.rules, Method: test.method, Precision: test.precision, Seat: piquet.North})
			_, fails := errors.AsType[*UnknownError](err)
			if got != test.want || fails != test.fails {
				t.Errorf("method %s, error %v, want %s", got, err, test.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	e := newEstimator(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := question(rand.New(rand.NewPCG(6, 1)), Exact, 0.01)
	if _, err := e.Estimate(ctx, q, search.New(search.Options{TableBytes: 1 << 20}), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := (&Estimator{}).Estimate(ctx, q, search.New(search.Options{TableBytes: 1 << 20}), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("without a network: error %v", err)
	}
	q.Hand = q.Hand.Without(q.Hand.First())
	if _, err := e.Estimate(t.Context(), q, nil, nil); err == nil {
		t.Error("seven cards have an estimate")
	}
}

// The tables are complete and ascending.
func TestOutcomes(t *testing.T) {
	tables := readOutcomes()
	if tables["rotterdam"] == nil {
		t.Fatal("there is no table for rotterdam")
	}
	for system, table := range tables {
		for winner := range table {
			rows := 0
			for bin, c := range table[winner] {
				rows += c.Rows
				for i, outcome := range c.Atoms {
					if (outcome > 0) != (winner == 1) || i > 0 && outcome < c.Atoms[i-1] {
						t.Errorf("%s, winner %d, bin %d: %v", system, winner, bin, c.Atoms)
						break
					}
				}
			}
			if rows < 1000 {
				t.Errorf("%s, winner %d: %d deals", system, winner, rows)
			}
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	e := newEstimator(b)
	solver := search.New(search.Options{})
	for _, method := range []Method{Network, Exact} {
		b.Run(method.String(), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 1))
			for b.Loop() {
				q := question(rng, method, DefaultPrecision)
				for _, q.Trump = range piquet.Suits() {
					estimate(b, e, q, solver)
				}
			}
		})
	}
}
