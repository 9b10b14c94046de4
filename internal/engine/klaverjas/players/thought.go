package players

import (
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/piquet"
)

// Why is the code of a thought: the part of the reason for a card that does not change with the cards.
type Why string

// The codes of the logical player (the paper, "Tactics.py"), by the place in the trick.
const (
	OnlyCard Why = "only_card"

	NoTrumpLeft     Why = "no_trump_left"
	NoneAbove       Why = "none_above"
	AllMayLose      Why = "all_may_lose"
	TopTrumpHigh    Why = "top_trump_high"
	TopTrump        Why = "top_trump"
	PartnerTopTrump Why = "partner_top_trump"
	BothFollow      Why = "both_follow"
	NothingWins     Why = "nothing_wins"

	NoTrumpToFollow Why = "no_trump_to_follow"
	NextNoTrump     Why = "next_no_trump"
	TrumpBeatsNext  Why = "trump_beats_next"
	TrumpsMayLose   Why = "trumps_may_lose"
	MustTrump       Why = "must_trump"
	NextMayRuff     Why = "next_may_ruff"
	NextCannotBeat  Why = "next_cannot_beat"
	NoneAboveLead   Why = "none_above_lead"
	PartnerMayBeat  Why = "partner_may_beat"
	BeatsNext       Why = "beats_next"
	SuitMayLose     Why = "suit_may_lose"

	NextMayTrumpHigher Why = "next_may_trump_higher"
	TrumpBeatsLast     Why = "trump_beats_last"
	NeedNotBeat        Why = "need_not_beat"
	TrumpNotNeeded     Why = "trump_not_needed"
	NoneAboveSecond    Why = "none_above_second"
	PartnerHigher      Why = "partner_higher"
	BeatsLast          Why = "beats_last"
	CardsMayLose       Why = "cards_may_lose"

	BeatsOpponents Why = "beats_opponents"
	CannotWin      Why = "cannot_win"
)

// The codes of the other players. Their thoughts have figures.
const (
	AnyCard      Why = "any_card"      // random: every legal card is equally likely
	RuleOfThumb  Why = "rule_of_thumb" // simple: Points is the estimate of the card, Cost what the next one has less
	LearnedCard  Why = "learned_card"  // policy: Chance is the probability that the network gives the card
	PlayedWorlds Why = "played_worlds" // playout, mixture: the mean over worlds that are played to their end
	SolvedWorlds Why = "solved_worlds" // pimc, belief, and playouts in the last tricks: the mean over worlds that are solved
	OpenCards    Why = "open_cards"    // open: Points is the exact outcome
	WeakerChoice Why = "weaker_choice" // a level: the draw gave the choice to its weaker player, whose thoughts follow
)

// Thought is one reason for a card. What it has beside the code depends on the code; what it does not have is nil or 0.
type Thought struct {
	Why  Why
	Card *piquet.Card // the card that the reason is about
	Next *piquet.Card // the card that was second best, where the thought compares two
	// Points is what the card is worth to the player's team, in points: the mean outcome over the worlds, or an estimate. Cost is what Next
	// is worth less.
	Points, Cost float64
	Chance       float64 // the probability that the network gives the card, 0 to 1
	NextChance   float64 // the same for Next
	Worlds       int     // how many worlds were looked at
}

// thoughtTexts are the sentences of the codes, with %s for the card.
var thoughtTexts = map[Why]string{
	OnlyCard:        "I have only one card to play.",
	NoTrumpLeft:     "No trump is left.",
	NoneAbove:       "No opponent can have a card of the suit above %s.",
	AllMayLose:      "Each of my cards may lose, so I play the lowest.",
	TopTrumpHigh:    "I have the highest trump left, and an opponent may have trumps. I play my highest card.",
	TopTrump:        "I have the highest trump left, and an opponent may have trumps. I play it.",
	PartnerTopTrump: "My partner has the highest trump left, and an opponent may have trumps. I play my lowest trump.",
	BothFollow:      "Both opponents may follow suit, and neither can have a card above %s.",
	NothingWins:     "I see no card that wins, so I play the lowest.",

	NoTrumpToFollow: "Trump is led and I have none, so I play my lowest card.",
	NextNoTrump:     "The next player has no trump, so my lowest one will do.",
	TrumpBeatsNext:  "My highest trump beats the card led and any that the third player may have.",
	TrumpsMayLose:   "My trumps may lose, so I play the lowest.",
	MustTrump:       "I have to play a trump, so I play the lowest.",
	NextMayRuff:     "The next player cannot follow suit and may have a trump, so I play my lowest card.",
	NextCannotBeat:  "The next player can neither follow suit nor ruff. I play my highest card.",
	NoneAboveLead:   "I have no card above the one led, so I play the lowest.",
	PartnerMayBeat:  "My highest card beats the third player, but my partner may have a higher one. I play my lowest.",
	BeatsNext:       "My highest card beats the card led and any that the third player may have.",
	SuitMayLose:     "My cards of the suit may lose, so I play the lowest.",

	NextMayTrumpHigher: "The fourth player may have a higher trump, so I play my lowest.",
	TrumpBeatsLast:     "My highest trump beats the second card and any that the fourth player may have.",
	NeedNotBeat:        "I need not beat the second card, or cannot, so I play my lowest trump.",
	TrumpNotNeeded:     "My highest card is a trump, and I need not win with it. I play my lowest card.",
	NoneAboveSecond:    "I have no card above the second one, so I play the lowest.",
	PartnerHigher:      "My highest card beats the fourth player, but my partner's card is higher. I play my lowest.",
	BeatsLast:          "My highest card beats the second one and any that the fourth player may have.",
	CardsMayLose:       "My cards may lose, so I play the lowest.",

	BeatsOpponents: "The opponents are winning, and my highest card beats theirs.",
	CannotWin:      "I cannot win the trick with my highest card, or my partner is winning it. I play my lowest.",

	AnyCard:      "I play any card that is legal, each equally likely.",
	WeakerChoice: "This time I do not think as I usually do.",
}

// Whys returns all codes.
func Whys() []Why {
	out := []Why{RuleOfThumb, LearnedCard, PlayedWorlds, SolvedWorlds, OpenCards}
	for w := range thoughtTexts {
		out = append(out, w)
	}
	return out
}

// String returns the thought as a sentence.
func (t Thought) String() string {
	if text, ok := thoughtTexts[t.Why]; ok {
		if strings.Contains(text, "%s") && t.Card != nil {
			return fmt.Sprintf(text, *t.Card)
		}
		return text
	}
	switch t.Why {
	case RuleOfThumb:
		return fmt.Sprintf("By rule of thumb %s is worth %+.1f points%s.", *t.Card, t.Points, t.behind())
	case LearnedCard:
		text := fmt.Sprintf("The network gives %s a probability of %.0f %%", *t.Card, 100*t.Chance)
		if t.Next != nil {
			text += fmt.Sprintf(", and %s %.0f %%", *t.Next, 100*t.NextChance)
		}
		return text + "."
	case PlayedWorlds:
		return fmt.Sprintf("Over %s, each played to its end, my team scores %+.1f points on average after %s%s.",
			worldsWord(t.Worlds), t.Points, *t.Card, t.behind())
	case SolvedWorlds:
		return fmt.Sprintf("Over %s, each solved exactly, my team scores %+.1f points on average after %s%s.",
			worldsWord(t.Worlds), t.Points, *t.Card, t.behind())
	case OpenCards:
		return fmt.Sprintf("I see all cards: after %s my team scores %+.0f points if all play best.", *t.Card, t.Points)
	default:
		return ""
	}
}

// behind says what the next card is worth less, if there is one.
func (t *Thought) behind() string {
	if t.Next == nil {
		return ""
	}
	return fmt.Sprintf("; %s is %.1f points worse", *t.Next, t.Cost)
}

func worldsWord(n int) string {
	if n == 1 {
		return "1 possible deal"
	}
	return fmt.Sprintf("%d possible deals", n)
}

// because returns the thoughts with these codes.
func because(codes ...Why) (out []Thought) {
	for _, code := range codes {
		out = append(out, Thought{Why: code})
	}
	return out
}

// about is because for one code that is about a card.
func about(code Why, c piquet.Card) Thought { return Thought{Why: code, Card: &c} }

// only is the choice of the one legal card.
func only(c piquet.Card) Choice { return Choice{Card: c, Thoughts: because(OnlyCard)} }

// advised is the choice of an advice whose worlds were solved. sign is 1 for a seat of the declarers, and -1 otherwise.
func advised(a *advice.Advice, sign float64) Choice {
	t := about(SolvedWorlds, a.Card)
	t.Worlds = a.Used
	for i := range a.Cards {
		switch v := &a.Cards[i]; {
		case v.Card == a.Card:
			t.Points = sign * v.Outcome.Mean
		case t.Next == nil:
			t.Next, t.Cost = &v.Card, v.Cost.Mean
		}
	}
	if a.Used == 0 {
		return only(a.Card)
	}
	return Choice{Card: a.Card, Thoughts: []Thought{t}}
}

// raced is the choice of a race of playouts.
func raced(r advice.Raced) Choice {
	t := about(PlayedWorlds, r.Card)
	if r.Solved {
		t.Why = SolvedWorlds
	}
	t.Worlds, t.Points = r.Worlds, r.Mean
	if r.Second {
		next := r.Next
		t.Next, t.Cost = &next, r.Cost
	}
	return Choice{Card: r.Card, Thoughts: []Thought{t}}
}
