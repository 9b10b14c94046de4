package deal

import (
	"embed"
	"fmt"
	"sync"
)

//go:embed weights/*.roemnet
var weights embed.FS

// files returns the names of the embedded weights. The weights for the paper's rules come first: they have [Model.Version].
func files() []string {
	return []string{"leader", "opponents", "amsterdam-leader", "amsterdam-opponents"}
}

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
