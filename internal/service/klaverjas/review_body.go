package klaverjas

import (
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// ParseReview reads the body of review.
var ParseReview = service.BodyOf("KlaverjasReviewRequest", (*Game).readReview)

func (g *Game) readReview(in reviewBody) (*ReviewQuery, error) {
	var vs service.Problems
	seed := vs.OptionalSeed(in.Seed, 0)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	whose := service.ReadWhose(&vs, in.Seat, piquet.ParseSeat, piquet.Seat.String)
	p, err := newPosition(in.positionBody)
	vs.Add("", err)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	return g.reviewOf(p, whose, in.Worlds, seed)
}
