// Package bound says how much memory a request may take outside a slot, and finds bodies that would take more.
//
// Outside a slot a request may use PerByte bytes of memory for each byte of its body, and Always whatever its body is. All that reads
// bodies keeps to this, whatever is in them: lists of nothing, objects of nothing, texts that are bodies themselves. The time follows: what
// takes little memory and looks at each byte a fixed number of times takes little time. The tests TestAllocated… of package handlers assert
// the bound.
package bound

// The bound: bytes of memory for a byte of a body, and for any body.
const (
	PerByte = 20
	Always  = 192 << 10
)

// What decoding JSON by its type may take for a value that needs few bytes: for an object, for a list, and for anything that a comma
// separates. What follows many commas takes more: Go lists grow by parts, so that a long one takes several times its memory, and the names
// of an object with many fields are kept in a map to find one that is given twice.
const (
	ofObject = 200
	ofList   = 100
	ofItem   = 40
	ofMany   = 160
	many     = 64
	maxDepth = 32 // of what may be read by its type
)

// Crowded reports whether JSON could take more memory than it may if it is read by its type before it is checked: it may have lists that
// are too long, of values that are not complete. free is how much it may take if it is short. No valid request and no valid hand is
// crowded.
func Crowded(body []byte, free int) bool {
	if len(body) <= free/ofObject { // most bodies
		return false
	}
	left := max(free, PerByte*3/4*len(body))
	depth, commas := 0, [maxDepth]int{} // of each object and list that is open
	for i := 0; i < len(body) && left >= 0; i++ {
		switch body[i] {
		case '"':
			i = endOfText(body, i)
		case '{':
			left -= ofObject - ofList
			fallthrough
		case '[':
			if depth++; depth == maxDepth {
				return true
			}
			left, commas[depth] = left-ofList, 0
		case '}', ']':
			depth = max(0, depth-1)
		case ',':
			if commas[depth]++; commas[depth] > many {
				left -= ofMany - ofItem
			}
			left -= ofItem
		}
	}
	return left < 0
}

// endOfText returns where the text ends that begins at the quote: its last quote, or the end of what is not JSON.
func endOfText[T ~string | ~[]byte](body T, at int) int {
	for at++; at < len(body) && body[at] != '"'; at++ {
		if body[at] == '\\' {
			at++
		}
	}
	return at
}

// EndOfValue returns where the list or the object ends that begins at the bracket or the brace, by counting brackets. It is len(body) for
// one that does not end. What lies between may be no JSON.
func EndOfValue[T ~string | ~[]byte](body T, at int) int {
	for depth := 0; at < len(body); at++ {
		switch body[at] {
		case '"':
			at = endOfText(body, at)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return at + 1
			}
		}
	}
	return len(body)
}
