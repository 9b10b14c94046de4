package enginetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
)

// The rounds of the reference are replayed event by event: the deal, what may be done, the candidates of the simple player, the melds, the
// lay-offs and the scores.
func TestRounds(t *testing.T) {
	rounds, err := Read[RoundVector]("rounds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(rounds) != 70 {
		t.Fatalf("%d rounds", len(rounds))
	}
	kinds := map[string]int{}
	for _, v := range rounds {
		kinds[v.Result.Kind]++
		replay(t, v)
	}
	for _, kind := range []string{"knock", "gin", "undercut", "void"} {
		if kinds[kind] == 0 {
			t.Errorf("no round ends with %s", kind)
		}
	}
}

func replay(t *testing.T, v RoundVector) {
	t.Helper()
	deal := ginrummy.NewDeal([52]ginrummy.Card(v.Deck.Cards()), v.Starter)
	deal.LayOffs = ginrummy.ChallengeLayOffs // the rounds are of the challenge
	if deal.Hands != [2]ginrummy.Set{v.Hands[0].Set(), v.Hands[1].Set()} || deal.Upcard != Card(v.Upcard) {
		t.Fatalf("round %d.%d: another deal: %v", v.Game, v.Round, deal)
	}
	r := ginrummy.NewRound(&deal)
	var (
		seen [2][]ginrummy.Event
		laid []ginrummy.Card
	)
	for i, e := range v.Events {
		if e.Action == "layoff" {
			laid = append(laid, Card(e.Card))
			continue
		}
		kind, err := ginrummy.ParseKind(e.Action)
		if err != nil {
			t.Fatal(err)
		}
		a := ginrummy.Action{Kind: kind}
		if kind == ginrummy.Lay && r.Phase() == ginrummy.ToMeld || kind == ginrummy.Knock {
			var melds []ginrummy.Set
			for _, m := range e.Melds {
				melds = append(melds, m.Set())
			}
			a.Melds, _ = ginrummy.ArrangementOf(melds)
			hand := r.Hand(r.Seat())
			if best := hand.Best(); len(best) != e.BestSets || hand.Deadwood() != e.Deadwood || a.Melds.Deadwood(hand) != e.Deadwood {
				t.Errorf("round %d.%d, event %d: %d best sets with deadwood %d", v.Game, v.Round, i, len(best), hand.Deadwood())
			}
		}
		if kind == ginrummy.Discard {
			a.Card = Card(e.Card)
		}
		if r.Phase() == ginrummy.ToKnock && kind != ginrummy.Knock {
			if r.Hand(r.Seat()).Best() != nil {
				t.Errorf("round %d.%d, event %d: the simple player does not knock", v.Game, v.Round, i)
			}
			if r, err = r.Play(ginrummy.Action{Kind: ginrummy.Continue}); err != nil {
				t.Fatal(err)
			}
		}
		if r.Seat() != e.Player {
			t.Fatalf("round %d.%d, event %d: seat %d decides, want %d", v.Game, v.Round, i, r.Seat(), e.Player)
		}
		view := ginrummy.NewView(&r, r.Seat(), seen[r.Seat()], v.ScoresBefore)
		switch kind {
		case ginrummy.Discard:
			if got := players.SimpleDiscards(&view); got != e.Candidates.Set() {
				t.Errorf("round %d.%d, event %d: the candidates are %s, want %v", v.Game, v.Round, i, got, e.Candidates)
			}
		case ginrummy.Pass, ginrummy.Take, ginrummy.Stock: // the simple player does not draw lots for this
			got, err := players.NewSimple(nil).Choose(t.Context(), view)
			if err != nil || got.Kind != kind {
				t.Errorf("round %d.%d, event %d: %s %v, want %s", v.Game, v.Round, i, got.Kind, err, kind)
			}
		default:
		}
		before := r
		if r, err = r.Play(a); err != nil {
			t.Fatalf("round %d.%d, event %d: %v", v.Game, v.Round, i, err)
		}
		if drawn, _ := r.Drawn(); (kind == ginrummy.Take || kind == ginrummy.Stock) && drawn != Card(e.Card) {
			t.Fatalf("round %d.%d, event %d: %s is drawn, want %s", v.Game, v.Round, i, drawn, e.Card)
		}
		for s := range seen {
			if event, ok := ginrummy.EventOf(&before, &r, a, ginrummy.Seat(s)); ok {
				seen[s] = append(seen[s], event)
			}
		}
	}
	result, ok := r.Result()
	if !ok {
		t.Fatalf("round %d.%d has not ended", v.Game, v.Round)
	}
	var got []ginrummy.Card
	for _, l := range result.LaidOff {
		got = append(got, l.Card)
	}
	if ginrummy.SetOf(got...) != ginrummy.SetOf(laid...) {
		t.Errorf("round %d.%d: lay-offs %v, want %v", v.Game, v.Round, got, laid)
	}
	kind := "knock"
	switch {
	case result.Void:
		kind = "void"
	case result.Gin:
		kind = "gin"
	case result.Undercut:
		kind = "undercut"
	}
	want := v.Result
	result.LaidOff = nil
	if diff := cmp.Diff(ginrummy.Result{
		Void: want.Kind == "void", Knocker: want.Knocker, Gin: want.Kind == "gin", Undercut: want.Kind == "undercut", Deadwood: want.Deadwood,
		Score: want.Score,
	}, result); diff != "" || kind != want.Kind || r.StockLeft() != v.StockLeft {
		t.Errorf("round %d.%d: %s, %d left in the stock, want %s, %d (-want +got)\n%s", v.Game, v.Round, kind, r.StockLeft(), want.Kind,
			v.StockLeft, diff)
	}
	for s, names := range v.FinalHands {
		if r.Hand(ginrummy.Seat(s)) != names.Set() {
			t.Errorf("round %d.%d: the hand %s at the end, want %v", v.Game, v.Round, r.Hand(ginrummy.Seat(s)), names)
		}
		if after := v.ScoresBefore[s] + result.Score[s]; after != v.ScoresAfter[s] {
			t.Errorf("round %d.%d: score %d, want %d", v.Game, v.Round, after, v.ScoresAfter[s])
		}
	}
	if over := max(v.ScoresAfter[0], v.ScoresAfter[1]) >= ginrummy.GameScore; over != v.GameOver {
		t.Errorf("round %d.%d: the game is over: %v", v.Game, v.Round, over)
	}
}

// The rounds of a game follow each other: the starter changes after a scored round only.
func TestStarters(t *testing.T) {
	rounds, err := Read[RoundVector]("rounds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	follow := 0
	for i, v := range rounds[1:] {
		before := rounds[i]
		if v.Game != before.Game || v.Round != before.Round+1 {
			continue
		}
		follow++
		if got := ginrummy.NextStarter(before.Starter, ginrummy.Result{Void: before.Result.Kind == "void"}); got != v.Starter {
			t.Errorf("round %d.%d is started by %d, want %d", v.Game, v.Round, got, v.Starter)
		}
	}
	if follow < 20 {
		t.Errorf("only %d rounds follow another", follow)
	}
}

// What the events say about the cards is what the reference's feature vectors say.
func TestSeen(t *testing.T) {
	situations, err := Read[SituationVector]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(situations) != 200 {
		t.Fatalf("%d situations", len(situations))
	}
	for i, v := range situations {
		own := v.Own.Set()
		seen := ginrummy.NewSeen(Card(v.Upcard), own)
		for _, e := range v.Events {
			kind, err := ginrummy.ParseKind(e.Action)
			if err != nil {
				t.Fatal(err)
			}
			event := ginrummy.Event{Kind: kind, Card: ginrummy.NoCard}
			if e.Player == "B" {
				event.Seat = 1
			}
			if e.Card != "" {
				event.Card = Card(e.Card)
			}
			seen.Add(event, e.Player == "A")
		}
		seen.Own = own
		if seen.Kept != v.Features.Kept.Set() || seen.Discarded|seen.Refused != v.Features.Refused.Set() {
			t.Errorf("situation %d: kept %s, want %v; discarded or refused %s, want %v", i, seen.Kept, v.Features.Kept, seen.Discarded|seen.Refused,
				v.Features.Refused)
		}
		opponent := v.Opponent.Set()
		if !opponent.Contains(seen.Kept) || opponent&(seen.Own|seen.Pile) != 0 || !(seen.Unknown() | seen.Kept).Contains(opponent) {
			t.Errorf("situation %d: the opponent's hand %s contradicts %+v", i, opponent, seen)
		}
	}
}
