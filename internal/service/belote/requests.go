package belote

import (
	"context"

	"roem/internal/engine/belote/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParsePosition reads the body of legal-moves.
func (g *Game) ParsePosition(ctx context.Context, body []byte) (Position, error) {
	return service.Decode(ctx, g.schemas, body, "BelotePosition", newPosition)
}

// Question is what a search is asked about a position.
type Question struct {
	Utility   search.Utility
	Goal      search.Goal
	Algorithm search.Algorithm
	NoPruning bool
}

// ParseSolve reads the body of solve.
func (g *Game) ParseSolve(ctx context.Context, body []byte) (*SolveQuery, error) {
	return g.ParseSolveFor(ctx, body, Question{})
}

// ParseSolveFor reads the body of solve, with defaults for what it does not say.
func (g *Game) ParseSolveFor(ctx context.Context, body []byte, question Question) (*SolveQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteSolveRequest", func(in solveBody) (*SolveQuery, error) {
		question, err := in.question(question)
		if err != nil {
			return nil, err
		}
		p, err := newPosition(in.positionBody)
		if err != nil {
			return nil, err
		}
		return g.newSolveQuery(p, question)
	})
}

func (in *solveBody) question(q Question) (Question, error) {
	var vs service.Problems
	q.Utility = service.Read(&vs, "/utility", in.Utility, search.ParseUtility, q.Utility)
	q.Goal = service.Read(&vs, "/goal", in.Goal, search.ParseGoal, q.Goal)
	q.Algorithm = service.Read(&vs, "/algorithm", in.Algorithm, search.ParseAlgorithm, q.Algorithm)
	q.NoPruning = !service.Or(in.ForwardPruning, !q.NoPruning)
	return q, vs.Err()
}

// ParseAnalyse reads the body of analyse.
func (g *Game) ParseAnalyse(ctx context.Context, body []byte) (*AnalyseQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BelotePosition", func(in positionBody) (*AnalyseQuery, error) {
		p, err := newPosition(in)
		if err != nil {
			return nil, err
		}
		if len(p.played) == 0 {
			return nil, service.Refused(violation.New(violation.Needed, "is empty: there is no card to analyse").At("/played"))
		}
		return g.newAnalyseQuery(p)
	})
}
