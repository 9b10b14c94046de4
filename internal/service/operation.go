package service

import (
	"context"
	"fmt"
	"slices"

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

// Query is a request that has been parsed. Everything that is done for it uses the same Query: the look into the cache, the
// computation, and the job that the request may become.
type Query interface {
	// Key names the query: equal keys stand for equal answers, however the requests were written.
	Key() []byte
	// Known returns the answer where the cache has it. It computes nothing.
	Known(ctx context.Context) (answer Answer, ok bool, err error)
	// Computation is what computes the result. Queries of equal computations share the result.
	Computation() computation.Spec
	// Answer makes of the result of the computation the answer to this query.
	Answer(result computation.Result) (Answer, error)
}

// Answer is what a client gets.
type Answer struct {
	Body     any        // a type of the contract
	Source   api.Source // where it came from
	Nodes    int64      // nodes searched for it
	Progress computation.Progress
}

// Request is a query with what a job of it needs.
type Request struct {
	kind    string
	payload []byte
	query   Query
}

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
	outer, err := Decode[api.JobRequest](s.Decoder, body, "JobRequest")
	if err != nil {
		return nil, err
	}
	request, err := s.Parse(string(outer.Kind), outer.Request)
	if err != nil {
		return nil, Below("/request", err)
	}
	return request, nil
}
