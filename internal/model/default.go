package model

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"
)

//go:embed weights/*.roemnet
var weights embed.FS

// Default returns the embedded model. It is read once. An error means that the program was built with unusable weights.
var Default = sync.OnceValues(func() (*Model, error) {
	names, err := fs.Glob(weights, "weights/*.roemnet")
	if err != nil {
		return nil, err
	}
	var files [][]byte
	for _, name := range names {
		file, err := weights.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	m, err := Load(files...)
	if err != nil {
		return nil, fmt.Errorf("the embedded weights: %w", err)
	}
	return m, nil
})
