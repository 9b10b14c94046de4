// Package reason says why a card was a mistake in tarok: what it gave away, and who could then do what.
//
// A mistake has two lines to the end of the hand, one with the card that was played and one with a better card, in each of many deals that
// were possible for its player. The rest is played by the rules of thumb with which the cards were compared. Package tricks compares the
// lines. The bonuses and the mond are added here. Package cause chooses the reason that explains most of the cost.
package reason

import (
	"fmt"

	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/tarok"
)

// Kind is a reason. Package tricks has most of them.
type Kind = tricks.Kind

// The reasons of the game. A bonus is missed, or the other side gets it; each list is in the order of the bonuses.
const (
	KingsMissed = tricks.NumKinds + iota
	TrulaMissed
	PagatMissed
	ValatMissed
	KingsGiven
	TrulaGiven
	PagatGiven
	ValatGiven
	Mond         // the player's mond is captured
	MondMissed   // the mond of another player is not captured, whose owner pays for it
	Beggar       // the declarer of a beggar takes a trick
	BeggarMissed // the declarer of a beggar takes no trick
	Klop         // the player takes this trick in klop
	KlopLater    // the player takes more points in later tricks of klop
	NumKinds
)

var names = [NumKinds]string{
	"not_good", "ruff", "partner_trump", "points", "bring_home", "trick", "last_trump", "spent", "last_trick", "tempo", "tricks", "cards",
	"kings", "trula", "pagat", "valat", "kings_given", "trula_given", "pagat_given", "valat_given", "mond", "mond_missed",
	"beggar", "beggar_missed", "klop", "klop_later",
}

// Name returns the name of a reason in the contract.
func Name(k Kind) string { return names[k] }

// Kinds returns the reasons of the game. A last trick has no points of its own.
func Kinds() (out []Kind) {
	for k := range NumKinds {
		if k != tricks.LastTrick {
			out = append(out, k)
		}
	}
	return out
}

type (
	// World is a deal with all that is true of its two lines. The cost is in halves of a point.
	World = tricks.World[tarok.Card, tarok.Player]
	// Explained is the reason of a mistake over several deals.
	Explained = tricks.Explained[tarok.Card, tarok.Player]
	fact      = tricks.Fact[tarok.Card, tarok.Player]
	trick     = tricks.Trick[tarok.Card, tarok.Player]
)

// Lines are two ways to the end of the hand from the position before a card: with the card that was played, and with a better one.
type Lines struct{ Played, Best []tarok.Card }

// Why is the reason of a mistake, with the position of its example and the lines in it.
type Why struct {
	Explained
	Before tarok.Position
	Lines  Lines
}

// Of chooses the reason that explains most of what a card costs over the deals that were possible for its player. Said is what was said
// before the first card, with the radli; played are the cards before the card, and exact with how many tricks left both sides play best
// with open cards. ok is false if nothing explains the cost. pause, which may be nil, is called between deals, and its error ends the work.
func Of(
	possible []tarok.Setup, played []tarok.Card, said tarok.Announcements, card, better tarok.Card, exact int, pause func() error,
) (w Why, ok bool, err error) {
	if len(possible) == 0 {
		return w, false, nil
	}
	all := make([]World, 1+len(possible)) // the first stands for the deal that was played, which is not looked at
	lines, before := make([]Lines, len(all)), make([]tarok.Position, len(all))
	for i := range possible {
		if pause != nil {
			if err := pause(); err != nil {
				return w, false, err
			}
		}
		at := i + 1
		if before[at], lines[at], err = LinesOf(&possible[i], played, said, card, better, exact); err != nil {
			return w, false, err
		}
		if all[at], err = Compare(before[at], said, lines[at]); err != nil {
			return w, false, err
		}
	}
	w.Explained, ok = tricks.Explain(all)
	if ok {
		w.Before, w.Lines = before[w.Example], lines[w.Example]
	}
	return w, ok, nil
}

// CardPoints returns the points of a card as players count it: 5 to 2 from king to jack, 5 for taroks 1, 21 and 22, and 1 for others.
func CardPoints(c tarok.Card) int { return (c.Thirds() + 2) / 3 }

// Text returns the reason in English sentences.
func (w *Why) Text() string {
	s := w.Before.Setup()
	turn := w.Before.Turn()
	n := tricks.Names{Card: w.Lines.Played[0].String(), Better: w.Lines.Best[0].String(), Us: "the opponents", Them: "the declarer"}
	switch {
	case s.Contract == tarok.Klop:
		n.Us, n.Them = turn.String(), "the others"
	case turn == s.Declarer:
		n.Us, n.Them = n.Them, n.Us
	}
	return w.Explained.Text(n, what(w.Kind, &n), tarok.Card.String, tarok.Player.String)
}

// what returns what a reason of the game says of every deal in which it is true.
func what(k Kind, n *tricks.Names) string {
	switch {
	case k >= KingsMissed && k <= ValatMissed:
		return fmt.Sprintf("the bonus %s is missed; after %s it goes to %s", tarok.Bonus(k-KingsMissed), n.Better, n.Us)
	case k >= KingsGiven && k <= ValatGiven:
		return fmt.Sprintf("the bonus %s counts for %s, but not after %s", tarok.Bonus(k-KingsGiven), n.Them, n.Better)
	case k == Mond:
		return "the player's mond is captured, but not after " + n.Better
	case k == MondMissed:
		return fmt.Sprintf("the mond of another player escapes; after %s it is captured", n.Better)
	case k == Beggar:
		return fmt.Sprintf("the declarer has to take a trick, but not after %s", n.Better)
	case k == BeggarMissed:
		return fmt.Sprintf("the declarer takes no trick; after %s the declarer has to take one", n.Better)
	case k == Klop:
		return fmt.Sprintf("this trick goes to %s, but not after %s", n.Us, n.Better)
	default: // KlopLater
		return fmt.Sprintf("more points go to %s in later tricks than after %s", n.Us, n.Better)
	}
}
