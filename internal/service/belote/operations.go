package belote

import (
	"flag"

	"roem/internal/api"
	"roem/internal/engine/belote/record"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
)

// Operations declares the operations and the sessions of Belote Découverte.
var Operations = &service.Declaration[*Game]{
	Name: gameName, Records: record.Kind, Preview: (*Game).Preview,
	Operations: []service.Declared[*Game]{
		service.OrJob("solve", service.OpOf(ParseSolve, (*Game).outSolution)).CommandWith("solve",
			"computes the exact value of positions, with the best line or the value of every card",
			`Reads positions, optionally each with "utility", "goal", "algorithm" and "forward_pruning", and writes solutions.
`, solveFlags),
		service.Now("legal-moves", ParsePosition, (*Game).Legal).Command("legal",
			"lists the legal cards, with the player to move, the open cards and the points so far",
			`Reads positions and writes the state of play. Nothing is searched.
`),
		service.OrJob("analyse", service.OpOf(ParseAnalyse, (*Game).outAnalysis)).Command("analyse",
			"computes what each card cost its player",
			`Reads positions with the cards "played" and writes what each of them cost.
`),
		service.OrJob("review", service.OpOf(ParseReview, (*Game).outReview)).Command("review",
			"reviews hands: what each card cost, with all cards known and on what the players could know",
			`Reads positions with the cards "played", optionally each with "seat", "worlds" and "seed", and writes reviews: for each card what
it cost with all cards known, what it cost while cards were face down, and the verdict: right, unlucky, mistake, lucky, uncertain or
forced.
`),
		service.OrJob("advise", service.OpOf(ParseAdvise, (*Game).outAdvice)).Command("advise",
			"advises which card to play while cards are face down",
			`Reads positions with null for the cards below that have not been turned, optionally each with "utility", "method", "worlds" and
"seed", and writes what each legal card is worth when nobody knows the cards face down.
`),
		service.OrJob("bid", service.OpOf(ParseBid, (*Game).outBid)).Command("bid",
			"advises whether to choose a trump while the cards are dealt, and which",
			`Reads the open cards of a dealing, {"open": {"A": ["JH", ...], "B": []}}, optionally each with "suits", "threshold", "worlds" and
"seed", and writes what each trump and a pass are worth.
`),
		service.Now("score", ParseScore, (*Game).Score).Command("score",
			"scores played hands: what each player writes down",
			`Reads hands, each a "position" with all cards played or the points in "made", optionally with "contract",
"litige", "belote", "melds" and "capot", and writes what each player writes down, part by part.`),
		service.OrJob("compare", service.OpOf(ParseCompare, (*Game).outComparison)).Command("compare",
			"repeats the paper's experiment over drawn deals: the states of each algorithm",
			`Reads experiments, {"suits": [1, 2], "deals": 10, "seed": "1", "limit": 1000000} with every field optional,
and writes how many states each algorithm generates.`),
		service.AsJob("match", service.OpOf(ParseMatch, (*Game).outMatch)),
		service.Get("deals/random", (*Game).RandomDeal),
	},
	Sessions: func(g *Game) *service.Playing {
		return g.sessions.Playing(ParseSession.Of(g), func(s *api.BeloteSession) (*string, []service.Note) {
			return &s.Links.Self, []service.Note{
				{Name: "session_state", Value: string(s.State)}, {Name: "hand", Value: s.Number}, {Name: "acts", Value: s.Acts},
			}
		},
			service.ReadsAct(g.schemas, "call", "BeloteSessionCallRequest", sessionCallBody.act),
			service.ReadsAct(g.schemas, "play", "BeloteSessionPlayRequest", sessionPlayBody.act),
			service.ReadsAct(g.schemas, "next", "SessionNextRequest", sessionNextBody.act),
			service.ReadsAct(g.schemas, "takeback", "SessionTakebackRequest", sessionTakebackBody.act),
		)
	},
}

// solveFlags adds the flags of the command solve.
func solveFlags(flags *flag.FlagSet) service.Reader[*Game] {
	var question Question
	flags.Func("utility", "the `utility` of lines without one: points or contract (default points)", func(text string) (err error) {
		question.Utility, err = search.ParseUtility(text)
		return err
	})
	flags.Func("goal", "the `goal` of lines without one: value or moves (default value)", func(text string) (err error) {
		question.Goal, err = search.ParseGoal(text)
		return err
	})
	flags.Func("algorithm", "the `algorithm` of lines without one: table, alphabeta or minimax (default table)",
		func(text string) (err error) {
			question.Algorithm, err = search.ParseAlgorithm(text)
			return err
		})
	pruning := flags.Bool("forward-pruning", true, "skip positions whose result the remaining points cannot change")
	parse := service.BodyOf("BeloteSolveRequest", func(g *Game, in solveBody) (*SolveQuery, error) {
		q := question
		q.NoPruning = !*pruning
		return readSolve(q)(g, in)
	})
	return service.OpOf(parse, (*Game).outSolution).Reader()
}
