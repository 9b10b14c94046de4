package klaverjas

import (
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/model/nn/weightfile"
)

var oneBeliever weightfile.Remembered[func(*worlds.Knowledge) (*worlds.Weighted, error)]

// believer returns the belief that is part of the program.
func believer() (func(*worlds.Knowledge) (*worlds.Weighted, error), error) {
	return oneBeliever.Get(func() (func(*worlds.Knowledge) (*worlds.Weighted, error), error) {
		n, err := belief.Default()
		if err != nil {
			return nil, err
		}
		return n.Believer(), nil
	})
}

// NewTools returns tools for players, with the belief and the policy that are part of the program.
func NewTools() *players.Tools {
	return &players.Tools{Policies: Policies, Believe: func(k *worlds.Knowledge) (*worlds.Weighted, error) {
		believe, err := believer()
		if err != nil {
			return nil, err
		}
		return believe(k)
	}}
}

// Policies returns the policies that are part of the program, for one goroutine.
func Policies() (playout.Models, error) {
	play, err := policy.Default()
	if err != nil {
		return playout.Models{}, err
	}
	imitation, err := policy.Imitation()
	if err != nil {
		return playout.Models{}, err
	}
	return playout.Models{Play: play.Seat(), Players: []playout.Policy{imitation.Seat()}}, nil
}
