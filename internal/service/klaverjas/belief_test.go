package klaverjas

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/service"
)

// Different worlds of a belief are refused.
func TestBeliefWorldsAreNotDistinct(t *testing.T) {
	_, err := ParseWorlds(context.Background(), newGame(t, service.Options{}, Options{}),
		[]byte(`{`+playedView+`, "method": "belief", "distinct": true}`))
	if e, ok := errors.AsType[*service.Error](err); !ok || e.Kind != service.Impossible || e.Violations[0].Pointer != "/distinct" {
		t.Errorf("error %v", err)
	}
}

// Worlds of the belief are worlds of the view with their numbers. The same seed gives the same worlds, and the answer names the model.
func TestBeliefWorlds(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	ask := func(fields string) api.KlaverjasWorlds {
		t.Helper()
		q, err := ParseWorlds(context.Background(), g, []byte(`{`+playedView+`, "worlds": 50`+fields+`}`))
		if err != nil {
			t.Fatal(err)
		}
		out, err := g.Worlds(q)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := ask(`, "method": "belief", "seed": "3"`)
	if diff := cmp.Diff(got, ask(`, "method": "belief", "seed": "3"`)); diff != "" {
		t.Errorf("the same seed: %s", diff)
	}
	if cmp.Equal(got.Worlds, ask(`, "method": "belief", "seed": "4"`).Worlds) {
		t.Error("another seed draws the same worlds")
	}
	if cmp.Equal(got.Worlds, ask(`, "seed": "3"`).Worlds) {
		t.Error("the belief draws the worlds of the uniform method")
	}
	want := &api.ModelIdentity{Name: belief.Name, Version: belief.Version, Sha256: belief.SHA256()}
	if diff := cmp.Diff(want, got.Model); diff != "" {
		t.Errorf("model: %s", diff)
	}
	if got := ask(""); got.Model != nil {
		t.Errorf("the uniform method names the model %+v", got.Model)
	}
	q, err := ParseWorlds(context.Background(), g, []byte(`{`+playedView+`}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Worlds {
		var w worlds.World
		for seat, hand := range map[piquet.Seat]api.Cards{
			piquet.North: s.Hands.N, piquet.East: s.Hands.E, piquet.South: s.Hands.S,
			piquet.West: s.Hands.W,
		} {
			for _, text := range hand {
				c, err := piquet.ParseCard(text)
				if err != nil {
					t.Fatal(err)
				}
				w[seat] = w[seat].With(c)
			}
		}
		if n, ok := q.knowledge.Rank(w); !ok || strconv.FormatUint(n, 10) != s.Index {
			t.Errorf("world %s has number %d, %v", s.Index, n, ok)
		}
	}
}
