package main

import (
	"context"
	"flag"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func featuresCommand() cli.Command {
	asCSV := false
	return cli.Command{
		Name: "features", Args: "[FILE ...]",
		Short: "computes the features of deals that the paper's models use",
		Long: `Reads positions in which nothing has been played, and writes the 143 features of their deals: "values", with the "suits" and
"seats" of the deal that they are of. lab/docs/klaverjas/features.md lists the features. With -csv the output is a table with a row of
titles: the index of the deal, the suits and seats, and the features by name.
` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			flags.BoolVar(&asCSV, "csv", false, "write a table instead of JSON")
		}, lines.Files, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			read := klaverjas.ParsePosition.Of(g)
			if !asCSV {
				type features = api.KlaverjasDealFeatures
				return lines.NewAnswerer(read, func(_ context.Context, p klaverjas.Position) (features, error) {
					return klaverjas.DealFeatures(p)
				})
			}
			return lines.NewRowAnswerer(klaverjas.FeatureNames(), read, func(_ context.Context, p klaverjas.Position) ([]string, error) {
				f, err := klaverjas.DealFeatures(p)
				return klaverjas.FeatureRow(f), err
			})
		}),
	}
}
