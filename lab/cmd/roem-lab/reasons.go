package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/lab/klaverjas/reasons"
)

func reasonsCommand() cli.Command {
	return cli.Command{
		Name:  "reasons",
		Short: "lists mistakes with their two lines and the reason",
		Long: `Plays hands of both systems with players of the program, reviews them with all cards open, and writes a
Markdown page: how many mistakes have which reason, and some of them with the position, the line of the card played, the
best line and the sentence. With -hidden the hands are reviewed on what each seat could know. lab/docs/klaverjas/reasons.md
and hidden-reasons.md are such pages.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			mistakes := cli.Number(flags, "mistakes", 200, 1, math.MaxInt, "review hands until there are `n` mistakes")
			listed := cli.Number(flags, "listed", 40, 1, math.MaxInt, "list `n` of them")
			each := cli.Number(flags, "each", 3, 1, 32, "take at most `n` of a hand")
			hidden := flags.Bool("hidden", false, "review on what each seat could know")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				s := reasons.Settings{Mistakes: *mistakes, Each: *each, Seed: *seed, Tools: game.NewTools()}
				for _, name := range []string{"policy", "simple"} {
					kind, err := players.ParseKind(name, players.DefaultWorlds)
					if err != nil {
						return err
					}
					s.Players = append(s.Players, kind)
				}
				command := fmt.Sprintf("roem-lab klaverjas reasons -mistakes %d -listed %d -each %d -seed %d", *mistakes, *listed, *each, *seed)
				write := openReasons
				if *hidden {
					command += " -hidden"
					write = hiddenReasons
				}
				page, err := write(ctx, s, *listed, command)
				if err != nil {
					return err
				}
				_, err = io.WriteString(std.Out, page)
				return cli.Writing(err)
			}
		},
	}
}

func openReasons(ctx context.Context, s reasons.Settings, listed int, command string) (string, error) {
	all, err := reasons.Find(ctx, s)
	if err != nil {
		return "", err
	}
	return reasons.Report(all, min(listed, len(all)), command), nil
}

func hiddenReasons(ctx context.Context, s reasons.Settings, listed int, command string) (string, error) {
	made, err := service.New(service.Options{Version: version})
	if err != nil {
		return "", err
	}
	g := game.New(made, game.Options{})
	all, err := reasons.FindHidden(ctx, s, func(ctx context.Context, request []byte) (out api.KlaverjasReview, err error) {
		q, err := g.ParseReview(ctx, request)
		if err != nil {
			return out, err
		}
		answer, err := g.Answer(ctx, q)
		if err != nil {
			return out, err
		}
		out, ok := answer.Body.(api.KlaverjasReview)
		if !ok {
			return out, fmt.Errorf("the answer is a %T", answer.Body)
		}
		return out, nil
	})
	if err != nil {
		return "", err
	}
	return reasons.HiddenReport(all, min(listed, len(all)), command)
}
