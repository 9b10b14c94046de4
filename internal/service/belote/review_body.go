package belote

import (
	"roem/internal/engine/belote"
	"roem/internal/service"
)

// ParseReview reads the body of review.
var ParseReview = service.BodyOf("BeloteReviewRequest", func(g *Game, in reviewBody) (*ReviewQuery, error) {
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	whose := service.ReadWhose(&vs, in.Seat, belote.ParsePlayer, belote.Player.String)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	p, err := newPosition(in.positionBody)
	if err != nil {
		return nil, err
	}
	return g.reviewOf(p, whose, in.Worlds, seed)
})
