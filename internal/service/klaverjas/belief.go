package klaverjas

import (
	"math/rand/v2"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/model/nn/weightfile"
)

// believer returns the belief that is part of the program.
var believer = weightfile.Remembered(func() (func(*worlds.Knowledge) (*worlds.Weighted, error), error) {
	n, err := belief.Default()
	if err != nil {
		return nil, err
	}
	return n.Believer(), nil
})

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

// beliefWorlds draws worlds from the belief, with repetition.
func beliefWorlds(k *worlds.Knowledge, rng *rand.Rand, n int) ([]worlds.World, *api.ModelIdentity, error) {
	w, model, err := believe(k)
	if err != nil {
		return nil, nil, err
	}
	worlds := make([]worlds.World, n)
	for i := range worlds {
		worlds[i] = w.Sample(rng)
	}
	return worlds, model, nil
}

// believe returns how likely each world is by the belief that is part of the program.
func believe(k *worlds.Knowledge) (*worlds.Weighted, *api.ModelIdentity, error) {
	of, err := believer()
	if err != nil {
		return nil, nil, err
	}
	w, err := of(k)
	if err != nil {
		return nil, nil, err
	}
	return w, beliefModel(), nil
}

func beliefModel() *api.ModelIdentity {
	return &api.ModelIdentity{Name: belief.Name, Version: belief.Version, Sha256: belief.SHA256()}
}
