package policy

import (
	"roem/internal/model/nn/weightfile"
)

// magic begins a file of weights. The number changes with the inputs.
const magic = "roem policy 2\n"

// MaxHidden is the largest hidden layer of a file.
const MaxHidden = 1024

// Encode returns the file of a network: the magic, the size of the hidden layer (32 bits, little-endian), the parameters as 32-bit floats
// in the order of [Network.Params], and the SHA-256 of all of it.
func (n *Network) Encode() []byte { return weightfile.SealLayers(magic, n.Hidden, n.Params()) }

// Decode reads the file of a network. The error is a *[weightfile.Error].
func Decode(file []byte) (n *Network, err error) {
	err = weightfile.OpenLayers(magic, file, func(hidden int) ([][]float32, error) {
		if hidden < 1 || hidden > MaxHidden || hidden%8 != 0 {
			return nil, weightfile.Wrong("the hidden layer has %d numbers, expected a multiple of 8 up to %d", hidden, MaxHidden)
		}
		n = New(hidden)
		return n.Params(), nil
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}
