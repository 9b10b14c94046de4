package players

import (
	"context"

	"roem/internal/engine/tarok"
)

// heuristicPlayer decides by rules of thumb. It draws nothing.
type heuristicPlayer struct {
	from [6]float64 // the least strength with which it bids a contract; 0 for those that it does not bid
}

// NewHeuristic returns the heuristic player. It bids by the strength of its hand, exchanges for the strongest hand and the dearest
// discards, and plays the card with the best expectation of the trick on the table, less what the card is worth later.
func NewHeuristic() Player { return heuristicPlayer{bidFrom} }

func (p heuristicPlayer) Choose(_ context.Context, v *View) (Action, error) {
	a := Action{Phase: v.Phase}
	switch v.Phase {
	case ToBid:
		a.Bid = p.bid(v)
	case ToExchange:
		best := BestExchange(v.Held, v.Talon, v.Contract)
		a.Group, a.Discards = best.Group, best.Discards
	case ToAnnounce:
		a.Words = heuristicWords(v)
	case ToPlay:
		a.Card = HeuristicCard(v)
	default:
	}
	return a, nil
}

// bidFrom are the strengths of the heuristic player. It bids no beggar, and klop only if it must. These did best in matches
// against itself with others.
var bidFrom = [6]float64{tarok.Three: 10.2, tarok.Two: 13, tarok.One: 14.5, tarok.Zero: 17}

// BidUpTo returns the bid of a player who finds every contract viable up to highest (tarok.Pass for none): the lowest that is allowed and
// not above it, otherwise pass, or the lowest if it may not pass.
func BidUpTo(v *View, highest tarok.Bid, viable func(tarok.Contract) bool) tarok.Bid {
	legal := v.Bidding.Legal()
	for _, b := range legal {
		if b != tarok.Pass && b <= highest && viable(tarok.Contract(b)) {
			return b
		}
	}
	return legal[0]
}

func (p heuristicPlayer) bid(v *View) tarok.Bid {
	strength := Strength(v.Held)
	viable := func(c tarok.Contract) bool {
		return p.from[c] > 0 && strength >= p.from[c]
	}
	return BidUpTo(v, tarok.Bid(tarok.Zero), viable)
}

// heuristicWords announces what is almost certain: the declarer the trula or the kings in a strong hand that has them all.
func heuristicWords(v *View) (w Words) {
	may := v.Talk.May()
	taroks := v.Held.InSuit(tarok.Taroks).Len()
	if v.Player != v.Declarer || taroks < 8 {
		return w
	}
	w.Bonuses[tarok.AllTrula] = may.Bonuses[tarok.AllTrula] && v.Held&tarok.Trula == tarok.Trula
	w.Bonuses[tarok.AllKings] = may.Bonuses[tarok.AllKings] && v.Held&tarok.Kings == tarok.Kings
	return w
}

// HeuristicCard returns the card that the heuristic player plays.
func HeuristicCard(v *View) tarok.Card {
	legal := v.Legal()
	if legal.Len() == 1 {
		return legal.First()
	}
	if v.Contract.Negative() {
		return NegativeCard(v.Contract, v.Declarer, v.Player, v.Leader, v.Held, legal, v.Trick)
	}
	s := newSituation(v)
	best, most := legal.First(), -1e9
	for c := range legal.All() {
		if value := s.value(c); value > most {
			best, most = c, value
		}
	}
	return best
}

// situation is what the heuristic player thinks about before a card of a contract with tricks to win.
type situation struct {
	*View
	unseen tarok.Set    // cards in the hands of the others, or not turned up
	voids  [3]tarok.Set // suits that a player has shown not to have
	best   int          // the place of the card that wins so far
	sum    int          // thirds on the table
	later  []tarok.Player
}

func newSituation(v *View) *situation {
	s := &situation{View: v, unseen: tarok.Deck &^ v.Seen(), voids: Voids(&v.Rules, firstLeader(v), v.Played)}
	if v.Player != v.Declarer { // the cards taken from the talon are the declarer's, or discarded
		s.unseen |= v.Taken(v.Group) &^ tarok.SetOf(v.Played...) &^ v.Discards
	}
	if n := len(v.Trick); n > 0 {
		s.best, s.sum = v.Rules.Winner(v.Trick), tarok.SetOf(v.Trick...).Thirds()
	}
	for k := len(v.Trick) + 1; k < 3; k++ {
		s.later = append(s.later, v.Leader.After(k))
	}
	return s
}

func firstLeader(v *View) tarok.Player {
	setup := tarok.Setup{Contract: v.Contract, Declarer: v.Declarer, Rules: v.Rules}
	return setup.Leader()
}

// Voids returns the suits that each player has shown not to have, by not following. Who has followed neither the suit nor with a tarok has
// no taroks either.
func Voids(rules *tarok.Rules, leader tarok.Player, played []tarok.Card) (out [3]tarok.Set) {
	for i := 0; i < len(played); i += 3 {
		trick := played[i:min(i+3, len(played))]
		led := trick[0].Suit()
		for k, c := range trick {
			p := leader.After(k)
			if c.Suit() != led {
				out[p] |= tarok.OfSuit(led)
				if c.Suit() != tarok.Taroks {
					out[p] |= tarok.OfSuit(tarok.Taroks)
				}
			}
		}
		if len(trick) == 3 {
			leader = leader.After(rules.Winner(trick))
		}
	}
	return out
}

// has estimates how likely a player holds one of the cards.
func (s *situation) has(p tarok.Player, cards tarok.Set) float64 {
	cards &= s.unseen &^ s.voids[p]
	missing := 1.0
	for range cards.Len() {
		missing *= 0.52
	}
	return 1 - missing
}

// beats estimates how likely a player who plays later can beat a card in the suit that was led.
func (s *situation) beats(p tarok.Player, led tarok.Suit, best tarok.Card) float64 {
	higher := tarok.OfSuit(best.Suit()) &^ (2<<best - 1)
	if led == tarok.Taroks {
		return s.has(p, higher)
	}
	follows := s.has(p, tarok.OfSuit(led))
	if best.Suit() != led { // a tarok wins so far
		return (1 - follows) * s.has(p, higher)
	}
	return follows*s.has(p, higher)/max(follows, 0.05)*0.9*follows + (1-follows)*s.has(p, tarok.OfSuit(tarok.Taroks))
}

// value returns what a card is worth, in thirds.
func (s *situation) value(c tarok.Card) float64 {
	led, best, wins := c.Suit(), c, 1.0
	if n := len(s.Trick); n > 0 {
		led = s.Trick[0].Suit()
		if !tarok.Beats(c, s.Trick[s.best]) {
			best = s.Trick[s.best]
			if !s.Friend(s.Leader.After(s.best)) {
				wins = 0
			}
		}
	}
	sum := float64(s.sum + c.Thirds())
	for _, p := range s.later {
		beats := s.beats(p, led, best)
		if s.Friend(p) {
			wins += (1 - wins) * beats * 0.9
			sum += 1 + 4*wins
		} else {
			wins *= 1 - beats
			sum += 1 + 3*(1-wins)
		}
	}
	return (2*wins-1)*sum - s.keep(c)
}

// keep returns what a card is worth when it is kept, in thirds.
func (s *situation) keep(c tarok.Card) float64 {
	rest := s.Held.Without(c)
	if c.Suit() == tarok.Taroks {
		switch c {
		case tarok.Skis, tarok.Mond:
			return 9
		case tarok.Pagat:
			return 3
		default:
			return 1 + 0.25*float64(c)
		}
	}
	worth := 0.4 * float64(c.Thirds())
	if rest.InSuit(c.Suit()).Empty() && !rest.InSuit(tarok.Taroks).Empty() {
		worth -= 2 // the next time a tarok can be played
	}
	if len(s.Trick) == 0 && !c.King() {
		worth -= 0.3 * float64(rest.InSuit(c.Suit()).Len())
	}
	return worth
}
