package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func puzzlesCommand() cli.Command {
	return cli.Command{
		Name:  "puzzles",
		Short: "the puzzles: positions with exactly one good card",
		Long: `Writes the ids of the puzzles with the kind of their cards and their level, as /v1/klaverjas/puzzles lists them.
"roem puzzle ID" writes a puzzle.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var in api.KlaverjasPuzzlesParams
			word(flags, &in.Cards, "cards", "only puzzles with these `cards`", puzzles.Kinds())
			word(flags, &in.Level, "level", "only puzzles of this `level`", puzzles.Levels())
			word(flags, &in.Theme, "theme", "only puzzles with this `theme`", puzzles.ThemeNames())
			return func(_ context.Context, std cli.Stdio, _ []string) error {
				g, err := puzzleGame()
				if err != nil {
					return err
				}
				return writeLines(std, func(write func(any) error) error {
					for {
						page, err := g.Puzzles(in)
						if err != nil {
							return err
						}
						for _, p := range page.Puzzles {
							if err := write(p); err != nil {
								return err
							}
						}
						if in.PageToken = page.NextPageToken; in.PageToken == nil {
							return nil
						}
					}
				})
			}
		},
	}
}

// word adds a flag that is one of some words.
func word[S ~string](flags *flag.FlagSet, to **S, name, usage string, words []string) {
	flags.Func(name, usage+": "+strings.Join(words, ", "), func(text string) error {
		if !slices.Contains(words, text) {
			return violation.Word(text, words...)
		}
		chosen := S(text)
		*to = &chosen
		return nil
	})
}

func puzzleCommand() cli.Command {
	return cli.Command{
		Name: "puzzle", Args: "[ID ...]",
		Short: "a puzzle, or the puzzle of a day",
		Long: `Writes the puzzles with the ids, as /v1/klaverjas/puzzles/{id} returns them, or without an id the puzzle of the day. With -try it
writes which of some cards hold, as /v1/klaverjas/puzzles/{id}/answer does.
"roem puzzles" lists the ids. The field position of an open puzzle is a line for "roem solve", the field view of a hidden one for
"roem advise".`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var in api.KlaverjasDailyPuzzleParams
			solution := flags.Bool("solution", false, "write the solutions")
			try := flags.String("try", "", "try `cards`, such as 8D,AD, and write which hold")
			flags.Func("date", "the `day` of the puzzle, such as 2026-12-05 (default today, in UTC)", func(text string) error {
				in.Date = &text
				return nil
			})
			return func(_ context.Context, std cli.Stdio, ids []string) error {
				if in.Date != nil && len(ids) > 0 {
					return cli.Usagef("-date %s: a puzzle with an id has no day", *in.Date)
				}
				if *solution && *try != "" {
					return cli.Usagef("-try %s: not together with -solution", *try)
				}
				g, err := puzzleGame()
				if err != nil {
					return err
				}
				return writeLines(std, func(write func(any) error) error {
					if len(ids) == 0 {
						daily, err := g.DailyPuzzle(in)
						if e, wrong := errors.AsType[*service.Error](err); wrong && len(e.Violations) > 0 {
							return cli.Usagef("-date %s", e.Violations[0].Detail)
						}
						if err != nil {
							return err
						}
						if !*solution && *try == "" {
							return write(daily)
						}
						ids = []string{daily.Puzzle.Id}
					}
					for _, id := range ids {
						if err := writePuzzle(g, id, *solution, *try, write); err != nil {
							return err
						}
					}
					return nil
				})
			}
		},
	}
}

// writePuzzle writes a puzzle, its solution, or which of the cards hold that are tried.
func writePuzzle(g *klaverjas.Game, id string, solution bool, try string, write func(any) error) error {
	var out any
	var err error
	switch {
	case solution:
		out, err = g.PuzzleSolution(klaverjas.PuzzleParams{ID: id})
	case try != "":
		out, err = g.PuzzleAnswer(klaverjas.PuzzleAnswerParams{ID: id, Cards: &try})
	default:
		out, err = g.Puzzle(klaverjas.PuzzleParams{ID: id})
	}
	if e, wrong := errors.AsType[*service.Error](err); wrong && len(e.Violations) > 0 {
		return cli.Usagef("-try %s: %s", try, e.Violations[0].Detail)
	}
	if service.KindOf(err) == service.NoSuchPuzzle {
		return cli.Usagef("%.40q: there is no puzzle with this id", id)
	}
	if err != nil {
		return err
	}
	return write(out)
}

func puzzleGame() (*klaverjas.Game, error) {
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		return nil, err
	}
	return klaverjasGame().New(s)
}

// writeLines writes lines of JSON.
func writeLines(std cli.Stdio, lines func(write func(any) error) error) error {
	out := bufio.NewWriter(std.Out)
	err := lines(func(value any) error {
		line, err := cli.Encode(value)
		if err == nil {
			_, err = out.Write(line)
		}
		return cli.Writing(err)
	})
	if err != nil {
		return err
	}
	return cli.Writing(out.Flush())
}
