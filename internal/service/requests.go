package service

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/engine"
	"roem/internal/engine/search"
)

// Decoder reads requests as the contract describes them and refuses everything else. What it returns is possible in
// Klaverjas. Its errors are *Error of kind Malformed or Impossible. It is safe for concurrent use.
type Decoder struct{ schemas *requestSchemas }

// NewDecoder returns a decoder for the embedded contract.
func NewDecoder() *Decoder {
	anyPositions := anyItems(positionsField)
	return &Decoder{newRequestSchemas(map[string]func(*openapi3.Schema) (*openapi3.Schema, error){
		"Position": unchanged, "SolveRequest": unchanged, "TableRequest": unchanged, "HybridRequest": unchanged,
		"SolveBatchRequest": anyPositions, "PredictBatchRequest": anyPositions, "HybridBatchRequest": anyPositions,
		"JobRequest": anyRequest,
	}, aboutRules)}
}

// aboutRules reports whether a finding is about what a rule switch may be, or about its name.
func aboutRules(f *finding) bool {
	if len(f.path) == 0 || f.path[0] != "rules" {
		return false
	}
	switch f.field {
	case "enum":
	case "properties":
		f.detail = "is no rule switch; there are " + strings.Join(fields(f.schema), ", ")
	case "minimum", "maximum", "multipleOf": // a bonus: rules hold no other number
		f.detail = fmt.Sprintf("is %v: expected a multiple of 10 from 0 to %d", f.value, engine.MaxBonus)
	default:
		return false
	}
	return true
}

// positionBody is a position as a request gives it, and the fields that other requests share with it.
type positionBody struct {
	Rules    *api.RulesInput `json:"rules"`
	Trump    string          `json:"trump"`
	Leader   string          `json:"leader"`
	Declarer *string         `json:"declarer"`
	Hands    *handsBody      `json:"hands"`
	Deal     *string         `json:"deal"`
	Played   *cardList       `json:"played"`
}

// PositionQuery asks about a position.
type PositionQuery struct {
	position position
	ByIndex  bool // the deal was given by its index
}

// Position reads the body of legal-moves, predict and deals/index.
func (d *Decoder) Position(body []byte) (PositionQuery, error) {
	return decode(d.schemas, body, "Position", func(in positionBody) (PositionQuery, error) {
		p, err := newPosition(in)
		return PositionQuery{position: p, ByIndex: in.Deal != nil}, err
	})
}

// AnalysisQuery asks what the cards cost that have been played in a position.
type AnalysisQuery struct{ position position }

// minAnalysed is how many cards must have been played for an analysis.
const minAnalysed = 2

// Analyse reads the body of analyse.
func (d *Decoder) Analyse(body []byte) (AnalysisQuery, error) {
	return decode(d.schemas, body, "Position", func(in positionBody) (AnalysisQuery, error) {
		p, err := newPosition(in)
		if err != nil {
			return AnalysisQuery{}, err
		}
		if n := len(p.played); n < minAnalysed {
			return AnalysisQuery{}, impossible(Violation{
				Pointer: "/played",
				Detail:  fmt.Sprintf("holds %d of the cards of the hand, expected %d to %d", n, minAnalysed, cards.Deck.Len()),
			})
		}
		return AnalysisQuery{p}, nil
	})
}

// SolveQuery asks for the solution of a position.
type SolveQuery struct {
	position position
	Goal     *search.Goal // how much is wanted; nil is value
}

func (q SolveQuery) goal() search.Goal {
	if q.Goal == nil {
		return search.Value
	}
	return *q.Goal
}

type solveBody struct {
	positionBody
	Goal *api.Goal `json:"goal"`
}

// Solve reads the body of solve. The goal is nil where the body has none.
func (d *Decoder) Solve(body []byte) (SolveQuery, error) {
	return decode(d.schemas, body, "SolveRequest", func(in solveBody) (q SolveQuery, err error) {
		if q.Goal, err = newGoal(in.Goal); err == nil {
			q.position, err = newPosition(in.positionBody)
		}
		return q, err
	})
}

func newGoal(in *api.Goal) (*search.Goal, error) {
	if in == nil {
		return nil, nil
	}
	goal, err := search.ParseGoal(string(*in))
	if err != nil {
		return nil, malformed(Violation{Pointer: "/goal", Detail: err.Error()})
	}
	return &goal, nil
}

// TableQuery asks for the table of a deal.
type TableQuery struct {
	rules  engine.Rules
	leader cards.Seat
	hands  [4]cards.Set
}

type tableBody struct {
	Rules  *api.RulesInput `json:"rules"`
	Leader string          `json:"leader"`
	Hands  handsBody       `json:"hands"`
}

// Table reads the body of table.
func (d *Decoder) Table(body []byte) (TableQuery, error) {
	return decode(d.schemas, body, "TableRequest", newTable)
}

func newTable(in tableBody) (q TableQuery, err error) {
	var vs violations
	q.rules = newRules(in.Rules, &vs)
	q.leader, err = cards.ParseSeat(in.Leader)
	vs.add("/leader", err)
	q.hands, err = in.Hands.parse()
	vs.add("/hands", err)
	if len(vs) > 0 {
		return q, impossible(vs...)
	}
	return q, nil
}

// limitsBody is what a request allows the answer to take.
type limitsBody struct {
	BudgetMs      *float64 `json:"budget_ms"`
	MinConfidence *float64 `json:"min_confidence"`
}

// The limits of a budget, in milliseconds, and of a minimum confidence.
const (
	maxBudgetMs = 600_000

	leastConfidence = 0.5
	mostConfidence  = 1
)

func (l limitsBody) check() error {
	var vs []Violation
	between := func(pointer string, number *float64, least, most float64) {
		if number != nil && (*number < least || *number > most) {
			vs = append(vs, Violation{Pointer: pointer, Detail: fmt.Sprintf("is %v: expected a number from %v to %v", *number, least, most)})
		}
	}
	between("/budget_ms", l.BudgetMs, 0, maxBudgetMs)
	between("/min_confidence", l.MinConfidence, leastConfidence, mostConfidence)
	if len(vs) > 0 {
		return malformed(vs...)
	}
	return nil
}

// HybridQuery asks who wins a position.
type HybridQuery struct {
	position      position
	BudgetMs      *float64 // within how many milliseconds; nil is without a budget
	MinConfidence *float64 // the minimum confidence at which the model's answer is accepted; nil leaves it to the rule
}

type hybridBody struct {
	positionBody
	limitsBody
}

// Hybrid reads the body of hybrid.
func (d *Decoder) Hybrid(body []byte) (HybridQuery, error) {
	return decode(d.schemas, body, "HybridRequest", func(in hybridBody) (HybridQuery, error) {
		q := HybridQuery{BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}
		err := in.check()
		if err == nil {
			q.position, err = newPosition(in.positionBody)
		}
		return q, err
	})
}
