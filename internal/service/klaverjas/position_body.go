package klaverjas

import (
	"strconv"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// newPosition builds a position from its body. Its error is a *service.Error of kind Malformed or Impossible.
func newPosition(in positionBody) (Position, error) {
	switch {
	case in.Hands != nil && in.Deal != nil:
		return Position{}, service.Refused(violation.New(violation.OnlyOneOf, "is given together with hands: give only one of them").
			At("/deal").OneOf("hands", "deal"))
	case in.Hands == nil && in.Deal == nil:
		return Position{}, service.Refused(violation.New(violation.Missing, "is missing: give hands, or deal with an index").
			At("/hands").OneOf("hands", "deal"))
	}
	var (
		vs   service.Problems
		deal klaverjas.Deal
		err  error
	)
	rules := newRules(in.Rules, &vs)
	deal.Trump, err = piquet.ParseSuit(in.Trump)
	vs.Add("/trump", err)
	deal.Leader, err = piquet.ParseSeat(in.Leader)
	vs.Add("/leader", err)
	deal.Declarer = deal.Leader.Team()
	if in.Declarer != nil {
		deal.Declarer, err = piquet.ParseTeam(*in.Declarer)
		vs.Add("/declarer", err)
	}
	if in.Hands != nil {
		deal.Hands, err = in.Hands.parse()
		vs.Add("/hands", err)
	} else {
		deal.Hands, err = unrank(*in.Deal, deal.Trump, deal.Leader)
		vs.Add("/deal", err)
	}
	if err := vs.Err(); err != nil {
		return Position{}, err
	}
	p, err := positionOf(rules, deal, nil)
	if err != nil {
		return Position{}, service.FromEngine(err)
	}
	p.ByIndex = in.Deal != nil
	if in.Played != nil {
		if p.now, p.played, err = in.Played.replay(p.start); err != nil {
			return Position{}, service.FromEngine(err)
		}
	}
	return p, nil
}

// unrank parses the index of a deal and returns its hands.
func unrank(text string, trump piquet.Suit, leader piquet.Seat) ([4]piquet.Set, error) {
	number, err := strconv.ParseUint(text, 10, 64)
	if err == nil && service.Decimal(text) {
		var hands [4]piquet.Set
		if hands, err = index.Unrank(number, trump, leader); err == nil {
			return hands, nil
		}
	}
	return [4]piquet.Set{}, violation.New(violation.TooLarge,
		"%.24s is not the index of a deal: indices go from 0 to %d", text, index.Deals-1).Of(text)
}

// newRules returns the rules with defaults for what is not given. It adds violations to vs.
func newRules(in *rulesBody, vs *service.Problems) klaverjas.Rules {
	var err error
	if in == nil {
		return klaverjas.DefaultRules(klaverjas.Rotterdam)
	}
	system := klaverjas.Rotterdam
	if in.System != nil {
		system, err = klaverjas.ParseSystem(string(*in.System))
		vs.Add("/rules/system", err)
	}
	r := klaverjas.DefaultRules(system)
	if in.UnderRuff != nil {
		r.UnderRuff, err = klaverjas.ParseUnderRuff(string(*in.UnderRuff))
		vs.Add("/rules/under_ruff", err)
	}
	if in.NatMelds != nil {
		r.NatMelds, err = klaverjas.ParseNatMelds(string(*in.NatMelds))
		vs.Add("/rules/nat_melds", err)
	}
	set := func(to *int, from *int) {
		if from != nil {
			*to = *from
		}
	}
	if in.Melds != nil {
		r.Melds = *in.Melds
	}
	if four := in.FourOfAKind; four != nil {
		for face, bonus := range map[piquet.Face]*int{
			piquet.Seven: four.N7, piquet.Eight: four.N8, piquet.Nine: four.N9, piquet.Ten: four.N10,
			piquet.Jack: four.J, piquet.Queen: four.Q, piquet.King: four.K, piquet.Ace: four.A,
		} {
			set(&r.FourOfAKind[face], bonus)
		}
	}
	if in.Pit != nil {
		set(&r.Pit.Declarers, in.Pit.Declarers)
		set(&r.Pit.Defenders, in.Pit.Defenders)
	}
	vs.Add("/rules", r.Validate())
	return r
}
