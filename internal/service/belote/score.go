package belote

import (
	"roem/internal/api"
	"roem/internal/service"
)

// ScoreRequest asks what is written down for a hand.
type ScoreRequest struct{}

// ParseScore reads the body of score.
func (g *Game) ParseScore([]byte) (ScoreRequest, error) {
	return ScoreRequest{}, service.NewImpossible(service.Violation{Detail: "the score is not computed yet"})
}

// Score returns what is written down.
func (g *Game) Score(ScoreRequest) (api.BeloteScore, error) { return api.BeloteScore{}, nil }
