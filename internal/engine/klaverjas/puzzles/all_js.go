package puzzles

// In a page the puzzles are a file beside the program.

// Fetch returns the file of the puzzles. The program sets it.
var Fetch func() (string, error)

var all *Set

// All returns the puzzles, which are read once, and must not be changed. The error is the error of the file.
func All() (*Set, error) {
	if all != nil {
		return all, nil
	}
	text, err := Fetch()
	if err != nil {
		return nil, err
	}
	all, err = Read(text)
	return all, err
}
