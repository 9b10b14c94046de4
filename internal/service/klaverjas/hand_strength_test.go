package klaverjas

import (
	"bytes"
	"context"
	"testing"

	"roem/internal/service"
)

// retrained is the predictor of the program with the checksums of other weights.
type retrained struct{ models }

func (retrained) Checksums() string { return "others" }

// The key of an estimate that uses the deal network depends on its weights.
func TestHandStrengthKeyHasTheWeights(t *testing.T) {
	predictor, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"network", "exact"} {
		t.Run(method, func(t *testing.T) {
			key := func(p Predictor) []byte {
				g := newGame(t, service.Options{}, Options{Predictor: p})
				q, err := ParseHandStrength()(context.Background(), g, []byte(`{`+someHand+`, "method": "`+method+`", "seed": "1"}`))
				if err != nil {
					t.Fatal(err)
				}
				return q.Key()
			}
			now, again, other := key(predictor), key(predictor), key(retrained{predictor.(models)})
			if !bytes.Equal(now, again) || bytes.Equal(now, other) {
				t.Errorf("%x, again %x, with other weights %x", now, again, other)
			}
		})
	}
}
