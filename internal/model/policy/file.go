package policy

import (
	"encoding/binary"
	"math"

	"roem/internal/model/weightfile"
)

// magic begins a file of weights. The number changes with the inputs.
const magic = "roem policy 2\n"

// MaxHidden is the largest hidden layer of a file.
const MaxHidden = 1024

// Encode returns the file of a network: the magic, the size of the hidden layer (32 bits, little-endian), the parameters as 32-bit floats in the
// order of [Network.Params], and the SHA-256 of all of it.
func (n *Network) Encode() []byte {
	content := binary.LittleEndian.AppendUint32(nil, uint32(n.Hidden))
	for _, list := range n.Params() {
		content = weightfile.AppendFloats(content, list)
	}
	return weightfile.Seal(magic, content)
}

// Decode reads the file of a network. The error is a *[weightfile.Error].
func Decode(file []byte) (*Network, error) {
	content, err := weightfile.Open(magic, file)
	if err != nil {
		return nil, err
	}
	if len(content) < 4 {
		return nil, weightfile.Wrong("it has no parameters")
	}
	hidden, rest := binary.LittleEndian.Uint32(content), content[4:]
	if hidden < 1 || hidden > MaxHidden {
		return nil, weightfile.Wrong("the hidden layer has %d numbers, expected 1 to %d", hidden, MaxHidden)
	}
	n := New(int(hidden))
	for _, list := range n.Params() {
		if len(rest) < 4*len(list) {
			return nil, weightfile.Wrong("it is too short")
		}
		rest = weightfile.ReadFloats(rest, list)
		for _, x := range list {
			if x := float64(x); math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, weightfile.Wrong("a weight is not a number")
			}
		}
	}
	if len(rest) > 0 {
		return nil, weightfile.Wrong("it is too long")
	}
	return n, nil
}
