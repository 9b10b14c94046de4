package record

import (
	"bytes"
	"encoding/json"
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
		for _, f := range append(h.Fields(), Row(checkTag, checkOf(h))) {
			f.write(&b)
		}
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
		b.WriteString(` "` + escape.Replace(value) + `"]` + "\n")
		return
	}
	b.WriteString("]\n")
	for _, row := range rows {
		b.WriteString(strings.Join(row, " ") + "\n")
	}
}

func (f *Field) rows() (rows [][]string) {
	breaks := false
	for _, w := range f.Words {
		breaks = breaks || w.Text == Break
	}
	var row []string
	flush := func() {
		if len(row) > 0 {
			rows = append(rows, row)
		}
		row = nil
	}
	for _, w := range f.Words {
		if w.Text == Break || !breaks && len(row) == perRow {
			flush()
		}
		if w.Text != Break {
			row = append(row, w.Text)
		}
	}
	flush()
	return rows
}

// Line returns a hand in one line, which can stand in the fragment of an address.
func Line(h Hand) string { return plainLine(h) + ";" + checkTag + "=" + checkOf(h) }

// plainLine returns the line without its check.
func plainLine(h Hand) string {
	fields := h.Fields()
	var b strings.Builder
	b.WriteString(LinePrefix)
	for _, f := range fields {
		if f.Name == "Game" {
			b.WriteString(f.plain())
		}
	}
	for _, f := range fields {
		if f.Name != "Game" {
			b.WriteString(";" + f.Name + "=" + f.plain())
		}
	}
	return b.String()
}

// plain returns the value of a field in one line.
func (f *Field) plain() string {
	if len(f.Words) == 0 {
		return escaped(f.Value)
	}
	var b strings.Builder
	for _, w := range f.Words {
		if w.Text == Break {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(escaped(w.Text))
	}
	return b.String()
}

// escaped writes each byte that is none of the plain ones as % and two digits.
func escaped(text string) string {
	const plain, hex = "-_~:/=+*", "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if isAlnum(c) || strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString(string([]byte{'%', hex[c>>4], hex[c&15]}))
	}
	return b.String()
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
