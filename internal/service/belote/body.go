package belote

import (
	"roem/internal/engine/belote/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParsePosition reads the body of legal-moves.
var ParsePosition = service.PlainBodyOf[*Game]("BelotePosition", newPosition)

// ParseSolve reads the body of solve.
var ParseSolve = service.BodyOf("BeloteSolveRequest", readSolve(Question{}))

// readSolve reads the body of solve, with defaults for what it does not say.
func readSolve(otherwise Question) func(*Game, solveBody) (*SolveQuery, error) {
	return func(g *Game, in solveBody) (*SolveQuery, error) {
		question, err := in.question(otherwise)
		if err != nil {
			return nil, err
		}
		p, err := newPosition(in.positionBody)
		if err != nil {
			return nil, err
		}
		return g.newSolveQuery(p, question)
	}
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
var ParseAnalyse = service.BodyOf("BelotePosition", func(g *Game, in positionBody) (*AnalyseQuery, error) {
	p, err := newPosition(in)
	if err != nil {
		return nil, err
	}
	if len(p.played) == 0 {
		return nil, service.Refused(violation.New(violation.Needed, "is empty: there is no card to analyse").At("/played"))
	}
	return g.newAnalyseQuery(p)
})
