package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/network"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/floatnet"
)

// makeSet makes a data set and returns its directory.
func makeSet(t *testing.T, change func(*dataset.Settings)) string {
	t.Helper()
	s := dataset.Settings{
		Sampling: dataset.ClassUniform, Goal: search.Win, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 1, Rows: 1200, ShardRows: 600,
	}
	change(&s)
	dir := t.TempDir()
	b, err := dataset.NewBuilder(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := b.Missing(0, s.Shards(), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Make(t.Context(), missing, 2, func() {}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Deals that a model chose are trained on, but never calibrated or measured with.
func TestChosenRows(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	choice := func(s *dataset.Settings) {
		s.Seed, s.Choice = 3, &dataset.Choice{Model: sum, Gain: 8, Takes: func(klaverjas.Deal) bool { return true }}
	}
	plain := makeSet(t, func(s *dataset.Settings) { s.Seed = 3 })
	chosen := makeSet(t, choice)
	want, err := Read(t.Context(), []string{plain}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), []string{chosen}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Calibration) == 0 || len(got.Calibration) != 0 || len(got.Train) != len(want.Train) {
		t.Errorf("of the same deals %d are trained on and %d are for the calibration; when they are chosen, %d and %d",
			len(want.Train), len(want.Calibration), len(got.Train), len(got.Calibration))
	}
	if d := got.Data[0]; d.Gain != 8 || d.ChosenBy != sum {
		t.Errorf("%+v", d)
	}
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Evaluate(t.Context(), m, chosen); err == nil || !strings.Contains(err.Error(), "its deals were chosen") {
		t.Errorf("it was measured: %v", err)
	}
}

func TestRead(t *testing.T) {
	one := makeSet(t, func(*dataset.Settings) {})
	other := makeSet(t, func(s *dataset.Settings) { s.Goal, s.Seed, s.Rows = search.Value, 2, 40 })
	all, err := Read(t.Context(), []string{one, other}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all.Calibration); n < 1200/calibrationParts/3 || n > 3*1200/calibrationParts {
		t.Errorf("%d of 1240 rows are for the calibration", n)
	}
	if all.Dropped != 0 || all.NodesPerMillisecond <= 0 || !all.LeaderDeclares || all.Solver != search.Version {
		t.Errorf("%d dropped, %v nodes a millisecond, leader declares: %t, solver %s", all.Dropped, all.NodesPerMillisecond, all.LeaderDeclares,
			all.Solver)
	}
	if len(all.Data) != 2 || all.Data[0].Rows+all.Data[1].Rows != len(all.Train) || all.Data[1].Goal != "value" || all.Data[1].Seed != "2" {
		t.Errorf("data %+v of %d rows", all.Data, len(all.Train))
	}
	outcomes, efforts := 0, 0
	for _, e := range all.Train {
		if e.Outcome != 0 {
			outcomes++
		}
		if e.LogNodes == e.LogNodes {
			efforts++
		}
	}
	if outcomes != all.Data[1].Rows || efforts != all.Data[0].Rows {
		t.Errorf("%d rows have an outcome, %d an effort; sets %+v", outcomes, efforts, all.Data)
	}
	kept := map[network.Suits]bool{}
	for _, e := range all.Calibration {
		kept[e.Suits] = true
	}
	for _, e := range all.Train {
		if kept[e.Suits] {
			t.Fatalf("%v stands on both sides", e.Suits)
		}
	}

	t.Run("held out", func(t *testing.T) {
		rows, err := Read(t.Context(), []string{one, other}, []string{other}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Dropped != 40 || len(rows.Train) != all.Data[0].Rows {
			t.Errorf("%d dropped, %d left", rows.Dropped, len(rows.Train))
		}
	})
	t.Run("limit", func(t *testing.T) {
		rows, err := Read(t.Context(), []string{one}, nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(rows.Train) + len(rows.Calibration); got != 100 {
			t.Errorf("%d rows", got)
		}
	})
	t.Run("refusals", func(t *testing.T) {
		opponents := makeSet(t, func(s *dataset.Settings) { s.Declarer, s.Rows = piquet.EastWest, 5 })
		rules := makeSet(t, func(s *dataset.Settings) { s.Rules.Melds, s.Rows = false, 5 })
		for dir, want := range map[string]string{opponents: "the other team declares", rules: "other rules", t.TempDir(): "is no data set"} {
			if _, err := Read(t.Context(), []string{one, dir}, nil, 0); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
		if _, err := Read(t.Context(), []string{other}, []string{other}, 0); err == nil {
			t.Error("no rows are left, and no error")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Read(ctx, []string{one}, nil, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// Twins, which differ in the names of plain suits, are one deal to the split.
func TestTwinsStayTogether(t *testing.T) {
	rng := index.NewRand(1)
	for range 200 {
		d := klaverjas.Deal{Trump: piquet.Clubs, Leader: piquet.North, Hands: index.Random(rng, piquet.Clubs, piquet.North)}
		canonical, re := index.Canonical(d)
		twinIndex, _ := index.Canonical(re.Deal(d))
		if scramble(canonical) != scramble(twinIndex) {
			t.Fatalf("%v and its twin go to different parts", d)
		}
	}
}

func options() Options {
	return Options{
		Training: network.Training{
			Shape: network.Shape{Width: 16, Layers: 1, Head: [2]int{
				16,
				16,
			}}, Seed: 3, Batch: 512, Examples: 100_000, Rate: 0.02, OutcomeWeight: 0.1, EffortWeight: 0.1,
		},
		Version: "test", Workers: 2, Tell: func(floatnet.Progress) {},
	}
}

// From data sets to weights and to their card, the same bytes each time.
func TestTrainAndEvaluate(t *testing.T) {
	dir := makeSet(t, func(s *dataset.Settings) { s.Rows = 6000 })
	held := makeSet(t, func(s *dataset.Settings) { s.Seed, s.Rows = 9, 400 })
	values := makeSet(t, func(s *dataset.Settings) { s.Seed, s.Rows, s.Goal = 10, 60, search.Value })
	train := func(workers int, start []byte) []byte {
		t.Helper()
		rows, err := Read(t.Context(), []string{dir}, []string{held}, 0)
		if err != nil {
			t.Fatal(err)
		}
		rows.NodesPerMillisecond = 1000 // it was measured, and is never the same twice
		o := options()
		o.Workers = workers
		if start != nil {
			if o.Start, err = Open(start); err != nil {
				t.Fatal(err)
			}
		}
		file, err := Train(t.Context(), rows, o)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := train(1, nil)
	if !bytes.Equal(file, train(2, nil)) {
		t.Error("two workers make other weights than one")
	}
	m, err := deal.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(t.Context(), m, held)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Evaluate(t.Context(), m, held)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report, again); diff != "" {
		t.Errorf("measured twice:\n%s", diff)
	}
	if report.Rows != 400 || report.Accuracy.Value < 0.65 || report.Hardness.RankCorrelation.Value < 0.05 || report.Outcome != nil {
		t.Errorf("report %+v", report)
	}
	for name, x := range map[string]deal.Measured{
		"accuracy": report.Accuracy, "log loss": report.LogLoss, "Brier": report.Brier, "coverage": report.Hardness.Coverage,
		"correlation": report.Hardness.RankCorrelation,
	} {
		if !(x.Low < x.Value && x.Value < x.High) {
			t.Errorf("%s: %+v", name, x)
		}
	}
	sums := [2]float64{}
	for _, b := range report.ByConfidence {
		sums[0] += b.Share
	}
	for _, b := range report.ByEffort {
		sums[1] += b.Share
	}
	if diff := cmp.Diff([2]float64{1, 1}, sums, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
	valued, err := Evaluate(t.Context(), m, values)
	if err != nil {
		t.Fatal(err)
	}
	if valued.Outcome == nil || valued.Outcome.RMSE < valued.Outcome.MeanAbsoluteError || valued.Hardness != (deal.Hardness{}) {
		t.Errorf("on outcomes %+v", valued)
	}

	further, err := deal.Load(train(2, file))
	if err != nil {
		t.Fatal(err)
	}
	before := further.Trained()[0].Before
	if len(before) != 1 || before[0].SHA256 != m.SHA256() || before[0].Training.Examples != 100_000 {
		t.Errorf("trained further after %+v", before)
	}
	card := NewCard(further)
	card.Sets = []deal.SetReport{report, valued}
	text := Markdown(card)
	for _, want := range []string{"| class-uniform, seed 9 | 400 |", "## Limits", further.SHA256()} {
		if !strings.Contains(text, want) {
			t.Errorf("the card does not say %q:\n%s", want, text)
		}
	}

	opponents := makeSet(t, func(s *dataset.Settings) { s.Declarer, s.Rows = piquet.EastWest, 5 })
	if _, err := Evaluate(t.Context(), m, opponents); err == nil || !strings.Contains(err.Error(), "not trained for") {
		t.Errorf("opponents: %v", err)
	}
}

func TestFiguresByHand(t *testing.T) {
	rows := []judged{
		{Prediction: deal.Prediction{WinProbability: 0.9, Log10Nodes: 1, Log10Nodes90: 2}, won: true, nodes: 99},
		{Prediction: deal.Prediction{WinProbability: 0.9, Log10Nodes: 2, Log10Nodes90: 2}, won: false, nodes: 100},
		{Prediction: deal.Prediction{WinProbability: 0.2, Log10Nodes: 3, Log10Nodes90: 4}, won: false, nodes: 999},
		{Prediction: deal.Prediction{WinProbability: 0.4, Log10Nodes: 3, Log10Nodes90: 4}, won: true, nodes: 9},
	}
	var got deal.SetReport
	measure(&got, rows)
	want := map[string][2]float64{
		"accuracy":    {0.5, got.Accuracy.Value},
		"log loss":    {-(math.Log(0.9) + math.Log(0.1) + math.Log(0.8) + math.Log(0.4)) / 4, got.LogLoss.Value},
		"Brier":       {(0.01 + 0.81 + 0.04 + 0.36) / 4, got.Brier.Value},
		"ECE":         {(0.8 + 0.2 + 0.6) / 4, got.ECE.Value},
		"coverage":    {0.75, got.Hardness.Coverage.Value},
		"correlation": {0.5 / math.Sqrt(4.5*5), got.Hardness.RankCorrelation.Value}, // ranks 0 1 2.5 2.5 and 1 2 3 0
	}
	for name, x := range want {
		if math.Abs(x[0]-x[1]) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, x[1], x[0])
		}
	}
}

// Outputs that are off by a known scale and shift are put right.
func TestCalibrate(t *testing.T) {
	float, err := floatnet.New(options().Shape, steep(t))
	if err != nil {
		t.Fatal(err)
	}
	n, err := floatnet.Quantise(float, sample())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	deals := index.NewRand(4)
	examples := make([]floatnet.Example, 40_000)
	for i := range examples {
		hands := index.Random(deals, piquet.Clubs, piquet.North)
		examples[i].Suits = deal.Suits(&hands, piquet.Clubs, piquet.North)
	}
	for i, out := range forward(n, examples) {
		examples[i].Won = rng.Float64() < 1/(1+math.Exp(-(0.5*out[network.Win]+0.3)))
		examples[i].LogNodes = float32(max(out[network.Effort], out[network.Effort90]) + rng.Float64())
	}
	c := calibrate(n, examples)
	if math.Abs(c.Scale-0.5) > 0.05 || math.Abs(c.Shift-0.3) > 0.05 || math.Abs(c.Effort90Shift-0.9) > 0.02 || c.Rows != len(examples) {
		t.Errorf("calibration %+v", c)
	}
}

// steep returns parameters of a network whose outputs vary.
func steep(t *testing.T) []float32 {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	params := make([]float32, network.ParamCount(options().Shape))
	for i := range params {
		params[i] = float32(rng.NormFloat64() / 4)
	}
	return params
}

// The card that comes with the program belongs to its weights.
func TestCardIsOfTheWeights(t *testing.T) {
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	card := deal.DefaultCard()
	if diff := cmp.Diff(NewCard(m).Weights, card.Weights, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("weights (-embedded +card):\n%s", diff)
	}
}

// The logits of a network that is far too sure are scaled down, and the logits of a network that is not sure enough are scaled up.
func TestFitLogit(t *testing.T) {
	rng := index.NewRand(6)
	for _, times := range []float64{0.2, 1, 12} {
		var logits []float64
		var won []bool
		for range 4000 {
			z := 3 * rng.NormFloat64()
			logits = append(logits, times*(z+0.5))
			won = append(won, rng.Float64() < 1/(1+math.Exp(-z)))
		}
		scale, shift, ok := fitLogit(logits, won)
		if !ok || math.Abs(scale*times-1) > 0.15 || math.Abs(shift+0.5) > 0.2 {
			t.Errorf("logits times %v plus 0.5: scale %v, shift %v, %t", times, scale, shift, ok)
		}
	}
}
