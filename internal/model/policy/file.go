package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// magic begins a file of weights. The number changes with the inputs.
const magic = "roem policy 2\n"

// MaxHidden is the largest hidden layer of a file.
const MaxHidden = 1024

// Encode returns the file of a network: the magic, the size of the hidden layer (32 bits, little-endian), the parameters as 32-bit floats in the
// order of [Network.Params], and the SHA-256 of all of it.
func (n *Network) Encode() []byte {
	file := binary.LittleEndian.AppendUint32([]byte(magic), uint32(n.Hidden))
	for _, list := range n.Params() {
		for _, x := range list {
			file = binary.LittleEndian.AppendUint32(file, math.Float32bits(x))
		}
	}
	sum := sha256.Sum256(file)
	return append(file, sum[:]...)
}

// Decode reads the file of a network. The error says what is wrong with it.
func Decode(file []byte) (*Network, error) {
	if !bytes.HasPrefix(file, []byte(magic)) {
		return nil, errors.New("not a file of policy weights of this version")
	}
	if len(file) < len(magic)+4+sha256.Size {
		return nil, errors.New("the file of policy weights is too short")
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errors.New("the checksum of the policy weights is wrong")
	}
	hidden := binary.LittleEndian.Uint32(body[len(magic):])
	if hidden < 1 || hidden > MaxHidden {
		return nil, fmt.Errorf("the hidden layer has %d numbers, expected 1 to %d", hidden, MaxHidden)
	}
	n := New(int(hidden))
	rest := body[len(magic)+4:]
	for _, list := range n.Params() {
		if len(rest) < 4*len(list) {
			return nil, errors.New("the file of policy weights is too short")
		}
		for i := range list {
			list[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
			if x := float64(list[i]); math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, errors.New("a policy weight is not a number")
			}
		}
		rest = rest[4*len(list):]
	}
	if len(rest) > 0 {
		return nil, errors.New("the file of policy weights is too long")
	}
	return n, nil
}
