package service

import (
	"context"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/computation"
)

// Operation is a kind of request that takes long enough to become a job. Games register theirs.
type Operation struct {
	// Kind names the operation and its jobs, with the game first: "klaverjas.solve".
	Kind string
	// Parse reads the body of a request. Its error is an *Error.
	Parse func(body []byte) (Query, error)
}

// Query is a request that has been parsed. The cache lookup, the computation, and the job that the request may become all use the
// same Query.
//
// A query that is a list may have a method Whole() bool, which reports whether no item has an error.
type Query interface {
	// Key names the query: queries with equal keys have equal answers.
	Key() []byte
	// Known returns the answer if the cache has it. It computes nothing.
	Known(ctx context.Context) (answer Answer, ok bool, err error)
	// Computation returns the computation of the result. Queries with equal computations share the result.
	Computation() computation.Spec
	// Answer returns the answer to this query from the result of the computation.
	Answer(result computation.Result) (Answer, error)
}

// Answer is what a client gets.
type Answer struct {
	Body     any        // a type of the contract
	Source   api.Source // its origin
	Nodes    int64      // the nodes of its searches
	Progress computation.Progress
}

// Request is a query with the data that its job needs.
type Request struct {
	kind    string
	payload []byte
	query   Query
}

// Query returns the query of the request.
func (r *Request) Query() Query { return r.query }

// Register adds operations. It is called before the service is used.
func (s *Service) Register(operations ...Operation) {
	for _, o := range operations {
		s.operations[o.Kind] = o
	}
}

// Kinds returns the kinds of the operations, sorted.
func (s *Service) Kinds() []string {
	kinds := make([]string, 0, len(s.operations))
	for kind := range s.operations {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// Parse reads the body of a request of a kind.
func (s *Service) Parse(kind string, body []byte) (*Request, error) {
	operation, ok := s.operations[kind]
	if !ok {
		return nil, NewMalformed(Violation{Pointer: "/kind", Detail: fmt.Sprintf("%.40q is not a kind of job", kind)})
	}
	query, err := operation.Parse(body)
	if err != nil {
		return nil, err
	}
	return &Request{kind: kind, payload: body, query: query}, nil
}

// ParseJob reads the body of a request for a job, and the request in it as its operation does.
func (s *Service) ParseJob(body []byte) (*Request, error) {
	var outer api.JobRequest
	if unmarshal(body, &outer) == nil {
		if request, err := s.Parse(string(outer.Kind), outer.Request); err == nil && request.whole() {
			return request, nil
		}
	}
	// The whole body is checked by the schema, including the items of a list.
	outer, err := decodeBySchema[api.JobRequest](s.schemas, body, jobSchema)
	if err != nil {
		return nil, err
	}
	request, err := s.Parse(string(outer.Kind), outer.Request)
	if err != nil {
		return nil, Below("/request", err)
	}
	return request, nil
}

// whole reports whether no item of the request, if it is a list, has an error.
func (r *Request) whole() bool {
	list, ok := r.query.(interface{ Whole() bool })
	return !ok || list.Whole()
}

// jobSchema is the name of the schema of a request for a job.
const jobSchema = "JobRequest"

// newJobSchemas returns the schema of a request for a job, with any object in place of the request of the operation.
func newJobSchemas() *Schemas {
	return NewSchemas(map[string]func(*openapi3.Schema) (*openapi3.Schema, error){
		jobSchema: func(schema *openapi3.Schema) (*openapi3.Schema, error) {
			return WithProperty(schema, "request", openapi3.NewObjectSchema()), nil
		},
	}, nil)
}

// Parser turns a function that returns a query of its own type into one that returns a Query, for Operation.Parse.
func Parser[Q Query](parse func([]byte) (Q, error)) func([]byte) (Query, error) {
	return func(body []byte) (Query, error) {
		query, err := parse(body)
		if err != nil {
			return nil, err // query would be an interface that holds nil
		}
		return query, nil
	}
}
