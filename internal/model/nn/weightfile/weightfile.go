// Package weightfile is the frame of the files of weights of all models:
//
//	...       the magic, which names the kind of file and its version
//	...       the content
//	32 bytes  the SHA-256 of everything before it
//
// Numbers are little-endian. Each model's package describes its content.
package weightfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
)

const (
	maxHeader = 1 << 20
	maxFile   = 1 << 26
)

// Error is the error for a file of weights that cannot be used.
type Error struct {
	What string // what is wrong with the file
}

// Error describes what is wrong with the file.
func (e *Error) Error() string { return "not a usable file of weights: " + e.What }

// Wrong returns an *[Error].
func Wrong(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Seal returns the contents of a file.
func Seal(magic string, content []byte) []byte {
	out := make([]byte, 0, len(magic)+len(content)+sha256.Size)
	out = append(append(out, magic...), content...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// Open returns the content of a file. The error is an *[Error].
func Open(magic string, file []byte) ([]byte, error) {
	switch {
	case len(file) < len(magic)+sha256.Size:
		return nil, Wrong("it has %d bytes, fewer than an empty one", len(file))
	case len(file) > maxFile:
		return nil, Wrong("it has %d bytes, more than %d", len(file), maxFile)
	case string(file[:len(magic)]) != magic:
		return nil, Wrong("it does not begin with %q", magic)
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return nil, Wrong("its SHA-256 is not the one at its end: it is damaged or cut short")
	}
	return body[len(magic):], nil
}

// AppendHeader appends a header as JSON, after its length in 4 bytes.
func AppendHeader(b []byte, header any) ([]byte, error) {
	head, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(head))), head...), nil
}

// ReadHeader reads a header and returns what follows it. Unknown fields are an error. The error is an *[Error].
func ReadHeader(content []byte, header any) (rest []byte, err error) {
	if len(content) < 4 {
		return nil, Wrong("it has no header")
	}
	length := int(binary.LittleEndian.Uint32(content))
	if rest = content[4:]; length > maxHeader || length > len(rest) {
		return nil, Wrong("its header would have %d bytes", length)
	}
	dec := json.NewDecoder(bytes.NewReader(rest[:length]))
	dec.DisallowUnknownFields()
	if err := dec.Decode(header); err != nil {
		return nil, Wrong("its header: %v", err)
	}
	return rest[length:], nil
}

// AppendFloats appends 32-bit floats.
func AppendFloats(b []byte, list []float32) []byte {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// ReadFloats fills the list and returns what follows. The content must have at least 4 bytes for each number.
func ReadFloats(content []byte, list []float32) (rest []byte) {
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))
	}
	return content[4*len(list):]
}

// Checksum returns the SHA-256 of a whole file in hexadecimal, by which answers and caches name the weights.
func Checksum(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// SealLayers returns the file of a network with one hidden layer: the magic, the size of the layer in 4 bytes, and the lists of parameters.
func SealLayers(magic string, hidden int, params [][]float32) []byte {
	content := binary.LittleEndian.AppendUint32(nil, uint32(hidden))
	for _, list := range params {
		content = AppendFloats(content, list)
	}
	return Seal(magic, content)
}

// OpenLayers reads the file of a network with one hidden layer. params returns the lists of parameters to fill for a size of the layer, or
// an error for a size that is not allowed. The error is an *[Error] or the error of params.
func OpenLayers(magic string, file []byte, params func(hidden int) ([][]float32, error)) error {
	content, err := Open(magic, file)
	if err != nil {
		return err
	}
	if len(content) < 4 {
		return Wrong("it has no parameters")
	}
	hidden, rest := binary.LittleEndian.Uint32(content), content[4:]
	lists, err := params(int(hidden))
	if err != nil {
		return err
	}
	for _, list := range lists {
		if len(rest) < 4*len(list) {
			return Wrong("it is too short")
		}
		rest = ReadFloats(rest, list)
		for _, x := range list {
			if x := float64(x); math.IsNaN(x) || math.IsInf(x, 0) {
				return Wrong("a weight is not a number")
			}
		}
	}
	if len(rest) > 0 {
		return Wrong("it is too long")
	}
	return nil
}
