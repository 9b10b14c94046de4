package worlds_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// make proof NAME=knowledge runs it with a million.
var plies = flag.Int("plies", 4_000, "how many random cards TestRandomPlies plays")

// After each card of random play, under every set of rules and for each of the four seats: the true deal is a world, and possible by the
// paper's sound rules too; what a seat may hold never grows; the facts explain it; after the last card there is one world.
func TestRandomPlies(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for n := 0; n < *plies; {
		end, played := enginetest.RandomPlay(t, rng, 32)
		p, err := klaverjas.NewPosition(end.Rules(), end.Deal())
		if err != nil {
			t.Fatal(err)
		}
		var may, paper [4][4]piquet.Set // by seat of the view and seat
		for i := range may {
			for j := range may[i] {
				may[i][j], paper[i][j] = piquet.Deck, piquet.Deck
			}
		}
		for i := 0; i < 32 && n < *plies; i++ {
			if p, err = p.Play(played[i]); err != nil {
				t.Fatal(err)
			}
			n++
			for _, seat := range piquet.Seats() {
				v := worlds.ViewOf(p, played[:i+1], seat)
				k := enginetest.Knowledge(t, v)
				checkPly(t, p, k, &may[seat], &paper[seat])
			}
		}
	}
}

// checkPly checks the knowledge of one seat. may and paper are what each seat may hold before the card by the rules and by the paper.
func checkPly(t *testing.T, p klaverjas.Position, k *worlds.Knowledge, may, paper *[4]piquet.Set) {
	t.Helper()
	if _, ok := k.Rank(enginetest.Held(p)); !ok || p.Finished() && k.Worlds() != 1 {
		t.Fatalf("%+v: the true deal is no world, of %d", k.View(), k.Worlds())
	}
	sound, facts := k.Paper(false), explained(k)
	for _, s := range piquet.Seats() {
		if s == k.View().Seat {
			continue
		}
		switch {
		case k.May(s)&^may[s] != 0 || sound.May(s)&^paper[s] != 0:
			t.Fatalf("%+v: %s may hold %s, by the paper %s; before %s and %s", k.View(), s, k.May(s), sound.May(s), may[s], paper[s])
		case k.May(s)&^sound.May(s) != 0 || p.Hand(s)&^sound.May(s) != 0:
			t.Fatalf("%+v: by the paper %s may hold %s, by the rules %s", k.View(), s, sound.May(s), k.May(s))
		case facts[s] != k.May(s):
			t.Fatalf("%+v: by the facts %s may hold %s, by the rules %s", k.View(), s, facts[s], k.May(s))
		}
		may[s], paper[s] = k.May(s), sound.May(s)
	}
}
