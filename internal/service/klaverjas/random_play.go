package klaverjas

import (
	"slices"

	"roem/internal/api"
	"roem/internal/random"
)

// RandomPlay plays n random cards from a position, fewer if the hand ends, and returns all cards played. Each legal card is equally likely.
// The same seed gives the same cards, from another generator than the deals.
func (g *Game) RandomPlay(p Position, n int, seed uint64) (api.Cards, error) {
	rng := random.New(seed, 0, 0, 1<<56)
	played := slices.Clone(p.played)
	now := p.now
	for ; n > 0 && !now.Finished(); n-- {
		legal := now.Legal().Slice()
		i := random.Below(rng, uint64(len(legal)))
		var err error
		if now, err = now.Play(legal[i]); err != nil {
			return nil, err
		}
		played = append(played, legal[i])
	}
	return outCards(played), nil
}
