// Package nim is the example of docs/project/adding-a-game.md: a whole game in as few lines as possible. Only its tests use it.
package nim

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/table/contest"
	"roem/internal/engine/table/history"
	"roem/internal/engine/table/session"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

//go:generate go run roem/api/gen -dir ../../api -add nim.yaml -path /v1/nim/ -prefix Nim

type playing = session.Session[session.Single[hand, seat, hand, NimMove], hand, seat, hand, NimMove]

// Game answers the operations of Nim.
type Game struct {
	service *service.Service
	schemas *service.Schemas
}

// Operations declares the operations of Nim. Paths, kinds of jobs and commands follow from it.
var Operations = &service.Declaration[*Game]{
	Name: "nim", Records: records.Kind(),
	Operations: []service.Declared[*Game]{
		service.Now("legal-moves", position, (*Game).moves).Command("legal", "the moves of positions",
			`Reads positions, {"piles": [...]}, and writes their moves.`),
		service.OrJob("solve", service.OpOf(service.Then(position, (*Game).solve), (*Game).solution)).Command("solve", "who wins, by which moves",
			`Reads positions, {"piles": [...]}, and writes their solutions.`),
		service.OrJob("match", service.OpReading("NimMatchRequest", (*Game).match, (*Game).result)).Command("match", "duplicate matches",
			`Reads matches, {"a": ..., "b": ...}, and writes their results.`),
		service.OrJob("review", service.OpReading("NimReviewRequest", (*Game).review, (*Game).verdicts)).Command("review", "verdicts on moves",
			`Reads records, {"record": ...}, and writes a verdict on each move.`),
	},
	Sessions: func(g *Game) *service.Playing {
		sessions := service.NewSingles(g.service, kinds[0], records, func(id string, s playing) NimSession {
			return NimSession{
				Links: SessionLinks{Self: "/v1/nim/sessions/" + id}, Id: id, Number: s.Number(), State: NimSessionState(s.State()), Acts: s.Next(),
				Piles: s.Hand().Piles, Moves: append([]NimMove{}, s.Done()...), Version: g.service.Version(),
			}
		})
		return sessions.Playing(service.Starting(position.Of(g)), func(s *NimSession) (*string, []service.Note) { return &s.Links.Self, nil },
			service.ReadsAct(g.schemas, "play", "NimPlayRequest", func(in playBody) (service.SessionAct[session.Act[NimMove]], error) {
				return service.Acted(*in.Acts, NimMove{Pile: *in.Pile, Take: in.Take})
			}))
	},
}

// records are the records of hands.
var records = &history.Game[hand, seat, hand, NimMove]{
	Name: "nim", Start: "Piles", Most: 15,
	Begin: func(sizes []int) hand { return hand{Piles: sizes} },
	Began: func(h hand) []int { return h.Piles },
	Acted: func(m NimMove) []int { return []int{m.Pile, m.Take} },
	Act:   func(numbers []int) NimMove { return NimMove{Pile: numbers[0], Take: numbers[1]} }, Form: "PILE:NUMBER",
	Result: func(h hand) []string { return history.Words(int(1 - h.Next)) }, // who has won
}

// New returns the game, whose operations it adds to a service.
func New(s *service.Service) *Game {
	return service.Declare(s, Operations, &Game{service: s, schemas: service.NewSchemas(s, shapes)})
}

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// position reads a position. Its body is generated from the contract, which has the limits.
var position = service.BodyOf("NimPosition", func(_ *Game, in positionBody) (hand, error) {
	h := hand{Piles: in.Piles}
	if _, ok := h.Turn(); !ok {
		return h, service.Refused(violation.New(violation.Over, "are empty: the game is over").At("/piles"))
	}
	return h, nil
})

func (g *Game) moves(h hand) (NimLegalMoves, error) {
	return NimLegalMoves{Moves: h.moves(), Version: g.service.Version()}, nil
}

// solve returns the query of a solution. The cache keeps the winning moves as JSON.
func (g *Game) solve(h hand) (*service.LookupQuery[[]NimMove], error) {
	key := service.NewKey("nim", 1, "1", "nim.solve").Ints(h.Piles)
	return service.NewJSONQuery(g.service, key, func(context.Context) ([]NimMove, error) { return h.winning(), nil }), nil
}

func (g *Game) solution(_ *service.LookupQuery[[]NimMove], a service.Answer[[]NimMove]) NimSolution {
	return NimSolution{Won: len(a.Result) > 0, Winning: a.Result, Source: Source(a.Source), Version: g.service.Version()}
}

// match reads a match, in which three piles are drawn for each deal.
func (g *Game) match(in matchBody) (*service.MatchQuery[contest.Outcome], error) {
	var vs service.Problems
	duel := contest.Duel[hand, seat, hand, NimMove]{
		Kinds: service.ReadKinds(&vs, in.A, in.B, kinds), Seed: vs.Seed(in.Seed),
		Deal: func(rng *rand.Rand) hand {
			return hand{Piles: []int{1 + rng.IntN(7), 1 + rng.IntN(7), 1 + rng.IntN(7)}}
		},
		Score: func(end hand) [2]float64 { return [2]float64{float64(end.Next), float64(1 - end.Next)} },
	}
	key := service.NewKey("nim", 1, "1", "nim.match").Text(in.A).Text(in.B).Int(in.Deals).Uint(duel.Seed)
	return service.NewMatchQuery(g.service, key, in.Deals, duel.Run), vs.Err()
}

func (g *Game) result(_ *service.MatchQuery[contest.Outcome], a service.Answer[contest.Outcome]) NimMatch {
	r, s := a.Result, a.Result.Share
	share := Estimate{Mean: s.Mean, StandardError: s.Error, Low: s.Low, High: s.High}
	return NimMatch{Won: r.Won, Tied: r.Tied, Lost: r.Lost, Share: share, Version: g.service.Version()}
}

// review reads the record of a game. A move that leaves a winning move is a mistake if there was a winning one.
func (g *Game) review(in reviewBody) (*service.RecordReview[hand, seat, hand, NimMove], error) {
	legal := func(h hand) int { return len(h.moves()) }
	return service.NewRecordReview(g.service, records, "/record", in.Record, legal, func(h hand, m NimMove) float64 {
		next, _ := h.Act(m) // it was made
		return float64(min(len(h.winning()), len(next.winning())))
	})
}

func (g *Game) verdicts(_ *service.RecordReview[hand, seat, hand, NimMove], a service.RecordAnswer[hand, seat, hand, NimMove]) NimReview {
	return NimReview{Verdicts: a.Result.Verdicts(), Version: g.service.Version()}
}
