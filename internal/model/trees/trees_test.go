package trees_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/model/nn/weightfile"
	"roem/internal/model/trees"
)

const inputs = "test inputs"

// tree is a tree that is walked by pointers: the reference of the test.
type tree struct {
	column int
	split  uint8
	sides  [2]*tree
	leaf   []float32
}

func random(rng *rand.Rand, columns, outputs, depth int) *tree {
	if depth == 0 || rng.IntN(5) == 0 {
		t := &tree{leaf: make([]float32, outputs)}
		for i := range t.leaf {
			t.leaf[i] = float32(rng.IntN(16)) / 15
		}
		return t
	}
	return &tree{column: rng.IntN(columns), split: uint8(rng.IntN(255)), sides: [2]*tree{
		random(rng, columns, outputs, depth-1), random(rng, columns, outputs, depth-1),
	}}
}

func (t *tree) build(b *trees.Builder) {
	if t.leaf != nil {
		b.Leaf(t.leaf)
		return
	}
	b.Split(t.column, t.split)
	t.sides[0].build(b)
	t.sides[1].build(b)
}

func (t *tree) predict(codes []uint8) []float32 {
	for t.leaf == nil {
		side := 0
		if codes[t.column] > t.split {
			side = 1
		}
		t = t.sides[side]
	}
	return t.leaf
}

func forest(tb testing.TB, s trees.Shape, seed uint64, n int) (*trees.Forest, []*tree) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	b, all := trees.NewBuilder(s), make([]*tree, n)
	for i := range all {
		all[i] = random(rng, s.Columns, s.Outputs, 8)
		all[i].build(b)
	}
	f, err := b.Forest()
	if err != nil {
		tb.Fatal(err)
	}
	return f, all
}

// Predictions are the mean over the trees, before and after the file, for one output and many, with leaves of one byte and of two.
func TestPredict(t *testing.T) {
	for _, shape := range []trees.Shape{
		{Inputs: inputs, Columns: 3, Outputs: 1, Levels: 15, Training: json.RawMessage(`{"rows":7}`)},
		{Inputs: inputs, Columns: 300, Outputs: 5, Levels: 65535},
		{Inputs: inputs, Columns: 40, Outputs: 52, Levels: 255},
	} {
		f, all := forest(t, shape, 7, 9)
		file, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		read, err := trees.Decode(file, inputs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f.Shape(), read.Shape()); diff != "" || read.Nodes() != f.Nodes() || read.Depth() != f.Depth() || read.Trees() != 9 {
			t.Errorf("%v after the file is %v %s", f, read, diff)
		}
		rng := rand.New(rand.NewPCG(8, 0))
		const rows = 200
		rowCodes, together := make([]uint8, rows*shape.Columns), make([]float64, rows*shape.Outputs)
		for i := range rowCodes {
			rowCodes[i] = uint8(rng.IntN(256))
		}
		read.Predict(rowCodes, together)
		for row := range rows {
			codes := rowCodes[row*shape.Columns:][:shape.Columns]
			got, after := make([]float64, shape.Outputs), together[row*shape.Outputs:][:shape.Outputs]
			f.Predict(codes, got)
			if !slices.Equal(got, after) {
				t.Fatalf("%v after the file and with other rows, %v before", after, got)
			}
			for i := range got {
				want := 0.0
				for _, tree := range all {
					want += float64(tree.predict(codes)[i]) / 9
				}
				if math.Abs(got[i]-want) > 1e-6 {
					t.Fatalf("output %d is %v, want %v", i, got[i], want)
				}
			}
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	f, _ := forest(t, trees.Shape{Inputs: inputs, Columns: 5, Outputs: 2, Levels: 255}, 1, 4)
	codes, out := make([]uint8, 5), make([]float64, 2)
	if n := testing.AllocsPerRun(100, func() { f.Predict(codes, out) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What a builder is told wrongly is an error of its forest.
func TestBuilder(t *testing.T) {
	good := trees.Shape{Inputs: inputs, Columns: 2, Outputs: 2, Levels: 100}
	leaf := []float32{0, 1}
	for name, tt := range map[string]struct {
		shape trees.Shape
		do    func(b *trees.Builder)
		want  string
	}{
		"no tree":          {good, func(*trees.Builder) {}, "no tree"},
		"no columns":       {trees.Shape{Outputs: 1, Levels: 1}, func(*trees.Builder) {}, "columns is 0"},
		"many outputs":     {trees.Shape{Columns: 1, Outputs: 1025, Levels: 1}, func(*trees.Builder) {}, "outputs is 1025"},
		"many levels":      {trees.Shape{Columns: 1, Outputs: 1, Levels: 65536}, func(*trees.Builder) {}, "levels is 65536"},
		"column too large": {good, func(b *trees.Builder) { b.Split(2, 0); b.Leaf(leaf); b.Leaf(leaf) }, "column 2 of 2"},
		"negative column":  {good, func(b *trees.Builder) { b.Split(-1, 0); b.Leaf(leaf); b.Leaf(leaf) }, "column -1"},
		"no end":           {good, func(b *trees.Builder) { b.Leaf(leaf); b.Split(1, 0); b.Leaf(leaf) }, "tree 1 has no end"},
		"few outputs":      {good, func(b *trees.Builder) { b.Leaf(leaf[:1]) }, "1 probabilities"},
		"above 1":          {good, func(b *trees.Builder) { b.Leaf([]float32{0, 1.01}) }, "1.01"},
		"not a number":     {good, func(b *trees.Builder) { b.Leaf([]float32{0, float32(math.NaN())}) }, "NaN"},
		"too many trees":   {good, func(b *trees.Builder) { leaves(b, leaf, trees.MaxTrees+1) }, "more than 10000 trees"},
		"too deep":         {good, func(b *trees.Builder) { chain(b, leaf, trees.MaxDepth+1) }, "1025 splits"},
	} {
		t.Run(name, func(t *testing.T) {
			b := trees.NewBuilder(tt.shape)
			tt.do(b)
			if _, err := b.Forest(); !isError(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	b := trees.NewBuilder(good)
	chain(b, leaf, trees.MaxDepth)
	if f, err := b.Forest(); err != nil || f.Depth() != trees.MaxDepth {
		t.Errorf("the deepest tree: %v, %v", f, err)
	}
}

func leaves(b *trees.Builder, leaf []float32, n int) {
	for range n {
		b.Leaf(leaf)
	}
}

// chain builds a tree whose lower sides are splits.
func chain(b *trees.Builder, leaf []float32, depth int) {
	for range depth {
		b.Split(0, 1)
	}
	leaves(b, leaf, depth+1)
}

// file returns a file with a header and any content.
func file(head string, content ...byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	return weightfile.Seal("roemtre1", append(append(out, head...), content...))
}

func TestDecodeRefuses(t *testing.T) {
	const head = `{"inputs":"test inputs","columns":2,"outputs":1,"levels":9,"leaves":2,"nodes":3,"trees":1}`
	if _, err := trees.Decode(file(head, 0, 9, 1, 4, 0, 0, 0, 1), inputs); err != nil {
		t.Fatal("a good file:", err)
	}
	with := func(from, to string) string { return strings.Replace(head, from, to, 1) }
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"other inputs":      {file(with("test inputs", "others"), 0, 9, 1, 4, 0, 0, 0, 1), `"others"`},
		"no column":         {file(with(`"columns":2`, `"columns":0`), 0, 9, 1, 4, 0, 0, 0, 1), "columns is 0"},
		"huge leaves":       {file(with(`"leaves":2`, `"leaves":9000000000000000000`), 0, 9, 1, 4, 0, 0, 0, 1), "leaves in 8 bytes"},
		"negative leaves":   {file(with(`"leaves":2`, `"leaves":-1`), 0, 9, 1, 4, 0, 0, 0, 1), "-1 leaves"},
		"huge nodes":        {file(with(`"nodes":3`, `"nodes":4`), 0, 9, 1, 4, 0, 0, 0, 1), "4 nodes in 6 bytes"},
		"unknown field":     {file(with(`"trees"`, `"bushes"`), 0, 9, 1, 4, 0, 0, 0, 1), "bushes"},
		"other trees":       {file(with(`"trees":1`, `"trees":2`), 0, 9, 1, 4, 0, 0, 0, 1), "it has 1 trees"},
		"level too large":   {file(head, 0, 10, 1, 4, 0, 0, 0, 1), "level 10 of 9"},
		"leaf too large":    {file(head, 0, 9, 1, 4, 0, 0, 0, 2), "no leaf of the 2"},
		"column too large":  {file(head, 0, 9, 3, 4, 0, 0, 0, 1), "column 2 of 2"},
		"no such column":    {file(head, 0, 9, 255, 255, 255, 255, 255, 255), "cut short or has no column"},
		"endless number":    {file(head, 0, 9, 1, 4, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255), "no leaf"},
		"no end":            {file(head, 0, 9, 1, 4, 1, 4, 0, 0), "no end"},
		"bytes that follow": {file(head, 0, 9, 1, 4, 0, 0, 0, 1, 7), "1 bytes follow"},
		"cut":               {file(head, 0, 9, 1, 4, 0, 0, 0), "3 nodes in 5 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := trees.Decode(tt.file, inputs); !isError(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// Any content of a file with a good checksum is refused, or gives a forest that predicts numbers from 0 to 1.
func FuzzDecode(f *testing.F) {
	forest, _ := forest(f, trees.Shape{Inputs: inputs, Columns: 3, Outputs: 2, Levels: 300}, 1, 2)
	whole, err := forest.Encode()
	if err != nil {
		f.Fatal(err)
	}
	content, err := weightfile.Open("roemtre1", whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := trees.Decode(weightfile.Seal("roemtre1", content), inputs)
		if err != nil {
			if !isError(err) {
				t.Error(err)
			}
			return
		}
		out := make([]float64, got.Shape().Outputs)
		got.Predict(make([]uint8, got.Shape().Columns), out)
		for _, p := range out {
			if !(p >= 0 && p <= 1) {
				t.Errorf("a probability of %v", p)
			}
		}
	})
}

func isError(err error) bool {
	_, ok := errors.AsType[*weightfile.Error](err)
	return ok
}
