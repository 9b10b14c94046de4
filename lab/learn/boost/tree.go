package boost

// tree holds the nodes of a tree. The first node is the root.
type tree []node

// node is a split or a leaf.
//
//	threshold  rows whose code in the column is at most split go to node next, others to node next+1
//	category   rows whose code is a bit of split go to node next
//	leaf       the column is leafColumn
type node struct {
	value    float64 // of a leaf
	next     uint32
	column   uint8
	split    uint8
	category bool
}

const leafColumn = 255

// leftOf reports whether rows with the code go to the left node.
func (n *node) leftOf(code uint8) bool {
	if n.category {
		return n.split>>(code&7)&1 != 0
	}
	return code <= n.split
}

func (t tree) predict(row []uint8) float64 {
	n := &t[0]
	for n.column != leafColumn {
		next := n.next
		if !n.leftOf(row[n.column]) {
			next++
		}
		n = &t[next]
	}
	return n.value
}
