package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// Position is a position of a request, with the cards that led to it.
type Position struct {
	ByIndex bool // the request gave the deal by its index

	now    klaverjas.Position
	start  klaverjas.Position // before the first card
	played []piquet.Card
}

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

// positionOf returns the position of a deal after cards. Its error is the engine's.
func positionOf(rules klaverjas.Rules, deal klaverjas.Deal, played []piquet.Card) (Position, error) {
	start, err := klaverjas.NewPosition(rules, deal)
	p := Position{now: start, start: start, played: played}
	for _, c := range played {
		if err == nil {
			p.now, err = p.now.Play(c)
		}
	}
	return p, err
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

// ---- conversions to the types of the contract ----

func outRules(r klaverjas.Rules) api.KlaverjasRules {
	four := r.FourOfAKind
	return api.KlaverjasRules{
		System:    api.KlaverjasSystem(r.System.String()),
		UnderRuff: api.KlaverjasUnderRuff(r.UnderRuff.String()),
		Melds:     r.Melds,
		FourOfAKind: api.KlaverjasFourOfAKind{
			N7: four[piquet.Seven], N8: four[piquet.Eight], N9: four[piquet.Nine], N10: four[piquet.Ten],
			J: four[piquet.Jack], Q: four[piquet.Queen], K: four[piquet.King], A: four[piquet.Ace],
		},
		Pit:      api.KlaverjasPit{Declarers: r.Pit.Declarers, Defenders: r.Pit.Defenders},
		NatMelds: api.KlaverjasNatMelds(r.NatMelds.String()),
	}
}

func outCards(list []piquet.Card) api.Cards {
	out := make(api.Cards, len(list))
	for i, c := range list {
		out[i] = c.String()
	}
	return out
}

// outDealt returns the hands as dealt.
func outDealt(hands [4]piquet.Set) api.KlaverjasHands {
	return api.KlaverjasHands{
		N: outCards(hands[piquet.North].Slice()), E: outCards(hands[piquet.East].Slice()),
		S: outCards(hands[piquet.South].Slice()), W: outCards(hands[piquet.West].Slice()),
	}
}

func outSeat(s piquet.Seat) *api.KlaverjasSeat {
	seat := api.KlaverjasSeat(s.String())
	return &seat
}

func outScore(s klaverjas.Score) api.KlaverjasScore {
	team := func(t piquet.Team) api.KlaverjasTeamScore {
		return api.KlaverjasTeamScore{Tricks: s.Tricks[t], Melds: s.Melds[t]}
	}
	return api.KlaverjasScore{NS: team(piquet.NorthSouth), EW: team(piquet.EastWest)}
}

// outIdentity returns the identity of the deal, including its declarer.
func outIdentity(d klaverjas.Deal) api.KlaverjasDealIdentity {
	id := outDeal(d)
	declarer := api.KlaverjasTeam(d.Declarer.String())
	id.Declarer = &declarer
	return id
}

// outDeal returns the identity of the deal without its declarer, on which the index does not depend.
func outDeal(d klaverjas.Deal) api.KlaverjasDealIdentity {
	canonical, _ := index.Canonical(d)
	return api.KlaverjasDealIdentity{
		Trump: api.Suit(d.Trump.String()), Leader: api.KlaverjasSeat(d.Leader.String()),
		Index:          strconv.FormatUint(index.Rank(d), 10),
		CanonicalIndex: strconv.FormatUint(canonical, 10),
	}
}
