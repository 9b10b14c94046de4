package main

import (
	"context"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/service/belote"
)

// beloteCommand is the group of the operations of Belote Découverte.
func beloteCommand() cli.Command {
	return cli.Command{
		Name: "belote", Args: "OPERATION [FLAGS] [FILE ...]",
		Short: "the operations of Belote Découverte: solve, legal, analyse, advise, bid, score, match, compare, random",
		Long: `The operations of Belote Découverte.

Usage: roem belote OPERATION [FLAGS] [FILE ...]

Positions and answers are those of the paths /v1/belote of the HTTP API, one a line.

`,
		Commands: []cli.Command{
			beloteSolve(), beloteLegal(), beloteAnalyse(), beloteAdvise(), beloteBid(), beloteScore(), beloteMatch(), beloteCompare(),
			beloteRandom(),
		},
	}
}

// beloteLines returns the setup of an operation that answers lines.
func beloteLines(own func(*flag.FlagSet), newAnswerer func(*belote.Game) answerer) setup {
	return gameLines(newBelote, own, files, newAnswerer)
}

func newBelote(s *service.Service) (*belote.Game, error) { return belote.New(s, belote.Options{}), nil }

func beloteSolve() cli.Command {
	var question belote.Question
	pruning := true
	return cli.Command{
		Name: "solve", Args: "[FILE ...]",
		Short: "the exact value of positions, with the best line or the value of every card",
		Long: `Reads positions, optionally each with "utility", "goal", "algorithm" and "forward_pruning", and writes solutions.
` + filesHelp,
		Setup: beloteLines(func(flags *flag.FlagSet) {
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
			flags.BoolVar(&pruning, "forward-pruning", true, "do not search positions that the points left cannot change")
		}, func(g *belote.Game) answerer {
			return newQueryAnswerer(g, func(ctx context.Context, line []byte) (*belote.SolveQuery, error) {
				q := question
				q.NoPruning = !pruning
				return g.ParseSolveFor(ctx, line, q)
			})
		}),
	}
}

func beloteLegal() cli.Command {
	return cli.Command{
		Name: "legal", Args: "[FILE ...]",
		Short: "who is to play, the legal cards, the open cards and the points so far",
		Long: `Reads positions and writes the state of play. Nothing is searched.
` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p belote.Position) (api.BeloteLegalMoves, error) { return g.Legal(p) })
		}),
	}
}

func beloteAnalyse() cli.Command {
	return cli.Command{
		Name: "analyse", Args: "[FILE ...]",
		Short: "what each card cost its player",
		Long: `Reads positions with the cards "played" and writes what each of them cost.
` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer { return newQueryAnswerer(g, g.ParseAnalyse) }),
	}
}

func beloteAdvise() cli.Command {
	return cli.Command{
		Name: "advise", Args: "[FILE ...]",
		Short: "which card to play while cards are face down",
		Long: `Reads positions with null for the cards below that have not been turned, optionally each with "utility", "method", "worlds" and
"seed", and writes what each legal card is worth when nobody knows the cards face down.
` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer { return newQueryAnswerer(g, g.ParseAdvise) }),
	}
}

func beloteBid() cli.Command {
	return cli.Command{
		Name: "bid", Args: "[FILE ...]",
		Short: "whether to choose a trump while the cards are dealt, and which",
		Long: `Reads the open cards of a dealing, {"open": {"A": ["JH", ...], "B": []}}, optionally each with "suits", "threshold", "worlds" and
"seed", and writes what each trump and a pass are worth.
` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer { return newQueryAnswerer(g, g.ParseBid) }),
	}
}

func beloteScore() cli.Command {
	return cli.Command{
		Name: "score", Args: "[FILE ...]",
		Short: "what is written down for a played hand",
		Long: `Reads hands, each a "position" with all cards played or the points in "made", optionally with "contract",
"litige", "belote", "melds" and "capot", and writes what each player writes down, part by part.` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer {
			return newAnswerer(g.ParseScore, func(_ context.Context, r belote.ScoreRequest) (api.BeloteScore, error) { return g.Score(r) })
		}),
	}
}

func beloteCompare() cli.Command {
	return cli.Command{
		Name: "compare", Args: "[FILE ...]",
		Short: "the paper's experiment over drawn deals: the states of each algorithm",
		Long: `Reads experiments, {"suits": [1, 2], "deals": 10, "seed": "1", "limit": 1000000} with every field optional,
and writes how many states each algorithm generates.` + filesHelp,
		Setup: beloteLines(noFlags, func(g *belote.Game) answerer { return newQueryAnswerer(g, g.ParseCompare) }),
	}
}

func beloteRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals, as positions for the other operations",
		Long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP API draws from this
seed, the second is that of the next seed, and so on.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n     = flags.Uint64("n", 1, "the number of `deals`")
				seed  = cli.SeedFlag(flags)
				suits = flags.String("suits", "CDHS", "the `suits` of the deck, one to four")
				trump = flags.String("trump", "", "the trump `suit`, or none (default the first suit)")
				view  = flags.Bool("view", false, "write null for the cards face down, as the players see the deal")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				params := api.BeloteRandomDealParams{Suits: suits}
				if *trump != "" {
					params.Trump = trump
				}
				return randomBelote(ctx, std, *n, seed.Chosen(), params, *view)
			}
		},
	}
}

func randomBelote(ctx context.Context, std cli.Stdio, n, first uint64, params api.BeloteRandomDealParams, view bool) error {
	return randomDeals(ctx, std, n, first, newBelote, func(g *belote.Game, seed uint64) (any, error) {
		text := strconv.FormatUint(seed, 10)
		params.Seed = &text
		deal, err := g.RandomDeal(params)
		switch {
		case err != nil:
			return nil, cli.UsageError{Err: err}
		case view:
			return belote.HideBottoms(deal.Position), nil
		}
		return deal.Position, nil
	})
}
