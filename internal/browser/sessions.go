package browser

import (
	"context"

	"roem/internal/service"
)

// sessions adds the routes of the sessions of a game, below a path. The one client of the program holds all of them.
func (p *Program) sessions(path string, s *service.Playing) {
	one := path + "/{id}"
	p.route("POST", path, func(ctx context.Context, c *call) (Response, error) { return createSession(ctx, c, s) })
	p.reads("GET", one, func(ctx context.Context, c *call) (any, error) {
		out, err := s.Get(ctx, "", c.parameters["id"])
		return out.Body, err
	})
	if s.Hand != nil {
		p.reads("GET", one+"/hands/{number}", func(ctx context.Context, c *call) (any, error) {
			out, err := s.Hand(ctx, "", c.parameters["id"], c.parameters["number"])
			return out.Body, err
		})
		p.reads("GET", one+"/records", func(ctx context.Context, c *call) (any, error) { return s.Records(ctx, "", c.parameters["id"]) })
	}
	p.route("DELETE", one, func(ctx context.Context, c *call) (Response, error) {
		if _, err := service.ReadParameters(c.query, false); err != nil {
			return Response{}, err
		}
		return Response{Status: 204}, s.End(ctx, "", c.parameters["id"])
	})
	for _, act := range s.Acts {
		p.route("POST", one+"/"+act.Name, func(ctx context.Context, c *call) (Response, error) {
			body, err := c.body(maxBody)
			if err != nil {
				return Response{}, err
			}
			do, err := act.Read(ctx, body)
			if err != nil {
				return Response{}, err
			}
			out, err := do(ctx, "", c.parameters["id"])
			if err != nil {
				return Response{}, err
			}
			return respond(200, out.Body)
		})
	}
}

// reads adds a route that has no parameters in its query.
func (p *Program) reads(method, path string, read func(context.Context, *call) (any, error)) {
	p.route(method, path, func(ctx context.Context, c *call) (Response, error) {
		if _, err := service.ReadParameters(c.query, false); err != nil {
			return Response{}, err
		}
		out, err := read(ctx, c)
		if err != nil {
			return Response{}, err
		}
		return respond(200, out)
	})
}

func createSession(ctx context.Context, c *call, s *service.Playing) (Response, error) {
	body, err := c.body(maxBody)
	if err != nil {
		return Response{}, err
	}
	create, err := s.Create(ctx, body)
	if err != nil {
		return Response{}, err
	}
	out, err := create(ctx, service.NewSession{Body: body})
	if err != nil {
		return Response{}, err
	}
	response, err := respond(201, out.Body)
	response.Location = out.Path
	return response, err
}
