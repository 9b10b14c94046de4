// Package klaverjas implements the rules of Klaverjas as docs/reference/rules/klaverjas.md defines them: rule sets, positions, legal
// moves, tricks, melds, scores and OUTCOME (source: van Rijn, Takes and Vis, "Computing and Predicting Winning
// Hands in the Trick-Taking Game of Klaverjas", sections 1 and 3).
//
// A Position is immutable: playing a card returns a new Position and allocates nothing. Invalid input is an error with a JSON pointer that
// says what was expected.
package klaverjas

import (
	"fmt"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// HandSize is the number of cards dealt to each seat.
const HandSize = 8

// Deal holds the four hands as dealt, the trump suit, the leader of the first trick, and the declaring team.
type Deal struct {
	Trump    piquet.Suit   `json:"trump"`
	Leader   piquet.Seat   `json:"leader"`
	Declarer piquet.Team   `json:"declarer"`
	Hands    [4]piquet.Set `json:"hands"` // by piquet.Seat
}

// Score is the paper's tuple K (section 3): trick points and meld points by piquet.Team.
type Score struct {
	Tricks [2]int
	Melds  [2]int // includes the pit when the hand is finished
}

// Sum returns the sum of the team's trick and meld points.
func (s Score) Sum(t piquet.Team) int { return s.Tricks[t&1] + s.Melds[t&1] }

// Position is a deal and the cards played so far. It is immutable.
type Position struct {
	rules  Rules
	deal   Deal
	held   [4]piquet.Set
	trick  Trick
	taken  [2]int // tricks taken, by team
	score  Score
	played int
}

// NewPosition returns the position at the start of a deal. Its error is Violations: the rules are not valid, a hand does not have eight
// cards, or a card is in two hands or in none.
func NewPosition(r Rules, d Deal) (Position, error) {
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	var bad Violations
	var seen piquet.Set
	for _, seat := range piquet.Seats() {
		hand := d.Hands[seat]
		if n := hand.Len(); n != HandSize {
			bad = append(bad, wrongCount(seat, n))
		}
		if twice := hand & seen; !twice.Empty() {
			bad = append(bad, violation.New(violation.CardTwice, "%s is also in another hand", twice).At("/hands/"+seat.String()).Of(twice))
		}
		seen |= hand
	}
	if len(bad) > 0 {
		return Position{}, bad
	}
	return Position{rules: r, deal: d, held: d.Hands, trick: Trick{Leader: d.Leader, Winner: d.Leader}}, nil
}

func wrongCount(seat piquet.Seat, n int) Violation {
	return violation.New(violation.WrongCount, "has %d cards, expected %d", n, HandSize).At("/hands/"+seat.String()).Of(n).
		Between(HandSize, HandSize)
}

// EndgameState describes a position without the cards played before, of which only the results are given.
type EndgameState struct {
	Trump       piquet.Suit
	Declarer    piquet.Team
	Leader      piquet.Seat   // who led the trick on the table, or leads the next one
	Hands       [4]piquet.Set // the cards left, without those on the table
	Trick       []piquet.Card // 0 to 3 cards on the table
	Score       Score
	TricksTaken [2]int // by team; determines whether a pit is still possible
}

// Endgame returns a position in the middle of a hand whose earlier play is not known. It is for tests, which draw the earlier
// scores at random. The Deal of the position holds only the cards left and those on the table, and Played counts only the latter.
func Endgame(r Rules, e EndgameState) (Position, error) {
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	if len(e.Trick) > 3 {
		return Position{}, violation.New(violation.WrongCount, "a trick on the table has at most 3 cards").Between(0, 3).At("/trick")
	}
	p := Position{
		rules: r,
		deal:  Deal{Trump: e.Trump, Leader: e.Leader, Declarer: e.Declarer, Hands: e.Hands},
		held:  e.Hands,
		trick: Trick{Leader: e.Leader, Winner: e.Leader},
		taken: e.TricksTaken,
		score: e.Score,
	}
	for i, c := range e.Trick {
		seat := e.Leader.Plus(i)
		p.deal.Hands[seat] = p.deal.Hands[seat].With(c)
		p.held[seat] = p.held[seat].With(c)
	}
	var seen piquet.Set
	size := p.deal.Hands[0].Len()
	for _, seat := range piquet.Seats() {
		hand := p.deal.Hands[seat]
		if hand.Len() != size || size == 0 || size > HandSize || hand&seen != 0 {
			return Position{}, violation.New(violation.WrongCount, "expected equal hands of 1 to 8 cards, no card twice").
				At("/hands/" + seat.String())
		}
		seen |= hand
	}
	return p.Replay(e.Trick)
}

// Redealt returns the position in which the same cards have been played and the given cards are held. Its error says that a hand has
// another number of cards than before, or that other cards are held. Whether the cards played were legal from these hands is not checked.
func (p Position) Redealt(held [4]piquet.Set) (Position, error) {
	var before, after piquet.Set
	for seat, hand := range held {
		if hand.Len() != p.held[seat].Len() {
			return p, fmt.Errorf("%s holds %d cards, expected %d", piquet.Seat(seat), hand.Len(), p.held[seat].Len())
		}
		before |= p.held[seat]
		after |= hand
	}
	if before != after {
		return p, fmt.Errorf("the hands hold %s, expected %s", after, before)
	}
	for seat, hand := range held {
		p.deal.Hands[seat] = p.deal.Hands[seat]&^p.held[seat] | hand
	}
	p.held = held
	return p, nil
}

// Ahead returns the position with that many more trick points for the declarers. With enough of them no outcome is nat, so that every
// outcome is the difference of the points.
func (p Position) Ahead(points int) Position {
	p.score.Tricks[p.deal.Declarer] += points
	return p
}

// Rules returns the rules the position is played under.
func (p Position) Rules() Rules { return p.rules }

// Deal returns the deal the position comes from.
func (p Position) Deal() Deal { return p.deal }

// Hand returns the cards left in the seat's hand.
func (p Position) Hand(s piquet.Seat) piquet.Set { return p.held[s&3] }

// Played returns how many cards have been played.
func (p Position) Played() int { return p.played }

// Finished reports whether every card has been played.
func (p Position) Finished() bool { return p.held == [4]piquet.Set{} }

// Turn returns the seat that is to play. If the hand is finished, it returns the winner of the last trick.
func (p Position) Turn() piquet.Seat { return p.trick.Leader.Plus(p.trick.Len) }

// Trick returns the trick on the table. It is empty between tricks.
func (p Position) Trick() Trick { return p.trick }

// TricksTaken returns how many tricks each team has taken.
func (p Position) TricksTaken() [2]int { return p.taken }

// Score returns the points made so far.
func (p Position) Score() Score { return p.score }

// Legal returns the cards that may be played. It is empty if the hand is finished.
func (p Position) Legal() piquet.Set { return p.rules.Legal(p.deal.Trump, p.trick, p.held[p.Turn()]) }

// Play returns the position after the player to move plays c. Its error is an *IllegalCard.
func (p Position) Play(c piquet.Card) (Position, error) {
	err := p.play(c)
	return p, err
}

// play changes the position, unless it returns an error: a Position has some 270 bytes.
func (p *Position) play(c piquet.Card) error {
	turn := p.trick.Turn()
	legal, why := p.rules.legal(p.deal.Trump, &p.trick, p.held[turn])
	if c >= 32 || !legal.Has(c) {
		return p.illegal(c, legal, why)
	}
	p.held[turn] = p.held[turn].Without(c)
	p.trick = p.trick.With(c, p.deal.Trump)
	p.played++
	if p.trick.Len == 4 {
		p.endTrick()
	}
	return nil
}

func (p *Position) endTrick() {
	winner := p.trick.Winner
	team := winner.Team()
	for _, c := range p.trick.Cards {
		p.score.Tricks[team] += Points(c, p.deal.Trump)
	}
	p.score.Melds[team] += p.rules.Meld(p.trick.Set(), p.deal.Trump)
	p.taken[team]++
	p.trick = Trick{Leader: winner, Winner: winner}
	if p.Finished() {
		p.score.Tricks[team] += LastTrick
		if p.taken[team.Opponents()] == 0 {
			p.score.Melds[team] += p.rules.pitFor(team == p.deal.Declarer)
		}
	}
}

func (r Rules) pitFor(declarers bool) int {
	if declarers {
		return r.Pit.Declarers
	}
	return r.Pit.Defenders
}

func (p *Position) illegal(c piquet.Card, legal piquet.Set, why *duty) error {
	e := &IllegalCard{Card: c, Turn: p.Turn(), Legal: legal, Code: why.code, Reason: why.text}
	switch {
	case p.Finished():
		e.Code, e.Reason = violation.Over, "every card has been played"
	case !p.held[e.Turn].Has(c):
		e.Code, e.Reason = violation.NotHeld, "does not hold it"
		for _, s := range piquet.Seats() {
			if p.held[s].Has(c) {
				e.Code, e.Reason = violation.NotOnTurn, fmt.Sprintf("is to play and does not hold it (%s does)", s)
			}
		}
		if p.trick.Set().Has(c) || p.deal.Hands[e.Turn].Has(c) {
			e.Code, e.Reason = violation.NotHeld, "does not hold it any more: it has been played"
		}
	}
	return e
}

// Pit reports whether the hand is finished and one team has won all eight tricks. For the defenders it is true only if the rules give
// them a bonus for it.
func (p Position) Pit() bool {
	if !p.Finished() {
		return false
	}
	d := p.deal.Declarer
	return p.taken[d.Opponents()] == 0 || p.taken[d] == 0 && p.rules.Pit.Defenders > 0
}

// Outcome returns the OUTCOME (the paper, section 3) of the points made so far, in points from the declarers' side. It is the outcome of
// the hand if the hand is finished.
func (p Position) Outcome() int { return p.rules.Outcome(p.score, p.deal.Declarer) }

// Outcome returns the OUTCOME for the score of a finished hand. If the declarers have more points than the defenders, it is the difference.
// Otherwise the declarers are nat, and it is minus the sum of all trick points and the melds that the defenders score.
func (r Rules) Outcome(k Score, declarer piquet.Team) int {
	defenders := declarer.Opponents()
	if d := k.Sum(declarer) - k.Sum(defenders); d > 0 {
		return d
	}
	melds := k.Melds[defenders]
	if r.NatMelds == NatAll {
		melds += k.Melds[declarer]
	}
	return -(AllTricks + melds)
}
