package belote

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// trumpBody is a suit, or null. A missing trump and null differ.
type trumpBody struct {
	given bool
	text  *string // nil for null
}

// UnmarshalJSONFrom reads a text or null.
func (t *trumpBody) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	t.given = true
	return json.UnmarshalDecode(dec, &t.text)
}

// positionBody is the body of a position. Other bodies embed it.
type positionBody struct {
	Trump     trumpBody   `json:"trump"`
	Suits     *[]string   `json:"suits"`
	Leader    *string     `json:"leader"`
	Declarer  *string     `json:"declarer"`
	Threshold *int        `json:"threshold"`
	Flip      *string     `json:"flip"`
	Stacks    *stacksBody `json:"stacks"`
	Played    *[]string   `json:"played"`
}

// stacksBody are the stacks of both players. Null is the lower card of a stack in a view; the schema of positions refuses it.
type stacksBody struct {
	A *[][]*string `json:"A"`
	B *[][]*string `json:"B"`
}

// ParsePosition reads the body of legal-moves.
func (g *Game) ParsePosition(ctx context.Context, body []byte) (Position, error) {
	return service.Decode(ctx, g.schemas, body, "BelotePosition", newPosition)
}

type solveBody struct {
	positionBody
	Utility        *string `json:"utility"`
	Goal           *string `json:"goal"`
	Algorithm      *string `json:"algorithm"`
	ForwardPruning *bool   `json:"forward_pruning"`
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

func (in solveBody) question(q Question) (Question, error) {
	var (
		vs  []service.Violation
		err error
	)
	add := func(pointer string) {
		if err != nil {
			vs = append(vs, service.Violation{Pointer: pointer, Detail: err.Error()})
		}
		err = nil
	}
	if in.Utility != nil {
		q.Utility, err = search.ParseUtility(*in.Utility)
		add("/utility")
	}
	if in.Goal != nil {
		q.Goal, err = search.ParseGoal(*in.Goal)
		add("/goal")
	}
	if in.Algorithm != nil {
		q.Algorithm, err = search.ParseAlgorithm(*in.Algorithm)
		add("/algorithm")
	}
	if in.ForwardPruning != nil {
		q.NoPruning = !*in.ForwardPruning
	}
	if len(vs) > 0 {
		return q, service.NewMalformed(vs...)
	}
	return q, nil
}

// ParseAnalyse reads the body of analyse.
func (g *Game) ParseAnalyse(ctx context.Context, body []byte) (*AnalyseQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BelotePosition", func(in positionBody) (*AnalyseQuery, error) {
		p, err := newPosition(in)
		if err != nil {
			return nil, err
		}
		if len(p.played) == 0 {
			return nil, service.NewImpossible(service.Violation{Pointer: "/played", Detail: "is empty: there is no card to analyse"})
		}
		return g.newAnalyseQuery(p)
	})
}
