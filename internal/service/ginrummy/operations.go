package ginrummy

import (
	"context"
	"slices"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy/record"
	"roem/internal/service"
)

// Operations declares the operations and the sessions of Gin Rummy.
var Operations = &service.Declaration[*Game]{
	Name: "gin-rummy", Records: record.Kind, Preview: (*Game).Preview,
	Operations: []service.Declared[*Game]{
		service.Now("melds", ParseMelds, (*Game).Melds).Command("melds",
			"finds the melds of hands, their deadwood and their best arrangements",
			`Reads hands, {"hand": [...]} with ten or eleven cards, and writes their melds, their least deadwood and every
set of melds that leaves it.`),
		service.Now("score", ParseScore, (*Game).Score).Command("score",
			"scores knocks, with the lay-offs",
			`Reads the hands of knockers and opponents, {"knocker": {"hand": [...]}, "opponent": {"hand": [...]}}, each
optionally with "melds", and writes the scores.`),
		service.Now("estimate", ParseEstimate, (*Game).Estimate).Command("estimate",
			"estimates how likely the opponent holds each card",
			`Reads what seats have seen, {"seat": ..., "starter": ..., "upcard": ..., "hand": [...], "events": [...]}, optionally each with
"method" and "threshold", and writes the probability of each card.`),
		service.NowWith("estimate/batch", ParseEstimateBatch, (*Game).estimateBatch).List(),
		service.Waiting("advise", ParseAdvise, (*Game).Advise).Command("advise",
			"advises what to do",
			`Reads what seats have seen, optionally each with "totals" and "player", and writes what that player does, and every allowed action.
`),
		service.OrJob("review", service.OpOf(ParseReview, (*Game).outReview)).Command("review",
			"reviews hands: what draws, discards and knocks cost on what the players could know",
			`Reads hands as they were played, {"starter": ..., "upcard": ..., "hands": {"A": [...], "B": [...]}, "events": [...]},
optionally each with "seat", "worlds" and "seed", and writes reviews: for each action what it cost on what its player could
know, and the verdict: right, mistake, uncertain or forced.
`),
		service.AsJob("match", service.OpOf(ParseMatch, (*Game).outMatch)),
		service.Get("deals/random", (*Game).RandomDeal),
	},
	Sessions: func(g *Game) *service.Playing {
		return g.sessions.Playing(ParseSession.Of(g), func(s *api.GinSession) (*string, []service.Note) {
			return &s.Links.Self, []service.Note{
				{Name: "session_state", Value: string(s.State)}, {Name: "hand", Value: s.Number}, {Name: "acts", Value: s.Acts},
			}
		},
			service.ReadsAct(g.schemas, "play", "GinSessionPlayRequest", sessionPlayBody.act),
			service.ReadsAct(g.schemas, "next", "SessionNextRequest", sessionNextBody.act),
			service.ReadsAct(g.schemas, "takeback", "SessionTakebackRequest", sessionTakebackBody.act),
		)
	},
}

// estimateBatch is EstimateBatch, and logs how many views there are. A forest, which takes a tenth of a millisecond for each, waits
// for a slot.
func (g *Game) estimateBatch(ctx context.Context, q EstimateBatchQuery) (out api.GinEstimateBatch, err error) {
	service.EffortOf(ctx).Note(service.Note{Name: "views", Value: len(q)})
	if !slices.ContainsFunc(q, func(one service.Item[EstimateQuery]) bool { return one.Value.method.Symmetric != nil }) {
		return g.EstimateBatch(q)
	}
	err = g.service.WithSlot(ctx, func(context.Context, *computation.Slot) (err error) {
		out, err = g.EstimateBatch(q)
		return err
	})
	return out, err
}
