package reason_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/random"
	"roem/internal/testkit"
)

// mistake is a decision that cost something, with the reason. found is false if there is none.
type mistake struct {
	View   ginrummy.View
	Judged advice.Judged
	Pairs  []advice.Pair
	Reason reason.Reason
	found  bool
}

// careless plays as another player, but one of four actions is drawn at random.
type careless struct {
	players.Player
	other players.Player
	rng   *rand.Rand
}

func (c *careless) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	if random.Below(c.rng, 4) == 0 {
		return c.other.Choose(ctx, v)
	}
	return c.Player.Choose(ctx, v)
}

// mistakes lets a simple and a careless player play rounds, and returns n mistakes of both, which cost at least 2 points by two standard
// errors: of a round at most one for each kind of decision.
func mistakes(t *testing.T, n int, seed uint64) (list []mistake) {
	t.Helper()
	network, err := hand.Default()
	if err != nil {
		t.Fatal(err)
	}
	judge := advice.New(advice.Default(network.Estimator().Of))
	for number := uint64(0); len(list) < n; number++ {
		deal := ginrummy.SeededDeal(seed, number, ginrummy.Seat(number&1))
		rng := func(of uint64) *rand.Rand { return random.New(seed, number, of) }
		seats := [2]players.Player{
			players.NewSimple(rng(0)), &careless{players.NewSimple(rng(1)), players.NewRandom(rng(2)), rng(3)},
		}
		var had [ginrummy.Ended]bool // the phases of which a mistake was found
		_, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			phase := step.Before.Phase()
			if phase > ginrummy.ToKnock || had[phase] || len(list) >= n {
				return
			}
			seat := step.Before.Seat()
			m := mistake{View: ginrummy.NewView(&step.Before, seat, before(step, seat), [2]int{})}
			if m.View.Choices() < 2 {
				return
			}
			var err error
			if m.Judged, err = judge.Judge(t.Context(), &m.View, step.Action, random.New(seed)); err != nil {
				t.Fatal(err)
			}
			if m.Judged.Cost-2*m.Judged.Error < 2 {
				return
			}
			m.Pairs = judge.Pairs(&m.View, &m.Judged)
			m.Reason, m.found = reason.Find(&m.View, &m.Judged, m.Pairs)
			had[phase] = true
			list = append(list, m)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// found are the mistakes that the tests share.
var found struct {
	sync.Once
	list []mistake
}

// sixty returns sixty mistakes.
func sixty(t *testing.T) []mistake {
	t.Helper()
	testkit.NotRaced(t, "one decision after the other")
	found.Do(func() { found.list = mistakes(t, 60, 41) })
	return found.list
}

// before returns what a seat had seen before a step: the list of events after it, without its own.
func before(step *players.Step, seat ginrummy.Seat) []ginrummy.Event {
	events := slices.Clone(step.Events[seat])
	if _, ok := ginrummy.EventOf(&step.Before, &step.After, step.Action, seat); ok {
		events = events[:len(events)-1]
	}
	return events
}

// The median reason of 60 mistakes explains more than half of the cost, and nearly every mistake has a reason. lab/docs/gin-rummy/README.md
// has the figures.
func TestShareOfReasons(t *testing.T) {
	list := sixty(t)
	none := 0
	shares := make([]float64, len(list))
	for i := range list {
		shares[i] = list[i].Reason.Share
		if !list[i].found {
			none++
		}
	}
	slices.Sort(shares)
	if share := shares[len(shares)/2]; share < 0.6 || none > 3 {
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
func outs(m *mistake, hand ginrummy.Set, c ginrummy.Card) (n int) {
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
func shows(m *mistake, p *advice.Pair) bool {
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
func stands(m *mistake) bool {
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
	list := sixty(t)
	for i := range list {
		m := &list[i]
		sum, n := 0, 0
		for k := range m.Pairs {
			sum += m.Pairs[k].Cost()
			if m.found && shows(m, &m.Pairs[k]) {
				n++
			}
		}
		r := &m.Reason
		text := r.Text(m.Judged.Played.Action, m.Judged.Advised)
		if mean := float64(sum) / float64(len(m.Pairs)); math.Abs(mean-m.Judged.Cost) > 1e-9 {
			t.Errorf("%d: the pairs cost %g, the action %g", i, mean, m.Judged.Cost)
		}
		if m.found && (n != r.Applies || r.Worlds != len(m.Pairs) || n == 0 || r.Share <= 0 || r.Share > 1 || !stands(m)) {
			t.Errorf("%d: %s of %s: true in %d worlds, share %g\n%s", i, r.Code, m.View.Own, n, r.Share, text)
		}
	}
}
