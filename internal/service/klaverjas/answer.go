package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

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

func outCards(list []piquet.Card) api.Cards { return service.Texts(list) }

// outDealt returns the hands as dealt.
func outDealt(hands [4]piquet.Set) api.KlaverjasHands {
	return api.KlaverjasHands{
		N: outCards(hands[piquet.North].Slice()), E: outCards(hands[piquet.East].Slice()),
		S: outCards(hands[piquet.South].Slice()), W: outCards(hands[piquet.West].Slice()),
	}
}

func outSeat(s piquet.Seat) *api.KlaverjasSeat {
	return new(api.KlaverjasSeat(s.String()))
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
