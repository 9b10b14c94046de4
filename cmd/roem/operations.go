package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/jsonlines"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func noFlags(*flag.FlagSet) {}

func solveCommand() cli.Command {
	goal := search.Value
	return cli.Command{
		Name: "solve", Args: "[FILE ...]",
		Short: "computes the exact value of positions, with the best line or the value of every card",
		Long: `Reads positions, optionally each with a "goal", and writes solutions.
` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("goal", "the `goal` of lines without a goal: win, value or moves (default value)",
				func(text string) (err error) {
					goal, err = search.ParseGoal(text)
					return err
				})
		}, files, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, func(ctx context.Context, line []byte) (*klaverjas.SolveQuery, error) {
				return g.ParseSolveFor(ctx, line, goal)
			})
		}),
	}
}

func legalCommand() cli.Command {
	return cli.Command{
		Name: "legal", Args: "[FILE ...]",
		Short: "whose turn it is, which cards may be played, and the score so far",
		Long: `Reads positions and writes the state of play. Nothing is searched.
` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (api.KlaverjasLegalMoves, error) { return g.Legal(p) })
		}),
	}
}

func analyseCommand() cli.Command {
	return cli.Command{
		Name: "analyse", Args: "[FILE ...]",
		Short: "computes what every card of a played hand cost, and the best cards",
		Long: `Reads positions of which at least two cards have been played, and writes analyses.
` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, g.ParseAnalyse)
		}),
	}
}

func tableCommand() cli.Command {
	return cli.Command{
		Name: "table", Args: "[FILE ...]",
		Short: "computes the outcome of deals for each trump and each declaring team",
		Long: `Reads deals without trump and declarer, {"leader": ..., "hands": ...}, optionally with "rules", and writes their tables.
` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, g.ParseTable)
		}),
	}
}

func adviseCommand() cli.Command {
	return cli.Command{
		Name: "advise", Args: "[FILE ...]",
		Short: "which card a seat should play that does not see the others' cards",
		Long: `Reads views, {"trump": ..., "leader": ..., "seat": ..., "hand": ..., "played": ...}, optionally each with
"method", "worlds", "budget_ms", "objective" and "seed", and writes advice: the best card over many possible deals of
the unseen cards, and what each card is worth.` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, g.ParseAdvise)
		}),
	}
}

func reviewCommand() cli.Command {
	return cli.Command{
		Name: "review", Args: "[FILE ...]",
		Short: "computes what a seat's cards cost, with open cards and on what it could know",
		Long: `Reads positions with the cards played and a "seat", optionally each with "worlds" and "seed", and writes
reviews: for each card that the seat played, what it cost with all cards open, what it cost on average over the deals
that were possible for the seat at that time, and the verdict: right, unlucky, mistake, lucky, uncertain or forced.` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, g.ParseReview)
		}),
	}
}

func rankCommand() cli.Command {
	return cli.Command{
		Name: "rank", Args: "[FILE ...]",
		Short: "the index, canonical index and suit-distribution class of deals",
		Long: `Reads positions and writes the numbers of their deals, as dealt.
` + filesHelp,
		Setup: lineCommand(noFlags, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (api.KlaverjasNumberedDeal, error) {
				return g.IndexDeal(p)
			})
		}),
	}
}

func unrankCommand() cli.Command {
	trump, leader := piquet.Clubs, piquet.North
	return cli.Command{
		Name: "unrank", Args: "[INDEX | FILE ...]",
		Short: "the deals with given indices",
		Long: `Takes indices as arguments, for the trump and leader of the flags, or reads {"deal": INDEX, "trump": ..., "leader": ...}, and
writes deals with their numbers. An argument that consists of digits is an index, any other argument is a file.
` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			trumpAndLeaderFlags(flags, &trump, &leader)
		}, func(args []string, std cli.Stdio) ([]jsonlines.Input, int64, error) {
			return indicesAndFiles(args, std, trump, leader)
		}, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (api.KlaverjasNumberedDeal, error) {
				if !p.ByIndex {
					return api.KlaverjasNumberedDeal{}, &service.Error{
						Kind: service.Malformed, Detail: "The line has no index of a deal: deal is missing.",
						Violations: []service.Violation{{Pointer: "/deal", Detail: "is missing"}},
					}
				}
				return g.IndexDeal(p)
			})
		}),
	}
}

func trumpAndLeaderFlags(flags *flag.FlagSet, trump *piquet.Suit, leader *piquet.Seat) {
	flags.Func("trump", "the trump `suit`: C, D, H or S (default C)", func(text string) (err error) {
		*trump, err = piquet.ParseSuit(text)
		return err
	})
	flags.Func("leader", "the `seat` that leads: N, E, S or W (default N)", func(text string) (err error) {
		*leader, err = piquet.ParseSeat(text)
		return err
	})
}

// indicesAndFiles converts arguments to inputs. An index becomes a line with this index.
func indicesAndFiles(args []string, std cli.Stdio, trump piquet.Suit,
	leader piquet.Seat,
) (inputs []jsonlines.Input, size int64, err error) {
	if len(args) == 0 {
		return files(args, std)
	}
	known := true
	for i, arg := range args {
		if strings.Trim(arg, "0123456789") == "" && arg != "" {
			line, err := cli.Encode(map[string]string{"deal": arg, "trump": trump.String(), "leader": leader.String()})
			if err != nil {
				return nil, 0, err
			}
			inputs = append(inputs, jsonlines.Input{
				Name: "argument " + strconv.Itoa(i+1),
				Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(line)), nil },
			})
			size += int64(len(line))
			continue
		}
		more, bytes, err := files([]string{arg}, std)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, 0, cli.Usagef("%s is neither an index, which consists of digits, nor a file", arg)
		}
		if err != nil {
			return nil, 0, err
		}
		known = known && bytes > 0
		inputs, size = append(inputs, more...), size+bytes
	}
	if !known {
		size = 0
	}
	return inputs, size, nil
}
