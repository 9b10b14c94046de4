package players

import (
	"fmt"

	"roem/internal/engine/table"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/worlds"
)

// Phase is what has to be done next in a hand.
type Phase uint8

// The phases, in their order. Klop, beggar and zero have no exchange, klop has no announcements.
const (
	ToBid Phase = iota
	ToExchange
	ToAnnounce
	ToPlay
	Finished
)

// String returns bid, exchange, announce, play or finished.
func (p Phase) String() string {
	return [5]string{"bid", "exchange", "announce", "play", "finished"}[p%5]
}

// Action is what a player does. Only the fields of its phase have a meaning.
type Action struct {
	Phase    Phase
	Bid      tarok.Bid  // ToBid
	Group    int        // ToExchange: the group of the talon that is taken, from 0
	Discards tarok.Set  // ToExchange
	Words    Words      // ToAnnounce
	Card     tarok.Card // ToPlay
}

// Table is a hand from the bidding to its end, with all cards. It is a value: an act returns another one.
type Table struct {
	setup   tarok.Setup
	bidding tarok.Bidding
	bids    table.List[tarok.Bid]
	words   table.List[Words] // in each turn of the announcements
	talk    Talk
	now     tarok.Position // from ToPlay on
	played  table.List[tarok.Card]
	phase   Phase
	radli   [3]int
	margins [3]Margins
}

// NewTable returns the table before the first bid. radli are the players' radli before the hand. Its error is tarok.Violations.
func NewTable(d tarok.Deal, rules tarok.Rules, radli [3]int) (Table, error) {
	if bad := d.Check(); len(bad) > 0 {
		return Table{}, bad
	}
	return Table{
		setup: tarok.Setup{Deal: d, Rules: rules}, bidding: tarok.NewBidding(rules.Order), radli: radli,
		margins: [3]Margins{DefaultMargins, DefaultMargins, DefaultMargins},
	}, nil
}

// TableOf returns the table after the bidding of a hand whose announcements are known: before the exchange, or without one before the first
// card. What was exchanged is not in it. Its error is tarok.Violations.
func TableOf(s tarok.Setup, said tarok.Announcements) (Table, error) {
	t, err := NewTable(s.Deal, s.Rules, said.Radli)
	if err != nil {
		return t, err
	}
	t.bidding, t.talk = tarok.Bidding{}, TalkOf(s.Contract, s.Declarer, said)
	return t.decided(s.Contract, s.Declarer)
}

// Phase returns what has to be done next.
func (t Table) Phase() Phase { return t.phase }

// Setup returns the deal, and what was decided so far.
func (t Table) Setup() tarok.Setup { return t.setup }

// Position returns the play, from ToPlay on.
func (t Table) Position() tarok.Position { return t.now }

// Bids returns the bids in order.
func (t Table) Bids() []tarok.Bid { return t.bids.All() }

// Words returns what was said in each turn of the announcements, from the declarer.
func (t Table) Words() []Words { return t.words.All() }

// Played returns the cards played.
func (t Table) Played() []tarok.Card { return t.played.All() }

// Announcements returns what was announced, and the radli.
func (t Table) Announcements() tarok.Announcements {
	a := t.talk.said
	a.Radli = t.radli
	return a
}

// Turn returns who is to act. There is nobody if ok is false.
func (t Table) Turn() (p tarok.Player, ok bool) {
	switch t.phase {
	case ToBid:
		return t.bidding.Turn()
	case ToExchange:
		return t.setup.Declarer, true
	case ToAnnounce:
		return t.talk.turn, true
	case ToPlay:
		return t.now.Turn(), true
	default:
		return 0, false
	}
}

// Score scores a finished hand.
func (t Table) Score() (tarok.Score, error) { return t.now.Score(t.Announcements()) }

// Act returns the table after an action of the player to act.
func (t Table) Act(a Action) (Table, error) {
	if a.Phase != t.phase || t.phase == Finished {
		return t, fmt.Errorf("is an action of the phase %s, expected %s", a.Phase, t.phase)
	}
	var err error
	switch t.phase {
	case ToBid:
		if t.bidding, err = t.bidding.Call(a.Bid); err == nil {
			t.bids = t.bids.With(a.Bid)
			return t.bid()
		}
	case ToExchange:
		return t.exchange(a.Group, a.Discards)
	case ToAnnounce:
		t.words = t.words.With(a.Words)
		if t.talk, err = t.talk.Say(a.Words); t.talk.done {
			t.phase = ToPlay
		}
	default:
		t.played = t.played.With(a.Card)
		if t.now, err = t.now.Play(a.Card); err == nil && t.now.Finished() {
			t.phase = Finished
		}
	}
	return t, err
}

// bid goes on after a bid.
func (t Table) bid() (Table, error) {
	contract, declarer, done := t.bidding.Result()
	if !done {
		return t, nil
	}
	return t.decided(contract, declarer)
}

// decided goes on after the bidding.
func (t Table) decided(contract tarok.Contract, declarer tarok.Player) (Table, error) {
	t.setup.Contract, t.setup.Declarer = contract, declarer
	if contract.Exchange() > 0 {
		t.phase = ToExchange
		return t, nil
	}
	return t.exchange(0, 0)
}

func (t Table) exchange(group int, discards tarok.Set) (Table, error) {
	t.setup.Group, t.setup.Discards = group, discards
	var err error
	t.now, err = tarok.NewPosition(t.setup)
	if !t.talk.done {
		t.talk = NewTalk(t.setup.Contract, t.setup.Declarer)
	}
	if t.phase = ToAnnounce; t.talk.done {
		t.phase = ToPlay
	}
	return t, err
}

// View is what a player knows when it is to act. The lists must not be changed.
type View struct {
	worlds.View
	Phase   Phase
	Held    tarok.Set     // what the player holds now; in ToExchange the cards dealt
	Bidding tarok.Bidding // so far; Bids are its bids in order. Both are empty where the bidding is not known
	Bids    []tarok.Bid
	Radli   [3]int
	Talk    Talk // from ToAnnounce on

	// In ToPlay:
	Leader tarok.Player
	Trick  []tarok.Card // on the table, from the leader
	Tricks [3]int
	Won    [3]tarok.Set // in tricks, in klop with the cards of the talon

	Margins Margins // of the player, adapted over a session
}

// View returns what a player knows.
func (t Table) View(player tarok.Player) *View {
	v := &View{
		View:  worlds.View{Player: player, Rules: t.setup.Rules, Hand: t.setup.Deal.Hands[player]},
		Phase: t.phase, Held: t.setup.Deal.Hands[player], Bidding: t.bidding, Bids: t.bids.All(), Radli: t.radli, Margins: t.margins[player],
	}
	switch t.phase {
	case ToBid:
		return v
	case ToExchange:
		v.Stage, v.Contract, v.Declarer, v.Talon = worlds.Exchange, t.setup.Contract, t.setup.Declarer, t.setup.Deal.Talon[:]
		return v
	default:
	}
	v.View = worlds.ViewOf(&t.setup, t.played.All(), player)
	v.Talk = t.talk
	v.see(&t.now)
	return v
}

// see sets what a position shows of the play.
func (v *View) see(p *tarok.Position) {
	v.Held, v.Leader, v.Trick = p.Hand(v.Player), p.Leader(), p.Trick()
	for i, q := range tarok.Players() {
		v.Tricks[i], v.Won[i] = p.Tricks(q), p.Won(q)
	}
}

// PlayView returns the view of a player in the play of whom the same is known. The world is one of the view.
func PlayView(known worlds.View, world *tarok.Position) View {
	v := View{View: known, Phase: ToPlay, Talk: NewTalk(known.Contract, known.Declarer), Margins: DefaultMargins}
	v.see(world)
	return v
}

// Turn returns who is to play, in ToPlay. There is nobody if ok is false.
func (v *View) Turn() (p tarok.Player, ok bool) {
	over := len(v.Played) == 3*tarok.HandSize || v.Contract == tarok.Beggar && v.Tricks[v.Declarer] > 0
	return v.Leader.After(len(v.Trick)), !over
}

// Legal returns the cards that the player may play. It is its turn.
func (v *View) Legal() tarok.Set { return v.Rules.Legal(v.Contract, v.Held, v.Trick) }

// Taken returns the cards that the declarer takes from the talon with a group.
func (v *View) Taken(group int) tarok.Set {
	n := v.Contract.Exchange()
	if n == 0 {
		return 0
	}
	return tarok.SetOf(v.Talon[group*n : (group+1)*n]...)
}

// Seen returns the cards of which the player knows where they are or were: its own cards, the cards of the talon that were turned up, its
// discards, and the cards played.
func (v *View) Seen() tarok.Set {
	return v.Held | v.Discards | tarok.SetOf(v.Talon...) | tarok.SetOf(v.Played...)
}

// Friend reports whether a player is on the player's side.
func (v *View) Friend(p tarok.Player) bool {
	if v.Contract == tarok.Klop {
		return p == v.Player
	}
	return (p == v.Declarer) == (v.Player == v.Declarer)
}
