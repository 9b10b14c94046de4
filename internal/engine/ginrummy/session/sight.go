package session

import (
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
)

// Sight is what the player outside may see of a session. No field but Revealed depends on cards that it has not seen.
type Sight struct {
	State  State
	Acts   int            // of the player outside
	Number int            // of the present round, from 0
	Scores [2]int         // of the rounds that are over
	Before [2]int         // of those before the present hand
	View   ginrummy.View  // of the present round; its events end before a knock
	Knock  *Laid          // what the player who knocked has laid down; nil before a knock
	By     *ginrummy.Seat // who knocked; nil before a knock
	// Results are the results of the rounds that are over.
	Results  []Result
	Revealed *Revealed      // when the round is over
	Winner   *ginrummy.Seat // when a game is over; nil for equal points
}

// Laid is what a player has laid down.
type Laid struct {
	Melds ginrummy.Arrangement
	Left  ginrummy.Set // the cards outside the melds that were not laid off
}

// Revealed is a round that is over.
type Revealed struct {
	Deal  ginrummy.Deal
	Hands [2]ginrummy.Set // at the end
	Laid  [2]Laid         // after a void round, the first of the best arrangements
	// Record has the events of both players with all cards, and a knock. It has the lay-offs if the rule has others, and they can be
	// made on the best melds of the knocker.
	Record ginrummy.Record
}

// See returns what the player outside may see.
func See(s Session) Sight {
	m, t := s.Match(), s.Hand()
	out := Sight{
		State: s.State(), Acts: s.Next(), Number: s.Number() - 1, Scores: m.scores, Before: t.Scores(), Results: m.results, View: s.View(),
	}
	out.View.Events = nil
	for _, e := range t.Events(m.Setup.Seat) {
		if e.Kind != ginrummy.Knock && e.Kind != ginrummy.Lay {
			out.View.Events = append(out.View.Events, e)
			continue
		}
		if e.Kind == ginrummy.Knock {
			melds := t.Laid(e.Seat)
			out.By, out.Knock = &e.Seat, &Laid{melds, t.Hand(e.Seat) &^ melds.Cards()}
		}
	}
	if s.HandOver() {
		out.Revealed = revealed(t, m.results[len(m.results)-1])
	}
	if out.State == Over && m.scores[0] != m.scores[1] {
		winner := ginrummy.A
		if m.scores[ginrummy.B] > m.scores[ginrummy.A] {
			winner = ginrummy.B
		}
		out.Winner = &winner
	}
	return out
}

// revealed returns all cards of a round that is over.
func revealed(t players.Table, result Result) *Revealed {
	deal := t.Deal()
	out := &Revealed{Deal: *deal, Record: ginrummy.Record{
		Starter: deal.Starter, Upcard: deal.Upcard, Hands: deal.Hands, LayOffs: deal.LayOffs,
	}}
	for i, e := range t.Events(ginrummy.A) {
		if e.Kind != ginrummy.Lay {
			out.Record.Events = append(out.Record.Events, t.Events(e.Seat)[i]) // its own player has seen the card
		}
	}
	for i := range out.Hands {
		hand, melds := t.Hand(ginrummy.Seat(i)), t.Laid(ginrummy.Seat(i))
		if best := hand.Best(); result.Void && len(best) > 0 {
			melds = best[0]
		}
		out.Hands[i], out.Laid[i] = hand, Laid{melds, hand &^ melds.Cards()}
	}
	if byRule, _ := out.Record.Result(); !slices.Equal(byRule.LaidOff, result.LaidOff) {
		out.Record.LaidOff = append([]ginrummy.LayOff{}, result.LaidOff...)
		if _, possible := out.Record.Result(); !possible {
			out.Record.LaidOff = nil
		}
	}
	if !result.Void {
		for _, l := range result.LaidOff {
			out.Laid[result.Knocker.Other()].Left = out.Laid[result.Knocker.Other()].Left.Without(l.Card)
		}
	}
	return out
}
