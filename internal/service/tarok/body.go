package tarok

import (
	"slices"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

func (b *handsBody) all() [3][]string { return [3][]string{b.A, b.B, b.C} }

// orderOf returns the places of the cards of hands, which are valid.
func orderOf(hands *handsBody) order {
	o := order{}
	for i, hand := range hands.all() {
		o.cards("/hands/"+tarok.Player(i).String(), hand)
	}
	return o
}

// ParsePosition reads the body of legal-moves.
var ParsePosition = service.PlainBodyOf[*Game]("TarokPosition", func(in positionBody) (Position, error) { return newPosition(&in) })

func (b *announcementsBody) all() [4]*announcementBody {
	return [4]*announcementBody{tarok.AllKings: b.Kings, tarok.AllTrula: b.Trula, tarok.LastPagat: b.Pagat, tarok.Valat: b.Valat}
}

// radli returns the radli, of which some or all may be absent.
func (b *radliBody) radli() (out [3]int) {
	if b != nil {
		out = [3]int{service.Or(b.A, 0), service.Or(b.B, 0), service.Or(b.C, 0)}
	}
	return out
}

// indexOf returns the place of a value in the list of an enumeration, or 0 if it is absent.
func indexOf[T comparable](value *T, list []T) int {
	if value == nil {
		return 0
	}
	return max(slices.Index(list, *value), 0)
}

// announcementsOf reads what was announced, and the radli.
func announcementsOf(kontra *api.TarokKontra, in *announcementsBody, radli *radliBody) (a tarok.Announcements) {
	a.Kontra = indexOf(kontra, kontraValues)
	if in != nil {
		for i, said := range in.all() {
			if said != nil {
				a.Bonuses[i] = tarok.Announced{
					By:     [2]tarok.Side{tarok.Declarers, tarok.Opponents}[indexOf(&said.By, sideValues)],
					Kontra: indexOf(said.Kontra, kontraValues),
				}
			}
		}
	}
	a.Radli = radli.radli()
	return a
}

// ParseScore reads the body of score.
var ParseScore = service.PlainBodyOf[*Game]("TarokScoreRequest", func(in scoreBody) (Scoring, error) {
	p, err := newPosition(&in.positionBody)
	if err == nil {
		err = p.needsPlay()
	}
	if err != nil {
		return Scoring{}, err
	}
	out := Scoring{setup: p.setup}
	if out.score, err = p.now.Score(announcementsOf(in.Kontra, in.Announcements, in.Radli)); err != nil {
		return Scoring{}, service.FromEngine(err)
	}
	return out, nil
})

// Question is what a search is asked about a position.
type Question struct {
	Goal  search.Goal
	Depth int // 0 for an exact search
	search.Enhancements
}

// question returns the question of a body with defaults for what it does not say. The default of the enhancements is all of them.
func (in *solveBody) question(q Question) (Question, error) {
	if in.Goal != nil {
		q.Goal = search.Goal(indexOf(in.Goal, goalValues))
	}
	q.Depth = service.Or(in.Depth, q.Depth)
	if q.Depth == 0 {
		for _, field := range []struct {
			pointer string
			given   bool
		}{
			{"/deepening", in.Deepening != nil},
			{"/history", in.History != nil},
			{"/minimal_window", in.MinimalWindow != nil},
			{"/selection", in.Selection != nil},
			{"/table", in.Table != nil},
		} {
			if field.given {
				return q, refused(field.pointer, violation.NotUsed, "is for searches with a depth: the exact search has no such switch")
			}
		}
	}
	q.Deepening, q.History = service.Or(in.Deepening, q.Deepening), service.Or(in.History, q.History)
	q.Minimal = service.Or(in.MinimalWindow, q.Minimal)
	if in.Selection != nil {
		q.Selection = search.Selection(indexOf(in.Selection, selectionValues))
	}
	if in.Table != nil {
		q.Table = search.Table(indexOf(in.Table, tableValues))
	}
	return q, nil
}

// ParseSolve reads the body of solve.
var ParseSolve = parseSolve(Question{Enhancements: search.AllFour})

// parseSolve reads the body of solve, with defaults for what it does not say.
func parseSolve(question Question) service.Parser[*Game, *SolveQuery] {
	return service.BodyOf("TarokSolveRequest", func(g *Game, in solveBody) (*SolveQuery, error) {
		question, err := in.question(question)
		if err != nil {
			return nil, err
		}
		p, err := newPosition(&in.positionBody)
		if err == nil {
			err = p.needsPlay()
		}
		if err != nil {
			return nil, err
		}
		return g.newSolveQuery(p, question)
	})
}
