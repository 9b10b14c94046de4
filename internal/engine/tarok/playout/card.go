package playout

import (
	"math"

	"roem/internal/engine/tarok"
)

// missing[n] is how likely a player is to hold none of n cards that it may hold, for the rules of thumb of package players.
var missing = func() (out [64]float64) {
	out[0] = 1
	for n := range out[1:] {
		out[n+1] = out[n] * 0.52
	}
	return out
}()

// situation is what the player to move thinks about: players.HeuristicCard without allocations.
type situation struct {
	s      *State
	unseen tarok.Set
	hand   tarok.Set
	mine   bool // the player is the declarer
	later  [2]tarok.Player
	n      int // of later
	d      tarok.Player
}

func (t *Table) situation(s *State) situation {
	p := s.Turn()
	x := situation{s: s, hand: s.hands[p], d: t.setup.Declarer, mine: p == t.setup.Declarer}
	x.unseen = tarok.Deck &^ t.known[p] &^ x.hand &^ s.out
	for k := s.n + 1; k < 3; k++ {
		x.later[x.n] = after[s.leader][k]
		x.n++
	}
	return x
}

// Card returns the card that the heuristic player plays. Of neighbours that no card in another hand or on the table separates, only the
// lowest is tried: it is at least as good by the rules of thumb.
func (t *Table) Card(s *State) tarok.Card {
	legal := s.Legal()
	if legal&(legal-1) == 0 {
		return legal.First()
	}
	x := t.situation(s)
	apart := x.unseen // cards that can separate two of the player's
	for _, c := range s.trick[:s.n] {
		apart |= 1 << c
	}
	best, most := legal.First(), math.Inf(-1)
	last := tarok.Card(63) // the card before, if it is lower, of the same suit, and worth as much
	for ; legal != 0; legal &= legal - 1 {
		c := legal.First()
		if thirds[last] == thirds[c] && suits[last] == suits[c] && apart&(1<<c-1)>>last == 0 {
			last = c // it takes and loses the same tricks, and a lower tarok is better given away
			continue
		}
		last = c
		if value := x.value(c); value > most {
			best, most = c, value
		}
	}
	return best
}

func (x *situation) has(p tarok.Player, cards tarok.Set) float64 {
	return 1 - missing[count(cards&x.unseen&^x.s.voids[p])]
}

// beaten estimates how likely a player who plays later can beat a card in the suit that was led.
func (x *situation) beaten(p tarok.Player, led tarok.Set, best tarok.Card) float64 {
	higher := suits[best] &^ (2<<best - 1)
	if led == taroks {
		return x.has(p, higher)
	}
	follows := x.has(p, led)
	if suits[best] != led {
		return (1 - follows) * x.has(p, higher)
	}
	return follows*x.has(p, higher)/max(follows, 0.05)*0.9*follows + (1-follows)*x.has(p, taroks)
}

func (x *situation) value(c tarok.Card) float64 {
	s := x.s
	led, best, wins := suits[c], c, 1.0
	if s.n > 0 {
		led = suits[s.trick[0]]
		if top := s.trick[s.best]; !beats(c, top) {
			best = top
			if (after[s.leader][s.best] == x.d) != x.mine {
				wins = 0
			}
		}
	}
	sum := float64(s.sum + int(thirds[c]))
	for _, p := range x.later[:x.n] {
		beaten := x.beaten(p, led, best)
		if (p == x.d) == x.mine {
			wins += (1 - wins) * beaten * 0.9
			sum += 1 + 4*wins
		} else {
			wins *= 1 - beaten
			sum += 1 + 3*(1-wins)
		}
	}
	return (2*wins-1)*sum - x.keep(c)
}

func (x *situation) keep(c tarok.Card) float64 {
	if c <= tarok.Skis {
		switch c {
		case tarok.Skis, tarok.Mond:
			return 9
		case tarok.Pagat:
			return 3
		default:
			return 1 + 0.25*float64(c)
		}
	}
	rest := x.hand &^ (1 << c)
	worth := 0.4 * float64(thirds[c])
	same := rest & suits[c]
	if same == 0 && rest&taroks != 0 {
		worth -= 2
	}
	if x.s.n == 0 && !c.King() {
		worth -= 0.3 * float64(count(same))
	}
	return worth
}

// Likelihood returns the logarithm of how likely the other players than self were to play their cards, if each plays a card
// with a probability that grows by e for the given number of thirds of its value by the rules of thumb. A part of all cards, slip, is
// played at random.
func (t *Table) Likelihood(self tarok.Player, temperature, slip float64) (sum float64) {
	s := t.first()
	for _, c := range t.played {
		legal := s.Legal()
		if s.Turn() != self && legal&(legal-1) != 0 {
			x := t.situation(&s)
			own, all := 0.0, 0.0
			top := x.value(c)
			n := 0
			for rest := legal; rest != 0; rest &= rest - 1 {
				one := rest.First()
				if one == c {
					own = 1
					all++
				} else {
					all += math.Exp((x.value(one) - top) / temperature)
				}
				n++
			}
			sum += math.Log((1-slip)*own/all + slip/float64(n))
		}
		s.play(&t.setup, c)
	}
	return sum
}
