package tarok

import (
	"errors"
	"fmt"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service"
)

// viewBody is the body of what a player knows. Other bodies embed it.
type viewBody struct {
	Player   *string    `json:"player"`
	Hand     *[]string  `json:"hand"`
	Contract *string    `json:"contract"`
	Declarer *string    `json:"declarer"`
	Talon    *[]string  `json:"talon"`
	Group    *int       `json:"group"`
	Discards *[]string  `json:"discards"`
	Played   *[]string  `json:"played"`
	Rules    *rulesBody `json:"rules"`
}

func (in *viewBody) checkShape(s *shape) {
	switch {
	case in.Player == nil:
		s.refuse("/player", "is missing")
	case in.Hand == nil:
		s.refuse("/hand", "is missing")
	}
	s.text("/player", in.Player)
	s.list("/hand", in.Hand, tarok.HandSize, tarok.HandSize)
	s.oneOf("/contract", in.Contract, contractNames)
	s.text("/declarer", in.Declarer)
	s.list("/talon", in.Talon, 0, tarok.TalonSize)
	s.within("/group", in.Group, 0, maxGroup)
	s.list("/discards", in.Discards, 0, maxDiscards)
	s.list("/played", in.Played, 0, maxPlayed)
	in.Rules.checkShape(s)
}

// newWorlds builds the worlds of a view from a body whose shape is checked. Its error is a *service.Error of kind Impossible.
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
	o.cards("/hand", *in.Hand)
	o.cards("/discards", valueOr(in.Discards))
	return o
}

func (in *viewBody) view() (v worlds.View, err error) {
	var vs violations
	v.Rules = in.Rules.rules()
	v.Player, err = tarok.ParsePlayer(*in.Player)
	vs.add("/player", err)
	v.Hand = vs.set("/hand", *in.Hand)
	v.Talon = vs.cards("/talon", valueOr(in.Talon))
	v.Discards = vs.set("/discards", valueOr(in.Discards))
	v.Played = vs.cards("/played", valueOr(in.Played))
	if in.Contract == nil {
		in.bidding(&vs)
	} else {
		in.after(&v, &vs)
	}
	if len(vs) > 0 {
		return v, service.NewImpossible(vs...)
	}
	return v, nil
}

// bidding refuses what nobody knows before the bidding is over.
func (in *viewBody) bidding(vs *violations) {
	for _, f := range []struct {
		pointer string
		given   bool
	}{
		{"/declarer", in.Declarer != nil},
		{"/talon", len(valueOr(in.Talon)) > 0},
		{"/group", in.Group != nil},
		{"/discards", len(valueOr(in.Discards)) > 0},
		{"/played", len(valueOr(in.Played)) > 0},
	} {
		if f.given {
			vs.add(f.pointer, errors.New("is known only after the bidding: /contract is missing"))
		}
	}
}

// after reads the contract, the declarer and the group of the talon.
func (in *viewBody) after(v *worlds.View, vs *violations) {
	v.Stage, v.Contract = worlds.Play, tarok.Contract(indexOf(in.Contract, contractNames))
	v.Declarer = vs.declarer(in.Declarer, v.Contract)
	switch {
	case in.Group != nil && v.Contract.Exchange() == 0:
		vs.add("/group", fmt.Errorf("%s has no exchange", v.Contract))
	case in.Group != nil:
		v.Group = *in.Group
	case v.Contract.Exchange() > 0:
		v.Stage = worlds.Exchange
	}
}

// valueOr returns the list, or nil if it is absent.
func valueOr(list *[]string) []string {
	if list == nil {
		return nil
	}
	return *list
}

// declarer reads the declarer, who must be given if the contract has one, and only then.
func (vs *violations) declarer(text *string, contract tarok.Contract) (p tarok.Player) {
	switch {
	case text != nil && contract == tarok.Klop:
		vs.add("/declarer", errors.New("klop has no declarer"))
	case text != nil:
		var err error
		p, err = tarok.ParsePlayer(*text)
		vs.add("/declarer", err)
	case contract != tarok.Klop:
		vs.add("/declarer", fmt.Errorf("is missing: %s has a declarer", contract))
	}
	return p
}
