package computation

// Slot is the right to use a core. It stores objects that are expensive to create, such as the table of a search, for its users. Only
// one computation uses it at a time, so it needs no lock.
type Slot struct{ tools map[any]any }

// Tool returns the object that the slot stores for the key, which must be comparable. At the first call, create creates it.
func Tool[T any](s *Slot, key any, create func() T) T {
	if tool, ok := s.tools[key].(T); ok {
		return tool
	}
	tool := create()
	if s.tools == nil {
		s.tools = map[any]any{}
	}
	s.tools[key] = tool
	return tool
}
