package trees

import (
	"encoding/binary"

	"roem/internal/model/nn/weightfile"
)

// The format of a file is
//
//	8 bytes   the magic "roemtre1"
//	4 bytes   the length of the header
//	...       the header, JSON
//	...       the leaves: for each the level of each output, in one byte if Levels is at most 255, otherwise in two
//	...       the nodes of each tree in preorder: a split is its column + 1 as an unsigned varint and a byte for the split, a leaf is 0
//	          and its number as an unsigned varint
//	32 bytes  the SHA-256 of everything before it
//
// Numbers are little-endian. Preorder leaves no place for an index that points backwards or outside, and each node takes two bytes at
// least, so reading takes memory in proportion to the file: at most four bytes for each of its bytes.
const magic = "roemtre1"

// header begins a file.
type header struct {
	Shape
	Leaves int `json:"leaves"`
	Nodes  int `json:"nodes"`
	Trees  int `json:"trees"`
}

func (s *Shape) width() int {
	if s.Levels <= 255 {
		return 1
	}
	return 2
}

// Encode returns the file of the forest.
func (f *Forest) Encode() ([]byte, error) {
	out, err := weightfile.AppendHeader(nil, header{f.shape, len(f.leaves) / f.shape.Outputs, len(f.nodes), len(f.roots)})
	if err != nil {
		return nil, err
	}
	for _, level := range f.leaves {
		out = append(out, byte(level))
		if f.shape.width() == 2 {
			out = append(out, byte(level>>8))
		}
	}
	for _, n := range f.nodes {
		if n.column == leaf {
			out = binary.AppendUvarint(append(out, 0), uint64(n.next))
		} else {
			out = append(binary.AppendUvarint(out, uint64(n.column)+1), n.split)
		}
	}
	return weightfile.Seal(magic, out), nil
}

// Decode reads the file of a forest whose columns have the name inputs. The error is a *[weightfile.Error].
func Decode(file []byte, inputs string) (*Forest, error) {
	content, err := weightfile.Open(magic, file)
	if err != nil {
		return nil, err
	}
	var h header
	rest, err := weightfile.ReadHeader(content, &h)
	if err != nil {
		return nil, err
	}
	if err := h.validate(len(rest), inputs); err != nil {
		return nil, err
	}
	b := &Builder{forest: Forest{shape: h.Shape}}
	b.forest.leaves = make([]uint16, h.Leaves*h.Outputs)
	for i := range b.forest.leaves {
		level := uint16(rest[0])
		if h.width() == 2 {
			level |= uint16(rest[1]) << 8
		}
		if int(level) > h.Levels {
			return nil, weightfile.Wrong("a leaf has level %d of %d", level, h.Levels)
		}
		b.forest.leaves[i], rest = level, rest[h.width():]
	}
	b.forest.nodes = make([]node, 0, h.Nodes)
	for range h.Nodes {
		if rest, err = b.read(rest, h.Leaves); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, weightfile.Wrong("%d bytes follow its last node", len(rest))
	}
	if n := len(b.forest.roots); n != h.Trees {
		return nil, weightfile.Wrong("it has %d trees, and its header says %d", n, h.Trees)
	}
	return b.Forest()
}

// validate checks a header that size bytes follow.
func (h *header) validate(size int, inputs string) error {
	if h.Inputs != inputs {
		return weightfile.Wrong("its inputs are %.80q, expected %q", h.Inputs, inputs)
	}
	if err := h.Shape.validate(); err != nil {
		return err
	}
	each := h.Outputs * h.width()
	if h.Leaves < 1 || h.Leaves > size/each {
		return weightfile.Wrong("%d leaves in %d bytes", h.Leaves, size)
	}
	if left := size - h.Leaves*each; h.Nodes < 1 || h.Nodes > left/2 {
		return weightfile.Wrong("%d nodes in %d bytes", h.Nodes, left)
	}
	return nil
}

// read adds the first node of a text and returns what follows it.
func (b *Builder) read(text []byte, leaves int) ([]byte, error) {
	kind, size := binary.Uvarint(text)
	if size <= 0 || size == len(text) || kind > MaxColumns {
		return nil, weightfile.Wrong("node %d is cut short or has no column", len(b.forest.nodes))
	}
	text = text[size:]
	if kind > 0 {
		return text[1:], b.split(int(kind)-1, text[0])
	}
	number, size := binary.Uvarint(text)
	if size <= 0 || number >= uint64(leaves) {
		return nil, weightfile.Wrong("node %d has no leaf of the %d", len(b.forest.nodes), leaves)
	}
	return text[size:], b.leaf(uint32(number))
}
