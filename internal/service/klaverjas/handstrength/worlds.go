package handstrength

import (
	"math/rand/v2"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// The streams of random numbers of a question. Each has its own, so that none depends on how many numbers another took. The streams of
// worlds are the same for all trumps of a hand: the estimates for two trumps differ by less than their errors.
const (
	pilotStream = iota
	worldStream
	choiceStream // plus the trump
)

// stream returns the generator of a stream of a seed.
func stream(seed uint64, number uint64) *rand.Rand {
	return random.New(seed, number+1) // so that no stream is the stream of a random deal
}

// unseen is the number of cards that the seat does not see, and places the seats that may hold them.
const (
	unseen = 24
	places = 3
)

// layouts are sampled worlds and, of each, where each unseen card is.
type layouts struct {
	worlds []worlds.World
	places [][unseen]uint8 // 0 for the next seat, 1 for the partner, 2 for the seat before
}

// sample draws worlds.
func sample(k *worlds.Knowledge, rng *rand.Rand, n int) layouts {
	l := layouts{make([]worlds.World, n), make([][unseen]uint8, n)}
	seat := k.View().Seat
	for i := range l.worlds {
		w := k.Sample(rng)
		l.worlds[i] = w
		at := 0
		for rest := piquet.Deck &^ w[seat]; rest != 0; rest &= rest - 1 {
			c := rest.First()
			switch {
			case w[seat.Plus(1)].Has(c):
				l.places[i][at] = 0
			case w[seat.Plus(2)].Has(c):
				l.places[i][at] = 1
			default:
				l.places[i][at] = 2
			}
			at++
		}
	}
	return l
}
