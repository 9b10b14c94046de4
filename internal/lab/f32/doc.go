// Package f32 multiplies matrices of 32-bit floats, for the training of the network of package model.
//
// Every element of a product is summed in the same order, with each multiplication and each addition rounded by itself. The
// assembly for amd64 with AVX2 and the Go code that stands in for it elsewhere give the same bits. That is why there is no
// fused multiply-add here, which would round once where others round twice. Factors that are 0 are left out ([Lists]).
package f32
