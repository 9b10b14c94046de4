package belief

import (
	"sync"

	"roem/internal/engine/klaverjas/worlds"
)

// Name is the name of the model that comes with the program.
const Name = "klaverjas-belief"

// Version is the version of its weights.
const Version = "2"

// Believer returns a function that returns the belief of a knowledge. It is safe for concurrent use.
func (n *Network) Believer() func(*worlds.Knowledge) (*worlds.Weighted, error) {
	spaces := sync.Pool{New: func() any { return new(Space) }}
	return func(k *worlds.Knowledge) (*worlds.Weighted, error) {
		sp, ok := spaces.Get().(*Space)
		if !ok {
			sp = new(Space)
		}
		defer spaces.Put(sp)
		return n.Of(k, sp)
	}
}
