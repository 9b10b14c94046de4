package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/train"
)

func evalCommand() cli.Command {
	return cli.Command{
		Name: "eval", Args: "DIR ...",
		Short: "measures the model on data sets",
		Long: `Predicts every deal of data sets of roem-lab klaverjas dataset and compares the predictions with the labels: accuracy,
log loss, Brier score and calibration error with 95 % intervals, accuracy by confidence and by effort, and the quality
of the predicted effort. It writes the model card as JSON, and with -markdown also as a document.

The sets must have rules and declarers for which the model is trained. The model must not have been trained on them.

With -card, the measurements of an earlier card are kept if they are of the same weights, also those of the baselines, whose code is no
longer here. So new weights are measured without the others.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &evalFlags{}
			flags.StringVar(&c.model, "model", "", "`files` of weights, separated by commas (default: the embedded weights)")
			flags.StringVar(&c.card, "card", "", "keep the measurements of the same weights in this `file`, an earlier card")
			flags.StringVar(&c.script, "script", "", "also write the commands that make the weights to this `file`")
			flags.StringVar(&c.markdown, "markdown", "", "also write the card as Markdown to this `file`")
			return c.run
		},
	}
}

// evalFlags are the flags of the command.
type evalFlags struct {
	model, card, markdown, script string
}

func (c *evalFlags) run(ctx context.Context, std cli.Stdio, dirs []string) error {
	m, err := readModel(c.model)
	if err != nil {
		return cli.Plain(err)
	}
	card := train.NewCard(m)
	if c.card != "" {
		earlier := new(deal.Card)
		text, err := os.ReadFile(c.card)
		if err != nil {
			return cli.Plain(err)
		}
		if err := json.Unmarshal(text, earlier); err != nil {
			return fmt.Errorf("%s: %w", c.card, err)
		}
		train.Keep(card, earlier)
	}
	for _, dir := range dirs {
		report, err := train.Evaluate(ctx, m, dir)
		if err != nil {
			return cli.Plain(err)
		}
		train.AddSet(card, report)
	}
	if c.script != "" {
		if err := writeDocument(c.script, []byte(train.Commands(card))); err != nil {
			return cli.Plain(err)
		}
	}
	if c.markdown != "" {
		if err := writeDocument(c.markdown, []byte(train.Markdown(card))); err != nil {
			return cli.Plain(err)
		}
	}
	text, err := json.MarshalIndent(card, "", "  ")
	if err != nil {
		return err
	}
	return cli.Print(std, append(text, '\n'))
}

// readModel reads files of weights, or returns the embedded model.
func readModel(names string) (*deal.Model, error) {
	if names == "" {
		return deal.Default()
	}
	var files [][]byte
	for name := range strings.SplitSeq(names, ",") {
		file, err := os.ReadFile(name) //nolint:gosec // the user's own choice of a file
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return deal.Load(files...)
}
