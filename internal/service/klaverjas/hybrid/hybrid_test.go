package hybrid

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/engine/klaverjas/index"
)

// doubt returns a prediction with the given probability of being wrong and the given expected number of cards.
func doubt(wrong, cards float64) *Prediction {
	return &Prediction{WinProbability: 1 - wrong, Effort: Hardness{Log10: math.Log10(cards), Sigma: 0.3}}
}

func TestDecide(t *testing.T) {
	rule := Rule{Gain: 5, Chance: 0.1, Likely: 0.5, Hard: 5000}
	class := func(cards float64) Hardness { return Hardness{Log10: math.Log10(cards)} }
	const speed = 10e6 // a search of 10,000 cards takes 1 ms
	tests := []struct {
		name string
		p    *Prediction
		need Requirements
		want Route
		says string
	}{
		{"confident and hard", doubt(0.001, 50_000), Requirements{Left: Unlimited}, Model, "confidence is 99.9 %"},
		{"confident but easy", doubt(0.001, 100), Requirements{Left: Unlimited}, Search, "99.9 %"},
		{"in doubt and easy", doubt(0.4, 1000), Requirements{Left: Unlimited}, Search, "60.0 %"},
		{"in doubt and hard", doubt(0.4, 50_000), Requirements{Left: Unlimited}, Search, "60.0 %"},
		{"in doubt and too hard", doubt(0.1, 50_000), Requirements{Left: Unlimited}, Model, "63,000 cards"},
		{
			"confident of a loss", &Prediction{WinProbability: 0.0005, Effort: Hardness{4, 0.3}},
			Requirements{Left: Unlimited},
			Model,
			"over 99.9 %",
		},
		{"certain", doubt(0, 10), Requirements{Left: Unlimited}, Model, "100 %"},

		{"confident enough for the request", doubt(0.04, 1000), Requirements{MinConfidence: 0.95, Left: Unlimited}, Model, "95.0 % is required"},
		{"exactly confident enough", doubt(0.25, 1000), Requirements{MinConfidence: 0.75, Left: Unlimited}, Model, "75.0 % is required"},
		{
			"not confident enough for the request", doubt(0.06, 1_000_000),
			Requirements{MinConfidence: 0.95, Left: Unlimited},
			Search,
			"95.0 % is required",
		},
		{"never confident enough", doubt(0, 1_000_000), Requirements{MinConfidence: 1, Left: Unlimited}, Search, "100 % is required"},

		{"no time", doubt(0.4, 1000), Requirements{Budget: time.Millisecond}, Model, "The budget of 1 ms leaves no time"},
		{"past the deadline", doubt(0.4, 1000), Requirements{Left: -time.Second, Budget: time.Millisecond}, Model, "no time"},
		{
			"no time, although confidence is required", doubt(0.4, 1000),
			Requirements{MinConfidence: 1, Budget: time.Millisecond},
			Model,
			"no time",
		},
		{"likely to finish", doubt(0.4, 9000), Requirements{Left: time.Millisecond, Budget: time.Millisecond}, Search, "60.0 %"},
		{"may finish", doubt(0.4, 15_000), Requirements{Left: time.Millisecond, Budget: time.Millisecond}, Search, "60.0 %"},
		{
			"unlikely to finish", doubt(0.4, 30_000),
			Requirements{Left: time.Millisecond, Budget: 2 * time.Millisecond},
			Model,
			"unlikely to finish within 2 ms",
		},
		{
			"unlikely to finish, although confidence is required", doubt(0.4, 30_000),
			Requirements{MinConfidence: 1, Left: time.Millisecond},
			Model,
			"unlikely to finish",
		},

		{
			"not worth it, but within the own budget", doubt(0.001, 5000),
			Requirements{Left: time.Millisecond, Budget: time.Millisecond, Own: true},
			Search,
			"will probably finish within 1 ms",
		},
		{
			"not worth it, and unlikely to finish", doubt(0.001, 20_000),
			Requirements{Left: time.Millisecond, Budget: time.Millisecond, Own: true},
			Model,
			"too few mistakes",
		},
		{"not worth it within the server's limit", doubt(0.001, 5000), Requirements{Left: time.Millisecond}, Model, "too few mistakes"},
		{
			"not worth it by doubt", doubt(0.001, 5000),
			Requirements{Left: time.Millisecond, Own: true, By: Doubt},
			Model,
			"too few mistakes",
		},

		{"a hard distribution", doubt(0.4, 100), Requirements{Left: Unlimited, By: Distribution, Class: class(5001)}, Model, "is hard"},
		{"no hard distribution", doubt(0, 1e6), Requirements{Left: Unlimited, By: Distribution, Class: class(4999)}, Search, "5,000 cards"},
		{
			"an easy distribution without time", doubt(0.4, 100),
			Requirements{Left: time.Microsecond, Budget: time.Microsecond, By: Distribution, Class: class(4000)},
			Model,
			"unlikely to finish",
		},
		{"a distribution after the deadline", doubt(0.4, 100), Requirements{Left: -1, By: Distribution, Class: class(1)}, Model, "no time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := rule.Decide(*tt.p, tt.need, speed)
			if got.Route != tt.want || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%v: %s\nwant %v, and a reason with %q", got.Route, got.Reason, tt.want, tt.says)
			}
			if !strings.HasSuffix(got.Reason, ".") {
				t.Errorf("not a sentence: %s", got.Reason)
			}
		})
	}
}

// Searching the deals with the highest gain avoids more mistakes than searching the least confident ones with the same effort. For
// small sets, the test compares it with all choices: no choice with the same effort avoids more.
func TestGainIsTheBestOrder(t *testing.T) {
	rng := index.NewRand(1)
	uniform := func() float64 { return float64(rng.Uint64()>>11) / (1 << 53) }
	for range 20 {
		deals := make([]*Prediction, 8)
		for i := range deals {
			deals[i] = doubt(uniform()/2, 100*math.Pow(1000, uniform()))
		}
		// The best choice for the effort of the n deals with the highest gain is these n deals.
		order := slices.Clone(deals)
		slices.SortFunc(order, func(a, b *Prediction) int {
			if Gain(*a) > Gain(*b) {
				return -1
			}
			return 1
		})
		for n := range order {
			effort, avoided := 0.0, 0.0
			for _, p := range order[:n] {
				effort += p.Effort.Mean()
				avoided += p.Doubt()
			}
			for choice := range 1 << len(deals) {
				e, a := 0.0, 0.0
				for i, p := range deals {
					if choice>>i&1 == 1 {
						e += p.Effort.Mean()
						a += p.Doubt()
					}
				}
				if e <= effort && a > avoided+1e-9 {
					t.Fatalf("%d deals avoid %v mistakes with %v cards, another choice avoids %v with %v", n, avoided, effort, a, e)
				}
			}
		}
	}
}

func TestHardness(t *testing.T) {
	h := Hardness{Log10: 3, Sigma: 0.5}
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-3*want }
	// The mean of a lognormal variable and its 90th percentile.
	if want := math.Exp(3*math.Ln10 + 0.5*0.5*math.Ln10*math.Ln10/2); !near(h.Mean(), want) {
		t.Errorf("mean %v, want %v", h.Mean(), want)
	}
	if want := 1000 * math.Pow(10, 0.5*1.28155); !near(h.P90(), want) {
		t.Errorf("90th percentile %v, want %v", h.P90(), want)
	}
	for nodes, want := range map[float64]float64{0: 0, 1000: 0.5, 1000 * math.Sqrt(10): 0.841345, h.P90(): 0.9} {
		if got := h.Within(nodes); math.Abs(got-want) > 1e-5 {
			t.Errorf("within %v: %v, want %v", nodes, got, want)
		}
	}
	sharp := Hardness{Log10: 3}
	if sharp.Within(999) != 0 || sharp.Within(1000) != 1 || sharp.Mean() != 1000 {
		t.Error("a hardness with sigma 0 does not have a single value")
	}
	if got := (Hardness{Log10: -5}).Mean(); got != 1 {
		t.Errorf("a search plays %v cards", got)
	}
}

func TestPace(t *testing.T) {
	p := NewPace()
	if got := p.PerSecond(); got != firstPace {
		t.Errorf("initially %v cards a second", got)
	}
	p.Note(1000, 0) // a duration of 0 is ignored
	if got := p.PerSecond(); got != firstPace {
		t.Errorf("after a duration of 0: %v cards a second", got)
	}
	p.Reset(1000, 0)
	if got := p.PerSecond(); got != firstPace {
		t.Errorf("measured in 0 s: %v cards a second", got)
	}
	p.Reset(50_000, 10*time.Millisecond) // a measurement replaces the initial value
	if got := p.PerSecond(); got < 4.999e6 || got > 5.001e6 {
		t.Errorf("measured: %v cards a second", got)
	}
	p.Note(10_000_000, time.Second) // the initial measurement has little weight
	if got := p.PerSecond(); got < 9e6 {
		t.Errorf("after searches of ten million: %v cards a second", got)
	}
	for range 100_000 {
		p.Note(1000, time.Millisecond)
	}
	if got := p.PerSecond(); got < 0.999e6 || got > 1.001e6 {
		t.Errorf("%v cards a second after searches of a million", got)
	}
	for range 100_000 { // old searches lose their weight
		p.Note(2000, time.Millisecond)
	}
	if got := p.PerSecond(); got < 1.99e6 || got > 2.001e6 {
		t.Errorf("%v cards a second after searches of two million", got)
	}
	for range 1000 {
		p.Note(0, time.Hour)
	}
	if got := p.PerSecond(); got < 1 {
		t.Errorf("%v cards a second", got)
	}
}

// searching returns a search that takes the given time and ends with a loss, or ends with its context.
func searching(took time.Duration) func(context.Context) (Found, error) {
	return func(ctx context.Context) (Found, error) {
		select {
		case <-time.After(took):
			return Found{Won: false, Cards: 7}, nil
		case <-ctx.Done():
			return Found{}, ctx.Err()
		}
	}
}

func unsolved(context.Context) (won, ok bool) { return false, false }

func TestAnswer(t *testing.T) {
	rule, fault := Rule{Gain: 5, Chance: 0.1}, errors.New("fault")
	refused := func(context.Context) (Found, error) { return Found{}, &Refusal{"All are busy.", fault} }
	const ms = time.Millisecond
	tests := []struct {
		name   string
		q      Question
		budget time.Duration // 0 for none
		want   Answer        // its Reason is a substring of the actual one
		err    error
		took   time.Duration
	}{
		{
			name: "solved before", want: Answer{Route: Cache, Reason: "solved before", Won: true},
			q: Question{Prediction: doubt(0.4, 100), Lookup: func(context.Context) (won, ok bool) { return true, true }},
		},
		{
			name: "solved before, without time", budget: -ms, want: Answer{Route: Cache, Reason: "solved before", Won: true},
			q: Question{Lookup: func(context.Context) (won, ok bool) { return true, true }},
		},
		{
			name: "solved by another request in the meantime", want: Answer{Route: Cache, Reason: "solved before", Won: true},
			q: Question{Prediction: doubt(0.4, 100), Search: func(context.Context) (Found, error) {
				return Found{Won: true, Cards: 7, Cached: true},
					nil
			}},
		},
		{
			name: "high confidence", q: Question{Prediction: doubt(0.001, 1e6), Search: searching(ms)},
			want: Answer{Route: Model, Reason: "99.9 %", Won: true},
		},
		{
			name: "low confidence", q: Question{Prediction: doubt(0.4, 100), Search: searching(3 * ms)},
			want: Answer{Route: Search, Reason: "only 60.0 %", Cards: 7}, took: 3 * ms,
		},
		{
			name: "within the budget", q: Question{Prediction: doubt(0.4, 100), Search: searching(3 * ms)}, budget: 4 * ms,
			want: Answer{Route: Search, Reason: "only 60.0 %", Cards: 7}, took: 3 * ms,
		},
		{
			name: "past the budget", q: Question{Prediction: doubt(0.4, 100), Search: searching(time.Hour)}, budget: 4 * ms,
			want: Answer{Route: Model, Reason: "did not finish within the budget of 4 ms", Won: true}, took: 4 * ms,
		},
		{
			name: "past the budget, although confidence is required", budget: 4 * ms,
			q:    Question{Prediction: doubt(0.4, 100), MinConfidence: 1, Search: searching(time.Hour)},
			want: Answer{Route: Model, Reason: "did not finish within the budget of 4 ms", Won: true}, took: 4 * ms,
		},
		{
			name: "a search that is unlikely to finish is not started", q: Question{
				Prediction: doubt(0.4, 1e7), MinConfidence: 0.9,
				Search: searching(0),
			}, budget: 4 * ms,
			want: Answer{Route: Model, Reason: "unlikely to finish within 4 ms", Won: true},
		},
		{
			name: "no budget at all", q: Question{Prediction: doubt(0.4, 100), Search: searching(0)}, budget: -ms,
			want: Answer{Route: Model, Reason: "no time", Won: true},
		},
		{
			name: "no searcher", want: Answer{Route: Model, Reason: "All are busy.", Won: true},
			q: Question{Prediction: doubt(0.4, 100), Search: refused},
		},
		{
			name: "no model", q: Question{Unknown: "No model.", Search: searching(time.Hour)},
			want: Answer{Route: Search, Reason: "No model.", Cards: 7}, took: time.Hour,
		},
		{
			name: "no model, no time", q: Question{Unknown: "No model.", Search: searching(time.Hour)}, budget: 4 * ms,
			err: ErrNoAnswer, took: 4 * ms,
		},
		{
			name: "no model, no searcher", err: fault,
			q: Question{Search: refused},
		},
		{
			name: "an error of the search is returned", err: fault,
			q: Question{Prediction: doubt(0.4, 100), Search: func(context.Context) (Found, error) { return Found{}, fault }},
		},
	}
	for i := range tests { // the model's probability, if the model answers
		if tt := &tests[i]; tt.want.Route == Model && tt.err == nil {
			tt.want.WinProbability = tt.q.Prediction.WinProbability
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.q.Lookup == nil {
					tt.q.Lookup = unsolved
				}
				ctx, budget := t.Context(), Unlimited
				if tt.budget != 0 {
					var cancel context.CancelFunc
					budget = max(tt.budget, 0)
					ctx, cancel = context.WithDeadline(ctx, time.Now().Add(tt.budget))
					defer cancel()
				}
				began := time.Now()
				got, err := rule.Answer(ctx, tt.q, Budget{Time: budget}, NewPace())
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if !errors.Is(err, tt.err) || (tt.err == nil) != (err == nil) {
					t.Fatalf("error %v, want %v", err, tt.err)
				}
				if !strings.Contains(got.Reason, tt.want.Reason) {
					t.Errorf("reason %q, want one with %q", got.Reason, tt.want.Reason)
				}
				got.Reason = tt.want.Reason
				if err == nil && got != tt.want {
					t.Errorf("%+v, want %+v", got, tt.want)
				}
			})
		})
	}
}

// If the client disconnects, the model does not answer.
func TestAnswerToDisconnectedClient(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	q := Question{Prediction: doubt(0.4, 100), Lookup: unsolved, Search: func(ctx context.Context) (Found, error) {
		leave()
		return Found{}, ctx.Err()
	}}
	if got, err := DefaultRule().Answer(ctx, q, Budget{Time: Unlimited}, NewPace()); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnswerAll(t *testing.T) {
	rule := Rule{Gain: 5, Chance: 0.1}
	const ms = time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var begun []int
		var running, most int
		search := func(i int, took time.Duration) func(context.Context) (Found, error) {
			return func(ctx context.Context) (Found, error) {
				mu.Lock()
				begun = append(begun, i)
				running++
				most = max(most, running)
				mu.Unlock()
				defer func() {
					mu.Lock()
					running--
					mu.Unlock()
				}()
				return searching(took)(ctx)
			}
		}
		questions := []Question{
			0: {Prediction: doubt(0.1, 1000), Search: search(0, 3*ms)},
			1: {Prediction: doubt(0.4, 1000), Search: search(1, 3*ms)},
			2: {Unknown: "No model.", Search: search(2, 3*ms)},
			3: {Prediction: doubt(0.0001, 1000), Search: search(3, 3*ms)},
			4: {Lookup: func(context.Context) (won, ok bool) { return true, true }},
			5: {Prediction: doubt(0.3, 1000), Search: search(5, 3*ms)},
			6: {Prediction: doubt(0.2, 1000), Search: search(6, 3*ms)},
		}
		for i := range questions {
			if questions[i].Lookup == nil {
				questions[i].Lookup = unsolved
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 8*ms)
		defer cancel()
		began := time.Now()
		results := rule.AnswerAll(ctx, questions, Budget{Time: 8 * ms}, NewPace(), 2)
		if took := time.Since(began); took != 8*ms {
			t.Errorf("took %v of a budget of 8 ms", took)
		}
		slices.Sort(begun[:2])
		slices.Sort(begun[2:4])
		if !slices.Equal(begun, []int{1, 2, 5, 6, 0}) || most != 2 {
			t.Errorf("searches started in the order %v, %d at a time", begun, most)
		}
		want := []Route{Model, Search, Search, Model, Cache, Search, Search}
		for i, r := range results {
			if r.Err != nil || r.Answer.Route != want[i] || r.Answer.Reason == "" {
				t.Errorf("question %d: %+v, want the %v", i, r, want[i])
			}
		}
	})
}

// The model answers the questions for which the budget is not enough. If there is no prediction, only that question gets an error.
func TestAnswerAllRunsOutOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100
		questions := make([]Question, n)
		for i := range questions {
			questions[i] = Question{Prediction: doubt(0.3, 1000), Lookup: unsolved, Search: searching(time.Millisecond)}
		}
		questions[7] = Question{Unknown: "No model.", Lookup: unsolved, Search: searching(time.Hour)}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		results := DefaultRule().AnswerAll(ctx, questions, Budget{Time: 20 * time.Millisecond}, NewPace(), 2)
		routes := map[Route]int{}
		for i, r := range results {
			if i == 7 {
				if !errors.Is(r.Err, ErrNoAnswer) {
					t.Errorf("without a model: %+v", r)
				}
				continue
			}
			if r.Err != nil {
				t.Errorf("question %d: %v", i, r.Err)
			}
			routes[r.Answer.Route]++
		}
		if routes[Search] < 18 || routes[Search] > 20 || routes[Model] != n-1-routes[Search] {
			t.Errorf("%v; in 20 ms one of two searchers can run 20 searches of 1 ms", routes)
		}
	})
}

// stoppedAt is the progress of an interrupted search in which the leader declares. It had finished the given number of the leader's eight
// cards, and had refuted the given number of three replies to the next card.
func stoppedAt(done, answers int) *Interrupted {
	e := &Interrupted{Cards: 14_000}
	e.Plies[0] = Ply{Cards: 8, Done: done, Declarers: true}
	e.Plies[1] = Ply{Cards: 3, Done: answers}
	return e
}

// An interrupted search changes the probability: each finished card of the declarers lowers it, and each finished reply of the defenders
// raises it.
func TestInterrupted(t *testing.T) {
	p := Prediction{WinProbability: 0.5, Effort: Hardness{Log10: 4.3, Sigma: 0.4}}
	last := 1.0
	for done := range 8 {
		probability := DefaultRegressions().Probability(p, stoppedAt(done, 0))
		if probability <= 0 || probability >= last {
			t.Errorf("%d cards finished: %v, one less: %v", done, probability, last)
		}
		if more := DefaultRegressions().Probability(p, stoppedAt(done, 2)); more <= probability {
			t.Errorf("%d cards and two replies finished: %v, without the replies %v", done, more, probability)
		}
		last = probability
	}
	if last > 0.2 {
		t.Errorf("seven of eight cards finished: %v", last)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got, err := DefaultRule().Answer(ctx, Question{
		Prediction: &Prediction{WinProbability: 0.6, Effort: Hardness{Log10: 4, Sigma: 1}}, MinConfidence: 1, Lookup: unsolved,
		Search: func(context.Context) (Found, error) {
			return Found{Interrupted: stoppedAt(7, 0)}, context.DeadlineExceeded
		},
	}, Budget{Time: time.Millisecond}, NewPace())
	if err != nil || got.Route != Model || got.Won || got.WinProbability >= 0.5 || got.Cards != 14_000 ||
		!strings.Contains(got.Reason, "finished 7 of the leader's 8 cards") {
		t.Errorf("%+v, %v", got, err)
	}
}

// Features computed by hand: the leader declares, half of the cards of the first ply are finished, and a third of the defenders'.
func TestSigns(t *testing.T) {
	e := stoppedAt(3, 1)
	e.Plies[0].Cards, e.Cards = 6, 99_999
	got := e.Features(Prediction{WinProbability: 0.75, Effort: Hardness{Log10: 3.5}})
	odds := math.Log(3)
	want := Features{odds, -0.5, -0.5 * odds, 1, odds, -2, -0.5, 1.0 / 3}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("feature %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// A panic over one question is the error of that question. The others are answered.
func TestPanicOverOneOfMany(t *testing.T) {
	found := func(context.Context) (Found, error) { return Found{Won: true, Cards: 7}, nil }
	unknown := func(context.Context) (bool, bool) { return false, false }
	questions := []Question{
		{Unknown: "unknown", Lookup: unknown, Search: found},
		{Unknown: "unknown", Lookup: unknown, Search: func(context.Context) (Found, error) { panic("a bug") }},
		{Unknown: "unknown", Lookup: unknown, Search: found},
	}
	results := DefaultRule().AnswerAll(t.Context(), questions, Budget{Time: Unlimited}, NewPace(), 2)
	for i, r := range results {
		if panics := i == 1; (r.Err != nil) != panics || panics && !strings.Contains(r.Err.Error(), "a bug") || !panics && !r.Answer.Won {
			t.Errorf("%d: %+v, %v", i, r.Answer, r.Err)
		}
	}
}

// By the suit distribution, a list is searched from the easiest distribution on, whatever the model says.
func TestAnswerAllByDistribution(t *testing.T) {
	var begun []int
	question := func(i int, cards float64) Question {
		return Question{
			Prediction: doubt(0.4, 1000), By: Distribution, Class: Hardness{Log10: math.Log10(cards)}, Lookup: unsolved,
			Search: func(context.Context) (Found, error) {
				begun = append(begun, i)
				return Found{Won: true}, nil
			},
		}
	}
	questions := []Question{question(0, 4000), question(1, 9000), question(2, 100), question(3, 2000)}
	results := Rule{Hard: 5000}.AnswerAll(t.Context(), questions, Budget{Time: Unlimited}, NewPace(), 1)
	if !slices.Equal(begun, []int{2, 3, 0}) || results[1].Answer.Route != Model {
		t.Errorf("searched %v, and the hard one was answered by the %v", begun, results[1].Answer.Route)
	}
}
