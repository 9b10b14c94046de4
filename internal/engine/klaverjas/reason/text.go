package reason

import (
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Text returns the reason as one English sentence, or two if the card decides the contract.
func (r Reason) Text(before klaverjas.Position, l Lines) string {
	turn, declarer := before.Turn(), before.Deal().Declarer
	team, card, better := turn.Team(), l.Played[0], l.Best[0]
	text := r.what(turn, card, better)
	if r.Keeps > 0 {
		if strings.Contains(strings.ToLower(text), "after ") {
			text += ", and"
		} else {
			text += "; after " + better.String()
		}
		text += fmt.Sprintf(" %s takes trick %d", card, r.Keeps)
	}
	text += "."
	if r.Decides {
		if team == declarer {
			text += fmt.Sprintf(" So %s are nat.", names(team))
		} else {
			text += fmt.Sprintf(" So %s make their contract.", names(declarer))
		}
	}
	return text
}

// what returns the sentence without its end.
func (r Reason) what(turn piquet.Seat, card, better piquet.Card) string {
	us, them := names(turn.Team()), names(turn.Team().Opponents())
	takes := fmt.Sprintf("%s takes trick %d with %s", r.Seat, r.Trick, r.By)
	switch r.Code {
	case NotGood:
		return fmt.Sprintf("%s is not good yet: %s and gets its %d points", card, takes, r.Points)
	case Trick:
		return fmt.Sprintf("%s, %d points; after %s, %s take it", takes, r.Points, better, us)
	case Ruff:
		return fmt.Sprintf("%s ruffs trick %d with %s, %d points; after %s, %s take it", r.Seat, r.Trick, r.By, r.Points, better, us)
	case PartnerTrump:
		return fmt.Sprintf("%s draws %s of the partner and no trump of %s; after %s it takes a later trick", card, r.Lost, them, better)
	case Points:
		return fmt.Sprintf("%s gives %d points away: %s; %s gives %d", card, r.Points, takes, better, r.Less)
	case BringHome:
		return fmt.Sprintf("%s: %s brings %d points into it, %s brings %d", takes, better, r.Points, card, r.Less)
	case Roem, LaterRoem:
		return fmt.Sprintf("%s makes %d roem in trick %d with %s; not after %s", r.Seat, r.Points, r.Trick, r.By, better)
	case RoemMissed, LaterMissed:
		return fmt.Sprintf("After %s, %s, with %d roem; not after %s", better, takes, r.Points, card)
	case Nel, Ace, Ten, Cards:
		if r.By == r.Lost {
			return fmt.Sprintf("%s; after %s, %s get it", takes, better, us)
		}
		if r.Kept {
			return fmt.Sprintf("%s, and %s keep %s; after %s, %s get it", takes, them, r.Lost, better, us)
		}
		return fmt.Sprintf("%s and gets %s; after %s it goes to %s", takes, r.Lost, better, us)
	case LastTrump:
		return fmt.Sprintf("%s is the last trump of %s; after %s it takes trick %d, %d points", card, turn, better, r.Trick, r.Points)
	case Spent:
		return fmt.Sprintf("After %s, %s takes trick %d, %d points", better, card, r.Trick, r.Points)
	case Tempo:
		return fmt.Sprintf("%s get the lead, and %s, %d points; after %s the lead is with %s", them, takes, r.Points, better, us)
	case LastTrick:
		return fmt.Sprintf("%s, the last one; after %s, %s take it", takes, better, us)
	case Tricks:
		return fmt.Sprintf("%s, %d points; after %s, %s take more tricks", takes, r.Points, better, us)
	default: // Pit
		if r.Seat.Team() == turn.Team() {
			return fmt.Sprintf("%s make a pit; after %s, %s", them, better, takes)
		}
		return fmt.Sprintf("%s, so that %s make no pit; after %s they make it", takes, us, better)
	}
}

// Text returns the reason in English sentences: in how many of the possible deals it applies, in how many the card decides the contract,
// and what happens in the example. r is the reason in the example, and before the position before its lines.
func (h *Hidden) Text(r Reason, before klaverjas.Position) string {
	text := fmt.Sprintf("In %d of %d possible deals, %s.", h.Applies, h.Worlds, r.anywhere(before.Turn(), h.Lines.Played[0], h.Lines.Best[0]))
	if h.Decides > 0 {
		text += fmt.Sprintf(" The card decides the contract in %d of all %d.", h.Decides, h.Worlds)
	}
	of := " One of these deals: "
	if h.Real() {
		of = " In the deal that was played: "
	}
	return text + of + r.Text(before, h.Lines)
}

// anywhere returns what is true of every deal in which a card has a reason with this code.
func (r Reason) anywhere(turn piquet.Seat, card, better piquet.Card) string {
	us, them := names(turn.Team()), names(turn.Team().Opponents())
	get := func(what string) string { return fmt.Sprintf("%s get %s; after %s, %s get it", them, what, better, us) }
	switch r.Code {
	case NotGood:
		return fmt.Sprintf("%s is not good yet, and goes with its %d points to a higher card of %s", card, r.Points, them)
	case Trick:
		return fmt.Sprintf("%s take this trick; after %s, %s take it", them, better, us)
	case Ruff:
		return fmt.Sprintf("%s ruff this trick; after %s, %s take it", them, better, us)
	case PartnerTrump:
		return fmt.Sprintf("%s draws a trump of the partner and no trump of %s", card, them)
	case Points:
		return fmt.Sprintf("%s gives %s %d points in this trick; after %s they get fewer", card, them, r.Points, better)
	case BringHome:
		return fmt.Sprintf("%s brings %d points into this trick, which %s take; %s brings %d", better, r.Points, us, card, r.Less)
	case Roem:
		return fmt.Sprintf("%s make roem in this trick that they do not make after %s", them, better)
	case RoemMissed:
		return fmt.Sprintf("%s make roem in this trick after %s, but not after %s", us, better, card)
	case LaterRoem:
		return fmt.Sprintf("%s make roem in a later trick that they do not make after %s", them, better)
	case LaterMissed:
		return fmt.Sprintf("%s make roem in a later trick after %s, but not after %s", us, better, card)
	case Nel:
		return get("the nine of trumps")
	case Ace:
		return get("an ace")
	case Ten:
		return get("a ten")
	case Cards:
		return get("a card with points")
	case LastTrump:
		return fmt.Sprintf("%s, the last trump of %s, takes a later trick after %s", card, turn, better)
	case Spent:
		return fmt.Sprintf("%s takes a later trick after %s", card, better)
	case Tempo:
		return fmt.Sprintf("%s get the lead and take tricks that follow; after %s the lead is with %s", them, better, us)
	case LastTrick:
		return fmt.Sprintf("%s take the last trick; after %s, %s take it", them, better, us)
	case Tricks:
		return fmt.Sprintf("%s take more of the tricks that are left if %s is played", us, better)
	default: // Pit
		if r.Seat.Team() == turn.Team() {
			return fmt.Sprintf("%s make a pit, but not after %s", them, better)
		}
		return fmt.Sprintf("%s make a pit after %s, but not after %s", us, better, card)
	}
}

func names(t piquet.Team) string {
	if t == piquet.NorthSouth {
		return "N and S"
	}
	return "E and W"
}
