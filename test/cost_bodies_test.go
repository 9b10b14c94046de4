package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// costlyBody is a body that is made to be expensive.
type costlyBody struct {
	name string
	text func() []byte // it is built when it is sent: all of them together would fill the memory
}

// placeholder marks the place of a body at which costly values are put. It is no text of any example.
const placeholder = "\x01here\x01"

// costlyBodies returns bodies of at most limit bytes: the example with each of its values replaced by something large, and with large
// things added to each of its objects and lists.
func costlyBodies(example []byte, limit int) []costlyBody {
	var tree any
	if err := json.Unmarshal(example, &tree); err != nil {
		panic(err)
	}
	bodies := []costlyBody{
		{"spaces", func() []byte { return bytes.Repeat([]byte(" "), limit) }},
		{"spaces before the end", func() []byte {
			return slices.Concat(example[:len(example)-1], bytes.Repeat([]byte(" \n"), (limit-len(example))/2), []byte("}"))
		}},
		{"brackets", func() []byte { return bytes.Repeat([]byte("["), limit) }},
		{"braces", func() []byte { return bytes.Repeat([]byte(`{"a":`), limit/5) }},
		{"broken at its end", func() []byte { return filled("[", "0,", "0x", limit) }},
	}
	for where, around := range places(tree, "") {
		for _, large := range largeValues {
			bodies = append(bodies, costlyBody{large.name + " at " + where, func() []byte {
				return bytes.Replace(around, []byte(placeholder), large.make(limit-len(around)), 1)
			}})
		}
	}
	slices.SortFunc(bodies, func(a, b costlyBody) int { return strings.Compare(a.name, b.name) })
	return bodies
}

// filled repeats a text between a begin and an end.
func filled(begin, repeated, end string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(begin)
	for b.Len()+len(repeated)+len(end) <= n {
		b.WriteString(repeated)
	}
	b.WriteString(end)
	return b.Bytes()
}

// numbered is filled with a text that has the number of its repetition.
func numbered(begin, repeated, end string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(begin)
	for i := 0; ; i++ {
		one := fmt.Sprintf(repeated, i)
		if b.Len()+len(one)+len(end) > n {
			break
		}
		b.WriteString(one)
	}
	b.WriteString(end)
	return b.Bytes()
}

// largeValues are JSON values of a size.
var largeValues = []struct {
	name string
	make func(n int) []byte
}{
	{"zeros", func(n int) []byte { return filled("[", "0,", "0]", n) }},
	{"nulls", func(n int) []byte { return filled("[", "null,", "null]", n) }},
	{"objects", func(n int) []byte { return filled("[", "{},", "{}]", n) }},
	{"lists", func(n int) []byte { return filled("[", "[],", "[]]", n) }},
	{"lists in lists", func(n int) []byte {
		return filled("[", strings.Repeat("[", 9)+"0"+strings.Repeat("]", 9)+",", "0]", n)
	}},
	{"cards", func(n int) []byte { return filled("[", `"JH",`, `"JH"]`, n) }},
	{"empty texts", func(n int) []byte { return filled("[", `"",`, `""]`, n) }},
	{"other texts", func(n int) []byte { return numbered("[", `"x%d",`, `""]`, n) }},
	{"exponents", func(n int) []byte { return filled("[", "1e2,", "1e2]", n) }},
	{"odd numbers", func(n int) []byte { return filled("[", "1.7976931348623157e-308,", "0]", n) }},
	{"unknown fields", func(n int) []byte { return numbered("{", `"a%d":0,`, `"b":0}`, n) }},
	{"unknown objects", func(n int) []byte { return numbered("{", `"a%d":{},`, `"b":0}`, n) }},
	{"unknown long fields", func(n int) []byte { return numbered("{", `"`+strings.Repeat("x", 1000)+`%d":0,`, `"b":0}`, n) }},
	{"pointers to escape", func(n int) []byte { return numbered("{", `"~/~/~/~/~/~/%d":0,`, `"b":0}`, n) }},
	{"one name again and again", func(n int) []byte { return filled("{", `"a":0,`, `"a":0}`, n) }},
	{"a long text", func(n int) []byte { return filled(`"`, "A", `"`, n) }},
	{"escapes", func(n int) []byte { return filled(`"`, `\u0041`, `"`, n) }},
	{"emoji", func(n int) []byte { return filled(`"`, "🂡", `"`, n) }},
	{"not UTF-8", func(n int) []byte { return filled(`"`, "\xff", `"`, n) }},
	{"selectors", func(n int) []byte { return filled(`"♥`, "\ufe0f", `"`, n) }},
	{"parentheses", func(n int) []byte { return filled(`"`, "(", `"`, n) }},
	{"negations", func(n int) []byte { return filled(`"`, "!", `own(N,JH)"`, n) }},
	{"a formula", func(n int) []byte { return filled(`"`, "own(N,JH) & K_S ", `own(N,JH)"`, n) }},
	{"digits", func(n int) []byte { return filled("", "9", "", n) }},
	{"digits in a text", func(n int) []byte { return filled(`"`, "9", `"`, n) }},
	{"a fraction", func(n int) []byte { return filled("0.", "0", "1", n) }},
	{"an exponent", func(n int) []byte { return filled("1e", "9", "", n) }},
	{"a small exponent", func(n int) []byte { return filled("1e-", "0", "1", n) }},
}

// places returns the example as a text with a placeholder, for each place at which a value can be replaced or added, by the pointer of the
// place. Of a list only the first item is taken.
func places(tree any, pointer string) map[string][]byte {
	all := map[string][]byte{}
	var visit func(v any, pointer string, put func(any))
	write := func(pointer string) {
		text, err := json.Marshal(tree)
		if err != nil {
			panic(err)
		}
		all[pointer] = bytes.Replace(text, []byte(`"\u0001here\u0001"`), []byte(placeholder), 1)
	}
	visit = func(v any, pointer string, put func(any)) {
		put(placeholder)
		write(pointer)
		put(v)
		switch v := v.(type) {
		case map[string]any:
			v["zz"] = placeholder
			write(pointer + "/zz")
			delete(v, "zz")
			for _, name := range slices.Sorted(maps.Keys(v)) {
				visit(v[name], pointer+"/"+name, func(to any) { v[name] = to })
			}
		case []any:
			if len(v) > 0 {
				visit(v[0], pointer+"/0", func(to any) { v[0] = to })
			}
		}
	}
	visit(tree, pointer, func(to any) { tree = to })
	return all
}

// longLists returns bodies in which a list of the example has its own items again and again: of all lists, and of those in a list.
func longLists(example []byte, limit int) []costlyBody {
	var tree any
	if err := json.Unmarshal(example, &tree); err != nil {
		panic(err)
	}
	var bodies []costlyBody
	var visit func(v any, pointer string)
	visit = func(v any, pointer string) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				list, ok := v[name].([]any)
				if ok && len(list) > 0 {
					v[name] = placeholder
					around, err := json.Marshal(tree)
					v[name] = list
					items, errItems := json.Marshal(list)
					if err != nil || errItems != nil {
						panic("an example cannot be written again")
					}
					own := string(items[1:len(items)-1]) + ","
					for _, most := range []int{1000, limit} {
						room := limit - len(around)
						if most < limit {
							room = min(room, most*len(own)/len(list)+2)
						}
						bodies = append(bodies, costlyBody{fmt.Sprintf("its items again, up to %d, at %s/%s", most, pointer, name), func() []byte {
							value := filled("[", own, string(items[1:len(items)-1])+"]", room)
							return bytes.Replace(around, []byte(`"\u0001here\u0001"`), value, 1)
						}})
					}
				}
				visit(v[name], pointer+"/"+name)
			}
		case []any:
			if len(v) > 0 {
				visit(v[0], pointer+"/0")
			}
		}
	}
	visit(tree, "")
	return bodies
}
