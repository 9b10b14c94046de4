package ginrummy

import (
	"math"
	"strings"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/enginetest"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/random"
)

// With the generator of the paper, rows that are held back were learned from, and what memorises is nearly always right. With honest deals
// it is not.
func TestLeak(t *testing.T) {
	top := func(reseeded uint64) (Table, float64) {
		table, err := RunTable(t.Context(), TableSettings{
			Seed: 7, Deals: 150, Every: 1, HeldSeed: 8, Held: 12, Rows: 100, Trees: 2, Nearest: 4000, Epochs: 1, Reseeded: reseeded,
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range table.Names {
			if strings.HasPrefix(name, "nearest") {
				return table, table.Scores[i].TopTen().Mean
			}
		}
		t.Fatal("no nearest neighbours")
		return table, 0
	}
	honest, fair := top(0)
	leaked, seen := top(100)
	if fair > 0.5 || seen < 0.9 || honest.Walked != 0 || leaked.Walked != 162 || leaked.Distinct > 60 {
		t.Errorf("ten most probable: %g honestly, %g with the leak; %d deals, %d distinct", fair, seen, leaked.Walked, leaked.Distinct)
	}
	if text := leaked.Markdown(); strings.Count(text, "\n| ") != len(leaked.Names)+1 {
		t.Error(text)
	}
}

// Scores of a row that is known.
func TestScore(t *testing.T) {
	row := Row{View: ginrummy.View{Own: ginrummy.Set(0x3ff) << 20, Upcard: 51}, Hand: 0x3ff}
	var p Estimate
	for c := range 8 {
		p[c] = 1
	}
	p[8], p[9], p[10], p[11] = 0.5, 0.28, 0.6, 0.2
	var s Score
	s.Add(&row, &p)
	want := -(math.Log(0.5) + math.Log(0.28) + math.Log(0.4) + math.Log(0.8)) / 52
	if got := s.LogLoss().Mean; math.Abs(got-want) > 1e-12 {
		t.Errorf("log loss %g, want %g", got, want)
	}
	if got := s.TopTen().Mean; math.Abs(got-0.9) > 1e-12 { // 10 is more probable than 9
		t.Errorf("ten most probable %g", got)
	}
	for i, want := range []Rates{{51.0 / 52, 10.0 / 11, 1, 0}, {50.0 / 52, 0.9, 0.9, 0}} {
		want.F1 = 2 * want.Precision * want.Recall / (want.Precision + want.Recall)
		if got := s.At(i); math.Abs(got.Accuracy-want.Accuracy)+math.Abs(got.Precision-want.Precision)+math.Abs(got.Recall-want.Recall)+
			math.Abs(got.F1-want.F1) > 1e-9 {
			t.Errorf("t = %g: %+v, want %+v", Thresholds[i], got, want)
		}
	}
}

// The embedded network is better than equally likely cards and than the paper's logistic regression on deals that neither has seen, and
// calibrated.
func TestNetwork(t *testing.T) {
	n, err := hand.Default()
	if err != nil {
		t.Fatal(err)
	}
	table, err := RunTable(t.Context(), TableSettings{
		Seed: 9001, Deals: 500, Every: 1, HeldSeed: 9002, Held: 120, Rows: 1500, Epochs: 4, More: []Estimator{Network("network", n)},
	})
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]*Score{}
	for i, name := range table.Names {
		scores[name] = table.Scores[i]
	}
	network := scores["network"]
	for _, name := range []string{"uniform", "logistic regression", "logistic regression, masked"} {
		if gain := network.Gain(scores[name]); gain.Low <= 0 || network.TopTen().Mean <= scores[name].TopTen().Mean {
			t.Errorf("%s: the network gains %+v, ten most probable %g and %g", name, gain, network.TopTen().Mean, scores[name].TopTen().Mean)
		}
	}
	if network.ECE() > 0.02 {
		t.Errorf("calibration error %g", network.ECE())
	}
}

// On the 200 situations of the Java reference, which no model has learned from, the network is better than equally likely cards.
func TestReference(t *testing.T) {
	vectors, err := enginetest.Read[enginetest.SituationVector]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n, err := hand.Default()
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for i := range vectors {
		s, err := vectors[i].Situation()
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, Row{Deal: uint64(i), View: v, Hand: vectors[i].Opponent.Set()})
	}
	uniform, network := Measure(Uniform(), rows), Measure(Network("network", n), rows)
	for _, s := range []*Score{uniform, network} {
		t.Logf("%d situations: log loss %.4f, ten most probable %.4f", s.Rows, s.LogLoss().Mean, s.TopTen().Mean)
	}
	if gain := network.Gain(uniform); gain.Low < 0.02 || network.TopTen().Mean < uniform.TopTen().Mean+0.05 {
		t.Errorf("the network gains %+v", gain)
	}
	t.Logf("%d situations: the network's log loss %+v, its gain over equally likely cards %+v", network.Rows, network.LogLoss(),
		network.Gain(uniform))
}

// The probes are situations that can occur.
func TestProbes(t *testing.T) {
	p, err := RunProbes(t.Context(), Uniform(), 20, 3)
	if err != nil {
		t.Fatal(err)
	}
	text := ProbesMarkdown([]string{"one", "two"}, []Probes{p, p})
	if p.NineForQueen[ginrummy.Ace].Mean != 0 || p.Swap.Mean != 1 || strings.Count(text, "\n| ") != 29 {
		t.Errorf("%s", text)
	}
	for i, shares := range p.Density {
		sum := 0.0
		for _, share := range shares {
			sum += share
		}
		// Cards that are not known are equally likely for this estimate: 10 of 41 in the beginning, and more of them later.
		if math.Abs(sum-1) > 1e-9 || i == 0 && shares[2] < 0.9 {
			t.Errorf("density %d: %v", i, shares)
		}
	}
	if p.Twos.Mean > -0.2 { // who sees all twos knows that the opponent has none
		t.Errorf("twos %+v", p.Twos)
	}
}

// The baselines have the figures that follow from their definitions: B1 names ten of 52 cards by lot, and B2 has the figures of the
// design. Masked estimates sum to ten cards, and know what is known.
func TestBaselines(t *testing.T) {
	var rows []Row
	if err := EachRow(t.Context(), 11, 0, 400, func(r *Row) {
		if r.Moment == AfterDiscard {
			rows = append(rows, *r)
		}
	}); err != nil {
		t.Fatal(err)
	}
	rng := random.New(1)
	for _, tt := range []struct {
		of        Estimator
		precision float64
	}{{B1(rng), 10.0 / 52}, {B2(rng), 0.3257}} {
		if got := Measure(tt.of, rows).At(0).Precision; math.Abs(got-tt.precision) > 0.01 {
			t.Errorf("%s: precision %.4f of %d rows, want about %.4f", tt.of.Name, got, len(rows), tt.precision)
		}
	}
	// An estimate that is neither of the right sum nor right about known cards.
	masked := Masked(Estimator{"half", func(*Row) (p Estimate) {
		for c := range p {
			p[c] = 0.5
		}
		return p
	}})
	for _, r := range rows {
		p, seen, sum := masked.Of(&r), r.View.Seen(), 0.0
		for c := range p {
			sum += p[c]
		}
		if math.Abs(sum-10) > 1e-9 {
			t.Fatalf("a masked estimate sums to %v", sum)
		}
		for c := range (ginrummy.Deck &^ seen.Unknown()).All() {
			if want := map[bool]float64{true: 1}[seen.Kept.Has(c)]; p[c] != want {
				t.Fatalf("the masked probability of %s is %v, want %v", c, p[c], want)
			}
		}
	}
}
