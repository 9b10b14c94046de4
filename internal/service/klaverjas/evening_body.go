package klaverjas

import (
	"context"

	"roem/internal/service"
)

// ParseEvening reads the body of evening, and the records in it.
func ParseEvening(ctx context.Context, g *Game, body []byte) (*EveningQuery, error) {
	ctx, leave, err := g.service.Room(ctx, len(body))
	defer leave()
	if err != nil {
		return nil, err
	}
	return parseEvening()(ctx, g, body)
}

func parseEvening() service.Parser[*Game, *EveningQuery] {
	return service.BodyOf("KlaverjasEveningRequest", func(g *Game, in eveningBody) (*EveningQuery, error) {
		var vs service.Problems
		seed := vs.OptionalSeed(in.Seed, 0)
		if err := vs.Err(); err != nil {
			return nil, err
		}
		return g.newEveningQuery(in.Text, in.Worlds, seed)
	})
}
