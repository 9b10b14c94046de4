package reason_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/reason"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// mistake is a card that was a mistake on what was seen, with the worlds that were possible.
type mistake struct {
	now            belote.Position
	played, better piquet.Card
	possible       []belote.Position
}

// mistakes draws hands, plays them at random, and returns one mistake of each: the first from a drawn card on.
func mistakes(t *testing.T, rng *rand.Rand, solver *search.Solver, n, suits, number int) (out []mistake) {
	t.Helper()
	for len(out) < n {
		deck, trump := belote.Deck(piquet.Hearts, piquet.Spades), belote.TrumpOf(piquet.Hearts)
		if suits == 3 {
			deck |= belote.Deck(piquet.Clubs)
		} else if random.Below(rng, 4) == 0 {
			trump = belote.NoTrump
		}
		p, err := belote.NewPosition(belote.Random(rng, deck, trump))
		if err != nil {
			t.Fatal(err)
		}
		start, from := p, deck.Len()/2-16+int(random.Below(rng, 10))+(4-suits)*4
		var played []piquet.Card
		for !p.Finished() {
			c := p.Legal().Slice()[random.Below(rng, uint64(p.Legal().Len()))]
			if len(played) >= from && p.Legal().Len() > 1 {
				if m, ok := judged(t, solver, &start, p, played, c, number); ok {
					out = append(out, m)
					break
				}
			}
			played = append(played, c)
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// judged returns the mistake if a card costs at least five points over 20 worlds.
func judged(
	t *testing.T, solver *search.Solver, start *belote.Position, p belote.Position, played []piquet.Card, c piquet.Card, number int,
) (m mistake, ok bool) {
	t.Helper()
	v, err := worlds.Of(start, played, worlds.AfterTrick)
	if err != nil {
		t.Fatal(err)
	}
	q := advice.Question{View: v, Worlds: 20}
	tally, err := q.Ask(t.Context(), solver, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := q.Advise(tally)
	i := slices.IndexFunc(a.Cards, func(x advice.Value) bool { return x.Card == c })
	if k := a.Cards[i].Cost; k.Mean-2*k.Error < 5 {
		return m, false
	}
	return mistake{p, c, a.Cards[0].Card, reason.Worlds(v, 0, number)}, true
}

// line is what the test derives of a line by itself.
type line struct {
	tricks []belote.Trick
	taker  map[piquet.Card]belote.Player
}

func lineOf(t *testing.T, p belote.Position, cards []piquet.Card) (l line) {
	t.Helper()
	l.taker = map[piquet.Card]belote.Player{}
	for _, c := range cards {
		next, trick, err := p.Completes(c)
		if err != nil {
			t.Fatal(err)
		}
		if p = next; trick != nil {
			l.tricks = append(l.tricks, *trick)
			for _, c := range trick.Cards {
				l.taker[c] = trick.Winner
			}
		}
	}
	if !p.Finished() {
		t.Fatal("the line does not end the hand")
	}
	return l
}

// truth reports whether a fact is true of the two lines.
func truth(f *tricks.Fact[piquet.Card, belote.Player], p *belote.Position, bad, good line, card, better piquet.Card) bool {
	us, them, trump := p.Turn(), p.Turn().Other(), p.Deal().Trump
	of := bad
	if f.InGood {
		of = good
	}
	i := slices.IndexFunc(of.tricks, func(t belote.Trick) bool { return t.Number == f.Trick })
	if i < 0 || of.tricks[i].Winner != f.Seat || !slices.Contains(of.tricks[i].Cards[:], f.By) {
		return false
	}
	shows, first, last := of.tricks[i], i == 0, i == len(of.tricks)-1
	lost := func(c piquet.Card) bool { return bad.taker[c] == them && good.taker[c] == us }
	count := func(l line) (n int) {
		for _, t := range l.tricks {
			if t.Winner == us {
				n++
			}
		}
		return n
	}
	switch f.Kind {
	case tricks.NotGood:
		return first && f.Seat == them && f.By.Suit() == card.Suit() && trump.Beats(f.By, card) && shows.Leader == us
	case tricks.Ruff:
		return first && f.Seat == them && trump.Is(f.By.Suit()) && !trump.Is(shows.Cards[0].Suit()) && good.tricks[0].Winner == us
	case tricks.Points:
		return first && f.Seat == them && f.Lost == card && f.Points == trump.Points(card) && f.Points > f.Less &&
			(good.tricks[0].Winner == us || f.Less == trump.Points(better))
	case tricks.BringHome:
		return first && f.Seat == us && bad.tricks[0].Winner == us && f.Points == trump.Points(better) && f.Less == trump.Points(card)
	case tricks.TrickLost:
		return first && f.Seat == them && good.tricks[0].Winner == us
	case tricks.LastTrump:
		return !first && f.Seat == us && f.By == card && trump.Is(card.Suit())
	case tricks.Spent:
		return !first && f.Seat == us && f.By == card
	case tricks.LastTrick:
		return last && f.Seat == them && good.tricks[len(good.tricks)-1].Winner == us
	case tricks.Tempo:
		return i > 0 && i <= 3 && f.Seat == them && bad.tricks[0].Winner == them && good.tricks[0].Winner == us
	case tricks.Tricks:
		return f.Seat == them && count(bad) < count(good)
	case tricks.Cards:
		return !first && f.Seat == them && lost(f.Lost) && f.Points == trump.Points(f.Lost)
	case reason.Below:
		return !first && f.Seat == us && p.Under(better).Has(f.By)
	}
	return false
}

// Each reason is true in the two lines that are given with it, and so is everything else that is found in a world. A second time it is the
// same.
func TestReasonsAreTrue(t *testing.T) {
	rng, solver := random.New(11), search.New(search.Options{})
	kinds := map[reason.Kind]int{}
	for _, m := range append(mistakes(t, rng, solver, 30, 2, 12), mistakes(t, rng, solver, 20, 3, 6)...) {
		a := reason.Asker{Solver: solver}
		why, ok, err := a.Of(t.Context(), m.now, m.played, m.better, m.possible)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		for k, p := range append([]belote.Position{m.now}, m.possible...) {
			l, err := a.Lines(t.Context(), p, m.played, m.better)
			if err != nil {
				t.Fatal(err)
			}
			w, err := reason.Compare(p, l)
			if err != nil {
				t.Fatal(err)
			}
			bad, good := lineOf(t, p, l.Played), lineOf(t, p, l.Best)
			for _, f := range w.Facts {
				kinds[f.Kind]++
				if !truth(&f, &p, bad, good, m.played, m.better) {
					t.Errorf("%s instead of %s: %s is not true: %+v\n%v\n%v", m.played, m.better, reason.Name(f.Kind), f, l.Played, l.Best)
				}
			}
			if k == why.Example {
				f, ok := w.Fact(why.Kind)
				if !ok || f.Reason != why.Reason || w.Cost <= 0 || !slices.Equal(l.Played, why.Lines.Played) || !slices.Equal(l.Best, why.Lines.Best) {
					t.Errorf("the example has %+v, cost %d, the reason is %+v", f, w.Cost, why.Reason)
				}
			}
		}
		if why.Applies > why.Worlds || why.Worlds != len(m.possible) || why.Share <= 0 || why.Share > 1 || why.Text(m.now.Turn()) == "" {
			t.Errorf("%+v", why.Explained)
		}
	}
	for _, k := range reason.Kinds() {
		if kinds[k] == 0 {
			t.Errorf("no world has %s: %v", reason.Name(k), kinds)
		}
	}
}

// The reason explains most of the cost, and is true in most of the worlds. lab/docs/belote/README.md has the figures.
func TestShareOfReasons(t *testing.T) {
	rng, solver := random.New(60), search.New(search.Options{})
	var shares, worlds []float64
	codes := map[string]int{}
	all := mistakes(t, rng, solver, 20, 2, reason.MostWorlds)
	for _, m := range all {
		a := reason.Asker{Solver: solver}
		why, ok, err := a.Of(t.Context(), m.now, m.played, m.better, m.possible)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			why = reason.Why{}
			why.Worlds = 1
			why.Kind = reason.NumKinds
		} else {
			t.Log(why.Text(m.now.Turn()))
			codes[reason.Name(why.Kind)]++
		}
		shares = append(shares, why.Share)
		worlds = append(worlds, float64(why.Applies)/float64(why.Worlds))
	}
	slices.Sort(shares)
	slices.Sort(worlds)
	t.Logf("20 mistakes, median share of the cost %.2f, of the worlds %.2f, reasons %v", shares[10], worlds[10], codes)
	if shares[10] < 0.5 || worlds[10] < 0.6 || shares[1] == 0 {
		t.Errorf("the median reason explains %.2f of the cost, and is true in %.2f of the worlds", shares[10], worlds[10])
	}
}
