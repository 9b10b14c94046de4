package tarok

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/service"
)

// newSchemas returns the schemas of the game's requests.
func newSchemas(s *service.Service) *service.Schemas {
	return service.NewSchemas(s, map[string]func(*openapi3.Schema) (*openapi3.Schema, error){
		"TarokPosition": service.Unchanged, "TarokScoreRequest": service.Unchanged, "TarokSolveRequest": service.Unchanged,
		"TarokSampleRequest": service.Unchanged, "TarokComplexityRequest": service.Unchanged, "TarokBidRequest": service.Unchanged,
		"TarokExchangeRequest": service.Unchanged,
		"TarokAnnounceRequest": service.Unchanged, "TarokAdviseRequest": service.Unchanged, "TarokMatchRequest": service.Unchanged,
		"TarokRulesInput":     service.Unchanged,
		"TarokSessionRequest": service.Unchanged, "TarokSessionBidRequest": service.Unchanged, "TarokSessionExchangeRequest": service.Unchanged,
		"TarokSessionAnnounceRequest": service.Unchanged, "TarokSessionPlayRequest": service.Unchanged,
		"TarokSessionNextRequest": service.Unchanged,
	}, nil)
}

// positionBody is the body of a position. Other bodies embed it.
type positionBody struct {
	Hands    *playersBody[[]string] `json:"hands"`
	Talon    *[]string              `json:"talon"`
	Contract *string                `json:"contract"`
	Declarer *string                `json:"declarer"`
	Group    *int                   `json:"group"`
	Discards *[]string              `json:"discards"`
	Played   *[]string              `json:"played"`
	Rules    *rulesBody             `json:"rules"`
}

type playersBody[T any] struct {
	A *T `json:"A"`
	B *T `json:"B"`
	C *T `json:"C"`
}

func (b *playersBody[T]) all() [3]*T { return [3]*T{b.A, b.B, b.C} }

// orderOf returns the places of the cards of hands, which are valid.
func orderOf(hands *playersBody[[]string]) order {
	o := order{}
	for i, hand := range hands.all() {
		o.cards("/hands/"+tarok.Player(i).String(), *hand)
	}
	return o
}

type rulesBody struct {
	Mond       *int    `json:"mond"`
	Emperor    *bool   `json:"emperor"`
	Lead       *string `json:"lead"`
	Difference *string `json:"difference"`
	Bidding    *string `json:"bidding"`
}

// The values of the enums of the contract, in the order of the engine's.
var (
	contractNames   = []string{"klop", "three", "two", "one", "beggar", "zero"}
	leadNames       = []string{"forehand", "declarer"}
	differenceNames = []string{"exact", "rounded", "none"}
	orderNames      = []string{"forehand_first", "forehand_last"}
	kontraNames     = []string{"none", "kontra", "re", "sub", "mort"}
	sideNames       = []string{"declarer", "opponents"}
)

// The limits of the contract.
const (
	maxText     = 32
	maxGroup    = 5
	maxDiscards = 3
	maxPlayed   = 3 * tarok.HandSize
	maxMond     = 100
	maxRadli    = 1000
	maxDepth    = 18
)

// shape collects the first thing that the contract refuses and the types accept. The details are those of the schema: see service.Decode.
type shape struct{ bad *service.Violation }

func (s *shape) refuse(pointer, detail string) {
	if s.bad == nil {
		s.bad = &service.Violation{Pointer: pointer, Detail: detail}
	}
}

func (s *shape) err() error {
	if s.bad == nil {
		return nil
	}
	return service.NewMalformed(*s.bad)
}

// oneOf checks a text of an enum, which may be absent.
func (s *shape) oneOf(pointer string, text *string, names []string) {
	if text != nil && !slices.Contains(names, *text) {
		s.refuse(pointer, "is unknown")
	}
}

// within checks a number, which may be absent.
func (s *shape) within(pointer string, n *int, least, most int) {
	if n != nil && (*n < least || *n > most) {
		s.refuse(pointer, "is out of range")
	}
}

// list checks a list of texts, which may be absent.
func (s *shape) list(pointer string, list *[]string, least, most int) {
	if list == nil {
		return
	}
	if len(*list) < least || len(*list) > most {
		s.refuse(pointer, "has a wrong length")
	}
	for i := range *list {
		s.text(pointer+"/"+strconv.Itoa(i), &(*list)[i])
	}
}

func (s *shape) text(pointer string, text *string) {
	if text != nil && utf8.RuneCountInString(*text) > maxText {
		s.refuse(pointer, fmt.Sprintf("has more than %d characters", maxText))
	}
}

// seed checks the seed, which may be absent: 1 to 20 digits.
func (s *shape) seed(text *string) {
	if text != nil && (len(*text) < 1 || len(*text) > 20 || strings.Trim(*text, "0123456789") != "") {
		s.refuse("/seed", "is no number")
	}
}

// hands checks the hands, which may be absent.
func (s *shape) hands(hands *playersBody[[]string]) {
	if hands == nil {
		return
	}
	for i, hand := range hands.all() {
		where := "/hands/" + tarok.Player(i).String()
		if hand == nil {
			s.refuse(where, "is missing")
		}
		s.list(where, hand, tarok.HandSize, tarok.HandSize)
	}
}

func (in *positionBody) checkShape(s *shape) {
	switch {
	case in.Hands == nil:
		s.refuse("/hands", "is missing")
	case in.Talon == nil:
		s.refuse("/talon", "is missing")
	case in.Contract == nil:
		s.refuse("/contract", "is missing")
	}
	s.hands(in.Hands)
	s.list("/talon", in.Talon, tarok.TalonSize, tarok.TalonSize)
	s.oneOf("/contract", in.Contract, contractNames)
	s.text("/declarer", in.Declarer)
	s.within("/group", in.Group, 0, maxGroup)
	s.list("/discards", in.Discards, 0, maxDiscards)
	s.list("/played", in.Played, 0, maxPlayed)
	in.Rules.checkShape(s)
}

// checkShape checks the rules, which may be absent.
func (in *rulesBody) checkShape(s *shape) {
	if in != nil {
		s.within("/rules/mond", in.Mond, 0, maxMond)
		s.oneOf("/rules/lead", in.Lead, leadNames)
		s.oneOf("/rules/difference", in.Difference, differenceNames)
		s.oneOf("/rules/bidding", in.Bidding, orderNames)
	}
}

// ParsePosition reads the body of legal-moves.
func (g *Game) ParsePosition(ctx context.Context, body []byte) (Position, error) {
	return service.Decode(ctx, g.schemas, body, "TarokPosition", func(in positionBody) (Position, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return Position{}, err
		}
		return newPosition(&in)
	})
}

type scoreBody struct {
	positionBody
	Kontra        *string            `json:"kontra"`
	Announcements *announcementsBody `json:"announcements"`
	Radli         *playersBody[int]  `json:"radli"`
}

type announcementsBody struct {
	Kings *announcementBody `json:"kings"`
	Trula *announcementBody `json:"trula"`
	Pagat *announcementBody `json:"pagat"`
	Valat *announcementBody `json:"valat"`
}

func (b *announcementsBody) all() [4]*announcementBody {
	return [4]*announcementBody{tarok.AllKings: b.Kings, tarok.AllTrula: b.Trula, tarok.LastPagat: b.Pagat, tarok.Valat: b.Valat}
}

type announcementBody struct {
	By     *string `json:"by"`
	Kontra *string `json:"kontra"`
}

func (in *scoreBody) checkShape(s *shape) {
	in.positionBody.checkShape(s)
	s.oneOf("/kontra", in.Kontra, kontraNames)
	if in.Announcements != nil {
		for i, said := range in.Announcements.all() {
			where := "/announcements/" + tarok.Bonus(i).String()
			if said == nil {
				continue
			}
			if said.By == nil {
				s.refuse(where+"/by", "is missing")
			}
			s.oneOf(where+"/by", said.By, sideNames)
			s.oneOf(where+"/kontra", said.Kontra, kontraNames)
		}
	}
	s.radli(in.Radli)
}

// radli checks the radli, which may be absent.
func (s *shape) radli(radli *playersBody[int]) {
	if radli != nil {
		for i, n := range radli.all() {
			s.within("/radli/"+tarok.Player(i).String(), n, 0, maxRadli)
		}
	}
}

// radliOf returns the radli, of which some or all may be absent.
func radliOf(radli *playersBody[int]) (out [3]int) {
	if radli != nil {
		for i, n := range radli.all() {
			if n != nil {
				out[i] = *n
			}
		}
	}
	return out
}

// indexOf returns the place of a text in a list, or 0 if it is absent.
func indexOf(text *string, names []string) int {
	if text == nil {
		return 0
	}
	return max(slices.Index(names, *text), 0)
}

func (in *scoreBody) announcements() (a tarok.Announcements) {
	a.Kontra = indexOf(in.Kontra, kontraNames)
	if in.Announcements != nil {
		for i, said := range in.Announcements.all() {
			if said != nil {
				a.Bonuses[i] = tarok.Announced{
					By:     [2]tarok.Side{tarok.Declarers, tarok.Opponents}[indexOf(said.By, sideNames)],
					Kontra: indexOf(said.Kontra, kontraNames),
				}
			}
		}
	}
	a.Radli = radliOf(in.Radli)
	return a
}

// ParseScore reads the body of score.
func (g *Game) ParseScore(ctx context.Context, body []byte) (Scoring, error) {
	return service.Decode(ctx, g.schemas, body, "TarokScoreRequest", func(in scoreBody) (Scoring, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return Scoring{}, err
		}
		p, err := newPosition(&in.positionBody)
		if err == nil {
			err = p.needsPlay()
		}
		if err != nil {
			return Scoring{}, err
		}
		out := Scoring{setup: p.setup}
		if out.score, err = p.now.Score(in.announcements()); err != nil {
			return Scoring{}, service.AsImpossible(err)
		}
		return out, nil
	})
}

type solveBody struct {
	positionBody
	Goal      *string `json:"goal"`
	Depth     *int    `json:"depth"`
	Deepening *bool   `json:"deepening"`
	History   *bool   `json:"history"`
	Selection *string `json:"selection"`
	Table     *string `json:"table"`
}

// Question is what a search is asked about a position.
type Question struct {
	Goal  search.Goal
	Depth int // 0 for an exact search
	search.Enhancements
}

var (
	goalNames      = []string{"value", "moves"}
	selectionNames = []string{"all", "provable", "learned"}
	tableNames     = []string{"none", "plain", "equivalence"}
)

func (in *solveBody) checkShape(s *shape) {
	in.positionBody.checkShape(s)
	s.oneOf("/goal", in.Goal, goalNames)
	s.within("/depth", in.Depth, 3, maxDepth)
	if in.Depth != nil && *in.Depth%3 != 0 {
		s.refuse("/depth", "is not a multiple of 3")
	}
	s.oneOf("/selection", in.Selection, selectionNames)
	s.oneOf("/table", in.Table, tableNames)
}

// question returns the question of a body with defaults for what it does not say. The default of the enhancements is all of them.
func (in *solveBody) question(q Question) (Question, error) {
	if in.Goal != nil {
		q.Goal = search.Goal(indexOf(in.Goal, goalNames))
	}
	if in.Depth != nil {
		q.Depth = *in.Depth
	}
	if q.Depth == 0 {
		for _, field := range []struct {
			pointer string
			given   bool
		}{
			{"/deepening", in.Deepening != nil},
			{"/history", in.History != nil},
			{"/selection", in.Selection != nil},
			{"/table", in.Table != nil},
		} {
			if field.given {
				return q, impossible(field.pointer, "is for searches with a depth: the exact search has no such switch")
			}
		}
	}
	if in.Deepening != nil {
		q.Deepening = *in.Deepening
	}
	if in.History != nil {
		q.History = *in.History
	}
	if in.Selection != nil {
		q.Selection = search.Selection(indexOf(in.Selection, selectionNames))
	}
	if in.Table != nil {
		q.Table = search.Table(indexOf(in.Table, tableNames))
	}
	return q, nil
}

// ParseSolve reads the body of solve.
func (g *Game) ParseSolve(ctx context.Context, body []byte) (*SolveQuery, error) {
	return g.ParseSolveFor(ctx, body, Question{Enhancements: search.AllFour})
}

// ParseSolveFor reads the body of solve, with defaults for what it does not say.
func (g *Game) ParseSolveFor(ctx context.Context, body []byte, question Question) (*SolveQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSolveRequest", func(in solveBody) (*SolveQuery, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return nil, err
		}
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
