package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/table/decisions"
	"roem/internal/service"
	"roem/internal/service/servicetest"
	"roem/internal/solvecache"
)

// fixedHand is a hand of two seats in turns, whose acts are what they cost.
type fixedHand int

func (h fixedHand) Turn() (uint8, bool)                 { return uint8(h % 2), true }
func (h fixedHand) View(uint8) int                      { return int(h) }
func (h fixedHand) Act(cost float64) (fixedHand, error) { return h + 1, nil }

type (
	fixed   = decisions.Decision[fixedHand, uint8, int, float64]
	finding struct {
		Worlds int
		Why    bool
	}
	findings = service.Findings[fixed, int, finding]
)

// shownReview is the answer of the review of a fixedHand.
type shownReview struct {
	Verdicts []api.Verdict
	Found    []finding
	Hand     bool
	Source   api.Source
	Nodes    uint64
	Seats    [4]*api.SeatReview
}

// reviewed is a review whose values are in the cache. An act costs what it says, with a standard error of 2.5 over 10 worlds and of
// 0.25 over 40. An act of 0 was forced.
type reviewed struct {
	service.ReviewOf[fixed, int, finding]

	mu    sync.Mutex
	asked []string
}

func (q *reviewed) ask(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked = append(q.asked, text)
}

func (q *reviewed) value(ctx context.Context, p *service.Pass, text string) error {
	value, err := p.LookUp(ctx, service.Lookup{
		Keys: []solvecache.Key{solvecache.Key("value of " + text)}, Valid: func([]byte) bool { return true }, InParts: true,
		Compute: func(context.Context, *computation.Task) ([]byte, error) {
			q.ask(text)
			return []byte(text), nil
		},
	}, nil)
	if err == nil {
		p.Found(value.Source(), 7)
	}
	return err
}

func newReviewed(t *testing.T, s *service.Service, whose service.Whose, acts ...float64) *reviewed {
	t.Helper()
	list, err := service.Decide(whose, "/played", "card", decisions.Of(fixedHand(0), acts), func(d *fixed) int {
		return map[bool]int{true: 1, false: 3}[d.Act == 0]
	}, func(*fixed) ([]int, error) { return []int{10, 40}, nil })
	if err != nil {
		t.Fatal(err)
	}
	q := &reviewed{}
	q.ReviewOf = service.ReviewOf[fixed, int, finding]{
		Service: s, Name: service.NewKey("fixed", 1, "1", "review"), Rule: service.ReviewRule{LeastCost: 5, StandardErrors: 2}, Digits: 1,
		Decisions: list, FromLast: true,
		Judge: func(ctx context.Context, p *service.Pass, d *service.Decision[fixed, int], worlds int, f *finding) (service.KnownCost, error) {
			f.Worlds += worlds
			return service.KnownOf(d.Of.Act, 30/float64(worlds)-0.5), q.value(ctx, p, fmt.Sprint(d.Of.Number, " over ", worlds))
		},
		Why: func(ctx context.Context, p *service.Pass, d *service.Decision[fixed, int], f *finding) error {
			found, source, err := service.Kept(ctx, p, service.Key(fmt.Sprint("why ", d.Of.Number)), func(context.Context) (bool, error) {
				q.ask(fmt.Sprint(d.Of.Number, " why"))
				return true, nil
			})
			f.Why = found
			if err == nil {
				p.Found(source, 1)
			}
			return err
		},
		Hand: func(ctx context.Context, p *service.Pass) (finding, error) {
			return finding{Why: true}, q.value(ctx, p, "hand")
		},
		Open:   func(_ *findings, i int) int { return i % 2 },
		CostOf: func(d *service.Decision[fixed, int]) time.Duration { return time.Duration(d.Asks[0]) * time.Second }, Base: time.Minute,
	}
	return q
}

func shown(f *findings) shownReview {
	out := shownReview{Hand: f.Hand.Why, Source: f.Source, Nodes: f.Nodes, Seats: f.Seats}
	for _, one := range f.List {
		out.Verdicts, out.Found = append(out.Verdicts, one.Verdict), append(out.Found, one.Of)
	}
	return out
}

// A review asks again over more worlds only where it must, asks why only of mistakes, counts by seat, and is known from the cache without a
// computation.
func TestReview(t *testing.T) {
	s := servicetest.New(t, true)
	q := newReviewed(t, s, service.Whose{}, 0, 20, 6, 12, 2, 0)
	if q.Cost() != time.Minute+4*10*time.Second {
		t.Errorf("cost %v", q.Cost())
	}
	if _, known, err := q.Known(t.Context()); known || err != nil || q.asked != nil {
		t.Fatalf("known before: %t, %v, %v", known, err, q.asked)
	}
	answer, err := service.Ask(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	want := shownReview{
		Verdicts: []api.Verdict{
			api.VerdictForced, api.VerdictMistake, api.VerdictLucky, api.VerdictMistake, api.VerdictRight, api.VerdictForced,
		},
		Found: []finding{{}, {10, true}, {50, true}, {10, true}, {50, false}, {}}, Hand: true, Source: api.SourceSearch, Nodes: 7*7 + 3,
		Seats: [4]*api.SeatReview{
			{Verdicts: api.Verdicts{Forced: 1, Right: 1, Lucky: 1}, KnowledgeCost: 8},
			{Verdicts: api.Verdicts{Mistake: 2, Forced: 1}, OpenCost: 3, KnowledgeCost: 32},
		},
	}
	if diff := cmp.Diff(want, shown(answer.Result)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if p := answer.Progress; p.Done != 7 || p.Of != 7 || answer.Source != api.SourceSearch || answer.Nodes != 52 {
		t.Errorf("%+v, %s, %d nodes", p, answer.Source, answer.Nodes)
	}
	asked := []string{
		"1 over 10", "1 why", "2 over 10", "2 over 40", "2 why", "3 over 10", "3 why", "4 over 10", "4 over 40", "hand",
	}
	slices.Sort(q.asked)
	if diff := cmp.Diff(asked, q.asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	q.asked = nil
	again, known, err := q.Known(t.Context())
	if !known || err != nil || q.asked != nil {
		t.Fatalf("known after: %t, %v, %v", known, err, q.asked)
	}
	want.Source, want.Nodes = api.SourceCache, 0
	if diff := cmp.Diff(want, shown(again.Result)); diff != "" {
		t.Errorf("of the cache (-want +got)\n%s", diff)
	}
	q.Keys = []solvecache.Key{"value of something else"}
	if _, known, err := q.Known(t.Context()); known || err != nil {
		t.Errorf("known without a value: %t, %v", known, err)
	}
}

// Parts that are found in turn come from the last to the first, and count their own progress.
func TestReviewInTurn(t *testing.T) {
	s := servicetest.New(t, false)
	q := newReviewed(t, s, service.Whose{}, 1, 20, 1)
	q.InTurn, q.Worlds, q.Hand, q.Why = true, 30, nil, nil
	judge := q.Judge
	q.Judge = func(ctx context.Context, p *service.Pass, d *service.Decision[fixed, int], worlds int, f *finding) (service.KnownCost, error) {
		if f.Worlds > 0 {
			p.More(worlds)
		}
		p.Add(worlds, 0)
		return judge(ctx, p, d, worlds, f)
	}
	answer, err := service.Ask(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2 over 10", "2 over 40", "1 over 10", "0 over 10", "0 over 40"}, q.asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	if p := answer.Progress; p.Done != 110 || p.Of != 110 {
		t.Errorf("%+v", p)
	}
}

// A seat without a decision is an error that names it.
func TestReviewOfASeat(t *testing.T) {
	parse := func(text string) (seat uint8, err error) {
		err = json.Unmarshal([]byte(text), &seat)
		return seat, err
	}
	name := func(seat uint8) string { return [2]string{"first", "second"}[seat] }
	var vs service.Problems
	one := "1"
	second := service.ReadWhose(&vs, &one, parse, name)
	if err := vs.Err(); err != nil || second.Byte(9) != 1 || (service.Whose{}).Byte(9) != 9 {
		t.Errorf("%v, %d, %d", err, second.Byte(9), service.Whose{}.Byte(9))
	}
	q := newReviewed(t, servicetest.New(t, false), second, 1, 2, 3, 4)
	if len(q.Decisions) != 2 || q.Decisions[0].Of.Number != 1 || q.Decisions[1].Seat != 1 {
		t.Errorf("%+v", q.Decisions)
	}
	_, err := service.Decide(second, "/played", "card", decisions.Of(fixedHand(0), []float64{1}), func(*fixed) int { return 1 },
		func(*fixed) ([]int, error) { return nil, nil })
	e, _ := errors.AsType[*service.Error](err)
	if e == nil || len(e.Violations) != 1 || e.Violations[0].Pointer != "/played" ||
		e.Violations[0].Detail != "has no card of second: expected at least one" {
		t.Errorf("%v", err)
	}
}
