// Package browser answers requests for the operations of games inside a page, without HTTP: a method, a path and a body in, a status and
// a body out. The answers and the problems are the same as those of the server, except that nothing becomes a job: a request waits for its
// answer as long as it takes, or as long as it says.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// Request is a request as a server gets it.
type Request struct {
	Method string
	Path   string // with the query
	Body   []byte
	Wait   time.Duration // the longest wait for a search; 0 for as long as it takes
	// Progress, if not nil, is called with the progress of the computation.
	Progress func(computation.Progress)
	// Event, if not nil, asks for answers that become better. It is called with each of them.
	Event func(name string, data []byte)
}

// Response is the answer to a request.
type Response struct {
	Status   int
	Type     string // the media type of the body
	Location string // of a new session
	Body     []byte
}

// The largest bodies, as the configuration of the server has them by default.
const (
	maxBody = 64 << 10
	maxList = 1 << 20
)

// Program answers requests for the operations of the games of a service. It is safe for concurrent use.
type Program struct {
	// Part says that another program has what this one lacks: a path that does not exist is service.ErrElsewhere.
	Part bool

	service *service.Service
	routes  []route
}

// New returns the Program of a service, whose games have been declared.
func New(s *service.Service) *Program {
	p := &Program{service: s}
	for _, game := range s.Games() {
		for i := range game.Operations {
			p.operation(&game.Operations[i])
		}
		if game.Sessions != nil {
			p.sessions("/v1/"+game.Name+"/sessions", game.Sessions)
		}
	}
	return p
}

// call is a request with what its route has found in it.
type call struct {
	Request
	query      string // the part of the path after the question mark
	parameters map[string]string
}

// Lost is implemented by errors of files that could not be loaded. They are no fault of the request, and another attempt may succeed.
type Lost interface {
	error
	Lost() bool
}

// Answer answers a request. The error is the error of the context, if it ends before, of a file that could not be loaded, or
// service.ErrElsewhere.
func (p *Program) Answer(ctx context.Context, r Request) (Response, error) {
	response, err := p.answer(ctx, r)
	if ctx.Err() != nil {
		return Response{}, ctx.Err()
	}
	if lost := lostIn(err); lost != nil {
		return Response{}, lost
	}
	if errors.Is(err, service.ErrElsewhere) {
		return Response{}, err
	}
	if err != nil {
		return problem(err), nil
	}
	return response, nil
}

// lostIn returns the error of a file in an error, or in what a computation panicked with.
func lostIn(err error) error {
	if p, ok := errors.AsType[*computation.PanicError](err); ok {
		err, _ = p.Value.(error)
	}
	if lost, ok := errors.AsType[Lost](err); ok && lost.Lost() {
		return lost
	}
	return nil
}

func (p *Program) answer(ctx context.Context, r Request) (Response, error) {
	path, query, _ := strings.Cut(r.Path, "?")
	if err := service.FewParameters(query); err != nil {
		return Response{}, err
	}
	answer, parameters, err := p.find(r.Method, path)
	if err != nil {
		return Response{}, err
	}
	if r.Wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Wait)
		defer cancel()
	}
	ctx, _ = service.WithEffort(ctx)
	var response Response
	_, err = computation.Protect(func() (_ any, err error) {
		response, err = answer(ctx, &call{r, query, parameters})
		return nil, err
	})
	return response, err
}

// problem returns the answer to a request that has failed.
func problem(err error) Response {
	document := service.Problem(err, "")
	text, failed := encode(document)
	if failed != nil { // problems always encode
		text = nil
	}
	return Response{Status: document.Status, Type: "application/problem+json", Body: text}
}

// respond returns a value as JSON.
func respond(status int, value any) (Response, error) {
	text, err := encode(value)
	return Response{Status: status, Type: "application/json", Body: text}, err
}

func encode(value any) ([]byte, error) {
	var body strings.Builder
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return []byte(body.String()), err
}

// body returns the body of a call, which has at most limit bytes and no parameters.
func (c *call) body(limit int) ([]byte, error) {
	if _, err := service.ReadParameters(c.query, c.Method == "POST"); err != nil {
		return nil, err
	}
	if len(c.Body) > limit {
		return nil, service.NewUnusable(service.TooLarge, violation.New(violation.TooLarge, "The body has more than %d bytes.", limit).
			Between(0, limit))
	}
	return service.WithoutMark(c.Body), nil
}
