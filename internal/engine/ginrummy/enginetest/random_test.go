package enginetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// In rounds of the random and the simple player, the cards are where the rules say, what may not be done is refused, and the views have
// nothing hidden.
func TestRandomRounds(t *testing.T) {
	ends := map[string]int{}
	for i := range uint64(2000) {
		deal := ginrummy.SeededDeal(1, i, ginrummy.Seat(i&1))
		seats := [2]players.Player{players.NewRandom(random.New(2, 0, i)), players.NewRandom(random.New(2, 1, i))}
		if i%2 == 0 { // the random player rarely knocks
			seats = [2]players.Player{players.NewSimple(random.New(2, 2, i)), players.NewSimple(random.New(2, 3, i))}
		}
		_, result, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(s *players.Step) { checkStep(t, s) })
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case result.Void:
			ends["void"]++
			if result.Score != [2]int{} {
				t.Errorf("a void round scores %v", result.Score)
			}
			continue
		case result.Gin:
			ends["gin"]++
			if len(result.LaidOff) > 0 {
				t.Error("lay-offs on a gin")
			}
		case result.Undercut:
			ends["undercut"]++
		default:
			ends["knock"]++
		}
		if (result.Score[0] == 0) == (result.Score[1] == 0) {
			t.Errorf("%v: one player scores", result.Score)
		}
	}
	t.Log(ends)
	if len(ends) != 4 {
		t.Errorf("the rounds end with %v, want all four ends", ends)
	}
}

func checkStep(t *testing.T, s *players.Step) {
	t.Helper()
	before, after := &s.Before, &s.After
	stock := before.Deal().Stock[ginrummy.StockSize-after.StockLeft():]
	all := ginrummy.SetOf(stock...)
	if all&(after.Hand(0)|after.Hand(1)) != 0 || after.Hand(0)&after.Hand(1) != 0 {
		t.Fatal("a card is in two places")
	}
	seat := before.Seat()
	for who := range ginrummy.Seat(2) {
		want := ginrummy.HandSize
		if after.Phase() == ginrummy.ToDiscard && after.Seat() == who {
			want++
		}
		if after.Hand(who).Len() != want {
			t.Fatalf("seat %d holds %s in %s", who, after.Hand(who), after.Phase())
		}
		view := ginrummy.NewView(after, who, s.Events[who], [2]int{})
		seen := view.Seen()
		if !after.Hand(who.Other()).Contains(seen.Kept) || seen.Pile&(after.Hand(0)|after.Hand(1)|all) != 0 || seen.Top != view.Top ||
			(seen.Pile|after.Hand(0)|after.Hand(1)|all) != ginrummy.Deck {
			t.Fatalf("seat %d has seen %+v", who, seen)
		}
		hidden := after.Hand(who.Other())&^seen.Kept | all
		for _, e := range s.Events[who] {
			if e.Card != ginrummy.NoCard && hidden.Has(e.Card) && e.Seat != who {
				t.Fatalf("seat %d has seen %s", who, e.Card)
			}
		}
		if seen.Unknown() != hidden {
			t.Fatalf("seat %d: unknown %s, hidden %s", who, seen.Unknown(), hidden)
		}
	}
	// What is not the turn or not held is refused, and changes nothing.
	for _, a := range []ginrummy.Action{
		{Kind: ginrummy.Pass},
		{Kind: ginrummy.Take},
		{Kind: ginrummy.Stock},
		{Kind: ginrummy.Continue},
		{Kind: ginrummy.Lay},
		{Kind: ginrummy.Knock},
		{Kind: ginrummy.Discard, Card: before.Hand(seat.Other()).First()},
		{Kind: ginrummy.Discard, Card: ginrummy.NoCard},
		{Kind: ginrummy.Lay, Melds: ginrummy.Arrangement{before.Hand(seat)}},
	} {
		next, err := before.Play(a)
		illegal := new(ginrummy.IllegalAction)
		if errors.As(err, &illegal); err != nil && (next != *before || illegal == nil) {
			t.Fatalf("%v: %v", a, err)
		}
		may := false
		switch a.Kind {
		case ginrummy.Pass:
			may = before.MayPass()
		case ginrummy.Take:
			may = before.MayTake()
		case ginrummy.Stock:
			may = before.MayDraw()
		case ginrummy.Continue:
			may = before.Phase() == ginrummy.ToKnock
		case ginrummy.Lay:
			may = before.Phase() == ginrummy.ToMeld && a.Melds == ginrummy.Arrangement{}
		case ginrummy.Knock: // without a meld
			may = before.Phase() == ginrummy.ToKnock && before.Hand(seat).Points() <= ginrummy.MaxDeadwood
		default:
		}
		if may != (err == nil) {
			t.Fatalf("%s: %v", a.Kind, err)
		}
	}
}

// A card taken from the discards may not be discarded in the same turn. In the third turn the first card is not offered again.
func TestForbidden(t *testing.T) {
	deal := ginrummy.SeededDeal(3, 0, 1)
	play := func(r ginrummy.Round, actions ...ginrummy.Action) (ginrummy.Round, error) {
		for _, a := range actions {
			next, err := r.Play(a)
			if err != nil {
				return r, err
			}
			r = next
		}
		return r, nil
	}
	start := ginrummy.NewRound(&deal)
	pass, take, stock := ginrummy.Action{Kind: ginrummy.Pass}, ginrummy.Action{Kind: ginrummy.Take}, ginrummy.Action{Kind: ginrummy.Stock}
	back := ginrummy.Action{Kind: ginrummy.Discard, Card: deal.Upcard}
	for _, tt := range []struct {
		name    string
		actions []ginrummy.Action
		want    string
	}{
		{"taken and discarded", []ginrummy.Action{take, back}, deal.Upcard.String() +
			" has just been taken from the discards and may not be discarded in the same turn"},
		{"the stock first", []ginrummy.Action{stock}, "in the first two turns a player takes " + deal.Upcard.String() + " or passes"},
		{"a third offer", []ginrummy.Action{pass, pass, take}, "both players have declined " + deal.Upcard.String() +
			": the card must be drawn from the stock"},
		{
			"a third pass",
			[]ginrummy.Action{pass, pass, pass},
			"a player may pass only in the first two turns, while the first card turned up has not been taken",
		},
		{
			"a knock before a discard",
			[]ginrummy.Action{{Kind: ginrummy.Knock}},
			"a player may knock only after a discard, and with at most 10 points of deadwood",
		},
		{"two draws", []ginrummy.Action{take, stock}, "stock is not possible: the player has to discard"},
	} {
		_, err := play(start, tt.actions...)
		if err == nil {
			t.Errorf("%s: allowed", tt.name)
			continue
		}
		if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%s\n%s", tt.name, diff)
		}
	}
	if r, err := play(start, pass, pass, stock); err != nil || r.Hand(1).Len() != 11 || r.Seat() != 1 {
		t.Errorf("%v %v", r, err)
	}
}

func TestScore(t *testing.T) {
	run := func(names ...string) ginrummy.Set { return Names(names).Set() }
	knocker := run("AC", "2C", "3C", "5H", "5S", "5D", "7H", "8H", "9H", "4S") // deadwood 4
	on, _ := ginrummy.ArrangementOf([]ginrummy.Set{run("AC", "2C", "3C"), run("5H", "5S", "5D"), run("7H", "8H", "9H")})
	for _, tt := range []struct {
		name     string
		knocker  ginrummy.Set
		opponent ginrummy.Set
		want     ginrummy.Result
	}{
		{
			"lay-offs on runs and a set", knocker, run("4C", "5C", "6H", "10H", "JH", "KC", "KH", "KS", "QD", "2S"),
			// 4C and then 5C on the clubs, 6H and 10H and JH on the hearts: QD and 2S are left.
			ginrummy.Result{Deadwood: [2]int{4, 12}, Score: [2]int{8, 0}},
		},
		{
			"undercut with equal deadwood", knocker, run("KC", "KH", "KS", "QC", "QH", "QS", "JC", "JS", "JD", "4H"),
			ginrummy.Result{Undercut: true, Deadwood: [2]int{4, 4}, Score: [2]int{0, 25}},
		},
		{
			"undercut", knocker, run("KC", "KH", "KS", "QC", "QH", "QS", "JC", "JS", "JD", "AS"),
			ginrummy.Result{Undercut: true, Deadwood: [2]int{4, 1}, Score: [2]int{0, 28}},
		},
		{
			"gin without lay-offs", knocker.Without(Card("4S")).With(Card("10H")), run("4C", "KC", "KH", "KS", "QC", "QH", "QS", "JC", "JS", "JD"),
			ginrummy.Result{Gin: true, Deadwood: [2]int{0, 4}, Score: [2]int{29, 0}},
		},
	} {
		knock, _ := ginrummy.ArrangementOf(append([]ginrummy.Set{}, on.Melds()...))
		if tt.want.Gin {
			knock = tt.knocker.Best()[0]
		}
		melds := [2]ginrummy.Arrangement{knock, tt.opponent.Best()[0]}
		got := ginrummy.Score([2]ginrummy.Set{tt.knocker, tt.opponent}, melds, 0, ginrummy.BestLayOffs, ginrummy.Laid{})
		got.LaidOff = nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// Deals are the same for the same seed and number, and different for others: 100,000 deals of a seed do not repeat.
func TestSeededDeals(t *testing.T) {
	seen := map[ginrummy.Deal]bool{}
	for i := range uint64(100_000) {
		seen[ginrummy.SeededDeal(9, i, 0)] = true
	}
	if len(seen) != 100_000 {
		t.Errorf("%d different deals of 100,000", len(seen))
	}
	d := ginrummy.SeededDeal(9, 4, 0)
	if !seen[d] || seen[ginrummy.SeededDeal(8, 4, 0)] {
		t.Error("a deal does not depend on its seed and number only")
	}
	if all := d.Hands[0] | d.Hands[1] | ginrummy.SetOf(d.Stock[:]...) | ginrummy.SetOf(d.Upcard); all != ginrummy.Deck {
		t.Errorf("the deal has the cards %s", all)
	}
}

func TestParseCard(t *testing.T) {
	for c := range ginrummy.Deck.All() {
		if got, err := ginrummy.ParseCard(c.String()); err != nil || got != c {
			t.Errorf("%s: %v %v", c, got, err)
		}
	}
	for text, want := range map[string]string{
		"th": "10H", "10h": "10H", "as": "AS", "10♥": "10H", "Q♦️": "QD", "TS": "10S", "♥T": "10H", "♦️Q": "QD", "♧2": "2C",
	} {
		if got, err := ginrummy.ParseCard(text); err != nil || got.String() != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1H", "11C", "HA", "♥", "♥H", "H♥", "♥JH", "T", "10", "AHH", " AH", "ſ7", "A\xff", "110H"} {
		if got, err := ginrummy.ParseCard(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}
