package klaverjas

import (
	"math/rand/v2"
	"sync"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/model/belief"
)

// believer returns the belief that is part of the program.
var believer = sync.OnceValues(func() (func(*knowledge.Knowledge) (*knowledge.Weighted, error), error) {
	n, err := belief.Default()
	if err != nil {
		return nil, err
	}
	return n.Believer(), nil
})

// NewTools returns tools for players, with the belief that is part of the program.
func NewTools() *players.Tools {
	believe, err := believer()
	if err != nil {
		return new(players.Tools) // a belief player then reports that there is no model
	}
	return &players.Tools{Believe: believe}
}

// beliefWorlds draws worlds from the belief, with repetition.
func beliefWorlds(k *knowledge.Knowledge, rng *rand.Rand, n int) ([]knowledge.World, *api.ModelIdentity, error) {
	believe, err := believer()
	if err != nil {
		return nil, nil, err
	}
	w, err := believe(k)
	if err != nil {
		return nil, nil, err
	}
	worlds := make([]knowledge.World, n)
	for i := range worlds {
		worlds[i] = w.Sample(rng)
	}
	return worlds, &api.ModelIdentity{Name: belief.Name, Version: belief.Version, Sha256: belief.SHA256()}, nil
}
