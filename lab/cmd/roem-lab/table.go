package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
	"roem/lab/klaverjas/games"
	"roem/lab/klaverjas/table"
)

func tableFitCommand() cli.Command {
	return cli.Command{
		Name: "table-fit", Args: "GAMES", Needs: []string{"out"},
		Short: "fits how hands end at the table, for hand-strength and bid",
		Long: `Reads a file of games (roem-lab klaverjas games) that was made with the seed, and writes the coefficients of the table
model to a file such as internal/service/klaverjas/handstrength/table.json. Run it again after a training of the model
or of the hand model.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				out  = flags.String("out", "", "the `file` to write")
				seed = seedFlag(flags)
			)
			return func(_ context.Context, _ cli.Stdio, args []string) error {
				played, err := readPlayed(args[0], *seed)
				if err != nil {
					return err
				}
				m, e, err := estimator()
				if err != nil {
					return err
				}
				maps, err := fitTable(m, e, played)
				if err != nil {
					return err
				}
				byName := map[string]*handstrength.TableMaps{}
				for system, one := range maps {
					byName[system.String()] = one
				}
				return writeJSON(*out, byName, " ")
			}
		},
	}
}

// fitTable fits the table model to games.
func fitTable(m *deal.Model, e *handstrength.Estimator, played []table.Played) (table.Maps, error) {
	maps, err := table.FitDeals(m, played, func(int) bool { return true })
	if err != nil {
		return nil, err
	}
	return maps, table.FitHands(e, played, maps)
}

// estimator returns the models that are part of the program.
func estimator() (*deal.Model, *handstrength.Estimator, error) {
	m, err := deal.Default()
	if err != nil {
		return nil, nil, err
	}
	h, err := hand.Embedded()
	if err != nil {
		return nil, nil, err
	}
	return m, &handstrength.Estimator{Predictor: m, Distilled: handstrength.OfModel(h)}, nil
}

// readPlayed reads a file of games that were made with a seed.
func readPlayed(name string, seed uint64) ([]table.Played, error) {
	rows, err := readRows([]string{name}, games.Read)
	if err != nil {
		return nil, err
	}
	played, err := table.Of(rows, seed)
	if err != nil {
		return nil, cli.Usagef("%s: %v", name, err)
	}
	return played, nil
}

func bidFitCommand() cli.Command {
	return cli.Command{
		Name: "bid-fit", Needs: []string{"out"},
		Short: "fits the worth of hands and the thresholds to declare, for bid and for matches",
		Long: `Fits sums over suits to the table model of hands, and writes them to worths.json in -out. Then it finds for
each system, each flow and each number of passes the worth at which declaring and passing are equally good if all
players bid so, and writes it to thresholds.json. Run it again after table-fit, with -out
internal/service/klaverjas/bidadvice.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				out    = flags.String("out", "", "the `directory` to write to")
				rounds = cli.Number(flags, "rounds", 4, 1, math.MaxInt, "how often each threshold is fitted, with the others from the previous time")
				sums   = cli.Number(flags, "sums", 40_000, 10, math.MaxInt, "fit the sums to `n` hands for each place of the leader")
				hands  = cli.Number(flags, "hands", 3000, 10, math.MaxInt, "the number of `hands` for a threshold")
				seed   = seedFlag(flags)
			)
			return func(_ context.Context, std cli.Stdio, _ []string) error {
				m, e, err := estimator()
				if err != nil {
					return err
				}
				policy := &bidadvice.Policy{Thresholds: bidadvice.AllThresholds{}, Worths: map[string]*bidadvice.Worths{}}
				for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
					worths, err := fitWorths(e, system, *sums, *seed, std)
					if err != nil {
						return err
					}
					policy.Worths[system.String()] = worths
					for _, start := range table.Settings() {
						if start.Flow == bidding.Obliged {
							continue
						}
						err := table.FitThresholds(m, policy, klaverjas.DefaultRules(system), start, table.ThresholdOptions{
							Rounds: *rounds, Hands: *hands, Deals: 100 * *hands, Seed: *seed,
						}, func(t bidadvice.Thresholds) {
							fmt.Fprintf(std.Err, "%s %s %v\n", system, bidadvice.FlowName(start), t) //nolint:errcheck // progress
						})
						if err != nil {
							return err
						}
					}
				}
				if err := writeJSON(filepath.Join(*out, "worths.json"), policy.Worths, ""); err != nil {
					return err
				}
				return writeJSON(filepath.Join(*out, "thresholds.json"), policy.Thresholds, "")
			}
		},
	}
}

func fitWorths(e *handstrength.Estimator, system klaverjas.System, n int, seed uint64, std cli.Stdio) (*bidadvice.Worths, error) {
	worths, rmse, err := table.FitWorths(e, klaverjas.DefaultRules(system), n, seed)
	fmt.Fprintf(std.Err, "%s: the root mean square error of the sums is %.1f points\n", system, rmse) //nolint:errcheck // progress
	return worths, err
}
