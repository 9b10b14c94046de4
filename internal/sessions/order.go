package sessions

import (
	"container/heap"
	"container/list"
)

// ends holds sessions in the order in which they end when there are too many: those that are finished, then the others, each the least
// recently changed first.
type ends struct{ finished, others list.List }

func (e *ends) len() int { return e.finished.Len() + e.others.Len() }

// push adds a session that was changed after all others.
func (e *ends) push(k *kept) *list.Element {
	if k.finished {
		return e.finished.PushBack(k)
	}
	return e.others.PushBack(k)
}

func (e *ends) remove(one *list.Element) {
	e.finished.Remove(one) // does nothing if it is in the other list
	e.others.Remove(one)
}

// first returns the session that ends first. There must be one.
func (e *ends) first() *kept {
	if front := e.finished.Front(); front != nil {
		return at(front)
	}
	return at(e.others.Front())
}

// before reports whether a session ends before another one.
func before(a, b *kept) bool {
	if a.finished != b.finished {
		return a.finished
	}
	return a.Expires.Before(b.Expires)
}

// group holds the sessions of a group of owners.
type group struct {
	ends
	index int // in the heap, from 1; 0 if it is not there
}

// groupHeap has the group at its front from which a session ends first: a largest one, and of these the one whose first session ends first.
type groupHeap []*group

func (h groupHeap) Len() int { return len(h) }

func (h groupHeap) Less(i, j int) bool { return h[i].less(h[i].len(), h[j]) }

// less reports whether a group that counts as one of the size n comes before another one.
func (g *group) less(n int, other *group) bool {
	if size := other.len(); n != size {
		return n > size
	}
	return before(g.first(), other.first())
}

// Swap swaps two groups.
func (h groupHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i+1, j+1
}

// Push adds a group.
func (h *groupHeap) Push(x any) {
	g, _ := x.(*group)
	*h = append(*h, g)
	g.index = len(*h)
}

// Pop removes the last group.
func (h *groupHeap) Pop() any {
	last := len(*h) - 1
	g := (*h)[last]
	(*h)[last], *h = nil, (*h)[:last]
	g.index = 0
	return g
}

// fix moves a group to its place after a change of its sessions. A group without sessions is removed.
func (h *groupHeap) fix(g *group) {
	switch {
	case g.index == 0:
		heap.Push(h, g)
	case g.len() == 0:
		h.drop(g)
	default:
		heap.Fix(h, g.index-1)
	}
}

// drop removes a group without sessions, which cannot be compared with others.
func (h *groupHeap) drop(g *group) {
	i, last := g.index-1, len(*h)-1
	if i != last {
		h.Swap(i, last)
	}
	h.Pop()
	if i != last {
		heap.Fix(h, i)
	}
}

// firstWith returns the session that ends first when one is added to a group, nil for a new group. There must be a session.
func (h groupHeap) firstWith(g *group) *kept {
	if largest := h[0]; g == nil || !g.less(g.len()+1, largest) {
		return largest.first()
	}
	return g.first()
}
