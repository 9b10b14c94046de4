package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func eveningCommand() cli.Command {
	return cli.Command{
		Name: "evening", Args: "FILE",
		Short: "reviews the hands of an evening: the sheet, the players, and each mistake",
		Long: `Reads a file with records of up to 100 hands of Klaverjas, in any form that "roem convert" reads, and reviews the
cards of all seats. It writes the score sheet, how each player has played, and each mistake with what was better. The tags North,
East, South and West have the names of the players. With -json it writes the answer of /v1/klaverjas/evening. For the file -, it reads
standard input.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			worlds := flags.Int("worlds", 0, "search `n` worlds for each card (default 100, and 400 for a close one)")
			seed := flags.String("seed", "", "the `seed` that chooses the worlds (default 0)")
			asJSON := flags.Bool("json", false, "write the answer as JSON")
			var workers int
			cli.WorkersFlag(flags, &workers, "review `n` hands at a time, each on one core")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				text, err := readText(std, args[0])
				if err != nil {
					return err
				}
				request := map[string]any{"text": text}
				if *worlds != 0 {
					request["worlds"] = *worlds
				}
				if *seed != "" {
					request["seed"] = *seed
				}
				evening, err := reviewEvening(ctx, workers, request)
				switch {
				case err != nil:
					return named(args[0], err)
				case *asJSON:
					line, err := cli.Encode(evening)
					if err != nil {
						return err
					}
					_, err = std.Out.Write(line)
					return cli.Writing(err)
				}
				_, err = io.WriteString(std.Out, eveningText(&evening))
				return cli.Writing(err)
			}
		},
	}
}

// named returns an error about what a file has, with the name of the file.
func named(name string, err error) error {
	if problem := service.Problem(err, ""); problem.Errors != nil {
		texts := []string{}
		for _, e := range *problem.Errors {
			texts = append(texts, name+": "+e.Detail)
		}
		return fmt.Errorf("%s", strings.Join(texts, "\n"))
	}
	return err
}

func reviewEvening(ctx context.Context, workers int, request map[string]any) (out api.KlaverjasEvening, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return out, err
	}
	s, err := service.New(service.Options{Version: version, Slots: workers})
	if err != nil {
		return out, err
	}
	g, err := klaverjasGame().New(s)
	if err != nil {
		return out, err
	}
	query, err := klaverjas.ParseEvening(ctx, g, body)
	if err != nil {
		return out, err
	}
	answer, err := service.Ask(ctx, s, query)
	if err != nil {
		return out, err
	}
	return g.OutEvening(query, answer), nil
}

// readText reads a file with records, or standard input.
func readText(std cli.Stdio, name string) (string, error) {
	in := std.In
	if name != "-" {
		file, err := os.Open(name) //nolint:gosec // the user's own choice of a file
		if err != nil {
			return "", cli.UsageError{Err: cli.Plain(err)}
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxRecords+1))
	if err == nil && len(text) > maxRecords {
		err = cli.Usagef("%s has more than %d bytes", name, maxRecords)
	}
	return string(text), err
}

// eveningText returns the sheet, the players and the mistakes as text.
func eveningText(e *api.KlaverjasEvening) string {
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = fmt.Fprintln(out, strings.Join(cells, "\t")) } // to memory
	row("Hand", "NS", "points", "EW", "points")
	for _, h := range e.Hands {
		ns, ew := "-", "-"
		if h.Points != nil {
			ns, ew = strconv.Itoa(h.Points.NS), strconv.Itoa(h.Points.EW)
		}
		row(strconv.Itoa(h.Number), h.Names.N+" "+h.Names.S, ns, h.Names.E+" "+h.Names.W, ew)
	}
	row("Total", "", strconv.Itoa(e.Totals.NS), "", strconv.Itoa(e.Totals.EW))
	row()
	row("Player", "hands", "points", "mistakes", "uncertain", "cost")
	for _, p := range e.Players {
		row(p.Name, strconv.Itoa(p.Hands), strconv.Itoa(p.Points), strconv.Itoa(p.Verdicts.Mistake+p.Verdicts.Lucky),
			strconv.Itoa(p.Verdicts.Uncertain), strconv.Itoa(int(math.Round(p.KnowledgeCost))))
	}
	row()
	row("Hand", "trick", "player", "played", "better", "cost")
	for _, h := range e.Hands {
		for _, m := range h.Mistakes {
			row(strconv.Itoa(h.Number), strconv.Itoa(m.Trick), m.Player, m.Card, m.Advised, strconv.Itoa(int(math.Round(m.Cost))))
		}
	}
	_ = out.Flush() // to memory
	return b.String()
}
