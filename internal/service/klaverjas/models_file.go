//go:build !js

package klaverjas

import (
	"fmt"
	"io"
	"os"

	"roem/internal/model/klaverjas/forest"
)

// maxModel is the most bytes of a file of a model.
const maxModel = 64 << 20

// OpenForest reads the file of a forest or a tree. An empty path gives none.
func OpenForest(path string, kind forest.Kind) ([]*forest.Model, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readModel(path)
	if err != nil {
		return nil, err
	}
	m, err := forest.Load(text, kind)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return []*forest.Model{m}, nil
}

func readModel(path string) ([]byte, error) {
	file, err := os.Open(path) //nolint:gosec // the path comes from the configuration or the command line
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(io.LimitReader(file, maxModel+1))
	if err == nil && len(text) > maxModel {
		err = fmt.Errorf("%s has more than %d bytes", path, maxModel)
	}
	return text, err
}
