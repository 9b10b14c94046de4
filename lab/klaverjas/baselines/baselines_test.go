package baselines

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/dataset/datasettest"
)

const docs = "../../docs/klaverjas/baselines"

func makeSet(t *testing.T, change func(*dataset.Settings)) *dataset.Set {
	t.Helper()
	s := dataset.Settings{
		Sampling: dataset.ClassUniform, Goal: search.Win, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 1, Rows: 4000, ShardRows: 500,
	}
	change(&s)
	return datasettest.Make(t, s, 0)
}

func small(workers int) Options { return Options{Seed: 3, Trees: 8, Rounds: 12, Workers: workers} }

// The results are the same with one worker and two, and on sets without training rows the order of the models by quality is the
// expected one.
func TestSmall(t *testing.T) {
	trained, tested, options := uint64(4000), uint64(1500), small(1)
	if testing.Short() { // the race detector makes searches slow
		trained, tested = 400, 100
		options.Trees, options.Rounds = 2, 2
	}
	train := makeSet(t, func(s *dataset.Settings) { s.Rows = trained })
	tests := []*dataset.Set{
		makeSet(t, func(s *dataset.Settings) { s.Seed, s.Rows = 2, tested }),
		makeSet(t, func(s *dataset.Settings) { s.Sampling, s.Rows = dataset.Uniform, tested }),
	}
	var texts [][]byte
	var r *Results
	for _, workers := range []int{1, 2} {
		var err error
		options.Workers = workers
		if r, err = Run(t.Context(), train, tests, options); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the results of two workers differ from the results of one")
	}
	if _, err := Render(r); err != nil {
		t.Error(err)
	}
	if testing.Short() { // with so few deals the order is random
		return
	}
	accuracy, rank := make(map[string]float64), make(map[string]float64)
	for _, w := range r.Winners {
		if !(w.Accuracy.Low < w.Accuracy.Value && w.Accuracy.Value < w.Accuracy.High && w.LogLoss.Value > 0 && w.Brier.Value > 0) {
			t.Errorf("%+v", w)
		}
		if w.Set == dataset.ClassUniform {
			accuracy[w.Model] = w.Accuracy.Value
		}
	}
	for _, h := range r.Hardness {
		if h.Set == dataset.ClassUniform {
			rank[h.Model] = h.Rank.Value
		}
	}
	if !(accuracy[ShareOfWins] < 0.6 && accuracy[PaperForest] > 0.8 && accuracy[Logistic] > 0.8 && accuracy[Boosting] > 0.8) {
		t.Errorf("accuracies %v", accuracy)
	}
	if !(rank[MeanEffort] == 0 && rank[EffortFromCounts] > 0.3 && rank[EffortFromHands] > rank[EffortFromCounts]+0.1) {
		t.Errorf("rank correlations %v", rank)
	}
}

// A model is not trained on a twin of a test deal. Here the two sets share all deals.
func TestNoTwins(t *testing.T) {
	set := makeSet(t, func(s *dataset.Settings) { s.Rows = 200 })
	if _, err := Run(t.Context(), set, []*dataset.Set{set}, small(1)); err == nil || !strings.Contains(err.Error(), "no rows to train on") {
		t.Errorf("error %v, expected one about a training set without rows", err)
	}
	held := make(map[uint64]struct{})
	first, err := read(t.Context(), set, small(1), 150, nil, held)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := read(t.Context(), set, small(1), 0, held, nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.info.Rows != 150 || rest.info.Rows != 50 || rest.info.Dropped != 150 || rest.info.RowsDrawn() != 200 {
		t.Errorf("read %+v, then %+v", first.info, rest.info)
	}
}

func TestRefused(t *testing.T) {
	train := makeSet(t, func(s *dataset.Settings) { s.Rows = 50 })
	for _, test := range []struct {
		name, want string
		change     func(*dataset.Settings)
	}{
		{"goal", "the goal value", func(s *dataset.Settings) { s.Goal = search.Value }},
		{"rules", "different rules", func(s *dataset.Settings) { s.Rules = klaverjas.DefaultRules(klaverjas.Amsterdam) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := makeSet(t, func(s *dataset.Settings) {
				s.Rows = 50
				test.change(s)
			})
			if _, err := Run(t.Context(), train, []*dataset.Set{other}, small(1)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected one with %q", err, test.want)
			}
		})
	}
	if _, err := Render(&Results{}); !errors.Is(err, ErrResults) {
		t.Errorf("error %v, expected %v", err, ErrResults)
	}
}

// The expected values were computed by hand.
func TestMeasures(t *testing.T) {
	approx := cmpopts.EquateApprox(0, 5e-4)
	// Wilson's interval for 8 of 10: (0.8 + 0.19207)/(1.38415) and so on.
	if diff := cmp.Diff(Interval{0.8, 0.4902, 0.9433}, share(8, 10), approx); diff != "" {
		t.Errorf("share\n%s", diff)
	}
	// The mean of 1 2 3 4 is 2.5, the standard deviation 1.29099, half the interval 1.959964 x 1.29099 / 2.
	if diff := cmp.Diff(Interval{2.5, 1.23485, 3.76515}, mean([]float64{1, 2, 3, 4}), approx); diff != "" {
		t.Errorf("mean\n%s", diff)
	}
	if diff := cmp.Diff([]float64{0, 3, 1.5, 1.5, 4}, ranks([]float64{-1, 5, 2, 2, 9})); diff != "" {
		t.Errorf("ranks\n%s", diff)
	}
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 100, 1000, 10000}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4, 5}, []float64{2, 1, 4, 3, 5}, 0.8}, // 1 - 6 x 4 / (5 x 24)
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0},
	} {
		if got := spearman(test.a, test.b).Value; math.Abs(got-test.want) > 1e-12 {
			t.Errorf("rank correlation of %v and %v is %g, expected %g", test.a, test.b, got, test.want)
		}
	}
	r := &rows{info: Set{Sampling: dataset.Uniform}, won: []bool{true, true, false, false}, effort: []float64{1, 2, 3, 4}}
	w := winner(r, "some", []float64{0.9, 0.4, 0.2, 0.5})
	// Correct: the first, the third, and the fourth, since a probability of exactly 0.5 is not a predicted win.
	// Log loss: (-ln 0.9 - ln 0.4 - ln 0.8 - ln 0.5) / 4. Brier: (0.01 + 0.36 + 0.04 + 0.25) / 4.
	if diff := cmp.Diff([]float64{0.75, 0.4845, 0.165}, []float64{w.Accuracy.Value, w.LogLoss.Value, w.Brier.Value}, approx); diff != "" {
		t.Errorf("winner\n%s", diff)
	}
	h := hardness(r, "some", []float64{1, 3, 3, 6})
	if diff := cmp.Diff([]float64{0.75, 0.9487}, []float64{h.Error.Value, h.Rank.Value}, approx); diff != "" {
		t.Errorf("hardness\n%s", diff)
	}
}

// Every file of lab/docs/klaverjas/baselines is what Render returns for the committed results, and the order of the models is the one that
// the page states.
func TestDocuments(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(docs, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r Results
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	files, err := Render(&r)
	if err != nil {
		t.Fatal(err)
	}
	var models []deal.Baseline
	dec = json.NewDecoder(bytes.NewReader(files["models.json"]))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&models); err != nil {
		t.Errorf("the model card cannot read the models: %v", err)
	}
	for _, m := range models {
		if m.Name == "" || m.Rows != r.Train.Rows || !(m.ClassUniform > 0.5 && m.Uniform > 0.5) {
			t.Errorf("m %+v", m)
		}
	}
	if len(models) != 4 {
		t.Errorf("%d models, expected 4", len(models))
	}
	entries, err := os.ReadDir(docs)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(files)+1 {
		t.Errorf("%d files, expected %d and the results", len(entries), len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-from the results +there; roem-lab klaverjas baselines render lab/docs/klaverjas/baselines writes it)\n%s", name, diff)
		}
	}
}
