package puzzles

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Theme is something that a puzzle is about. Each follows from the position and the values.
type Theme uint8

// The themes.
const (
	Lead      Theme = iota // the seat leads to a trick
	TrumpLead              // the best card leads a trump
	Follow                 // the best card follows the plain suit that was led
	TrumpDuty              // the best card follows a trump that was led
	Ruff                   // the best card is a trump in a trick of a plain suit
	Overruff               // the same, higher than the trump of another player
	Discard                // the best card neither follows suit nor ruffs
	Feed                   // the best card gives ten points or more to a trick that the partner is winning
	Duck                   // another card would beat the opponent who is winning the trick, and the best card does not
	Meld                   // with the best card the trick has a meld
	Nat                    // only the best card decides for the seat's team who wins the hand
	Pit                    // of the best card and the second best one, one ends in a pit and the other does not
	LastTrick              // the best card wins the last trick for the seat's team, and the second best one does not
	Endgame                // at most three tricks are left
	Declaring              // the seat's team declares
	Defending              // the other team declares
	numThemes
)

var themeNames = [numThemes]string{
	"lead", "trump_lead", "follow", "trump_follow", "ruff", "overruff", "discard", "feed", "duck", "meld", "nat", "pit",
	"last_trick", "endgame", "declaring", "defending",
}

// String returns the name of the theme in JSON.
func (t Theme) String() string { return themeNames[t%numThemes] }

// ThemeNames returns the names of all themes.
func ThemeNames() []string { return themeNames[:] }

// Has reports whether the puzzle has the theme of a name.
func (p *Puzzle) Has(theme string) bool {
	return slices.ContainsFunc(p.Themes, func(t Theme) bool { return t.String() == theme })
}

const (
	fed        = 10   // the points of a card that feeds
	endTricks  = 3    // the tricks of an endgame
	natShare   = 0.25 // how much likelier the best card of a hidden puzzle wins the hand than each other, for the theme Nat
	handTricks = klaverjas.HandSize
)

// ThemesOf returns the themes of a puzzle at its position.
func ThemesOf(p *Puzzle, at klaverjas.Position) (themes []Theme) {
	best, trick, trump, seat := p.Values[0].Card, at.Trick(), at.Deal().Trump, at.Turn()
	add := func(t Theme, is bool) {
		if is {
			themes = append(themes, t)
		}
	}
	if trick.Len == 0 {
		themes = append(themes, Lead)
		add(TrumpLead, best.Suit() == trump)
	} else {
		themes = append(themes, answering(trick, best, trump))
		ours, after := trick.Winner == seat.Partner(), trick.With(best, trump)
		add(Feed, ours && after.Winner != seat && klaverjas.Points(best, trump) >= fed)
		add(Duck, trick.Winner.Team() != seat.Team() && after.Winner != seat &&
			slices.ContainsFunc(p.Values[1:], func(v Value) bool { return trick.With(v.Card, trump).Winner == seat }))
		add(Meld, at.Rules().Meld(after.Set(), trump) > 0)
	}
	add(Nat, decides(p, at))
	if !p.Hidden {
		pits, lasts := [2]bool{}, [2]bool{}
		for i := range pits {
			v := &p.Values[i]
			end, err := at.Replay(append([]piquet.Card{v.Card}, v.Line...))
			if err != nil {
				return themes // complete has replayed it
			}
			pits[i], lasts[i] = end.Pit(), end.Turn().Team() == seat.Team()
		}
		add(Pit, pits[0] != pits[1])
		add(LastTrick, lasts[0] && !lasts[1])
	}
	add(Endgame, len(p.Played)/4 >= handTricks-endTricks)
	add(Declaring, seat.Team() == at.Deal().Declarer)
	add(Defending, seat.Team() != at.Deal().Declarer)
	return themes
}

// answering returns what the best card does in a trick that another seat has led to.
func answering(trick klaverjas.Trick, best piquet.Card, trump piquet.Suit) Theme {
	switch led, high := trick.Cards[0].Suit(), trick.Cards[trick.Winner.Minus(trick.Leader)]; {
	case best.Suit() == led && led == trump:
		return TrumpDuty
	case best.Suit() == led:
		return Follow
	case best.Suit() != trump:
		return Discard
	case high.Suit() == trump && trick.With(best, trump).Winner == trick.Turn():
		return Overruff
	default:
		return Ruff
	}
}

// decides reports whether only the best card wins the hand for the seat's team.
func decides(p *Puzzle, at klaverjas.Position) bool {
	ours := func(v *Value) float64 {
		share := v.Win
		if !p.Hidden {
			share = 0
			if v.Outcome > 0 {
				share = 1
			}
		}
		if sign(at) < 0 {
			return 1 - share
		}
		return share
	}
	for i := range p.Values[1:] {
		if ours(&p.Values[0])-ours(&p.Values[1+i]) < natShare {
			return false
		}
	}
	return true
}
