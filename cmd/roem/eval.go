package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"roem/internal/lab/train"
	"roem/internal/model"
)

func evalCommand() command {
	return command{
		name: "eval", args: "DIR ...",
		short: "how good the model is, measured on data sets",
		long: `Predicts every deal of data sets that roem dataset made, and compares with what the search found out: accuracy, log loss, Brier
score and calibration error with 95 % intervals, accuracy by confidence and by effort, and how well the effort is foretold. It
writes the model card as JSON, and with -markdown as a document too.

The sets must be of rules and declarers that the model is trained for, and none that it was trained on.`,
		setup: func(flags *flag.FlagSet) func(context.Context, stdio, []string) error {
			c := &evalFlags{}
			flags.StringVar(&c.model, "model", "", "`files` of weights with commas between them; without, those that come with the program")
			flags.StringVar(&c.markdown, "markdown", "", "write the card to this `file` for people to read")
			flags.StringVar(&c.ladder, "ladder", "", "the results.json that roem ladder wrote: a `file` with the figures of other models, for the card")
			flags.StringVar(&c.curve, "curve", "", "`files` of weights of the same network after less training, with commas between them")
			return c.run
		},
	}
}

// evalFlags are the flags of the command.
type evalFlags struct {
	model, markdown, ladder, curve string
}

func (c *evalFlags) run(ctx context.Context, std stdio, dirs []string) error {
	if len(dirs) == 0 {
		return usagef("name the data sets to measure on")
	}
	m, err := readModel(c.model)
	if err != nil {
		return plain(err)
	}
	card := train.NewCard(m)
	for _, dir := range dirs {
		report, err := train.Evaluate(ctx, m, dir)
		if err != nil {
			return plain(err)
		}
		card.Sets = append(card.Sets, report)
	}
	if c.ladder != "" {
		text, err := os.ReadFile(c.ladder)
		if err != nil {
			return plain(err)
		}
		if card.Ladder, err = train.Ladder(text); err != nil {
			return fmt.Errorf("%s: %w", c.ladder, err)
		}
	}
	if c.curve != "" {
		for file := range strings.SplitSeq(c.curve, ",") {
			early, err := readModel(file)
			if err != nil {
				return plain(err)
			}
			point, err := train.Point(ctx, early, dirs)
			if err != nil {
				return plain(err)
			}
			card.Curve = append(card.Curve, point)
		}
	}
	if c.markdown != "" {
		if err := os.WriteFile(c.markdown, []byte(train.Markdown(card)), 0o644); err != nil { //nolint:gosec // a document is no secret
			return plain(err)
		}
	}
	text, err := json.MarshalIndent(card, "", "  ")
	if err != nil {
		return err
	}
	_, err = std.out.Write(append(text, '\n'))
	return writing(err)
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
