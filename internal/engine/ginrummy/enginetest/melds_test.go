package enginetest

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

func TestMeldVectors(t *testing.T) {
	vectors, err := Read[MeldsVector]("melds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 320 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		hand := v.Hand.Set()
		best := hand.Best()
		counts := [4]int{len(hand.Melds()), len(best), hand.Deadwood(), maximal(hand)}
		if diff := cmp.Diff([4]int{v.Melds, v.BestSets, v.Deadwood, v.MaximalSets}, counts); diff != "" {
			t.Errorf("%s: melds, best sets, deadwood, maximal sets (-want +got)\n%s", hand, diff)
		}
		if v.Best != nil {
			want := map[ginrummy.Arrangement]bool{} // the vectors have them in no order
			for _, one := range v.Best {
				var melds []ginrummy.Set
				for _, m := range one {
					melds = append(melds, m.Set())
				}
				a, ok := ginrummy.ArrangementOf(melds)
				if !ok {
					t.Errorf("%v is not an arrangement", one)
				}
				want[a] = true
			}
			got := map[ginrummy.Arrangement]bool{}
			for _, a := range best {
				got[a] = true
			}
			if diff := cmp.Diff(want, got); diff != "" || len(want) != len(v.Best) {
				t.Errorf("%s: best (-want +got)\n%s", hand, diff)
			}
		}
		if v.AfterDiscard != nil {
			deadwood, cards := hand.AfterDiscard()
			if deadwood != v.AfterDiscard.Deadwood || cards != v.AfterDiscard.Cards.Set() {
				t.Errorf("%s: after a discard %d of %s, want %d of %v", hand, deadwood, cards, v.AfterDiscard.Deadwood, v.AfterDiscard.Cards)
			}
		}
	}
}

// allMelds lists the melds from their definition, by trying every range of a suit and every choice of a rank.
func allMelds() (list []ginrummy.Set) {
	for suit := range 4 {
		for from := range 13 {
			for to := from + 2; to < 13; to++ {
				var m ginrummy.Set
				for r := from; r <= to; r++ {
					m = m.With(ginrummy.Card(13*suit + r))
				}
				list = append(list, m)
			}
		}
	}
	for r := range 13 {
		for suits := range uint(16) {
			if bits.OnesCount(suits) < 3 {
				continue
			}
			var m ginrummy.Set
			for suit := range 4 {
				if suits>>suit&1 != 0 {
					m = m.With(ginrummy.Card(13*suit + r))
				}
			}
			list = append(list, m)
		}
	}
	return list
}

// maximal counts the sets of disjoint melds of a hand to which no other meld can be added, of hands with a meld.
func maximal(hand ginrummy.Set) (count int) {
	var in []ginrummy.Set
	for _, m := range allMelds() {
		if hand.Contains(m) {
			in = append(in, m)
		}
	}
	var walk func(next int, used ginrummy.Set)
	walk = func(next int, used ginrummy.Set) {
		if next == len(in) {
			for _, m := range in {
				if m&used == 0 {
					return
				}
			}
			count++
			return
		}
		walk(next+1, used)
		if in[next]&used == 0 {
			walk(next+1, used|in[next])
		}
	}
	if len(in) > 0 && len(in) < 20 {
		walk(0, 0)
		return count
	}
	if len(in) == 0 {
		return 0
	}
	return slow(in)
}

// slow counts like maximal, for many melds.
func slow(in []ginrummy.Set) (count int) {
	var walk func(next int, used ginrummy.Set)
	walk = func(next int, used ginrummy.Set) {
		addable := false
		for _, m := range in {
			if m&used == 0 {
				addable = true
				break
			}
		}
		if !addable {
			count++
			return
		}
		for i := next; i < len(in); i++ {
			if in[i]&used == 0 {
				walk(i+1, used|in[i])
			}
		}
	}
	walk(0, 0)
	return count
}

// least returns the least deadwood of a hand and how many sets of disjoint melds leave it, by trying all of them.
func least(hand ginrummy.Set, all []ginrummy.Set) (deadwood, sets int) {
	var in []ginrummy.Set
	for _, m := range all {
		if hand.Contains(m) {
			in = append(in, m)
		}
	}
	deadwood = 1000
	var walk func(next int, left ginrummy.Set)
	walk = func(next int, left ginrummy.Set) {
		points := 0
		for c := range left.All() {
			points += min(int(c)%13+1, 10)
		}
		switch {
		case points < deadwood:
			deadwood, sets = points, 1
		case points == deadwood:
			sets++
		}
		for i := next; i < len(in); i++ {
			if left.Contains(in[i]) {
				walk(i+1, left&^in[i])
			}
		}
	}
	walk(0, hand)
	if len(in) == 0 {
		sets = 0
	}
	return deadwood, sets
}

func TestMelds(t *testing.T) {
	all := allMelds()
	if diff := cmp.Diff(all[:264], ginrummy.Melds()[:264]); diff != "" || len(all) != ginrummy.MeldCount ||
		len(ginrummy.Melds()) != ginrummy.MeldCount {
		t.Errorf("%d melds, %d by definition\n%s", len(ginrummy.Melds()), len(all), diff)
	}
	is := map[ginrummy.Set]bool{}
	short := 0
	for _, m := range all {
		is[m] = true
		if m.Len() <= ginrummy.HandSize {
			short++
		}
	}
	for _, m := range ginrummy.Melds() {
		if !is[m] {
			t.Errorf("%s is not a meld", m)
		}
	}
	if short != 305 {
		t.Errorf("%d melds fit into ten cards, want 305", short)
	}
	// Sets of cards that differ by one card from a meld, and others.
	rng := random.New(7)
	for range 200_000 {
		m := all[random.Below(rng, uint64(len(all)))] ^ 1<<random.Below(rng, ginrummy.DeckSize)
		if m.IsMeld() != is[m] {
			t.Fatalf("%s: IsMeld %v", m, m.IsMeld())
		}
	}
}

// draw draws n cards, more often of few suits and near ranks than by chance.
func draw(t *testing.T, seed uint64, n int, each func(hand ginrummy.Set)) {
	t.Helper()
	rng := random.New(seed)
	for i := range 10_000 {
		var hand ginrummy.Set
		for hand.Len() < n {
			c := ginrummy.Card(random.Below(rng, ginrummy.DeckSize))
			if i%2 == 0 && hand != 0 && !hand.Completes(c) && random.Below(rng, 4) > 0 {
				continue
			}
			hand = hand.With(c)
		}
		each(hand)
	}
}

// The deadwood and the best arrangements are those that trying all sets of melds finds.
func TestBestOfAll(t *testing.T) {
	all := allMelds()
	for _, n := range []int{10, 11} {
		draw(t, uint64(n), n, func(hand ginrummy.Set) {
			deadwood, sets := least(hand, all)
			best := hand.Best()
			if hand.Deadwood() != deadwood || len(best) != sets {
				t.Errorf("%s: deadwood %d in %d ways, want %d in %d", hand, hand.Deadwood(), len(best), deadwood, sets)
			}
			seen := map[ginrummy.Arrangement]bool{}
			for _, a := range best {
				if again, ok := ginrummy.ArrangementOf(a.Melds()); !ok || again != a || a.Deadwood(hand) != deadwood || seen[a] {
					t.Errorf("%s: %s", hand, a)
				}
				seen[a] = true
			}
			for c := range ginrummy.Deck.All() {
				completes := false
				for _, m := range all {
					completes = completes || m.Has(c) && hand.With(c).Contains(m)
				}
				if hand.Completes(c) != completes {
					t.Errorf("%s completes %s: %v", hand, c, !completes)
				}
			}
			if after, cards := hand.AfterDiscard(); n == 11 {
				if after > deadwood {
					t.Errorf("%s: deadwood %d, after a discard %d", hand, deadwood, after)
				}
				for c := range hand.All() {
					if d, _ := least(hand.Without(c), all); d < after || (d == after) != cards.Has(c) {
						t.Errorf("%s without %s: deadwood %d, the least is %d of %s", hand, c, d, after, cards)
					}
				}
			}
		})
	}
}

// Every lay-off makes a meld, and none is left at the end.
func TestLayOffs(t *testing.T) {
	draw(t, 3, 10, func(hand ginrummy.Set) {
		best := hand.Best()
		if len(best) == 0 {
			return
		}
		on := best[0]
		others := ginrummy.Deck &^ hand
		laid, left := ginrummy.ChallengeLayOffs.LayOff(others, on)
		melds := map[ginrummy.Set]bool{}
		for _, m := range on.Melds() {
			melds[m] = true
		}
		for _, l := range laid {
			if !melds[l.On] || !l.On.With(l.Card).IsMeld() || !others.Has(l.Card) || left.Has(l.Card) {
				t.Fatalf("%s on %s", l.Card, l.On)
			}
			delete(melds, l.On)
			melds[l.On.With(l.Card)] = true
			others = others.Without(l.Card)
		}
		for m := range melds {
			for c := range left.All() {
				if m.With(c).IsMeld() {
					t.Fatalf("%s is left and extends %s", c, m)
				}
			}
		}
		if left != others {
			t.Fatalf("%s is left, want %s", left, others)
		}
	})
}

// leastLeft returns the least points that any disjoint melds of the hand leave after lay-offs: it tries all of them.
func leastLeft(hand, left ginrummy.Set, from int, on ginrummy.Arrangement, rule ginrummy.LayOffs) int {
	points := naiveLeft(left, on)
	if rule == ginrummy.ChallengeLayOffs {
		_, rest := rule.LayOff(left, on)
		points = rest.Points()
	}
	in := hand.Melds()
	for i := from; i < len(in); i++ {
		if left.Contains(in[i]) {
			points = min(points, leastLeft(hand, left&^in[i], i+1, on, rule))
		}
	}
	return points
}

// naiveLeft returns the least points that lay-offs on melds can leave: it tries each card on each meld, in every order.
func naiveLeft(cards ginrummy.Set, on ginrummy.Arrangement) int {
	points := cards.Points()
	for c := range cards.All() {
		for i, m := range on {
			if m != 0 && m.With(c).IsMeld() {
				after := on
				after[i] = m.With(c)
				points = min(points, naiveLeft(cards.Without(c), after))
			}
		}
	}
	return points
}

// The lay-offs of the rule best leave as little as any, and less than the order of the challenge where a card fits a set and a run.
func TestBestLayOffs(t *testing.T) {
	better, all, rng := 0, ginrummy.Melds(), random.New(8)
	for range 5000 {
		var list []ginrummy.Set
		var used ginrummy.Set
		for range 30 {
			m := all[random.Below(rng, uint64(len(all)))]
			if m&used == 0 && len(list) < ginrummy.MostMelds && m.Len() < 5 {
				list, used = append(list, m), used|m
			}
		}
		on, _ := ginrummy.ArrangementOf(list)
		var hand ginrummy.Set
		for _, m := range list { // cards near the melds
			for c := range (ginrummy.OfRank(m.First().Rank()) | near(m)).All() {
				if !used.Has(c) && hand.Len() < 6 && random.Below(rng, 2) == 0 {
					hand = hand.With(c)
				}
			}
		}
		laid, left := ginrummy.BestLayOffs.LayOff(hand, on)
		after := on
		for _, l := range laid {
			i := slices.Index(after[:], l.On)
			if i < 0 || !l.On.With(l.Card).IsMeld() || !hand.Has(l.Card) {
				t.Fatalf("%s on %s: %s on %s", hand, on, l.Card, l.On)
			}
			after[i] = l.On.With(l.Card)
		}
		if want := naiveLeft(hand, on); left.Points() != want || after.Cards() != on.Cards()|hand&^left {
			t.Fatalf("%s on %s leaves %s, want %d points", hand, on, left, want)
		}
		if _, fixed := ginrummy.ChallengeLayOffs.LayOff(hand, on); fixed.Points() > left.Points() {
			better++
		}
	}
	if better == 0 {
		t.Error("the order of the challenge was never worse")
	}
}

// near returns the cards of the suit of a run's first card.
func near(m ginrummy.Set) (s ginrummy.Set) {
	for r := range ginrummy.Rank(ginrummy.Ranks) {
		s = s.With(ginrummy.Of(m.First().Suit(), r))
	}
	return s
}

// Against the melds of a knocker, no other melds leave less after the lay-offs. It can be worth breaking a meld of one's hand for them.
func TestBestAgainst(t *testing.T) {
	broken, all, rng := 0, ginrummy.Melds(), random.New(6)
	draw(t, 5, 10, func(hand ginrummy.Set) {
		var (
			list []ginrummy.Set
			used = hand
		)
		for range 200 { // the knocker has any melds of the other cards
			m := all[random.Below(rng, uint64(len(all)))]
			if m&used == 0 && len(list) < ginrummy.MostMelds && (used|m).Len() <= 20 {
				list, used = append(list, m), used|m
			}
		}
		on, _ := ginrummy.ArrangementOf(list)
		rule := ginrummy.LayOffs(random.Below(rng, 2))
		got := hand.BestAgainst(on, rule)
		if again, ok := ginrummy.ArrangementOf(got.Melds()); !ok || again != got || !hand.Contains(got.Cards()) {
			t.Fatalf("%s: %s", hand, got)
		}
		_, left := rule.LayOff(hand&^got.Cards(), on)
		if want := leastLeft(hand, hand, 0, on, rule); left.Points() != want {
			t.Fatalf("%s lays down %s and leaves %d points on %s, want %d", hand, got, left.Points(), on, want)
		}
		if got.Deadwood(hand) > hand.Deadwood() {
			broken++
		}
	})
	if broken < 10 {
		t.Errorf("melds were broken in %d hands only", broken)
	}
}

func BenchmarkDeadwood(b *testing.B) {
	var hands []ginrummy.Set
	rng := random.New(1)
	for len(hands) < 1024 {
		var hand ginrummy.Set
		for hand.Len() < 11 {
			hand = hand.With(ginrummy.Card(random.Below(rng, ginrummy.DeckSize)))
		}
		hands = append(hands, hand)
	}
	for name, f := range map[string]func(ginrummy.Set) int{
		"deadwood":      func(h ginrummy.Set) int { return h.Deadwood() },
		"after discard": func(h ginrummy.Set) int { d, _ := h.AfterDiscard(); return d },
		"best":          func(h ginrummy.Set) int { return len(h.Best()) },
	} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				f(hands[i&1023])
				i++
			}
		})
	}
}
