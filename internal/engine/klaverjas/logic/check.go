package logic

import (
	"errors"
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Method is how an answer was found.
type Method uint8

// The methods, in the order in which they are tried.
const (
	ByPublic Method = iota // the value is the same in every public world: the play alone decides
	ByModel                // in the joint model
	ByProof                // by a search for a world that contradicts the formula
	ByCard                 // in the paper's model of one card
)

// Answer is the answer to a formula.
type Answer struct {
	Value        bool
	World        worlds.World // a world that shows the value
	PublicWorlds uint64       // the number of worlds that are possible to all
	Method       Method
	// Exact says whether the value is the value in the whole joint model. Without it, it is the value in the model of one card alone.
	Exact  bool
	Worlds int // the number of worlds of the model that was used, in which worlds that the formula cannot tell apart are one; 0 for none
	// In how many of the worlds of the view the formula is true. Both are 0 for a deal, and with the methods ByProof and ByCard.
	True, Of uint64
}

// Check reports whether the seat of the view of k knows that the formula is true: whether it is true in every world of the view. The world
// of the answer is one in which it is false, if it is not known.
//
// What the play makes public is decided at once. Else the joint model decides if it has at most modelFirst worlds, in which worlds that the
// formula cannot tell apart are one. With more, statements about what the seat knows are decided by searching for a world that contradicts
// them, and others in the model up to MaxModel worlds. A formula about one card has an answer even then: of the model of the card, which is
// not exact. The error for other formulas is a *TooManyWorlds. It is ErrTooComplex if the decision takes more than the steps, MaxSteps at
// most.
func Check(k *worlds.Knowledge, f *Formula, steps int) (Answer, error) {
	return newQuestion(k, f, nil, steps).answer(MaxModel)
}

// CheckAt reports whether the formula is true in one world of the view, in which the hands of all seats are known. The world of the answer
// shows why: for knowledge that a seat does not have, it is a world that the seat holds possible. It decides as Check does.
func CheckAt(k *worlds.Knowledge, f *Formula, w worlds.World, steps int) (Answer, error) {
	return newQuestion(k, f, &w, steps).answer(MaxModel)
}

// ErrManyCards is the error for a formula that speaks of more than the owner of one card, where only a model of one card may be used.
var ErrManyCards = errors.New("the model of one card decides only formulas whose atoms are own of one card, and what the play made public")

// CheckCard is Check, or CheckAt if there is a world, in the paper's model of one card. The answer says whether it is exact: whether the
// joint model gives every formula about the card the same value at this moment. Its error may also be ErrManyCards.
func CheckCard(k *worlds.Knowledge, f *Formula, w *worlds.World, steps int) (Answer, error) {
	q := newQuestion(k, f, w, steps)
	if q.f.constant() {
		return q.settled(), nil
	}
	c, ok := q.f.only()
	if !ok {
		return Answer{}, ErrManyCards
	}
	exact := false
	if shapes := q.kinds.shapes(); shapes <= MaxModel {
		if 2*int(shapes) > steps {
			return Answer{}, ErrTooComplex
		}
		exact = newModel(k, q.kinds).faithful(c)
	}
	return q.byCard(c, exact), nil
}

// modelFirst is the greatest number of worlds of a model that is used where a search would do.
const modelFirst = 5000

// question is a formula to be decided.
type question struct {
	k      *worlds.Knowledge
	f      *Formula // folded
	world  *worlds.World
	kinds  *kinds
	steps  int
	public uint64 // worlds
}

func newQuestion(k *worlds.Knowledge, f *Formula, w *worlds.World, steps int) *question {
	folder := newFolder(k)
	q := &question{k: k, f: folder.fold(f), world: w, steps: steps, public: folder.public.Worlds()}
	q.kinds = kindsOf(&folder.public, q.f.apart(folder.trump, nil))
	return q
}

// answer decides the formula, where the joint model may have at most a number of worlds.
func (q *question) answer(most uint32) (Answer, error) {
	if q.f.constant() {
		return q.settled(), nil
	}
	a, err := q.exactly(most)
	if _, many := errors.AsType[*TooManyWorlds](err); many || err != nil && q.steps >= MaxSteps {
		if c, ok := q.f.only(); ok {
			return q.byCard(c, false), nil
		}
	}
	return a, err
}

func (q *question) exactly(most uint32) (Answer, error) {
	shapes := q.kinds.shapes()
	if shapes > min(most, modelFirst) {
		a, err := q.byProof()
		if err == nil || shapes > most {
			return a, err
		}
	}
	if modelSteps(shapes, q.f) > q.steps {
		return Answer{}, ErrTooComplex
	}
	return q.byModel(), nil
}

// settled answers a formula whose value is the same in every public world.
func (q *question) settled() Answer {
	a := Answer{Value: q.f.op == opTrue, Method: ByPublic, Exact: true, PublicWorlds: q.public}
	if q.world != nil {
		a.World = *q.world
		return a
	}
	a.World, a.Of = q.k.World(0), q.k.Worlds()
	if a.Value {
		a.True = a.Of
	}
	return a
}

func (q *question) byProof() (a Answer, err error) {
	a = Answer{Method: ByProof, Exact: true, PublicWorlds: q.public}
	p := newProver(q.k, q.steps)
	if q.world != nil {
		a.Value, a.World, err = p.holds(*q.world, q.f)
	} else {
		a.Value, a.World, err = p.knows(q.k.View().Seat, q.k.Own(), q.f)
	}
	if many, ok := errors.AsType[*TooManyWorlds](err); ok {
		many.Worlds, many.Shapes = q.public, uint64(q.kinds.shapes())
	}
	return a, err
}

func (q *question) byModel() Answer {
	m := newModel(q.k, q.kinds)
	a := Answer{Method: ByModel, Exact: true, PublicWorlds: q.public, Worlds: len(m.worlds)}
	e, all := newEvaluation(m), m.all()
	if q.world != nil {
		at, ok := m.Find(*q.world)
		if !ok {
			panic("logic: not a world")
		}
		a.Value = e.truth(q.f, all).has(at)
		a.World = e.shows(q.f, all, place{at, *q.world}).w
		return a
	}
	seat, own := q.k.View().Seat, q.k.Own()
	shown, value := e.everywhere(q.f, seat, q.kinds.shape(own), func(i int, truth bool) {
		n := q.kinds.holding(seat, own, m.worlds[i])
		a.Of += n
		if truth {
			a.True += n
		}
	})
	a.Value, a.World = value, q.kinds.world(seat, own, m.worlds[shown])
	return a
}

// byCard decides in the model of a card.
func (q *question) byCard(c piquet.Card, exact bool) Answer {
	m := newCardModel(q.k, c)
	a := Answer{Method: ByCard, Exact: exact, PublicWorlds: q.public, Worlds: len(m.worlds)}
	e, all := newEvaluation(m), m.all()
	public, card := q.k.Public(), piquet.SetOf(c)
	if q.world != nil {
		var held worlds.World
		for s := range held {
			held[s] = q.world[s] & card
		}
		at := slices.Index(m.worlds, held)
		a.Value = e.truth(q.f, all).has(at)
		if shown := e.shows(q.f, all, place{at, held}).at; shown != at {
			a.World = withCard(&public, m.worlds[shown])
		} else {
			a.World = *q.world
		}
		return a
	}
	seat, own := q.k.View().Seat, q.k.Own()
	i, value := e.everywhere(q.f, seat, own&card, func(int, bool) {})
	a.Value = value
	seen := public.Hand(seat, own)
	if a.World = withCard(&seen, m.worlds[i]); a.World == (worlds.World{}) { // the seat knows from its other cards that it is not so
		a.World = withCard(&public, m.worlds[i])
	}
	return a
}

// withCard returns a world of some owners in which the card of a world of the model of one card is where it is there, or none.
func withCard(o *worlds.Owners, at worlds.World) worlds.World {
	for s, set := range at {
		if seat := piquet.Seat(s); set != 0 && o.May(set.First()).Has(seat) {
			with := o.Give(seat, set)
			w, _ := with.World()
			return w
		}
	}
	return worlds.World{}
}

// modelSteps returns about how many steps a formula takes with a model of a number of worlds: two steps for a world of the model, and one
// for each 32 worlds in which an operator is evaluated.
func modelSteps(worlds uint32, f *Formula) int {
	return 2*int(worlds) + int(worlds)*f.size()/32
}
