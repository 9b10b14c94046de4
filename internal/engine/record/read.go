package record

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// LinePrefix begins a record of one line. Its number is the version of the format.
const LinePrefix = "roem1:"

// names are the tags by their names in lower case, English and Dutch.
var names = func() map[string]string {
	out := map[string]string{
		"spel": "Game", "regels": "Rules", "gever": "Dealer", "deler": "Dealer", "voorhand": "Leader", "uitkomst": "Leader", "troef": "Trump",
		"spelers": "Declarer", "kaarten": "Deal", "bieding": "Auction", "bieden": "Auction", "slagen": "Play", "gespeeld": "Play",
		"uitslag": "Result", "tabel": "Table", "noord": "North", "oost": "East", "zuid": "South", "datum": "Date", "plaats": "Site",
	}
	for _, name := range []string{
		"Game", "Rules", "Dealer", "Leader", "Trump", "Declarer", "Deal", "Auction", "Play", "Result", "Table", "North", "East", "South", "West",
		"Date", "Site", "Event", "Board", "Suits", "Threshold", "Flip", "Starter", "Upcard", "LayOffs", "LaidOff", "Contract",
		"Talon", "Group", "Discards", "Kontra", "Announcements", "Radli", checkTag,
	} {
		out[strings.ToLower(name)] = name
	}
	return out
}()

// scanner reads a text from its begin to its end. Every byte is looked at a fixed number of times.
type scanner struct {
	text   string
	at     int
	kinds  *Kinds
	hands  []Hand
	errors Errors
	cards  map[any]any // that were read, by their deck

	// The memory of one record, which the next one uses again.
	fields  []Field
	words   []Word
	reading Fields

	open  *Record        // the record under way in the form of tags
	seen  map[string]int // its tags, with their offsets
	begin int            // where the words of field begin in words
	field *Field         // to which rows are added
	blank bool           // an empty line came after the last tag or row of open
	full  bool           // there are as many hands as may be
	bad   bool           // open has an error: it is not told that it lacks a tag
}

// Read reads all hands of a text, in any mixture of the forms. Its error is Errors.
func (k *Kinds) Read(text string) ([]Hand, error) {
	if at, v, ok := unreadable(text); !ok {
		errs := Errors{Wrong(at, "", v)}
		errs.place(text)
		return nil, errs
	}
	text = withLines(text)
	s := scanner{text: text, kinds: k, cards: map[any]any{}, seen: map[string]int{}}
	s.skipMark()
	for len(s.errors) < maxErrors && !s.full && s.next() {
		continue
	}
	if len(s.errors) < maxErrors && !s.full {
		s.end()
	}
	if len(s.errors) == 0 && len(s.hands) == 0 {
		s.wrong(0, "", violation.New(violation.Missing, "has no record"))
	}
	if len(s.errors) > 0 {
		s.errors.place(text)
		return nil, s.errors
	}
	return s.hands, nil
}

func (s *scanner) skipMark() {
	if strings.HasPrefix(s.text, "\ufeff") {
		s.at = len("\ufeff")
	}
}

func (s *scanner) wrong(at int, tag string, v violation.Violation) {
	s.bad = true
	s.errors = append(s.errors, Wrong(at, tag, v))
}

// line returns the rest of the line at the offset, without its end.
func (s *scanner) line() string {
	rest := s.text[s.at:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(rest, "\r")
}

// skip moves to the end of the line.
func (s *scanner) skip() {
	if i := strings.IndexByte(s.text[s.at:], '\n'); i >= 0 {
		s.at += i
		return
	}
	s.at = len(s.text)
}

// next reads the next thing of the text: the end of a line, a comment, a tag, a word or a whole record. It reports whether there was one.
func (s *scanner) next() bool {
	start := s.at
	s.spaces()
	if s.at >= len(s.text) {
		return false
	}
	first := start == 0 || s.text[start-1] == '\n' || start == len("\ufeff") && strings.HasPrefix(s.text, "\ufeff")
	switch c := s.text[s.at]; {
	case c == '\n':
		s.at++
		if first {
			s.blank = true
		}
	case c == ';', c == '%' && first:
		s.skip()
	case c == '{' && s.open != nil && !s.json():
		s.comment()
	case c == '[' && !s.array():
		s.tag()
	case c == '{' || c == '[':
		s.end()
		s.value()
	case first && s.foreign():
	case strings.HasPrefix(s.text[s.at:], LinePrefix):
		s.end()
		s.oneLine()
	default:
		s.word()
	}
	return true
}

// json reports whether the brace at the offset begins JSON and not a comment: a quote or a brace follows it.
func (s *scanner) json() bool {
	rest := strings.TrimLeft(s.text[s.at+1:min(len(s.text), s.at+64)], " \t\r\n")
	return strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "}")
}

// array reports whether the bracket at the offset begins a list of JSON.
func (s *scanner) array() bool {
	rest := strings.TrimLeft(s.text[s.at+1:min(len(s.text), s.at+64)], " \t\r\n")
	return strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "]")
}

// comment skips a comment in braces.
func (s *scanner) comment() {
	if i := strings.IndexByte(s.text[s.at:], '}'); i >= 0 {
		s.at += i + 1
		return
	}
	s.wrong(s.at, "", violation.New(violation.WrongForm, "a comment begins here and does not end: expected }"))
	s.at = len(s.text)
}

// word adds a word to the field under way.
func (s *scanner) word() {
	end := len(s.text)
	if n := strings.IndexFunc(s.text[s.at:], endsWord); n >= 0 {
		end = s.at + n
	}
	w := Word{Text: s.text[s.at:end], At: s.at}
	switch {
	case s.field == nil, s.blank && len(s.field.Words) > 0:
		s.outside(w)
		return
	case len(s.field.Words) == MaxWords:
		s.tooMany(s.field, s.at)
	default:
		s.addWord(s.field, w)
	}
	s.at, s.blank = end, false
}

// outside refuses words that stand outside a record, with all lines up to the next tag, line or JSON.
func (s *scanner) outside(w Word) {
	bad := s.bad
	s.wrong(s.at, "", violation.New(violation.WrongForm, "%s stands outside a record: expected a tag such as [Game \"klaverjas\"], "+
		"a line that begins with %s, or JSON", quote(w.Text), LinePrefix).Of(w.Text))
	s.bad = bad // the record before it is read
	for {
		s.skip()
		line := strings.TrimLeft(s.text[s.at:], " \t\r\n")
		if line == "" {
			s.at = len(s.text)
			return
		}
		if strings.IndexByte("[{", line[0]) >= 0 || strings.HasPrefix(line, LinePrefix) {
			s.at = 1 + strings.LastIndexByte(s.text[:len(s.text)-len(line)], '\n')
			s.blank = true // a tag begins a new record
			return
		}
		s.at = len(s.text) - len(line)
	}
}

// endsWord reports whether a character ends a word of a row.
func endsWord(c rune) bool {
	return c == '\n' || c == ';' || c == '{' || c == '[' || isSpace(c) && !isHidden(c)
}

// addWord adds a word to a field, whose words are the last ones.
func (s *scanner) addWord(f *Field, w Word) {
	if w.Text = plainWord(w.Text); w.Text == "" {
		return
	}
	if len(f.Words) <= MaxWords {
		s.words = append(s.words, w)
		f.Words = s.words[s.begin:]
	}
}

// tooMany refuses the rest of a field.
func (s *scanner) tooMany(f *Field, at int) {
	s.wrong(at, f.Name, violation.New(violation.TooMany, "has more than %d words", MaxWords).Of(MaxWords+1).Between(0, MaxWords))
	f.Words = append(f.Words, Word{}) // it is told once
}

// tag reads a tag: a bracket, a name, a value in quotes that may be missing, a bracket.
func (s *scanner) tag() {
	if s.blank || s.open == nil {
		s.end()
	}
	s.blank = false
	at := s.at
	s.at++
	s.spaces()
	start := s.at
	for _, c := range s.text[start:] {
		if c < utf8.RuneSelf && !inName(byte(c)) || isSpace(c) && !isHidden(c) || strings.ContainsRune(quotes, c) {
			break
		}
		s.at += utf8.RuneLen(c)
	}
	name := plainWord(s.text[start:s.at])
	if s.open == nil {
		s.open, s.bad = &Record{At: at, Fields: s.fields[:0]}, false
		s.words = s.words[:0]
		clear(s.seen)
	}
	if !isName(name) {
		s.wrong(at, "", violation.New(violation.WrongForm, "a tag begins here without a name of at most %d letters: expected [Name \"value\"]",
			maxName))
		s.skip()
		return
	}
	if known, ok := names[strings.ToLower(name)]; ok {
		name = known
	}
	f := Field{Name: name, At: start}
	s.begin = len(s.words)
	s.spaces()
	if c, _ := utf8.DecodeRuneInString(s.text[s.at:]); strings.ContainsRune(quotes, c) && !s.quoted(&f) {
		return
	}
	s.spaces()
	if s.at >= len(s.text) || s.text[s.at] != ']' {
		s.wrong(at, name, violation.New(violation.WrongForm, "the tag does not end: expected ] after its value in quotes"))
		s.skip()
		return
	}
	s.at++
	s.add(f)
}

// maxName is how many bytes the name of a tag has at most.
const maxName = 64

func inName(c byte) bool { return c == '_' || c >= 0x80 || isAlnum(c) }

// isName reports whether a tag can have this name.
func isName(name string) bool {
	for i := range len(name) {
		if !inName(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= maxName
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func (s *scanner) spaces() {
	for s.at < len(s.text) {
		c, size := utf8.DecodeRuneInString(s.text[s.at:])
		if !isSpace(c) {
			return
		}
		s.at += size
	}
}

// quoted reads a value in quotes and its words. A backslash stands before a quote or a backslash. The value ends in its line: curly quotes
// with a curly or a straight one, straight quotes with a straight one.
func (s *scanner) quoted(f *Field) bool {
	start := s.at
	open, size := utf8.DecodeRuneInString(s.text[start:])
	ends := `"`
	if open != '"' {
		ends = quotes
	}
	var value strings.Builder
	value.Grow(max(strings.IndexByte(s.text[start+size:], '"'), 0))
	word := -1 // where the word under way begins in value
	begin := 0 // and in the text
	flush := func() {
		if word >= 0 && len(f.Words) == MaxWords {
			s.tooMany(f, begin)
		} else if word >= 0 {
			s.addWord(f, Word{Text: value.String()[word:], At: begin})
		}
		word = -1
	}
	for s.at = start + size; s.at < len(s.text); s.at += size {
		var c rune
		c, size = utf8.DecodeRuneInString(s.text[s.at:])
		switch {
		case strings.ContainsRune(ends, c):
			flush()
			f.Value = value.String()
			s.at += size
			return true
		case c == '\n':
			s.wrong(start, f.Name, violation.New(violation.WrongForm, "the value does not end in its line: expected a quote"))
			return false
		case isSpace(c) && !isHidden(c):
			flush()
		case word < 0:
			word, begin = value.Len(), s.at
		}
		if next := s.text[s.at+size:]; c == '\\' && next != "" && (next[0] == '"' || next[0] == '\\') {
			s.at++
			c = rune(next[0])
		}
		value.WriteRune(c)
	}
	s.wrong(start, f.Name, violation.New(violation.WrongForm, "the value does not end: expected a quote"))
	return false
}

// add adds a field to the record under way.
func (s *scanner) add(f Field) {
	switch _, twice := s.seen[f.Name]; {
	case twice:
		s.wrong(f.At, f.Name, violation.New(violation.GivenTwice,
			"the record has this tag already; an empty line stands between two records"))
	case len(s.open.Fields) == MaxFields:
		s.tooManyFields(f.At, f.Name)
	default:
		s.seen[f.Name] = f.At
		s.open.Fields = append(s.open.Fields, f)
		s.fields = s.open.Fields
		s.field = &s.fields[len(s.fields)-1]
		return
	}
	s.begin = len(s.words)
	s.field = &Field{Name: f.Name} // its rows are not outside a record
}

func (s *scanner) tooManyFields(at int, name string) {
	s.wrong(at, name, violation.New(violation.TooMany, "the record has more than %d tags", MaxFields).Of(MaxFields+1).Between(1, MaxFields))
}

// end ends the record under way, and reads its hand.
func (s *scanner) end() {
	open, bad := s.open, s.bad
	s.open, s.field, s.blank, s.bad = nil, nil, false, false
	if open == nil || bad {
		return
	}
	game := open.Find("Game")
	if game == nil {
		s.wrong(open.At, "Game", violation.New(violation.Missing,
			"the record that begins here has no tag Game; a tag after an empty line begins a new record"))
		return
	}
	open.Game = game.Value
	s.record(open)
}

// record reads the hand of a record.
func (s *scanner) record(r *Record) {
	kind := s.kinds.kind(r.Game)
	if kind == nil {
		at := r.At
		if game := r.Find("Game"); game != nil {
			at = game.At
		}
		s.wrong(at, "Game", violation.Word(r.Game, s.kinds.Games()...))
		return
	}
	hand, errs := kind.read(r, s)
	s.keep(hand, errs, r.At)
}

func (s *scanner) keep(hand Hand, errs Errors, at int) {
	switch {
	case len(errs) > 0:
		s.errors = append(s.errors, errs[:min(len(errs), maxErrors)]...)
	case len(s.hands) == s.kinds.most():
		most := s.kinds.most()
		s.wrong(at, "", violation.New(violation.TooMany, "is record %d, expected at most %d", most+1, most).Of(most+1).Between(1, most))
		s.full = true
	default:
		s.hands = append(s.hands, hand)
	}
}

// oneLine reads a record of one line: the game, and fields with = between name and value and ; before each.
func (s *scanner) oneLine() {
	line := s.text[s.at:]
	if i := strings.IndexAny(line, " \t\r\n"); i >= 0 {
		line = line[:i]
	}
	r := &Record{At: s.at, Fields: s.fields[:0]}
	s.words = s.words[:0]
	clear(s.seen)
	at := s.at + len(LinePrefix)
	defer func() { s.at += len(line) }()
	var rest string
	var more bool
	r.Game, rest, more = strings.Cut(line[len(LinePrefix):], ";")
	at += len(r.Game) + 1
	before := len(s.errors)
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ";")
		if part != "" {
			s.part(r, part, at)
		}
		at += len(part) + 1
		if len(s.errors) > before {
			return
		}
	}
	s.record(r)
}

// part reads a field of a record of one line.
func (s *scanner) part(r *Record, part string, at int) {
	name, value, ok := strings.Cut(part, "=")
	if known, found := names[strings.ToLower(name)]; found {
		name = known
	}
	switch _, twice := s.seen[name]; {
	case !ok || !isName(name):
		s.wrong(at, "", violation.New(violation.WrongForm, "%s is not a field: expected a name, = and a value", quote(part)).Of(part))
		return
	case twice:
		s.wrong(at, name, violation.New(violation.GivenTwice, "the record has this field already"))
		return
	case len(r.Fields) == MaxFields:
		s.tooManyFields(at, name)
		return
	}
	s.seen[name] = at
	plain, ok := unescape(value)
	if !ok || !utf8.ValidString(plain) {
		s.wrong(at, name, violation.New(violation.WrongForm, "has a %% without two hexadecimal digits after it, or is not UTF-8"))
		return
	}
	f := Field{Name: name, At: at, Value: plain}
	s.begin = len(s.words)
	from := at + len(part) - len(value)
	for text := range strings.SplitSeq(value, ".") {
		if len(f.Words) == MaxWords {
			s.tooMany(&f, from)
			return
		}
		if text != "" {
			word, _ := unescape(text) // a part of what was unescaped
			s.addWord(&f, Word{Text: word, At: from})
		}
		from += len(text) + 1
	}
	r.Fields = append(r.Fields, f)
	s.fields = r.Fields
}

// foreign reads a line of another format. It reports whether there was one.
func (s *scanner) foreign() bool {
	line := s.line()
	for _, f := range s.kinds.Foreign {
		if f.Line != nil && f.Line(line) {
			s.end()
			r, err := f.Read(line, s.at)
			s.at += len(line)
			s.imported(r, err)
			return true
		}
	}
	return false
}

func (s *scanner) imported(r Record, err *Error) {
	if err != nil {
		s.errors = append(s.errors, err)
		return
	}
	s.record(&r)
}

// unescape replaces % and two hexadecimal digits by the byte. ok is false if digits are missing.
func unescape(text string) (plain string, ok bool) {
	if strings.IndexByte(text, '%') < 0 {
		return text, true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if i+2 >= len(text) {
				return "", false
			}
			n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			c = byte(n)
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), true
}
