package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"roem/internal/cli"
	"roem/internal/lab/train"
	"roem/internal/model"
)

func evalCommand() cli.Command {
	return cli.Command{
		Name: "eval", Args: "DIR ...",
		Short: "how good the model is, measured on data sets",
		Long: `Predicts every deal of data sets that roem-lab dataset made, and compares with what the search found out: accuracy, log loss, Brier
score and calibration error with 95 % intervals, accuracy by confidence and by effort, and how well the effort is foretold. It
writes the model card as JSON, and with -markdown as a document too.

The sets must be of rules and declarers that the model is trained for, and none that it was trained on.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &evalFlags{}
			flags.StringVar(&c.model, "model", "", "`files` of weights with commas between them; without, those that come with the program")
			flags.StringVar(&c.markdown, "markdown", "", "write the card to this `file` for people to read")
			flags.StringVar(&c.baselines, "baselines", "", "the results.json that roem-lab baselines wrote: a `file` with the figures of other models, for the card")
			flags.StringVar(&c.learningCurve, "learning-curve", "", "`files` of weights of the same network after less training, with commas between them")
			return c.run
		},
	}
}

// evalFlags are the flags of the command.
type evalFlags struct {
	model, markdown, baselines, learningCurve string
}

func (c *evalFlags) run(ctx context.Context, std cli.Stdio, dirs []string) error {
	if len(dirs) == 0 {
		return cli.Usagef("name the data sets to measure on")
	}
	m, err := readModel(c.model)
	if err != nil {
		return cli.Plain(err)
	}
	card := train.NewCard(m)
	for _, dir := range dirs {
		report, err := train.Evaluate(ctx, m, dir)
		if err != nil {
			return cli.Plain(err)
		}
		card.Sets = append(card.Sets, report)
	}
	if c.baselines != "" {
		text, err := os.ReadFile(c.baselines)
		if err != nil {
			return cli.Plain(err)
		}
		if card.Baselines, err = train.Baselines(text); err != nil {
			return fmt.Errorf("%s: %w", c.baselines, err)
		}
	}
	if c.learningCurve != "" {
		for file := range strings.SplitSeq(c.learningCurve, ",") {
			early, err := readModel(file)
			if err != nil {
				return cli.Plain(err)
			}
			point, err := train.Point(ctx, early, dirs)
			if err != nil {
				return cli.Plain(err)
			}
			card.LearningCurve = append(card.LearningCurve, point)
		}
	}
	if c.markdown != "" {
		if err := os.WriteFile(c.markdown, []byte(train.Markdown(card)), 0o644); err != nil { //nolint:gosec // a document is no secret
			return cli.Plain(err)
		}
	}
	text, err := json.MarshalIndent(card, "", "  ")
	if err != nil {
		return err
	}
	_, err = std.Out.Write(append(text, '\n'))
	return cli.Writing(err)
}

// readModel reads files of weights, or returns the model that comes with the program.
func readModel(names string) (*model.Model, error) {
	if names == "" {
		return model.Default()
	}
	var files [][]byte
	for name := range strings.SplitSeq(names, ",") {
		file, err := os.ReadFile(name) //nolint:gosec // the user's own choice of a file
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return model.Load(files...)
}
