package ginrummy

import (
	"math"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/model/ginrummy/hand"
)

func mistakes(t *testing.T, n int, seed uint64) []Mistake {
	t.Helper()
	network, err := hand.Default()
	if err != nil {
		t.Fatal(err)
	}
	list, err := Reasons(t.Context(), ReasonSettings{Estimate: network.Estimator().Of, Mistakes: n, Worlds: 96, Seed: seed})
	if err != nil || len(list) != n {
		t.Fatalf("%d mistakes, %v", len(list), err)
	}
	return list
}

// The median reason of the mistakes of the page in lab/docs explains more than half of the cost, and nearly every mistake has a reason.
func TestShareOfReasons(t *testing.T) {
	list := mistakes(t, 60, 41)
	none := 0
	for i := range list {
		if !list[i].Found {
			none++
		}
	}
	if share := MedianShare(list); share < 0.6 || none > 3 {
		t.Errorf("the median share is %.2f, %d have no reason", share, none)
	}
}

// Three cards are a meld if they have one rank, or follow each other in one suit.
func three(a, b, c ginrummy.Card) bool {
	low, high := min(a, b, c), max(a, b, c)
	middle := a ^ b ^ c ^ low ^ high
	return a.Rank() == b.Rank() && b.Rank() == c.Rank() || low.Suit() == high.Suit() && middle == low+1 && high == low+2
}

// makes reports whether a card makes a meld with two cards of a hand.
func makes(hand ginrummy.Set, c ginrummy.Card) bool {
	for a := range hand.Without(c).All() {
		for b := range hand.Without(c).All() {
			if a < b && three(a, b, c) {
				return true
			}
		}
	}
	return false
}

// slowDeadwood tries for the lowest card that it is deadwood, and each meld with it.
func slowDeadwood(hand ginrummy.Set) int {
	if hand == 0 {
		return 0
	}
	c := hand.First()
	rest := hand.Without(c)
	best := c.Points() + slowDeadwood(rest)
	same := rest & ginrummy.OfRank(c.Rank())
	for part := same; part != 0; part = (part - 1) & same {
		if part.Len() >= 2 {
			best = min(best, slowDeadwood(rest&^part))
		}
	}
	run := ginrummy.Set(0)
	for next := c + 1; next.Suit() == c.Suit() && rest.Has(next); next++ {
		if run = run.With(next); run.Len() >= 2 {
			best = min(best, slowDeadwood(rest&^run))
		}
	}
	return best
}

// melded reports whether a card of a hand is in a meld in a best arrangement: the others without it can leave as little only then.
func melded(hand ginrummy.Set, c ginrummy.Card) bool {
	return hand.Has(c) && makes(hand, c) && func() bool {
		for _, a := range hand.Best() {
			if a.Deadwood(hand) == slowDeadwood(hand) && a.Cards().Has(c) {
				return true
			}
		}
		return false
	}()
}

// isMeld reports whether all cards are of one rank or one run.
func isMeld(s ginrummy.Set) bool {
	cards := s.Slice()
	same, run := len(cards) >= 3, len(cards) >= 3
	for i := 1; i < len(cards); i++ {
		same = same && cards[i].Rank() == cards[0].Rank()
		run = run && cards[i] == cards[i-1]+1 && cards[i].Suit() == cards[0].Suit()
	}
	return same || run
}

// outs counts the unseen cards that make a meld with a card and others of a hand, apart from the melds of its first best arrangement.
func outs(m *Mistake, hand ginrummy.Set, c ginrummy.Card) (n int) {
	seen := m.View.Seen()
	free := hand
	if best := hand.Best(); len(best) > 0 {
		free &^= best[0].Cards()
	}
	for u := range ginrummy.Deck.All() {
		found := false
		for a := range free.Without(c).All() {
			found = found || free.Has(c) && three(a, u, c)
		}
		if found && !(m.View.Own | seen.Pile | seen.Kept).Has(u) {
			n++
		}
	}
	return n
}

// shows reports whether the reason of a mistake is true in a world, by rules of its own.
func shows(m *Mistake, p *advice.Pair) bool {
	r, v := &m.Reason, &m.View
	played, better := m.Judged.Played.Action, m.Judged.Better.Action
	switch end := &p.Better.Hands[0]; r.Code {
	case reason.NoGin, reason.NoKnock:
		return p.Better.AtOnce && p.Better.End == advice.Own && slowDeadwood(*end) <= ginrummy.MaxDeadwood
	case reason.LeftMeld, reason.LeftChance, reason.BrokeMeld, reason.Chance:
		return melded(*end, r.Card)
	case reason.NoMeld:
		return !melded(p.Played.Hands[0], r.Card)
	case reason.Feeds:
		return makes(p.Opponent, r.Card) && (better.Kind != ginrummy.Discard || !makes(p.Opponent, better.Card))
	case reason.Undercut:
		return slowDeadwood(v.Own) > 0 && p.Played.Score <= -ginrummy.UndercutBonus
	case reason.GinLater:
		return p.Better.End == advice.Own && slowDeadwood(*end) == 0
	case reason.TooLate:
		return p.Played.End == advice.Other
	case reason.High:
		return p.Played.Hands[0].Has(r.Card) && !melded(p.Played.Hands[0], r.Card)
	case reason.LeftLow:
		return end.Has(r.Card)
	case reason.StockMeld:
		return makes(v.Own, p.Drawn)
	case reason.MoreLater:
		return played.Kind == ginrummy.Knock && p.Better.Score > p.Played.Score && p.Played.Score > 0
	case reason.LessLater:
		return p.Better.Score > p.Played.Score && p.Played.End != advice.Other
	default:
		return p.Better.End == advice.Own && p.Played.End != advice.Own
	}
}

// stands checks what a reason says of the cards of the player.
func stands(m *Mistake) bool {
	r, own, top := &m.Reason, m.View.Own, m.View.Top
	played, better := m.Judged.Played.Action, m.Judged.Better.Action
	least := 1000 // after the top discard was taken
	for c := range own.All() {
		least = min(least, slowDeadwood(own.With(top&63).Without(c)))
	}
	left, right := slowDeadwood(own.Without(played.Card&63)), slowDeadwood(own.Without(better.Card&63))
	switch discards := better.Kind == ginrummy.Discard; r.Code {
	case reason.NoGin, reason.NoKnock:
		if !discards {
			right, left = least, slowDeadwood(own)
		}
		return r.Better == right && (right == 0 && left > 0 || right <= ginrummy.MaxDeadwood && left > ginrummy.MaxDeadwood)
	case reason.LeftMeld:
		return isMeld(r.Cards) && r.Cards.Has(top) && own.With(top).Contains(r.Cards) && played.Kind != ginrummy.Take
	case reason.NoMeld:
		return !makes(own, top) && played.Kind == ginrummy.Take
	case reason.BrokeMeld:
		return isMeld(r.Cards) && r.Cards.Has(played.Card) && own.Contains(r.Cards) && r.Deadwood == left && r.Better == right && left > right
	case reason.Chance:
		return own.Contains(r.Cards) && r.Outs == outs(m, own.Without(better.Card), played.Card) &&
			r.BetterOuts == outs(m, own.Without(played.Card), better.Card) && r.Outs > r.BetterOuts
	case reason.High:
		return r.Deadwood == left && r.Better == right && left > right && r.Card == better.Card
	case reason.LeftChance:
		return r.Outs == outs(m, own.With(top), top) && r.Outs > 0 && !makes(own, top)
	case reason.LeftLow:
		return r.Better == least && r.Deadwood == slowDeadwood(own) && least < r.Deadwood
	case reason.Undercut:
		return r.Deadwood == slowDeadwood(own)
	default:
		return true
	}
}

// Each reason is true of the cards of the player, and in as many worlds as it says. The costs of the worlds are the cost of the action.
func TestReasonsAreTrue(t *testing.T) {
	for seed := range uint64(2) {
		list := mistakes(t, 35, seed)
		for i := range list {
			m := &list[i]
			sum, n := 0, 0
			for k := range m.Pairs {
				sum += m.Pairs[k].Cost()
				if m.Found && shows(m, &m.Pairs[k]) {
					n++
				}
			}
			r := &m.Reason
			text := r.Text(m.Judged.Played.Action, m.Judged.Advised)
			if mean := float64(sum) / float64(len(m.Pairs)); math.Abs(mean-m.Judged.Cost) > 1e-9 {
				t.Errorf("seed %d, %d: the pairs cost %g, the action %g", seed, i, mean, m.Judged.Cost)
			}
			if m.Found && (n != r.Applies || r.Worlds != len(m.Pairs) || n == 0 || r.Share <= 0 || r.Share > 1 || !stands(m)) {
				t.Errorf("seed %d, %d: %s of %s: true in %d worlds, share %g\n%s", seed, i, r.Code, m.View.Own, n, r.Share, text)
			}
		}
	}
}
