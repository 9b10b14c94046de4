package tarok

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok/enginetest"
)

func sampled(t *testing.T, g *Game, body string) api.TarokWorlds {
	t.Helper()
	q, err := ParseWorlds(context.Background(), g, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.Worlds(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSampleAnswer: places are probabilities, seeds repeat, and clusters account for the deals.
func TestSampleAnswer(t *testing.T) {
	g := newGame(t, false)
	body := viewOf(13, `,"worlds":12,"method":"clustered","base":60,"seed":"7"`)
	out := sampled(t, g, body)
	if diff := cmp.Diff(out, sampled(t, g, body)); diff != "" {
		t.Errorf("another answer from the same seed:\n%s", diff)
	}
	var sum [3]float64 // how many cards A, C and the discards have
	for _, p := range out.Places {
		all := 0.0
		for i, at := range []*float64{p.A, p.C, p.Discards} {
			if at != nil {
				all += *at
				sum[i] += *at
			}
		}
		if math.Abs(all-1) > 1e-12 || p.B != nil || p.Talon != nil {
			t.Errorf("%+v", p)
		}
	}
	// After 13 cards A has led the fifth trick.
	for i, want := range []float64{11, 12, 2} {
		if math.Abs(sum[i]-want) > 1e-9 {
			t.Errorf("%g cards at place %d, want %g", sum[i], i, want)
		}
	}
	size, chosen := 0, 0
	for _, c := range *out.Clusters {
		size += c.Size
		chosen += c.Chosen
	}
	if size != 60 || chosen != 12 || len(out.Worlds) != 12 || len(*out.Clusters) != 4 || out.Phase != api.TarokWorldsPhasePlay ||
		*out.Turn != api.TarokSeatB {
		t.Errorf("clusters of %d worlds, %d chosen, %d deals, %s, %s to play", size, chosen, len(out.Worlds), out.Phase, *out.Turn)
	}
}

// TestSampleKnown: with all cards played there is one deal, the real one.
func TestSampleKnown(t *testing.T) {
	out := sampled(t, newGame(t, false), viewOf(48, ``))
	setup, _ := enginetest.Example()
	want := []api.TarokWorld{{Hands: outHands(setup.Deal.Hands), Talon: outCards(setup.Deal.Talon[:]), Discards: api.TarokCards{"C8", "CJ"}}}
	if diff := cmp.Diff(want, out.Worlds); out.Of != 1 || diff != "" {
		t.Errorf("%d worlds (-want, +got):\n%s", out.Of, diff)
	}
}

func TestComplexityAnswer(t *testing.T) {
	g := newGame(t, false)
	answer := func(body string) api.TarokComplexity {
		q, err := ParseComplexity(context.Background(), g, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		out, err := g.Complexity(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := answer(`{"playouts":501,"seed":"3"}`)
	if diff := cmp.Diff(out, answer(`{"playouts":501,"seed":"3"}`)); diff != "" || out.Play.Playouts != 501 ||
		out.Biddings[0].Sequences != 516 {
		t.Errorf("%+v\n%s", out, diff)
	}
	// A has six cards that may be discarded, and each of the pairs T7 H1, HC T5 and T20 SC has one more.
	if out := answer(dealBody(`,"contract":"two","declarer":"A","playouts":3`)); out.Exchanges != 3*21 {
		t.Errorf("%d exchanges", out.Exchanges)
	}
	q, err := ParseComplexity(context.Background(), g, []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Complexity(ctx, q); err == nil {
		t.Error("no error of an ended context")
	}
}
