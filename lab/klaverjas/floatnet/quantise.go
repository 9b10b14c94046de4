package floatnet

import (
	"fmt"
	"math"
	"slices"

	"roem/internal/model/klaverjas/network"
)

// Quantise rounds n to fixed-point numbers. The deals of the sample, which must be sorted, determine the range of codes. Codes of other
// deals that exceed it by more than a factor of two may be limited. Equal networks and samples give equal results.
func Quantise(n *Network, sample []network.Suits) (*network.Fixed, error) {
	shape := n.Shape()
	to, l := network.IntegersOf(shape)
	s := n.roomFor(sample)

	// The tables first, because their sums must not overflow either.
	for kind, places := range [2]*int{&s.Trump[0], &s.Plain[0]} {
		for !n.roundCodes(l, kind, *places, &to) || network.CodesOverflow(l, kind, to.Shifted(l), to.Narrow) {
			if *places == 0 {
				return nil, errLarge("codes")
			}
			*places--
		}
	}
	// Then each product, with as many places as possible without overflow of its sums and its matrices.
	for i, places := range placesOf(&s) {
		from, p := network.Products(n.layout, &s)[i], network.Products(l, &s)[i]
		for p.Sums = network.MaxSums; ; p.Sums-- {
			if p.Sums < 0 {
				return nil, errLarge(p.Name)
			}
			p.To = min(p.To, p.Sums)
			if roundProduct(&p, &from, n.params, &to) && !p.Overflows(to.Narrow, to.Wide) {
				break
			}
		}
		*places[0] = p.Sums
		if places[1] != nil {
			*places[1] = p.To
		}
	}
	return network.NewFixed(shape, s, to)
}

// roundCodes rounds the tables and initial values of the codes of a kind of suit, each column of a table with the smallest shift at which
// eight bits are enough. It reports whether all values are small enough.
func (n *Network) roundCodes(l *network.Layout, kind, places int, to *network.Integers) bool {
	for g, m := range l.Tables[kind] {
		from := n.layout.Tables[kind][g].Of(n.params)
		shifts := to.ShiftsOf(l, kind, g)
		for j := range shifts {
			column := func(yield func(at int, x float64) bool) {
				for at := j; at < len(from) && yield(at, float64(from[at])); at += m.Out {
				}
			}
			largest := 0.0
			for _, x := range column {
				largest = max(largest, math.Abs(x))
			}
			shift := 0
			for ; math.RoundToEven(math.Ldexp(largest, places-shift)) > math.MaxInt8; shift++ {
				if shift == network.MaxShift {
					return false
				}
			}
			shifts[j] = uint8(shift)
			for at, x := range column {
				to.Tables[m.At+at] = int8(math.RoundToEven(math.Ldexp(x, places-shift)))
			}
		}
	}
	first := l.First[kind]
	return round(to.Narrow[first.At:][:first.N], n.layout.First[kind].Of(n.params), places, math.MaxInt16)
}

func errLarge(name string) error {
	return fmt.Errorf("the parameters of this network are too large for integers: %s", name)
}

// placesOf returns the places of the sums and of the results, in the order of [Products].
func placesOf(s *network.Scales) [][2]*int {
	var all [][2]*int
	for i := range s.TrumpSums {
		all = append(all, [2]*int{&s.TrumpSums[i], &s.Trump[i+1]}, [2]*int{&s.PlainSums[i], &s.Plain[i+1]})
	}
	return append(all, [2]*int{&s.DenseSums[0], &s.Dense[0]}, [2]*int{&s.DenseSums[1], &s.Dense[1]}, [2]*int{&s.DenseSums[2]})
}

// roundProduct rounds the parameters of a product to integers, and reports whether they are small enough. from is the product in
// the layout of floating-point numbers.
func roundProduct(p, from *network.Product, params []float32, to *network.Integers) bool {
	for k, in := range p.Inputs {
		if !round(to.Narrow[in.At:][:in.In*in.Out], params[from.Inputs[k].At:], p.Sums-in.Places, math.MaxInt16) {
			return false
		}
	}
	return round(p.Bias.Of32(to.Wide), params[from.Bias.At:], p.Sums, math.MaxInt32)
}

// round rounds to the nearest integers, and reports whether none exceeds limit.
func round[T int16 | int32](to []T, from []float32, places int, limit float64) bool {
	for i := range to {
		x := math.RoundToEven(math.Ldexp(float64(from[i]), places))
		if math.Abs(x) > limit {
			return false
		}
		to[i] = T(x)
	}
	return true
}

// roomFor returns scales for the range of codes of a sample. The scales of sums are not set yet.
func (n *Network) roomFor(sample []network.Suits) network.Scales {
	shape := n.Shape()
	trump, plain, dense := make([]float64, shape.Layers+1), make([]float64, shape.Layers+1), [2]float64{}
	sp := n.NewSpace(block)
	for deals := range slices.Chunk(sample, block) {
		n.Forward(sp, deals)
		size := len(deals) * shape.Width
		for i := range trump {
			trump[i] = max(trump[i], float64(slices.Max(sp.trump[i][:size])))
			plain[i] = max(plain[i], float64(slices.Max(sp.plain[i][:3*size])))
		}
		for i := range dense {
			dense[i] = max(dense[i], float64(slices.Max(sp.head[i][:len(deals)*shape.Head[i]])))
		}
	}
	s := network.Scales{TrumpSums: make([]int, shape.Layers), PlainSums: make([]int, shape.Layers)}
	for i := range trump {
		s.Trump = append(s.Trump, places16(trump[i], network.MaxCode))
		s.Plain = append(s.Plain, places16(plain[i], network.MaxPlain))
	}
	for i := range dense {
		s.Dense[i] = places16(dense[i], network.MaxCode)
	}
	return s
}

// places16 returns the largest number of places, at most network.MaxPlaces, with which numbers up to x do not exceed limit.
func places16(x, limit float64) int {
	p := network.MaxPlaces
	for p > 0 && math.Ldexp(x, p) > limit {
		p--
	}
	return p
}
