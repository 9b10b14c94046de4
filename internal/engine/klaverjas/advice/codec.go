package advice

import (
	"encoding/binary"
	"errors"
	"math"
)

var errNotTally = errors.New("not a tally")

// AppendBinary appends the tally to b: the number of worlds and the nodes as uvarints, then each sum in eight bytes, big-endian.
func (t *Tally) AppendBinary(b []byte) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(t.Worlds))
	b = binary.AppendUvarint(b, t.Nodes)
	for _, sum := range t.sums() {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(*sum))
	}
	return b, nil
}

// UnmarshalBinary reads what AppendBinary has written. Its error says only that b is something else.
func (t *Tally) UnmarshalBinary(b []byte) error {
	worlds, n := binary.Uvarint(b)
	if n <= 0 || worlds > math.MaxInt32 {
		return errNotTally
	}
	nodes, m := binary.Uvarint(b[n:])
	if m <= 0 {
		return errNotTally
	}
	var read Tally
	read.Worlds, read.Nodes = int(worlds), nodes
	sums := read.sums()
	if b = b[n+m:]; len(b) != 8*len(sums) {
		return errNotTally
	}
	for i, sum := range sums {
		*sum = math.Float64frombits(binary.BigEndian.Uint64(b[8*i:]))
		if math.IsNaN(*sum) || math.IsInf(*sum, 0) {
			return errNotTally
		}
	}
	if read.weight <= 0 || read.weight2 <= 0 || worlds == 0 {
		return errNotTally
	}
	*t = read
	return nil
}
