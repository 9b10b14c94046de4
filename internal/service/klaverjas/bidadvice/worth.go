package bidadvice

import (
	_ "embed" // for the worths

	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/once"
)

// Worth says what a hand is worth with a trump for the own team: a sum over its suits. It stands for the table model of hands where a few
// nanoseconds are wanted: an auction is simulated for hundreds of deals.
type Worth struct {
	// Trump and Plain are by which of the eight cards of a suit the hand holds: bit f is the card of face f. Tenths of points.
	Trump [256]int `json:"trump"`
	Plain [256]int `json:"plain"`
}

// Of returns the worth of a hand, in points.
func (w *Worth) Of(cards piquet.Set, trump piquet.Suit) float64 {
	s := hand.SuitsOf(cards, trump)
	return float64(w.Trump[s[0]]+w.Plain[s[1]]+w.Plain[s[2]]+w.Plain[s[3]]) / 10
}

// Fill sets each unknown entry to the entry of the suit without its lowest card.
func (w *Worth) Fill(trump, plain *[256]bool) {
	for i := range 256 {
		if i > 0 && !trump[i] {
			w.Trump[i] = w.Trump[i&(i-1)]
		}
		if i > 0 && !plain[i] {
			w.Plain[i] = w.Plain[i&(i-1)]
		}
	}
}

// Worths are by where the leader sits, counted from the seat of the hand.
type Worths [4]Worth

//go:embed worths.json
var worthsFile []byte

func readWorths() map[string]*Worths { return worthsRead.Read("worths.json", worthsFile) }

var worthsRead once.JSON[map[string]*Worths]
