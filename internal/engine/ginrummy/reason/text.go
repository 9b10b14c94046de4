package reason

import (
	"fmt"

	"roem/internal/engine/ginrummy"
)

// Text returns the reason in English sentences. played and better are the two actions.
func (r *Reason) Text(played, better ginrummy.Action) string {
	in := fmt.Sprintf("In %d of %d worlds", r.Applies, r.Worlds)
	switch r.Code {
	case NoGin:
		return r.after(better) + " has gin."
	case NoKnock:
		return fmt.Sprintf("%s can knock with a deadwood of %d.", r.after(better), r.Better)
	case LeftMeld:
		return fmt.Sprintf("%s makes the meld %s.", r.Card, r.Cards)
	case NoMeld:
		return fmt.Sprintf("%s makes no meld, and the opponent has seen it. %s it is in no meld at the end.", r.Card, in)
	case BrokeMeld:
		return fmt.Sprintf("%s was in the meld %s: without it the deadwood is %d, without %s %d.", r.Card, r.Cards, r.Deadwood, better.Card,
			r.Better)
	case Feeds:
		if better.Kind == ginrummy.Discard {
			return fmt.Sprintf("%s %s completes a meld of the opponent, and %s does not.", in, r.Card, better.Card)
		}
		return fmt.Sprintf("%s %s completes a meld of the opponent.", in, r.Card)
	case Undercut:
		return fmt.Sprintf("%s the opponent undercuts the deadwood of %d.", in, r.Deadwood)
	case GinLater:
		return in + " the player has gin later."
	case TooLate:
		return in + " the opponent knocks before the player does."
	case Chance:
		return fmt.Sprintf("Unseen cards that make a meld with %s: %d; with %s: %d. %s %s is in a meld at the end.", r.Cards, r.Outs, better.Card,
			r.BetterOuts, in, r.Card)
	case High:
		return fmt.Sprintf("The deadwood is %d without %s, and %d without %s. %s %s is deadwood at the end.", r.Deadwood, played.Card, r.Better,
			r.Card, in, r.Card)
	case LeftChance:
		return fmt.Sprintf("Unseen cards that make a meld with %s: %d. %s %s is in a meld at the end.", r.Cards, r.Outs, in, r.Card)
	case LeftLow:
		return fmt.Sprintf("With %s the deadwood is %d, without it %d. %s it stays in the hand.", r.Card, r.Better, r.Deadwood, in)
	case StockMeld:
		return in + " the card of the stock makes a meld."
	case MoreLater:
		return in + " the hand brings more without the knock."
	case LessLater:
		return in + " the knock brings more than the later end."
	default: // Slower
		return in + " the player knocks only after the better action."
	}
}

// after begins a sentence about what the player can do after an action.
func (r *Reason) after(better ginrummy.Action) string {
	if better.Kind == ginrummy.Discard {
		return fmt.Sprintf("After the discard of %s the player", r.Card)
	}
	return fmt.Sprintf("With %s the player", r.Card)
}
