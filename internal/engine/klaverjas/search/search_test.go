package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// ruleSets covers every option of the rules that affects the search.
func ruleSets() []klaverjas.Rules {
	quads := klaverjas.DefaultRules(klaverjas.Rotterdam)
	quads.FourOfAKind = [8]int{0, 0, 0, 10, 200, 30, 100, 1000}
	quads.Pit = klaverjas.Pit{Declarers: 50, Defenders: 100}
	all := klaverjas.DefaultRules(klaverjas.Amsterdam)
	all.NatMelds = klaverjas.NatAll
	plain := klaverjas.DefaultRules(klaverjas.Rotterdam)
	plain.Melds = false
	return []klaverjas.Rules{
		klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.DefaultRules(klaverjas.Amsterdam), quads, all, plain,
	}
}

func randomDeal(rng *rand.Rand, rules klaverjas.Rules) klaverjas.Position {
	d := klaverjas.Deal{
		Trump:    piquet.Suit(rng.IntN(4)),
		Leader:   piquet.Seat(rng.IntN(4)),
		Declarer: piquet.Team(rng.IntN(2)),
	}
	for i, c := range rng.Perm(32) {
		d.Hands[i/8] = d.Hands[i/8].With(piquet.Card(c))
	}
	p, err := klaverjas.NewPosition(rules, d)
	if err != nil {
		panic(err) // a shuffled deck is always a deal
	}
	return p
}

// playOut plays random cards and calls visit for every position, including the first.
func playOut(t *testing.T, rng *rand.Rand, p klaverjas.Position, visit func(klaverjas.Position)) {
	t.Helper()
	for {
		visit(p)
		if p.Finished() {
			return
		}
		legal := p.Legal().Slice()
		next, err := p.Play(legal[rng.IntN(len(legal))])
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
}

func TestNumbering(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, rules := range ruleSets() {
		var d deal
		p := randomDeal(rng, rules)
		d.prepare(p)
		trump := p.Deal().Trump
		for i := range piquet.Card(32) {
			c := d.card(i)
			if back := d.cardBack(c); back != i {
				t.Fatalf("%s is converted to %d, and back to %s", i, c, back)
			}
			if got, want := int(statics.points[c]), klaverjas.Points(i, trump); got != want {
				t.Errorf("%s: %d points, want %d", i, got, want)
			}
			if got, want := int(c&7), klaverjas.Strength(i, trump); got != want {
				t.Errorf("%s: strength %d, want %d", i, got, want)
			}
		}
	}
}

// TestRootAgreesWithEngine compares the search's own legal cards, tricks and melds with the engine's.
func TestRootAgreesWithEngine(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, rules := range ruleSets() {
		for range 200 {
			var s searcher
			p := randomDeal(rng, rules)
			s.deal.prepare(p)
			before := p
			playOut(t, rng, p, func(p klaverjas.Position) {
				r := s.rootOf(p)
				if !p.Finished() && p.Trick().Len > 0 {
					if got, want := s.legal(s.deal.hand[r.seat]&r.left, r.seat, r.trick), s.deal.set(p.Legal()); got != want {
						t.Fatalf("legal cards %x, want %x", got, want)
					}
					if got, want := piquet.Seat(r.trick.winner()), p.Trick().Winner; got != want {
						t.Fatalf("%s is winning, want %s", got, want)
					}
				}
				if before.Trick().Len == 3 { // a trick has just ended
					played := before.Trick().Set() | before.Hand(before.Turn())&^p.Hand(before.Turn())
					if got, want := int(s.deal.trickMeld(s.deal.set(played))), rules.Meld(played, p.Deal().Trump); got != want {
						t.Fatalf("%s: meld %d, want %d", played, got, want)
					}
				}
				before = p
			})
		}
	}
}

// TestMeldsLeft checks that no team makes more melds than meldsLeft allows, and none with a card that is not live.
func TestMeldsLeft(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	made := 0
	for _, rules := range ruleSets() {
		rules.Pit = klaverjas.Pit{} // meldsLeft does not include a pit
		for range 300 {
			var s searcher
			p := randomDeal(rng, rules)
			s.deal.prepare(p)
			var allowed []sides
			var scores []klaverjas.Score
			playOut(t, rng, p, func(p klaverjas.Position) {
				r := s.rootOf(p)
				allowed = append(allowed, s.deal.meldsLeft(r.left|r.table))
				scores = append(scores, p.Score())
			})
			end := scores[len(scores)-1]
			for i := range scores {
				for side := range 2 {
					got := end.Melds[side] - scores[i].Melds[side]
					made += got
					if most := int(allowed[i].of(side)); got > most {
						t.Fatalf("after %d cards side %d made %d in melds, meldsLeft allows at most %d", i, side, got, most)
					}
				}
			}
		}
	}
	if made == 0 {
		t.Error("no meld was made, so the test has no effect")
	}
}

// TestPatternSlack checks the claim of pattern.go: the values of two positions with the same pattern differ by at most the slack.
func TestPatternSlack(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	deals, compared, differ := 120, 0, 0
	if testing.Short() {
		deals = 30
	}
	for i := range deals {
		rules := ruleSets()[i%len(ruleSets())]
		rules.Pit = klaverjas.Pit{}
		s := New(Options{TableBytes: 1})
		start := randomDeal(rng, rules)
		s.begin(context.Background(), start)
		type place struct {
			left   uint32
			leader uint8
		}
		values := map[place]int32{}
		for range 400 {
			playOut(t, rng, start, func(p klaverjas.Position) {
				if p.Played() != 20 {
					return
				}
				r := s.rootOf(p)
				at := place{r.left, r.seat}
				if _, known := values[at]; !known {
					s.table.reset() // so that no value depends on the claim
					values[at] = s.exact(&r)
				}
			})
		}
		for a, va := range values {
			for b, vb := range values {
				if a == b || a.leader != b.leader || !s.deal.samePattern(a.left, b.left) {
					continue
				}
				compared++
				if va != vb {
					differ++
				}
				down, up := s.deal.slack(a.left, b.left, a.leader, 0)
				if va < vb-down || va > vb+up {
					t.Fatalf("deal %d: %x is worth %d, %x of its pattern %d: outside the slack of -%d, +%d",
						i, a.left, va, b.left, vb, down, up)
				}
			}
		}
	}
	if compared < 1000 || differ == 0 {
		t.Errorf("%d pairs compared, %d of them of different value: too few for a test", compared, differ)
	}
}

// exact returns the exact value of a root between two tricks, from its leader's side, by plain minimax.
func (s *searcher) exact(r *root) int32 {
	return s.minimax(r.left, r.seat, 0, 0, r.seat)
}

func (s *searcher) minimax(left uint32, leader uint8, played uint32, tr trick, seat uint8) int32 {
	if left == 0 && played == 0 {
		return 0
	}
	cards := s.deal.hand[seat] & left
	if played != 0 {
		cards = s.legal(cards, seat, tr)
	}
	best := int32(-infinity)
	for m := cards; m != 0; m &= m - 1 {
		c := lowest(m)
		next := newTrick(c, seat)
		if played != 0 {
			next = tr.play(c, seat)
		}
		rest, table := left&^(m&-m), played|m&-m
		var v int32
		if popcount(table) < 4 {
			v = -s.minimax(rest, leader, table, next, (seat+1)&3)
		} else {
			gain := next.points() + s.deal.trickMeld(table)
			if rest == 0 {
				gain += lastTrick
			}
			winner := next.winner()
			v = gain + s.minimax(rest, winner, 0, 0, winner)
			if (winner^seat)&1 != 0 {
				v = -v
			}
		}
		best = max(best, v)
	}
	return best
}

func TestTable(t *testing.T) {
	tb := newTable(1)
	if got, want := len(tb.entries), minBuckets*bucketSize; got != want {
		t.Fatalf("the smallest table has %d entries, want %d", got, want)
	}
	const hash, left = 0xfeedfacecafebeef, 0x0f0f0f0f
	find := func(about uint64) (entry, bool) {
		for i := range tb.bucket(hash) {
			if e := tb.bucket(hash)[i]; e.left() == left && (e.about^about)&sameMask == 0 {
				return e, true
			}
		}
		return entry{}, false
	}
	about := tb.about(hash, 3, newState(1, 63, 1))
	tb.put(hash, about, left, 40, 29, 30, 5, 4) // at least 40
	tb.put(hash, about, left, 50, 59, 60, 6, 4) // at most 50
	e, ok := find(about)
	if !ok || e.lower() != 40 || e.upper() != 50 || e.best() != 6 || e.tricks() != 4 {
		t.Errorf("found %v: %d..%d, best %d, %d tricks; want 40..50, 6, 4", ok, e.lower(), e.upper(), e.best(), e.tricks())
	}
	if _, ok := find(tb.about(hash, 2, newState(1, 63, 1))); ok {
		t.Error("found for another leader")
	}
	for range 3 * maxGen { // the memory is cleared more than once
		tb.reset()
		if _, ok := find(tb.about(hash, 3, newState(1, 63, 1))); ok {
			t.Fatal("found after a reset")
		}
	}
	tb.put(hash, tb.about(hash, 0, 0), left, 3*infinity, 0, 1, 0, 2)
	if e, ok := find(tb.about(hash, 0, 0)); !ok || e.lower() != infinity {
		t.Errorf("an infinite bound is kept as %d, want %d", e.lower(), infinity)
	}
}

// TestTableGrows fills a table with real positions and looks them up after the table has grown.
func TestTableGrows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	s := New(Options{TableBytes: 8 << 20})
	p := randomDeal(rng, klaverjas.DefaultRules(klaverjas.Rotterdam))
	s.begin(context.Background(), p)
	type key struct {
		left   uint32
		leader uint8
	}
	stored := map[key]bool{}
	for s.table.stored < s.table.buckets*bucketSize/2 {
		playOut(t, rng, p, func(p klaverjas.Position) {
			if r := s.rootOf(p); r.table == 0 && r.left != 0 {
				hash := s.deal.hash(r.left, r.seat, 0)
				s.store(hash, s.table.about(hash, r.seat, 0), r.left, 7, 0, 1, 0, 5)
				stored[key{r.left, r.seat}] = true
				s.table.stored += s.stored
				s.stored = 0 // so that the table does not grow yet
			}
		})
	}
	found := func(k key) bool {
		hash := s.deal.hash(k.left, k.leader, 0)
		return s.lookUp(hash, s.table.about(hash, k.leader, 0), k.left, 0, 6, 7).decided
	}
	for k := range stored {
		if !found(k) {
			delete(stored, k) // another entry replaced it
		}
	}
	s.growTable()
	if s.table.buckets == minBuckets || len(stored) < minBuckets {
		t.Fatalf("%d buckets, %d positions: the table did not grow, or holds too little", s.table.buckets, len(stored))
	}
	for k := range stored {
		if !found(k) {
			t.Fatalf("%x, led by %d, is lost in growing", k.left, k.leader)
		}
	}
}

// A solver returns correct results after an interrupted solve.
func TestSolveAfterAStop(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := New(Options{})
	stopped := 0
	for range 60 {
		p := randomDeal(rng, klaverjas.DefaultRules(klaverjas.Rotterdam))
		ctx, cancel := context.WithCancel(context.Background())
		_, err := s.Solve(ctx, Query{Position: p, Goal: Moves, Progress: func(Progress) { cancel() }})
		cancel()
		if err != nil {
			stopped++
		}
		want, _ := New(Options{}).Solve(context.Background(), Query{Position: p, Goal: Value})
		got, err := s.Solve(context.Background(), Query{Position: p, Goal: Value})
		if err != nil || got.Outcome != want.Outcome {
			t.Fatalf("after a stop: %d, %v; want %d", got.Outcome, err, want.Outcome)
		}
	}
	if stopped == 0 {
		t.Error("no solve was stopped")
	}
}

func TestGoals(t *testing.T) {
	for _, g := range []Goal{Win, Value, Moves} {
		if got, err := ParseGoal(g.String()); err != nil || got != g {
			t.Errorf("ParseGoal(%q) = %v, %v", g.String(), got, err)
		}
	}
	if _, err := ParseGoal("best"); err == nil {
		t.Error("best is accepted as a goal")
	}
}
