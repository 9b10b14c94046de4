package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"roem/internal/api"
	"roem/internal/cli"
	handrecord "roem/internal/engine/record"
	"roem/internal/service"
	"roem/internal/service/belote"
	"roem/internal/service/ginrummy"
	"roem/internal/service/klaverjas"
	"roem/internal/service/tarok"
)

// maxRecords is how many bytes the records of a file may have, as in a request.
const maxRecords = 1_000_000

// recordKinds are the records of all games.
func recordKinds() *handrecord.Kinds {
	return &handrecord.Kinds{
		Kinds: []*handrecord.Kind{
			klaverjas.Operations().Records, belote.Operations.Records, ginrummy.Operations.Records, tarok.Operations.Records,
		},
		Foreign: klaverjas.Operations().Foreign,
	}
}

func convertCommand() cli.Command {
	return cli.Command{
		Name: "convert", Args: "[FILE ...]",
		Short: "writes records of hands in another form: text, one line, or JSON",
		Long: `Reads records of hands of any game in any form, also the notation of Colver and the JSON of KlaverLive, and writes them in
one form: text with tags, a line for each, or a JSON object a line, whose "position" the other commands read. The format is described in
docs/reference/record-format.md.

If anything is wrong with a file, no part of it is written, each error is named with its line, and the exit status is 1.
Without files, or for the file -, standard input is read.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			form := flags.String("to", string(api.RecordFormText), "the `form` to write: text, line or json")
			return func(_ context.Context, std cli.Stdio, args []string) error {
				to := api.RecordForm(*form)
				if to != api.RecordFormText && to != api.RecordFormLine && to != api.RecordFormJson {
					return cli.Usagef("the form %q is not known: expected text, line or json", *form)
				}
				if len(args) == 0 {
					args = []string{"-"}
				}
				return convertFiles(std, args, to)
			}
		},
	}
}

func convertFiles(std cli.Stdio, names []string, form api.RecordForm) error {
	wrong := 0
	for i, name := range names {
		hands, err := readRecords(std, name)
		if errs, ok := handrecord.AsErrors(err); ok {
			for _, e := range errs {
				cli.Say(std.Err, "%s: %v\n", name, e)
			}
			wrong++
			continue
		}
		if err != nil {
			return err
		}
		text, err := service.RecordText(hands, form)
		if err != nil {
			return err
		}
		if i > 0 && form == api.RecordFormText {
			text = "\n" + text
		}
		if _, err := io.WriteString(std.Out, text); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d files could not be read", wrong, len(names))
	}
	return nil
}

// readRecords reads the records of a file, or of standard input.
func readRecords(std cli.Stdio, name string) ([]handrecord.Hand, error) {
	text, err := readText(std, name)
	if err != nil {
		return nil, err
	}
	return recordKinds().Read(text)
}
