package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/cli"
	handmodel "roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func predictCommand() cli.Command {
	return cli.Command{
		Name: "predict", Args: "[FILE ...]",
		Short: "predicts who wins deals, with the model",
		Long: `Reads positions in which nothing has been played and writes predictions: the probability that the declarers win, the expected
outcome, and the expected effort of the search. Rules and declarers without a model are errors.
` + filesHelp,
		Setup: modelCommand(noFlags, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (api.KlaverjasPrediction,
				error) {
				return g.Predict(p)
			})
		}),
	}
}

func hybridCommand() cli.Command {
	var budget, confidence *float64
	return cli.Command{
		Name: "hybrid", Args: "[FILE ...]",
		Short: "determines who wins, with the search or the model, within a budget of time",
		Long: `Reads positions, optionally each with "budget_ms" and "min_confidence", and writes who wins and the source of
the answer. By default it searches the deals for which a search avoids the most mistakes of the model for its effort,
without a limit on the time.` + filesHelp,
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
			flags.Func("budget-ms", "the budget in `milliseconds`, 0 to 600000, for lines without budget_ms",
				number(&budget, 0, 600_000))
			flags.Func("min-confidence", "the minimum `confidence`, 0.5 to 1, at which the model's answer is "+
				"accepted, for lines without min_confidence",
				number(&confidence, 0.5, 1))
		}, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParseHybrid, func(ctx context.Context, in klaverjas.HybridQuery) (api.KlaverjasHybridAnswer, error) {
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

// modelCommand is like lineCommand, for commands that use the model.
func modelCommand(own func(*flag.FlagSet), newAnswerer func(*klaverjas.Game) answerer) setup {
	return gameLines(func(s *service.Service) (*klaverjas.Game, error) {
		predictor, err := klaverjas.DefaultPredictor()
		if err != nil {
			return nil, err
		}
		hands, err := handmodel.Embedded()
		if err != nil {
			return nil, err
		}
		return klaverjas.New(s, klaverjas.Options{Predictor: predictor, HandModel: hands}), nil
	}, own, files, newAnswerer)
}
