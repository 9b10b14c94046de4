package tarok

import (
	"testing"

	"roem/internal/engine/tarok/advice"
)

// Each kind of player has a figure, so that its matches are not taken for cheap ones.
func TestDecisionTimes(t *testing.T) {
	for _, kind := range advice.Kinds() {
		if decisionTimes[kind.Name()] == 0 {
			t.Errorf("the time of %s is not known", kind.Name())
		}
	}
}
