package players

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
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
	played = append(make([]piquet.Card, 0, piquet.Deck.Len()), played...)
	for !p.Finished() {
		seat := p.Turn()
		who := seats[seat]
		if all, ok := who.Player.(sighted); ok {
			all.see(p)
		}
		began := time.Now()
		choice, err := who.Choose(ctx, worlds.ViewOf(p, slices.Clip(played), seat).Showing(open))
		took := time.Since(began)
		if ctx.Err() != nil {
			return played, p, context.Cause(ctx)
		}
		var next klaverjas.Position
		if err == nil {
			next, err = p.Play(choice.Card)
		}
		if err != nil {
			return played, p, &Fault{Player: who.Name, Seat: seat, Deal: p.Deal(), Played: played, Cause: err}
		}
		played = append(played, choice.Card)
		if watch != nil {
			watch(Step{
				Before: p, Seat: seat, Choice: choice, After: worlds.ViewOf(p, slices.Clip(played), seat).Showing(open), Took: took,
			})
		}
		p = next
	}
	return played, p, nil
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
