package klaverjas

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service"
)

// advisePlayouts returns the answer to a request for playouts.
func advisePlayouts(t *testing.T, g *Game, fields string) api.KlaverjasAdvice {
	t.Helper()
	q, err := ParseAdvise(context.Background(), g, []byte(`{`+fields+`, "method": "playout"}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := service.Ask(t.Context(), g.service, q)
	if err != nil {
		t.Fatal(err)
	}
	return g.outAdvice(q, answer)
}

func TestPlayoutAdviceDoesNotDependOnWorkers(t *testing.T) {
	for _, fields := range []string{playedView + `, "worlds": 250, "seed": "5"`, playedView + `, "objective": "win"`, lateView, lateView +
		`, "worlds": 11`} {
		one := advisePlayouts(t, newGame(t, service.Options{Slots: 1}, Options{}), fields)
		three := advisePlayouts(t, newGame(t, service.Options{Slots: 3}, Options{}), fields)
		if diff := cmp.Diff(withoutEffort(one), withoutEffort(three)); diff != "" {
			t.Errorf("%s (-one worker +three)\n%s", fields, diff)
		}
		if one.Method != api.KlaverjasAdviceMethodPlayout || one.Basis != api.KlaverjasAdviceBasisPlay || one.Model == nil {
			t.Errorf("%s: %+v", fields, one)
		}
	}
}

func TestPlayoutAdviceIsCached(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{})
	for _, tt := range []struct {
		fields string
		cached bool
		all    bool
		most   int // worlds used
	}{
		{fields: playedView, most: 100},
		{fields: playedView + `, "worlds": 100`, cached: true, most: 100},
		{fields: playedView + `, "objective": "win"`, cached: true, most: 100},
		{fields: playedView + `, "seed": "1"`, most: 100},
		{fields: playedView + `, "worlds": 101`, most: 101},
		{fields: lateView, all: true, most: 80},
		{fields: lateView + `, "seed": "3"`, cached: true, all: true, most: 80},
		{fields: lateView + `, "worlds": 79`, most: 79},
	} {
		got := advisePlayouts(t, g, tt.fields)
		if cached := got.Source == api.SourceCache; cached != tt.cached || got.Worlds.All != tt.all || got.Worlds.Used > tt.most ||
			got.Worlds.Used < 1 {
			t.Errorf("%s: from the %s, %+v; want %+v", tt.fields, got.Source, got.Worlds, tt)
		}
	}
	// A search of the same worlds is another answer.
	if _, got := advise(t, g, playedView); got.Source == api.SourceCache || got.Method != api.KlaverjasAdviceMethodSearch || got.Model != nil {
		t.Errorf("search: %+v", got)
	}
}

func TestPlayoutAdviceWithinABudget(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{})
	if got := advisePlayouts(t, g, playedView+`, "budget_ms": 1`); got.Worlds.Used < 1 { // the first round is always done
		t.Errorf("%+v", got.Worlds)
	}
	if got := advisePlayouts(t, g, playedView+`, "budget_ms": 600000, "worlds": 300`); got.Worlds.Used < 1 || got.Worlds.Used > 300 {
		t.Errorf("%+v", got.Worlds)
	}
}

func TestPlayoutAdviceForced(t *testing.T) {
	g := newGame(t, service.Options{Slots: 1}, Options{})
	got := advisePlayouts(t, g, `"rules": {"system": "amsterdam"}, "trump": "S", "leader": "W", "declarer": "NS", "seat": "N",
		"hand": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"], "played": ["8D"]`)
	if got.Card != "7D" || got.Worlds.Used != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPlayoutAdviceRefuses(t *testing.T) {
	g := newGame(t, service.Options{Slots: 1}, Options{})
	for pointer, fields := range map[string]string{
		"/worlds": playedView + `, "worlds": 10001, "method": "playout"`,
		"/method": playedView + `, "method": "guess"`,
	} {
		_, err := ParseAdvise(context.Background(), g, []byte(`{`+fields+`}`))
		var refused *service.Error
		if !errors.As(err, &refused) || len(refused.Violations) != 1 || refused.Violations[0].Pointer != pointer {
			t.Errorf("%s: %+v", pointer, err)
		}
	}
}
