package handnet

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/lab/klaverjas/dataset"
)

func rotterdam() klaverjas.Rules { return klaverjas.DefaultRules(klaverjas.Rotterdam) }

func deals(tb testing.TB) *deal.Model {
	tb.Helper()
	m, err := deal.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// guessed returns rows with predictions of the deal network, and with outcomes that agree with them.
func guessed(tb testing.TB, declarer piquet.Team, n int) []predicted {
	tb.Helper()
	rng := index.NewRand(1)
	all := make([]klaverjas.Deal, n)
	for i := range all {
		all[i] = klaverjas.Deal{Hands: index.Random(rng, piquet.Clubs, piquet.North), Declarer: declarer}
	}
	out, ok := make([]deal.Prediction, n), make([]bool, n)
	deals(tb).PredictBatch(rotterdam(), all, out, ok)
	rows := make([]predicted, n)
	for i, p := range out {
		if !ok[i] {
			tb.Fatal("the deal network does not cover a deal")
		}
		won := rng.Float64() < p.WinProbability
		rows[i] = predicted{Prediction: p, deal: all[i], outcome: -200 - 2*rng.IntN(30), won: won}
		if won {
			rows[i].outcome = 2 + 2*rng.IntN(150)
		}
	}
	return rows
}

func teachers(tb testing.TB) []Teacher {
	tb.Helper()
	all := make([]Teacher, 2)
	for kind, declarer := range piquet.Teams() {
		o, err := newOutcomes(guessed(tb, declarer, 3000))
		if err != nil {
			tb.Fatal(err)
		}
		all[kind] = Teacher{kind, rotterdam(), declarer, o}
	}
	return all
}

// Each label is the mean of the deal network's predictions over the six orders of the other hands.
func TestLabels(t *testing.T) {
	m := deals(t)
	hands := index.Random(index.NewRand(5), piquet.Clubs, piquet.North)
	for _, teacher := range teachers(t) {
		var got [4]Example
		l := labeller{model: m}
		l.label(&teacher, hands, got[:])
		for h := range got {
			if want := hand.SuitsOf(hands[h], piquet.Clubs); got[h].Suits != want || got[h].Kind != teacher.Kind {
				t.Fatalf("hand %d: %+v", h, got[h])
			}
			for leader, y := range got[h].Labels {
				// The hand is north's here, and the leader moves.
				sum, mean, pit, groups := 0.0, 0.0, 0.0, []uint16{}
				for _, order := range allOrders {
					if order[0] != h {
						continue
					}
					d := klaverjas.Deal{Leader: piquet.North.Plus(leader), Declarer: piquet.North.Plus(leader).Team()}
					if teacher.Declarer != piquet.NorthSouth {
						d.Declarer = d.Declarer.Opponents()
					}
					for place, x := range order {
						d.Hands[place] = hands[x]
					}
					p, _ := m.Predict(rotterdam(), d)
					g := teacher.Outcomes.Group(p)
					groups = append(groups, uint16(g))
					sum += p.WinProbability / 6
					mean += (p.Outcome + teacher.Outcomes.Shifts[g]) / 600
					pit += teacher.Outcomes.Pits[g] / 6
				}
				slices.Sort(groups)
				slices.Sort(y.Groups[:])
				if math.Abs(sum-float64(y.Win)) > 1e-6 || math.Abs(mean-float64(y.Mean)) > 1e-5 || math.Abs(pit-float64(y.Pit)) > 1e-6 ||
					!slices.Equal(groups, y.Groups[:]) {
					t.Errorf("hand %d, leader %d: %+v, want %v, %v, %v, %v", h, leader, y, sum, mean, pit, groups)
				}
			}
		}
	}
}

func TestOutcomes(t *testing.T) {
	rows := guessed(t, piquet.NorthSouth, 3000)
	o, err := newOutcomes(rows)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]int, len(o.Shifts))
	below := make([]float64, len(o.Shifts))
	for _, r := range rows {
		g := o.Group(r.Prediction)
		n[g]++
		if r.outcome < 100 {
			below[g]++
		}
	}
	for g := range n {
		if n[g] < groupRows*2/3 || n[g] > 2*groupRows {
			t.Errorf("group %d has %d rows", g, n[g])
		}
		if got, want := o.Below(g, 101), below[g]/float64(n[g]); math.Abs(got-want) > 0.1 {
			t.Errorf("group %d: %v below 100, want about %v", g, got, want)
		}
		last := 0.0
		for x := -1000.0; x < 1000; x += 7 {
			now := o.Below(g, x)
			if now < last-1e-6 {
				t.Fatalf("group %d: %v below %v and less before", g, now, x)
			}
			last = now
		}
		if o.Below(g, -1000) != 0 || o.Below(g, 1000) != 1 {
			t.Errorf("group %d does not reach from 0 to 1", g)
		}
	}
	if _, err := newOutcomes(rows[:50]); err == nil {
		t.Error("50 rows are enough")
	}
}

func TestHeldOut(t *testing.T) {
	rng := index.NewRand(9)
	n := 0
	for range 4000 {
		if HeldOut(hand.SuitsOf(index.Random(rng, piquet.Clubs, piquet.North)[0], piquet.Clubs)) {
			n++
		}
	}
	if n < 180 || n > 320 {
		t.Errorf("%d of 4000 hands are held out, expected 250", n)
	}
}

// small are quick settings.
func small() Options {
	return Options{
		Training: hand.Training{
			Seed: 3, Examples: 16 * 1024, Batch: 1024, Rate: 0.01, Decay: 0.02, PitWeight: 0.3, MeanWeight: 0.1,
			QuantileWeight: 0.1,
		},
		Version: "test", Width: 32, Hidden: []int{16, 16}, Workers: 1, Tell: func(Progress) {},
	}
}

// The network that is trained and the one that is served have the same outputs.
func TestTheSameOutputs(t *testing.T) {
	shape := hand.Shape{Rules: 1, Width: 32, Hidden: []int{16, 16}}
	l := hand.NewLayout(shape)
	n := newTrainer(newNet(shape, initial(l, randOf(1, 1, "test"))), teachers(t), small(), randOf(1, 3, "test")).n
	params := n.params
	n.pack()
	examples := make([]Example, block)
	labelBatch(deals(t), teachers(t), 1, 0, 1, examples)
	tape := n.newTape()
	n.forward(tape, examples)
	served, err := hand.NewNetwork(shape, params)
	if err != nil {
		t.Fatal(err)
	}
	file, err := hand.Encode(hand.Header{Name: "test", Version: "1", Rules: []klaverjas.RulesJSON{klaverjas.RulesJSON(rotterdam())}}, served)
	if err != nil {
		t.Fatal(err)
	}
	m, err := hand.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	out := tape.x[len(tape.x)-1]
	for i := range examples {
		for leader := range 4 {
			var h piquet.Set
			for suit, pattern := range examples[i].Suits {
				h |= piquet.Set(pattern) << (8 * suit)
			}
			declares := (leader%2 == 0) == (examples[i].Kind == 0)
			got, ok := m.Strength(hand.Question{Rules: rotterdam(), Hand: h, Trump: piquet.Clubs, Leader: leader, Declares: declares})
			at := i*n.layout.Dense[2].Weights.Out + hand.At(examples[i].Kind, leader)
			if want := sigmoid(float64(out[at+hand.Win])); !ok || math.Abs(got.WinProbability-want) > 1e-5 {
				t.Fatalf("example %d, leader %d: %v, want %v", i, leader, got.WinProbability, want)
			}
			if want := 100 * float64(out[at+hand.Mean]); math.Abs(got.Mean-want) > 1e-2 {
				t.Fatalf("example %d, leader %d: mean %v, want %v", i, leader, got.Mean, want)
			}
		}
	}
}

// The gradient agrees with finite differences of the losses.
func TestGradient(t *testing.T) {
	o := small()
	o.Width, o.Hidden = 16, []int{16}
	all := teachers(t)
	shape := hand.Shape{Rules: 1, Width: o.Width, Hidden: o.Hidden}
	params := initial(hand.NewLayout(shape), randOf(1, 2, "test"))
	tr := newTrainer(newNet(shape, params), all, o, randOf(1, 3, "test"))
	examples := make([]Example, block)
	labelBatch(deals(t), all, 1, 0, 1, examples)
	tape := <-tr.tapes
	// loss is the sum of the losses whose derivatives are the gradient, without the pinball loss.
	tr.QuantileWeight = 0
	loss := func() float64 {
		tr.n.pack()
		tr.n.forward(tape, examples)
		out, width, sum := tape.x[2], tr.n.layout.Dense[1].Weights.Out, 0.0
		for i := range examples {
			if examples[i].HeldOut {
				continue
			}
			for leader, y := range examples[i].Labels {
				at := i*width + hand.At(examples[i].Kind, leader)
				off := float64(out[at+hand.Mean]) - float64(y.Mean)
				sum += divergence(float64(y.Win), sigmoid(float64(out[at+hand.Win]))) +
					o.PitWeight*divergence(float64(y.Pit), sigmoid(float64(out[at+hand.Pit]))) + o.MeanWeight*off*off/2
			}
		}
		return sum
	}
	grad := make([]float32, len(params))
	tr.n.pack()
	tr.gradient(tape, examples, grad, 1)
	checked := 0
	for i := 0; i < len(params); i += 37 {
		if math.Abs(float64(grad[i])) < 0.2 {
			continue
		}
		const step = 1e-2
		was := params[i]
		params[i] = was + step
		up := loss()
		params[i] = was - step
		down := loss()
		params[i] = was
		if got, want := float64(grad[i]), (up-down)/(2*step); math.Abs(got-want) > 0.05*math.Abs(want)+0.1 {
			t.Errorf("parameter %d: %v, by differences %v", i, got, want)
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("only %d parameters were checked", checked)
	}
}

// The loss falls, and the weights do not depend on the number of workers.
func TestTrain(t *testing.T) {
	m, all := deals(t), teachers(t)
	var files [][]byte
	for _, workers := range []int{1, 3} {
		o := small()
		o.Workers = workers
		var told []Progress
		o.Tell = func(p Progress) { told = append(told, p) }
		file, err := Train(t.Context(), m, []klaverjas.Rules{rotterdam()}, all, o)
		if err != nil {
			t.Fatal(err)
		}
		if l := told[len(told)-1].Losses; l.Labels < 14*1024*4 || l.Error > 0.25 {
			t.Errorf("%+v", l)
		}
		files = append(files, file)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("one worker and three give different weights")
	}
	h, err := hand.Load(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if x := h.Header().Teachers; len(x) != 2 || !x[0].LeaderDeclares || x[1].LeaderDeclares || len(x[0].SHA256) != 64 ||
		x[0].OutcomeRows != 3000 {
		t.Errorf("%+v", x)
	}
	for _, bad := range []func(*Options){
		func(o *Options) { o.Batch = 100 }, func(o *Options) { o.Examples = 1 }, func(o *Options) { o.Rate = 0 },
		func(o *Options) { o.MeanWeight = -1 }, func(o *Options) { o.Width = 17 }, func(o *Options) { o.Hidden = nil },
	} {
		o := small()
		bad(&o)
		if _, err := Train(t.Context(), m, []klaverjas.Rules{rotterdam()}, all, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// The embedded hand model agrees with the deal network about hands that it was not trained on.
func TestMeasureEmbedded(t *testing.T) {
	m, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	r := Report{Model: m, Check: Check{Hands: 3, Worlds: 2000, Seed: 1, Workers: 2, Tell: func() {}}}
	if r.Errors, err = Measure(t.Context(), m, deals(t), r.Check); err != nil {
		t.Fatal(err)
	}
	if all := r.All(); all.Hands != 24*len(m.Header().Rules) || all.MAE > 1.5 || all.Reference > 1.2 {
		t.Errorf("%+v", all)
	}
	if text := r.Markdown(); !strings.Contains(text, "| all 16 | **") {
		t.Errorf("%s", text)
	}
}

func TestReadTeachers(t *testing.T) {
	dir := func(change func(*dataset.Settings)) string {
		s := dataset.Settings{Sampling: dataset.Uniform, Goal: search.Value, Rules: rotterdam(), Seed: 7, Rows: 150, ShardRows: 150}
		change(&s)
		d := t.TempDir()
		b, err := dataset.NewBuilder(d, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Make(t.Context(), []int{0}, 2, func() {}); err != nil {
			t.Fatal(err)
		}
		return d
	}
	leaders, others := dir(func(*dataset.Settings) {}), dir(func(s *dataset.Settings) { s.Declarer = piquet.EastWest })
	rules, all, err := ReadTeachers(t.Context(), deals(t), []string{others, leaders})
	if err != nil || len(rules) != 1 || len(all) != 2 || all[0].Declarer != piquet.NorthSouth || all[1].Kind != 1 ||
		all[0].Outcomes.Seed != "7" {
		t.Fatalf("%v, %+v, %v", rules, all, err)
	}
	win := dir(func(s *dataset.Settings) { s.Goal = search.Win })
	for want, dirs := range map[string][]string{
		"expected one for each declaring side": {leaders}, "another set": {leaders, leaders}, "expected a set of goal value": {win},
		"is no data set": {t.TempDir()},
	} {
		if _, _, err := ReadTeachers(t.Context(), deals(t), dirs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
