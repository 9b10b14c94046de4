package playout_test

import (
	"testing"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

var positive = []tarok.Contract{tarok.Three, tarok.Two, tarok.One, tarok.Zero}

// said draws announcements.
func said(c tarok.Contract, draw func(n int) int) (a tarok.Announcements) {
	a.Kontra = draw(3)
	for p := range a.Radli {
		a.Radli[p] = draw(2)
	}
	if c.Exchange() == 0 {
		return a
	}
	for b := range a.Bonuses {
		if a.Bonuses[b].By = tarok.Side(draw(5)/2 - 1); a.Bonuses[b].By != tarok.NoSide {
			a.Bonuses[b].Kontra = draw(3)
		}
	}
	return a
}

// TestRun: from any moment of a hand of random cards, each card of the playout is that of the heuristic player in the view of its seat, and
// the hand scores as by the rules.
func TestRun(t *testing.T) {
	rng := random.New(1)
	draw := func(n int) int { return int(random.Below(rng, uint64(n))) }
	for range 300 {
		setup := tarok.DrawSetup(rng, positive...)
		a := said(setup.Contract, draw)
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		var played []tarok.Card
		for n := draw(47); len(played) < n; {
			c := tarok.Any(rng, p.Legal())
			played = append(played, c)
			p, _ = p.Play(c)
		}
		table := playout.New(setup, a, played)
		state := table.State(&setup)
		begun := state
		for !p.Finished() {
			v := players.PlayView(worlds.ViewOf(&setup, played, p.Turn()), &p)
			c := players.HeuristicCard(&v)
			if state.Turn() != p.Turn() || state.Legal() != p.Legal() || table.Card(&state) != c {
				t.Fatalf("%s to play one of %s: %s of %s, the heuristic player plays %s",
					state.Turn(), state.Legal(), table.Card(&state), p.Legal(), c)
			}
			table.Play(&state, c)
			played = append(played, c)
			p, _ = p.Play(c)
		}
		want, err := p.Score(a)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Run(&begun); got != want.Total || !begun.Finished() {
			t.Errorf("%+v %+v scores %v, the rules give %+v", setup, a, got, want)
		}
	}
}

// TestScore: the score of hands of random cards, which have more bonuses and captured monds than good play has.
func TestScore(t *testing.T) {
	rng := random.New(2)
	draw := func(n int) int { return int(random.Below(rng, uint64(n))) }
	seen := [4]int{}
	for range 3000 {
		setup := tarok.DrawSetup(rng, positive...)
		a := said(setup.Contract, draw)
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		table := playout.New(setup, a, nil)
		state := table.State(&setup)
		for !p.Finished() {
			c := tarok.Any(rng, p.Legal())
			table.Play(&state, c)
			p, _ = p.Play(c)
		}
		want, err := p.Score(a)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Score(&state); got != want.Total {
			t.Fatalf("%+v %+v scores %v, the rules give %+v", setup, a, got, want)
		}
		o := table.Outcome(&state)
		for b, side := range o.Bonuses {
			if side != tarok.NoSide {
				seen[b]++
			}
		}
	}
	if seen[tarok.AllKings] == 0 || seen[tarok.AllTrula] == 0 || seen[tarok.LastPagat] == 0 {
		t.Errorf("bonuses made: %v", seen)
	}
}

func BenchmarkRun(b *testing.B) {
	rng := random.New(3)
	setup := tarok.DrawSetup(rng, tarok.Two)
	table := playout.New(setup, tarok.Announcements{}, nil)
	for b.Loop() {
		state := table.State(&setup)
		table.Run(&state)
	}
}
