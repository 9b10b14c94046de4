package ginrummy

import (
	"roem/internal/api"
	"roem/internal/engine/ginrummy"
)

// Melds returns the melds of a hand and its best arrangements.
func (g *Game) Melds(hand ginrummy.Set) (api.GinMelds, error) {
	melds, best := hand.Melds(), hand.Best()
	out := api.GinMelds{
		Deadwood: hand.Deadwood(), Melds: make([]api.GinMeld, len(melds)), Best: make([]api.GinArrangement,
			len(best)), Version: g.service.Version(),
	}
	for i, m := range melds {
		out.Melds[i] = outSet(m)
	}
	for i, a := range best {
		out.Best[i] = outArrangement(a)
	}
	if hand.Len() > ginrummy.HandSize {
		deadwood, cards := hand.AfterDiscard()
		out.AfterDiscard = &api.GinAfterDiscard{Deadwood: deadwood, Cards: outSet(cards)}
	}
	return out, nil
}

// ScoreQuery is a request for the score of a knock.
type ScoreQuery struct {
	hands [2]ginrummy.Set // of the knocker and of the opponent
	melds [2]ginrummy.Arrangement
	rule  ginrummy.LayOffs
	off   ginrummy.Laid
}

// Score returns the score of a knock.
func (g *Game) Score(q ScoreQuery) (api.GinScore, error) {
	r := ginrummy.Score(q.hands, q.melds, 0, q.rule, q.off)
	out := api.GinScore{
		Result: api.GinScoreResultKnock, Score: api.GinPoints{Knocker: r.Score[0], Opponent: r.Score[1]},
		LaidOff: outLayOffs(r.LaidOff), LayOffs: layOffsRuleValues[q.rule], Version: g.service.Version(),
	}
	switch {
	case r.Gin:
		out.Result = api.GinScoreResultGin
	case r.Undercut:
		out.Result = api.GinScoreResultUndercut
	}
	left := [2]ginrummy.Set{q.hands[0] &^ q.melds[0].Cards(), q.hands[1] &^ q.melds[1].Cards()}
	for _, l := range r.LaidOff {
		left[1] = left[1].Without(l.Card)
	}
	for i, laid := range [2]*api.GinLaid{&out.Knocker, &out.Opponent} {
		*laid = api.GinLaid{Deadwood: r.Deadwood[i], Melds: outArrangement(q.melds[i]), Unmelded: outSet(left[i])}
	}
	return out, nil
}
