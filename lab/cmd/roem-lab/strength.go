package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/handstrength"
	"roem/lab/klaverjas/strength"
)

func strengthFitCommand() cli.Command {
	return cli.Command{
		Name: "strength-fit", Needs: []string{"out"},
		Short: "measures the outcomes of deals by prediction and winner, for hand-strength",
		Long: `Solves random deals and writes the distributions of their outcomes, by the predicted outcome and by the
winner, to a file such as internal/service/klaverjas/handstrength/outcomes.json. Run it again after a training of the
model. With -system it measures one system of rules, and the file keeps its table of the other.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n       = cli.Number(flags, "n", 20_000, 1, math.MaxInt, "solve `n` deals for each system of rules")
				out     = flags.String("out", "", "the `file` to write")
				seed    = seedFlag(flags)
				systems = []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam}
			)
			flags.Func("system", "the only `system` of the rules to measure: rotterdam or amsterdam", func(text string) error {
				system, err := klaverjas.ParseSystem(text)
				systems = []klaverjas.System{system}
				return err
			})
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				m, err := deal.Default()
				if err != nil {
					return err
				}
				tables := map[string]*handstrength.Outcomes{}
				if len(systems) == 1 {
					text, err := os.ReadFile(*out)
					if err == nil {
						err = json.Unmarshal(text, &tables)
					}
					if err != nil && !errors.Is(err, fs.ErrNotExist) {
						return cli.Plain(err)
					}
				}
				for _, system := range systems {
					rules := klaverjas.DefaultRules(system)
					if _, ok := m.WeightsFor(rules, true); !ok {
						continue
					}
					bar := newMeter(std.Err, "roem-lab klaverjas strength-fit", "deals", *n, 10*time.Second)
					tables[system.String()], err = strength.Fit(ctx, m, rules, *n, *seed, func(int) { bar.add() })
					bar.stop()
					if err != nil {
						return err
					}
				}
				return writeJSON(*out, tables, "")
			}
		},
	}
}
