package advice_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// small are settings for tests.
var small = advice.Settings{
	Samples: 6, Trials: 6, Pool: 20, Clustered: true, Depth: 3, Exact: 4, TrialDepth: 3, Discards: 2, Enhancements: search.AllFour,
}

// playing are settings with playouts for tests.
var playing = func() advice.Settings {
	s := advice.Quick
	s.Samples, s.Playouts, s.Pool, s.Trials = 6, 20, 60, 20
	s.Inference = advice.Inference{Bids: true, Exchanges: true, Cards: true}
	return s
}()

// settings are all kinds of settings for tests.
var settings = map[string]advice.Settings{"searches": small, "playouts": playing}

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

// TestKnownCards: when all cards are known, the advice agrees with the exact search.
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
	for name, s := range settings {
		t.Run(name, func(t *testing.T) { testCard(t, s) })
	}
}

func testCard(t *testing.T, with advice.Settings) {
	t.Helper()
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
			one, err := advice.New(with).Card(t.Context(), &v, random.New(9))
			if err != nil {
				t.Fatal(err)
			}
			again, err := advice.New(with).Card(t.Context(), &v, random.New(9))
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

// TestNodes: a bound on the nodes leaves out the deals after it, at least one is searched, and a bound that is not reached changes nothing.
func TestNodes(t *testing.T) {
	v := view(t, 0)
	card := func(nodes uint64) advice.Cards {
		with := small
		with.Nodes = nodes
		out, err := advice.New(with).Card(t.Context(), &v, random.New(4))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	free := card(0)
	if one := card(1); one.Samples != 1 || free.Samples != small.Samples {
		t.Errorf("%d deals with a bound of one node, %d without a bound", one.Samples, free.Samples)
	}
	if diff := cmp.Diff(free, card(1<<40)); diff != "" {
		t.Error(diff)
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
	for name, s := range settings {
		one, err := advice.New(s).Card(t.Context(), &v, random.New(4))
		if err != nil {
			t.Fatal(err)
		}
		two, err := advice.New(s).Card(t.Context(), &other, random.New(4))
		if diff := cmp.Diff(one, two); diff != "" || err != nil {
			t.Errorf("%s, with other hidden cards: %v %s", name, err, diff)
		}
	}
}

// TestLastTricks: when all cards are known, playouts of the last three tricks give each card the score of best play, with what was
// announced.
func TestLastTricks(t *testing.T) {
	s, played := enginetest.Example()
	for cards := 39; cards < 45; cards++ {
		v := view(t, cards)
		v.Radli[tarok.A] = 1
		got, err := advice.New(playing).Card(t.Context(), &v, random.New(1))
		if err != nil {
			t.Fatal(err)
		}
		if len(got.List) == 1 || got.Worlds > 1 {
			continue
		}
		p, err := tarok.NewPosition(s)
		if err == nil {
			p, err = p.Replay(played[:cards])
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.List {
			next, _ := p.Play(c.Card)
			if want := best(t, next, v.Player); math.Abs(c.Value-want) > 1e-9 || got.Measure != advice.Leads {
				t.Errorf("after %d cards %s is worth %v, want %v", cards, c.Card, c.Value, want)
			}
		}
	}
}

// TestDiscardsOfWorlds: an opponent's playouts of the last three tricks give each card the mean score of best play over all worlds, each
// with the discards that the declarer has made in it.
func TestDiscardsOfWorlds(t *testing.T) {
	with := playing
	with.Inference = advice.Inference{}
	checked := 0
	for cards := 39; cards < 47; cards++ {
		v := view(t, cards)
		w, err := worlds.New(v.View)
		if err != nil {
			t.Fatal(err)
		}
		if v.Player == v.Declarer || w.Count() == 1 || w.Count() > uint64(with.Playouts) || v.Legal().Len() == 1 {
			continue
		}
		v.Radli[tarok.A] = 1
		got, err := advice.New(with).Card(t.Context(), &v, random.New(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.List {
			want, n := 0.0, w.Count()
			for k := range n {
				p := w.Position(w.World(k))
				next, _ := p.Play(c.Card)
				want += best(t, next, v.Player) / float64(n)
			}
			if math.Abs(c.Value-want) > 1e-9 {
				t.Errorf("after %d cards %s is worth %v in %d worlds, want %v", cards, c.Card, c.Value, n, want)
			}
		}
		checked++
	}
	if checked == 0 {
		t.Error("no opponent has a choice in several worlds")
	}
}

// TestTrialDeals: the trial games of the paper's program are of worlds that represent many drawn ones, and other worlds than plain ones.
func TestTrialDeals(t *testing.T) {
	s, _ := enginetest.Example()
	v := bidding(t, s.Deal)
	with := small
	points := map[bool]float64{}
	for _, clustered := range []bool{false, true} {
		with.Clustered = clustered
		one, err := advice.New(with).Prospects(t.Context(), &v, random.New(8))
		if err != nil {
			t.Fatal(err)
		}
		if one[0].Games != with.Trials {
			t.Errorf("%d trial games, want %d", one[0].Games, with.Trials)
		}
		points[clustered] = one[0].Points
	}
	if points[true] == points[false] {
		t.Errorf("the mean points are %v with and without clusters", points[true])
	}
}

// best returns what best play is worth for a player above the mean of the others, with a radl of A. Only A's score counts.
func best(t *testing.T, p tarok.Position, who tarok.Player) float64 {
	t.Helper()
	setup := p.Setup()
	if p.Finished() {
		score, err := p.Score(tarok.Announcements{Radli: [3]int{1, 0, 0}})
		if err != nil {
			t.Fatal(err)
		}
		return playout.Lead(score.Total, who)
	}
	own := (p.Turn() == setup.Declarer) == (who == setup.Declarer)
	value := math.Inf(-1)
	if !own {
		value = math.Inf(1)
	}
	for c := range p.Legal().All() {
		next, _ := p.Play(c)
		if x := best(t, next, who); own {
			value = max(value, x)
		} else {
			value = min(value, x)
		}
	}
	return value
}

// bidding returns the view of the first bid with a hand.
func bidding(t *testing.T, d tarok.Deal) players.View {
	t.Helper()
	table, err := players.NewTable(d, tarok.DefaultRules, [3]int{})
	if err != nil {
		t.Fatal(err)
	}
	return *table.View(tarok.A)
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
	for name, s := range settings {
		a := advice.New(s)
		v := bidding(t, strong)
		bid, list, err := a.Bid(t.Context(), &v, random.New(5))
		if err != nil || bid != tarok.Bid(tarok.Three) || !list[0].Viable || list[0].Games != s.Trials {
			t.Errorf("%s: %v %+v %v, want a bid of three", name, bid, list, err)
		}
		v.Margins.Points = 300 // no score is above the score of a valat
		if bid, _, err = a.Bid(t.Context(), &v, random.New(5)); err != nil || bid != tarok.Pass {
			t.Errorf("%s: %v %v, want a pass with a margin of 300", name, bid, err)
		}
		v = bidding(t, weak)
		if bid, list, err = a.Bid(t.Context(), &v, random.New(5)); err != nil || bid != tarok.Pass || list[1].Games != 0 {
			t.Errorf("%s: %v %+v %v, want a pass, and two not tried", name, bid, list, err)
		}
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

// TestDouble: an opponent doubles a bonus only if it is not made; the declarer never doubles it again.
func TestDouble(t *testing.T) {
	for name, tt := range map[string]struct {
		player tarok.Player
		words  []players.Words
		share  float64
		want   bool
	}{
		"opponent, sure that it fails": {tarok.B, []players.Words{{Bonuses: [4]bool{tarok.LastPagat: true}}}, 0.9, true},
		"opponent, never sure enough":  {tarok.B, []players.Words{{Bonuses: [4]bool{tarok.LastPagat: true}}}, 2, false},
		"declarer, whose pagat never wins": {tarok.A, []players.Words{
			{Bonuses: [4]bool{tarok.LastPagat: true}},
			{Double: [4]bool{tarok.LastPagat: true}},
			{},
		}, 0.9, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := enginetest.Example()
			p, err := tarok.NewPosition(s)
			if err != nil {
				t.Fatal(err)
			}
			v := players.PlayView(worlds.ViewOf(&s, nil, tt.player), &p)
			v.Phase = players.ToAnnounce
			for _, w := range tt.words {
				if v.Talk, err = v.Talk.Say(w); err != nil {
					t.Fatal(err)
				}
			}
			v.Margins.Announce = [4]float64{tt.share, tt.share, tt.share, tt.share}
			say, trials, err := advice.New(small).Announce(t.Context(), &v, random.New(7))
			if err != nil || say.Double[tarok.LastPagat] != tt.want {
				t.Errorf("%+v %+v %v, want double %v", say, trials, err, tt.want)
			}
		})
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
		t.Errorf("error %v, want the error of the context", err)
	}
}

// TestPlayer: the program plays whole hands, and better than at random. The result does not depend on the number of workers.
func TestPlayer(t *testing.T) {
	for name, s := range settings {
		t.Run(name, func(t *testing.T) { testPlayer(t, s) })
	}
}

func testPlayer(t *testing.T, s advice.Settings) {
	t.Helper()
	kind := advice.Kind(advice.Program, s)
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

// BenchmarkCard advises at the first card, in the sixth trick and in the eleventh of random hands, with the default settings.
func BenchmarkCard(b *testing.B) {
	for _, bm := range []struct {
		name  string
		cards int
	}{{"first", 0}, {"sixth", 15}, {"eleventh", 30}} {
		b.Run(bm.name, func(b *testing.B) {
			rng := random.New(1)
			views := make([]players.View, 20)
			for i := range views {
				views[i] = randomView(b, rng, bm.cards)
			}
			a := advice.New(advice.Default)
			i := 0
			for b.Loop() {
				if _, err := a.Card(b.Context(), &views[i%len(views)], rng); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// randomView returns the view of the player to move in a hand with an exchange, after random cards.
func randomView(tb testing.TB, rng *rand.Rand, cards int) players.View {
	tb.Helper()
	s := tarok.DrawSetup(rng, tarok.Three, tarok.Two, tarok.One)
	p, err := tarok.NewPosition(s)
	var played []tarok.Card
	for err == nil && len(played) < cards {
		played = append(played, tarok.Any(rng, p.Legal()))
		p, err = p.Play(played[len(played)-1])
	}
	if err != nil {
		tb.Fatal(err)
	}
	return players.PlayView(worlds.ViewOf(&s, played, p.Turn()), &p)
}
