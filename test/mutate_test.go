package test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
)

// mutator changes valid requests: bytes, JSON values, cards.
type mutator struct {
	rng      *rand.Rand
	others   [][]byte  // bodies to splice with
	redeals  int       // one in redeals bodies gets another deal, which may be solved
	accepted *sync.Map // the locations of the jobs that answers have named, nil if they are not needed
}

func (m *mutator) pick(n int) int { return m.rng.IntN(n) }

// body returns a changed copy of a body.
func (m *mutator) body(valid []byte) []byte {
	b := bytes.Clone(valid)
	if m.pick(m.redeals) == 0 {
		return m.redeal(b)
	}
	for range 1 + m.pick(3) {
		if m.pick(2) == 0 {
			b = m.bytes(b)
		} else {
			b = m.values(b)
		}
	}
	return b
}

// bytes changes text as a broken client or connection does.
func (m *mutator) bytes(b []byte) []byte {
	if len(b) == 0 {
		return m.noise(1 + m.pick(64))
	}
	at := m.pick(len(b))
	to := at + m.pick(len(b)-at) + 1
	switch m.pick(8) {
	case 0:
		b[at] ^= 1 << m.pick(8)
	case 1:
		return append(b[:at:at], b[to:]...) // a part is lost
	case 2:
		return append(b[:to:to], b[at:]...) // a part is repeated
	case 3:
		return append(append(b[:at:at], m.noise(1+m.pick(32))...), b[at:]...)
	case 4:
		return b[:at]
	case 5:
		other := m.others[m.pick(len(m.others))]
		return append(b[:at:at], other[m.pick(len(other)+1):]...)
	case 6:
		const special = "{}[]\",:\\\x00\x7f\xff\xc0\xed\xa0\x80-+.eE0 \n\t/*"
		b[at] = special[m.pick(len(special))]
	case 7:
		// Digits and letters are exchanged.
		const letters = "7890JQKATCDHSNEWjqkat1x"
		for range 1 + m.pick(4) {
			b[m.pick(len(b))] = letters[m.pick(len(letters))]
		}
	}
	return b
}

// redeal exchanges cards. The result is another deal or, sometimes, has an illegal play.
func (m *mutator) redeal(b []byte) []byte {
	at := cardText.FindAllIndex(b, -1)
	if len(at) < 2 {
		return m.bytes(b)
	}
	for range 1 + m.pick(8) {
		one, other := at[m.pick(len(at))], at[m.pick(len(at))]
		if one[1]-one[0] == other[1]-other[0] { // all cards except the tens have the same length
			card := bytes.Clone(b[one[0]:one[1]])
			copy(b[one[0]:one[1]], b[other[0]:other[1]])
			copy(b[other[0]:other[1]], card)
		}
	}
	return b
}

// cardText matches a card in JSON.
var cardText = regexp.MustCompile(`"(10|[7-9JQKA])[CDHS]"`)

func (m *mutator) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.rng.Uint64())
	}
	return b
}

// values changes the body as a defective program does: the result is JSON, but not what is expected.
func (m *mutator) values(b []byte) []byte {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return m.bytes(b)
	}
	count := 0
	walk(v, func(any) any { count++; return nil }, nil)
	target, n := m.pick(count), 0
	v = walk(v, nil, func(old any) (any, bool) {
		n++
		if n-1 != target {
			return old, false
		}
		return m.hostile(old), true
	})
	out, err := json.Marshal(v)
	if err != nil {
		return b
	}
	return out
}

// walk calls visit with every value, first with the whole, and replaces values by the results of change.
func walk(v any, visit func(any) any, change func(any) (any, bool)) any {
	if visit != nil {
		visit(v)
	}
	if change != nil {
		if changed, ok := change(v); ok {
			return changed
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = walk(inner, visit, change)
		}
	case []any:
		for i, inner := range v {
			v[i] = walk(inner, visit, change)
		}
	}
	return v
}

// hostile returns a replacement for a value.
func (m *mutator) hostile(old any) any {
	switch old := old.(type) {
	case map[string]any:
		switch m.pick(4) {
		case 0:
			for name := range old {
				delete(old, name)
				return old
			}
		case 1:
			old[m.text()] = m.scalar()
			return old
		}
	case []any:
		switch m.pick(5) {
		case 0:
			m.rng.Shuffle(len(old), func(i, j int) { old[i], old[j] = old[j], old[i] })
			return old
		case 1:
			if len(old) > 0 {
				return append(old, old[m.pick(len(old))])
			}
		case 2:
			if len(old) > 0 {
				return old[:m.pick(len(old))]
			}
		case 3:
			return append(old, m.scalar())
		}
	case string:
		switch m.pick(4) {
		case 0:
			const faces, suits = "7 8 9 10 J Q K A T 1", "C D H S ♠ ♥"
			f, s := strings.Fields(faces), strings.Fields(suits)
			return f[m.pick(len(f))] + s[m.pick(len(s))]
		case 1:
			return string(m.bytes([]byte(old)))
		}
	case float64:
		return []any{old + 1, -old, old * 1e18, old + 0.5}[m.pick(4)]
	}
	return m.scalar()
}

func (m *mutator) text() string {
	return []string{
		"", "a", "N", "rules", "goal", "__proto__", "constructor", "\x00", "♠", "\u202e", strings.Repeat("A", 3000),
		"'; DROP TABLE jobs; --", "../../etc/passwd", "${jndi:ldap://x}", "%s%n", "1e5", "-1", "99561092450391000", "0x10", "１",
	}[m.pick(20)]
}

func (m *mutator) scalar() any {
	switch m.pick(8) {
	case 0:
		return nil
	case 1:
		return m.pick(2) == 0
	case 2:
		return []any{0, -1, 1, 10, 32, 1e18, -1e18, 0.1, 1e308, 9007199254740993}[m.pick(10)]
	case 3:
		var deep any = []any{}
		for range m.pick(40) {
			deep = []any{deep}
		}
		return deep
	case 4:
		return map[string]any{m.text(): m.text()}
	case 5:
		return []any{m.text(), m.text()}
	}
	return m.text()
}

// segment returns a replacement for a part of a path or of a query.
func (m *mutator) segment(valid string) string {
	switch m.pick(4) {
	case 0:
		return m.text()
	case 1:
		return string(m.noise(1 + m.pick(20)))
	}
	return string(m.bytes([]byte(valid)))
}
