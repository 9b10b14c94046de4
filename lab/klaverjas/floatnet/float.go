package floatnet

import (
	"math"

	"roem/internal/model/klaverjas/network"
)

// run is a range of parameters in both kinds of network. Tables are not covered by runs.
type run struct {
	float  int // its start in a Network
	fixed  int // its start in a Fixed
	n      int
	wide   bool
	places int
}

// runs returns the ranges of all parameters except the tables.
func runs(shape network.Shape, s *network.Scales) []run {
	from := network.NewLayout(shape)
	_, to := network.IntegersOf(shape)
	var all []run
	for kind, places := range [2]int{s.Trump[0], s.Plain[0]} {
		all = append(all, run{from.First[kind].At, to.First[kind].At, shape.Width, false, places})
	}
	fixed := network.Products(to, s)
	for i, p := range network.Products(from, s) {
		for k, in := range p.Inputs {
			all = append(all, run{in.At, fixed[i].Inputs[k].At, in.In * in.Out, false, p.Sums - in.Places})
		}
		all = append(all, run{p.Bias.At, fixed[i].Bias.At, p.Bias.N, true, p.Sums})
	}
	return all
}

// Float returns the network in floating-point numbers whose parameters are the values that f represents.
func Float(f *network.Fixed) (*Network, error) {
	shape, scales, fixed := f.Shape(), f.Scales(), f.Params()
	_, places := network.IntegersOf(shape)
	tables := fixed.Shifted(places)
	params := make([]float32, network.ParamCount(shape))
	float := network.NewLayout(shape)
	for kind, all := range places.Tables {
		unit := math.Ldexp(1, -[2]int{scales.Trump[0], scales.Plain[0]}[kind])
		for g, m := range all {
			to := float.Tables[kind][g].Of(params)
			for i, x := range tables[m.At:][:m.In*m.Out] {
				to[i] = float32(float64(x) * unit)
			}
		}
	}
	for _, r := range runs(shape, &scales) {
		unit := math.Ldexp(1, -r.places)
		for i := range r.n {
			if r.wide {
				params[r.float+i] = float32(float64(fixed.Wide[r.fixed+i]) * unit)
			} else {
				params[r.float+i] = float32(float64(fixed.Narrow[r.fixed+i]) * unit)
			}
		}
	}
	return New(shape, params)
}
