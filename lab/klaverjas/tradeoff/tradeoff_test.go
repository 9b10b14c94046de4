package tradeoff

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/service/klaverjas/hybrid"
)

// deal returns a deal with the given predicted probability of a win. Its search is predicted to play, and plays, the given number of
// cards, at a million cards per second.
func deal(probability float64, cards float64, won bool) Deal {
	return Deal{
		Prediction: hybrid.Prediction{WinProbability: probability, Effort: hybrid.Hardness{Log10: math.Log10(cards)}},
		Won:        won, Cards: cards, Took: time.Duration(cards) * time.Microsecond,
	}
}

// five returns five deals. The predictions of two are wrong.
func five() []Deal {
	return []Deal{
		deal(0.9, 1000, true),
		deal(0.6, 2000, false), // wrong
		deal(0.2, 1000, true),  // wrong
		deal(0.99, 4000, true),
		deal(0.3, 2000, false),
	}
}

var near = cmpopts.EquateApprox(0, 1e-9)

func try(t *testing.T, deals []Deal, p Policy, predict time.Duration) Outcome {
	t.Helper()
	o, err := Try(deals, p, predict, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestTry(t *testing.T) {
	const predict = 10 * time.Microsecond
	for _, tt := range []struct {
		name   string
		policy Policy
		want   Outcome
	}{
		{"model", Policy{Budget: 0}, Outcome{Accuracy: 0.6, Model: 1, Cards: 0, Mean: predict, P99: predict}},
		{
			"search",
			Policy{MinConfidence: 1, Budget: hybrid.Unlimited},
			Outcome{Accuracy: 1, Model: 0, Cards: 1, Mean: predict + 2*time.Millisecond, P99: predict + 4*time.Millisecond},
		},
		{ // 2000 + 1000 + 2000 cards
			"gain",
			Policy{Rule: hybrid.Rule{Gain: 120}, Budget: hybrid.Unlimited},
			Outcome{Accuracy: 1, Model: 0.4, Cards: 0.5, Mean: predict + time.Millisecond, P99: predict + 2*time.Millisecond},
		},
		{ // 2000 + 2000 cards: the wrong deal of confidence 0.8 is not searched
			"confidence",
			Policy{MinConfidence: 0.8, Budget: hybrid.Unlimited},
			Outcome{Accuracy: 0.8, Model: 0.6, Cards: 0.4, Mean: predict + 800*time.Microsecond, P99: predict +
				2*time.Millisecond},
		},
		{ // searches of 1000 cards finish; the others are not started, since their predicted effort has no variance
			"budget",
			Policy{Rule: hybrid.Rule{Chance: 0.1}, MinConfidence: 1, Budget: 1500 * time.Microsecond},
			Outcome{Accuracy: 0.8, Model: 0.6, Cards: 0.2, Mean: predict + 400*time.Microsecond, P99: predict + time.Millisecond},
		},
	} {
		if diff := cmp.Diff(tt.want, try(t, five(), tt.policy, predict), near); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
	// A search that is started and does not finish takes the whole budget.
	slow := []Deal{deal(0.6, 2000, false)}
	slow[0].Prediction.Effort.Sigma = 0.5
	got := try(t, slow, Policy{Rule: hybrid.Rule{Chance: 0.1}, MinConfidence: 1, Budget: 1010 * time.Microsecond}, predict)
	if diff := cmp.Diff(Outcome{Accuracy: 0, Model: 1, Cards: 0.5, Mean: 1010 * time.Microsecond, P99: 1010 * time.Microsecond},
		got, near); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The progress of an interrupted search can change the answer.
func TestTryStopped(t *testing.T) {
	deals := []Deal{deal(0.55, 2000, false), deal(0.4, 4000, false), deal(0.6, 500, true)}
	for i := range deals {
		deals[i].Prediction.Effort.Sigma = 0.5
	}
	var asked []uint64
	stop := func(_ *Deal, cards uint64) (*hybrid.Interrupted, error) {
		asked = append(asked, cards)
		e := &hybrid.Interrupted{Cards: cards}
		e.Plies[0] = hybrid.Ply{Cards: 8, Done: 7, Declarers: true} // the search found no win
		return e, nil
	}
	got, err := Try(deals, Policy{Rule: hybrid.Rule{}, MinConfidence: 1, Budget: time.Millisecond}, 0, stop)
	if err != nil {
		t.Fatal(err)
	}
	if got.Accuracy != 1 {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]uint64{1000, 1000}, asked); diff != "" {
		t.Errorf("stopped after (-want +got)\n%s", diff)
	}
}

func TestBatch(t *testing.T) {
	// The first two searches by gain take 3 ms together and correct all mistakes.
	for budget, want := range map[time.Duration]float64{0: 0.6, 3 * time.Millisecond: 1, time.Second: 1} {
		if accuracy, took := Batch(five(), Policy{Budget: budget}, 0); accuracy != want || took > budget {
			t.Errorf("%v: %v right in %v, want %v", budget, accuracy, took, want)
		}
	}
}

func TestSpearman(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 200, 201, 1e9}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8},
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)},
	} {
		if got := spearman(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v, %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestRoutes(t *testing.T) {
	sets := []Set{{Name: "uniform", Seed: 9, Measured: five(), Predict: time.Microsecond}}
	markdown, err := RoutesMarkdown(sets)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### Uniform: the routes\n\n5 deals of seed 9", "| `doubt` | none | 100.00 % |", "| budget a deal |"} {
		if !strings.Contains(string(markdown), want) {
			t.Errorf("%q is not in\n%s", want, markdown)
		}
	}
	files := RoutesFiles(sets)
	if csv := string(files["routes-uniform.csv"]); !strings.HasPrefix(csv, "route,budget_ms,ms,accuracy\ndistribution,0.01,") {
		t.Errorf("%s", csv)
	}
	if svg := string(files["routes-uniform.svg"]); !strings.HasPrefix(svg, "<svg ") || strings.Count(svg, "<path") != 3 {
		t.Errorf("%s", svg)
	}
}
