package belief

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"

	"roem/internal/engine/klaverjas/worlds"
)

// Name is the name of the embedded model.
const Name = "klaverjas-belief"

// Version is the version of its weights.
const Version = "2"

//go:embed weights/klaverjas.belief
var weights []byte

// Default returns the embedded network. It is read once. An error means that the program was built with unusable weights.
var Default = sync.OnceValues(func() (*Network, error) {
	n, err := Decode(weights)
	if err != nil {
		return nil, fmt.Errorf("the embedded belief: %w", err)
	}
	return n, nil
})

// SHA256 returns the checksum of the embedded weights, in hexadecimal.
func SHA256() string {
	sum := sha256.Sum256(weights)
	return hex.EncodeToString(sum[:])
}

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
