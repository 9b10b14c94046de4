package service

import (
	"net/url"
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// maxParameters is how many parameters a query may have. The contract has at most 4 for a path. The generated routes read the whole query
// again for each.
const maxParameters = 16

// FewParameters refuses a query with more parameters than any path has.
func FewParameters(query string) error {
	n := strings.Count(query, "&") + 1
	if n <= maxParameters {
		return nil
	}
	return Refused(violation.New(violation.TooMany, "the query has %d parameters, expected at most %d", n, maxParameters).
		Of(n).Between(0, maxParameters).WithoutPlace())
}

// ReadParameters reads a query. It refuses parameters that are not in the contract, given twice, or cannot be read. post says that the
// request has a body, where the client may have meant to send them.
func ReadParameters(query string, post bool, known ...string) (map[string]string, error) {
	read := map[string]string{}
	if query == "" {
		return read, nil
	}
	all, err := url.ParseQuery(query)
	if err != nil {
		return nil, Refused(undecodable(query))
	}
	var vs []Violation
	for name, values := range all {
		shown := shownName(name)
		switch {
		case name == "":
			vs = append(vs, violation.New(violation.WrongForm, "the query has a value without a name: expected name=value").
				Of(values[0]).WithoutPlace())
		case !slices.Contains(known, name):
			vs = append(vs, unknownParameter(name, shown, post, known))
		case len(values) > 1:
			vs = append(vs, GivenTwice().In(shown))
		default:
			read[name] = values[0]
		}
	}
	if len(vs) == 0 {
		return read, nil
	}
	slices.SortFunc(vs, func(a, b Violation) int { return strings.Compare(a.Parameter, b.Parameter) })
	return nil, Refused(vs...)
}

func unknownParameter(name, shown string, post bool, known []string) Violation {
	detail := "is not a parameter here"
	if near := violation.Nearest(name, known); near != "" {
		detail += ": did you mean " + near + "?"
	}
	switch {
	case len(known) > 0:
		detail += "; the parameters are " + strings.Join(known, ", ")
	case post:
		detail += "; the fields are sent in the body, as JSON"
	}
	return violation.New(violation.UnknownParameter, "%s", detail).In(shown).Of(shown).OneOf(known...)
}

// GivenTwice returns the violation of a parameter that is given more than once.
func GivenTwice() Violation { return violation.New(violation.GivenTwice, "is given more than once") }

// PathParameter decodes a parameter of a path.
func PathParameter(name, text string) (string, error) {
	value, err := url.PathUnescape(text)
	if err != nil {
		return "", Refused(violation.New(violation.WrongForm, "cannot be read").In(name))
	}
	return value, nil
}

// WithoutMark returns a body without the mark that text programs of Windows put before UTF-8.
func WithoutMark(body []byte) []byte {
	if len(body) >= 3 && body[0] == 0xef && body[1] == 0xbb && body[2] == 0xbf {
		return body[3:]
	}
	return body
}

// shownName returns the name of a parameter as an answer repeats it.
func shownName(name string) string {
	if len(name) > 64 {
		return strings.ToValidUTF8(name[:64], "") + "…"
	}
	return name
}

// undecodable returns the violation of the first parameter of a query that url.ParseQuery does not decode.
func undecodable(query string) Violation {
	for parameter := range strings.SplitSeq(query, "&") {
		if _, err := url.ParseQuery(parameter); err == nil {
			continue
		}
		name, value, _ := strings.Cut(parameter, "=")
		if name, err := url.QueryUnescape(name); err == nil && name != "" && !strings.Contains(parameter, ";") {
			return violation.New(violation.WrongForm, "%.40q cannot be decoded: expected each %% before two hexadecimal digits", value).
				Of(value).In(shownName(name))
		}
		return violation.New(violation.WrongForm,
			"%.40q in the query cannot be decoded: expected each %% before two hexadecimal digits, and ; as %%3B", parameter).
			Of(parameter).WithoutPlace()
	}
	return violation.New(violation.WrongForm, "the query cannot be decoded").WithoutPlace()
}
