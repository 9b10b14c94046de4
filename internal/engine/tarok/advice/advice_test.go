package advice_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// small are settings for tests.
var small = advice.Settings{
	Samples: 6, Trials: 6, Pool: 20, Clustered: true, Depth: 3, Exact: 4, TrialDepth: 3, Discards: 2, Enhancements: search.AllFour,
}

// view returns the view of the player to move after some cards of the paper's example game.
func view(t *testing.T, cards int) players.View {
	t.Helper()
	s, played := enginetest.Example()
	p, err := tarok.NewPosition(s)
	if err == nil {
		p, err = p.Replay(played[:cards])
	}
	if err != nil {
		t.Fatal(err)
	}
	return players.PlayView(worlds.ViewOf(&s, played[:cards], p.Turn()), &p)
}

// TestKnownCards: when all cards are known, the advice is that of the exact search.
func TestKnownCards(t *testing.T) {
	rng := random.New(1)
	checked := 0
	for checked < 20 {
		s := tarok.DrawSetup(rng, tarok.Three, tarok.Two, tarok.One)
		var played []tarok.Card
		p, err := tarok.NewPosition(s)
		if err != nil {
			t.Fatal(err)
		}
		for p.Played() < 3*13 {
			c := tarok.Any(rng, p.Legal())
			p, _ = p.Play(c)
			played = append(played, c)
		}
		known := worlds.ViewOf(&s, played, p.Turn())
		w, err := worlds.New(known)
		if err != nil {
			t.Fatal(err)
		}
		if w.Count() > 1 || p.Legal().Len() < 2 {
			continue
		}
		checked++
		v := players.PlayView(known, &p)
		got, err := advice.New(small).Card(t.Context(), &v, rng)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := search.New(search.Options{}).Solve(t.Context(), search.Query{Position: p, Goal: search.Moves})
		if err != nil {
			t.Fatal(err)
		}
		thirds := func(c tarok.Card) int {
			return exact.Moves[slices.IndexFunc(exact.Moves, func(m search.MoveValue) bool { return m.Card == c })].Thirds
		}
		if first := got.List[0]; tarok.Points(thirds(first.Card)) != tarok.Points(exact.Moves[0].Thirds) || got.Samples != 1 || first.Votes != 1 {
			t.Errorf("%+v, the exact search has %+v", got, exact.Moves)
		}
	}
}

// TestCard: every legal card has a value, best first, the same for the same seed; each contract and moment.
func TestCard(t *testing.T) {
	rng := random.New(2)
	for _, contract := range tarok.Contracts() {
		for _, tricks := range []int{0, 5, 12} {
			s := tarok.DrawSetup(rng, contract)
			p, err := tarok.NewPosition(s)
			var played []tarok.Card
			for err == nil && !p.Finished() && (p.Played() < 3*tricks+1 || p.Legal().Len() < 2) {
				played = append(played, tarok.Any(rng, p.Legal()))
				p, err = p.Play(played[len(played)-1])
			}
			if err != nil || p.Finished() {
				continue
			}
			v := players.PlayView(worlds.ViewOf(&s, played, p.Turn()), &p)
			one, err := advice.New(small).Card(t.Context(), &v, random.New(9))
			if err != nil {
				t.Fatal(err)
			}
			again, err := advice.New(small).Card(t.Context(), &v, random.New(9))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(one, again); diff != "" {
				t.Errorf("with the same seed: %s", diff)
			}
			var cards tarok.Set
			votes := 0
			for i, c := range one.List {
				cards = cards.With(c.Card)
				votes += c.Votes
				if c.Value > one.List[0].Value+1e-6 || math.IsNaN(c.Value) || i == 0 && c.Error != 0 {
					t.Errorf("%s: %+v", contract, one.List)
				}
			}
			if cards != p.Legal() || votes < one.Samples {
				t.Errorf("%s: %v of %s, %d votes of %d deals", contract, one.List, p.Legal(), votes, one.Samples)
			}
		}
	}
}

// TestHiddenCards: the advice does not depend on the cards that the player cannot see.
func TestHiddenCards(t *testing.T) {
	v := view(t, 30)
	w, err := worlds.New(v.View)
	if err != nil {
		t.Fatal(err)
	}
	p := w.Position(w.Sample(random.New(3)))
	other := players.PlayView(v.View, &p)
	one, err := advice.New(small).Card(t.Context(), &v, random.New(4))
	if err != nil {
		t.Fatal(err)
	}
	two, err := advice.New(small).Card(t.Context(), &other, random.New(4))
	if diff := cmp.Diff(one, two); diff != "" || err != nil {
		t.Errorf("with other hidden cards: %v %s", err, diff)
	}
}

// bidding returns the view of the first bid with a hand.
func bidding(t *testing.T, d tarok.Deal) players.View {
	t.Helper()
	table, err := players.NewTable(d, tarok.DefaultRules, [3]int{})
	if err != nil {
		t.Fatal(err)
	}
	return table.View(tarok.A)
}

// TestBid: a hand of the highest taroks and kings is bid, and one of low cards is not; a margin that nothing reaches stops it.
func TestBid(t *testing.T) {
	strong := tarok.Deal{Hands: [3]tarok.Set{enginetest.SetOf(
		"T22", "T21", "T20", "T19", "T18", "T17", "T16", "T15", "T14", "T1", "HK", "DK", "SK", "CK", "HQ", "DQ")}}
	weak := tarok.Deal{Hands: [3]tarok.Set{enginetest.SetOf(
		"T2", "T9", "T10", "H4", "H3", "HQ", "HJ", "D4", "D3", "DQ", "S7", "S8", "SQ", "C7", "C8", "CQ")}}
	for _, d := range []*tarok.Deal{&strong, &weak} {
		rest := (tarok.Deck &^ d.Hands[0]).Slice()
		random.Shuffle(random.New(1), rest)
		d.Hands[1], d.Hands[2] = tarok.SetOf(rest[:16]...), tarok.SetOf(rest[16:32]...)
		copy(d.Talon[:], rest[32:])
	}
	a := advice.New(small)
	v := bidding(t, strong)
	bid, list, err := a.Bid(t.Context(), &v, random.New(5))
	if err != nil || bid != tarok.Bid(tarok.Three) || !list[0].Viable || list[0].Games != small.Trials {
		t.Errorf("%v %+v %v, want a bid of three", bid, list, err)
	}
	v.Margins.Points = 40
	if bid, _, err = a.Bid(t.Context(), &v, random.New(5)); err != nil || bid != tarok.Pass {
		t.Errorf("%v %v, want a pass with a margin of 40", bid, err)
	}
	v = bidding(t, weak)
	if bid, list, err = a.Bid(t.Context(), &v, random.New(5)); err != nil || bid != tarok.Pass || list[1].Games != 0 {
		t.Errorf("%v %+v %v, want a pass, and two not tried", bid, list, err)
	}
}

// TestExchange: each group is tried with two discards, and the better half of them in all trials, the best first.
func TestExchange(t *testing.T) {
	s, _ := enginetest.Example()
	v := players.View{
		View: worlds.View{
			Player: tarok.A, Rules: s.Rules, Hand: s.Deal.Hands[tarok.A], Stage: worlds.Exchange, Contract: tarok.Two, Talon: s.Deal.Talon[:],
		},
		Phase: players.ToExchange, Held: s.Deal.Hands[tarok.A], Margins: players.DefaultMargins,
	}
	list, err := advice.New(small).Exchange(t.Context(), &v, random.New(6))
	groups := map[int]int{}
	for _, e := range list {
		groups[e.Group]++
	}
	if diff := cmp.Diff(map[int]int{0: 2, 1: 2, 2: 2}, groups); err != nil || diff != "" {
		t.Fatalf("%+v %v %s", list, err, diff)
	}
	for i, e := range list[:3] {
		if e.Games != small.Trials || i > 0 && e.Score > list[i-1].Score {
			t.Errorf("%+v", list)
		}
	}
}

// TestAnnounce: a share that every trial game reaches announces all that the declarer always makes.
func TestAnnounce(t *testing.T) {
	v := view(t, 0)
	v.Phase = players.ToAnnounce
	v.Margins.Announce = [4]float64{0, 2, 2, 2}
	say, trials, err := advice.New(small).Announce(t.Context(), &v, random.New(7))
	if want := (players.Words{Bonuses: [4]bool{tarok.AllKings: true}}); say != want || trials.Games != small.Trials || err != nil {
		t.Errorf("%+v %+v %v, want %+v", say, trials, err, want)
	}
}

func TestStops(t *testing.T) {
	v := view(t, 0)
	cause := errors.New("enough")
	a := advice.New(small)
	a.Pause = func() error { return cause }
	if _, err := a.Card(t.Context(), &v, random.New(1)); !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Pause = nil
	if _, err := a.Card(ctx, &v, random.New(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestPlayer: the program plays whole hands, and better than at random. The result does not depend on the number of workers.
func TestPlayer(t *testing.T) {
	kind := advice.Kind(advice.Program, small)
	c := players.Contest{A: kind, B: players.Kinds()[0], Deals: 8, Seating: players.OneAgainst, Rules: tarok.DefaultRules, Seed: 1}
	one, err := c.Run(t.Context())
	if err != nil || one.Difference.Low < 5 {
		t.Errorf("%+v %v", one, err)
	}
	c.Workers = 3
	if three, err := c.Run(t.Context()); err != nil || one.Difference != three.Difference {
		t.Errorf("with three workers %+v %v, with one %+v", three.Difference, err, one.Difference)
	}
}

// BenchmarkCard advises at the first card and at the sixth trick with the default settings.
func BenchmarkCard(b *testing.B) {
	s, played := enginetest.Example()
	for _, bm := range []struct {
		name  string
		cards int
	}{{"first", 0}, {"sixth", 15}, {"eleventh", 30}} {
		b.Run(bm.name, func(b *testing.B) {
			p, err := tarok.NewPosition(s)
			if err == nil {
				p, err = p.Replay(played[:bm.cards])
			}
			if err != nil {
				b.Fatal(err)
			}
			v := players.PlayView(worlds.ViewOf(&s, played[:bm.cards], p.Turn()), &p)
			a, rng := advice.New(advice.Default), random.New(1)
			for b.Loop() {
				if _, err := a.Card(b.Context(), &v, rng); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
