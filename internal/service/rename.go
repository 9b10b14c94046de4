package service

import (
	"bytes"
	"slices"

	"roem/internal/engine/violation"
)

// renaming is the name of a field that a body has in another word, in quotes from one byte to another.
type renaming struct {
	from, to int
	name     string
}

// rename returns the name of a field of an object with words, and the names given so far. The name was read after an offset. If it is
// another word, the walk keeps what stands for it. Two words for one field are an error.
func (w *walk) rename(s *Shape, name string, after int64, given []string) (string, []string, error) {
	meant := s.named(name)
	switch {
	case meant == "":
		return name, given, nil
	case slices.Contains(given, meant):
		return "", nil, Refused(violation.New(violation.GivenTwice, "is given twice, once as %s", meant).At(string(w.in.StackPointer())))
	case meant != name:
		from := int(after) + bytes.IndexByte(w.body[after:], '"') // after the last value there may be white space and a comma
		w.names = append(w.names, renaming{from, int(w.in.InputOffset()), meant})
	}
	return meant, append(given, meant), nil
}

// renamed returns the body with the names of the contract.
func (w *walk) renamed(body []byte) []byte {
	if len(w.names) == 0 {
		return body
	}
	out, at := make([]byte, 0, len(body)), 0
	for _, n := range w.names {
		out = append(append(append(append(out, body[at:n.from]...), '"'), n.name...), '"')
		at = n.to
	}
	return append(out, body[at:]...)
}
