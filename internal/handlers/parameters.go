package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// badParameter answers for the generated routes when a parameter cannot be read.
func (h *Handlers) badParameter(w http.ResponseWriter, r *http.Request, err error) {
	var (
		format  *api.InvalidParamFormatError
		tooMany *api.TooManyValuesForParamError
		missing *api.RequiredParamError
		name    string
		v       service.Violation
	)
	switch {
	case errors.As(err, &format):
		name = format.ParamName
		value := r.URL.Query().Get(name)
		v = violation.New(violation.WrongForm, "%.40q cannot be read", value).Of(value)
		if form, ok := parameterForms[name]; ok {
			v = violation.New(violation.WrongForm, "%.40q cannot be read: expected a number%s from %d to %d%s", value, form.of, form.least,
				form.most, form.further).Of(value).Between(form.least, form.most)
		}
	case errors.As(err, &tooMany):
		name, v = tooMany.ParamName, givenTwice()
	case errors.As(err, &missing):
		name, v = missing.ParamName, violation.New(violation.Missing, "is missing")
	default:
		v = violation.New(violation.WrongForm, "cannot be read")
	}
	if len(r.URL.Query()[name]) > 1 {
		v = givenTwice()
	}
	h.fail(w, r, service.Refused(v.In(name)))
}

// parameterForms are the forms of the parameters that are not texts.
var parameterForms = map[string]struct {
	of, further string
	least, most int
}{
	"wait":  {" of seconds", ", without a unit", 0, maxWaitAsked},
	"limit": {"", "", 1, service.MaxPage},
}

func givenTwice() service.Violation {
	return violation.New(violation.GivenTwice, "is given more than once")
}

// maxParameters is how many parameters a query may have. The contract has at most 4 for a path. The generated routes read the whole query
// again for each.
const maxParameters = 16

// fewParameters refuses queries with more parameters than any path has. Paths outside /v1 do not read their queries.
func (h *Handlers) fewParameters(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := strings.Count(r.URL.RawQuery, "&") + 1; n > maxParameters && strings.HasPrefix(r.URL.Path, "/v1/") {
			h.fail(w, r, service.Refused(violation.New(violation.TooMany, "the query has %d parameters, expected at most %d", n, maxParameters).
				Of(n).Between(0, maxParameters).WithoutPlace()))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// checkQuery refuses parameters that are not in the contract, given twice, or cannot be read. The generated routes ignore them,
// but a client should learn of a misspelt parameter.
func checkQuery(r *http.Request, known ...string) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return service.Refused(undecodable(r.URL.RawQuery))
	}
	var vs []service.Violation
	for name, values := range query {
		shown := shownName(name)
		switch {
		case !slices.Contains(known, name):
			detail := "is not a parameter here"
			if near := violation.Nearest(name, known); near != "" {
				detail += ": did you mean " + near + "?"
			}
			switch {
			case len(known) > 0:
				detail += "; the parameters are " + strings.Join(known, ", ")
			case r.Method == http.MethodPost:
				detail += "; the fields are sent in the body, as JSON"
			}
			vs = append(vs, violation.New(violation.UnknownParameter, "%s", detail).In(shown).Of(shown).OneOf(known...))
		case len(values) > 1:
			vs = append(vs, givenTwice().In(shown))
		}
	}
	if len(vs) == 0 {
		return nil
	}
	slices.SortFunc(vs, func(a, b service.Violation) int { return strings.Compare(a.Parameter, b.Parameter) })
	return service.Refused(vs...)
}

// shownName returns the name of a parameter as an answer repeats it.
func shownName(name string) string {
	if len(name) > 64 {
		return strings.ToValidUTF8(name[:64], "") + "…"
	}
	return name
}

// undecodable returns the violation of the first parameter of a query that url.ParseQuery does not decode.
func undecodable(query string) service.Violation {
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
