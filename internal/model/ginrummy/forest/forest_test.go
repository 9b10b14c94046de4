package forest

import (
	"errors"
	"math"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/model/nn/weightfile"
	"roem/internal/model/trees"
)

// small is a forest that splits on whether the opponent took the ace of clubs, and on whether the player holds it.
func small(t *testing.T, columns, outputs int) []byte {
	t.Helper()
	b := trees.NewBuilder(trees.Shape{Inputs: Inputs, Columns: columns, Outputs: outputs, Levels: 255})
	leaf := func(p float32) {
		out := make([]float32, outputs)
		for i := range out {
			out[i] = p
		}
		out[1] = 1
		b.Leaf(out)
	}
	b.Split(ginrummy.DeckSize, 0)
	leaf(0.2)
	leaf(0.6)
	b.Split(2*ginrummy.DeckSize, 0)
	leaf(0.2)
	leaf(0)
	f, err := b.Forest()
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestForest(t *testing.T) {
	f, err := Decode(small(t, Columns, ginrummy.DeckSize))
	if err != nil {
		t.Fatal(err)
	}
	s := ginrummy.Situation{
		Starter: ginrummy.B, Upcard: 0, Own: ginrummy.Set(0x3ff) << 20,
		Events: []ginrummy.Event{
			{Seat: ginrummy.B, Kind: ginrummy.Take, Card: 0},
			{Seat: ginrummy.B, Kind: ginrummy.Discard, Card: 40},
		},
	}
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	raw := f.Raw(&v)
	if math.Abs(raw[5]-0.4) > 0.003 || math.Abs(raw[1]-1) > 1e-12 || len(f.SHA256()) != 64 {
		t.Errorf("raw: %v", raw)
	}
	for name, p := range map[string]ginrummy.Probabilities{"estimate": f.Estimate(&v), "symmetric": f.Symmetric(&v)} {
		sum := 0.0
		for c, x := range p {
			sum += x
			card, seen := ginrummy.Card(c), v.Seen()
			if known := !seen.Unknown().Has(card); known && x != 0 && x != 1 || x < 0 || x > 1 || card == 0 && x != 1 || card == 40 && x != 0 {
				t.Errorf("%s: %s has %v", name, card, x)
			}
		}
		if math.Abs(sum-10) > 1e-9 {
			t.Errorf("%s: the sum is %v", name, sum)
		}
	}
	facts, order := FactsOf(&v), Order{1, 2, 0, 3}
	mean := Mean24(facts, f.raw)
	other := Mean24(Facts{Exchange(facts.Discards, order), Exchange(facts.Kept, order), Exchange(facts.Own, order)}, f.raw)
	for c := range ginrummy.Deck.All() {
		if to := ginrummy.Of(order[c.Suit()], c.Rank()); math.Abs(mean[c]-other[to]) > 1e-12 {
			t.Errorf("%s has %v, and as %s %v", c, mean[c], to, other[to])
		}
	}
	if mean == raw {
		t.Error("the mean of the orders is the estimate in one order")
	}
	for _, bad := range [][]byte{small(t, Columns+1, ginrummy.DeckSize), small(t, Columns, 51), []byte("no forest")} {
		if _, err := Decode(bad); err == nil {
			t.Error("a forest of another shape is read")
		} else if _, ok := errors.AsType[*weightfile.Error](err); !ok {
			t.Errorf("%T: %v", err, err)
		}
	}
}

// An order exchanges cards, and every order is there once.
func TestOrders(t *testing.T) {
	seen := map[Order]bool{}
	for _, o := range orders() {
		seen[o] = true
		if got := Exchange(ginrummy.Deck, o); got != ginrummy.Deck {
			t.Errorf("%v: %s", o, got)
		}
	}
	if len(seen) != 24 {
		t.Errorf("%d orders", len(seen))
	}
}

// What is certain is not raised above 1: the rest goes to the others.
func TestScaled(t *testing.T) {
	s := ginrummy.Situation{Starter: ginrummy.A, Upcard: 51, Own: ginrummy.Set(0x3ff) << 20}
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	var p ginrummy.Probabilities
	p[0] = 1
	q := Scaled(&v, &p)
	sum := 0.0
	for _, x := range q {
		sum += x
	}
	if q[0] != 1 || math.Abs(sum-10) > 1e-9 || q[51] != 0 || q[20] != 0 || math.Abs(q[1]-9.0/40) > 1e-9 {
		t.Errorf("%v, sum %v", q, sum)
	}
}
