package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/tarok/search"
	"roem/internal/service"
	"roem/internal/service/tarok"
)

// tarokCommand is the group of the operations of tarok.
func tarokCommand() cli.Command {
	return cli.Command{
		Name: "tarok", Args: "OPERATION [FLAGS] [FILE ...]",
		Short: "the operations of tarok for three players: legal, score, solve, sample, complexity, bid, " +
			"exchange, announce, advise, match, random",
		Long: `The operations of tarok for three players.

Usage: roem tarok OPERATION [FLAGS] [FILE ...]

Positions and answers are those of the paths /v1/tarok of the HTTP API, one a line.

`,
		Commands: []cli.Command{
			tarokLegal(), tarokScore(), tarokSolve(), tarokSample(), tarokComplexity(),
			tarokBid(), tarokExchange(), tarokAnnounce(), tarokAdvise(), tarokMatch(), tarokRandom(),
		},
	}
}

// tarokLines returns the setup of an operation that answers lines.
func tarokLines(own func(*flag.FlagSet), newAnswerer func(*tarok.Game) answerer) setup {
	return gameLines(newTarok, own, files, newAnswerer)
}

func newTarok(s *service.Service) (*tarok.Game, error) { return tarok.New(s, tarok.Options{}), nil }

func tarokLegal() cli.Command {
	return cli.Command{
		Name: "legal", Args: "[FILE ...]",
		Short: "who is to act, and the legal cards, discards or groups of the talon",
		Long: `Reads positions and writes what may be done next. Nothing is searched.
` + filesHelp,
		Setup: tarokLines(noFlags, func(g *tarok.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p tarok.Position) (api.TarokLegalMoves, error) { return g.Legal(p) })
		}),
	}
}

func tarokScore() cli.Command {
	return cli.Command{
		Name: "score", Args: "[FILE ...]",
		Short: "what finished hands score, part by part",
		Long: `Reads finished hands, optionally each with "kontra", "announcements" and "radli", and writes what they score.
` + filesHelp,
		Setup: tarokLines(noFlags, func(g *tarok.Game) answerer {
			return newAnswerer(g.ParseScore, func(_ context.Context, s tarok.Scoring) (api.TarokScore, error) { return g.Score(s) })
		}),
	}
}

func tarokSolve() cli.Command {
	question := tarok.Question{Enhancements: search.AllFour}
	return cli.Command{
		Name: "solve", Args: "[FILE ...]",
		Short: "best play with open cards: exact, or to a limited depth",
		Long: `Reads positions, optionally each with "goal", "depth", "deepening", "history", "selection" and "table", and
writes solutions. Without a depth the search is exact, for positions with at most 12 cards in a hand.` + filesHelp,
		Setup: tarokLines(func(flags *flag.FlagSet) {
			flags.Func("goal", "the `goal` of lines without one: value or moves (default value)", func(text string) (err error) {
				question.Goal, err = search.ParseGoal(text)
				return err
			})
			flags.Func("depth", "the depth of lines without one, in `cards`: 3, 6, 9, 12, 15 or 18 (default exact)", func(text string) error {
				n, err := strconv.Atoi(text)
				if err != nil || n < 3 || n > 18 || n%3 != 0 {
					return cli.Usagef("expected 3, 6, 9, 12, 15 or 18")
				}
				question.Depth = n
				return nil
			})
			flags.BoolVar(&question.Deepening, "deepening", question.Deepening,
				"deepen a search to a depth step by step, for lines without deepening")
			flags.BoolVar(&question.History, "history", question.History,
				"use the history heuristic in a search to a depth, for lines without history")
			flags.Func("selection", "the `selection` of lines without one: all, provable or learned (default provable)",
				func(text string) (err error) {
					question.Selection, err = search.ParseSelection(text)
					return err
				})
			flags.Func("table", "the `table` of lines without one: none, plain or equivalence (default equivalence)", func(text string) (err error) {
				question.Table, err = search.ParseTable(text)
				return err
			})
		}, func(g *tarok.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (*tarok.SolveQuery, error) {
				return g.ParseSolveFor(ctx, line, question)
			},
				func(ctx context.Context, q *tarok.SolveQuery) (any, error) {
					answer, err := g.Answer(ctx, q)
					return answer.Body, err
				})
		}),
	}
}

func tarokSample() cli.Command {
	or := tarok.DefaultSample
	return cli.Command{
		Name: "sample", Args: "[FILE ...]",
		Short: "how many deals agree with what a player knows, where hidden cards are, and such deals",
		Long: `Reads what a player knows, optionally each line with "count", "method", "base" and "seed", and writes how
many deals agree with it, where each hidden card is in them, and some of the deals.` + filesHelp,
		Setup: tarokLines(func(flags *flag.FlagSet) {
			numberFlag(flags, &or.Count, "count", "the `number` of deals of lines without one", 0, tarok.MaxSample)
			flags.BoolVar(&or.Clustered, "clustered", false, "choose deals that represent 300 drawn ones, for lines without a method")
			optionalSeed(flags, &or.Seed)
		}, func(g *tarok.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (*tarok.SampleQuery, error) {
				return g.ParseSampleFor(ctx, line, or)
			},
				g.Sample)
		}),
	}
}

func tarokComplexity() cli.Command {
	or := tarok.DefaultComplexity
	return cli.Command{
		Name: "complexity", Args: "[FILE ...]",
		Short: "how large the game is: deals, biddings, exchanges, announcements, lines of play",
		Long: `Reads lines, each with "contract", "hands", "talon", "declarer", "rules", "playouts" and "seed", all of them
optional, and writes how many deals, bidding sequences, exchanges and announcements there are, and an estimate of the
lines of play by random play-outs.` + filesHelp,
		Setup: tarokLines(func(flags *flag.FlagSet) {
			numberFlag(flags, &or.Playouts, "n", "the number of `play-outs` of lines without one", 1, tarok.MaxPlayouts)
			optionalSeed(flags, &or.Seed)
		}, func(g *tarok.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (*tarok.ComplexityQuery, error) {
				return g.ParseComplexityFor(ctx, line, or)
			}, g.Complexity)
		}),
	}
}

// numberFlag adds the flag of a number within limits, whose default it has.
func numberFlag(flags *flag.FlagSet, to *int, name, usage string, least, most int) {
	flags.Func(name, fmt.Sprintf("%s, %d to %d (default %d)", usage, least, most, *to), func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return cli.Usagef("expected a number from %d to %d", least, most)
		}
		*to = n
		return nil
	})
}

// optionalSeed adds the flag of a seed for lines without one.
func optionalSeed(flags *flag.FlagSet, to **uint64) {
	flags.Func("seed", "the `seed` of lines without one (default: one is drawn for each line)", func(text string) error {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return cli.Usagef("expected a number from 0 to %d", ^uint64(0))
		}
		*to = &seed
		return nil
	})
}

func tarokRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals",
		Long: `Writes random deals: the hands and the talon. With a seed they are the same each time: the first is the deal
that the HTTP API draws from this seed, the second is that of the next seed, and so on.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Uint64("n", 1, "the number of `deals`")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				return randomDeals(ctx, std, *n, seed.Chosen(), newTarok, func(g *tarok.Game, seed uint64) (any, error) {
					text := strconv.FormatUint(seed, 10)
					return g.RandomDeal(api.TarokRandomDealParams{Seed: &text})
				})
			}
		},
	}
}
