package record

import (
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// What editors, mail and spreadsheets make of plain text is read as what was typed: other spaces, curly quotes, long dashes, letters of
// full width, and characters that nobody sees.

// isSpace reports whether a character stands between words: a space, a tab, or one of the spaces that text programs put.
func isSpace(c rune) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == 0xa0 || c >= 0x2000 && c <= 0x200a || c == 0x202f || c == 0x205f || c == 0x3000 ||
		isHidden(c)
}

// isHidden reports whether a character has no width: a soft hyphen, a joiner, a mark of direction or of the order of bytes.
func isHidden(c rune) bool {
	return c == 0xad || c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c == 0x2060 || c == 0xfeff
}

// quotes are the characters that text programs put for a quote.
const quotes = "\"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02"

// plainWord returns a word as it was typed.
func plainWord(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if ascii {
		return text
	}
	return strings.Map(func(c rune) rune {
		switch {
		case isHidden(c):
			return -1
		case c >= 0x2010 && c <= 0x2015, c == 0x2212:
			return '-'
		case strings.ContainsRune(quotes, c):
			return '"'
		case c >= 0xff01 && c <= 0xff5e: // full width
			return c - 0xff01 + '!'
		}
		return c
	}, text)
}

// withLines returns a text in which every line ends with a line feed: a carriage return alone ends a line too.
func withLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	b := []byte(text)
	for i := range b {
		if b[i] == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return string(b)
}

// unreadable says why a text cannot be read at all: it is not in UTF-8. ok is true for any other.
func unreadable(text string) (at int, v violation.Violation, ok bool) {
	switch {
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"), strings.Count(text, "\x00") > len(text)/3:
		return 0, violation.New(violation.WrongForm, "is UTF-16: save it as UTF-8"), false
	case !utf8.ValidString(text):
		for r, size := utf8.DecodeRuneInString(text); r != utf8.RuneError || size != 1; r, size = utf8.DecodeRuneInString(text[at:]) {
			at += size
		}
		return at, violation.New(violation.WrongForm, "is not UTF-8: save it as UTF-8"), false
	}
	return 0, v, true
}

// tidy makes the words of the tags of a game what this format has: commas stand between words, the number of a trick stands before its
// cards in Play and Auction, and ? is a tag whose words are not known.
func (kind *Kind) tidy(r *Record) {
	kept := r.Fields[:0]
	for _, f := range r.Fields {
		if kind.has(f.Name) {
			for _, w := range f.Words {
				if strings.ContainsAny(w.Text, ",.") {
					f.Words = tidied(f)
					break
				}
			}
			if len(f.Words) == 1 && f.Words[0].Text == "?" {
				continue
			}
		}
		kept = append(kept, f)
	}
	r.Fields = kept
}

func tidied(f Field) (words []Word) {
	numbered := f.Name == "Play" || f.Name == "Auction"
	for _, w := range f.Words {
		at := w.At
		for text := range strings.SplitSeq(w.Text, ",") {
			plain, from := text, at
			if numbered {
				plain = withoutNumber(text)
				from += len(text) - len(plain)
			}
			if plain != "" {
				words = append(words, Word{plain, from})
			}
			at += len(text) + 1
		}
	}
	return words
}

// withoutNumber returns a word without the number of a trick before it, such as 12. or 12...
func withoutNumber(text string) string {
	rest := strings.TrimLeft(text, "0123456789")
	if digits := len(text) - len(rest); digits == 0 || digits > 2 || !strings.HasPrefix(rest, ".") {
		return text
	}
	return strings.TrimLeft(rest, ".")
}
