package session

import (
	"slices"

	"roem/internal/engine/ginrummy"
)

// Sight is what the player outside may see of a session. No field but Revealed depends on cards that it has not seen.
type Sight struct {
	State  State
	Acts   int            // of the player outside
	Number int            // of the present round, from 0
	Scores [2]int         // of the rounds that are over
	Before [2]int         // of those before the present round
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

// Sight returns what the player outside may see.
func (s Session) Sight() Sight {
	out := Sight{
		State: s.State(), Acts: s.taken.Number(len(s.acts)), Number: len(s.past), Scores: s.scores, Before: s.before, Results: s.results,
		View: ginrummy.NewView(&s.round, ginrummy.Me, nil, s.before),
	}
	for _, e := range s.events[ginrummy.Me] {
		if e.Kind != ginrummy.Knock && e.Kind != ginrummy.Lay {
			out.View.Events = append(out.View.Events, e)
			continue
		}
		if e.Kind == ginrummy.Knock {
			by := e.Seat
			out.By, out.Knock = &by, &Laid{s.laid[by], s.round.Hand(by) &^ s.laid[by].Cards()}
		}
	}
	if out.State >= RoundOver {
		out.Revealed = s.revealed()
	}
	if out.State == Over && s.scores[0] != s.scores[1] {
		winner := ginrummy.Me
		if s.scores[ginrummy.Opponent] > s.scores[ginrummy.Me] {
			winner = ginrummy.Opponent
		}
		out.Winner = &winner
	}
	return out
}

// revealed returns all cards of a round that is over.
func (s *Session) revealed() *Revealed {
	deal, result := s.round.Deal(), s.results[len(s.results)-1]
	out := &Revealed{Deal: *deal, Record: ginrummy.Record{
		Starter: deal.Starter, Upcard: deal.Upcard, Dealt: deal.Hands, LayOffs: deal.LayOffs,
	}}
	for i, e := range s.events[ginrummy.Me] {
		if e.Kind != ginrummy.Lay {
			out.Record.Events = append(out.Record.Events, s.events[e.Seat][i]) // its own player has seen the card
		}
	}
	for i := range out.Hands {
		hand := s.round.Hand(ginrummy.Seat(i))
		melds := s.laid[i]
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
