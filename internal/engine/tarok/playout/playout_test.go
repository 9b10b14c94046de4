package playout_test

import (
	"math"
	"slices"
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

// TestRun: from any moment of a hand of random cards, each card of the playout agrees with the heuristic player in the view of its seat,
// and the hand scores as by the rules.
func TestRun(t *testing.T) {
	rng := random.New(1)
	draw := func(n int) int { return int(random.Below(rng, uint64(n))) }
	for range 1000 {
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
		state := table.State()
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
		if got := table.Run(&begun); got != want.Total {
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
		state := table.State()
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
		state := table.State()
		table.Run(&state)
	}
}

// minimax is what playing on is worth for the declarer's side, without bounds.
func minimax(t *testing.T, p tarok.Position, a tarok.Announcements) float64 {
	t.Helper()
	setup := p.Setup()
	if p.Finished() {
		score, err := p.Score(a)
		if err != nil {
			t.Fatal(err)
		}
		return playout.Lead(score.Total, setup.Declarer)
	}
	sign := -1.0
	if p.Turn() == setup.Declarer {
		sign = 1
	}
	best := -1e9
	for c := range p.Legal().All() {
		next, _ := p.Play(c)
		best = max(best, sign*minimax(t, next, a))
	}
	return sign * best
}

// TestBest: the value of an ending agrees with plain minimax over the scores of the rules.
func TestBest(t *testing.T) {
	rng := random.New(4)
	draw := func(n int) int { return int(random.Below(rng, uint64(n))) }
	better := 0
	for range 200 {
		setup := tarok.DrawSetup(rng, positive...)
		a := said(setup.Contract, draw)
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		var played []tarok.Card
		for n := 3*tarok.HandSize - 3 - draw(6); len(played) < n; {
			c := tarok.Any(rng, p.Legal())
			played = append(played, c)
			p, _ = p.Play(c)
		}
		table := playout.New(setup, a, played)
		state := table.State()
		got, want := playout.Lead(table.Best(&state), setup.Declarer), minimax(t, p, a)
		if got != want {
			t.Errorf("%+v after %v: %v, minimax has %v", setup, played, got, want)
		}
		if playout.Lead(table.Run(&state), setup.Declarer) != want {
			better++
		}
	}
	if better == 0 {
		t.Error("the rules of thumb always play as minimax")
	}
}

// TestLikelihood: the card that the heuristic player plays is at least as likely as any other, the probabilities of the legal cards sum to
// 1, and what the player itself has played does not count.
func TestLikelihood(t *testing.T) {
	rng := random.New(5)
	draw := func(n int) int { return int(random.Below(rng, uint64(n))) }
	for range 100 {
		setup := tarok.DrawSetup(rng, positive...)
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		var played []tarok.Card
		for n := draw(45); len(played) < n; {
			c := tarok.Any(rng, p.Legal())
			played = append(played, c)
			p, _ = p.Play(c)
		}
		turn := p.Turn()
		before := playout.New(setup, tarok.Announcements{}, played).Likelihood(turn.Next(), 5, 0.1)
		here := playout.New(setup, tarok.Announcements{}, played)
		state := here.State()
		favourite := here.Card(&state)
		sum, most, own := 0.0, 0.0, 0.0
		for c := range p.Legal().All() {
			next := playout.New(setup, tarok.Announcements{}, append(slices.Clip(played), c))
			share := math.Exp(next.Likelihood(turn.Next(), 5, 0.1) - before)
			sum += share
			if most = max(most, share); c == favourite {
				own = share
			}
			if mine, old := next.Likelihood(turn, 5, 0.1), here.Likelihood(turn, 5, 0.1); mine != old {
				t.Errorf("the own card %s changes %v to %v", c, old, mine)
			}
		}
		if math.Abs(sum-1) > 1e-9 || own < most-1e-9 {
			t.Errorf("the cards have %v together, the heuristic player's card %v, the likeliest %v", sum, own, most)
		}
	}
}
