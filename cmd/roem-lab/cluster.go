package main

import (
	"context"
	"flag"
	"fmt"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/clusters"
)

func clusterCommand() cli.Command {
	return cli.Command{
		Name: "cluster", Args: "FILE ...",
		Short: "compares worlds drawn by clusters with plain samples, by the regret of the advice",
		Long: `Takes positions of tricks 2 to 5 from files of roem-lab games and gives advice on worlds drawn in three ways: plainly, without replacement, and by
average-linkage clusters of a larger sample (Silicon Tarokist, section 3.1). It writes a Markdown table of how much worse the advised card is, on
average, than the one that a reference of many worlds advises, in points a decision. If it is interrupted, the table is of the positions so far.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			s := clusters.Settings{Tricks: []int{2, 3, 4, 5}, Worlds: []int{8, 20, 60}}
			flags.IntVar(&s.Positions, "n", 40, "the `number` of positions of each trick")
			flags.IntVar(&s.Pool, "pool", 300, "group `n` worlds")
			flags.IntVar(&s.Reference, "reference", 500, "the reference advice searches `n` worlds")
			flags.IntVar(&s.Repeat, "repeat", 2, "draw `n` times in each position")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if s.Positions < 1 || s.Pool < 1 || s.Reference < 1 || s.Repeat < 1 {
					return cli.Usagef("expected -n, -pool, -reference and -repeat from 1")
				}
				all, err := readGames(args)
				if err != nil {
					return err
				}
				var progress *cli.Progress
				if cli.IsTerminal(std.Err) {
					progress = cli.NewProgress(std.Err, "positions", int64(s.Positions*len(s.Tricks)), cli.ProgressDelay)
				}
				s.Seed, s.Solver = seed.Value, search.New(search.Options{TableBytes: 1 << 20})
				s.Progress = func(int) { progress.Add(1) }
				positions, err := clusters.Measure(ctx, all, s)
				progress.Stop()
				if err != nil && ctx.Err() == nil {
					return err
				}
				if len(positions) < 2 { // otherwise an interrupted run reports what it has measured
					return fmt.Errorf("the games have %d positions with a choice", len(positions))
				}
				_, err = fmt.Fprintf(std.Out, "%d positions\n\n%s", len(positions), clusters.Markdown(positions, s.Worlds))
				return cli.Writing(err)
			}
		},
	}
}
