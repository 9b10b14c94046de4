//go:build !js

package hand

import (
	_ "embed" // for the weights
	"fmt"
	"sync"
)

//go:embed weights/hand.roemhand
var embedded []byte

// Embedded returns the embedded model. It is read once. An error means that the program was built with unusable weights.
var Embedded = sync.OnceValues(func() (*Model, error) {
	m, err := Load(embedded)
	if err != nil {
		return nil, fmt.Errorf("the embedded weights: %w", err)
	}
	return m, nil
})
