package figures

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Say writes a figure as pages do. How is one of
//
//	""     the number as it is
//	"2"    with two decimals
//	"2g"   with two digits that count
//	"time" a time in milliseconds, with its unit: 80 µs, 2 ms, 13 ms, 3 s
func Say(value float64, how string) (string, error) {
	switch digits, isG := strings.CutSuffix(how, "g"); {
	case how == "time":
		return sayTime(value), nil
	case how == "":
		return grouped(strconv.FormatFloat(value, 'f', -1, 64)), nil
	case isG:
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || value == 0 {
			return "", fmt.Errorf("no way to write %v: %q", value, how)
		}
		return grouped(significant(value, n)), nil
	default:
		n, err := strconv.Atoi(how)
		if err != nil {
			return "", fmt.Errorf("no way to write %v: %q", value, how)
		}
		return grouped(strconv.FormatFloat(value, 'f', n, 64)), nil
	}
}

// significant writes a number with n digits that count, and zeros after them.
func significant(value float64, n int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', n-1, 64), 64)
	if err == nil {
		value = rounded // 0.0996 is 0.1 then, with fewer decimals
	}
	decimals := max(0, n-1-int(math.Floor(math.Log10(math.Abs(value)))))
	return strconv.FormatFloat(value, 'f', decimals, 64)
}

// sayTime writes a time with one digit, or two from ten on.
func sayTime(ms float64) string {
	value, unit := ms, "ms"
	switch {
	case ms < 0.095:
		value, unit = 1000*ms, "µs"
	case ms >= 995:
		value, unit = ms/1000, "s"
	}
	digits := 1
	if value >= 10 {
		digits = 2
	}
	return significant(value, digits) + " " + unit
}

// grouped writes the commas between thousands.
func grouped(number string) string {
	whole, rest, _ := strings.Cut(number, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for at := len(whole) - 3; at > 0 && len(whole) > 3; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return sign + whole
}

// Place is a sentence of a page with figures: "This one takes {klaverjas.search.uniform.value.mean|1} ms on average".
type Place struct {
	Page string // below the root of the repository
	Text string
}

// slot matches a figure in the text of a place: its name, and how it is written.
var slot = regexp.MustCompile(`\{([\w.-]+)(?:\|(\w+))?\}`)

// Said is a figure that was found on a page.
type Said struct {
	Name       string
	Want, Is   string
	Begin, End int // in the text of the page
}

// Find finds the figures of a place in the text of its page. values has the figures by name.
func (p Place) Find(text string, values map[string]float64) ([]Said, error) {
	var pattern strings.Builder
	var wanted []Said
	at := 0
	for _, s := range slot.FindAllStringSubmatchIndex(p.Text, -1) {
		pattern.WriteString(loose(p.Text[at:s[0]]))
		at = s[1]
		name, how := p.Text[s[2]:s[3]], ""
		if s[4] >= 0 {
			how = p.Text[s[4]:s[5]]
		}
		value, known := values[name]
		if !known {
			return nil, fmt.Errorf("%s: %q names %s, which is no figure", p.Page, p.Text, name)
		}
		want, err := Say(value, how)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", p.Page, p.Text, err)
		}
		wanted = append(wanted, Said{Name: name, Want: want})
		if how == "time" {
			pattern.WriteString(`([\d.]+ (?:µs|ms|s))`)
		} else {
			pattern.WriteString(`([+−-]?\d(?:[\d.,]*\d)?)`)
		}
	}
	pattern.WriteString(loose(p.Text[at:]))
	matcher, err := regexp.Compile(pattern.String())
	if err != nil {
		return nil, err
	}
	found := matcher.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return nil, fmt.Errorf("%s has no sentence like %q", p.Page, p.Text)
	}
	var said []Said
	for _, f := range found {
		for i, s := range wanted {
			s.Begin, s.End = f[2*i+2], f[2*i+3]
			s.Is = text[s.Begin:s.End]
			said = append(said, s)
		}
	}
	return said, nil
}

// loose returns a pattern of a text in which lines may be broken anywhere.
func loose(text string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(text), " ", `\s+`)
}
