package players

import (
	"context"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/table"
)

// Step is an action in a round that is played, with the round before and after it.
type Step struct {
	Before, After ginrummy.Round
	Action        ginrummy.Action
	// Events are what each seat has seen after it. They must not be changed, and are valid until the next step.
	Events [2][]ginrummy.Event
}

// Table is a round under way, with what both seats have seen. It is a value: an action returns another one.
type Table struct {
	ginrummy.Round

	scores [2]int
	events [2]table.List[ginrummy.Event]
}

// NewTable returns the table at the start of a deal, which must not be changed. scores are the points before the round.
func NewTable(d *ginrummy.Deal, scores [2]int) Table {
	return Table{Round: ginrummy.NewRound(d), scores: scores}
}

// Scores returns the scores of the game before the round.
func (t Table) Scores() [2]int { return t.scores }

// Events returns what a seat has seen.
func (t Table) Events(s ginrummy.Seat) []ginrummy.Event { return t.events[s&1].All() }

// Turn returns who decides. There is nobody if ok is false.
func (t Table) Turn() (s ginrummy.Seat, ok bool) { return t.Seat(), t.Phase() != ginrummy.Ended }

// View returns what a seat has seen.
func (t Table) View(s ginrummy.Seat) ginrummy.View {
	return ginrummy.NewView(&t.Round, s, t.Events(s), t.scores)
}

// Act returns the table after an action of the seat that decides. Its error is a *ginrummy.IllegalAction.
func (t Table) Act(a ginrummy.Action) (Table, error) {
	before := t.Round
	if a.Best {
		a.Melds = t.best(a)
	}
	var err error
	if t.Round, err = t.Play(a); err != nil {
		return t, err
	}
	for i := range t.events {
		if e, ok := ginrummy.EventOf(&before, &t.Round, a, ginrummy.Seat(i)); ok {
			t.events[i] = t.events[i].With(e)
		}
	}
	return t, nil
}

// best returns the best melds of an action. After a knock they are the melds with which the least is left after the lay-offs, or the best
// melds of the cards that the action does not lay off.
func (t *Table) best(a ginrummy.Action) (melds ginrummy.Arrangement) {
	hand := t.Hand(t.Seat())
	if a.Kind == ginrummy.Lay && !a.Off.Given {
		return hand.BestAgainst(t.Laid(t.Seat().Other()), t.Deal().LayOffs)
	}
	if best := (hand &^ a.Off.Cards()).Best(); len(best) > 0 {
		return best[0]
	}
	return melds
}

// Laid returns the melds that a seat has laid down.
func (t *Table) Laid(s ginrummy.Seat) ginrummy.Arrangement {
	melds, _ := ginrummy.ArrangementOf(t.Melds(s).Melds())
	return melds
}

// PlayRound lets two players play a round, at scores before it. If observe is not nil, it is called after each action. The error is a
// *table.Fault, or the error of a player or of the context.
func PlayRound(
	ctx context.Context, d *ginrummy.Deal, scores [2]int, seats [2]Player, observe func(*Step),
) (ginrummy.Round, ginrummy.Result, error) {
	var watch func(before, after Table, a ginrummy.Action)
	if observe != nil {
		watch = func(before, after Table, a ginrummy.Action) {
			observe(&Step{before.Round, after.Round, a, [2][]ginrummy.Event{after.Events(0), after.Events(1)}})
		}
	}
	t, err := table.Play(ctx, NewTable(d, scores), seats[:], watch)
	result, _ := t.Result()
	return t.Round, result, err
}

// Game is a game that was played.
type Game struct {
	Scores [2]int
	Rounds int // with void ones
	Winner ginrummy.Seat
	// Results are the results of the rounds.
	Results []ginrummy.Result
}

// MaxRounds is the number of rounds after which a game ends, and the player with more points wins; with equal points it is seat 0. The
// rules have no such limit. Games take some ten rounds.
const MaxRounds = 1000

// PlayGame lets two players play a game to 100. deal returns the deal of a round by its number from 0 and who starts it. If each is not
// nil, it is called with each round and its result. The error is the error of PlayRound.
func PlayGame(
	ctx context.Context, starter ginrummy.Seat, deal func(number int, starter ginrummy.Seat) ginrummy.Deal, seats [2]Player,
	observe func(*Step), each func(ginrummy.Round, ginrummy.Result),
) (g Game, err error) {
	for max(g.Scores[0], g.Scores[1]) < ginrummy.GameScore && g.Rounds < MaxRounds {
		d := deal(g.Rounds, starter)
		round, result, err := PlayRound(ctx, &d, g.Scores, seats, observe)
		if err != nil {
			return g, err
		}
		for s, points := range result.Score {
			g.Scores[s] += points
		}
		g.Rounds++
		g.Results = append(g.Results, result)
		starter = ginrummy.NextStarter(starter, result)
		if each != nil {
			each(round, result)
		}
	}
	if g.Scores[1] > g.Scores[0] {
		g.Winner = 1
	}
	return g, nil
}
