package players

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
)

// Step is one card of a hand that is played.
type Step struct {
	Before klaverjas.Position
	Seat   piquet.Seat
	Choice
	After worlds.View // what the seat has seen after its card
	Took  time.Duration
}

// Announcements returns what everybody may conclude from the last card of the view, in sentences, if the player can tell.
func Announcements(p Player, v worlds.View) []string {
	if a, ok := p.(announcer); ok {
		return a.announcements(v)
	}
	return nil
}

// Fault is the error for a player that does not play a legal card.
type Fault struct {
	Player string // its name
	Seat   piquet.Seat
	Deal   klaverjas.Deal
	Played []piquet.Card // before the fault
	Cause  error         // an IllegalCard, or the player's own error
}

// Error names the player, the position and the cause.
func (f *Fault) Error() string {
	hands := make([]string, 0, 4)
	for _, seat := range piquet.Seats() {
		hands = append(hands, fmt.Sprintf("%s: %s", seat, f.Deal.Hands[seat]))
	}
	played := make([]string, 0, len(f.Played))
	for _, c := range f.Played {
		played = append(played, c.String())
	}
	return fmt.Sprintf("the player %s, who sits at %s, is at fault: %v (trump %s, leader %s, declarer %s, hands %s, played %s)",
		f.Player, f.Seat, f.Cause, f.Deal.Trump, f.Deal.Leader, f.Deal.Declarer, strings.Join(hands, ", "), strings.Join(played, " "))
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Cause }

// Seated is a player at a table, with its name.
type Seated struct {
	Player
	Name string
}

// at is a player as it sits at the frame's table. step is its last one.
type at struct {
	Seated

	step *Step
}

// Choose lets the player choose a card.
func (a at) Choose(ctx context.Context, v View) (Action, error) {
	began := time.Now()
	choice, err := a.Player.Choose(ctx, v.View)
	a.step.Choice, a.step.Seat, a.step.Took = choice, v.Seat, time.Since(began)
	return Action{Card: choice.Card}, err
}

// See shows a player that sees all cards the position.
func (a at) See(t Table) {
	if all, ok := a.Player.(sighted); ok {
		all.see(t.now)
	}
}

// Play lets four players, by seat, play a hand from a position to its end. played are the cards that have been played before the position.
// It returns all cards played, in order, and the end. watch, which may be nil, is called after each card. The error is a *Fault, or the
// error of the context.
func Play(
	ctx context.Context, p klaverjas.Position, played []piquet.Card, seats [4]Seated, watch func(Step),
) ([]piquet.Card, klaverjas.Position, error) {
	return PlayOpen(ctx, p, played, [4]piquet.Set{}, seats, watch)
}

// PlayOpen is Play for a hand in which cards lie open, by the seat that was dealt them.
func PlayOpen(
	ctx context.Context, p klaverjas.Position, played []piquet.Card, open [4]piquet.Set, seats [4]Seated, watch func(Step),
) ([]piquet.Card, klaverjas.Position, error) {
	t := Table{beginning: &beginning{rules: p.Rules(), deal: p.Deal(), open: open}, decided: true, now: p}
	for _, c := range played {
		t.played = t.played.With(c)
	}
	var step Step
	players := make([]match.Player[View, Action], len(seats))
	for i, one := range seats {
		players[i] = at{one, &step}
	}
	t, err := table.Play(ctx, t, players, func(before, after Table, _ Action) {
		if watch != nil {
			step.Before, step.After = before.now, worlds.ViewOf(before.now, after.Played(), step.Seat).Showing(open)
			watch(step)
		}
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if err != nil {
		if fault, ok := errors.AsType[*table.Fault](err); ok {
			err = fault.Err
		}
		turn, _ := t.Turn()
		err = &Fault{Player: seats[turn].Name, Seat: turn, Deal: t.deal, Played: t.Played(), Cause: err}
	}
	return t.Played(), t.now, err
}

// Sheet returns what each team writes on the score sheet for a finished hand: trick points and melds or, if the declarers are nat, nothing
// for them, and for the defenders all trick points and the melds that the rules give them. The difference, from the declarers' side, is
// the outcome.
func Sheet(p klaverjas.Position) (points [2]int) {
	outcome, declarer := p.Outcome(), p.Deal().Declarer
	if outcome <= 0 {
		points[declarer.Opponents()] = -outcome
		return points
	}
	score := p.Score()
	for _, team := range piquet.Teams() {
		points[team] = score.Sum(team)
	}
	return points
}
