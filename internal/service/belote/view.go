package belote

import (
	"bytes"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// View is what both players see in a request, and its canonical form.
type View struct {
	here *worlds.View
	flip worlds.Flip
	twin *worlds.View
	back [32]piquet.Card // from the canonical form to the request
	code []byte          // the canonical form, as a part of keys
}

// newView builds the view of a body. Its error is a *service.Error of kind Impossible.
func newView(in *adviseBody) (View, error) {
	var vs service.Problems
	d, flip := in.deal(&vs)
	unknown := readStacks(&vs, &d, [2][][]*string{in.Stacks.A, in.Stacks.B})
	played := readPlayed(&vs, in.Played)
	if err := vs.Err(); err != nil {
		return View{}, err
	}
	here, err := worlds.New(d, unknown, played, flip)
	if err != nil {
		return View{}, service.FromEngine(err)
	}
	return newViewOf(here, flip)
}

// newViewOf returns a view with its canonical form.
func newViewOf(here *worlds.View, flip worlds.Flip) (View, error) {
	v := View{here: here, flip: flip}
	err := v.canonical()
	return v, err
}

// canonical fills in the canonical form: see type canonical. What is not known is part of it.
func (v *View) canonical() error {
	d := v.here.Deal()
	if d.Leader == belote.B {
		d.Stacks[0], d.Stacks[1] = d.Stacks[1], d.Stacks[0]
		d.Leader, d.Declarer = d.Leader.Other(), d.Declarer.Other()
	}
	var (
		best    belote.Deal
		unknown worlds.Unknown
		there   [32]piquet.Card
	)
	covers := v.here.Covers()
	for _, order := range orders(d.Deck, d.Trump) {
		one, to := relabelled(&d, order, false)
		var above piquet.Set
		for c := range covers.All() {
			above = above.With(to[c])
		}
		code, mark := appendKnown(nil, &one, above)
		if v.code == nil || bytes.Compare(code, v.code) < 0 {
			v.code, best, unknown, there = code, one, mark, to
		}
	}
	var played []piquet.Card
	for _, c := range v.here.Played() {
		played = append(played, there[c])
	}
	for from, to := range there {
		if d.Deck.Has(piquet.Card(from)) {
			v.back[to] = piquet.Card(from)
		}
	}
	var err error
	if v.twin, err = worlds.New(best, unknown, played, v.flip); err != nil {
		return err
	}
	v.code = append(v.code, byte(best.Deck.Len()), byte(best.Trump), byte(best.Declarer), byte(best.Threshold), byte(v.flip))
	for _, c := range played {
		v.code = append(v.code, byte(c))
	}
	return nil
}

// unknownCard stands in keys for a card that nobody knows.
const unknownCard = 255

// appendKnown writes the stacks with what is known of them. covers are the cards above unknown ones.
func appendKnown(b []byte, d *belote.Deal, covers piquet.Set) (code []byte, unknown worlds.Unknown) {
	for _, p := range belote.Players() {
		for i, s := range d.Of(p) {
			bottom := byte(s.Bottom)
			if unknown[p][i] = covers.Has(s.Top); unknown[p][i] {
				bottom = unknownCard
			}
			b = append(b, byte(s.Top), bottom)
		}
	}
	return b, unknown
}
