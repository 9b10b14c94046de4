package worlds

import (
	"errors"
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Knowledge is what follows from a view. It is immutable and safe for concurrent use.
type Knowledge struct {
	view   View
	plays  []play
	others [3]piquet.Seat // the other seats, in the order of play after the view's seat
	own    piquet.Set     // the cards left in the hand of the view's seat
	unseen piquet.Set     // the cards neither played nor in that hand
	left   [4]int         // the cards left in each hand
	table  table
	probs  [32][4]float64 // of the unseen cards, by card and seat
	may    [4]piquet.Set  // the unseen cards with a probability above 0
	now    klaverjas.Position
}

// New returns the knowledge of a view. Its error is [klaverjas.Violations] with JSON pointers into the view. If there is no world, the
// pointer is the place of the first card after which there is none: it proves that a seat has revoked.
func New(v View) (*Knowledge, error) {
	if err := v.validate(); err != nil {
		return nil, err
	}
	plays, err := v.replay()
	if err != nil {
		return nil, err
	}
	k := &Knowledge{view: v, plays: plays}
	if !k.count() {
		return nil, noWorld(v, plays)
	}
	k.probabilities()
	if err := k.reach(); err != nil {
		return nil, err
	}
	return k, nil
}

// count prepares the table of worlds from the plays, and reports whether there is a world.
func (k *Knowledge) count() bool {
	v := &k.view
	k.own, k.unseen, k.left = v.Hand, piquet.Deck&^v.Hand, [4]int{8, 8, 8, 8}
	var excluded [4]piquet.Set
	for _, p := range k.plays {
		k.own, k.unseen = k.own.Without(p.card), k.unseen.Without(p.card)
		k.left[p.seat]--
		excluded[p.seat] |= p.excluded
	}
	var allowed [3]piquet.Set
	var need [3]int
	var open piquet.Set
	for _, known := range v.Known {
		open |= known
	}
	for i := range k.others {
		seat := v.Seat.Plus(i + 1)
		k.others[i] = seat
		allowed[i] = k.unseen &^ excluded[seat] &^ (open &^ v.Known[seat])
		need[i] = k.left[seat]
	}
	return k.table.fill(k.unseen, allowed, need)
}

// noWorld returns the error for a view without a world. It finds the shortest beginning of the play that has none.
func noWorld(v View, plays []play) error {
	for n := range plays {
		k := &Knowledge{view: v, plays: plays[:n+1]}
		if n == 0 {
			before := &Knowledge{view: v}
			if !before.count() {
				break
			}
		}
		if !k.count() {
			p := plays[n]
			return at(n, p.card, violation.CannotBe,
				"%s, played by %s, proves that a seat has revoked: no deal of the unseen cards makes all cards legal up to this one",
				p.card, p.seat)
		}
	}
	return klaverjas.Violations{violation.New(violation.CannotBe, "leaves no deal of the unseen cards").At("/known")}
}

// probabilities computes the probability of each unseen card and seat.
func (k *Knowledge) probabilities() {
	shares := k.table.shares()
	for i := range k.table.classes[:k.table.len] {
		class := &k.table.classes[i]
		for o, seat := range k.others {
			p := shares[i][o]
			if p == 0 {
				continue
			}
			k.may[seat] |= class.cards
			for rest := class.cards; rest != 0; rest &= rest - 1 {
				k.probs[rest.First()][seat] = p
			}
		}
	}
}

// reach replays the cards from the hands of the first world. It fails only if the rules and the table contradict each other.
func (k *Knowledge) reach() error {
	v := &k.view
	deal := klaverjas.Deal{Trump: v.Trump, Leader: v.Leader, Declarer: v.Declarer, Hands: k.World(0)}
	for _, p := range k.plays {
		deal.Hands[p.seat] = deal.Hands[p.seat].With(p.card)
	}
	start, err := klaverjas.NewPosition(v.Rules, deal)
	if err == nil {
		k.now, err = start.Replay(v.Played)
	}
	if err != nil {
		return fmt.Errorf("a world of the view is not possible: %w", errors.New(err.Error())) // a fault, and not a violation of the caller
	}
	return nil
}

// View returns the view.
func (k *Knowledge) View() View { return k.view }

// Worlds returns the number of worlds, 1 to 9465511770.
func (k *Knowledge) Worlds() uint64 { return k.table.worlds }

// Unseen returns the cards that have not been played and are not in the hand of the view's seat.
func (k *Knowledge) Unseen() piquet.Set { return k.unseen }

// Own returns the cards left in the hand of the view's seat.
func (k *Knowledge) Own() piquet.Set { return k.own }

// Left returns the number of cards left in the hand of a seat.
func (k *Knowledge) Left(s piquet.Seat) int { return k.left[s&3] }

// May returns the unseen cards that a seat holds in at least one world.
func (k *Knowledge) May(s piquet.Seat) piquet.Set { return k.may[s&3] }

// Has returns the unseen cards that a seat holds in every world.
func (k *Knowledge) Has(s piquet.Seat) piquet.Set {
	only := k.may[s&3]
	for _, other := range k.others {
		if other != s&3 {
			only &^= k.may[other]
		}
	}
	return only
}

// Probability returns the share of the worlds in which a seat holds an unseen card. For any other card it is 0.
func (k *Knowledge) Probability(c piquet.Card, s piquet.Seat) float64 { return k.probs[c&31][s&3] }

// Turn returns the seat that is to play.
func (k *Knowledge) Turn() piquet.Seat { return k.now.Turn() }

// Legal returns the cards that the view's seat may play now. It is empty if another seat is to play.
func (k *Knowledge) Legal() piquet.Set {
	if k.now.Turn() != k.view.Seat {
		return 0
	}
	return k.now.Legal()
}

// Position returns the position in which the hands are the hands of a world of this knowledge. It panics if the hands do not have the
// cards that are left.
func (k *Knowledge) Position(w World) klaverjas.Position {
	p, err := k.now.Redealt(w)
	if err != nil {
		panic("worlds: not a world: " + err.Error())
	}
	return p
}
