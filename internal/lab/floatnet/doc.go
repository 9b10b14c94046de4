// Package floatnet is the network of model/network in 32-bit floats: its value, its gradient, how it is trained ([Train]), and how it
// is rounded to the integers that are served ([Quantise]).
package floatnet
