package browser

import (
	"context"
	"slices"
	"strings"

	"roem/internal/engine/violation"
	"roem/internal/service"
)

// route is one method of one path.
type route struct {
	method   string
	segments []string // those in braces stand for any text
	answer   answerer
}

// answerer answers a call.
type answerer func(context.Context, *call) (Response, error)

func (p *Program) route(method, path string, answer answerer) {
	p.routes = append(p.routes, route{method, strings.Split(path, "/"), answer})
}

// find returns what answers a path, and the texts that its parameters stand for. Of two routes the one with fewer parameters answers.
func (p *Program) find(method, path string) (answerer, map[string]string, error) {
	given := strings.Split(path, "/")
	var (
		best  *route
		found map[string]string
		other []string // the methods of the path
	)
	for i := range p.routes {
		r := &p.routes[i]
		parameters, ok := r.match(given)
		switch {
		case !ok:
		case r.method != method:
			if !slices.Contains(other, r.method) {
				other = append(other, r.method)
			}
		case best == nil || len(parameters) < len(found):
			best, found = r, parameters
		}
	}
	switch {
	case best != nil:
		return best.answer, found, nil
	case len(other) > 0:
		return nil, nil, service.NewUnusable(service.MethodNotAllowed, violation.New(violation.WrongMethod,
			"The path does not accept this method. It accepts %s.", strings.Join(other, ", ")).Of(method).OneOf(other...).WithoutPlace())
	case p.Part:
		return nil, nil, service.ErrElsewhere
	default:
		return nil, nil, service.NewUnusable(service.NotFound, violation.New(violation.UnknownPath,
			"The path does not exist in this program.").Of(path).WithoutPlace())
	}
}

// match returns the texts that the parameters of the route stand for in a path.
func (r *route) match(given []string) (parameters map[string]string, ok bool) {
	if len(given) != len(r.segments) {
		return nil, false
	}
	for i, segment := range r.segments {
		switch name, found := strings.CutPrefix(segment, "{"); {
		case found && given[i] != "":
			if parameters == nil {
				parameters = make(map[string]string)
			}
			parameters[strings.TrimSuffix(name, "}")] = given[i]
		case segment != given[i]:
			return nil, false
		}
	}
	return parameters, true
}
