package players

import (
	"context"
	"fmt"

	"roem/internal/engine/ginrummy"
)

// Step is an action in a round that is played, with the round before and after it.
type Step struct {
	Before, After ginrummy.Round
	Action        ginrummy.Action
	// Events are what each seat has seen after it. They must not be changed, and are valid until the next step.
	Events [2][]ginrummy.Event
}

// Fault is the error of a player that chose an action that is not allowed.
type Fault struct {
	Seat ginrummy.Seat
	Err  error
}

// Error returns the seat and what is wrong.
func (f *Fault) Error() string {
	return fmt.Sprintf("the player of seat %d chose an action that is not allowed: %v", f.Seat, f.Err)
}

// Unwrap returns what is wrong.
func (f *Fault) Unwrap() error { return f.Err }

// PlayRound lets two players play a round, at scores before it. If observe is not nil, it is called after each action. The error is a
// *Fault, or the error of a player or of the context.
func PlayRound(
	ctx context.Context, d *ginrummy.Deal, scores [2]int, seats [2]Player, observe func(*Step),
) (ginrummy.Round, ginrummy.Result, error) {
	step := Step{After: ginrummy.NewRound(d)}
	for {
		if result, ok := step.After.Result(); ok {
			return step.After, result, nil
		}
		if err := ctx.Err(); err != nil {
			return step.After, ginrummy.Result{}, context.Cause(ctx)
		}
		step.Before = step.After
		seat := step.Before.Seat()
		var err error
		if step.Action, err = seats[seat].Choose(ctx, ginrummy.NewView(&step.Before, seat, step.Events[seat], scores)); err != nil {
			return step.After, ginrummy.Result{}, err
		}
		if step.After, err = step.Before.Play(step.Action); err != nil {
			return step.After, ginrummy.Result{}, &Fault{seat, err}
		}
		for s := range step.Events {
			if e, ok := ginrummy.EventOf(&step.Before, &step.After, step.Action, ginrummy.Seat(s)); ok {
				step.Events[s] = append(step.Events[s], e)
			}
		}
		if observe != nil {
			observe(&step)
		}
	}
}

// Game is a game that was played.
type Game struct {
	Scores [2]int
	Rounds int // with void ones
	Winner ginrummy.Seat
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
