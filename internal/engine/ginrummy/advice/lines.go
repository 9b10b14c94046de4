package advice

import "roem/internal/engine/ginrummy"

// End is who ended a round.
type End uint8

// The ends of a round.
const (
	Void  End = iota // nobody knocked
	Own              // the player who is advised knocked
	Other            // the opponent knocked
)

var knocks = [2]End{Own, Other}

// Line is how a round went on after an action in a world.
type Line struct {
	Score  int // points of the player minus points of the opponent
	End    End
	Hands  [2]ginrummy.Set // at the end, the hand of the player first
	AtOnce bool            // the player knocked in the turn of the action
}

// Pair is a world in which an action was compared with the advised one.
type Pair struct {
	Opponent ginrummy.Set  // the hand of the opponent before the action
	Drawn    ginrummy.Card // the next card of the stock
	Played   Line
	Better   Line
	// The lines in which the opponent does not take the card that the action leaves as the top discard.
	PlayedBarred, BetterBarred Line
}

// Cost is how much less the action is worth in the world.
func (p *Pair) Cost() int { return p.Better.Score - p.Played.Score }

// Pairs returns the worlds of the last Judge with the lines of its two actions, for its view. The mean of their costs is its Cost.
func (a *Advisor) Pairs(v *ginrummy.View, j *Judged) []Pair {
	out := make([]Pair, a.s.Worlds)
	for i := range out {
		w := &a.worlds[i]
		out[i] = Pair{
			Opponent: w.opponent, Drawn: w.stock[0],
			Played: line(v, w, &j.Played, false), Better: line(v, w, &j.Better, false),
			PlayedBarred: line(v, w, &j.Played, true), BetterBarred: line(v, w, &j.Better, true),
		}
	}
	return out
}

// line plays an option in a world. barred says that nobody takes the top discard that it leaves.
func line(v *ginrummy.View, w *world, o *Option, barred bool) Line {
	hand, kind := v.Own, o.Action.Kind
	if kind == ginrummy.Discard {
		hand = hand.Without(o.Action.Card)
	}
	if kind == ginrummy.Knock || o.Knock {
		melds := o.Action.Melds
		if kind == ginrummy.Discard {
			melds = arrangement(hand)
		}
		return Line{knockScore(hand, w.opponent, melds, v.LayOffs), Own, [2]ginrummy.Set{hand, w.opponent}, true}
	}
	t := start(v, w)
	switch {
	case !barred:
	case kind == ginrummy.Discard:
		t.barred = o.Action.Card
	case kind == ginrummy.Pass:
		t.barred = v.Top
	}
	score := t.play(hand, o.Action)
	return Line{score, t.end, t.hands, t.end == Own && t.turns == v.Turns}
}
