package advice

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// exampleView returns the view of a player after some cards of the paper's example game.
func exampleView(t *testing.T, p tarok.Player, cards int) players.View {
	t.Helper()
	s, played := enginetest.Example()
	now, err := tarok.NewPosition(s)
	if err == nil {
		now, err = now.Replay(played[:cards])
	}
	if err != nil {
		t.Fatal(err)
	}
	return players.PlayView(worlds.ViewOf(&s, played[:cards], p), &now)
}

// TestCalls: what each player has bid at least, and has refused.
func TestCalls(t *testing.T) {
	three, two, pass := tarok.Bid(tarok.Three), tarok.Bid(tarok.Two), tarok.Pass
	for _, tt := range []struct {
		bids []tarok.Bid
		want [3]call
	}{
		{nil, [3]call{{least: tarok.Two}, {refused: tarok.One}, {refused: tarok.One}}}, // from the contract
		{[]tarok.Bid{pass, pass, pass}, [3]call{{refused: tarok.Three}, {refused: tarok.Three}, {refused: tarok.Three}}},
		{ // A holds the two of B
			[]tarok.Bid{three, two, pass, two, pass, two},
			[3]call{{least: tarok.Two}, {least: tarok.Two, refused: tarok.One}, {refused: tarok.One}},
		},
	} {
		v := exampleView(t, tarok.A, 0)
		v.Bids = tt.bids
		if diff := cmp.Diff(tt.want, callsOf(&v), cmp.AllowUnexported(call{})); diff != "" {
			t.Errorf("%v: %s", tt.bids, diff)
		}
	}
}

// TestLikelyBids: the likelihood of a bid grows with the strength of the hand, the likelihood of a pass shrinks, and over all outcomes of
// one bid they sum to about 1.
func TestLikelyBids(t *testing.T) {
	rng := random.New(1)
	for range 200 {
		d := tarok.Random(rng)
		x, y := d.Hands[0], d.Hands[1]
		if players.Strength(x) < players.Strength(y) {
			x, y = y, x
		}
		bid, pass := call{least: tarok.Three}, call{refused: tarok.Three}
		if bid.likely(x) < bid.likely(y) || pass.likely(x) > pass.likely(y) {
			t.Errorf("%s is stronger than %s: bids %v and %v, passes %v and %v", x, y, bid.likely(x), bid.likely(y), pass.likely(x), pass.likely(y))
		}
		if sum := math.Exp(bid.likely(x)) + math.Exp(pass.likely(x)); math.Abs(sum-1) > 0.05 {
			t.Errorf("%s: %v together", x, sum)
		}
	}
}

// TestLikely: of the worlds drawn, those that explain what was done are chosen more often. The sample has the size that was asked for.
func TestLikely(t *testing.T) {
	v := exampleView(t, tarok.B, 9)
	w, err := worlds.New(v.View)
	if err != nil {
		t.Fatal(err)
	}
	const n = 400
	mean := func(list []tarok.Setup, of func(*tarok.Setup) float64) (sum float64) {
		for i := range list {
			sum += of(&list[i]) / float64(len(list))
		}
		return sum
	}
	measures := map[string]struct {
		Inference
		of func(*tarok.Setup) float64
	}{
		"bids": {Inference{Bids: true}, func(s *tarok.Setup) float64 {
			return players.Strength(s.Deal.Hands[tarok.A]) - players.Strength(s.Deal.Hands[tarok.C])
		}},
		"exchange": {Inference{Exchanges: true}, func(s *tarok.Setup) float64 {
			return players.LikelyExchange(s.Deal.Hands[tarok.A], s.Deal.Talon[:], s.Contract, s.Group, s.Discards)
		}},
	}
	for name, m := range measures {
		t.Run(name, func(t *testing.T) {
			plain, pool, effective := New(Settings{Pool: 2000}).likely(&v, w, random.New(2), n)
			if len(plain) != n || pool != 0 || effective != 0 {
				t.Errorf("without inference %d worlds of %d, %v effective", len(plain), pool, effective)
			}
			weighed, pool, effective := New(Settings{Pool: 2000, Inference: m.Inference}).likely(&v, w, random.New(2), n)
			if len(weighed) != n || pool != 2000 || effective < 1 || effective > 2000 {
				t.Errorf("%d worlds of %d, %v effective", len(weighed), pool, effective)
			}
			if before, after := mean(plain, m.of), mean(weighed, m.of); after < before+0.5 {
				t.Errorf("the mean is %v, and %v without inference", after, before)
			}
		})
	}
}

// TestResampling: each world is chosen in proportion to its weight, up to one.
func TestResampling(t *testing.T) {
	v := exampleView(t, tarok.B, 36)
	w, err := worlds.New(v.View)
	if err != nil {
		t.Fatal(err)
	}
	const n = 50
	by := Inference{Bids: true, Exchanges: true, Cards: true}
	list, pool, _ := New(Settings{Pool: 2000, Inference: by}).likely(&v, w, random.New(3), n)
	all := w.Plain(random.New(3), 2000)
	if uint64(pool) != w.Count() || len(all) != pool {
		t.Fatalf("%d of %d worlds are weighed", pool, w.Count())
	}
	weights, sum := by.weights(&v, all), 0.0
	for _, x := range weights {
		sum += x
	}
	for i := range all {
		got := 0
		for k := range list {
			if same(&list[k], &all[i]) {
				got++
			}
		}
		if want := weights[i] / sum * float64(min(n, pool)); math.Abs(float64(got)-want) >= 1 {
			t.Errorf("world %d is chosen %d times, its share is %v", i, got, want)
		}
	}
}
