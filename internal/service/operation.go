package service

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
	"roem/internal/jobs"
	"roem/internal/preview"
)

// Game is what a game offers, for handlers.
type Game struct {
	Name       string
	Operations []Operation
	Sessions   *Playing // nil for none
	// Preview returns what is shown of a link to the page of the game; nil if it has no page. Its error is not read.
	Preview func(context.Context, Shared) (preview.Preview, error)
}

// Mode says how an operation is answered.
type Mode uint8

// The modes. The functions of the same names declare operations of them.
const (
	ModeNow Mode = iota
	ModeWaiting
	ModeOrJob
	ModeAsJob
	ModeGet
)

// Operation is an operation of a game, without the types of the game.
type Operation struct {
	Path  string // of its route: "/v1/tarok/worlds"
	Mode  Mode
	List  bool // its body is a list, with MostItems items at most
	Large bool // its body may have as many bytes as a list
	Fixed bool // its answers never change
	// Read reads the body of a request, and returns what answers it. It is nil for a GET. Its error is an *Error, or the error of the
	// context.
	Read func(ctx context.Context, body []byte) (Run, error)
	// Kind names the operation and its jobs, with the game first: "klaverjas.solve". It is empty for an operation that becomes no job.
	Kind string
	// Parse is Read for an operation that may become a job.
	Parse func(ctx context.Context, body []byte) (Query, error)
	// Get answers a GET. InPath and InQuery are the names of its parameters, all of them optional but those in the path.
	Get             func(parameters map[string]string) (any, error)
	InPath, InQuery []string
}

// TypedQuery is a request that has been read: a question whose answer is an R, a value of the domain. The cache lookup, the computation,
// and the job that the request may become all use the same query.
type TypedQuery[R any] interface {
	// Key names the query: queries with equal keys have equal answers.
	Key() []byte
	// Known returns the answer if the cache has it. It computes nothing.
	Known(ctx context.Context) (answer Answer[R], ok bool, err error)
	// Computation returns the computation of the result. Queries with equal computations share the result.
	Computation() computation.Spec
	// Answer returns the answer to this query from the result of the computation.
	Answer(result computation.Result) (Answer[R], error)
}

// Query is a TypedQuery whose results are what the client gets: types of the contract. An Op makes one of its query.
type Query = TypedQuery[any]

// Estimated is a query that says about how much time its computation takes. Any other is taken for one of jobs.DefaultCost.
type Estimated interface {
	// Cost returns about how much time of searchers the computation takes, if the cache has none of it.
	Cost() time.Duration
}

// CostOf returns about how much time of searchers the computation of a query takes.
func CostOf(q any) time.Duration {
	if e, ok := q.(Estimated); ok {
		return max(e.Cost(), time.Millisecond)
	}
	return jobs.DefaultCost
}

// Answer is the answer to a query.
type Answer[R any] struct {
	Result   R
	Source   Source // its origin
	Nodes    int64  // the nodes of its searches
	Progress computation.Progress
	Began    time.Time // when the query was read: it is set for what renders the answer
}

// Source says where an answer comes from, in the words of the contract.
type Source = api.Source

// The sources.
const (
	FromCache  = api.SourceCache
	FromSearch = api.SourceSearch
)

// Request is a query with the data that its job needs.
type Request struct {
	kind    string
	payload []byte
	query   Query
}

// Query returns the query of the request.
func (r *Request) Query() Query { return r.query }

// Games returns the games that were declared, in order.
func (s *Service) Games() []Game { return s.games }

// Records returns the records of the games that are declared. Games that are declared later are added to it.
func (s *Service) Records() *record.Kinds { return &s.records }

// Register adds operations that may become jobs. It is called before the service is used.
func (s *Service) Register(operations ...Operation) {
	for _, o := range operations {
		s.operations[o.Kind] = o
	}
}

// Kinds returns the kinds of the operations, sorted.
func (s *Service) Kinds() []string { return slices.Sorted(maps.Keys(s.operations)) }

// Parse reads the body of a request of a kind.
func (s *Service) Parse(ctx context.Context, kind string, body []byte) (*Request, error) {
	operation, ok := s.operations[kind]
	if !ok {
		return nil, Refused(violation.Word(kind, s.Kinds()...).At("/kind"))
	}
	query, err := operation.Parse(ctx, body)
	if err != nil {
		return nil, err
	}
	return &Request{kind: kind, payload: body, query: query}, nil
}

// ParseJob reads the body of a request for a job, and the request in it as its operation does.
func (s *Service) ParseJob(ctx context.Context, body []byte) (*Request, error) {
	ctx, use := withReading(ctx, s, listViolations)
	defer use.end()
	outer, ok := splitJob(body)
	if !ok || s.operations[string(outer.Kind)].Parse == nil {
		var err error
		if outer, err = decodeByShape[api.JobRequest](ctx, s.schemas, body, s.jobShape()); err != nil {
			return nil, err
		}
	}
	request, err := s.Parse(ctx, string(outer.Kind), outer.Request)
	if err != nil {
		return nil, Below("/request", err)
	}
	return request, nil
}

// splitJob reads the kind and the request of a job. The request is only found, not checked: the operation does that, and names given twice
// must be kept to be found. It returns false for any body that the schema could refuse.
func splitJob(body []byte) (outer api.JobRequest, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return outer, false
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return outer, false
		}
		name := token.String()
		value, err := dec.ReadValue()
		switch {
		case err != nil:
			return outer, false
		case name == "kind" && outer.Kind == "" && value.Kind() == '"':
			text, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return outer, false
			}
			outer.Kind = api.JobKind(text)
		case name == "request" && outer.Request == nil && value.Kind() == '{':
			end := int(dec.InputOffset())
			outer.Request = body[end-len(value) : end]
		default:
			return outer, false
		}
	}
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '}' || AtEnd(dec) != nil {
		return outer, false
	}
	return outer, outer.Kind != "" && outer.Request != nil
}

// jobShape returns the shape of a request for a job, with any object in place of the request of the operation. The kinds are in the order
// of the contract; those that only another contract has come last.
func (s *Service) jobShape() *Shape {
	order, kinds := api.JobKinds(), s.Kinds()
	place := func(kind string) uint { return uint(slices.Index(order, api.JobKind(kind))) } // -1 is the greatest
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return &Shape{
		Type: "object", Required: []string{"kind", "request"},
		Fields: []ShapeField{{Name: "kind", Shape: &Shape{Type: "string", Enum: kinds}}, {Name: "request", Shape: anyObject}},
	}
}
