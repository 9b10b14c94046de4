//go:build !js

package service

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// NumberFlag adds the flag of a number within limits, whose default it has.
func NumberFlag(flags *flag.FlagSet, to *int, name, usage string, least, most int) {
	flags.Func(name, fmt.Sprintf("%s, %d to %d (default %d)", usage, least, most, *to), func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("expected a number from %d to %d", least, most)
		}
		*to = n
		return nil
	})
}

// OptionalSeedFlag adds the flag of a seed for lines without one.
func OptionalSeedFlag(flags *flag.FlagSet, to **uint64) {
	flags.Func("seed", "the `seed` of lines without one (default: one is drawn for each line)", func(text string) error {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("expected a number from 0 to %d", uint64(math.MaxUint64))
		}
		*to = &seed
		return nil
	})
}

// WithDefault adds a field to a line that is a JSON object without it. An empty text adds nothing. Any other line is returned as it is, for
// the parser to say what is wrong with it.
func WithDefault(line []byte, name string, value any) []byte {
	if value == "" {
		return line
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil || object == nil || object[name] != nil && string(object[name]) != "null" {
		return line
	}
	field, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return line
	}
	if object[name] != nil { // null is as if the field were absent
		return instead(line, name, field[1:len(field)-1])
	}
	rest := bytes.TrimLeft(line, " \t\r\n")[1:] // after the brace
	field = field[:len(field)-1]
	if len(object) > 0 {
		field = append(field, ',')
	}
	return append(field, rest...)
}

// instead returns a line, which is a JSON object, with another field, a name and a value, in place of its field of that name.
func instead(line []byte, name string, other []byte) []byte {
	dec := jsontext.NewDecoder(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return line
	}
	for dec.PeekKind() == '"' {
		before := dec.InputOffset()
		token, err := dec.ReadToken()
		if err != nil {
			return line
		}
		named, null := token.String() == name, dec.PeekKind() == 'n'
		if err := dec.SkipValue(); err != nil {
			return line
		}
		if named && null {
			begin := before + int64(bytes.IndexByte(line[before:], '"'))
			return slices.Concat(line[:begin], other, line[dec.InputOffset():])
		}
	}
	return line
}
