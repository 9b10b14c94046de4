package klaverjas

import (
	"context"
	"strings"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/record"
	"roem/internal/service"
)

// Operations declares the operations and the sessions of Klaverjas.
func Operations() *service.Declaration[*Game] {
	return &service.Declaration[*Game]{
		Name: name, Records: record.Kind, Foreign: record.Foreign, Preview: (*Game).Preview,
		Operations: append(exact(), guessed()...), Sessions: playing,
	}
}

// Exact declares the operations that need neither a model nor a player. A program that declares only these has nothing else in it.
func Exact() *service.Declaration[*Game] {
	return &service.Declaration[*Game]{Name: name, Operations: exact()}
}

// name is the game in paths and commands.
const name = "klaverjas"

func exact() []service.Declared[*Game] {
	return []service.Declared[*Game]{
		service.OrJob("solve", service.OpOf(ParseSolve, (*Game).outSolved).Repeating()).CommandWith("solve",
			"computes the exact value of positions, with the best line or the value of every card",
			`Reads positions, optionally each with a "goal", and writes solutions.
`, solveFlags),
		service.OrJob("solve/batch", service.OpOf(ParseSolveBatch, (*Game).outSolvedBatch)).List(),
		service.Now("legal-moves", ParsePosition, (*Game).Legal).Command("legal",
			"lists the cards that may be played, with the player whose turn it is and the score so far",
			`Reads positions and writes the state of play. Nothing is searched.
`),
		service.Now("score", ParseScore, (*Game).Score).Command("score",
			"scores finished hands, with the melds of each trick",
			`Reads positions of which all cards have been played, and writes what both teams score, trick by trick.
`),
		service.OrJob("analyse", service.OpOf(ParseAnalyse, (*Game).outAnalysis)).Command("analyse",
			"computes what every card of a played hand cost, and the best cards",
			`Reads positions of which at least two cards have been played, and writes analyses.
`),
		service.OrJob("table", service.OpOf(ParseTable, (*Game).outTable)).Command("table",
			"computes the outcome of deals for each trump and each declaring team",
			`Reads deals without trump and declarer, {"leader": ..., "hands": ...}, optionally with "rules", and writes their tables.
`),
		service.NowWith("features", ParseFeatures, (*Game).Features).List(),
		service.Now("knowledge", ParseKnowledge, (*Game).Knowledge).CommandWith("knowledge",
			"says what a seat knows about the hidden cards: number of worlds, holders of cards, facts",
			`Reads views, optionally each with a "level", and writes what the seat knows. Nothing is
estimated, but at the level belief the probabilities of the holders.
`, knowledgeFlags),
		service.Now("worlds", ParseWorlds, (*Game).Worlds),
		service.OrJob("advise", service.OpOf(ParseAdvise, (*Game).outAdvice)).Command("advise",
			"advises which card to play when the other hands are hidden",
			`Reads views, {"trump": ..., "leader": ..., "seat": ..., "hand": ..., "played": ...}, optionally each with
"method", "worlds", "budget_ms", "objective" and "seed", and writes advice: the best card over many possible deals of
the unseen cards, and what each card is worth.`),
		service.OrJob("review", service.OpOf(ParseReview, (*Game).outReview)).Command("review",
			"reviews hands: what cards cost, with open cards and on what the players could know",
			`Reads positions with the cards played, optionally each with "seat", "worlds" and "seed", and writes
reviews: for each card that the seat or all seats played, what it cost with all cards open, what it cost on average over
the deals that were possible for its player at that time, and the verdict: right, unlucky, mistake, lucky, uncertain or forced.`),
		service.Now("deals/index", ParsePosition, (*Game).IndexDeal).Command("rank",
			"computes the index, canonical index and suit-distribution class of deals",
			`Reads positions and writes the numbers of their deals, as dealt.
`),
		service.Get("deals/random", (*Game).RandomDeal),
		service.Get("deals/{index}", (*Game).DealAt).Fixed(),
		service.Now("classes", ParseClass, (*Game).IndexClass),
		service.Get("classes/{index}", (*Game).ClassAt),
	}
}

func guessed() []service.Declared[*Game] {
	return []service.Declared[*Game]{
		service.Waiting("knowledge/check", ParseKnowledgeCheck, (*Game).KnowledgeCheck).CommandWith("knowledge-check",
			"checks statements about what the seats know",
			`Reads views or positions, each with a "formula" unless the flag gives one, and writes whether the formula is
true, with a world that shows it. For a view, a formula is true if the seat knows that it is. The formulas are
described in docs/reference/knowledge-formulas.md.`, checkFlags),
		service.Now("knowledge/card", ParseCardModel, (*Game).CardModel).CommandWith("card-model",
			"says who may hold a card, and what each seat knows about it, before and after the cards played",
			`Reads views or positions, each with a "card" unless the flag gives one, and writes the models of knowledge of the card: before the
first card is played, and after each card that changes them. docs/reference/knowledge-formulas.md describes them.
`, cardModelFlags),
		service.Now("predict", ParsePredict(), (*Game).Predict).CommandWith("predict",
			"predicts who wins deals, with the model",
			`Reads positions in which nothing has been played, optionally each with a "model", and writes predictions: the probability that the
declarers win, the expected outcome, and the expected effort of the search. Rules and declarers without a model are errors.
`, predictFlags),
		service.NowWith("predict/batch", ParsePredictBatch(), (*Game).predictBatch).List(),
		service.Waiting("hybrid", ParseHybrid(), (*Game).hybrid).CommandWith("hybrid",
			"determines who wins, with the search or the model, within a budget of time",
			`Reads positions, optionally each with "budget_ms", "min_confidence" and "route", and writes who wins and the source of
the answer. By default it searches the deals for which a search avoids the most mistakes of the model for its effort,
without a limit on the time.`, hybridFlags),
		service.Waiting("hybrid/batch", ParseHybridBatch(), (*Game).hybridBatch).List(),
		service.OrJob("evening", service.OpOf(service.Parser[*Game, *EveningQuery](ParseEvening), (*Game).OutEvening)).Large(),
		service.OrJob("hand-strength", service.OpOf(ParseHandStrength(), (*Game).outHandStrength)).Command("hand-strength",
			"estimates how strong eight cards are, for each trump",
			`Reads hands, {"hand": [...], "seat": ..., "leader": ...}, optionally each with "rules", "declarer", "trump",
"precision", "method" and "seed", and writes how strong they are: the probability that the declarers win and the
distribution of the outcome. "roem random -hand" draws such hands.`),
		service.OrJob("hand-strength/batch", service.OpOf(ParseHandStrengthBatch(), (*Game).outHandStrengthBatch)).List(),
		service.Waiting("bid", ParseBid(), (*Game).Bid).Command("bid",
			"advises what to call in the bidding, with the worth of each call",
			`Reads hands in the bidding, {"flow": "free", "dealer": "W", "hand": [...]}, optionally each with "rules",
"calls", "turned", "again", "seat" and "seed", and writes the best call and what each trump and a pass are worth at
the table. The flows are free, official, obliged and turned.`),
		service.OrJob("play", service.OpOf(ParsePlay(), (*Game).outPlay)).CommandWith("play",
			"plays hands to the end with players of the program, and writes what they think",
			`Reads positions and lets four players play them to the end. A line without "hands" and "deal" is a hand drawn from the
seed, and with "count" several. It writes, for each line, the cards in order, with the thoughts of the player, what everybody
may conclude from the card (the announcements), and the points at the end. A line has the same fields as the request of
POST /v1/klaverjas/play; the flags are for the lines without them.

The players are `+strings.Join(players.Names(), ", ")+`. The last five are
levels for people. An option follows a colon: logical:compat, logical:rules, pimc:20, playout:20, mixture:20.
`, playFlags),
		service.AsJob("match", service.OpOf(ParseMatch(), (*Game).outMatch)),
		service.Get("picture", (*Game).Picture).Fixed(),
		service.Get("puzzles", (*Game).Puzzles).Fixed(),
		service.Get("puzzles/daily", (*Game).DailyPuzzle),
		service.Get("puzzles/{id}", (*Game).Puzzle).Fixed(),
		service.Get("puzzles/{id}/answer", (*Game).PuzzleAnswer).Fixed(),
		service.Get("puzzles/{id}/solution", (*Game).PuzzleSolution).Fixed(),
		service.Get("model", func(g *Game, _ struct{}) (api.KlaverjasModelCard, error) { return g.Model(), nil }),
	}
}

func playing(g *Game) *service.Playing {
	return g.models().sessions.Playing(ParseSession().Of(g), func(s *api.KlaverjasSession) (*string, []service.Note) {
		return &s.Links.Self, []service.Note{
			{Name: "session_state", Value: string(s.State)}, {Name: "hand", Value: s.Number}, {Name: "acts", Value: s.Acts},
		}
	},
		service.ReadsAct(g.schemas, "call", "KlaverjasSessionCallRequest", sessionCallBody.act),
		service.ReadsAct(g.schemas, "play", "KlaverjasSessionPlayRequest", sessionPlayBody.act),
		service.ReadsAct(g.schemas, "next", "SessionNextRequest", sessionNextBody.act),
		service.ReadsAct(g.schemas, "takeback", "SessionTakebackRequest", sessionTakebackBody.act),
		service.ReadsAct(g.schemas, "claim", "KlaverjasSessionClaimRequest", sessionClaimBody.act),
	)
}

// predictBatch is PredictBatch, and logs how many positions there are. A forest waits for a slot.
func (g *Game) predictBatch(ctx context.Context, q PredictBatchQuery) (out api.KlaverjasPredictBatch, err error) {
	service.EffortOf(ctx).Note(service.Note{Name: "positions", Value: q.Len()})
	if q.trees == nil {
		return g.PredictBatch(q)
	}
	// A forest takes up to half a millisecond a deal.
	err = g.service.WithSlot(ctx, func(context.Context, *computation.Slot) (err error) {
		out, err = g.PredictBatch(q)
		return err
	})
	return out, err
}

// hybrid is Hybrid with a budget that counts from the begin of the request, and logs where the answer comes from.
func (g *Game) hybrid(ctx context.Context, q HybridQuery) (api.KlaverjasHybridAnswer, error) {
	effort := service.EffortOf(ctx)
	out, err := g.Hybrid(ctx, q, effort.Began())
	if err == nil {
		effort.Note(service.Note{Name: "source", Value: string(out.Route)}, service.Note{Name: "nodes", Value: out.Stats.Nodes})
	}
	return out, err
}

// hybridBatch is hybrid for many positions.
func (g *Game) hybridBatch(ctx context.Context, q HybridBatchQuery) (api.KlaverjasHybridBatch, error) {
	effort := service.EffortOf(ctx)
	out, err := g.HybridBatch(ctx, q, effort.Began())
	if err == nil {
		effort.Note(
			service.Note{Name: "positions", Value: len(out.Results)}, service.Note{Name: "from_cache", Value: out.Routes.Cache},
			service.Note{Name: "from_search", Value: out.Routes.Search}, service.Note{Name: "from_model", Value: out.Routes.Model},
			service.Note{Name: "nodes", Value: out.Stats.Nodes},
		)
	}
	return out, err
}
