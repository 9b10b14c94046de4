package hand

import (
	_ "embed"
	"fmt"
	"sync"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/model/nn/weightfile"
)

// Name is the name of the embedded model.
const Name = "gin-hand"

// Version is the version of its weights.
const Version = "2"

//go:embed weights/gin.hand
var weights []byte

// Default returns the embedded network. It is read once. An error means that the program was built with unusable weights.
var Default = sync.OnceValues(func() (*Network, error) {
	n, err := Decode(weights)
	if err != nil {
		return nil, fmt.Errorf("the embedded estimate of Gin Rummy: %w", err)
	}
	return n, nil
})

// SHA256 returns the checksum of the embedded weights, in hexadecimal.
func SHA256() string { return weightfile.Checksum(weights) }

// memory is what an estimate needs.
type memory struct {
	space *Space
	dist  worlds.Distribution
}

// Estimator is a network as an estimator. It is safe for concurrent use.
type Estimator struct {
	n    *Network
	pool sync.Pool
}

// Estimator returns the network as an estimator.
func (n *Network) Estimator() *Estimator {
	return &Estimator{n: n, pool: sync.Pool{New: func() any { return &memory{space: n.NewSpace()} }}}
}

func (e *Estimator) memory() *memory {
	m, ok := e.pool.Get().(*memory)
	if !ok {
		m = &memory{space: e.n.NewSpace()}
	}
	return m
}

// Estimate returns the probability of each card to be in the hand of the opponent.
func (e *Estimator) Estimate(v *ginrummy.View) ginrummy.Probabilities {
	m := e.memory()
	defer e.pool.Put(m)
	return e.n.Estimate(v, m.space, &m.dist)
}

// Of sets d to the distribution of a view.
func (e *Estimator) Of(v *ginrummy.View, d *worlds.Distribution) {
	m := e.memory()
	defer e.pool.Put(m)
	e.n.Of(v, m.space, d)
}
