// Package record reads and writes records of hands, as docs/reference/record-format.md defines them: text with tags in the manner of PBN,
// a form of one line, and JSON. It knows no game. A game says with a Kind what its tags mean.
//
// A record is a list of fields. A field is a tag with words: the words in its quotes, and the words of the rows that follow it.
package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// The limits of what is read. They bound the lists that a text makes.
const (
	MaxFields  = 100    // tags of a record
	MaxWords   = 10_000 // words of a field
	MaxRecords = 1_000  // records of a text
	maxErrors  = 20     // after which reading stops
)

// Word is a word of a field.
type Word struct {
	Text string
	At   int // the offset in the text; a field that was not read from text has the offset of its record
}

// Field is a tag with its words.
type Field struct {
	Name  string
	Value string // what stands in the quotes
	Words []Word
	At    int
}

// Row returns a field of words.
func Row(name string, words ...string) Field {
	f := Field{Name: name}
	f.Add(words...)
	return f
}

// Rows returns a field without words, with room for n of them.
func Rows(name string, n int) Field { return Field{Name: name, Words: make([]Word, 0, n)} }

// Text returns a field of free text.
func Text(name, value string) Field { return Field{Name: name, Value: value} }

// Add adds words.
func (f *Field) Add(words ...string) {
	f.Words = slices.Grow(f.Words, len(words))
	for _, w := range words {
		f.Words = append(f.Words, Word{Text: w})
	}
}

// Record is the fields of one hand, in the order of the text.
type Record struct {
	Game   string // in lower case, as it is written
	Fields []Field
	At     int
	Loose  bool // a hand that is not finished needs no result: JSON cannot be cut off
}

// Find returns the field with a name, nil if there is none.
func (r *Record) Find(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}

// Error says what is wrong with a text, and where.
type Error struct {
	At, Line, Column int    // the offset in bytes; the line and the column from 1, in characters
	Tag              string // "" for none
	Violation        violation.Violation
}

// Error returns the place and what is wrong.
func (e *Error) Error() string {
	tag := ""
	if e.Tag != "" {
		tag = e.Tag + ": "
	}
	return fmt.Sprintf("line %d, column %d: %s%s", e.Line, e.Column, tag, e.Violation.Error())
}

// Unwrap returns the violation.
func (e *Error) Unwrap() error { return e.Violation }

// Errors are all errors of a text, at least one.
type Errors []*Error

// Error lists the errors.
func (l Errors) Error() string {
	texts := make([]string, len(l))
	for i, e := range l {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "; ")
}

// Wrong returns an error at a word, without its line.
func Wrong(at int, tag string, v violation.Violation) *Error {
	v.Pointer = ""
	return &Error{At: at, Tag: tag, Violation: v}
}

// place sets the lines and columns of the errors of a text.
func (l Errors) place(text string) {
	for _, e := range l {
		at := max(min(e.At, len(text)), 0)
		before := text[:at]
		e.Line = 1 + strings.Count(before, "\n")
		e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
}

// Tag is a tag with free text: the name of a player, an event, a date.
type Tag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// quote quotes a part of a text for an error.
func quote(text string) string {
	const most = 24
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return fmt.Sprintf("%q...", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}
