package handlers

import (
	"errors"
	"net/http"
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
		name, v = tooMany.ParamName, service.GivenTwice()
	case errors.As(err, &missing):
		name, v = missing.ParamName, violation.New(violation.Missing, "is missing")
	default:
		v = violation.New(violation.WrongForm, "cannot be read")
	}
	if len(r.URL.Query()[name]) > 1 {
		v = service.GivenTwice()
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

// fewParameters refuses queries with more parameters than any path has. Paths outside /v1 do not read their queries.
func (h *Handlers) fewParameters(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := service.FewParameters(r.URL.RawQuery); err != nil && strings.HasPrefix(r.URL.Path, "/v1/") {
			h.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// checkQuery refuses parameters that are not in the contract, given twice, or cannot be read. The generated routes ignore them,
// but a client should learn of a misspelt parameter.
func checkQuery(r *http.Request, known ...string) error {
	_, err := service.ReadParameters(r.URL.RawQuery, r.Method == http.MethodPost, known...)
	return err
}
