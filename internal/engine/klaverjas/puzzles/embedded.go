package puzzles

import (
	"fmt"
	"strings"
	"time"
)

// Set is a list of puzzles.
type Set struct {
	Puzzles []*Puzzle
	byID    map[string]*Puzzle
}

// Read reads a file of puzzles. Its error names the line.
func Read(text string) (*Set, error) {
	s := &Set{byID: map[string]*Puzzle{}}
	for line := range strings.Lines(text) {
		p, err := Parse(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(s.Puzzles)+1, err)
		}
		if s.byID[p.ID] != nil {
			return nil, fmt.Errorf("line %d: an earlier puzzle also has the id %s", len(s.Puzzles)+1, p.ID)
		}
		s.Puzzles, s.byID[p.ID] = append(s.Puzzles, p), p
	}
	return s, nil
}

// Find returns the puzzle with an id.
func (s *Set) Find(id string) (*Puzzle, bool) {
	p, ok := s.byID[id]
	return p, ok
}

// Daily returns the puzzle of a day. Any two days have different puzzles if fewer days lie between them than there are puzzles.
func (s *Set) Daily(day time.Time) *Puzzle {
	const dayLength = 24 * 60 * 60
	n := int64(len(s.Puzzles))
	number := day.UTC().Unix() / dayLength
	return s.Puzzles[((number*stride(n))%n+n)%n]
}

// stride returns a number that has no common factor with n and is near its golden section, so that neighbouring days have puzzles from far
// apart.
func stride(n int64) int64 {
	common := func(a, b int64) int64 {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	for s := max(n*618/1000, 1); ; s++ {
		if common(s, n) == 1 {
			return s
		}
	}
}
