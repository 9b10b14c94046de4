//go:build !js

package deal

import (
	"embed"
	"fmt"
	"sync"
)

//go:embed weights/*.roemnet
var weights embed.FS

// Default returns the embedded model. It is read once. An error means that the program was built with unusable weights.
var Default = sync.OnceValues(func() (*Model, error) {
	var all [][]byte
	for _, name := range files() {
		file, err := weights.ReadFile("weights/" + name + ".roemnet")
		if err != nil {
			return nil, err
		}
		all = append(all, file)
	}
	m, err := Load(all...)
	if err != nil {
		return nil, fmt.Errorf("the embedded weights: %w", err)
	}
	return m, nil
})
