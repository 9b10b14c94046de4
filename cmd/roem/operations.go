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
	"roem/internal/cards"
	"roem/internal/engine/search"
	"roem/internal/jsonlines"
	"roem/internal/service"
)

func noFlags(*flag.FlagSet) {}

func solveCommand() command {
	goal := search.Value
	return command{
		name: "solve", args: "[FILE ...]",
		short: "the exact value of positions, with the best line or the value of every card",
		long: `Reads positions, each with a "goal" of its own if it likes, and writes solutions.
` + filesHelp,
		setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("goal", "the `goal` of lines that have none of their own: win, value or moves (default value)",
				func(text string) (err error) {
					goal, err = search.ParseGoal(text)
					return err
				})
		}, files, func(s *service.Service) answerer {
			return newAnswerer(s.Decoder.Solve, func(ctx context.Context, in service.SolveQuery) (api.Solution, error) {
				if in.Goal == nil {
					in.Goal = &goal
				}
				return s.Solve(ctx, in)
			})
		}),
	}
}

func legalCommand() command {
	return command{
		name: "legal", args: "[FILE ...]",
		short: "whose turn it is, which cards may be played, and the score so far",
		long: `Reads positions and writes the state of play. Nothing is searched.
` + filesHelp,
		setup: lineCommand(noFlags, files, func(s *service.Service) answerer {
			return newAnswerer(s.Position, func(_ context.Context, in service.PositionQuery) (api.LegalMoves, error) { return s.Legal(in) })
		}),
	}
}

func analyseCommand() command {
	return command{
		name: "analyse", args: "[FILE ...]",
		short: "what every card of a played hand cost, and what was best",
		long: `Reads positions of which at least two cards have been played, and writes analyses.
` + filesHelp,
		setup: lineCommand(noFlags, files, func(s *service.Service) answerer {
			return newAnswerer(s.Decoder.Analyse, s.Analyse)
		}),
	}
}

func tableCommand() command {
	return command{
		name: "table", args: "[FILE ...]",
		short: "the outcome of deals for each trump and each declaring team",
		long: `Reads deals without trump and declarer, {"leader": ..., "hands": ...} and "rules" if need be, and writes their tables.
` + filesHelp,
		setup: lineCommand(noFlags, files, func(s *service.Service) answerer {
			return newAnswerer(s.Decoder.Table, s.Table)
		}),
	}
}

func rankCommand() command {
	return command{
		name: "rank", args: "[FILE ...]",
		short: "the index, canonical index and suit-distribution class of deals",
		long: `Reads positions and writes the numbers of their deals, as dealt.
` + filesHelp,
		setup: lineCommand(noFlags, files, func(s *service.Service) answerer {
			return newAnswerer(s.Position, func(_ context.Context, in service.PositionQuery) (api.NumberedDeal, error) { return s.IndexDeal(in) })
		}),
	}
}

func unrankCommand() command {
	trump, leader := cards.Clubs, cards.North
	return command{
		name: "unrank", args: "[INDEX | FILE ...]",
		short: "the deals that indices stand for",
		long: `Takes indices as arguments, for the trump and leader of the flags, or reads {"deal": INDEX, "trump": ..., "leader": ...}, and
writes deals with their numbers. An argument of nothing but digits is an index, any other a file.
` + filesHelp,
		setup: lineCommand(func(flags *flag.FlagSet) {
			trumpAndLeaderFlags(flags, &trump, &leader)
		}, func(args []string, std stdio) ([]jsonlines.Input, int64, error) {
			return indicesAndFiles(args, std, trump, leader)
		}, func(s *service.Service) answerer {
			return newAnswerer(s.Position, func(_ context.Context, in service.PositionQuery) (api.NumberedDeal, error) {
				if !in.ByIndex {
					return api.NumberedDeal{}, &service.Error{
						Kind: service.Malformed, Detail: "The line has no index to find a deal by: deal is missing.",
						Violations: []service.Violation{{Pointer: "/deal", Detail: "is missing"}},
					}
				}
				return s.IndexDeal(in)
			})
		}),
	}
}

func trumpAndLeaderFlags(flags *flag.FlagSet, trump *cards.Suit, leader *cards.Seat) {
	flags.Func("trump", "the trump `suit`: C, D, H or S (default C)", func(text string) (err error) {
		*trump, err = cards.ParseSuit(text)
		return err
	})
	flags.Func("leader", "the `seat` that leads: N, E, S or W (default N)", func(text string) (err error) {
		*leader, err = cards.ParseSeat(text)
		return err
	})
}

// indicesAndFiles turns arguments into inputs. An index becomes the line that asks for it.
func indicesAndFiles(args []string, std stdio, trump cards.Suit, leader cards.Seat) (inputs []jsonlines.Input, size int64, err error) {
	if len(args) == 0 {
		return files(args, std)
	}
	known := true
	for i, arg := range args {
		if strings.Trim(arg, "0123456789") == "" && arg != "" {
			line, err := encode(map[string]string{"deal": arg, "trump": trump.String(), "leader": leader.String()})
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
			return nil, 0, usagef("%s is neither an index, which has nothing but digits, nor a file", arg)
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
