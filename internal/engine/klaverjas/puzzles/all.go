//go:build !js

package puzzles

import (
	_ "embed" // for the file
	"sync"
)

//go:embed puzzles.txt
var file string

// All returns the puzzles that are part of the program. They are read once, and must not be changed. An error means that the program was
// built with an unusable file.
var All = sync.OnceValues(func() (*Set, error) { return Read(file) })
