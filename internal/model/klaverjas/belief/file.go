package belief

import (
	"roem/internal/model/nn/weightfile"
)

// magic begins a file of weights. The number changes with the inputs.
const magic = "roem belief 1\n"

// MaxHidden is the largest hidden layer of a file.
const MaxHidden = 1024

// Encode returns the file of a network: the magic, the size of the hidden layer (32 bits, little-endian), the parameters as 32-bit floats
// in the order of [Network.Params], and the SHA-256 of all of it.
func (n *Network) Encode() []byte { return weightfile.SealLayers(magic, n.Hidden, n.Params()) }

// New returns a network of zeros: a uniform belief.
func New(hidden int) *Network {
	n := &Network{Hidden: hidden}
	for i := range n.Parts {
		n.Parts[i] = Part{
			First: make([]float32, Inputs*hidden), Bias: make([]float32, hidden), Second: make([]float32, hidden*Outputs), Last: make([]float32,
				Outputs),
		}
	}
	return n
}

// Params returns the lists of parameters, which may be changed: First, Bias, Second and Last of trumps, then of plain suits.
func (n *Network) Params() [][]float32 {
	var all [][]float32
	for i := range n.Parts {
		p := &n.Parts[i]
		all = append(all, p.First, p.Bias, p.Second, p.Last)
	}
	return all
}

// Decode reads the file of a network. The error is a *[weightfile.Error].
func Decode(file []byte) (n *Network, err error) {
	err = weightfile.OpenLayers(magic, file, func(hidden int) ([][]float32, error) {
		if hidden < 1 || hidden > MaxHidden {
			return nil, weightfile.Wrong("the hidden layer has %d numbers, expected 1 to %d", hidden, MaxHidden)
		}
		n = New(hidden)
		return n.Params(), nil
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}
