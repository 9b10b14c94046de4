package f32

import "math"

// Adam holds the numbers of a step of Adam (Kingma and Ba 2015, with decay as in Loshchilov and Hutter 2019) that are common to all
// parameters.
type Adam struct {
	Scale   float32 // factor of the gradient
	Beta1   float32 // decay rate of the first moment
	Rest1   float32 // 1 - Beta1
	Beta2   float32 // decay rate of the second moment
	Rest2   float32
	Keep    float32 // factor of the parameter: 1 - decay
	Size    float32 // size of the step, including the bias correction of the first moment
	S2      float32 // bias correction of the second moment
	Epsilon float32
}

// Step updates parameters and their moments by their gradient. m, v and g have at least the length of p. Each operation is rounded
// separately. The conversions prevent the compiler from fusing two operations, which not every machine supports.
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
