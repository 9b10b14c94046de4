package network

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"roem/internal/model/nn/i16"
)

// Fixed is a network in fixed-point numbers, which computes predictions. floatnet.Quantise makes it from a trained network. Its
// outputs are the same to the last bit on every machine. It is read-only.
//
// Codes and the outputs of dense layers are 16-bit integers. An integer represents itself divided by a power of two ([Scales]).
// The same holds for the matrices, the tables and the initial values of codes. Sums of products have 32 bits. Biases, the
// initial values of sums, have as many binary places as the sums. No sum can overflow for any deal: [NewFixed] checks it.
type Fixed struct {
	shape   Shape
	scales  Scales
	choose  [2][]*Chooser
	params  Integers
	places  *Layout // the offsets of the parameters
	tables  []int16 // the shifted tables
	firsts  []int16 // the initial values of codes, one after the other
	starts  []int32 // the biases, with the term that makes shifts round to the nearest
	layers  []mixer // by layer
	head    [3]*i16.Matrix
	outputs float64 // the value of one unit of an output
}

// Integers are the parameters of a [Fixed] network, in the order of [Layout].
type Integers struct {
	// Tables are most of the parameters, and the least sensitive. Eight bits are enough, with a left shift for each column of a table.
	Tables []int8
	Shifts []uint8 // by table and column
	Narrow []int16 // the initial values of codes, and the matrices
	Wide   []int32 // the biases
}

// NewIntegers returns the parameters for a valid shape, all 0.
func NewIntegers(s Shape) Integers {
	x, _ := IntegersOf(s)
	return x
}

// IntegersOf returns the parameters for a valid shape, all 0, and their layout.
func IntegersOf(s Shape) (Integers, *Layout) {
	var tables, narrow, wide int
	l := layoutOf(s, &tables, &narrow, &wide)
	columns := 0
	for _, all := range l.Tables {
		columns += len(all) * s.Width
	}
	return Integers{make([]int8, tables), make([]uint8, columns), make([]int16, narrow), make([]int32, wide)}, l
}

// MaxShift is the largest shift. It extends eight bits to sixteen.
const MaxShift = 8

// ShiftsOf returns the shifts of the columns of a table, in bits.
func (x *Integers) ShiftsOf(l *Layout, kind, group int) []uint8 {
	return x.Shifts[(kind*len(l.Tables[0])+group)*l.Shape.Width:][:l.Shape.Width]
}

// Shifted returns the shifted tables.
func (x *Integers) Shifted(l *Layout) []int16 {
	out := make([]int16, len(x.Tables))
	for kind, tables := range l.Tables {
		for g, m := range tables {
			for j, shift := range x.ShiftsOf(l, kind, g) {
				for at := m.At + j; at < m.At+m.In*m.Out; at += m.Out {
					out[at] = int16(x.Tables[at]) << shift
				}
			}
		}
	}
	return out
}

// mixer holds the matrices of a layer: those that read the trump code and the sum of the plain codes together, and C.
type mixer struct{ trump, shared, plain *i16.Matrix }

// Scales are the binary places of the integers of a [Fixed] network: with p places, i represents i / 2^p. The places of a matrix are the
// places of its sums minus the places of its input.
type Scales struct {
	Trump     []int  `json:"trump"`      // the trump code, before the first layer and after each
	Plain     []int  `json:"plain"`      // the plain codes and their sum
	TrumpSums []int  `json:"trump_sums"` // the sums of each layer for the trump code
	PlainSums []int  `json:"plain_sums"` // the sums of each layer for the plain codes
	Dense     [2]int `json:"dense"`      // the outputs of the first two dense layers
	DenseSums [3]int `json:"dense_sums"` // the sums of the dense layers; the last ones are the outputs of the network
}

// The largest integers. The sum of three plain codes must fit into 16 bits.
const (
	MaxCode  = math.MaxInt16
	MaxPlain = math.MaxInt16 / 3
)

// Limits of scales.
const (
	MaxPlaces = 15 // of codes
	MaxSums   = 30 // of sums
)

// validate returns an error if the scales are invalid for the shape.
func (s *Scales) validate(shape Shape) error {
	if len(s.Trump) != shape.Layers+1 || len(s.Plain) != shape.Layers+1 || len(s.TrumpSums) != shape.Layers ||
		len(s.PlainSums) != shape.Layers {
		return fmt.Errorf("scales: expected the scales of %d layers", shape.Layers)
	}
	if s.Trump[0] < 0 || s.Trump[0] > MaxPlaces || s.Plain[0] < 0 || s.Plain[0] > MaxPlaces {
		return fmt.Errorf("scales: the first codes have %d and %d places: expected 0 to %d", s.Trump[0], s.Plain[0], MaxPlaces)
	}
	step := func(name string, sums, to int) error {
		if to < 0 || to > MaxPlaces || sums < to || sums > MaxSums {
			return fmt.Errorf("scales: %s have %d places, of sums with %d: expected 0 to %d, and the sums no less and up to %d", name, to, sums,
				MaxPlaces, MaxSums)
		}
		return nil
	}
	var errs []error
	for i := range shape.Layers {
		errs = append(errs, step("trump codes", s.TrumpSums[i], s.Trump[i+1]), step("plain codes", s.PlainSums[i], s.Plain[i+1]))
	}
	for i, to := range s.Dense {
		errs = append(errs, step("dense layers", s.DenseSums[i], to))
	}
	return errors.Join(append(errs, step("outputs", s.DenseSums[2], 0))...)
}

// Product is a sum of products that a network computes: its inputs with their matrices, and its bias.
type Product struct {
	Name   string
	Inputs []Input
	Bias   Vector
	Sums   int // the places of the sums
	To     int // the places of the result; -1 for outputs, which are not shifted
}

// Input is one matrix of a product.
type Input struct {
	Matrix
	Places int // the places of the input
	max    int // the largest integer of the input
}

// Products returns the products of a network with the given layout.
func Products(l *Layout, s *Scales) []Product {
	var all []Product
	for i, y := range l.Layers {
		trump, plain, sum := Input{y.A, s.Trump[i], MaxCode}, Input{y.C, s.Plain[i], MaxPlain}, Input{y.B, s.Plain[i], 3 * MaxPlain}
		all = append(all, Product{fmt.Sprintf("layer %d, trump", i), []Input{trump, sum}, y.Trump, s.TrumpSums[i], s.Trump[i+1]})
		trump.Matrix, sum.Matrix = y.D, y.E
		all = append(all, Product{fmt.Sprintf("layer %d, plain suits", i), []Input{plain, trump, sum}, y.Plain, s.PlainSums[i], s.Plain[i+1]})
	}
	w, last := l.Shape.Width, l.Shape.Layers
	first := l.Head[0]
	return append(all,
		Product{"the first dense layer", []Input{
			{Matrix{first.At, w, first.Out}, s.Trump[last], MaxCode},
			{Matrix{first.At + w*first.Out, w, first.Out}, s.Plain[last], 3 * MaxPlain},
		}, l.Bias[0], s.DenseSums[0], s.Dense[0]},
		Product{"the second dense layer", []Input{{l.Head[1], s.Dense[0], MaxCode}}, l.Bias[1], s.DenseSums[1], s.Dense[1]},
		Product{"the outputs", []Input{{l.Head[2], s.Dense[1], MaxCode}}, l.Bias[2], s.DenseSums[2], -1})
}

// half returns the term that is added to sums so that shifting them rounds to the nearest.
func (p *Product) half() int32 {
	if p.To < 0 || p.To == p.Sums {
		return 0
	}
	return 1 << (p.Sums - p.To - 1)
}

// Overflows reports whether a sum of the product can overflow.
func (p *Product) Overflows(narrow []int16, wide []int32) bool {
	bounds := make([]int64, p.Bias.N)
	for j, x := range p.Bias.Of32(wide) {
		bounds[j] = abs(int64(x)) + int64(p.half())
	}
	for _, in := range p.Inputs {
		w := narrow[in.At:][:in.In*in.Out]
		for at := 0; at < len(w); at += in.Out {
			for j, x := range w[at:][:in.Out] {
				bounds[j] += abs(int64(x)) * int64(in.max)
			}
		}
	}
	return slices.Max(bounds) > math.MaxInt32
}

// Of32 returns the bias among integer parameters.
func (v Vector) Of32(wide []int32) []int32 { return wide[v.At:][:v.N] }

func abs(x int64) int64 { return max(x, -x) }

// CodesOverflow reports whether the code of a kind of suit can overflow.
func CodesOverflow(l *Layout, kind int, shifted, narrow []int16) bool {
	for j := range l.Shape.Width {
		bound := abs(int64(narrow[l.First[kind].At+j]))
		for _, m := range l.Tables[kind] {
			largest := int64(0)
			for at := m.At + j; at < m.At+m.In*m.Out; at += m.Out {
				largest = max(largest, abs(int64(shifted[at])))
			}
			bound += largest
		}
		if bound > math.MaxInt16 {
			return true
		}
	}
	return false
}

// NewFixed returns a network with the given parameters, which it retains. Parameters with which a sum could overflow are an error.
func NewFixed(shape Shape, scales Scales, params Integers) (*Fixed, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	if err := scales.validate(shape); err != nil {
		return nil, err
	}
	want, l := IntegersOf(shape)
	if len(params.Tables) != len(want.Tables) || len(params.Shifts) != len(want.Shifts) ||
		len(params.Narrow) != len(want.Narrow) || len(params.Wide) != len(want.Wide) {
		return nil, fmt.Errorf("%d, %d, %d and %d parameters: a network of this shape has %d, %d, %d and %d", len(params.Tables),
			len(params.Shifts),
			len(params.Narrow), len(params.Wide), len(want.Tables), len(want.Shifts), len(want.Narrow), len(want.Wide))
	}
	if largest := slices.Max(params.Shifts); largest > MaxShift {
		return nil, fmt.Errorf("a table is shifted by %d bits: expected 0 to %d", largest, MaxShift)
	}
	narrow, wide, shifted := params.Narrow, params.Wide, params.Shifted(l)
	for kind := range l.Tables {
		if CodesOverflow(l, kind, shifted, narrow) {
			return nil, errors.New("the codes of suits could overflow")
		}
	}
	f := &Fixed{
		shape: shape, scales: scales, choose: Choosers(), params: params, places: l, tables: shifted,
		starts: make([]int32, len(wide)), outputs: math.Ldexp(1, -scales.DenseSums[2]),
	}
	for _, v := range l.First {
		f.firsts = append(f.firsts, narrow[v.At:][:v.N]...)
	}
	for _, p := range Products(l, &scales) {
		if p.Overflows(narrow, wide) {
			return nil, fmt.Errorf("sums could overflow: %s", p.Name)
		}
		for j, x := range p.Bias.Of32(wide) {
			f.starts[p.Bias.At+j] = x + p.half()
		}
	}
	packed := func(all ...Matrix) *i16.Matrix {
		var rows []int16
		k := 0
		for _, m := range all {
			rows = append(rows, narrow[m.At:][:m.In*m.Out]...)
			k += m.In
		}
		return i16.NewMatrix(k, all[0].Out, rows)
	}
	for _, y := range l.Layers {
		f.layers = append(f.layers, mixer{trump: packed(y.A, y.B), shared: packed(y.D, y.E), plain: packed(y.C)})
	}
	for i, m := range l.Head {
		f.head[i] = packed(m)
	}
	return f, nil
}

// Shape returns the shape.
func (f *Fixed) Shape() Shape { return f.shape }

// Scales returns the scales.
func (f *Fixed) Scales() Scales { return f.scales }

// Params returns the parameters, as in [NewFixed]. They must not be changed.
func (f *Fixed) Params() Integers { return f.params }

// FixedSpace is the working memory of a [Fixed] network. Only one goroutine at a time may use it.
type FixedSpace struct {
	rows   []i16.Rows
	x      [2][]int16 // the trump code followed by the sum of the plain codes, before a layer and after it: rows x 2 width
	plain  [2][]int16 // the plain codes of each deal: 3 rows x width
	dense  [2][]int16
	shared []int32 // the terms that are the same for all plain suits of a deal: rows x width
	out    []int32 // rows x OutWidth
	// The nonzero elements of x, plain and dense.
	xs, plains *i16.Lists
	denses     [2]*i16.Lists
	unit       float64
}

// NewSpace returns working memory for the given number of deals at a time.
func (f *Fixed) NewSpace(rows int) *FixedSpace {
	w, head := f.shape.Width, f.shape.Head
	sp := &FixedSpace{
		rows: make([]i16.Rows, rows), shared: make([]int32, rows*w), out: make([]int32, rows*OutWidth),
		xs: i16.NewLists(rows, 2*w), plains: i16.NewLists(3*rows, w), unit: f.outputs,
	}
	for i := range 2 {
		sp.x[i], sp.plain[i], sp.dense[i] = make([]int16, 2*rows*w), make([]int16, 3*rows*w), make([]int16, rows*head[i])
		sp.denses[i] = i16.NewLists(rows, head[i])
	}
	return sp
}

// Forward computes the outputs for the deals, at most as many as the space is for. Output(i) returns the outputs for the i-th deal. The
// order of the plain suits makes no difference.
func (f *Fixed) Forward(sp *FixedSpace, deals []Suits) {
	l, s, w, n := f.places, &f.scales, f.shape.Width, len(deals)
	for i := range deals {
		f.chosen(&deals[i], &sp.rows[i])
	}
	i16.Codes(sp.rows[:n], w, f.tables, f.firsts, MaxPlain, sp.x[0], sp.plain[0])
	for i, m := range f.layers {
		from, to := i%2, (i+1)%2
		y := l.Layers[i]
		sp.xs.Collect(n, sp.x[from])
		m.trump.Narrow(sp.xs, i16.Start{Sums: y.Trump.Of32(f.starts)}, s.TrumpSums[i]-s.Trump[i+1], MaxCode, sp.x[to], 2*w)
		m.shared.Sums(sp.xs, i16.Start{Sums: y.Plain.Of32(f.starts)}, sp.shared)
		sp.plains.Collect(3*n, sp.plain[from])
		m.plain.Narrow(sp.plains, i16.Start{Sums: sp.shared, Each: 3}, s.PlainSums[i]-s.Plain[i+1], MaxPlain, sp.plain[to], w)
		i16.Sum3(n, w, sp.plain[to], sp.x[to])
	}
	sp.xs.Collect(n, sp.x[len(f.layers)%2])
	rows := sp.xs
	for i, width := range f.shape.Head {
		f.head[i].Narrow(rows, i16.Start{Sums: l.Bias[i].Of32(f.starts)}, s.DenseSums[i]-s.Dense[i], MaxCode, sp.dense[i], width)
		rows = sp.denses[i]
		rows.Collect(n, sp.dense[i])
	}
	f.head[2].Sums(rows, i16.Start{Sums: l.Bias[2].Of32(f.starts)}, sp.out)
}

// chosen sets rows to the offsets of the table rows that the codes of a deal consist of.
func (f *Fixed) chosen(suits *Suits, rows *i16.Rows) {
	for i, pattern := range suits {
		kind := min(i, 1)
		for g, m := range f.places.Tables[kind] {
			rows[(3*i+g)%len(rows)] = uint32(m.At + f.choose[kind][g].Row(pattern)*m.Out)
		}
	}
}

// Output returns the outputs of the i-th deal of the last Forward.
func (sp *FixedSpace) Output(i int) (out [Outputs]float64) {
	for k := range out {
		out[k] = float64(sp.out[i*OutWidth+k]) * sp.unit
	}
	return out
}
