package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
)

// MinBidWorlds is the least number of worlds that Call searches: two groups of two.
const MinBidWorlds = 4

// Turn is what a player of a game outside of contests decides with.
type Turn struct {
	Rand  *rand.Rand
	Tools *Tools
	Pause func() error // may be nil; is called at intervals of about 100 µs; its error ends the decision
}

// Choose returns the card of a player that sees the view. The player Exact, which is no fair one, takes the cards face down as they are in
// some world.
func (k Kind) Choose(ctx context.Context, v *worlds.View, flip worlds.Flip, t Turn) (piquet.Card, error) {
	return k.choose(ctx, &seat{view: v, now: v.Now(), rng: t.Rand, tools: t.Tools, flip: flip, worlds: k.worlds, pause: t.Pause})
}

// Call returns the trump that a player chooses while the cards are dealt, or belote.NoTrump if it passes. It is the best call over as many
// worlds as the player searches for a card, and at least MinBidWorlds.
func (k Kind) Call(ctx context.Context, d *bidding.Dealing, t Turn) (belote.Trump, error) {
	found, _, err := d.Search(ctx, t.Tools, max(k.worlds, MinBidWorlds), t.Rand.Uint64(), t.Pause, nil)
	if err != nil {
		return belote.NoTrump, err
	}
	if v := d.Values(found); v.Chooses {
		return v.Choices[0].Trump, nil
	}
	return belote.NoTrump, nil
}
