package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"time"

	"roem/internal/cli"
	"roem/internal/model/ginrummy/forest"
	"roem/internal/model/trees"
	"roem/lab/ginrummy"
)

func ginForestCommand() cli.Command {
	return cli.Command{
		Name: "forest", Needs: []string{"out"},
		Short: "grows the random forest of the paper on Gin Rummy from nothing, and writes the file that a server can name in its configuration",
		Long: `Lets simple players play the deals of the seed -data, grows the multi-output forest of the paper on what each of
them saw, and writes it to -out, for models.gin_rummy_forest in the configuration of the server. The same flags give
the same file. Then it measures the file on deals that it has not learned from, raw and scaled to what is known, and
writes a Markdown table. A file has at most 64 MiB. The paper's least 2 rows of a leaf give one that is larger, so
the default is 30.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var g ginForestFlags
			g.add(flags, 30)
			out := flags.String("out", "", "the `file` to write")
			held := cli.Number(flags, "held", 500, 1, math.MaxInt, "the `number` of deals to measure on")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				facts, err := g.facts(ctx)
				if err != nil {
					return err
				}
				file, err := growGinForest(ctx, &g, facts)
				if err != nil {
					return cli.Plain(err)
				}
				if err := os.WriteFile(*out, file, 0o644); err != nil { //nolint:gosec // weights are no secret
					return cli.Plain(err)
				}
				text, err := measureGinForest(ctx, file, len(facts), *held)
				if err != nil {
					return err
				}
				return cli.Print(std, text)
			}
		},
	}
}

// growGinForest returns the file of a forest.
func growGinForest(ctx context.Context, g *ginForestFlags, facts []ginrummy.Facts) ([]byte, error) {
	grown, err := ginrummy.TrainForest(ctx, facts, g.forest)
	if err != nil {
		return nil, err
	}
	training, err := json.Marshal(map[string]any{
		"rows": len(facts), "deals": g.deals, "seed": g.data, "every": g.every, "trees": g.forest.Trees, "min_leaf": g.forest.MinLeaf,
	})
	if err != nil {
		return nil, err
	}
	f, err := grown.Served(trees.Shape{Inputs: forest.Inputs, Levels: 255, Training: training})
	if err != nil {
		return nil, err
	}
	return f.Encode()
}

// measureGinForest measures the forest of a file on held-out deals.
func measureGinForest(ctx context.Context, file []byte, learned, deals int) (string, error) {
	f, err := forest.Decode(file)
	if err != nil {
		return "", err
	}
	held, err := ginrummy.Held(ctx, ginHeldSeed, uint64(deals))
	if err != nil {
		return "", err
	}
	t := ginrummy.Table{Learned: learned}
	for _, e := range []ginrummy.Estimator{
		{Name: "forest", Of: func(r *ginrummy.Row) ginrummy.Estimate { return f.Raw(&r.View) }},
		{Name: "forest, scaled", Of: func(r *ginrummy.Row) ginrummy.Estimate { return f.Estimate(&r.View) }},
		{Name: "forest, mean of 24 orders", Of: func(r *ginrummy.Row) ginrummy.Estimate { return f.Symmetric(&r.View) }},
	} {
		t.Names, t.Scores = append(t.Names, e.Name), append(t.Scores, ginrummy.Measure(e, held))
	}
	began := time.Now()
	for i := range held {
		f.Estimate(&held[i].View)
	}
	return fmt.Sprintf("%s, %d bytes, SHA-256 %x, %s an estimate.\n\n%s", f, len(file), sha256.Sum256(file),
		(time.Since(began) / time.Duration(len(held))).Round(100*time.Nanosecond), t.Markdown()), nil
}
