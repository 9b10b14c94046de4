// Package nim is the example of docs/project/adding-a-game.md: a whole game in as few lines as possible. Only its tests use it.
package nim

import (
	"context"
	"encoding/json"

	"roem/internal/computation"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

//go:generate go run roem/api/merge -dir ../../api -add nim.yaml -o openapi.gen.yaml
//go:generate go -C ../../tools tool oapi-codegen -generate types -package nim -include-tags Nim -o ../test/nim/types.gen.go ../test/nim/openapi.gen.yaml
//go:generate go run roem/api/requests -contract openapi.gen.yaml -path /v1/nim/ -prefix Nim

// Game answers the operations of Nim.
type Game struct {
	service  *service.Service
	schemas  *service.Schemas
	sessions *service.Sessions[piles, played, NimMove, NimSession]
}

// Operations declares the operations of Nim. Paths, kinds of jobs and commands follow from it.
var Operations = &service.Declaration[*Game]{
	Name: "nim",
	Operations: []service.Declared[*Game]{
		service.Now("legal-moves", (*Game).parse, (*Game).legalMoves).Command("legal", "the moves of positions",
			`Reads positions, {"piles": [...]}, and writes their moves.`),
		service.OrJob("solve", (*Game).parseSolve).Command("solve", "who wins positions, and by which moves",
			`Reads positions, {"piles": [...]}, and writes their solutions.`),
	},
	Sessions: func(g *Game) *service.Playing {
		return g.sessions.Playing(g.parse, func(s *NimSession) (*string, []service.Note) {
			path := "/v1/nim/sessions/" + s.Id
			return &path, []service.Note{{Name: "session_state", Value: string(s.State)}}
		}, service.ReadsAct(g.schemas, "play", "NimPlayRequest", playBody.act))
	},
}

// New returns the game, whose operations it adds to a service.
func New(s *service.Service) *Game {
	g := &Game{service: s, schemas: service.NewSchemas(s)}
	g.sessions = service.NewSessions(s, Operations.Name, nil, table{g})
	service.Declare(s, Operations, g)
	return g
}

// parse reads a position. Its body is generated from the contract, which has the limits.
func (g *Game) parse(ctx context.Context, body []byte) (piles, error) {
	return service.Decode(ctx, g.schemas, body, "NimPosition", func(in positionBody) (piles, error) {
		if piles(in.Piles).over() {
			return nil, service.Refused(violation.New(violation.Over, "are empty: the game is over").At("/piles"))
		}
		return in.Piles, nil
	})
}

func (g *Game) legalMoves(p piles) (NimLegalMoves, error) {
	return NimLegalMoves{Moves: p.moves(), Version: g.service.Version()}, nil
}

// parseSolve reads a position to solve. The cache keeps the winning moves as JSON.
func (g *Game) parseSolve(ctx context.Context, body []byte) (*service.LookupQuery, error) {
	p, err := g.parse(ctx, body)
	if err != nil {
		return nil, err
	}
	key := service.NewKey("nim", 1, "1", "nim.solve")
	for _, size := range p {
		key = key.Byte(byte(size))
	}
	return service.NewLookupQuery(g.service, key, service.Lookup{
		Valid:   json.Valid,
		Compute: func(context.Context, *computation.Task) ([]byte, error) { return json.Marshal(p.winning()) },
	}, g.solution), nil
}

func (g *Game) solution(value service.Value) (service.Answer, error) {
	out := NimSolution{Source: Source(value.Source()), Version: g.service.Version()}
	err := json.Unmarshal(value.Bytes, &out.Winning)
	out.Won = len(out.Winning) > 0
	return service.Answer{Body: out, Source: value.Source()}, err
}
