package ginrummy

import (
	"fmt"
	"os"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/model/ginrummy/forest"
	"roem/internal/model/ginrummy/hand"
)

// Playout is the name of the player that plays options on in hands of the embedded estimate.
const Playout = "playout"

// noForest is why the method and the source forest cannot be used on a server that has none, and what to do.
const noForest = "needs a forest, and this server has none: make one with `roem-lab gin-rummy forest`, and name its file in the " +
	"configuration as models.gin_rummy_forest"

// OpenForest reads the file of a forest. An empty path gives none.
func OpenForest(path string) (*forest.Forest, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.ReadFile(path) //nolint:gosec // the path comes from the configuration or the command line
	if err != nil {
		return nil, err
	}
	f, err := forest.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Learned returns the options with the embedded estimate, and the players that use it. An error means that the program was built with
// unusable weights. f is the forest of the paper, or nil.
func Learned(f *forest.Forest) (Options, error) {
	n, err := hand.Default()
	if err != nil {
		return Options{}, err
	}
	e := n.Estimator()
	method := Method{Name: api.GinMethodForest, Missing: noForest}
	source := players.Source{Name: string(api.GinMethodForest), Missing: noForest}
	if f != nil {
		method = Method{
			Name: api.GinMethodForest, Estimator: f, Symmetric: f.Symmetric,
			Model: &api.ModelIdentity{Name: forest.Name, Version: forest.Version, Sha256: f.SHA256()},
		}
		source = players.Source{Name: source.Name, Estimate: f.Estimate, Identity: f.SHA256()}
	}
	model := &api.ModelIdentity{Name: hand.Name, Version: hand.Version, Sha256: hand.SHA256()}
	return Options{
		Methods: []Method{
			{Name: api.GinMethodNetwork, Estimator: e, Model: model}, method, {Name: api.GinMethodUniform, Estimator: ginrummy.Uniform{}},
		},
		Kinds: append(players.Kinds(players.Source{Name: string(api.GinMethodNetwork), Estimate: e.Estimate}, source),
			advice.Kind(Playout, advice.Default(e.Of))),
		Advisor: Playout,
		Hands:   e.Of,
		Model:   model,
	}, nil
}
