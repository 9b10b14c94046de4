package record

import (
	"errors"
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// Hand is a hand of a game, finished or not.
type Hand interface {
	// Fields returns the fields in the order in which they are written. Equal hands have equal fields.
	Fields() []Field
	// Object returns what is written as JSON.
	Object() any
}

// Kind is what the records of a game mean.
type Kind struct {
	Name   string             // in lower case
	Others []string           // other names of the game, in lower case
	Tags   []string           // the tags that have words; all others have free text
	Read   func(*Fields) Hand // reads a record; what is wrong is told to the fields
	// FromJSON returns the fields of a hand in JSON.
	FromJSON func(raw []byte) (Record, error)
}

// Foreign is a format of other programs that is read and not written.
type Foreign struct {
	Line   func(line string) bool // whether a line is a record of the format; nil if it is not one of lines
	Object func(raw []byte) bool  // whether a JSON object is; nil if it is not one of JSON
	Read   func(text string, at int) (Record, *Error)
}

// Kinds are the games whose records are read.
type Kinds struct {
	Kinds   []*Kind
	Foreign []Foreign
	Most    int // records of a text; 0 for MaxRecords
}

// most returns how many records a text may have.
func (k *Kinds) most() int {
	if k.Most > 0 {
		return k.Most
	}
	return MaxRecords
}

// Games returns the names of the games.
func (k *Kinds) Games() (out []string) {
	for _, kind := range k.Kinds {
		out = append(out, kind.Name)
	}
	return out
}

// kind returns the kind of a game, whose name may be in either case.
func (k *Kinds) kind(name string) *Kind {
	name = strings.ToLower(name)
	for _, kind := range k.Kinds {
		if kind.Name == name || slices.Contains(kind.Others, name) {
			return kind
		}
	}
	return nil
}

// read returns the hand of a record, or what is wrong with it, in the memory of the scanner.
func (kind *Kind) read(r *Record, s *scanner) (Hand, Errors) {
	f := &s.reading
	kind.tidy(r)
	*f = Fields{record: r, kind: kind, cards: s.cards}
	hand := kind.Read(f)
	if len(f.wrong) == 0 && f.Has(checkTag) {
		w, ok := f.One(checkTag)
		if want := checkOf(hand.Fields()); ok && !strings.EqualFold(w.Text, want) {
			f.Wrong(w.At, checkTag, violation.New(violation.Contradicts,
				"%s is not the check of this record, which is %s: the record was changed or damaged; without this tag it is read as it is",
				quote(w.Text), want).Of(w.Text).OneOf(want))
		}
	}
	if len(f.wrong) > 0 {
		return nil, f.wrong
	}
	return hand, nil
}

// checkTag has a number by which a reader finds that a record was damaged.
const checkTag = "Check"

// Fields are the fields of a record while a game reads them.
type Fields struct {
	record *Record
	kind   *Kind
	cards  map[any]any // of all records of the text: a map[string]reading[C] for each *Deck[C]
	wrong  Errors
}

// OK reports whether nothing was wrong so far.
func (f *Fields) OK() bool { return len(f.wrong) == 0 }

// Has reports whether the record has a tag.
func (f *Fields) Has(name string) bool { return f.record.Find(name) != nil }

// Words returns the words of a tag; none if the record does not have it.
func (f *Fields) Words(name string) []Word {
	if field := f.record.Find(name); field != nil {
		return field.Words
	}
	return nil
}

// Drop removes the first word of a tag that has one.
func (f *Fields) Drop(name string) {
	if field := f.record.Find(name); field != nil {
		field.Words = field.Words[1:]
	}
}

// At returns the place of a tag, or of the record.
func (f *Fields) At(name string) int {
	if field := f.record.Find(name); field != nil {
		return field.At
	}
	return f.record.At
}

// Wrong adds what is wrong at a place of a tag.
func (f *Fields) Wrong(at int, tag string, v violation.Violation) {
	if len(f.wrong) < maxErrors {
		f.wrong = append(f.wrong, Wrong(at, tag, v))
	}
}

// Refuse adds an error of the engine at a place of a tag, if there is one. It reports whether there was none.
func (f *Fields) Refuse(at int, tag string, err error) bool {
	if err == nil {
		return true
	}
	list := violation.Of("", err)
	if len(list) == 0 {
		list = violation.List{violation.New(violation.CannotBe, "%s", err)}
	}
	for _, v := range list {
		if v.Pointer != "" { // the place of a request says which of several things is meant
			v.Detail = strings.ReplaceAll(strings.TrimPrefix(v.Pointer, "/"), "/", " ") + " " + v.Detail
		}
		f.Wrong(at, tag, v)
	}
	return false
}

// One returns the only word of a tag. ok is false if the record does not have the tag, or has it without a word or with several.
func (f *Fields) One(name string) (w Word, ok bool) {
	words := f.Words(name)
	if len(words) == 1 {
		return words[0], true
	}
	if f.Has(name) {
		f.Wrong(f.At(name), name, violation.New(violation.WrongCount, "has %d words, expected one", len(words)).Of(len(words)).Between(1, 1))
	}
	return w, false
}

// Need says that a tag is missing, if it is.
func (f *Fields) Need(name string) bool {
	if f.Has(name) {
		return true
	}
	f.Wrong(f.record.At, name, violation.New(violation.Missing, "the record that begins here does not have this tag"))
	return false
}

// Parse reads the only word of a tag. ok is false if there is none, or if it is wrong.
func Parse[T any](f *Fields, name string, parse func(string) (T, error)) (out T, ok bool) {
	w, ok := f.One(name)
	if !ok {
		return out, false
	}
	out, err := parse(w.Text)
	return out, f.Refuse(w.At, name, err)
}

// Free returns the tags with free text, in the order of the record.
func (f *Fields) Free() (tags []Tag) {
	for _, field := range f.record.Fields {
		if field.Name == "Game" || f.kind.has(field.Name) {
			continue
		}
		value := field.Value
		if value == "" && len(field.Words) > 0 { // rows below a tag that the game does not know
			texts := make([]string, len(field.Words))
			for i, w := range field.Words {
				texts[i] = w.Text
			}
			value = strings.Join(texts, " ")
		}
		tags = append(tags, Tag{field.Name, value})
	}
	return tags
}

func (kind *Kind) has(tag string) bool {
	return tag == checkTag || slices.Contains(kind.Tags, tag)
}

// FreeFields returns the fields of tags with free text.
func FreeFields(tags []Tag) (out []Field) {
	for _, t := range tags {
		out = append(out, Text(t.Name, t.Value))
	}
	return out
}

// Unfinished is the result of a hand that is not finished.
const Unfinished = "*"

// Check compares the tag Result with the result that follows from the rest, nil if the hand is not finished. begun says that cards were
// played or calls made: such a record has a result, so that a text that was cut off is not taken for a hand that is not finished.
func (f *Fields) Check(want []string, begun bool) {
	const name = "Result"
	words := f.Words(name)
	switch {
	case len(words) == 0 && want == nil && begun && !f.record.Loose:
		f.Wrong(f.record.At, name, violation.New(violation.Missing,
			`the hand is not finished, and the record that begins here has no result: expected [Result "%s"]`, Unfinished))
		return
	case len(words) == 0:
		return
	case want == nil:
		want = []string{Unfinished}
	}
	text := strings.Join(want, " ")
	for i, w := range words {
		if i >= len(want) || !strings.EqualFold(w.Text, want[i]) {
			f.Wrong(w.At, name, violation.New(violation.Contradicts, "%s contradicts the rest of the record: expected %s", quote(w.Text),
				quote(text)).Of(w.Text).OneOf(text))
			return
		}
	}
	if len(words) < len(want) {
		f.Wrong(words[len(words)-1].At, name, violation.New(violation.TooFew, "ends too early: expected %s", quote(text)).OneOf(text))
	}
}

// ResultField returns the field of a result, which is nil if the hand is not finished, and none if nothing has begun.
func ResultField(result []string, begun bool) []Field {
	switch {
	case result != nil:
		return []Field{Row("Result", result...)}
	case begun:
		return []Field{Row("Result", Unfinished)}
	}
	return nil
}

// AsErrors returns the errors in an error of Read.
func AsErrors(err error) (Errors, bool) { return errors.AsType[Errors](err) }

// Replay reads what was done, an act in each word of a tag, from a state on. do reads a word and makes its act. What is wrong is told at
// its word, and ends the reading.
func Replay[S, A any](f *Fields, tag string, s S, do func(s S, w Word) (A, S, error)) (acts []A, end S) {
	for _, w := range f.Words(tag) {
		a, next, err := do(s, w)
		if !f.Refuse(w.At, tag, err) {
			break
		}
		acts, s = append(acts, a), next
	}
	return acts, s
}
