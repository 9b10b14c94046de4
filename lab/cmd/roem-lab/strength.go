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

func strengthEvalCommand() cli.Command {
	return cli.Command{
		Name:  "strength-eval",
		Short: "measures the estimates of hand-strength: time, standard error, intervals",
		Long: `Estimates random hands with all four trumps on one core, and writes the time, the stated standard errors, and
how far the estimates are from long runs with searches.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				hands     = cli.Number(flags, "hands", 100, 1, math.MaxInt, "the number of `hands`")
				precision = flags.Float64("precision", 1, "the precision of the estimates, in `points`")
				reference = flags.Float64("reference", 0, "the precision of the long runs, in `points`; 0 for no long runs")
				seed      = seedFlag(flags)
				method    handstrength.Method
				system    klaverjas.System
			)
			flags.Func("method", "the `method`: auto, hand_model, network or exact (default auto)", func(text string) (err error) {
				method, err = handstrength.ParseMethod(text)
				return err
			})
			flags.Func("system", "the `system` of the rules: rotterdam or amsterdam (default rotterdam)", func(text string) (err error) {
				system, err = klaverjas.ParseSystem(text)
				return err
			})
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if *precision <= 0 || *reference < 0 {
					return cli.Usagef("-precision and -reference: expected points above 0")
				}
				_, e, err := estimator()
				if err != nil {
					return err
				}
				bar := newMeter(std.Err, "roem-lab klaverjas strength-eval", "hands", *hands, 10*time.Second)
				report, err := strength.Evaluate(ctx, e, strength.Options{
					Hands: *hands, Precision: *precision / 100, Reference: *reference / 100, Method: method,
					Rules: klaverjas.DefaultRules(system), Seed: *seed,
				}, func(int) { bar.add() })
				bar.stop()
				if err != nil {
					return err
				}
				return cli.Print(std, report.String())
			}
		},
	}
}
