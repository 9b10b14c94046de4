package ginrummy

import (
	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/model/ginrummy/hand"
)

// Playout is the name of the player that plays options on in hands of the embedded estimate.
const Playout = "playout"

// Learned returns the options with the embedded estimate, and the player that uses it. An error means that the program was built with
// unusable weights.
func Learned() (Options, error) {
	n, err := hand.Default()
	if err != nil {
		return Options{}, err
	}
	e := n.Estimator()
	return Options{
		Methods: []Method{{api.GinMethodNetwork, e}, {api.GinMethodUniform, ginrummy.Uniform{}}},
		Kinds:   append(players.Kinds(), advice.Kind(Playout, advice.Default(e.Of))),
		Advisor: Playout,
		Hands:   e.Of,
		Model:   &api.ModelIdentity{Name: hand.Name, Version: hand.Version, Sha256: hand.SHA256()},
	}, nil
}
