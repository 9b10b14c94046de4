package ginrummy

import (
	"fmt"
	"hash/fnv"
	"testing"

	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
)

// Matches of the same seed have the same results as long as playersVersion and the version of the weights are the same: jobs of equal
// requests share their result, also after an update of the server. If this fails after a change of the players or of the deals, increase
// playersVersion and take over the new number.
func TestPlayersVersion(t *testing.T) {
	learned, err := Learned(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := players.Contest{Pairs: 2, Workers: 1, Seed: 1}
	for text, to := range map[string]*players.Kind{Playout: &c.A, "simple": &c.B} {
		if *to, err = match.ParseKind(text, learned.Kinds); err != nil {
			t.Fatal(err)
		}
	}
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	digest := fnv.New64a()
	for _, s := range r.Sides {
		fmt.Fprintln(digest, s.Knocks, s.Gins, s.Undercuts, s.Points, s.Decision.Len())
	}
	if got, want := digest.Sum64(), uint64(17060098868718563563); got != want || playersVersion != 3 {
		t.Errorf("players of version %d decide otherwise: %d, want %d", playersVersion, got, want)
	}
}
