// Package players has the players of Klaverjas, and lets them play hands and matches. A player chooses a card from what its seat sees.
//
//	random   any legal card, each equally likely
//	simple   a rule of thumb: what the card is likely to win in this trick, and what it is worth in a later one
//	logical  the agents of Koiter, Oosterhuis and de Weert, "Logical Klaverjassen": knowledge by public announcements, and their tactics
//	pimc     the best card on average over worlds drawn uniformly, each solved exactly
//	belief   like pimc, over worlds drawn from what the play suggests about the hidden cards
//	policy   the card that a network chooses, which has learned from its own results
//	playout  the best card on average over worlds that fit what was played, each played to its end by that network in all seats; in the
//	         last tricks they are searched
//	mixture  like playout, but the opponents may also be logical or simple players: how likely that is follows from what they play
//	open     the best card with all cards visible: an upper bound, and no fair player
package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Player plays one seat in one hand.
type Player interface {
	// Choose returns the card that the seat of the view plays. It is that seat's turn. The view must not be changed or kept.
	Choose(ctx context.Context, v worlds.View) (Choice, error)
}

// Choice is a card with the reasons for it.
type Choice struct {
	Card piquet.Card
	// Thoughts says why.
	Thoughts []Thought
}

// sighted is a player that sees all cards.
type sighted interface {
	Player
	// see shows it the position in which it is to choose.
	see(p klaverjas.Position)
}

// announcer is a player that can say what a card tells everybody.
type announcer interface {
	Player
	// announcements returns what everybody may conclude from the last card of the view, in sentences.
	announcements(v worlds.View) []string
}

// Place is where a player sits, and what it may use. Players of one place in one hand use it one after the other.
type Place struct {
	Seat  piquet.Seat
	Rand  *rand.Rand // the player's own: no other player draws from it
	Tools *Tools
}

// Tools are what players use that takes memory. They are made on first use. Tools must not be used by two goroutines at a time.
type Tools struct {
	// TableBytes limits the memory of the searcher's table. 0 means 8 MiB: the positions of a hand under way are few.
	TableBytes int
	// Believe returns what the play suggests about the hidden cards. It is nil if there is no model, and then there are no belief players.
	Believe func(*worlds.Knowledge) (*worlds.Weighted, error)
	// Policies makes the policies of the players policy and playout. If it is nil, there are no such players.
	Policies func() (playout.Models, error)
	policies playout.Models
	solver   *search.Solver
	nodes    uint64
}

// Nodes returns how many nodes the searches have taken.
func (t *Tools) Nodes() uint64 { return t.nodes }

// solve searches a position. The result is valid until the next search.
func (t *Tools) solve(ctx context.Context, p klaverjas.Position, goal search.Goal) (search.Result, error) {
	r, err := t.searcher().Solve(ctx, search.Query{Position: p, Goal: goal})
	t.nodes += r.Nodes
	return r, err
}

func (t *Tools) searcher() *search.Solver {
	if t.solver == nil {
		bytes := t.TableBytes
		if bytes == 0 {
			bytes = 8 << 20
		}
		t.solver = search.New(search.Options{TableBytes: bytes})
	}
	return t.solver
}

// below draws a number 0 to n-1.
func below(rng *rand.Rand, n int) int { return int(random.Below(rng, uint64(n))) }
