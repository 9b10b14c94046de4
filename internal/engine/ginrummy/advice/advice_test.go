package advice_test

import (
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// small are settings for tests.
func small() advice.Settings {
	s := advice.Default(advice.Uniform)
	s.Worlds = 12
	return s
}

// Every option is allowed, and the player plays whole games without a fault.
func TestAllowed(t *testing.T) {
	kind := advice.Kind("playout", small())
	contest := players.Contest{A: kind, B: players.Kinds()[1], Pairs: 1, Seed: 5}
	r, err := contest.Run(t.Context())
	if err != nil || r.Games != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The same seed gives the same options, and options that the service lists get values.
func TestValue(t *testing.T) {
	for _, v := range views(t, 2) {
		list := players.Options(&v)
		action, valued, err := players.Advise(t.Context(), advice.NewPlayer(small(), random.New(3)), v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := advice.NewPlayer(small(), random.New(3)).Choose(t.Context(), v)
		if err != nil || again != action {
			t.Errorf("%v and %v, %v", action, again, err)
		}
		best := 0
		for _, o := range valued {
			if o.Best {
				best++
			}
			// The values of two options are apart by a difference with an error, and the best by none from itself.
			if o.Valued && o.Best != (o.Error == 0) {
				t.Errorf("%v with the value %g has the error %g, best: %t", o.Action, o.Value, o.Error, o.Best)
			}
		}
		if len(valued) != len(list) || best != 1 {
			t.Errorf("%d of %d options, %d are best", len(valued), len(list), best)
		}
	}
}

// A hand without deadwood is knocked with.
func TestGin(t *testing.T) {
	v := ginrummy.View{
		Own: ginrummy.SetOf(0, 1, 2, 3, 17, 18, 19, 6, 32,
			45), Phase: ginrummy.ToKnock, Upcard: 51, Top: 11, Drawn: ginrummy.NoCard, Stock: 20, Turns: 11,
		Events: []ginrummy.Event{
			{Seat: 1, Kind: ginrummy.Pass, Card: ginrummy.NoCard}, {Seat: 0, Kind: ginrummy.Pass, Card: ginrummy.NoCard},
		},
	}
	if d := v.Own.Deadwood(); d != 0 {
		t.Fatalf("deadwood %d", d)
	}
	v.Stock = ginrummy.DeckSize - v.Own.Len() - ginrummy.HandSize - 1 // the first card turned up is the only discard
	a, err := advice.NewPlayer(small(), random.New(1)).Choose(t.Context(), v)
	if err != nil || a.Kind != ginrummy.Knock {
		t.Errorf("%v, %v", a, err)
	}
}

// The opponent of a knocker lays down the melds that leave the least after laying off.
func TestLay(t *testing.T) {
	melds, _ := ginrummy.ArrangementOf([]ginrummy.Set{ginrummy.SetOf(0, 1, 2), ginrummy.SetOf(13, 14, 15), ginrummy.SetOf(26, 27, 28)})
	v := ginrummy.View{
		Own: ginrummy.SetOf(3, 16, 29, 30, 31, 12, 25, 50, 36, 47), Phase: ginrummy.ToMeld,
		Events: []ginrummy.Event{{Seat: 1, Kind: ginrummy.Knock, Card: ginrummy.NoCard, Melds: melds}},
	}
	a, err := advice.NewPlayer(small(), random.New(1)).Choose(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	_, left := ginrummy.BestLayOffs.LayOff(v.Own&^a.Melds.Cards(), melds)
	for _, other := range v.Own.Best() {
		if _, rest := ginrummy.BestLayOffs.LayOff(v.Own&^other.Cards(), melds); rest.Points() < left.Points() {
			t.Errorf("%s leaves %d, %s leaves %d", a.Melds, left.Points(), other, rest.Points())
		}
	}
}

// Judge says how far the value of each option is from the value of the advised one, and values discards that Options leaves out. The
// advice is the same then.
func TestJudge(t *testing.T) {
	left := 0
	for _, v := range views(t, 1) {
		a := advice.New(small())
		list, err := a.Options(t.Context(), &v, random.New(7))
		if err != nil {
			t.Fatal(err)
		}
		of := map[ginrummy.Action]advice.Option{}
		for _, o := range list {
			of[o.Action] = o
		}
		for _, all := range players.Options(&v) {
			got, err := a.Judge(t.Context(), &v, all.Action, random.New(7))
			if err != nil || got.Advised != list[0].Action {
				t.Fatalf("%v: %+v, %v; advised is %v", all.Action, got, err, list[0].Action)
			}
			o, ok := of[all.Action]
			if !ok {
				left++
				continue
			}
			if got.Cost != list[0].Value-o.Value || got.Error != o.Error {
				t.Errorf("%v: %+v, want the difference of %+v and %+v", all.Action, got, list[0], o)
			}
		}
	}
	if left < 20 {
		t.Errorf("%d discards are left out of the options", left)
	}
}
