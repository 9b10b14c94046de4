package klaverjas

import (
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
)

// plainRequest is what readPlain has read: a Position, and the goal where there is one.
type plainRequest struct {
	api.Position
	goal *api.Goal
}

// readPlain reads a Position, and a goal beside it, out of a body that is written as nearly every body is: in ASCII without
// escapes, every name known and given once, every value of its type, of the rules at most the system. Of any other body,
// which may be good or bad, it reports false, and decode finds out. What it reads is what decode would, some fifty times
// as fast; FuzzPlain compares them.
func readPlain(body []byte) (out plainRequest, ok bool) {
	r := plainReader{rest: string(body)}
	given := 0
	for name, more := r.field('{'); more; name, more = r.field(',') {
		var bit int
		switch name {
		case "trump":
			bit, out.Trump = 1, r.short()
		case "leader":
			bit, out.Leader = 2, r.short()
		case "declarer":
			declarer := r.short()
			bit, out.Declarer = 4, &declarer
		case "deal":
			index := r.string()
			if !decimal(index) {
				return out, false
			}
			bit, out.Deal = 8, &index
		case "hands":
			bit, out.Hands = 16, r.hands()
		case "played":
			played := r.cards()
			bit, out.Played = 32, &played
		case "rules":
			bit, out.Rules = 64, r.system()
		case "goal":
			goal := api.Goal(r.string())
			if !goal.Valid() {
				return out, false
			}
			bit, out.goal = 128, &goal
		default:
			return out, false
		}
		if r.failed || given&bit != 0 {
			return out, false
		}
		given |= bit
	}
	return out, !r.failed && given&3 == 3 && r.end()
}

// plainReader reads JSON from the start of rest. Once it has failed, nothing that it returns means anything.
type plainReader struct {
	rest   string
	failed bool
}

// longestShort is the maxLength of words and cards in the contract.
const longestShort = 32

func (r *plainReader) space() {
	for i := range len(r.rest) {
		switch r.rest[i] {
		case ' ', '\n', '\t', '\r':
		default:
			r.rest = r.rest[i:]
			return
		}
	}
	r.rest = ""
}

// next takes the byte that follows, if it is this one.
func (r *plainReader) next(b byte) bool {
	r.space()
	if r.rest == "" || r.rest[0] != b {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *plainReader) expect(b byte) {
	if !r.next(b) {
		r.failed = true
	}
}

// field reads as far as the value of the next field: before is what stands before its name, { for the first and a comma
// for the others. After the last it takes the } and reports false.
func (r *plainReader) field(before byte) (name string, more bool) {
	if r.failed {
		return "", false
	}
	if !r.next(before) {
		if before == '{' {
			r.failed = true
		} else {
			r.expect('}')
		}
		return "", false
	}
	if before == '{' && r.next('}') {
		return "", false
	}
	name = r.string()
	r.expect(':')
	return name, !r.failed
}

// string reads a string of printable ASCII without escapes.
func (r *plainReader) string() string {
	r.expect('"')
	if r.failed {
		return ""
	}
	end := strings.IndexByte(r.rest, '"')
	if end < 0 {
		r.failed = true
		return ""
	}
	text := r.rest[:end]
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' || text[i] == '\\' {
			r.failed = true
			return ""
		}
	}
	r.rest = r.rest[end+1:]
	return text
}

// short reads a word or a card.
func (r *plainReader) short() string {
	text := r.string()
	if len(text) > longestShort {
		r.failed = true
	}
	return text
}

// cards reads a list of cards.
func (r *plainReader) cards() []string {
	r.expect('[')
	if r.failed || r.next(']') {
		return []string{}
	}
	list := make([]string, 0, klaverjas.HandSize)
	for {
		list = append(list, r.short())
		if r.failed || !r.next(',') {
			break
		}
	}
	r.expect(']')
	return list
}

// hands reads the four hands.
func (r *plainReader) hands() *api.HandsInput {
	var out api.HandsInput
	for name, more := r.field('{'); more; name, more = r.field(',') {
		var hand *api.HandInput
		switch name {
		case "N":
			hand = &out.N
		case "E":
			hand = &out.E
		case "S":
			hand = &out.S
		case "W":
			hand = &out.W
		}
		if hand == nil || *hand != nil {
			r.failed = true
			break
		}
		*hand = r.cards()
	}
	if out.N == nil || out.E == nil || out.S == nil || out.W == nil {
		r.failed = true
	}
	return &out
}

// system reads rules of which nothing is given but the system, or nothing at all.
func (r *plainReader) system() *api.RulesInput {
	var out api.RulesInput
	for name, more := r.field('{'); more; name, more = r.field(',') {
		system := api.System(r.string())
		if name != "system" || out.System != nil || !system.Valid() {
			r.failed = true
			break
		}
		out.System = &system
	}
	return &out
}

// end reports whether nothing follows.
func (r *plainReader) end() bool {
	r.space()
	return r.rest == ""
}
