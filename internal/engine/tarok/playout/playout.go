// Package playout plays hands of tarok to their end by rules of thumb, thousands in a second: the cards of the heuristic player in all
// three seats, each chosen from what its seat knows. It also says how likely that player would have played the cards of a hand so far,
// which weighs worlds against each other.
//
// It knows the contracts in which tricks are won: three, two, one and zero.
package playout

import (
	"math/bits"

	"roem/internal/engine/tarok"
)

// Table is a world of a hand: the deal, the contract and the exchange, what was said, and the cards played.
type Table struct {
	setup  tarok.Setup
	said   tarok.Announcements
	known  [3]tarok.Set // what each player knows not to be in the hands of the others before the first card
	played []tarok.Card
	start  State // after the cards played
	// forgone reports whether the declarer has left the mond in the talon.
	forgone bool
}

// State is a hand under way.
type State struct {
	hands  [3]tarok.Set
	voids  [3]tarok.Set // suits that each player has shown not to have
	out    tarok.Set    // played
	won    [2]tarok.Set // in tricks: by the declarer, and by the opponents
	trick  [3]tarok.Card
	n      uint8
	best   uint8 // the place of the card that wins the trick so far
	leader tarok.Player
	tricks uint8 // of the declarer
	sum    int   // thirds on the table
	mond   int8  // the player whose mond was captured, or -1
	last   tarok.Trick
}

// New returns the table of a world after the cards played. It is not of klop or a beggar. The cards are legal. Worlds of a hand differ in
// more than the hands: what the declarer discarded counts for its points, and the declarer knows it.
func New(s tarok.Setup, said tarok.Announcements, played []tarok.Card) *Table {
	t := &Table{setup: s, said: said, played: played}
	if s.Contract.Exchange() > 0 {
		shown := s.Discards.InSuit(tarok.Taroks)
		for p := range t.known {
			t.known[p] = s.Left() | shown
		}
		t.known[s.Declarer] |= s.Taken() | s.Discards
		t.forgone = s.Left().Has(tarok.Mond)
	}
	t.start = t.first()
	for _, c := range played {
		t.start.play(&s, c)
	}
	return t
}

// first returns the state before the first card.
func (t *Table) first() State {
	s := State{leader: t.setup.Leader(), mond: -1}
	for p := range s.hands {
		s.hands[p] = t.setup.Hand(tarok.Player(p))
	}
	return s
}

// State returns the state after the cards played.
func (t *Table) State() State { return t.start }

// Turn returns who is to play.
func (s *State) Turn() tarok.Player { return s.leader.After(int(s.n)) }

// Legal returns the legal cards.
func (s *State) Legal() tarok.Set {
	hand := s.hands[s.Turn()]
	if s.n == 0 {
		return hand
	}
	if same := hand & suits[s.trick[0]]; same != 0 {
		return same
	}
	if t := hand & taroks; t != 0 {
		return t
	}
	return hand
}

// Play plays a legal card.
func (t *Table) Play(s *State, c tarok.Card) { s.play(&t.setup, c) }

func (s *State) play(setup *tarok.Setup, c tarok.Card) {
	p := s.Turn()
	s.hands[p] &^= 1 << c
	s.out |= 1 << c
	s.trick[s.n] = c
	s.sum += int(thirds[c])
	if s.n > 0 {
		if led := s.trick[0]; suits[c] != suits[led] {
			s.voids[p] |= suits[led]
			if suits[c] != taroks {
				s.voids[p] |= taroks
			}
		}
		if beats(c, s.trick[s.best]) {
			s.best = s.n
		}
	}
	if s.n < 2 {
		s.n++
		return
	}
	s.finish(setup)
}

// finish ends a full trick.
func (s *State) finish(setup *tarok.Setup) {
	cards := tarok.Set(1)<<s.trick[0] | 1<<s.trick[1] | 1<<s.trick[2]
	if cards == tarok.Trula && !setup.Rules.NoEmperor {
		for i, c := range s.trick {
			if c == tarok.Pagat {
				s.best = uint8(i)
			}
		}
	}
	winner := after[s.leader][s.best]
	if cards.Has(tarok.Mond) && s.trick[s.best] != tarok.Mond {
		for i, c := range s.trick {
			if c == tarok.Mond {
				s.mond = int8(after[s.leader][i])
			}
		}
	}
	if winner == setup.Declarer {
		s.won[0] |= cards
		s.tricks++
	} else {
		s.won[1] |= cards
	}
	s.last = tarok.Trick{Leader: s.leader, Winner: winner, Cards: s.trick}
	s.leader, s.n, s.best, s.sum = winner, 0, 0, 0
}

// after[p][k] is the player k places after p.
var after = [3][3]tarok.Player{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}

const taroks = tarok.Set(1)<<22 - 1

// suits are the cards of the suit of each card, and thirds the values of the cards.
var suits, thirds = func() (suits [64]tarok.Set, thirds [64]uint8) {
	for c := range tarok.Deck.All() {
		suits[c], thirds[c] = tarok.OfSuit(c.Suit()), uint8(c.Thirds())
	}
	return suits, thirds
}()

// beats reports whether c beats the card best, which wins the trick so far.
func beats(c, best tarok.Card) bool {
	if suits[c] == suits[best] {
		return c > best
	}
	return c <= tarok.Skis
}

// Run plays the hand to its end and returns what each player scores.
func (t *Table) Run(s *State) [3]int {
	for s.hands[s.Turn()] != 0 {
		s.play(&t.setup, t.Card(s))
	}
	return t.Score(s)
}

// Outcome is a finished hand.
type Outcome struct {
	Points    int // of the declarer
	Won       bool
	Bonuses   [4]tarok.Side // who has made each
	LostPagat tarok.Side    // who has lost tarok 1 in the last trick: see tarok.Position.Score
}

// Outcome returns what the declarer has made of a finished hand.
func (t *Table) Outcome(s *State) (o Outcome) {
	sum := t.setup.Discards.Thirds()
	for w := s.won[0]; w != 0; w &= w - 1 {
		sum += int(thirds[w.First()])
	}
	o.Points = tarok.Points(sum)
	o.Won = o.Points > threshold
	if t.setup.Contract.Exchange() == 0 {
		return o
	}
	for i, side := range [2]tarok.Side{tarok.Declarers, tarok.Opponents} {
		if s.won[i]&tarok.Kings == tarok.Kings {
			o.Bonuses[tarok.AllKings] = side
		}
		if s.won[i]&tarok.Trula == tarok.Trula {
			o.Bonuses[tarok.AllTrula] = side
		}
	}
	d := t.setup.Declarer
	for i, c := range s.last.Cards {
		switch owner := after[s.last.Leader][i]; {
		case c != tarok.Pagat:
		case owner != s.last.Winner:
			if o.LostPagat = tarok.Opponents; owner == d {
				o.LostPagat = tarok.Declarers
			}
		case owner == d:
			o.Bonuses[tarok.LastPagat] = tarok.Declarers
		default:
			o.Bonuses[tarok.LastPagat] = tarok.Opponents
		}
	}
	switch s.tricks {
	case 0:
		o.Bonuses[tarok.Valat] = tarok.Opponents
	case tarok.HandSize:
		o.Bonuses[tarok.Valat] = tarok.Declarers
	}
	return o
}

// threshold is the most points with which a contract is lost.
const threshold = 35

// Score returns what each player scores with a finished hand.
func (t *Table) Score(s *State) (total [3]int) {
	o := t.Outcome(s)
	d := t.setup.Declarer
	game := t.setup.Contract.Value()
	if !o.Won {
		game = -game
	}
	if t.setup.Contract.Exchange() > 0 {
		game += t.setup.Rules.DifferenceOf(o.Points)
	}
	sum := game << t.said.Kontra
	for b, side := range o.Bonuses[:tarok.Valat] {
		sum += bonusScore(tarok.Bonus(b), side, t.said.Bonuses[b])
	}
	if t.said.Bonuses[tarok.LastPagat].By == tarok.NoSide {
		sum += t.setup.Rules.LostPagat(o.LostPagat)
	}
	switch made, said := o.Bonuses[tarok.Valat], t.said.Bonuses[tarok.Valat]; {
	case said.By != tarok.NoSide:
		sum = bonusScore(tarok.Valat, made, said)
	case made != tarok.NoSide:
		sum = int(made) * t.setup.Rules.SilentValat(t.said.Kontra)
	}
	if t.said.Radli[d] > 0 {
		sum *= 2
	}
	total[d] = sum
	owner := s.mond
	if t.forgone {
		owner = int8(d)
	}
	if owner >= 0 {
		total[owner] -= t.setup.Rules.Mond
	}
	return total
}

func bonusScore(b tarok.Bonus, made tarok.Side, said tarok.Announced) int {
	switch {
	case said.By == tarok.NoSide:
		return int(made) * b.Silent()
	case made == said.By:
		return int(said.By) * 2 * b.Silent() << said.Kontra
	default:
		return -int(said.By) * 2 * b.Silent() << said.Kontra
	}
}

// count returns how many cards there are.
func count(s tarok.Set) int { return bits.OnesCount64(uint64(s)) }
