package tarok

import (
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// newWorlds builds the worlds of a view from its body. Its error is a *service.Error of kind Impossible.
func newWorlds(in *viewBody) (*worlds.Worlds, error) {
	v, err := in.view()
	if err != nil {
		return nil, err
	}
	w, err := worlds.New(v)
	return w, in.order().impossible(err)
}

// order returns the places of the cards of the hand and the discards, which are valid.
func (in *viewBody) order() order {
	o := order{}
	o.cards("/hand", in.Hand)
	o.cards("/discards", in.Discards)
	return o
}

func (in *viewBody) view() (v worlds.View, err error) {
	var vs service.Problems
	v.Rules = in.Rules.rules()
	v.Player, err = tarok.ParsePlayer(in.Seat)
	vs.Add("/seat", err)
	v.Hand = readSet(&vs, "/hand", in.Hand)
	v.Talon = readCards(&vs, "/talon", in.Talon)
	v.Discards = readSet(&vs, "/discards", in.Discards)
	v.Played = readCards(&vs, "/played", in.Played)
	if in.Contract == nil {
		in.bidding(&vs)
	} else {
		in.after(&v, &vs)
	}
	return v, vs.Err()
}

// bidding refuses what nobody knows before the bidding is over.
func (in *viewBody) bidding(vs *service.Problems) {
	for _, f := range []struct {
		pointer string
		given   bool
	}{
		{"/declarer", in.Declarer != nil},
		{"/talon", len(in.Talon) > 0},
		{"/group", in.Group != nil},
		{"/discards", len(in.Discards) > 0},
		{"/played", len(in.Played) > 0},
	} {
		if f.given {
			vs.Addf(f.pointer, violation.NotUsed, "is known only after the bidding: /contract is missing")
		}
	}
}

// after reads the contract, the declarer and the group of the talon.
func (in *viewBody) after(v *worlds.View, vs *service.Problems) {
	v.Stage, v.Contract = worlds.Play, tarok.Contract(indexOf(in.Contract, contractValues))
	v.Declarer = readDeclarer(vs, in.Declarer, v.Contract)
	switch {
	case in.Group != nil && v.Contract.Exchange() == 0:
		vs.Addf("/group", violation.NotUsed, "%s has no exchange", v.Contract)
	case in.Group != nil:
		v.Group = *in.Group
	case v.Contract.Exchange() > 0:
		v.Stage = worlds.Exchange
	}
}

// readDeclarer reads the declarer, who must be given if the contract has one, and only then.
func readDeclarer(vs *service.Problems, text *string, contract tarok.Contract) (p tarok.Player) {
	switch {
	case text != nil && contract == tarok.Klop:
		vs.Addf("/declarer", violation.NotUsed, "klop has no declarer")
	case text != nil:
		var err error
		p, err = tarok.ParsePlayer(*text)
		vs.Add("/declarer", err)
	case contract != tarok.Klop:
		vs.Addf("/declarer", violation.Needed, "is missing: %s has a declarer", contract)
	}
	return p
}
