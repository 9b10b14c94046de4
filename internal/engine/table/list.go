package table

import "slices"

// List is a list of a value that grows: With returns another list, and changes nothing that anybody sees. It copies only if the list has
// already grown to another one. Lists that come from one another belong to one goroutine at a time. The zero List is empty.
type List[T any] struct {
	items []T
	used  *int // how many places after the first items are taken
}

// With returns the list with one more.
func (l List[T]) With(one T) List[T] {
	if l.used == nil || *l.used != len(l.items) {
		l.items, l.used = slices.Clip(l.items), new(int)
	}
	l.items = append(l.items, one)
	*l.used = len(l.items)
	return l
}

// All returns the list. It must not be changed.
func (l List[T]) All() []T { return slices.Clip(l.items) }

// Len returns how many there are.
func (l List[T]) Len() int { return len(l.items) }
