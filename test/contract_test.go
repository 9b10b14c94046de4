package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"roem/api/apitest"
)

// route is an operation of the contract.
type route struct {
	doc    *openapi3.T
	item   *openapi3.PathItem
	op     *openapi3.Operation
	method string
	path   string // with its parameters in braces
	bodies [][]byte
}

func (r route) String() string { return r.method + " " + r.path }

// routes returns all operations of the contract with a JSON answer or none, ordered by path, with the example bodies of the contract.
func routes(tb testing.TB) []route {
	tb.Helper()
	all, err := readRoutes()
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// readRoutes reads the operations once: the contract takes some tenths of a second.
var readRoutes = sync.OnceValues(func() ([]route, error) {
	doc, err := apitest.StrictDocument()
	if err != nil {
		return nil, err
	}
	var all []route
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		item := doc.Paths.Value(path)
		for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
			r := route{doc: doc, item: item, op: item.GetOperation(method), method: method, path: path}
			if r.op.RequestBody != nil {
				examples := r.op.RequestBody.Value.Content["application/json"].Examples
				for _, name := range slices.Sorted(maps.Keys(examples)) {
					body, err := json.Marshal(examples[name].Value.Value)
					if err != nil {
						return nil, err
					}
					r.bodies = append(r.bodies, body)
				}
				if len(r.bodies) == 0 {
					return nil, fmt.Errorf("%v: the contract has no example of its body", r)
				}
			}
			all = append(all, r)
		}
	}
	return all, nil
})

// parameters returns the names of the parameters of the route: in "path", "query" or "header".
func (r route) parameters(in string) (names []string) {
	for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
		if parameter.Value.In == in {
			names = append(names, parameter.Value.Name)
		}
	}
	return names
}

// examplesOf returns the examples of a parameter of the route and the values of its enumeration, or 1 if it has none.
func (r route) examplesOf(name string) (values []string) {
	for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
		p := parameter.Value
		if p.Name != name {
			continue
		}
		if p.Example != nil {
			values = append(values, fmt.Sprint(p.Example))
		}
		for _, key := range slices.Sorted(maps.Keys(p.Examples)) {
			values = append(values, fmt.Sprint(p.Examples[key].Value.Value))
		}
		for _, value := range p.Schema.Value.Enum {
			values = append(values, fmt.Sprint(value))
		}
		if len(values) == 0 {
			values = []string{"1"}
		}
	}
	return values
}

// otherMedia returns the media types of the answers of the route that are not JSON.
func (r route) otherMedia() (names []string) {
	for status, answer := range r.op.Responses.Map() {
		for name := range answer.Value.Content {
			if strings.HasPrefix(status, "2") && name != "application/json" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// check returns an error if an answer is an internal error, has a status or a body that the contract does not describe, or is an
// incomplete problem.
func (r route) check(status int, header http.Header, body []byte) error {
	if status >= 500 && status != http.StatusServiceUnavailable {
		return fmt.Errorf("an internal error: %d: %.300s", status, body)
	}
	if (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests) && header.Get("Retry-After") == "" {
		return fmt.Errorf("%d without Retry-After: %.300s", status, body)
	}
	mediaType, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if status >= 400 && mediaType != "application/problem+json" && r.method != http.MethodHead {
		return fmt.Errorf("%d is %q: %.300s", status, mediaType, body)
	}
	exclude := mediaType != "application/json" && mediaType != "application/problem+json"
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: &http.Request{Method: r.method},
			Route:   &routers.Route{Spec: r.doc, PathItem: r.item, Operation: r.op, Method: r.method},
		},
		Status: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: exclude},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		return fmt.Errorf("%d is not in the contract: %w\n%.300s", status, err, body)
	}
	return nil
}
