// Package f32 multiplies matrices of 32-bit floats, for the training of networks and for the small networks that are served.
//
// Every element of a product is summed in the same order, and each multiplication and each addition is rounded separately. The assembly
// for amd64 with AVX2 and the Go code for other machines give the same bits. Therefore there is no fused multiply-add, which rounds
// once instead of twice. Factors that are 0 are skipped ([Lists]).
package f32
