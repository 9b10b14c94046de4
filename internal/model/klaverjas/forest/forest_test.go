package forest_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/trees"
)

func about() forest.About {
	return forest.About{
		Kind: forest.Forest, Name: "two stumps", Version: "1", Rules: klaverjas.RulesJSON(klaverjas.DefaultRules(klaverjas.Rotterdam)),
		LeaderDeclares: true, Calibration: forest.Calibration{Scale: 2, Shift: 0.5},
	}
}

// file is the file of two trees: the leader's trumps, and who has the ace of the first plain suit of the canonical form.
func file(t *testing.T, a forest.About, columns int) []byte {
	t.Helper()
	training, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	b := trees.NewBuilder(trees.Shape{Inputs: forest.Inputs, Columns: columns, Outputs: 1, Levels: 1, Training: training})
	for _, split := range []struct {
		column int
		at     uint8
	}{{features.SuitCount, 2}, {features.Owner + 15, 0}} {
		b.Split(split.column, split.at)
		b.Leaf([]float32{0})
		b.Leaf([]float32{1})
	}
	f, err := b.Forest()
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A prediction is the calibrated share of the trees, the same for all twins of a deal, alone and in a list.
func TestPredict(t *testing.T) {
	m, err := forest.Load(file(t, about(), features.Columns), forest.Forest)
	if err != nil {
		t.Fatal(err)
	}
	rng, seen := index.NewRand(5), map[float64]bool{}
	var deals []klaverjas.Deal
	var want []float64
	for range 1500 {
		d := klaverjas.Deal{Hands: index.Random(rng, piquet.Clubs, piquet.North)}
		number, there := index.Canonical(d)
		hands, err := index.Unrank(number, piquet.Hearts, piquet.West)
		if err != nil {
			t.Fatal(err)
		}
		twin := klaverjas.Deal{Trump: piquet.Hearts, Leader: piquet.West, Declarer: piquet.EastWest, Hands: hands}
		share := 0.0
		if c := there.Deal(d).Hands; (c[0] & 0xff).Len() > 2 {
			share += 0.5
		}
		if c := there.Deal(d).Hands; !c[0].Has(piquet.Card(15)) {
			share += 0.5
		}
		p := 1 / (1 + math.Exp(-2*math.Log((2*share+0.5)/(2*(1-share)+0.5))-0.5))
		if one, other := m.Predict(d), m.Predict(twin); math.Abs(one-p) > 1e-12 || one != other {
			t.Fatalf("%v and its twin %v, want %v", one, other, p)
		}
		seen[p] = true
		deals, want = append(deals, d), append(want, m.Predict(d))
	}
	if len(seen) != 3 {
		t.Errorf("%d different predictions", len(seen))
	}
	for i, p := range m.PredictAll(deals) {
		if p != want[i] {
			t.Errorf("deal %d: %v in a list, %v alone", i, p, want[i])
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	change := func(do func(*forest.About)) forest.About {
		a := about()
		do(&a)
		return a
	}
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"another kind":   {file(t, change(func(a *forest.About) { a.Kind = forest.Tree }), features.Columns), "it is a tree, expected a forest"},
		"no kind":        {file(t, change(func(a *forest.About) { a.Kind = "bush" }), features.Columns), `its kind is "bush"`},
		"no name":        {file(t, change(func(a *forest.About) { a.Name = "" }), features.Columns), "no name"},
		"no rules":       {file(t, change(func(a *forest.About) { a.Rules.Pit.Declarers = -1 }), features.Columns), "/rules/pit/declarers"},
		"no scale":       {file(t, change(func(a *forest.About) { a.Calibration.Scale = -1 }), features.Columns), "its calibration"},
		"other features": {file(t, about(), features.Columns+1), "144 columns"},
		"no file":        {[]byte("{}"), "2 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := forest.Load(tt.file, forest.Forest); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
