package network

import (
	"fmt"

	"roem/internal/model/nn/i16"
)

// Shape is the size of a network. All numbers except Layers are multiples of 16.
type Shape struct {
	Width  int    `json:"width"`  // of a suit's code
	Layers int    `json:"layers"` // number of layers that combine the suits
	Head   [2]int `json:"head"`   // the widths of the two dense layers at the end
}

// Limits of a shape. They bound the memory that is allocated for a damaged file.
const (
	maxWidth  = 1024
	maxLayers = 8
)

// Validate returns an error if the shape is invalid.
func (s Shape) Validate() error {
	for name, n := range map[string]int{"width": s.Width, "head[0]": s.Head[0], "head[1]": s.Head[1]} {
		if n < i16.Strip || n > maxWidth || n%i16.Strip != 0 {
			return fmt.Errorf("%s is %d: expected a multiple of %d up to %d", name, n, i16.Strip, maxWidth)
		}
	}
	if s.Layers < 0 || s.Layers > maxLayers {
		return fmt.Errorf("layers is %d: expected 0 to %d", s.Layers, maxLayers)
	}
	return nil
}

// OutWidth is the width of the last matrix: the outputs, padded to a strip.
const OutWidth = i16.Strip

// Matrix is a weight matrix within the parameters, row by row: in rows, out columns.
type Matrix struct{ At, In, Out int }

// Of returns the matrix among floating-point parameters.
func (m Matrix) Of(p []float32) []float32 { return p[m.At:][:m.In*m.Out] }

// Vector is a bias within the parameters.
type Vector struct{ At, N int }

// Of returns the bias among floating-point parameters.
func (v Vector) Of(p []float32) []float32 { return p[v.At:][:v.N] }

// Layer holds the parameters of one layer, named as in the package comment.
type Layer struct {
	A, B, C, D, E Matrix
	Trump, Plain  Vector
}

// Layout holds the offsets of all parameters.
type Layout struct {
	Shape  Shape
	Tables [2][]Matrix // by kind of suit and group
	First  [2]Vector
	Layers []Layer
	Head   [3]Matrix
	Bias   [3]Vector
	Size   int // number of parameters
}

// NewLayout returns the layout of parameters in one array.
func NewLayout(s Shape) *Layout {
	at := 0
	l := layoutOf(s, &at, &at, &at)
	l.Size = at
	return l
}

// layoutOf returns a layout in up to three arrays: tables, wide (the biases) and narrow (everything else). The arguments are the offsets at
// which the arrays start, and are advanced to their ends.
func layoutOf(s Shape, tables, narrow, wide *int) *Layout {
	l := &Layout{Shape: s}
	m := func(in, out int) Matrix {
		m := Matrix{*narrow, in, out}
		*narrow += in * out
		return m
	}
	v := func(n int) Vector {
		v := Vector{*wide, n}
		*wide += n
		return v
	}
	for kind, all := range groups() {
		for _, group := range all {
			rows := rowsOf(group)
			l.Tables[kind] = append(l.Tables[kind], Matrix{*tables, rows, s.Width})
			*tables += rows * s.Width
		}
		l.First[kind] = Vector{*narrow, s.Width}
		*narrow += s.Width
	}
	for range s.Layers {
		l.Layers = append(l.Layers, Layer{
			A: m(s.Width, s.Width), B: m(s.Width, s.Width), C: m(s.Width, s.Width), D: m(s.Width, s.Width), E: m(s.Width, s.Width),
			Trump: v(s.Width), Plain: v(s.Width),
		})
	}
	in := 2 * s.Width
	for i, out := range [3]int{s.Head[0], s.Head[1], OutWidth} {
		l.Head[i], l.Bias[i] = m(in, out), v(out)
		in = out
	}
	return l
}

// ParamCount returns the number of parameters of a valid shape.
func ParamCount(s Shape) int { return NewLayout(s).Size }
