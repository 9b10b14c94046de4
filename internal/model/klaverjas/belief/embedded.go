//go:build !js

package belief

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"
)

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
