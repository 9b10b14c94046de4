package tarok

import (
	"context"
	"errors"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok/record"
	"roem/internal/engine/tarok/search"
	"roem/internal/service"
)

// Operations declares the operations and the sessions of tarok.
var Operations = &service.Declaration[*Game]{
	Name: gameName, Records: record.Kind, Preview: (*Game).Preview,
	Operations: []service.Declared[*Game]{
		service.Now("legal-moves", ParsePosition, (*Game).Legal).Command("legal",
			"lists the legal cards, discards or groups of the talon, with the player to act",
			`Reads positions and writes what may be done next. Nothing is searched.
`),
		service.Now("score", ParseScore, (*Game).Score).Command("score",
			"scores finished hands, part by part",
			`Reads finished hands, optionally each with "kontra", "announcements" and "radli", and writes what they score.
`),
		service.OrJob("solve", service.OpOf(ParseSolve, (*Game).outSolution)).CommandWith("solve",
			"computes best play with open cards, exactly or to a limited depth",
			`Reads positions, optionally each with "goal", "depth", "deepening", "history", "minimal_window", "selection" and
"table", and writes solutions. Without a depth the search is exact, for positions with at most 12 cards in a hand.`, solveFlags),
		service.Waiting("worlds", ParseWorlds, (*Game).Worlds).CommandWith("worlds",
			"counts the deals that agree with what a player knows, and draws some of them",
			`Reads what a player knows, optionally each line with "worlds", "method", "base" and "seed", and writes how
many deals agree with it, where each hidden card is in them, and some of the deals.`, worldsFlags),
		service.Waiting("complexity", ParseComplexity, (*Game).Complexity).CommandWith("complexity",
			"counts deals, biddings, exchanges, announcements and lines of play",
			`Reads lines, each with "contract", "hands", "talon", "declarer", "rules", "playouts" and "seed", all of them
optional, and writes how many deals, bidding sequences, exchanges and announcements there are, and an estimate of the
lines of play by random play-outs.`, complexityFlags),
		service.OrJob("bid", service.OpOf(ParseBid, (*Game).outBid)).Command("bid",
			"advises what to call",
			`Reads hands, {"seat": ..., "hand": [...]}, optionally each with "calls", "margin", "evaluation",
"method", "worlds" and "seed", and writes what the program calls, and what each contract is worth in trial games.`),
		service.OrJob("exchange", service.OpOf(ParseExchange, (*Game).outExchange)).Command("exchange",
			"advises what to take from the talon and what to discard",
			`Reads what declarers know before the exchange, {"seat": ..., "hand": [...], "contract": ..., "declarer":
..., "talon": [...]}, optionally each with "options", "evaluation", "method", "worlds" and "seed", and writes what the
program takes and discards.`),
		service.OrJob("announce", service.OpOf(ParseAnnounce, (*Game).outAnnounce)).Command("announce",
			"advises what to announce and double",
			`Reads what players know before the first card, optionally each with "said", "threshold", "evaluation",
"method", "worlds" and "seed", and writes what the program says.`),
		service.OrJob("advise", service.OpOf(ParseAdvise, (*Game).outAdvice)).Command("advise",
			"advises which card to play, with the worth of each legal card",
			`Reads what players know in the play, optionally each with "calls", "said" and "radli", and with the settings
of the program, "evaluation", "worlds", "weigh", "method", "choice", "depth" and "seed". Writes the legal cards, the
one to play first.`),
		service.OrJob("review", service.OpOf(ParseReview, (*Game).outReview)).Command("review",
			"reviews hands: what the exchange and the cards cost on what the players could know",
			`Reads hands as they were played, {"hands": {"A": [...], "B": [...], "C": [...]}, "talon": [...], "contract": ...,
"declarer": ..., "group": ..., "discards": [...], "played": [...]}, optionally each with "kontra", "announcements",
"radli", "seat", "worlds" and "seed", and writes reviews: for the exchange and each card what it cost on what its player
could know, and the verdict: right, mistake, uncertain or forced.
`),
		service.AsJob("match", service.OpOf(ParseMatch, (*Game).outMatch)),
		service.Get("deals/random", (*Game).RandomDeal),
	},
	Sessions: func(g *Game) *service.Playing {
		return g.sessions.Playing(ParseSession.Of(g), func(s *api.TarokSession) (*string, []service.Note) {
			return &s.Links.Self, []service.Note{
				{Name: "session_state", Value: string(s.State)}, {Name: "hand", Value: s.Number}, {Name: "acts", Value: s.Acts},
			}
		},
			service.ReadsAct(g.schemas, "call", "TarokSessionCallRequest", sessionCallBody.act),
			service.ReadsAct(g.schemas, "exchange", "TarokSessionExchangeRequest", sessionExchangeBody.act),
			service.ReadsAct(g.schemas, "announce", "TarokSessionAnnounceRequest", sessionAnnounceBody.act),
			service.ReadsAct(g.schemas, "play", "TarokSessionPlayRequest", sessionPlayBody.act),
			service.ReadsAct(g.schemas, "next", "TarokSessionNextRequest", sessionNextBody.act),
			service.ReadsAct(g.schemas, "takeback", "SessionTakebackRequest", sessionTakebackBody.act),
		)
	},
}

// solveFlags adds the flags of the command solve.
func solveFlags(flags *flag.FlagSet) service.Reader[*Game] {
	question := Question{Enhancements: search.AllFour}
	flags.Func("goal", "the `goal` of lines without one: value or moves (default value)", func(text string) (err error) {
		question.Goal, err = search.ParseGoal(text)
		return err
	})
	flags.Func("depth", "the depth of lines without one, in `cards`: 3, 6, 9, 12, 15 or 18 (default exact)", func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 3 || n > 18 || n%3 != 0 {
			return errors.New("expected 3, 6, 9, 12, 15 or 18")
		}
		question.Depth = n
		return nil
	})
	flags.BoolVar(&question.Deepening, "deepening", question.Deepening,
		"deepen a search to a depth step by step, for lines without deepening")
	flags.BoolVar(&question.History, "history", question.History,
		"use the history heuristic in a search to a depth, for lines without history")
	flags.BoolVar(&question.Minimal, "minimal-window", question.Minimal,
		"search cards after the first with a minimal window in a search to a depth, for lines without minimal_window")
	flags.Func("selection", "the `selection` of lines without one: all, provable or learned (default provable)",
		func(text string) (err error) {
			question.Selection, err = search.ParseSelection(text)
			return err
		})
	flags.Func("table", "the `table` of lines without one: none, plain or equivalence (default equivalence)", func(text string) (err error) {
		question.Table, err = search.ParseTable(text)
		return err
	})
	parse := func(ctx context.Context, g *Game, line []byte) (*SolveQuery, error) {
		return parseSolve(question)(ctx, g, line)
	}
	return service.OpOf(parse, (*Game).outSolution).Reader()
}

// worldsFlags adds the flags of the command worlds.
func worldsFlags(flags *flag.FlagSet) service.Reader[*Game] {
	or := DefaultWorlds
	service.NumberFlag(flags, &or.Worlds, "worlds", "the `number` of deals of lines without one", 0, MaxWorlds)
	flags.BoolVar(&or.Clustered, "clustered", false, "choose deals that represent 300 drawn ones, for lines without a method")
	service.OptionalSeedFlag(flags, &or.Seed)
	return service.Reads(parseWorlds(&or), (*Game).Worlds)
}

// complexityFlags adds the flags of the command complexity.
func complexityFlags(flags *flag.FlagSet) service.Reader[*Game] {
	or := DefaultComplexity
	service.NumberFlag(flags, &or.Playouts, "n", "the number of `play-outs` of lines without one", 1, MaxPlayouts)
	service.OptionalSeedFlag(flags, &or.Seed)
	return service.Reads(parseComplexity(&or), (*Game).Complexity)
}
