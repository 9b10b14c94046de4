package computation

// Slot is the right to use a core. It keeps what its holders need each time and what is expensive to make, such as the table of
// a search. One computation has it at a time, so it needs no lock.
type Slot struct{ tools map[any]any }

// Tool returns what the slot keeps under the key, which must be comparable. create makes it when it is first needed.
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
