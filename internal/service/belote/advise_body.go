package belote

import (
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// ParseAdvise reads the body of advise.
var ParseAdvise = service.BodyOf("BeloteAdviseRequest", (*Game).readAdvise)

func (g *Game) readAdvise(in adviseBody) (*AdviseQuery, error) {
	var question advice.Question
	if err := in.options(&question); err != nil {
		return nil, err
	}
	view, err := newView(&in)
	if err != nil {
		return nil, err
	}
	return g.newAdviseQuery(view, question)
}

// options reads what the body asks for beside the view.
func (in *adviseBody) options(q *advice.Question) error {
	var vs service.Problems
	q.Utility = service.Read(&vs, "/utility", in.Utility, search.ParseUtility, q.Utility)
	q.Method = service.Read(&vs, "/method", in.Method, advice.ParseMethod, q.Method)
	q.Worlds, q.Seed = in.Worlds, vs.Seed(in.Seed)
	return vs.Err()
}
