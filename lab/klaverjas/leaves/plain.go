package leaves

import (
	"errors"
	"math/bits"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// plain is the paper's search (sections 4.2 and 6.1): minimax with alpha-beta over whole lines of play, "without any additional
// heuristics", without a table, bounds or equivalent cards, and with no order but the order of the cards: suit by suit, C D H S, and the
// weakest card of a suit first. Its one cut-off is the paper's: when the declarers can no longer win, all points go to the other team.
//
// What is still to come is at most the points of the cards that are held, the last trick, the pit, and the melds that these cards can
// make. The paper does not say how it counts melds there; this bound is never too low.
//
// It is as fast as such a search can be made, so that more deals finish: sets of cards are words, in which card 8*suit +
// strength is a bit, and positions are neither built nor copied.
type plain struct {
	most uint64 // leaves after which to give up

	trumps    uint32        // the trump suit's cards
	declarers uint8         // their team
	leader    uint8         // of the position to solve
	start     score         // and its score
	hands     [4]uint32     // still held, by seat
	points    [32]int32     // trick points of a card
	meld      [4][256]int32 // points of the melds within a suit, by the suit's cards of a trick
	melds     [4][256]int32 // points of all melds within a suit that its cards can make, in any number of tricks
	fours     [8]uint32     // four of a kind, each
	four      int32         // what one is worth
	pit       int32

	leaves uint64
}

// errTooLong is the error of a search that came to its limit.
var errTooLong = errors.New("more leaves than the limit")

// newPlain returns a search of a position between two tricks under the paper's rules.
func newPlain(start klaverjas.Position, most uint64) (*plain, error) {
	rules, deal := start.Rules(), start.Deal()
	if rules != klaverjas.DefaultRules(klaverjas.Rotterdam) || start.Trick().Len > 0 || start.Finished() {
		return nil, errors.New("expected a position between two tricks under the paper's rules")
	}
	p := &plain{
		most: most, trumps: 0xff << (8 * deal.Trump), declarers: uint8(deal.Declarer),
		four: int32(rules.FourOfAKind[0]), pit: int32(rules.Pit.Declarers),
	}
	declarer, defender := deal.Declarer, deal.Declarer.Opponents()
	k := start.Score()
	p.leader = uint8(start.Turn())
	p.start = score{diff: int32(k.Sum(declarer) - k.Sum(defender)), lost: start.TricksTaken()[defender] > 0}
	place := func(c piquet.Card) int { return 8*int(c.Suit()) + klaverjas.Strength(c, deal.Trump) }
	for _, seat := range piquet.Seats() {
		for c := range start.Hand(seat).All() {
			p.hands[seat] |= 1 << place(c)
		}
	}
	for c := range piquet.Deck.All() {
		p.points[place(c)] = int32(klaverjas.Points(c, deal.Trump))
		p.fours[c.Face()] |= 1 << place(c)
	}
	p.start.left = klaverjas.LastTrick
	for _, hand := range p.hands {
		for ; hand != 0; hand &= hand - 1 {
			p.start.left += p.points[bits.TrailingZeros32(hand)]
		}
	}
	for _, suit := range piquet.Suits() {
		for m := range 256 {
			var set piquet.Set
			for _, f := range piquet.Faces() {
				if c := piquet.Of(suit, f); m>>klaverjas.Strength(c, deal.Trump)&1 == 1 {
					set = set.With(c)
				}
			}
			if set.Len() <= 4 {
				p.meld[suit][m] = int32(rules.Meld(set, deal.Trump))
			}
		}
	}
	p.fillMelds()
	return p, nil
}

// fillMelds computes the melds of any number of tricks: the melds of one, and of the other cards.
func (p *plain) fillMelds() {
	for suit := range p.melds {
		for all := range 256 {
			most := int32(0)
			for one := all; one > 0; one = (one - 1) & all {
				if bits.OnesCount(uint(one)) <= 4 && p.meld[suit][one] > 0 {
					most = max(most, p.meld[suit][one]+p.melds[suit][all&^one])
				}
			}
			p.melds[suit][all] = most
		}
	}
}

// mayWin reports whether the declarers can still win, before a trick.
func (p *plain) mayWin(k score) bool {
	most := k.diff + k.left
	if most > 0 {
		return true
	}
	held := p.hands[0] | p.hands[1] | p.hands[2] | p.hands[3]
	most += p.melds[0][uint8(held)] + p.melds[1][uint8(held>>8)] + p.melds[2][uint8(held>>16)] + p.melds[3][uint8(held>>24)]
	for _, four := range p.fours {
		if held&four == four {
			most += p.four
		}
	}
	if !k.lost {
		most += p.pit
	}
	return most > 0
}

// loss is the outcome of every lost deal: all points of the tricks go to the other team.
const loss = -klaverjas.AllTricks

// solve returns the OUTCOME of the position that the search was made for, or loss if the declarers lose, or errTooLong; and the number of
// leaves: of lines that were played to the end, or to the cut-off.
func (p *plain) solve() (outcome int, leaves uint64, err error) {
	const infinity = 1 << 20
	v := p.lead(p.leader, p.start, -infinity, infinity)
	if p.leaves > p.most {
		return 0, p.leaves, errTooLong
	}
	return int(v), p.leaves, nil
}

// score is what a line of play has brought so far.
type score struct {
	diff int32 // the declarers' points minus the defenders', melds included
	left int32 // points of the tricks that are still to come
	lost bool  // the declarers have lost a trick
}

// trick is what lies on the table.
type trick struct {
	cards  uint32
	led    uint32 // the cards of the suit led
	best   uint32 // the card that is winning, a bit
	winner uint8
	points int32
}

func (t trick) play(card uint32, seat uint8, points int32, trumps uint32) trick {
	t.cards |= card
	t.points += points
	if beating(t.best, trumps)&card != 0 {
		t.best, t.winner = card, seat
	}
	return t
}

// beating returns the cards that take a trick from the one that is winning it.
func beating(best, trumps uint32) uint32 {
	suit := uint32(0xff) << (uint32(bits.TrailingZeros32(best)) & 24)
	higher := suit & -best &^ best
	if best&trumps != 0 {
		return higher
	}
	return higher | trumps
}

func (p *plain) lead(seat uint8, k score, alpha, beta int32) int32 {
	hand := p.hands[seat]
	if hand&(hand-1) == 0 {
		return p.lastTrick(seat, k)
	}
	if !p.mayWin(k) {
		p.leaves++
		return loss
	}
	ours := seat&1 == p.declarers
	best := worst(ours)
	for todo := hand; todo != 0; {
		card, c := next(todo)
		todo &^= card
		p.hands[seat] &^= card
		t := trick{cards: card, led: 0xff << (c & 24), best: card, winner: seat, points: p.points[c&31]}
		v := p.follow((seat+1)&3, 1, t, k, alpha, beta)
		p.hands[seat] |= card
		if ours {
			best = max(best, v)
			alpha = max(alpha, v)
		} else {
			best = min(best, v)
			beta = min(beta, v)
		}
		if alpha >= beta || p.leaves > p.most {
			return best
		}
	}
	return best
}

// follow is lead for the other cards of a trick, n of which lie on the table.
func (p *plain) follow(seat uint8, n int, t trick, k score, alpha, beta int32) int32 {
	ours := seat&1 == p.declarers
	best := worst(ours)
	for todo := p.legal(p.hands[seat], t); todo != 0; {
		card, c := next(todo)
		todo &^= card
		p.hands[seat] &^= card
		after := t.play(card, seat, p.points[c&31], p.trumps)
		var v int32
		if n < 3 {
			v = p.follow((seat+1)&3, n+1, after, k, alpha, beta)
		} else {
			v = p.lead(after.winner, p.score(k, after), alpha, beta)
		}
		p.hands[seat] |= card
		if ours {
			best = max(best, v)
			alpha = max(alpha, v)
		} else {
			best = min(best, v)
			beta = min(beta, v)
		}
		if alpha >= beta || p.leaves > p.most {
			return best
		}
	}
	return best
}

// lastTrick plays the only cards that are left: a leaf.
func (p *plain) lastTrick(seat uint8, k score) int32 {
	p.leaves++
	card := p.hands[seat]
	c := bits.TrailingZeros32(card)
	t := trick{cards: card, led: 0xff << (c & 24), best: card, winner: seat, points: p.points[c&31] + klaverjas.LastTrick}
	for s := (seat + 1) & 3; s != seat; s = (s + 1) & 3 {
		card := p.hands[s]
		t = t.play(card, s, p.points[bits.TrailingZeros32(card)&31], p.trumps)
	}
	k = p.score(k, t)
	if !k.lost {
		k.diff += p.pit
	}
	if k.diff > 0 {
		return k.diff
	}
	return loss
}

// score adds a full trick.
func (p *plain) score(k score, t trick) score {
	m := t.cards
	melds := p.meld[0][uint8(m)] + p.meld[1][uint8(m>>8)] + p.meld[2][uint8(m>>16)] + p.meld[3][uint8(m>>24)]
	if m&0xff != 0 && m&0xff00 != 0 && m&0xff0000 != 0 && m&0xff000000 != 0 {
		for _, four := range p.fours {
			if m == four {
				melds += p.four
			}
		}
	}
	k.left -= t.points
	if t.winner&1 == p.declarers {
		k.diff += t.points + melds
		return k
	}
	k.diff -= t.points + melds
	k.lost = true
	return k
}

// legal returns the cards of a hand that may be played in Rotterdam.
func (p *plain) legal(hand uint32, t trick) uint32 {
	may := hand & t.led
	if may == 0 {
		may = hand & p.trumps
	}
	if may == 0 {
		return hand
	}
	if may&p.trumps != 0 { // higher than the trumps on the table, if possible
		if over := may & beating(t.best, p.trumps); over != 0 {
			return over
		}
	}
	return may
}

// next returns the card to try next, and its number.
func next(todo uint32) (card uint32, c int) { return todo & -todo, bits.TrailingZeros32(todo) }

func worst(ours bool) int32 {
	const infinity = 1 << 20
	if ours {
		return -infinity
	}
	return infinity
}
