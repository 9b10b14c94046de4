package f32

import "math"

// Adam are the numbers of a step of Adam (Kingma and Ba 2015, with decay as Loshchilov and Hutter 2019) that are the same
// for many parameters.
type Adam struct {
	Scale   float32 // of the gradient
	Beta1   float32 // what is left of the first moment
	Rest1   float32 // 1 - Beta1
	Beta2   float32 // and of the second
	Rest2   float32
	Keep    float32 // what decay leaves of a parameter
	Size    float32 // of the step, with the correction of the first moment
	S2      float32 // the correction of the second
	Epsilon float32
}

// Step changes parameters and their moments by their gradient. All are as long as p. Each operation is rounded by itself; the conversions
// keep the compiler from fusing two, which only some machines can.
func (a *Adam) Step(p, m, v, g []float32) {
	m, v, g = m[:len(p)], v[:len(p)], g[:len(p)]
	n := a.fast(p, m, v, g)
	for i := n; i < len(p); i++ {
		x := float32(g[i] * a.Scale)
		m[i] = float32(m[i]*a.Beta1) + float32(x*a.Rest1)
		v[i] = float32(v[i]*a.Beta2) + float32(float32(x*x)*a.Rest2)
		root := float32(math.Sqrt(float64(float32(v[i] * a.S2))))
		p[i] = float32(p[i]*a.Keep) - float32(float32(a.Size*m[i])/float32(root+a.Epsilon))
	}
}
