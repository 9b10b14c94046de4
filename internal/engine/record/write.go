package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// perRow is how many words a row has, of a field that does not say with a Break where rows end.
const perRow = 16

// Break ends a row of a field in the text. It is not a word.
const Break = "\n"

// Write returns the text of hands, with an empty line between them.
func Write(hands ...Hand) string {
	var b strings.Builder
	for i, h := range hands {
		if i > 0 {
			b.WriteByte('\n')
		}
		fields := h.Fields()
		for i := range fields {
			fields[i].write(&b)
		}
		check := Text(checkTag, checkOf(fields))
		check.write(&b)
	}
	return b.String()
}

// escape writes what stands in quotes.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")

// write writes a field: few words in quotes, more in rows.
func (f *Field) write(b *strings.Builder) {
	b.WriteString("[" + f.Name)
	rows := f.rows()
	if len(rows) <= 1 {
		value := f.Value
		if len(rows) == 1 {
			value = strings.Join(rows[0], " ")
		}
		b.WriteString(` "`)
		_, _ = escape.WriteString(b, value) // a strings.Builder has no errors
		b.WriteString("\"]\n")
		return
	}
	b.WriteString("]\n")
	for _, row := range rows {
		for i, word := range row {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
}

func (f *Field) rows() (rows [][]string) {
	breaks := false
	for _, w := range f.Words {
		breaks = breaks || w.Text == Break
	}
	all, begin := make([]string, 0, len(f.Words)), 0 // the rows are parts of all
	flush := func() {
		if len(all) > begin {
			rows = append(rows, all[begin:])
		}
		begin = len(all)
	}
	for _, w := range f.Words {
		if w.Text == Break || !breaks && len(all)-begin == perRow {
			flush()
		}
		if w.Text != Break {
			all = append(all, w.Text)
		}
	}
	flush()
	return rows
}

// Line returns a hand in one line, which can stand in the fragment of an address.
func Line(h Hand) string {
	fields := h.Fields()
	line := plainLine(fields, true)
	check := checkOfLine(line)
	if slices.ContainsFunc(fields, isFree) {
		check = checkOf(fields)
	}
	return string(line) + ";" + checkTag + "=" + check
}

// checkOf returns the check of a hand: the CRC-32 of its line without the check, and without free text, which people add and change.
func checkOf(fields []Field) string { return checkOfLine(plainLine(fields, false)) }

func checkOfLine(line []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(line)) }

// isFree reports whether a field that is written is free text, which has no words.
func isFree(f Field) bool { return f.Name != "Game" && len(f.Words) == 0 }

// plainLine returns the line of a hand without its check, with or without the fields of free text, which have no words.
func plainLine(fields []Field, free bool) []byte {
	var b bytes.Buffer
	b.Grow(usualLine)
	b.WriteString(LinePrefix)
	for i := range fields {
		if fields[i].Name == "Game" {
			fields[i].plain(&b)
		}
	}
	for i := range fields {
		if fields[i].Name != "Game" && (free || !isFree(fields[i])) {
			b.WriteString(";" + fields[i].Name + "=")
			fields[i].plain(&b)
		}
	}
	return b.Bytes()
}

// usualLine is how many bytes most lines have at most.
const usualLine = 512

// plain writes the value of a field in one line.
func (f *Field) plain(b *bytes.Buffer) {
	if len(f.Words) == 0 {
		escaped(b, f.Value)
		return
	}
	first := true
	for i := range f.Words {
		if f.Words[i].Text == Break {
			continue
		}
		if !first {
			b.WriteByte('.')
		}
		first = false
		escaped(b, f.Words[i].Text)
	}
}

// escaped writes each byte that is none of the plain ones as % and two digits.
func escaped(b *bytes.Buffer, text string) {
	const plain, hex = "-_~:/=+*", "0123456789ABCDEF"
	for i := range len(text) {
		c := text[i]
		if isAlnum(c) || strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
}

// JSON returns a hand as one line of JSON, without the end of the line.
func JSON(h Hand) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h.Object()); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
