package players

import (
	"fmt"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
)

// Action is what a player does: a call while the cards are dealt, or a card.
type Action struct {
	Calls bool
	Call  belote.Trump // the trump that is chosen; belote.NoTrump for a pass
	Card  piquet.Card
}

// View is what a player has seen: both see the same. It has no card that is face down.
type View struct {
	Dealing *bidding.Dealing // while the trump is called
	Seen    *worlds.View     // from then on
	Flip    worlds.Flip
}

// Rules are what a hand is played by.
type Rules struct {
	Flip worlds.Flip
	// Threshold returns the points with which a declarer makes the contract, or nearly. nil: the deal has them.
	Threshold func(belote.Trump) int
}

// Table is a hand at one moment, with the cards face down. It is a value: an action returns another one.
type Table struct {
	deal    belote.Deal
	rules   Rules
	decided bool            // whether the cards are played, or have been
	now     belote.Position // of deal, if decided
	calls   table.List[belote.Trump]
	played  table.List[piquet.Card]
	last    *belote.Trick
}

// NewTable returns the table of a deal. If called, the trump and the declarer follow from calls. The error is belote.Violations.
func NewTable(d belote.Deal, called bool, r Rules) (Table, error) {
	t := Table{deal: d, rules: r}
	if called {
		return t, nil
	}
	return t.decide(d.Trump, d.Declarer)
}

// decide begins the play of the cards.
func (t Table) decide(trump belote.Trump, declarer belote.Player) (Table, error) {
	t.deal.Trump, t.deal.Declarer, t.decided = trump, declarer, true
	if t.rules.Threshold != nil {
		t.deal.Threshold = t.rules.Threshold(trump)
	}
	var err error
	t.now, err = belote.NewPosition(t.deal)
	return t, err
}

// Deal returns the deal, with what was decided so far.
func (t Table) Deal() belote.Deal { return t.deal }

// Decided reports whether the cards are played, or have been.
func (t Table) Decided() bool { return t.decided }

// Position returns the play, once it is decided.
func (t Table) Position() belote.Position { return t.now }

// Calls returns the calls, and Played the cards played.
func (t Table) Calls() []belote.Trump { return t.calls.All() }

// Played returns the cards played.
func (t Table) Played() []piquet.Card { return t.played.All() }

// Last returns the last complete trick; nil for none.
func (t Table) Last() *belote.Trick { return t.last }

// Turn returns who is to act. There is nobody if ok is false.
func (t Table) Turn() (p belote.Player, ok bool) {
	if !t.decided {
		return bidding.Speaker(t.calls.Len() + 1), true
	}
	return t.now.Turn(), !t.now.Finished()
}

// View returns what both players have seen.
func (t Table) View(belote.Player) View {
	v := View{Flip: t.rules.Flip}
	if !t.decided {
		v.Dealing = t.dealing()
		return v
	}
	var err error
	if v.Seen, err = worlds.Of(&t.now, t.Played(), t.rules.Flip); err != nil {
		panic("the view of a valid hand is not valid: " + err.Error())
	}
	return v
}

// dealing returns the open cards while the trump is called: each call follows the open cards of a set of its player.
func (t *Table) dealing() *bidding.Dealing {
	d := &bidding.Dealing{Deck: t.deal.Deck, Threshold: t.rules.Threshold(belote.TrumpOf(t.deal.Deck.First().Suit()))}
	for stage := range t.calls.Len() + 1 {
		p := bidding.Speaker(stage + 1)
		for range t.deal.Suits() {
			d.Open[p] = append(d.Open[p], t.deal.Stacks[p][len(d.Open[p])].Top)
		}
	}
	return d
}

// Act returns the table after an action of the player to act.
func (t Table) Act(a Action) (Table, error) {
	if a.Calls == t.decided {
		return t, fmt.Errorf("is a call: %t, while the trump is decided: %t", a.Calls, t.decided)
	}
	if a.Calls {
		turn, _ := t.Turn()
		if t.calls = t.calls.With(a.Call); a.Call != belote.NoTrump || t.calls.Len() == bidding.Stages {
			return t.decide(a.Call, turn)
		}
		return t, nil
	}
	next, trick, err := t.now.Completes(a.Card)
	if err != nil {
		return t, err
	}
	if t.now, t.played = next, t.played.With(a.Card); trick != nil {
		t.last = trick
	}
	return t, nil
}
