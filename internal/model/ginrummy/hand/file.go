package hand

import (
	"roem/internal/model/nn/f32"
	"roem/internal/model/nn/weightfile"
)

// magic begins a file of weights. The number changes with the inputs and the shape.
const magic = "roem gin hand 2\n"

// MaxHidden is the largest width of a file.
const MaxHidden = 512

// Encode returns the file of a network: the magic, the width (32 bits, little-endian), the parameters as 32-bit floats in the order of
// [Network.Params], and the SHA-256 of all of it.
func (n *Network) Encode() []byte { return weightfile.SealLayers(magic, n.Hidden, n.Params()) }

// Decode reads the file of a network. The error is a *[weightfile.Error].
func Decode(file []byte) (n *Network, err error) {
	err = weightfile.OpenLayers(magic, file, func(hidden int) ([][]float32, error) {
		if hidden < f32.Strip || hidden > MaxHidden || hidden%f32.Strip != 0 {
			return nil, weightfile.Wrong("the width is %d, expected a multiple of %d up to %d", hidden, f32.Strip, MaxHidden)
		}
		n = New(hidden)
		return n.Params(), nil
	})
	if err != nil {
		return nil, err
	}
	n.Pack()
	return n, nil
}
