// Package floatnet is the network of model/network in 32-bit floats: its outputs, its gradient, its training ([Train]), and its
// rounding to the integers that are served ([Quantise]).
package floatnet
