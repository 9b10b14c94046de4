package browser

import (
	"context"
	"time"

	"roem/internal/service"
)

// operation adds the route of an operation.
func (p *Program) operation(o *service.Operation) {
	switch o.Mode {
	case service.ModeGet:
		p.route("GET", o.Path, func(_ context.Context, c *call) (Response, error) { return answerGet(c, o) })
	case service.ModeOrJob, service.ModeAsJob:
		p.route("POST", o.Path, func(ctx context.Context, c *call) (Response, error) { return p.search(ctx, c, o) })
	default:
		p.route("POST", o.Path, func(ctx context.Context, c *call) (Response, error) { return p.post(ctx, c, o) })
	}
}

// limitOf returns how many bytes the body of a request for an operation may have.
func limitOf(o *service.Operation) int {
	if o.List || o.Large {
		return maxList
	}
	return maxBody
}

// post answers a request that is no search.
func (p *Program) post(ctx context.Context, c *call, o *service.Operation) (Response, error) {
	body, err := c.body(limitOf(o))
	if err != nil {
		return Response{}, err
	}
	run, err := o.Read(ctx, body)
	if err != nil {
		return Response{}, err
	}
	answer, err := run(ctx)
	if err != nil {
		return Response{}, err
	}
	return respond(200, answer)
}

// search answers a request that may take long.
func (p *Program) search(ctx context.Context, c *call, o *service.Operation) (Response, error) {
	body, err := c.body(limitOf(o))
	if err != nil {
		return Response{}, err
	}
	if o.Large {
		within, leave, err := p.service.Room(ctx, len(body))
		defer leave()
		if err != nil {
			return Response{}, err
		}
		ctx = within
	}
	request, err := p.service.Parse(ctx, o.Kind, body)
	if err != nil {
		return Response{}, err
	}
	if q, ok := request.Query().(service.Refining[any]); ok && c.Event != nil {
		return p.refine(ctx, c, q)
	}
	answer, err := service.AskTelling(ctx, p.service, request.Query(), c.Progress)
	if err != nil {
		return Response{}, err
	}
	return respond(200, answer.Result)
}

// longest is the longest time in which answers become better.
const longest = time.Hour

// refine tells answers that become better.
func (p *Program) refine(ctx context.Context, c *call, q service.Refining[any]) (Response, error) {
	most := c.Wait
	if most <= 0 {
		most = longest
	}
	end, err := p.service.Refine(ctx, q, most, func(answer service.Answer[any]) error {
		text, err := encode(answer.Result)
		if err == nil {
			c.Event("advice", text)
		}
		return err
	})
	if err != nil {
		return Response{}, err
	}
	c.Event("finished", []byte(`{"reason":"`+string(end)+`"}`))
	return Response{Status: 200, Type: "text/event-stream"}, nil
}

// answerGet answers a GET with parameters.
func answerGet(c *call, o *service.Operation) (Response, error) {
	parameters, err := service.ReadParameters(c.query, false, o.InQuery...)
	if err != nil {
		return Response{}, err
	}
	for name, value := range c.parameters {
		if parameters[name], err = service.PathParameter(name, value); err != nil {
			return Response{}, err
		}
	}
	answer, err := o.Get(parameters)
	if err != nil {
		return Response{}, err
	}
	if file, ok := answer.(service.File); ok {
		return Response{Status: 200, Type: file.MediaType, Body: file.Body}, nil
	}
	return respond(200, answer)
}
