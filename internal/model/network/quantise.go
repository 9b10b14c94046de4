package network

import (
	"fmt"
	"math"
	"slices"
)

// Quantise makes the network in fixed-point numbers that comes closest to n. The deals of the sample, which must be sorted, show how large codes
// become; what exceeds that by more than a factor of two, in other deals, may be cut off. Equal networks and samples give equal results.
func Quantise(n *Network, sample []Suits) (*Fixed, error) {
	shape := n.Shape()
	to, l := integersOf(shape)
	s := n.roomFor(sample)

	// The tables first: their sums need room as well.
	for kind, places := range [2]*int{&s.Trump[0], &s.Plain[0]} {
		for !n.roundCodes(l, kind, *places, &to) || codesOverflow(l, kind, to.shifted(l), to.Narrow) {
			if *places == 0 {
				return nil, errLarge("codes")
			}
			*places--
		}
	}
	// Then product by product, each with as many places as its sums and its matrices have room for.
	for i, places := range s.products() {
		from, p := products(n.layout, &s)[i], products(l, &s)[i]
		for p.sums = maxSums; ; p.sums-- {
			if p.sums < 0 {
				return nil, errLarge(p.name)
			}
			p.to = min(p.to, p.sums)
			if p.round(&from, n.params, &to) && !p.overflows(to.Narrow, to.Wide) {
				break
			}
		}
		*places[0] = p.sums
		if places[1] != nil {
			*places[1] = p.to
		}
	}
	return NewFixed(shape, s, to)
}

// roundCodes rounds what the codes of a kind of suit are made of, each column of a table with the least shift at which eight bits are enough, and
// says whether it is small enough.
func (n *Network) roundCodes(l *layout, kind, places int, to *Integers) bool {
	for g, m := range l.tables[kind] {
		from := n.layout.tables[kind][g].of(n.params)
		shifts := to.shifts(l, kind, g)
		for j := range shifts {
			column := func(yield func(at int, x float64) bool) {
				for at := j; at < len(from) && yield(at, float64(from[at])); at += m.out {
				}
			}
			largest := 0.0
			for _, x := range column {
				largest = max(largest, math.Abs(x))
			}
			shift := 0
			for ; math.RoundToEven(math.Ldexp(largest, places-shift)) > math.MaxInt8; shift++ {
				if shift == maxShift {
					return false
				}
			}
			shifts[j] = uint8(shift)
			for at, x := range column {
				to.Tables[m.at+at] = int8(math.RoundToEven(math.Ldexp(x, places-shift)))
			}
		}
	}
	first := l.first[kind]
	return round(to.Narrow[first.at:][:first.n], n.layout.first[kind].of(n.params), places, math.MaxInt16)
}

func errLarge(name string) error {
	return fmt.Errorf("the parameters of this network are too large for integers: %s", name)
}

// products returns the places of sums and of what comes of them, in the order of [products].
func (s *Scales) products() [][2]*int {
	var all [][2]*int
	for i := range s.TrumpSums {
		all = append(all, [2]*int{&s.TrumpSums[i], &s.Trump[i+1]}, [2]*int{&s.PlainSums[i], &s.Plain[i+1]})
	}
	return append(all, [2]*int{&s.DenseSums[0], &s.Dense[0]}, [2]*int{&s.DenseSums[1], &s.Dense[1]}, [2]*int{&s.DenseSums[2]})
}

// round rounds the parameters of a product to integers, and says whether they are small enough. from is the product
// where the parameters of floating-point numbers stand.
func (p *product) round(from *product, params []float32, to *Integers) bool {
	for k, in := range p.inputs {
		if !round(to.Narrow[in.at:][:in.in*in.out], params[from.inputs[k].at:], p.sums-in.places, math.MaxInt16) {
			return false
		}
	}
	return round(p.bias.of32(to.Wide), params[from.bias.at:], p.sums, math.MaxInt32)
}

// round rounds to the nearest integers, and says whether they are no more than limit.
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

// roomFor returns scales with room for the codes of a sample; those of sums are not known yet.
func (n *Network) roomFor(sample []Suits) Scales {
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
	s := Scales{TrumpSums: make([]int, shape.Layers), PlainSums: make([]int, shape.Layers)}
	for i := range trump {
		s.Trump = append(s.Trump, places16(trump[i], maxCode))
		s.Plain = append(s.Plain, places16(plain[i], maxPlain))
	}
	for i := range dense {
		s.Dense[i] = places16(dense[i], maxCode)
	}
	return s
}

// places16 returns how many places numbers up to x may have without exceeding limit, up to maxPlaces.
func places16(x, limit float64) int {
	p := maxPlaces
	for p > 0 && math.Ldexp(x, p) > limit {
		p--
	}
	return p
}
