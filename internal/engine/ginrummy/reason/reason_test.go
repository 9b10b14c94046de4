package reason_test

import (
	"strings"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/random"
)

// setOf reads cards.
func setOf(t *testing.T, text string) (s ginrummy.Set) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		c, err := ginrummy.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

// viewOf is a seat that has seen its own cards, a discard, and what the opponent has taken and kept.
func viewOf(t *testing.T, own, top, kept string, stock int) ginrummy.View {
	t.Helper()
	v := ginrummy.View{Own: setOf(t, own), Stock: stock, Turns: 4, Drawn: ginrummy.NoCard, Upcard: 51, Top: setOf(t, top).First()}
	for c := range setOf(t, kept).All() {
		v.Events = append(v.Events, ginrummy.Event{Seat: 1, Kind: ginrummy.Take, Card: c})
	}
	v.Events = append(v.Events, ginrummy.Event{Seat: 1, Kind: ginrummy.Discard, Card: v.Top})
	v.May.Take, v.May.Stock = true, true
	return v
}

// actionOf reads the name of an action, or the card of a discard.
func actionOf(t *testing.T, v *ginrummy.View, name string) (a ginrummy.Action) {
	t.Helper()
	kind, err := ginrummy.ParseKind(name)
	if err != nil {
		return ginrummy.Action{Kind: ginrummy.Discard, Card: setOf(t, name).First()}
	}
	if a.Kind = kind; kind == ginrummy.Knock {
		a.Melds = v.Own.Best()[0]
	}
	return a
}

// Each kind of mistake is named in a position of which it is known.
func TestReasonOfPositions(t *testing.T) {
	seen := map[reason.Code]bool{}
	for _, tt := range []struct {
		own, top, kept string
		stock          int
		played, better string
		want           string // the code, and the text
	}{
		{
			"5H 6H 7H 2D 3D 4D 6S 7S 8S KC QC", "AC", "", 20, "4D", "QC",
			"no_knock: After the discard of QC the player can knock with a deadwood of 10.",
		},
		{
			"5H 6H 7H 2D 3D 4D 6S 7S 8S 9S KC", "AC", "", 20, "4D", "KC",
			"no_gin: After the discard of KC the player has gin.",
		},
		{
			"5H 6H 7H 2D 9S QS 3C KD JC 8C 10D", "AC", "", 24, "6H", "KD",
			"broke_meld: 6H was in the meld 5H 6H 7H: without it the deadwood is 74, without KD 52.",
		},
		{
			"5H 6H 7H KC QD 9S 3D 2S 8C 7D JS", "AC", "7C 7S", 20, "7D", "KC",
			"feeds: In 87 of 96 worlds 7D completes a meld of the opponent, and KC does not.",
		},
		{
			"5H 6H 7H KS KD 9C 2D 3C 6S 8D JH", "AC", "", 24, "KS", "9C",
			"chance: Unseen cards that make a meld with KS KD: 2; with 9C: 0. In 46 of 96 worlds KS is in a meld at the end.",
		},
		{
			"5H 6H 7H KS 9C AD 3C 6S 8D JH QD", "AC", "9D 9H 9S 7C 7D 7S", 14, "AD", "KS",
			"high: The deadwood is 56 without AD, and 47 without KS. In 25 of 96 worlds KS is deadwood at the end.",
		},
		{
			"10C QC KC AH 4H KH 6S 8S JS 2D 8D", "AC", "", 20, "QC", "KC",
			"slower: In 19 of 96 worlds the player knocks only after the better action.",
		},
		{
			"5H 6H KD KC 9S QS 3C 2D JC 8C", "7H", "", 24, "stock", "take",
			"left_meld: 7H makes the meld 5H 6H 7H.",
		},
		{
			"5H 6H 2C 2D 2S 9C 10C JC QC KS", "7H", "", 24, "stock", "take",
			"no_gin: With 7H the player has gin.",
		},
		{
			"5H 6H 2C 2D 2S 9C 10C JC AC KS", "7H", "", 24, "stock", "take",
			"no_knock: With 7H the player can knock with a deadwood of 1.",
		},
		{
			"5H 6H KD JC 9S QS 3C 2D 8C 10D", "4S", "KH KS", 24, "take", "stock",
			"no_meld: 4S makes no meld, and the opponent has seen it. In 84 of 96 worlds it is in no meld at the end.",
		},
		{
			"2C 4C 5C 4H AS 5S AD 2D 4D 6D", "5D", "7C 8C 9C JH JD JS 10H 10D 10S", 18, "take", "stock",
			"stock_meld: In 26 of 96 worlds the card of the stock makes a meld.",
		},
		{
			"5H 6H 7H 2C 2D 2S JS QD KH 10C", "JD", "", 24, "stock", "take",
			"left_chance: Unseen cards that make a meld with JS JD QD: 3. In 53 of 96 worlds JD is in a meld at the end.",
		},
		{
			"5H 6H 7H 2C 2D 2S 9C 6D 4H KH", "AS", "", 14, "stock", "take",
			"left_low: With AS the deadwood is 16, without it 25. In 94 of 96 worlds it stays in the hand.",
		},
		{
			"5H 6H 7H 2C 2D 2S 3D 4C AS AD", "KD", "7C 8C 9C JH JD JS 10H 10D 10S", 18, "knock", "continue",
			"undercut: In 77 of 96 worlds the opponent undercuts the deadwood of 9.",
		},
		{
			"5H 6H 7H 2C 2D 2S 9D 10D JD 9C", "KC", "", 28, "knock", "continue",
			"gin_later: In 27 of 96 worlds the player has gin later.",
		},
		{
			"5H 6H 7H QC QD QS 3D AS 2H 4C", "KC", "7C 8C 9C JH JD JS 10H 10D", 20, "knock", "continue",
			"undercut: In 7 of 96 worlds the opponent undercuts the deadwood of 10.",
		},
		{
			"AC 2C 3C 4C 3H 10H JH QH AS 2S", "KC", "7C 7D 7S 9D 9H 9S", 20, "knock", "continue",
			"more_later: In 21 of 96 worlds the hand brings more without the knock.",
		},
		{
			"5H 6H 7H 2C 2D 2S 3D 4C AS AD", "KD", "7C 8C 9C JH JD JS 10H 10D 10S", 18, "continue", "knock",
			"too_late: In 96 of 96 worlds the opponent knocks before the player does.",
		},
		{
			"5H 6H 7H 2C 2D 2S 9D 10D JD AC", "KC", "", 3, "continue", "knock",
			"less_later: In 94 of 96 worlds the knock brings more than the later end.",
		},
		{
			"5H 6H 7H KC QD 9S 3D 2S 8C JS", "7D", "7C 7S", 20, "pass", "take",
			"feeds: In 96 of 96 worlds 7D completes a meld of the opponent.",
		},
	} {
		v := viewOf(t, tt.own, tt.top, tt.kept, tt.stock)
		played, better := actionOf(t, &v, tt.played), actionOf(t, &v, tt.better)
		v.Phase = [7]ginrummy.Phase{0, 0, 0, ginrummy.ToDiscard, ginrummy.ToKnock, ginrummy.ToKnock}[played.Kind]
		judge := advice.New(advice.Default(advice.Uniform))
		other, err := judge.Judge(t.Context(), &v, better, random.New(1))
		if err != nil {
			t.Fatal(err)
		}
		j, err := judge.Judge(t.Context(), &v, played, random.New(1))
		if err != nil {
			t.Fatal(err)
		}
		j.Advised, j.Better = better, other.Played
		r, ok := reason.Find(&v, &j, judge.Pairs(&v, &j))
		if got := r.Code.String() + ": " + r.Text(played, better); !ok || got != tt.want {
			t.Errorf("%s, %s not %s: %s (%.0f %%), expected %s", tt.own, tt.played, tt.better, got, 100*r.Share, tt.want)
		}
		seen[r.Code] = true
	}
	for c := range reason.NumCodes {
		if !seen[c] {
			t.Errorf("no position has the reason %s", c)
		}
	}
}
