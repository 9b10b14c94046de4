package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	contract "roem/api"
	"roem/internal/service"
)

// compatibilityPath is the path of the page that says what clients can rely on, and how operations end.
const compatibilityPath = "/docs/compatibility"

// Extensions of a deprecated operation in the contract: the days from which it is deprecated, and on which it ends at the earliest.
const (
	deprecatedSince = "x-deprecated-since"
	sunset          = "x-sunset"
)

// methodPath is an operation of the contract.
type methodPath struct{ method, path string }

// deprecations are the headers of the answers of deprecated operations.
type deprecations map[methodPath]http.Header

// deprecationsOf reads them from the contract. It returns an error for an operation whose days are missing or wrong.
func deprecationsOf(operations []contract.Operation) (deprecations, error) {
	all := deprecations{}
	for _, o := range operations {
		header, err := deprecationOf(o)
		if err != nil {
			return nil, fmt.Errorf("the contract: %s %s: %w", o.Method, o.Path, err)
		}
		if header == nil {
			continue
		}
		all[methodPath{o.Method, o.Path}] = header
		if o.Method == http.MethodGet {
			all[methodPath{http.MethodHead, o.Path}] = header
		}
	}
	return all, nil
}

// deprecationOf returns the headers of an operation (RFC 9745 and RFC 8594), nil for one that is not deprecated.
func deprecationOf(o contract.Operation) (http.Header, error) {
	since, errSince := dayOf(o.Since, deprecatedSince)
	ends, errEnds := dayOf(o.Sunset, sunset)
	switch {
	case !o.Deprecated && o.Since == "" && o.Sunset == "":
		return nil, nil // no header
	case !o.Deprecated:
		return nil, fmt.Errorf("it has %s or %s, and not deprecated: true", deprecatedSince, sunset)
	case errSince != nil:
		return nil, errSince
	case errEnds != nil:
		return nil, errEnds
	case !since.Before(ends):
		return nil, fmt.Errorf("%s is not after %s", sunset, deprecatedSince)
	}
	return http.Header{
		"Deprecation": {fmt.Sprintf("@%d", since.Unix())},
		"Sunset":      {ends.Format(http.TimeFormat)},
		"Link":        {fmt.Sprintf(`<%s>; rel="deprecation"; type="text/plain"`, compatibilityPath)},
	}, nil
}

// dayOf returns a day of an operation, which the contract has in an extension.
func dayOf(text, extension string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, fmt.Errorf("%s is %q: a deprecated operation needs a day such as 2027-07-01", extension, text)
	}
	return day, nil
}

// announceEnd adds the headers of deprecated operations to their answers.
func (h *Handlers) announceEnd(next http.Handler) http.Handler {
	if len(h.deprecations) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range h.deprecations[methodPath{r.Method, chi.RouteContext(r.Context()).RoutePattern()}] {
			for _, value := range values {
				w.Header().Add(name, strings.Replace(value, "<"+compatibilityPath, "<"+service.Link(r.Context(), compatibilityPath), 1))
			}
		}
		next.ServeHTTP(w, r)
	})
}
