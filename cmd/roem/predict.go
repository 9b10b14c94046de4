package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/service/klaverjas"
)

func predictCommand() cli.Command {
	return cli.Command{
		Name: "predict", Args: "[FILE ...]",
		Short: "who probably wins deals, from the model, in microseconds",
		Long: `Reads positions of which nothing has been played and writes predictions: the probability that the declarers win, the expected
outcome, and how hard the deal is for the search. Rules and declarers that no model knows are errors.
` + filesHelp,
		Setup: modelCommand(noFlags, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (api.Prediction, error) { return g.Predict(p) })
		}),
	}
}

func hybridCommand() cli.Command {
	var budget, confidence *float64
	return cli.Command{
		Name: "hybrid", Args: "[FILE ...]",
		Short: "who wins positions, from the search or the model, within a budget of time",
		Long: `Reads positions, each with a "budget_ms" and "min_confidence" of its own if it likes, and writes who wins and how that was found out.
The default is to search where a search finds the most mistakes of the model for its work, however long it takes.
` + filesHelp,
		Setup: modelCommand(func(flags *flag.FlagSet) {
			number := func(to **float64, least, most float64) func(string) error {
				return func(text string) error {
					value, err := strconv.ParseFloat(text, 64)
					if err != nil || !(value >= least && value <= most) { // NaN is neither
						return fmt.Errorf("expected a number from %g to %g", least, most)
					}
					*to = &value
					return nil
				}
			}
			flags.Func("budget-ms", "answer within so many `milliseconds`, 0 to 600000, where the line has no budget_ms of its own",
				number(&budget, 0, 600_000))
			flags.Func("min-confidence", "the `confidence`, 0.5 to 1, from which on the model's answer is good enough, where the line has no min_confidence of its own",
				number(&confidence, 0.5, 1))
		}, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParseHybrid, func(ctx context.Context, in klaverjas.HybridQuery) (api.HybridAnswer, error) {
				began := time.Now()
				if in.BudgetMs == nil {
					in.BudgetMs = budget
				}
				if in.MinConfidence == nil {
					in.MinConfidence = confidence
				}
				return g.Hybrid(ctx, in, began)
			})
		}),
	}
}

// modelCommand is lineCommand for what asks the model.
func modelCommand(
	own func(*flag.FlagSet), newAnswerer func(*klaverjas.Game) answerer,
) func(*flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
	return lineCommandWith(func() (klaverjas.Options, error) {
		predictor, err := klaverjas.DefaultPredictor()
		return klaverjas.Options{Predictor: predictor}, err
	}, own, files, newAnswerer)
}
