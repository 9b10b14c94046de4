package klaverjas

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"

	"roem/internal/api"
)

// RandomPlay plays n random cards from a position, fewer if the hand ends, and returns all cards played. Each legal card is equally likely.
// The same seed gives the same cards, from a generator that differs from that of the deals.
func (g *Game) RandomPlay(p Position, n int, seed uint64) (api.Cards, error) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	key[len(key)-1] = 1
	rng := rand.NewChaCha8(key)
	played := slices.Clone(p.played)
	now := p.now
	for ; n > 0 && !now.Finished(); n-- {
		legal := now.Legal().Slice()
		i, _ := bits.Mul64(rng.Uint64(), uint64(len(legal)))
		var err error
		if now, err = now.Play(legal[i]); err != nil {
			return nil, err
		}
		played = append(played, legal[i])
	}
	return outCards(played), nil
}
