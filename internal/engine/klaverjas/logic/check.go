package logic

import "roem/internal/engine/klaverjas/worlds"

// Answer is the answer to a formula.
type Answer struct {
	Value        bool
	World        worlds.World // a world that shows the value
	PublicWorlds uint64       // the number of worlds that are possible to all: the worlds of the joint model
	Model        bool         // whether the joint model was used
	// In how many of the worlds of the view the formula is true. Both are 0 for a deal, and without the joint model.
	True, Of int
}

// Check reports whether the seat of the view of k knows that the formula is true: whether it is true in every world of the view. The world
// of the answer is one in which it is false, if it is not known.
//
// If there are at most MaxModel public worlds, the joint model decides. With more, statements about what the seat knows are decided by
// searching for a world that contradicts them. The error is a *TooManyWorlds for a formula that needs the model: what one seat knows of
// what another knows, and common knowledge. It is ErrTooComplex if the decision takes more than the steps, MaxSteps at most.
func Check(k *worlds.Knowledge, f *Formula, steps int) (Answer, error) {
	c := Answer{PublicWorlds: k.PublicWorlds()}
	if c.PublicWorlds > MaxModel {
		var err error
		c.Value, c.World, err = newProver(k, steps).knows(k.View().Seat, k.Own(), f)
		return c, err
	}
	m, err := modelWithin(k, f, steps)
	if err != nil {
		return c, err
	}
	c.Model, c.Value = true, true
	seat, own := k.View().Seat, k.Own()
	e, all := newEvaluation(m), m.all()
	truth := e.truth(f, all)
	first := -1
	for i, w := range m.worlds {
		if w[seat] != own {
			continue
		}
		c.Of++
		if truth.has(i) {
			c.True++
		}
		if first < 0 || c.Value && !truth.has(i) {
			first = i
		}
		c.Value = c.Value && truth.has(i)
	}
	c.World = m.worlds[first]
	return c, nil
}

// CheckAt reports whether the formula is true in one world of the view, in which the hands of all seats are known. The world of the answer
// shows why: for knowledge that a seat does not have, it is a world that the seat holds possible. Its errors are the errors of Check.
func CheckAt(k *worlds.Knowledge, f *Formula, w worlds.World, steps int) (Answer, error) {
	c := Answer{PublicWorlds: k.PublicWorlds(), World: w}
	if c.PublicWorlds > MaxModel {
		var err error
		c.Value, c.World, err = newProver(k, steps).holds(w, f)
		return c, err
	}
	m, err := modelWithin(k, f, steps)
	if err != nil {
		return c, err
	}
	e, all := newEvaluation(m), m.all()
	at, ok := m.Find(w)
	if !ok {
		panic("logic: not a world")
	}
	c.Model = true
	c.Value = e.truth(f, all).has(at)
	c.World = m.worlds[e.shows(f, all, at)]
	return c, nil
}

// modelSteps returns about how many steps a formula takes with a model of a number of worlds: four steps for a world of the model, and one
// for each 32 worlds in which an operator is evaluated.
func modelSteps(worlds uint64, f *Formula) int {
	return 4*int(worlds) + int(worlds)*f.size()/32
}

// modelWithin returns the joint model, if a formula takes no more than the steps with it.
func modelWithin(k *worlds.Knowledge, f *Formula, steps int) (*Model, error) {
	if modelSteps(k.PublicWorlds(), f) > steps {
		return nil, ErrTooComplex
	}
	return NewModel(k)
}
